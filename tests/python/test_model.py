# SPDX-License-Identifier: MIT
"""The contents of a model, and the errors of unusable models."""
import copy
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from conftest import SAMPLES

import sinew


def test_info_is_that_of_the_program(sample, program):
    shown = program.json("info", sample, "--json")
    assert sinew.info(sample) == shown
    assert sinew.info(sinew.load(sample)) == {**shown, "file": ""}


def test_entities(simple_skin):
    model = sinew.load(simple_skin)
    assert (model.format, model.revision, model.dimension) == ("glTF", "2.0", 3)
    assert [node.name for node in model.nodes] == ["Rectangle", "Lower", "Upper"]
    upper = model.nodes[model.find_node("Upper")]
    assert (upper.index, upper.parent, upper.children, upper.pointer, upper.is_bone) == (2, 1, [], "/nodes/2", False)
    assert model.skins[0].joints == [1, 2]
    [clip] = model.clips
    assert (clip.name, clip.duration, clip.channels) == ("Swing", 5.5, 1)
    assert model.find_clip("Swing") == model.find_clip(0) == model.find_clip(np.int64(0)) == 0
    [instance] = model.instances()
    assert (instance.node, instance.mesh, instance.skin, instance.visible) == (0, 0, 0, True)
    assert model.findings == [] and model.defects == []


def test_views_keep_the_model_alive(simple_skin):
    node = sinew.load(simple_skin).nodes[2]
    assert node.name == "Upper"


def test_world_transforms_are_matrices(simple_skin):
    model = sinew.load(simple_skin)
    pose = model.pose()
    pose.sample("Swing", 1.375)
    world = model.world_transforms(pose)
    assert world.shape == (3, 3, 4)
    np.testing.assert_allclose(world[2], [[0, -1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]], atol=1e-7)
    np.testing.assert_allclose(model.world_transforms()[1], np.eye(3, 4), atol=0)


@pytest.mark.parametrize("make, failure, words", [
    (lambda model: model.find_clip("Swim"), sinew.UsageError, '"Swing"'),
    (lambda model: model.find_clip(1), sinew.UsageError, "no animation has the index 1"),
    (lambda model: model.find_node(-1), sinew.UsageError, "no node has the index -1"),
    (lambda model: model.pose().sample(-1, 0), sinew.UsageError, "no animation has the index -1"),
    (lambda model: model.pose().blend(0, np.nan), sinew.UsageError, "amount: nan is not a finite number"),
    (lambda model: sinew.load_memory(b'{"asset": {"version": "2.0"}}').pose().blend("Smile", 1), sinew.UsageError, "^no mesh in this file has blend shapes"),
    (lambda model: model.pose().set_amounts(0, None), sinew.UsageError, "amounts: expected 0 real numbers, found None"),
    (lambda model: sinew.load(""), sinew.UsageError, "an empty one"),
    (lambda model: model.find_node(2**70), sinew.UsageError, "no node has the index"),
    (lambda model: model.instances(scene=7), sinew.UsageError, "scene 7 does not exist"),
    (lambda model: model.instances(scene=-1), sinew.UsageError, "scene -1 does not exist"),
    (lambda model: sinew.load("missing.glb"), sinew.InputError, "cannot be opened"),
    (lambda model: sinew.load("x.g4b", revision="2027"), sinew.UsageError, "2025-08, 2026-01, 2026-07"),
    (lambda model: sinew.explain("NOTHING"), sinew.UsageError, "NOTHING"),
])
def test_failures_say_what_and_where(simple_skin, make, failure, words):
    with pytest.raises(failure, match=words) as raised:
        make(sinew.load(simple_skin))
    assert isinstance(raised.value, sinew.Error)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again), again.code) == (failure, str(raised.value), raised.value.code)


def test_failure_of_a_broken_file_has_file_and_offset(tmp_path):
    broken = tmp_path / "broken.gltf"
    broken.write_text('{"asset": {"version": "2.0"}, "nodes": [}')
    with pytest.raises(sinew.InputError) as raised:
        sinew.load(broken)
    assert raised.value.file == str(broken)
    assert raised.value.offset == 40
    assert str(raised.value).startswith(f"{broken}: byte 40: ")


def test_memory_limit(sample):
    with pytest.raises(sinew.LimitError):
        sinew.load(sample, max_memory=16)


def test_names_that_are_no_text(tmp_path):
    odd = tmp_path / "odd.gltf"
    odd.write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "a\\u0000\\uD800b"}]}')
    try:
        assert sinew.load(odd).nodes[0].name.startswith("a\0")
    except sinew.InputError as error:
        assert error.message


def test_poses(simple_skin):
    model = sinew.load(simple_skin)
    pose = model.pose()
    half = np.sqrt(0.5)
    pose.set("Upper", rotation=[0, 0, half, half], translation=(1, 2, 3))
    np.testing.assert_allclose(pose.rotor("Upper"), [half, half, 0, 0])
    np.testing.assert_allclose(pose.translation("Upper"), [1, 2, 3])
    np.testing.assert_allclose(pose.scale("Upper"), [1, 1, 1])
    np.testing.assert_allclose(pose.matrix("Upper"), [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3]], atol=1e-15)
    same = model.pose()
    same.set(2, rotor=[half, half, 0, 0], translation=np.array([1, 2, 3], np.float32))
    np.testing.assert_array_equal(same.matrix(2), pose.matrix(2))
    other = copy.deepcopy(pose)
    other.set("Upper", basis=[[0, 1, 0], [2, 0, 0], [0, 0, 1]])
    assert other.rotor("Upper") is None and other.scale("Upper") is None
    np.testing.assert_array_equal(other.matrix("Upper")[:, 0], [0, 2, 0])
    np.testing.assert_allclose(pose.scale("Upper"), [1, 1, 1])  # not that of the copy


def test_blend_amounts():
    model = sinew.load(SAMPLES / "gltf" / "morph_cube.gltf")
    pose = model.pose()
    node = model.instances()[0].node
    [first, second] = [name for name, _ in model.meshes[0].shapes]
    pose.blend(first, 0.1)
    pose.blend(f"{node}:{second}", -2)
    np.testing.assert_array_equal(pose.amounts(node), [0.1, -2])
    pose.set_amounts(node, [1, 0.5])
    np.testing.assert_array_equal(pose.amounts(node), [1, 0.5])
    pose.blend(1, 0.25)
    pose.blend(np.int64(0), 2)
    np.testing.assert_array_equal(pose.amounts(node), [2, 0.25])
    for wrong in ([1], [1, np.nan], [[1, 2]], "ab"):
        with pytest.raises((sinew.UsageError, ValueError)):
            pose.set_amounts(node, wrong)
    with pytest.raises(sinew.UsageError):
        pose.blend("Nothing", 1)
    with pytest.raises(sinew.UsageError, match="no blend shape has the index"):
        pose.blend(2, 1)
    for wrong in (-1, ""):
        with pytest.raises(sinew.UsageError):
            pose.blend(wrong, 1)
    with pytest.raises(TypeError, match="a name or an index"):
        pose.blend(0.5, 1)
    with pytest.raises(sinew.UsageError):
        pose.blend(first, float("inf"))


@pytest.mark.parametrize("change", [
    {"rotation": [0, 0, 1]}, {"rotation": [0, 0, 0, np.nan]}, {"rotor": [1, 2, 3, 4, 5]}, {"translation": [1, 2]}, {"scale": np.ones((3, 1))},
    {"basis": np.eye(4)}, {"basis": np.eye(3), "scale": [1, 1, 1]}, {"rotation": [0, 0, 0, 1], "rotor": [1, 0, 0, 0]},
    {"basis": np.full((3, 3), np.inf)}, {"basis": "text"}, {"translation": "text"}, {"rotor": "text"}, {"scale": [[1], [2, 3]]},
    {"rotation": [0, 0, 0, 0]}, {"rotor": [0, 0, 0, 0]}, {"translation": np.array([1, 2, 3 + 4j])}, {"translation": ["1", "2", "3"]},
    {"scale": [True, True, True]}, {"translation": np.array([1, 2, 3j], object)}, {"basis": np.eye(3, dtype=complex)}, {"translation": 5},
])
def test_wrong_transforms_are_refused(simple_skin, change):
    pose = sinew.load(simple_skin).pose()
    before = pose.matrix("Upper")
    with pytest.raises(sinew.UsageError):
        pose.set("Upper", **change)
    np.testing.assert_array_equal(pose.matrix("Upper"), before)


def test_numbers_of_any_kind_are_taken(simple_skin):
    pose = sinew.load(simple_skin).pose()
    for given in ([1, 2, 3], (1.0, 2, 3), np.array([1, 2, 3], np.uint8), np.array([9, 1, 2, 3], np.float32)[1:], [1, Fraction(4, 2), 3],
                  np.arange(1, 6)[:3]):
        pose.set("Upper", translation=[0, 0, 0])
        pose.set("Upper", translation=given)
        np.testing.assert_array_equal(pose.translation("Upper"), [1, 2, 3])


def test_objects_tell_what_they_are(simple_skin, tmp_path):
    model = sinew.load(simple_skin)
    assert repr(model.pose()) == "<Pose of 3 nodes>"
    assert repr(sinew.Deformer(model)) == "<Deformer of 10 vertices in 1 instances, 3 dimensions>"
    assert re.fullmatch(rf"<Report of {re.escape(str(simple_skin))}: 0 errors, 0 warnings, \d+ informations, \d+ hints>",
                        repr(sinew.validate(simple_skin)))
    assert repr(sinew.repair(simple_skin)) == "<Edited: nothing written, 0 changes, 0 of them losses>"
    done = sinew.convert(simple_skin, tmp_path / "skin.g4b")
    assert repr(done) == f"<Edited: G4MF 2026-01, {done.bytes} bytes, {len(done.changes)} changes, {len(done.losses)} of them losses>"


def test_explanations():
    told = sinew.explain("SINEW_USAGE")
    assert told["code"] == "SINEW_USAGE" and told["why"]


def test_objects_without_their_compiled_part_are_refused(simple_skin):
    kinds = [kind for kind in vars(sinew).values() if isinstance(kind, type) and kind.__module__ == "sinew._core"]
    assert len(kinds) >= 15
    for kind in kinds:
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            object.__new__(kind)

    class Own(sinew.Deformer):
        pass

    assert repr(Own(sinew.load(simple_skin))) == "<Deformer of 10 vertices in 1 instances, 3 dimensions>"
