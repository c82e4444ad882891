"""A plug-in in the Python module."""

import os
import subprocess
import sys

import pytest

import clothlab as cl

PLUGIN = os.environ.get("CLOTHLAB_PLUGIN", "")
SMALL = {"cloth.rows": 9, "cloth.columns": 9}

# In its own process, because a plug-in stays loaded until the process ends.
LOADS = """
import sys
import clothlab as cl
cl.load_plugin(sys.argv[1])
cl.load_plugin(sys.argv[1])
sim = cl.Simulation("hang", {"cloth.rows": 9, "cloth.columns": 9, "preconditioner.kind": "row-sums", "solver.kind": "mpcg"})
report = sim.step(4)
assert report.solve_status == "converged" and report.iterations > 0, report
row = sim.race(["mpcg row-sums"], tolerances=[1e-6], runs=1).rows[0]
assert row["status"] == "converged" and row["method"] == "row-sums", row
print(row["iterations"])
"""


@pytest.mark.skipif(not PLUGIN, reason="no plug-in was built")
def test_its_methods_move_the_cloth_and_race():
    done = subprocess.run([sys.executable, "-c", LOADS, PLUGIN], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_what_is_none_is_refused(tmp_path):
    (tmp_path / "plain.so").write_text("this is no library")
    with pytest.raises(cl.Error, match="plain.so: the plug-in cannot be loaded"):
        cl.load_plugin(tmp_path / "plain.so")
    with pytest.raises(cl.Error, match="row-sums.*plug-in that is not loaded"):
        cl.Simulation("hang", {**SMALL, "preconditioner.kind": "row-sums"})
