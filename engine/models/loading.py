"""Makes a model of a voice's file, by the best way that its graph allows."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
from onnx import ModelProto

from engine.errors import BrokenVoice
from engine.graph.blocks import block_of_channels
from engine.graph.split import Halves, Uncuttable, split
from engine.graph.store import Graphs, GraphStore
from engine.graph.streaming import stream
from engine.models.decoders import StreamingDecoder, WholeDecoder, decode_whole
from engine.models.fronts import fast_front
from engine.models.model import Decoding
from engine.models.sessions import open_session
from engine.models.trial import TRIAL_LENGTHS, trial_piece, trial_prior
from engine.models.uncut import UncutVits
from engine.models.vits import Vits, priors_of

_TOLERANCE = 1e-4  # of full scale, between a rewritten decoder and itself before
_log = logging.getLogger(__name__)


def load_vits(path: Path, fingerprint: str, store: GraphStore) -> Vits | UncutVits:
    """Read, cut, rewrite and try the model of a voice; a second or two, less when the store has its graphs.

    One that cannot be rewritten is served whole pieces at a time, and one that cannot even be cut is run as it is;
    the log says why. Raises BrokenVoice.
    """
    try:
        try:
            return streaming(store.get(_key(fingerprint), partial(_make, path)))
        except Uncuttable as error:
            model = _whole(_read(path), str(error))
            _log.warning("voice %s is served whole sentences at a time: %s", path.stem, model.whole)
            return model
    except BrokenVoice:
        raise
    except Uncuttable as error:
        raise BrokenVoice(f"{path} is not a VITS model that can be cut: {error}") from error
    except Exception as error:  # ONNX Runtime's errors share no base
        raise BrokenVoice(f"{path} does not run: {error}") from error


def streaming(graphs: Graphs) -> Vits:
    """A model that takes steps."""
    return Vits(open_session(graphs.front), StreamingDecoder(graphs))


def rewrite(halves: Halves) -> Graphs:
    """Make the decoder carry its state, and try it against itself before. Raises Uncuttable with the reason.

    It runs in blocks of channels where that can be, for this is faster; so does the front in rows, see `fast_front`.
    """
    halves = replace(halves, front=fast_front(halves.front))
    front = open_session(halves.front)
    channels = priors_of(front, [trial_piece(TRIAL_LENGTHS[0])])[0].z_p.shape[0]
    if (block := block_of_channels()) != 1:
        with suppress(Uncuttable):
            return _rewrite(halves, channels, block)
    return _rewrite(halves, channels, 1)


def _rewrite(halves: Halves, channels: int, block: int) -> Graphs:
    made = stream(halves.decoder, channels, block)
    speaker = made.speaker.SerializeToString() if made.speaker else b""
    graphs = Graphs(halves.front.SerializeToString(), made.decoder.SerializeToString(), speaker, made.steps)
    try:
        decoder = StreamingDecoder(graphs)
        _compare(decoder, open_session(halves.decoder), channels)
    except Uncuttable:
        raise
    except Exception as error:  # ONNX Runtime's errors share no base
        raise Uncuttable(f"its decoder does not run in steps: {error}") from error
    return graphs


def whole(halves: Halves, reason: str) -> Vits:
    """A model that decodes whole pieces. Raises Uncuttable if its samples are no whole number a frame."""
    front, decoder = open_session(fast_front(halves.front)), open_session(halves.decoder)
    (prior,) = priors_of(front, [trial_piece(TRIAL_LENGTHS[0])])
    hop, rest = divmod(len(decode_whole(decoder, prior)), prior.frames)
    if hop == 0 or rest:
        raise Uncuttable("the samples are no whole number a frame")
    return Vits(front, WholeDecoder(decoder, hop, reason))


def _key(fingerprint: str) -> str:
    """Graphs are made for a voice, for the processor's blocks, and for an ONNX Runtime that has them so."""
    return f"{fingerprint}-{block_of_channels()}-{ort.__version__}"


def _make(path: Path) -> Graphs:
    return rewrite(split(_read(path)))


def _read(path: Path) -> ModelProto:
    try:
        return onnx.load(str(path))
    except Exception as error:  # a file of any content
        raise BrokenVoice(f"{path} is not an ONNX model: {error}") from error


def _whole(model: ModelProto, reason: str) -> Vits | UncutVits:
    try:
        return whole(split(model), reason)
    except Uncuttable as error:
        return UncutVits(model, str(error))


def _compare(decoder: StreamingDecoder, before: ort.InferenceSession, channels: int) -> None:
    prior = trial_prior(channels, decoder.lag + 12)
    decoding, waves = Decoding(prior), []
    for frames in (decoder.lag + 2, 1, 3, prior.frames):
        wave, decoding = decoder.step(decoding, frames)
        waves.append(wave)
    joined, expected = np.concatenate(waves), decode_whole(before, prior)
    if joined.shape != expected.shape or not np.allclose(joined, expected, rtol=0, atol=_TOLERANCE):
        raise Uncuttable("its decoder does not sound the same in steps")
