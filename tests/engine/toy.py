"""A toy with the joints of a VITS: speaks levels, but is cut like a real one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import onnx
import onnx.parser

HOP = 4

_TOY = """
<ir_version: 8, opset_import: ["": 15]>
toy (int64[B,T] input, int64[B] input_lengths, float[3] scales SPEAKER_INPUT) => (float[B,1,S] output)
<int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] axis1 = {1}, int64[1] axis2 = {2}, int64[1] axis3 = {3},
 int64[2] all = {1,2}, float tenth = {0.1}, float[1] tiny = {0.01}, float[4] ones = {1,1,1,1}, int64[3] flat = {0,1,-1},
 float[3] speakers = {0.0, 100.0, 200.0}, int64[2] axes12 = {1,2}, int64 two_s = {2}, int64[1] axis0 = {0}>
{
  noise_scale = Gather(scales, zero)
  length_scale = Gather(scales, one)
  noise_w = Gather(scales, two)
  ids = Cast <to: int = 1> (input)
  x = Unsqueeze(ids, axis1)
  shape = Shape(input)
  width = Gather(shape, one)
  places = Range(zero, width, one)
  ends = Unsqueeze(input_lengths, axis1)
  inside = Less(places, ends)
  inside_f = Cast <to: int = 1> (inside)
  x_mask = Unsqueeze(inside_f, axis1)
  pair = Concat <axis: int = 1> (x, x)
  dice = RandomNormalLike(pair)
  scaled_dice = Mul(dice, noise_w)
  wobble = ReduceSum <keepdims: int = 1> (scaled_dice, axis1)
  rough = Add(x, wobble)
  size = Abs(rough)
  tenths = Mul(size, tenth)
  w = Mul(tenths, x_mask)
  stretched = Mul(w, length_scale)
  durations = Ceil(stretched)
  totals = ReduceSum <keepdims: int = 0> (durations, all)
  most = ReduceMax <keepdims: int = 0> (totals)
  frames = Cast <to: int = 7> (most)
  ticks = Range(zero, frames, one)
  ticks_f = Cast <to: int = 1> (ticks)
  totals_column = Unsqueeze(totals, axis1)
  sounding = Less(ticks_f, totals_column)
  sounding_f = Cast <to: int = 1> (sounding)
  y_mask = Unsqueeze(sounding_f, axis1)
  until = CumSum(durations, two)
  since = Sub(until, durations)
  until_row = Unsqueeze(until, axis3)
  since_row = Unsqueeze(since, axis3)
  begun = LessOrEqual(since_row, ticks_f)
  going = Less(ticks_f, until_row)
  here = And(begun, going)
  path4 = Cast <to: int = 1> (here)
  path = Squeeze(path4, axis1)
  mean = MatMul(x, path)
  small = Mul(mean, tiny)
  spread = Exp(small)
  noise = RandomNormalLike(mean)
  PRIOR
  z = Mul(z_p, y_mask)
  SPEAKER
  column = Unsqueeze(spoken, axis3)
  held = Mul(column, ones)
  output = Reshape(held, flat)
}
"""

PRIOR = """spread_noise = Mul(noise, spread)
  all_noise = Mul(spread_noise, noise_scale)
  z_p = Add(mean, all_noise)"""

OTHER_PRIOR = """scaled_noise = Mul(noise_scale, noise)
  all_noise = Mul(spread, scaled_noise)
  z_p = Add(all_noise, mean)"""

_SPEAKER = """g = Gather(speakers, sid)
  g3 = Unsqueeze(g, axes12)
  spoken = Add(z, g3)"""


def toy(
    changes: Mapping[str, str] = MappingProxyType({}), *, speakers: bool = False, prior: str = PRIOR
) -> onnx.ModelProto:
    """`changes`: text of the graph to put in the place of another, to break it."""
    text = _TOY.replace("SPEAKER_INPUT", ", int64[B] sid" if speakers else "")
    text = text.replace("PRIOR", prior).replace("SPEAKER", _SPEAKER if speakers else "spoken = Identity(z)")
    for old, new in changes.items():
        text = text.replace(old, new)
    return onnx.parser.parse_model(text)


CONFIG = {
    "num_symbols": 256,
    "num_speakers": 1,
    "audio": {"sample_rate": 16000},
    "espeak": {"voice": "de"},
    "inference": {"noise_scale": 0.5, "length_scale": 1.5, "noise_w": 0.25},
    "phoneme_id_map": {"_": [0], "^": [1], "$": [2]},
}


def write_pair(folder: Path, name: str, model: onnx.ModelProto | bytes, config: object = CONFIG) -> None:
    data = model if isinstance(model, bytes) else model.SerializeToString()
    (folder / f"{name}.onnx").write_bytes(data)
    text = config if isinstance(config, str) else json.dumps(config)
    (folder / f"{name}.onnx.json").write_text(text)


def folder_that_is_empty() -> Path:
    return Path("no such folder")
