# SPDX-License-Identifier: MIT
"""What the pages show in Python is what happens."""
import doctest
import os

import pytest
from conftest import ROOT, SAMPLES

import sinew

PAGES = {"docs/python.md": 20, "README.md": 4}


@pytest.mark.parametrize("page, least", PAGES.items(), ids=list(PAGES))
def test_shown_sessions(page, least, tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)
    if "sinew.render(" in (ROOT / page).read_text(encoding="utf-8"):
        try:
            sinew.Renderer(sinew.load(SAMPLES / "gltf" / "simple_skin.gltf"))
        except sinew.UnsupportedError as error:
            pytest.skip(str(error))
    failed, ran = doctest.testfile(str(ROOT / page), module_relative=False, verbose=False)
    assert (failed, os.path.exists(ROOT / page)) == (0, True)
    assert ran >= least
