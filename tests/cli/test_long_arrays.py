# SPDX-License-Identifier: MIT
"""Long arrays are checked in pieces on all cores: a defect in a late piece is found and reported at its place."""
import json

import numpy as np

from program import ProgramTest, main, sinew

from gltf_builder import Builder

VERTICES = 300_000


class LongArrays(ProgramTest):
    def found(self, change):
        """Code, pointer and message of the findings about a long strip of triangles, after `change(normals, triangles)`."""
        builder = Builder()
        positions = np.zeros((VERTICES, 3), "<f4")
        positions[:, 0] = np.arange(VERTICES)
        normals = np.tile(np.array([0, 0, 1], "<f4"), (VERTICES, 1))
        first = np.arange(VERTICES - 2, dtype="<u4")
        triangles = np.stack([first, first + 1, first + 2], axis=1)
        change(normals, triangles)
        primitive = {
            "attributes": {
                "POSITION": builder.accessor(positions, bounds=True, target=34962),
                "NORMAL": builder.accessor(normals, target=34962),
            },
            "indices": builder.accessor(triangles.reshape(-1), target=34963),
        }
        builder.add("meshes", {"primitives": [primitive]})
        builder.add("nodes", {"mesh": 0})
        builder.json.update(scene=0, scenes=[{"nodes": [0]}])
        ran = sinew("validate", "--format", "json", builder.save(self.path("long.glb")))
        report = json.loads(ran.out)
        return [(m["code"], m["pointer"], m["message"]) for m in report["issues"]["messages"]]

    def test_nothing_is_wrong(self):
        self.assertEqual(self.found(lambda normals, triangles: None), [])

    def test_a_late_vertex_that_is_none(self):
        def change(_, triangles):
            triangles[290_000, 1] = VERTICES + 7

        [(code, pointer, message)] = [found for found in self.found(change) if found[0] == "ACCESSOR_INDEX_OOB"]
        self.assertEqual(pointer, "/meshes/0/primitives/0/indices")
        self.assertIn(str(VERTICES + 7), message)
        self.assertIn(str(290_000 * 3 + 1), message)

    def test_degenerate_triangles_of_all_pieces_are_counted(self):
        def change(_, triangles):
            triangles[::1000, 2] = triangles[::1000, 0]

        [(code, pointer, message)] = self.found(change)
        self.assertEqual((code, pointer), ("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", "/meshes/0/primitives/0/indices"))
        self.assertIn("300 of 299998", message.replace(",", ""))

    def test_late_normals_are_reported_in_order(self):
        for rows in ((299_999,), (5, 150_000, 299_999)):
            with self.subTest(rows):
                found = self.found(lambda normals, _, rows=rows: np.put(normals, [3 * row + 2 for row in rows], 2))
                self.assertEqual([code for code, _, _ in found], ["ACCESSOR_VECTOR3_NON_UNIT"] * len(rows))
                for (_, pointer, message), row in zip(found, rows):
                    self.assertEqual(pointer, "/meshes/0/primitives/0/attributes/NORMAL")
                    self.assertIn(str(row), message)


if __name__ == "__main__":
    main()
