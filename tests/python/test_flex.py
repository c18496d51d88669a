# SPDX-License-Identifier: MIT
"""sinew.flex: the findings of the program as plain objects."""
import numpy as np
import pytest

import flex_rigs as rigs
import sinew
from conftest import SAMPLES


def same(found, row):
    """A finding of the module and one of `sinew flex --json`."""
    assert (found.code, found.severity, found.joint, found.node) == (row["code"], row["severity"], row["joint"], row["node"])
    assert (found.value, found.limit, found.unit) == (row["value"], row["limit"], row["unit"])
    assert (found.count, found.exact, found.message) == (row["count"], row["exact"], row["message"])
    assert found.pose == row["pose"]
    assert found.vertices == row["vertices"]
    assert [vertex["row"] for vertex in row["vertices"] if vertex["row"] not in found.rows] == []


@pytest.mark.parametrize("name", sorted(rigs.PLANTED))
def test_is_what_the_program_finds(name, tmp_path, program):
    make, code, severity, joint, options = rigs.PLANTED[name]
    path = make(True).save(str(tmp_path / "in.glb"))
    report, told = sinew.flex(sinew.load(path)), program.json("flex", path, "--json", *options)
    assert (report.dimension, report.diagonal) == (told["dimension"], told["diagonal"])
    assert len(report.findings) == len(told["findings"]) > 0
    for found, row in zip(report.findings, told["findings"]):
        same(found, row)
    assert any((f.code, f.severity, f.joint) == (code, severity, joint) for f in report.findings)
    assert report.counts == told["summary"]
    assert not report.ok


@pytest.mark.parametrize("path", ["g4mf/arm_4d.g4tf", "gltf/morph_cube.gltf", "gltf/tube_8_influences.gltf"])
def test_samples(path, program):
    report, told = sinew.flex(sinew.load(SAMPLES / path)), program.json("flex", SAMPLES / path, "--json")
    assert report.skipped == [(one["code"], one["reason"]) for one in told["skipped"]]
    assert len(report.findings) == len(told["findings"])
    for found, row in zip(report.findings, told["findings"]):
        same(found, row)
    assert report.ok == (told["summary"]["error"] + told["summary"]["warning"] == 0)


def test_options(tmp_path):
    path = rigs.twisted(150).save(str(tmp_path / "twist.glb"))
    model = sinew.load(path)
    assert [f.pose["kind"] for f in sinew.flex(model, kinds="collapse").findings] == ["clip"]
    assert sinew.flex(model, kinds=["FLEX_COLLAPSE"], animations=[]).findings == []
    assert [f.pose["kind"] for f in sinew.flex(model, kinds=["collapse"], animations=[], angles=[150]).findings][0] == "stress"
    assert [f.code for f in sinew.flex(model, animations=["Twist"], kinds=["collapse"]).findings] == ["FLEX_COLLAPSE"]
    assert [f.message for f in sinew.flex(model, threads=1).findings] == [f.message for f in sinew.flex(model, threads=3).findings]
    for wrong in ({"kinds": ["tears"]}, {"angles": [0]}, {"angles": [200]}, {"animations": ["Run"]}, {"scene": 7}):
        with pytest.raises(sinew.UsageError):
            sinew.flex(model, **wrong)


def test_rows_are_those_of_the_deformer(tmp_path):
    """The vertices of a tear coincide at rest, and part in the pose of the finding by its value."""
    model = sinew.load(rigs.torn(True).save(str(tmp_path / "torn.glb")))
    [found] = [f for f in sinew.flex(model, kinds=["tear"], animations=[]).findings if f.joint == "c"]
    deformer, pose = sinew.Deformer(model), model.pose()
    first, second = found.pose["plane"]
    rotor = [np.cos(np.radians(found.pose["degrees"]) / 2), 0, 0, 0]
    rotor[{(0, 1): 1, (0, 2): 2, (1, 2): 3}[first, second]] = np.sin(np.radians(found.pose["degrees"]) / 2)
    pose.set(found.node, rotor=rotor)
    rest, bent = deformer.positions(model.pose())[found.rows], deformer.positions(pose)[found.rows]
    gaps = [np.linalg.norm(b - c) for i, (a, b) in enumerate(zip(rest, bent)) for d, c in zip(rest[:i], bent[:i]) if np.linalg.norm(a - d) < 1e-6]
    assert max(gaps) / sinew.flex(model, kinds=["inert"]).diagonal == pytest.approx(found.value, rel=1e-3)


def test_repr(tmp_path):
    report = sinew.flex(sinew.load(rigs.torn(True).save(str(tmp_path / "torn.glb"))), kinds=["tear"])
    assert repr(report).startswith("<FlexReport of 3 joints")
    assert repr(report.findings[0]).startswith("<FlexFinding FLEX_TEAR")
