"""The network: sockets, dialects, cache, formats, limits."""
