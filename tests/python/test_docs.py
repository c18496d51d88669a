# SPDX-License-Identifier: MIT
"""Runs the Python code of the pages and checks their output."""
import doctest
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, SAMPLES

import sinew

PAGES = {"docs/python.md": 30, "docs/datasets.md": 5}


@pytest.mark.parametrize("page, least", PAGES.items(), ids=list(PAGES))
def test_shown_sessions(page, least, program, tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)
    if "sinew.render(" in (ROOT / page).read_text(encoding="utf-8"):
        try:
            sinew.Renderer(sinew.load(SAMPLES / "gltf" / "simple_skin.gltf"))
        except sinew.UnsupportedError as error:
            pytest.skip(str(error))
    program("extract", SAMPLES / "gltf" / "simple_skin.gltf", "-o", "strip.npz", "--fps", 24, "-q")
    failed, ran = doctest.testfile(str(ROOT / page), module_relative=False, verbose=False)
    assert (failed, os.path.exists(ROOT / page)) == (0, True)
    assert ran >= least


def test_shown_programs(tmp_path):
    programs = [block for block in re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.M | re.S)
                if "__main__" in block]
    assert len(programs) == 1
    try:
        sinew.render(sinew.load(SAMPLES / "gltf" / "simple_skin.gltf"), size=(8, 8))
    except sinew.UnsupportedError as error:
        pytest.skip(str(error))
    (tmp_path / "samples").symlink_to(SAMPLES)
    (tmp_path / "shown.py").write_text(programs[0], encoding="utf-8")
    shown = subprocess.run([sys.executable, "shown.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=120, check=True,
                           env={**os.environ, "PYTHONPATH": os.path.abspath(os.environ["SINEW_MODULE"])}).stdout
    assert shown == f"{[(64, 64, 4)] * 4}\n"
