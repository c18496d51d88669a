# SPDX-License-Identifier: MIT
"""`make single`: one command compiles the source, without any other library, exceptions and run-time type information, and it computes what the
library does. The same with clang and exceptions. tests/cross compiles core as a library in this way."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cross"))
import corpus

CORPUS = Path(os.environ.get("SINEW_SHARED", "")) / "corpus"
SAMPLES = (("gltf/simple_skin.gltf", "1.375"), ("gltf/morph_cube.gltf", "0.5"), ("show/figure.gltf", "0.33"))
OPTIONS = None


class Single(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if OPTIONS.flags:
            raise unittest.SkipTest("one build of this is enough")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        subprocess.run([ROOT / "scripts" / "make_single", folder / "sinew"], check=True)
        # The folder has nothing but the three files, so a header of Sinew that is missing in them is not found.
        memory = [] if "clang" in OPTIONS.compiler else ["--param=ggc-min-heapsize=500000"]  # collected later: less time, some more memory
        cls.program, cls.engine, cls.poses = cls.compile(OPTIONS.compiler, "-fno-exceptions", "-fno-rtti", *memory)

    @classmethod
    def compile(cls, compiler, *flags):
        """Returns three programs with the source: deform_file, engine and poses."""
        folder, out = Path(cls.folder.name), Path(tempfile.mkdtemp(dir=cls.folder.name))
        command = [compiler, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", *flags, f"-I{folder}"]
        subprocess.run([*command, "-c", folder / "sinew" / "sinew.cpp", "-o", out / "sinew.o"], check=True)
        programs = []
        for source in ("examples/deform_file.cpp", "tests/cross/engine.cpp", "tests/cross/poses.cpp"):
            programs.append(out / Path(source).stem)
            subprocess.run([*command, ROOT / source, out / "sinew.o", "-o", programs[-1], "-pthread"], check=True)
        return programs

    def agrees_with_the_corpus(self, poses):
        if not CORPUS.is_dir():
            self.skipTest("no corpus")
        agreed, bad, refused = corpus.compare(CORPUS, [poses])
        self.assertEqual((agreed, bad), (211, []))
        self.assertEqual(list(refused.values()), [16])
        self.assertRegex(*refused, r"\A[^\n]*d_fox_draco.glb: [^\n]*: this build of Sinew leaves out KHR_draco_mesh_compression; "
                                   r"build it with CMake and SINEW_DRACO=ON \[SINEW_LEFT_OUT\]\Z")

    def test_poses_of_the_corpus(self):
        self.agrees_with_the_corpus(self.poses)

    def test_clang_with_exceptions(self):
        _, engine, poses = self.compile("clang++-19")
        done = subprocess.run([engine, ROOT / "samples" / "gltf" / "simple_skin.gltf"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.agrees_with_the_corpus(poses)

    def test_vertices_are_those_of_the_library(self):
        for sample, seconds in SAMPLES:
            said = [subprocess.run([program, ROOT / "samples" / sample, seconds], capture_output=True, text=True, check=True).stdout
                    for program in (self.program, Path(OPTIONS.build) / "examples" / "example_deform_file")]
            self.assertGreater(len(said[0].splitlines()), 7)
            self.assertEqual(said[0], said[1], sample)

    def test_the_interface_of_c_is_that_of_core(self):
        declared = set(re.findall(r"^[a-z][\w *]*\b(sinew_\w+)\(", (ROOT / "include" / "sinew" / "sinew.h").read_text(encoding="utf-8"), re.M))
        names = subprocess.run(["nm", "--defined-only", "-P", self.program.parent / "sinew.o"], capture_output=True, text=True, check=True).stdout
        defined = {line.split()[0] for line in names.splitlines()}
        self.assertIn("sinew_load", declared & defined)
        self.assertEqual({name for name in declared - defined if not name.startswith("sinew_flex_")},
                         {"sinew_bounds", "sinew_compare", "sinew_string_free", "sinew_validate"})
        sources = re.search(r"sinew_module\(capi CORE ([\w. ]+) DEPENDS", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1].split()
        of_c = re.search(r"^OF_C = \((.*)\)$", (ROOT / "scripts" / "make_single").read_text(encoding="utf-8"), re.M)[1]
        self.assertEqual(sources, [f"{name}.cpp" for name in re.findall(r"\w+", of_c)])

    def test_a_failed_allocation_ends_in_the_handler_of_the_program(self):
        def run(*arguments):
            return subprocess.run([self.engine, ROOT / "samples" / "gltf" / "simple_skin.gltf", *map(str, arguments)], capture_output=True, text=True)

        done = run()  # and the ends of time and of work are errors
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        count = int(done.stdout)
        self.assertGreater(count, 100)
        for allocation in (*range(1, count, count // 20), count):
            done = run(allocation)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "", "the engine has no memory\n"), allocation)
            done = run(allocation, "free")
            self.assertEqual((done.returncode, done.stderr), (0, ""), allocation)
        self.assertEqual(run(count + 1, "free").stderr, "the handler was not called\n")

    def test_what_is_left_out_is_refused_with_one_sentence(self):
        for sample in ("arm_4d.g4tf", "arm_4d.g4b", "arm_4d_zstd.g4b"):
            done = subprocess.run([self.program, ROOT / "samples" / "g4mf" / sample, "0"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, r"\A[^\n]*: this build of Sinew leaves out G4MF; build it with CMake and SINEW_G4MF=ON \[SINEW_LEFT_OUT\]\n\Z")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("--build", "--compiler", "--flags"):
        parser.add_argument(name, default="")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
