"""The text path by itself: what each stage costs, how long it holds up the event loop, and how its work grows.

    python -m bench.text [--quick] [--json | --markdown]

Processor time of one thread, the best of several runs: other work on the machine counts little. Texts come in tokens
of four characters, but for the longest call: that takes as much at once as a connection does.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from bench.first_audio import machine
from bench.readings import answer, hostile, prose, tokens
from bench.rows import Goal, Row, table
from engine.text.lexicon import Lexicon
from engine.text.markdown import Markdown
from engine.text.normalize import normalize, prepare
from engine.text.path import TextPath
from engine.text.phonemes import PhonemeConfig, Phonemizer
from engine.text.saying import pronounced, saying
from engine.text.split import Splitter
from engine.types import Voice
from engine.voices import find_voices, read_voice_text
from gateway.events import End, Start, Text
from gateway.session import Session

PROSE, ANSWER, HOSTILE = COLUMNS = ("prose", "Markdown", "hostile")
LANGUAGE = "en-US"
MODELS = Path(__file__).resolve().parent.parent / "models"
WHOLE_CHARS = 100
LONGEST_MS = 5.0
TWICE = 2.5  # what twice the text may cost, with what the clock is wrong

LEXICON = Lexicon({f"word{number} of it": "said" for number in range(10_000)} | {"copper": "cop per", "kWh": "/kwɑː/"})


@dataclass(frozen=True, slots=True)
class Sizes:
    sentences: int = 600  # of prose
    rounds: int = 7
    chars: int = 10_000  # of a hostile text
    languages: Sequence[str] = (
        *("en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-BR", "nl-NL", "pl-PL", "ru-RU", "hu-HU", "zh-CN", "ja-JP"),
    )
    doubled: Sequence[str] = ("en-US", "de-DE", "zh-CN")


FULL = Sizes()
QUICK = Sizes(sentences=200, rounds=3, chars=5000, languages=("en-US", "de-DE", "zh-CN"), doubled=("en-US",))


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Of this thread's processor time, the best of `rounds`."""
    took: list[float] = []
    for _ in range(rounds):
        before = time.thread_time()
        work()
        took.append(time.thread_time() - before)
    return min(took)


# ---- stages


@dataclass(slots=True)
class Reading:
    """A text and what each stage makes of it for the next."""

    text: str
    phonemes: PhonemeConfig
    tokens: list[str]
    plain: list[str]
    sentences: list[str]
    spoken: list[str]

    @classmethod
    def of(cls, text: str, phonemes: PhonemeConfig) -> Reading:
        markdown, path = Markdown(), TextPath()
        pushes = tokens(text)
        plain = [markdown.push(token).text for token in pushes] + [markdown.flush().text]
        found = [sentence.text for sentence in path.push(text) + path.end()]
        spoken = [saying(sentence, LANGUAGE, (LEXICON,)).spoken.text for sentence in found]
        return cls(text, phonemes, pushes, plain, found, spoken)

    def markdown(self) -> None:
        markdown = Markdown()
        for token in self.tokens:
            markdown.push(token)
        markdown.flush()

    def split(self, *, early: bool = False) -> None:
        splitter = Splitter(early=early)
        for token in self.plain:
            splitter.push(token)
        splitter.end()

    def path(self) -> list[str]:
        path = TextPath(early=True)
        found = [sentence.text for token in self.tokens for sentence in path.push(token)]
        return found + [sentence.text for sentence in path.end()]

    def normalize(self) -> None:
        for sentence in self.sentences:
            normalize(sentence, LANGUAGE)

    def lexicon(self) -> None:
        for sentence in self.sentences:
            pronounced(sentence, normalize(sentence, LANGUAGE), (LEXICON,))

    def spell(self, phonemizer: Phonemizer) -> None:
        for sentence in self.spoken:
            phonemizer.spell(sentence, self.phonemes)

    def whole(self, phonemizer: Phonemizer) -> None:
        for sentence in self.path():
            phonemizer.spell(saying(sentence, LANGUAGE, (LEXICON,)).spoken.text, self.phonemes)


def stages(sizes: Sizes, readings: dict[str, Reading]) -> list[Row]:
    """Microseconds a sentence of each stage, and the whole path."""
    phonemizer = Phonemizer()

    def row(what: str, work: Callable[[Reading], object], less: Callable[[Reading], object] | None = None) -> Row:
        values: dict[str, float] = {}
        for name, reading in readings.items():
            took = seconds(partial(work, reading), sizes.rounds)
            if less is not None:
                took -= seconds(partial(less, reading), sizes.rounds)
            values[name] = 1e6 * max(took, 0.0) / len(reading.sentences)
        return Row(what, "µs a sentence", values)

    rows = [
        row("Markdown", Reading.markdown),
        row("splitter", Reading.split),
        row("splitter, first clause early", lambda reading: reading.split(early=True)),
        row("both with places in the source", Reading.path),
        row("normalizer", Reading.normalize),
        row("lexicon of 10,000 words", Reading.lexicon, Reading.normalize),
        row("phonemes and which words they are", lambda reading: reading.spell(phonemizer)),
        row("the same, no word heard before", lambda reading: reading.spell(Phonemizer())),
    ]
    whole = {
        name: 1e3 * WHOLE_CHARS * seconds(partial(reading.whole, phonemizer), sizes.rounds) / len(reading.text)
        for name, reading in readings.items()
    }
    rows.append(Row(f"the whole path, {WHOLE_CHARS} characters", "ms", whole, [Goal(max(whole.values()), 2.0)]))
    return rows


def speeds(sizes: Sizes, readings: dict[str, Reading]) -> list[Row]:
    """Text a second, in tokens."""

    def row(what: str, work: Callable[[Reading], object], bound: float | None = None) -> Row:
        values = {
            name: len(reading.text.encode()) / 1e6 / seconds(partial(work, reading), sizes.rounds)
            for name, reading in readings.items()
        }
        return Row(what, "MB a second", values, [Goal(values[PROSE], bound, least=True)] if bound else [])

    return [row("splitter, tokens of 4 characters", Reading.split, 1.0), row("Markdown and splitter", Reading.path)]


# ---- on the event loop


def longest_ms(text: str, language: str) -> float:
    """The longest step of a session that takes a text in one message; a first clause may leave early."""
    prepare(language)
    voice = Voice("voice", "0", 22_050, language, 0.667, 1.0, 0.8)
    session = Session(
        {"voice": voice},
        voice,
        max_contexts=1,
        max_context_chars=2 * len(text),
        max_sentence_chars=400,
        lexicons=lambda _: (LEXICON,),
    )
    longest = 0.0
    for command in (Start("c", early=True), Text("c", text), End("c")):
        steps = session.steps(command)
        while True:
            before = time.thread_time()
            actions = next(steps, None)
            longest = max(longest, time.thread_time() - before)
            if actions is None:
                break
    return 1000 * longest


def calls(sizes: Sizes, notes: list[str]) -> Iterator[Row]:
    """For each language the longest call; of texts that hold it up, the longest of all."""
    texts = {PROSE: prose(sizes.sentences), ANSWER: answer(20)}
    for language in sizes.languages:
        values = {name: min(longest_ms(text, language) for _ in range(3)) for name, text in texts.items()}
        worst: dict[str, float] = {}
        for seed in range(3):
            for name, text in hostile(sizes.chars, seed):
                worst[name] = min(worst.get(name, 1e9), longest_ms(text, language))
        name = max(worst, key=worst.__getitem__)
        values[HOSTILE] = worst[name]
        notes.append(f"{language}: the longest call is {worst[name]:.1f} ms, for {name}")
        yield Row(f"longest call, {language}", "ms", values, [Goal(max(values.values()), LONGEST_MS)])


# ---- twice the text


def growth(sizes: Sizes, notes: list[str]) -> Iterator[Row]:
    """What twice the text costs, from tokens to what is said; of texts that hold it up, the worst."""
    for language in sizes.doubled:
        texts = {PROSE: prose(sizes.sentences), ANSWER: answer(20)}
        values = {name: _doubled(text, language, sizes.rounds) for name, text in texts.items()}
        worst = {name: _doubled(text, language, 2) for name, text in hostile(sizes.chars, 0)}
        name = max(worst, key=worst.__getitem__)
        values[HOSTILE] = worst[name]
        notes.append(f"{language}: twice the text takes {worst[name]:.2f} times as long for {name}")
        yield Row(f"twice the text, {language}", "times the work", values, [Goal(max(values.values()), TWICE)])


def _doubled(text: str, language: str, rounds: int) -> float:
    def read(pushes: list[str]) -> None:
        path = TextPath()
        for token in pushes:
            for sentence in path.push(token):
                saying(sentence.text, language, (LEXICON,))
        for sentence in path.end():
            saying(sentence.text, language, (LEXICON,))

    once, twice = tokens(text), tokens(text + text)
    read(twice)  # so that both have heard all figures
    return seconds(lambda: read(twice), rounds) / seconds(lambda: read(once), rounds)


def measure(sizes: Sizes, notes: list[str]) -> Iterator[Row]:
    files, _ = find_voices(MODELS)
    phonemes = read_voice_text(files[0]).phonemes
    prepare(LANGUAGE)
    texts = {PROSE: prose(sizes.sentences), ANSWER: answer(max(1, sizes.sentences // 20))}
    readings = {name: Reading.of(text, phonemes) for name, text in texts.items()}
    chars = {name: len(reading.text) / len(reading.sentences) for name, reading in readings.items()}
    notes.append("characters a sentence: " + ", ".join(f"{name} {count:.0f}" for name, count in chars.items()))
    gc.collect()
    gc.freeze()
    yield from stages(sizes, readings)
    yield from speeds(sizes, readings)
    yield from calls(sizes, notes)
    yield from growth(sizes, notes)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.text", description="The text path by itself.")
    parser.add_argument("--quick", action="store_true", help="half a minute in place of some; figures less sure")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--markdown", action="store_true", help="the table as a README takes it")
    options = parser.parse_args()
    notes: list[str] = []
    rows: list[Row] = []
    for row in measure(QUICK if options.quick else FULL, notes):
        print(f"{time.strftime('%H:%M:%S')} {row.what}", file=sys.stderr)
        rows.append(row)
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [row.json() for row in rows], "notes": notes}, indent=2))
        return
    console = Console(width=140)
    console.print(table(rows, COLUMNS, markdown=options.markdown))
    for note in notes:
        console.print(note, highlight=False)
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
