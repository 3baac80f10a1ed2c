"""The composition root: settings become parts, parts a server."""

from __future__ import annotations

from gateway.app.house import House
from gateway.app.listening import listen
from gateway.app.routes import create_app, create_engine, static_folder
from gateway.app.server import create_server, serve

__all__ = ["House", "create_app", "create_engine", "create_server", "listen", "serve", "static_folder"]
