# SPDX-License-Identifier: MIT
"""Slices, saved poses, models from memory: as the program makes them. Pictures: equal to the program's, pixel by pixel."""
import math
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from conftest import SAMPLES

import sinew

TESSERACT = SAMPLES / "g4mf" / "tesseract.g4tf"
RIG_5D = SAMPLES / "g4mf" / "rig_5d.g4tf"
ARM = SAMPLES / "g4mf" / "arm_4d.g4tf"
POSE = SAMPLES / "g4mf" / "arm_4d.pose.json"


def positions(model):
    return sinew.Deformer(model).positions(model.pose())


def volume(model):
    """Enclosed by the triangles of a model, by the divergence theorem."""
    deformer = sinew.Deformer(model)
    a, b, c = np.moveaxis(deformer.positions(model.pose())[deformer.simplexes()].astype(float), 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def png(path):
    """The pixels of a PNG of 8 bits with opacity, its filters undone (RFC 2083, 6)."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", data, at + 8)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    assert depth == 8 and colour in (2, 6)
    channels = 3 if colour == 2 else 4
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    rows = np.zeros((height + 1, (width + 1) * channels), int)  # a row and a pixel of zeros before the first
    for y in range(height):
        kind, line = raw[y, 0], raw[y, 1:].astype(int)
        for x in range(width * channels):
            left, up, corner = rows[y + 1, x], rows[y, x + channels], rows[y, x]
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            rows[y + 1, x + channels] = (line[x] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
    pixels = rows[1:, channels:].reshape(height, width, channels).astype(np.uint8)
    return pixels if channels == 4 else np.dstack([pixels, np.full((height, width, 1), 255, np.uint8)])


@pytest.fixture
def draws():
    try:
        sinew.Renderer(sinew.load(TESSERACT), size=(8, 8))
    except sinew.UnsupportedError as error:
        pytest.skip(str(error))


def test_a_slice_of_a_tesseract_is_its_cube():
    model = sinew.load(TESSERACT)
    cut = model.slice({"w": 0.3})
    points = positions(cut)
    size = np.ptp(positions(model), axis=0)
    assert (cut.dimension, cut.format, cut.clips) == (3, "G4MF", [])
    np.testing.assert_allclose(np.ptp(points, axis=0), size[:3], atol=1e-6)
    assert math.isclose(volume(cut), float(np.prod(size[:3])), rel_tol=1e-5)
    assert volume(model.slice([(3, 0.3)])) == volume(cut)
    assert sinew.Deformer(model.slice({"w": 5})).vertices == 0


def test_slices_posed_models_as_the_program(program, tmp_path):
    model = sinew.load(ARM)
    pose = model.pose()
    pose.apply_file(POSE)
    cut = model.slice({"w": 0.25}, pose=pose, threads=1)
    program("slice", ARM, "-o", tmp_path / "program.g4b", "--at", "w=0.25", "--pose", POSE, "-q")
    assert cut.save(tmp_path / "python.g4b") == []
    a, b = sinew.load(tmp_path / "program.g4b"), sinew.load(tmp_path / "python.g4b")
    assert len(positions(a)) >= 6
    np.testing.assert_array_equal(positions(a), positions(b))
    rig = sinew.load(RIG_5D)
    assert rig.slice({"v": 0.1, "x": 0.5}).dimension == 3


def test_saves_a_pose_as_the_program(program, tmp_path, simple_skin):
    model = sinew.load(simple_skin)
    pose = model.pose()
    pose.sample("Swing", 1.5)
    for extension in ("npy", "ply", "obj", "glb", "g4tf"):
        program("deform", simple_skin, "-o", tmp_path / f"program.{extension}", "--animation", "Swing", "--time", 1.5, "-q")
        model.save(tmp_path / f"python.{extension}", pose=pose)
        assert (tmp_path / f"program.{extension}").read_bytes() == (tmp_path / f"python.{extension}").read_bytes(), extension


def test_loads_from_memory(sample, tmp_path):
    data = sample.read_bytes()
    wanted = sinew.info(sinew.load(sample))
    for given in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        assert sinew.info(sinew.load_memory(given, name=sample)) == wanted
    kept = bytearray(data)
    model = sinew.load_memory(kept, name=sample)
    kept[:] = bytes(len(kept))  # the model has a copy
    assert sinew.info(model) == wanted
    if model.instances():
        np.testing.assert_array_equal(positions(model), positions(sinew.load(sample)))


def test_what_makes_no_sense_is_refused(tmp_path):
    model = sinew.load(TESSERACT)
    with pytest.raises(sinew.UsageError, match="x y z w"):
        model.slice({"v": 0})
    with pytest.raises(sinew.UsageError, match="expected axes and positions"):
        model.slice({})
    with pytest.raises(TypeError, match="at: expected axes and positions"):
        model.slice({"w": "high"})
    with pytest.raises(sinew.UsageError, match="another model"):
        model.slice({"w": 0}, pose=sinew.load(ARM).pose())
    with pytest.raises(sinew.UsageError, match=".ply"):
        model.save(tmp_path / "x.stl")
    with pytest.raises(sinew.UsageError, match="has 4"):
        model.save(tmp_path / "x.glb")
    with pytest.raises(sinew.OutputError):
        model.save(tmp_path / "missing" / "x.g4b")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(sinew.InputError, match="web.glb"):
        sinew.load_memory(b"glTF", name="web.glb")
    with pytest.raises(sinew.UsageError, match="contiguous bytes"):
        sinew.load_memory(memoryview(b"abcd")[::2])
    with pytest.raises(sinew.LimitError):
        sinew.load_memory(TESSERACT.read_bytes(), max_memory=100)
    with pytest.raises(TypeError):
        sinew.load_memory("text")


@pytest.mark.parametrize("path, options, words", [
    ("show/figure.gltf", {"bones": True, "background": (255, 255, 255)}, ["--bones", "--background", "white"]),
    ("show/figure.gltf", {"camera": (90, 10), "weights": "Spine", "edges": True, "background": (1, 2, 3, 0)},
     ["--camera", "90,10", "--weights", "Spine", "--edges", "--background", "#01020300"]),
    ("show/arm_4d.g4tf", {"orthographic": True}, ["--orthographic"]),
    ("show/arm_5d.g4tf", {"at": {"v": 0.05, "w": 0}}, ["--slice", "v=0.05", "--slice", "w=0"]),
])
def test_draws_as_the_program(draws, path, options, words, program, tmp_path):
    out = tmp_path / "program.png"
    program("render", SAMPLES / path, "-o", out, "--size", "96x64", *words, "-q")
    picture = sinew.render(sinew.load(SAMPLES / path), size=(96, 64), **options)
    assert (picture.shape, picture.dtype) == ((64, 96, 4), np.uint8)
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 20
    np.testing.assert_array_equal(picture, png(out))


def test_the_camera_sees_what_it_was_told(draws):
    model = sinew.load(SAMPLES / "show" / "figure.gltf")
    near, far = model.pose(), model.pose()
    far.set("Hips", translation=[0, 5, 0])
    renderer = sinew.Renderer(model, size=(64, 64))
    alone = renderer.draw(near)
    np.testing.assert_array_equal(alone, renderer.draw())
    renderer.include(near)
    renderer.include(far)
    both = renderer.draw(near)

    def covered(picture):
        return int((picture != picture[0, 0]).any(axis=2).sum())

    assert 0 < covered(both) < covered(alone) / 2
    assert covered(renderer.draw(far)) > 0 and renderer.notes == []
    with pytest.raises(sinew.UsageError, match="another model"):
        renderer.draw(sinew.load(TESSERACT).pose())


def test_pictures_that_make_no_sense_are_refused():
    model = sinew.load(TESSERACT)
    for options in ({"size": (0, 8)}, {"size": (8, 99999)}, {"background": (1, 2)}, {"background": (1, 2, 256)}, {"camera": (math.nan, 0)},
                    {"at": {"q": 0}}, {"weights": "nobody"}, {"scene": 7}):
        with pytest.raises(sinew.UsageError):
            sinew.Renderer(model, **options)


AFTER_A_FORK = """
import os, signal, sys, time
import sinew

model = sinew.load(sys.argv[1])
renderer = sinew.Renderer(model, size=(8, 8)) if sys.argv[2] == "drawn" else None
child = os.fork()
if child == 0:
    for draw in (lambda: sinew.render(model, size=(8, 8)), lambda: renderer.draw())[:1 if renderer is None else 2]:
        try:
            print(draw().shape, flush=True)
        except sinew.UnsupportedError as error:
            print(error.code, error.message, flush=True)
    del renderer
    os._exit(0)
for _ in range(300):
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        break
    time.sleep(0.1)
else:
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
print(status, sinew.render(model, size=(8, 8)).shape)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("before", ["drawn", "fresh"])
def test_forks_of_what_drew_are_refused(draws, before):
    """OpenGL's driver has threads, which a fork lacks: it would wait for them for ever."""
    shown = subprocess.run([sys.executable, "-c", AFTER_A_FORK, SAMPLES / "show" / "figure.gltf", before], stdout=subprocess.PIPE, text=True,
                           env={**os.environ, "PYTHONPATH": os.environ["SINEW_MODULE"]}, check=True).stdout.splitlines()
    assert shown[-1] == "0 (8, 8, 4)"  # the child came to its end, and its parent draws as before
    if before == "fresh":
        assert shown[:-1] == ["(8, 8, 4)"]
        return
    assert len(shown) == 3 and all(line.startswith("SINEW_NO_OPENGL") and "spawn" in line for line in shown[:-1])


def test_render_names_what_it_does_not_know(draws):
    with pytest.raises(TypeError, match=r"^render\(\) .*'sizes'"):
        sinew.render(sinew.load(TESSERACT), sizes=(8, 8))
