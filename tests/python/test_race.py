"""Races from Python are those of the command line."""

import csv
import json
import xml.etree.ElementTree as xml

import pytest

import clothlab as cl


def test_rows_table_and_files(hang, tmp_path):
    race = hang.race(["incomplete-cholesky", "matrix-core", "cholesky"], tolerances=[1e-3, 1e-6], runs=2)
    assert len(race) == len(race.rows) == 6
    assert [row["method"] for row in race.rows[:2]] == ["incomplete-cholesky", "matrix-core"]
    assert race.rows[2]["solver"] == "cholesky"
    for row in race.rows:
        assert row["status"] == "converged" and row["true_relative_residual"] <= row["tolerance"] and row["total_ms"] > 0
        assert len(row["residuals"]) == len(row["residual_ms"])
    assert str(race) == race.table() == repr(race.table()) and "<svg" in race._repr_svg_() and "matrix-core" in race.table()
    for ending in ("svg", "csv", "json", "txt"):
        race.save(tmp_path / f"race.{ending}")
    assert xml.parse(tmp_path / "race.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "race.svg").read_text().count("<polyline") == 2  # a direct solver has no curve
    table = list(csv.DictReader((tmp_path / "race.csv").open()))
    assert [int(line["iterations"]) for line in table if line["solver"] != "cholesky"] == [
        row["iterations"] for row in race.rows if row["solver"] != "cholesky"]
    assert json.loads((tmp_path / "race.json").read_text())["rows"][0]["method"] == "incomplete-cholesky"
    with pytest.raises(cl.Error, match="svg"):
        race.save(tmp_path / "race.pdf")


def test_a_contestant_by_settings(hang):
    race = hang.race([{"preconditioner.kind": "ssor", "preconditioner.omega": 1.4}], runs=1)
    assert race.rows[0]["method"] == "ssor omega=1.4"
    assert len(hang.race("jacobi", runs=1)) == 2
    with pytest.raises(cl.Error, match="preconditioner.kind"):
        hang.race([{"preconditioner.kin": "ssor"}])
    with pytest.raises(cl.Error, match="no method of a race") as error:
        hang.race(["nonsense"])
    assert "incomplete-cholesky" in error.value.choices


def test_all_methods_race_when_none_is_named(hang):
    class Old:
        def apply(self, r, z):
            z[:] = r

    hang.race([Old()], runs=1)
    race = hang.race(tolerances=[1e-3], runs=1)
    names = [row["method"] for row in race.rows]
    assert len(names) > 20 and "lagged-cholesky" in names  # it needs the system of the previous step
    assert not any(name.startswith("python-") for name in names)  # earlier Python methods are not built in
    assert all(row["status"] == "converged" for row in race.rows)


def test_a_race_leaves_the_simulation(hang):
    before = hang.state_hash
    hang.race(["jacobi"], runs=1)
    assert hang.state_hash == before
    with pytest.raises(cl.Error, match="no linear system"):
        cl.Simulation("chen").race(["jacobi"])
