"""The oracles for forces."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .check_verdict import Failure, Verdict, array, compare, fail

TOLERANCE = 1e-6  # of fourth-order differences against the derivative
TRIALS = 3


def check_force(obj: Any, seed: int = 0) -> Verdict:
    """Checks a force on N particles against differences and laws; what the object lacks is skipped and said.

    force(x) or force(x, v): N, (N, 3), for positions x in m, (N, 3), and velocities v in m/s, (N, 3). Required.
    energy(x): J, a number whose negative gradient is the force at v = 0.
    jacobian(x) or jacobian(x, v): df/dx, N/m, (3N, 3N), dense or sparse; row 3i + axis of particle i.
    jacobian_v(x, v): df/dv, N s/m, (3N, 3N).
    system(x, v, h): (A, b) of implicit Euler, A = M - h df/dv - h^2 df/dx, b = h (f + h df/dx v), with `masses`, kg, (N,).
    particles: N; otherwise that of `rest`, or 2. rest: positions, (N, 3), where the force is zero.
    external: True for forces such as gravity and wind, which have no laws of momentum and invariance.

    Raises TypeError where there is no method `force`."""
    if not callable(getattr(obj, "force", None)):
        raise TypeError("check_force: the object has no method force(x) or force(x, v)")
    verdict = Verdict(f"{getattr(obj, 'name', type(obj).__name__)}, a force", seed)
    run(verdict, lambda: _Force(obj, seed, verdict).all())
    return verdict


def run(verdict: Verdict, checks: Callable[[], None]) -> None:
    """Failures and exceptions of what was handed in become the finding."""
    try:
        checks()
    except Failure as failure:
        verdict.finding = failure.finding


def call(check: str, where: str, method: Callable, *arguments) -> Any:
    """The method's result; its exceptions are findings, and so is a change of its arguments."""
    copies = [np.array(each) if isinstance(each, np.ndarray) else each for each in arguments]
    try:
        result = method(*copies)
    except Exception as error:
        if hasattr(error, "finding"):
            raise
        fail(check, where, "raises", f"{type(error).__name__}: {error}{_line(error)}")
    for given, after in zip(arguments, copies):
        if isinstance(given, np.ndarray) and not np.array_equal(given, after):
            fail(check, where, "changes its argument", "the method writes into an array that it was given to read")
    return result


def _line(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" (line {trace.tb_lineno}, in {trace.tb_frame.f_code.co_name})"


def gradient(function: Callable[[np.ndarray], Any], x: np.ndarray, step: float) -> np.ndarray:
    """Of a number or array, one row a coordinate of x: central differences of fourth order."""
    rows = []
    for k in range(x.size):
        def at(distance):
            moved = x.copy()
            moved.flat[k] += distance * step
            return np.asarray(function(moved), float).ravel()
        rows.append((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step))
    return np.array(rows)


def entry(at: tuple[int, ...]) -> str:
    """"(4, 0): particle 1 y, particle 0 x"."""
    axis = "xyz"
    if len(at) == 2:
        return f"{at}: particle {at[0] // 3} {axis[at[0] % 3]}, particle {at[1] // 3} {axis[at[1] % 3]}"
    return str(at)


def particle(at: tuple[int, ...]) -> str:
    return f"{at}: particle {at[0]} {'xyz'[at[1]]}"


def blocks(J: np.ndarray) -> np.ndarray:
    """(N, N, 3, 3) of (3N, 3N)."""
    n = len(J) // 3
    return J.reshape(n, 3, n, 3).transpose(0, 2, 1, 3)


def dense(B: np.ndarray) -> np.ndarray:
    return B.transpose(0, 2, 1, 3).reshape(3 * len(B), 3 * len(B))


def jacobian_suspects(J: np.ndarray) -> list:
    """What usual mistakes make of the right Jacobian."""
    B, n = blocks(J), len(J) // 3
    turned, upper = B.copy(), np.triu(np.ones((n, n)))
    turned[np.arange(n), np.arange(n)] *= -1
    return [("transpose", "its transpose is right: rows and columns are exchanged", J.T),
            ("transpose of blocks", "each block of 3x3 is transposed", dense(B.transpose(0, 1, 3, 2))),
            ("sign of a part", "the diagonal blocks have the opposite sign; the others are right", dense(turned)),
            ("sign of a part", "the blocks beside the diagonal have the opposite sign; those on it are right", dense(-turned)),
            ("off by one", "the rows belong to the particle before", np.roll(J, 3, 0)),
            ("off by one", "the rows belong to the particle after", np.roll(J, -3, 0)),
            ("off by one", "the columns belong to the particle before", np.roll(J, 3, 1)),
            ("off by one", "the columns belong to the particle after", np.roll(J, -3, 1)),
            ("unsymmetric", "the upper triangle is right, the lower one is zero", np.triu(J)),
            ("unsymmetric", "the lower triangle is right, the upper one is zero", np.tril(J)),
            ("unsymmetric", "the blocks below the diagonal are zero; the others are right", dense(B * upper[..., None, None])),
            ("unsymmetric", "the blocks above the diagonal are zero; the others are right", dense(B * upper.T[..., None, None]))]


class _Force:
    def __init__(self, obj: Any, seed: int, verdict: Verdict):
        self.obj, self.seed, self.verdict = obj, seed, verdict
        self.rest = getattr(obj, "rest", None)
        self.rest = None if self.rest is None else np.asarray(self.rest() if callable(self.rest) else self.rest, float)
        self.n = int(getattr(obj, "particles", 2 if self.rest is None else len(self.rest)))
        self.with_v = {name: _takes_velocity(obj, name) for name in ("force", "jacobian")}
        self.random = np.random.default_rng([seed, 45])
        self.trials = [self._trial(k) for k in range(TRIALS)]

    def _trial(self, k: int):
        x = self.random.normal(size=(self.n, 3))
        if self.rest is not None:
            size = max(float(np.ptp(self.rest, axis=0).max()), 1e-3)
            x = self.rest + 0.25 * size * x
        return f"seed {self.seed}, trial {k}", x, self.random.normal(size=(self.n, 3)), 1e-3 * float(np.std(x) or 1)

    def force(self, where, x, v):
        arguments = (x, v) if self.with_v["force"] else (x,)
        return array("force", where, call("force", where, self.obj.force, *arguments), (self.n, 3))

    def jacobian(self, where, x, v):
        arguments = (x, v) if self.with_v["jacobian"] else (x,)
        return array("jacobian", where, call("jacobian", where, self.obj.jacobian, *arguments), (3 * self.n, 3 * self.n))

    def energy(self, where, x):
        return float(array("energy", where, call("energy", where, self.obj.energy, x), ()))

    def has(self, name: str) -> bool:
        return callable(getattr(self.obj, name, None))

    def all(self) -> None:
        internal = not getattr(self.obj, "external", False)
        rows = [("force is the negative gradient of the energy", self.has("energy"), "no method energy(x)", self.of_energy),
                ("the Jacobian is symmetric", self.has("energy") and self.has("jacobian"), "no energy or no Jacobian",
                 self.symmetric),
                ("Jacobian against differences of the force", self.has("jacobian"), "no method jacobian(x)", self.of_force),
                ("Jacobian by velocity against differences", self.has("jacobian_v"), "no method jacobian_v(x, v)",
                 self.by_velocity),
                ("momentum", internal, "an external force", self.momentum),
                ("angular momentum", internal, "an external force", self.angular_momentum),
                ("rest state", self.rest is not None, "no attribute rest", self.at_rest),
                ("invariance under rigid motion", internal, "an external force", self.invariance),
                ("damping takes energy", self.with_v["force"] and internal, "the force has no velocity", self.damping),
                ("system of implicit Euler", self.has("system"), "no method system(x, v, h)", self.system)]
        self.acts()
        for name, possible, why, check in rows:
            if possible:
                self.verdict.checks.append((name, check()))
            else:
                self.verdict.skipped.append(f"{name}: {why}")

    def acts(self) -> None:
        """A force that is zero wherever it is asked would pass everything."""
        found = [self.force(where, x, v) for where, x, v, _ in self.trials]
        if not any(f.any() for f in found):
            fail("force", self.trials[0][0], "missing", "the force is zero in every trial")
        where, x, v, _ = self.trials[0]
        compare("force", where, self.force(where, x, v), found[0], 0,
                [("not repeatable", "a second call with the same x gives another force", True)], particle)

    def of_energy(self) -> float:
        worst = 0.0
        for where, x, v, step in self.trials:
            expected = -gradient(lambda moved: self.energy(where, moved), x, step).reshape(self.n, 3)
            found = self.force(where, x, 0 * v)
            linear = bool(np.allclose(self.force(where, 2 * x, 0 * v), 2 * found, rtol=1e-9, atol=0))
            suspects = [("off by one", "the forces belong to the particle before", np.roll(expected, 1, 0)),
                        ("off by one", "the forces belong to the particle after", np.roll(expected, -1, 0)),
                        ("rest length", "twice the positions give exactly twice the force: no rest length is in it", linear)]
            worst = max(worst, compare("force is the negative gradient of the energy", where, found, expected, TOLERANCE,
                                       suspects, particle))
        return worst

    def symmetric(self) -> float:
        worst = 0.0
        for where, x, v, step in self.trials:
            J = self.jacobian(where, x, 0 * v)
            if np.abs(J - J.T).max() <= TOLERANCE * np.abs(J).max():
                continue
            right = gradient(lambda moved: self.force(where, moved, 0 * v), x, step).T
            limit = TOLERANCE * np.abs(right).max()
            if not np.abs(J - right).max() <= limit:
                compare("the Jacobian is symmetric", where, J, right, TOLERANCE, [
                    *jacobian_suspects(right),
                    ("unsymmetric", "the upper triangle is right, the lower one is not",
                     bool(np.abs(np.triu(J - right)).max() <= limit)),
                    ("unsymmetric", "the lower triangle is right, the upper one is not",
                     bool(np.abs(np.tril(J - right)).max() <= limit)),
                    ("unsymmetric", "the symmetric part is right; an antisymmetric one is added to it",
                     bool(np.abs((J + J.T) / 2 - right).max() <= limit))], entry)
            worst = max(worst, compare("the Jacobian is symmetric", where, J, J.T, TOLERANCE, [
                ("unsymmetric", "the Jacobian agrees with the force, so the force has no energy", True)], entry))
        return worst

    def of_force(self) -> float:
        worst = 0.0
        for where, x, v, step in self.trials:
            expected = gradient(lambda moved: self.force(where, moved, v), x, step).T
            worst = max(worst, compare("Jacobian against differences of the force", where, self.jacobian(where, x, v),
                                       expected, TOLERANCE, self.suspects(where, x, v, step, expected), entry))
        return worst

    def suspects(self, where, x, v, step, expected):
        """Those of any Jacobian, those that the object names, and the linearization where the force is left out."""
        more = getattr(self.obj, "suspects", None)
        still = gradient(lambda moved: self.force(where, moved, 0 * v), x, step).T if v.any() else expected
        return [*jacobian_suspects(expected), *(more(x) if callable(more) else []),
                ("damping missing", "it is that of v = 0: what depends on x in the damping is missing", still)]

    def by_velocity(self) -> float:
        worst = 0.0
        for where, x, v, step in self.trials:
            expected = gradient(lambda moved: self.force(where, x, moved), v, step).T if self.with_v["force"] \
                else np.zeros((3 * self.n, 3 * self.n))
            found = call("jacobian_v", where, self.obj.jacobian_v, x, v)
            worst = max(worst, compare("Jacobian by velocity against differences", where, found, expected, TOLERANCE,
                                       jacobian_suspects(expected), entry))
        return worst

    def momentum(self) -> float:
        worst = 0.0
        for where, x, v, _ in self.trials:
            f = self.force(where, x, v)
            still = [int(i) for i in np.flatnonzero(~f.any(axis=1))]
            suspects = [("missing reaction", f"particles {still} feel no force: the reaction is missing", bool(still)),
                        ("no reaction", "the forces do not cancel", True)]
            worst = max(worst, compare("momentum", f"{where}, sum of the forces", f.sum(axis=0), np.zeros(3), TOLERANCE,
                                       suspects, lambda at: "xyz"[at[0]], np.abs(f).max() or 1))
        return worst

    def angular_momentum(self) -> float:
        worst = 0.0
        for where, x, v, _ in self.trials:
            f, arm = self.force(where, x, v), x - x.mean(axis=0)
            suspects = [("not central", "the forces cancel, but not along the line that joins their particles", True)]
            worst = max(worst, compare("angular momentum", f"{where}, sum of the torques", np.cross(arm, f).sum(axis=0),
                                       np.zeros(3), TOLERANCE, suspects, lambda at: "xyz"[at[0]],
                                       np.abs(f).max() * np.abs(arm).max() or 1))
        return worst

    def at_rest(self) -> float:
        where, x, v, _ = self.trials[0]
        scale = np.abs(self.force(where, x, 0 * v)).max() or 1.0
        found = self.force("at rest", self.rest, 0 * v)
        linear = bool(np.allclose(self.force(where, 2 * x, 0 * v), 2 * self.force(where, x, 0 * v), rtol=1e-9, atol=0))
        error = compare("rest state", "at rest", found, 0 * found, TOLERANCE, [
            ("rest length", "twice the positions give exactly twice the force: no rest length is in it", linear),
            ("not at rest", "the positions `rest` are no state without force", True)], particle, scale)
        if self.has("jacobian"):
            J = self.jacobian("at rest", self.rest, 0 * v)
            largest, size = float(np.linalg.eigvalsh((J + J.T) / 2)[-1]), float(np.abs(J).max())
            if self.has("energy") and largest > TOLERANCE * size:
                fail("rest state", "at rest, largest eigenvalue of the Jacobian", "indefinite",
                     "the energy is no minimum at rest: a stiffness has the wrong sign", largest, 0.0)
        return error

    def invariance(self) -> float:
        worst = 0.0
        for where, x, v, _ in self.trials:
            turn = np.linalg.qr(self.random.normal(size=(3, 3)))[0]
            turn *= np.linalg.det(turn)
            shift = self.random.normal(size=3)
            f = self.force(where, x, v)
            for words, R, t in (("translation", np.eye(3), shift), ("rotation", turn, np.zeros(3))):
                kind = [(words, f"the force changes under a {words}; a direction or a place of the world is in it", True)]
                worst = max(worst, compare(f"invariance under {words}", where, self.force(where, x @ R.T + t, v @ R.T),
                                           f @ R.T, TOLERANCE, kind, particle))
        return worst

    def damping(self) -> float:
        for where, x, v, _ in self.trials:
            power = float(np.vdot(self.force(where, x, v) - self.force(where, x, 0 * v), v))
            other = float(np.vdot(self.force(where, x, -v) - self.force(where, x, 0 * v), -v))
            if power > TOLERANCE * max(abs(power), abs(other), 1e-12) and other > 0:
                fail("damping takes energy", f"{where}, power in W", "sign", "the damping adds energy for v and for -v; its power "
                     "is never positive", power)
        return 0.0

    def system(self) -> float:
        worst, h = 0.0, float(self.random.uniform(0.005, 0.02))
        for where, x, v, step in self.trials:
            where = f"{where}, h = {h:.6g}"
            K = gradient(lambda moved: self.force(where, moved, v), x, step).T
            D = gradient(lambda moved: self.force(where, x, moved), v, step).T if self.with_v["force"] else 0 * K
            A, b = call("system", where, self.obj.system, x, v, h)
            M = np.diag(np.repeat(np.asarray(self.obj.masses, float), 3))
            f = self.force(where, x, v)
            worst = max(worst, compare("matrix of implicit Euler", where, A, M - h * D - h * h * K, TOLERANCE,
                                       system_suspects(M, D, K, h), entry))
            right = h * (f.ravel() + h * K @ v.ravel())
            worst = max(worst, compare("right-hand side of implicit Euler", where, b, right, TOLERANCE, [
                ("dropped term", "it is h f: the term h^2 K v is missing", h * f.ravel()),
                ("dropped h", "the term h^2 K v has h in place of h^2", h * (f.ravel() + K @ v.ravel())),
                ("sign of a part", "the term h^2 K v has the opposite sign", h * (f.ravel() - h * K @ v.ravel()))]))
        return worst


def system_suspects(M, D, K, h: float) -> list:
    """What usual mistakes make of M - h D - h^2 K."""
    return [("dropped h^2", "it is M - h D - K: the factor h^2 of the stiffness is missing", M - h * D - K),
            ("dropped h", "it is M - h D - h K: the stiffness has h in place of h^2", M - h * D - h * K),
            ("sign of a part", "it is M - h D + h^2 K: the sign of the stiffness is wrong", M - h * D + h * h * K),
            ("sign of a part", "it is M + h D - h^2 K: the sign of the damping is wrong", M + h * D - h * h * K),
            ("damping missing", "it is M - h^2 K: the damping is missing", M - h * h * K),
            ("damping counted twice", "it is M - 2 h D - h^2 K: the damping is counted twice", M - 2 * h * D - h * h * K),
            ("missing part", "it is -h D - h^2 K: the masses are missing", -h * D - h * h * K),
            ("missing part", "it is M - h D: the stiffness is missing", M - h * D)]


def _takes_velocity(obj: Any, name: str) -> bool:
    method = getattr(obj, name, None)
    return callable(method) and len(inspect.signature(method).parameters) >= 2
