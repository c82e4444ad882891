"""What is installed works where it lies."""

import os
import pathlib
import subprocess

import pytest

BUILD = os.environ.get("CLOTHLAB_BUILD", "")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    if not BUILD:
        pytest.skip("no program was built")
    prefix = tmp_path_factory.mktemp("prefix")
    for component in ("Unspecified", "python"):
        subprocess.run(["cmake", "--install", BUILD, "--component", component, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
    return prefix


@pytest.fixture
def elsewhere():
    """The environment without the folders of the build."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH" and not key.startswith("CLOTHLAB_")}


def test_exercises_and_contestants_are_there(prefix):
    doc = prefix / "share/doc/clothlab"
    source = pathlib.Path(__file__).parents[2] / "docs"
    for folder in ("exercises", "contestants"):
        assert sorted(each.name for each in (doc / folder).iterdir()) == sorted(each.name for each in (source / folder).iterdir())


def test_check_finds_its_module(prefix, elsewhere):
    done = subprocess.run([prefix / "bin/clothlab", "check", prefix / "share/doc/clothlab/exercises/jacobi.py", "--exercise",
                           "jacobi"], env=elsewhere, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "jacobi" in done.stdout and done.stderr == "", done.stdout + done.stderr


def test_the_module_finds_program_and_scenes(prefix, elsewhere):
    code = ("import clothlab as cl; from clothlab import _folders\n"
            "cl.Simulation('hang', {'cloth.rows': 5, 'cloth.columns': 5}).step()\nprint(_folders.program(), cl.__file__)")
    said = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, check=True,
                          env={**elsewhere, "PYTHONPATH": prefix / "lib/python3/dist-packages"}).stdout.split()
    assert said[0] == str(prefix / "bin/clothlab") and said[1].startswith(str(prefix))
