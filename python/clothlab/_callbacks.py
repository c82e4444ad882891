"""What the compiled part asks of Python while it calls back."""

from __future__ import annotations

import traceback
from types import TracebackType

import numpy as np
import scipy.sparse as sparse


def matrix(data: np.ndarray, columns: np.ndarray, starts: np.ndarray) -> sparse.bsr_array:
    size = 3 * (len(starts) - 1)
    return sparse.bsr_array((data, columns, starts), shape=(size, size), blocksize=(3, 3))


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
