# SPDX-License-Identifier: MIT
"""sinew repair: fixes what docs/repair.md lists, adds no defect, and keeps correct data byte for byte."""
import collections
import json
import os
import re
import sys

import numpy as np

from program import DONE, INPUT, ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, in_parallel, main, samples, sinew

GOLDEN = os.path.join(ROOT, "tests", "golden")
sys.path.insert(0, GOLDEN)

import make  # noqa: E402


def messages_of(folder):
    """The messages about every file below a folder, by path."""
    ran = sinew("validate", "--format", "json", ".", cwd=folder, timeout=300)
    return {os.path.normpath(r["uri"]): r["issues"]["messages"] + r["modelIssues"]["messages"] for r in json.loads(ran.data)["reports"]}


def codes_of(messages, severity=3):
    return collections.Counter(message["code"] for message in messages if message["severity"] <= severity)


class Repair(ProgramTest):
    maxDiff = None

    def repair_golden(self):
        """(case, kind, what the program said, name of the file) for every golden file; what repair made lies below the test's folder. A run
        for each folder: a run for each file takes longer to start than to repair."""
        wanted = [(case, kind, f"{case.path}.{kind}.{getattr(case, kind).container}") for case in make.cases() for kind in ("bad", "good")]
        folders = collections.defaultdict(list)
        for _, _, name in wanted:
            folders[os.path.dirname(name)].append(os.path.join(GOLDEN, name))

        def repair(folder):
            os.makedirs(self.path(folder))
            return sinew("repair", *folders[folder], "-o", self.path(folder), timeout=300)

        said = collections.defaultdict(str)
        for ran in in_parallel(repair, folders):
            self.assertIn(ran.status, (DONE, INPUT, UNSUPPORTED), str(ran))
            for line in ran.err.splitlines():
                said[line.removeprefix("sinew: ").split(": ")[0]] += line + "\n"
        return [(case, kind, said[os.path.join(GOLDEN, name)] + said[self.path(name)], name) for case, kind, name in wanted]

    def test_golden_files(self):
        with open(os.path.join(ROOT, "docs", "repair.md"), encoding="utf-8") as page:
            table = set(re.findall(r"^\| `(\w+)` \|", page.read(), re.M))
        self.assertGreater(len(table), 30)
        done = self.repair_golden()
        before, after = messages_of(GOLDEN), messages_of(self.folder)
        wrong, mended = [], set()
        for case, kind, said, name in done:
            ends = (f"sinew: {os.path.join(GOLDEN, name)}: ", self.path(name) + ": ")  # one of them, and nothing more of this file
            self.assertEqual(sum(line.startswith(ends) for line in said.splitlines()), 1, name + said)
            if said.startswith("sinew: "):
                self.assertFalse(os.path.exists(self.path(name)), said)
                continue
            old, new = before[os.path.normpath(name)], after[os.path.normpath(name)]
            fresh = codes_of(new, 1) - codes_of(old, 1)
            if fresh:
                wrong.append(f"{name}: new findings {dict(fresh)}")
            left = codes_of(new)[case.code]
            if kind == "bad" and case.code in table:
                mended.add(case.code)
                if left:
                    wrong.append(f"{name}: still {case.code}")
            if kind == "good" and "nothing to fix" not in said:
                wrong.append(f"{name}: a good file changed\n{said}")
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertEqual(table - mended, set(), "listed in docs/repair.md without a pair that shows it")

    def test_good_text_stays_byte_for_byte(self):
        for name in ("gltf/skin/skeleton_below.good.gltf", "g4mf/skin/weights_sum.good.g4tf"):
            source = os.path.join(GOLDEN, name)
            if not os.path.exists(source):
                self.fail(f"{name} is gone: name another one")
            target = self.path(os.path.basename(name))
            self.succeeds("repair", source, "-o", target)
            with open(source, "rb") as a, open(target, "rb") as b:
                self.assertEqual(a.read(), b.read(), name)

    def test_a_cut_says_how_far_vertices_went(self):
        ran = self.succeeds("repair", os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf"), "-o", self.path("cut.gltf"), "--max-influences", "1")
        self.assertRegex(ran.err, r"lost influences beyond the limit, the largest 0\.5")
        self.assertRegex(ran.err, r"largest movement of a vertex: 0\.\d+ \(0\.\d+ of the diagonal\), vertex \d+")

    def test_names_of_bones_only_when_asked(self):
        with open(os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf"), encoding="utf-8") as file:
            document = json.load(file)
        for joint in document["skins"][0]["joints"]:
            document["nodes"][joint]["name"] = "Bone"
        source = self.write("twins.gltf", document)
        self.assertIn("nothing to fix", self.succeeds("repair", source, "--dry-run").err)
        ran = self.succeeds("repair", source, "-o", self.path("named.gltf"), "--names")
        self.assertIn('renamed "Bone" to "Bone_2"', ran.err)
        self.assertIn("no vertex moved", ran.err)
        with open(self.path("named.gltf"), encoding="utf-8") as file:
            nodes = json.load(file)["nodes"]
        self.assertEqual([nodes[joint]["name"] for joint in document["skins"][0]["joints"]], ["Bone", "Bone_2"])

    def test_small_weights_of_g4mf_go(self):
        source = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        ran = self.succeeds("repair", source, "-o", self.path("arm.g4b"), "--prune", "0.3")
        self.assertIn("lost weights below the limit", ran.err)
        self.assertRegex(ran.err, r"largest movement of a vertex|no vertex moved")
        self.assertIn("nothing to fix", self.succeeds("repair", self.path("arm.g4b"), "--dry-run", "--prune", "0.3").err)

    def test_bounds_of_compressed_positions_are_those_of_the_decoded_ones(self):
        with open(os.path.join(ROOT, "conformance", "cases", "compressed", "draco_edgebreaker", "model.gltf"), encoding="utf-8") as file:
            model = json.load(file)
        known = [accessor for accessor in model["accessors"] if "min" in accessor and accessor["type"] == "VEC3"]
        expected = [(accessor.pop("min"), accessor.pop("max")) for accessor in known]
        self.assertTrue(expected)
        source, target = self.write("compressed.gltf", json.dumps(model).encode()), self.path("repaired.gltf")
        self.succeeds("repair", source, "-o", target)
        with open(target, encoding="utf-8") as file:
            found = [(a["min"], a["max"]) for a in json.load(file)["accessors"] if "min" in a and a["type"] == "VEC3"]
        np.testing.assert_allclose(found, expected, atol=1e-3)

    def test_dry_run_writes_nothing(self):
        ran = sinew("repair", os.path.join(GOLDEN, "gltf/mesh_data/weights_sum.bad.gltf"), "--dry-run", "-o", self.path("no.gltf"))
        self.assertEqual(ran.status, 1, str(ran))
        self.assertIn("1 change, nothing written", ran.err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_usage(self):
        good = os.path.join(GOLDEN, "gltf/mesh_data/weights_sum.good.gltf")
        self.fails(USAGE, "repair", good, says="expected --output or --dry-run")
        self.fails(USAGE, "repair", good, "-o", self.path("a.ply"), says='unknown extension ".ply"')
        self.fails(USAGE, "repair", good, "-o", self.path("a.gltf"), "--prune", "nan")
        self.fails(USAGE, "repair", good, "-o", self.path("a.gltf"), "--max-influences", "0")
        self.fails(UNSUPPORTED, "repair", good, "-o", self.path("a.g4b"))
        self.fails(INPUT, "repair", self.path("absent.glb"), "-o", self.path("a.glb"))
        self.fails(INPUT, "repair", os.path.join(GOLDEN, "gltf/container/end_in_chunk_data.bad.glb"), "-o", self.path("a.glb"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_real_files_deform_as_before(self):
        """What is found in real files is fixed, no vertex moves farther than reported, and nothing new is found."""
        for name, path in corpus_models() + samples():
            with self.subTest(name=name):
                mended = self.path("mended.glb")
                ran = self.succeeds("repair", path, "-o", mended, timeout=300)
                again = self.succeeds("repair", mended, "--dry-run", timeout=300)
                self.assertIn("nothing to fix", again.err, f"{ran}\n{again}")
                reports = [json.loads(sinew("validate", "--format", "json", file, timeout=300).data) for file in (path, mended)]
                old, new = (codes_of(report["issues"]["messages"], 0) for report in reports)
                self.assertLessEqual(set(new), set(old), str(ran))
                said = re.search(r"largest movement of a vertex: (\S+) ", ran.err)
                before, after = self.deform(path), self.deform(mended)
                moved = np.linalg.norm(after - before, axis=1).max()
                self.assertLessEqual(moved, 1.01 * float(said[1] if said else 0) + 1e-6 * np.abs(before).max(), str(ran))
                self.assertLess(moved, 1e-3 * np.abs(before).max(), str(ran))


if __name__ == "__main__":
    main()
