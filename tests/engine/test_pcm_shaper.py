"""What becomes of a sentence's samples while they stream."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pcm import UNSHAPED, Shape, Shaper, limited, wave_to_pcm
from engine.types import Pcm, Wave

RATE = 1000  # a sample is a millisecond
SHAPE = Shape(lead_ms=60, tail_ms=100, fade_ms=0)


def shape_of(waves: list[Wave], shape: Shape = SHAPE, rate_hz: int = RATE) -> tuple[Pcm, Shaper]:
    shaper = Shaper(shape, rate_hz)
    given = [shaper.push(wave) for wave in waves]
    return np.concatenate([*given, shaper.end()]), shaper


def shaped(*parts: Wave, shape: Shape = SHAPE) -> Pcm:
    return shape_of([np.concatenate(parts)], shape)[0]


def quiet(samples: int) -> Wave:
    return np.full(samples, 1e-4, np.float32)


def sound(samples: int, level: float = 0.5) -> Wave:
    return np.asarray(level * np.sin(np.arange(samples) + 0.5), np.float32)


def spikes(samples: int) -> Wave:
    return np.where(np.arange(samples) % 70 == 69, 0.02, 0).astype(np.float32)


def nonsense(samples: int) -> Wave:
    return np.resize(np.array([np.nan, 0, np.inf, 0.1, -np.inf], np.float32), samples)


@st.composite
def waves(draw: st.DrawFn) -> list[Wave]:
    """A sentence of sound, silence, spikes and nonsense, in random chunks."""
    kinds = st.sampled_from([sound, lambda n: sound(n, 1.7), quiet, spikes, nonsense])
    parts = draw(st.lists(st.tuples(kinds, st.integers(0, 250)), max_size=6))
    whole = np.concatenate([np.zeros(0, np.float32), *(make(samples) for make, samples in parts)])
    cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    return np.split(whole, cuts)


@given(waves(), st.sampled_from([SHAPE, Shape(gain=1.9, fade_ms=7), Shape(gain=0.5, lead_ms=0, tail_ms=0), UNSHAPED]))
def test_however_it_is_cut_the_sound_is_the_same(cut: list[Wave], shape: Shape) -> None:
    """c01"""
    whole, one = shape_of([np.concatenate(cut)], shape)
    pieces, other = shape_of(cut, shape)
    assert pieces.tolist() == whole.tolist()
    assert one.dropped == other.dropped


def test_silence_at_both_ends_is_cut_to_its_bound() -> None:
    """c08"""
    pcm, shaper = shape_of([quiet(500), sound(300), quiet(700)])
    assert len(pcm) == 60 + 300 + 100
    assert shaper.dropped == 440
    assert pcm[60:360].tolist() == wave_to_pcm(sound(300)).tolist()


def test_ends_within_their_bounds_stay() -> None:
    pcm, shaper = shape_of([quiet(40), sound(300), quiet(90)])
    assert (len(pcm), shaper.dropped) == (430, 0)


def test_a_soft_onset_stays_whole() -> None:
    """c08: an f that rises for 100 ms out of nothing."""
    rise = sound(160, 1.0) * np.linspace(0, 0.1, 160, dtype=np.float32) ** 2
    pcm, shaper = shape_of([np.concatenate((quiet(400), rise, sound(200)))])
    heard = wave_to_pcm(rise)
    lost = heard[: max(0, shaper.dropped - 400)]
    assert np.abs(lost).max(initial=0) <= 32767 * 10 ** (-60 / 20)
    assert len(pcm) + shaper.dropped == 760


def test_a_pause_inside_is_not_changed_and_comes_when_sound_comes_again() -> None:
    shaper = Shaper(SHAPE, RATE)
    assert len(shaper.push(sound(300))) == 300
    assert len(shaper.push(quiet(2000))) == 100
    assert len(shaper.push(quiet(2000))) == 0
    assert len(shaper.push(sound(10))) == 3910
    assert len(shaper.end()) == 0


def test_nothing_is_given_before_the_first_sound_and_then_all_at_once() -> None:
    shaper = Shaper(SHAPE, RATE)
    assert len(shaper.push(quiet(1000))) == 0
    assert len(shaper.push(quiet(30))) == 0
    assert len(shaper.push(sound(5))) == 65
    assert shaper.dropped == 970


@pytest.mark.parametrize("wave", [quiet(1000), np.zeros(0, np.float32), np.full(50, np.nan, np.float32)])
def test_a_sentence_without_a_sound_gives_nothing(wave: Wave) -> None:
    assert len(shaped(wave)) == 0


@pytest.mark.parametrize("samples", [1, 2, 5, 9, 300])
def test_the_edges_are_near_zero(samples: int) -> None:
    """c01, c11"""
    pcm = shaped(np.ones(samples, np.float32), shape=Shape(lead_ms=60, tail_ms=100, fade_ms=9))
    assert len(pcm) == samples
    assert abs(int(pcm[0])) <= 3300
    assert abs(int(pcm[-1])) <= 3300
    assert np.abs(np.diff(pcm.astype(int))).max(initial=0) <= 3300


def test_the_gain_is_the_voices() -> None:
    assert shaped(sound(300, 0.1), shape=Shape(gain=2.0, fade_ms=0)).tolist() == wave_to_pcm(sound(300, 0.2)).tolist()


def test_what_would_be_clipped_is_bent() -> None:
    """c16"""
    loud = limited(np.array([0.0, 0.5, 0.89, 1.0, 1.3, -1.3, 50.0, np.nan, np.inf], np.float32), np.float32(1))
    assert loud[:3].tolist() == np.array([0.0, 0.5, 0.89], np.float32).tolist()
    assert 0.94 < loud[3] < loud[4] < loud[6] < 1
    assert loud[5] == -loud[4]
    assert loud[7] == 0
    assert 0.9 < loud[8] < 1


def test_the_limiter_keeps_the_order_of_levels_and_has_no_corner() -> None:
    levels = np.linspace(0, 3, 30_001, dtype=np.float32)
    bent = limited(levels, np.float32(1)).astype(float)
    slopes = np.diff(bent) / np.diff(levels.astype(float))
    assert (slopes >= 0).all()
    assert np.abs(np.diff(slopes)).max() < 0.01


def test_unshaped_is_what_the_model_made() -> None:
    wave = np.concatenate((quiet(500), sound(300), quiet(700)))
    assert UNSHAPED.lead_ms == math.inf
    assert shaped(wave, shape=UNSHAPED).tolist() == wave_to_pcm(wave).tolist()


def test_what_is_held_back_holds_nothing_of_what_was_given() -> None:
    shaper = Shaper(Shape(fade_ms=7), RATE)
    shaper.push(sound(100_000))
    held = shaper._held
    assert len(held) == 7
    assert held.base is None
