# SPDX-License-Identifier: MIT
"""The command line of the npm package against the program: `npm pack`, `npm install FILE` in an empty folder, then `npx sinew`.

    python test_program.py --sinew PROGRAM [--shared FOLDER]        the package: build/wasm/package, or SINEW_WASM
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import DONE, FINDINGS, INPUT, OUTPUT, ROOT, SETTINGS, UNSUPPORTED, USAGE, PATIENCE, ProgramTest, Ran, in_parallel, main, sinew

PACKAGE = os.path.abspath(os.environ.get("SINEW_WASM", os.path.join(ROOT, "build", "wasm", "package")))
SAMPLES = os.path.join(ROOT, "samples")
SKIN = os.path.join(SAMPLES, "gltf", "simple_skin.gltf")
ZSTD = os.path.join(SAMPLES, "g4mf", "arm_4d_zstd.g4b")
PROJECT = None


def setUpModule():
    global PROJECT
    PROJECT = tempfile.mkdtemp(prefix="sinew-npm-")
    packed = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=PROJECT, capture_output=True, text=True, check=True).stdout.strip()
    os.mkdir(os.path.join(PROJECT, "project"))
    subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", os.path.join(PROJECT, packed)],
                   cwd=os.path.join(PROJECT, "project"), capture_output=True, check=True)


def tearDownModule():
    shutil.rmtree(PROJECT)


def packaged(*arguments, stdin=b"", cwd=None, npx=False):
    """A run of the package's program: by npx in the project, or by the file that npx runs, in any folder."""
    project = os.path.join(PROJECT, "project")
    command = ["npx", "--no", "sinew"] if npx else [os.path.join(project, "node_modules", ".bin", "sinew")]
    done = subprocess.run([*command, *map(str, arguments)], input=stdin, capture_output=True, timeout=120 * PATIENCE, cwd=cwd or project)
    return Ran(arguments, done)


def models():
    """A sample of each kind and, where they are, two real files."""
    found = [SKIN, ZSTD, os.path.join(SAMPLES, "gltf", "morph_cube.gltf"), os.path.join(SAMPLES, "g4mf", "rig_5d.g4tf")]
    if SETTINGS.shared:
        sizes = {os.path.join(at, name): os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(os.path.join(SETTINGS.shared, "real"))
                 for name in names if name.endswith((".glb", ".vrm"))}
        by_size = sorted(sizes, key=lambda path: (sizes[path], path))
        found += [by_size[len(by_size) // 4], by_size[len(by_size) // 2]] if by_size else []
    return found


class Program(ProgramTest):
    def same(self, *arguments, **more):
        """Standard output, the lines of errors and the exit status are those of the program."""
        want, got = sinew(*arguments, **more), packaged(*arguments, **more)
        self.assertEqual(got.status, want.status, f"{got}\n{want}")
        self.assertEqual(got.out, want.out)
        self.assertEqual(got.err, want.err)
        return got

    def each(self, *arguments, after=()):
        in_parallel(lambda path: self.same(*arguments, path, *after), models())

    def test_npx(self):
        for arguments, status in ((["validate", SKIN], DONE), (["--version"], DONE), ([], USAGE), (["validate", "missing.glb"], INPUT)):
            self.assertEqual(packaged(*arguments, npx=True).status, status)

    def test_validate(self):
        self.each("validate", after=["--format", "json"])

    def test_info(self):
        self.each("info", after=["--json"])

    def test_bounds(self):
        self.each("bounds")

    def test_compare(self):
        self.same("compare", SKIN, SKIN)
        self.each("compare", SKIN)

    def test_optimize(self):
        """The files are those of the program."""
        for name, options in (("simple_skin.gltf", ["--max-error", "0"]), ("tube_8_influences.gltf", ["--max-error", "1e-3", "--compress", "meshopt"])):
            with self.subTest(file=name):
                source, out, made = os.path.join(SAMPLES, "gltf", name), self.path("out.glb"), []
                for run in (sinew, packaged):
                    ran = run("optimize", source, "-o", out, *options, "--json")
                    self.assertEqual(ran.status, DONE, str(ran))
                    with open(out, "rb") as file:
                        made.append((file.read(), json.loads(ran.out)))
                self.assertEqual(made[0][0], made[1][0])
                self.assertAlmostEqual(made[0][1]["error"], made[1][1]["error"], delta=1e-6)  # the next test says why
                self.assertEqual(made[0][1]["changes"], made[1][1]["changes"])

    def test_errors_are_those_of_the_kernel_without_fused_multiplications(self):
        """WebAssembly rounds each product of a position, as the kernel sse4 does; avx2 and avx512 round once per sum. Nothing else differs."""
        if "sse4" not in sinew("doctor").out:
            self.skipTest("this processor has no kernel sse4")
        source, out = os.path.join(SAMPLES, "gltf", "tube_8_influences.gltf"), self.path("out.glb")
        ran = packaged("optimize", source, "-o", out, "--max-error", "1e-3", "--steps", "prune,weights,quantize", "--json")
        self.assertEqual(ran.status, DONE, str(ran))
        report = json.loads(ran.out)
        clip, seconds = int(re.search(r"animation (\d+)", report["largest"])[1]), re.search(r"at (\S+) s", report["largest"])[1]
        errors = {}
        for kernel in re.findall(r"avx512|avx2|sse4|plain", sinew("doctor").out):
            rows = []
            for number, path in enumerate((source, out)):
                npy = self.path(f"{number}.npy")
                self.assertEqual(sinew("deform", path, "-o", npy, "-q", "--animation", clip, "--time", seconds, "--kernel", kernel).status, DONE)
                rows.append(np.load(npy).astype(float))
            errors[kernel] = float(np.linalg.norm(rows[0] - rows[1], axis=-1).max())
        diagonal = json.loads(sinew("compare", source, source, "--json").out)["diagonal"]
        self.assertAlmostEqual(report["error"] * diagonal, errors["sse4"], delta=1e-15)
        for kernel in {"avx512", "avx2"} & set(errors):
            self.assertNotAlmostEqual(errors[kernel], errors["sse4"], delta=1e-12)

    def test_an_avatar_is_dressed_moved_and_made_smaller(self):
        """A real avatar: looked at, checked, dressed, given a VRM Animation, optimised; each step on the file that the program made before.

        Bytes are those of the program, of fitted clothes, too: nothing in fitting depends on the library of mathematics or on the kernel."""
        real = os.path.join(SETTINGS.shared, "real") if SETTINGS.shared else ""
        if not os.path.isdir(real):
            self.skipTest("no real avatars (--shared)")
        of = lambda path: os.path.join(real, *path.split("/"))
        avatar, figure, boots = of("vrm0_polygonal_mind/crimsom.vrm"), of("quaternius_outfits/Superhero_Male_FullBody.gltf"), of("quaternius_outfits/Male_Peasant_Feet.gltf")
        for looks in (["info", avatar, "--json"], ["validate", avatar], ["bounds", avatar]):
            self.same(*looks)
        dressed, moved, small, same = (self.path(name) for name in ("dressed.vrm", "moved.glb", "small.glb", "same.glb"))
        mage = of("kaykit_adventurers/Mage.glb")
        for out, words in ((same, ["merge", figure, boots]), (dressed, ["merge", avatar, boots, "--names", "auto", "--made-for", figure]),
                           (same, ["merge", avatar, boots, "--names", "auto", "--fit", "auto", "--weights", "keep"]),
                           (same, ["merge", of("valid_avatars/Asian_M_1_Casual.glb"), of("quaternius_outfits/Male_Peasant_Body.gltf"), "--names", "auto",
                                   "--made-for", figure]),
                           (same, ["merge", avatar, mage, "--mesh", "Mage_Hat", "--mesh", "Mage_Cape", "--names", "auto", "--fit", "auto"]),
                           (moved, ["retarget", dressed, of("vrma/idle_loop.vrma")]), (small, ["optimize", moved, "--max-error", "1e-3"])):
            with self.subTest(words=words[:3]):
                other = self.path("other" + os.path.splitext(out)[1])
                for run, to in ((sinew, out), (packaged, other)):
                    self.assertEqual((ran := run(*words, "-o", to)).status, DONE, str(ran))
                with open(out, "rb") as a, open(other, "rb") as b:
                    self.assertEqual(a.read(), b.read())
        self.assertLess(os.path.getsize(small), os.path.getsize(avatar) / 2)

    def test_folders_and_streams(self):
        self.same("validate", os.path.join(SAMPLES, "g4mf"), "--format", "sarif")
        with open(SKIN, "rb") as file:
            self.same("info", "-", stdin=file.read())
        self.same("info", "gltf", "--jsonl", cwd=SAMPLES)
        self.same("validate", ZSTD)

    def test_failures(self):
        self.write("not.glb", b"glTF is not here")
        os.mkdir(self.path("folder"))
        for status, arguments in ((USAGE, ["validate"]), (USAGE, ["info", SKIN, "--jsn"]), (USAGE, ["valdate", SKIN]), (INPUT, ["info", self.path("missing.glb")]),
                                  (INPUT, ["bounds", self.path("not.glb")]), (FINDINGS, ["validate", self.path("not.glb")]), (INPUT, ["info", self.path("folder")]),
                                  (OUTPUT, ["optimize", SKIN, "-o", self.path("none/out.glb"), "--max-error", "0"]),
                                  (INPUT, ["info", SKIN, "--max-memory", "1"]), (DONE, ["explain", "ACCESSOR_TOO_LONG"]), (DONE, ["bounds", "--help"])):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.same(*arguments).status, status)

    def test_left_out(self):
        """Each ends with one line that says so, and writes nothing."""
        for arguments, says in ((["render", SKIN, "-o", self.path("a.png")], '"render"'), (["compare", SKIN, SKIN, "--heat", self.path("a.png")], "pictures"),
                                (["help", "view"], '"view"')):
            with self.subTest(arguments=arguments):
                ran = packaged(*arguments)
                self.assertEqual(ran.status, UNSUPPORTED, str(ran))
                self.assertEqual(len(ran.error_lines()), 1)
                self.assertIn(says, ran.err)
                self.assertIn("SINEW_LEFT_OUT", ran.err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_types(self):
        """package.json names what is there."""
        with open(os.path.join(PACKAGE, "package.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["bin"], {"sinew": "program.js"})


if __name__ == "__main__":
    if not os.path.exists(os.path.join(PACKAGE, "program.wasm")):
        sys.exit(print("skipped: the npm package was not built (make wasm)") or 77)
    if not shutil.which("npm"):
        sys.exit(print("skipped: npm is not there") or 77)
    main()
