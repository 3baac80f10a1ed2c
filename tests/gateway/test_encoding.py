"""A context's sound becomes events of its format."""

from __future__ import annotations

from functools import partial

import numpy as np

from gateway.codec import Codec, EncodingFailed, codec
from gateway.encoding import Encoding
from gateway.events import Audio, Failed

RATE = 22050
SOUND = np.arange(-500, 500, dtype=np.int16)


def test_samples_are_given_as_they_are_and_nothing_is_left() -> None:
    encoding = Encoding("a", partial(codec, "pcm_s16le", RATE, RATE))
    given = Audio("a", SOUND.astype("<i2").tobytes(), "pcm_s16le", RATE, samples=1000)
    assert [encoding.push(SOUND), encoding.mark(), encoding.push(SOUND), encoding.end()] == [given, None, given, None]
    assert encoding.unsent == 0


def test_what_an_encoder_holds_is_counted_with_what_it_gives_next() -> None:
    encoding = Encoding("a", partial(codec, "mp3", RATE, RATE))
    pushed = [encoding.push(SOUND[:100]) for _ in range(30)]
    held = encoding.unsent
    events = [event for event in (*pushed, encoding.end()) if isinstance(event, Audio)]
    assert None in pushed
    assert held > 0
    assert sum(event.samples for event in events) == 3000


def test_an_encoder_is_made_when_there_is_sound() -> None:
    made: list[str] = []

    def new_codec() -> Codec:
        made.append("mp3")
        return codec("mp3", RATE, RATE)

    encoding = Encoding("a", new_codec)
    assert (encoding.mark(), encoding.end(), made) == (None, None, [])
    encoding.push(SOUND)
    assert made == ["mp3"]


def test_a_failure_is_told_once_and_then_there_is_no_sound() -> None:
    def fail() -> Codec:
        raise EncodingFailed("mp3", RATE, ValueError("no more"))

    encoding = Encoding("a", fail)
    failed = encoding.push(SOUND)
    assert isinstance(failed, Failed)
    assert (failed.code, failed.context) == ("encoding_failed", "a")
    assert [encoding.push(SOUND), encoding.mark(), encoding.end()] == [None, None, None]
