# SPDX-License-Identifier: MIT
"""Has CMake compile sinew._core, in build/pip or in the folder that SINEW_BUILD_DIR names. pyproject.toml says the rest."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
try:
    from setuptools.command import bdist_wheel  # noqa: F401  (setuptools 70 and newer)
except ImportError:
    if importlib.util.find_spec("wheel") is None:
        sys.exit(f"sinew: {sys.executable} lacks the package wheel: {sys.executable} -m pip install setuptools wheel numpy (docs/python.md)")

GIVEN = os.environ.get("SINEW_BUILD_DIR")
BUILD = Path(GIVEN or ROOT / "build" / "pip").resolve()


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        if not GIVEN:
            options = [f"-DSINEW_PYTHON={sys.executable}", "-DSINEW_BUILD_PYTHON=ON", "-DSINEW_BUILD_TESTS=OFF",
                       "-DSINEW_BUILD_PROGRAM=OFF", "-DCMAKE_BUILD_TYPE=Release"]
            subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, *options], check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "sinew_python"], check=True)
        [compiled] = (BUILD / "python" / "sinew").glob("_core*.so")
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(compiled, target)


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
