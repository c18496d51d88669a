# SPDX-License-Identifier: MIT
"""Pose files, blend amounts, and the order of overrides: file, clip, pose file, --blend."""
import numpy as np

from program import INPUT, USAGE, ProgramTest, main

import gltf_oracle as oracle
from gltf_builder import TUTORIAL_POSITIONS, Builder, morphed_quad, tutorial_skin

HALF = float(np.sqrt(0.5))
QUARTER_TURN = [0, 0, HALF, HALF]  # 90° about Z: X → Y


class PoseTest(ProgramTest):
    def pose(self, content):
        return self.write("pose.json", content)

    def posed(self, model, content, *options):
        return self.deform(model, "--pose", self.pose(content), *options)

    def edited(self, builder, node, **properties):
        """Returns the oracle's result with a node's properties replaced in the file itself."""
        builder.json["nodes"][node].update(properties)
        path = builder.save(self.path("edited.glb"))
        return oracle.evaluate(path)


class Nodes(PoseTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin(rotation=[0, 0, 0.6, 0.8]).save(self.path("skin.glb"))

    def test_each_property_replaces_the_files_and_the_others_keep(self):
        changes = {
            "translation": [1, 2, 3],
            "rotation": QUARTER_TURN,
            "scale": [2, -1, 0.5],
        }
        for name, value in changes.items():
            with self.subTest(property=name):
                want = self.edited(tutorial_skin(rotation=[0, 0, 0.6, 0.8]), 2, **{name: value})
                np.testing.assert_allclose(self.posed(self.skin, {"nodes": {"Upper": {name: value}}}), want, atol=1e-5)
                np.testing.assert_allclose(self.posed(self.skin, {"nodes": {"2": {name: value}}}), want, atol=1e-5)

    def test_position_is_translation(self):
        self.assertTrue(np.array_equal(
            self.posed(self.skin, {"nodes": {"Upper": {"position": [1, 2, 3]}}}),
            self.posed(self.skin, {"nodes": {"Upper": {"translation": [1, 2, 3]}}})))

    def test_rotor_and_quaternion_are_one_rotation(self):
        """Quaternion x, y, z, w is the rotor w, z, −y, x (scalar, xy, xz, yz)."""
        x, y, z, w = q = [0.5, -0.1, 0.7, 0.5]
        np.testing.assert_allclose(
            self.posed(self.skin, {"nodes": {"Upper": {"rotation": q}}}),
            self.posed(self.skin, {"nodes": {"Upper": {"rotor": [w, z, -y, x]}}}), atol=1e-6)

    def test_basis_replaces_rotation_and_scale_but_not_the_position(self):
        columns = [[0, 2, 0], [-1, 0, 0.5], [0, 0, 3]]
        matrix = [*columns[0], 0, *columns[1], 0, *columns[2], 0, 0, 1, 0, 1]
        builder = tutorial_skin()
        builder.json["nodes"][2] = {"name": "Upper", "matrix": matrix}
        want = oracle.evaluate(builder.save(self.path("edited.glb")))
        np.testing.assert_allclose(self.posed(self.skin, {"nodes": {"Upper": {"basis": sum(columns, [])}}}), want, atol=1e-5)

    def test_matrix_replaces_everything(self):
        matrix = [0, 2, 0, 0, -1, 0, 0.5, 0, 0, 0, 3, 0, 4, 5, 6, 1]
        builder = tutorial_skin()
        builder.json["nodes"][2] = {"name": "Upper", "matrix": matrix}
        want = oracle.evaluate(builder.save(self.path("edited.glb")))
        np.testing.assert_allclose(self.posed(self.skin, {"nodes": {"Upper": {"matrix": matrix}}}), want, atol=1e-5)

    def test_nothing_said_changes_nothing(self):
        for content in ({}, {"nodes": {}}, {"nodes": {"Upper": {}}}, {"blendAmounts": {}}):
            with self.subTest(content=content):
                np.testing.assert_array_equal(self.posed(self.skin, content), self.deform(self.skin))

    def test_clip_then_pose_file(self):
        path = tutorial_skin().save(self.path("clip.glb"))
        pose = self.pose({"nodes": {"Upper": {"translation": [0, 1, 4]}}})
        got = self.deform(path, "--pose", pose, "--animation", "Bend", "--frames", "3")
        builder = tutorial_skin()
        builder.json["nodes"][2]["translation"] = [0, 1, 4]
        edited = builder.save(self.path("edited.glb"))
        want = [oracle.evaluate(edited, animation=0, time=time) for time in (0, 1, 2)]
        np.testing.assert_allclose(got, want, atol=1e-5)
        pose = self.pose({"nodes": {"Upper": {"rotation": QUARTER_TURN}}})
        got = self.deform(path, "--pose", pose, "--animation", "Bend", "--frames", "3")
        for frame in got:
            np.testing.assert_allclose(frame[9], [-1, 1.5, 0], atol=1e-5)

    def test_static_outputs_take_the_pose_too(self):
        pose = self.pose({"nodes": {"Upper": {"rotation": QUARTER_TURN}}})
        self.succeeds("deform", self.skin, "-o", self.path("out.glb"), "--pose", pose)
        np.testing.assert_allclose(oracle.evaluate(self.path("out.glb")), self.deform(self.skin, "--pose", pose), atol=1e-6)


class MatrixNodes(PoseTest):
    """rotation without scale on a node with a matrix keeps the signed scale, if the columns are orthogonal."""

    def model(self, linear, name):
        """A mesh under a node whose matrix has these columns and the translation (1, 2, 3)."""
        b = Builder()
        points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
        b.add("meshes", {"primitives": [{"mode": 0, "attributes": {"POSITION": b.accessor(points, bounds=True, target=34962)}}]})
        columns = np.array(linear, float)
        matrix = np.eye(4)
        matrix[:3, :3] = columns  # rows of this array are the matrix's columns, as glTF stores them
        matrix[3, :3] = [1, 2, 3]
        b.add("nodes", {"name": "Box", "mesh": 0, "matrix": matrix.reshape(-1).tolist()})
        b.add("scenes", {"nodes": [0]})
        return b.save(self.path(name))

    def test_scale_is_kept(self):
        turned = np.array([[0, 2, 0], [-3, 0, 0], [0, 0, 4]])  # 90° about Z, then scale 2, 3, 4 of the axes
        got = self.posed(self.model(turned, "a.glb"), {"nodes": {"Box": {"rotation": [0, 0, 0, 1]}}})
        np.testing.assert_allclose(got - [1, 2, 3], [[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4]], atol=1e-5)

    def test_a_mirror_stays_a_mirror(self):
        got = self.posed(self.model(np.diag([2.0, -3, 4]), "a.glb"), {"nodes": {"Box": {"rotation": [0, 0, 0, 1]}}})
        self.assertLess(np.linalg.det((got[1:] - got[0]).astype(float)), 0)
        np.testing.assert_allclose(np.abs(np.linalg.norm(got[1:] - got[0], axis=1)), [2, 3, 4], atol=1e-5)

    def test_one_scale_counts_for_all_axes(self):
        path = self.model(np.eye(3), "a.glb")
        wanted = self.posed(path, {"nodes": {"Box": {"scale": [2, 2, 2]}}})
        for scale in (2, [2]):
            np.testing.assert_array_equal(self.posed(path, {"nodes": {"Box": {"scale": scale}}}), wanted)
        pose = self.write("pose.json", '{"nodes": {"Box": {"scale": "2"}}}')
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), "--pose", pose, says="3 numbers, or one number for all axes")

    def test_sheared_columns_need_a_basis(self):
        path = self.model([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "a.glb")
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), "--pose", self.pose({"nodes": {"Box": {"rotation": QUARTER_TURN}}}),
                   says=["basis", "/nodes/Box", "pose.json"])
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"), "--pose", self.pose({"nodes": {"Box": {"rotor": [1, 0, 0, 0]}}}),
                   says="basis")

    def test_rotation_and_scale_together_replace_even_those(self):
        path = self.model([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "a.glb")
        got = self.posed(path, {"nodes": {"Box": {"rotation": QUARTER_TURN, "scale": [2, 2, 2]}}})
        np.testing.assert_allclose(got - [1, 2, 3], [[0, 0, 0], [0, 2, 0], [-2, 0, 0], [0, 0, 2]], atol=1e-5)

    def test_translation_keeps_the_matrix(self):
        path = self.model([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "a.glb")
        got = self.posed(path, {"nodes": {"Box": {"translation": [0, 0, 0]}}})
        np.testing.assert_allclose(got, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]], atol=1e-5)

    def test_basis_of_a_sheared_node(self):
        path = self.model([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "a.glb")
        got = self.posed(path, {"nodes": {"Box": {"basis": [0, 1, 0, -1, 0, 0, 0, 0, 1]}}})
        np.testing.assert_allclose(got - [1, 2, 3], [[0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-5)


class PoseFileErrors(PoseTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))

    def refused(self, content, *says):
        self.fails(INPUT, "deform", self.skin, "-o", self.path("out.npy"), "--pose", self.pose(content), says=["pose.json", *says])

    def test_unknown_nodes(self):
        self.refused({"nodes": {"Uper": {"scale": [1, 1, 1]}}}, "/nodes/Uper", "Upper")
        self.refused({"nodes": {"17": {"scale": [1, 1, 1]}}}, "/nodes/17")
        self.refused({"nodes": {"a/b~c": {}}}, "/nodes/a~1b~0c")
        self.refused({"blendAmounts": {"Nobody": [1]}}, "/blendAmounts/Nobody")

    def test_values_of_the_wrong_kind(self):
        for name, value in (
            ("translation", [1, 2]), ("translation", "up"), ("scale", [1, 1, 1, 1]), ("scale", [1, 1]), ("scale", "2"), ("scale", [None]), ("rotation", [0, 0, 1]), ("rotor", [1, 2]),
            ("basis", [1, 0, 0]), ("matrix", [1] * 9), ("translation", [1, 2, None]),
        ):
            with self.subTest(property=name, value=value):
                self.refused({"nodes": {"Upper": {name: value}}}, f"/nodes/Upper/{name}")
        self.refused({"nodes": {"Upper": 5}}, "/nodes/Upper")
        self.refused({"nodes": [1, 2]}, "/nodes")
        self.refused('{"nodes": {"Upper": {"translation": [1, 1e999, 0]}}}', "/nodes/Upper/translation")

    def test_files_that_are_no_pose(self):
        self.refused("")
        self.refused("{")
        self.refused("[]")
        self.fails(INPUT, "deform", self.skin, "-o", self.path("out.npy"), "--pose", self.path("absent.json"), says="absent.json")

    def test_a_mesh_without_shapes_has_no_amounts(self):
        self.refused({"blendAmounts": {"Body": {"Up": 1}}}, "/blendAmounts/Body/Up")
        self.refused({"blendAmounts": {"Lower": [1]}}, "/blendAmounts/Lower")


class Blends(PoseTest):
    """The quad's corners: "Up" adds to z, "Wide" adds x again; the file's amounts are 0.25 and 0."""

    def setUp(self):
        super().setUp()
        builder = morphed_quad()
        builder.add("nodes", {"name": "Twin", "mesh": 0, "weights": [0, 0.5]})
        builder.json["scenes"][0]["nodes"].append(1)
        self.quads = builder.save(self.path("quads.glb"))

    def amounts(self, *options, frame=None):
        """[(up, wide)] of the two quads, measured from the result."""
        got = self.deform(self.quads, *options)
        got = got if frame is None else got[frame]
        return [
            [float(np.round(got[first, 2], 5)), float(np.round((got[first + 1, 0] - got[first, 0]) / 2 - 1, 5))] for first in (0, 4)
        ]

    def test_amounts_of_the_file(self):
        self.assertEqual(self.amounts(), [[0.25, 0], [0, 0.5]])

    def test_by_name_and_index_on_every_mesh_that_has_it(self):
        self.assertEqual(self.amounts("--blend", "Up=1"), [[1, 0], [1, 0.5]])
        self.assertEqual(self.amounts("--blend", "1=2"), [[0.25, 2], [0, 2]])
        self.assertEqual(self.amounts("--blend", "Up=-0.5", "--blend", "Wide=3"), [[-0.5, 3], [-0.5, 3]])

    def test_limited_to_a_node(self):
        self.assertEqual(self.amounts("--blend", "Twin:Up=1"), [[0.25, 0], [1, 0.5]])
        self.assertEqual(self.amounts("--blend", "0:Wide=1"), [[0.25, 1], [0, 0.5]])

    def test_the_last_one_wins(self):
        self.assertEqual(self.amounts("--blend", "Up=1", "--blend", "Up=2"), [[2, 0], [2, 0.5]])
        self.assertEqual(self.amounts("--blend", "Twin:Up=1", "--blend", "Up=2"), [[2, 0], [2, 0.5]])
        self.assertEqual(self.amounts("--blend", "Up=2", "--blend", "Twin:Up=1"), [[2, 0], [1, 0.5]])

    def test_pose_file_amounts_as_list_and_by_name(self):
        for amounts, want in (([1, 2], [1, 2]), ({"Wide": 2}, [0.25, 2]), ({"0": 3}, [3, 0]), ({}, [0.25, 0])):
            with self.subTest(amounts=amounts):
                pose = self.pose({"blendAmounts": {"Face": amounts}})
                self.assertEqual(self.amounts("--pose", pose), [want, [0, 0.5]])
        pose = self.pose({"blendAmounts": {"1": [5, 6], "Face": {"Up": 7}}})
        self.assertEqual(self.amounts("--pose", pose), [[7, 0], [5, 6]])

    def test_order_of_overrides(self):
        """Clip over file, pose file over clip, --blend over all, in every frame; the clip moves node Face only: (0, 0) → (1, 0.5)."""
        clip = ["--animation", "Talk", "--frames", "2"]
        pose = ["--pose", self.pose({"blendAmounts": {"Face": {"Wide": 9}}})]
        self.assertEqual(self.amounts(*clip, frame=1), [[1, 0.5], [0, 0.5]])
        self.assertEqual(self.amounts(*clip, *pose, frame=0), [[0, 9], [0, 0.5]])
        self.assertEqual(self.amounts(*clip, *pose, frame=1), [[1, 9], [0, 0.5]])
        self.assertEqual(self.amounts(*clip, *pose, "--blend", "Wide=4", frame=0), [[0, 4], [0, 4]])
        self.assertEqual(self.amounts(*clip, *pose, "--blend", "Wide=4", frame=1), [[1, 4], [0, 4]])

    def test_unknown_shapes(self):
        self.fails(USAGE, "deform", self.quads, "-o", self.path("out.npy"), "--blend", "Upp=1", says=["Upp", "Up"])
        self.fails(USAGE, "deform", self.quads, "-o", self.path("out.npy"), "--blend", "7=1", says="7")
        self.fails(USAGE, "deform", self.quads, "-o", self.path("out.npy"), "--blend", "Nobody:Up=1", says="Nobody")
        self.fails(INPUT, "deform", self.quads, "-o", self.path("out.npy"), "--pose", self.pose({"blendAmounts": {"Face": {"Upp": 1}}}),
                   says=["/blendAmounts/Face/Upp", "Up"])

    def test_names_with_an_equals_sign_or_a_colon(self):
        builder = morphed_quad()
        builder.json["meshes"][0]["extras"]["targetNames"] = ["a=b", "c:d"]
        path = builder.save(self.path("odd.glb"))
        np.testing.assert_allclose(self.deform(path, "--blend", "a=b=1")[:, 2], 1, atol=1e-6)
        np.testing.assert_allclose(self.deform(path, "--blend", "c:d=1")[:, 0], [8, 12, 12, 8], atol=1e-6)


class DefaultPose(PoseTest):
    """`--pose default`: the default bind pose that explicit skeletons (STAIK_skeletons) store."""

    def strict(self):
        builder = tutorial_skin(rotation=QUARTER_TURN)
        json_ = builder.json
        json_["extensionsUsed"] = ["STAIK_skeletons"]
        matrices = json_["skins"][0]["inverseBindMatrices"]
        json_["extensions"] = {"STAIK_skeletons": {"skeletons": [{"root": 1, "joints": [1, 2], "inverseBindMatrices": matrices}]}}
        for joint in (1, 2):
            json_["nodes"][joint]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
        json_["skins"][0].update({"skeleton": 1, "extensions": {"STAIK_skeletons": {"skeleton_owner": 0}}})
        return builder

    def test_joints_go_where_the_skeletons_matrices_say(self):
        path = self.strict().save(self.path("strict.glb"))
        np.testing.assert_allclose(self.deform(path)[9], [-1, 1.5, 0], atol=1e-6)
        np.testing.assert_allclose(self.deform(path, "--pose", "default"), TUTORIAL_POSITIONS, atol=1e-6)

    def test_without_such_a_skeleton_the_files_pose_stays(self):
        path = tutorial_skin(rotation=QUARTER_TURN).save(self.path("plain.glb"))
        np.testing.assert_allclose(self.deform(path, "--pose", "default")[9], [-1, 1.5, 0], atol=1e-6)


if __name__ == "__main__":
    main()
