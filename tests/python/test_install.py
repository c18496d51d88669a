# SPDX-License-Identifier: MIT
"""pip install makes an importable package with its version and stubs, and leaves nothing in the source tree."""
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
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


SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
CMAKE = """#!/bin/sh
# Stands in for CMake: notes its arguments, and makes the files that a build with the module has.
echo "$*" >> "$LOG"
case "$*" in
  *-B*) folder=build/pip ;;
  --build*) folder=$2 ;;
  *) folder=$1 ;;
esac
mkdir -p "$folder/python/sinew" && touch "$folder/python/sinew/__init__.py" "$folder/python/sinew/_core$SUFFIX"
"""


@pytest.fixture
def tree(tmp_path):
    """A source tree without a build, and a function that builds the module in it and returns the calls of CMake."""
    for name in ("setup.py", "pyproject.toml", "CMakeLists.txt", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "python" / "sinew", tmp_path / "python" / "sinew")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cmake").write_text(CMAKE, encoding="utf-8")
    (tmp_path / "bin" / "cmake").chmod(0o755)

    def build(**variables):
        environment = {name: value for name, value in os.environ.items() if name != "SINEW_BUILD_DIR"}
        environment.update(PATH=f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", LOG=str(tmp_path / "log"), SUFFIX=SUFFIX, **variables)
        done = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "out"], cwd=tmp_path, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode != 0 or (tmp_path / "out" / "sinew" / f"_core{SUFFIX}").exists(), done.stdout
        calls = (tmp_path / "log").read_text(encoding="utf-8").replace(str(tmp_path) + os.sep, "").splitlines()
        return done, [call.split(" -D")[0] for call in calls]
    return tmp_path, build


def configure(folder, suffix):
    folder.mkdir(parents=True)
    (folder / "build.ninja").touch()
    (folder / "CMakeCache.txt").write_text(f"A:BOOL=ON\nPYTHON_MODULE_EXTENSION:INTERNAL={suffix}\n", encoding="utf-8")


def test_what_make_build_compiled_is_used(tree):
    """Its folder is configured again: it knows no module if pybind11 was installed later."""
    root, build = tree
    configure(root / "build" / "release", SUFFIX)
    done, calls = build()
    assert (done.returncode, calls) == (0, ["build/release", "--build build/release --target sinew_python"]), done.stdout


def test_another_python_gets_a_build_of_its_own(tree):
    root, build = tree
    configure(root / "build" / "release", ".cpython-36m.so")
    done, calls = build()
    assert (done.returncode, calls) == (0, ["build/release", f"-G Ninja -S {root} -B build/pip", "--build build/pip --target sinew_python"]), done.stdout
    done, _ = build(SINEW_BUILD_DIR="build/release")
    assert done.returncode != 0 and "*.cpython-36m.so" in done.stdout and f"expected *{SUFFIX}" in done.stdout


def test_without_a_build_there_is_one_for_pip(tree):
    root, build = tree
    done, calls = build()
    assert (done.returncode, calls) == (0, [f"-G Ninja -S {root} -B build/pip", "--build build/pip --target sinew_python"]), done.stdout
