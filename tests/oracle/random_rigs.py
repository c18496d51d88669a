# SPDX-License-Identifier: MIT
"""Random glTF models from a seed: every way to store what deformation reads, mixed.

    python3 random_rigs.py SEED OUT.glb|OUT.gltf     writes one model (`.gltf` with a data URI)

Only properties with one defined meaning are drawn. Valid but for what readers must take as it is stored: weights that do not sum to 1,
a joint named twice by a vertex, rotations that are not of unit length, joints without a common root or outside the scene, skins on
meshes without joints. Magnitudes stay near 1 so that single precision has room.
"""
import sys

import numpy as np

from gltf_builder import Builder

UNIT = {"i1": 127, "u1": 255, "i2": 32767, "u2": 65535}


def unit_rows(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def quantised(values, kind):
    return np.rint(values * UNIT[kind]).astype("<" + kind)


class RandomRig:
    """Draws one model; `builder` holds it, `features` names what was drawn (for reports and coverage)."""

    def __init__(self, seed, nodes=(5, 14)):
        """`nodes`: how many, besides those that draw meshes; the last one excluded."""
        self.rng = np.random.default_rng(seed)
        self.builder = Builder()
        self.json = self.builder.json
        self.features = set()
        self.extensions = set()
        self._nodes(*nodes)
        self._skins()
        self._meshes()
        self._carriers()
        self._scenes()
        self._animations()
        if self.extensions:
            self.json["extensionsUsed"] = sorted(self.extensions)
        if "KHR_mesh_quantization" in self.extensions:
            self.json["extensionsRequired"] = ["KHR_mesh_quantization"]
        self.form = ["glb", "embedded", "external"][int(self.rng.integers(3))]
        self.features.add(self.form)

    def save(self, folder, name):
        import os

        path = os.path.join(folder, name + (".glb" if self.form == "glb" else ".gltf"))
        return self.builder.save(path, embedded=self.form != "external")

    # -- small draws -------------------------------------------------------------------------------------------------------------
    def chance(self, p, feature=None):
        hit = bool(self.rng.random() < p)
        if hit and feature:
            self.features.add(feature)
        return hit

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def quaternion(self, unit=True):
        q = unit_rows(self.rng.normal(size=4))
        return q if unit else q * self.rng.uniform(0.97, 1.03)

    def scale(self):
        s = self.rng.uniform(0.6, 1.5, 3)
        if self.chance(0.3, "negative scale"):
            s[self.rng.integers(3)] *= -1
        return s

    # -- nodes -------------------------------------------------------------------------------------------------------------------
    def _nodes(self, least, most):
        """A forest whose indices are shuffled, so that children may come before parents."""
        count = int(self.rng.integers(least, most))
        order = self.rng.permutation(count)
        nodes = [{} for _ in range(count)]
        self.parent = {}
        for place in range(1, count):
            if self.chance(0.85):
                above = int(order[self.rng.integers(place)])
                self.parent[int(order[place])] = above
                nodes[above].setdefault("children", []).append(int(order[place]))
        self.fixed = set()  # nodes with a matrix: no animation may target their transform
        for index, node in enumerate(nodes):
            if self.chance(0.8):
                node["name"] = f"node {index}"
            if self.chance(0.2, "matrix"):
                self.fixed.add(index)
                matrix = np.eye(4)
                q, s = self.quaternion(), self.scale()
                x, y, z, w = q
                rotation = np.array(
                    [
                        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
                    ]
                )
                matrix[:3, :3] = rotation * s
                matrix[:3, 3] = self.rng.uniform(-1, 1, 3)
                node["matrix"] = matrix.T.reshape(-1).tolist()
                continue
            if self.chance(0.8):
                node["translation"] = self.rng.uniform(-1, 1, 3).tolist()
            if self.chance(0.7):
                node["rotation"] = self.quaternion(unit=not self.chance(0.3, "non-unit rotation")).tolist()
            if self.chance(0.5, "non-uniform scale"):
                node["scale"] = self.scale().tolist()
        self.json["nodes"] = nodes

    def _skins(self):
        b, nodes = self.builder, self.json["nodes"]
        self.skins = []
        strict = self.chance(0.25, "strict skeleton")
        if strict:
            self._strict_skeleton()
        for _ in range(int(self.rng.integers(1, 4))):
            pool = self.strict_joints if strict else list(range(len(nodes)))
            count = int(self.rng.integers(1, len(pool) + 1))
            joints = [int(j) for j in self.rng.permutation(pool)[:count]]
            skin = {"joints": joints}
            if self.chance(0.75, "bind matrices"):
                matrices = np.tile(np.eye(4), (count + (2 if self.chance(0.2, "surplus bind matrices") else 0), 1, 1))
                matrices[:, :3, :3] += self.rng.normal(size=matrices[:, :3, :3].shape) * 0.3
                matrices[:, :3, 3] = self.rng.uniform(-1, 1, (len(matrices), 3))
                stored = matrices.transpose(0, 2, 1).reshape(-1, 16).astype("<f4")
                store = b.sparse if self.chance(0.2, "sparse bind matrices") else b.accessor
                skin["inverseBindMatrices"] = store(stored)
            else:
                self.features.add("no bind matrices")
            if strict:
                skin["skeleton"] = self.strict_root
                skin["extensions"] = {"STAIK_skeletons": {"skeleton_owner": 0}}
            self.skins.append(b.add("skins", skin))

    def _strict_skeleton(self):
        """One skeleton: a node and all below it, marked as joints."""
        nodes = self.json["nodes"]

        def below(index):
            return [index] + [j for child in nodes[index].get("children", []) for j in below(child)]

        self.strict_root = max(range(len(nodes)), key=lambda i: (i in self.parent, len(below(i))))
        self.strict_joints = below(self.strict_root)
        for joint in self.strict_joints:
            nodes[joint]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
        self.json["extensions"] = {"STAIK_skeletons": {"skeletons": [{"root": self.strict_root, "joints": self.strict_joints}]}}
        self.extensions.add("STAIK_skeletons")

    # -- meshes ------------------------------------------------------------------------------------------------------------------
    def _meshes(self):
        self.meshes = []
        for _ in range(int(self.rng.integers(1, 4))):
            self.meshes.append(self._mesh())

    def _mesh(self):
        targets = int(self.rng.integers(0, 4))
        slots = min(len(skin["joints"]) for skin in self.json["skins"])
        mesh = {"primitives": [self._primitive(targets, slots) for _ in range(int(self.rng.integers(1, 4)))]}
        if targets and self.chance(0.6, "mesh weights"):
            mesh["weights"] = self.rng.uniform(-0.5, 1, targets).tolist()
        if targets and self.chance(0.3):
            mesh["extras"] = {"targetNames": [f"shape {t}" for t in range(targets)]}
        return self.builder.add("meshes", mesh)

    def _positions(self, count):
        """(array, normalised) of positions, quantised with KHR_mesh_quantization at times."""
        points = self.rng.uniform(-1, 1, (count, 3))
        if self.chance(0.2, "quantised positions"):
            self.extensions.add("KHR_mesh_quantization")
            kind = self.pick("i1", "i2", "u1", "u2")
            if self.chance(0.5):
                return quantised(np.abs(points) if kind[0] == "u" else points, kind), True
            return np.rint((points + (1 if kind[0] == "u" else 0)) * 5).astype("<" + kind), False
        return points.astype("<f4"), False

    def _attributes(self, count, slots):
        columns = {"POSITION": (*self._positions(count), True)}
        if self.shaded:
            normals = unit_rows(self.rng.normal(size=(count, 3)))
            if "KHR_mesh_quantization" in self.extensions and self.chance(0.5, "quantised normals"):
                columns["NORMAL"] = (quantised(normals, "i2"), True, False)
            else:
                columns["NORMAL"] = (normals.astype("<f4"), False, False)
            side = unit_rows(np.cross(normals, self.rng.normal(size=(count, 3))))
            handed = self.rng.choice([-1.0, 1.0], (count, 1))
            columns["TANGENT"] = (np.concatenate([side, handed], 1).astype("<f4"), False, False)
        if self.chance(0.3):
            kind = self.pick("f4", "u1", "u2")
            uv = self.rng.random((count, 2))
            columns["TEXCOORD_0"] = (uv.astype("<f4"), False, False) if kind == "f4" else (quantised(uv, kind), True, False)
        if self.chance(0.75, "influences"):
            self._influences(columns, count, slots)
        return columns

    def _influences(self, columns, count, slots):
        sets = self.pick(1, 1, 2, 3)
        self.features.add(f"{sets} sets")
        weights = self.rng.random((count, 4 * sets)) * (self.rng.random((count, 4 * sets)) < 0.7)
        weights[:, 0] += 0.05
        weights /= weights.sum(1, keepdims=True)
        if self.chance(0.3, "weights not summing to 1"):
            weights *= self.rng.uniform(0.6, 1.3, (count, 1))
        joints = np.stack([self.rng.permutation(np.resize(np.arange(slots), max(slots, 4 * sets)))[: 4 * sets] for _ in range(count)])
        for n in range(sets):
            part = slice(4 * n, 4 * n + 4)
            columns[f"JOINTS_{n}"] = (joints[:, part].astype(self.pick("u1", "<u2")), False, False)
            kind = self.pick("f4", "u1", "u2")
            stored = weights[:, part].astype("<f4") if kind == "f4" else quantised(np.minimum(weights[:, part], 1), kind)
            columns[f"WEIGHTS_{n}"] = (stored, kind != "f4", False)
            self.features.add(f"{kind} weights")

    def _primitive(self, targets, slots):
        b, count = self.builder, int(self.rng.integers(6, 40))
        self.shaded = self.chance(0.6, "shaded")
        columns = self._attributes(count, slots)
        primitive = {"attributes": {}}
        if self.chance(0.35, "interleaved"):
            for name, index in zip(columns, b.interleaved(list(columns.values()))):
                primitive["attributes"][name] = index
        else:
            for name, (array, normalized, bounds) in columns.items():
                if self.chance(0.15, "sparse attribute"):
                    base = None if self.chance(0.5, "sparse on zeros") else self._thinned(array)
                    if base is not None and array.dtype.itemsize * array.shape[1] % 4:
                        base = None
                    primitive["attributes"][name] = b.sparse(array, base, normalized, bounds, 34962)
                else:
                    primitive["attributes"][name] = b.accessor(array, normalized, bounds, 34962)
        if targets:
            primitive["targets"] = [self._target(columns, count) for _ in range(targets)]
        self._topology(primitive, count)
        return primitive

    def _thinned(self, array):
        base = array.copy()
        base[self.rng.random(len(array)) < 0.3] = 0
        return base

    def _target(self, columns, count):
        target = {}
        for name, spread in (("POSITION", 0.5), ("NORMAL", 0.2), ("TANGENT", 0.2)):
            if name not in columns or not (self.chance(0.8) or (name == "POSITION" and not self.shaded)):
                continue
            delta = self.rng.normal(size=(count, 3)) * spread
            normalized = False
            stored = delta.astype("<f4")
            if name == "POSITION" and "KHR_mesh_quantization" in self.extensions and self.chance(0.4, "quantised targets"):
                normalized = self.chance(0.5)
                kind = self.pick("i1", "i2")
                stored = quantised(np.clip(delta, -1, 1), kind) if normalized else np.rint(delta * 3).astype("<" + kind)
            if self.chance(0.3, "sparse target"):
                stored = self._thinned(stored)
                target[name] = self.builder.sparse(stored, None, normalized, name == "POSITION", 34962)
            else:
                target[name] = self.builder.accessor(stored, normalized, name == "POSITION", 34962)
        if not target:  # every target needs at least one attribute
            target["POSITION"] = self.builder.accessor(np.zeros((count, 3), "<f4"), False, True, 34962)
        return target

    def _topology(self, primitive, count):
        mode = int(self.rng.integers(0, 7)) if self.chance(0.5) else 4
        self.features.add(f"mode {mode}")
        if mode != 4:
            primitive["mode"] = mode
        if self.chance(0.6, "indexed"):
            total = int(self.rng.integers(2, 8)) * 6
            kind = self.pick("u1", "<u2", "<u4")
            primitive["indices"] = self.builder.accessor(self.rng.integers(0, count, total).astype(kind), target=34963)
        elif mode in (1, 4):  # whole pieces only
            keep = count - count % (2 if mode == 1 else 3)
            if keep != count:
                primitive["mode"] = 0

    # -- who carries the meshes --------------------------------------------------------------------------------------------------
    def _carriers(self):
        nodes = self.json["nodes"]
        for _ in range(int(self.rng.integers(1, 5))):
            mesh_index = int(self.rng.choice(self.meshes))
            mesh = self.json["meshes"][mesh_index]
            node = {"mesh": mesh_index, "name": f"mesh node {len(nodes)}"}
            skinned = any("JOINTS_0" in p["attributes"] for p in mesh["primitives"])
            if self.chance(0.75) and (skinned or self.chance(0.3, "skin without joints")):
                node["skin"] = int(self.rng.choice(self.skins))
            elif skinned:
                self.features.add("joints without skin")
            targets = len(mesh["primitives"][0].get("targets", []))
            if targets and self.chance(0.5, "node weights"):
                node["weights"] = self.rng.uniform(-0.5, 1, targets).tolist()
            if self.chance(0.7):
                node["translation"] = self.rng.uniform(-1, 1, 3).tolist()
                node["rotation"] = self.quaternion().tolist()
                node["scale"] = self.scale().tolist()
            if self.chance(0.15, "mesh on a joint") and not any("mesh" in n for n in nodes[:1]) and "mesh" not in nodes[0]:
                nodes[0].update({k: node[k] for k in ("mesh", "skin", "weights") if k in node})
                continue
            index = len(nodes)
            nodes.append(node)
            if self.chance(0.5):
                above = int(self.rng.integers(index))
                nodes[above].setdefault("children", []).append(index)
                self.parent[index] = above

    def _scenes(self):
        roots = [i for i in range(len(self.json["nodes"])) if i not in self.parent]
        if self.chance(0.1, "no scenes"):
            return
        scenes = [{"nodes": [int(i) for i in self.rng.permutation(roots)]}]
        if self.chance(0.3, "several scenes"):
            scenes.insert(0, {"nodes": roots[:1]})
            self.json["scene"] = 1
        elif self.chance(0.6):
            self.json["scene"] = 0
        self.json["scenes"] = scenes

    # -- animations --------------------------------------------------------------------------------------------------------------
    def _animations(self):
        for number in range(int(self.rng.integers(1, 3))):
            self._animation(number)

    def _animation(self, number):
        nodes = self.json["nodes"]
        paths = []
        for index, node in enumerate(nodes):
            if index not in self.fixed:
                paths += [(index, p) for p in ("translation", "rotation", "scale")]
            if "mesh" in node:
                count = len(self.json["meshes"][node["mesh"]]["primitives"][0].get("targets", []))
                paths += [(index, "weights")] * (2 if count else 0)
        chosen = {paths[int(i)] for i in self.rng.integers(len(paths), size=int(self.rng.integers(2, 9)))}
        animation = {"name": f"clip {number}", "samplers": [], "channels": []}
        for node, path in sorted(chosen):
            animation["samplers"].append(self._sampler(node, path))
            animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}})
        if self.chance(0.2, "channel without target"):
            animation["channels"].append({"sampler": 0, "target": {"path": animation["channels"][0]["target"]["path"]}})
        self.builder.add("animations", animation)

    def _sampler(self, node, path):
        mode = self.pick("STEP", "LINEAR", "CUBICSPLINE", None)
        self.features.add(f"{mode or 'LINEAR'} {path}")
        keys = int(self.rng.integers(2 if mode == "CUBICSPLINE" else 1, 6))
        start = self.rng.uniform(0.3, 0.8) if self.chance(0.3, "late start") else 0.0
        times = (start + np.concatenate([[0], np.cumsum(self.rng.uniform(0.1, 0.6, keys - 1))])).astype("<f4")
        per_key = 3 if mode == "CUBICSPLINE" else 1
        array, normalized = self._outputs(node, path, keys * per_key, mode)
        sampler = {"input": self.builder.accessor(times, bounds=True), "output": self.builder.accessor(array, normalized)}
        if mode:
            sampler["interpolation"] = mode
        return sampler

    def _outputs(self, node, path, rows, mode):
        """(array, normalised). Cubic rotations stay unit floats: those of other lengths are renormalised, which loses the stored value."""
        if path == "rotation":
            q = unit_rows(self.rng.normal(size=(rows, 4)))
            kind = self.pick("f4", "f4", "i1", "i2") if mode != "CUBICSPLINE" else "f4"
            if kind != "f4":
                self.features.add("quantised rotation")
                return quantised(q, kind), True
            return q.astype("<f4"), False
        if path == "weights":
            mesh = self.json["meshes"][self.json["nodes"][node]["mesh"]]
            amounts = self.rng.uniform(-0.5, 1, rows * len(mesh["primitives"][0]["targets"]))
            kind = self.pick("f4", "f4", "i1", "u1", "i2", "u2")
            if kind != "f4":
                self.features.add("quantised weights")
                return quantised(np.abs(amounts) if kind[0] == "u" else amounts, kind), True
            return amounts.astype("<f4"), False
        if path == "scale":
            return self.rng.uniform(0.5, 1.5, (rows, 3)).astype("<f4"), False
        return self.rng.uniform(-1, 1, (rows, 3)).astype("<f4"), False


def main():
    if len(sys.argv) != 3 or not sys.argv[2].endswith((".glb", ".gltf")):
        sys.exit(__doc__)
    rig = RandomRig(int(sys.argv[1]))
    rig.builder.save(sys.argv[2])
    print(", ".join(sorted(rig.features)))


if __name__ == "__main__":
    main()
