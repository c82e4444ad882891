import os
import shutil
import subprocess

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

import clothlab as cl


@pytest.fixture
def hang():
    """A small cloth that has moved a little."""
    sim = cl.Simulation("hang", {"cloth.rows": 12, "cloth.columns": 12}, threads=1)
    sim.step(5)
    return sim


@pytest.fixture(scope="session")
def display():
    """A virtual display."""
    if not os.environ.get("CLOTHLAB_PROGRAM") or not shutil.which("Xvfb"):
        pytest.skip("no program, or no Xvfb")
    out, into = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(into), "-screen", "0", "1280x960x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[into], stderr=subprocess.DEVNULL)
    os.close(into)
    number = os.read(out, 16).decode().strip()
    before = {key: os.environ.pop(key, None) for key in ("DISPLAY", "WAYLAND_DISPLAY")}
    os.environ["DISPLAY"] = f":{number}"
    yield
    for key, value in before.items():
        os.environ.pop(key, None)
        if value is not None:
            os.environ[key] = value
    server.terminate()
    server.wait()
    os.close(out)
