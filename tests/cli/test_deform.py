# SPDX-License-Identifier: MIT
"""`sinew deform`: results and output formats; times, attributes, influences, stages."""
import ast
import os
import struct

import numpy as np

from program import UNSUPPORTED, USAGE, ProgramTest, main

import gltf_oracle as oracle
from gltf_builder import TUTORIAL_INDICES, TUTORIAL_POSITIONS, morphed_quad, tutorial_skin
from random_rigs import RandomRig

BENT = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]


def turned(points):
    """The tutorial's joint matrix 1 at 90°: (x, y) → (1 − y, 1 + x)."""
    return np.stack([1 - points[:, 1], 1 + points[:, 0], points[:, 2]], 1)


class Kernel(ProgramTest):
    def test_any_gives_the_same(self):
        path = RandomRig(7).save(self.folder, "rig")
        for attribute in ("position", "normal"):
            best = self.deform(path, "--attribute", attribute)
            np.testing.assert_allclose(self.deform(path, "--attribute", attribute, "--kernel", "plain"), best, atol=2e-6 * np.nanmax(np.abs(best)))

    def test_one_that_this_processor_lacks(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        self.fails(UNSUPPORTED, "deform", path, "-o", self.path("x.npy"), "--kernel", "abacus", says=['"abacus"', "plain"])


class Tutorial(ProgramTest):
    def test_vertices_of_the_chapter(self):
        got = self.deform(tutorial_skin(rotation=BENT).save(self.path("skin.gltf")))
        for vertex, want in {9: (-1, 1.5), 6: (-0.5, 0.75), 4: (-0.25, 0.75)}.items():
            np.testing.assert_allclose(got[vertex], [*want, 0], atol=1e-6)

    def test_stages_of_a_joint(self):
        path = tutorial_skin(rotation=BENT).save(self.path("skin.glb"))
        for joint in ("1", "Upper"):
            with self.subTest(joint=joint):
                moved = self.deform(path, "--debug-joint", joint, "--stage", "inverse-bind")
                np.testing.assert_allclose(moved, TUTORIAL_POSITIONS - [0, 1, 0], atol=1e-6)
                moved = self.deform(path, "--debug-joint", joint, "--stage", "joint")
                np.testing.assert_allclose(moved, turned(TUTORIAL_POSITIONS), atol=1e-6)
        np.testing.assert_allclose(self.deform(path, "--debug-joint", "0", "--stage", "joint"), TUTORIAL_POSITIONS, atol=1e-6)

    def test_a_joint_that_is_none(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        for joint in ("2", "Bone"):
            with self.subTest(joint=joint):
                self.fails(USAGE, "deform", path, "-o", self.path("out.npy"), "--debug-joint", joint, "--stage", "joint", says=joint)


class Times(ProgramTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))  # keys 0, 1, 2
        self.quad = morphed_quad().save(self.path("quad.glb"))  # keys 0.5, 1.5

    def expect(self, path, times, *options):
        got = self.deform(path, "--animation", "0", *options)
        want = np.array([oracle.evaluate(path, animation=0, time=time) for time in times])
        self.assertEqual(got.shape, want.shape)
        np.testing.assert_allclose(got, want, atol=1e-5)

    def test_animation_alone_is_time_zero(self):
        got = self.deform(self.skin, "--animation", "Bend")
        self.assertEqual(got.shape, (10, 3))
        np.testing.assert_allclose(got, TUTORIAL_POSITIONS, atol=1e-6)

    def test_times_clamp_to_the_keys(self):
        for time in ("-1", "0", "0.5"):
            np.testing.assert_allclose(self.deform(self.quad, "--animation", "0", "--time", time)[:, 2], 0, atol=1e-6)
        for time in ("1.5", "2", "1e30"):
            np.testing.assert_allclose(self.deform(self.quad, "--animation", "0", "--time", time)[:, 2], 1, atol=1e-6)

    def test_frames_include_both_ends(self):
        self.expect(self.skin, [0, 0.5, 1, 1.5, 2], "--frames", "5")
        self.expect(self.quad, [0, 0.75, 1.5], "--frames", "3")
        self.expect(self.quad, [0, 1.5], "--frames", "2")

    def test_one_frame_keeps_its_axis(self):
        self.expect(self.quad, [0], "--frames", "1")

    def test_many_frames_are_those_of_their_times(self):
        frames = self.deform(self.skin, "--animation", "0", "--frames", "20001")  # several pieces of work, the last one shorter
        self.assertEqual(len(frames), 20001)
        np.testing.assert_array_equal(frames[::5000], self.deform(self.skin, "--animation", "0", "--frames", "5"))
        np.testing.assert_array_equal(frames[-2], self.deform(self.skin, "--animation", "0", "--time", repr(2 * 19999 / 20000)))

    def test_frames_per_second(self):
        self.expect(self.skin, [k / 10 for k in range(21)], "--fps", "10")
        self.expect(self.skin, [k / 4 for k in range(9)], "--fps", "4")
        self.expect(self.skin, [0], "--fps", "0.3")
        self.expect(self.quad, [k / 3 for k in range(5)], "--fps", "3")

    def test_duration_counts_channels_with_a_target_only(self):
        builder = tutorial_skin()
        clip = builder.json["animations"][0]
        late = builder.accessor(np.array([0, 9], "<f4"), bounds=True)
        clip["samplers"].append({"input": late, "output": builder.accessor(np.zeros((2, 3), "<f4"))})
        clip["channels"].append({"sampler": 1, "target": {"path": "translation"}})
        path = builder.save(self.path("late.glb"))
        frames = ("--animation", "0", "--frames", "3")
        np.testing.assert_allclose(self.deform(path, *frames), self.deform(self.skin, *frames))

    def test_frames_of_a_file_of_each(self):
        for extension in ("glb", "gltf", "obj", "ply", "off"):
            with self.subTest(extension=extension):
                frames = ("--animation", "0", "--frames", "3")
                self.fails(USAGE, "deform", self.skin, "-o", self.path(f"out.{extension}"), *frames, says="%04d")
                self.succeeds("deform", self.skin, "-o", self.path(f"out%04d.{extension}"), *frames)
                written = sorted(name for name in os.listdir(self.folder) if name.endswith("." + extension) and name.startswith("out"))
                self.assertEqual(written, [f"out000{k}.{extension}" for k in range(3)])
        for frame in range(3):
            got = oracle.evaluate(self.path(f"out000{frame}.glb"))
            np.testing.assert_allclose(got, oracle.evaluate(self.skin, animation=0, time=frame), atol=1e-5)


class Attributes(ProgramTest):
    def test_of_a_turned_and_stretched_quad(self):
        builder = morphed_quad()
        half = np.sqrt(0.5)
        builder.json["nodes"][0].update({"rotation": [half, 0, 0, half], "scale": [2, 1, 3]})  # 90° about X: Y → Z, Z → −Y
        path = builder.save(self.path("quad.glb"))
        normal, tangent = self.deform(path, "--attribute", "normal"), self.deform(path, "--attribute", "tangent")
        np.testing.assert_allclose(normal, np.tile([0, -1, 0], (4, 1)), atol=1e-6)
        np.testing.assert_allclose(tangent, np.tile([1, 0, 0, -1], (4, 1)), atol=1e-6)
        texcoord = self.deform(path, "--attribute", "texcoord")
        np.testing.assert_allclose(texcoord, [[0, 0], [1, 0], [1, 1], [0, 1]], atol=1e-6)
        np.testing.assert_array_equal(self.deform(path, "--attribute", "position"), self.deform(path))
        frames = self.deform(path, "--attribute", "normal", "--animation", "0", "--frames", "2")
        self.assertEqual(frames.shape, (2, 4, 3))

    def test_a_normal_follows_the_cofactor_and_a_tangent_the_linear_part(self):
        """A shear x += y by hand: M = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]; cofactor = [[1, 0, 0], [−1, 1, 0], [0, 0, 1]]."""
        builder = morphed_quad()
        attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
        builder.json["meshes"][0]["primitives"][0].pop("targets")
        builder.json["meshes"][0].pop("weights")
        builder.json.pop("animations")
        attributes["NORMAL"] = builder.accessor(np.tile(np.array([1, 0, 0], "<f4"), (4, 1)), target=34962)
        attributes["TANGENT"] = builder.accessor(np.tile(np.array([0, 1, 0, 1], "<f4"), (4, 1)), target=34962)
        builder.json["nodes"][0] = {"mesh": 0, "matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
        path = builder.save(self.path("shear.glb"))
        half = np.sqrt(0.5)
        np.testing.assert_allclose(self.deform(path, "--attribute", "normal"), np.tile([half, -half, 0], (4, 1)), atol=1e-6)
        np.testing.assert_allclose(self.deform(path, "--attribute", "tangent"), np.tile([half, half, 0, 1], (4, 1)), atol=1e-6)


class Influences(ProgramTest):
    def test_the_strongest_or_the_first_ones_renormalised(self):
        builder = tutorial_skin(rotation=BENT)
        third = builder.add("nodes", {"name": "Third", "translation": [0, 0, 7]})
        builder.json["scenes"][0]["nodes"].append(third)
        builder.json["skins"][0] = {"joints": [1, 2, third]}
        attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["JOINTS_0"] = builder.accessor(np.tile(np.array([2, 1, 0, 0], "u1"), (10, 1)), target=34962)
        attributes["WEIGHTS_0"] = builder.accessor(np.tile(np.array([0.4, 0.1, 0.5, 0], "<f4"), (10, 1)), target=34962)
        path = builder.save(self.path("three.glb"))
        raised = TUTORIAL_POSITIONS + [0, 0, 7]
        bent = np.stack([-TUTORIAL_POSITIONS[:, 1], 1 + TUTORIAL_POSITIONS[:, 0], 0 * TUTORIAL_POSITIONS[:, 0]], 1)
        np.testing.assert_allclose(self.deform(path, "--first-influences", "1"), raised, atol=1e-5)
        np.testing.assert_allclose(self.deform(path, "--first-influences", "2"), 0.8 * raised + 0.2 * bent, atol=1e-5)
        np.testing.assert_allclose(self.deform(path, "--max-influences", "1"), TUTORIAL_POSITIONS, atol=1e-5)
        np.testing.assert_allclose(self.deform(path, "--max-influences", "2"), (4 * raised + 5 * TUTORIAL_POSITIONS) / 9, atol=1e-5)
        self.fails(USAGE, "deform", path, "-o", self.path("x.npy"), "--max-influences", "1", "--first-influences", "1", says=["--first-influences"])
        everything = 0.4 * raised + 0.1 * bent + 0.5 * TUTORIAL_POSITIONS
        for options in (["--max-influences", "3"], ["--max-influences", "99"], ["--first-influences", "3"], []):
            np.testing.assert_allclose(self.deform(path, *options), everything, atol=1e-5)


def read_obj(path):
    vertices, faces = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return np.array(vertices), np.array(faces)


def read_off(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in (raw.split("#")[0].strip() for raw in file) if line]
    assert lines[0] == "OFF", lines[0]
    vertex_count, face_count, _ = map(int, lines[1].split())
    vertices = np.array([[float(word) for word in line.split()[:3]] for line in lines[2 : 2 + vertex_count]])
    faces = np.array([[int(word) for word in line.split()[1:4]] for line in lines[2 + vertex_count : 2 + vertex_count + face_count]])
    return vertices, faces


def read_ply(path):
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    header = data[:end].decode("ascii").splitlines()
    assert header[0] == "ply" and "format binary_little_endian 1.0" in header, header
    kinds = {"float": "<f4", "float32": "<f4", "double": "<f8", "uchar": "u1", "uint8": "u1"}
    kinds.update({"int": "<i4", "uint": "<u4", "int32": "<i4", "uint32": "<u4"})
    elements = []
    for line in header:
        words = line.split()
        if words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            elements[-1][2].append(words[1:])
    found, position = {}, end
    for name, count, properties in elements:
        if name == "vertex":
            row = np.dtype([(p[1], kinds[p[0]]) for p in properties])
            rows = np.frombuffer(data, row, count, position)
            found["vertex"] = np.stack([rows[axis] for axis in "xyz"], 1)
            position += row.itemsize * count
        elif name == "face":
            [(_, count_kind, index_kind, _)] = properties
            size = np.dtype(kinds[count_kind]).itemsize
            faces = []
            for _ in range(count):
                corners = int(np.frombuffer(data, kinds[count_kind], 1, position)[0])
                faces.append(np.frombuffer(data, kinds[index_kind], corners, position + size).tolist())
                position += size + corners * np.dtype(kinds[index_kind]).itemsize
            found["face"] = np.array(faces)
    return found["vertex"], found["face"]


class Formats(ProgramTest):
    def test_npy_is_little_endian_float32_in_c_order(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        self.deform(path)
        with open(self.path("deformed.npy"), "rb") as file:
            data = file.read()
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        length = struct.unpack_from("<H", data, 8)[0]
        header = ast.literal_eval(data[10 : 10 + length].decode("ascii"))
        self.assertEqual(header, {"descr": "<f4", "fortran_order": False, "shape": (10, 3)})
        self.assertEqual((10 + length) % 64, 0)
        self.assertEqual(len(data), 10 + length + 120)

    def test_meshes_hold_the_deformed_vertices_and_triangles(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        want = oracle.evaluate(path, animation=0, time=0.8)
        triangles = TUTORIAL_INDICES.reshape(-1, 3)
        for extension, read in (("obj", read_obj), ("off", read_off), ("ply", read_ply)):
            with self.subTest(extension=extension):
                out = self.path("out." + extension)
                self.succeeds("deform", path, "-o", out, "--animation", "Bend", "--time", "0.8")
                vertices, faces = read(out)
                np.testing.assert_allclose(vertices, want, atol=1e-5)
                np.testing.assert_array_equal(faces, triangles)

    def test_extensions_in_capitals(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        self.succeeds("deform", path, "-o", self.path("OUT.NPY"))
        self.assertEqual(np.load(self.path("OUT.NPY")).shape, (10, 3))

    def test_static_models_hold_the_deformed_vertices(self):
        """`.glb` and `.gltf` of random rigs, read back: the same world positions, one mesh for each instance, nothing left to deform."""
        for seed in range(8):
            path = RandomRig(seed).save(self.folder, f"rig{seed}")
            want = oracle.evaluate(path, animation=0, time=0.4)
            instances = len({node for node, _, _ in oracle.Evaluator(oracle.Document(path)).instances()})
            for extension in ("glb", "gltf"):
                with self.subTest(seed=seed, extension=extension):
                    out = self.path(f"out{seed}.{extension}")
                    self.succeeds("deform", path, "-o", out, "--animation", "0", "--time", "0.4")
                    # Instances under one's own nodes may come in another order only if the writer reorders them: it must not.
                    self.assertLessEqual(oracle.largest_error(oracle.evaluate(out), want), 1e-5)
                    document = oracle.Document(out).json
                    self.assertEqual(sum("mesh" in node for node in document["nodes"]), instances)
                    self.assertFalse({"skins", "animations"} & set(document))
                    for mesh in document["meshes"]:
                        for primitive in mesh["primitives"]:
                            self.assertNotIn("targets", primitive)
                            self.assertFalse([name for name in primitive["attributes"] if name.startswith(("JOINTS", "WEIGHTS"))])

    def face_normals(self, path):
        """Per triangle of the first primitive: its geometric normal, the stored normal of its first corner."""
        document = oracle.Document(path)
        primitive = document.json["meshes"][0]["primitives"][0]
        points = oracle.evaluate(path)
        corners = document.raw(primitive["indices"]).reshape(-1, 3).astype(int)
        a, b, c = (points[corners[:, k]] for k in range(3))
        return np.cross(b - a, c - a), document, primitive, corners

    def test_a_mirrored_instance_keeps_facing_out(self):
        builder = morphed_quad()
        builder.json["nodes"][0]["scale"] = [-1, 1, 1]
        path, out = builder.save(self.path("mirrored.glb")), self.path("out.glb")
        self.succeeds("deform", path, "-o", out)
        faces, document, primitive, _ = self.face_normals(out)
        self.assertTrue((faces[:, 2] > 0).all(), "triangles must be reversed")
        np.testing.assert_allclose(document.values(primitive["attributes"]["NORMAL"]), np.tile([0, 0, 1], (4, 1)), atol=1e-6)
        np.testing.assert_allclose(document.values(primitive["attributes"]["TANGENT"]), np.tile([-1, 0, 0, 1], (4, 1)), atol=1e-6)

    def test_a_skinned_instance_follows_its_joints(self):
        """A skin ignores the scale of the mesh's node; a joint that mirrors turns the triangles."""
        for node, turned in ((0, False), (1, True)):
            builder = tutorial_skin()
            builder.json["nodes"][node]["scale"] = [-1, 1, 1]
            path, out = builder.save(self.path("mirrored.glb")), self.path("out.glb")
            self.succeeds("deform", path, "-o", out)
            faces, _, _, corners = self.face_normals(out)
            self.assertTrue((faces[:, 2] > 0).all())
            self.assertEqual((corners == TUTORIAL_INDICES.reshape(-1, 3)).all(), not turned)

    def test_positions_have_exact_bounds(self):
        out = self.path("out.glb")
        self.succeeds("deform", RandomRig(4).save(self.folder, "rig"), "-o", out)
        document = oracle.Document(out)
        for mesh in document.json["meshes"]:
            for primitive in mesh["primitives"]:
                accessor = document.json["accessors"][primitive["attributes"]["POSITION"]]
                points = document.raw(primitive["attributes"]["POSITION"])
                self.assertEqual(points.dtype, np.float32)
                np.testing.assert_array_equal(np.array(accessor["min"], "<f4"), points.min(0))
                np.testing.assert_array_equal(np.array(accessor["max"], "<f4"), points.max(0))

    def test_what_has_no_geometry_is_kept(self):
        builder = morphed_quad()
        builder.json["materials"] = [{"name": "Paint", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0, 1]}, "extras": {"a": 1e30}}]
        builder.json["meshes"][0]["primitives"][0]["material"] = 0
        builder.add("cameras", {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}})
        eye = builder.add("nodes", {"name": "Eye", "camera": 0, "translation": [0, 0, 9], "extras": {"kept": True}})
        builder.json["scenes"][0]["nodes"].append(eye)
        out = self.path("out.gltf")
        self.succeeds("deform", builder.save(self.path("quad.glb")), "-o", out)
        document = oracle.Document(out).json
        self.assertEqual(document["materials"], builder.json["materials"])
        self.assertEqual(document["cameras"], builder.json["cameras"])
        [eye] = [node for node in document["nodes"] if node.get("name") == "Eye"]
        self.assertEqual((eye["camera"], eye["extras"]), (0, {"kept": True}))
        [primitive] = document["meshes"][0]["primitives"]
        self.assertEqual(primitive["material"], 0)
        self.assertTrue({"TEXCOORD_0", "NORMAL", "TANGENT"} <= set(primitive["attributes"]))

    def test_gltf_names_its_buffer_by_content(self):
        path, out = tutorial_skin().save(self.path("skin.glb")), self.path("out.gltf")
        for rotation, expected in ((0, 1), (0, 1)):
            self.succeeds("deform", path, "-o", out, "--animation", "0", "--time", str(rotation))
            self.assertEqual(len([name for name in os.listdir(self.folder) if name.endswith(".bin")]), expected)
        self.succeeds("deform", path, "-o", out, "--animation", "0", "--time", "1")
        uri = oracle.Document(out).json["buffers"][0]["uri"]
        self.assertTrue(os.path.exists(self.path(uri)))
        np.testing.assert_allclose(oracle.evaluate(out), oracle.evaluate(path, animation=0, time=1), atol=1e-6)


class LargeFiles(ProgramTest):
    def test_more_than_a_block_of_vertices(self):
        """A megabyte: mapped rather than read, and split over threads; an odd number of vertices; also as `.bin` beside the `.gltf`."""
        rng = np.random.default_rng(7)
        count = 20_011
        builder = tutorial_skin()
        weights = rng.random((count, 4))
        weights[:, 2:] = 0
        weights /= weights.sum(1, keepdims=True)
        builder.json["meshes"][0]["primitives"] = [{
            "mode": 0,
            "attributes": {
                "POSITION": builder.accessor(rng.uniform(-1, 1, (count, 3)).astype("<f4"), bounds=True, target=34962),
                "JOINTS_0": builder.accessor(np.tile(np.array([0, 1, 0, 0], "u1"), (count, 1)), target=34962),
                "WEIGHTS_0": builder.accessor(weights.astype("<f4"), target=34962),
            },
        }]
        for path in (builder.save(self.path("large.glb")), builder.save(self.path("large.gltf"), embedded=False)):
            got = self.deform(path, "--animation", "0", "--frames", "3")
            want = np.array([oracle.evaluate(path, animation=0, time=time) for time in (0, 1, 2)])
            self.assertEqual(got.shape, (3, count, 3))
            np.testing.assert_allclose(got, want, atol=1e-5)


class Overflow(ProgramTest):
    def test_results_beyond_float32_are_refused(self):
        builder = morphed_quad()
        builder.json["nodes"][0]["scale"] = [1e39, 1, 1]
        path = builder.save(self.path("vast.glb"))
        for extension in ("npy", "glb"):
            with self.subTest(extension=extension):
                out = self.path("out." + extension)
                self.fails(3, "deform", path, "-o", out)
                self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    main()
