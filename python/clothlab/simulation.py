"""A cloth world and the methods that move it."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core, _folders, _text
from .errors import StepFailed
from .race import Race
from .report import Report
from .settings import Settings
from .system import System
from .view import View


class Simulation:
    """A scene in motion.

    scene: the name of a built-in scene ("hang"), the path of a scene file (.toml), or a dict of its tables.
    settings: keys and values over it, as `--set` takes them ("cloth.rows", "solver.kind"); they come before the cloth is made.
    threads: of a step; None: the scene's own, 0: all of the machine.
    keep_system: whether `system()` and `race()` have the last step's system; it costs memory, not time.

    Steps let go of Python's lock. Between two steps anything can be read and changed, from any thread; during a step nothing
    can, and that is a clothlab.Error."""

    def __init__(self, scene: str | os.PathLike | Mapping[str, Any] = "hang", settings: Mapping[str, Any] | None = None,
                 threads: int | None = None, keep_system: bool = True):
        sets, count = _text.assignments(settings), -1 if threads is None else threads
        if isinstance(scene, Mapping):
            self._take(_core.simulation_of_text(_text.toml(scene), sets, count, keep_system))
        else:
            self._take(_core.simulation_of_scene(os.fspath(scene), sets, count, keep_system, _folders.assets()))

    def _take(self, native: _core.Simulation) -> None:
        self._native = native
        self._callback: Callable[[Simulation], Any] | None = None
        self._view: View | None = None

    @classmethod
    def _of(cls, native: _core.Simulation) -> Simulation:
        made = cls.__new__(cls)
        made._take(native)
        return made

    # --- steps

    def step(self, n: int = 1) -> Report:
        """Takes n steps and returns the report of the last one. Raises StepFailed where a step diverges or its solve fails:
        the state is then that before it. A signal (Ctrl-C) ends it between two steps."""
        self._native.step(n, self._stepped)
        report = self.report
        if report.failed:
            cause = self._native.take_raised()
            if cause is not None and not isinstance(cause, Exception):  # Ctrl-C while Python code was running
                raise cause
            raise StepFailed(report.message or f"step {report.step}: {report.status}", report) from cause
        return report

    def on_step(self, callback: Callable[[Simulation], Any] | None) -> None:
        """callback(simulation) is called after each step, in the thread that takes it; None: nothing is. It may read and
        change the simulation, but not let it take steps. What it raises ends the steps and reaches the caller."""
        self._callback = callback

    def _stepped(self) -> None:
        if self._callback is not None:
            self._callback(self)
        self._follow()

    def _follow(self) -> None:
        """Something has changed: the window, if there is one, shows it."""
        view = self._view
        if view is not None:
            view._follow()

    @property
    def report(self) -> Report:
        """Of the last step, or of the start."""
        return Report(self._native.report_line())

    def reports(self, n: int | None = None) -> dict[str, np.ndarray]:
        """The numbers of the last n steps (all, where n is None) by the keys of a report, an array each; NaN where nothing was
        measured. "status" has words. Only steps that this object has taken are there."""
        columns = self._native.reports(2**62 if n is None else max(0, n))
        return {key: np.asarray(column) for key, column in columns.items()}

    # --- the state

    @property
    def x(self) -> np.ndarray:
        """Positions, m, (N, 3): a copy. Assigning moves the cloth; a method of two steps then starts anew."""
        return self._native.x()

    @x.setter
    def x(self, x) -> None:
        self._native.set_x(x)
        self._follow()

    @property
    def v(self) -> np.ndarray:
        """Velocities, m/s, (N, 3): a copy. Assigning is as for x."""
        return self._native.v()

    @v.setter
    def v(self, v) -> None:
        self._native.set_v(v)
        self._follow()

    @property
    def masses(self) -> np.ndarray:
        """kg, (N,)."""
        return self._native.masses()

    @property
    def triangles(self) -> np.ndarray:
        """The surface, (T, 3) numbers of particles."""
        return self._native.triangles()

    @property
    def particles(self) -> int:
        return self._native.particles()

    @property
    def time(self) -> float:
        """Simulated, s."""
        return self._native.time()

    @property
    def steps(self) -> int:
        """The number of the state: 0 is the start."""
        return self._native.steps()

    @property
    def state_hash(self) -> str:
        """Equal for two states that go on in the same way to the last bit, as the summary of `run` prints it."""
        return f"{self._native.state_hash():016x}"

    def restart(self) -> None:
        """Back to the start; settings and pins stay."""
        self._native.restart()
        self._follow()

    # --- settings, constraints and forces

    @property
    def settings(self) -> Settings:
        """Readable and writable by the keys of the files."""
        return Settings(self._native, self._follow)

    @settings.setter
    def settings(self, values: Mapping[str, Any]) -> None:
        self.settings.update(values)

    def pin(self, particle: int, line: ArrayLike | None = None, plane: ArrayLike | None = None,
            velocity: ArrayLike = (0, 0, 0)) -> None:
        """Holds a particle where it is now: at the point, on a `line` along a direction, or on a `plane` with a normal. With a
        velocity (m/s) point, line or plane moves from now on."""
        if line is not None and plane is not None:
            raise ValueError("pin: a line or a plane, not both")
        ndof = 1 if line is not None else 2 if plane is not None else 0
        direction = line if line is not None else plane if plane is not None else (0, 0, 0)
        self._native.pin(particle, ndof, direction, velocity, self.time)
        self._follow()

    def unpin(self, particle: int) -> None:
        self._native.unpin(particle)
        self._follow()

    @property
    def pins(self) -> list[int]:
        """The particles that are pinned, ascending."""
        return self._native.pins()

    def grab(self, particle: int, target: ArrayLike) -> None:
        """Pulls a particle to a place (m), as the pointer does in the window, until `release`."""
        self._native.grab(particle, target)
        self._follow()

    def release(self) -> None:
        self._native.release()
        self._follow()

    @property
    def force(self) -> np.ndarray:
        """Forces from outside, N, (N, 3), that act in every step until they are changed: a copy, to be assigned as a whole.
        They are no part of the state: `save` has none of them."""
        return self._native.forces()

    @force.setter
    def force(self, forces) -> None:
        self._native.set_forces(forces)

    def set_force(self, particle: int, force: ArrayLike) -> None:
        """The force from outside on one particle, N."""
        self._native.set_force(particle, force)

    def use(self, method: Any) -> None:
        """From now on this object moves the cloth: a preconditioner with `apply(r, z)` and perhaps `setUp(A)`, in conjugate
        gradients on S A S + s(I - S) (MPCG), or a solver with `solve(A, b, x)`. None: what was active before.

        A is a scipy.sparse.bsr_array of the occupied blocks; r, z, b and x are arrays of (3N,). Results are written into z and
        x; r and z are memory of the solver and must not be kept. Where the object raises, gives NaN or is not symmetric, the
        step fails: see `step`. An object serves one simulation."""
        self._native.use(method)

    # --- the linear system

    def system(self) -> System:
        """The linear system that the last step solved."""
        return System(self._native.system())

    def race(self, contestants: Iterable[Any] = (), tolerances: Sequence[float] = (1e-3, 1e-6), runs: int = 5,
             max_iterations: int = 2000, threads: int = 0) -> Race:
        """Solves the system of the last step with each contestant.

        A contestant is the name of a method as a race prints it ("incomplete-cholesky", "mpcg ssor", "cholesky"), a dict of
        settings that differ from the active ones, or an object as `use` takes it; where it fails, its row says why. None at
        all: every method with its variants.
        tolerances: of the true relative residual; runs: of each, the median counts; threads 0: as the simulation."""
        field = [contestants] if isinstance(contestants, (str, Mapping)) else contestants
        who = [_text.assignments(each) if isinstance(each, Mapping) else each for each in field]
        return Race(self._native.race(who, list(tolerances), runs, max_iterations, threads))

    # --- as a value

    def save(self, path: str | os.PathLike) -> None:
        """Writes scene, settings and state to a file (.clothstate) from which `load`, `clothlab run --from` and the window go
        on to the last bit. In place of an object in use it has what was active before."""
        self._native.save(os.fspath(path))

    def copy(self) -> Simulation:
        """Another one at the same state, forces from outside included; callbacks are not."""
        return self.branch({})

    def branch(self, settings: Mapping[str, Any]) -> Simulation:
        """The same with other settings. Objects in use are copied (copy.deepcopy), unless the settings name a solver or
        preconditioner."""
        made = Simulation._of(self._native.branch(_text.assignments(settings)))
        if not {"solver.kind", "preconditioner.kind"} & set(settings):
            made._use_all(copy.deepcopy(self._native.in_use()))
        return made

    def _use_all(self, objects) -> None:
        for each in objects:
            if each is not None:
                self.use(each)

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, memo) -> Simulation:
        return self.copy()

    def __reduce__(self):
        return _of_state, (self._native.state_bytes(), self._native.keeps_system(), self._native.forces(),
                           self._native.in_use())

    def __repr__(self) -> str:
        return f"<clothlab.Simulation of {self._native.name()}, {self.particles} particles, step {self.steps}>"


def _of_state(state: bytes, keep_system: bool, forces: np.ndarray, objects: tuple) -> Simulation:
    made = Simulation._of(_core.simulation_of_bytes(state, keep_system))
    made.force = forces
    made._use_all(objects)
    return made


def load(path: str | os.PathLike, keep_system: bool = True) -> Simulation:
    """The simulation that `save`, `clothlab run --save` or the window wrote."""
    return Simulation._of(_core.simulation_of_file(os.fspath(path), keep_system))


def scenes() -> list[str]:
    """The names of the built-in scenes, the default first."""
    return _core.scene_names(_folders.assets())


def batch(simulations: Sequence[Simulation], steps: int, threads: int = 0) -> list[Report]:
    """Takes so many steps with each simulation, on all cores (`threads` 0) or so many, each simulation on one of them. Every
    state is that of a plain loop, to the last bit. Returns the last report of each: one that fails stops there and raises
    nothing, and the others continue."""
    simulations = list(simulations)
    with_callbacks = any(each._callback or each._view for each in simulations)
    _core.batch([each._native for each in simulations], steps, threads,
                [each._stepped for each in simulations] if with_callbacks else [])
    return [each.report for each in simulations]
