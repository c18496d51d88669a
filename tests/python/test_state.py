# SPDX-License-Identifier: MIT
"""Poses, deformers, players, results and the parts of models are pickled and copied as what they are, also into other processes."""
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import _core

from conftest import SAMPLES

FIGURE = SAMPLES / "show" / "figure.gltf"
WAYS = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value)), lambda value: pickle.loads(pickle.dumps(value, 2))]


def elsewhere(code, value):
    """Runs code with a pickled `value` in a new process; returns `result`, unpickled here."""
    text = f"import pickle, sys\nvalue = pickle.load(sys.stdin.buffer)\n{code}\nsys.stdout.buffer.write(pickle.dumps(result))"
    done = subprocess.run([sys.executable, "-c", text], input=pickle.dumps(value), stdout=subprocess.PIPE, timeout=120, check=True, cwd="/",
                          env={**os.environ, "PYTHONPATH": os.path.abspath(os.environ["SINEW_MODULE"])})
    return pickle.loads(done.stdout)


def properties(value):
    """Everything that a result says, as nested lists."""
    if type(value).__module__ == "sinew._core":
        names = [name for name, member in vars(type(value)).items() if isinstance(member, property)]
        assert names
        return [type(value).__name__, repr(value).split(" at 0x")[0]] + [(name, properties(getattr(value, name))) for name in names]
    if isinstance(value, (list, tuple)):
        return [properties(one) for one in value]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.shape, value.tolist()]
    return value


def changed_pose(model):
    """Every kind of change that a pose can have."""
    pose = model.pose()
    if model.clips:
        pose.sample(0, 0.3)
    plane = (0, 1)
    pose.turn(len(model.nodes) - 1, plane=plane, angle=0.25)
    pose.set(0, translation=np.arange(model.dimension) / 8)
    for node in model.nodes:
        if node.mesh is not None and model.meshes[node.mesh].shapes:
            pose.set_amounts(node.index, [0.125 * (i + 1) for i in range(len(model.meshes[node.mesh].shapes))])
    return pose


@pytest.mark.parametrize("way", WAYS)
def test_poses_of_every_sample(sample, way):
    model = sinew.load(sample)
    pose = changed_pose(model) if model.dimension >= 2 and model.nodes else model.pose()
    again = way(pose)
    np.testing.assert_array_equal(model.world_transforms(again), model.world_transforms(pose))
    np.testing.assert_array_equal(sinew.Deformer(model).positions(again), sinew.Deformer(model).positions(pose))


def test_a_copy_of_a_pose_is_its_own():
    model = sinew.load(FIGURE)
    pose = model.pose()
    for way in WAYS:
        again = way(pose)
        again.turn("Head", axis=[1, 0, 0], angle=1)
        np.testing.assert_array_equal(pose.matrix("Head"), model.pose().matrix("Head"))
        assert not np.array_equal(again.matrix("Head"), pose.matrix("Head"))


def test_a_basis_and_missing_parts_are_kept():
    model = sinew.load(FIGURE)
    pose = model.pose()
    pose.set("Head", basis=[[1, 0.5, 0], [0, 1, 0], [0, 0, 2]])
    again = pickle.loads(pickle.dumps(pose))
    assert again.rotor("Head") is None and again.scale("Head") is None
    np.testing.assert_array_equal(again.matrix("Head"), pose.matrix("Head"))


def test_wrong_states_of_poses():
    pose = sinew.load(FIGURE).pose()
    make, (model, lengths, numbers) = pose.__reduce__()
    for wrong in ((lengths[1:], numbers), (lengths, numbers[1:]), (lengths, np.append(numbers, 1)), (lengths + 1, np.tile(numbers, 9)), (np.full_like(lengths, 1 << 31), numbers)):
        with pytest.raises(sinew.UsageError, match="pickled pose"):
            make(model, *wrong)
    make(model, lengths, numbers)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", [{}, {"normals": True}, {"normals": "computed", "scene": 0}, {"tangents": True},
                                     {"max_influences": 1}, {"kernel": "plain"}])
def test_deformers_keep_what_they_were_made_of(way, options):
    model = sinew.load(SAMPLES / "gltf" / "tube_8_influences.gltf" if "tangents" in options else FIGURE)
    pose = changed_pose(model)
    deformer = sinew.Deformer(model, **options)
    again = way(deformer)
    assert again.kernel == deformer.kernel and again is not deformer
    np.testing.assert_array_equal(again.positions(pose), deformer.positions(pose))
    if "normals" in options:
        np.testing.assert_array_equal(again.normals(pose), deformer.normals(pose))
    else:
        with pytest.raises(sinew.UsageError, match="normals"):
            again.normals(pose)
    if "tangents" in options:
        np.testing.assert_array_equal(again.tangents(pose), deformer.tangents(pose))
    if "kernel" in options:
        assert again.kernel == "plain" and pickle.loads(pickle.dumps(again)).kernel == "plain"


def test_in_a_new_process_everything_belongs_together():
    model = sinew.load(FIGURE)
    pose = changed_pose(model)
    deformer = sinew.Deformer(model, normals="computed")
    code = """d, p, m = value
assert p is not None and d.positions(p).shape[1] == 3 and m.world_transforms(p).shape[0] == len(m.nodes)
p.turn("Head", axis=[0, 1, 0], angle=0.5)
result = d.positions(p), d.normals(p), p"""
    positions, normals, back = elsewhere(code, (deformer, pose, model))
    pose.turn("Head", axis=[0, 1, 0], angle=0.5)
    np.testing.assert_array_equal(positions, deformer.positions(pose))
    np.testing.assert_array_equal(normals, deformer.normals(pose))
    np.testing.assert_array_equal(deformer.positions(back), positions)  # it came back as a pose of this model


def test_one_pickle_has_the_file_once():
    model = sinew.load(FIGURE)
    one = len(pickle.dumps(model))
    many = len(pickle.dumps([model, sinew.Deformer(model), *(model.pose() for _ in range(8)), *model.nodes, sinew.Player(model, [0])]))
    assert many < 1.5 * one


def test_pickles_that_come_one_by_one_belong_together():
    model = sinew.load(FIGURE)
    parts = [pickle.dumps(part) for part in (sinew.Deformer(model), changed_pose(model))]
    expected = sinew.Deformer(model).positions(changed_pose(model))
    code = "d, p = map(pickle.loads, value)\nresult = d.positions(p)"
    np.testing.assert_array_equal(elsewhere(code, parts), expected)
    same = pickle.loads(pickle.dumps(model))
    assert same is model and copy.copy(model) is model and copy.deepcopy(model) is model


def test_a_model_loaded_twice_is_two_models():
    one, other = sinew.load(FIGURE), sinew.load(FIGURE)
    with pytest.raises(sinew.UsageError, match="another model"):
        sinew.Deformer(one).positions(pickle.loads(pickle.dumps(other.pose())))


WORKER = {}


def highest(pose):
    return float(WORKER["deformer"].positions(pose)[:, 1].max())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_forked_workers_use_the_models_of_their_parent():
    model = sinew.load(FIGURE)
    WORKER["deformer"] = sinew.Deformer(model)
    poses = []
    for number in range(4):
        poses.append(model.pose())
        poses[-1].sample("Walk", number / 5)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(highest, poses) == [highest(pose) for pose in poses]


@pytest.mark.parametrize("way", WAYS)
def test_players_go_on(way):
    model = sinew.load(FIGURE)
    mask = np.linspace(0, 1, len(model.nodes))
    player = sinew.Player(model, [{"clip": "Walk", "weight": 0.75}, {"clip": "Walk", "weight": 0.5, "speed": -0.5, "additive": True, "mask": mask},
                                  {"clip": 0, "loops": False, "seconds": 0.25}], root="Hips")
    for _ in range(7):
        player.advance(1 / 30)
    again = way(player)
    assert again.clips == player.clips
    for _ in range(3):
        np.testing.assert_array_equal(again.world("Head"), player.world("Head"))
        player.advance(0.3)
        again.advance(0.3)
        np.testing.assert_array_equal(again.root_motion, player.root_motion)
    again.advance(0.1)
    assert again.clips != player.clips


def results(tmp_path):
    """One of every class of results."""
    figure = sinew.load(FIGURE)
    arm = sinew.load(SAMPLES / "g4mf" / "arm_4d.g4tf")
    broken = tmp_path / "broken.gltf"
    broken.write_text('{"asset": {"version": "2.0"}, "nodes": [{"mesh": 5}, {"name": "\\u00e4"}], "buffers": 3}', encoding="utf-8")
    less = sinew.repair(FIGURE, tmp_path / "less.glb", max_influences=1)
    yield from (sinew.validate(broken), sinew.validate(FIGURE), *sinew.validate(broken).findings)
    yield from (figure.bounds(), arm.bounds(), sinew.compare(figure, sinew.load(tmp_path / "less.glb")), sinew.compare(figure, arm), less)
    flex = sinew.flex(figure)
    tube = SAMPLES / "gltf" / "tube_8_influences.gltf"
    yield from (sinew.optimize(tube, tmp_path / "small.glb", max_error=1e-3, triangles=0.5), flex,
                sinew.merge(FIGURE, [SAMPLES / "show" / "jacket.gltf"], tmp_path / "dressed.glb"))
    yield from (figure.bounds().clips[0], figure.bounds().instances[0], figure.bounds().joints[0], less.movement.instances[0],
                less.movement.instances[0].parts[0], less.movement.every_pose, flex.findings[0], *figure.instances())
    for model in (figure, arm):
        for kind in ("nodes", "meshes", "skins", "skeletons", "clips", "materials", "scenes"):
            yield from getattr(model, kind)[:2]


def test_results_and_parts(tmp_path):
    found = list(results(tmp_path))
    for value in found:
        expected = properties(value)
        for way in WAYS:
            assert properties(way(value)) == expected
    never = {"Deformer", "Model", "Player", "Pose", "Renderer"}  # not results
    assert {type(value).__name__ for value in found} == {name for name, kind in vars(_core).items() if isinstance(kind, type)} - never
    for value, again in zip(found, elsewhere("result = value", found)):
        assert properties(again) == properties(value)


def test_methods_of_results_work(tmp_path):
    comparison = pickle.loads(pickle.dumps(next(r for r in results(tmp_path) if isinstance(r, sinew.Comparison))))
    assert comparison.verdict() == "different" and not comparison.equal_within(1e-5)
    report = sinew.validate(FIGURE)
    again = pickle.loads(pickle.dumps(report))
    assert again.to_json() == report.to_json() and again.to_sarif() == report.to_sarif()


def test_wrong_states_of_results():
    report = sinew.validate(FIGURE)
    make, (kind, state) = report.__reduce__()
    with pytest.raises(sinew.UsageError, match="another version"):
        make(kind, state[1:])
    with pytest.raises(TypeError):
        make(sinew.Model, state)


def test_errors():
    with pytest.raises(sinew.InputError) as caught:
        sinew.load("nowhere.gltf")
    for way in WAYS:
        again = way(caught.value)
        assert type(again) is sinew.InputError and str(again) == str(caught.value) and again.code == caught.value.code


def test_renderers_are_not_pickled():
    try:
        renderer = sinew.Renderer(sinew.load(FIGURE), size=(8, 8))
    except sinew.UnsupportedError as no:
        pytest.skip(str(no))
    for way in WAYS:
        with pytest.raises(TypeError):
            way(renderer)
