"""Scenes, settings, state, and what acts on a cloth from outside."""

import os
import pickle
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import clothlab as cl

SMALL = {"cloth.rows": 10, "cloth.columns": 10}


def test_a_scene_by_name_file_and_dict(tmp_path):
    tables = {"integrator": {"dt": 0.004}, "cloth": {"rows": 6, "columns": 7, "side": 0.5},
              "pins": [{"row": 0, "column": 0}, {"row": 0, "column": -1}]}
    file = tmp_path / "mine.toml"
    file.write_text("[integrator]\ndt = 0.004\n[cloth]\nrows = 6\ncolumns = 7\nside = 0.5\n"
                    "[[pins]]\nrow = 0\ncolumn = 0\n[[pins]]\nrow = 0\ncolumn = -1\n")
    made = [cl.Simulation(tables), cl.Simulation(file), cl.Simulation(str(file))]
    for sim in made:
        assert sim.particles == 42 and sim.pins == [0, 6] and sim.settings["integrator.dt"] == 0.004
        sim.step(3)
    assert len({sim.state_hash for sim in made}) == 1
    assert "hang" == cl.scenes()[0] and cl.Simulation().particles == 1681


def test_errors_are_those_of_the_command_line(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text("[integrator]\ndt = 0.004\nkindd = \"bdf2\"\n")
    with pytest.raises(cl.Error) as error:
        cl.Simulation(file)
    e = error.value
    assert isinstance(e, ValueError) and (e.file, e.line, e.column) == (str(file), 3, 1)
    assert "integrator.kindd" in e.message and str(e).startswith(f"{file}:3:1: ") and "integrator.kind" in str(e)
    for wrong, words in [(lambda: cl.Simulation("hung"), "hang"),
                         (lambda: cl.Simulation("hang", {"cloth.rwos": 3}), "did you mean 'cloth.rows'"),
                         (lambda: cl.Simulation("hang", {"cloth.rows": 0}), "2 .. 4000"),
                         (lambda: cl.Simulation({"cloth": {"rows": 0}}), "2 .. 4000"),
                         (lambda: cl.Simulation({"clothh": {}}), "cloth"),
                         (lambda: cl.load(tmp_path / "none.clothstate"), "none.clothstate")]:
        with pytest.raises(cl.Error, match=words):
            wrong()


def test_the_words_are_the_same_as_those_of_the_program(tmp_path):
    program = os.environ.get("CLOTHLAB_PROGRAM", "")
    if not os.path.exists(program):
        pytest.skip("the program was not built")
    file = tmp_path / "bad.toml"
    file.write_text("[cloth]\nrows = true\n")
    said = subprocess.run([program, "check", str(file)], capture_output=True, text=True).stderr
    with pytest.raises(cl.Error) as error:
        cl.Simulation(file)
    assert said == f"clothlab: {error.value}\n"


def test_settings(hang):
    assert hang.settings["solver.tolerance"] == 1e-3 and len(hang.settings) > 80
    hang.settings["solver.tolerance"] = np.float64(1e-5)
    hang.settings["gravity"] = (0, -1.5, 0)
    hang.settings["solver.decompose"] = np.bool_(True)
    hang.settings["preconditioner.kind"] = "jacobi"
    hang.settings.update({"solver.kind": "mpcg", "solver.max_iterations": np.int64(77)})
    assert hang.settings["gravity"] == (0.0, -1.5, 0.0) and hang.settings["solver.max_iterations"] == 77
    assert dict(hang.settings)["preconditioner.kind"] == "jacobi" and hang.settings["solver.decompose"] is True
    with pytest.raises(cl.Error, match="out of range"):
        hang.settings.update({"solver.max_iterations": 5, "solver.tolerance": -1})
    assert hang.settings["solver.max_iterations"] == 77  # all or nothing
    with pytest.raises(cl.Error, match="did you mean 'solver.tolerance'") as error:
        hang.settings["solver.tolerence"] = 1
    assert "solver.kind" in error.value.choices
    with pytest.raises(cl.Error, match="has its cloth already"):
        hang.settings["cloth.rows"] = 5
    with pytest.raises(KeyError):
        hang.settings["nothing"]
    before = hang.state_hash
    hang.step()
    assert hang.state_hash != before


def test_every_setting_can_be_written_as_it_is_read(hang):
    values = dict(hang.settings)
    hang.settings.update(values)
    assert dict(hang.settings) == values


def test_reports(hang):
    report = hang.report
    assert report.step == 5 == report["step"] and report.status == "ok" and not report.failed
    assert report.iterations > 0 and report["ndof_counts"] == [2, 0, 0, 142] and "solve_ms" in report
    columns = hang.reports()
    assert list(columns["step"]) == [1, 2, 3, 4, 5] and set(columns["status"]) == {"ok"}
    assert columns["total_j"][-1] == report.total_j and np.isnan(columns["ghost_rms_m"]).all()
    assert list(hang.reports(2)["step"]) == [4, 5]
    with pytest.raises(AttributeError):
        report.nothing


def test_the_state_can_be_read_and_set(hang):
    x = hang.x
    x[:, 1] += 1
    assert (hang.x != x).any()  # a copy
    energy = hang.report.gravity_j
    hang.x = x
    hang.v = np.zeros_like(x)
    assert (hang.x == x).all() and (hang.v == 0).all()
    hang.step()
    assert hang.report.gravity_j - energy == pytest.approx(9.81 * hang.masses.sum(), rel=0.02)
    for bad in (x[:-1], x.ravel(), np.full_like(x, np.nan)):
        with pytest.raises(cl.Error):
            hang.x = bad
    assert hang.triangles.max() == hang.particles - 1


def test_pins_and_grabs():
    sim = cl.Simulation("hang", SMALL)
    at = sim.x[55]
    sim.pin(55)
    sim.pin(44, velocity=(0, 0, 0.5))
    sim.pin(33, line=(0, 1, 0))
    sim.pin(22, plane=(0, 0, 2))
    assert sim.pins == [0, 9, 22, 33, 44, 55]
    start = sim.x
    sim.step(10)
    assert (sim.x[55] == at).all()
    assert sim.x[44] - start[44] == pytest.approx([0, 0, 0.5 * sim.time], abs=1e-9)
    assert sim.x[33][[0, 2]] == pytest.approx(start[33][[0, 2]], abs=1e-12)
    sim.unpin(55)
    assert 55 not in sim.pins
    sim.grab(99, sim.x[99] + (0, 0, 0.3))
    sim.step(30)
    pulled = sim.x[99][2]
    assert pulled > 0.1
    sim.release()
    with pytest.raises(cl.Error, match="no particle 100"):
        sim.pin(100)
    with pytest.raises(cl.Error):
        sim.grab(-1, (0, 0, 0))
    with pytest.raises(ValueError):
        sim.pin(3, line=(1, 0, 0), plane=(1, 0, 0))
    with pytest.raises(cl.Error, match="direction"):
        sim.pin(3, line=(0, 0, 0))


@pytest.mark.parametrize("kind", ["linearized-backward-euler", "bdf2", "symplectic-euler", "newton-backward-euler"])
def test_forces_from_outside_give_the_momentum(kind):
    """Free cloth without gravity: the momentum is the sum of the forces times the time."""
    sim = cl.Simulation("sideris-free-fall", {"gravity": (0, 0, 0), "integrator.kind": kind, "solver.tolerance": 1e-9,
                                              "cloth.rows": 8, "cloth.columns": 8})
    forces = np.random.default_rng(1).normal(size=(sim.particles, 3)) * 1e-3
    sim.force = forces
    assert (sim.force == forces).all()
    v0 = sim.v
    sim.step(5)
    gained = (sim.masses[:, None] * (sim.v - v0)).sum(axis=0)
    assert gained == pytest.approx(forces.sum(axis=0) * sim.time, rel=1e-4)
    sim.set_force(3, (0, 0, 1))
    assert list(sim.force[3]) == [0, 0, 1] and (sim.force[4] == forces[4]).all()
    sim.force = np.zeros_like(forces)
    assert (sim.force == 0).all()
    with pytest.raises(cl.Error, match="no particle"):
        sim.set_force(10**6, (0, 0, 1))


def test_a_callback_after_each_step(hang):
    seen = []
    hang.on_step(lambda sim: seen.append((sim.steps, sim.report.iterations)))
    hang.step(3)
    assert [each[0] for each in seen] == [6, 7, 8]
    hang.on_step(lambda sim: sim.settings.update({"solver.max_iterations": 1 + sim.steps}))
    hang.step()
    assert hang.settings["solver.max_iterations"] == 10

    def fails(sim):
        raise LookupError("enough")

    hang.on_step(fails)
    with pytest.raises(LookupError):
        hang.step(5)
    assert hang.steps == 10
    hang.on_step(lambda sim: sim.step())
    with pytest.raises(cl.Error, match="taking steps already"):
        hang.step()
    hang.on_step(None)
    hang.step()


def test_a_step_that_fails_raises_and_leaves_the_state():
    sim = cl.Simulation("hang", {**SMALL, "integrator.kind": "forward-euler", "integrator.dt": 0.05})
    with pytest.raises(cl.StepFailed, match="Step") as failed:
        sim.step(500)
    assert failed.value.report.failed and np.isfinite(sim.x).all()
    steps = sim.steps
    with pytest.raises(cl.StepFailed):
        sim.step()
    assert sim.steps == steps


def test_saved_loaded_copied_and_pickled_go_on_the_same(hang, tmp_path):
    hang.force = np.full((hang.particles, 3), 1e-4)
    pickled = pickle.loads(pickle.dumps(hang))
    copied = hang.copy()
    hang.save(tmp_path / "a.clothstate")
    loaded = cl.load(tmp_path / "a.clothstate")
    assert (loaded.force == 0).all()
    loaded.force = hang.force
    for sim in (hang, pickled, copied, loaded):
        sim.step(10)
    assert len({sim.state_hash for sim in (hang, pickled, copied, loaded)}) == 1
    assert dict(pickled.settings) == dict(hang.settings)


def test_a_branch_differs_by_its_settings(hang):
    other = hang.branch({"integrator.dt": 0.002})
    assert other.steps == hang.steps and (other.x == hang.x).all() and other.settings["integrator.dt"] == 0.002
    with pytest.raises(cl.Error, match="branch"):
        hang.branch({"integrator.dtt": 1})


def test_the_state_is_that_of_the_program(tmp_path):
    program = os.environ.get("CLOTHLAB_PROGRAM", "")
    if not os.path.exists(program):
        pytest.skip("the program was not built")
    said = subprocess.run([program, "run", "hang", "--steps", "12", "--set", "cloth.rows=9"], capture_output=True, text=True)
    sim = cl.Simulation("hang", {"cloth.rows": 9})
    sim.step(12)
    assert f"state {sim.state_hash}" in said.stdout


def test_steps_let_go_of_the_lock():
    sim, counted = cl.Simulation("hang"), []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(0)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sim.step(60)
    stop.set()
    thread.join()
    assert len(counted) > 5


def test_ctrl_c_ends_between_steps():
    sim = cl.Simulation("hang")
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**6)
    assert 0 < sim.steps < 10**6
    sim.step()
