"""The whole way: `onset serve`, a real client, the real voice, and an ear that knows the words."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from websockets.sync.client import connect

from bench.servers import onset_server
from tests.graphs import graphs_folder
from tests.hearing import SENTENCES, hear, words_heard


def test_the_words_come_over_the_wire_sentence_by_sentence() -> None:
    """Sent token by token, as a language model writes; each sentence is heard in the sound that came as its own."""
    sound: dict[int, bytes] = {}
    told: list[str] = []
    rate_hz = 0
    with (
        onset_server("--graphs", str(graphs_folder())) as server,
        connect(f"ws://127.0.0.1:{server.port}/ws", compression=None, open_timeout=60) as socket,
    ):
        assert json.loads(socket.recv())["type"] == "ready"
        socket.send(json.dumps({"type": "start", "pace": "fast"}))
        for token in " ".join(SENTENCES).split(" "):
            socket.send(json.dumps({"type": "text", "text": f"{token} "}))
        socket.send(json.dumps({"type": "end"}))
        message: dict[str, Any] = {}
        while message.get("type") != "done":
            received = socket.recv(timeout=30)
            if isinstance(received, bytes):
                sound[len(told) - 1] = sound.get(len(told) - 1, b"") + received
                continue
            message = json.loads(received)
            match message:
                case {"type": "sentence", "index": index, "text": text}:
                    assert index == len(told)
                    told.append(text)
                case {"type": "audio"}:
                    rate_hz = message["sample_rate"]
                case _:
                    assert message["type"] == "done", message
    assert told == list(SENTENCES)
    assert message["audio_ms"] == round(sum(map(len, sound.values())) / 2 / rate_hz * 1000)
    for index, sentence in enumerate(SENTENCES):
        text = hear(np.frombuffer(sound[index], "<i2"), rate_hz)
        assert words_heard(sentence, text) >= 0.8, text
        assert all(words_heard(other, text) < 0.5 for other in SENTENCES if other != sentence)
