# SPDX-License-Identifier: MIT
"""World-space vertices and visibility of glTF models whose properties are moved by pointers and whose meshes are drawn in copies.

An outside truth for the program: it shares no code with it and says each rule in the plainest way, in double precision. It covers
KHR_animation_pointer, EXT_mesh_gpu_instancing, KHR_node_visibility, KHR_accessor_float64 and KHR_accessor_float16. Where these texts are
silent, a comment says how they are read here; docs/semantics.md has the readings.

    python3 moving_oracle.py MODEL [--animation I --time T]     prints clips, and one summary line per instance
"""
import re

import numpy as np

from gltf_oracle import COLUMNS_ROWS, COMPONENT, KeptDocument, rotation_matrix, slerp

WIDE = {**COMPONENT, 5130: "<f8", 5131: "<f2"}
INSTANCING, VISIBILITY, POINTER = "EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_animation_pointer"

# Properties that move no vertex, from the object model and the texts of the extensions. `*`: no default, so the file must hold the number.
# attenuationDistance has one: infinity.
CARRIED = """
/nodes/{}/extensions/KHR_node_selectability/ selectable
/nodes/{}/extensions/KHR_node_hoverability/ hoverable
/cameras/{}/orthographic/ xmag ymag zfar znear
/cameras/{}/perspective/ aspectRatio* yfov zfar* znear
/materials/{}/ alphaCutoff emissiveFactor
/materials/{}/normalTexture/ scale
/materials/{}/occlusionTexture/ strength
/materials/{}/pbrMetallicRoughness/ baseColorFactor metallicFactor roughnessFactor
/materials/{}/extensions/KHR_materials_anisotropy/ anisotropyStrength anisotropyRotation
/materials/{}/extensions/KHR_materials_clearcoat/ clearcoatFactor clearcoatRoughnessFactor
/materials/{}/extensions/KHR_materials_clearcoat/clearcoatNormalTexture/ scale
/materials/{}/extensions/KHR_materials_dispersion/ dispersion
/materials/{}/extensions/KHR_materials_emissive_strength/ emissiveStrength
/materials/{}/extensions/KHR_materials_ior/ ior
/materials/{}/extensions/KHR_materials_iridescence/ iridescenceFactor iridescenceIor
/materials/{}/extensions/KHR_materials_iridescence/ iridescenceThicknessMinimum iridescenceThicknessMaximum
/materials/{}/extensions/KHR_materials_sheen/ sheenColorFactor sheenRoughnessFactor
/materials/{}/extensions/KHR_materials_specular/ specularFactor specularColorFactor
/materials/{}/extensions/KHR_materials_transmission/ transmissionFactor
/materials/{}/extensions/KHR_materials_volume/ thicknessFactor attenuationDistance attenuationColor
/materials/{}/extensions/ADOBE_materials_clearcoat_specular/ clearcoatIor clearcoatSpecularFactor
/materials/{}/extensions/ADOBE_materials_clearcoat_tint/ clearcoatTintFactor
/extensions/KHR_lights_punctual/lights/{}/ color intensity range*
/extensions/KHR_lights_punctual/lights/{}/spot/ innerConeAngle outerConeAngle
/nodes/{}/extensions/EXT_lights_ies/ multiplier color
/extensions/EXT_lights_image_based/lights/{}/ rotation intensity
"""
KNOWN_EXTENSIONS = {INSTANCING, VISIBILITY, POINTER, "KHR_texture_transform"} | set(re.findall(r"extensions/(\w+)/", CARRIED))


class Unevaluable(ValueError):
    """Data that has no value: the program ends with exit code 3."""


class WideDocument(KeptDocument):
    """A document whose accessors may hold 64-bit and 16-bit floats too; `values` widens both exactly."""

    def _elements(self, view_index, offset, component, shape, count, packed):
        columns, rows = COLUMNS_ROWS[shape]
        kind = np.dtype(WIDE[component])
        out = np.zeros((count, columns * rows), kind)
        if view_index is None:
            return out
        view = self.json["bufferViews"][view_index]
        column = kind.itemsize * rows if columns == 1 else -(-kind.itemsize * rows // 4) * 4
        stride = (0 if packed else view.get("byteStride", 0)) or column * columns
        start = view.get("byteOffset", 0) + offset
        for i in range(count):
            for c in range(columns):
                at = start + i * stride + c * column
                out[i, c * rows : (c + 1) * rows] = np.frombuffer(self.buffers[view["buffer"]], kind, rows, at)
        return out


def pointer_steps(text):
    """The decoded steps of a JSON pointer, or None where the syntax is wrong."""
    if not isinstance(text, str) or not re.fullmatch(r"(/([^/~]|~[01])*)*", text, re.DOTALL):
        return None
    return [step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:]]


class MovingOracle:
    """Evaluates one file. `animation` is an index or None (the stored state), `time` is in seconds."""

    def __init__(self, path):
        self.document = WideDocument(path)
        self.json = self.document.json
        self.nodes = self.json.get("nodes", [])
        self.meshes = self.json.get("meshes", [])

    # -- pointers ---------------------------------------------------------------------------------------------------------------
    def resolve(self, steps):
        """What the steps name in the JSON; KeyError where they name nothing."""
        at = self.json
        for step in steps:
            if isinstance(at, dict) and step in at:
                at = at[step]
            elif isinstance(at, list) and re.fullmatch("0|[1-9][0-9]*", step) and int(step) < len(at):
                at = at[int(step)]
            else:
                raise KeyError(step)
        return at

    def target_count(self, mesh):
        """The largest number of targets of a primitive."""
        return max((len(primitive.get("targets", [])) for primitive in self.meshes[mesh]["primitives"]), default=0)

    def meaning(self, text, ordinary=False):
        """What a usable pointer names: (array, index, property, elements) if it counts here, () if it is only carried; None: unusable."""
        steps = pointer_steps(text)
        if not steps:
            return None
        try:
            return self._moves(steps, ordinary) or self._carried(steps)
        except KeyError:
            return None

    def _moves(self, steps, ordinary):
        """Properties that move or hide vertices. None: another property."""
        array, rest = steps[0], steps[2:]
        if array not in ("nodes", "meshes") or not rest:
            return None
        thing, index = self.resolve(steps[:2]), int(steps[1])
        if array == "nodes" and rest[0] in ("translation", "rotation", "scale") and len(rest) == 1:
            if "matrix" in thing and rest[0] != "translation" and not ordinary:
                raise KeyError("undefined on a node with matrix")
            return array, index, rest[0], None
        if rest[0] == "weights" and len(rest) <= 2:
            mesh = thing.get("mesh") if array == "nodes" else index
            count = self.target_count(mesh) if mesh is not None else 0
            if count == 0:
                raise KeyError("no targets")
            if len(rest) == 1:
                return array, index, "weights", range(count)
            if re.fullmatch("0|[1-9][0-9]*", rest[1]) and int(rest[1]) < count:
                return array, index, "weights", range(int(rest[1]), int(rest[1]) + 1)
            raise KeyError("no such target")
        if array == "nodes" and rest == ["extensions", VISIBILITY, "visible"]:
            self.resolve(steps[:-1])  # the object must be on the node
            return array, index, "visible", None
        return None

    def _carried(self, steps):
        """() for a usable pointer that moves no vertex, into `extras` or into an unknown extension, else None."""
        shape = "/" + "/".join("{}" if re.fullmatch("0|[1-9][0-9]*", step) else step for step in steps[:-1]) + "/"
        for line in CARRIED.split("\n"):
            prefix, *names = line.split() or [""]
            if prefix == shape and {steps[-1], steps[-1] + "*"} & set(names):
                self.resolve(steps if steps[-1] + "*" in names else steps[:-1])
                return ()
        if steps[0] == "materials" and steps[-3:-1] == ["extensions", "KHR_texture_transform"] and steps[-4].endswith("Texture"):
            self.resolve(steps[:-1])
            return () if steps[-1] in ("offset", "rotation", "scale") else None
        for place, step in enumerate(steps[:-1]):
            unknown = step == "extensions" and place + 2 < len(steps) and steps[place + 1] not in KNOWN_EXTENSIONS
            if step == "extras" or unknown:
                self.resolve(steps)
                return ()
        return None

    def channel_meaning(self, channel):
        """As `meaning`. An ordinary channel is read as the pointer to its property."""
        target = channel["target"]
        if target["path"] == "pointer":
            if "node" in target:
                return None  # with a node and a pointer it is no channel
            return self.meaning(target.get("extensions", {}).get(POINTER, {}).get("pointer"))
        if "node" not in target or target["path"] not in ("translation", "rotation", "scale", "weights"):
            return None
        return self.meaning(f"/nodes/{target['node']}/{target['path']}", ordinary=True)  # any extension object is ignored

    def clips(self):
        """Per animation what `info` says: its duration and how many usable channels it has."""
        out = []
        for animation in self.json.get("animations", []):
            usable = [channel for channel in animation["channels"] if self.channel_meaning(channel) is not None]
            ends = [self.document.values(animation["samplers"][c["sampler"]]["input"])[-1, 0] for c in usable]
            pointers = [channel for channel in usable if channel["target"]["path"] == "pointer"]
            out.append({"duration": float(max(ends, default=0)), "channels": len(usable), "pointerChannels": len(pointers)})
        return out

    def times(self, animation):
        """Times worth looking at: before, at, between and after the keys of the usable channels."""
        anim = self.json["animations"][animation]
        used = {c["sampler"] for c in anim["channels"] if self.channel_meaning(c) is not None}
        keys = sorted({float(t) for s in used for t in self.document.values(anim["samplers"][s]["input"])[:, 0]})
        between = [a + (b - a) * 0.4375 for a, b in zip(keys, keys[1:])]
        return sorted({0.0, *keys, *between, *(keys and [keys[0] / 2, keys[-1] + 1])})

    # -- interpolation -----------------------------------------------------------------------------------------------------
    def sample(self, sampler, shape, width, time, rotation=False):
        """A sampler's `width` numbers at a time, its output being read as accessors of type `shape`."""
        mode = sampler.get("interpolation", "LINEAR")
        keys = self.document.values(sampler["input"])[:, 0]
        numbers = self.document.values(sampler["output"]).reshape(-1)
        per_key = 3 if mode == "CUBICSPLINE" else 1
        need = len(keys) * per_key * width
        if self.json["accessors"][sampler["output"]]["type"] != shape or len(numbers) < need:
            raise Unevaluable("output of the wrong type, or too few values")
        values = numbers[:need].reshape(len(keys), per_key, width)  # too many values: the first ones
        value = 1 if mode == "CUBICSPLINE" else 0
        k = sum(key <= time for key in keys) - 1  # the last key that has passed
        if k < 0:
            result = values[0, value]
        elif k == len(keys) - 1 or mode == "STEP":
            result = values[k, value]
        else:
            span = keys[k + 1] - keys[k]
            t = (time - keys[k]) / span
            a, b = values[k, value], values[k + 1, value]
            if mode == "CUBICSPLINE":
                out_tangent, in_tangent = span * values[k, 2], span * values[k + 1, 0]
                result = (
                    (2 * t**3 - 3 * t**2 + 1) * a + (t**3 - 2 * t**2 + t) * out_tangent
                    + (3 * t**2 - 2 * t**3) * b + (t**3 - t**2) * in_tangent
                )  # fmt: skip
            else:
                result = slerp(a, b, t) if rotation else (1 - t) * a + t * b
        if rotation and mode == "CUBICSPLINE" and np.linalg.norm(result) > 0:  # a quaternion of length 0 stays
            result = result / np.linalg.norm(result)
        return result

    def settings(self, animation=None, time=0.0):
        """What the clip sets: (array, index, property, element) → value. A later channel overwrites an earlier one, element by element."""
        out = {}
        if animation is None:
            return out
        anim = self.json["animations"][animation]
        for channel in anim["channels"]:
            meaning = self.channel_meaning(channel)
            if not meaning:
                continue
            array, index, name, elements = meaning
            sampler = anim["samplers"][channel["sampler"]]
            if name == "visible":
                output = self.json["accessors"][sampler["output"]]
                # SCALAR u8 and STEP only; else the channel is outside the result, as it moves no vertex.
                if sampler.get("interpolation") == "STEP" and (output["type"], output["componentType"]) == ("SCALAR", 5121):
                    try:
                        out[array, index, name, None] = bool(self.sample(sampler, "SCALAR", 1, time)[0] != 0)
                    except Unevaluable:
                        pass
            elif name == "weights":
                for element, amount in zip(elements, self.sample(sampler, "SCALAR", len(elements), time)):
                    out[array, index, name, element] = amount
            else:
                shape, width = ("VEC4", 4) if name == "rotation" else ("VEC3", 3)
                out[array, index, name, None] = self.sample(sampler, shape, width, time, name == "rotation")
                if "node" in channel["target"] and "matrix" in self.nodes[index]:
                    out[array, index, "matrix", None] = "replaced"  # the leniency for ordinary channels
        return out

    # -- values that count -------------------------------------------------------------------------------------------------
    def weights(self, index, settings):
        """The morph weights of a node's mesh, element by element: the first of these that applies."""
        node = self.nodes[index]
        stored = self.meshes[node["mesh"]].get("weights", [])
        out = []
        for i in range(self.target_count(node["mesh"])):
            if ("nodes", index, "weights", i) in settings:
                out.append(settings["nodes", index, "weights", i])
            elif "weights" in node:
                out.append(node["weights"][i] if i < len(node["weights"]) else 0.0)
            elif ("meshes", node["mesh"], "weights", i) in settings:
                out.append(settings["meshes", node["mesh"], "weights", i])
            else:
                out.append(stored[i] if i < len(stored) else 0.0)
        return out

    def local(self, index, settings):
        node = self.nodes[index]
        if "matrix" in node and ("nodes", index, "matrix", None) not in settings:
            matrix = np.array(node["matrix"], np.float64).reshape(4, 4).T
            matrix[:3, 3] = settings.get(("nodes", index, "translation", None), matrix[:3, 3])
            return matrix
        defaults = (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))
        return trs(*(settings.get(("nodes", index, name, None), node.get(name, default)) for name, default in defaults))

    def parent(self, index):
        return next((number for number, node in enumerate(self.nodes) if index in node.get("children", [])), None)

    def world(self, index, settings):
        above = self.parent(index)
        return self.local(index, settings) if above is None else self.world(above, settings) @ self.local(index, settings)

    def shown(self, index, settings):
        """a node is visible if it and all its ancestors are."""
        stored = self.nodes[index].get("extensions", {}).get(VISIBILITY, {}).get("visible", True)
        above = self.parent(index)
        return bool(settings.get(("nodes", index, "visible", None), stored)) and (above is None or self.shown(above, settings))

    # -- instances ---------------------------------------------------------------------------------------------------------
    def copies(self, index):
        """The matrices of a node's copies. Without attributes one copy; with only `_NAME` attributes `count` equal ones."""
        attributes = self.nodes[index].get("extensions", {}).get(INSTANCING, {}).get("attributes", {})
        counts = {self.json["accessors"][accessor]["count"] for accessor in attributes.values()}
        if len(counts) > 1:
            raise Unevaluable(f"node {index}: attributes with different counts")
        count = counts.pop() if counts else 1
        parts = []
        for name, default in (("TRANSLATION", (0, 0, 0)), ("ROTATION", (0, 0, 0, 1)), ("SCALE", (1, 1, 1))):
            parts.append(self.document.values(attributes[name]) if name in attributes else [default] * count)
        return [trs(*part) for part in zip(*parts)]  # quaternions as stored

    def scene_nodes(self):
        """The nodes that the default scene reaches, ascending."""
        scenes = self.json.get("scenes", [])
        if scenes:
            todo = list(scenes[self.json.get("scene", 0)].get("nodes", []))
        else:
            todo = [index for index in range(len(self.nodes)) if self.parent(index) is None]
        reached = set()
        while todo:
            index = todo.pop()
            reached.add(index)
            todo += self.nodes[index].get("children", [])
        return sorted(reached)

    def blocks(self, animation=None, time=0.0):
        """One dict per copy, in the order of the rows: node, copy, first, vertices, visible, positions, normals.

        Rows of `normals` are NaN where a primitive has none. Visibility never changes a row.
        """
        settings, out, first = self.settings(animation, time), [], 0
        for index in self.scene_nodes():
            if "mesh" not in self.nodes[index]:
                continue
            node_world, amounts = self.world(index, settings), self.weights(index, settings)
            for number, copy in enumerate(self.copies(index)):
                positions, normals = [], []
                for primitive in self.meshes[self.nodes[index]["mesh"]]["primitives"]:
                    for position, normal in self._vertices(index, primitive, node_world @ copy, amounts, settings):
                        positions.append(position)
                        normals.append(normal)
                block = {"node": index, "copy": number, "first": first, "vertices": len(positions)}
                block["visible"] = self.shown(index, settings)
                block["positions"] = np.array(positions, np.float64).reshape(-1, 3)
                block["normals"] = np.array(normals, np.float64).reshape(-1, 3)
                out.append(block)
                first += len(positions)
        return out

    def _vertices(self, index, primitive, placed, amounts, settings):
        """Yields (position, normal) of each vertex of a primitive; `placed` is the world transform of the copy."""
        attributes, values = primitive["attributes"], self.document.values
        if "POSITION" not in attributes:
            return
        skin = self.nodes[index].get("skin") if "JOINTS_0" in attributes else None
        if skin is not None:
            # glTF, Skins: the node's transform is ignored, and with it the copy's.
            joints, influences = self.joint_matrices(self.json["skins"][skin], settings), self._influences(attributes)
        stored = {name: values(attributes[name]) for name in ("POSITION", "NORMAL") if name in attributes}
        deltas = [{name: values(target[name]) for name in stored if name in target} for target in primitive.get("targets", [])]
        for v in range(len(stored["POSITION"])):
            moved = {name: rows[v, :3].copy() for name, rows in stored.items()}
            for amount, delta in zip(amounts, deltas):
                for name, rows in delta.items():
                    moved[name] += amount * rows[v]
            matrix = placed if skin is None else sum(weight * joints[joint] for joint, weight in influences[v])
            linear = matrix[:3, :3]
            normal = np.full(3, np.nan)
            if "NORMAL" in moved:
                normal = cofactor(linear) @ moved["NORMAL"]
                normal = normal / (np.linalg.norm(normal) or np.nan)
            yield linear @ moved["POSITION"] + matrix[:3, 3], normal

    def joint_matrices(self, skin, settings):
        binds = np.tile(np.eye(4).reshape(16), (len(skin["joints"]), 1))
        if "inverseBindMatrices" in skin:
            binds = self.document.values(skin["inverseBindMatrices"])
        return [self.world(joint, settings) @ bind.reshape(4, 4).T for joint, bind in zip(skin["joints"], binds)]

    def _influences(self, attributes):
        """Per vertex [(slot in the skin's joints, weight)] over all sets."""
        out = []
        for n in range(sum(name.startswith("JOINTS_") for name in attributes)):
            joints, weights = self.document.raw(attributes[f"JOINTS_{n}"]), self.document.values(attributes[f"WEIGHTS_{n}"])
            out = out or [[] for _ in joints]
            for v, pairs in enumerate(out):
                pairs += zip(joints[v].tolist(), weights[v].tolist())
        return out

    def positions(self, animation=None, time=0.0):
        """All rows, as `deform` writes them."""
        return np.concatenate([np.zeros((0, 3))] + [block["positions"] for block in self.blocks(animation, time)])

    def normals(self, animation=None, time=0.0):
        return np.concatenate([np.zeros((0, 3))] + [block["normals"] for block in self.blocks(animation, time)])

    def visible(self, animation=None, time=0.0):
        """[(node, copy, effective visibility)] in the order of the rows."""
        return [(block["node"], block["copy"], block["visible"]) for block in self.blocks(animation, time)]


def trs(translation, rotation, scale):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(rotation) @ np.diag(np.asarray(scale, np.float64))
    matrix[:3, 3] = translation
    return matrix


def cofactor(linear):
    """det(M)·M⁻ᵀ, by cross products of the columns so that singular matrices have one too. For one matrix numpy.cross takes 20 times as long."""
    (a0, b0, c0), (a1, b1, c1), (a2, b2, c2) = linear.tolist()
    return np.array([[b1 * c2 - b2 * c1, c1 * a2 - c2 * a1, a1 * b2 - a2 * b1],
                     [b2 * c0 - b0 * c2, c2 * a0 - c0 * a2, a2 * b0 - a0 * b2],
                     [b0 * c1 - b1 * c0, c0 * a1 - c1 * a0, a0 * b1 - a1 * b0]])


def main():
    import argparse

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--animation", type=int)
    parser.add_argument("--time", type=float, default=0.0)
    arguments = parser.parse_args()
    oracle = MovingOracle(arguments.model)
    for number, clip in enumerate(oracle.clips()):
        print(f"clip {number}: {clip}")
    for block in oracle.blocks(arguments.animation, arguments.time):
        rows = block["positions"]
        bounds = f"{rows.min(0)} … {rows.max(0)}" if len(rows) else "empty"
        hidden = "" if block["visible"] else ", hidden"
        print(f"node {block['node']} copy {block['copy']}: {len(rows)} vertices, {bounds}{hidden}")


if __name__ == "__main__":
    main()
