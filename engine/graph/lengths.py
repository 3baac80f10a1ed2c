"""The rows of ids, each as often as its duration says."""

from __future__ import annotations

from onnx import TensorProto, helper

from engine.graph.nodes import TO_THE_END
from engine.graph.patterns import ANY, Moved, op
from engine.graph.rows import Rows

_ENDED = op("Less", ANY, Moved(op("CumSum", "durations")))
_PATH = Moved(op("Mul", Moved(op("Sub", Moved(_ENDED), Moved(_ENDED))), ANY))
_LASTING = op("Transpose", op("MatMul", _PATH, op("Transpose", "x")))


def lasting(to: Rows, x: str) -> str | None:
    """[B, F, C] of [B, T, C]: what a product with a matrix of ones and zeros was used for."""
    raised = to.old.match(x, op("Exp", _LASTING))
    found = raised or to.old.match(x, _LASTING)
    if not found or not to.has_rows(found["x"]) or to.sizes.get(found["durations"], ())[1:2] != (1,):
        return None
    n, rows = to.nodes, to.rows(found["x"])
    after = 0.0  # of the frames past a text's end
    if raised:
        rows, after = n.add("Exp", [rows], f"{x} of ids"), 1.0
    longer = n.add("Pad", [rows, n.ints(0, 0, 0, 0, 1, 0), n.number(after)], f"{x} longer")
    return n.add("GatherND", [longer, _ids(to, found["durations"])], f"{x} rows", batch_dims=1)


def _ids(to: Rows, durations: str) -> str:
    """[B, F, 1]: which id each frame is of, T after the last: as many as have ended by then."""
    n, name = to.nodes, f"{durations} as"
    one = n.count(1)
    frames = n.add(
        "Cast",
        [n.add("Squeeze", [to.plain(durations), n.ints(1)], f"{name} one")],
        f"{name} whole",
        to=TensorProto.INT64,
    )
    ends = n.add("CumSum", [frames, one], f"{name} ends")
    last = n.slice(ends, -1, TO_THE_END, axis=1, out=f"{name} last")
    most = n.add(
        "ReduceMax",
        [n.add("Concat", [n.reshape(last, (-1,), f"{name} lasts"), n.ints(1)], f"{name} all", axis=0)],
        f"{name} most",
        keepdims=1,
    )
    places = n.add("Concat", [to.size(0), n.add("Add", [most, n.ints(1)], f"{name} more")], f"{name} places", axis=0)
    none = n.add(
        "ConstantOfShape", [places], f"{name} none", value=helper.make_tensor("zero", TensorProto.INT64, [1], [0])
    )
    each = n.add("Cast", [n.add("Equal", [ends, ends], f"{name} each")], f"{name} ones", to=TensorProto.INT64)
    counts = n.add("ScatterElements", [none, ends, each], f"{name} counts", axis=1, reduction="add")
    ended = n.add("CumSum", [counts, one], f"{name} ended")
    ids = n.add("Slice", [ended, n.ints(0), most, n.ints(1)], f"{name} ids")
    return n.add("Unsqueeze", [ids, n.ints(2)], f"{name} id of frames")
