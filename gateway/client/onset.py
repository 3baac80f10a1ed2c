"""A voice for a program: speeches on one socket that is opened again when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from types import TracebackType
from typing import Any, Literal

from gateway.client.account import RAW
from gateway.client.errors import Unreachable
from gateway.client.link import Link, address
from gateway.client.source import Spoken
from gateway.client.speech import Speech

Format = Literal["pcm_s16le", "pcm_f32le", "mulaw", "alaw", "wav", "mp3", "opus", "webm", "aac", "flac"]


class Onset:
    """A connection to a server: `async with Onset(url) as voice`, and then `voice.speak`, as often as you like.

    `url`: of the server, as ws://127.0.0.1:8000 (http and https will do). `api_key`: where the server wants one.
    `reconnect`: a speech whose connection is lost goes on over a new one with the first sentence that had not come
    whole, as long as one can be had within `patience_s`; else it raises ConnectionLost. Leaving the block cancels what
    is being spoken. One event loop only.
    """

    def __init__(
        self,
        url: str = "ws://127.0.0.1:8000",
        *,
        api_key: str | None = None,
        reconnect: bool = False,
        connect_timeout_s: float = 10.0,
        patience_s: float = 30.0,
        proxy: str | None = None,
    ) -> None:
        self._url, self._api_key, self._proxy = address(url), api_key, proxy
        self._reconnect, self._timeout_s, self._patience_s = reconnect, connect_timeout_s, patience_s
        self._link: Link | None = None
        self._reading: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._closed = False
        self._names = count(1)
        self._speeches: set[Speech] = set()

    async def __aenter__(self) -> Onset:
        """Connects; raises Unreachable."""
        await self._connected()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def voices(self) -> tuple[str, ...]:
        """Names of the server's voices, as it told them when it was last connected."""
        return () if self._link is None else self._link.voices

    @property
    def default_voice(self) -> str:
        """Who speaks where no voice is named; as `voices`."""
        return "" if self._link is None else self._link.default_voice

    def speak(
        self,
        text: Spoken,
        *,
        voice: str | None = None,
        speaker: str | int | None = None,
        speed: float | None = None,
        seed: int | None = None,
        language: str | None = None,
        words: bool = False,
        format: Format = "pcm_s16le",  # noqa: A002 - as the protocol calls it
        sample_rate: int | None = None,
        kbps: int | None = None,
        pace: Literal["realtime", "fast"] = "realtime",
        markdown: bool = True,
        early: bool | None = None,
        lexicon: Mapping[str, str] | None = None,
    ) -> Speech:
        """Begin to speak a text, or its tokens as they come, with their spaces; the options are those of `start`.

        It begins at once, whether you iterate or not, and what you do not take waits in memory. Never raises for what
        the server may say: the speech does, when it is iterated.
        """
        if self._closed:
            raise RuntimeError("this Onset is closed; speak inside of its `async with` block")
        left_out: dict[str, Any] = {
            "voice": voice,
            "speaker": speaker,
            "speed": speed,
            "seed": seed,
            "language": language,
            "sample_rate": sample_rate,
            "kbps": kbps,
            "early": early,
            "lexicon": None if lexicon is None else dict(lexicon),
        }
        settings = {name: value for name, value in left_out.items() if value is not None}
        settings |= {"words": words, "format": format, "pace": pace, "markdown": markdown}
        patience_s = self._patience_s if self._reconnect and format in RAW else None
        speech = Speech(
            context=f"speech-{next(self._names)}",
            text=text,
            settings=settings,
            connect=self._connected,
            patience_s=patience_s,
            when_over=self._speeches.discard,
        )
        self._speeches.add(speech)
        return speech

    async def aclose(self) -> None:
        """Cancel what is being spoken, and close; idempotent."""
        self._closed = True
        try:
            for speech in [*self._speeches]:
                await speech.aclose()
        finally:
            if self._link is not None:
                await self._link.close()
            if self._reading is not None:
                await asyncio.wait({self._reading})

    async def _connected(self) -> Link:
        """The socket, opened if it is not; raises Unreachable."""
        async with self._opening:
            if self._closed:
                raise Unreachable("closed", "this Onset is closed")
            if self._link is None or self._link.is_lost:
                link = await Link.open(self._url, api_key=self._api_key, proxy=self._proxy, timeout_s=self._timeout_s)
                self._link, self._reading = link, asyncio.get_running_loop().create_task(link.read())
            return self._link
