from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from onnx import helper

from engine.graph.blocks import block_of_channels
from engine.graph.layers import Conv, Layer, Layers, Map, Pick
from engine.graph.reading import read_layers
from engine.graph.simplify import simplify
from engine.graph.split import PRIOR, SAMPLES
from engine.graph.store import Graphs
from engine.graph.streaming import stream
from engine.models.decoders import StreamingDecoder, decode_whole
from engine.models.model import Decoding, Prior
from engine.models.sessions import open_session
from tests.engine.graph.decoders import Builder, Shape, decoder, model

CHANNELS = 64
HALF, QUARTER = CHANNELS // 2, CHANNELS // 4


def layers_of(shape: Shape) -> tuple[Layers, Layers]:
    layers = read_layers(decoder(shape), shape.channels)
    return layers, simplify(layers)


def flips(layers: Layers) -> list[Layer]:
    return [layer for layer in layers.layers if isinstance(layer, Pick) and layer.step == -1]


def maps(layers: Layers, op: str) -> list[Layer]:
    return [layer for layer in layers.layers if isinstance(layer, Map) and layer.op == op]


@pytest.mark.parametrize("flows", [1, 2, 3])
@pytest.mark.parametrize("speakers", [False, True])
def test_flips_and_differences_and_means_go_into_the_weights(flows: int, speakers: bool) -> None:
    before, after = layers_of(Shape(flows=flows, speakers=speakers))
    assert len(flips(before)) == len(maps(before, "Sub")) == flows
    assert not flips(after) and not maps(after, "Sub") and not maps(after, "Div")


def test_the_only_channels_still_picked_are_the_halves_of_the_prior() -> None:
    _, after = layers_of(Shape(speakers=True))
    assert [layer.x.name for layer in after.layers if isinstance(layer, Pick)] == [PRIOR, PRIOR]


def test_a_convolution_of_which_all_is_read_stays_one() -> None:
    before, after = layers_of(Shape(flows=0))
    convs = [sum(isinstance(layer, Conv) for layer in layers.layers) for layers in (before, after)]
    assert convs[0] == convs[1]


def narrow_of_sums(layers: Layers) -> list[Layer]:
    added = {layer.out for layer in maps(layers, "Add")}
    convs = (layer for layer in layers.layers if isinstance(layer, Conv) and layer.x in added)
    return [conv for conv in convs if conv.out.channels < conv.x.channels]


@pytest.mark.parametrize("flows", [1, 3])
def test_what_comes_of_a_sum_of_convolutions_comes_of_each_at_once(flows: int) -> None:
    before, after = layers_of(Shape(flows=flows))
    assert (len(narrow_of_sums(before)), len(narrow_of_sums(after))) == (flows, 0)


ODDITIES: dict[str, Callable[[Builder], str]] = {
    # Channels in all the ways that no weights take up.
    "a flip that is read twice": lambda b: b.add("Mul", flip(b, PRIOR), b.add("Tanh", flip(b, PRIOR))),
    "a flip beside what is not": lambda b: b.add("Add", flip(b, PRIOR), PRIOR),
    "a flipped convolution that others read": lambda b: twice(b, b.conv(PRIOR, CHANNELS, CHANNELS, 3)),
    "a flip scaled by channel": lambda b: b.add(
        "Mul", flip(b, PRIOR), b.constant(np.linspace(-1, 1, CHANNELS).reshape(1, CHANNELS, 1))
    ),
    "halves exchanged": lambda b: b.add("Tanh", b.add("Concat", half(b, 1), half(b, 0), axis=1)),
    "quarters, some of a flip": lambda b: b.add(
        "Concat",
        flip(b, half(b, 1)),
        b.channels(half(b, 0), 0, QUARTER),
        b.channels(flip(b, PRIOR), 0, QUARTER),
        axis=1,
    ),
    "a flip before grouped convolution": lambda b: b.add(
        "Conv", flip(b, PRIOR), b.weight(CHANNELS, HALF, 3, fan=3 * HALF), pads=[1, 1], group=2
    ),
    "halves of a convolution, one of them twice": lambda b: halves(b, b.conv(PRIOR, CHANNELS, CHANNELS, 3)),
    "a convolution and its flip": lambda b: both_ways(b, b.conv(PRIOR, CHANNELS, CHANNELS, 3)),
    "a negative factor": lambda b: b.conv(b.leaky(b.add("Mul", PRIOR, b.constant(-3.0))), CHANNELS, CHANNELS, 3),
    "a factor that is read twice": lambda b: scaled_twice(b, b.add("Div", PRIOR, b.constant(4.0))),
    "a number less a convolution": lambda b: b.add("Sub", b.constant(1.0), b.conv(PRIOR, CHANNELS, CHANNELS, 3)),
    "a convolution less a track": lambda b: b.add("Sub", b.conv(PRIOR, CHANNELS, CHANNELS, 3), PRIOR),
    "a convolution less another": lambda b: b.add(
        "Sub", b.conv(PRIOR, CHANNELS, CHANNELS, 3), b.conv(PRIOR, CHANNELS, CHANNELS, 5)
    ),
    "less of a sum": lambda b: b.add("Concat", less(b, three(b)), less(b, three(b)), axis=1),
    "less of a sum beside a track": lambda b: b.add(
        "Concat", b.add("Add", less(b, three(b)), half(b, 0)), b.add("Sub", half(b, 1), less(b, three(b))), axis=1
    ),
    "less of a sum beside a track that comes of it": lambda b: after_itself(b, three(b)),
    "less of a sum that others read": lambda b: b.add("Concat", less(b, x := three(b)), b.channels(x, 0, HALF), axis=1),
    "less of a sum of what is no convolution": lambda b: b.add(
        "Concat", less(b, b.add("Add", three(b), b.add("Tanh", PRIOR))), half(b, 0), axis=1
    ),
    "twice the same": lambda b: same(b, b.conv(PRIOR, CHANNELS, CHANNELS, 3)),
}


def flip(b: Builder, x: str) -> str:
    return b.channels(x, -1, -(2**62), -1)


def half(b: Builder, which: int) -> str:
    return b.channels(PRIOR, which * HALF, (which + 1) * HALF)


def twice(b: Builder, x: str) -> str:
    return b.add("Add", b.add("Sub", flip(b, PRIOR), x), x)


def halves(b: Builder, x: str) -> str:
    first, second = b.channels(x, 0, HALF), b.channels(x, HALF, CHANNELS)
    return b.add("Concat", b.add("Mul", first, second), b.add("Tanh", first), axis=1)


def both_ways(b: Builder, x: str) -> str:
    return b.add("Mul", b.channels(x, 0, CHANNELS), flip(b, x))


def scaled_twice(b: Builder, x: str) -> str:
    return b.add("Add", b.conv(x, CHANNELS, CHANNELS, 3), b.add("Sigmoid", x))


def three(b: Builder) -> str:
    one, two, more = (b.conv(PRIOR, CHANNELS, CHANNELS, taps) for taps in (3, 1, 5))
    return b.add("Add", b.add("Add", one, two), more)


def less(b: Builder, x: str) -> str:
    return b.conv(x, CHANNELS, HALF)


def after_itself(b: Builder, x: str) -> str:
    narrow = less(b, x)
    late = b.conv(b.conv(PRIOR, CHANNELS, HALF, 3), HALF, HALF, 3)
    return b.add("Concat", b.add("Add", narrow, late), half(b, 0), axis=1)


def same(b: Builder, x: str) -> str:
    return b.add("Add", x, x)


@pytest.mark.parametrize("oddity", ODDITIES)
def test_what_the_weights_do_not_take_up_sounds_as_before(oddity: str) -> None:
    check(ODDITIES[oddity], 1)


@pytest.mark.parametrize("oddity", [name for name in ODDITIES if "flip" not in name])
def test_so_it_does_in_blocks(oddity: str) -> None:
    check(ODDITIES[oddity], block_of_channels())


def check(oddity: Callable[[Builder], str], block: int) -> None:
    b = Builder()
    x = b.conv(b.leaky(oddity(b)), CHANNELS, 1, 5)
    b.nodes.append(helper.make_node("Tanh", [x], [SAMPLES]))
    before = model(b, CHANNELS)
    made = stream(before, CHANNELS, block)
    steps = StreamingDecoder(Graphs(b"", made.decoder.SerializeToString(), b"", made.steps))
    z_p = np.random.Generator(np.random.PCG64(1)).standard_normal((CHANNELS, 40), np.float32)
    decoding, waves = Decoding(Prior(z_p, np.array([40]), None)), []
    while not decoding.done:
        wave, decoding = steps.step(decoding, 7)
        waves.append(wave)
    expected = decode_whole(open_session(before), decoding.prior)
    np.testing.assert_allclose(np.concatenate(waves), expected, rtol=0, atol=1e-5)
