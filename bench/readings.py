"""What a text path is measured with: prose, an answer of a language model, and texts that are made to hold it up."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping

from bench.texts import sentences

TOKEN_CHARS = 4

ANSWER = """\
## How much does it cost?

Sure! A **medium** house uses about *3,500 kWh* a year. At $0.31 per kWh that is `3500 * 0.31`, or $1,085.00, which is
up 12% from 2019. Dr. Lee's [study](https://energy.example/studies/2024?id=7#costs) says **the same**.

1. **Heating**: runs from 6:30 a.m. to 10 p.m., i.e. 15.5 hours.
2. **Water**: 50 liters at 60 °C; see _figure 3_.
3. **Light**: switch to LEDs, they use 1/6 of the power!

| Room | Power | Cost |
|------|-------|------|
| Kitchen | 1.2 kW | $40 |
| Bath | 800 W | $25 |

```python
total = sum(room.cost for room in rooms)
print(f"{total:.2f}")
```

> Note: prices change on 3/4/2027. The FBI isn't involved, and neither is NASA & co.

Would you like me to *compare* two providers? It takes 5-10 minutes.

"""


def prose(count: int) -> str:
    """So many sentences of plain words."""
    return " ".join(itertools.islice(itertools.cycle(sentences()), count))


def answer(times: int) -> str:
    return ANSWER * times


def tokens(text: str) -> list[str]:
    """As a language model would send it."""
    return [text[at : at + TOKEN_CHARS] for at in range(0, len(text), TOKEN_CHARS)]


_STREAKS = (
    *(
        "(",
        "[",
        "*",
        "<",
        "`",
        "_",
        "~",
        "$",
        "|",
        "\\",
        "&",
        '"',
        "'",
        "-",
        ".",
        "/",
        "@",
        "½",
        "1",
        "A",
        " ",
        "\n",
        "🎉",
    ),
    *(
        "河",
        "\u0301",
        "🇩🇪",
        "A. ",
        "U.S. ",
        "AB ",
        "1 ",
        "1,",
        "1-",
        "1a",
        "$1",
        "a@",
        "a/",
        "a-",
        "&a",
        "'\"",
        "0 12 ",
    ),
    *(
        "[a](b",
        "|a",
        "`a``b",
        "<a ",
        "<think>",
        "*a **b ",
        "a_",
        "- x\n",
        "$x",
        "IV. ",
        "e.g. ",
        "12:30 ",
        "One, two. ",
    ),
)
"""Each by itself has held up some reader of text."""

_BRACKETS = "(" * 3000 + "a" * 30_000 + '"' * 200

_Figure = Callable[[random.Random], str]
_FIGURES: Mapping[str, _Figure] = {
    "numbers": lambda dice: f"{dice.randrange(10**6)} ",
    "decimals": lambda dice: f"{dice.randrange(10**4)}.{dice.randrange(1000)} ",
    "amounts": lambda dice: f"${dice.randrange(10**4)}.{dice.randrange(10, 100)} ",
    "days": lambda dice: f"{dice.randrange(1, 13)}/{dice.randrange(1, 29)}/{dice.randrange(1990, 2040)} ",
    "hours": lambda dice: f"{dice.randrange(24)}:{dice.randrange(10, 60)}, ",
    "measures": lambda dice: f"{dice.randrange(1000)} km, {dice.randrange(100)} %, ",
    "Chinese days": lambda dice: f"{dice.randrange(1990, 2040)}年{dice.randrange(1, 13)}月{dice.randrange(1, 29)}日，",
    "Chinese measures": lambda dice: f"{dice.randrange(1000)}个{dice.randrange(100)}.{dice.randrange(10)}公斤",
}


def hostile(chars: int, seed: int) -> Iterator[tuple[str, str]]:
    """Names and texts of some length; the figures in them are others for every seed, so that none is remembered."""
    yield "brackets, letters, quotes", _BRACKETS
    for streak in _STREAKS:
        yield f"{streak!r} again and again", (streak * (chars // len(streak) + 1))[:chars]
    dice = random.Random(seed)
    for name, figure in _FIGURES.items():
        text = "".join(figure(dice) for _ in range(chars // 6))
        yield name, text[:chars]
