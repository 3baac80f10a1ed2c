"""What a full machine makes, what of its arithmetic that is, and how its event loop fares."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from piper import PiperVoice

from bench.arithmetic import UNSET, count, sgemm_gflops
from bench.heard import percentile
from bench.process import watched
from bench.programs import MODEL, ONSET, OURS, PIPER, SERVERS, Program
from bench.rows import Goal, Row, figure, ratio
from bench.run import Run, in_turn

CROWD = 16


async def saturated(run: Run) -> list[Row]:
    """Seconds of sound made a second, by clients who ask for the next sentence as soon as they have the last.

    A set amount of work for each number of clients, the same sentences for every program; all the sound that came,
    over the time from the first request to the last sound. Clients of ours ask for the pace `fast`. Beside it: the
    threads that ran or waited for a core at once (sampled), the lag of our event loop (a task that sleeps
    5 ms, and how much later than that it wakes), and the arithmetic of both.
    """
    made: dict[int, dict[str, float]] = {}
    threads: dict[int, dict[str, float]] = {}
    late: dict[str, float] = {}
    cores = sorted(os.sched_getaffinity(0))
    speeds: list[list[float]] = []
    for clients, each in run.sizes.work:
        loads: dict[str, Load] = {}
        for number in range(run.sizes.work_rounds):
            texts = run.sentences(clients * each)
            for program in run.fleet.of(SERVERS if number % 2 else SERVERS[::-1]):
                full = clients == CROWD and program.name == ONSET
                with run.fleet.alone(program.name):
                    speeds += [sgemm_gflops(cores)] if full else []
                    await _add(loads.setdefault(program.name, Load()), program, clients, texts)
                    speeds += [sgemm_gflops(cores)] if full else []
        made[clients] = {name: load.sound_s / load.took_s for name, load in loads.items()}
        threads[clients] = {name: percentile(load.threads, 0.95) for name, load in loads.items()}
        late = {name: percentile(load.late_ms, 0.5) for name, load in loads.items() if load.late_ms}
    rows = [
        Row(f"sound made, {clients} clients", "s a second", values, _made_goals(clients, made))
        for clients, values in made.items()
    ]
    rows += _steadiness(made, threads)
    rows.append(Row("event loop, late while full, p99", "ms", late, figure(late, 20.0)))
    return [*rows, *_share(run, made[CROWD], speeds)]


@dataclass(slots=True)
class Load:
    """What a program made of the work of one number of clients, all rounds together."""

    sound_s: float = 0.0
    took_s: float = 0.0
    threads: list[int] = field(default_factory=list)  # running at once, sampled
    late_ms: list[float] = field(default_factory=list)  # of our event loop, the p99 of each round


async def _add(load: Load, program: Program, clients: int, texts: Sequence[str]) -> None:
    async with program.clients(clients, "fast") as says:
        if program.name in OURS:
            program.server.probe()  # what was before does not count
        with watched(program.server.pid) as watch:
            began = time.perf_counter()
            heard = await in_turn(says, texts)
            load.took_s += time.perf_counter() - began
        if program.name in OURS:
            load.late_ms.append(program.server.probe()["lag_ms"]["p99"])
    load.sound_s += sum(one.sound_s for one in heard)
    load.threads += watch.threads


def _made_goals(clients: int, made: dict[int, dict[str, float]]) -> list[Goal]:
    if clients != CROWD:
        return []
    best = max((values.get(PIPER, 0.0) for values in made.values()), default=0.0)
    at_best = {**made[clients], "best": best}
    return [
        *ratio(made[clients], PIPER, 1.5, least=True),
        *ratio(at_best, "best", 1.2, least=True, of="Piper's best"),
    ]


def _steadiness(made: dict[int, dict[str, float]], threads: dict[int, dict[str, float]]) -> list[Row]:
    """No more threads run at once than there are cores, and one for the loop; and more streams lose nothing."""
    crowd, fewer = made[CROWD], [values for clients, values in made.items() if clients < CROWD]
    kept = {name: seconds / max(values[name] for values in fewer) for name, seconds in crowd.items()}
    most = float(len(os.sched_getaffinity(0)) + 1)
    return [
        Row(
            f"sound made, {CROWD} clients to the best of fewer",
            "ratio",
            kept,
            figure(kept, 0.9, least=True),
            case="f04",
        ),
        Row(
            f"threads at once, {CROWD} clients, p95",
            "threads",
            threads[CROWD],
            figure(threads[CROWD], most),
            case="f04",
        ),
    ]


def _share(run: Run, made: dict[str, float], speeds: list[list[float]]) -> list[Row]:
    """What the sound made takes in multiplications, of what all cores can do in the same minute.

    The multiplications of the whole graph, text encoder and all, for a sentence of the bench, counted from the shapes
    that they really had: padding and what is computed twice do not count as work. The limit is numpy's SGEMM on
    every core at once, right before and right after each load of ours. The clients of this bench have their part
    of the cores too.
    """
    per_second = _flops_a_second_of_sound(run.sentences(1)[0])
    limit = 1e9 * percentile([sum(speed) for speed in speeds], 0.5)
    share = {name: 100 * seconds * per_second / limit for name, seconds in made.items()}
    unset = [name for name in UNSET if name in os.environ]
    each = percentile([one for speed in speeds for one in speed], 0.5)
    run.notes.append(
        f"Arithmetic: {each:.0f} GFLOP/s of SGEMM a core, all cores at once"
        + (f" ({' and '.join(unset)} unset)" if unset else "")
        + f"; {per_second / 1e9:.2f} GFLOP a second of sound in the graph"
    )
    return [Row("share of the arithmetic limit", "%", share, figure(share, 65.0, least=True))]


def _flops_a_second_of_sound(text: str) -> float:
    voice = PiperVoice.load(MODEL)
    ids = voice.phonemes_to_ids(voice.phonemize(text)[0])
    config = voice.config
    feed: dict[str, npt.NDArray[Any]] = {
        "input": np.array([ids], np.int64),
        "input_lengths": np.array([len(ids)], np.int64),
        "scales": np.array([config.noise_scale, config.length_scale, config.noise_w_scale], np.float32),
    }
    work = count(MODEL, feed)
    return work.flops / (work.output[-1] / config.sample_rate)
