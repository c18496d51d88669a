# SPDX-License-Identifier: MIT
"""Writes the suite of conformance rigs: a folder per rule, with a model, the rule, and where the vertices must be.

    python3 conformance/make_suite.py [FOLDER]      FOLDER: default conformance/cases; it is replaced

The expected numbers come from the evaluation in tests/oracle, which is written from the specifications and shares no code with Sinew.
"""
import json
import os
import shutil
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "rules"), os.path.join(HERE, "..", "tests", "oracle")]
import accessors, animation, compressed, copies, g4mf, morphs, nodes, pointers, primitives, skins, staik, weights  # noqa: E401, F401  they register their cases
import expected
from registry import CASES, SOURCES


def expect(case, model, folder):
    """Evaluates and writes all poses of a case; returns what case.json says about them."""
    evaluate = expected.g4mf if model.endswith((".g4tf", ".g4b")) else expected.gltf
    results = [evaluate(model, clip, time, case.attribute, pose[0] if pose else None) for clip, time, *pose in case.poses]
    np.save(os.path.join(folder, "vertices.npy"), np.stack([vertices for vertices, _, _ in results]))
    if results[0][1] is not None:
        np.save(os.path.join(folder, "palettes.npy"), np.stack([palette for _, palette, _ in results]))
    assert all(instances == results[0][2] for _, _, instances in results), case.name
    return {"poses": [{"clip": clip, "time": time} for clip, time, *_ in case.poses], "instances": results[0][2]}


def write(case, root):
    folder = os.path.join(root, *case.name.split("/"))
    os.makedirs(folder)
    model = os.path.join(folder, case.file)
    case.build().save(model, **case.options)
    section, says = SOURCES[case.source]
    entry = {"name": case.name, "rule": case.rule, "source": section, "says": says, "status": case.status, "model": case.file,
             "attribute": case.attribute, "tolerance": case.tolerance, "validator": list(case.errors), **expect(case, model, folder)}
    with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()) + "\n}\n")


def make(root):
    shutil.rmtree(root, ignore_errors=True)
    for case in CASES:
        write(case, root)
    return len(CASES)


if __name__ == "__main__":
    print(make(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "cases")), "cases")
