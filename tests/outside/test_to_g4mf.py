# SPDX-License-Identifier: MIT
"""G4MF files that sinew convert makes from glTF: valid by G4MF's official JSON Schemas, and the extension by its schema in docs/."""
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import ROOT, SETTINGS, ProgramTest, corpus_models, in_parallel, main, samples, sinew

from test_format_table import everything

import node_tools
from g4mf_oracle import Document
from random_rigs import RandomRig

EXTENSION = "SINEW_animation"


class ToG4mf(ProgramTest):
    def test_json_schemas(self):
        official = os.path.join(SETTINGS.shared or "", "conformance", "g4mf-schema")
        if not SETTINGS.shared or not os.path.isdir(official):
            self.skipTest("the folder with the official JSON Schemas is not there")
        node_tools.require()
        schemas = self.path("schemas")
        shutil.copytree(official, schemas)
        os.mkdir(os.path.join(schemas, EXTENSION))
        shutil.copy(os.path.join(ROOT, "docs", f"{EXTENSION}.schema.json"), os.path.join(schemas, EXTENSION, "g4mf.schema.json"))
        models = [("everything", everything().save(self.path("everything.gltf")))] + corpus_models() + samples() + [(f"rig {seed}", RandomRig(seed).save(self.folder, f"rig{seed}")) for seed in range(40)]

        def convert(case):
            number, (_, source) = case
            return sinew("convert", source, self.path(f"{number}.g4b"), "-q")

        arguments, names, extensions = [], {}, 0
        for number, ran in enumerate(in_parallel(convert, list(enumerate(models)))):
            self.assertEqual(ran.status, 0, str(ran))
            document = Document(self.path(f"{number}.g4b")).json
            text = self.write(f"{number}.json", document)
            names[text] = models[number][0]
            for node in document["nodes"]:  # the schema still wants an index into a list that it does not have; the text wants an object
                node.pop("light", None)
            text = self.write(f"{number}.json", document)
            arguments.append(f"2026-01={text}")
            if EXTENSION in document.get("extensions", {}):
                text = self.write(f"{number}.{EXTENSION}.json", document["extensions"][EXTENSION])
                names[text] = f"{models[number][0]}, {EXTENSION}"
                arguments.append(f"{EXTENSION}={text}")
                extensions += 1
        self.assertGreater(extensions, 20)
        # The extension's schema is known to refuse something.
        wrong = self.write("wrong.json", {"clips": [{"tracks": [{"node": 0, "path": "turn", "times": 0, "values": 1}]}]})
        found = json.loads(node_tools.run("g4mf_schemas.mjs", schemas, *arguments, f"{EXTENSION}={wrong}"))
        self.assertTrue(found.pop(wrong))
        for path, issues in found.items():
            with self.subTest(model=names[path]):
                self.assertEqual(issues, [])


if __name__ == "__main__":
    main()
