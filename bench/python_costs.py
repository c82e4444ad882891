#!/usr/bin/env python3
"""What the Python module costs beside the core: PYTHONPATH=build/release/python bench/python_costs.py"""

import statistics
import time

import clothlab as cl


class Copies:
    """The identity, which knows how long its own work took."""

    def __init__(self):
        self.seconds = []

    def apply(self, r, z):
        start = time.perf_counter()
        z[:] = r
        self.seconds.append(time.perf_counter() - start)


def median_us(action, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(1e6 * (time.perf_counter() - start))
    return statistics.median(times)


def costs(side):
    sim = cl.Simulation("hang", {"cloth.rows": side, "cloth.columns": side}, threads=1)
    sim.step(5)
    sim.system().A
    print(f"{sim.particles} particles")
    print(f"  sim.system()              {median_us(sim.system, 200):9.1f} us")
    print(f"  sim.system().A            {median_us(lambda: sim.system().A, 200):9.1f} us, no copy: "
          f"{not sim.system().A.data.flags.owndata}")
    print(f"  sim.x, a copy             {median_us(lambda: sim.x, 200):9.1f} us")
    mine = Copies()
    race = sim.race([mine, "mpcg identity"], tolerances=[1e-3], runs=1, threads=1)
    theirs, ours = (1e3 * row["apply_ms"] / row["iterations"] for row in race.rows)
    own = 1e6 * statistics.median(mine.seconds)
    print(f"  an application            {theirs:9.1f} us: {own:.1f} us its own work; the core's identity {ours:.1f} us")


def keeping(side, steps=40):
    """Two simulations in turn, now one first and now the other, so that both see the same machine and caches."""
    sims = {keep: cl.Simulation("hang", {"cloth.rows": side, "cloth.columns": side}, threads=1, keep_system=keep)
            for keep in (True, False)}
    times = {keep: [] for keep in sims}
    for k in range(steps):
        for keep in (True, False) if k % 2 else (False, True):
            start = time.perf_counter()
            sims[keep].step()
            times[keep].append(1e3 * (time.perf_counter() - start))
    print(f"a step of {side} x {side}, median: {statistics.median(times[True]):.2f} ms with its system kept, "
          f"{statistics.median(times[False]):.2f} ms without")


for size in (41, 161):
    costs(size)
    keeping(size)
