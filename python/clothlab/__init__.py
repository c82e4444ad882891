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
from .experiments import load_plugin, plot, reproduce, sweep, tables
from .race import Race
from .report import Report
from .settings import Settings
from .simulation import Simulation, batch, load, scenes
from .system import System
from .view import View, show

__all__ = ["Error", "Finding", "Race", "Report", "Settings", "Simulation", "StepFailed", "System", "Verdict", "View", "batch",
           "check_force", "check_solver", "load", "load_plugin", "plot", "reproduce", "scenes", "show", "sweep",
           "tables"]
