"""Puts flips of channels, and the halves between them, into the weights of the convolutions around."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from engine.graph.layers import Conv, Join, Layer, Layers, Map, Operand, Pick, Static, Track, Up, readers, sources


@dataclass(frozen=True, slots=True)
class _Part:
    """`count` channels of `track` from `begin` on, taken backwards where `back`."""

    track: Track
    begin: int
    count: int
    back: bool = False

    def picked(self, begin: int, end: int) -> _Part:
        """Channels `begin` to `end` of this part."""
        at = self.begin + (self.count - end if self.back else begin)
        return _Part(self.track, at, end - begin, self.back)

    @property
    def is_whole(self) -> bool:
        return self.count == self.track.channels


_View = tuple[_Part, ...]


def without_flips(layers: Layers) -> Layers:
    """Channels stay where they lie: a convolution whose input or output was flipped has its weights flipped instead.

    What cannot be had so is flipped as before.
    """
    return replace(layers, layers=tuple(_Unflipping(layers).run().values()))


class _Unflipping:
    """Keeps for each track of the old layers from which channels of the new ones it is made."""

    def __init__(self, layers: Layers) -> None:
        self._old = layers.layers
        self._readers = readers(layers.layers)
        self._views: dict[Track, _View] = {layers.prior: (_Part(layers.prior, 0, layers.prior.channels),)}
        self._new: dict[Track, Layer] = {}

    def run(self) -> dict[Track, Layer]:
        for layer in self._old:
            match layer:
                case Pick():
                    self._views[layer.out] = _picked(self._views[layer.x], layer)
                case Join():
                    self._views[layer.out] = _merged(part for x in layer.xs for part in self._views[x])
                case Conv() if layer.groups == 1:
                    x, order = self._gathered(self._views[layer.x])
                    self._add(replace(layer, x=x, weight=layer.weight[:, order]))
                case Up():
                    x, order = self._gathered(self._views[layer.x])
                    self._add(replace(layer, x=x, weight=layer.weight[order]))
                case Conv():
                    self._add(replace(layer, x=self._as_it_was(layer.x)))
                case Map():
                    self._map(layer)
        return self._new

    def _add(self, layer: Layer, *, back: bool = False) -> None:
        self._new[layer.out] = layer
        self._views[layer.out] = (_Part(layer.out, 0, layer.out.channels, back),)

    def _gathered(self, view: _View) -> tuple[Track, list[int]]:
        """The parts of a view side by side, all forwards; and which channel of the view each of theirs is."""
        order: list[int] = []
        for part in view:
            places = range(len(order), len(order) + part.count)
            order += reversed(places) if part.back else places
        return self._join([self._pick(replace(part, back=False)) for part in view]), order

    def _as_it_was(self, x: Track) -> Track:
        return self._join([self._pick(part) for part in self._views[x]])

    def _join(self, tracks: list[Track]) -> Track:
        if len(tracks) == 1:
            return tracks[0]
        out = Track("+".join(t.name for t in tracks), sum(t.channels for t in tracks), tracks[0].rate)
        self._new.setdefault(out, Join(out, tuple(tracks)))
        return out

    def _pick(self, part: _Part) -> Track:
        track, end = part.track, part.begin + part.count
        if part.is_whole and not part.back:
            return track
        first, last = (end - 1, part.begin) if part.back else (part.begin, end - 1)
        out = Track(f"{track.name}[{first}..{last}]", part.count, track.rate)
        self._new.setdefault(out, Pick(out, track, first, -1 if part.back else 1))
        return out

    # ---- maps run on channels as they lie, where all their tracks can be had so

    def _map(self, layer: Map) -> None:
        tracks = sources(layer)
        flipped = any(self._views[x][0].back for x in tracks)
        by_channel = any(isinstance(o, Static | np.ndarray) for o in layer.operands)
        if flipped and not by_channel and all(self._can_lie_back(x) for x in tracks):
            now: dict[Operand, Track] = {x: self._lying_back(x) for x in tracks}
        else:
            flipped = False
            now = {x: self._as_it_was(x) for x in tracks}
        operands = tuple(now[o] if isinstance(o, Track) else o for o in layer.operands)
        self._add(replace(layer, operands=operands), back=flipped)

    def _can_lie_back(self, x: Track) -> bool:
        """Whether the flip of `x` is at hand, or is what a convolution gives that nobody else reads."""
        match self._views[x]:
            case (part,):
                return part.back or (part.is_whole and len(self._readers[x]) == 1 and self._is_conv(part.track))
            case _:
                return False

    def _is_conv(self, track: Track) -> bool:
        match self._new.get(track):
            case Conv(groups=1):
                return True
            case _:
                return False

    def _lying_back(self, x: Track) -> Track:
        (part,) = self._views[x]
        if part.back:
            return self._pick(replace(part, back=False))
        conv = self._new[part.track]
        if not isinstance(conv, Conv):
            raise TypeError(conv)
        bias = None if conv.bias is None else conv.bias[::-1]
        self._new[part.track] = replace(conv, weight=conv.weight[::-1], bias=bias)
        return part.track


def _picked(view: _View, pick: Pick) -> _View:
    """A range of a view's channels, forwards or backwards."""
    ends = pick.begin, pick.begin + pick.step * (pick.out.channels - 1)
    begin, end = min(ends), max(ends) + 1
    parts: list[_Part] = []
    at = 0
    for part in view:
        low, high = max(begin - at, 0), min(end - at, part.count)
        if low < high:
            parts.append(part.picked(low, high))
        at += part.count
    return _merged(parts if pick.step > 0 else (replace(part, back=not part.back) for part in reversed(parts)))


def _merged(parts: Iterable[_Part]) -> _View:
    """Parts that lie side by side in one track are one part."""
    merged: list[_Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if last and last.track == part.track and last.back == part.back:
            first, second = (part, last) if part.back else (last, part)
            if first.begin + first.count == second.begin:
                merged[-1] = _Part(part.track, first.begin, first.count + second.count, part.back)
                continue
        merged.append(part)
    return tuple(merged)
