"""The oracle for the projection of a distance constraint with compliance, XPBD (Macklin, Mueller, Chentanez 2016)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .check_forces import call, run
from .check_verdict import Verdict, array, compare, diagnose, fail


def closed_form(x, w, length, compliance, h, lam, power=2, memory=1.0, sign=1.0, outward=1.0):
    """(x, lambda) after one projection: d lambda = (-C - a lambda) / (w0 + w1 + a), a = compliance / h^2. `power` of h and
    the factors of a lambda (`memory`), the change (`sign`) and C (`outward`) make what mistakes give."""
    d = x[0] - x[1]
    distance = np.linalg.norm(d)
    a = compliance / h**power
    change = sign * (-outward * (distance - length) - memory * a * lam) / (w[0] + w[1] + a)
    return x + change * np.outer([w[0], -w[1]], d / distance), lam + change


def check_projection(make: Callable[..., Any], seed: int, subject: str) -> Verdict:
    """project(x, w, length, compliance, h, lam): moves x, m, (2, 3), in place and returns the new lambda; w: 1/kg, (2,),
    compliance: m/N, h: s."""
    verdict = Verdict(subject, seed)
    run(verdict, lambda: _all(verdict, make(), np.random.default_rng([seed, 11]), seed))
    return verdict


def _project(project, where, x, w, length, compliance, h, lam):
    moved = x.copy()
    answer = call("project", where, lambda: project(moved, w.copy(), length, compliance, h, lam))
    return array("position", where, moved, (2, 3)), float(array("lambda", where, answer, ()))


def _all(verdict: Verdict, project, random, seed: int) -> None:
    worst = 0.0
    for trial in range(4):
        x, w = random.normal(size=(2, 3)), random.uniform(0.2, 3, 2)
        if trial == 2:
            w[0] = 0.0  # held
        length, h = float(random.uniform(0.2, 2)), float(random.uniform(0.004, 0.02))
        problem = (x, w, length, float(random.uniform(0.3, 3)) * h * h, h, float(random.uniform(-0.5, 0.5)))
        where = f"seed {seed}, trial {trial}, h = {h:.6g}"
        worst = max(worst, _against_closed_form(where, problem, _project(project, where, *problem)))
    verdict.checks.append(("the closed form", worst))
    x, w = random.normal(size=(2, 3)), random.uniform(0.2, 3, 2)
    after, _ = _project(project, "compliance 0", x, w, 0.7, 0.0, 0.01, 0.0)
    found = np.append((after - x).T @ (1 / w), np.linalg.norm(after[0] - after[1]))
    verdict.checks.append(("momentum, and the length at compliance 0",
                           compare("momentum, and the length at compliance 0", f"seed {seed}", found, [0, 0, 0, 0.7], 1e-9)))
    verdict.checks.append(("small steps", _small_steps(project, random, seed)))


def _against_closed_form(where, problem, found) -> float:
    x, w, length, compliance, h, lam = problem
    right_x, right = closed_form(*problem)
    size, scale = float(np.abs(right_x - x).max()), abs(right) or 1.0

    def packed(result):  # lambda first, both without units
        return np.append(result[1] / scale, (result[0] - x).ravel() / size)

    def with_weights(weights, factor=1.0):
        d = (x[0] - x[1]) / np.linalg.norm(x[0] - x[1])
        return packed((x + factor * (right - lam) * np.outer([weights[0], -weights[1]], d), right))

    inverse = 1 / np.where(w > 0, w, np.inf)
    suspects = [
        ("dropped h^2", "the compliance is not divided by h^2", packed(closed_form(*problem, power=0))),
        ("dropped h", "the compliance is divided by h and not by h^2", packed(closed_form(*problem, power=1))),
        ("h^2", "the compliance is multiplied by h^2 and not divided", packed(closed_form(*problem, power=-2))),
        ("lambda is forgotten", "the term compliance / h^2 lambda is missing", packed(closed_form(*problem, memory=0.0))),
        ("sign of a part", "the term compliance / h^2 lambda has the opposite sign", packed(closed_form(*problem, memory=-1.0))),
        ("sign", "the change of lambda has the opposite sign", packed(closed_form(*problem, sign=-1.0))),
        ("sign of a part", "C has the opposite sign", packed(closed_form(*problem, outward=-1.0))),
        ("rest length", "the rest length is missing", packed(closed_form(x, w, 0.0, compliance, h, lam))),
        ("compliance is forgotten", "it is the projection of PBD, without compliance", packed(closed_form(x, w, length, 0.0, h, lam))),
        ("change returned", "the change of lambda is returned and not their sum", packed((right_x, right - lam))),
        ("counted twice", "x moves twice as far as lambda says", with_weights(w, 2.0)),
        ("sign of a part", "lambda is right, x moves the other way", with_weights(w, -1.0)),
        ("units", "x moves by the masses in place of the inverse masses", with_weights(inverse)),
        ("weights", "x moves without the inverse masses", with_weights(np.ones(2))),
        ("nothing written", "lambda is right, x is as before; x += ... writes into it, x = x + ... does not",
         packed((x, right)))]
    names = ["lambda"] + [f"particle {i} {axis}" for i in range(2) for axis in "xyz"]
    expected, given = packed((right_x, right)), packed(found)
    if np.abs(given - expected).max() > 1e-9:  # the finding shows the numbers in their units
        at = int(np.flatnonzero(np.abs(given - expected) > 1e-9)[0])
        values = [np.append(result[1], result[0].ravel())[at] for result in (found, (right_x, right))]
        fail("the closed form", f"{where}, {names[at]}", *diagnose(given, expected, 1e-9, suspects), *map(float, values))
    return float(np.abs(given - expected).max())


def _small_steps(project, random, seed: int) -> float:
    """A stretched pair swings as a spring of stiffness 1 / compliance: the error falls with h."""
    w, length, compliance = random.uniform(0.5, 2, 2), 1.0, float(random.uniform(0.01, 0.05))
    duration = 1.5 / np.sqrt(w.sum() / compliance)
    stretch = 0.1

    def error(steps):
        h = duration / steps
        x, v = np.array([[0, 0, 0], [length + stretch, 0, 0]]), np.zeros((2, 3))
        for _ in range(steps):
            after, _ = _project(project, f"small steps, h = {h:.6g}", x + h * v, w, length, compliance, h, 0.0)
            x, v = after, (after - x) / h
        return abs(np.linalg.norm(x[0] - x[1]) - length - stretch * np.cos(1.5)) / stretch

    coarse, fine = error(50), error(200)
    if not fine < 0.4 * coarse:
        fail("small steps", f"seed {seed}, error at a quarter of h", "not of first order",
             "the motion does not approach that of a spring of stiffness 1 / compliance", fine, coarse / 4)
    return fine
