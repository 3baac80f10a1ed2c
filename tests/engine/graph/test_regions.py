"""Which layers of a decoder are run as one; that they sound the same is shown where decoders run in steps."""

from __future__ import annotations

import pytest

from engine.graph.layers import Conv, Layers, Region
from engine.graph.reading import read_layers
from engine.graph.regions import with_regions
from engine.graph.simplify import simplify
from tests.engine.graph.decoders import Shape, decoder

BLOCKS = ((3, (1, 2)), (7, (3, 12)))
REACH = 3 * 3 + 3 * 12  # of the wider block, to each side


def layers_of(shape: Shape) -> tuple[Layers, list[Region]]:
    layers = with_regions(simplify(read_layers(decoder(shape), shape.channels)))
    return layers, [layer for layer in layers.layers if isinstance(layer, Region)]


def test_the_residual_blocks_of_a_high_rate_are_one() -> None:
    layers, regions = layers_of(Shape(ups=((16, 8), (16, 8), (8, 4)), blocks=BLOCKS, width=16))
    assert [(region.x.rate, region.left, region.right) for region in regions] == [
        (64, REACH, REACH),
        (256, REACH, REACH),
    ]
    assert all(sum(isinstance(layer, Conv) for layer in region.layers) == 4 for region in regions)
    inside = {layer.out for region in regions for layer in region.layers} - {region.out for region in regions}
    assert inside.isdisjoint(layer.out for layer in layers.layers)


@pytest.mark.parametrize("rate", [8, 32])
def test_where_too_much_would_be_computed_again_each_keeps_its_state(rate: int) -> None:
    _, regions = layers_of(Shape(ups=((2 * rate, rate),), blocks=BLOCKS))
    assert not regions


def test_a_block_alone_is_none() -> None:
    _, regions = layers_of(Shape(ups=((128, 64),), blocks=((3, (1, 2)),)))
    assert not regions
