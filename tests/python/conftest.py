import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

import clothlab as cl


@pytest.fixture
def hang():
    """A small cloth that has moved a little."""
    sim = cl.Simulation("hang", {"cloth.rows": 12, "cloth.columns": 12}, threads=1)
    sim.step(5)
    return sim
