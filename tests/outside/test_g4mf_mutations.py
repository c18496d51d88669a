# SPDX-License-Identifier: MIT
"""Sinew rejects everything that the official JSON Schemas reject: every property of valid files removed, of another type, out of range."""
import copy
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "golden")]

import bases_g4mf  # noqa: E402
import node_tools  # noqa: E402
import program  # noqa: E402



def schemas():
    return os.path.join(program.SETTINGS.shared or "", "conformance", "g4mf-schema")


CARRIED = {
    "shapes": [{"type": "general", "size": [1, 1, 1, 1], "length": 1,
                "curves": [{"radii": [1, 1], "exponent": 2, "taper": [{"radii": [1, 1], "exponent": 2, "position": [0, 0]}]}]}],
    "nodes": [
        {"camera": {"type": "perspective", "fov": 1, "clipNear": 0.1, "clipFar": 9, "keepAspect": 1, "size": 2}},
        {"physics": {"motion": {"type": "dynamic", "mass": 2, "inertiaDiagonal": [1], "inertiaOrientation": [1, 0], "gravityFactor": 1,
                                "linearVelocity": [0], "angularVelocity": [0]}}},
        {"physics": {"collider": {"shape": 0}}},
        {"physics": {"trigger": {"nodes": [1]}}, "visible": False, "position": [0, 0, 0, 1], "rotor": [1, 0, 0, 0, 0, 0, 0, 0], "scale": [1]},
    ],
}
LIGHT = {"type": "spot", "color": [1, 1, 1], "coneInnerAngle": 0, "coneOuterAngle": 1, "intensity": 5, "range": 9}

# What the texts allow though the schemas do not, and what the rules call less than an error: by the last steps of the pointer, or "*",
# and the start of the schema's words.
EXCEPTIONS = [
    ("/joints/*", "must be >= 0", "-1 leaves a slot empty"),
    ("/materials/*", "must be >= 0", "-1 keeps the surface's own material"),
    ("/bone/mass", "must be > 0", "a mass of 0 is allowed by the text"),
    ("*", "must NOT have duplicate items", "equal entries are a warning"),
    ("/light", "must be integer", "lights are objects since January 2026; the schema of nodes was not changed"),
    ("/children", "must NOT have fewer than 1 items", "an empty list of children is a hint"),
]


def carried(base, revision):
    def make():
        file = base()
        if revision == "2025-08":
            file.json["asset"]["dimension"] = 3
            return file
        nodes = file.json["nodes"]
        for node in copy.deepcopy(CARRIED["nodes"]) + [{"light": copy.deepcopy(LIGHT)}]:
            nodes.append(node)
            nodes[0]["children"].append(len(nodes) - 1)
        file.json["shapes"] = copy.deepcopy(CARRIED["shapes"])
        return file

    return make


def mutations(value, way=()):
    """(what, way, new value or ...) for every value below; `...`: leave it out."""
    if isinstance(value, dict):
        steps = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))[:2]
    else:
        steps = []
    for step, below in steps:
        here = way + (step,)
        if isinstance(value, dict):
            yield "left out", here, ...
        for other in (7, "word", [], {}, True, None, 1.5, -2):
            if type(other) is not type(below) or (isinstance(other, (int, float)) and not isinstance(other, bool)):
                yield f"as {other!r}", here, other
        yield from mutations(below, here)


def mutated(document, way, new):
    document = copy.deepcopy(document)
    holder = document
    for step in way[:-1]:
        holder = holder[step]
    if new is ...:
        del holder[way[-1]]
    else:
        holder[way[-1]] = new
    return document


def excused(error):
    steps = ["*" if step.isdigit() else step for step in error["path"].split("/")]
    return any((where == "*" or "/".join(steps).endswith(where)) and error["message"].startswith(message) for where, message, _ in EXCEPTIONS)


def setUpModule():
    node_tools.require()
    if not os.path.isdir(schemas()):
        raise unittest.SkipTest("the folder with the schemas is not there")


class Mutations(unittest.TestCase):
    maxDiff = None

    def test_what_the_schemas_refuse_is_an_error(self):
        bases = {"2025-08": carried(bases_g4mf.old, "2025-08"), "2026-01": carried(bases_g4mf.tetrahedron, "2026-01"),
                 "2026-07": carried(bases_g4mf.bound, "2026-07")}
        with tempfile.TemporaryDirectory() as folder:
            cases = {}
            for revision, base in bases.items():
                whole = json.loads(base().bytes())
                for what, way, new in [("sound", (), None), *mutations(whole)]:
                    path = os.path.join(folder, f"{len(cases)}.g4tf")
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(json.dumps(mutated(whole, way, new) if way else whole))  # json.dump encodes in Python
                    cases[path] = (revision, "/".join(map(str, way)) + " " + what)
            wrong = {}
            paths = list(cases)
            for start in range(0, len(paths), 2000):
                arguments = [f"{cases[path][0]}={path}" for path in paths[start:start + 2000]]
                wrong |= json.loads(node_tools.run("g4mf_schemas.mjs", schemas(), *arguments))
            refused = [path for path in paths if any(not excused(error) for error in wrong[path])]
            self.assertGreater(len(refused), 1000)

            sound = [path for path in paths if cases[path][1].endswith("sound")]
            reports = []
            for start in range(0, len(refused + sound), 2000):
                reports += json.loads(program.sinew("validate", "--format", "json", *(refused + sound)[start:start + 2000]).data)["reports"]
            self.assertEqual([report["uri"] for report in reports], refused + sound)

            def check(path, report):
                errors = [m["code"] for m in report["issues"]["messages"] if m["severity"] == 0]
                name = "{}: {}".format(*cases[path])
                if cases[path][1].endswith("sound"):
                    return f"{name}: {errors}" if errors else None
                return None if errors else f"{name}: the schema says {wrong[path][:2]}"

            missed = [line for path, report in zip(refused + sound, reports) if (line := check(path, report))]
            self.assertEqual(missed, [], "\n".join(missed[:40]))


if __name__ == "__main__":
    program.main()
