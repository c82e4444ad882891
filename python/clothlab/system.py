"""The linear system of a step."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sparse

from . import _callbacks, _core


class System:
    """S A dv = S b, (I - S) dv = (I - S) z: the system that the last step solved.

    It does not change: as long as it or a view of it lives, later steps write elsewhere. Vectors have one number a degree
    of freedom, (3N,), particle after particle."""

    def __init__(self, native: _core.System):
        self._native = native

    @cached_property
    def A(self) -> sparse.bsr_array:
        """M - h D - h^2 K, kg, (3N, 3N) in blocks of 3x3, both triangles. Its three arrays are read-only views of the core's
        memory, with blocks that are zero among them; only where single blocks are not symmetric, its data are a copy."""
        size = 3 * self.particles
        return sparse.bsr_array((self._native.blocks(), self._native.columns(), self._native.row_starts()),
                                shape=(size, size), blocksize=(3, 3))

    @cached_property
    def A_occupied(self) -> sparse.bsr_array:
        """A copy of A without the blocks that no spring in action fills. Incomplete factors are made of it."""
        return self._chosen(self.occupied)

    @property
    def occupied(self) -> np.ndarray:
        """Whether each block of A is occupied, (blocks,)."""
        return self._native.occupied().view(bool)

    @property
    def core(self) -> np.ndarray:
        """Whether each block of A belongs to the matrix core, without its shear springs, (blocks,). The diagonal does."""
        rows = np.repeat(np.arange(self.particles), np.diff(self._native.row_starts()))
        return (self._native.core() & 1).astype(bool) | (rows == self._native.columns())

    @cached_property
    def A_core(self) -> sparse.bsr_array:
        """A copy of the matrix core: A with the blocks that belong to it."""
        return self._chosen(self.core)

    def _chosen(self, blocks: np.ndarray) -> sparse.bsr_array:
        rows = np.concatenate(([0], np.cumsum(blocks)))[self._native.row_starts()]
        return sparse.bsr_array((self._native.blocks()[blocks], self._native.columns()[blocks], rows), shape=self.A.shape,
                                blocksize=(3, 3))

    @property
    def b(self) -> np.ndarray:
        """The right-hand side, kg m/s: a read-only view."""
        return self._native.b()

    @property
    def dv(self) -> np.ndarray:
        """The solution that the step took, m/s: a read-only view."""
        return self._native.dv()

    @property
    def x0(self) -> np.ndarray:
        """dv of the step before, m/s, from where a solver with a warm start begins; zeros in the first step."""
        return self._native.x0()

    @cached_property
    def z(self) -> np.ndarray:
        """The change of velocity that is prescribed in the directions that S removes, m/s."""
        return self._native.z()

    @cached_property
    def S(self) -> sparse.bsr_array:
        """The filter: a projection onto the directions in which each particle is free, (3N, 3N), block-diagonal."""
        particles, filters = self._native.constrained()
        return _callbacks.filter(particles, filters, self.particles)

    @property
    def particles(self) -> int:
        return self._native.rows()

    @property
    def step(self) -> int:
        """The number of the step that solved it."""
        return self._native.step()

    @property
    def dt(self) -> float:
        """s, the length of that step."""
        return self._native.dt()

    def __repr__(self) -> str:
        return f"<clothlab.System of step {self.step}, {self.particles} particles>"
