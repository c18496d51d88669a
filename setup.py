# SPDX-License-Identifier: MIT
"""Compiles sinew._core with CMake: in the folder of SINEW_BUILD_DIR, else in build/release if `make build` made it, else in build/pip."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
try:
    from setuptools.command import bdist_wheel  # noqa: F401  (setuptools 70 and newer)
except ImportError:
    if importlib.util.find_spec("wheel") is None:
        sys.exit(f"sinew: {sys.executable} lacks the package wheel; run {sys.executable} -m pip install setuptools wheel numpy (docs/python.md)")

GIVEN = os.environ.get("SINEW_BUILD_DIR")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def module_suffix(folder):
    """The file name suffix of the modules that a build folder makes: it names the version of Python. None if it makes none.

    CMake looks again first: pybind11 may have been installed after the folder was configured.
    """
    subprocess.run(["cmake", folder], check=True, stdout=subprocess.DEVNULL)
    if not (folder / "python" / "sinew" / "__init__.py").exists():
        return None
    found = re.search(r"^PYTHON_MODULE_EXTENSION:\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.M)
    return found and found[1]


def build_folder():
    release = ROOT / "build" / "release"
    folder = Path(GIVEN).resolve() if GIVEN else release
    suffix = module_suffix(folder) if GIVEN or (release / "build.ninja").exists() else None
    if suffix == SUFFIX:
        return folder
    if GIVEN:
        found = f"modules named *{suffix}" if suffix else "no Python module (pybind11 or Python's headers are missing)"
        sys.exit(f"sinew: SINEW_BUILD_DIR={GIVEN} builds {found}, expected *{SUFFIX}; unset SINEW_BUILD_DIR, or configure with -DSINEW_PYTHON={sys.executable}")
    folder = ROOT / "build" / "pip"
    options = [f"-DSINEW_PYTHON={sys.executable}", "-DSINEW_BUILD_PYTHON=ON", "-DSINEW_BUILD_TESTS=OFF",
               "-DSINEW_BUILD_PROGRAM=OFF", "-DSINEW_UNITY=ON", "-DCMAKE_BUILD_TYPE=Release"]
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *options], check=True)
    if not (folder / "python" / "sinew" / "__init__.py").exists():
        sys.exit("sinew: pybind11 or Python's headers are missing; install them with scripts/setup --for python (docs/python.md)")
    return folder


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = build_folder()
        subprocess.run(["cmake", "--build", folder, "--target", "sinew_python"], check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python" / "sinew" / f"_core{SUFFIX}", target)


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=re.search(r"^project\(sinew VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1],
    packages=["sinew"],
    package_dir={"sinew": "python/sinew"},
    package_data={"sinew": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("sinew._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build"}, "build": {"build_base": "build/pip-package"}},
    zip_safe=False,
)
