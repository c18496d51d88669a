# SPDX-License-Identifier: MIT
"""Two sets of weights in every pair of component types and in every layout: after each edit the weights of a vertex sum to 1."""
import itertools
import json
import os

import numpy as np

from program import DONE, ProgramTest, in_parallel, main, sinew

from gltf_builder import Builder
from gltf_oracle import Document, evaluate

KINDS = ("f4", "u1", "u2")
LAYOUTS = ("planar", "interleaved", "shared")
STEP = {"f4": 2.0**-24, "u1": 1 / 255, "u2": 1 / 65535}


def weights_of(kinds, descending):
    """Eight weights of 40 vertices, each in the type of its set; they sum to 1 exactly, in units of the coarsest integer type."""
    random = np.random.default_rng(49)
    coarse = 255 if "u1" in kinds else 65535
    whole = np.array([random.multinomial(coarse, random.dirichlet(np.ones(8))) for _ in range(40)])
    if set(kinds) == {"u1", "u2"} or kinds == ("u2", "f4") or kinds == ("f4", "u2"):
        # Fine entries are not multiples of coarse ones: moves half of a coarse step between two entries of the fine set.
        fine = 1 if kinds[1] != "u1" and kinds[1] != kinds[0] else 0
        parts = whole * (65535 // coarse)
        parts[:, 4 * fine] += 100 * (parts[:, 4 * fine + 1] >= 100)
        parts[:, 4 * fine + 1] -= 100 * (parts[:, 4 * fine + 1] >= 100)
        values = parts / 65535
    else:
        values = whole / coarse
    if descending:
        order = np.argsort(-values[:, :4], 1)
        values[:, :4] = np.take_along_axis(values[:, :4], order, 1)
    return values


def stored(values, kind):
    return values.astype("<f4") if kind == "f4" else np.rint(values * np.iinfo(kind).max).astype("<" + kind)


def rig(kinds, layout, meshes=1):
    """Meshes of 40 vertices on nine joints, each vertex with eight influences in two sets of these types."""
    b = Builder()
    random = np.random.default_rng(7)
    nodes = []
    for _ in range(meshes):
        points = random.uniform(-1, 1, (40, 3)).astype("<f4")
        joints = np.array([random.permutation(9)[:8] for _ in range(40)]).astype("u1")
        values = weights_of(kinds, False)
        joints[values == 0] = 0
        columns = [(points, False, True)]
        for n in range(2):
            columns += [(joints[:, 4 * n : 4 * n + 4], False, False), (stored(values[:, 4 * n : 4 * n + 4], kinds[n]), kinds[n] != "f4", False)]
        names = ("POSITION", "JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1")
        if layout == "interleaved":
            numbers = b.interleaved(columns)
        else:
            numbers = [b.accessor(array, normalized, bounds, 34962) for array, normalized, bounds in columns]
        corners = b.accessor(np.arange(39, dtype="<u2"), target=34963)
        mesh = b.add("meshes", {"primitives": [{"attributes": dict(zip(names, numbers)), "indices": corners}]})
        nodes.append(b.add("nodes", {"name": f"Part{mesh}", "mesh": mesh, "skin": 0}))
    if layout == "shared":
        share(b)
    first = len(b.json["nodes"])
    for joint in range(9):
        b.add("nodes", {"name": f"Bone{joint}", "translation": [0, 0.2 if joint else 0, 0]})
        if joint:
            b.json["nodes"][first + joint - 1]["children"] = [first + joint]
    b.add("skins", {"joints": list(range(first, first + 9))})
    times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
    turns = b.accessor(np.array([[0, 0, 0, 1], [0, 0, 0.5, np.sqrt(0.75)]], "<f4"))
    b.add("animations", {"name": "Bend", "samplers": [{"input": times, "output": turns}],
                         "channels": [{"sampler": 0, "target": {"node": first + joint, "path": "rotation"}} for joint in (1, 4, 7)]})
    b.add("scenes", {"nodes": nodes + [first]})
    b.json["scene"] = 0
    return b


def share(b):
    """Merges views of one stride, so that one view holds several arrays, one after another, as COLLADA2GLTF writes them."""
    old, views, at = b.json["bufferViews"], {}, {}
    blob, b.blob = bytes(b.blob), bytearray()
    for i, view in enumerate(old):
        accessor = next(a for a in b.json["accessors"] if a["bufferView"] == i)
        size = {5121: 1, 5123: 2, 5126: 4}[accessor["componentType"]] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        views.setdefault((view.get("target"), size), []).append(i)
    b.json["bufferViews"] = []
    for (target, size), members in views.items():
        data = b""
        for i in members:
            at[i] = (len(b.json["bufferViews"]), len(data))
            data += blob[old[i]["byteOffset"] : old[i]["byteOffset"] + old[i]["byteLength"]]
            data += b"\0" * (-len(data) % 4)
        b.view(data, size if target == 34962 else None, target)
    for accessor in b.json["accessors"]:
        accessor["bufferView"], accessor["byteOffset"] = at[accessor["bufferView"]]


def read_weights(path):
    """For each mesh: the weights and the component types of its sets."""
    document = Document(path)
    for mesh in document.json["meshes"]:
        attributes = mesh["primitives"][0]["attributes"]
        numbers = [attributes[f"WEIGHTS_{n}"] for n in range(8) if f"WEIGHTS_{n}" in attributes]
        accessors = [document.json["accessors"][number] for number in numbers]
        yield np.concatenate([document.values(number) for number in numbers], 1), {accessor["componentType"] for accessor in accessors}


COMMANDS = {
    "repair": ("repair",),
    "limit": ("repair", "--max-influences", 4),
    "limit to five": ("repair", "--max-influences", 5),
    "prune": ("repair", "--prune", 0.1),
    "convert": ("convert", "--max-influences", 4),
    "convert to five": ("convert", "--max-influences", 5),
    "optimize": ("optimize", "--max-error", 0.3),
    "optimize exactly": ("optimize", "--max-error", 0),
    "optimize to three": ("optimize", "--max-error", 10, "--max-influences", 3),
    "optimize joints": ("optimize", "--max-error", 10, "--max-influences", 2, "--joint-budget", 8),
}


class WeightTypes(ProgramTest):
    def edited(self, source, name, extension=".glb"):
        out = source[:-4] + name.replace(" ", "-") + extension
        command, *options = COMMANDS[name]
        ran = sinew(command, source, "-o", out, *options)
        self.assertEqual(ran.status, DONE, str(ran))
        return out, ran

    def check_sums(self, path, about):
        for weights, types in read_weights(path):
            exact = 1e-12 if 5126 not in types else 3e-7
            np.testing.assert_allclose(weights.sum(1), 1, rtol=0, atol=exact, err_msg=about)
        report = json.loads(sinew("validate", path, "--format", "json").out)
        found = {message["code"] for message in report["issues"]["messages"] if message["severity"] < 2}
        self.assertEqual(found, set(), about)

    def test_all_pairs_of_types(self):
        def check(job):
            kinds, layout = job
            about = f"{kinds} {layout}"
            source = rig(kinds, layout).save(self.path(f"{kinds[0]}{kinds[1]}{layout}.glb"))
            self.check_sums(source, about)
            for name in COMMANDS:
                out, ran = self.edited(source, name)
                self.check_sums(out, f"{about} {name}\n{ran}")
                if os.path.getsize(out) > os.path.getsize(source) + 128:  # more than the text of a view: never without a reason
                    self.assertRegex(ran.err, "one type for all sets|stay inside views|split meshes into", f"{about} {name}")

        in_parallel(check, list(itertools.product(itertools.product(KINDS, KINDS), LAYOUTS)))

    def test_a_repair_without_findings_moves_nothing(self):
        for kinds in itertools.product(KINDS, KINDS):
            source = rig(kinds, "planar").save(self.path(f"{kinds[0]}{kinds[1]}.glb"))
            out, _ = self.edited(source, "repair")
            finest = min(STEP[kind] for kind in kinds)
            for before, after in zip(evaluate(source, animation=0, time=1), evaluate(out, animation=0, time=1)):
                self.assertLessEqual(np.abs(before - after).max(), max(5 * finest, 1e-6), kinds)
            again, _ = self.edited(out, "repair")
            with open(out, "rb") as first, open(again, "rb") as second:
                self.assertEqual(first.read(), second.read(), kinds)

    def test_several_meshes_and_text(self):
        b = rig(("u1", "u2"), "planar", meshes=3)
        for extension in (".glb", ".gltf"):
            source = b.save(self.path("several" + extension))
            for name in ("repair", "limit", "convert"):
                out = self.path(f"{name}{extension}")
                command, *options = COMMANDS[name]
                self.succeeds(command, source, "-o", out, *options)
                self.assertEqual(len(list(read_weights(out))), 3)
                self.check_sums(out, f"{name}{extension}")

    def test_a_set_whose_type_changes_is_reported(self):
        source = rig(("u1", "u2"), "planar").save(self.path("in.glb"))
        ran = self.edited(source, "repair")[1]
        self.assertIn("one type for all sets", ran.err)
        source = rig(("u2", "u2"), "planar").save(self.path("same.glb"))
        self.assertNotIn("one type for all sets", self.edited(source, "repair")[1].err)

    def test_optimize_removes_what_stays_behind(self):
        source = rig(("f4", "f4"), "interleaved").save(self.path("in.glb"))
        out, ran = self.edited(source, "limit")
        self.assertIn("stay inside views that other arrays use", ran.err)
        small, _ = self.edited(out, "optimize exactly")
        self.assertLess(os.path.getsize(small), os.path.getsize(out) - 40 * 40)

    def test_a_set_that_nothing_uses_decides_no_type(self):
        b = rig(("u1", "u1"), "planar")
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["JOINTS_2"] = b.accessor(np.zeros((40, 4), "u1"), target=34962)
        attributes["WEIGHTS_2"] = b.accessor(np.zeros((40, 4), "<f4"), target=34962)
        source = b.save(self.path("in.glb"))
        out = self.edited(source, "repair")[0]
        self.assertEqual([types for _, types in read_weights(out)], [{5121}])
        self.check_sums(out, "unused set")


if __name__ == "__main__":
    main()
