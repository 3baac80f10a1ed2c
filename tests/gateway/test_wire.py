"""The native protocol over a real socket."""

from __future__ import annotations

from tests.wire import Gateway


async def test_text_is_spoken_sentence_by_sentence(gateway: Gateway) -> None:
    async with gateway.client() as client:
        done = await client.speak("One fine day. Two of ", "them. And three")
        assert client.ear.text() == "One fine day.Two of them.And three"
        assert [m["text"] for m in client.ear.of("sentence")] == ["One fine day.", "Two of them.", "And three"]
        assert done["sentences"] == 3
