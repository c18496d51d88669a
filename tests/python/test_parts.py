# SPDX-License-Identifier: MIT
"""What the rows and triangles of a Deformer belong to, against what the file says."""
import base64
import json
import math

import numpy as np
import pytest

import sinew

from conftest import SAMPLES

KINDS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class File:
    """The accessors of a glTF file with its buffers inside, read without Sinew."""

    def __init__(self, path):
        self.json = json.loads(path.read_text(encoding="utf-8"))

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        data = base64.b64decode(self.json["buffers"][view["buffer"]]["uri"].split(",", 1)[1])
        kind, width = np.dtype(KINDS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start, step = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", kind.itemsize * width)
        rows = [np.frombuffer(data, kind, width, start + row * step) for row in range(accessor["count"])]
        return np.stack(rows) / np.float32(np.iinfo(kind).max if accessor.get("normalized") else 1)


def dense(model, found):
    """Influences as a matrix (vertices, nodes)."""
    out = np.zeros((len(found["first"]) - 1, len(model.nodes)), np.float32)
    for row in range(len(out)):
        for entry in range(found["first"][row], found["first"][row + 1]):
            assert out[row, found["nodes"][entry]] == 0
            out[row, found["nodes"][entry]] = found["weights"][entry]
    return out


@pytest.mark.parametrize("name", ["gltf/simple_skin.gltf", "gltf/tube_8_influences.gltf", "show/figure.gltf"])
def test_influences_are_those_of_the_file(name):
    file, model = File(SAMPLES / name), sinew.load(SAMPLES / name)
    [primitive] = file.json["meshes"][0]["primitives"]
    joints = file.json["skins"][0]["joints"]
    wanted = np.zeros((model.meshes[0].vertices, len(model.nodes)), np.float32)
    for set in range(2):
        if f"JOINTS_{set}" not in primitive["attributes"]:
            continue
        slots, weights = (file.array(primitive["attributes"][f"{what}_{set}"]) for what in ("JOINTS", "WEIGHTS"))
        for column in range(4):
            np.add.at(wanted, (np.arange(len(wanted)), np.array(joints)[slots[:, column].astype(int)]), weights[:, column])
    found = sinew.Deformer(model).influences()
    np.testing.assert_allclose(dense(model, found), wanted, atol=1e-7)
    assert [found[key].dtype for key in ("first", "nodes", "weights")] == [np.int64, np.int32, np.float32]
    few = sinew.Deformer(model, max_influences=1).influences()
    np.testing.assert_array_equal(np.diff(few["first"]), 1)
    np.testing.assert_array_equal(wanted[np.arange(len(wanted)), few["nodes"]], wanted.max(1))


def test_vertices_without_joints_follow_their_node():
    model = sinew.load(SAMPLES / "show" / "globe.gltf")
    found = sinew.Deformer(model).influences()
    assert set(found["nodes"]) == {0} and set(found["weights"]) == {1}


def test_texture_coordinates_are_those_of_the_file():
    file, model = File(SAMPLES / "show" / "globe.gltf"), sinew.load(SAMPLES / "show" / "globe.gltf")
    stored = file.array(file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"])
    deformer = sinew.Deformer(model)
    found = deformer.texture_coordinates()
    assert found.shape == (deformer.vertices, 2) and len(stored) < len(found)
    np.testing.assert_array_equal(found[:len(stored)], stored)
    assert np.isnan(found[len(stored):]).all() and np.isnan(deformer.texture_coordinates(model.pose(), set=1)).all()
    arm = sinew.load(SAMPLES / "g4mf" / "arm_4d.g4tf")
    for wrong in (lambda: sinew.Deformer(arm).texture_coordinates(), lambda: deformer.texture_coordinates(arm.pose())):
        with pytest.raises(sinew.UsageError):
            wrong()


def test_ranges_of_a_mesh_of_two_materials(tmp_path):
    file = json.loads((SAMPLES / "show" / "globe.gltf").read_text(encoding="utf-8"))
    surfaces = file["meshes"][0]["primitives"]
    surfaces.append({**surfaces[0], "material": 1})
    file["nodes"].append({"mesh": 0})
    file["scenes"][0]["nodes"].append(len(file["nodes"]) - 1)
    (tmp_path / "two.gltf").write_text(json.dumps(file), encoding="utf-8")
    deformer = sinew.Deformer(sinew.load(tmp_path / "two.gltf"))
    ranges = deformer.triangle_ranges()
    assert [(r["instance"], r["surface"], r["material"]) for r in ranges] == [(0, 0, 0), (0, 2, 1), (1, 0, 0), (1, 2, 1)]
    assert [r["first"] for r in ranges] == [sum(r["count"] for r in ranges[:i]) for i in range(4)]
    assert sum(r["count"] for r in ranges) == len(deformer.simplexes())
    for r in ranges:
        rows = deformer.rows(r["instance"])
        part = deformer.simplexes()[r["first"]:r["first"] + r["count"]]
        assert part.min() >= rows.start and part.max() < rows.stop
    assert sinew.Deformer(sinew.load(SAMPLES / "gltf" / "simple_skin.gltf")).triangle_ranges()[0]["material"] is None


@pytest.mark.parametrize("name", ["show/figure.gltf", "g4mf/arm_4d.g4tf"])
@pytest.mark.parametrize("above", [0, 0.5])
def test_boxes_hold_the_vertices_of_a_bone(name, above):
    model = sinew.load(SAMPLES / name)
    deformer = sinew.Deformer(model)
    pose = model.pose()
    if model.clips:
        pose.sample(0, 0.3)
    positions = deformer.positions(pose)
    boxes, weights = deformer.bone_boxes(positions, above=above), dense(model, deformer.influences())
    assert boxes.shape == (len(model.nodes), 2, model.dimension) and boxes.dtype == np.float32
    some = 0
    for node in range(len(model.nodes)):
        rows = positions[weights[:, node] > above]
        if len(rows):
            np.testing.assert_array_equal(boxes[node], [rows.min(0), rows.max(0)])
            some += 1
        else:
            assert np.isnan(boxes[node]).all()
    assert 2 <= some < len(model.nodes)
    for wrong in (lambda: deformer.bone_boxes(positions[1:]), lambda: deformer.bone_boxes(positions, above=-1),
                  lambda: deformer.bone_boxes(positions, above=math.nan)):
        with pytest.raises(sinew.UsageError):
            wrong()
