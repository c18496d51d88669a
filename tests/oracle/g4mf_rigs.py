# SPDX-License-Identifier: MIT
"""Random valid G4MF rigs in 2 to 7 dimensions, and poses for them; the same seed gives the same bytes."""
import math

import numpy as np

import g4mf_oracle as oracle
from g4mf_builder import Builder

DIMENSIONS = range(2, 8)
REVISIONS = ("2025-08", "2026-01", "2026-07")


def elements(model, accessor):
    """Their number."""
    entry = model.accessors[accessor]
    size = oracle.SIZES[entry["componentType"]] * entry.get("vectorSize", 1)
    return model.views[entry["bufferView"]]["byteLength"] // size


class RandomRig:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.dimension = DIMENSIONS[seed % len(DIMENSIONS)]
        self.revision = REVISIONS[seed // len(DIMENSIONS) % len(REVISIONS)]
        self.binary = bool(seed // 2 % 2)
        self.features = {f"dimension {self.dimension}", self.revision, "binary" if self.binary else "text"}
        self.model = Builder(self.dimension, self.revision)
        self.model.node(name="Root")
        self.skeletons = [self.skeleton(f"Rig{i}") for i in range(self.below(2) + 1)]
        self.meshes = [self.mesh(i) for i in range(self.below(2) + 1)]
        for skeleton, _ in self.skeletons:  # the first mesh is shared by all skeletons
            self.instance(skeleton, 0)
        for mesh in range(1, len(self.meshes)):
            self.instance(self.skeletons[0][0] if self.chance(0.7) else 0, mesh)
        if len(self.skeletons) > 1:
            self.features.add("one mesh under two skeletons")
        for mesh in self.model.json["meshes"]:
            self.corner_attributes(mesh)

    # draws

    def below(self, end):
        return int(self.random.integers(end))

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        choice = choices[self.below(len(choices))]
        self.features.add(choice)
        return choice

    def floats(self, *shape):
        return self.random.normal(size=shape)

    def rotor(self, most_planes=None):
        """The product of an even number of vectors, cut where the rest is 0."""
        n, masks = self.dimension, oracle.even_blades(self.dimension)
        planes = 1 + self.below(min(n // 2, most_planes or n))
        rotor = {0: 1.0}
        for _ in range(2 * planes):
            vector = self.floats(n)
            rotor = oracle.product(rotor, {1 << i: x / np.linalg.norm(vector) for i, x in enumerate(vector)})
        grades = [bin(mask).count("1") for mask in masks]
        full = [rotor.get(mask, 0.0) for mask in masks]
        numbers = full[: sum(grade <= 2 * planes for grade in grades)] if self.chance(0.7) else full
        if n < 4 or planes == 1 and len(numbers) <= 1 + n * (n - 1) // 2:
            self.features.add("rotor of one plane")
        elif len(numbers) < len(full):
            self.features.add("rotor cut after a grade")
        else:
            self.features.add("full rotor")
        return [float(x) for x in numbers]

    def transform(self):
        n, out = self.dimension, {}
        if self.chance(0.8):
            out["position"] = [float(x) for x in self.floats(n)]
        kind = self.below(4)
        if kind == 0:
            basis = np.eye(n) + 0.3 * self.floats(n, n)
            if self.chance(0.5):
                basis[:, 0] *= -1
                self.features.add("mirroring basis")
            while abs(np.linalg.det(basis)) < 0.3 or np.linalg.cond(basis) > 8:
                basis = np.eye(n) + 0.2 * self.floats(n, n)
            out["basis"] = [float(x) for x in basis.T.ravel()]
            self.features.add("basis")
        elif kind < 3:
            length = self.random.choice([1.0, 1.0, 0.5])
            out["rotor"] = [x * length for x in self.rotor()]
            if length != 1:
                self.features.add("rotor of another length")
        if kind and self.chance(0.4):
            out["scale"] = [float(x) for x in self.random.uniform(0.5, 2, 1 if self.chance(0.5) else n)]
            self.features.add("one scale" if len(out["scale"]) == 1 else "scale by axis")
        return out

    # parts

    def skeleton(self, name):
        node = self.model.node(0, name=name, skeleton={}, **self.transform())
        bones = []
        for i in range(2 + self.below(4)):
            parent = bones[self.below(len(bones))] if bones else node
            bones.append(self.model.node(parent, name=f"{name}Bone{i}", bone={"length": 0.5} if self.chance(0.5) else {}, **self.transform()))
        joints = sorted(bones[self.below(len(bones))] for _ in range(2 + self.below(5)))
        if len(set(joints)) < len(joints):
            self.features.add("repeated joint")
        if self.revision == "2025-08":  # which knows no order of joints
            self.random.shuffle(joints)
        if self.chance(0.6):
            joints.insert(self.below(len(joints) + 1), -1)
            self.features.add("joint -1")
        self.model.json["nodes"][node]["skeleton"]["joints"] = [int(joint) for joint in joints]
        return node, bones

    def mesh(self, number):
        model, n, count = self.model, self.dimension, 6 + self.below(20)
        kind = self.pick("float8", "float16", "float32", "float64", "float128")
        vertices = model.accessor(kind, np.round(self.floats(count, n) * 8) / 8)
        parts = {}
        if number == 0 or self.chance(0.5):
            parts["skin"] = self.skin(count)
        if self.chance(0.7):
            parts["blend"] = self.blend(number, count)
        surfaces = [{"simplexes": self.indices(count, max(n, 3), 4)}, {"edges": self.indices(count, 2, 3)}, {}]
        return model.mesh(vertices, surfaces[self.below(2) :][: 1 + self.below(3)], **parts)

    def indices(self, count, width, rows):
        kind = self.pick(*(f"uint{bits}" for bits in (8, 16, 32, 64, 128)), *(f"int{bits}" for bits in (8, 16, 32, 64, 128)))
        picked = np.array([self.random.permutation(count)[:width] if width <= count else self.random.integers(count, size=width) for _ in range(rows)])
        return self.model.accessor(kind, picked)

    def skin(self, count):
        influences = []
        for _ in range(count):
            groups = self.random.permutation(8)[: self.below(6)]  # more groups than some skeletons have joints
            influences.append([(int(group), float(self.random.uniform(0.1, 1))) for group in groups])
        if not all(influences):
            self.features.add("unlisted vertex")
        self.features.update(("weights not summing to 1", "groups beyond the joints"))
        weights = self.pick("float16", "float32", "float64", "float128")
        return self.model.skin(influences, self.pick("uint8", "uint16", "uint32"), self.pick("uint8", "uint16", "uint64", "uint128"), weights)

    def blend(self, number, count):
        shapes = []
        for i in range(1 + self.below(3)):
            moved = sorted(self.random.permutation(count)[: 1 + self.below(count)])
            offsets = 0.3 * self.floats(len(moved), self.dimension)
            target = self.model.target(moved, offsets, self.pick("uint8", "uint16", "uint32"), self.pick("float16", "float32", "float64"))
            shapes.append({"name": f"Shape{number}_{i}", **({"position": target} if self.chance(0.9) else {})})
        self.features.add("blend shapes")
        return {"shapes": shapes, **({"amounts": [float(x) for x in self.floats(len(shapes))]} if self.chance(0.6) else {})}

    def corner_attributes(self, mesh):
        """Normals and texture maps for some surfaces, and blend targets that move them: drawn last, so that the rest stays as it was."""
        model, vertices = self.model, elements(self.model, mesh["vertices"])
        counts = []
        for surface in mesh["surfaces"]:
            indices = surface.get("simplexes", surface.get("edges"))
            counts.append(vertices if indices is None else elements(model, indices) * model.accessors[indices]["vectorSize"])
        widths = {"normals": self.dimension, "textureMap": 2 + self.below(2)}
        for name, width in widths.items():
            values = {}
            for number, surface in enumerate(mesh["surfaces"]):
                if self.chance(0.6):
                    values[number] = self.corner_values(surface, name, counts[number], width)
                    self.features.add(name)
            shapes = mesh.get("blend", {}).get("shapes", [])
            if shapes and self.chance(0.7):
                self.corner_targets(shapes[self.below(len(shapes))], name, values, counts, width)

    def corner_values(self, surface, name, count, width):
        """Adds the attribute; returns how many values it has."""
        bound = self.revision == "2026-07"
        rows = self.floats(1 + self.below(count + 1) if bound else count, width)
        if name == "normals":
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        values = self.model.accessor("float32", rows)
        if not bound:
            surface[name] = values
            return count
        self.features.add("binding")
        if "simplexes" in surface:
            corners = self.model.accessors[surface["simplexes"]]["vectorSize"]
            if self.chance(0.5):
                surface[name] = {"values": values, "simplexes": self.model.accessor("uint16", self.random.integers(len(rows), size=(count // corners, corners)))}
            else:
                surface[name] = {"values": values, "perSimplex": self.model.accessor("uint16", self.random.integers(len(rows), size=count // corners))}
        else:
            part = {"geometryDimension": 1 if "edges" in surface else 0, "decomposeDimension": 0, "accessor": self.model.accessor("uint16", self.random.integers(len(rows), size=count))}
            surface[name] = {"values": values, "geometry": [part]}
        return len(rows)

    def corner_targets(self, shape, name, values, counts, width):
        own = {"normals": "normal"}.get(name, name)
        if self.revision == "2026-07":
            for surface, count in values.items():
                moved = sorted(self.random.permutation(count)[: 1 + self.below(count)])
                entries = shape.setdefault("surfaces", [])
                entry = next((entry for entry in entries if entry["surface"] == surface), None)
                if entry is None:
                    entry = {"surface": surface}
                    entries.append(entry)
                entry[own] = self.model.target(moved, 0.5 * self.floats(len(moved), width))
        else:  # through the corners of all surfaces, with such an attribute or not
            total = sum(counts)
            moved = sorted(self.random.permutation(total)[: 1 + self.below(total)])
            shape[own] = self.model.target(moved, 0.5 * self.floats(len(moved), width))
            if len(values) < len(counts) and name == "normals":
                self.features.add("targets of flat normals")
        self.features.add(f"targets of {name}")

    def instance(self, parent, mesh):
        shapes = self.model.json["meshes"][mesh].get("blend", {}).get("shapes", [])
        amounts = {}
        if shapes and self.revision != "2025-08" and self.chance(0.5):
            amounts = {"blend_amounts": [float(x) for x in self.floats(len(shapes))]}
            self.features.add("amounts of an instance")
        self.model.node(parent, name=f"Body{len(self.model.json['nodes'])}", mesh=mesh, **amounts, **self.transform())

    # what a test needs

    def save(self, folder, name):
        zstd = self.chance(0.3)
        if zstd:
            self.features.add("zstd")
        return self.model.save(f"{folder}/{name}.{'g4b' if self.binary else 'g4tf'}", zstd)

    def pose(self):
        """Changes to most nodes, and to the amounts of most instances, as a pose file says them."""
        nodes, amounts = {}, {}
        for node in self.model.json["nodes"][1:]:
            if self.chance(0.3):
                continue
            change = {"position": [float(x) for x in self.floats(self.dimension)]} if self.chance(0.5) else {}
            if "basis" in node:
                change["basis"] = [float(x) for x in (np.eye(self.dimension) + 0.2 * self.floats(self.dimension, self.dimension)).ravel()]
            else:
                rotor = self.rotor()
                if self.chance(0.8):
                    change["rotor"] = rotor
                if self.chance(0.3):
                    change["scale"] = [float(x) for x in self.random.uniform(0.5, 2, self.dimension)]
            nodes[node["name"]] = change
            mesh = node.get("mesh", node.get("meshInstance", {}).get("mesh"))
            shapes = [] if mesh is None else self.model.json["meshes"][mesh].get("blend", {}).get("shapes", [])
            if shapes and self.chance(0.5):
                amounts[node["name"]] = [float(x) for x in self.floats(len(shapes))]
            elif shapes:
                amounts[node["name"]] = {shapes[0]["name"]: float(self.floats(1)[0])}
        return {"nodes": nodes, "blendAmounts": amounts}
