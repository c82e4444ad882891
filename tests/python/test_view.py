"""The window on a simulation of Python, on a display of its own."""

import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clothlab as cl
from methods import Jacobi

SMALL = ["--size", "900x640", "--threads", "1"]


def script(folder, text):
    (folder / "hand.txt").write_text(text.replace("DIR", str(folder)))
    return [*SMALL, "--input", folder / "hand.txt"]


def until(wanted, seconds=120):
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_follows_and_leaves_the_simulation(hang, display, tmp_path):
    twin = hang.copy()
    view = cl.show(hang, script(tmp_path, "wait step 20\nstate DIR/window.json\nscreenshot DIR/window.png\nquit\n"))
    assert view.open and cl.show(hang) is view
    hang.step(15)
    assert view.wait(120) and not view.open
    twin.step(15)
    assert hang.state_hash == twin.state_hash and not view.update()
    hang.step()  # with no window
    window = json.loads((tmp_path / "window.json").read_text())
    assert window["step"] == 20 and not window["playing"]
    assert (tmp_path / "window.png").stat().st_size > 10000


def test_what_is_done_in_the_window_comes_with_update(hang, display, tmp_path):
    hang.use(Jacobi())
    hang.set_force(50, (0, 0, 0.01))
    pins = hang.pins
    view = cl.show(hang, script(tmp_path, "ctrl down\nmove particle 77\nafter 2\ndown left\nup left\nctrl up\nafter 3\n"
                                          "set integrator.dt=0.004\nwait settled\nstate DIR/done.json\nwait step 9\n"
                                          "key space\nwait step 12\nkey space\nwait playing 0\nstate DIR/end.json\nquit\n"))
    until((tmp_path / "done.json").exists)
    hang.step(2)  # meanwhile, without the edits of the window
    assert hang.pins == pins and hang.steps == 7
    assert view.update() and hang.steps == 7
    assert len(set(hang.pins) - set(pins)) == 1 and hang.settings["integrator.dt"] == 0.004
    assert hang.settings["solver.kind"] == "mpcg" and hang.force[50, 2] == 0.01, "ours stay"
    assert not view.update()
    hang.use(None)
    hang.step(2)
    assert view.wait(120)
    assert view.update() and hang.steps >= 12 and not view.update()
    assert hang.steps == json.loads((tmp_path / "end.json").read_text())["step"]


def test_the_pointer_pulls_the_cloth_of_python(hang, display, tmp_path):
    still = hang.copy()
    view = cl.show(hang, script(tmp_path, "move particle 100\nafter 2\ndown left\nafter 2\nmove particle 100 60 -40\n"
                                          "wait step 60\nup left\nafter 3\nquit\n"))
    while view.open and hang.steps < 200:
        hang.step()
        view.update()
    still.step(hang.steps - 5)
    assert np.abs(hang.x[100] - still.x[100]).max() > 0.02
    assert hang.steps < 200


def test_it_shows_a_simulation_that_another_thread_moves(hang, display, tmp_path):
    stop = threading.Event()
    hang.on_step(lambda sim: stop.is_set() and sys.exit())

    def run():
        try:
            hang.step(10**9)
        except SystemExit:
            pass

    mover = threading.Thread(target=run)
    mover.start()
    view = cl.show(hang, script(tmp_path, "wait steps 20\nwait steps 20\nquit\n"))
    assert view.wait(120)
    stop.set()
    mover.join()


def test_close_and_the_end_of_python(hang, display, tmp_path):
    with cl.show(hang, SMALL) as view:
        process = view._process
    assert not view.open and process.wait(30) is not None
    hang.step()
    left = tmp_path / "left.py"
    left.write_text("import clothlab as cl\nsim = cl.Simulation('hang', {'cloth.rows': 9, 'cloth.columns': 9}, threads=1)\n"
                    f"view = cl.show(sim, {SMALL})\nsim.step(3)\nprint(view._process.pid)\n")
    done = subprocess.run([sys.executable, left], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == ""
    until(lambda: not os.path.exists(f"/proc/{int(done.stdout)}"))


def test_a_forked_child_does_not_keep_the_window(hang, display):
    view = cl.show(hang, SMALL)
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    view.close()
    assert view._process.wait(30) is not None
    os.kill(child, 9)
    os.waitpid(child, 0)


def test_mistakes_are_errors(hang, display, monkeypatch):
    with pytest.raises(cl.Error, match="900x"):
        cl.show(hang, ["--size", "900x"])
    monkeypatch.setenv("DISPLAY", ":9999")
    with pytest.raises(cl.Error, match="show: (.|\\n)*display"):
        cl.show(hang, SMALL)
    monkeypatch.setenv("CLOTHLAB_PROGRAM", "/nowhere/clothlab")
    with pytest.raises(cl.Error, match="/nowhere/clothlab cannot be started"):
        cl.show(hang)
    assert hang.step().status == "ok"
