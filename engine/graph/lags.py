"""When each track of a decoder may sound, and which of its past must be kept for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.graph.layers import Conv, Layer, Layers, Map, Region, Track, Up, readers, sources


@dataclass(frozen=True, slots=True)
class Buffer:
    """The newest samples of `track` with `history` of the steps before, read `delay` samples late."""

    track: Track
    delay: int
    history: int


@dataclass(frozen=True, slots=True)
class Lags:
    """How a decoder runs in steps.

    `of`: samples by which each track trails the newest frame. `buffers`: what is carried from step to step, by track
    and delay. `roots`: the track whose buffer a track is read from; a layer that keeps silence silent runs behind it.
    """

    of: Mapping[Track, int]
    buffers: Mapping[tuple[Track, int], Buffer]
    roots: Mapping[Track, Track]

    def delay(self, layer: Layer, x: Track) -> int:
        """Samples that a layer must read `x` late."""
        return _entry(layer, self.of[layer.out]) - self.of[x]

    def buffered(self, layer: Layer, x: Track) -> bool:
        """Whether a layer reads `x` out of a buffer, and not just the samples that are new. A region has its own."""
        return not isinstance(layer, Region) and (self.delay(layer, x) > 0 or layer.left > 0)


def find_lags(layers: Layers) -> Lags:
    """The least lag at the end; where tracks of different lags meet, the earlier ones are held where it costs least."""
    lags = _least(layers)
    roots = _roots(layers)
    _hold(layers, roots, lags, _latest(layers, lags))
    found = Lags(lags, {}, roots)
    return Lags(lags, _buffers(layers, found), roots)


def _stride(layer: Layer) -> int:
    return layer.stride if isinstance(layer, Up) else 1


def _entry(layer: Layer, lag: int) -> int:
    """A lag of a layer's output in samples of its input."""
    return lag // _stride(layer)


def _least(layers: Layers) -> dict[Track, int]:
    lags = {layers.prior: 0}
    for layer in layers.layers:
        lags[layer.out] = (max(lags[x] for x in sources(layer)) + layer.right) * _stride(layer)
    return lags


def _latest(layers: Layers, lags: Mapping[Track, int]) -> dict[Track, int]:
    """How late each track may be without making the end later."""
    latest = {layers.end: lags[layers.end]}
    for layer in reversed(layers.layers):
        for x in sources(layer):
            late = _entry(layer, latest[layer.out]) - layer.right
            latest[x] = min(latest.get(x, late), late)
    return latest


def _roots(layers: Layers) -> dict[Track, Track]:
    """A track that others read besides the layer that keeps its silence is kept once for all of them."""
    found = readers(layers.layers)
    roots = {layers.prior: layers.prior}
    for layer in layers.layers:
        roots[layer.out] = layer.out
        if isinstance(layer, Map) and layer.keeps_zero and len(found[sources(layer)[0]]) > 1:
            roots[layer.out] = roots[sources(layer)[0]]
    return roots


def _hold(layers: Layers, roots: Mapping[Track, Track], lags: dict[Track, int], latest: Mapping[Track, int]) -> None:
    """Choose how late each track is.

    Convolutions of one track read it equally late, so that they share a buffer. One that has a track to itself
    takes all the time there is, for what it gives would be held later otherwise.
    """
    windows: dict[Track, list[Layer]] = {}
    for layer in layers.layers:
        if isinstance(layer, Conv | Up) and layer.left + layer.right:
            windows.setdefault(roots[layer.x], []).append(layer)
    for layer in layers.layers:
        begin = max(lags[x] for x in sources(layer))
        entry = begin + layer.right
        if isinstance(layer, Conv | Up) and layer.left + layer.right:
            together = windows[roots[layer.x]]
            wanted = begin + max(w.right for w in together) if len(together) > 1 else _entry(layer, latest[layer.out])
            entry = max(entry, min(wanted, _entry(layer, latest[layer.out])))
        lags[layer.out] = entry * _stride(layer)


def _buffers(layers: Layers, lags: Lags) -> dict[tuple[Track, int], Buffer]:
    buffers: dict[tuple[Track, int], Buffer] = {}
    for layer in layers.layers:
        for x in sources(layer):
            if lags.buffered(layer, x):
                delay = lags.delay(layer, x)
                key = lags.roots[x], delay
                known = buffers[key].history if key in buffers else 0
                buffers[key] = Buffer(*key, max(known, delay + layer.left))
    return buffers
