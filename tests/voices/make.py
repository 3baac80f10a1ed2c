"""Makes the tiny voices beside it: VITS as Piper trains and exports it, with few channels and random weights.

    pip install torch==2.13.0 piper-tts onnx
    python tests/voices/make.py

They say nothing that anybody would understand, but every joint of a real voice is there: each quality's upsampling and
residual blocks, one speaker and four. The same seed gives the same voices.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP
from piper.train.vits.config import ModelAudioConfig
from piper.train.vits.models import SynthesizerTrn

FOLDER = Path(__file__).parent
OPSET = 15  # Piper's
SYMBOLS = 160
SPEAKERS = (1, 4)
FRAMES_AN_ID, LOUDNESS = 4.0, 0.25  # durations and samples that a voice shall have, about
QUALITIES = {
    # name: the quality's decoder, channels of the encoder and the flow, channels at the decoder's begin, rate in Hz
    "low": (ModelAudioConfig.low_quality(), 8, 16, 16000),
    "medium": (ModelAudioConfig.low_quality(), 8, 32, 22050),
    "high": (ModelAudioConfig.high_quality(), 8, 16, 22050),
}


def main() -> None:
    for seed, (quality, (audio, channels, begin, rate_hz)) in enumerate(QUALITIES.items()):
        for speakers in SPEAKERS:
            torch.manual_seed(seed)
            name = f"tiny_{quality}_{speakers}"
            path = FOLDER / f"{name}.onnx"
            export(make(audio, channels, begin, speakers), path)
            onnx.save(shortened(onnx.load(str(path))), str(path))
            (FOLDER / f"{name}.onnx.json").write_text(json.dumps(config(rate_hz, speakers), ensure_ascii=False) + "\n")


def make(audio: ModelAudioConfig, channels: int, begin: int, speakers: int) -> Any:
    """A voice with random weights, tuned so that it sounds: neither silent nor clipped, and of a usual speed."""
    voice = SynthesizerTrn(
        n_vocab=SYMBOLS,
        spec_channels=8,
        segment_size=32,
        inter_channels=channels,
        hidden_channels=channels,
        filter_channels=2 * channels,
        n_heads=2,
        n_layers=1,
        kernel_size=3,
        p_dropout=0.0,
        resblock=audio.resblock,
        resblock_kernel_sizes=audio.resblock_kernel_sizes,
        resblock_dilation_sizes=audio.resblock_dilation_sizes,
        upsample_rates=audio.upsample_rates,
        upsample_initial_channel=begin,
        upsample_kernel_sizes=audio.upsample_kernel_sizes,
        n_speakers=speakers,
        gin_channels=channels if speakers > 1 else 0,
    ).eval()
    with torch.no_grad():
        voice.dec.remove_weight_norm()
        for module in voice.modules():
            spread(module)
        tune(voice, torch.LongTensor([1]) if speakers > 1 else None)
    return voice


def spread(module: Any) -> None:
    """Weights with which the sound keeps its loudness from layer to layer; the trainer begins with zeros in places."""
    weight = getattr(module, "weight_v", None)
    weight = getattr(module, "weight", None) if weight is None else weight
    if not isinstance(module, torch.nn.Conv1d | torch.nn.ConvTranspose1d) or weight is None:
        return
    fan = weight[0].numel() if isinstance(module, torch.nn.Conv1d) else weight[:, 0].numel() / module.stride[0]
    weight.normal_(0.0, 1.0 / math.sqrt(fan))
    if hasattr(module, "weight_g"):
        module.weight_g.copy_(weight.flatten(1).norm(dim=1).reshape(module.weight_g.shape))
    if module.bias is not None:
        module.bias.normal_(0.0, 0.1)


def tune(voice: Any, speaker: Any) -> None:
    ids = torch.arange(1, 81).unsqueeze(0) % SYMBOLS
    lengths = torch.LongTensor([ids.shape[1]])
    channels = voice.inter_channels
    voice.enc_p.proj.weight[channels:] *= 0.2  # the spread of the prior, as a logarithm
    voice.enc_p.proj.bias[channels:] = -1.0
    x, _, _, mask = voice.enc_p(ids, lengths)
    g = None if speaker is None else voice.emb_g(speaker).unsqueeze(-1)
    logarithm = voice.dp(x, mask, g=g, reverse=True, noise_scale=0.8)
    affine = voice.dp.flows[0]  # (x - m) * exp(-logs) is the last step of the durations
    affine.logs += math.log(2 * float(logarithm.std()))
    logarithm = voice.dp(x, mask, g=g, reverse=True, noise_scale=0.8)
    affine.m -= (math.log(FRAMES_AN_ID) - logarithm.mean()) * affine.logs.exp()
    sound = voice.infer(ids, lengths, sid=speaker)[0]
    voice.dec.conv_post.weight *= LOUDNESS / float(torch.atanh(sound.clamp(-0.999999, 0.999999)).std())


def export(voice: Any, path: Path) -> None:
    """As `piper.train.export_onnx` does it, but for the checkpoint."""

    def infer(text: Any, lengths: Any, scales: Any, sid: Any = None) -> Any:
        sound = voice.infer(
            text, lengths, noise_scale=scales[0], length_scale=scales[1], noise_scale_w=scales[2], sid=sid
        )
        return sound[0].unsqueeze(1)

    voice.forward = infer
    ids = torch.randint(low=0, high=SYMBOLS, size=(1, 50), dtype=torch.long)
    sid = torch.LongTensor([0]) if voice.n_speakers > 1 else None
    torch.onnx.export(
        voice,
        (ids, torch.LongTensor([50]), torch.FloatTensor([0.667, 1.0, 0.8]), sid),
        path,
        opset_version=OPSET,
        input_names=["input", "input_lengths", "scales", "sid"],
        output_names=["output"],
        dynamic_axes={
            "input": {0: "batch_size", 1: "phonemes"},
            "input_lengths": {0: "batch_size"},
            "output": {0: "batch_size", 2: "time"},
        },
        dynamo=False,
    )


def shortened(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph without its names, which take more room than its weights, and with equal constants made one."""
    graph = model.graph
    same: dict[bytes, str] = {}
    short: dict[str, str] = {info.name: info.name for info in (*graph.input, *graph.output)}
    kept = []
    for node in graph.node:
        value = b"".join(a.SerializeToString() for a in node.attribute) if node.op_type == "Constant" else b""
        if value in same:
            short[node.output[0]] = same[value]
            continue
        for name in node.output:
            short.setdefault(name, f"t{len(short)}")
        if value:
            same[value] = short[node.output[0]]
        kept.append(node)
    for tensor in graph.initializer:
        tensor.name = short.setdefault(tensor.name, f"t{len(short)}")
    for node in kept:
        node.ClearField("name")
        node.input[:] = [short.get(name, name) for name in node.input]
        node.output[:] = [short[name] for name in node.output]
    del graph.node[:], graph.value_info[:]
    graph.node.extend(kept)
    onnx.checker.check_model(model)
    return model


def config(rate_hz: int, speakers: int) -> dict[str, Any]:
    return {
        "num_symbols": SYMBOLS,
        "num_speakers": speakers,
        "speaker_id_map": {name: number for number, name in enumerate(names(speakers))},
        "audio": {"sample_rate": rate_hz},
        "espeak": {"voice": "en-us"},
        "language": {"code": "en_US"},
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "phoneme_id_map": {symbol: ids for symbol, ids in DEFAULT_PHONEME_ID_MAP.items() if max(ids) < SYMBOLS},
    }


def names(speakers: int) -> Iterator[str]:
    return iter(("north", "east", "south", "west") if speakers > 1 else ())


if __name__ == "__main__":
    main()
