"""The linear system of a step, as scipy has it."""

import gc

import numpy as np
import pytest
import scipy.sparse as sparse

import clothlab as cl


GRID = {"cloth.rows": 14, "cloth.columns": 14}


def residual(s):
    return np.linalg.norm(s.S @ (s.b - s.A @ s.dv)) / np.linalg.norm(s.S @ (s.b - s.A @ s.z))


@pytest.mark.parametrize("scene, settings", [("hang", GRID), ("drape-sphere", GRID),
                                             ("flag", {**GRID, "material.membrane": "triangles"})])
def test_the_step_solves_it(scene, settings):
    sim = cl.Simulation(scene, {**settings, "solver.tolerance": 1e-8})
    sim.step(6)
    s = sim.system()
    assert residual(s) <= 1e-8
    assert (s.S @ s.z == 0).all() and (s.S @ s.S - s.S).max() < 1e-15
    np.testing.assert_allclose(s.dv - s.S @ s.dv, s.z, atol=1e-12)
    assert (s.A != s.A.T).nnz == 0
    assert np.linalg.eigvalsh(s.A.toarray()).min() > 0
    assert s.step == 6 and s.dt == sim.settings["integrator.dt"] and s.b.shape == (3 * sim.particles,)


def test_a_block_that_is_not_symmetric_is_not_transposed():
    sim = cl.Simulation("flag", {**GRID, "material.membrane": "triangles", "solver.tolerance": 1e-9})
    sim.step(3)
    s = sim.system()
    assert np.abs(s.A.data - s.A.data.swapaxes(1, 2)).max() > 1e-6 * np.abs(s.A.data).max()
    assert residual(s) <= 1e-9 and not s.A.data.flags.writeable
    s.A = sparse.bsr_array((s.A.data.swapaxes(1, 2).copy(), s.A.indices, s.A.indptr), shape=s.A.shape)
    assert residual(s) > 1e-6  # so the test would notice it


def test_nothing_is_copied_and_nothing_changes(hang):
    s = hang.system()
    pointer = s._native.blocks().__array_interface__["data"][0]
    assert s.A.data.__array_interface__["data"][0] == pointer
    assert s.A.indices.base is not None and not s.A.data.flags.owndata
    for array in (s.A.data, s.A.indices, s.A.indptr, s.b, s.dv):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[0] = 0
    kept = [array.copy() for array in (s.A.data, s.b, s.dv)]
    hang.step(4)
    for before, array in zip(kept, (s.A.data, s.b, s.dv)):
        assert (before == array).all()
    assert (hang.system().A.data != s.A.data).any()


def test_views_outlive_their_simulation(hang):
    data, b = hang.system().A.data, hang.system().b
    kept = data.copy(), b.copy()
    for _ in range(3):
        hang.step()
    other = hang.copy()
    del hang
    gc.collect()
    other.step(3)
    assert (data == kept[0]).all() and (b == kept[1]).all()


def test_memory_is_used_again(hang):
    seen = set()
    for _ in range(30):
        hang.step()
        seen.add(hang.system()._native.blocks().__array_interface__["data"][0])
    assert len(seen) <= 4


def test_occupied_and_core(hang):
    s = hang.system()
    assert 0 < len(s.A_occupied.data) < len(s.A.data)
    assert (s.A_occupied != s.A).nnz == 0
    assert s.core.sum() > s.particles and len(s.A_core.data) == s.core.sum()
    stretch = 2 * (2 * 12 * 11)  # of a grid of 12 x 12, both triangles
    assert s.core.sum() == s.particles + stretch
    lists = s.A.indptr, s.A.indices
    assert [list(lists[1][a:b]) == sorted(lists[1][a:b]) for a, b in zip(lists[0], lists[0][1:])].count(False) == 0


def test_it_is_that_of_the_last_step(hang):
    first = hang.system()
    hang.step()
    second = hang.system()
    assert (first.step, second.step) == (5, 6) and (second.x0 == first.dv).all()
    assert (cl.Simulation("hang", {"cloth.rows": 5}).step(1), True)[1]


def test_where_there_is_none():
    with pytest.raises(cl.Error, match="none was taken"):
        cl.Simulation("chen").system()
    sim = cl.Simulation("chen", {"integrator.kind": "symplectic-euler"})
    sim.step()
    with pytest.raises(cl.Error, match="the method has none"):
        sim.system()
    sim = cl.Simulation("chen", keep_system=False)
    sim.step()
    with pytest.raises(cl.Error, match="keep_system"):
        sim.system()


def test_keeping_it_changes_no_bit():
    hashes = set()
    for keep in (True, False):
        sim = cl.Simulation("drape-sphere", {"cloth.rows": 20, "integrator.active_set": 3}, keep_system=keep)
        sim.step(30)
        hashes.add(sim.state_hash)
    assert len(hashes) == 1
