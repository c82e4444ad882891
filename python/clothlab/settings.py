"""Settings by the keys of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from . import _core, _text


class Settings(MutableMapping):
    """All settings of a simulation that change between two steps, by the keys of the files ("integrator.dt").

    Reading gives numbers, bools, words and tuples of three; writing takes what `--set` takes, too. A change is refused
    with a clothlab.Error that says what would be valid."""

    def __init__(self, native: _core.Simulation, changed: Callable[[], Any] = lambda: None):
        self._native, self._changed = native, changed

    def __getitem__(self, key: str) -> Any:
        all_of_them = self._native.settings()
        if key not in all_of_them:
            raise KeyError(key)
        return all_of_them[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def __delitem__(self, key: str) -> None:
        raise TypeError("a setting can be changed, not deleted")

    def __iter__(self) -> Iterator[str]:
        return iter(self._native.settings())

    def __len__(self) -> int:
        return len(self._native.settings())

    def update(self, *values: Any, **none: Any) -> None:
        """Changes several at once: all of them, or none where one is refused."""
        changes = dict(*values, **none)
        self._native.assign(_text.assignments(changes))
        self._changed()

    def __repr__(self) -> str:
        return f"Settings({self._native.settings()!r})"
