from __future__ import annotations

import onnx
import pytest

from engine.graph.patterns import ANY, Moved, Pattern, Reading, op

MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
toy (float[N] a, float[N] b) => (float[N] out)
<float[1] two = {2.0}, int64[1] first = {0}, int64[1] last = {9}>
{
    three = Constant <value = float[1] {3.0}> ()
    six = Mul(two, three)
    product = Mul(a, b)
    sum = Add(product, a)
    cut = Slice(sum, first, last)
    turned = Transpose(cut)
    difference = Sub(turned, a)
    out = Sub(difference, b)
}
"""


@pytest.fixture
def reading() -> Reading:
    return Reading(onnx.parser.parse_model(MODEL))


@pytest.mark.parametrize(
    ("tensor", "pattern", "found"),
    [
        ("product", op("Mul", "x", "y"), {"x": "a", "y": "b"}),
        ("product", "x", {"x": "product"}),
        ("product", op("Mul", ANY, "x"), {"x": "b"}),
        ("product", op("Mul", ANY, ANY), {}),
        ("product", op("Mul", "x", "x"), None),
        ("product", op("Add", "x", "y"), None),
        ("a", op("Add", "x", "y"), None),
        # sums and products in any order, so that the rest fits too
        ("sum", op("Add", "x", op("Mul", "x", "y")), {"x": "a", "y": "b"}),
        ("sum", op("Add", op("Mul", "y", "x"), "x"), {"x": "a", "y": "b"}),
        ("difference", op("Sub", "x", Moved(op("Add", op("Mul", ANY, "y"), "x"))), None),
        ("difference", op("Sub", Moved(op("Add", op("Mul", ANY, "y"), "x")), "x"), {"x": "a", "y": "b"}),
        # the first inputs only
        ("cut", op("Slice", "x"), {"x": "sum"}),
        ("cut", op("Slice", "x", "first", "last", "axes"), None),
        # moved however often, also not at all
        ("turned", Moved("x"), {"x": "turned"}),
        ("turned", Moved(op("Add", "x", "y")), {"x": "product", "y": "a"}),
        ("sum", Moved(op("Add", "x", "y")), {"x": "product", "y": "a"}),
        ("turned", Moved(op("Mul", "x", "y")), None),
    ],
)
def test_patterns(reading: Reading, tensor: str, pattern: Pattern, found: dict[str, str] | None) -> None:
    assert reading.match(tensor, pattern) == found


def test_what_depends_on_no_input_is_known(reading: Reading) -> None:
    assert reading.number("six") == 6.0
    assert reading.number("product") is None
    assert reading.number("out") is None
    array = reading.array("six", 1)
    assert array is not None and array.tolist() == [6.0]
    assert reading.array("six", 2) is None
