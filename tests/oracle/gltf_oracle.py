# SPDX-License-Identifier: MIT
"""World-space vertices of glTF 2.0 models, straight from the specification's rules, in double precision.

An outside truth for the program: it shares no code with it, prefers the plainest way to say a rule over speed, and reads only what
geometry needs. Section names in the comments are those of the glTF 2.0 specification.

    python3 gltf_oracle.py MODEL [--scene N] [--animation I --time T]     prints one summary line per instance
"""
import base64
import json
import os
import struct
import urllib.parse

import numpy as np

COMPONENT = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
COLUMNS_ROWS = {"SCALAR": (1, 1), "VEC2": (1, 2), "VEC3": (1, 3), "VEC4": (1, 4), "MAT2": (2, 2), "MAT3": (3, 3), "MAT4": (4, 4)}


class Document:
    """The JSON and the bytes of all buffers of a `.gltf` or `.glb` file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        chunk = None
        if data[:4] == b"glTF":
            self.json, chunk = self._glb(data)
        else:
            self.json = json.loads(data.decode("utf-8"))
        self.buffers = []
        for index, buffer in enumerate(self.json.get("buffers", [])):
            if "uri" in buffer:
                content = self._fetch(buffer["uri"])
            else:
                content = chunk if index == 0 and chunk is not None else b""
            self.buffers.append(content[: buffer["byteLength"]])

    @staticmethod
    def _glb(data):
        position, text, chunk = 12, None, None
        length = struct.unpack_from("<I", data, 8)[0]
        while position + 8 <= length:
            size, kind = struct.unpack_from("<II", data, position)
            body = data[position + 8 : position + 8 + size]
            if kind == 0x4E4F534A and text is None:
                text = json.loads(body.decode("utf-8"))
            elif kind == 0x004E4942 and chunk is None:
                chunk = body
            position += 8 + size
        return text, chunk

    def _fetch(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(os.path.dirname(self.path), urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def _elements(self, view_index, offset, component, shape, count, packed):
        """`count` elements of `shape` (columns, rows) at `offset` of a view, as stored; no view: zeros."""
        columns, rows = COLUMNS_ROWS[shape]
        kind = np.dtype(COMPONENT[component])
        # "Data Alignment": each column of a matrix starts on a multiple of four bytes.
        column_stride = kind.itemsize * rows if columns == 1 else -(-kind.itemsize * rows // 4) * 4
        if view_index is None or count == 0:
            return np.zeros((count, columns * rows), kind)
        view = self.json["bufferViews"][view_index]
        stride = view.get("byteStride", 0) if not packed else 0
        stride = stride or column_stride * columns
        start = view.get("byteOffset", 0) + offset
        content = self.buffers[view["buffer"]]
        strided = np.ndarray((count, columns, rows), kind, content, start, (stride, column_stride, kind.itemsize))
        return strided.reshape(count, columns * rows).copy()

    def raw(self, index):
        """An accessor's values as stored, sparse substitution done, one row per element."""
        accessor = self.json["accessors"][index]
        values = self._elements(
            accessor.get("bufferView"), accessor.get("byteOffset", 0), accessor["componentType"], accessor["type"], accessor["count"], False
        )
        sparse = accessor.get("sparse")
        if sparse:
            at = sparse["indices"]
            rows = self._elements(at["bufferView"], at.get("byteOffset", 0), at["componentType"], "SCALAR", sparse["count"], True)
            new = sparse["values"]
            values[rows[:, 0].astype(np.int64)] = self._elements(
                new["bufferView"], new.get("byteOffset", 0), accessor["componentType"], accessor["type"], sparse["count"], True
            )
        return values

    def values(self, index):
        """An accessor's values as numbers in double precision ("Animations" gives the formulas for normalised integers)."""
        stored = self.raw(index)
        numbers = stored.astype(np.float64)
        if self.json["accessors"][index].get("normalized", False):
            numbers = np.maximum(numbers / np.iinfo(stored.dtype).max, -1.0)
        return numbers


class KeptDocument(Document):
    """A document that does not change: `values` decodes each accessor once, because each sample of a clip asks."""

    def __init__(self, path):
        super().__init__(path)
        self.known = {}

    def values(self, index):
        if index not in self.known:
            self.known[index] = super().values(index)
            self.known[index].setflags(write=False)
        return self.known[index]


def rotation_matrix(q):
    """The matrix of a quaternion x, y, z, w as it is: what is not a unit quaternion is not made one."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def local_matrix(node):
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    matrix = np.zeros((4, 4))
    matrix[3, 3] = 1
    matrix[:3, :3] = rotation_matrix(node.get("rotation", (0, 0, 0, 1))) * np.asarray(node.get("scale", (1, 1, 1)), np.float64)
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


def slerp(a, b, t):
    """"Appendix C: Spherical linear interpolation", the dot product clamped so that rounding cannot leave acos."""
    dot = float(np.dot(a, b))
    angle = np.arccos(min(abs(dot), 1.0))
    sign = -1.0 if dot < 0 else 1.0
    if np.sin(angle) < 1e-9:
        return (1 - t) * a + sign * t * b
    return (np.sin(angle * (1 - t)) * a + sign * np.sin(angle * t) * b) / np.sin(angle)


def sample_sampler(document, sampler, width, time, rotation):
    """A sampler's value at a time: `width` numbers ("Appendix C: Animation Sampler Interpolation Modes")."""
    keys = document.values(sampler["input"])[:, 0]
    mode = sampler.get("interpolation", "LINEAR")
    values = document.values(sampler["output"]).reshape(len(keys), -1, width)
    key_values = values[:, 1 if mode == "CUBICSPLINE" else 0]
    unit = (lambda q: q / np.linalg.norm(q)) if rotation and mode == "CUBICSPLINE" else (lambda q: q)
    k = int(np.searchsorted(keys, time, side="right")) - 1
    if k < 0:
        return unit(key_values[0])
    if k >= len(keys) - 1 or keys[k] == time or mode == "STEP":
        return unit(key_values[min(k, len(keys) - 1)])
    span = keys[k + 1] - keys[k]
    t = (time - keys[k]) / span
    if mode == "LINEAR":
        return slerp(key_values[k], key_values[k + 1], t) if rotation else (1 - t) * key_values[k] + t * key_values[k + 1]
    t2, t3 = t * t, t * t * t
    return unit(
        (2 * t3 - 3 * t2 + 1) * values[k, 1]
        + span * (t3 - 2 * t2 + t) * values[k, 2]
        + (3 * t2 - 2 * t3) * values[k + 1, 1]
        + span * (t3 - t2) * values[k + 1, 0]
    )


class Evaluator:
    """Deforms a document's instances at its own state or at a time of an animation."""

    def __init__(self, document):
        self.document = document
        self.json = document.json

    def scene_nodes(self, scene=None):
        """Nodes reached from the scene's roots: `scene`, else the file's, else the first, else all nodes without parent."""
        nodes = self.json.get("nodes", [])
        scenes = self.json.get("scenes", [])
        if scene is None:
            scene = self.json.get("scene", 0 if scenes else None)
        if scene is None:
            children = {child for node in nodes for child in node.get("children", [])}
            todo = [index for index in range(len(nodes)) if index not in children]
        else:
            todo = list(scenes[scene].get("nodes", []))
        reached = set()
        while todo:
            index = todo.pop()
            if index not in reached:
                reached.add(index)
                todo += nodes[index].get("children", [])
        return sorted(reached)

    def duration(self, animation):
        anim = self.json["animations"][animation]
        used = {channel["sampler"] for channel in anim["channels"] if "node" in channel["target"]}
        return max((float(self.document.values(anim["samplers"][s]["input"])[-1, 0]) for s in used), default=0.0)

    def pose(self, animation=None, time=0.0):
        """Per node its transform properties and its morph weights."""
        nodes = [dict(node) for node in self.json.get("nodes", [])]
        for node in nodes:
            if "mesh" in node:
                mesh = self.json["meshes"][node["mesh"]]
                count = len(mesh["primitives"][0].get("targets", []))
                given = list(node.get("weights", mesh.get("weights", [])))
                node["weights"] = np.array((given + [0.0] * count)[:count], np.float64)
        if animation is not None:
            anim = self.json["animations"][animation]
            for channel in anim["channels"]:
                target = channel["target"]
                if "node" not in target:
                    continue
                node, path = nodes[target["node"]], target["path"]
                width = {"translation": 3, "rotation": 4, "scale": 3, "weights": len(node.get("weights", ()))}[path]
                node[path] = sample_sampler(self.document, anim["samplers"][channel["sampler"]], width, time, path == "rotation")
        return nodes

    def globals(self, nodes):
        parent = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}
        known = {}

        def world(index):
            if index not in known:
                local = local_matrix(nodes[index])
                known[index] = world(parent[index]) @ local if index in parent else local
            return known[index]

        return [world(index) for index in range(len(nodes))]

    def joint_matrices(self, skin, world, rest_world):
        joints = skin["joints"]
        if "inverseBindMatrices" in skin:
            inverse_bind = self.document.values(skin["inverseBindMatrices"])[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        elif "skeleton_owner" in skin.get("extensions", {}).get("STAIK_skeletons", {}):
            # The extension binds such skins by the stored transforms, relative to the parent of the skeleton's root.
            owner = skin["extensions"]["STAIK_skeletons"]["skeleton_owner"]
            root = self.json["extensions"]["STAIK_skeletons"]["skeletons"][owner]["root"]
            above = [i for i, node in enumerate(self.json["nodes"]) if root in node.get("children", [])]
            frame = rest_world[above[0]] if above else np.eye(4)
            inverse_bind = [np.linalg.inv(rest_world[joint]) @ frame for joint in joints]
        else:
            inverse_bind = [np.eye(4)] * len(joints)
        return np.array([world[joint] @ bind for joint, bind in zip(joints, inverse_bind)])

    def _blended_maps(self, primitive, count, joint_matrices):
        """Per vertex Σ weight · joint matrix over all sets, weights as stored."""
        attributes, document = primitive["attributes"], self.document
        maps = np.zeros((count, 4, 4))
        n = 0
        while f"JOINTS_{n}" in attributes:
            joints = document.raw(attributes[f"JOINTS_{n}"])
            weights = document.values(attributes[f"WEIGHTS_{n}"])
            for column in range(4):
                maps += weights[:, column, None, None] * joint_matrices[joints[:, column].astype(int)]
            n += 1
        return maps

    def _morphed(self, primitive, semantic, width, amounts):
        values = self.document.values(primitive["attributes"][semantic]).copy()
        for amount, target in zip(amounts, primitive.get("targets", [])):
            if semantic in target:
                values[:, :width] += amount * self.document.values(target[semantic])[:, :width]
        return values

    def rows(self, scene=None, animation=None, time=0.0, attribute="position"):
        """All rows of all instances of the scene, in the order in which `sinew deform` writes them."""
        blocks = [rows for _, _, rows in self.instances(scene, animation, time, attribute)]
        width = {"position": 3, "normal": 3, "tangent": 4, "texcoord": 2}[attribute]
        return np.concatenate(blocks) if blocks else np.zeros((0, width))

    def instances(self, scene=None, animation=None, time=0.0, attribute="position"):
        """[(node, primitive, rows)] in ascending node order; None where a primitive lacks the attribute."""
        nodes = self.pose(animation, time)
        world, rest_world = self.globals(nodes), self.globals(self.json.get("nodes", []))
        out = []
        for index in self.scene_nodes(scene):
            node = nodes[index]
            if "mesh" not in node:
                continue
            mesh = self.json["meshes"][node["mesh"]]
            for number, primitive in enumerate(mesh["primitives"]):
                out.append((index, number, self._primitive(node, world[index], primitive, world, rest_world, attribute)))
        return out

    def _primitive(self, node, node_world, primitive, world, rest_world, attribute):
        attributes = primitive["attributes"]
        if "POSITION" not in attributes:
            return np.zeros((0, 3))
        count = self.json["accessors"][attributes["POSITION"]]["count"]
        if "skin" in node and "JOINTS_0" in attributes:
            # "Skins": the transform of the skinned mesh's own node is ignored.
            maps = self._blended_maps(primitive, count, self.joint_matrices(self.json["skins"][node["skin"]], world, rest_world))
        else:
            maps = np.broadcast_to(node_world, (count, 4, 4))
        linear = maps[:, :3, :3]
        if attribute == "position":
            points = self._morphed(primitive, "POSITION", 3, node["weights"])
            return np.einsum("vij,vj->vi", linear, points) + maps[:, :3, 3]
        semantic = {"normal": "NORMAL", "tangent": "TANGENT", "texcoord": "TEXCOORD_0"}[attribute]
        if semantic not in attributes:
            return None
        if attribute == "texcoord":
            return self.document.values(attributes[semantic])
        moved = self._morphed(primitive, semantic, 3, node["weights"])
        if attribute == "normal":
            moved = np.einsum("vij,vj->vi", cofactors(linear), moved)
            return moved / np.linalg.norm(moved, axis=1, keepdims=True)
        direction = np.einsum("vij,vj->vi", linear, moved[:, :3])
        return np.concatenate([direction / np.linalg.norm(direction, axis=1, keepdims=True), moved[:, 3:]], axis=1)


def cofactors(linear):
    """The cofactor matrices det(M)·M⁻ᵀ, by cross products of the columns so that singular matrices have one too."""
    a, b, c = linear[:, :, 0], linear[:, :, 1], linear[:, :, 2]
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=2)


def evaluate(path, scene=None, animation=None, time=0.0, attribute="position"):
    return Evaluator(KeptDocument(path)).rows(scene, animation, time, attribute)


def largest_error(got, want):
    """The largest distance of a coordinate as a part of the bounding box's diagonal."""
    if not len(want):
        return 0.0
    diagonal = float(np.linalg.norm(want.max(0) - want.min(0))) or 1.0
    difference = np.abs(np.asarray(got, np.float64) - want)
    return float(np.where(np.isnan(difference), np.inf, difference).max()) / diagonal


def main():
    import argparse

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--scene", type=int)
    parser.add_argument("--animation", type=int)
    parser.add_argument("--time", type=float, default=0.0)
    arguments = parser.parse_args()
    evaluator = Evaluator(Document(arguments.model))
    for node, primitive, rows in evaluator.instances(arguments.scene, arguments.animation, arguments.time):
        bounds = f"{rows.min(0)} … {rows.max(0)}" if len(rows) else "empty"
        print(f"node {node} primitive {primitive}: {len(rows)} vertices, {bounds}")


if __name__ == "__main__":
    main()
