"""`python3 -m clothlab.check FILE [--exercise NAME] [--seed N] [--json]`: checks a force, solver or exercise in a file of Python.

The code of the file runs on this machine, in a process with limits on time and memory; see docs/python.md."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from typing import Any

from .check_exercises import EXERCISES
from .check_forces import check_force
from .check_sandbox import Limits, Sandbox, remote_function, remote_object
from .check_solvers import check_solver
from .check_verdict import Failure, Finding, Verdict


def check_file(path: str, exercise: str | None = None, seed: int = 0, limits: Limits = Limits()) -> Verdict:
    """The verdict on a file; its code runs in a process of its own. exercise: a key of EXERCISES; None: the first class
    in the file with a method solve, apply or force. Whatever that code does becomes a finding."""
    verdict, sandbox = Verdict(os.path.basename(path), seed), Sandbox(path, limits)
    try:
        sandbox.load()
        verdict = _exercise(sandbox, exercise, seed) if exercise else _found(sandbox, seed)
        verdict.subject = f"{os.path.basename(path)}: {exercise or verdict.subject}"
    except Failure as failure:
        verdict.finding = failure.finding
    finally:
        sandbox.close()
        verdict.output = sandbox.output
    return verdict


def _exercise(sandbox: Sandbox, name: str, seed: int) -> Verdict:
    exercise = EXERCISES[name]
    kinds = sandbox.names["functions" if exercise.function else "classes"]
    if exercise.defines not in kinds:
        raise Failure(Finding("import", os.path.basename(sandbox.path), None, None, "missing",
                              f"the file defines no {'function' if exercise.function else 'class'} {exercise.defines}"))

    def make(*arguments: Any) -> Any:
        return remote_function(sandbox, exercise.defines) if exercise.function else remote_object(sandbox, exercise.defines, *arguments)
    return exercise.check(make, seed, name)


def _found(sandbox: Sandbox, seed: int) -> Verdict:
    for name, methods in sandbox.names["classes"].items():
        if "solve" in methods or "apply" in methods:
            return check_solver(remote_object(sandbox, name), seed)
        if "force" in methods:
            return check_force(remote_object(sandbox, name), seed)
    raise Failure(Finding("import", os.path.basename(sandbox.path), None, None, "missing",
                          "no class of the file has a method force, solve or apply"))


def main(arguments: list[str] | None = None) -> int:
    """0: it passes, 1: it does not, 2: wrong use."""
    parser = argparse.ArgumentParser("clothlab check", description="checks a force, solver or exercise; its code runs here")
    parser.add_argument("file")
    parser.add_argument("--exercise", choices=list(EXERCISES))
    parser.add_argument("--seed", type=int, help="of the trials; otherwise another each time")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    try:
        with open(given.file, "rb"):
            pass
    except OSError as error:
        print(f"clothlab: {given.file}: cannot read: {error.strerror}", file=sys.stderr)
        return 2
    seed = secrets.randbelow(1_000_000) if given.seed is None else abs(given.seed)
    verdict = check_file(given.file, given.exercise, seed)
    print(verdict.json() if given.json else verdict.text)
    return 0 if verdict.passed else 1


if __name__ == "__main__":
    sys.exit(main())
