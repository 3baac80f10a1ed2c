"""How a decoder's tensors lie in memory, and the operations that depend on it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from engine.graph.layers import Conv, Layer, Layers, Map, Pick, Up, Weight, sources
from engine.graph.nodes import BLOCKED_DOMAIN, TO_THE_END, Nodes
from engine.graph.split import Uncuttable


class Layout(Protocol):
    """Writes nodes on tensors that lie in memory in one way.

    All operations but convolutions see a tensor as `shape` says: its channels on axis 1, in blocks, and its samples on
    `axis`. `seen` is called before such an operation is written.
    """

    axis: int
    block: int  # channels that lie side by side
    fuses: bool  # whether a convolution is written together with the sum or the activation that follows it

    def shape(self, channels: int, samples: Any) -> tuple[Any, ...]: ...

    def seen(self, x: str) -> str: ...

    def conv(
        self, layer: Conv, x: str, out: str, *, added: str = "", then: Map | None = None, padded: bool = False
    ) -> None:
        """`added` is added to what the convolution gives, then an activation is run on it. `padded`: it gives as many
        samples as `x` has."""
        ...

    def up(self, layer: Up, x: str, out: str) -> None: ...

    def map(self, layer: Map, operands: list[str], out: str) -> None: ...


class Plain:
    """[1, channels, 1, samples]: ONNX as everybody knows it.

    Convolutions are written over two dimensions, 1 by k: ONNX Runtime has faster kernels for these, and brings the
    tensors into the order that these want and back, before and after each.
    """

    axis, block, fuses = 3, 1, False

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def shape(self, channels: int, samples: Any) -> tuple[Any, ...]:
        return 1, channels, 1, samples

    def seen(self, x: str) -> str:
        return x

    def conv(
        self, layer: Conv, x: str, out: str, *, added: str = "", then: Map | None = None, padded: bool = False
    ) -> None:
        self._nodes.add(
            "Conv",
            [x, *self._weigh(layer)],
            out,
            kernel_shape=[1, layer.weight.shape[2]],
            dilations=[1, layer.dilation],
            pads=_pads(layer, padded),
            group=layer.groups,
        )

    def up(self, layer: Up, x: str, out: str) -> None:
        """What the samples beside the wanted ones take part in is computed and cut off by the padding."""
        taps = layer.weight.shape[2]
        begin = layer.left * layer.stride + layer.trim
        end = (layer.left + layer.right - 1) * layer.stride + taps - begin
        self._nodes.add(
            "ConvTranspose",
            [x, *self._weigh(layer)],
            out,
            kernel_shape=[1, taps],
            strides=[1, layer.stride],
            pads=[0, begin, 0, end],
        )

    def map(self, layer: Map, operands: list[str], out: str) -> None:
        self._nodes.add(layer.op, operands, out, **layer.attributes)

    def _weigh(self, layer: Conv | Up) -> list[str]:
        name = layer.out.name
        weight = self._nodes.constant(f"{name}.weight", layer.weight[:, :, None, :])
        return [weight] if layer.bias is None else [weight, self._nodes.constant(f"{name}.bias", layer.bias)]


class Blocked:
    """[1, channels / block, samples, block]: as ONNX Runtime's fastest convolutions want it, from end to end.

    These see the same memory as [1, channels, 1, samples]. They add what a residual block adds in the same pass.
    """

    axis, fuses = 2, True

    def __init__(self, nodes: Nodes, block: int) -> None:
        self._nodes, self.block = nodes, block
        self._as_convolved: dict[str, int] = {}  # tensors that were written as convolutions see them; their channels

    def shape(self, channels: int, samples: Any) -> tuple[Any, ...]:
        return 1, channels // self.block, samples, self.block

    def seen(self, x: str) -> str:
        if x not in self._as_convolved:
            return x
        return self._nodes.reshape(x, self.shape(self._as_convolved[x], -1), f"{x} seen")

    def conv(
        self, layer: Conv, x: str, out: str, *, added: str = "", then: Map | None = None, padded: bool = False
    ) -> None:
        channels, inside, taps = layer.weight.shape
        if channels == 1:
            self._conv_to_one(layer, x, out)
            return
        weight = self._nodes.constant(f"{out}.weight", self._ordered(layer.weight))
        inputs = [self._convolved(x, inside), weight]
        if layer.bias is not None or added:
            bias = np.zeros(channels, np.float32) if layer.bias is None else layer.bias
            inputs.append(self._nodes.constant(f"{out}.bias", bias))
        if added:
            inputs.append(self._convolved(added, channels))
        activation: dict[str, Any] = {}
        if then is not None:
            activation = {"activation": then.op}
            if "alpha" in then.attributes:
                activation["activation_params"] = [then.attributes["alpha"]]
        pads = _pads(layer, padded)
        self._run(inputs, out, kernel_shape=[1, taps], dilations=[1, layer.dilation], pads=pads, **activation)
        self._as_convolved[out] = channels

    def _conv_to_one(self, layer: Conv, x: str, out: str) -> None:
        """A block of samples is made at once, each as a channel of its own: that is the order in which they lie.

        The samples that are too many to fill the last block come from the padding.
        """
        taps, block = layer.weight.shape[2], self.block
        weight = np.zeros((block, layer.weight.shape[1], taps + block - 1), np.float32)
        for sample in range(block):
            weight[sample, :, sample : sample + taps] = layer.weight[0]
        inputs = [self._convolved(x, weight.shape[1]), self._nodes.constant(f"{out}.weight", self._ordered(weight))]
        if layer.bias is not None:
            inputs.append(self._nodes.constant(f"{out}.bias", np.repeat(layer.bias, block)))
        span = weight.shape[2]
        self._run(inputs, f"{out} in blocks", kernel_shape=[1, span], strides=[1, block], pads=[0, 0, 0, block - 1])
        self._nodes.reshape(f"{out} in blocks", (1, 1, 1, -1), out)

    def up(self, layer: Up, x: str, out: str) -> None:
        """A convolution for each of the samples that come for one, over what this sample needs, then put in order."""
        inside, channels, taps = layer.weight.shape
        rows, phases = channels // self.block, list[str]()
        bias = np.zeros(channels, np.float32) if layer.bias is None else layer.bias
        for phase in range(layer.stride):
            wanted = [at for at in range(-layer.left, layer.right + 1) if 0 <= _tap(layer, phase, at) < taps]
            wanted = wanted or [0]  # of a kernel shorter than the stride
            weight = np.zeros((channels, inside, len(wanted)), np.float32)
            for i, at in enumerate(wanted):
                if 0 <= (tap := _tap(layer, phase, at)) < taps:
                    weight[:, :, i] = layer.weight[:, :, tap].T
            name = f"{out} phase {phase}"
            inputs = [self._convolved(self._seen_from(x, layer, wanted), inside)]
            inputs += [self._nodes.constant(f"{name}.weight", self._ordered(weight))]
            inputs += [self._nodes.constant(f"{out}.bias", bias)]
            self._run(inputs, name, kernel_shape=[1, len(wanted)])
            phases.append(self._nodes.reshape(name, (rows, -1, 1, self.block), f"{name} in a row"))
        ordered = phases[0] if len(phases) == 1 else self._nodes.add("Concat", phases, f"{out} in order", axis=2)
        self._nodes.reshape(ordered, self.shape(channels, -1), out)

    def _seen_from(self, x: str, layer: Up, wanted: list[int]) -> str:
        """The samples of `x` for one of the convolutions of an Up."""
        begin, end = wanted[0] + layer.left, layer.right - wanted[-1]
        if not begin and not end:
            return x
        out = f"{x} {begin}:{-end}"
        return self._nodes.slice(self.seen(x), begin, -end or TO_THE_END, axis=self.axis, out=out)

    def map(self, layer: Map, operands: list[str], out: str) -> None:
        """On tensors as they are, where all are as convolutions see them."""
        channels = {self._as_convolved.get(operand) for operand in operands}
        if None in channels or len(channels) != 1:
            operands = [self.seen(operand) for operand in operands]
        else:
            self._as_convolved[out] = layer.out.channels
        self._nodes.add(layer.op, operands, out, **layer.attributes)

    def _convolved(self, x: str, channels: int) -> str:
        if x in self._as_convolved:
            return x
        return self._nodes.reshape(x, (1, channels, 1, -1), f"{x} convolved")

    def _run(self, inputs: list[str], out: str, **attributes: Any) -> str:
        return self._nodes.add("Conv", inputs, out, domain=BLOCKED_DOMAIN, **attributes)

    def _ordered(self, weight: Weight) -> Weight:
        """As the convolutions read their weights: [out / block, in / block, taps, in of the block, out of the block],
        under the name of the shape it had."""
        channels, inside, taps = weight.shape
        blocks = weight.reshape(channels // self.block, self.block, inside // self.block, self.block, taps)
        return np.ascontiguousarray(blocks.transpose(0, 2, 4, 3, 1)).reshape(channels, inside, 1, taps)


def _pads(layer: Conv, padded: bool) -> list[int]:
    return [0, layer.left, 0, layer.right] if padded else [0, 0, 0, 0]


def _tap(layer: Up, phase: int, at: int) -> int:
    """Which tap of an Up makes of sample t + `at` of the input a part of sample t * stride + `phase` of the output."""
    return phase + layer.trim - at * layer.stride


def check_blocks(layers: Layers, block: int) -> None:
    """Whether all tensors can lie in blocks. Raises Uncuttable where one cannot."""
    tracks = {layers.prior, *(layer.out for layer in layers.layers if layer.out.channels > 1)}
    if odd := next((t for t in tracks if t.channels % block), None):
        raise Uncuttable(f"{odd.channels} channels do not lie in blocks of {block}")
    for layer in layers.layers:
        if not _lies_in_blocks(layer, block):
            raise Uncuttable("a layer does not run in blocks")


def _lies_in_blocks(layer: Layer, block: int) -> bool:
    match layer:
        case Conv():
            return layer.groups == 1 and layer.x.channels > 1 and (layer.out.channels > 1 or layer.dilation == 1)
        case Pick():
            return layer.step == 1 and layer.begin % block == 0
        case Up():
            return layer.x.channels > 1 and layer.out.channels > 1
        case Map():  # samples of one channel lie as they do without blocks, but for some too many
            return layer.out.channels > 1 or layer.operands == sources(layer)[:1]
        case _:
            return layer.out.channels > 1
