# SPDX-License-Identifier: MIT
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

MODELS = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".gltf", ".glb", ".g4tf", ".g4b"))


def model_id(path):
    return path.relative_to(SAMPLES).as_posix()


@pytest.fixture(params=MODELS, ids=model_id)
def sample(request):
    return request.param


@pytest.fixture
def program():
    """The program, whose results are checked elsewhere: runs it and returns what it printed."""
    def run(*words):
        done = subprocess.run([os.environ["SINEW_PROGRAM"], *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    run.json = lambda *words: json.loads(run(*words))
    return run


@pytest.fixture
def simple_skin():
    return SAMPLES / "gltf" / "simple_skin.gltf"


@pytest.fixture
def shared():
    """A larger collection of real files, where there is one."""
    if "SINEW_SHARED" not in os.environ:
        pytest.skip("no larger collection of files (SINEW_SHARED)")
    return Path(os.environ["SINEW_SHARED"])
