"""Sweeps, the papers' tables and charts, as the commands of the same names make them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, _folders, _svg, _text


def load_plugin(path: str | os.PathLike) -> None:
    """Loads a library with solvers and preconditioners (docs/extending.md#a-plug-in) for the rest of the process: its methods
    have names in settings and rows in races, and windows of `show` load it, too. Its code runs here, as you. A clothlab.Error
    says why it cannot be loaded; one that is there already is left alone. Another process needs it anew, and that before
    it unpickles a simulation that names it."""
    file = os.path.abspath(path)
    _core.load_plugin(file)
    if file not in _folders.plugins:
        _folders.plugins.append(file)


def sweep(scene: str | os.PathLike, vary: Mapping[str, Sequence[Any]], settings: Mapping[str, Any] | None = None,
          reference: Mapping[str, Any] | None = None, steps: int = -1, threads: int = 1, repeat: int = 1
          ) -> dict[str, np.ndarray]:
    """Runs a scene with every combination of the varied settings: a column for each varied key and for each number that
    `clothlab sweep` writes, an array with one entry a run. Numbers that are missing are NaN.

    reference: what the run differs in by which the others' errors are measured; steps -1: the scene's own."""
    varied = [key + "=" + (";" if _has_vectors(values) else ",").join(map(_text.value_text, values))
              for key, values in vary.items()]
    lines = _core.sweep(os.fspath(scene), _text.assignments(settings), varied, _text.assignments(reference), steps, threads,
                        repeat, _folders.assets())
    rows = [json.loads(line) for line in lines]
    flat = [{**row.pop("vary"), **{key: value for key, value in row.items() if not isinstance(value, (dict, list))}}
            for row in rows]
    return _columns(flat)


def reproduce(table: str, quick: bool = False, threads: int = 1, sets: int = 0, seed: int = 1,
              settings: Mapping[str, Any] | None = None, side: int = 0) -> dict[str, np.ndarray]:
    """A table of a paper computed again ("ye-table-2"; `tables()` has the names): a column for each key of its cases, for each
    value measured here ("ours.KEY") and for each that is printed in the paper ("paper.KEY"). `settings` changes the scenes that the table
    steps, `side` is the particles per side in place of the table's own sizes."""
    made = json.loads(_core.reproduce(table, quick, threads, sets, seed, _text.assignments(settings), side,
                                      _folders.assets()))
    return _columns([{**row["case"], **{"ours." + key: value for key, value in row["ours"].items()},
                      **{"paper." + key: value for key, value in row["paper"].items()}} for row in made["rows"]])


def tables() -> list[str]:
    """The names of the papers' tables."""
    return _core.tables()


def plot(files: str | os.PathLike | Sequence[str | os.PathLike], out: str | os.PathLike | None = None, x: str = "",
         y: Sequence[str] = (), by: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The curves that `clothlab plot` draws of reports and sweeps (NDJSON): a dict for each chart, with "x_key", "y_key",
    "x_label", "y_label", "log_x", "log_y", "note" and "curves", each with "name", "x" and "y" as arrays. What is not asked
    for is chosen. `out`: the first chart as a picture, .svg."""
    names = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    charts = _core.charts([os.fspath(name) for name in names], x, list(y), list(by))
    if out is not None and charts:
        first = charts[0]
        curves = [(curve["name"], curve["x"], curve["y"]) for curve in first["curves"]]
        with open(out, "w", encoding="utf-8") as file:
            file.write(_svg.chart(curves, first["x_label"], first["y_label"], first["log_x"], first["log_y"]))
    return charts


def _has_vectors(values: Sequence[Any]) -> bool:
    return any(not isinstance(value, str) and np.ndim(value) > 0 for value in values)


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return {key: _array([row.get(key) for row in rows]) for key in keys}


def _array(values: Sequence[Any]) -> np.ndarray:
    if any(isinstance(value, str) for value in values):
        return np.array(["" if value is None else str(value) for value in values])
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    return np.array([np.nan if value is None else value for value in values], dtype=float)
