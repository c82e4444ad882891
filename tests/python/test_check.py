"""What is handed in: mistakes are named by their cause, right solutions pass, hostile files are a verdict."""

import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest
from solutions import MISTAKES, SOLUTIONS, planted

import clothlab as cl
from clothlab.check import check_file
from clothlab.check_exercises import EXERCISES
from clothlab.check_sandbox import Limits
from clothlab.check_verdict import diagnose

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "exercises"


def verdict_on(exercise, text, seed=3):
    """In this process."""
    names = {"__name__": "handed_in"}
    exec(text, names)
    it = EXERCISES[exercise]
    return it.check((lambda *a: names[it.defines]) if it.function else (lambda *a: names[it.defines](*a)), seed, exercise)


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_a_right_solution_passes_with_every_seed(exercise):
    text = SOLUTIONS[exercise]
    assert len([line for line in text.splitlines() if line.strip()]) <= 20
    for seed in range(4):
        verdict = verdict_on(exercise, text, seed)
        assert verdict.passed and verdict.checks and "passes" in verdict.text, verdict.text


@pytest.mark.parametrize("exercise, old, new, cause", MISTAKES)
def test_a_planted_mistake_is_named_by_its_cause(exercise, old, new, cause):
    for seed in (3, 8, 102, 103):  # in the last two, conjugate gradients without a filter overflow or end early
        verdict = verdict_on(exercise, planted(exercise, old, new), seed)
        assert not verdict.passed and verdict.finding.cause == cause, verdict.text
        assert "does not pass" in verdict.text and verdict.finding.words in verdict.text


def test_the_files_to_fill_in_do_not_pass_and_the_table_is_whole():
    assert set(SOLUTIONS) == set(EXERCISES)
    page = (FOLDER / "README.md").read_text()
    for exercise in EXERCISES:
        file = FOLDER / f"{exercise.replace('-', '_')}.py"
        assert not verdict_on(exercise, file.read_text()).passed, exercise
        assert f"{exercise}.md" in page and file.name in (FOLDER / f"{exercise}.md").read_text()


def test_a_seed_is_the_same_check_and_others_differ():
    wrong = planted("jacobi", "r / self.d", "r * self.d")
    one, again, other = (verdict_on("jacobi", wrong, seed).finding for seed in (1, 1, 2))
    assert one == again and one.found != other.found and one.expected != other.expected


def test_a_cause_that_does_not_fit_is_not_named():
    random = np.random.default_rng(1)
    found, expected = random.normal(size=(2, 6, 6))
    cause, words = diagnose(found, expected, 1e-6, [("transpose", "", expected.T)])
    assert cause == "unknown" and "transpose" in words


class Pair:
    """A damped spring between two particles, its system as implicit Euler has it."""

    particles, masses, rest = 2, np.array([0.5, 2.0]), np.array([[0.0, 0, 0], [0, 0.6, 0.8]])
    k, d, turn = 50.0, 3.0, np.array([[-1.0, 1], [1, -1]])

    def energy(self, x):
        return 0.5 * self.k * (np.linalg.norm(x[1] - x[0]) - 1) ** 2

    def parts(self, x, v):
        arm = x[1] - x[0]
        length = np.linalg.norm(arm)
        return length, arm / length, np.eye(3) - np.outer(arm, arm) / length**2, v[1] - v[0]

    def force(self, x, v):
        length, n, across, speed = self.parts(x, v)
        f = (self.k * (length - 1) + self.d * (speed @ n)) * n
        return np.array([f, -f])

    def jacobian(self, x, v):
        length, n, across, speed = self.parts(x, v)
        damping = np.outer(n, across @ speed) + (speed @ n) * across
        return np.kron(self.turn, self.k * (np.outer(n, n) + (1 - 1 / length) * across) + self.d / length * damping)

    def jacobian_v(self, x, v):
        n = self.parts(x, v)[1]
        return np.kron(self.turn, self.d * np.outer(n, n))

    def system(self, x, v, h):
        K = self.jacobian(x, v)
        A = np.diag(np.repeat(self.masses, 3)) - h * self.jacobian_v(x, v) - h * h * K
        return A, h * (self.force(x, v).ravel() + h * K @ v.ravel())


def test_a_right_force_passes_everything():
    verdict = cl.check_force(Pair(), seed=5)
    assert verdict.passed and not verdict.skipped and len(verdict.checks) == 10, verdict.text
    assert json.loads(verdict.json())["passed"] is True


def test_a_number_that_is_not_finite_is_a_finding_and_json():
    verdict = cl.check_force(overridden("force", lambda s, x, v: x / 0.0))
    assert verdict.finding.cause == "not finite"
    assert json.loads(verdict.json(), parse_constant=pytest.fail)["finding"]["found"] is None


def overridden(name, method):
    return type("Wrong", (Pair,), {name: method})()


@pytest.mark.parametrize("name, method, check, cause", [
    ("jacobian_v", lambda s, x, v: 2 * Pair.jacobian_v(s, x, v), "velocity", "counted twice"),
    ("system", lambda s, x, v, h: (Pair.system(s, x, v, h)[0] - h * s.jacobian_v(x, v), 0 * x.ravel()), "matrix", "damping counted twice"),
    ("system", lambda s, x, v, h: (Pair.system(s, x, v, h)[0], h * s.force(x, v).ravel()), "right-hand side", "dropped term"),
    ("system", lambda s, x, v, h: (Pair.system(s, x, v, h)[0] + (h * h - 1) * s.jacobian(x, v), 0 * x.ravel()), "matrix",
     "dropped h^2"),
    ("jacobian", lambda s, x, v: np.triu(Pair.jacobian(s, x, v)), "symmetric", "unsymmetric"),
    ("jacobian", lambda s, x, v: -Pair.jacobian(s, x, v), "Jacobian", "sign"),
    ("rest", np.array([[0.0, 0, 0], [0, 0, 2]]), "rest", "not at rest"),
    ("jacobian", lambda s, x, v: Pair.jacobian(s, x, v).T, "Jacobian", "transpose"),
    ("jacobian", lambda s, x, v: Pair.jacobian(s, x, 0 * v), "Jacobian", "damping missing"),
    ("d", -3.0, "damping", "sign"),
])
def test_a_wrong_part_of_a_force_is_named(name, method, check, cause):
    verdict = cl.check_force(overridden(name, method), seed=2)
    assert not verdict.passed and check in verdict.finding.check, verdict.text
    assert verdict.finding.cause == cause, verdict.text


def test_laws_of_a_force_without_an_energy():
    class Wind:
        def force(self, x):
            return np.ones_like(x) * (0, 0, 2)

    class Turned:
        def force(self, x):
            side = np.cross(x[1] - x[0], (0, 0, 1.0))
            return np.array([side, -side])

    assert cl.check_force(Wind()).finding.check == "momentum"
    assert cl.check_force(type("W", (Wind,), {"external": True})()).passed
    assert cl.check_force(Turned()).finding.check == "angular momentum"
    with pytest.raises(TypeError):
        cl.check_force(object())
    with pytest.raises(TypeError):
        cl.check_solver(object())


def test_a_solver_and_a_preconditioner_race_beside_ours():
    class Direct:
        def solve(self, A, b, x):
            x[:] = np.linalg.solve(A.toarray(), b)

    verdict = cl.check_solver(Direct(), seed=1)
    assert verdict.passed, verdict.text
    assert len({row["frame"] for row in verdict.rows}) == 5 and len(verdict.rows) == 15
    assert all(row["status"] == "converged" for row in verdict.rows)
    assert any("Direct" in row["label"] for row in verdict.rows)


HOSTILE = {
    "import nosuchthing": "cannot be imported",
    "class A:\n  def force(self, x) return x": "cannot be imported",
    "x = 1": "missing",
    "while True: pass": "time",
    "class A:\n  def force(self, x):\n    import time; time.sleep(60)": "time",
    "import sys\nclass A:\n  def force(self, x): sys.exit(0)": "exit",
    "import os\nprint('mine.py passes (seed 1)', flush=True)\nos._exit(0)": "exit",
    "import ctypes\nclass A:\n  def force(self, x): ctypes.string_at(0)": "crash",
    "import numpy\nclass A:\n  def force(self, x): return numpy.ones(10**10)": "memory",
    "class A:\n  def force(self, x): return 1 / 0": "raises",
    "import numpy\nclass A:\n  def force(self, x): return numpy.ones(10**7)": "raises",
    "import os, signal\nclass A:\n  def force(self, x): os.kill(os.getpid(), signal.SIGKILL)": "crash",
    "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass": "crash",
    "class A:\n  def force(self, x): return 'passes'": "no numbers",
    "import os\nclass A:\n  def force(self, x):\n    for n in range(3, 200):\n      try: os.write(n, b'\\x20' + 7 * b'\\0' + b'passes' * 9)\n"
    "      except OSError: pass": "forged answer",
}


@pytest.mark.parametrize("text, cause", HOSTILE.items())
def test_a_hostile_file_is_a_verdict(text, cause, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(text)
    start = time.monotonic()
    verdict = check_file(file, limits=Limits(cpu=1, wall=3.0 if "sleep" in text else 15.0))
    assert not verdict.passed and verdict.finding.cause == cause, verdict.text
    assert verdict.text.startswith("mine.py") and "mine.py passes" not in verdict.text.replace("printed: mine.py passes", "")
    assert time.monotonic() - start < 20


def test_what_the_file_starts_ends_with_the_check(tmp_path):
    file, note = tmp_path / "mine.py", tmp_path / "child"
    file.write_text(f"import os, time\npid = os.fork()\nif pid == 0: time.sleep(100)\nopen({str(note)!r}, 'w').write(str(pid))\n")
    check_file(file)
    stat = pathlib.Path(f"/proc/{note.read_text()}/stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().split()[2] == "Z":
            return
        time.sleep(0.02)
    raise AssertionError("it still runs")


def command(*arguments):
    program = os.environ.get("CLOTHLAB_PROGRAM")
    start = [program, "check"] if program else [sys.executable, "-m", "clothlab.check"]
    environment = {**os.environ, "CLOTHLAB_PYTHON": sys.executable}
    return subprocess.run([*start, *map(str, arguments)], capture_output=True, text=True, timeout=60, env=environment)


def test_the_command_passes_on_text_and_exit_code(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(SOLUTIONS["incomplete-cholesky"])
    right = command(file, "--exercise", "incomplete-cholesky")
    assert right.returncode == 0 and right.stdout.startswith("mine.py: incomplete-cholesky passes"), right
    file.write_text(planted("xpbd", "compliance / h**2", "compliance"))
    wrong = command(file, "--exercise", "xpbd", "--json")
    values = json.loads(wrong.stdout)
    assert wrong.returncode == 1 and values["finding"]["cause"] == "dropped h^2" and values["passed"] is False
    assert command(tmp_path / "none.py").returncode == 2
    assert command(file, "--exercise", "nonsense").returncode == 2


@pytest.mark.skipif("CLOTHLAB_PROGRAM" not in os.environ, reason="the program is not built")
def test_the_program_says_where_the_module_is_missing(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("x = 1")
    bare = tmp_path / "python"  # an interpreter that finds no packages
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    for python, words in (("/usr/bin/nosuchpython", "cannot run"), (str(bare), "the Python module cannot be imported")):
        said = subprocess.run([os.environ["CLOTHLAB_PROGRAM"], "check", file], capture_output=True, text=True,
                              env={**os.environ, "CLOTHLAB_PYTHON": python})
        assert said.returncode == 2 and words in said.stderr, said
    said = subprocess.run([os.environ["CLOTHLAB_PROGRAM"], "check", "hang", "--json"], capture_output=True, text=True)
    assert said.returncode == 2 and ".py" in said.stderr
