"""TLS in front of a server on loopback, as a proxy puts it there: for clients that speak to nobody without it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trustme


@asynccontextmanager
async def tls(host: str, folder: Path) -> AsyncIterator[tuple[str, Path]]:
    """Yields a host that speaks TLS, and the file of the authority that vouches for it."""
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    trusted = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(trusted))
    name, _, port = host.partition(":")

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(name, int(port))
            async with asyncio.TaskGroup() as both:
                both.create_task(_pour(reader, back))
                both.create_task(_pour(there, writer))
        finally:
            for end in (writer, back):
                end.close()

    server = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", trusted


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, ssl.SSLError):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
        writer.close()
