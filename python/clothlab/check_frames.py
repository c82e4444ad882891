"""Five frozen frames: the systems of small scenes, each with other constraints, varied by a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

from .simulation import Simulation
from .system import System

NAMES = ("free", "corners", "line and plane", "moving", "stiff")


@dataclass
class Frame:
    """S A S + s(I - S) and S (b - A z), which a preconditioner or solver gets, and the A, b, S, z that they come from."""

    name: str
    simulation: Simulation
    A: sparse.bsr_array  # the step's matrix: M - h D - h^2 K
    b: np.ndarray
    S: sparse.bsr_array
    z: np.ndarray
    constrained: sparse.bsr_array
    right: np.ndarray
    h: float

    @property
    def size(self) -> int:
        return len(self.b)


def frames(seed: int) -> list[Frame]:
    """The same seed gives the same frames; each takes some milliseconds."""
    return [_frame(k, name, np.random.default_rng([seed, k])) for k, name in enumerate(NAMES)]


def _frame(k: int, name: str, random: np.random.Generator) -> Frame:
    rows, columns = (int(n) for n in random.integers(4, 7, size=2))
    h = float(random.uniform(0.004, 0.015))
    sim = Simulation({
        "cloth": {"rows": rows, "columns": columns, "side": float(random.uniform(0.5, 1.5))},
        "material": {"stretch_stiffness": float(random.uniform(300, 3000)) * (20 if name == "stiff" else 1)},
        "integrator": {"dt": h},
    }, threads=1)
    _constrain(sim, name, columns, random)
    sim.v = 0.3 * random.normal(size=sim.v.shape) * _movable(sim)
    sim.step()  # in the first step a moving pin still changes its velocity, so z is not zero
    return frame_of(name, sim)


def _movable(sim: Simulation) -> np.ndarray:
    free = np.ones((sim.particles, 1))
    free[sim.pins] = 0
    return free


def _constrain(sim: Simulation, name: str, columns: int, random: np.random.Generator) -> None:
    if name == "corners":
        sim.pin(0)
        sim.pin(columns - 1)
    elif name == "line and plane":
        sim.pin(0)
        sim.pin(columns - 1, line=random.normal(size=3))
        sim.pin(sim.particles // 2, plane=random.normal(size=3))
    elif name == "moving":
        sim.pin(0, velocity=random.normal(size=3))
        sim.pin(sim.particles - 1, velocity=random.normal(size=3))
    elif name == "stiff":
        for particle in range(columns):
            sim.pin(particle)


def frame_of(name: str, sim: Simulation) -> Frame:
    """The frame of a simulation's last step."""
    s = sim.system()
    A = s.A_occupied
    A.sort_indices()
    z = np.array(s.z)
    return Frame(name, sim, A, np.array(s.b), s.S, z, constrained(A, s), s.S @ (s.b - A @ z), s.dt)


def constrained(A: sparse.bsr_array, s: System) -> sparse.bsr_array:
    """S A S + s(I - S) with the blocks of A; s is the mean of each particle's diagonal."""
    rows = np.repeat(np.arange(s.particles), np.diff(A.indptr))
    filters = s.S.data
    data = filters[rows] @ A.data @ filters[A.indices]
    diagonal = rows == A.indices
    scale = np.trace(A.data[diagonal], axis1=1, axis2=2) / 3
    data[diagonal] += scale[:, None, None] * (np.eye(3) - filters)
    return sparse.bsr_array((data, A.indices, A.indptr), shape=A.shape, blocksize=(3, 3))
