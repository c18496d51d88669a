# SPDX-License-Identifier: MIT
"""Runs the Node.js tools of this folder on files; installs them from the lock file if they are missing."""
import atexit
import fcntl
import functools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
import program  # also makes tests/oracle importable
from gltf_oracle import Document
from gltf_builder import write_glb

LOCK = threading.Lock()


def require():
    """For setUpModule: the tools are there, or the tests are skipped and say why: a registry that is out of reach says nothing about
    the program. SINEW_REQUIRE_NODE=1 makes that a failure."""
    reason = _install()
    if reason and os.environ.get("SINEW_REQUIRE_NODE"):
        raise RuntimeError(reason)
    if reason:
        print(f"SKIPPED, for want of the tools: {reason}", file=sys.stderr)
        raise unittest.SkipTest(reason)


def _install():
    """Installs what package-lock.json names where it is not there yet. The reason why it cannot be done, or None."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "node and npm are needed"
    # Tests may run at the same time: one installs, the others wait.
    with open(os.path.join(HERE, "package-lock.json"), encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        installed = os.path.join(HERE, "node_modules", ".package-lock.json")
        if not os.path.exists(installed) or os.path.getmtime(installed) < os.path.getmtime(lock.name):
            for _ in range(3):
                done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=HERE, capture_output=True, text=True)
                if done.returncode == 0:
                    break
            if done.returncode:
                return "npm ci: " + done.stderr.strip()
            os.utime(installed)
    return None


def run(script, *arguments):
    """What a script has printed that starts no browser. All run in one process, which keeps what it has loaded and compiled."""
    with LOCK:
        node, errors = scripts()
        print(json.dumps([script, *map(str, arguments)]), file=node.stdin, flush=True)
        line = node.stdout.readline() if select.select([node.stdout], [], [], 300)[0] else ""
        errors.seek(0)
        done = json.loads(line) if line else {"failed": errors.read()}
    if "failed" in done:
        raise RuntimeError(f"{script}: {done['failed'].strip()[-2000:]}")
    return done["said"]


@functools.cache
def scripts():
    errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
    node = subprocess.Popen(["node", os.path.join(HERE, "run_scripts.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
    atexit.register(node.communicate)  # ends its input
    return node, errors


def run_alone(script, *arguments):
    done = subprocess.run(["node", os.path.join(HERE, script), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{script}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def issues(paths):
    """The validator's findings per file."""
    return json.loads(run("validate_outputs.mjs", *paths)) if paths else {}


def geometry_glb(path, out):
    """Writes a model as `.glb` without materials and images, which three.js would need a browser to load."""
    document = Document(path)
    kept = {k: v for k, v in document.json.items() if k not in ("materials", "textures", "images", "samplers", "extensions")}
    kept["extensionsUsed"] = [e for e in kept.get("extensionsUsed", []) if e == "KHR_mesh_quantization"]
    if not kept["extensionsUsed"]:
        del kept["extensionsUsed"]
        kept.pop("extensionsRequired", None)
    kept["meshes"] = [
        {**m, "primitives": [{k: v for k, v in p.items() if k not in ("material", "extensions")} for p in m["primitives"]]}
        for m in kept.get("meshes", [])
    ]
    joined, starts = b"", []
    for content in document.buffers:
        joined += b"\0" * (-len(joined) % 4)
        starts.append(len(joined))
        joined += content
    kept["buffers"] = [{"byteLength": len(joined)}]
    kept["bufferViews"] = [
        {**view, "buffer": 0, "byteOffset": starts[view["buffer"]] + view.get("byteOffset", 0)} for view in kept["bufferViews"]
    ]
    write_glb(out, kept, joined)
    return out
