# SPDX-License-Identifier: MIT
"""Boxes that `sinew bounds -o` writes into glTF files: SINEW_bounds, and the volumes of glTF 2.1, against an independent evaluation."""
import json
import os

import numpy as np

from program import DONE, UNSUPPORTED, USAGE, ProgramTest, in_parallel, main, sinew

import moving_files
from g4mf_rigs import RandomRig
from gltf_builder import tutorial_skin
from moving_oracle import MovingOracle

TIMES = int(os.environ.get("SINEW_TIMES", 10))  # of each clip
FILES = int(os.environ.get("SINEW_FILES", 6))


def document_of(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return json.loads(data)
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


def saved(document, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def outside(box, rows):
    return max((np.array(box["min"]) - rows).max(initial=-1), (rows - np.array(box["max"])).max(initial=-1))


def judge(seed, folder):
    """Every vertex lies in the stored boxes and volumes, at many times of every clip."""
    path = moving_files.make(seed, folder)
    out, wrong = os.path.join(folder, f"{seed}.boxes.gltf"), []
    ran = sinew("bounds", path, "-o", out, "--gltf", "2.1")
    if ran.status != DONE:
        return [f"{seed}: {ran}"]
    document = document_of(out)
    if (document["asset"]["version"], document["asset"]["minVersion"]) != ("2.1", "2.0"):
        wrong.append(f"{seed}: version {document['asset']}")
    boxes = {(box.get("node"), box.get("animation"), box.get("rest", False)): box for box in document["extensions"]["SINEW_bounds"]["boxes"] if "joint" not in box}
    oracle = MovingOracle(path)  # of the original: the evaluator reads no glTF 2.1
    shapes = document.get("shapes", [])
    moments = [(None, 0.0)] + [(a, t) for a, clip in enumerate(oracle.clips()) for t in [*oracle.times(a), *np.linspace(0, clip["duration"], TIMES)]]
    volumes = 0
    for animation, time in moments:
        settings = oracle.settings(animation, float(time))
        for block in oracle.blocks(animation, float(time)):
            rows = block["positions"]
            size = np.abs(rows).max(initial=0) + 1e-30
            wanted = [boxes.get((block["node"], None, False))]
            if animation is not None:
                wanted.append(boxes.get((block["node"], animation, False)))
            if block["visible"]:
                wanted += [boxes.get((None, animation, animation is None)), boxes.get((None, None, False))]
            if len(rows) and any(box is None or outside(box, rows) > 1e-6 * size for box in wanted):
                wrong.append(f"{seed}: node {block['node']} at {time} of {animation} is outside of {wanted}")
            volume = document["nodes"][block["node"]].get("boundingVolume")
            if volume and len(rows):
                volumes += 1
                world = oracle.world(block["node"], settings)
                if abs(np.linalg.det(world[:3, :3])) < 1e-6:
                    continue
                local = (np.linalg.inv(world) @ np.hstack([rows, np.ones((len(rows), 1))]).T).T[:, :3] - np.array(volume["translation"])
                half = np.array(shapes[volume["shape"]]["box"]["size"]) / 2
                if (np.abs(local) > half + 1e-5 * half.max()).any():
                    wrong.append(f"{seed}: node {block['node']} at {time} of {animation} is outside of its volume")
    if not volumes:
        wrong.append(f"{seed}: no volumes")
    found = [m["code"] for m in json.loads(sinew("validate", out, "--format", "json").out)["modelIssues"]["messages"] if m["code"] == "SINEW_BOUNDS_TOO_SMALL"]
    return wrong + ([f"{seed}: {found}"] if found else [])


class StoredBounds(ProgramTest):
    def test_vertices_are_inside(self):
        wrong = [line for lines in in_parallel(lambda seed: judge(seed, self.path("")), range(3, 200, max(200 // FILES, 1))) for line in lines]
        self.assertFalse(wrong, "\n".join(wrong[:20]))

    def test_too_small_boxes_are_found(self):
        source, out = tutorial_skin().save(self.path("strip.gltf")), self.path("out.gltf")
        self.succeeds("bounds", source, "-o", out, "--gltf", "2.1")
        codes = lambda path: [(m["code"], m["pointer"]) for m in json.loads(sinew("validate", path, "--format", "json").out)["modelIssues"]["messages"] if "BOUNDS" in m["code"]]
        self.assertEqual(codes(out), [])
        for number, box in enumerate(document_of(out)["extensions"]["SINEW_bounds"]["boxes"]):
            document = document_of(out)
            smaller = document["extensions"]["SINEW_bounds"]["boxes"][number]
            smaller["max"][1] -= 0.25
            self.assertEqual(codes(saved(document, self.path("small.gltf"))), [("SINEW_BOUNDS_TOO_SMALL", f"/extensions/SINEW_bounds/boxes/{number}")])
        document = document_of(out)
        document["shapes"][0]["box"]["size"][1] *= 0.8
        self.assertEqual(codes(saved(document, self.path("small.gltf"))), [("SINEW_BOUNDS_TOO_SMALL", "/nodes/0/boundingVolume")])

    def test_boxes_of_joints(self):
        """They hold what follows the joint, with the stored amounts of blend shapes, in all meshes of the skin."""
        b = tutorial_skin()
        primitive = b.json["meshes"][0]["primitives"][0]
        shift = np.zeros((10, 3), "<f4")
        shift[9] = [0, 0, 2]
        primitive["targets"] = [{"POSITION": b.accessor(shift, bounds=True)}]
        b.json["meshes"][0]["weights"] = [0.5]
        b.json["nodes"].append({"mesh": 0, "skin": 0, "weights": [1.5]})
        b.json["scenes"][0]["nodes"].append(3)
        source, out = b.save(self.path("strip.gltf")), self.path("out.gltf")
        self.succeeds("bounds", source, "-o", out)
        found = lambda path: [m for m in json.loads(sinew("validate", path, "--format", "json").out)["modelIssues"]["messages"] if "BOUNDS" in m["code"]]
        self.assertEqual(found(out), [])
        document = document_of(out)
        boxes = document["extensions"]["SINEW_bounds"]["boxes"]
        number = next(i for i, box in enumerate(boxes) if box.get("joint") == 2)
        self.assertGreaterEqual(boxes[number]["max"][2], 3)
        boxes[number]["max"][2] = 2
        [message] = found(saved(document, self.path("small.gltf")))
        self.assertEqual(message["pointer"], f"/extensions/SINEW_bounds/boxes/{number}")
        self.assertIn("vertex 9 is 1 outside of the stored box, in the mesh of node 3, in the space of the joint", message["message"])

    def test_edits_remove_them(self):
        out, edited = self.path("out.glb"), self.path("edited.glb")
        self.succeeds("bounds", tutorial_skin().save(self.path("strip.glb")), "-o", out)
        self.succeeds("convert", out, self.path("same.gltf"))
        self.assertIn("SINEW_bounds", document_of(self.path("same.gltf"))["extensions"])
        ran = self.succeeds("rebind", out, "-o", edited, "--to", "clip:Bend@0.5", "--keep-vertices")
        self.assertIn("SINEW_bounds", ran.err)
        self.assertNotIn("SINEW_bounds", json.dumps(document_of(edited)))

    def test_they_are_replaced(self):
        first, second = self.path("first.gltf"), self.path("second.gltf")
        self.succeeds("bounds", tutorial_skin().save(self.path("strip.gltf")), "-o", first)
        self.succeeds("bounds", first, "-o", second)
        self.assertEqual(document_of(first)["extensions"], document_of(second)["extensions"])
        self.assertEqual(document_of(second)["extensionsUsed"].count("SINEW_bounds"), 1)

    def test_standard_input(self):
        source, out = tutorial_skin().save(self.path("strip.glb")), self.path("piped.glb")
        self.succeeds("bounds", source, "-o", self.path("out.glb"), "--animation", "0")
        with open(source, "rb") as file:
            self.succeeds("bounds", "-", "-o", out, "--animation", "0", stdin=file.read())
        self.assertEqual(document_of(out)["extensions"], document_of(self.path("out.glb"))["extensions"])

    def test_what_is_refused(self):
        source = tutorial_skin().save(self.path("strip.gltf"))
        self.fails(USAGE, "bounds", source, "--gltf", "2.1", says="--output")
        self.fails(USAGE, "bounds", source, "-o", self.path("out.gltf"), "--gltf", "2.0", says="2.1")
        self.fails(UNSUPPORTED, "bounds", RandomRig(1).save(self.path(""), "rig"), "-o", self.path("out.g4b"), says="glTF")


if __name__ == "__main__":
    main()
