# SPDX-License-Identifier: MIT
"""Small glTF files from seeds: every kind of value that a pointer can move, in every way to store it, among copies and hidden nodes.

    python3 moving_files.py COUNT FOLDER [FIRST]     writes files for seeds FIRST (0) and up, and prints what is in each

Each seed draws four cells of the table property × component type × interpolation × sparse, so 200 seeds contain the whole table. The
rest (where the property is, what else moves, skins, copies, wide numbers) is drawn by chance. Magnitudes stay near 1.
"""
import os
import sys

import numpy as np

from gltf_builder import SHAPE, Builder

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126, "f8": 5130, "f2": 5131}
UNIT = {"i1": 127, "u1": 255, "i2": 32767, "u2": 65535}
FLOATS = ("translation", "rotation", "scale", "weights", "weights/i", "mesh weights", "mesh weights/i")
TYPES = ("f4", "f8", "f2", "i1", "u1", "i2", "u2", "u4", "i1n", "u1n", "i2n", "u2n")  # n: normalised
WIDE = {"f8": "KHR_accessor_float64", "f2": "KHR_accessor_float16"}
INSTANCING, VISIBILITY, POINTER = "EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_animation_pointer"
CELLS = [(p, t, mode, sparse) for p in FLOATS for t in TYPES for mode in ("STEP", "LINEAR", "CUBICSPLINE") for sparse in (False, True)]
CELLS += [("visible", t, "STEP", sparse) for t in ("u1", "u1n") for sparse in (False, True)] * 12
PER_SEED = 4
ORDER = np.random.default_rng(2024).permutation(len(CELLS))


def cells(seed):
    return [CELLS[ORDER[(PER_SEED * seed + n) % len(CELLS)]] for n in range(PER_SEED)]


class WideBuilder(Builder):
    """Also writes 64-bit and 16-bit floats; each view begins at a multiple of eight bytes."""

    def view(self, data, stride=None, target=None):
        self.blob += b"\0" * (-len(self.blob) % 8)
        return super().view(data, stride, target)

    @staticmethod
    def _described(array, normalized, bounds):
        array = np.ascontiguousarray(array)
        if array.ndim == 1:
            array = array[:, None]
        accessor = {"componentType": CODES[array.dtype.str[1:]], "count": len(array), "type": SHAPE[array.shape[1]]}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            accessor["min"], accessor["max"] = array.min(0).tolist(), array.max(0).tolist()
        return array, accessor


def unit_rows(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


class MovingFile:
    """Draws one file; `builder` holds it, `features` names what is in it."""

    def __init__(self, seed):
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.builder, self.features = WideBuilder(), set()
        self.json = self.builder.json
        self.extensions, self.wide = {POINTER}, [None, None, "f8", "f2"][seed % 4]
        self._meshes()
        self._nodes()
        self._clips()
        self._shuffle()
        self._extensions()
        self.form = self.pick("glb", "gltf")

    def save(self, folder):
        return self.builder.save(os.path.join(folder, f"moving-{self.seed:03}.{self.form}"))

    # -- small draws -------------------------------------------------------------------------------------------------------------
    def chance(self, p, feature=None):
        hit = bool(self.rng.random() < p)
        if hit and feature:
            self.features.add(feature)
        return hit

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def quaternion(self):
        return unit_rows(self.rng.normal(size=4))

    def floats(self, values, place, p=0.6):
        """`values` as 32-bit floats, or in a wide file as wide ones at times; `place` says of what."""
        if self.wide and self.chance(p, f"{self.wide} {place}"):
            self.extensions.add(WIDE[self.wide])
            return np.asarray(values).astype("<" + self.wide)
        return np.asarray(values).astype("<f4")

    def _transform(self, node, moving=0.8):
        """Translation, rotation and scale for a node."""
        if self.chance(moving):
            node["translation"] = self.rng.uniform(-1, 1, 3).tolist()
        if self.chance(moving):
            node["rotation"] = self.quaternion().tolist()
        if self.chance(0.5):
            node["scale"] = (self.rng.uniform(0.6, 1.5, 3) * self.pick(1, 1, np.array([1, -1, 1]))).tolist()
        return node

    # -- meshes and nodes --------------------------------------------------------------------------------------------------------
    def _primitive(self, targets, joints=0):
        b, count = self.builder, 3 * int(self.rng.integers(2, 5))
        attributes = {"POSITION": b.accessor(self.floats(self.rng.uniform(-1, 1, (count, 3)), "positions"), bounds=True, target=34962)}
        shaded = self.chance(0.5, "normals")
        if shaded:
            normals = unit_rows(self.rng.normal(size=(count, 3)))
            attributes["NORMAL"] = b.accessor(self.floats(normals, "normals", 0.3), target=34962)
        if joints:
            weights = self.rng.random((count, 4)) * [1, 1, self.pick(0, 1), self.pick(0, 1)]
            weights /= weights.sum(1, keepdims=True)
            slots = np.array([self.rng.permutation(max(joints, 4))[:4] for _ in range(count)])
            weights[slots >= joints] = 0
            weights[weights.sum(1) == 0] = [1, 0, 0, 0]
            slots[slots >= joints] = 0
            attributes["JOINTS_0"] = b.accessor(slots.astype("u1"), target=34962)
            attributes["WEIGHTS_0"] = b.accessor(self.floats(weights, "skin weights", 0.3), target=34962)
        primitive = {"attributes": attributes, "material": 0}
        if targets:
            primitive["targets"] = []
            for _ in range(targets):
                delta = self.floats(self.rng.normal(size=(count, 3)) * 0.5, "morph deltas")
                sparse = self.chance(0.4, "sparse morph deltas")
                delta[self.rng.random(count) < (0.6 if sparse else 0)] = 0
                store = (lambda a, **k: b.sparse(a, **k)) if sparse else b.accessor
                primitive["targets"].append({"POSITION": store(delta, bounds=True, target=34962)})
        return primitive

    def _meshes(self):
        b = self.builder
        material = {"pbrMetallicRoughness": {"metallicFactor": 0.5}, "name": "paint"}
        b.add("materials", material)
        self.targets = [self.pick(0, 0, 2), int(self.rng.integers(2, 4)), 0, self.pick(0, 2)]  # body, prop, plain, crowd
        self.joint_count = 4 if self.seed % 10 == 3 else 3  # the fourth joint stands outside the scene
        for number, targets in enumerate(self.targets):
            joints = self.joint_count if number == 0 else 0
            primitives = [self._primitive(targets, joints)]
            if self.chance(0.3, "two primitives"):
                primitives.append(self._primitive(targets))
                if joints:
                    self.features.add("primitive without joints under a skin")
            mesh = {"primitives": primitives}
            if targets and self.chance(0.6, "stored mesh weights"):
                mesh["weights"] = self.rng.uniform(-0.5, 1, targets).round(3).tolist()
            b.add("meshes", mesh)

    def _nodes(self):
        """Nodes by name; `_shuffle` gives them their places in the array."""
        self.names = ["root", "hips", "arm", "hand", "frame", "body", "prop", "twin", "crowd", "nested", "curtain", "behind", "outside"]
        nodes = {name: self._transform({"name": name}) for name in self.names}
        self.at = {name: index for index, name in enumerate(self.names)}
        children = {"root": ["hips", "frame", "crowd"], "hips": ["arm"], "arm": ["hand"], "frame": ["prop"], "curtain": ["behind"]}
        children["crowd"] = ["nested"]
        children[self.pick("root", "arm", "frame", "crowd")] += ["twin"]
        if self.chance(0.3, "hidden ancestor of copies"):
            children["curtain"].append("crowd")
            children["root"].remove("crowd")
        for name, below in children.items():
            nodes[name]["children"] = [self.at[child] for child in below]
        frame = np.eye(4)
        frame[:3, :3] = np.diag(self.rng.uniform(0.5, 1.5, 3))[self.rng.permutation(3)] * self.pick(1, 1, -1)
        frame[:3, 3] = self.rng.uniform(-1, 1, 3)
        nodes["frame"] = {"name": "frame", "matrix": frame.T.reshape(-1).tolist(), "children": nodes["frame"]["children"]}
        nodes["body"].update(mesh=0, skin=0)
        for name, mesh in (("prop", 1), ("twin", 1), ("behind", 2), ("crowd", 3), ("nested", self.pick(1, 2, 3)), ("outside", 2)):
            nodes[name]["mesh"] = mesh
        for name in ("body", "prop", "twin", "crowd", "nested"):
            targets = self.targets[nodes[name]["mesh"]]
            if targets and self.chance(0.6 if name == "twin" else 0.3):
                self.features.add("node weights")
                nodes[name]["weights"] = self.rng.uniform(-0.5, 1, targets).round(3).tolist()
        self.nodes = nodes
        self._skin()
        self._hide()
        self._copies("crowd", 0.9)
        self._copies("nested", 0.5)
        self._copies("body", 0.15)
        if INSTANCING in nodes["crowd"].get("extensions", {}) and INSTANCING in nodes["nested"].get("extensions", {}):
            self.features.add("nested copies")

    def _skin(self):
        joints = ["hips", "arm", "hand"] + ["outside"] * (self.joint_count - 3)
        if self.joint_count == 4:
            self.features.add("joint outside the scene")
        skin, store = {"joints": [self.at[name] for name in joints]}, self.builder.accessor
        if self.chance(0.8, "bind matrices"):
            binds = np.tile(np.eye(4), (len(joints), 1, 1))
            binds[:, :3, :3] += self.rng.normal(size=(len(joints), 3, 3)) * 0.2
            binds[:, :3, 3] = self.rng.uniform(-1, 1, (len(joints), 3))
            if self.chance(0.2, "sparse bind matrices"):
                binds[0, :3], store = 0, self.builder.sparse
            skin["inverseBindMatrices"] = store(self.floats(binds.transpose(0, 2, 1).reshape(-1, 16), "bind matrices"))
        self.builder.add("skins", skin)

    def _hide(self):
        """Visibility objects; `curtain` always has one, so that a pointer finds it."""
        for name, p in (("curtain", 1), ("behind", 0.3), ("root", 0.2), ("arm", 0.2), ("body", 0.3), ("crowd", 0.3)):
            if self.chance(p):
                stored = self.pick({"visible": False}, {"visible": True}, {})
                self.features.add("hidden as stored" if stored == {"visible": False} else "visible as stored")
                if name == "arm" and stored == {"visible": False}:
                    self.features.add("hidden joint")
                self.nodes[name].setdefault("extensions", {})[VISIBILITY] = stored
                self.extensions.add(VISIBILITY)

    def _copies(self, name, p):
        if not self.chance(p, {"body": "copies of a skinned node"}.get(name, "copies")):
            return
        count, attributes = int(self.rng.integers(1, 5)), {}
        if self.chance(0.7, "TRANSLATION"):
            attributes["TRANSLATION"] = self._stored(self.floats(self.rng.uniform(-2, 2, (count, 3)), "copies"), "TRANSLATION")
        if self.chance(0.7):
            q = unit_rows(self.rng.normal(size=(count, 4)))
            kind = self.pick("f4", "i1", "i2")
            stored = self.floats(q, "copies") if kind == "f4" else np.rint(q * UNIT[kind]).astype("<" + kind)
            self.features.add(f"ROTATION {stored.dtype.str[1:]}")
            attributes["ROTATION"] = self._stored(stored, "ROTATION", kind != "f4")
        if self.chance(0.6, "SCALE"):
            scale = self.rng.uniform(0.5, 1.5, (count, 3))
            if self.chance(0.4, "mirrored copy"):
                scale[0, int(self.rng.integers(3))] *= -1
            attributes["SCALE"] = self._stored(self.floats(scale, "copies"), "SCALE")
        if not attributes or self.chance(0.2, "_NAME beside"):
            attributes["_ID"] = self.builder.accessor(np.arange(count, dtype="<f4"))
            if len(attributes) == 1:
                self.features.add("only _NAME")
                self.features.discard("_NAME beside")
        self.nodes[name].setdefault("extensions", {})[INSTANCING] = {"attributes": attributes}
        self.extensions.add(INSTANCING)

    def _stored(self, array, name, normalized=False):
        """An instance attribute: packed, sparse, or (all zeros) without a view."""
        if name != "ROTATION" and self.chance(0.1, f"{name} without view"):
            _, accessor = self.builder._described(array, normalized, False)
            return self.builder.add("accessors", accessor)
        if self.chance(0.25, "sparse instance attribute"):
            base = array[self.rng.integers(len(array), size=len(array))]
            return self.builder.sparse(array, base if self.chance(0.6) else None, normalized)
        return self.builder.accessor(array, normalized)

    # -- clips -------------------------------------------------------------------------------------------------------------------
    def _clips(self):
        self.clips = [{"name": f"clip {n}", "samplers": [], "channels": []} for n in range(self.pick(1, 2, 2))]
        self.taken = [{} for _ in self.clips]  # property → the channel that sets it
        if len(self.clips) > 1:
            self.features.add("several clips")
        for cell in cells(self.seed):
            self._pointer_channel(cell)
        for number in range(len(self.clips)):
            for _ in range(self.pick(0, 1, 3)):
                self._ordinary_channel(number)
            if not self.clips[number]["channels"]:
                self._ordinary_channel(number)
        self._share_sampler()
        self._duplicate()
        self._carried()
        for clip in self.clips:
            self.builder.add("animations", clip)

    def _places(self, prop):
        """Where a property can be: (pointer with the node's name, properties that it sets)."""
        nodes = self.nodes
        if prop in ("translation", "rotation", "scale"):
            names = [name for name in self.names if name != "frame" or prop == "translation"]
            names += ["hips", "arm", "hand", "frame", "frame"] if prop == "translation" else ["hips", "arm", "hand"]
            return [(f"/nodes/{name}/{prop}", {(name, prop)}) for name in names]
        if prop == "visible":
            names = [name for name in self.names if VISIBILITY in nodes[name].get("extensions", {})]
            return [(f"/nodes/{name}/extensions/{VISIBILITY}/visible", {(name, prop)}) for name in names]
        owners = [(n, t) for n, t in enumerate(self.targets) if t] if prop.startswith("mesh") else None
        if owners is None:
            owners = [(n, self.targets[nodes[n]["mesh"]]) for n in self.names if self.targets[nodes[n].get("mesh", 2)]]
        array = "meshes" if prop.startswith("mesh") else "nodes"
        out = []
        for owner, count in owners:
            whole = f"/{array}/{owner}/weights"
            if prop.endswith("/i"):
                out += [(f"{whole}/{i}", {(owner, "weights", i)}) for i in range(count)]
            else:
                out.append((whole, {(owner, "weights", i) for i in range(count)}))
        return out

    def _pointer_channel(self, cell):
        prop, kind, mode, sparse = cell
        clip = int(self.rng.integers(len(self.clips)))
        places = self._places(prop)
        free = [n for n in self.rng.permutation(len(places)) if not places[n][1] & set(self.taken[clip])]
        if not free:  # give this clip's property to the other clip, or to a clip of its own
            self.clips.append({"name": f"clip {len(self.clips)}", "samplers": [], "channels": []})
            self.taken.append({})
            self.features.add("several clips")
            clip, free = len(self.clips) - 1, [int(self.rng.integers(len(places)))]
        pointer, sets = places[free[0]]
        width = 3 if prop in ("translation", "scale") else 4 if prop == "rotation" else 1 if prop == "visible" else len(sets)
        sampler = self._sampler(prop, kind, mode, sparse, width)
        self._channel(clip, sampler, pointer, sets)
        self.features.add(" ".join(map(str, ("pointer", prop, kind, mode, "sparse" if sparse else "packed"))))
        owner = pointer.split("/")[2]
        where = {"frame": "node with matrix", "curtain": "hidden node", "behind": "below a hidden node", "root": "ancestor"}
        where.update(hips="joint", arm="joint", hand="joint", crowd="node with copies", nested="node with copies", outside="off scene")
        if prop in FLOATS[:3]:
            self.features.add(f"{prop} of {where.get(owner, 'mesh node')}")
        if prop.startswith("mesh"):
            self.features.add("mesh weights with two nodes" if owner == "1" else "mesh weights with one node")
        if prop == "visible":
            self.features.add(f"animated visibility of {owner}")

    def _ordinary_channel(self, clip):
        prop = self.pick("translation", "rotation", "rotation", "scale", "weights")
        places = [(p, sets) for p, sets in self._places(prop) if not sets & set(self.taken[clip]) and "/frame/" not in p]
        if not places:
            return
        pointer, sets = places[int(self.rng.integers(len(places)))]
        kind = "f4" if prop in ("translation", "scale") else self.pick("f4", "f4", "i1n", "u1n", "i2n", "u2n")
        width = {"translation": 3, "scale": 3, "rotation": 4}.get(prop, len(sets))
        sampler = self._sampler(prop, kind, self.pick("STEP", "LINEAR", "CUBICSPLINE", None), self.chance(0.2), width)
        self._channel(clip, sampler, pointer, sets, ordinary=True)
        self.features.add("mixed with ordinary channels")

    def _channel(self, clip, sampler, pointer, sets, ordinary=False):
        samplers, channels = self.clips[clip]["samplers"], self.clips[clip]["channels"]
        if isinstance(sampler, dict):
            samplers.append(sampler)
            sampler = len(samplers) - 1
        if ordinary:
            _, _, owner, path = pointer.split("/")
            channels.append({"sampler": sampler, "target": {"node": owner, "path": path}})
        else:
            channels.append({"sampler": sampler, "target": {"path": "pointer", "extensions": {POINTER: {"pointer": pointer}}}})
        for one in sets:
            self.taken[clip][one] = channels[-1]

    def _sampler(self, prop, kind, mode, sparse, width):
        count, b = int(self.rng.integers(2, 5)), self.builder
        start = self.rng.uniform(0.2, 0.6) if self.chance(0.3, "late start") else 0.0
        times = start + np.concatenate([[0], np.cumsum(self.rng.uniform(0.1, 0.7, count - 1))])
        parts = 3 if mode == "CUBICSPLINE" else 1
        values = np.zeros((count, parts, width))
        values[:, parts // 2] = self._values(prop, kind, count, width, mode)
        if parts == 3:
            values[:, 0::2] = self._tangents(prop, kind, (count, 2, width))
        values = values.reshape(-1, width if prop in FLOATS[:3] else 1)
        stored = self._as_stored(values, kind)
        if sparse:
            base = None if self.chance(0.5, "sparse on zeros") else stored * (self.rng.random((len(stored), 1)) < 0.5).astype(stored.dtype)
            output = b.sparse(stored, base, normalized=kind.endswith("n"))
        elif not stored.any() and self.chance(0.5, "output without view"):
            output = b.add("accessors", b._described(stored, kind.endswith("n"), False)[1])
        else:
            output = b.accessor(stored, normalized=kind.endswith("n"))
        sampler = {"input": b.accessor(self.floats(times, "key times"), bounds=True), "output": output}
        if mode:
            sampler["interpolation"] = mode
        return sampler

    def _values(self, prop, kind, count, width, mode):
        """Key values as numbers, within what the component type can say."""
        signed, plain = kind[0] != "u", not kind.endswith("n") and kind[0] != "f"
        if prop == "visible":
            return self.rng.choice([0, 0, 1, 1, 2, 255], (count, 1)) / (255 if kind == "u1n" else 1)
        if prop == "rotation":
            return self._turns(count, signed, plain, mode)
        low = -1 if signed else 0
        if prop == "scale":
            sign = self.rng.choice([1, 1, 1, -1], 3) if signed else 1  # one sign for all keys: never through zero
            return sign * (self.rng.integers(1, 3, (count, 3)) if plain else self.rng.uniform(0.4, 1, (count, 3)))
        if plain:
            least, most = (-3, 3) if prop == "translation" else (-1, 2)
            return self.rng.integers(least if signed else 0, most + 1, (count, width))
        return self.rng.uniform(low, 1, (count, width)) * self.pick(1, 1, 1, 0 if prop == "translation" else 1)

    def _turns(self, count, signed, plain, mode):
        """Quaternions whose neighbours are neither nearly orthogonal (which arc?) nor nearly opposite under a cubic (length 0)."""
        rows = []
        while len(rows) < count:
            if plain:
                q = np.zeros(4)
                q[int(self.rng.integers(4))] = self.pick(1, -1) if signed and mode != "CUBICSPLINE" else 1
                if mode == "STEP" and self.chance(0.2, "rotation of another length"):
                    q[3] = 1
                rows.append(q)
                continue
            q = self.quaternion()
            q = q if signed else np.abs(q)
            dot = float(np.dot(q, rows[-1])) if rows else 1
            if abs(dot) > 0.15 and (dot > 0 or mode != "CUBICSPLINE"):
                rows.append(q)
        return rows

    def _tangents(self, prop, kind, shape):
        if not kind.endswith("n") and kind[0] != "f":
            return self.rng.integers(-1 if kind[0] == "i" else 0, 2, shape)
        return self.rng.uniform(-1 if kind[0] != "u" else 0, 1, shape) * (0.4 if prop == "rotation" else 1)

    def _as_stored(self, values, kind):
        if kind[0] == "f":
            if kind in WIDE:
                self.extensions.add(WIDE[kind])
            return values.astype("<" + kind)
        if kind.endswith("n"):
            return np.rint(values * UNIT[kind[:2]]).astype("<" + kind[:2])
        return values.astype("<" + kind)

    def _share_sampler(self):
        """A second channel on the sampler of a translation: the scale or the translation of a node without children."""
        for number, clip in enumerate(self.clips):
            for channel in list(clip["channels"]):
                pointer = channel["target"].get("extensions", {}).get(POINTER, {}).get("pointer", "")
                if not pointer.endswith("/translation") or not self.chance(0.3):
                    continue
                name = self.pick("prop", "behind", "nested")
                prop = self.pick("translation", "scale")
                if (name, prop) not in self.taken[number]:
                    self.features.add(f"shared sampler for {prop}")
                    self._channel(number, channel["sampler"], f"/nodes/{name}/{prop}", {(name, prop)})

    def _duplicate(self):
        """The same property twice in a clip; forbidden, but read: the later channel wins."""
        if self.seed % 8 != 5:
            return
        clip = self.clips[0]
        channel = clip["channels"][int(self.rng.integers(len(clip["channels"])))]
        owner, prop, *element = next(key for key, value in self.taken[0].items() if value is channel)
        self.features.add("duplicate")
        if prop == "weights":
            array = "meshes" if isinstance(owner, int) else "nodes"
            sampler, i = self._sampler("weights/i", "f4", "LINEAR", False, 1), element[0]
            self._channel(0, sampler, f"/{array}/{owner}/weights/{i}", {(owner, prop, i)})
        elif prop == "visible":
            sampler = self._sampler(prop, "u1", "STEP", False, 1)
            self._channel(0, sampler, f"/nodes/{owner}/extensions/{VISIBILITY}/visible", {(owner, prop)})
        else:
            sampler = self._sampler(prop, "f4", "LINEAR", False, 4 if prop == "rotation" else 3)
            ordinary = owner != "frame" and self.chance(0.5)
            self._channel(0, sampler, f"/nodes/{owner}/{prop}", {(owner, prop)}, ordinary)

    def _carried(self):
        """Channels that move no vertex: they count for the duration if the pointer is usable."""
        b = self.builder

        def sampler(width, last):
            times = b.accessor(np.array([0, last], "<f4"), bounds=True)
            return {"input": times, "output": b.accessor(self.rng.uniform(0, 1, (2, width)).astype("<f4"))}

        if self.chance(0.3, "material pointer"):
            self._channel(0, sampler(4, 6.5), "/materials/0/pbrMetallicRoughness/baseColorFactor", ())
        if self.chance(0.2, "pointer into extras"):
            self.nodes["root"]["extras"] = {"a/b": 1.0}
            self._channel(len(self.clips) - 1, sampler(1, 7.5), "/nodes/root/extras/a~1b", ())
        if self.chance(0.4, "unusable pointer"):
            pointer, width = self.pick(
                ("/nodes/99/translation", 3), ("/nodes/frame/rotation", 4), ("/nodes/frame/scale", 3), ("/nodes/root/translation/1", 1),
                ("/nodes/behind/weights", 1), ("/nodes/-/scale", 3), ("/materials/0/normalTexture/scale", 1), ("/nodes/root/matrix", 4),
                ("/nodes/prop/weights/9", 1), ("/nodes/hand/tr%61nslation", 3), (f"/nodes/hand/extensions/{VISIBILITY}/visible", 1),
            )  # fmt: skip
            self._channel(0, sampler(width, 9.5), pointer, ())
        if self.chance(0.2, "channel without target"):
            self.clips[0]["samplers"].append(sampler(3, 9.75))
            self.clips[0]["channels"].append({"sampler": len(self.clips[0]["samplers"]) - 1, "target": {"path": "translation"}})
        if self.chance(0.2, "clip of material pointers"):
            self.clips.append({"name": "colours", "samplers": [], "channels": []})
            self.taken.append({})
            self._channel(len(self.clips) - 1, sampler(1, 4.5), "/materials/0/pbrMetallicRoughness/metallicFactor", ())

    # -- places in the arrays ----------------------------------------------------------------------------------------------------
    def _shuffle(self):
        """Nodes in another order, so that children may come before parents; names in pointers become numbers."""
        order = self.rng.permutation(len(self.names))
        place = {self.names[old]: new for new, old in enumerate(order)}
        for node in self.nodes.values():
            if "children" in node:
                node["children"] = [place[self.names[child]] for child in node["children"]]
        self.json["nodes"] = [self.nodes[self.names[old]] for old in order]
        for skin in self.json["skins"]:
            skin["joints"] = [place[self.names[joint]] for joint in skin["joints"]]
        for clip in self.clips:
            for channel in clip["channels"]:
                target = channel["target"]
                if "node" in target:
                    target["node"] = place[target["node"]]
                elif target["path"] == "pointer":
                    extension = target["extensions"][POINTER]
                    steps = extension["pointer"].split("/")
                    if steps[1] == "nodes" and steps[2] in place:
                        steps[2] = str(place[steps[2]])
                    extension["pointer"] = "/".join(steps)
        self.json["scenes"] = [{"nodes": [place[name] for name in ("root", "body", "curtain")]}]
        if self.chance(0.5, "two scenes"):
            self.json["scenes"].insert(0, {"nodes": [place["outside"]]})
            self.json["scene"] = 1
        elif self.chance(0.5):
            self.json["scene"] = 0

    def _extensions(self):
        used = sorted(self.extensions)
        self.json["extensionsUsed"] = used
        required = [name for name in used if name in WIDE.values() or self.chance(0.3)]
        if required:
            self.json["extensionsRequired"] = required
        self.features |= {f"uses {name}" for name in used} | {f"requires {name}" for name in required}


def make(seed, folder):
    """Writes the file of a seed into a folder; returns its path."""
    return MovingFile(seed).save(folder)


def describe(seed):
    """What the file of a seed contains, sorted."""
    return sorted(MovingFile(seed).features)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    first = int(sys.argv[3]) if len(sys.argv) == 4 else 0
    for seed in range(first, first + int(sys.argv[1])):
        print(f"{make(seed, sys.argv[2])}: {', '.join(describe(seed))}")


if __name__ == "__main__":
    main()
