"""A transport that writes once a turn of the loop."""

from __future__ import annotations

import asyncio

from gateway.app.wire import Gathering
from tests import virtual


class Pipe(asyncio.Transport):
    """Notes what is done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.did: list[bytes | str] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.did.append(bytes(data))

    def close(self) -> None:
        self.did.append("close")

    def abort(self) -> None:
        self.did.append("abort")

    def is_closing(self) -> bool:
        return "close" in self.did or "abort" in self.did


def gathering() -> tuple[Pipe, Gathering]:
    pipe = Pipe()
    return pipe, Gathering(pipe, asyncio.get_running_loop())


def test_what_is_written_in_a_turn_goes_out_at_once_after_it() -> None:
    async def main() -> None:
        pipe, transport = gathering()
        transport.write(b"one ")
        transport.write(b"two")
        assert pipe.did == []
        await asyncio.sleep(0)
        transport.write(b"three")
        await asyncio.sleep(0)
        assert pipe.did == [b"one two", b"three"]

    virtual.run(main())


def test_a_close_comes_behind_what_was_written() -> None:
    async def main() -> None:
        pipe, transport = gathering()
        transport.write(b"last")
        transport.close()
        transport.write(b"too late")
        await asyncio.sleep(0)
        assert pipe.did == [b"last", "close"]

    virtual.run(main())


def test_nothing_goes_out_after_an_abort() -> None:
    async def main() -> None:
        pipe, transport = gathering()
        transport.write(b"lost")
        transport.abort()
        await asyncio.sleep(0)
        assert pipe.did == ["abort"]

    virtual.run(main())
