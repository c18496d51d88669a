# SPDX-License-Identifier: MIT
"""A pickled model is read again from the bytes of its file, in this process or in another one."""
import base64
import json
import os
import pickle
import shutil
import subprocess
import sys
import weakref

import numpy as np
import pytest

import sinew

from conftest import SAMPLES


def positions(model, seconds=0.3):
    pose = model.pose()
    if model.clips:
        pose.sample(0, seconds)
    return sinew.Deformer(model).positions(pose)


def pickled_alone(make):
    """Pickles a model that is gone afterwards. One that still exists would be found, and not read again."""
    model = make()
    text, gone = pickle.dumps(model), weakref.ref(model)
    del model
    assert gone() is None
    return text


def test_every_sample_comes_back(sample):
    again = pickle.loads(pickled_alone(lambda: sinew.load(sample)))
    model = sinew.load(sample)
    np.testing.assert_array_equal(positions(again), positions(model))
    assert sinew.info(again) == sinew.info(model) and len(again.findings) == len(model.findings)


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_models_from_memory(simple_skin, wrap):
    data = bytearray(simple_skin.read_bytes())
    text = pickled_alone(lambda: sinew.load_memory(wrap(data)))
    data[:] = b" " * len(data)
    again = pickle.loads(text)
    np.testing.assert_array_equal(positions(again), positions(sinew.load(simple_skin)))
    assert pickle.loads(text) is again  # no third one
    del again
    np.testing.assert_array_equal(positions(pickle.loads(pickle.dumps(pickle.loads(text)))), positions(sinew.load(simple_skin)))


def test_another_process(simple_skin):
    model = sinew.load(simple_skin)
    text = "import pickle, sys; m = pickle.load(sys.stdin.buffer); print(m.format, len(m.nodes), m.clips[0].name)"
    done = subprocess.run([sys.executable, "-c", text], input=pickle.dumps(model), stdout=subprocess.PIPE, timeout=60, check=True, cwd="/",
                          env={**os.environ, "PYTHONPATH": os.path.abspath(os.environ["SINEW_MODULE"])})
    assert done.stdout.decode().split() == ["glTF", "3", "Swing"]


def test_files_beside_it_are_found_from_another_folder(tmp_path, monkeypatch):
    file = json.loads((SAMPLES / "gltf" / "simple_skin.gltf").read_text(encoding="utf-8"))
    for number, buffer in enumerate(file["buffers"]):
        (tmp_path / f"{number}.bin").write_bytes(base64.b64decode(buffer["uri"].split(",", 1)[1]))
        buffer["uri"] = f"{number}.bin"
    (tmp_path / "skin.gltf").write_text(json.dumps(file), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = pickled_alone(lambda: sinew.load("skin.gltf"))
    monkeypatch.chdir("/")
    np.testing.assert_array_equal(positions(pickle.loads(text)), positions(sinew.load(tmp_path / "skin.gltf")))


def test_options_are_kept(simple_skin):
    with pytest.raises(sinew.LimitError):
        sinew.load(simple_skin, max_memory=10)
    arm = pickle.loads(pickled_alone(lambda: sinew.load(SAMPLES / "g4mf" / "arm_4d.g4tf", revision="2026-01")))
    assert arm.revision == "2026-01"


def test_what_cannot_be_pickled(simple_skin, tmp_path):
    copy = tmp_path / "copy.gltf"
    shutil.copy(simple_skin, copy)
    model = sinew.load(copy)
    os.utime(copy, ns=(1, 1))
    with pytest.raises(sinew.UsageError, match="changed or removed"):
        pickle.dumps(model)
    copy.unlink()
    with pytest.raises(sinew.UsageError, match="changed or removed"):
        pickle.dumps(model)
    cut = sinew.load(SAMPLES / "g4mf" / "arm_4d.g4tf").slice({"w": 0.1})
    with pytest.raises(sinew.UsageError, match="loaded from a file"):
        pickle.dumps(cut)


def test_extract_writes_what_the_program_writes(simple_skin, tmp_path, program):
    model = sinew.load(simple_skin)
    found = model.extract(tmp_path / "a.npz", fps=24)
    program("extract", simple_skin, "-o", tmp_path / "b.npz", "--fps", 24, "-q")
    assert found == {"vertices": 10, "joints": 2, "shapes": 0, "clips": 1, "frames": 133, "bytes": (tmp_path / "a.npz").stat().st_size}
    a, b = np.load(tmp_path / "a.npz"), np.load(tmp_path / "b.npz")
    assert a.files == b.files
    for name in a.files:
        np.testing.assert_array_equal(a[name], b[name])
    for wrong in ({"fps": 0}, {"fps": float("nan")}, {"scene": 7}):
        with pytest.raises(sinew.UsageError):
            model.extract(tmp_path / "c.npz", **wrong)
    assert not (tmp_path / "c.npz").exists()
