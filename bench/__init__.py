"""Measurements, each one command and one table."""
