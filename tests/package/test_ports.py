# SPDX-License-Identifier: MIT
"""The port for vcpkg and the recipe for Conan list exactly the dependencies of CMake, and the recipe exports all files that CMake reads."""
import argparse
import fnmatch
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What cmake/ and app/ ask for: by which names of vcpkg and of Conan it comes. None: part of every system, or of the tools.
NAMES = {
    "fmt/format.h": ("fmt", "fmt"), "Eigen3": ("eigen3", "eigen"), "draco": ("draco", "draco"),
    "tl-expected": ("tl-expected", "tl-expected"), "zstd": ("zstd", "zstd"), "meshoptimizer": ("meshoptimizer", "meshoptimizer"),
    "ZLIB": ("zlib", "zlib"), "OpenEXR": ("openexr", "openexr"),
    "TBB": ("tbb", "onetbb"), "Boost": ("boost-asio boost-beast", "boost"), "EGL/egl.h": ("egl-registry", "egl"), "GL/glcorearb.h": ("opengl-registry", "opengl"), "libpng": ("libpng", "libpng"),
    "libjpeg": ("libjpeg-turbo", "libjpeg"), "libwebp": ("libwebp", "libwebp"), "libwebpmux": ("libwebp", "libwebp"),
    "xxhash.h": ("xxhash", "xxhash"), "hwy/highway.h": ("highway", "highway"), "CLI11": ("cli11", "cli11"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json"), "Threads": None, "PkgConfig": None,
}
OPTIONS = None


def asked_for():
    text = (ROOT / "cmake/SinewDependencies.cmake").read_text() + "".join(re.findall(r"(?s)if\(SINEW_BUILD_PROGRAM\).*?endif", (ROOT / "CMakeLists.txt").read_text()))
    found = re.findall(r"find_package\(([\w-]+)", text) + re.findall(r"sinew_headers\(\w+::\w+ (\S+?)\)", text) + re.findall(r"(?m)^ *sinew_switch\([A-Z]+ [A-Z]+ (\w+)", text)
    for words in re.findall(r"pkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET ([^)]*)\)", text):
        found += words.split()
    return set(found)


class Ports(unittest.TestCase):
    def test_the_table_above_is_what_cmake_asks_for(self):
        self.assertEqual(asked_for(), set(NAMES))

    def test_vcpkg(self):
        port = json.loads((ROOT / "packaging/vcpkg/sinew/vcpkg.json").read_text())
        listed = port["dependencies"] + port["features"]["tools"]["dependencies"]
        listed = [one if isinstance(one, str) else one["name"] for one in listed if isinstance(one, str) or not one.get("host")]
        self.assertEqual(sorted(listed), sorted({name for names in NAMES.values() if names for name in names[0].split()}))

    def test_conan(self):
        recipe = (ROOT / "packaging/conan/conanfile.py").read_text()
        requirements = re.search(r"(?s)def requirements.*?(?=\n    def )", recipe)[0]
        listed = re.findall(r'"([\w-]+)/[\w.]+"', requirements)
        self.assertEqual(sorted(listed), sorted({names[1] for names in NAMES.values() if names}))

    def test_what_conan_takes_along_can_be_configured_and_installed(self):
        recipe = (ROOT / "packaging/conan/conanfile.py").read_text()
        patterns = re.findall(r'"([^"]+)"', re.search(r"for pattern in \((.*?)\):", recipe)[1])
        self.assertIn("CMakeLists.txt", patterns)
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE, text=True)
        if names.returncode:
            self.skipTest("not a repository of git")
        with tempfile.TemporaryDirectory() as folder:
            source, build = Path(folder) / "source", Path(folder) / "build"
            for name in names.stdout.split("\0"):
                if any(fnmatch.fnmatch(name, pattern) for pattern in patterns) and (ROOT / name).is_file():
                    (source / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, source / name)
            done = subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", build, "-DSINEW_BUILD_TESTS=OFF", f"-DCMAKE_CXX_COMPILER={OPTIONS.compiler}"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            script = (build / "cmake_install.cmake").read_text() + (build / "app/cmake_install.cmake").read_text()
            needed = set(re.findall(rf'"({re.escape(str(source))}/[^"]+)"', script))
            self.assertGreaterEqual(len(needed), 4)
            self.assertEqual([name for name in sorted(needed) if not Path(name).exists()], [])
            self.assertTrue((source / "web/view/package.json").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]])
