"""Word times over a real socket."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.engine import Engine
from engine.voices import LoadedVoice
from tests.fakes import CUT, FRAMES_AN_ID, HOP, RATE_HZ, FakeModel, fake_engine, fake_voice
from tests.wire import Client, Gateway, running

TEXT = f"One fine day. Two {CUT} of them! And three"
CHAR_MS = FRAMES_AN_ID * HOP / RATE_HZ * 1000  # of sound


def told(client: Client, context: str = "default") -> list[tuple[int, str, int, int]]:
    """Sentence, word and its times, in the order in which they came."""
    return [
        (message["sentence"], word["text"], word["start_ms"], word["end_ms"])
        for message in client.ear.of("words", context)
        for word in message["words"]
    ]


def words_of(told: list[tuple[int, str, int, int]]) -> list[tuple[int, str]]:
    return [(sentence, text) for sentence, text, _, _ in told]


@pytest.mark.parametrize("pause_ms", [0, 130])
async def test_times_rise_over_the_whole_context(pause_ms: int) -> None:
    """d07"""
    async with running(pause_ms=pause_ms) as gateway, gateway.client() as client:
        await client.speak(TEXT, words=True, pace="fast")
        sentences = client.ear.of("sentence")
    one = told(client)
    assert words_of(one) == [
        *((0, word) for word in ("One", "fine", "day.")),
        *((1, word) for word in ("Two", "of", "them!")),
        *((2, word) for word in ("And", "three")),
    ]
    assert all(start < end for _, _, start, end in one)
    assert all(first[3] <= second[2] for first, second in pairwise(one))
    for message in sentences:
        own = [word for word in one if word[0] == message["index"]]
        assert own[0][2] == round(message["start_ms"])
    spelt = client.ear.pcm()
    for _, text, start, end in one:
        sound = spelt[round(start * RATE_HZ / 1000) : round(end * RATE_HZ / 1000)]
        middles = sound[HOP * FRAMES_AN_ID // 2 :: HOP * FRAMES_AN_ID]
        assert "".join(map(chr, middles.tolist())) == text


async def test_words_come_before_their_sound(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak(TEXT, words=True, pace="fast")
    sent_ms = 0.0
    for message in client.ear.messages["default"]:
        if message["type"] == "sound":
            sent_ms += message["bytes"] / 2 / RATE_HZ * 1000
        elif message["type"] == "words":
            assert message["words"][0]["start_ms"] >= round(sent_ms) - 21


async def test_a_phrase_from_the_cache_has_the_same_words(gateway: Gateway) -> None:
    def relative(client: Client, context: str) -> list[Any]:
        starts = {m["index"]: m["start_ms"] for m in client.ear.of("sentence", context)}
        return [(s, text, start - starts[s], end - starts[s]) for s, text, start, end in told(client, context)]

    async with gateway.client() as client:
        await client.speak(TEXT, context="plain", pace="fast")
        await client.speak(TEXT, context="asked", words=True, pace="fast")
        done = await client.speak(TEXT, context="again", words=True, pace="fast")
    assert done["cached"] == 3
    assert client.ear.of("words", "plain") == []
    assert words_of(told(client, "again")) == words_of(told(client, "asked"))
    assert relative(client, "again") == relative(client, "asked")


async def test_cancel_tells_the_words_that_were_sent_and_heard() -> None:
    model = FakeModel(cost_s=0.001)
    text = "One two three four five six seven eight nine ten eleven twelve."
    async with running(fake_engine(fake_voice(model)), ahead_s=1.0) as gateway, gateway.client() as client:
        await client.send("start", words=True)
        await client.send("text", text=f"{text} ")
        while len(client.ear.pcm()) < 0.8 * RATE_HZ:
            await client.next()
        await client.send("played", ms=round(8 * CHAR_MS))
        await client.send("cancel")
        cancelled = await client.until("cancelled")
    sent = len(client.ear.pcm())
    assert cancelled["sent_ms"] == round(sent / RATE_HZ * 1000)
    sounded = text[: sent // (HOP * FRAMES_AN_ID)]
    assert cancelled["text_sent"] == (sounded if text[len(sounded)] == " " else sounded.rpartition(" ")[0]).rstrip()
    assert cancelled["heard_ms"] == round(8 * CHAR_MS)
    assert cancelled["text_heard"] == "One two"


async def test_who_does_not_say_what_he_heard_is_not_told(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("text", text="One two three. ")
        await client.until("sound")
        await client.send("cancel")
        cancelled = await client.until("cancelled")
    assert "text_heard" not in cancelled


LEXICON = {"SQL": "see quell", "New York": "/nuː jɔːk/", "nothing": f"{CUT}nought{CUT}"}
WRITTEN = "I’ve SQL 🎉 in New York, and nothing more."


async def test_words_and_texts_are_told_as_they_are_written(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak(f"Hm.  {WRITTEN}", words=True, pace="fast", lexicon=LEXICON, context="first")
        done = await client.speak(f"Hm.  {WRITTEN}", words=True, pace="fast", lexicon=LEXICON)
    assert done["cached"] == 2
    for context in ("first", "default"):
        first, second = client.ear.of("sentence", context)
        assert (first["text"], first["start"], first["end"]) == ("Hm.", 0, 3)
        assert "".join(second["text"].split()) in {"".join(WRITTEN.split()), "".join(WRITTEN.replace("🎉", "").split())}
        assert (second["start"], second["end"]) == (5, 5 + len(WRITTEN))
        one = told(client, context)
        words = [word for _, word in words_of(one)][1:]
        assert " ".join(words) == second["text"]
        assert "New York," in words
        assert client.ear.text(context) == "Hm.I've see quell in /nuː/ /jɔːk/, and nought more."
        times = {word: (start, end) for _, word, start, end in one}
        start, end = times["New York,"]
        assert round((end - start) / CHAR_MS) == len("/nuː/ /jɔːk/,")
        assert all(before[3] <= after[2] for before, after in pairwise(one))


async def test_either_apostrophe_is_one_phrase_and_told_as_it_was_sent(gateway: Gateway) -> None:
    """b21"""
    async with gateway.client() as client:
        await client.speak("It isn't far.", words=True, pace="fast", context="straight")
        done = await client.speak("It isn’t far.", words=True, pace="fast", context="curly")
    assert done["cached"] == 1
    assert client.ear.pcm("straight").tolist() == client.ear.pcm("curly").tolist()
    assert words_of(told(client, "straight")) == [(0, "It"), (0, "isn't"), (0, "far.")]
    assert words_of(told(client, "curly")) == [(0, "It"), (0, "isn’t"), (0, "far.")]
    assert client.ear.of("sentence", "curly")[0]["text"] == "It isn’t far."


async def test_cancel_tells_what_was_written_of_what_was_sent() -> None:
    model = FakeModel(cost_s=0.001)
    async with running(fake_engine(fake_voice(model)), ahead_s=1.0) as gateway, gateway.client() as client:
        await client.send("start", words=True, lexicon={"SQL": "s q l"})
        await client.send("text", text="It’s SQL, and that’s all there is to say about it, isn’t it? ")
        while len(client.ear.pcm()) < 0.8 * RATE_HZ:
            await client.next()
        await client.send("played", ms=round(len("It's s q l,") * CHAR_MS) + 5)
        await client.send("cancel")
        cancelled = await client.until("cancelled")
    assert cancelled["text_heard"] == "It’s SQL,"
    assert cancelled["text_sent"].startswith("It’s SQL, and")


async def test_a_sentence_of_emoji_is_dealt_with_silently(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("text", text="🎉 🎉! ")
        await client.send("flush")
        await client.until("flushed")
        done = await client.speak("☕️.")
    assert (done["sentences"], done["audio_ms"]) == (0, 0)
    assert client.ear.of("sentence") == client.ear.of("error") == []


async def test_real_words_sound_in_order_as_they_are_written(real_voices: list[LoadedVoice]) -> None:
    text = "I don’t know Nguyen’s file 🎉, a GIF from New York."
    lexicon = {"nguyen": "/ŋwˈiːən/", "GIF": "jiff", "New York": "/nuː jˈɔːɹk/"}
    async with running(Engine(real_voices)) as gateway, gateway.client() as client:
        await client.speak(text, words=True, pace="fast", lexicon=lexicon)
    (sentence,) = client.ear.of("sentence")
    one = told(client)
    words = [word for _, word in words_of(one)]
    assert " ".join(words) == sentence["text"]
    assert [words.count(word) for word in ("don’t", "Nguyen’s", "GIF", "New York.")] == [1] * 4
    assert all(60 <= end - start <= 1000 for _, word, start, end in one if len(word) > 3)
    assert all(before[3] <= after[2] for before, after in pairwise(one))
    assert one[-1][3] <= round(len(client.ear.pcm()) / RATE_HZ * 1000)
