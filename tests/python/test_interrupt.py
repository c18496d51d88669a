# SPDX-License-Identifier: MIT
"""Ctrl-C in a long call raises KeyboardInterrupt soon, and leaves no output."""
import os
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from gltf_builder import Builder, tutorial_skin

SOON = 2.5  # seconds for a call to end, by the clock or of processor time: a busy machine gives it less of that; a quarter of a second on an idle one

SCRIPT = """
import sys
import sinew
{prepare}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(0)
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A mesh of many vertices at many moments; the same with more clips, and with other weights, a pair that takes seconds to compare; and a
    text that takes seconds to read."""
    folder = tmp_path_factory.mktemp("long")
    builder = tutorial_skin()
    side = 450
    grid = np.stack(np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 2, side), [0.0], indexing="ij"), -1).reshape(-1, 3).astype("<f4")
    quads = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    corners = np.stack([quads, quads + 1, quads + side, quads + 1, quads + side + 1, quads + side], -1).ravel().astype("<u4")
    joints = np.tile(np.array([[0, 1, 0, 0]], "u1"), (len(grid), 1))
    weights_of = lambda upper: builder.accessor(np.stack([1 - upper, upper, 0 * upper, 0 * upper], -1).astype("<f4"))
    builder.json["meshes"][0]["primitives"] = [{
        "attributes": {"POSITION": builder.accessor(grid, bounds=True), "JOINTS_0": builder.accessor(joints), "WEIGHTS_0": weights_of(grid[:, 1] / 2)},
        "indices": builder.accessor(corners)}]
    times = np.linspace(0, 10, 400).astype("<f4")
    turns = np.stack([0 * times, 0 * times, np.sin(times), np.cos(times)], -1).astype("<f4")
    sampler = {"input": builder.accessor(times, bounds=True), "output": builder.accessor(turns)}
    joint = builder.json["skins"][0]["joints"][1]
    builder.json["animations"] = [{"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": joint, "path": "rotation"}}]}]
    builder.save(str(folder / "mesh.glb"))
    builder.json["animations"] *= 4
    builder.save(str(folder / "one.glb"))
    builder.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weights_of(grid[:, 1] ** 2 / 4)
    builder.save(str(folder / "other.glb"))
    nodes = Builder()
    (folder / "nodes.gltf").write_text('{"asset":{"version":"2.0"},"nodes":[' + "{}," * 1_400_000 + "{}]}")
    return folder


CALLS = {
    "load": ("", "sinew.load('nodes.gltf', max_memory=1 << 34)"),
    "validate": ("", "sinew.validate('nodes.gltf', max_memory=1 << 34)"),
    "compare": ("a, b = sinew.load('one.glb'), sinew.load('other.glb')", "sinew.compare(a, b)"),
    "optimize": ("", "sinew.optimize('mesh.glb', 'out.glb', max_error=1e-3)"),
    "bounds": ("a = sinew.load('mesh.glb')", "a.bounds(slack=1e-6)"),
    "positions": ("d = sinew.Deformer(sinew.load('mesh.glb'))", "[d.clip(0, fps=6.0) for _ in range(1000)]"),
}


def used_by(process):
    """The processor time of a process that runs, in seconds."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def of_processes_that_ended():
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_ends(long, name):
    prepare, call = CALLS[name]
    others = of_processes_that_ended()
    running = subprocess.Popen([sys.executable, "-c", SCRIPT.format(prepare=prepare, call=call)], cwd=long, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, "PYTHONPATH": os.path.abspath(os.environ["SINEW_MODULE"])})
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.4)
    assert running.poll() is None, "the call is too short for this test"
    started, used = time.monotonic(), used_by(running.pid)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    passed = min(time.monotonic() - started, of_processes_that_ended() - others - used)
    print(name, passed)
    assert (out, running.returncode) == ("interrupted\n", 0), err
    assert passed < SOON
    assert not os.path.exists(long / "out.glb")
    assert not [file for file in os.listdir(long) if file.startswith(".")]


def test_other_handlers_run_meanwhile(long):
    """A handler that raises nothing lets the call go on; the exception of one that does comes out."""
    script = f"""
import signal, threading, time, os
import sinew
a, b = sinew.load('mesh.glb'), sinew.load('other.glb')
seen = []
now = lambda: (time.monotonic(), time.process_time())
since = lambda start: min(after - before for before, after in zip(start, now()))
signal.signal(signal.SIGUSR1, lambda *_: seen.append(since(start)))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
start = now()
sinew.compare(a, b, threads=1)  # one clip on one thread takes long enough
end = now()
assert len(seen) == 1 and seen[0] < 0.3 + {SOON} and seen[0] < since(start), (seen, start, end)

def refuse(*_):
    raise ValueError("from the handler")

signal.signal(signal.SIGUSR1, refuse)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
try:
    sinew.compare(a, b)
    raise AssertionError("went on")
except ValueError:
    assert since(end) < 0.3 + {SOON}
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=long, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.path.abspath(os.environ["SINEW_MODULE"])})
    assert done.returncode == 0, done.stderr
