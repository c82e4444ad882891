"""The blocks of docs/python.md run in their order."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"^```python(?:-file (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """What the blocks define, and the folder that they ran in."""
    folder, names, start = tmp_path_factory.mktemp("page"), {"__name__": "page"}, os.getcwd()
    text = PAGE.read_text()
    os.chdir(folder)
    try:
        for block in BLOCK.finditer(text):
            line = text[:block.start()].count("\n") + 1
            if block[1]:
                (folder / block[1]).write_text(block[2])
            else:
                exec(compile("\n" * line + block[2], PAGE, "exec"), names)
    finally:
        os.chdir(start)
    return names, folder


def test_every_block_runs(page):
    names, folder = page
    assert len(BLOCK.findall(PAGE.read_text())) > 12
    assert (folder / "race.svg").read_text().count("<polyline") >= 3
    assert [row["status"] for row in names["race"].rows] == ["converged"] * 3
    assert names["row"]["status"] == "breakdown"


def test_the_block_of_the_window(page, display):
    sim = page[0]["cl"].Simulation("hang", {"cloth.rows": 9, "cloth.columns": 9}, threads=1)
    sim.step(396)
    page[0]["look"](sim)
    assert sim.steps == 400


def test_the_example_with_two_processes(page):
    file = page[1] / "many.py"
    assert len([line for line in file.read_text().splitlines() if line.strip()]) <= 15
    said = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=True).stdout
    assert said.count("step 20") == 4


def test_the_example_with_dask(page):
    if subprocess.run([sys.executable, "-c", "import distributed"], capture_output=True).returncode:
        pytest.skip("Debian: python3-distributed")
    said = subprocess.run([sys.executable, page[1] / "spread.py"], capture_output=True, text=True, timeout=120, check=True).stdout
    assert said.count("step 20") == 4


def test_the_adapter_runs_under_petsc(page):
    folders = sorted(pathlib.Path("/usr/lib/petscdir").glob("petsc*/*-real/lib/python3/dist-packages"))
    sys.path[:0] = map(str, folders)
    PETSc = pytest.importorskip("petsc4py.PETSc")
    names = page[0]
    names["sim"].step()
    s = names["sim"].system()
    S = s.S.tocsr()
    scale = np.repeat(s.A.diagonal().reshape(-1, 3).mean(axis=1), 3)
    A = (S @ s.A.tocsr() @ S + names["csr_array"](np.diag(scale)) @ (names["csr_array"](np.eye(len(scale))) - S)).tocsr()
    matrix = PETSc.Mat().createAIJ(A.shape, csr=(A.indptr, A.indices, A.data))
    solver = PETSc.KSP().create()
    solver.setOperators(matrix)
    solver.setType("cg")
    solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    solver.setTolerances(rtol=1e-6, atol=0)
    solver.getPC().setType("python")
    solver.getPC().setPythonContext(names["ForPetsc"](names["BlockJacobi"]()))
    b, x = PETSc.Vec().createWithArray(S @ (s.b - s.A @ s.z)), PETSc.Vec().createSeq(len(scale))
    solver.solve(b, x)
    row = names["sim"].race([names["BlockJacobi"]()], tolerances=[1e-6], runs=1).rows[0]
    assert solver.getConvergedReason() > 0 and abs(solver.getIterationNumber() - row["iterations"]) <= 1
