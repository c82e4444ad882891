"""The oracles for solvers and preconditioners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._callbacks import takes_filter
from .check_forces import call, run
from .check_frames import Frame, frames
from .check_verdict import Verdict, array, compare, fail

TOLERANCE = 1e-6
OURS = ("mpcg incomplete-cholesky", "mpcg constrained-block")  # shown beside any contestant
Reference = Callable[[Frame], np.ndarray]  # the inverse that a preconditioner should be, dense
Suspects = Callable[[Frame], list]


def check_solver(obj: Any, seed: int = 0) -> Verdict:
    """Checks a solver or preconditioner on five frozen frames of 16 to 36 particles, varied by the seed.

    A preconditioner has apply(r, z), which writes into z, and perhaps setUp(A), with A = S A S + s(I - S). It has to be
    linear, symmetric and positive, and conjugate gradients with it have to converge.
    A solver has solve(A, b, x) on that A and b = S(b - A z), and writes into x; or solve(A, b, x, S) with A and b as they are,
    the filter S, and x = z at the start, whose part (I - S) x it must keep. It may return its number of iterations, or
    (iterations, |r| / |r0|) with r = S(b - A x) at the end and at the start. `tolerance` is set where there is such an attribute.

    A, S: scipy.sparse.bsr_array, kg and 1, (3N, 3N); b: kg m/s, (3N,); x: m/s, (3N,).
    Raises TypeError where there is neither method."""
    return check_on_frames(obj, seed)


def check_on_frames(obj: Any, seed: int, reference: Reference | None = None, suspects: Suspects = lambda frame: [],
                    iterations: bool = False, subject: str = "") -> Verdict:
    """check_solver; with a reference for the preconditioner's inverse, or for the iterations of conjugate gradients."""
    is_solver = callable(getattr(obj, "solve", None))
    if not is_solver and not callable(getattr(obj, "apply", None)):
        raise TypeError("check_solver: the object has neither apply(r, z) nor solve(A, b, x)")
    kind = "a solver" if is_solver else "a preconditioner"
    verdict = Verdict(subject or f"{getattr(obj, 'name', type(obj).__name__)}, {kind}", seed)

    def checks():
        worst: dict[str, float] = {}
        all_frames = frames(seed)
        for frame in all_frames:
            where = f"frame '{frame.name}', seed {seed}"
            found = _solver(obj, frame, where, iterations) if is_solver else _preconditioner(obj, frame, where, reference,
                                                                                          suspects)
            for name, error in found:
                worst[name] = max(worst.get(name, 0.0), error)
            verdict.checks = list(worst.items())
        for frame in all_frames:
            _race(verdict, frame, [obj])
    run(verdict, checks)
    return verdict


def _race(verdict: Verdict, frame: Frame, contestants: Sequence[Any]) -> None:
    race = frame.simulation.race([*OURS, *contestants], tolerances=[TOLERANCE], runs=1, max_iterations=2000)
    keys = ("label", "iterations", "total_ms", "status", "message", "residuals", "residual_ms", "true_relative_residual")
    verdict.rows += [{"frame": frame.name, **{key: row[key] for key in keys}} for row in race.rows]


# --- preconditioners

def inverse_of(obj: Any, frame: Frame, where: str) -> np.ndarray:
    """The matrix that apply multiplies with, column by column."""
    if callable(getattr(obj, "setUp", None)):
        A = frame.constrained.copy()
        call("setUp", where, obj.setUp, A)
        if abs(A - frame.constrained).max() > 0:
            fail("setUp", where, "changes its argument", "setUp writes into A, which others read")
    return np.column_stack([_apply(obj, unit, where) for unit in np.eye(frame.size)])


def _apply(obj: Any, r: np.ndarray, where: str) -> np.ndarray:
    given, z = r.copy(), np.full(len(r), np.nan)
    call("apply", where, lambda: obj.apply(given, z))
    if not np.array_equal(given, r):
        fail("apply", where, "changes its argument", "apply writes into r, which the solver needs")
    if np.isnan(z).all():
        fail("apply", where, "nothing written", "apply leaves z as it was; z[:] = ... writes into it, z = ... does not")
    return array("apply", where, z, r.shape)


def _preconditioner(obj: Any, frame: Frame, where: str, reference: Reference | None, suspects: Suspects):
    P = inverse_of(obj, frame, where)
    tried = [*suspects(frame), *usual_inverses(frame)]
    size = float(np.abs(P).max()) or 1.0
    symmetric = compare("symmetric", where, P, P.T, TOLERANCE, [*_as_found(P, tried), *_triangle(P)], scale=size)
    values, vectors = np.linalg.eigh((P + P.T) / 2)
    if values[0] <= 0:
        v = vectors[:, 0]
        at = int(np.argmax(np.abs(v)))
        cause, words = ("sign", "-P is positive: with the opposite sign all of it is right") if values[-1] <= 0 else (
            "indefinite", f"{int((values <= 0).sum())} of {len(values)} eigenvalues are not positive; the vector of this one is largest "
                          f"in entry {at}, particle {at // 3}")
        for key, sentence, matches in _as_found(P, tried):
            if matches:
                cause, words = key, sentence
                break
        fail("positive", f"{where}, smallest eigenvalue of P^-1, entry {at}", cause, words, float(values[0]))
    r = np.random.default_rng(frame.size).normal(size=frame.size)
    linear = compare("linear", where, _apply(obj, r, where), P @ r, TOLERANCE,
                     [("not linear", "the sum of the columns is not what the method gives for the sum", True)])
    done = [("symmetric", symmetric), ("positive", 0.0), ("linear", linear)]
    if reference is not None:
        expected = reference(frame)
        done.append(("what the formula says", compare("what the formula says", where, P, expected, TOLERANCE, tried)))
    x, count = pcg(frame.constrained, frame.right, P, TOLERANCE, 4 * frame.size)
    residual = float(np.linalg.norm(frame.right - frame.constrained @ x) / np.linalg.norm(frame.right))
    if residual > 2 * TOLERANCE:
        fail("converges", f"{where}, relative residual after {count} iterations", "too slow",
             "the preconditioner is symmetric and positive, but far from an inverse of A", residual, TOLERANCE)
    return [*done, ("conjugate gradients converge", residual)]


def _as_found(P: np.ndarray, tried: Sequence) -> list:
    """Suspects of the whole inverse, for a check of a part of it."""
    return [(cause, words, bool(np.shape(would) == P.shape and
                                np.abs(P - would).max() <= TOLERANCE * max(float(np.abs(would).max()), 1e-300)))
            for cause, words, would in tried]


def _triangle(P: np.ndarray) -> list:
    size = TOLERANCE * np.abs(P).max()
    lower, upper = bool(np.abs(np.triu(P, 1)).max() <= size), bool(np.abs(np.tril(P, -1)).max() <= size)
    return [("missing transpose", "P^-1 is a lower triangle: the solve with the transposed factor is missing", lower),
            ("missing transpose", "P^-1 is an upper triangle: the solve with the factor itself is missing", upper),
            ("unsymmetric", "no triangular factor or sweep of A gives it", True)]


def incomplete_cholesky(A: np.ndarray, pattern: np.ndarray) -> np.ndarray:
    """IC(0): the lower factor with entries in the pattern alone. NaN where a pivot is not positive."""
    L = np.tril(A).astype(float)
    for k in range(len(L)):
        L[k, k] = np.sqrt(L[k, k]) if L[k, k] > 0 else np.nan
        L[k + 1:, k] /= L[k, k]
        update = np.outer(L[k + 1:, k], L[k + 1:, k])
        L[k + 1:, k + 1:] -= np.tril(np.where(pattern[k + 1:, k + 1:], update, 0))
    return L


def stored(frame: Frame) -> np.ndarray:
    """Which entries belong to a block of A, (3N, 3N)."""
    A = frame.constrained
    rows = np.repeat(np.arange(len(A.indptr) - 1), np.diff(A.indptr))
    pattern = np.zeros((frame.size // 3, frame.size // 3), bool)
    pattern[rows, A.indices] = True
    return np.kron(pattern, np.ones((3, 3), bool)).astype(bool)


def usual_inverses(frame: Frame) -> list:
    """What usual mistakes make of a preconditioner."""
    A = frame.constrained.toarray()
    d, n = A.diagonal(), len(A)
    L = incomplete_cholesky(A, stored(frame))
    made = [("no preconditioner", "z is r", np.eye(n)),
            ("sign", "it is -1/d: the sign of the diagonal is wrong", -np.diag(1 / d)),
            ("not inverted", "r is multiplied by the diagonal of A and not divided by it", np.diag(d)),
            ("off by one", "the diagonal is that of the row before", np.diag(1 / np.roll(d, 1))),
            ("off by one", "the diagonal is that of the row after", np.diag(1 / np.roll(d, -1))),
            ("off by one", "the diagonal is that of the particle before", np.diag(1 / np.roll(d, 3))),
            ("off by one", "the diagonal is that of the particle after", np.diag(1 / np.roll(d, -3))),
            ("square root", "r is divided by the root of the diagonal", np.diag(d**-0.5)),
            ("missing transpose", "it is (D + L)^-1: one sweep of Gauss and Seidel alone", np.linalg.inv(np.tril(A))),
            ("missing transpose", "it is (D + L^T)^-1: one sweep of Gauss and Seidel alone", np.linalg.inv(np.triu(A)))]
    if np.isfinite(L).all():
        inverse = np.linalg.inv(L)
        made += [("missing transpose", "it is L^-1 L^-1: the second solve needs the transpose of L", inverse @ inverse),
                 ("missing transpose", "it is L^-1: the solve with the transpose of L is missing", inverse),
                 ("missing transpose", "it is L^-T L^-T: the first solve needs L itself", inverse.T @ inverse.T),
                 ("order of factors", "it is L^-1 L^-T: the solve with L comes first", inverse @ inverse.T)]
    return made


def pcg(A, b: np.ndarray, P: np.ndarray, tolerance: float, most: int) -> tuple[np.ndarray, int]:
    """Preconditioned conjugate gradients from zero, to |r| <= tolerance |b|."""
    x, r, p, rho = 0 * b, b.copy(), 0 * b, 1.0
    for k in range(most):
        if np.linalg.norm(r) <= tolerance * np.linalg.norm(b):
            return x, k
        z = P @ r
        before, rho = rho, float(r @ z)
        p = z + (rho / before if k else 0) * p
        q = A @ p
        step = rho / float(p @ q)
        x, r = x + step * p, r - step * q
    return x, most


# --- solvers

def _solver(obj: Any, frame: Frame, where: str, iterations: bool):
    filtered = takes_filter(obj)
    tolerance = TOLERANCE if hasattr(obj, "tolerance") else None
    if tolerance:
        obj.tolerance = tolerance
    A, b, start = (frame.A, frame.b, frame.z) if filtered else (frame.constrained, frame.right, 0 * frame.b)
    x = start.copy()
    given = [A.copy(), b.copy()] + ([frame.S.copy()] if filtered else [])
    said = call("solve", where, lambda: obj.solve(given[0], given[1], x, *given[2:]))
    if not np.array_equal(given[1], b) or abs(given[0] - A).max() > 0:
        fail("solve", where, "changes its argument", "solve writes into A or b, which others read")
    if filtered and not np.isfinite(x).all() and _solves_unconstrained(obj, frame, where):
        fail("solve", where, "no constraint filter", "it diverges here, and converges with S = I where constraints are part of the matrix",
             float(x[~np.isfinite(x)][0]))
    x = array("solve", where, x, b.shape)
    S = frame.S if filtered else np.eye(len(b))
    solution = _solution(frame, frame.right) + (frame.z if filtered else 0)
    tried = _wrong_solutions(frame, filtered, solution)
    kept = compare("constraints", where, x - S @ x, start - S @ start, TOLERANCE, _as_solution(x, solution, tried),
                   scale=float(np.abs(solution).max()))
    r0, r = float(np.linalg.norm(S @ (b - A @ start))), float(np.linalg.norm(S @ (b - A @ x)))
    said = said if isinstance(said, (tuple, list)) else (said,)
    wanted = tolerance or 1e-3
    if r > 2 * wanted * r0:
        _other_solution(x, solution, start, r / r0, wanted, where, tried)
    _claimed(said, where, r, r0, frame, S @ (b - A @ x))
    if r > 2 * wanted * r0:
        _not_converged(r, r0, wanted, where, float(np.abs(S @ (b - A @ x)).max()))
    done = [("constraints are kept", kept), ("relative residual", r / r0)]
    if iterations and said[0] is not None:
        _count(int(said[0]), frame, where)
        done.append(("number of iterations", 0.0))
    return done


def _solution(frame: Frame, right: np.ndarray) -> np.ndarray:
    return np.linalg.solve(frame.constrained.toarray(), right)


def _wrong_solutions(frame: Frame, filtered: bool, solution: np.ndarray) -> list:
    """The exact solutions of other systems."""
    A, S, z = frame.A.toarray(), frame.S.toarray(), frame.z
    made = [("no constraint filter", "it is the solution of A x = b without S", np.linalg.solve(A, frame.b))]
    if filtered:
        made += [("z is dropped", "it is the solution with z = 0", _solution(frame, S @ frame.b)),
                 ("z is dropped", "the part (I - S) x is set to zero; the rest is right", S @ solution),
                 ("start is forgotten", "the first residual is S b: A x of the start is left out",
                  _solution(frame, S @ frame.b) + z)]
    return made


def _solves_unconstrained(obj: Any, frame: Frame, where: str) -> bool:
    x, one = 0 * frame.right, frame.S.copy()
    one.data = np.tile(np.eye(3), (len(one.data), 1, 1))
    call("solve", where, lambda: obj.solve(frame.constrained.copy(), frame.right.copy(), x, one))
    right = _solution(frame, frame.right)
    return bool(np.abs(x - right).max() <= 1e-3 * np.abs(right).max())


def _near(x: np.ndarray, would: np.ndarray, solution: np.ndarray) -> bool:
    """Whether x is that solution, and not as well the right one: on a frame without constraints they may be the same."""
    error = float(np.abs(x - would).max())
    return error <= 1e-3 * float(np.abs(would).max()) and error < 0.1 * float(np.abs(x - solution).max()) and \
        bool(np.abs(would - solution).max() > 1e-2 * np.abs(solution).max())


def _as_solution(x: np.ndarray, solution: np.ndarray, tried: Sequence) -> list:
    return [*((cause, words, _near(x, would, solution)) for cause, words, would in tried),
            ("no constraint filter", "x has changed in directions that S removes", True)]


def _claimed(said: Sequence, where: str, r: float, r0: float, frame: Frame, rest: np.ndarray) -> None:
    """A residual that is returned is the true one."""
    if len(said) < 2 or said[1] is None:
        return
    claim, true = float(array("residual as claimed", where, said[1], ())), r / r0
    if abs(claim - true) <= 1e-2 * true + 1e-12:
        return
    others = [("residual misreported", "it is the square of the relative residual", true * true),
              ("residual misreported", "it is |r|, not relative to the start", r),
              ("residual misreported", "it is r . r, neither a root nor relative", r * r),
              ("residual misreported", "it is the largest entry of r", float(np.abs(rest).max())),
              ("residual misreported", "it is |r| / |b|, not relative to the start", r / float(np.linalg.norm(frame.b)))]
    for cause, words, value in others:
        if abs(claim - value) <= 1e-2 * value + 1e-300:
            fail("residual as claimed", where, cause, words, claim, true)
    fail("residual as claimed", where, "residual misreported", "it is none of |r|, |r|^2, max |r|, |r| / |b| either", claim, true)


def _other_solution(x, solution, start, residual: float, wanted: float, where: str, tried: Sequence) -> None:
    """A finding where x is the solution of something else."""
    size, place = float(np.abs(solution).max()), f"{where}, relative residual"
    for cause, words, would in [("sign", "-x is the solution", -solution), *tried]:
        if _near(x, would, solution):
            fail("converges", place, cause, words, residual, wanted)
    factor = float(x @ solution) / float(solution @ solution)
    if factor and abs(factor - 1) > 1e-2 and np.abs(x - factor * solution).max() <= 1e-3 * abs(factor) * size:
        fail("converges", place, "factor", f"x is {factor:.6g} times the solution", residual, wanted)
    if np.array_equal(x, start):
        fail("converges", place, "nothing written", "x is as it was at the start; x[:] = ... writes into it, x = ... does not",
             residual, wanted)


def _not_converged(r: float, r0: float, wanted: float, where: str, largest: float) -> None:
    place = f"{where}, relative residual"
    rules = [("the square of the norm: r . r against tolerance r0 . r0", (r / r0) ** 2),
             ("a norm that is not relative: |r| against tolerance", r),
             ("the largest entry of r against tolerance", largest),
             ("a squared norm that is not relative: r . r against tolerance", r * r)]
    for words, value in rules:
        if wanted * 1e-3 < value <= 1.001 * wanted:
            fail("converges", place, "stopping rule", f"what was found agrees with {words}", r / r0, wanted)
    fail("converges", place, "not converged", "x is no solution of a system that was tried (sign, factor, filter, z, start)", r / r0,
         wanted)


def _count(said: int, frame: Frame, where: str) -> None:
    """The number of iterations is that of conjugate gradients; rounding may move it by one near the tolerance."""
    unit = np.eye(frame.size)

    def counts(tolerance):
        return pcg(frame.constrained, frame.right, unit, tolerance, 4 * frame.size)[1]

    low, high = counts(TOLERANCE * 1.02), counts(TOLERANCE / 1.02)
    if low <= said <= high:
        return
    cause = ("off by one", "the count is one more than the products with A") if said == high + 1 else (
        "off by one", "the count is one less than the products with A") if said == low - 1 else (
        "slow", "more iterations than conjugate gradients without a preconditioner take") if said > high else (
        "iterations misreported", "fewer iterations than conjugate gradients take")
    fail("number of iterations", where, *cause, float(said), float(low))
