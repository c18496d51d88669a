# SPDX-License-Identifier: MIT
"""The Khronos glTF-Validator finds the errors in the models of the conformance suite that their cases name, and no others."""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, ProgramTest, main

import node_tools

ERROR = 0


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


if __name__ == "__main__":
    main()
