# SPDX-License-Identifier: MIT
"""Validates, converts, merges, repairs, rebinds and compares files: the same results as the program, as objects."""
import json
from pathlib import Path

import pytest
from conftest import MODELS, SAMPLES

import sinew

MERGE = SAMPLES / "merge"


def test_reports_are_those_of_the_program(sample, program):
    report = sinew.validate(sample)
    assert json.loads(report.to_json()) == program.json("validate", sample, "--format", "json")
    assert json.loads(report.to_sarif())["version"] == "2.1.0"
    assert report.ok == (report.counts["error"] == 0)
    assert len(report.findings) == sum(report.counts.values()) == len(report.issues) + len(report.model_issues)


def test_findings_are_objects(tmp_path):
    broken = tmp_path / "broken.gltf"
    broken.write_text('{"asset": {"version": "2.0"},\n "nodes": [{"mesh": 4}]}')
    report = sinew.validate(broken)
    assert not report.ok
    [finding] = [finding for finding in report.issues if finding.severity == "error"]
    assert (finding.code, finding.pointer, finding.line, finding.column, finding.offset) == ("UNRESOLVED_REFERENCE", "/nodes/0/mesh", 2, 21, None)
    assert "4" in finding.message and finding.code in repr(finding)
    assert sinew.validate(broken, ignore="UNRESOLVED_REFERENCE").ok
    assert [f.code for f in sinew.validate(broken, only=["UNRESOLVED_REFERENCE"]).findings] == ["UNRESOLVED_REFERENCE"]
    assert sinew.validate(broken, limit=0).truncated
    with pytest.raises(sinew.UsageError):
        sinew.validate(broken, ignore="UNRESOLVED_REFERENCES")
    with pytest.raises(sinew.UsageError, match="did you mean"):
        sinew.validate(broken, profile="staikk")


def test_many_files_at_once(tmp_path):
    results = sinew.validate_many([*MODELS, tmp_path / "missing.glb"], threads=3)
    assert len(results) == len(MODELS) + 1
    for path, report in zip(MODELS, results):
        assert report.to_json() == sinew.validate(path).to_json()
    assert isinstance(results[-1], sinew.InputError)


@pytest.mark.parametrize("source, target, options, words", [
    ("gltf/simple_skin.gltf", "out.glb", {}, []),
    ("gltf/simple_skin.gltf", "out.gltf", {"skeletons": "strict"}, ["--skeletons", "strict"]),
    ("gltf/tube_8_influences.gltf", "out.g4b", {"max_influences": 4}, ["--max-influences", 4]),
    ("g4mf/arm_4d.g4tf", "out.g4b", {"compress": "zstd"}, ["--compress", "zstd"]),
    ("g4mf/arm_4d.g4tf", "out.g4tf", {"revision": "2026-07"}, ["--revision", "2026-07"]),
    ("g4mf/stiff_tail.g4tf", "out.glb", {}, []),
])
def test_converts_as_the_program(source, target, options, words, program, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    done = sinew.convert(SAMPLES / source, tmp_path / "a" / target, **options)
    program("convert", SAMPLES / source, tmp_path / "b" / target, *words, "-q", "--loss", tmp_path / "lost.json")
    made = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert made == {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert done.bytes == len(made[target])
    assert done.format.startswith("G4MF" if "g4" in target else "glTF")
    lost = json.loads((tmp_path / "lost.json").read_text())
    assert [finding.message for finding in done.losses] <= [row["what"] for row in lost]


def test_merges(tmp_path):
    target = tmp_path / "dressed.glb"
    done = sinew.merge(MERGE / "body.gltf", [MERGE / "shirt.gltf", MERGE / "wig.gltf"], target)
    assert target.stat().st_size == done.bytes
    assert {Path(bone["file"]).name for bone in done.bones} == {"shirt.gltf", "wig.gltf"}
    assert len(sinew.load(target).instances()) == 3
    with pytest.raises(sinew.UsageError, match="Nothing"):
        sinew.merge(MERGE / "body.gltf", [MERGE / "shirt.gltf"], target, rename={"Nothing": "Something"})


def test_merges_refuse_clothes_without_a_match(tmp_path):
    target = tmp_path / "dressed.glb"
    with pytest.raises(sinew.InputError, match="0 of 3 bones") as failed:
        sinew.merge(MERGE / "body.gltf", [MERGE / "shirt.gltf"], target, rename={"Hips": "A", "Spine": "B", "upperarm": "C"})
    assert failed.value.code == "SINEW_MERGE_NO_MATCH" and not target.exists()


def test_merges_fit_and_give_weights(tmp_path):
    show = SAMPLES / "show"
    done = sinew.merge(show / "figure.gltf", [show / "jacket.gltf"], tmp_path / "a.glb", weights="transfer", weights_angle=40.0)
    assert {bone["file"] for bone in done.bones} <= {str(show / "jacket.gltf")}
    keep = sinew.merge(show / "figure.gltf", [show / "jacket.gltf"], tmp_path / "b.glb", fit=["scale", "pose"], weights="keep")
    assert len(sinew.load(tmp_path / "a.glb").skins) == len(sinew.load(tmp_path / "b.glb").skins) and keep.bytes
    assert (tmp_path / "a.glb").read_bytes() != (tmp_path / "b.glb").read_bytes()
    with pytest.raises(sinew.UsageError, match="fit"):
        sinew.merge(show / "figure.gltf", [show / "jacket.gltf"], tmp_path / "c.glb", fit="tight")
    with pytest.raises(sinew.InputError, match="nobody.glb"):
        sinew.merge(show / "figure.gltf", [show / "jacket.gltf"], tmp_path / "c.glb", made_for=tmp_path / "nobody.glb")


def test_retargets(tmp_path):
    show, target = SAMPLES / "show", tmp_path / "moving.vrm"
    done = sinew.retarget(show / "avatar.vrm", [show / "figure.gltf"], target)
    assert done["clips"] and len(sinew.load(target).clips) == len(sinew.load(show / "avatar.vrm").clips) + len(done["clips"])
    (tmp_path / "pairs.txt").write_text("Hips Nobody\n")
    with pytest.raises(sinew.InputError, match="Nobody"):
        sinew.retarget(show / "avatar.vrm", [show / "figure.gltf"], target, map=tmp_path / "pairs.txt")


def test_merges_take_parts(tmp_path):
    outfit, target = tmp_path / "outfit.glb", tmp_path / "dressed.glb"
    sinew.merge(MERGE / "body.gltf", [MERGE / "shirt.gltf", MERGE / "wig.gltf"], outfit)
    mesh = sinew.load(MERGE / "wig.gltf").meshes[0].name
    sinew.merge(MERGE / "body.gltf", [outfit], target, meshes=[mesh], animations="all")
    assert len(sinew.load(target).instances()) == 2


def test_repairs(tmp_path):
    done = sinew.repair(SAMPLES / "gltf" / "tube_8_influences.gltf", tmp_path / "mended.glb", max_influences=2)
    assert done.changes and done.movement.max > 0 and done.format == "glTF 2.0"
    untouched = sinew.repair(SAMPLES / "gltf" / "simple_skin.gltf")
    assert (untouched.format, untouched.bytes, untouched.changes) == (None, None, [])
    with pytest.raises(sinew.UsageError):
        sinew.repair(SAMPLES / "gltf" / "simple_skin.gltf", prune=float("nan"))


def test_optimizes(simple_skin, tmp_path):
    done = sinew.optimize(simple_skin, tmp_path / "small.glb", max_error=1e-3, steps=["keys", "quantize"], keep=["Body"])
    assert [step["step"] for step in done.steps] == ["keys", "quantize"] and all(step["saved"] > 0 for step in done.steps)
    assert done.movement.equal_within(1e-3) and done.steps[-1]["error"] == done.movement.relative(done.movement.max)
    assert done.bytes == (tmp_path / "small.glb").stat().st_size < sinew.convert(simple_skin, tmp_path / "large.glb").bytes
    assert not sinew.optimize(simple_skin, max_error=1e-3).written
    with pytest.raises(sinew.UsageError, match="expected names of textures, prune, .* found \"all\""):
        sinew.optimize(simple_skin, max_error=0, steps=["all"])
    with pytest.raises(sinew.UnsupportedError, match="expected the compression none, meshopt or khr-meshopt"):
        sinew.optimize(simple_skin, max_error=0, compress="zstd")
    tube, fitted = SAMPLES / "gltf" / "tube_8_influences.gltf", tmp_path / "fitted.glb"
    assert sinew.optimize(tube, fitted, max_error=1, max_influences=2, steps=["weights"]).movement.max > 0
    assert sinew.load(tube).meshes[0].influences == 8 and sinew.load(fitted).meshes[0].influences == 4  # one set, two of them 0
    with pytest.raises(sinew.UnsupportedError, match="joints"):
        sinew.optimize(simple_skin, max_error=0, joint_budget=1)


def test_optimizes_triangles_and_adds_levels(tmp_path):
    figure = SAMPLES / "show" / "figure.gltf"
    assert sinew.optimize(figure, max_error=1e-3).triangles is None
    done = sinew.optimize(figure, tmp_path / "small.glb", max_error=5e-3, triangles=0.8, lods=[0.4, 0.2])
    assert done.triangles["after"] < done.triangles["before"] and 0 < done.triangles["surface_error"] <= 5e-3
    errors = [level["surface_error"] for level in done.lods]
    assert 0 < errors[0] < errors[1] and done.lods[0]["triangles"] < 0.41 * done.triangles["before"]
    with pytest.raises(sinew.UsageError):
        sinew.optimize(figure, max_error=1e-3, lods=[0.2, 0.4])


def test_optimizes_images_and_names(tmp_path):
    done = sinew.optimize(SAMPLES / "show" / "globe.gltf", tmp_path / "small.glb", max_error=0, textures="webp", max_texture=64, texture_psnr=35, drop_names=True)
    row = done.textures[0]
    assert row["to"] in ("image/webp", "image/png") and max(row["width"], row["height"]) == 64
    assert row["after"] < row["before"] and row["psnr"] >= 35 and 0 < row["ssim"] <= 1
    assert {step["step"] for step in done.steps} >= {"textures", "names"}
    assert all(node.name == "" for node in sinew.load(tmp_path / "small.glb").nodes)
    with pytest.raises(sinew.UsageError):
        sinew.optimize(SAMPLES / "show" / "globe.gltf", max_error=0, textures="gif")


def test_nodes_become_copies(tmp_path):
    source = json.loads((SAMPLES / "gltf" / "simple_skin.gltf").read_text())
    source["scenes"][0]["nodes"] += [len(source["nodes"]), len(source["nodes"]) + 1]
    source["nodes"] += [{"mesh": 0}, {"mesh": 0, "translation": [2, 0, 0]}]
    model, joined = tmp_path / "model.gltf", tmp_path / "joined.glb"
    model.write_text(json.dumps(source))
    sinew.optimize(model, joined, max_error=0, instances="nodes")
    assert [instance.copy for instance in sinew.load(joined).instances()] == [0, 0, 1]
    with pytest.raises(sinew.UsageError, match="instances"):
        sinew.optimize(model, joined, max_error=0, instances="all")


def test_unused_things_are_pruned(tmp_path):
    source = json.loads((SAMPLES / "gltf" / "simple_skin.gltf").read_text())
    source["materials"] = source.get("materials", []) + [{"name": "Nobody"}]
    model = tmp_path / "model.gltf"
    model.write_text(json.dumps(source))
    sinew.convert(model, tmp_path / "kept.gltf")
    assert "Nobody" in (tmp_path / "kept.gltf").read_text()
    target = tmp_path / "pruned.gltf"
    for edit in (lambda: sinew.convert(model, target, prune_unused=True), lambda: sinew.repair(model, target, prune_unused=True),
                 lambda: sinew.rebind(model, target, to="rest", prune_unused=True),
                 lambda: sinew.merge(model, [model], target, prune_unused=True)):
        done = edit()
        assert "Nobody" not in target.read_text()
        assert any("nothing refers to" in change.message for change in done.changes)


def test_rebinds(simple_skin, tmp_path):
    done = sinew.rebind(simple_skin, tmp_path / "bound.glb", to="clip", animation="Swing", seconds=1.0, tolerance=1)
    assert done.changes and done.movement.equal_within(1)
    with pytest.raises(sinew.UsageError, match="expected to, joints, unify or bake_shapes"):
        sinew.rebind(simple_skin, tmp_path / "bound.glb")


def test_rebinds_vertices_as_stored_or_in_the_space_of_the_scene(simple_skin, tmp_path):
    kept = sinew.rebind(simple_skin, tmp_path / "kept.glb", to="clip", animation="Swing", seconds=1.0, keep_vertices=True)
    assert kept.changes and not kept.movement.equal_within(1e-3)
    with pytest.raises(sinew.UnsupportedError, match="keep_vertices"):
        sinew.rebind(simple_skin, tmp_path / "bound.glb", to="clip", animation="Swing", seconds=1.0)
    with pytest.raises(sinew.UsageError, match="with world or keep_vertices"):
        sinew.rebind(simple_skin, tmp_path / "bound.glb", to="identity", world=True)
    assert not sinew.rebind(simple_skin, tmp_path / "bound.glb", to="rest", world=True, bake_shapes=True).changes


def test_compares(simple_skin, tmp_path):
    sinew.convert(simple_skin, tmp_path / "skin.g4b")
    a, b = sinew.load(simple_skin), sinew.load(tmp_path / "skin.g4b")
    found = sinew.compare(a, b, match=True)
    assert found.equal_within(1e-5) and found.max < 1e-5 and found.why_not == ""
    [pair] = found.instances
    assert pair.name == "Rectangle" and [part.kind for part in pair.parts] == ["rest", "animation", "stress", "stress", "stress"]
    assert found.verdict() == "equal in every pose" and found.every_pose.proved(0) and pair.every_pose.bound == 0
    assert (found.only_a, found.only_b) == ([], [])
    assert repr(found).startswith("<Comparison of 1 drawn mesh, largest distance ")
    assert not sinew.compare(a, sinew.load(SAMPLES / "gltf" / "morph_cube.gltf")).equal_within()


def test_nothing_is_left_behind(simple_skin, tmp_path):
    folder = tmp_path / "no" / "such"
    with pytest.raises(sinew.OutputError):
        sinew.convert(simple_skin, folder / "out.glb")
    with pytest.raises(sinew.UsageError):
        sinew.convert(simple_skin, tmp_path / "out.fbx")
    with pytest.raises(sinew.UnsupportedError):
        sinew.convert(SAMPLES / "g4mf" / "arm_4d.g4tf", tmp_path / "out.glb")
    assert list(tmp_path.iterdir()) == []
