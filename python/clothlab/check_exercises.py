"""The exercises of docs/exercises: what is to be defined, and what passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .check_forces import call, check_force, entry, jacobian_suspects, particle, run, system_suspects
from .check_frames import Frame
from .check_solvers import check_on_frames, incomplete_cholesky, stored
from .check_verdict import Failure, Verdict, array, compare, fail
from .check_xpbd import check_projection

Make = Callable[..., Any]  # makes an object of the submitted class; or the submitted function


@dataclass(frozen=True)
class Exercise:
    defines: str  # the name of the class or function
    check: Callable[[Make, int, str], Verdict]
    function: bool = False


# --- springs

@dataclass(frozen=True)
class Springs:
    """A few particles that springs join, as the seed has it."""

    edges: np.ndarray
    lengths: np.ndarray
    stiffness: float
    particles: int

    @classmethod
    def of(cls, random: np.random.Generator) -> Springs:
        n = int(random.integers(4, 7))
        chain = [(i, i + 1) for i in range(n - 1)]
        edges = np.array(chain + [(0, n - 1), (0, 2)])
        return cls(edges, random.uniform(0.2, 1.5, len(edges)), float(random.uniform(10, 1000)), n)

    def arms(self, x):
        d = x[self.edges[:, 1]] - x[self.edges[:, 0]]
        return d, np.linalg.norm(d, axis=1)

    def energy(self, x, lengths=None) -> float:
        lengths = self.lengths if lengths is None else lengths
        return float(0.5 * self.stiffness * ((self.arms(x)[1] - lengths) ** 2).sum())

    def force(self, x, lengths=None) -> np.ndarray:
        lengths = self.lengths if lengths is None else lengths
        d, l = self.arms(x)
        pull = (self.stiffness * (1 - lengths / l))[:, None] * d
        f = np.zeros_like(x)
        np.add.at(f, self.edges[:, 0], pull)
        np.add.at(f, self.edges[:, 1], -pull)
        return f

    def jacobian(self, x, across=1.0, lengths=None) -> np.ndarray:
        """across: how much of the part counts that turns with the spring."""
        lengths = self.lengths if lengths is None else lengths
        d, l = self.arms(x)
        J = np.zeros((self.particles, 3, self.particles, 3))
        for (i, j), arm, length, rest in zip(self.edges, d, l, lengths):
            along = np.outer(arm, arm) / length**2
            k = self.stiffness * (along + across * (1 - rest / length) * (np.eye(3) - along))
            for a, b, sign in ((i, i, -1), (j, j, -1), (i, j, 1), (j, i, 1)):
                J[a, :, b] += sign * k
        return J.reshape(3 * self.particles, -1)


class _Handed:
    """The handed-in object as check_force takes it."""

    def __init__(self, obj: Any, springs: Springs, *methods: str, suspects: Callable | None = None):
        self.particles, self.suspects = springs.particles, suspects
        for name in methods:
            if callable(getattr(obj, name, None)):
                setattr(self, name, getattr(obj, name))


def _need(obj: Any, *methods: str) -> None:
    for name in methods:
        if not callable(getattr(obj, name, None)):
            fail(name, "the class", "missing", f"there is no method {name}")


def _springs(make: Make, seed: int, subject: str, body: Callable) -> Verdict:
    verdict = Verdict(subject, seed)

    def checks():
        random = np.random.default_rng([seed, 7])
        for trial in range(2):
            springs = Springs.of(random)
            obj = make(springs.edges, springs.lengths, springs.stiffness)
            body(verdict, obj, springs, random.normal(size=(springs.particles, 3)), f"seed {seed}, springs {trial}", random)
    run(verdict, checks)
    return verdict


def _take(verdict: Verdict, other: Verdict) -> None:
    """The laws of check_force, as a part of this verdict."""
    known = {name for name, _ in verdict.checks}
    verdict.checks += [each for each in other.checks if each[0] not in known]
    if other.finding is not None:
        raise Failure(other.finding)


def spring_force(make: Make, seed: int, subject: str) -> Verdict:
    def body(verdict, obj, springs, x, where, random):
        _need(obj, "energy", "force")
        zero = 0 * springs.lengths
        energy = call("energy", where, obj.energy, x)
        error = compare("energy by the formula", where, energy, springs.energy(x), 1e-9, [
            ("rest length", "the energy is that of springs without a rest length", springs.energy(x, zero)),
            ("half", "the energy is half of what it should be", springs.energy(x) / 2),
            ("counted twice", "the energy is twice what it should be: the factor 1/2 is missing", springs.energy(x) * 2)])
        verdict.checks = verdict.checks or [("energy by the formula", error)]
        right = springs.force(x)
        compare("force by the formula", where, call("force", where, obj.force, x), right, 1e-9, [
            ("rest length", "the force is that of springs without a rest length", springs.force(x, zero)),
            ("off by one", "the forces belong to the particle before", np.roll(right, 1, 0)),
            ("off by one", "the forces belong to the particle after", np.roll(right, -1, 0)),
            *_one_sided(springs, x)], particle)
        _take(verdict, check_force(_Handed(obj, springs, "energy", "force"), seed))
    return _springs(make, seed, subject, body)


def _one_sided(springs: Springs, x) -> list:
    d, l = springs.arms(x)
    pull = (springs.stiffness * (1 - springs.lengths / l))[:, None] * d
    made = []
    for words, side, sign in (("first", 0, 1), ("second", 1, -1)):
        f = np.zeros_like(x)
        np.add.at(f, springs.edges[:, side], sign * pull)
        made.append(("missing reaction", f"only the {words} particle of each spring feels it", f))
    f = np.zeros_like(x)
    f[springs.edges[:, 0]] += pull
    f[springs.edges[:, 1]] -= pull
    made.append(("overwritten", "f[edges] += ... counts one spring a particle; np.add.at, or a loop, counts all", f))
    return made


def spring_jacobian(make: Make, seed: int, subject: str) -> Verdict:
    def body(verdict, obj, springs, x, where, random):
        _need(obj, "force", "jacobian", "matrix")
        compare("force, which the file gives", where, call("force", where, obj.force, x), springs.force(x), 1e-9)

        def suspects(x):
            return [("term across", "it is that along the springs alone: the part (1 - L/l)(I - d d^T) is missing",
                     springs.jacobian(x, 0.0)),
                    ("rest length", "it is that of springs without a rest length", springs.jacobian(x, 1.0, 0 * springs.lengths))]
        J = array("jacobian", where, call("jacobian", where, obj.jacobian, x), (3 * springs.particles,) * 2)
        right = springs.jacobian(x)
        compare("Jacobian by the formula", where, J, right, 1e-9, [*jacobian_suspects(right), *suspects(x)],
                entry)
        _take(verdict, check_force(_Handed(obj, springs, "force", "jacobian", suspects=suspects), seed))
        h, masses = float(random.uniform(0.004, 0.02)), random.uniform(0.5, 2, springs.particles)
        M = np.diag(np.repeat(masses, 3))
        error = compare("matrix M - h^2 J", f"{where}, h = {h:.6g}", call("matrix", where, obj.matrix, x, h, masses),
                        M - h * h * right, 1e-9, system_suspects(M, 0 * M, right, h), entry)
        if all(name != "matrix M - h^2 J" for name, _ in verdict.checks):
            verdict.checks.append(("matrix M - h^2 J", error))
    return _springs(make, seed, subject, body)


# --- solvers and preconditioners

def cg(make: Make, seed: int, subject: str) -> Verdict:
    verdict = Verdict(subject, seed)

    def checks():
        nonlocal verdict
        obj = make()
        _need(obj, "solve")
        verdict = check_on_frames(obj, seed, iterations=True, subject=subject)
    run(verdict, checks)
    return verdict


def _preconditioner(reference: Callable[[Frame], np.ndarray], suspects: Callable[[Frame], list] = lambda frame: []):
    def check(make: Make, seed: int, subject: str) -> Verdict:
        verdict = Verdict(subject, seed)

        def checks():
            nonlocal verdict
            obj = make()
            _need(obj, "setUp", "apply")
            verdict = check_on_frames(obj, seed, reference, suspects, subject=subject)
        run(verdict, checks)
        return verdict
    return check


def _jacobi(frame: Frame) -> np.ndarray:
    return np.diag(1 / frame.constrained.diagonal())


def _inverse_of_factor(frame: Frame, pattern: np.ndarray) -> np.ndarray:
    inverse = np.linalg.inv(incomplete_cholesky(frame.constrained.toarray(), pattern))
    return inverse.T @ inverse


def _cholesky(frame: Frame) -> np.ndarray:
    return _inverse_of_factor(frame, stored(frame))


def _cholesky_suspects(frame: Frame) -> list:
    A = frame.constrained.toarray()
    return [("pattern", "the fill is kept: it is the complete factor", np.linalg.inv(A)),
            ("pattern", "zeros inside of a stored block are left out of the factor", _inverse_of_factor(frame, A != 0)),
            ("only the diagonal", "it is the inverse of the diagonal of A: nothing is eliminated", _jacobi(frame)),
            *_scaled(frame)]


def _scaled(frame: Frame) -> list:
    L = incomplete_cholesky(frame.constrained.toarray(), stored(frame))
    d = np.diag(L)
    whole = np.linalg.inv(L / d)
    return [("diagonal of the factor", "the factor has ones on its diagonal: its pivots are left out", whole.T @ whole)]


EXERCISES = {
    "spring-force": Exercise("SpringForce", spring_force),
    "spring-jacobian": Exercise("SpringJacobian", spring_jacobian),
    "cg": Exercise("CG", cg),
    "jacobi": Exercise("Jacobi", _preconditioner(_jacobi)),
    "incomplete-cholesky": Exercise("IncompleteCholesky", _preconditioner(_cholesky, _cholesky_suspects)),
    "xpbd": Exercise("project", check_projection, function=True),
}
