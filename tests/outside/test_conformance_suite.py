# SPDX-License-Identifier: MIT
"""The models of the conformance suite are valid. The Khronos glTF-Validator finds the errors that their cases name, and no others; the official
JSON Schemas accept the G4MF models."""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, SETTINGS, ProgramTest, main

import node_tools
from g4mf_oracle import Document

sys.path.insert(0, os.path.join(ROOT, "conformance"))
from make_suite import CASES
import streams

ERROR = 0
# The text allows -1 for a slot without a bone, which the schemas forbid.
CONTRADICTIONS = {"g4mf/joint_minus_one": {"/nodes/1/skeleton/joints/2"}, "g4mf/joint_minus_one_first": {"/nodes/1/skeleton/joints/0"}}


def setUpModule():
    node_tools.require()


class Suite(ProgramTest):
    def test_models_are_valid(self):
        models = sorted(glob.glob(os.path.join(ROOT, "conformance", "cases", "*", "*", "model.gl*")))
        self.assertGreaterEqual(len(models), 220)
        for model, issues in node_tools.issues(models).items():
            with open(os.path.join(os.path.dirname(model), "case.json"), encoding="utf-8") as file:
                case = json.load(file)
            with self.subTest(case["name"]):
                self.assertEqual({issue["code"] for issue in issues if issue["severity"] == ERROR}, set(case["validator"]))
                if case["validator"]:
                    self.assertNotEqual(case["status"], "required", "a file with errors tests no requirement")

    def test_streams_are_those_of_meshoptimizer_and_draco(self):
        """Both the streams and what their own decoders make of them."""
        with open(streams.FILE, encoding="utf-8") as file:
            stored = json.load(file)
        requests = streams.collect()
        self.assertEqual(set(stored), set(requests))
        for key, made in zip(requests, streams.encode(requests.values())):
            with self.subTest(requests[key]):
                self.assertEqual(stored[key], made)

    def test_schemas_accept_g4mf(self):
        schemas = os.path.join(SETTINGS.shared or "", "conformance", "g4mf-schema")
        if not SETTINGS.shared or not os.path.isdir(schemas):
            self.skipTest("the folder with the official JSON Schemas is not there")
        texts = {}
        for case in CASES:
            if case.name.startswith("g4mf/"):
                model = os.path.join(ROOT, "conformance", "cases", *case.name.split("/"), case.file)
                texts[case.name] = self.write(case.name.replace("/", "-") + ".json", Document(model).json), case.build().revision
        self.assertGreaterEqual(len(texts), 60)
        found = json.loads(node_tools.run("g4mf_schemas.mjs", schemas, *(f"{revision}={path}" for path, revision in texts.values())))
        for name, (path, _) in texts.items():
            with self.subTest(name):
                self.assertEqual({error["path"] for error in found[path]}, CONTRADICTIONS.get(name, set()))


if __name__ == "__main__":
    main()
