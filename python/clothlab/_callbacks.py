"""What the compiled part asks of Python while it calls back."""

from __future__ import annotations

import inspect
import traceback
from types import TracebackType
from typing import Any

import numpy as np
import scipy.sparse as sparse


def matrix(data: np.ndarray, columns: np.ndarray, starts: np.ndarray) -> sparse.bsr_array:
    size = 3 * (len(starts) - 1)
    return sparse.bsr_array((data, columns, starts), shape=(size, size), blocksize=(3, 3))


def filter(particles: np.ndarray, blocks: np.ndarray, count: int) -> sparse.bsr_array:
    """S of so many particles: these blocks, and the identity for the others."""
    data = np.tile(np.eye(3), (count, 1, 1))
    data[particles] = blocks
    index = np.arange(count + 1)
    return matrix(data, index[:-1], index)


def takes_filter(solver: Any) -> bool:
    """Whether it is solve(A, b, x, S)."""
    try:
        return "S" in inspect.signature(solver.solve).parameters
    except (TypeError, ValueError):  # a C function without a signature
        return False


def tell_limits(solver: Any, tolerance: float, max_iterations: int) -> None:
    for name, value in (("tolerance", tolerance), ("max_iterations", max_iterations)):
        if hasattr(solver, name):
            setattr(solver, name, value)


def iterations(returned: Any) -> int:
    """Of what solve returns: None, their number, or a pair with it."""
    first = returned[0] if isinstance(returned, tuple) and returned else returned
    if first is None:
        return 0
    if isinstance(first, (int, np.integer)) and not isinstance(first, bool):
        return int(first)
    raise TypeError("solve returned neither None nor its number of iterations; the solution is written into x, as x[:] = ...")


def describe(error: BaseException, trace: TracebackType | None) -> str:
    """"ZeroDivisionError: division by zero (mine.py:12, in apply)". The frames let go of their variables, which may be views
    of memory that the solver uses again."""
    frames = traceback.extract_tb(trace)
    error.__traceback__ = trace
    traceback.clear_frames(trace)
    words = "".join(traceback.format_exception_only(type(error), error)).strip().replace("\n", " ")
    if not frames:
        return words
    last = frames[-1]
    return f"{words} ({last.filename.rsplit('/', 1)[-1]}:{last.lineno}, in {last.name})"
