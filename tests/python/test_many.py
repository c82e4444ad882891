"""Many simulations: batches, processes, sweeps, the papers' tables."""

import concurrent.futures
import gc
import multiprocessing
import os
import resource
import subprocess

import numpy as np
import pytest

import clothlab as cl
from methods import Jacobi


def several():
    sims = [cl.Simulation("drape-sphere", {"cloth.rows": 14, "cloth.columns": 14, "integrator.dt": 0.004 + 0.001 * k})
            for k in range(5)]
    sims[1].use(Jacobi())
    return sims


def test_a_batch_is_a_loop_to_the_last_bit():
    looped, together = several(), several()
    called = []
    together[2].on_step(lambda sim: called.append(sim.steps))
    for sim in looped:
        sim.step(25)
    reports = cl.batch(together, 25)
    assert [sim.state_hash for sim in together] == [sim.state_hash for sim in looped]
    assert [report.step for report in reports] == [25] * 5 and called == list(range(1, 26))
    assert all(sim.settings["threads"] == 0 for sim in together)
    assert len(together[0].reports()["step"]) == 25


def test_in_a_batch_one_that_fails_stops_alone():
    good, bad = cl.Simulation("chen"), cl.Simulation("hang", {"integrator.kind": "forward-euler", "integrator.dt": 0.1})
    reports = cl.batch([good, bad], 200)
    assert good.steps == 200 and not reports[0].failed and reports[1].failed and bad.steps < 200


def test_what_a_callback_raises_in_a_batch_reaches_the_caller():
    sims = several()

    def fails(sim):
        raise LookupError("enough")

    sims[3].on_step(fails)
    with pytest.raises(LookupError):
        cl.batch(sims, 60)
    sims[3].on_step(None)
    for sim in sims:
        sim.step()
    with pytest.raises(cl.Error, match="taking steps"):
        cl.batch([sims[0], sims[0]], 1)
    sims[0].step()
    assert cl.batch([], 3) == []


def advance(sim):
    sim.step(10)
    return sim


def test_two_processes():
    here = several()
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        there = list(pool.map(advance, here))
    for sim in here:
        sim.step(10)
    assert [sim.state_hash for sim in there] == [sim.state_hash for sim in here]


def test_a_sweep_gives_columns():
    columns = cl.sweep("chen", {"integrator.dt": [0.002, 0.004], "preconditioner.kind": ["jacobi", "ssor"]}, steps=5)
    assert list(columns["integrator.dt"]) == [0.002, 0.002, 0.004, 0.004]
    assert list(columns["preconditioner.kind"]) == ["jacobi", "ssor"] * 2
    assert columns["mean_iterations"].shape == (4,) and (columns["mean_iterations"] > 0).all()
    with pytest.raises(cl.Error, match="integrator.dtt"):
        cl.sweep("chen", {"integrator.dtt": [1]})
    vectors = cl.sweep("chen", {"gravity": [(0, -9.81, 0), (0, 0, 0)]}, steps=1)
    assert len(vectors["gravity"]) == 2


def test_a_table_of_a_paper():
    columns = cl.reproduce("chen-section-6.2", side=7, settings={"material.bend_stiffness": 0.5})
    assert list(columns["particles"]) == [49]
    columns = cl.reproduce("boxerman-figure-4.3")
    assert any(key.startswith("ours.") for key in columns) and any(key.startswith("paper.") for key in columns)
    assert len({len(column) for column in columns.values()}) == 1
    assert "ye-table-2" in cl.tables()
    with pytest.raises(cl.Error, match="ye-table-2"):
        cl.reproduce("no-table")


def test_charts_of_a_report(tmp_path):
    program = os.environ.get("CLOTHLAB_PROGRAM", "")
    if not os.path.exists(program):
        pytest.skip("the program was not built")
    file = tmp_path / "report.ndjson"
    subprocess.run([program, "run", "chen", "--steps", "5", "--report", file], check=True, capture_output=True)
    charts = cl.plot(file, tmp_path / "chart.svg", y=["iterations"])
    assert len(charts) == 1 and len(charts[0]["curves"][0]["x"]) == 5
    assert "<polyline" in (tmp_path / "chart.svg").read_text()


def test_a_thousand_simulations_leave_no_memory():
    def one():
        sim = cl.Simulation("chen")
        sim.step(2)
        sim.system().A
        sim.use(Jacobi())
        sim.step()
        sim.race(["jacobi", Jacobi()], runs=1, tolerances=[1e-3])
        sim.copy().use(None)

    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    for _ in range(100):
        one()
    before = resident()
    for _ in range(1000):
        one()
    grown = resident() - before
    assert grown < 4e6, f"{grown / 1e6:.1f} MB more after 1000 simulations"
    with pytest.raises(cl.Error) as error:  # the next object replaces it
        cl.Simulation("chen").settings["preconditioner.kind"] = "nothing"
    assert sum(choice.startswith("python-jacobi") for choice in error.value.choices) <= 4
