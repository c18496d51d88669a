# SPDX-License-Identifier: MIT
"""Random rigs whose sums are hard for float32, with their exact vertices: weights that cancel, many small weights, products that float32
cannot hold. Evaluated in long double from the numbers that the file stores; shares no code with the program.

    python3 extreme_rigs.py KIND SEED OUT        writes one model (see KINDS)
"""
import sys

import numpy as np

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder

LD = np.longdouble
FRAMES = 5  # of the clips, at equal distances


def turn(quaternion):
    x, y, z, w = (LD(q) for q in quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]], LD)


class ExtremeRig:
    """One mesh, with or without a skin. `poses`: exact vertices at rest, and (glTF) at FRAMES times of a clip."""

    def __init__(self, kind, seed):
        self.rng = np.random.default_rng([KINDS.index(kind), seed])
        self.kind, self.seed, self.dimension = kind, seed, 3
        self.count = int(self.rng.integers(3, 40))
        getattr(self, kind)()

    def floats(self, *shape, size=1.0):
        return (self.rng.normal(size=shape) * size).astype("<f4")

    def power(self, low, high):
        return float(10 ** self.rng.uniform(low, high))

    def rows(self, entries, joints):
        """Weights of each vertex in whole sets of four: [(joint, weight)] per vertex → arrays."""
        sets = max(1, -(-max(map(len, entries)) // 4))
        slots, weights = np.zeros((self.count, 4 * sets), "<u2"), np.zeros((self.count, 4 * sets), "<f4")
        for vertex, row in enumerate(entries):
            for i, (joint, weight) in enumerate(row):
                slots[vertex, i], weights[vertex, i] = joint % joints, weight
        return slots, weights

    def ordinary(self, joints):
        share = self.rng.dirichlet(np.ones(3))
        return [(int(self.rng.integers(joints)), float(w)) for w in share]

    # the kinds

    def cancelling(self):
        """Large weights of both signs: of one joint, of two joints at one place, or of any two; the other vertices are ordinary."""
        joints, size = 4, self.power(0.5, 10)
        entries = []
        for _ in range(self.count):
            row = self.ordinary(joints)
            if self.rng.random() < 0.6:
                first = int(self.rng.integers(joints))
                second = {0: first, 1: first ^ 1}[int(self.rng.integers(2))]
                weight = np.float32(size * self.rng.uniform(0.5, 1))
                row += [(first, float(weight)), (second, -float(weight))] if self.rng.random() < 0.7 else [(first, float(weight)), (second, float(np.float32(1) - weight))]
                self.rng.shuffle(row)
            entries.append([(int(j), w) for j, w in row])
        self.skinned(entries, joints)

    def many(self):
        """A weight of about 1 and hundreds of small ones."""
        small = 2.0 ** -self.rng.uniform(20, 27)
        entries = [[(0, 1.0)] + [(int(self.rng.integers(4)), small)] * int(self.rng.integers(100, 400)) for _ in range(self.count)]
        self.skinned(entries, 4)

    def small_sums(self):
        """Weights of both signs whose sum is small for every vertex."""
        entries = []
        for _ in range(self.count):
            weights = self.floats(3, size=0.3)
            rest = np.float32(self.power(-6, -2) - float(weights.astype(float).sum()))
            entries.append([(int(self.rng.integers(2)), float(w)) for w in (*weights, rest)])
        self.skinned(entries, 2, alike=True)

    def tiny_weights(self):
        """Products of weights and scales below the smallest float32."""
        weight, scale = self.power(-35, -20), self.power(-20, -12)
        entries = [[(int(self.rng.integers(2)), weight * float(self.rng.uniform(0.5, 1))) for _ in range(3)] for _ in range(self.count)]
        self.skinned(entries, 2, scale=scale, size=self.power(-6, -1) / weight / scale if weight * scale > 1e-38 else 1e37, shift=0)

    def tiny_scale(self):
        """A node whose scale makes large vertices small."""
        self.unskinned(self.power(-46, -36), self.power(35, 37.5))

    def chain(self):
        """Scales that cancel along the hierarchy, and vertices that leave the range of float32 before they are scaled."""
        self.unskinned(self.power(-38, 0), self.power(30, 37.5), above=self.power(-30, 30))

    def large_maps(self):
        """Products of weights and maps above the largest float32."""
        weight = self.power(5, 12)
        entries = [[(0, weight), (1, -weight * float(self.rng.uniform(0, 0.9)))] for _ in range(self.count)]
        self.skinned(entries, 2, scale=self.power(20, 30), size=self.power(-20, -5), shift=0)

    def shapes(self):
        """Offsets that cancel, or whose products float32 cannot hold."""
        self.unskinned(1.0, 1.0, shapes=[(self.power(2, 7), 1.0)] if self.rng.random() < 0.5 else [(self.power(-45, -36), self.power(36, 37.5))])

    # glTF

    def skinned(self, entries, joints, scale=1.0, size=1.0, shift=1.0, alike=False):
        base = self.floats(self.count, 3, size=size)
        slots, weights = self.rows(entries, joints)
        builder = Builder()
        attributes = {"POSITION": builder.accessor(base, bounds=True, target=34962)}
        for i in range(slots.shape[1] // 4):
            attributes[f"JOINTS_{i}"] = builder.accessor(slots[:, 4 * i:4 * i + 4], target=34962)
            attributes[f"WEIGHTS_{i}"] = builder.accessor(weights[:, 4 * i:4 * i + 4], target=34962)
        builder.add("meshes", {"primitives": [{"attributes": attributes, "mode": 0}]})
        builder.add("nodes", {"mesh": 0, "skin": 0})
        locals_ = []
        for joint in range(joints):
            if alike and joint or joint % 2 and self.rng.random() < 0.5:  # at the place of another one
                locals_.append(locals_[-1])
            else:
                q = self.rng.normal(size=4)
                locals_.append(((self.rng.normal(size=3) * shift).tolist(), (q / np.linalg.norm(q)).tolist(), scale))
            t, q, s = locals_[-1]
            builder.add("nodes", {"translation": t, "rotation": q, "scale": [s] * 3})
        builder.add("skins", {"joints": list(range(1, joints + 1))})
        builder.add("scenes", {"nodes": list(range(joints + 1))})
        end = self.animate(builder, 1, locals_[0][0], shift)
        self.builder = builder

        def at(moved):
            out = np.zeros((self.count, 3), LD)
            for joint, (t, q, s) in enumerate(locals_):
                place = moved if joint == 0 and moved is not None else np.array(t, LD)
                world = (turn(q) * LD(s) @ base.astype(LD).T).T + place
                for i in range(slots.shape[1]):
                    out += np.where((slots[:, i] == joint)[:, None], weights[:, i, None].astype(LD) * world, 0)
            return out

        self.poses = [at(None)] + [at(end[0] * (1 - LD(t)) + end[1] * LD(t)) for t in np.linspace(0, 1, FRAMES)]

    def unskinned(self, scale, size, above=None, shapes=()):
        base = self.floats(self.count, 3, size=size if not shapes or self.rng.random() < 0.5 else 1.0)
        base = np.clip(base, -3e38, 3e38).astype("<f4")
        builder = Builder()
        primitive = {"attributes": {"POSITION": builder.accessor(base, bounds=True, target=34962)}, "mode": 0}
        amounts, offsets = [], []
        for amount, large in shapes:
            offsets += [self.floats(self.count, 3, size=large)] * 2
            amounts += [amount, -amount * float(self.rng.uniform(0, 1)) if amount < 1 else 1 - amount]
        mesh = {"primitives": [primitive]}
        if amounts:
            primitive["targets"] = [{"POSITION": builder.accessor(o, bounds=True, target=34962)} for o in offsets]
            mesh["weights"] = amounts
        builder.add("meshes", mesh)
        place = self.rng.normal(size=3) * min(1.0, scale * size)
        builder.add("nodes", {"mesh": 0, "scale": [scale] * 3, "translation": place.tolist()})
        top = 0
        if above is not None:
            top = builder.add("nodes", {"children": [0], "scale": [above] * 3})
        builder.add("scenes", {"nodes": [top]})
        end = self.animate(builder, 0, place.tolist(), min(1.0, scale * size))
        self.builder = builder
        blended = base.astype(LD)
        for amount, offset in zip(amounts, offsets):
            blended = blended + LD(amount) * offset.astype(LD)

        def at(moved):
            return LD(1 if above is None else above) * (LD(scale) * blended + moved)

        self.poses = [at(np.array(place, LD))] + [at(end[0] * (1 - LD(t)) + end[1] * LD(t)) for t in np.linspace(0, 1, FRAMES)]

    def animate(self, builder, node, place, shift):
        ends = (np.array([place, place]) + self.rng.normal(size=(2, 3)) * 0.3 * shift).astype("<f4")
        sampler = {"input": builder.accessor(np.array([0, 1], "<f4"), bounds=True), "output": builder.accessor(ends)}
        builder.add("animations", {"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}}]})
        return ends.astype(LD)

    # G4MF of 2 to 6 dimensions, at rest: each map of the skeleton is the identity

    def g4mf_weights(self):
        big = self.power(1, 9)
        rows = [[(0, 1.0), (1, big * float(self.rng.uniform(0.5, 1))), (2, 0.0)] for _ in range(self.count)]
        self.g4mf([[(g, w) for g, w in row[:2]] + [(2, 1 - row[1][1] * float(self.rng.choice([1, 1, 0.5])))] for row in rows], 1.0, 1.0)

    def g4mf_scale(self):
        self.g4mf(None, self.power(-46, -36), self.power(35, 37.5))

    def g4mf(self, influences, scale, size):
        n = self.dimension = int(self.rng.integers(2, 7))
        base = np.clip(self.floats(self.count, n, size=size), -3e38, 3e38).astype("<f4")
        builder = G4mfBuilder(n)
        builder.node(name="Root")
        top = builder.node(0, name="Rig", position=[0.25 * scale * size] * n, scale=[scale], **({"skeleton": {"joints": [2, 3, 4]}} if influences else {}))
        for bone in range(3 if influences else 0):
            builder.node(top, name=f"Bone{bone}", bone={}, position=[0.5 * bone] * n)
        skin = {"skin": builder.skin(influences, weight_kind=str(self.rng.choice(["float32", "float64"])))} if influences else {}
        weights = skin and builder.accessors[skin["skin"]["weights"]]["componentType"]
        builder.node(top, name="Mesh", mesh=builder.mesh(builder.accessor("float32", base), [], **skin))
        self.builder = builder
        del weights
        self.poses = [LD(scale) * base.astype(LD) + LD(0.25 * scale * size)]

    def save(self, folder):
        end = "g4b" if self.kind.startswith("g4mf") else "gltf" if self.seed % 2 else "glb"
        return self.builder.save(f"{folder}/{self.kind}{self.seed}.{end}")


KINDS = ["cancelling", "many", "small_sums", "tiny_weights", "tiny_scale", "chain", "large_maps", "shapes", "g4mf_weights", "g4mf_scale"]


if __name__ == "__main__":
    print(ExtremeRig(sys.argv[1], int(sys.argv[2])).save(sys.argv[3]))
