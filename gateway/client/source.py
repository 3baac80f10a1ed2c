"""Where the text of a speech comes from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Iterable
from contextlib import aclosing

Spoken = str | Iterable[str] | AsyncIterable[str]


async def tokens(text: Spoken) -> AsyncGenerator[str, None]:
    """A text in the pieces that it comes in. A generator is closed when it is left, so that its model may stop too."""
    if isinstance(text, str):
        yield text
    elif isinstance(text, AsyncGenerator):
        async with aclosing(text):
            async for token in text:
                yield token
    elif isinstance(text, AsyncIterable):
        async for token in text:
            yield token
    else:
        for token in text:
            yield token
            await asyncio.sleep(0)  # other tasks get their turn
