"""The network: sockets, dialects, cache, formats, limits."""

__version__ = "0.1.0"
