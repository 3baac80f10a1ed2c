"""Puts a convolution that follows a sum of convolutions into the weights of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.graph.layers import Conv, Layer, Layers, Map, Track, readers, sources


def without_sums(layers: Layers) -> Layers:
    """Where all that is summed has one reader, and less channels come of it: W (A a + B b) is (W A) a + (W B) b.

    A track that the result is added to begins the sum, so that each convolution may be written with what it is
    added to.
    """
    for layer in layers.layers:
        if isinstance(layer, Conv) and (found := _Sum.before(layer, layers)) is not None:
            layers = found.put(layers)
    return layers


@dataclass(frozen=True, slots=True)
class _Sum:
    terms: tuple[Conv, ...]  # in the order of their work
    sums: tuple[Map, ...]
    after: Conv
    beside: Map | None  # what adds a track to the result

    @classmethod
    def before(cls, after: Conv, layers: Layers) -> _Sum | None:
        """The sum that a convolution reads, if it can be put in its terms."""
        found, makers = readers(layers.layers), {layer.out: layer for layer in layers.layers}
        if after.groups != 1 or after.weight.shape[2] != 1 or after.out.channels >= after.x.channels:
            return None
        parts = list(_parts(after.x, makers, found))
        if len(parts) < 3 or None in parts:
            return None
        order = {layer.out: number for number, layer in enumerate(layers.layers)}
        terms = [part for part in parts if isinstance(part, Conv)]
        terms.sort(key=lambda term: order[term.out])
        beside: Map | None = None
        match found.get(after.out):
            case [Map(op="Add") as add] if len(sources(add)) == 2:
                known = order.get(_other(add, after.out), -1)  # that of the prior has no layer
                beside = add if known < order[terms[0].out] else None
        return cls(tuple(terms), tuple(part for part in parts if isinstance(part, Map)), after, beside)

    def put(self, layers: Layers) -> Layers:
        gone: list[Layer] = [*self.sums, self.after]
        new: dict[Track, tuple[Layer, ...]] = {layer.out: () for layer in gone}
        end = self.after.out
        so_far: Track | None = None
        if self.beside is not None:
            so_far, end = _other(self.beside, end), self.beside.out
            new[end] = ()
        for number, term in enumerate(self.terms):
            narrow = replace(term.out, channels=end.channels)
            conv = self._narrowed(term, narrow, biased=number == 0)
            last = term is self.terms[-1]
            if so_far is None:
                new[term.out], so_far = (conv,), narrow
                continue
            out = end if last else replace(narrow, name=f"{narrow.name} and before")
            new[term.out] = conv, Map(out, "Add", (so_far, narrow))
            so_far = out
        return replace(layers, layers=tuple(n for old in layers.layers for n in new.get(old.out, (old,))))

    def _narrowed(self, term: Conv, out: Track, *, biased: bool) -> Conv:
        after = self.after.weight[:, :, 0]
        bias = None if term.bias is None else after @ term.bias
        if biased and self.after.bias is not None:
            bias = self.after.bias if bias is None else bias + self.after.bias
        return replace(term, out=out, weight=np.einsum("oi,ijk->ojk", after, term.weight), bias=bias)


def _parts(x: Track, makers: Mapping[Track, Layer], found: Mapping[Track, list[Layer]]) -> Iterator[Conv | Map | None]:
    """The convolutions that are summed in `x` and the sums between them; None for what cannot be put anywhere."""
    maker = makers.get(x)
    match maker:
        case Conv() if maker.groups == 1 and len(found[x]) == 1:
            yield maker
        case Map(op="Add") if len(sources(maker)) == 2 and len(found[x]) == 1:
            yield maker
            for part in sources(maker):
                yield from _parts(part, makers, found)
        case _:
            yield None


def _other(sum_: Map, x: Track) -> Track:
    (other,) = (track for track in sources(sum_) if track != x)
    return other
