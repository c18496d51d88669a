# SPDX-License-Identifier: MIT
"""Deforms into numpy arrays: bit for bit as the program, in the caller's memory, on any thread."""
import base64
import json
import struct
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import SAMPLES

import sinew


def by_program(program, tmp_path, *words):
    out = tmp_path / "by_program.npy"
    program("deform", *words, "-o", out, "-q")
    return np.load(out)


def same(a, b):
    assert a.dtype == b.dtype == np.float32
    assert a.shape == b.shape
    assert a.tobytes() == b.tobytes()


def test_positions_are_those_of_the_program(sample, program, tmp_path):
    model = sinew.load(sample)
    deformer = sinew.Deformer(model)
    same(deformer.positions(model.pose()), by_program(program, tmp_path, sample))
    pose_file = sample.with_suffix(".pose.json")
    if pose_file.exists():
        pose = model.pose()
        pose.apply_file(pose_file)
        same(deformer.positions(pose), by_program(program, tmp_path, sample, "--pose", pose_file))
    for clip in model.clips:
        frames = deformer.clip(clip.index, fps=7)
        same(frames, by_program(program, tmp_path, sample, "--animation", clip.index, "--fps", 7))
        same(deformer.clip(clip.index, frames=5), by_program(program, tmp_path, sample, "--animation", clip.index, "--frames", 5))
        pose = model.pose()
        pose.sample(clip.index, 1 / 7)
        if len(frames) > 1:
            same(deformer.positions(pose), frames[1])


@pytest.mark.parametrize("channel", ["normal", "tangent"])
def test_directions_are_those_of_the_program(sample, channel, program, tmp_path):
    model = sinew.load(sample)
    deformer = sinew.Deformer(model, normals=True, tangents=True)
    if model.format == "G4MF":
        if channel == "normal" and model.dimension >= 3 and len(deformer.simplexes()):
            same(deformer.corner_normals(model.pose()), by_program(program, tmp_path, sample, "--attribute", channel))
        with pytest.raises(sinew.UsageError):
            getattr(deformer, channel + "s")(model.pose())
        return
    try:
        found = getattr(deformer, channel + "s")(model.pose())
    except sinew.UsageError as error:
        assert "no mesh of the scene has" in str(error)
        return
    same(found, by_program(program, tmp_path, sample, "--attribute", channel))


def test_the_tutorial(simple_skin):
    model = sinew.load(simple_skin)
    deformer = sinew.Deformer(model)
    pose = model.pose()
    pose.set("Upper", rotation=[0, 0, np.sqrt(0.5), np.sqrt(0.5)])
    positions = deformer.positions(pose)
    np.testing.assert_allclose(positions[[4, 6, 9]], [[-0.25, 0.75, 0], [-0.5, 0.75, 0], [-1, 1.5, 0]], atol=1e-6)
    assert deformer.vertices == 10 and deformer.rows(0) == slice(0, 10, 1)
    triangles = deformer.simplexes()
    assert triangles.shape == (8, 3) and triangles.max() == 9


def test_rows_and_simplexes_of_several_instances():
    model = sinew.load(SAMPLES / "gltf" / "mirrored_pair.gltf")
    deformer = sinew.Deformer(model)
    ends = [deformer.rows(i) for i in range(len(deformer.instances))]
    assert ends[0].start == 0 and ends[-1].stop == deformer.vertices
    assert all(a.stop == b.start for a, b in zip(ends, ends[1:]))
    triangles = deformer.simplexes()
    for rows in ends:  # every instance has triangles of its own
        inside = ((triangles >= rows.start) & (triangles < rows.stop)).all(axis=1)
        assert inside.sum() * len(ends) == len(triangles)
    with pytest.raises(sinew.UsageError):
        deformer.rows(len(ends))


@pytest.fixture
def ready(simple_skin):
    model = sinew.load(simple_skin)
    pose = model.pose()
    pose.sample("Swing", 1.0)
    deformer = sinew.Deformer(model)
    return deformer, pose, deformer.positions(pose)


def test_fills_the_callers_memory(ready):
    deformer, pose, expected = ready
    out = np.full((10, 3), 7, np.float32)
    assert deformer.positions(pose, out=out) is out
    same(out, expected)

    wide = np.full((10, 8), 7, np.float32)  # a structure of vertices, say
    deformer.positions(pose, out=wide[:, 2:5])
    same(wide[:, 2:5].copy(), expected)
    assert (wide[:, :2] == 7).all() and (wide[:, 5:] == 7).all()

    every_second = np.full((20, 3), 7, np.float32)
    deformer.run(pose, positions=every_second[::2])
    same(every_second[::2].copy(), expected)
    assert (every_second[1::2] == 7).all()

    frames = np.full((4, 10, 3), 7, np.float32)
    deformer.frames([pose, pose], out=frames[1::2])
    same(frames[1], expected)
    assert (frames[0] == 7).all() and (frames[2] == 7).all()

    apart = np.full((3, 25, 6), 7, np.float32)  # rows and frames with gaps
    some = apart[:, 4:14, :3]
    deformer.frames([pose, pose, pose], out=some)
    same(some.copy(), np.stack([expected] * 3))
    deformer.clip("Swing", times=[1, 0, 1], out=some)
    same(some[0].copy(), expected)
    same(some.copy(), deformer.clip("Swing", times=[1, 0, 1]))
    some[:] = 7
    assert (apart == 7).all()


@pytest.mark.parametrize("wrong", [
    np.zeros((10, 3)), np.zeros((10, 3), np.int32), np.zeros((9, 3), np.float32), np.zeros((10, 4), np.float32), np.zeros(30, np.float32),
    np.zeros((3, 10), np.float32).T, np.zeros((10, 3), np.float32)[::-1], np.zeros((10, 6), np.float32)[:, ::2],
    np.zeros((10, 3), ">f4"), np.broadcast_to(np.zeros(3, np.float32), (10, 3)),
    np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (10, 3), (4, 4)),
    np.frombuffer(bytearray(121), np.uint8)[1:].view(np.float32).reshape(10, 3),
    np.lib.stride_tricks.as_strided(np.zeros(64, np.float32), (10, 3), (14, 4)),
    [[0.0] * 3] * 10, "text",
], ids=lambda value: f"{type(value).__name__}{getattr(value, 'dtype', '')}{getattr(value, 'strides', '')}")
def test_refuses_other_memory(ready, wrong):
    deformer, pose, _ = ready
    before = bytes(wrong) if isinstance(wrong, np.ndarray) else None
    for call in (lambda: deformer.positions(pose, out=wrong), lambda: deformer.run(pose, positions=wrong)):
        with pytest.raises((sinew.UsageError, TypeError)):
            call()
    assert before is None or bytes(wrong) == before


def test_read_only_memory_is_refused(ready):
    deformer, pose, _ = ready
    out = np.zeros((10, 3), np.float32)
    out.flags.writeable = False
    with pytest.raises(sinew.UsageError, match="read-only"):
        deformer.positions(pose, out=out)


def test_refuses_what_does_not_fit(ready, simple_skin):
    deformer, pose, _ = ready
    stranger = sinew.load(simple_skin)
    for call in (lambda: deformer.positions(stranger.pose()), lambda: deformer.frames([pose, stranger.pose()]),
                 lambda: deformer.clip("Swim", fps=1), lambda: deformer.clip("Swing"), lambda: deformer.clip("Swing", fps=0),
                 lambda: deformer.clip("Swing", fps=1e9), lambda: deformer.clip("Swing", times=[0], fps=1),
                 lambda: deformer.clip("Swing", frames=0), lambda: deformer.clip("Swing", frames=2, fps=1),
                 lambda: deformer.clip("Swing", times=[np.nan]), lambda: deformer.normals(pose), lambda: deformer.corner_normals(pose),
                 lambda: sinew.Deformer(stranger, scene=3), lambda: stranger.world_transforms(pose)):
        with pytest.raises(sinew.UsageError):
            call()
    with pytest.raises(sinew.UnsupportedError):
        sinew.Deformer(stranger, kernel="steam")
    with pytest.raises(TypeError):
        deformer.positions(None)
    with pytest.raises(sinew.UsageError, match="normals=True"):
        deformer.normals(pose)
    with pytest.raises(sinew.UsageError, match="above zero"):
        deformer.clip("Swing", fps=-1)
    with pytest.raises(sinew.UsageError, match="1000000 frames"):
        deformer.clip("Swing", fps=1e9)


def test_the_strongest_influences_stay():
    """As engines take them, not the strongest: so it says."""
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"translation": [1, 0, 0]}, {"translation": [0, 1, 0]}], "skins": [{"joints": [1, 2]}],
        "meshes": [{"primitives": [{"mode": 0, "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
                      {"bufferView": 1, "componentType": 5121, "count": 1, "type": "VEC4"},
                      {"bufferView": 2, "componentType": 5126, "count": 1, "type": "VEC4"}],
        "bufferViews": [{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 12, "byteLength": 4},
                        {"buffer": 0, "byteOffset": 16, "byteLength": 16}],
    }
    data = struct.pack("<3f4B4f", 0, 0, 0, 0, 1, 0, 0, 0.25, 0.75, 0, 0)
    document["buffers"] = [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]
    model = sinew.load_memory(json.dumps(document).encode())
    assert sinew.Deformer(model).positions(model.pose()).tolist() == [[0.25, 0.75, 0]]
    assert sinew.Deformer(model, max_influences=1).positions(model.pose()).tolist() == [[0, 1, 0]]
    assert "use only the strongest influences" in " ".join(sinew.Deformer.__init__.__doc__.split())


def test_results_that_are_not_finite_are_refused(simple_skin):
    model = sinew.load(simple_skin)
    pose = model.pose()
    pose.set("Lower", scale=[1e300, 1, 1])
    pose.set("Upper", scale=[1e300, 1, 1])
    with pytest.raises(sinew.InputError):
        sinew.Deformer(model).positions(pose)


def test_nothing_to_deform(tmp_path):
    empty = tmp_path / "empty.gltf"
    empty.write_text('{"asset": {"version": "2.0"}}')
    model = sinew.load(empty)
    deformer = sinew.Deformer(model, normals=True)
    assert deformer.positions(model.pose()).shape == (0, 3)
    assert deformer.frames([]).shape == (0, 0, 3)
    assert deformer.simplexes().shape == (0, 3)
    assert deformer.kernel == ""


def test_a_deformer_keeps_its_model_alive(simple_skin):
    deformer, pose = (lambda model: (sinew.Deformer(model), model.pose()))(sinew.load(simple_skin))
    assert deformer.positions(pose).shape == (10, 3)


def large(count=40_000):
    """A figure of many vertices, made as the benchmarks make theirs."""
    import subprocess
    import sys
    import tempfile
    from pathlib import Path

    from conftest import ROOT
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.glb"
        subprocess.run([sys.executable, ROOT / "scripts" / "make_large.py", path, "--vertices", str(count)], check=True)
        return sinew.load(path)


@pytest.fixture(scope="module")
def figure():
    return large()


def test_threads_do_not_change_a_bit(figure):
    pose = figure.pose()
    pose.sample(0, 0.3)
    deformer = sinew.Deformer(figure)
    one = deformer.positions(pose, threads=1)
    for threads in (0, 2, 5):
        same(deformer.positions(pose, threads=threads), one)


def test_threads_of_python_share_one_deformer_or_copies(figure):
    times = np.linspace(0, figure.clips[0].duration, 24)
    deformer = sinew.Deformer(figure)
    expected = deformer.clip(0, times=times, threads=1)

    def frame(deformer, seconds):
        pose = figure.pose()
        pose.sample(0, seconds)
        return deformer.positions(pose, threads=1)

    own = threading.local()

    def with_own(seconds):
        own.deformer = getattr(own, "deformer", None) or deformer.copy()
        return frame(own.deformer, seconds)

    with ThreadPoolExecutor(4) as pool:
        for work in (lambda seconds: frame(deformer, seconds), with_own):
            for found, wanted in zip(pool.map(work, times), expected):
                same(found, wanted)


def test_a_pose_may_change_while_it_is_used(figure):
    """Deforming uses a copy: no torn state, whatever another thread writes meanwhile."""
    deformer, pose, rest = sinew.Deformer(figure), figure.pose(), figure.pose()
    rest_positions = deformer.positions(rest)
    stop = threading.Event()

    def scribble():
        while not stop.is_set():
            pose.sample(0, 0.4)
            for node in range(len(figure.nodes)):
                pose.set(node, basis=np.eye(3))

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        for _ in range(20):
            assert np.isfinite(deformer.positions(pose)).all()
    finally:
        stop.set()
        writer.join()
    same(deformer.positions(rest), rest_positions)


def test_other_threads_run_meanwhile(figure):
    """Python's lock is released: another thread counts while a call works."""
    deformer = sinew.Deformer(figure)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before = counted[0]
        deformer.clip(0, times=np.linspace(0, 1, 200), threads=1)
        during = counted[0] - before
    finally:
        stop.set()
        counter.join()
    assert during > 1000


def test_turns_a_bone_on_top_of_what_the_pose_has(simple_skin):
    model = sinew.load(simple_skin)
    deformer = sinew.Deformer(model)
    for turn in ({"axis": [0, 0, 2], "angle": np.pi / 2}, {"plane": (0, 1), "angle": np.pi / 2}, {"rotation": [0, 0, 1, 1]}, {"rotor": [1, 1, 0, 0]}):
        pose = model.pose()
        pose.turn("Upper", **turn)
        np.testing.assert_allclose(deformer.positions(pose)[9], [-1, 1.5, 0], atol=1e-6)
        pose.turn("Upper", plane=(1, 0), angle=np.pi / 2)
        np.testing.assert_allclose(deformer.positions(pose)[9], [0.5, 2, 0], atol=1e-6)
    for wrong in ({}, {"axis": [0, 0, 1]}, {"angle": 1}, {"axis": [0, 0, 0], "angle": 1}, {"plane": (0, 3), "angle": 1}, {"plane": (0, 0), "angle": 1},
                  {"rotation": [0, 0, 0, 1], "angle": 1}, {"axis": [0, 0, 1], "angle": np.nan}, {"rotor": [1, 0]}):
        with pytest.raises(sinew.UsageError):
            model.pose().turn("Upper", **wrong)


def test_turns_in_four_dimensions():
    arm = sinew.load(SAMPLES / "g4mf" / "arm_4d.g4tf")
    pose = arm.pose()
    before = pose.matrix(len(arm.nodes) - 1)
    pose.turn(len(arm.nodes) - 1, plane=(0, 3), angle=np.pi / 2)
    after = pose.matrix(len(arm.nodes) - 1)
    np.testing.assert_allclose(after[:, 0], before[:, 3], atol=1e-12)
    with pytest.raises(sinew.UsageError):
        pose.turn(0, axis=[0, 0, 1], angle=1)


def test_normals_that_the_file_lacks_are_computed(simple_skin):
    model = sinew.load(simple_skin)
    with pytest.raises(sinew.UsageError, match="computed"):
        sinew.Deformer(model, normals=True).normals(model.pose())
    pose = model.pose()
    pose.sample("Swing", 1.375)
    normals = sinew.Deformer(model, normals="computed").normals(pose)
    np.testing.assert_allclose(normals, np.tile([0, 0, 1], (10, 1)), atol=1e-6)
    with pytest.raises(sinew.UsageError):
        sinew.Deformer(model, normals="wrong")
