# SPDX-License-Identifier: MIT
"""The package of web/wasm against the program: positions, reports and errors, in Node and in Chromium; and its types.

    python test_wasm.py --sinew PROGRAM [--shared FOLDER]        the package: build/wasm/package, or SINEW_WASM
"""
import base64
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("cli", "outside", "python")]
import mutations
import node_tools
from program import DONE, ROOT, SETTINGS, ProgramTest, corpus_models, in_parallel, main, sinew

PACKAGE = os.path.abspath(os.environ.get("SINEW_WASM", os.path.join(ROOT, "build", "wasm", "package")))
PARTS = os.path.join(ROOT, "web", "wasm", "test")
BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
MODEL_NAMES = (".gltf", ".glb", ".vrm", ".g4tf", ".g4b")
# Registers of 128 bits without fused multiplications give the same positions but where a rotation between keys needs a sine, which C libraries
# round differently. Normals are made units by a division here, by an estimate and one step of Newton's there.
TOLERANCE = 1e-6
NUMBERS = [*mutations.NUMBERS, b"4294967296", b"2147483647"]  # what 32 bits just hold, and do not
FAILURES = {2: "usage", 3: "input", 4: "output", 5: "unsupported"}


def setUpModule():
    if not os.path.exists(os.path.join(PACKAGE, "sinew.wasm")):
        raise RuntimeError(f"{PACKAGE} is not there: make wasm")
    node_tools.require()


@functools.cache
def kernel():
    """The native one that is most like the module's."""
    return "sse4" if "sse4" in sinew("doctor").out else "plain"


def models_in(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(MODEL_NAMES))


def small_models():
    """The samples and, where they are, the files of the corpus."""
    return models_in(os.path.join(ROOT, "samples")) + [path for _, path in corpus_models()]


def files_of(path):
    """The files that a model names, by the names that it gives them."""
    if not path.endswith((".gltf", ".g4tf")):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            named = json.load(file)
        uris = [thing["uri"] for kind in ("buffers", "images", "textures") for thing in named.get(kind, []) if "uri" in thing]
    except (ValueError, TypeError, AttributeError, KeyError):
        return {}
    found = {}
    for uri in uris:
        beside = os.path.join(os.path.dirname(path), uri) if isinstance(uri, str) and not uri.startswith("data:") else ""
        if os.path.isfile(beside):
            found[uri] = beside
    return found


def job(path, **more):
    return {"file": path, "name": os.path.basename(path), "files": files_of(path), **more}


def native_report(path):
    ran = sinew("validate", os.path.basename(path), "--format", "json", "--threads", "1", cwd=os.path.dirname(path))
    return json.loads(ran.out) if ran.out.strip() else ran


class Wasm(ProgramTest):
    def node(self, jobs):
        return self.run_jobs(["node", os.path.join(PARTS, "node.mjs"), PACKAGE], jobs)

    def chromium(self, jobs):
        result = self.run_jobs(["node", os.path.join(ROOT, "tests", "outside", "wasm_page.mjs"), BROWSER, PACKAGE], jobs)
        self.assertEqual(result["complaints"], [])
        return result

    def run_jobs(self, command, jobs):
        asked, answered = self.write("jobs.json", jobs), self.path("answers.json")
        done = subprocess.run([*command, asked, answered], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        with open(answered, encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual(len(result["answers"]), len(jobs))
        return result

    def poses_of(self, path):
        """The file's own state, and moments of the first animations."""
        ran = sinew("info", path, "--json")
        clips = json.loads(ran.out)["animations"] if ran.status == DONE else []
        return [{}] + [{"animation": i, "time": clip["duration"] * part} for i, clip in enumerate(clips[:3]) for part in (0.0, 0.37, 1.0)]

    def native(self, case):
        number, (path, pose, attribute) = case
        out = self.path(f"{number}.npy")
        clip = ["--animation", pose["animation"], "--time", repr(pose["time"])] if pose else []
        ran = sinew("deform", path, "-o", out, "-q", "--kernel", kernel(), "--threads", "1", "--attribute", attribute, *clip)
        return np.load(out) if ran.status == DONE else ran

    def compare_positions(self, run):
        paths = small_models()
        jobs = [job(path, poses=self.poses_of(path)) for path in paths]
        answers = run(jobs)["answers"]
        cases = [(path, pose, "position") for path, asked in zip(paths, jobs) for pose in asked["poses"]]
        wanted = iter(in_parallel(self.native, list(enumerate(cases))))
        same = compared = 0
        largest = 0.0
        for path, asked, answer in zip(paths, jobs, answers):
            for pose, row in zip(asked["poses"], answer.get("rows", [None] * len(asked["poses"]))):
                want = next(wanted)
                with self.subTest(file=path, pose=pose):
                    if not isinstance(want, np.ndarray):  # both refuse it, and for one reason
                        self.assertIn("error", answer, str(want))
                        self.assertEqual(answer["error"]["failure"], FAILURES[want.status])
                        self.assertIn(answer["error"]["message"], want.err)
                        continue
                    self.assertIsNotNone(row, answer)
                    got = np.frombuffer(base64.b64decode(row[0]), dtype="<f4").reshape(-1, answer["dimension"])
                    self.assertEqual(got.shape, want.shape)
                    scale = max(1.0, float(np.abs(want).max(initial=0)))
                    error = float(np.abs(got - want).max(initial=0)) / scale
                    self.assertLessEqual(error, TOLERANCE)
                    compared += 1
                    same += got.tobytes() == want.tobytes()
                    largest = max(largest, error)
        self.assertGreater(compared, 20)
        print(f"{compared} poses of {len(paths)} files: {same} the same bits, largest relative difference of the others {largest:.1e}", file=sys.stderr)

    def test_positions_in_node(self):
        self.compare_positions(self.node)

    @unittest.skipUnless(BROWSER, "chromium is needed")
    def test_positions_in_chromium(self):
        self.compare_positions(self.chromium)

    def test_normals(self):
        """Of glTF, where they belong to vertices; the program writes nan for the vertices of a primitive without."""
        paths = [path for path in small_models() if path.endswith((".gltf", ".glb", ".vrm"))]
        jobs = [job(path, poses=self.poses_of(path)[:3], normals=True) for path in paths]
        cases = [(path, pose, "normal") for path, asked in zip(paths, jobs) for pose in asked["poses"]]
        wanted = iter(in_parallel(self.native, list(enumerate(cases))))
        largest, compared = 0.0, 0
        for path, asked, answer in zip(paths, jobs, self.node(jobs)["answers"]):
            for pose, row in zip(asked["poses"], answer.get("rows", [None] * len(asked["poses"]))):
                want = next(wanted)
                if row is None or len(row) < 2 or not isinstance(want, np.ndarray):
                    continue
                with self.subTest(file=path, pose=pose):
                    got = np.frombuffer(base64.b64decode(row[1]), dtype="<f4")
                    has = np.isfinite(want).ravel()
                    error = float(np.abs(got - want.ravel())[has].max(initial=0))
                    self.assertLessEqual(error, TOLERANCE)
                    largest, compared = max(largest, error), compared + int(has.sum())
        self.assertGreater(compared, 10_000)
        print(f"{compared} components of normals, largest difference {largest:.1e}", file=sys.stderr)

    def compare_reports(self, run, paths):
        wanted = in_parallel(native_report, paths)
        findings = 0
        for path, want, got in zip(paths, wanted, run([job(path) for path in paths])["answers"]):
            with self.subTest(file=path):
                if not isinstance(want, dict):
                    self.assertIn("error", got, str(want))
                    self.assertEqual(got["error"]["failure"], FAILURES[want.status])
                    continue
                self.assertEqual(got, want)
                findings += len(want["issues"]["messages"]) + len(want["modelIssues"]["messages"])
        return findings

    def golden(self):
        found = [path for kind in ("gltf", "g4mf", "model", "staik") for path in models_in(os.path.join(ROOT, "tests", "golden", kind))]
        self.assertGreater(len(found), 500)
        return found

    def test_reports(self):
        """Of the samples, of a file for every finding there is, and of what others test their validators with."""
        conformance = models_in(os.path.join(SETTINGS.shared, "conformance")) if SETTINGS.shared else []
        paths = small_models() + self.golden() + conformance
        findings = self.compare_reports(self.node, paths)
        self.assertGreater(findings, 1000)
        print(f"{len(paths)} reports of {findings} findings agree", file=sys.stderr)

    @unittest.skipUnless(BROWSER, "chromium is needed")
    def test_reports_in_chromium(self):
        self.assertGreater(self.compare_reports(self.chromium, random.Random(1).sample(self.golden(), 100)), 50)

    def test_broken_files(self):
        """What a file was turned into by chance is found out as the program finds it out. More: SINEW_MUTATIONS=2000"""
        count, chance, paths = int(os.environ.get("SINEW_MUTATIONS", "200")), random.Random(7), []
        models = [path for path in small_models() + self.golden() if os.path.getsize(path) < 300_000]
        for i in range(count):
            path = chance.choice(models)
            with open(path, "rb") as file:
                content = mutations.mutated(file.read(), chance, NUMBERS)
            os.makedirs(self.path(str(i)))
            paths.append(self.write(os.path.join(str(i), "broken" + os.path.splitext(path)[1]), content))
        self.compare_reports(self.node, paths)
        answers = self.node([job(path, poses=[{}], normals=True, tangents=True) for path in paths])["answers"]
        loaded = 0
        for path, answer, native in zip(paths, answers, in_parallel(lambda p: sinew("deform", p, "-o", p + ".npy", "-q", "--kernel", kernel()), paths)):
            with self.subTest(file=path):
                if "error" not in answer:
                    loaded += 1
                    got = np.frombuffer(base64.b64decode(answer["rows"][0][0]), dtype="<f4")
                    if native.status == DONE and got.size:
                        want = np.load(path + ".npy")
                        self.assertLessEqual(float(np.abs(got - want.ravel()).max()), TOLERANCE * max(1.0, float(np.abs(want).max())))
                else:
                    self.assertNotEqual(answer["error"]["code"], "SINEW_NO_MEMORY", answer["error"])
        self.assertTrue(0 < loaded < count, loaded)
        print(f"{count} broken files, {loaded} of them loaded", file=sys.stderr)

    def in_project(self, name, text, *command):
        """Runs a command in a project that has the package installed, and the samples."""
        os.makedirs(self.path("node_modules"), exist_ok=True)
        for link, target in (("node_modules/sinew", PACKAGE), ("samples", os.path.join(ROOT, "samples"))):
            if not os.path.lexists(self.path(link)):
                os.symlink(target, self.path(link))
        self.write("package.json", {"type": "module"})
        if text:
            self.write(name, text)
        done = subprocess.run([*command, name], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-3000:])
        return done.stdout

    def compiled(self, name, text):
        """By TypeScript's compiler in its strictest way, into out/."""
        options = {"strict": True, "target": "es2022", "module": "nodenext", "lib": ["esnext", "dom"], "types": [], "allowJs": True, "checkJs": True, "outDir": "out"}
        self.write("tsconfig.json", {"compilerOptions": options, "files": [name]})
        self.write(name, text)
        self.in_project("tsconfig.json", "", "node", os.path.join(ROOT, "tests", "outside", "node_modules", "typescript", "bin", "tsc"), "-p")

    def test_the_interface(self):
        """Assertions of its own, in JavaScript."""
        with open(os.path.join(PARTS, "interface.mjs"), encoding="utf-8") as file:
            self.assertEqual(self.in_project("interface.mjs", file.read(), "node"), "")

    def test_types(self):
        """The module holds to its types, and a user's program to them, too; the compiler objects to one that does not."""
        with open(os.path.join(PARTS, "types.ts"), encoding="utf-8") as file:
            text = file.read()
        self.compiled("types.ts", text)
        self.compiled("types.ts", text + f"import * as all from {json.dumps(os.path.join(PACKAGE, 'sinew.js'))};\n")
        with self.assertRaisesRegex(AssertionError, "TS2345"):
            self.compiled("types.ts", text + "pose.sample(undefined, 0);\n")

    def test_shown_programs(self):
        """The programs of the pages print the comments below their lines."""
        ran = 0
        for page in ("docs/wasm.md", "web/wasm/README.md"):
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                text = file.read()
            for language, block in re.findall(r"^```(js|ts)\n(.*?)^```$", text, re.M | re.S):
                with self.subTest(page=page, program=block):
                    wanted = "".join(f"{line}\n" for line in re.findall(r"^ *// (.*)$", block, re.M))
                    if language == "ts":
                        self.compiled("shown.ts", "// @ts-nocheck\n" + block)  # Node's own types are not there
                        self.assertEqual(self.in_project("run.mjs", "import './out/shown.js';", "node"), wanted)
                    else:
                        self.assertEqual(self.in_project("shown.mjs", block, "node"), wanted)
                    ran += 1
        self.assertGreaterEqual(ran, 4)

    def test_the_package(self):
        """npm makes a package of it that holds what it names; its version is the library's."""
        with open(os.path.join(PACKAGE, "package.json"), encoding="utf-8") as file:
            package = json.load(file)
        done = subprocess.run(["npm", "pack", "--dry-run", "--json"], cwd=PACKAGE, capture_output=True, text=True, check=True)
        self.assertEqual({entry["path"] for entry in json.loads(done.stdout)[0]["files"]}, {*package["files"], "package.json"})
        self.assertEqual(package["version"], self.node([])["version"])
        self.assertIn(package["version"], sinew("-V").out)


if __name__ == "__main__":
    main()
