# SPDX-License-Identifier: MIT
"""Parts of small glTF rigs: a strip of eight vertices that follows three joints, and the pieces that rules change."""
import math

import numpy as np

from gltf_builder import Builder

VERTEX, INDEX = 34962, 34963
POINTS = np.array([[x + 0.05 * i, 0.6 * i, 0.1 * i * (x + 0.5)] for i in range(4) for x in (-0.3, 0.3)], "<f4")
TRIANGLES = np.array([[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [4, 5, 7], [4, 7, 6]], "<u2").ravel()
WEIGHTS = np.repeat([[1, 0, 0], [0.75, 0.25, 0], [0.25, 0.5, 0.25], [0, 0.25, 0.75]], 2, axis=0)


def quat(axis, degrees):
    """x, y, z, w of a turn about an axis, rounded so that every machine writes the same digits."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    half = math.radians(degrees) / 2
    return [round(float(x), 8) + 0.0 for x in (*axis * math.sin(half), math.cos(half))]


X, Y, Z, TILTED = (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 2, 3)
JOINTS = [{"name": "Hips", "translation": [0.1, 0, 0], "rotation": quat(Z, 10)},
          {"name": "Knee", "translation": [0, 0.6, 0], "rotation": quat(TILTED, 50)},
          {"name": "Tip", "translation": [0, 0.6, 0], "rotation": quat(X, -40)}]


def moved(*translation):
    matrix = np.eye(4)
    matrix[:3, 3] = translation
    return matrix


BIND = [moved(-0.1, -0.6 * i, 0) for i in range(3)]  # mesh space to joint space, of the straight chain


def columns(matrix):
    """A matrix as glTF stores it."""
    return [float(x) for x in np.asarray(matrix, float).T.ravel()]


def slots(dense, sets, order=1):
    """Per vertex the joints of non-zero weight, in `order` of index, in 4·sets slots: (joints, weights)."""
    joints, weights = np.zeros((len(dense), 4 * sets), int), np.zeros((len(dense), 4 * sets))
    for vertex, row in enumerate(dense):
        used = np.flatnonzero(row)[::order]
        joints[vertex, : len(used)], weights[vertex, : len(used)] = used, row[used]
    return joints, weights


def quantised(weights, kind):
    """Weights as unsigned integers whose sum is exact: the largest takes the rest."""
    top = np.iinfo(kind).max
    stored = np.round(weights * top).astype(int)
    stored[np.arange(len(stored)), stored.argmax(1)] += top - stored.sum(1)
    return stored.astype(kind)


class Rig(Builder):
    def attribute(self, array, kind="<f4", normalized=False, bounds=False):
        return self.accessor(np.asarray(array).astype(kind), normalized, bounds, VERTEX)

    def positions(self, points=POINTS):
        return self.attribute(points, bounds=True)

    def targets(self, *deltas):
        return [{"POSITION": self.positions(delta)} for delta in deltas]

    def influences(self, joints, weights, weight="<f4", joint="u1"):
        """Attributes of all sets, by slots."""
        out = {}
        for n in range(weights.shape[1] // 4):
            part = slice(4 * n, 4 * n + 4)
            values = quantised(weights, weight)[:, part] if weight != "<f4" else weights[:, part]
            out[f"JOINTS_{n}"] = self.attribute(joints[:, part], joint)
            out[f"WEIGHTS_{n}"] = self.attribute(values, weight, weight != "<f4")
        return out

    def mesh(self, *primitives, **properties):
        """`primitives`: attributes, or whole primitives."""
        whole = [dict(p) if "attributes" in p else {"attributes": p} for p in primitives]
        for primitive in whole:
            if "indices" not in primitive and "mode" not in primitive:
                primitive["indices"] = self.accessor(TRIANGLES, target=INDEX)
            if primitive.get("indices", 0) is None:
                del primitive["indices"]
        return self.add("meshes", {"primitives": whole, **properties})

    def node(self, parent=None, **properties):
        index = self.add("nodes", properties)
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def chain(self, parent=None, joints=JOINTS):
        nodes = []
        for joint in joints:
            nodes.append(self.node(nodes[-1] if nodes else parent, **joint))
        return nodes

    def skin(self, joints, bind=BIND, **properties):
        matrices = {} if bind is None else {"inverseBindMatrices": self.accessor(np.array([columns(m) for m in bind], "<f4"))}
        return self.add("skins", {"joints": list(joints), **matrices, **properties})

    def scene(self, *roots):
        self.json["scene"] = self.json.get("scene", 0)
        self.add("scenes", {"nodes": list(roots)})
        return self

    def above(self, **properties):
        """Puts a node above all roots of the scene but the mesh's."""
        roots = self.json["scenes"][0]["nodes"]
        parent = self.node(**properties, children=[root for root in roots if "mesh" not in self.json["nodes"][root]])
        self.json["scenes"][0]["nodes"] = [root for root in roots if "mesh" in self.json["nodes"][root]] + [parent]
        return self

    def clip(self, *channels, **properties):
        """Each channel: (node, path, times, values, interpolation, kind of the stored values)."""
        samplers, targets = [], []
        for node, path, times, values, *rest in channels:
            interpolation, kind = (*rest, *("LINEAR", "<f4")[len(rest):])
            values = np.asarray(values).astype(kind)
            keys = self.accessor(np.asarray(times, "<f4"), bounds=True)
            output = self.accessor(values.ravel() if path == "weights" else values.reshape(-1, values.shape[-1]), kind != "<f4")
            samplers.append({"input": keys, "output": output, **({} if interpolation == "LINEAR" else {"interpolation": interpolation})})
            targets.append({"sampler": len(samplers) - 1, "target": {**({} if node is None else {"node": node}), "path": path}})
        self.add("animations", {"samplers": samplers, "channels": targets, **properties})
        return self


def skinned(joints=JOINTS, bind=BIND, body=None, attributes=None, skin=None, dense=WEIGHTS, sets=1, order=1, **kinds):
    """The strip on its chain, bent. Node 0 has the mesh, nodes 1 to 3 are the joints."""
    rig = Rig()
    own = rig.influences(*slots(np.asarray(dense, float), sets, order), **kinds) if attributes is None else attributes(rig)
    rig.mesh({"POSITION": rig.positions(), **own})
    rig.node(name="Body", mesh=0, skin=0, **(body or {}))
    chain = rig.chain(None, joints)
    rig.skin(chain, bind, **(skin or {}))
    return rig.scene(0, chain[0])


def still(**node):
    """The strip without a skin. Node 0 has the mesh."""
    rig = Rig()
    rig.mesh({"POSITION": rig.positions()})
    rig.node(name="Body", mesh=0, **node)
    return rig.scene(0)
