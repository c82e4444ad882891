"""Solvers and preconditioners on one system."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _core, _svg
from .errors import Error


class _Shown(str):
    """A text that a notebook and the interpreter's prompt show as it is."""

    __repr__ = str.__str__


class Race:
    """The result of a race: what `clothlab race` prints and writes."""

    def __init__(self, native: _core.Race):
        self._native = native
        self._values = json.loads(native.json())

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each contestant and tolerance, in the order in which they ran: the columns of `clothlab race --json`, its
        curves, "label" and "message". None where there is a gap."""
        words = zip(self._values["rows"], self._native.labels(), self._native.messages())
        return [{**row, "label": label, "message": message} for row, label, message in words]

    def table(self) -> str:
        """As `clothlab race` prints it."""
        return _Shown(self._native.table())

    def save(self, path: str | os.PathLike) -> None:
        """Writes a picture of the residuals (.svg), the table (.txt), all columns (.csv) or everything (.json)."""
        writers = {".svg": self._svg, ".txt": self.table, ".csv": self._native.csv, ".json": self._native.json}
        ending = Path(path).suffix
        if ending not in writers:
            raise Error(f"{os.fspath(path)}: a race is written as {', '.join(writers)}", choices=list(writers))
        Path(path).write_text(writers[ending](), encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self._svg()

    def _svg(self) -> str:
        rows, finest = self.rows, min(row["tolerance"] for row in self.rows)
        curves = [(row["label"], row["residual_ms"], row["residuals"]) for row in rows
                  if row["tolerance"] == finest and len(row["residual_ms"]) == len(row["residuals"]) > 1]
        return _svg.chart(curves, "ms from the start of the set-up", "relative residual", log_y=True)

    def __len__(self) -> int:
        return len(self._values["rows"])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<clothlab.Race of {len(self)} rows>"
