"""What a check says: the first wrong number, where, what it should be, and a cause that has been tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

Suspect = tuple[str, str, object]  # a cause, its sentence, and the array that it would give (or whether it holds)


@dataclass(frozen=True)
class Finding:
    """A wrong number. `cause` is a key ("sign"), `words` its sentence; found and expected are None where no number is wrong."""

    check: str
    where: str
    found: float | None
    expected: float | None
    cause: str
    words: str

    def __str__(self) -> str:
        numbers = "" if self.found is None else f": {self.found:.9g}"
        if self.expected is not None:
            numbers += f", should be {self.expected:.9g}"
        return f"{self.check}, {self.where}{numbers}\n  cause: {self.cause}: {self.words}"


class Failure(Exception):
    """Ends a check at its first wrong number."""

    def __init__(self, finding: Finding):
        super().__init__(str(finding))
        self.finding = finding


@dataclass
class Verdict:
    """The result of a check. `passed` and `finding` say the same: a check without a finding has passed.

    checks: (name, largest error relative to the largest expected number) of what passed, in order.
    skipped: what was not checked, and why. rows: a race beside our methods; see Race.rows."""

    subject: str
    seed: int
    checks: list[tuple[str, float]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    rows: list[dict] = field(default_factory=list)
    finding: Finding | None = None
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything that was checked is right."""
        return self.finding is None

    @property
    def text(self) -> str:
        """For people: the verdict, then what was right, what was not checked, and the race."""
        lines = [f"{self.subject} {'passes' if self.passed else 'does not pass'} (seed {self.seed})"]
        lines += [] if self.finding is None else [f"  wrong: {self.finding}"]
        lines += [f"  right: {name} (error {error:.1e})" for name, error in self.checks]
        lines += [f"  not checked: {each}" for each in self.skipped]
        lines += [f"  {row['frame']}: {row['label']}: {row['iterations']} iterations, {row['total_ms']:.3f} ms, {row['status']}"
                  for row in self.rows]
        lines += [f"  printed: {line}" for line in self.output.splitlines()[:20]]
        return "\n".join(lines)

    def json(self) -> str:
        """All of it, the curves of the race included; null for a number that is not finite."""
        return json.dumps(_finite({"passed": self.passed, **asdict(self)}))

    def __str__(self) -> str:
        return self.text


def _finite(value):
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def fail(check: str, where: str, cause: str, words: str, found: float | None = None, expected: float | None = None) -> None:
    raise Failure(Finding(check, where, found, expected, cause, words))


def array(check: str, where: str, value, shape: tuple[int, ...]) -> np.ndarray:
    """The value as numbers of this shape; a finding where it is something else."""
    if value is None:
        fail(check, where, "nothing returned", "the method returns None; is `return` missing?")
    value = value.toarray() if hasattr(value, "toarray") else value
    try:
        value = np.asarray(value, float)
    except (TypeError, ValueError):
        fail(check, where, "no numbers", f"{type(value).__name__} is no array of numbers")
    if value.shape != shape:
        if value.size == np.prod(shape) and value.ndim != 1 and shape[-1:] == (3,):
            fail(check, where, "shape", f"the shape is {value.shape}, should be {shape}")
        if value.size != np.prod(shape):
            fail(check, where, "shape", f"the shape is {value.shape}, should be {shape}")
        value = value.reshape(shape)
    if not np.isfinite(value).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(value))[0])
        fail(check, f"{where}, entry {at}", "not finite", "a division by zero, or an overflow", float(value[at]))
    return value


def compare(check: str, where: str, found, expected, tolerance: float, suspects: Sequence[Suspect] = (),
            name: Callable[[tuple[int, ...]], str] = str, scale: float | None = None, h: float | None = None) -> float:
    """The largest difference over the largest expected number; a Failure at the first entry that is wrong by more than the
    tolerance. Causes are tried in this order: suspects, a constant factor, parts that are missing."""
    expected = np.asarray(expected, float)
    found = array(check, where, found, expected.shape)
    scale = scale or max(float(np.abs(expected).max(initial=0)), 1e-300)
    wrong = np.abs(found - expected) > tolerance * scale
    if not wrong.any():
        return float(np.abs(found - expected).max(initial=0) / scale)
    at = tuple(int(k) for k in np.argwhere(wrong)[0])
    cause, words = diagnose(found, expected, tolerance, suspects, h)
    place = f"{where}, entry {name(at)}" if at else where
    raise Failure(Finding(check, place, float(found[at]), float(expected[at]), cause, words))


def same(found: np.ndarray, other, expected: np.ndarray, tolerance: float) -> bool:
    """Whether `found` is `other`, and nearer to it than to what is expected."""
    other = np.asarray(other, float)
    if other.shape != found.shape or not np.isfinite(other).all():
        return False
    error = float(np.abs(found - other).max(initial=0))
    return error <= 10 * tolerance * max(float(np.abs(other).max(initial=0)), 1e-300) and \
        error < 0.1 * float(np.abs(found - expected).max(initial=0))


def diagnose(found: np.ndarray, expected: np.ndarray, tolerance: float, suspects: Sequence[Suspect],
             h: float | None = None) -> tuple[str, str]:
    """The cause that explains all of `found`: each hypothesis is computed and compared, none is guessed."""
    size = float(np.vdot(expected, expected))
    factor = float(np.vdot(expected, found)) / size if size > 0 else 0.0
    if factor != 0 and same(found, factor * expected, expected, tolerance):
        if found.size > 1 or abs(factor + 1) < 1e-6:
            return factor_words(factor, h)
    for cause, words, would in suspects:
        if would if isinstance(would, (bool, np.bool_)) else same(found, would, expected, tolerance):
            return cause, words
    if factor != 0 and found.size == 1 and same(found, factor * expected, expected, tolerance):
        return factor_words(factor, h)
    return parts(found, expected, tolerance, [cause for cause, _, _ in suspects])


def factor_words(factor: float, h: float | None) -> tuple[str, str]:
    """Why everything is `factor` times what it should be."""
    def near(value):
        return abs(factor / value - 1) < 1e-4

    if near(-1):
        return "sign", "with the opposite sign all of it is right"
    if h:
        for power, cause in ((-2, "dropped h^2"), (2, "h^2 too much"), (-1, "dropped h"), (1, "h too much")):
            if near(h**power):
                return cause, f"all of it is {factor:.6g} = h^{power} times what it should be, with h = {h:g}"
    if near(2):
        return "counted twice", "all of it is twice what it should be"
    if near(0.5):
        return "half", "all of it is half of what it should be; each pair counts once for either particle"
    power = np.log10(abs(factor))
    if abs(power - round(power)) < 1e-4:
        return "units", f"all of it is {factor:.6g} times what it should be: a power of ten, so a unit is wrong"
    return "factor", f"all of it is {factor:.6g} times what it should be"


def parts(found: np.ndarray, expected: np.ndarray, tolerance: float, tried: Sequence[str]) -> tuple[str, str]:
    if not found.any():
        return "missing", "all of it is zero"
    right = np.abs(found - expected) <= tolerance * max(float(np.abs(expected).max(initial=0)), 1e-300)
    if found.size > 1 and (found[~right] == 0).all():
        return "missing part", f"{int((~right).sum())} of {found.size} entries are zero and should not be; the others are right"
    if found.size > 1 and same(-found[~right], expected[~right], -expected[~right], tolerance):
        return "sign of a part", f"{int((~right).sum())} of {found.size} entries have the opposite sign; the others are right"
    words = ", ".join(dict.fromkeys(["sign", "factor", *tried, "missing part"]))
    return "unknown", f"none of the usual causes fits ({words} were tried); {int(right.sum())} of {found.size} entries are right"
