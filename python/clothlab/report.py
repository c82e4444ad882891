"""What a step reports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class Report(Mapping):
    """What one step did: a read-only mapping by the keys of the NDJSON report ("iterations", "solve_ms", ...), whose members
    can also be read as attributes. What was not measured is None."""

    def __init__(self, line: str):
        self._values = {"warning": "", **json.loads(line)}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in self._values:
            raise AttributeError(f"a report has no '{key}'")
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._values if key.isidentifier())]

    @property
    def failed(self) -> bool:
        """No new state came of the step."""
        return self._values["status"] in ("diverged", "solve_failed")

    def __repr__(self) -> str:
        return f"<clothlab.Report of step {self._values['step']}: {self._values['status']}>"
