# SPDX-License-Identifier: MIT
"""G4MF models of any dimension: the output of info and deform, and files with one defect each."""
import json
import os
import struct
import time

import numpy as np

from program import INPUT, PATIENCE, UNSUPPORTED, USAGE, ProgramTest, main, patiently, samples, sinew

import g4mf_corners as corners
import gltf_oracle
from g4mf_builder import Builder, chunk, g4b_bytes
from gltf_builder import tutorial_skin

SECONDS = 2.0 * PATIENCE


def plain(dimension=4, surface=None):
    """One mesh of N + 1 vertices and a cell of the first vertices."""
    model = Builder(dimension)
    model.node()
    surface = {"simplexes": model.accessor("uint8", [range(max(dimension, 3))])} if surface is None else surface
    model.node(0, name="Body", mesh=model.mesh(model.accessor("float32", np.eye(dimension + 1, dimension)), [surface]))
    return model


class Outputs(ProgramTest):
    def test_arrays_have_as_many_columns_as_the_space_has_dimensions(self):
        for dimension in range(1, 8):
            with self.subTest(dimension=dimension):
                model = plain(dimension, surface={}) if dimension == 1 else plain(dimension)
                got = self.deform(model.save(self.path("model.g4b")))
                self.assertEqual(got.dtype, np.float32)
                np.testing.assert_array_equal(got, np.eye(dimension + 1, dimension))

    def test_info_tells_dimension_revision_and_rows(self):
        shown = json.loads(self.succeeds("info", "--json", plain(5).save(self.path("model.g4tf"))).out)
        self.assertEqual((shown["format"], shown["dimension"], shown["revision"]), ("G4MF", 5, "2026-01"))
        self.assertEqual((shown["instances"][0]["name"], shown["instances"][0]["vertices"]), ("Body", 6))

    def test_off_in_three_dimensions_and_noff_in_others(self):
        for dimension, start in ((3, ["OFF", "4 1 0", "1 0 0"]), (4, ["nOFF", "4", "5 1 0", "1 0 0 0"]), (2, ["nOFF", "2", "3 1 0", "1 0"])):
            with self.subTest(dimension=dimension):
                self.succeeds("deform", plain(dimension).save(self.path("model.g4tf")), "-o", self.path("out.off"))
                with open(self.path("out.off"), encoding="ascii") as file:
                    lines = file.read().splitlines()
                self.assertEqual(lines[: len(start)], start)
                corners = max(dimension, 3)
                self.assertEqual(lines[-1], " ".join(map(str, [corners, *range(corners)])))

    def test_formats_of_three_dimensions_refuse_others_and_name_those_that_do_not(self):
        model = plain(4).save(self.path("model.g4tf"))
        for extension in (".ply", ".obj", ".glb", ".gltf"):
            with self.subTest(extension=extension):
                out = self.path("out" + extension)
                self.fails(USAGE, "deform", model, "-o", out, says=[extension, "has 4", ".npy"])
                self.assertFalse(os.path.exists(out))
                self.succeeds("deform", plain(3).save(self.path("solid.g4tf")), "-o", out)


class NotFinite(ProgramTest):
    """If deform rejects a file, validate reports an error; both name the vertex."""

    def severities(self, path):
        ran = sinew("validate", "--format", "json", path)
        messages = json.loads(ran.data)["issues"]["messages"]
        found = [(m["severity"], m["message"]) for m in messages if m["code"] in ("G4MF_ACCESSOR_NOT_FINITE", "ACCESSOR_INVALID_FLOAT")]
        return ran.status, found

    def test_a_vertex_of_g4mf(self):
        for number in (np.nan, np.inf):
            vertices = np.eye(4, 3)
            vertices[2, 1] = number
            model = Builder(3)
            model.node()
            surface = {"simplexes": model.accessor("uint8", [(0, 1, 2)])}
            model.node(0, name="Body", mesh=model.mesh(model.accessor("float32", vertices), [surface]))
            path = model.save(self.path("model.g4tf"))
            status, [(severity, message)] = self.severities(path)
            self.assertEqual((status, severity), (1, 0))
            self.assertIn("element 2 ", message)
            self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), says=["/meshes/0", "vertex 2 "])

    def test_an_offset_of_a_vertex_of_g4mf(self):
        model = Builder(3)
        model.node()
        surface = {"simplexes": model.accessor("uint8", [(0, 1, 2)])}
        shape = {"name": "Lean", "position": model.target([1, 3], [(0, 0, 1), (0, np.nan, 0)])}
        model.node(0, mesh=model.mesh(model.accessor("float32", np.eye(4, 3)), [surface], blend={"shapes": [shape]}))
        path = model.save(self.path("model.g4tf"))
        status, [(severity, message)] = self.severities(path)
        self.assertEqual((status, severity), (1, 0))
        self.assertIn("element 1 ", message)
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), says=["vertex 3 ", "blend shape 0"])

    def test_a_texture_coordinate_of_g4mf_stays_a_warning(self):
        model = Builder(3)
        model.node()
        surface = {"simplexes": model.accessor("uint8", [(0, 1, 2)]), "textureMap": model.accessor("float32", [(0, 0), (np.nan, 0), (1, 1)])}
        model.node(0, mesh=model.mesh(model.accessor("float32", np.eye(4, 3)), [surface]))
        path = model.save(self.path("model.g4tf"))
        status, [(severity, _)] = self.severities(path)
        self.assertEqual((status, severity), (0, 1))
        self.deform(path)

    def test_a_vertex_of_gltf(self):
        model = tutorial_skin()
        position = model.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
        view = model.json["bufferViews"][model.json["accessors"][position]["bufferView"]]
        struct.pack_into("<f", model.blob, view["byteOffset"] + 12 * 7 + 4, np.nan)
        path = model.save(self.path("model.glb"))
        status, [(severity, message)] = self.severities(path)
        self.assertEqual((status, severity), (1, 0))
        self.assertIn("element 7 ", message)
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), says=["vertex 7 "])


class Generator(ProgramTest):
    def test_a_generator_without_a_version_is_not_a_missing_one(self):
        for generator, code in (("Blender", ["G4MF_ASSET_GENERATOR_WITHOUT_VERSION"]), ("", ["G4MF_ASSET_GENERATOR_MISSING"]),
                                (None, ["G4MF_ASSET_GENERATOR_MISSING"]), ("Blender 4.2", []), (5, [])):
            model = Builder(3, **({} if generator is None else {"generator": generator}))
            report = json.loads(sinew("validate", "--format", "json", model.save(self.path("model.g4tf"))).data)
            self.assertEqual([m["code"] for m in report["issues"]["messages"] if "GENERATOR" in m["code"]], code, generator)


class StaticG4mf(ProgramTest):
    def broken_rules(self, path):
        """Returns the codes of errors and warnings about a file."""
        ran = sinew("validate", "--format", "json", path)
        self.assertIn(ran.status, (0, 1), str(ran))
        return {message["code"] for message in json.loads(ran.data)["issues"]["messages"] if message["severity"] < 2}

    def same(self, model, *options):
        """Both containers have the same vertices bit for bit and no new finding; returns the output of info for the text file."""
        want = self.deform(model, *options)
        for extension in (".g4b", ".g4tf"):
            out = self.path("out" + extension)
            self.succeeds("deform", model, "-o", out, *options)
            got = self.deform(out)
            self.assertEqual((got.shape, got.tobytes()), (want.shape, want.tobytes()))
            self.assertEqual(self.succeeds("info", "-v", out).err, "")
            self.assertLessEqual(self.broken_rules(out), self.broken_rules(model))
        return json.loads(self.succeeds("info", "--json", out).out)

    def test_every_dimension(self):
        for dimension in range(1, 8):
            with self.subTest(dimension=dimension):
                model = plain(dimension, surface={} if dimension == 1 else None).save(self.path("model.g4b"))
                info = self.same(model)
                self.assertEqual((info["dimension"], info["revision"]), (dimension, "2026-01"))
                self.assertEqual([instance["name"] for instance in info["instances"]], ["Body"])

    def test_a_posed_model_of_each_kind_of_surface(self):
        model = plain(4)
        mesh = model.json["meshes"][0]
        edges = model.accessor("uint8", [(0, 4), (4, 1)])
        square = model.accessor("uint8", [(0, 1), (1, 2), (2, 3), (3, 0)])
        mesh["surfaces"] += [{"edges": edges}, {}, {**mesh["surfaces"][0], "edges": edges, "polytopeSimplexes": True},
                             {"edges": square, "topology": {"geometry": [model.accessor("uint8", [4, 0, 1, 2, 3])]}}]
        model.node(0, name="Hidden", mesh=0, visible=False, basis=[-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        pose = self.write("pose.json", {"nodes": {"Body": {"position": [0.1, 0.2, 0.3, 0.4], "scale": [1, 2, 3, 4]}}})
        info = self.same(model.save(self.path("model.g4b")), "--pose", pose)
        self.assertEqual([instance["visible"] for instance in info["instances"]], [True, False])
        self.assertEqual([surface["corners"] for surface in info["instances"][1]["surfaces"]], [4, 4, 5, 4, 8])

    def test_gltf_becomes_g4mf_of_three_dimensions(self):
        for name, path in samples():
            with self.subTest(sample=name):
                self.assertEqual(self.same(path)["dimension"], 3)
        info = self.same(tutorial_skin().save(self.path("strip.glb")), "--animation", "0", "--time", "0.7")
        self.assertEqual((info["counts"]["nodes"], info["counts"]["animations"]), (2, 0))

    def test_one_file_per_frame(self):
        strip = tutorial_skin().save(self.path("strip.glb"))
        self.succeeds("deform", strip, "-o", self.path("f%02d.g4b"), "--animation", "0", "--frames", "3")
        frames = self.deform(strip, "--animation", "0", "--frames", "3")
        for frame in range(3):
            np.testing.assert_array_equal(self.deform(self.path(f"f{frame:02}.g4b")), frames[frame])

    def test_what_is_lost_is_told(self):
        lost = self.succeeds("deform", dict(samples())["mirrored_pair.gltf"], "-o", self.path("out.g4b")).err
        self.assertIn("materials keep only their names", lost)
        model = plain(3)
        model.json["materials"] = [{"name": "Skin", "baseColor": {"factor": [1, 0, 0]}}]
        surface = model.json["meshes"][0]["surfaces"][0]
        surface.update(edges=model.accessor("uint8", [(0, 3)]), material=0, textureMap=model.accessor("float32", [1, 2, 3]))
        path = model.save(self.path("model.g4tf"))
        lost = self.succeeds("deform", path, "-o", self.path("out.glb")).err
        for what in ("texture coordinates", "edges"):
            self.assertIn(what, lost)
        self.assertNotIn("materials", lost)
        self.assertEqual(self.succeeds("deform", path, "-o", self.path("out.g4b"), "-q").err, "")
        model.json["materials"][0]["baseColor"]["perVertex"] = model.accessor("float32", [(0, 0, 0)] * 3)
        lost = self.succeeds("deform", model.save(self.path("model.g4tf")), "-o", self.path("out.glb")).err
        self.assertIn("materials keep only their factors", lost)

    def test_factors_of_materials_become_those_of_gltf(self):
        model = plain(3)
        model.json["materials"] = [{"name": "Lamp", "baseColor": {"factor": [1, 0, 0, 0.5]}, "emissive": {"factor": [0, 3, 0]}}, {"name": "Plain"}]
        model.json["meshes"][0]["surfaces"][0]["material"] = 0
        self.succeeds("deform", model.save(self.path("model.g4tf")), "-o", self.path("out.gltf"))
        with open(self.path("out.gltf"), encoding="utf-8") as file:
            written = json.load(file)
        lamp, plain_one = written["materials"]
        self.assertEqual(lamp["pbrMetallicRoughness"], {"baseColorFactor": [1, 0, 0, 0.5], "metallicFactor": 0})
        self.assertEqual((lamp["alphaMode"], lamp["emissiveFactor"]), ("BLEND", [0, 1, 0]))
        self.assertEqual(lamp["extensions"], {"KHR_materials_emissive_strength": {"emissiveStrength": 3}})
        self.assertEqual(written["extensionsUsed"], ["KHR_materials_emissive_strength"])
        self.assertEqual(plain_one["pbrMetallicRoughness"], {"metallicFactor": 0})


class Corners(ProgramTest):
    """--attribute: one row per corner of all surfaces."""

    def two_surfaces(self):
        """A tetrahedron of 4D with normals and a map of three numbers, and two edges with a map of one."""
        model = Builder(4)
        model.node()
        vertices = model.accessor("float32", np.eye(5, 4))
        cell = {"simplexes": model.accessor("uint8", [(0, 1, 2, 3)]), "normals": model.accessor("float32", np.eye(4)),
                "textureMap": model.accessor("float32", np.arange(12).reshape(4, 3))}
        edges = {"edges": model.accessor("uint8", [(0, 4), (4, 1)]), "textureMap": model.accessor("float32", [5, 6, 7, 8])}
        targets = {"normal": model.target([0, 2], [(0, 3, 0, 0), (1, 0, 0, 0)]), "name": "Lean"}
        mesh = model.mesh(vertices, [cell, edges], blend={"shapes": [targets]})
        c = 0.8660254
        model.node(0, name="Body", mesh=mesh, rotor=[c, 0, 0, 0, 0.5, 0, 0], scale=[2, 1, 1, 1])
        return model

    def test_normals(self):
        path = self.two_surfaces().save(self.path("model.g4b"))
        pose = {"blendAmounts": {"Body": {"Lean": 0.5}}}
        for options, posed in (((), None), (("--pose", self.write("pose.json", pose)), pose)):
            got, want = self.deform(path, "--attribute", "normal", *options), corners.evaluate_normals(path, posed)
            self.assertEqual(got.shape, (8, 4))
            np.testing.assert_allclose(got, want, atol=1e-6)
        info = json.loads(self.succeeds("info", "--json", path).out)
        self.assertEqual([surface["corners"] for surface in info["instances"][0]["surfaces"]], [4, 4])

    def test_texture_maps_are_as_wide_as_the_widest(self):
        path = self.two_surfaces().save(self.path("model.g4b"))
        got = self.deform(path, "--attribute", "texcoord")
        self.assertEqual(got.shape, (8, 3))
        np.testing.assert_array_equal(got, corners.evaluate_texture_maps(path))
        self.assertTrue(np.isnan(got[4:, 1:]).all())

    def test_flat_normals_where_none_are_stored(self):
        got = self.deform(plain(4).save(self.path("model.g4tf")), "--attribute", "normal")
        np.testing.assert_allclose(got, [[-0.5] * 4] * 4, atol=1e-6)

    def test_what_is_not_there_is_a_usage_error(self):
        model = plain(4).save(self.path("model.g4tf"))
        points = plain(4, surface={}).save(self.path("points.g4tf"))
        for path, attribute, says in ((model, "tangent", "G4MF cannot store tangents"), (model, "texcoord", "texture coordinates"), (points, "normal", "normals")):
            with self.subTest(attribute=attribute):
                self.fails(USAGE, "deform", path, "-o", self.path("out.npy"), "--attribute", attribute, says=says)


class Forced(ProgramTest):
    """Defects that --force accepts; without it the message suggests it."""

    def check(self, edit, says, want):
        model = plain()
        edit(model)
        path = self.write("model.g4tf", model.text())
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), says=[says, "--force"])
        np.testing.assert_allclose(self.deform(path, "--force"), want, atol=1e-6)
        self.succeeds("info", path)

    def test_blend_targets_of_unequal_length(self):
        want = np.eye(5, 4)
        want[0] += (0, 0, 0, 2)
        target = lambda m: m.target([0, 1, 2], [(0, 0, 0, 2)])
        self.check(lambda m: m.json["meshes"][0].update(blend={"shapes": [{"position": target(m)}], "amounts": [1]}), "G4MF_BLEND_OFFSETS_COUNT", want)

    def test_rotors_that_are_none(self):
        self.check(lambda m: m.json["nodes"][1].update(rotor=[0] * 7), "G4MF_NODE_ROTOR_ZERO", np.eye(5, 4))
        # xy and zw without xyzw: the sandwich gives (1, 2)/3 in both planes, and the nearest rotation turns by that angle.
        c, s = 1 / 5**0.5, 2 / 5**0.5
        turned = [(c, s, 0, 0), (-s, c, 0, 0), (0, 0, c, s), (0, 0, -s, c), (0, 0, 0, 0)]
        self.check(lambda m: m.json["nodes"][1].update(rotor=[0.5, 0.5, 0, 0, 0, 0, 0.5]), "G4MF_NODE_ROTOR_NOT_ROTATION", turned)

    def test_amounts_of_the_wrong_length(self):
        def edit(model):
            shapes = [{"position": model.target([v], [(0, 0, 0, 2)])} for v in (0, 1)]
            model.json["meshes"][0]["blend"] = {"shapes": shapes, "amounts": [0.5, 0.5]}
            model.json["nodes"][1]["meshInstance"]["blendAmounts"] = [1]
        want = np.eye(5, 4)
        want[0] += (0, 0, 0, 2)
        self.check(edit, "G4MF_MESH_INSTANCE_BLEND_AMOUNTS_LENGTH", want)
        self.check(lambda m: m.json["nodes"][1]["meshInstance"].update(blendAmounts=[1]), "G4MF_MESH_INSTANCE_BLEND_AMOUNTS_NO_BLEND", np.eye(5, 4))

    def test_data_uris_of_other_forms(self):
        for before, after, says in ((b"octet-stream", b"gltf-buffer", "DATA_URI_PREFIX"), (b'=="', b'"', "DATA_URI_BASE64")):
            model = plain()
            model.accessor("uint8", [0])  # one byte more than a multiple of three: two characters of padding
            text = model.text()
            self.assertIn(before, text)
            path = self.write("model.g4tf", text.replace(before, after))
            self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), says=[says, "--force"])
            np.testing.assert_array_equal(self.deform(path, "--force"), np.eye(5, 4))


class Revisions(ProgramTest):
    def test_the_reader_can_be_told_the_revision(self):
        path = plain().save(self.path("model.g4tf"))
        for revision in ("2025-08", "2026-01", "2026-07"):
            shown = json.loads(self.succeeds("info", "--json", path, "--revision", revision).out)
            self.assertEqual(shown["revision"], revision)
            np.testing.assert_array_equal(self.deform(path, "--revision", revision), np.eye(5, 4))
        self.fails(USAGE, "info", path, "--revision", "2026-02", says=["2026-02", "2026-01"])


class PoseRotors(ProgramTest):
    def test_lengths_of_rotors_in_pose_files(self):
        """Cut after any grade, as in the file; they count by their direction."""
        model = plain(6).save(self.path("model.g4tf"))
        for length, ok in ((15, False), (16, True), (17, False), (31, True), (32, True), (33, False)):
            pose = self.write("pose.json", {"nodes": {"Body": {"rotor": ([3, 3] + [0] * length)[:length]}}})
            if ok:
                np.testing.assert_allclose(self.deform(model, "--pose", pose)[0], (0, 1, 0, 0, 0, 0), atol=1e-6)
            else:
                self.fails(INPUT, "deform", model, "-o", self.path("out.npy"), "--pose", pose, says="16, 31 or 32 numbers")


class SameAsGltf(ProgramTest):
    def test_a_rig_of_three_dimensions_deforms_to_the_same_vertices(self):
        """The tutorial's strip with its two joints, which stand at (0, 0, 0) and (0, 1, 0), the upper one turned by a pose file."""
        strip = tutorial_skin().save(self.path("strip.glb"))
        rows = gltf_oracle.evaluate(strip)
        model = Builder(3)
        model.node()
        model.node(0, name="Rig", skeleton={"joints": [2, 3]})
        model.node(1, name="Lower", bone={}, position=[0, 0, 0])
        model.node(2, name="Upper", bone={}, position=[0, 1, 0])
        influences = [[(0, 1 - upper), (1, upper)] for upper in (0, 0.25, 0.5, 0.75, 1) for _ in range(2)]  # by height
        mesh = model.mesh(model.accessor("float32", rows), [{}], skin=model.skin(influences))
        model.node(1, name="Body", mesh=mesh)
        turn = self.write("pose.json", {"nodes": {"Upper": {"rotation": [0.5, -0.1, 0.7, 0.5]}}})
        want = self.deform(strip, "--pose", turn)
        self.assertGreater(np.abs(want - rows).max(), 0.1)
        np.testing.assert_allclose(self.deform(model.save(self.path("strip.g4b")), "--pose", turn), want, atol=1e-6)


class BadFiles(ProgramTest):
    """Rejected at once, with one line that states the place or the problem."""

    def refused(self, content, status=INPUT, says=(), name="model.g4tf"):
        path = self.write(name, content)
        out = self.path("out.npy")

        def seconds():
            begun = time.monotonic()
            self.fails(status, "deform", path, "-o", out, says=says)
            return time.monotonic() - begun

        self.assertLess(patiently(seconds, lambda passed: passed < SECONDS), SECONDS)
        self.assertFalse(os.path.exists(out))

    def test_sizes_that_no_file_has(self):
        whole = plain().binary()
        for size in (2**63, 2**64 - 1):
            with self.subTest(of="file", size=size):
                self.refused(whole[:8] + struct.pack("<Q", size) + whole[16:], name="model.g4b", says="byte 8")
        for size in (2**63 - 1, 2**63, 2**64 - 1):
            with self.subTest(of="chunk", size=size):
                self.refused(whole[:24] + struct.pack("<Q", size) + whole[32:], name="model.g4b", says="byte")

    def test_a_wrong_size_of_the_file_alone_is_told_and_read(self):
        whole = plain().binary()
        model = self.write("model.g4b", whole[:8] + struct.pack("<Q", 2**63 - 1) + whole[16:])
        self.assertEqual(len(self.deform(model)), 5)
        self.assertIn("G4MF_BIN_SIZE_MISMATCH", self.succeeds("info", "-v", model).err)

    def test_cut_anywhere(self):
        whole = plain().binary()
        for length in (5, 15, 16, 31, 60, len(whole) - 1):
            with self.subTest(length=length):
                self.refused(whole[:length], name="model.g4b")

    def test_a_frame_that_grows_beyond_what_the_file_says(self):
        """A block of one byte, repeated: 4 bytes for each 128 KiB, as often as the frame claims."""
        blocks = 20000
        block = ((1 << 17) << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
        bomb = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", blocks << 17) + block * (blocks - 1) + bytes([block[0] | 1]) + block[1:]
        for claimed in (100, 1 << 50):
            with self.subTest(claimed=claimed):
                document = {"asset": {"dimension": 3}, "nodes": [{"children": [1]}, {"meshInstance": {"mesh": 0}}],
                            "meshes": [{"vertices": 0, "surfaces": [{}]}], "accessors": [{"bufferView": 0, "componentType": "float32", "vectorSize": 3}],
                            "bufferViews": [{"byteLength": 96}], "buffers": [{"byteLength": claimed, "compression": "Zstd"}]}
                file = g4b_bytes([chunk(b"JSON", json.dumps(document).encode()), chunk(b"BLOB", bomb, b"Zstd")])
                self.refused(file, name="model.g4b", says="/buffers/0")

    def test_dimensions(self):
        for dimension, says in ((10**9, "16"), (17, "16"), (-1, "-1"), (2.5, "2.5"), ("4", "4")):
            with self.subTest(dimension=dimension):
                self.refused({"asset": {"dimension": dimension}}, says=["/asset/dimension", says])

    def edited(self, edit):
        model = plain()
        edit(model)
        return model.text()

    def test_indices_out_of_range(self):
        surface = lambda model: model.json["meshes"][0]["surfaces"][0]
        cases = {
            "a simplex names no vertex": lambda m: surface(m).update(simplexes=m.accessor("uint8", [(0, 1, 2, 5)])),
            "a simplex is negative": lambda m: surface(m).update(simplexes=m.accessor("int8", [(0, 1, 2, -1)])),
            "a mesh that is not there": lambda m: m.json["nodes"][1]["meshInstance"].update(mesh=1),
            "an accessor that is not there": lambda m: m.json["meshes"][0].update(vertices=99),
            "a view beyond its buffer": lambda m: m.views[1].update(byteLength=1 << 40),
            "a child that is not there": lambda m: m.json["nodes"][0].update(children=[1, 7]),
            "a blend index beyond the vertices": lambda m: m.json["meshes"][0].update(blend={"shapes": [{"position": m.target([5], [(0, 0, 0, 1)])}]}),
            "an influence beyond the vertices": lambda m: m.json["meshes"][0].update(skin=m.skin([[]] * 5 + [[(0, 1.0)]])),
            "a position of three numbers": lambda m: m.json["nodes"][1].update(position=[1, 2, 3]),
            "a rotor that is none": lambda m: m.json["nodes"][1].update(rotor=[0.5, 0.5, 0, 0, 0, 0, 0.5]),
        }
        for name, edit in cases.items():
            with self.subTest(name):
                self.refused(self.edited(edit), says="/")

    def test_tiers_that_run_past_their_end(self):
        """Of four edges around a square: a count of 2³² − 1, an item cut short, an edge that is not there."""
        for stream in ([2**32 - 1, 0, 1, 2, 3], [4, 0, 1, 2], [4, 0, 1, 2, 9]):
            with self.subTest(stream=stream):
                def edit(model):
                    edges = model.accessor("uint8", [(0, 1), (1, 2), (2, 3), (3, 0)])
                    model.json["meshes"][0]["surfaces"] = [{"edges": edges, "topology": {"geometry": [model.accessor("uint32", stream)]}}]
                self.refused(self.edited(edit), says="/meshes/0/surfaces/0")

    def test_required_extensions_that_nothing_here_knows(self):
        model = plain()
        model.json["asset"].update(extensionsUsed=["NONE_folding"], extensionsRequired=["NONE_folding"])
        self.refused(model.text(), UNSUPPORTED, says="NONE_folding")


if __name__ == "__main__":
    main()
