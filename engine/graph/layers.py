"""A decoder as layers over time: what each computes, and how far it looks back and ahead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Weight = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Track:
    """A tensor that runs in time, `rate` samples a frame."""

    name: str
    channels: int
    rate: int


@dataclass(frozen=True, slots=True)
class Static:
    """A tensor [1, channels, 1] that depends on the speaker alone, by its name in the decoder.

    With `count`, that many of its channels from `begin` on.
    """

    name: str
    begin: int = 0
    count: int = 0


Operand = Track | Static | float | Weight


@dataclass(frozen=True, slots=True)
class Conv:
    """A convolution; its weight is [channels out, channels in / groups, taps].

    Sample t of `out` needs samples t - left to t + right of `x`.
    """

    out: Track
    x: Track
    weight: Weight
    bias: Weight | None
    dilation: int
    groups: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Up:
    """A transposed convolution, `stride` samples for one; its weight is [channels in, channels out, taps].

    Samples t * stride to (t + 1) * stride - 1 of `out` need samples t - left to t + right of `x`. What it gives for
    all of `x` begins with `trim` samples that are dropped.
    """

    out: Track
    x: Track
    weight: Weight
    bias: Weight | None
    stride: int
    trim: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Map:
    """An ONNX operation that makes a sample of `out` from one sample of each operand."""

    out: Track
    op: str
    operands: tuple[Operand, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    left: ClassVar[int] = 0
    right: ClassVar[int] = 0

    @property
    def keeps_zero(self) -> bool:
        """Silence in, silence out: it may be run over padding, too."""
        match self.op, self.operands:
            case "LeakyRelu" | "Relu" | "Tanh" | "Neg", _:
                return True
            case "Mul", _:
                return sum(isinstance(o, Track) for o in self.operands) == 1
            case "Div", (Track(), other):
                return not isinstance(other, Track)
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Pick:
    """The channels `begin`, `begin` + `step`, … of `x`, as many as `out` has; `step` is 1 or -1."""

    out: Track
    x: Track
    begin: int
    step: int
    left: ClassVar[int] = 0
    right: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Join:
    """The channels of several tracks, one after the other."""

    out: Track
    xs: tuple[Track, ...]
    left: ClassVar[int] = 0
    right: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Region:
    """Layers that are run as one, from `x` to `out`, which is the only one of their tracks that others read.

    Sample t of `out` needs samples t - left to t + right of `x`.
    """

    out: Track
    x: Track
    layers: tuple[Conv | Map, ...]
    left: int
    right: int


Layer = Conv | Up | Map | Pick | Join | Region


@dataclass(frozen=True, slots=True)
class Layers:
    """A decoder, its layers in the order of their work, from `prior` to `end`, which has one channel."""

    prior: Track
    end: Track
    layers: tuple[Layer, ...]


def sources(layer: Layer) -> tuple[Track, ...]:
    """The tracks that a layer reads, each once."""
    match layer:
        case Map():
            return tuple(dict.fromkeys(o for o in layer.operands if isinstance(o, Track)))
        case Join():
            return tuple(dict.fromkeys(layer.xs))
        case _:
            return (layer.x,)


def readers(layers: Iterable[Layer]) -> dict[Track, list[Layer]]:
    """The layers that read each track, for those that are read."""
    found: dict[Track, list[Layer]] = {}
    for layer in layers:
        for x in sources(layer):
            found.setdefault(x, []).append(layer)
    return found
