# SPDX-License-Identifier: MIT
"""sinew convert --revision: samples and random rigs deform as before in every direction and are valid by the official JSON Schemas."""
import glob
import json
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, SETTINGS, ProgramTest, in_parallel, main, sinew

import node_tools
from g4mf_oracle import Document, largest_error
from g4mf_rich import rich
from g4mf_rigs import REVISIONS, RandomRig

SAMPLES = sorted(glob.glob(os.path.join(ROOT, "samples", "g4mf", "*.g4*")))
SEEDS = range(72)
TOLERANCE = 1e-6
ATTRIBUTES = ((), ("--attribute", "normal"), ("--attribute", "texcoord"))

# Where the schemas forbid what the texts say: −1 for a slot without a bone, lights that stand in their nodes.
CONTRADICTIONS = re.compile(r"/nodes/\d+/(skeleton/joints/\d+|light)")


class Revisions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.compared = 0

    def deformed(self, model, out, *options):
        ran = sinew("deform", model, "-o", out, "-q", "--threads", "1", *options)
        return np.load(out) if ran.status == 0 else ran

    @staticmethod
    def codes(path):
        """Of everything that reading complains about."""
        return set(re.findall(r"\b(?:G4MF|SINEW)_\w+", sinew("info", "-v", path).err))

    def compare(self, source, options):
        """Converts to all revisions, and each result to all others. Returns what is wrong, and the files by revision. Conversions of conversions
        often write the bytes of others: equal files are read once."""
        stem, read = self.path(os.path.basename(source).replace(".", "_")), {}

        def once(path, attribute):
            """The values of an attribute, or the codes."""
            with open(path, "rb") as file:
                key = (attribute, file.read())
            if key not in read:
                read[key] = self.codes(path) if attribute is None else self.deformed(path, path + ".npy", *options, *attribute)
            return read[key]

        want = {attribute: self.deformed(source, stem + ".npy", *options, *attribute) for attribute in ATTRIBUTES}
        want = {attribute: rows for attribute, rows in want.items() if isinstance(rows, np.ndarray)}
        before = self.codes(source)
        wrong, files, said = [], [], {}
        for first in REVISIONS:
            extension = os.path.splitext(source)[1]
            step = f"{stem}_{first}{extension}"
            for second in [first, *(other for other in REVISIONS if other != first)]:
                path = step if first == second else f"{stem}_{first}_{second}{extension}"
                ran = sinew("convert", source if first == second else step, path, "--revision", second)
                said[path] = said.get(step, "") + ran.err
                if ran.status == 0:
                    files.append((second, path))
                # Values that had to go are missing; blended normals depend on the length that they have before.
                same_values = "SINEW_REVISE_LOST" not in said[path] and "are normalised" not in said[path]
                for attribute in want if same_values else want.keys() & {()}:
                    got = once(path, attribute) if ran.status == 0 else ran
                    if not self.equal(got, want[attribute]):
                        wrong.append((path, attribute, str(got)))
                    self.compared += bool(attribute)
                more = once(path, None) - before if ran.status == 0 else str(ran)
                if more:
                    wrong.append((path, more))
        return wrong, files

    @staticmethod
    def equal(got, want):
        if not isinstance(got, np.ndarray) or got.shape != want.shape or np.any(np.isnan(got) != np.isnan(want)):
            return False
        return largest_error(np.nan_to_num(got), np.nan_to_num(want)) <= TOLERANCE

    def check(self, cases):
        """(model, options of deform)"""
        written = []
        for (source, _), (wrong, files) in zip(cases, in_parallel(lambda case: self.compare(*case), cases)):
            with self.subTest(model=os.path.basename(source)):
                self.assertEqual(wrong, [])
            written += [(source, *file) for file in files]
        self.validate(written)

    def validate(self, written):
        schemas = os.path.join(SETTINGS.shared or "", "conformance", "g4mf-schema")
        if not SETTINGS.shared or not os.path.isdir(schemas):
            print("not validated: the folder with the official JSON Schemas is not there", file=sys.stderr)
            return
        node_tools.require()
        texts, found, entries, known = {}, {}, [], {}
        for _, revision, path in written:
            with open(path, "rb") as file:
                content = (revision, file.read())
            if content not in known:
                known[content] = self.write(os.path.basename(path) + ".json", Document(path).json)
                entries.append(f"{revision}={known[content]}")
            texts[path] = known[content]
        for start in range(0, len(entries), 2000):
            found.update(json.loads(node_tools.run("g4mf_schemas.mjs", schemas, *entries[start : start + 2000])))
        for source, _, path in written:
            with self.subTest(model=os.path.basename(path)):
                self.assertEqual([issue for issue in found[texts[path]] if not CONTRADICTIONS.fullmatch(issue["path"])], [])

    def test_samples(self):
        cases = []
        for sample in SAMPLES:
            pose = os.path.splitext(sample)[0] + ".pose.json"
            cases.append((sample, ["--pose", pose] if os.path.exists(pose) else []))
        self.check(cases)

    def test_everything_at_once(self):
        self.check([(rich(revision).save(self.path(f"rich_{revision}.g4tf")), []) for revision in REVISIONS[:2]])

    def test_random_rigs(self):
        cases = []
        for seed in SEEDS:
            rig = RandomRig(seed)
            path = rig.save(self.folder, f"rig{seed:03}")
            pose = rig.pose()  # without amounts by name: copies of a mesh give their shapes names of their own
            pose["blendAmounts"] = {node: given for node, given in pose["blendAmounts"].items() if isinstance(given, list)}
            cases.append((path, ["--pose", self.write(f"pose{seed}.json", pose)]))
        self.check(cases)
        self.assertGreater(self.compared, len(SEEDS))  # normals and texture coordinates too


if __name__ == "__main__":
    main()
