# SPDX-License-Identifier: MIT
"""The example of docs/python.md runs and draws the picture that it describes."""
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLE = ROOT / "examples" / "random_poses.py"


def test_random_poses(tmp_path):
    pytest.importorskip("matplotlib")
    figure, picture = tmp_path / "figure.glb", tmp_path / "speed.png"
    subprocess.run([sys.executable, ROOT / "scripts" / "make_large.py", figure, "--vertices", "2000"], check=True)
    done = subprocess.run([sys.executable, EXAMPLE, figure, picture, "1000"], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": os.environ["SINEW_MODULE"], "MPLCONFIGDIR": str(tmp_path)})
    shown = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    for line in done.stdout.splitlines():
        assert line in shown, done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000
    assert (ROOT / "docs" / "images" / "vertex_speed.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_the_heart_of_it():
    source = EXAMPLE.read_text(encoding="utf-8")
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    cell = source.split("# %% All poses into one array: (poses, vertices, 3)\n")[1].split("\nprint(")[0]
    assert f"```python\n{cell}\n```" in page


def test_fit_pose_converges():
    done = subprocess.run([sys.executable, ROOT / "examples" / "fit_pose.py", ROOT / "samples" / "show" / "figure.gltf"], stdout=subprocess.PIPE,
                          text=True, check=True, env={**os.environ, "PYTHONPATH": os.environ["SINEW_MODULE"]})
    before, after = (float(number) for number in re.findall(r"([\d.e+-]+) (?:before|after)", done.stdout))
    assert before > 0.05 and after < 5e-4, done.stdout
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert done.stdout.split(" with ")[0] in page
