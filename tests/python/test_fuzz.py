# SPDX-License-Identifier: MIT
"""Broken files raise sinew.Error, or have findings; they never crash. More of them: SINEW_MUTATIONS=2000 tests/python/run.py …"""
import os
import random
import subprocess
import sys
from pathlib import Path

from conftest import MODELS, ROOT

CHILD = Path(__file__).with_name("mutate.py")


def test_broken_files_raise(tmp_path):
    count = int(os.environ.get("SINEW_MUTATIONS", "150"))
    files = list(MODELS)
    for folder in (Path(os.environ.get("SINEW_SHARED", "")) / name for name in ("corpus", "conformance")):
        if folder.is_dir() and "SINEW_SHARED" in os.environ:
            found = sorted(p for p in folder.rglob("*") if p.suffix in (".gltf", ".glb", ".vrm", ".g4tf", ".g4b") and p.stat().st_size < 2_000_000)
            files += random.Random(1).sample(found, min(len(found), max(20, count // 4)))
    listed = tmp_path / "files.txt"
    listed.write_text("\n".join(map(str, files)))
    done = subprocess.run([sys.executable, str(CHILD), str(listed), str(count), str(tmp_path / "work")], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": os.environ["SINEW_MODULE"]})
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout[-3000:]}"
    made, loaded, raised = map(int, done.stdout.split()[-3:])
    print(f"{made} broken files: {loaded} loaded all the same, {raised} calls raised")
    assert made == count and loaded > 0 and raised > 0
