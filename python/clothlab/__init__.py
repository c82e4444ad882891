"""Clothlab from Python: cloth simulations, their linear systems, races of solvers and preconditioners.

    import clothlab as cl
    sim = cl.Simulation("hang", {"cloth.rows": 161})
    sim.step(40)
    print(sim.race(["incomplete-cholesky", "matrix-core"]).table())

docs/python.md is the guide."""

from .check_forces import check_force
from .check_solvers import check_solver
from .check_verdict import Finding, Verdict
from .errors import Error, StepFailed
from .experiments import plot, reproduce, sweep, tables
from .race import Race
from .report import Report
from .settings import Settings
from .simulation import Simulation, batch, load, scenes
from .system import System

__all__ = ["Error", "Finding", "Race", "Report", "Settings", "Simulation", "StepFailed", "System", "Verdict", "batch",
           "check_force", "check_solver", "load", "plot", "reproduce", "scenes", "sweep", "tables"]
