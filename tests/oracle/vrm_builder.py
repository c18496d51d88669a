# SPDX-License-Identifier: MIT
"""Makes small VRM 1.0 files for tests: a figure with all required bones, expressions that bind its blend shapes, and constraints."""
import random

import numpy as np

from gltf_builder import Builder

# name, parent, place in the parent: a T-pose that faces +Z with its feet on the ground
BONES = [
    ("hips", None, (0, 1, 0)), ("spine", "hips", (0, 0.1, 0)), ("chest", "spine", (0, 0.15, 0)), ("neck", "chest", (0, 0.2, 0)),
    ("head", "neck", (0, 0.1, 0)),
    *[bone for side, x in (("left", 1), ("right", -1)) for bone in (
        (side + "UpperLeg", "hips", (0.1 * x, -0.05, 0)), (side + "LowerLeg", side + "UpperLeg", (0, -0.45, 0)),
        (side + "Foot", side + "LowerLeg", (0, -0.42, 0)), (side + "UpperArm", "chest", (0.2 * x, 0.15, 0)),
        (side + "LowerArm", side + "UpperArm", (0.25 * x, 0, 0)), (side + "Hand", side + "LowerArm", (0.25 * x, 0, 0)))],
]
CORNERS = np.array([(x, y, z) for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)])
FACES = np.array([0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3], "<u2")
PRESETS = ["happy", "angry", "blink", "blinkLeft", "lookUp", "aa", "ih", "neutral"]


def worlds(nodes):
    """The place of each node of a file whose nodes only have translations; parents come first."""
    place = {}
    parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}
    for n, node in enumerate(nodes):
        place[n] = np.array(node.get("translation", (0, 0, 0)), float) + place.get(parents.get(n), np.zeros(3))
    return place


def figure(shapes=4, seed=1):
    """A skinned figure: a box at each bone. Returns the builder; node i is BONES[i], the last node has the mesh."""
    rng = np.random.default_rng(seed)
    b = Builder()
    names = [name for name, _, _ in BONES]
    for name, parent, at in BONES:
        b.add("nodes", {"name": "bone " + name, "translation": list(at)})
        if parent:
            b.json["nodes"][names.index(parent)].setdefault("children", []).append(len(b.json["nodes"]) - 1)
    place = worlds(b.json["nodes"])
    positions = np.concatenate([CORNERS + place[i] for i in range(len(BONES))])
    joints = np.repeat(np.arange(len(BONES), dtype="<u1"), len(CORNERS))
    count = len(positions)
    primitive = {
        "attributes": {
            "POSITION": b.accessor(positions.astype("<f4"), bounds=True, target=34962),
            "JOINTS_0": b.accessor(np.stack([joints, *[np.zeros(count, "<u1")] * 3], 1), target=34962),
            "WEIGHTS_0": b.accessor(np.tile(np.array([1, 0, 0, 0], "<f4"), (count, 1)), target=34962),
        },
        "indices": b.accessor(np.concatenate([FACES + 8 * i for i in range(len(BONES))]).astype("<u2"), target=34963),
        "targets": [{"POSITION": b.accessor(rng.normal(0, 0.02, (count, 3)).astype("<f4"), bounds=True, target=34962)} for _ in range(shapes)],
    }
    b.add("meshes", {"name": "body", "primitives": [primitive], "extras": {"targetNames": [f"shape {i}" for i in range(shapes)]}})
    inverse = np.tile(np.eye(4), (len(BONES), 1, 1))
    for i in range(len(BONES)):
        inverse[i, 3, :3] = -place[i]  # column-major
    b.add("skins", {"joints": list(range(len(BONES))), "inverseBindMatrices": b.accessor(inverse.reshape(-1, 16).astype("<f4"))})
    b.add("nodes", {"name": "body", "mesh": 0, "skin": 0})
    b.json["scenes"], b.json["scene"] = [{"nodes": [0, len(BONES)]}], 0
    return b


def vrm1(b, expressions=None):
    """Adds VRMC_vrm with the humanoid and `expressions`: {"preset": …, "custom": …}."""
    vrm = {
        "specVersion": "1.0",
        "meta": {"name": "figure", "authors": ["the tests"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": {name: {"node": i} for i, (name, _, _) in enumerate(BONES)}},
    }
    if expressions:
        vrm["expressions"] = expressions
    b.json.setdefault("extensions", {})["VRMC_vrm"] = vrm
    b.json.setdefault("extensionsUsed", []).append("VRMC_vrm")
    return b


def random_expressions(rng: random.Random, shapes=4):
    mesh = len(BONES)

    def one():
        binds = [{"node": mesh, "index": index, "weight": round(rng.uniform(0.1, 1), 3)} for index in rng.sample(range(shapes), rng.randint(1, 3))]
        out = {"morphTargetBinds": binds, "isBinary": rng.random() < 0.3}
        for key in ("overrideBlink", "overrideLookAt", "overrideMouth"):
            out[key] = rng.choice(["none", "block", "blend"])
        return out

    return {"preset": {name: one() for name in rng.sample(PRESETS, 5)}, "custom": {"wink hard": one()}}


def constrain(b, node, source, kind, axis, weight):
    value = {"source": source, "weight": weight}
    if kind == "roll":
        value["rollAxis"] = axis[-1]
    if kind == "aim":
        value["aimAxis"] = axis
    b.json["nodes"][node].setdefault("extensions", {})["VRMC_node_constraint"] = {"specVersion": "1.0", "constraint": {kind: value}}
    if "VRMC_node_constraint" not in b.json.setdefault("extensionsUsed", []):
        b.json["extensionsUsed"].append("VRMC_node_constraint")
