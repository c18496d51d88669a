# SPDX-License-Identifier: MIT
"""The samples of samples/g4mf: equal to the output of their script, valid by the official JSON Schemas, with the numbers of their pages."""
import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import ROOT, SETTINGS, ProgramTest, main

import node_tools
from g4mf_oracle import Document, evaluate

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_g4mf_samples

FOLDER = os.path.join(ROOT, "samples", "g4mf")
SAMPLES = [make() for make in make_g4mf_samples.SAMPLES]

# Where the schemas forbid what the text allows: −1 for a slot without a bone.
CONTRADICTIONS = {"stiff_tail.g4tf": {"/nodes/1/skeleton/joints/2"}}


class Samples(ProgramTest):
    def test_the_script_writes_what_is_there(self):
        contents = {name: data for sample in SAMPLES for name, data in sample.contents().items()}
        self.assertEqual(sorted(os.listdir(FOLDER)), sorted(contents))
        for name, data in contents.items():
            with open(os.path.join(FOLDER, name), "rb") as file:
                self.assertEqual(file.read(), data, f"{name}: run scripts/make_g4mf_samples.py")

    def test_expected_numbers(self):
        """The program and, where the file alone and its pose decide, the oracle."""
        for sample in SAMPLES:
            for extension in sample.files:
                model = os.path.join(FOLDER, sample.name + extension)
                for options, pose, vertex, numbers, _ in sample.expected:
                    with self.subTest(sample=sample.name + extension, vertex=vertex, options=options, pose=pose):
                        posed = os.path.join(FOLDER, f"{pose}.pose.json")
                        got = self.deform(model, *options, *(["--pose", posed] if pose else []))
                        np.testing.assert_allclose(got[vertex], numbers, atol=2e-6)
                        if not options and not sample.zstd:
                            content = None
                            if pose:
                                with open(posed, encoding="utf-8") as file:
                                    content = json.load(file)
                            np.testing.assert_allclose(evaluate(model, content)[vertex], numbers, atol=2e-6)

    def test_nothing_to_complain_about(self):
        for sample in SAMPLES:
            for extension in sample.files:
                with self.subTest(sample=sample.name + extension):
                    self.assertEqual(self.succeeds("info", "-v", os.path.join(FOLDER, sample.name + extension)).err, "")

    def test_info_tells_the_effective_length_of_a_scaled_bone(self):
        shown = self.succeeds("info", os.path.join(FOLDER, "scaled_bone.g4tf")).out
        self.assertRegex(shown, r'"Bone" +0\.5, scaled to 3\b')

    def test_json_schemas(self):
        schemas = os.path.join(SETTINGS.shared or "", "conformance", "g4mf-schema")
        if not SETTINGS.shared or not os.path.isdir(schemas):
            self.skipTest("the folder with the official JSON Schemas is not there")
        node_tools.require()
        paths = {}
        for sample in SAMPLES:
            for extension in sample.files:
                name = sample.name + extension
                paths[name] = self.write(name + ".json", Document(os.path.join(FOLDER, name)).json), sample.model.revision
        found = json.loads(node_tools.run("g4mf_schemas.mjs", schemas, *(f"{revision}={path}" for path, revision in paths.values())))
        for name, (path, _) in paths.items():
            with self.subTest(sample=name):
                self.assertEqual({issue["path"] for issue in found[path]}, CONTRADICTIONS.get(name, set()), found[path])


if __name__ == "__main__":
    main()
