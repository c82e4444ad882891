"""Preconditioners and solvers of Python race and move the cloth."""

import threading

import numpy as np
import pytest
import scipy.sparse.linalg as linear

import clothlab as cl
from methods import BlockIncompleteCholesky, Jacobi

OURS = {"solver.kind": "mpcg", "preconditioner.kind": "incomplete-cholesky", "preconditioner.ordering": "natural",
        "preconditioner.precision": "double", "preconditioner.domains": 1}


@pytest.mark.parametrize("settings", [{}, {"material.stretch_stiffness": 6000}])
def test_a_twin_of_block_ic0_takes_our_iterations(settings):
    sim = cl.Simulation("hang", {"cloth.rows": 21, "cloth.columns": 21, **settings}, threads=1)
    sim.step(8)
    # Ours comes last: a method is stopped at ten times the best time so far, which any may exceed on a busy machine.
    race = sim.race([BlockIncompleteCholesky(), OURS], tolerances=[1e-3, 1e-6, 1e-9], runs=1)
    counts = [row["iterations"] for row in race.rows]
    assert counts[0::2] == counts[1::2] and counts[0] >= 3 and counts[-1] > 10
    for row in race.rows:
        assert row["status"] == "converged"


def test_jacobi_takes_our_iterations(hang):
    race = hang.race([{"solver.kind": "mpcg", "preconditioner.kind": "jacobi"}, Jacobi()], tolerances=[1e-6], runs=1)
    ours, theirs = race.rows
    assert abs(ours["iterations"] - theirs["iterations"]) <= 1  # ours omits constrained directions: only round-off differs
    assert theirs["method"] == "python-jacobi" and "Jacobi (Python)" in theirs["label"]
    assert "python-jacobi" in race.table()


def test_set_up_gets_the_constrained_matrix(hang):
    seen = []

    class Looks(Jacobi):
        def setUp(self, A):
            super().setUp(A)
            seen.append(A)

    system = hang.system()
    hang.race([Looks()], runs=1)
    s = np.repeat(np.einsum("ijj->i", system.A.toarray().reshape(144, 3, 144, 3).swapaxes(1, 2)[range(144), range(144)]) / 3, 3)
    S = system.S.toarray()
    expected = S @ system.A.toarray() @ S + np.diag(s) @ (np.eye(432) - S)
    np.testing.assert_allclose(seen[0].toarray(), expected, rtol=1e-14, atol=1e-18)
    assert len(seen[0].data) < len(system.A.data)  # without the blocks of slack springs


def test_a_preconditioner_moves_the_cloth_as_ours_does(hang):
    settings = {"solver.tolerance": 1e-10}
    ours = hang.branch({**settings, "solver.kind": "mpcg", "preconditioner.kind": "jacobi"})
    theirs = hang.branch(settings)
    theirs.use(Jacobi())
    ours.step(5)
    report = theirs.step(5)
    assert report.solve_status == "converged" and report.iterations > 0
    np.testing.assert_allclose(theirs.x, ours.x, atol=1e-9)
    theirs.use(None)
    assert theirs.settings["preconditioner.kind"] == hang.settings["preconditioner.kind"]
    theirs.step()


def test_without_set_up_and_with_pins_that_come_and_go(hang):
    class Identity:
        def apply(self, r, z):
            z[:] = r

    hang.use(Identity())
    hang.pin(77)
    hang.step(2)
    hang.unpin(77)
    hang.step(2)
    assert hang.report.solve_status == "converged"


class Direct:
    def solve(self, A, b, x):
        x[:] = linear.spsolve(A.tocsc(), b)


def test_a_solver_moves_the_cloth_and_races(hang):
    ours, theirs = hang.branch({"solver.kind": "cholesky"}), hang.branch({})
    theirs.use(Direct())
    ours.step(4)
    theirs.step(4)
    np.testing.assert_allclose(theirs.x, ours.x, atol=1e-10)
    row = hang.race([Direct()], tolerances=[1e-9], runs=1).rows[0]
    assert row["status"] == "converged" and row["solver"].startswith("python-direct") and row["true_relative_residual"] < 1e-9


def test_a_solver_tells_its_iterations_and_is_judged_by_its_residual(hang):
    class Lazy:
        def solve(self, A, b, x):
            x[:], _ = linear.cg(A, b, x0=x, maxiter=3, atol=0)
            return 3

    row = hang.race([Lazy()], tolerances=[1e-9], runs=1).rows[0]
    assert row["iterations"] == 3 and row["status"] == "stalled" and row["true_relative_residual"] > 1e-9


class Told:
    """Takes what it is told, and solves to it."""
    tolerance = max_iterations = None

    def solve(self, A, b, x):
        self.given = (A, b.copy(), x.copy())
        x[:] = linear.spsolve(A.tocsc(), b)
        free = np.eye(1, len(b), 180)[0]  # a degree of freedom without a constraint
        x += free * self.tolerance * 0.5 * np.linalg.norm(b) / np.linalg.norm(A @ free)
        return np.int64(7), 1e-30


def test_a_solver_is_told_the_tolerance_in_the_norm_of_the_race(hang):
    hang.pin(70, velocity=(0, 0.3, 0))  # so that z is not zero
    hang.step()
    told = Told()
    for row in hang.race([told], tolerances=[1e-3, 1e-7], runs=1, max_iterations=55).rows:
        assert told.max_iterations == 55 and row["iterations"] == 7
        assert row["status"] == "converged" and row["true_relative_residual"] > 0.1 * row["tolerance"]
    assert told.tolerance == 1e-7
    s, (A, b, x) = hang.system(), told.given
    assert np.abs(s.z).max() > 0
    np.testing.assert_allclose(b, s.S @ (s.b - s.A @ s.z), atol=1e-12)
    assert not x.any()  # no warm start
    other = hang.branch({})
    other.use(Told())
    other.step()
    assert other.report.solve_status == "converged"


def test_a_solver_that_filters_gets_the_system_of_the_step(hang):
    class Filters:
        def solve(self, A, b, x, S):
            self.given = (A, b.copy(), x.copy(), S)
            one = np.eye(len(b))
            x[:] = np.linalg.solve(S @ A.toarray() @ S.toarray() + one - S.toarray(), S @ (b - A @ (x - S @ x))) + x - S @ x

    hang.pin(70, velocity=(0, 0.3, 0))
    hang.step()
    filters = Filters()
    row = hang.race([filters], tolerances=[1e-9], runs=1).rows[0]
    assert row["status"] == "converged" and row["true_relative_residual"] < 1e-9
    s, (A, b, x, S) = hang.system(), filters.given
    assert abs(A - s.A).max() == 0 and abs(S - s.S).max() == 0
    np.testing.assert_array_equal(b, s.b)
    np.testing.assert_array_equal(x, s.z)
    ours, theirs = hang.branch({"solver.kind": "cholesky"}), hang.branch({})
    theirs.use(Filters())
    ours.step(3)
    theirs.step(3)
    np.testing.assert_allclose(theirs.x, ours.x, atol=1e-10)


class Raises(Jacobi):
    def apply(self, r, z):
        raise ZeroDivisionError("no luck")


class RaisesInSetUp(Jacobi):
    def setUp(self, A):
        raise KeyError("nothing there")


class RaisesLate(Jacobi):
    def __init__(self):
        self.calls = 0

    def apply(self, r, z):
        self.calls += 1
        if self.calls > 5:
            raise RuntimeError("too late")
        super().apply(r, z)


class NotFinite(Jacobi):
    def apply(self, r, z):
        z[:] = np.nan


class Unsymmetric(Jacobi):
    def apply(self, r, z):
        z[:] = r / self.d
        z[1:] += 0.5 * z[:-1]


class Indefinite(Jacobi):
    def apply(self, r, z):
        z[:] = -r / self.d


class Returns(Jacobi):
    def apply(self, r, z):
        return r / self.d


class Keeps(Jacobi):
    def apply(self, r, z):
        super().apply(r, z)
        self.kept = r[::3]


class WritesIntoR(Jacobi):
    def apply(self, r, z):
        r[:] = 0


class SolverRaises:
    def solve(self, A, b, x):
        raise ZeroDivisionError("no luck")


class SolverNotFinite:
    def solve(self, A, b, x):
        x[:] = np.inf


BROKEN = [(Raises, "breakdown", "ZeroDivisionError: no luck (test_methods.py:"),
          (RaisesInSetUp, "breakdown", "KeyError: 'nothing there'"),
          (RaisesLate, "breakdown", "RuntimeError: too late"),
          (NotFinite, "breakdown", "not finite"),
          (Unsymmetric, "breakdown", "not symmetric"),
          (Indefinite, "indefinite", "not positive definite"),
          (Returns, "breakdown", "z[:] ="),
          (Keeps, "breakdown", "r.copy()"),
          (WritesIntoR, "breakdown", "read-only"),
          (SolverRaises, "breakdown", "ZeroDivisionError"),
          (SolverNotFinite, "not-finite", "not finite")]


@pytest.mark.parametrize("broken, status, words", BROKEN, ids=[b[0].__name__ for b in BROKEN])
def test_what_fails_is_a_row_and_leaves_the_state(hang, broken, status, words):
    race = hang.race([broken(), "jacobi"], tolerances=[1e-6], runs=1)
    row = race.rows[0]
    assert row["status"] == status and words in row["message"]
    assert race.rows[1]["status"] == "converged"

    before, x = hang.state_hash, hang.x
    hang.use(broken())
    with pytest.raises(cl.StepFailed, match="solver stopped") as failed:
        hang.step(3)
    assert words in str(failed.value) and failed.value.report.solve_status == status
    assert hang.state_hash == before and (hang.x == x).all() and hang.steps == 5
    hang.use(None)
    hang.step()


def test_the_exception_is_the_cause(hang):
    hang.use(Raises())
    with pytest.raises(cl.StepFailed) as failed:
        hang.step()
    assert isinstance(failed.value.__cause__, ZeroDivisionError)


def test_ctrl_c_in_a_callback_is_ctrl_c(hang):
    class Interrupted(Jacobi):
        def apply(self, r, z):
            raise KeyboardInterrupt

    before = hang.state_hash
    hang.use(Interrupted())
    with pytest.raises(KeyboardInterrupt):
        hang.step()
    assert hang.state_hash == before


def test_a_callback_cannot_step_or_read_the_simulation_in_a_step(hang):
    class Steps(Jacobi):
        def apply(self, r, z):
            hang.step()

    class Reads(Jacobi):
        def apply(self, r, z):
            hang.x

    for method, words in ((Steps, "taking steps already"), (Reads, "in the middle of a step")):
        hang.use(method())
        with pytest.raises(cl.StepFailed, match=words):
            hang.step()


def test_decomposition_shares_no_object(hang):
    hang.use(Jacobi())
    hang.settings["solver.decompose"] = True
    try:
        hang.step(3)
    except cl.StepFailed as failed:
        assert "solver.decompose" in str(failed)


def test_an_object_serves_one_simulation(hang):
    mine = Jacobi()
    hang.use(mine)
    hang.use(mine)
    with pytest.raises(cl.Error, match="in use already"):
        cl.Simulation("chen").use(mine)
    with pytest.raises(cl.Error, match="apply"):
        hang.use(object())
    hang.step()
    assert hang.race([mine], runs=1).rows[0]["status"] == "converged"
    other = hang.copy()
    other.step(2)
    hang.step(2)
    assert other.state_hash == hang.state_hash


def test_two_threads_with_python_preconditioners():
    sims = [cl.Simulation("hang", {"cloth.rows": 15, "cloth.columns": 15}) for _ in range(3)]
    for sim in sims:
        sim.use(Jacobi())
    sims[0].step(10)
    threads = [threading.Thread(target=sim.step, args=(10,)) for sim in sims[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len({sim.state_hash for sim in sims}) == 1


def test_a_race_on_another_thread_while_this_one_steps(hang):
    other, races = hang.copy(), []
    thread = threading.Thread(target=lambda: races.append(hang.race([Jacobi(), "jacobi"], runs=3)))
    thread.start()
    other.use(Jacobi())
    other.step(20)
    thread.join(60)
    assert not thread.is_alive() and [row["status"] for row in races[0].rows] == ["converged"] * 4


def test_one_simulation_steps_in_one_thread():
    sim = cl.Simulation("hang")
    inside, go = threading.Event(), threading.Event()

    class Waits(Jacobi):
        def setUp(self, A):
            super().setUp(A)
            inside.set()
            go.wait(60)

    sim.use(Waits())
    thread = threading.Thread(target=sim.step)
    thread.start()
    assert inside.wait(60)
    for forbidden in (sim.step, lambda: sim.x, lambda: sim.settings["solver.tolerance"], lambda: sim.pin(3), sim.system,
                      lambda: sim.race()):
        with pytest.raises(cl.Error, match="step"):
            forbidden()
    go.set()
    thread.join(60)
    assert sim.steps == 1
