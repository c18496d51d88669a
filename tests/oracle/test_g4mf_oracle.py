# SPDX-License-Identifier: MIT
"""The G4MF evaluator compared with numbers worked by hand: rotors, component types and small rigs, without another program."""
import argparse
import math
import os
import shutil
import struct
import sys
import tempfile
import unittest

import numpy as np

import g4mf_corners as corners
import g4mf_oracle as oracle
from g4mf_builder import Builder, encode, zstd_frame

C = math.sqrt(0.5)


class Rotors(unittest.TestCase):
    def columns(self, dimension, rotor):
        return oracle.rotor_matrix(dimension, rotor).T

    def test_quarter_turns_go_from_the_first_axis_of_the_plane_to_the_second(self):
        x, y, z = np.eye(3)
        for rotor, moved in (([C, C, 0, 0], (y, -x, z)), ([C, 0, C, 0], (z, y, -x)), ([C, 0, 0, C], (x, z, -y))):
            with self.subTest(rotor=rotor):
                np.testing.assert_allclose(self.columns(3, rotor), moved, atol=1e-15)
        np.testing.assert_allclose(self.columns(4, [C, 0, 0, 0, C, 0, 0])[0], [0, 0, 0, 1], atol=1e-15)
        np.testing.assert_allclose(self.columns(2, [C, C]), [[0, 1], [-1, 0]], atol=1e-15)

    def test_double_rotations_need_the_sign_of_the_last_number(self):
        c, s = math.cos(math.pi / 6), 0.5
        xy_zw = [0.836516, 0.224144, 0, 0, 0, 0, 0.482963, 0.129410]
        xz_yw = [0.836516, 0, 0.224144, 0, 0, 0.482963, 0, -0.129410]
        np.testing.assert_allclose(self.columns(4, xy_zw), [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, s, c], [0, 0, -c, s]], atol=2e-6)
        np.testing.assert_allclose(self.columns(4, xz_yw), [[c, 0, s, 0], [0, s, 0, c], [-s, 0, c, 0], [0, -c, 0, s]], atol=2e-6)

    def test_product(self):
        """First a quarter turn in xy, then one in yz."""
        masks = oracle.even_blades(3)
        both = oracle.product(dict(zip(masks, [C, C, 0, 0])), dict(zip(masks, [C, 0, 0, C])))
        np.testing.assert_allclose([both[mask] for mask in masks], [0.5] * 4, atol=1e-15)

    def test_blades_are_ordered_by_grade_then_by_mask(self):
        self.assertEqual(oracle.even_blades(4), [0, 3, 5, 6, 9, 10, 12, 15])
        self.assertEqual(oracle.even_blades(5)[11:], [15, 23, 27, 29, 30])


class Perpendiculars(unittest.TestCase):
    def test_axes_and_a_worked_example(self):
        x, y, z, w = np.eye(4)
        for rows, normal in (((x, y, z), w), ((x, y, w), -z), ((x, z, w), y), ((y, z, w), -x)):
            np.testing.assert_allclose(oracle.perpendicular(rows), normal, atol=1e-15)
        np.testing.assert_allclose(oracle.perpendicular([(1, 2, 0, 1), (0, 1, 3, 0), (2, 0, 1, 1)]), (-7, -3, 1, 13), atol=1e-12)
        np.testing.assert_allclose(oracle.perpendicular([(3, 4)]), (-4, 3), atol=1e-15)


class ComponentTypes(unittest.TestCase):
    def test_float8_byte_by_byte(self):
        for byte, number in ((0, 0), (1, 2**-9), (8, 2**-6), (0x38, 1), (0x3C, 1.5), (0x40, 2), (0x77, 240), (0x78, math.inf), (0xB8, -1), (0xF7, -240)):
            self.assertEqual(oracle.float8(byte), number)
        self.assertTrue(math.isnan(oracle.float8(0x79)))

    def test_float128(self):
        one = bytes(14) + b"\xff\x3f"
        self.assertEqual(oracle.float128(one), 1.0)
        self.assertEqual(oracle.float128(bytes(13) + b"\x80\x00\xc0"), -3.0)
        self.assertEqual(oracle.float128(bytes(14) + b"\xff\x7f"), math.inf)

    def test_what_is_written_is_read(self):
        numbers = [0.0, 1.0, -1.5, 240.0, 0.001953125, -0.0625]
        for kind in ("float8", "float16", "float32", "float64", "float128"):
            with self.subTest(kind=kind):
                self.assertEqual(list(oracle.decode(kind, encode(kind, numbers))), numbers)
        for value in (math.pi, 5e-324, 1.7976931348623157e308):
            self.assertEqual(oracle.decode("float128", encode("float128", [value]))[0], value)
        for kind in oracle.SIZES:
            if not kind.startswith("float"):
                bits = oracle.SIZES[kind] * 8 - kind.startswith("int")
                numbers = [0, 1, 2**bits - 1] + [-(2**bits)] * kind.startswith("int")
                with self.subTest(kind=kind):
                    self.assertEqual(list(oracle.decode(kind, encode(kind, numbers))), numbers)


class Rigs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sinew-oracle-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def evaluate(self, builder, pose=None, name="model.g4tf"):
        return oracle.evaluate(builder.save(os.path.join(self.folder, name)), pose)

    def arm(self, **skeleton):
        """A point (1, 2) of a 2D mesh under a bone at (1, 0); the mesh's node is moved by (0, 10)."""
        arm = Builder(2)
        root = arm.node()
        arm.node(root, name="Rig", skeleton=skeleton or {"joints": [2]})
        arm.node(1, name="Bone", bone={}, position=[1, 0])
        vertices = arm.accessor("float32", [(1, 2), (5, 5)])
        skin = arm.skin([[(0, 2.0)], []])
        arm.node(1, name="Body", mesh=arm.mesh(vertices, [{}], skin=skin), position=[0, 10])
        return arm

    def test_the_stored_pose_shows_the_mesh_as_stored(self):
        np.testing.assert_allclose(self.evaluate(self.arm()), [(1, 12), (5, 15)])

    def test_weights_are_divided_by_their_sum_and_unlisted_vertices_stay(self):
        """A quarter turn about (1, 0): (1, 12) is 12 above it and goes to 12 left of it."""
        np.testing.assert_allclose(self.evaluate(self.arm(), {"nodes": {"Bone": {"rotor": [C, C]}}}), [(-11, 0), (5, 15)], atol=1e-12)

    def test_an_empty_slot_holds_its_share_back(self):
        arm = self.arm(joints=[2, -1])
        arm.json["meshes"][0]["skin"] = arm.skin([[(0, 0.5), (1, 0.5)], [(2, 1.0)]])
        np.testing.assert_allclose(self.evaluate(arm, {"nodes": {"Bone": {"rotor": [C, C]}}}), [(-5, 6), (5, 15)], atol=1e-12)

    def test_the_mesh_is_bound_by_the_stored_transform_of_its_node(self):
        pose = {"nodes": {"Bone": {"rotor": [C, C]}, "Body": {"position": [0, 0]}}}
        np.testing.assert_allclose(self.evaluate(self.arm(), pose), [(-11, -10), (5, 5)], atol=1e-12)

    def test_a_skin_below_no_skeleton_does_nothing(self):
        arm = self.arm()
        del arm.json["nodes"][1]["skeleton"]
        np.testing.assert_allclose(self.evaluate(arm, {"nodes": {"Bone": {"rotor": [C, C]}}}), [(1, 12), (5, 15)])

    def test_blend_shapes_come_before_the_skin(self):
        arm = self.arm()
        target = arm.target([0], [(0, 1)])
        arm.json["meshes"][0]["blend"] = {"shapes": [{"name": "Up", "position": target}], "amounts": [0.5]}
        pose = {"nodes": {"Bone": {"rotor": [C, C]}}, "blendAmounts": {"Body": {"Up": 4}}}
        np.testing.assert_allclose(self.evaluate(arm, {"nodes": {"Bone": {"rotor": [C, C]}}})[0], (-11.5, 0), atol=1e-12)
        np.testing.assert_allclose(self.evaluate(arm, pose)[0], (-15, 0), atol=1e-12)

    def test_scale_acts_before_the_rotor_and_basis_is_stored_by_columns(self):
        for properties in ({"rotor": [C, C], "scale": [3, 1]}, {"basis": [0, 3, -1, 0]}):
            model = Builder(2)
            model.node()
            model.node(0, mesh=model.mesh(model.accessor("float32", [(1, 2)]), [{}]), **properties)
            np.testing.assert_allclose(self.evaluate(model), [(-2, 3)], atol=1e-12)

    def test_every_revision_and_container_is_the_same_model(self):
        for revision in ("2025-08", "2026-01", "2026-07"):
            for name in ("model.g4tf", "model.g4b"):
                arm = Builder(2, revision)
                arm.node()
                arm.node(0, mesh=arm.mesh(arm.accessor("float16", [(1, 2)]), [{}]))
                with self.subTest(revision=revision, name=name):
                    np.testing.assert_array_equal(self.evaluate(arm, name=name), [(1, 2)])

    def test_header_and_chunks_by_hand(self):
        """JSON of 25 bytes and nothing else: the smallest file."""
        text = b'{"asset":{"dimension":4}}'
        path = os.path.join(self.folder, "small.g4b")
        with open(path, "wb") as file:
            file.write(b"G4MF" + struct.pack("<IQ", 0, 57) + b"JSON" + bytes(4) + struct.pack("<Q", 25) + text)
        self.assertEqual(oracle.Document(path).dimension, 4)

    @unittest.skipUnless(shutil.which("zstd"), "needs the command zstd")
    def test_frames_of_raw_blocks_are_what_zstd_reads(self):
        for data in (b"", b"abc", bytes(300000)):
            self.assertEqual(oracle.unzstd(zstd_frame(data)), data)


class Corners(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sinew-oracle-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def save(self, builder):
        return builder.save(os.path.join(self.folder, "model.g4tf"))

    def triangle(self, surface=None, **node):
        """(0, 0, 0), (1, 0, 0), (0, 1, 0): it faces +Z."""
        model = Builder(3)
        model.node()
        vertices = model.accessor("float32", [(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        part = {"simplexes": model.accessor("uint8", [(0, 1, 2)]), **(surface(model) if surface else {})}
        model.node(0, name="Body", mesh=model.mesh(vertices, [part]), **node)
        return model

    def test_cofactors(self):
        np.testing.assert_allclose(corners.cofactor(np.diag([2.0, 3.0, 5.0])), np.diag([15, 10, 6]))
        m = np.array([[1.0, 2, 0], [0, 1, 4], [3, 0, 1]])
        np.testing.assert_allclose(corners.cofactor(m), np.linalg.det(m) * np.linalg.inv(m).T)

    def test_flat_normals_follow_the_cell_and_its_mirroring(self):
        for node, normal in (({}, (0, 0, 1)), ({"rotor": [C, 0, 0, C]}, (0, -1, 0)), ({"basis": [-1, 0, 0, 0, 1, 0, 0, 0, 1]}, (0, 0, -1))):
            with self.subTest(node=node):
                np.testing.assert_allclose(corners.evaluate_normals(self.save(self.triangle(**node))), [normal] * 3, atol=1e-15)

    def test_stored_normals_go_through_the_cofactors(self):
        """x stretched by 2: of the plane x + y = 0 becomes x/2 + y = 0."""
        model = self.triangle(lambda m: {"normals": m.accessor("float32", [(C, C, 0), (0, 0, 1), (1, 0, 0)])}, scale=[2, 1, 1])
        np.testing.assert_allclose(corners.evaluate_normals(self.save(model)), [np.array((0.5, 1, 0)) / math.hypot(0.5, 1), (0, 0, 1), (1, 0, 0)], atol=1e-7)

    def test_targets_move_flat_normals_where_none_are_stored(self):
        model = self.triangle()
        model.json["meshes"][0]["blend"] = {"shapes": [{"name": "Lean", "normal": model.target([1], [(2, 0, 0)])}], "amounts": [0.5]}
        np.testing.assert_allclose(corners.evaluate_normals(self.save(model)), [(0, 0, 1), (C, 0, C), (0, 0, 1)], atol=1e-15)

    def test_texture_maps_of_each_surface(self):
        model = self.triangle(lambda m: {"textureMap": m.accessor("float32", [(0, 0), (1, 0), (0, 1)])})
        edges = model.accessor("uint8", [(0, 1)])
        model.json["meshes"][0]["surfaces"].append({"edges": edges})
        model.json["meshes"][0]["blend"] = {"shapes": [{"name": "Slide", "textureMap": model.target([2], [(0, 4)])}], "amounts": [0.25]}
        want = [(0, 0), (1, 0), (0, 2), (np.nan, np.nan), (np.nan, np.nan)]
        np.testing.assert_allclose(corners.evaluate_texture_maps(self.save(model)), want)

    def test_bindings_share_values(self):
        model = Builder(3, "2026-07")
        model.node()
        vertices = model.accessor("float32", [(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        values = model.accessor("float32", [(0, 0, 1), (1, 0, 0)])
        binding = {"values": values, "simplexes": model.accessor("uint8", [(1, 0, 1)])}
        part = {"simplexes": model.accessor("uint8", [(0, 1, 2)]), "normals": binding}
        blend = {"shapes": [{"name": "Lean", "surfaces": [{"surface": 0, "normal": model.target([1], [(-1, 1, 0)])}]}], "amounts": [1.0]}
        model.node(0, mesh=model.mesh(vertices, [part], blend=blend))
        np.testing.assert_allclose(corners.evaluate_normals(self.save(model)), [(0, 1, 0), (0, 0, 1), (0, 1, 0)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--shared")
    unittest.main(argv=[sys.argv[0], *parser.parse_known_args()[1]])
