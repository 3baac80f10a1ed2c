"""What is read of a text that was sent, over a real socket."""

from __future__ import annotations

from tests.wire import Client, Gateway, running

LONG = "After the long winter, with the roads still closed, the council met."
REPLY = "<think>Hm, water.</think>## Plan\n- **Boil** the 👍 water\n- Add `salt`\n```py\nprint(1)\n```\nDone."


def told(client: Client, context: str = "default") -> list[tuple[str, str]]:
    """Each sentence as it is told, and what was sent at its place."""
    return [(m["text"], REPLY[m["start"] : m["end"]]) for m in client.ear.of("sentence", context)]


async def test_marks_are_not_spoken_and_places_are_those_of_what_was_sent(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak(REPLY, pace="fast")
        await client.speak(*REPLY, pace="fast", early=False, context="tokens")
    texts = [text for text, _ in told(client)]
    assert texts[0] == "Plan"
    assert texts[-1] == "Done."
    assert not any(mark in text for text in texts for mark in "*`#<")
    assert [place.split()[-1].strip("`") for _, place in told(client)] == [text.split()[-1] for text in texts]
    assert client.ear.text() == client.ear.text("tokens")
    assert told(client) == told(client, "tokens")
    assert "Hm" not in client.ear.text() and "print" not in client.ear.text()


async def test_a_text_is_taken_as_it_is_where_that_is_wanted(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak("Keep **this** and `that`.", pace="fast", markdown=False)
        await client.speak("Keep **this** and `that`.", pace="fast", context="marked")
    assert client.ear.of("sentence")[0]["text"] == "Keep **this** and `that`."
    assert client.ear.of("sentence", "marked")[0]["text"] == "Keep this and that."


async def test_a_deployment_may_have_code_named() -> None:
    async with running(code="note") as gateway, gateway.client() as client:
        await client.speak(REPLY, pace="fast")
        noted = told(client)
    async with running() as gateway, gateway.client() as client:
        await client.speak(REPLY, pace="fast")
        assert len(noted) == len(told(client)) + 1


async def test_the_first_clause_of_a_text_being_written_comes_early() -> None:
    tokens = [f" {word}" for word in LONG.split()]
    async with running() as gateway, gateway.client() as client:
        for token in tokens[:9]:
            await client.send("text", text=token)
        first = await client.until("sentence")  # the rest has not been written yet
        assert first["text"] == "After the long winter,"
        await client.speak(*tokens[9:])
        await client.speak("".join(tokens), context="whole")
        assert len(client.ear.of("sentence", "whole")) == 1
    async with running(early_clause=False) as gateway, gateway.client() as client:
        await client.speak(*tokens)
        assert len(client.ear.of("sentence")) == 1
