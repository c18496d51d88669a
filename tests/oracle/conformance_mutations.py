# SPDX-License-Identifier: MIT
"""Typical mistakes of engines, put into the evaluations of this folder one at a time: which cases of the conformance suite notice.

    python3 tests/oracle/conformance_mutations.py      prints the table of docs/conformance.md
"""
import collections
import os
import sys
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.join(HERE, "..", "..", "conformance")
sys.path[:0] = [HERE, SUITE, os.path.join(SUITE, "rules")]
import expected
import g4mf_oracle
import gltf_oracle
import make_suite
import moving_oracle

GLTF, G4MF, MOVING = gltf_oracle.Evaluator, g4mf_oracle.Evaluator, moving_oracle.MovingOracle
MUTATIONS = {}


def mistake(text, owner, name):
    """Registers a function (original) -> replacement of the attribute `name` of `owner`."""
    def register(make):
        MUTATIONS[text] = (owner, name, make)
        return make

    return register


# Skins.


@mistake("weights are normalised", GLTF, "_blended_maps")
def _(original):
    def maps(self, primitive, count, joints):
        out = original(self, primitive, count, joints)
        return out / np.where(out[:, 3, 3] == 0, 1, out[:, 3, 3])[:, None, None]
    return maps


@mistake("only four influences count", GLTF, "_blended_maps")
def _(original):
    def maps(self, primitive, count, joints):
        first = {name: value for name, value in primitive["attributes"].items() if name not in ("JOINTS_1", "JOINTS_2", "JOINTS_3")}
        return original(self, {**primitive, "attributes": first}, count, joints)
    return maps


@mistake("integer weights are not normalised", GLTF, "_blended_maps")
def _(original):
    def maps(self, primitive, count, joints):
        with mock.patch.object(gltf_oracle.Document, "values", lambda document, index: document.raw(index).astype(float)):
            return original(self, primitive, count, joints)
    return maps


def joint_matrices(change):
    """Replaces the matrices of a skin by change(evaluator, skin, world, rest, original matrices)."""
    return lambda original: lambda self, skin, world, rest: change(self, skin, world, rest, original(self, skin, world, rest))


def binds(self, skin):
    if "inverseBindMatrices" not in skin:
        return [np.eye(4)] * len(skin["joints"])
    return self.document.values(skin["inverseBindMatrices"])[: len(skin["joints"])].reshape(-1, 4, 4).transpose(0, 2, 1)


mistake("inverse bind matrices are transposed", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: np.array([world[j] @ bind.T for j, bind in zip(skin["joints"], binds(self, skin))])))
mistake("the product of joint and inverse bind matrix is turned round", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: np.array([bind @ world[j] for j, bind in zip(skin["joints"], binds(self, skin))])))
mistake("inverse bind matrices are ignored", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: np.array([world[j] for j in skin["joints"]])))
mistake("without inverse bind matrices the nodes bind", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: out if "inverseBindMatrices" in skin else np.array([world[j] @ np.linalg.inv(rest[j]) for j in skin["joints"]])))
mistake("without inverse bind matrices the identity binds, STAIK_skeletons or not", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: np.array([world[j] @ bind for j, bind in zip(skin["joints"], binds(self, skin))])))
mistake("joints are sorted by node", GLTF, "joint_matrices")(joint_matrices(lambda self, skin, world, rest, out: out[np.argsort(skin["joints"], kind="stable")]))
mistake("skin.skeleton moves the skin", GLTF, "joint_matrices")(joint_matrices(
    lambda self, skin, world, rest, out: world[skin["skeleton"]] @ out if "skeleton" in skin else out))


def primitive(change):
    """Replaces the rows of a primitive by change(rows, evaluator, node, world of the node, primitive, arguments)."""
    return lambda original: lambda self, node, node_world, part, *rest: change(original, self, node, node_world, part, *rest)


@mistake("the skinned node's own transform is applied", GLTF, "_primitive")
@primitive
def _(original, self, node, node_world, part, *rest):
    rows = original(self, node, node_world, part, *rest)
    skinned = "skin" in node and "JOINTS_0" in part["attributes"] and rest[-1] == "position"
    return rows @ node_world[:3, :3].T + node_world[:3, 3] if skinned else rows


@mistake("all nodes use the first skin", GLTF, "_primitive")
@primitive
def _(original, self, node, *rest):
    return original(self, {**node, "skin": 0} if "skin" in node else node, *rest)


@mistake("a mesh with joints is skinned, whether its node has a skin or not", GLTF, "_primitive")
@primitive
def _(original, self, node, node_world, part, *rest):
    return original(self, {"skin": 0, **node} if "JOINTS_0" in part["attributes"] else node, node_world, part, *rest)


@mistake("morph targets act after the skin", GLTF, "_primitive")
@primitive
def _(original, self, node, node_world, part, world, rest, attribute):
    still = original(self, {**node, "weights": 0 * node["weights"]}, node_world, part, world, rest, attribute)
    if attribute != "position":
        return still
    plain = self._morphed(part, "POSITION", 3, 0 * node["weights"])
    return still + self._morphed(part, "POSITION", 3, node["weights"]) - plain


@mistake("normals are moved by the linear part", GLTF, "_primitive")
@primitive
def _(original, *rest):
    with mock.patch.object(gltf_oracle, "cofactors", lambda linear: linear):
        return original(*rest)


@mistake("only positions are morphed", GLTF, "_morphed")
def _(original):
    return lambda self, part, semantic, width, amounts: original(self, part, semantic, width, amounts if semantic == "POSITION" else 0 * amounts)


# Nodes.


@mistake("scale is applied after rotation", gltf_oracle, "local_matrix")
def _(original):
    def local(node):
        out = original(node)
        if "scale" in node and "matrix" not in node:
            out[:3, :3] = np.asarray(node["scale"])[:, None] * gltf_oracle.rotation_matrix(node.get("rotation", (0, 0, 0, 1)))
        return out
    return local


@mistake("matrices are read by rows", gltf_oracle, "local_matrix")
def _(original):
    return lambda node: np.array(node["matrix"], float).reshape(4, 4) if "matrix" in node else original(node)


@mistake("matrices are decomposed, which loses shear", gltf_oracle, "local_matrix")
def _(original):
    def local(node):
        out = original(node)
        if "matrix" in node:
            scale = np.linalg.norm(out[:3, :3], axis=0)
            u, _, v = np.linalg.svd(out[:3, :3] / np.where(scale == 0, 1, scale))
            out[:3, :3] = u @ v * scale
        return out
    return local


@mistake("global scales multiply apart from rotations, which loses shear", GLTF, "globals")
def _(original):
    def world(self, nodes):
        out = original(self, nodes)
        for matrix in out:
            scale = np.linalg.norm(matrix[:3, :3], axis=0)
            u, _, v = np.linalg.svd(matrix[:3, :3] / np.where(scale == 0, 1, scale))
            matrix[:3, :3] = u @ v * scale
        return out
    return world


@mistake("parents are assumed to come before their children", GLTF, "globals")
def _(original):
    def world(self, nodes):
        out = [gltf_oracle.local_matrix(node) for node in nodes]
        for index, node in enumerate(nodes):
            for child in node.get("children", []):
                out[child] = out[index] @ gltf_oracle.local_matrix(nodes[child])
        return out
    return world


mistake("all nodes are shown, in the scene or not", GLTF, "scene_nodes")(lambda original: lambda self, scene=None: list(range(len(self.json["nodes"]))))
mistake("the first scene is shown", GLTF, "scene_nodes")(lambda original: lambda self, scene=None: original(self, 0))


@mistake("weights of the node are ignored", GLTF, "pose")
def _(original):
    def pose(self, animation=None, time=0.0):
        with mock.patch.dict(self.json, nodes=[{k: v for k, v in node.items() if k != "weights"} for node in self.json["nodes"]]):
            return original(self, animation, time)
    return pose


# Numbers.

mistake("normalised integers may be less than -1", gltf_oracle.Document, "values")(lambda original: lambda self, index: (
    self.raw(index) / np.iinfo(self.raw(index).dtype).max if self.json["accessors"][index].get("normalized") else original(self, index)))
mistake("sparse values are ignored", gltf_oracle.Document, "raw")(lambda original: lambda self, index: without(self, index, original, "sparse"))
mistake("sparse values replace zeros, not the base", gltf_oracle.Document, "raw")(lambda original: lambda self, index: (
    without(self, index, original, "bufferView") if "sparse" in self.json["accessors"][index] else original(self, index)))
mistake("the offset of an accessor is ignored", gltf_oracle.Document, "raw")(lambda original: lambda self, index: without(self, index, original, "byteOffset"))


def without(document, index, original, name):
    accessor = document.json["accessors"][index]
    document.json["accessors"][index] = {key: value for key, value in accessor.items() if key != name}
    try:
        return original(document, index)
    finally:
        document.json["accessors"][index] = accessor


@mistake("strides are ignored", gltf_oracle.Document, "_elements")
def _(original):
    return lambda self, view, offset, component, shape, count, packed: original(self, view, offset, component, shape, count, True)


# Clips.


@mistake("rotations are interpolated linearly and normalised", gltf_oracle, "slerp")
def _(original):
    def nlerp(a, b, t):
        out = (1 - t) * a + t * b * (-1 if np.dot(a, b) < 0 else 1)
        return out / np.linalg.norm(out)
    return nlerp


mistake("rotations take the long way", gltf_oracle, "slerp")(lambda original: lambda a, b, t: original(a, b, t) if np.dot(a, b) >= 0 else long_way(a, b, t))


def long_way(a, b, t):
    angle = np.arccos(max(float(np.dot(a, b)), -1.0))
    return (np.sin(angle * (1 - t)) * a + np.sin(angle * t) * b) / (np.sin(angle) if np.sin(angle) > 1e-9 else np.nan)


def sampled(change):
    """Replaces the value of a sampler by change(original, document, sampler, width, time, rotation)."""
    return lambda original: lambda *arguments: change(original, *arguments)


def keys(document, sampler):
    return document.values(sampler["input"])[:, 0]


mistake("clips repeat", gltf_oracle, "sample_sampler")(sampled(lambda original, document, sampler, width, time, rotation: original(
    document, sampler, width, time if time <= keys(document, sampler)[-1] else time % max(keys(document, sampler)[-1], 1e-9), rotation)))
mistake("times count from the first key", gltf_oracle, "sample_sampler")(sampled(lambda original, document, sampler, width, time, rotation: original(
    document, sampler, width, time + keys(document, sampler)[0], rotation)))
mistake("a step holds the value of the next key", gltf_oracle, "sample_sampler")(sampled(lambda original, document, sampler, width, time, rotation: original(
    document, sampler, width, min([k for k in keys(document, sampler) if k >= time] or [time]), rotation) if sampler.get("interpolation") == "STEP" else
    original(document, sampler, width, time, rotation)))
mistake("splines are read as linear", gltf_oracle, "sample_sampler")(sampled(lambda original, document, sampler, width, time, rotation: linear_of(
    document, sampler, width, time) if sampler.get("interpolation") == "CUBICSPLINE" else original(document, sampler, width, time, rotation)))


def linear_of(document, sampler, width, time):
    times, values = keys(document, sampler), document.values(sampler["output"])
    values = values.reshape(len(times), 3, width)[:, 1]
    out = np.array([np.interp(time, times, values[:, i]) for i in range(width)])
    return out / np.linalg.norm(out) if width == 4 else out


@mistake("tangents are not multiplied by the time between keys", gltf_oracle, "sample_sampler")
@sampled
def _(original, document, sampler, width, time, rotation):
    if sampler.get("interpolation") != "CUBICSPLINE":
        return original(document, sampler, width, time, rotation)
    times, values = keys(document, sampler), document.values

    def scaled(self, index):
        out = values(index)
        k = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 2))
        if index == sampler["output"]:
            out = out.reshape(len(times), 3, -1) / np.array([times[k + 1] - times[k], 1, times[k + 1] - times[k]])[None, :, None]
        return out

    with mock.patch.object(gltf_oracle.Document, "values", scaled):
        return original(document, sampler, width, time, rotation)


mistake("rotations of splines are not normalised", gltf_oracle, "sample_sampler")(sampled(
    lambda original, document, sampler, width, time, rotation: original(document, sampler, width, time, False if sampler.get("interpolation") == "CUBICSPLINE" else rotation)))

# Pointers and copies.

mistake("channels with pointers are ignored", MOVING, "channel_meaning")(lambda original: lambda self, channel: (
    None if channel["target"]["path"] == "pointer" else original(self, channel)))


@mistake("plain integers of a pointer are read as normalised", MOVING, "sample")
def _(original):
    def sample(self, sampler, *rest):
        accessor = self.json["accessors"][sampler["output"]]
        with mock.patch.dict(accessor, normalized=accessor["componentType"] != 5126):
            return original(self, sampler, *rest)
    return sample


def settings(change):
    """Replaces what a clip sets by change(evaluator, original settings)."""
    return lambda original: lambda self, *clip: change(self, original(self, *clip))


mistake("a pointer to the translation replaces a matrix", MOVING, "settings")(settings(lambda self, out: {
    **out, **{("nodes", index, "matrix", None): "replaced" for array, index, name, _ in out if (array, name) == ("nodes", "translation")}}))
mistake("a pointer to one weight sets the others to 0", MOVING, "settings")(settings(lambda self, out: {
    **{("nodes", index, "weights", i): 0.0 for array, index, name, _ in out if (array, name) == ("nodes", "weights") for i in range(2)}, **out}))
mistake("pointers to weights of meshes are ignored", MOVING, "settings")(settings(lambda self, out: {key: value for key, value in out.items() if key[0] == "nodes"}))
mistake("weights of a mesh win over those of its nodes", MOVING, "weights")(lambda original: lambda self, index, out: [
    out.get(("meshes", self.nodes[index]["mesh"], "weights", i), amount) for i, amount in enumerate(original(self, index, out))])
mistake("copies are ignored", MOVING, "copies")(lambda original: lambda self, index: [np.eye(4)])
mistake("copies have a translation only", MOVING, "copies")(lambda original: lambda self, index: [moved(copy) for copy in original(self, index)])
mistake("attributes without a meaning give no copies", MOVING, "copies")(lambda original: lambda self, index: original(self, index) if {
    "TRANSLATION", "ROTATION", "SCALE"} & set(self.nodes[index].get("extensions", {}).get(moving_oracle.INSTANCING, {}).get("attributes", ["SCALE"])) else [])


def moved(copy):
    matrix = np.eye(4)
    matrix[:3, 3] = copy[:3, 3]
    return matrix


@mistake("copies are not moved by their node", MOVING, "_vertices")
def _(original):
    def vertices(self, index, primitive, placed, amounts, out):
        alone = moving_oracle.INSTANCING in self.nodes[index].get("extensions", {})
        return original(self, index, primitive, np.linalg.inv(self.world(index, out)) @ placed if alone else placed, amounts, out)
    return vertices


@mistake("copies are skinned, then moved by their own transform", MOVING, "_vertices")
def _(original):
    def vertices(self, index, primitive, placed, amounts, out):
        copy = np.linalg.inv(self.world(index, out)) @ placed if "skin" in self.nodes[index] else np.eye(4)
        for position, normal in original(self, index, primitive, placed, amounts, out):
            yield copy[:3, :3] @ position + copy[:3, 3], normal
    return vertices


@mistake("copies come primitive by primitive", MOVING, "blocks")
def _(original):
    def blocks(self, *clip):
        out = original(self, *clip)
        sizes = [self.json["accessors"][part["attributes"]["POSITION"]]["count"] for part in self.meshes[self.nodes[out[0]["node"]]["mesh"]]["primitives"]]
        if len(sizes) > 1:
            parts = zip(*(np.split(block["positions"], np.cumsum(sizes)[:-1]) for block in out))
            out[0]["positions"] = np.concatenate([rows for part in parts for rows in part])
            for block in out[1:]:
                block["positions"] = block["positions"][:0]
        return out
    return blocks


mistake("hidden nodes have no rows", MOVING, "blocks")(lambda original: lambda self, *clip: [
    {**block, "positions": block["positions"][: len(block["positions"]) * block["visible"]]} for block in original(self, *clip)])

# G4MF.


@mistake("G4MF: weights are used as stored", G4MF, "maps")
def _(original):
    def maps(self, node, count, stored, current):
        out = original(self, node, count, stored, current)
        skin = self.document.json["meshes"][self.mesh_of(node)[0]].get("skin")
        if skin and self.joint_maps(node, stored, current):
            sums = np.bincount(self.document.column(skin["vertices"]), self.document.accessor(skin["weights"])[:, 0].astype(float), count)
            out[sums > 0] *= sums[sums > 0, None, None]
        return out
    return maps


def joints(change):
    """Replaces the maps of the joints by change(evaluator, node, joints, original maps)."""
    def make(original):
        def maps(self, node, stored, current):
            out = original(self, node, stored, current)
            return change(self, self.nodes[self.parent[node]]["skeleton"]["joints"], out, stored[node]) if out else out
        return maps
    return make


mistake("G4MF: the joint -1 follows the last bone", G4MF, "joint_maps")(joints(
    lambda self, slots, out, body: [out[-1] if slot == -1 and slots[-1] != -1 else out[1] if slot == -1 else item for slot, item in zip(slots, out)]))
mistake("G4MF: groups beyond the joints stay", G4MF, "joint_maps")(joints(lambda self, slots, out, body: out + [np.eye(self.dimension + 1)] * 4))
mistake("G4MF: the transform of the mesh's node is no part of the bind pose", G4MF, "joint_maps")(joints(
    lambda self, slots, out, body: [body @ item @ np.linalg.inv(body) for item in out]))
mistake("G4MF: rotors turn the other way", g4mf_oracle, "rotor_matrix")(lambda original: lambda dimension, numbers: original(dimension, numbers).T)
mistake("G4MF: rotors have no 4-vectors", g4mf_oracle, "rotor_matrix")(lambda original: lambda dimension, numbers: original(
    dimension, numbers[: 1 + dimension * (dimension - 1) // 2]))
mistake("G4MF: planes are listed by their first axis", g4mf_oracle, "even_blades")(lambda original: lambda dimension: sorted(
    original(dimension), key=lambda mask: (bin(mask).count("1"), [i for i in range(dimension) if mask >> i & 1])))


@mistake("G4MF: a basis is read by rows", G4MF, "local")
def _(original):
    return lambda self, node: original(self, {**node, "basis": list(np.reshape(node["basis"], (self.dimension,) * 2).T.ravel())} if "basis" in node else node)


mistake("G4MF: amounts of an instance are ignored", G4MF, "mesh_of")(lambda original: lambda self, node: (original(self, node)[0], None))
mistake("G4MF: a skinned mesh is deformed although it is no child of the skeleton", G4MF, "joint_maps")(lambda original: lambda self, node, stored, current: (
    original(self, node, stored, current) or elsewhere(self, node, stored, current)))


def elsewhere(self, node, stored, current):
    if "skin" not in self.document.json["meshes"][self.mesh_of(node)[0]]:
        return []
    skeleton = next(i for i, item in enumerate(self.nodes) if "skeleton" in item)
    return [self.below(current, joint, skeleton) @ np.linalg.inv(self.below(stored, joint, skeleton)) for joint in self.nodes[skeleton]["skeleton"]["joints"]]


# Which cases notice.


def noticed(case, wanted):
    """Whether the evaluation, as it is now, misses the vertices that the case expects."""
    model = os.path.join(SUITE, "cases", *case.name.split("/"), case.file)
    evaluate = expected.g4mf if model.endswith((".g4tf", ".g4b")) else expected.gltf
    for (clip, time, *pose), want in zip(case.poses, wanted):
        try:
            with np.errstate(all="ignore"):
                got = evaluate(model, clip, time, case.attribute, pose[0] if pose else None)[0]
        except Exception:  # a mistake may make a file unreadable: it is noticed
            return True
        size = np.linalg.norm(np.ptp(want, 0)) or 1
        if got.shape != want.shape or not np.abs(got - want).max() <= case.tolerance * size:
            return True
    return False


def expected_vertices(name):
    return np.load(os.path.join(SUITE, "cases", *name.split("/"), "vertices.npy"))


def made(text):
    """A context in which the evaluation makes a mistake."""
    owner, name, make = MUTATIONS[text]
    return mock.patch.object(owner, name, make(vars(owner)[name]))


def catches():
    """{mistake: names of the cases that notice}."""
    wanted = {case.name: expected_vertices(case.name) for case in make_suite.CASES}
    found = {}
    for text, (owner, _, _) in MUTATIONS.items():
        is_g4mf = owner in (G4MF, g4mf_oracle)
        with made(text):
            found[text] = [case.name for case in make_suite.CASES if case.name.startswith("g4mf/") == is_g4mf and noticed(case, wanted[case.name])]
    return found


def table(found):
    """The lines of docs/conformance.md; each mistake with the case that notices the fewest others."""
    others = collections.Counter(name for names in found.values() for name in names)
    return [f"| {text} | `{min(names, key=lambda name: others[name])}` |" for text, names in found.items()]


if __name__ == "__main__":
    print("\n".join(table(catches())))
