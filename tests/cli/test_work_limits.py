# SPDX-License-Identifier: MIT
"""The default limit of work is above what real characters need: sinew compare and optimize accept files of their sizes. The limit counts steps, so
that the answer does not depend on the machine."""
import json
import os

import numpy as np

from program import DONE, FINDINGS, SETTINGS, ProgramTest, main, sinew

from gltf_builder import Builder

DEFAULT = 1_000_000_000
# vertices, primitives, joints, clips, keys of a clip, joints that a clip turns
SIZES = {"BrainStem": (34_000, 59, 18, 1, 600, 18), "a bust with 228 clips": (6_000, 4, 60, 228, 30, 4), "a character": (28_000, 3, 60, 20, 40, 60)}


def character(vertices, primitives, joints, clips, keys, turned, edit=None):
    """`edit(points)`: of the first primitive."""
    b, random = Builder(), np.random.default_rng(1)
    for joint in range(joints):
        b.add("nodes", {"name": f"Joint{joint}", "translation": [0, 0.1, 0], **({"children": [joint + 1]} if joint + 1 < joints else {})})
    b.add("nodes", {"name": "Body", "mesh": 0, "skin": 0})
    count, surfaces = vertices // primitives, []
    for _ in range(primitives):
        points, weights = random.normal(size=(count, 3)).astype("<f4"), random.random((count, 4)).astype("<f4")
        if edit and not surfaces:
            edit(points)
        attributes = {"POSITION": b.accessor(points, bounds=True, target=34962), "JOINTS_0": b.accessor(random.integers(0, joints, (count, 4)).astype("u1"), target=34962),
                      "WEIGHTS_0": b.accessor(weights / weights.sum(1, keepdims=True), target=34962)}
        strip = (np.arange(count - 2)[:, None] + [0, 1, 2]).astype("<u4")
        surfaces.append({"attributes": attributes, "indices": b.accessor(strip.reshape(-1), target=34963)})
    b.add("meshes", {"primitives": surfaces})
    b.add("skins", {"joints": list(range(joints)), "inverseBindMatrices": b.accessor(np.tile(np.eye(4, dtype="<f4").reshape(16), (joints, 1)))})
    b.add("scenes", {"nodes": [0, joints]})
    b.json["scene"] = 0
    times = b.accessor(np.linspace(0, 1, keys, dtype="<f4"), bounds=True)
    for number in range(clips):
        clip = {"name": f"Clip{number}", "samplers": [], "channels": []}
        for joint in range(turned):
            turns = random.normal(size=(keys, 4))
            clip["samplers"].append({"input": times, "output": b.accessor((turns / np.linalg.norm(turns, axis=1, keepdims=True)).astype("<f4"))})
            clip["channels"].append({"sampler": joint, "target": {"node": joint, "path": "rotation"}})
        b.add("animations", clip)
    return b


class RealSizes(ProgramTest):
    def compared(self, a, b, *options, status=(DONE, FINDINGS)):
        ran = sinew("compare", a, b, "--json", *options, timeout=120)
        self.assertIn(ran.status, status, str(ran))
        return json.loads(ran.out)

    def test_compare_accepts_characters(self):
        def move(points):
            points[5] += 1

        for name, size in SIZES.items():
            with self.subTest(name):
                a, b = character(*size).save(self.path("a.glb")), character(*size, move).save(self.path("b.glb"))
                self.assertEqual(self.compared(a, b, "--limit", f"work={DEFAULT // 2}")["verdict"], "different")  # larger files fit, too

    def test_optimize_accepts_characters(self):
        """Half of the vertices, a tenth of the moments and a twentieth of the limit: the comparison of each step takes most of the work."""
        for name, (vertices, *shape, clips, keys, turned) in SIZES.items():
            with self.subTest(name):
                fewer = (clips // 10, keys) if clips >= 10 else (clips, keys // 10)
                source = character(vertices // 2, *shape, *fewer, turned).save(self.path("in.glb"))
                self.succeeds("optimize", source, "-o", self.path("out.glb"), "--max-error", 1e-3, "--limit", f"work={DEFAULT // 20}", "--steps",
                              "quantize", timeout=120)

    def test_the_largest_real_files(self):
        files = [os.path.join(folder, name) for part in ("real", "corpus") if SETTINGS.shared
                 for folder, _, names in os.walk(os.path.join(SETTINGS.shared, part)) for name in names if name.endswith((".glb", ".gltf"))]
        if not files:
            self.skipTest("no shared folder")
        for path in sorted(files, key=os.path.getsize)[-2:]:
            with self.subTest(os.path.basename(path)):
                self.compared(path, path, status=(DONE,))


if __name__ == "__main__":
    main()
