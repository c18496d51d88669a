# SPDX-License-Identifier: MIT
"""sinew merge --weights: clothes without weights get those of the body's surface beside them. At rest nothing moves."""
import json
import os
import unittest

import numpy as np

from program import FINDINGS, UNSUPPORTED, USAGE, ProgramTest, SETTINGS, main, sinew

from garments import BODY, g4mf_piece, piece, turn
from gltf_builder import Builder
from gltf_oracle import Document

SIDES, RINGS, LENGTH = 24, 41, 2.0  # a tube along x from -1 to 1, with a joint at x = -1 and one at x = 0


def tube(radius=0.25, first=-1.0, last=1.0, rings=RINGS, seam=False):
    """Positions and triangles; `seam`: the first column of vertices is stored twice."""
    sides = SIDES + 1 if seam else SIDES
    angles = 2 * np.pi * (np.arange(sides) % SIDES) / SIDES
    points = [[x, radius * np.cos(a), radius * np.sin(a)] for x in np.linspace(first, last, rings) for a in angles]
    faces = []
    for ring in range(rings - 1):
        for i in range(SIDES):
            a, b = ring * sides + i, ring * sides + (i + 1) % sides
            faces += [[a, b, a + sides], [b, b + sides, a + sides]]
    return np.array(points), np.array(faces)


def tube_weights(points):
    """Of the second joint: 0 to the left of -0.3, 1 to the right of 0.3."""
    right = np.clip((points[:, 0] + 0.3) / 0.6, 0, 1)
    right = right * right * (3 - 2 * right)
    right[right < 0.02] = 0  # smaller weights are cut
    right[right > 0.98] = 1
    return np.stack([1 - right, right], axis=1)


def box(center, size):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2 + np.array(center)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7],
             [1, 7, 3]]
    return corners, np.array(faces)


def body(weights=None, stored="<f4"):
    b = Builder()
    points, faces = tube()
    values = tube_weights(points) if weights is None else weights
    rows = np.zeros((len(points), 4))
    rows[:, :2] = values
    packed = rows.astype("<f4")
    if stored == "<u1":
        packed = np.round(rows * 255).astype("<u1")
        packed[:, 0] = 255 - packed[:, 1]
    joints = np.tile([0, 1, 0, 0], (len(points), 1))
    attributes = {"POSITION": b.accessor(points.astype("<f4"), bounds=True), "JOINTS_0": b.accessor(joints.astype("<u1")),
                  "WEIGHTS_0": b.accessor(packed, normalized=stored != "<f4")}
    b.add("meshes", {"name": "Body", "primitives": [{"attributes": attributes, "indices": b.accessor(faces.astype("<u2").reshape(-1))}]})
    b.add("nodes", {"name": "Left", "translation": [-1, 0, 0], "children": [1]})
    b.add("nodes", {"name": "Right", "translation": [1, 0, 0]})
    b.add("nodes", {"name": "Body", "mesh": 0, "skin": 0})
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[0, 3, 0] = 1
    b.add("skins", {"joints": [0, 1], "inverseBindMatrices": b.accessor(bind.astype("<f4").reshape(-1, 16))})
    b.add("scenes", {"nodes": [0, 2]})
    b.json["scene"] = 0
    return b


def cloth(*parts, name="Cloth", **node):
    """A mesh without a skin, of (points, faces) that are one primitive."""
    b = Builder()
    points, faces = [], []
    for own, triangles in parts:
        faces += (triangles + sum(map(len, points))).tolist()
        points.append(own)
    attributes = {"POSITION": b.accessor(np.concatenate(points).astype("<f4"), bounds=True)}
    indices = b.accessor(np.array(faces, "<u4").reshape(-1))
    b.add("meshes", {"name": name, "primitives": [{"attributes": attributes, "indices": indices}]})
    b.add("nodes", {"name": name, "mesh": 0, **node})
    b.add("scenes", {"nodes": [0]})
    b.json["scene"] = 0
    return b


def bare(path, to):
    """Writes a copy of a file whose meshes have no skin and no weights; returns its path."""
    document = Document(path)
    content = document.json
    content.pop("skins", None)
    for node in content["nodes"]:
        node.pop("skin", None)
    for mesh in content["meshes"]:
        for primitive in mesh["primitives"]:
            for key in [k for k in primitive["attributes"] if k.startswith(("JOINTS_", "WEIGHTS_"))]:
                del primitive["attributes"][key]
    content.pop("animations", None)
    with open(to, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return to


def weights_of(path, node):
    """Weights by vertex and name of the joint, of the node with this name."""
    document = Document(path)
    content = document.json
    own = next(n for n in content["nodes"] if n.get("name") == node)
    names = [content["nodes"][j]["name"] for j in content["skins"][own["skin"]]["joints"]]
    out = []
    for primitive in content["meshes"][own["mesh"]]["primitives"]:
        attributes = primitive["attributes"]
        rows = None
        for s in range(8):
            if f"JOINTS_{s}" not in attributes:
                break
            joints = document.values(attributes[f"JOINTS_{s}"]).astype(int)
            values = document.values(attributes[f"WEIGHTS_{s}"]).astype(float)
            rows = np.zeros((len(joints), len(names))) if rows is None else rows
            for column in range(4):
                np.add.at(rows, (np.arange(len(joints)), joints[:, column]), values[:, column])
        out.append(rows)
    return np.concatenate(out), names


class MergeWeights(ProgramTest):
    def save(self, name, built):
        return built.save(self.path(name))

    def merge(self, body_path, *clothes, options=(), out="merged.glb"):
        ran = self.succeeds("merge", body_path, *clothes, "-o", self.path(out), "--json", *options)
        return json.loads(ran.out)["weights"], self.path(out), ran

    def assert_rest_unmoved(self, merged, *files):
        want = np.concatenate([self.deform(path) for path in files])
        got = self.deform(merged)
        size = np.linalg.norm(want.max(axis=0) - want.min(axis=0))
        self.assertEqual(got.shape, want.shape)
        self.assertLessEqual(np.abs(got - want).max() / size, 1e-6)

    def errors(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return [m for m in report["issues"]["messages"] if m["severity"] == 0]

    # exact answers

    def test_the_own_surface_gets_its_weights_back(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        (row,), merged, _ = self.merge(own, shirt)
        self.assertEqual(row["vertices"], {"total": SIDES * RINGS, "matched": SIDES * RINGS, "inpainted": 0, "far": 0})
        self.assertEqual((row["mesh"], row["mode"], row["from"]), ("Cloth", "auto", ["Body"]))
        got, names = weights_of(merged, "Cloth")
        self.assertEqual(names, ["Left", "Right"])
        np.testing.assert_allclose(got, tube_weights(tube()[0]), atol=1e-5)
        self.assert_rest_unmoved(merged, own, shirt)
        self.assertEqual(self.errors(merged), [])
        pose = self.write("pose.json", {"nodes": {"Right": {"rotation": turn("z", 60)}}})
        rows = self.deform(merged, "--pose", pose)
        np.testing.assert_allclose(rows[:len(rows) // 2], rows[len(rows) // 2:], atol=1e-5)

    def test_a_tube_around_it_gets_the_weights_at_its_places(self):
        points, faces = tube(0.27, -0.8, 0.8, 33)
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth((points, faces)))
        (row,), merged, _ = self.merge(own, shirt)
        self.assertEqual(row["vertices"]["matched"], len(points))
        self.assertAlmostEqual(row["distance"]["median"] * np.linalg.norm(np.ptp(points, axis=0)), 0.02, delta=0.002)
        np.testing.assert_allclose(weights_of(merged, "Cloth")[0], tube_weights(points), atol=0.02)

    def test_the_node_of_the_clothes_places_them(self):
        points, faces = tube(0.27, -0.8, 0.8, 33)
        moved = (points - np.array([3, -2, 1])) / 0.5
        own = self.save("body.glb", body())
        shirt = self.save("cloth.glb", cloth((moved, faces), translation=[3, -2, 1], scale=[0.5, 0.5, 0.5]))
        _, merged, _ = self.merge(own, shirt)
        np.testing.assert_allclose(weights_of(merged, "Cloth")[0], tube_weights(points), atol=0.02)
        self.assert_rest_unmoved(merged, own, shirt)
        matrices = Document(merged).values(Document(merged).json["skins"][1]["inverseBindMatrices"])
        want = np.diag([0.5, 0.5, 0.5, 1.0])
        want[:3, 3] = [4, -2, 1]
        np.testing.assert_allclose(np.asarray(matrices[0]).reshape(4, 4).T, want, atol=1e-6)

    def test_far_rings_continue_the_weights_of_the_others(self):
        points, faces = tube(0.26, -0.9, 0.9, 37)
        wide = np.abs(points[:, 0]) < 0.12  # a bulge at the joint, too far from the body
        points[wide, 1:] *= 2.2
        below = np.abs(tube()[0][:, :1]) < 0.13  # what the bulge must not copy
        own = self.save("body.glb", body(np.where(below, tube_weights(tube()[0])[:, ::-1], tube_weights(tube()[0]))))
        shirt = self.save("cloth.glb", cloth((points, faces)))
        (row,), merged, _ = self.merge(own, shirt)
        self.assertGreater(row["vertices"]["inpainted"], SIDES)
        self.assertEqual(row["vertices"]["far"], 0)
        right = weights_of(merged, "Cloth")[0][:, 1].reshape(37, SIDES)
        self.assertLess(np.ptp(right, axis=1).max(), 0.02)  # as round as the mesh
        self.assertTrue((np.diff(right.mean(axis=1)) > -0.01).all())  # no limb in between
        np.testing.assert_allclose(right.mean(axis=1)[18], 0.5, atol=0.05)
        self.assertGreater(right.mean(axis=1)[20], 0.55)

    def test_seams_do_not_tear(self):
        points, faces = tube(0.26, -0.9, 0.9, 37, seam=True)
        wide = np.abs(points[:, 0]) < 0.12
        points[wide, 1:] *= 2.2
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth((points, faces)))
        _, merged, _ = self.merge(own, shirt)
        got = weights_of(merged, "Cloth")[0].reshape(37, SIDES + 1, 2)
        np.testing.assert_array_equal(got[:, 0], got[:, -1])
        self.assertLess(np.ptp(got[:, :, 1], axis=1).max(), 0.02)  # the seam is no border

    # pieces

    def test_two_parts_are_two_pieces(self):
        left, right = tube(0.27, -0.9, -0.4, 11), tube(0.27, 0.4, 0.9, 11)
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(left, right))
        (row,), merged, _ = self.merge(own, shirt)
        self.assertEqual(row["pieces"], {"total": 2, "withoutMatch": 0})
        got = weights_of(merged, "Cloth")[0]
        np.testing.assert_allclose(got[:len(left[0])], [[1, 0]] * len(left[0]), atol=1e-6)
        np.testing.assert_allclose(got[len(left[0]):], [[0, 1]] * len(right[0]), atol=1e-6)

    def test_a_button_stays_rigid(self):
        shirt, button = tube(0.27, -0.8, 0.8, 33), box([0.05, 0.42, 0], 0.04)
        own, clothes = self.save("body.glb", body()), self.save("cloth.glb", cloth(shirt, button))
        (row,), merged, _ = self.merge(own, clothes)
        self.assertEqual(row["pieces"], {"total": 2, "withoutMatch": 1})
        self.assertEqual(row["vertices"]["far"], 0)
        got = weights_of(merged, "Cloth")[0][len(shirt[0]):]
        np.testing.assert_array_equal(got, [got[0]] * 8)
        self.assertAlmostEqual(got[0, 1], tube_weights(np.array([[0.05, 0, 0]]))[0, 1], delta=0.05)

    def test_a_piece_away_from_everything_follows_the_nearest_bone(self):
        shirt, ball = tube(0.27, -0.8, 0.8, 33), box([1.2, 3, 0], 0.2)
        own, clothes = self.save("body.glb", body()), self.save("cloth.glb", cloth(shirt, ball))
        (row,), merged, ran = self.merge(own, clothes)
        self.assertEqual(row["vertices"]["far"], 8)
        self.assertEqual(row["farVertices"], list(range(len(shirt[0]), len(shirt[0]) + 8)))
        self.assertIn("8 of 800 vertices lie away from the body, expected 0", ran.err)
        self.assertEqual(len(row["warnings"]), 1)
        np.testing.assert_array_equal(weights_of(merged, "Cloth")[0][len(shirt[0]):], [[0, 1]] * 8)
        refused = sinew("merge", own, clothes, "-o", self.path("no.glb"), "--fail-on", "loss")
        self.assertEqual(refused.status, FINDINGS)
        self.assertFalse(os.path.exists(self.path("no.glb")))

    # options

    def test_meshes_elsewhere_stay_as_they_are(self):
        own, hat = self.save("body.glb", body()), self.save("hat.glb", cloth(box([0, 2, 0], 0.3), name="Hat"))
        rows, merged, ran = self.merge(own, hat)
        self.assertEqual(rows, [])
        self.assertIn("the mesh \"Hat\" gets no weights: it lies 1.6 away", ran.err)
        self.assertEqual(len(Document(merged).json["skins"]), 1)
        self.fails(FINDINGS, "merge", own, hat, "-o", self.path("no.glb"), "--weights", "transfer",
                   says=["the mesh \"Hat\" can get no weights, so nothing was written: it lies 1.6 away"])
        self.assertFalse(os.path.exists(self.path("no.glb")))

    def test_keep_gives_no_weights(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        rows, merged, _ = self.merge(own, shirt, options=["--weights", "keep"])
        self.assertEqual(rows, [])
        self.assertEqual(len(Document(merged).json["skins"]), 1)

    def test_transfer_replaces_weights(self):
        wrong = body(weights=np.tile([1.0, 0.0], (SIDES * RINGS, 1)))
        own, shirt = self.save("body.glb", body()), wrong.save(self.path("shirt.glb"))
        rows, merged, _ = self.merge(own, shirt)
        self.assertEqual(rows, [])
        (row,), merged, _ = self.merge(own, shirt, options=["--weights", "transfer"])
        self.assertEqual((row["mode"], row["reason"]), ("transfer", "requested"))
        np.testing.assert_allclose(weights_of(merged, "shirt_Body")[0], tube_weights(tube()[0]), atol=1e-5)
        self.assertEqual([n.get("name") for n in Document(merged).json["nodes"]], ["Left", "Right", "Body", "shirt_Body"])
        self.assert_rest_unmoved(merged, own, shirt)

    def test_integers_of_the_body_stay_integers(self):
        own, shirt = self.save("body.glb", body(stored="<u1")), self.save("cloth.glb", cloth(tube(0.27, -0.8, 0.8, 33)))
        _, merged, _ = self.merge(own, shirt)
        content = Document(merged).json
        weights = content["accessors"][content["meshes"][1]["primitives"][0]["attributes"]["WEIGHTS_0"]]
        self.assertEqual((weights["componentType"], weights["normalized"]), (5121, True))
        sums = weights_of(merged, "Cloth")[0].sum(axis=1)
        np.testing.assert_allclose(sums, 1, atol=1e-9)
        self.assertEqual(self.errors(merged), [])

    def test_influences_are_limited(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        (row,), merged, _ = self.merge(own, shirt, options=["--max-influences", "1"])
        self.assertEqual(row["influences"]["max"], 1)
        self.assertGreater(row["influences"]["dropped"], 0)
        self.assertAlmostEqual(row["influences"]["largestDroppedWeight"], 0.5, delta=0.02)
        self.assertEqual(set(np.unique(weights_of(merged, "Cloth")[0])), {0.0, 1.0})

    def test_angles_and_distances_select_the_matches(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube(0.3, -0.8, 0.8, 33)))
        (near,), _, _ = self.merge(own, shirt, options=["--weights-distance", "0.01"])
        self.assertEqual(near["vertices"]["matched"], 0)
        (wide,), _, _ = self.merge(own, shirt, options=["--weights-distance", "0.06"])
        self.assertEqual(wide["vertices"]["matched"], SIDES * 33)
        points, faces = tube(0.26, -0.8, 0.8, 33)
        points[:, 1:] *= 1 + 0.05 * (np.arange(len(points)) // SIDES % 3)[:, None]  # a saw
        rough = self.save("rough.glb", cloth((points, faces)))
        (strict,), _, _ = self.merge(own, rough, options=["--weights-angle", "1"])
        (loose,), _, _ = self.merge(own, rough, options=["--weights-angle", "90"])
        self.assertLess(strict["vertices"]["matched"], loose["vertices"]["matched"])

    def test_threads_do_not_matter(self):
        points, faces = tube(0.26, -0.9, 0.9, 37)
        points[np.abs(points[:, 0]) < 0.12, 1:] *= 2.2
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth((points, faces), box([0.05, 0.8, 0], 0.04)))
        files = []
        for threads in ("1", "2"):
            out = self.path(f"out{threads}.glb")
            self.succeeds("merge", own, shirt, "-o", out, "--threads", threads)
            with open(out, "rb") as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])

    def test_two_nodes_of_one_mesh_get_their_own_weights(self):
        points, faces = tube(0.27, -0.3, 0.3, 13)
        built = cloth((points, faces), translation=[-0.5, 0, 0])
        built.add("nodes", {"name": "Other", "mesh": 0, "translation": [0.5, 0, 0]})
        built.json["scenes"][0]["nodes"].append(1)
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", built)
        rows, merged, _ = self.merge(own, shirt)
        self.assertEqual(len(rows), 2)
        for name, shift in (("Cloth", -0.5), ("Other", 0.5)):
            np.testing.assert_allclose(weights_of(merged, name)[0], tube_weights(points + np.array([shift, 0, 0])), atol=0.02)
        self.assert_rest_unmoved(merged, own, shirt)

    def test_a_mesh_below_a_bone_follows_that_bone(self):
        built = body()  # skinned, with a ring on a bone
        points, faces = tube(0.27, -0.3, 0.3, 13)
        ring = {"attributes": {"POSITION": built.accessor(points.astype("<f4"), bounds=True)},
                "indices": built.accessor(faces.astype("<u2").reshape(-1))}
        built.add("meshes", {"name": "Ring", "primitives": [ring]})
        built.add("nodes", {"name": "Ring", "mesh": 1, "translation": [0.5, 0, 0]})
        built.json["nodes"][0]["children"].append(3)
        own = self.save("body.glb", body())
        rows, merged, _ = self.merge(own, self.save("cloth.glb", built))
        self.assertEqual(rows, [])
        ring = next(n for n in Document(merged).json["nodes"] if n.get("name") == "Ring")
        self.assertNotIn("skin", ring)
        self.merge(own, self.save("cloth.glb", built), options=["--weights", "transfer"])
        self.assertEqual(len(weights_of(self.path("merged.glb"), "Ring")[0]), len(points))

    def test_a_mesh_that_a_kept_animation_moves_stays_as_it_is(self):
        built = cloth(tube(0.27, -0.3, 0.3, 13))
        built.add("animations", {
            "name": "Spin",
            "samplers": [{"input": built.accessor(np.array([0, 1], "<f4"), bounds=True),
                          "output": built.accessor(np.array([[0, 0, 0, 1], turn("x", 90)], "<f4"))}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]})
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", built)
        rows, merged, _ = self.merge(own, shirt, options=["--animation", "all"])
        self.assertEqual((rows, len(Document(merged).json["skins"])), ([], 1))
        rows, _, _ = self.merge(own, shirt)
        self.assertEqual(len(rows), 1)

    def test_joined_meshes_keep_the_weights(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        self.merge(own, shirt, options=["--join"])
        got, _ = weights_of(self.path("merged.glb"), "Body")
        np.testing.assert_allclose(got[len(got) // 2:], tube_weights(tube()[0]), atol=1e-5)

    # errors

    def test_a_body_without_a_skinned_surface(self):
        points = body()
        points.json["meshes"][0]["primitives"][0]["mode"] = 0
        del points.json["meshes"][0]["primitives"][0]["indices"]
        own, shirt = self.save("body.glb", points), self.save("cloth.glb", cloth(tube()))
        self.fails(FINDINGS, "merge", own, shirt, "-o", self.path("no.glb"), "--weights", "transfer",
                   says=["found no skinned mesh with triangles and weights among the 1 meshes of the body"])
        rows, _, _ = self.merge(own, shirt)
        self.assertEqual(rows, [])

    def test_names_that_the_body_lacks(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        self.fails(USAGE, "merge", own, shirt, "-o", self.path("no.glb"), "--weights-from", "Bdy",
                   says=["no mesh of the body is named \"Bdy\"", "Body"])
        (row,), _, _ = self.merge(own, shirt, options=["--weights-from", "Body"])
        self.assertEqual(row["from"], ["Body"])

    def test_g4mf_is_refused(self):
        own = g4mf_piece(BODY, "Body").save(self.path("body.g4b"))
        shirt = g4mf_piece(BODY, "Shirt").save(self.path("shirt.g4b"))
        self.fails(UNSUPPORTED, "merge", own, shirt, "-o", self.path("no.g4b"), "--weights", "transfer",
                   says=["weights of clothes can be transferred in glTF only"])

    def test_too_much_work(self):
        own, shirt = self.save("body.glb", body()), self.save("cloth.glb", cloth(tube()))
        ran = sinew("merge", own, shirt, "-o", self.path("no.glb"), "--limit", "work=50000")
        self.assertEqual(ran.status, 3, ran)
        self.assertIn("the transferred weights", ran.err)


if __name__ == "__main__":
    main()
