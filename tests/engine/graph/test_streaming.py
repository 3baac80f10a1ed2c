"""Decoders of every shape, in steps, against themselves at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from engine.graph.blocks import block_of_channels
from engine.graph.split import MASK, PRIOR, SAMPLES, Uncuttable
from engine.graph.store import Graphs
from engine.graph.streaming import stream
from engine.models.decoders import StreamingDecoder, decode_whole
from engine.models.model import Decoding, Prior
from engine.models.sessions import open_session
from tests.engine.graph.decoders import SPEAKERS, Builder, Shape, decoder, model

Wave = npt.NDArray[np.float32]

CHANNELS = Shape().channels
SHAPES = {
    "medium": Shape(),
    "high": Shape(ups=((16, 8), (16, 8), (4, 2), (4, 2)), blocks=((3, (1, 3, 5)), (7, (1, 3, 5))), kind=1),
    "speakers": Shape(speakers=True),
    "regions": Shape(ups=((16, 8), (16, 8)), blocks=((3, (1, 2)), (5, (2, 6)), (7, (3,)))),
    "regions of two steps": Shape(ups=((8, 4), (8, 4), (4, 2)), kind=1, speakers=True),
    "one block": Shape(blocks=((3, (1,)),)),
    "no flow": Shape(flows=0),
    "five stages": Shape(ups=((4, 2), (4, 2), (4, 2), (4, 2), (4, 2)), width=32),
    "kernel = stride": Shape(ups=((4, 4), (2, 2))),
    "odd": Shape(ups=((7, 3), (11, 5))),
    "wide kernel": Shape(ups=((16, 4), (12, 2))),
    "padding of one side": Shape(ups=((5, 2), (8, 3))),
}


@cache
def both(shape: Shape, block: int = 1) -> tuple[StreamingDecoder, onnx.ModelProto]:
    before = decoder(shape)
    made = stream(before, shape.channels, block)
    onnx.checker.check_model(made.decoder)
    speaker = made.speaker.SerializeToString() if made.speaker else b""
    return StreamingDecoder(Graphs(b"", made.decoder.SerializeToString(), speaker, made.steps)), before


def prior(frames: int, speaker: int | None = None, seed: int = 0, channels: int = CHANNELS) -> Prior:
    z_p = np.random.Generator(np.random.PCG64(seed)).standard_normal((channels, frames), np.float32)
    return Prior(z_p, np.array([frames]), speaker)


def in_steps(steps: StreamingDecoder, piece: Prior, sizes: list[int]) -> Wave:
    """The last size again and again."""
    decoding, waves = Decoding(piece), list[Wave]()
    while not decoding.done:
        wave, decoding = steps.step(decoding, sizes[min(len(waves), len(sizes) - 1)])
        waves.append(wave)
    return np.concatenate(waves)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("sizes", [[1], [3], [1000], [40, 1, 7], [1, 40, 2]], ids=str)
def test_the_joined_steps_are_the_decoder_run_at_once(shape: Shape, sizes: list[int]) -> None:
    steps, before = both(shape)
    for frames in (1, 2, steps.lag, steps.lag + 1, 61):
        piece = prior(frames, speaker=1)
        expected = decode_whole(open_session(before), piece)
        np.testing.assert_allclose(in_steps(steps, piece, sizes), expected, rtol=0, atol=1e-5)
        assert len(expected) == frames * steps.hop


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("sizes", [[1], [1000], [40, 1, 7]], ids=str)
def test_blocks_of_channels_change_nothing(shape: Shape, sizes: list[int]) -> None:
    wide = shape.wide(block_of_channels())
    steps, before = both(wide, block_of_channels())
    for frames in (1, steps.lag, steps.lag + 1, 61):
        piece = prior(frames, speaker=1, channels=wide.channels)
        expected = decode_whole(open_session(before), piece)
        np.testing.assert_allclose(in_steps(steps, piece, sizes), expected, rtol=0, atol=1e-5)


def test_channels_that_do_not_lie_in_blocks_are_refused_with_the_reason() -> None:
    for channels in (8, 64):
        with pytest.raises(Uncuttable, match="do not lie in blocks of 32"):
            stream(decoder(Shape(channels=channels)), channels, 32)


shapes = st.builds(
    Shape,
    ups=st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 4)).map(lambda one: (one[0] + one[1], one[1])),
        min_size=1,
        max_size=3,
    ).map(tuple),
    blocks=st.lists(
        st.tuples(st.sampled_from([3, 5, 7]), st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)),
        min_size=1,
        max_size=3,
    ).map(tuple),
    kind=st.sampled_from([1, 2]),
    flows=st.integers(0, 2),
    speakers=st.booleans(),
)


@settings(max_examples=25, deadline=None)
@given(
    shape=shapes,
    frames=st.integers(1, 90),
    sizes=st.lists(st.integers(1, 50), min_size=1, max_size=8),
    in_blocks=st.booleans(),
)
def test_whatever_the_shape_and_the_steps(shape: Shape, frames: int, sizes: list[int], in_blocks: bool) -> None:
    block = block_of_channels() if in_blocks else 1
    shape = shape.wide(block) if in_blocks else shape
    steps, before = both(shape, block)
    piece = prior(frames, speaker=2, seed=frames, channels=shape.channels)
    expected = decode_whole(open_session(before), piece)
    np.testing.assert_allclose(in_steps(steps, piece, sizes), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_sound_comes_once_the_lag_is_filled_and_then_with_each_frame(shape: Shape) -> None:
    steps, _ = both(shape)
    piece = prior(steps.lag + 20)
    wave, decoding = steps.step(Decoding(piece), steps.lag + 2)
    assert 2 * steps.hop <= len(wave) < 3 * steps.hop
    wave, decoding = steps.step(decoding, 5)
    assert len(wave) == 5 * steps.hop
    assert decoding.at == steps.lag + 7


def test_frames_that_bring_no_sound_yet_run_nothing() -> None:
    steps, _ = both(SHAPES["medium"])
    piece = prior(2 * steps.lag)
    wave, decoding = steps.step(Decoding(piece), steps.lag - 1)
    assert (len(wave), decoding.at, decoding.state) == (0, steps.lag - 1, None)


def test_a_step_may_be_run_again() -> None:
    steps, _ = both(SHAPES["medium"])
    _, begun = steps.step(Decoding(prior(100)), steps.lag + 4)
    once, _ = steps.step(begun, 8)
    again, _ = steps.step(begun, 8)
    assert np.array_equal(once, again)


def test_each_speaker_sounds_otherwise() -> None:
    steps, _ = both(SHAPES["speakers"])
    waves = [in_steps(steps, prior(50, speaker), [32, 8]) for speaker in range(SPEAKERS)]
    assert np.abs(waves[0] - waves[1]).max() > 0.01 and np.abs(waves[1] - waves[2]).max() > 0.01


def test_the_speaker_is_no_work_of_a_step() -> None:
    made = stream(decoder(SHAPES["speakers"]), CHANNELS)
    assert made.speaker is not None and made.steps.speaker
    assert "Gather" not in {node.op_type for node in made.decoder.graph.node}


def test_nothing_is_left_of_the_mask_nor_of_zeros_that_are_added() -> None:
    made = stream(decoder(SHAPES["medium"]), CHANNELS)
    assert MASK not in {name for node in made.decoder.graph.node for name in node.input}
    assert not {"Shape", "ConstantOfShape", "Exp", "Neg"} & {node.op_type for node in made.decoder.graph.node}


def three(b: Builder) -> str:
    return b.weight(1, CHANNELS, 3, fan=12)


def ints(b: Builder, *values: int) -> list[str]:
    return [b.constant([value], np.int64) for value in values]


BROKEN: dict[str, Callable[[Builder], str]] = {
    "GlobalAveragePool": lambda b: b.add("Add", PRIOR, b.add("GlobalAveragePool", PRIOR)),
    "a slice in time": lambda b: b.add("Slice", PRIOR, *ints(b, 1, 9, 2, 1)),
    "a concatenation": lambda b: b.add("Concat", PRIOR, PRIOR, axis=2),
    "more or fewer samples": lambda b: b.add("Conv", PRIOR, three(b), pads=[0, 0]),
    "padding to the runtime": lambda b: b.add("Conv", PRIOR, three(b), auto_pad="SAME_UPPER"),
    "not constant": lambda b: b.add("Conv", PRIOR, b.add("Tanh", PRIOR)),
    "stands beside": lambda b: b.add("Mul", PRIOR, b.constant(np.arange(5.0))),
    "no whole number of samples": lambda b: b.add("ConvTranspose", PRIOR, three(b), strides=[2]),
    "takes 4 channels where there are 2": lambda b: b.add("Conv", b.channels(PRIOR, 0, 2), three(b), pads=[1, 1]),
    "dilated or grouped": lambda b: b.add("ConvTranspose", PRIOR, three(b), strides=[2], pads=[1, 1], group=2),
    "do not run side by side": lambda b: b.add("Add", PRIOR, b.channels(PRIOR, 0, 1)),
    "size takes part": lambda b: b.add("Mul", PRIOR, b.add("Cast", b.add("Shape", PRIOR), to=1)),
    "on one channel": lambda b: b.add("Tanh", PRIOR),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_what_does_not_run_in_steps_is_refused_with_the_reason(reason: str) -> None:
    b = Builder()
    end = BROKEN[reason](b)
    b.nodes.append(helper.make_node("Identity", [end], [SAMPLES]))
    with pytest.raises(Uncuttable, match=reason):
        stream(model(b, CHANNELS), CHANNELS)
