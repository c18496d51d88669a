# SPDX-License-Identifier: MIT
"""pip install makes a package that can be imported, with its version and its stubs; nothing is left in the source."""
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES


def test_pip_install(tmp_path):
    for needed in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"no {needed}")
    build = Path(os.environ["SINEW_MODULE"]).resolve().parent
    before = sorted(path.name for path in ROOT.iterdir())
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target",
                           str(tmp_path / "site"), str(ROOT)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "SINEW_BUILD_DIR": str(build), "PIP_CACHE_DIR": str(tmp_path / "cache")})
    assert done.returncode == 0, done.stdout[-3000:]
    assert sorted(path.name for path in ROOT.iterdir()) == before
    assert (tmp_path / "site" / "sinew" / "_core.pyi").exists() and (tmp_path / "site" / "sinew" / "py.typed").exists()
    code = f"import sinew; print(sinew.__version__, sinew.__file__, len(sinew.load({str(SAMPLES / 'gltf' / 'simple_skin.gltf')!r}).nodes))"
    shown = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": str(tmp_path / "site")}, cwd=tmp_path).stdout.split()
    metadata = next((tmp_path / "site").glob("sinew-*.dist-info")).name
    assert shown == [metadata.split("-")[1].removesuffix(".dist"), str(tmp_path / "site" / "sinew" / "__init__.py"), "3"]
