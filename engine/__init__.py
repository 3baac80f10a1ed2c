"""Text to sound; knows no socket, no wire format, no Redis, no codec."""
