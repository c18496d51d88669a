# SPDX-License-Identifier: MIT
"""Clips for the random G4MF rigs of g4mf_rigs.py: every path and interpolation, in any dimension (docs/SINEW_animation.md)."""
import numpy as np

from g4mf_rigs import RandomRig


def node_index(rig, name):
    return next(i for i, node in enumerate(rig.model.json["nodes"]) if node.get("name") == name)


class Animator:
    def __init__(self, rig, seed):
        self.rig, self.random = rig, np.random.default_rng(seed)
        self.features = set()

    def keys(self):
        count = int(self.random.integers(1, 5))
        return np.cumsum(self.random.uniform(0.2, 1, count)) - (0.2 if self.random.random() < 0.5 else 0)

    def values(self, path, count):
        n = self.rig.dimension
        if path == "rotor":
            full = 2 ** (n - 1)
            rows = [self.rig.rotor() for _ in range(count)]
            rows = np.array([row + [0.0] * (full - len(row)) for row in rows])
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)
        if path == "scale":
            return self.random.uniform(0.5, 1.5, (count, n)) * np.where(self.random.random((1, n)) < 0.1, -1, 1)
        return self.random.normal(size=(count, n))

    def track(self, node, path, shapes=0):
        times = self.keys()
        interpolation = str(self.random.choice(["LINEAR", "LINEAR", "STEP", "CUBICSPLINE"]))
        self.features.add(f"{path} {interpolation}")
        if path == "blendAmounts":
            rows = self.random.uniform(-0.5, 1.5, (len(times) * (3 if interpolation == "CUBICSPLINE" else 1) * shapes, 1))
        elif interpolation == "CUBICSPLINE":
            rows = np.empty((len(times), 3, len(self.values(path, 1)[0])))
            rows[:, 1] = self.values(path, len(times))
            rows[:, ::2] = self.random.normal(size=rows[:, ::2].shape) * (0.3 if path == "scale" else 1)
            rows = rows.reshape(len(times) * 3, -1)
        else:
            rows = self.values(path, len(times))
        model = self.rig.model
        return {"node": int(node), "path": path, "interpolation": interpolation,
                "times": model.accessor("float32", [float(t) for t in times]),
                "values": model.accessor("float32", rows.tolist() if rows.shape[1] > 1 else rows.ravel().tolist())}

    def clip(self, number):
        nodes = self.rig.model.json["nodes"]
        tracks = []
        for index, node in enumerate(nodes):
            for path in ("position", "rotor", "scale"):
                if index and self.random.random() < (0.35 if path != "scale" else 0.15):
                    tracks.append(self.track(index, path))
            instance = node.get("meshInstance")
            mesh = node.get("mesh") if instance is None else instance["mesh"]
            if mesh is not None and self.random.random() < 0.6:
                blend = self.rig.model.json["meshes"][mesh].get("blend")
                shapes = len(blend.get("shapes", blend.get("targets", []))) if blend else 0
                if shapes:
                    tracks.append(self.track(index, "blendAmounts", shapes))
        return {"name": f"Clip{number}", "tracks": tracks or [self.track(1, "position")]}


def animated_rig(seed, clips=2):
    """A random rig with clips; the same seed gives the same bytes."""
    rig = RandomRig(seed)
    animator = Animator(rig, seed)
    extension = {"clips": [animator.clip(i) for i in range(clips)]}
    rig.model.json["asset"].setdefault("extensionsUsed", []).append("SINEW_animation")
    rig.model.json["extensions"] = {"SINEW_animation": extension}
    rig.features |= animator.features
    return rig
