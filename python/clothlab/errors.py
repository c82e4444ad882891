"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """A mistake in what was given: the words, file, line and column that the command line would print.

    Attributes: message (without the place), file ("" when the input was no file), line and column (from 1; 0 = unknown),
    choices (what would be valid, where it can be listed)."""

    def __init__(self, text: str, message: str = "", file: str = "", line: int = 0, column: int = 0,
                 choices: list[str] | None = None):
        super().__init__(text)
        self.message, self.file, self.line, self.column = message or text, file, line, column
        self.choices = list(choices or [])


class StepFailed(RuntimeError):
    """A step that failed. The simulation is as it was before it; `report` is that of the step. Where Python code failed in
    it, its exception is the cause."""

    def __init__(self, message: str, report: Any = None):
        super().__init__(message)
        self.report = report
