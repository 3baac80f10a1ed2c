from __future__ import annotations

import pytest

from bench.machine import CPU, FRAME_S, GPU, LAG, effort
from engine.costs import Effort


def test_the_first_frames_of_a_piece_fill_the_decoder_and_the_last_ones_empty_it() -> None:
    voice, at, sound = effort(), 0, 0
    made = [voice.sounding(0, LAG, 200), voice.sounding(0, LAG + 6, 200), voice.sounding(190, 10, 200)]
    assert made == [0, 6, 10 + LAG]
    while at < 200:
        sound += voice.sounding(at, 37, 200)
        at += 37
    assert sound == 200


def test_a_piece_shorter_than_the_lag_sounds_in_its_only_step() -> None:
    assert effort().sounding(0, 100, 20) == 20


def test_a_step_costs_what_it_sounds_for() -> None:
    voice = effort()
    assert voice.step_s(0, LAG + 6, 500) == pytest.approx(0.013 + 6 * 0.0011)
    assert voice.step_s(100, 32, 500) == pytest.approx(0.0013 + 32 * 0.00105)
    assert voice.step_s(490, 10, 500) == pytest.approx(0.0013 + (10 + LAG) * 0.00105)
    assert voice.front_s(60) == pytest.approx(0.026)
    assert voice.frames_in(voice.step_s(100, 32, 500)) in (31, 32)


def test_a_batch_of_decodings_saves_what_rows_share() -> None:
    cpu, gpu = effort(CPU), effort(GPU)
    assert cpu.batch_s(100, 32, 500, 4) == pytest.approx(4 * cpu.step_s(100, 32, 500))
    assert gpu.batch_s(100, 32, 500, 4) < 1.1 * gpu.step_s(100, 32, 500)
    assert cpu.saving(100, 32, 500) == 0.0
    assert gpu.saving(100, 32, 500) > 0.9


def test_a_listener_who_never_pauses_takes_a_share_of_a_thread() -> None:
    assert 0.10 < effort().second_s() < 0.13
    assert effort(GPU).second_s() < 0.03


def test_each_kind_of_step_is_corrected_by_itself() -> None:
    voice = effort()
    for _ in range(200):
        voice.step_took(100, 32, 500, 2 * 0.0349)
        voice.front_took(60, 1, 0.026)
    assert voice.step_s(100, 32, 500) == pytest.approx(2 * 0.0349, rel=0.05)
    assert voice.step_s(0, LAG + 6, 500) == pytest.approx(0.0196)
    assert voice.front_s(60) == pytest.approx(0.026)


def test_one_step_far_off_moves_little() -> None:
    voice = effort()
    before = voice.step_s(100, 32, 500)
    voice.step_took(100, 32, 500, 30.0)
    assert voice.step_s(100, 32, 500) == pytest.approx(1.1 * before)


def test_a_voice_tells_how_long_its_ids_and_its_text_sound() -> None:
    voice: Effort = effort()
    for _ in range(100):
        voice.spoken(100, round(5.0 / FRAME_S))
        voice.written(50, 100)
    assert voice.frames(100) * FRAME_S == pytest.approx(5.0, rel=0.02)
    assert voice.sound_s(50) == pytest.approx(5.0, rel=0.02)
