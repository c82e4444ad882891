"""Clothlab from Python: cloth simulations, their linear systems, races of solvers and preconditioners.

    import clothlab as cl
    sim = cl.Simulation("hang", {"cloth.rows": 161})
    sim.step(40)
    print(sim.race(["incomplete-cholesky", "matrix-core"]).table())

docs/python.md is the guide."""

from .errors import Error, StepFailed
from .experiments import plot, reproduce, sweep, tables
from .race import Race
from .report import Report
from .settings import Settings
from .simulation import Simulation, batch, load, scenes
from .system import System

__all__ = ["Error", "Race", "Report", "Settings", "Simulation", "StepFailed", "System", "batch", "load", "plot", "reproduce",
           "scenes", "sweep", "tables"]
