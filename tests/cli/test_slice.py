# SPDX-License-Identifier: MIT
"""`sinew slice`: slices compared with a separate cut in numpy (a polygon for every tetrahedron), known bodies, several cuts, errors."""
import base64
import json
import os
import struct
import zlib
from collections import Counter
from itertools import combinations, product

import numpy as np

from program import DONE, INPUT, ROOT, USAGE, ProgramTest, main, samples, sinew

import g4mf_oracle as oracle
import gltf_oracle
from g4mf_builder import Builder
from gltf_builder import tutorial_skin

SAMPLES = os.path.join(ROOT, "samples", "g4mf")


def read_off(path):
    """(positions, faces) of OFF or nOFF."""
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    dimension = 3
    if words[0] == "nOFF":
        dimension = int(words.pop(1))
    vertices, faces = int(words[1]), int(words[2])
    at = 4 + vertices * dimension
    positions = np.array(words[4:at], float).reshape(vertices, dimension)
    rows = []
    for _ in range(faces):
        count = int(words[at])
        rows.append([int(word) for word in words[at + 1 : at + 1 + count]])
        at += 1 + count
    return positions, rows


def volume(positions, triangles):
    """Enclosed by triangles, positive where they face out (divergence theorem)."""
    a, b, c = (positions[np.array(triangles).reshape(-1, 3)[:, i]] for i in range(3))
    return np.einsum("ij,ij", a, np.cross(b, c)) / 6


def is_closed(triangles):
    """Every edge is run through once either way."""
    edges = Counter((t[i], t[(i + 1) % 3]) for t in triangles for i in range(3))
    return bool(edges) and all(edges[b, a] == count == 1 for (a, b), count in edges.items())


def volume_by_polygons(positions, tetrahedra, axis, offset):
    """The same from nothing but geometry: the convex polygon that each tetrahedron leaves in the hyperplane, facing as its normal does."""
    total = 0.0
    kept = [i for i in range(4) if i != axis]
    for tetrahedron in tetrahedra:
        corners = positions[list(tetrahedron)]
        heights = corners[:, axis] - offset
        points = [a + (b - a) * ha / (ha - hb) for (a, ha), (b, hb) in combinations(list(zip(corners, heights)), 2) if (ha >= 0) != (hb >= 0)]
        if not points:
            continue
        points = np.array(points)[:, kept]
        normal = oracle.perpendicular(corners[1:] - corners[0])[kept]
        length = np.linalg.norm(normal)
        if length < 1e-12:
            continue
        normal = normal / length
        across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        up = np.cross(normal, across)
        middle = points.mean(0)
        order = np.argsort(np.arctan2((points - middle) @ up, (points - middle) @ across))
        area = sum(np.cross(points[order[i - 1]] - middle, points[order[i]] - middle) @ normal for i in range(len(points))) / 2
        total += abs(area) * (normal @ middle) / 3
    return total


def tesseract(half=1.0):
    """The eight cubes of [−1, 1]⁴, each cut into six tetrahedra that face out."""
    corners = np.array(list(product((-half, half), repeat=4)))
    number = {tuple(np.sign(corner)): i for i, corner in enumerate(corners)}
    cells = []
    for axis, side in product(range(4), (-1, 1)):
        others = [i for i in range(4) if i != axis]
        for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
            corner = np.full(4, -1.0)
            corner[axis] = side
            path = [number[tuple(corner)]]
            for step in order:
                corner[others[step]] = 1
                path.append(number[tuple(corner)])
            normal = oracle.perpendicular(corners[path[1:]] - corners[path[0]])
            if normal[axis] * side < 0:
                path[:2] = path[1::-1]
            cells.append(path)
    return corners, cells


def solid(basis=None, **surface):
    """A file of a tesseract."""
    positions, cells = tesseract()
    model = Builder(4)
    model.node()
    properties = {} if basis is None else {"basis": np.asarray(basis, float).T.ravel().tolist()}
    parts = {"simplexes": model.accessor("uint8", cells)}
    parts.update({name: model.accessor("float32", rows) for name, rows in surface.items()})
    parent = model.node(0, name="Turned", **properties)
    model.node(parent, name="Body", mesh=model.mesh(model.accessor("float32", positions), [parts]))
    return model


def volume_texture(texels, across, **properties):
    """A texture of `texels` (rows of depth, height, width, 3 bytes): tiles in so many columns, in a PNG."""
    depth, height, width, _ = texels.shape
    down = -(-depth // across)
    picture = np.zeros((down * height, across * width, 3), np.uint8)
    for z in range(depth):
        row, column = divmod(z, across)
        picture[row * height : (row + 1) * height, column * width : (column + 1) * width] = texels[z]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", across * width, down * height, 8, 2, 0, 0, 0))
           + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in picture))) + chunk(b"IEND", b""))
    return {"size": [width, height, depth], "placeholder": [1, 0, 0],
            "images": [{"mimeType": "image/png", "uri": "data:image/png;base64," + base64.b64encode(png).decode()}], **properties}


def painted(texture, coordinates):
    """A tesseract with a texture of three dimensions, by corner."""
    model = solid(textureMap=coordinates)
    model.json["meshes"][0]["surfaces"][0]["material"] = 0
    model.json["materials"] = [{"baseColor": {"texture": 0}}]
    model.json["textures"] = [texture]
    return model


class SliceTest(ProgramTest):
    def sliced(self, path, *arguments):
        out = self.path("slice.off")
        self.succeeds("slice", path, "-o", out, *arguments)
        return read_off(out)


class Bodies(SliceTest):
    def test_a_tesseract_is_a_cube_at_every_height(self):
        path = solid().save(self.path("body.g4b"))
        for axis, offset in product("xyzw", (-0.9, 0, 0.3, 1)):
            with self.subTest(axis=axis, offset=offset):
                positions, triangles = self.sliced(path, "--at", f"{axis}={offset}")
                self.assertAlmostEqual(volume(positions, triangles), 8, places=5)
                self.assertTrue(is_closed(triangles))
                np.testing.assert_array_equal(np.abs(positions).max(0), [1, 1, 1])

    def test_turned_and_mirrored_ones_face_out_too(self):
        random = np.random.default_rng(4)
        for mirrored in (False, True):
            for _ in range(4):
                basis, _ = np.linalg.qr(random.normal(size=(4, 4)))
                if (np.linalg.det(basis) < 0) != mirrored:
                    basis[:, 0] *= -1
                path = solid(basis).save(self.path("body.g4tf"))
                offset = round(random.uniform(-0.8, 0.8), 2)
                positions, triangles = self.sliced(path, "--at", f"w={offset}")
                corners, cells = tesseract()
                want = volume_by_polygons(corners @ basis.T, cells, 3, offset)
                with self.subTest(mirrored=mirrored):
                    self.assertAlmostEqual(volume(positions, triangles), abs(want), places=4)
                    self.assertGreater(abs(want), 3)
                    self.assertTrue(is_closed(triangles))


class Samples(SliceTest):
    def tetrahedra(self, name):
        document = oracle.Document(os.path.join(SAMPLES, name))
        [mesh] = document.json["meshes"]
        return np.concatenate([document.accessor(surface["simplexes"]) for surface in mesh["surfaces"]])

    def test_the_arm_bent_into_the_fourth_dimension(self):
        path, pose = os.path.join(SAMPLES, "arm_4d.g4b"), os.path.join(SAMPLES, "arm_4d.pose.json")
        cells = self.tetrahedra("arm_4d.g4b")
        for options in ([], ["--pose", pose]):
            positions = self.deform(path, *options).astype(float)
            for axis, offset in ((3, 0.1), (3, 0.0), (3, 0.6), (0, 0.3), (2, 0.05)):
                with self.subTest(posed=bool(options), axis=axis, offset=offset):
                    got, triangles = self.sliced(path, "--at", f"{axis}={offset}", *options)
                    want = volume_by_polygons(positions, cells, axis, np.float32(offset))
                    self.assertAlmostEqual(volume(got, triangles) if triangles else 0, want, places=5)

    def test_every_sample_of_three_dimensions_and_more_can_be_cut(self):
        cut = 0
        for name in sorted(os.listdir(SAMPLES)):
            if not name.endswith((".g4b", ".g4tf")):
                continue
            path = os.path.join(SAMPLES, name)
            dimension = json.loads(self.succeeds("info", path, "--json").out)["dimension"]
            for axis in range(dimension):
                out = self.path("slice.g4tf")
                self.succeeds("slice", path, "-o", out, "--at", f"{axis}=0.1")
                self.assertEqual(self.succeeds("validate", out, "--fail-on", "warning").status, DONE)
                cut += 1
        self.assertGreater(cut, 40)

    def test_the_24_cell_and_the_tesseract_are_closed(self):
        for name, offset, want in (("cell_24.g4tf", 0.25, None), ("tesseract.g4tf", 0.3, 8)):
            with self.subTest(name=name):
                positions, triangles = self.sliced(os.path.join(SAMPLES, name), "--at", f"w={offset}")
                self.assertTrue(is_closed(triangles))
                self.assertGreater(volume(positions, triangles), 0)
                if want:
                    self.assertAlmostEqual(volume(positions, triangles), want, places=5)


class Attributes(SliceTest):
    def test_normals_and_maps_go_with_the_vertices(self):
        positions, cells = tesseract()
        corners = positions[np.ravel(cells)]
        normals = corners / np.linalg.norm(corners, axis=1)[:, None]
        path = solid(normals=normals, textureMap=corners[:, [0, 3]]).save(self.path("body.g4b"))
        self.succeeds("slice", path, "-o", self.path("slice.g4tf"), "--at", "w=0.5")
        document = oracle.Document(self.path("slice.g4tf"))
        [mesh] = document.json["meshes"]
        [surface] = mesh["surfaces"]
        at = document.accessor(mesh["vertices"]).astype(float)[np.ravel(document.accessor(surface["simplexes"])).astype(int)]
        np.testing.assert_allclose(document.accessor(surface["textureMap"]), np.stack([at[:, 0], np.full(len(at), 0.5)], 1), atol=1e-6)
        np.testing.assert_allclose(document.accessor(surface["normals"]), at / np.linalg.norm(at, axis=1)[:, None], atol=1e-6)

    def test_volumes_become_colours_of_vertices(self):
        """Between the middles of two texels along each axis colours grow evenly: everywhere they are those of the place."""
        positions, cells = tesseract()
        z, y, x = np.indices((2, 2, 2))
        ramp = np.stack([x, y, z], -1) * 255
        turn = np.random.default_rng(11).normal(size=(3, 4))
        turn *= 0.25 / np.abs(turn).sum(1, keepdims=True)
        coordinates = 0.5 + positions[np.ravel(cells)] @ turn.T
        for across, axis, offset in ((1, 3, 0.3), (2, 0, -0.4)):
            with self.subTest(across=across):
                path = painted(volume_texture(ramp, across), coordinates).save(self.path("body.g4b"))
                said = self.succeeds("slice", path, "-o", self.path("slice.glb"), "--at", f"{axis}={offset}").err
                self.assertIn("its three-dimensional texture becomes vertex colours [SINEW_EDIT_LOST]", said)
                document = gltf_oracle.Document(self.path("slice.glb"))
                [primitive] = document.json["meshes"][0]["primitives"]
                self.assertNotIn("TEXCOORD_0", primitive["attributes"])
                at, colors = (document.values(primitive["attributes"][name]) for name in ("POSITION", "COLOR_0"))
                whole = np.insert(at, axis, offset, axis=1)
                self.assertGreater(len(whole), 20)
                want = 2 * (0.5 + whole @ turn.T) - 0.5
                np.testing.assert_allclose(colors[:, :3], want, atol=1e-6)
                self.assertGreater(np.ptp(want, axis=0).min(), 0.2)
                np.testing.assert_array_equal(colors[:, 3], 1)
                self.succeeds("validate", self.path("slice.glb"), "--fail-on", "warning")
                self.succeeds("slice", path, "-o", self.path("slice.ply"), "--at", f"{axis}={offset}")
                with open(self.path("slice.ply"), "rb") as file:
                    head, data = file.read().split(b"end_header\n")
                count = int(head.split(b"element vertex ")[1].split()[0])
                rows = np.frombuffer(data, np.dtype([("at", "<f4", 3), ("color", "u1", 4)]), count)
                want = 2 * (0.5 + np.insert(rows["at"].astype(float), axis, offset, axis=1) @ turn.T) - 0.5
                np.testing.assert_allclose(rows["color"][:, :3] / 255, want, atol=0.51 / 255)

    def test_volumes_whose_image_has_too_few_tiles(self):
        """The placeholder is what is seen."""
        _, cells = tesseract()
        texture = {**volume_texture(np.zeros((2, 2, 2, 3), np.uint8), 1), "size": [2, 2, 3], "placeholder": [0, 1, 0.5]}
        path = painted(texture, np.full((4 * len(cells), 3), 0.5)).save(self.path("body.g4b"))
        said = self.succeeds("slice", path, "-o", self.path("slice.glb"), "--at", "w=0.3").err
        self.assertEqual(said.count("the image has 2 tiles, expected 3"), 1)
        document = gltf_oracle.Document(self.path("slice.glb"))
        [primitive] = document.json["meshes"][0]["primitives"]
        colors = document.values(primitive["attributes"]["COLOR_0"])
        np.testing.assert_allclose(colors, np.tile([0, 1, 0.5, 1], (len(colors), 1)), atol=4e-3)

    def test_g4mf_keeps_coordinates_in_volumes(self):
        positions, cells = tesseract()
        corners = positions[np.ravel(cells)]
        path = painted(volume_texture(np.zeros((2, 2, 2, 3), np.uint8), 1), corners[:, :3]).save(self.path("body.g4b"))
        self.succeeds("slice", path, "-o", self.path("slice.g4tf"), "--at", "w=0.5")
        document = oracle.Document(self.path("slice.g4tf"))
        [surface] = document.json["meshes"][0]["surfaces"]
        at = document.accessor(document.json["meshes"][0]["vertices"])[np.ravel(document.accessor(surface["simplexes"])).astype(int)]
        np.testing.assert_allclose(document.accessor(surface["textureMap"]).astype(float), at.astype(float), atol=1e-6)

    def test_factors_of_materials_reach_gltf(self):
        model = solid()
        model.json["meshes"][0]["surfaces"][0]["material"] = 0
        model.json["materials"] = [{"name": "Copper", "baseColor": {"factor": [0.9, 0.4, 0.2]}, "orm": {"factor": [0, 0.5, 1]}}]
        self.succeeds("slice", model.save(self.path("body.g4b")), "-o", self.path("slice.gltf"), "--at", "w=0.5")
        with open(self.path("slice.gltf"), encoding="utf-8") as file:
            document = json.load(file)
        [material] = document["materials"]
        self.assertEqual(material, {"name": "Copper", "pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.4, 0.2, 1], "metallicFactor": 1,
                                                                               "roughnessFactor": 0.5}})
        self.assertEqual(document["meshes"][0]["primitives"][0]["material"], 0)

    def test_normals_along_the_cut_axis_become_those_of_the_pieces(self):
        _, cells = tesseract()
        path = solid(normals=np.tile([0, 0, 0, 1], (4 * len(cells), 1))).save(self.path("body.g4b"))
        self.succeeds("slice", path, "-o", self.path("slice.ply"), "--at", "w=0.5")
        with open(self.path("slice.ply"), "rb") as file:
            head, data = file.read().split(b"end_header\n")
        count = int(head.split(b"element vertex ")[1].split()[0])
        rows = np.frombuffer(data, "<f4", count * 6).reshape(count, 6)
        self.assertTrue(np.all(np.sum(np.abs(rows[:, 3:]) > 0.999, 1) == 1))
        np.testing.assert_allclose(np.sum(rows[:, :3] * rows[:, 3:], 1), 1)  # outward: each lies on the side that it faces


class Dimensions(SliceTest):
    def test_five_become_three_by_two_cuts_in_either_order(self):
        path, pose = os.path.join(SAMPLES, "rig_5d.g4tf"), ["--pose", os.path.join(SAMPLES, "rig_5d.pose.json")]
        one = self.sliced(path, "--at", "v=0.1", "--at", "x=0.5", *pose)
        other = self.sliced(path, "--at", "0=0.5", "--at", "4=0.1", *pose)
        self.assertEqual(one[0].shape[1], 3)
        self.assertGreater(len(one[1]), 0)
        np.testing.assert_allclose(np.unique(one[0].round(5), axis=0), np.unique(other[0].round(5), axis=0), atol=1e-5)
        self.succeeds("slice", path, "-o", self.path("cell.g4b"), "--at", "v=0.1", *pose)
        four = self.sliced(self.path("cell.g4b"), "--at", "x=0.5")
        np.testing.assert_array_equal(four[0], one[0])

    def test_three_become_an_outline(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        positions, lines = self.sliced(path, "--at", "y=0.75")
        self.assertEqual(positions.shape[1], 2)
        self.assertEqual({len(line) for line in lines}, {2})
        np.testing.assert_allclose(sorted(positions[:, 0])[:: len(positions) - 1], [-0.5, 0.5])

    def test_formats_of_three_dimensions_refuse_others(self):
        path = os.path.join(SAMPLES, "rig_5d.g4tf")
        self.fails(USAGE, "slice", path, "-o", self.path("out.glb"), "--at", "v=0", says=[".glb", "has 4"])
        self.assertEqual(os.listdir(self.folder), [])


class Empty(SliceTest):
    def test_a_miss_is_an_empty_model_and_says_where_there_is_something(self):
        path = solid().save(self.path("body.g4b"))
        for extension in (".glb", ".gltf", ".ply", ".obj", ".off", ".g4b", ".g4tf", ".npy"):
            with self.subTest(extension=extension):
                out = self.path("out" + extension)
                ran = self.succeeds("slice", path, "-o", out, "--at", "w=3")
                self.assertIn("from -1 to 1", ran.err)
                self.assertTrue(os.path.exists(out))
                if extension.startswith(".g"):
                    self.succeeds("validate", out, "--fail-on", "warning")
        self.assertNotIn("from -1", self.succeeds("slice", path, "-q", "-o", self.path("out.ply"), "--at", "w=3").err)

    def test_a_hyperplane_in_the_upper_end_cuts_in_the_lower_one_misses(self):
        path = solid().save(self.path("body.g4b"))
        self.assertEqual(len(self.sliced(path, "--at", "w=1")[0]), 8)
        self.assertEqual(len(self.sliced(path, "--at", "w=-1")[0]), 0)


class Usage(SliceTest):
    def test_cuts_that_make_no_sense(self):
        path = os.path.join(SAMPLES, "arm_4d.g4tf")
        for cut, says in (("w", "w=0.3"), ("w=", '""'), ("w=high", '"high"'), ("w=nan", "finite"), ("v=0", "x y z w"), ("7=0", "x y z w"),
                          ("a=0", "x y z w"), ("=0", "w=0.3"), ("w=1e999", "finite")):
            with self.subTest(cut=cut):
                self.fails(USAGE, "slice", path, "-o", self.path("out.off"), "--at", cut, says=[f'"{cut}"', says])
        self.fails(USAGE, "slice", path, "-o", self.path("out.off"), "--at", "w=0", "--at", "W=1", says="already uses this axis")
        cuts = [word for axis in "xyzw" for word in ("--at", f"{axis}=0")]
        self.fails(USAGE, "slice", path, "-o", self.path("out.off"), *cuts, says="remove all dimensions")
        self.fails(USAGE, "slice", path, "-o", self.path("out.off"), says="--at")
        self.fails(USAGE, "slice", path, "-o", self.path("out.stl"), "--at", "w=0", says=".glb")
        self.assertEqual(os.listdir(self.folder), [])

    def test_frames_need_a_clip_and_a_pattern(self):
        self.fails(USAGE, "slice", os.path.join(SAMPLES, "arm_4d.g4tf"), "-o", self.path("o%04d.off"), "--at", "w=0", "--frames", 2, says="--animation")
        clip = dict(samples())["simple_skin.gltf"]
        self.fails(USAGE, "slice", clip, "-o", self.path("o.off"), "--at", "y=0.5", "--animation", 0, "--frames", 3, says="%04d")
        self.succeeds("slice", clip, "-o", self.path("o%02d.off"), "--at", "y=0.5", "--animation", 0, "--frames", 3)
        self.assertEqual(sorted(os.listdir(self.folder)), ["o00.off", "o01.off", "o02.off"])

    def test_broken_files_are_refused_as_by_deform(self):
        path = self.write("broken.g4tf", {"asset": {"dimension": 4}, "nodes": [{"meshInstance": {"mesh": 7}}]})
        self.fails(INPUT, "slice", path, "-o", self.path("o.off"), "--at", "w=0", says="/nodes/0")
        self.assertEqual(sinew("slice", self.path("none.g4b"), "-o", self.path("o.off"), "--at", "w=0").status, INPUT)


if __name__ == "__main__":
    main()
