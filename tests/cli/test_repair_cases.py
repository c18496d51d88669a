# SPDX-License-Identifier: MIT
"""sinew repair on mistakes of exporters: it fixes what is certain, however many findings there are, and destroys nothing."""
import json
import os

import numpy as np

from program import DONE, FINDINGS, ROOT, USAGE, ProgramTest, main, sinew

from gltf_builder import Builder, tutorial_skin
from gltf_oracle import Document, evaluate

CASES = os.path.join(ROOT, "tests", "cases")


def case(*names):
    return os.path.join(CASES, *names)


class CaseTest(ProgramTest):
    def codes(self, path, *options):
        report = json.loads(sinew("validate", path, "--format", "json", *options).out)
        return [message["code"] for part in ("issues", "modelIssues") for message in report[part]["messages"]]

    def repaired(self, source, *options, name="out"):
        out = self.path(name + os.path.splitext(source)[1])
        return out, self.succeeds("repair", source, "-o", out, *options)

    def assert_same_poses(self, a, b, tolerance=1e-6):
        for time in (0, 0.5, 1):
            np.testing.assert_allclose(np.concatenate(evaluate(a, animation=0, time=time)), np.concatenate(evaluate(b, animation=0, time=time)),
                                       rtol=0, atol=tolerance)


class IntegerWeights(CaseTest):
    def test_the_case(self):
        source = case("integer-weights", "in.gltf")
        ran = self.succeeds("deform", source, "-o", self.path("o.npy"))
        self.assertIn("10 vertices", ran.err)
        self.assertIn("255", ran.err)
        out, ran = self.repaired(source)
        self.assertIn("normalized", ran.err)
        self.assertEqual(self.codes(out), [])
        self.assertLessEqual(np.abs(self.deform(out)).max(), 2.01)

    def test_every_integer_type_and_container(self):
        for kind in ("u1", "<u2"):
            for extension in (".gltf", ".glb"):
                b = tutorial_skin()
                attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
                weights = Document(b.save(self.path("right.glb"))).raw(attributes["WEIGHTS_0"])
                whole = np.floor(weights * np.iinfo(kind).max)
                whole[:, 0] += np.iinfo(kind).max - whole.sum(1)
                attributes["WEIGHTS_0"] = b.accessor(whole.astype(kind), target=34962)
                out, _ = self.repaired(b.save(self.path("in" + extension)))
                self.assertEqual([code for code in self.codes(out) if code.startswith(("ACCESSOR", "MESH"))], [])
                self.assert_same_poses(out, self.path("right.glb"), 1e-2)

    def test_integer_colours(self):
        b = tutorial_skin()
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["COLOR_0"] = b.accessor(np.full((10, 4), 200, "u1"), target=34962)
        out, _ = self.repaired(b.save(self.path("in.gltf")))
        accessor = Document(out).json["accessors"][attributes["COLOR_0"]]
        self.assertTrue(accessor["normalized"])


class Many(CaseTest):
    def many(self):
        """10,200 unused slots with a joint, and bind matrices with a stride."""
        b = tutorial_skin()
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        count = 3400
        points = np.random.default_rng(1).uniform(0, 1, (count, 3)).astype("<f4")
        weights = np.tile(np.array([1, 0, 0, 0], "<f4"), (count, 1))
        b.json["meshes"][0]["primitives"][0] = {"mode": 0, "attributes": attributes}
        attributes.update(POSITION=b.accessor(points, bounds=True, target=34962), WEIGHTS_0=b.accessor(weights, target=34962),
                          JOINTS_0=b.accessor(np.ones((count, 4), "u1"), target=34962))
        matrices = np.zeros((2, 20), "<f4")
        matrices[:, [0, 5, 10, 15]] = 1
        view = b.view(matrices.tobytes(), 80)
        b.json["skins"][0]["inverseBindMatrices"] = b.add("accessors", {"bufferView": view, "componentType": 5126, "count": 2, "type": "MAT4"})
        return b.save(self.path("many.gltf"))

    def test_all_findings_are_looked_at(self):
        out, ran = self.repaired(self.many())
        self.assertNotIn("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", self.codes(out))
        self.assertNotIn("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", self.codes(out))
        self.assertNotIn("findings", ran.err)

    def test_a_limit_that_stops_it_is_reported(self):
        ran = self.repaired(self.many(), "--limit", "findings=50")[1]
        self.assertIn("warning", ran.err)
        self.assertIn("--limit findings=N", ran.err)


class BindMatrices(CaseTest):
    def test_the_case(self):
        source, right = case("bind-matrices-by-rows", "in.gltf"), case("bind-matrices-by-rows", "right.gltf")
        self.assertIn("GLTF_BIND_MATRICES_BY_ROWS", self.codes(source))
        self.assertNotIn("GLTF_BIND_MATRICES_BY_ROWS", self.codes(right))
        out, ran = self.repaired(source)
        self.assertIn("transposed", ran.err)
        self.assertIn("largest movement", ran.err)
        self.assertEqual(self.codes(out), self.codes(right))
        self.assert_same_poses(out, right)

    def matrices(self, *changes, stride=False):
        """The tutorial's skin with other bind matrices: (joint, row, column, value)."""
        b = tutorial_skin()
        matrices = Document(b.save(self.path("tutorial.glb"))).raw(b.json["skins"][0]["inverseBindMatrices"]).reshape(2, 4, 4).copy()
        for joint, row, column, value in changes:
            matrices[joint, column, row] = value
        data = matrices.reshape(2, 16).astype("<f4")
        if stride:
            view = b.view(np.pad(data, ((0, 0), (0, 4))).tobytes(), 80)
            b.json["skins"][0]["inverseBindMatrices"] = b.add("accessors", {"bufferView": view, "componentType": 5126, "count": 2, "type": "MAT4"})
        else:
            b.json["skins"][0]["inverseBindMatrices"] = b.accessor(data)
        return b

    def test_rounding_errors_are_replaced(self):
        source = self.matrices((1, 3, 1, 1e-4), (0, 3, 3, 0.9999)).save(self.path("in.gltf"))
        out, _ = self.repaired(source)
        self.assertNotIn("ACCESSOR_INVALID_IBM", self.codes(out))
        self.assert_same_poses(out, source, 1e-3)

    def test_what_is_uncertain_stays(self):
        for stride in (False, True):
            source = self.matrices((1, 3, 1, 0.5), (1, 1, 3, -1), stride=stride).save(self.path("in.gltf"))
            out, ran = self.repaired(source)
            self.assertIn("warning", ran.err)
            self.assertIn("--bind-matrices", ran.err)
            for choice in ("transpose", "identity"):
                self.assertIn(choice, ran.err)
            before, after = Document(source), Document(out)
            number = before.json["skins"][0]["inverseBindMatrices"]
            np.testing.assert_array_equal(before.raw(number), after.raw(after.json["skins"][0]["inverseBindMatrices"]))

    def test_a_choice_decides(self):
        source = self.matrices((1, 3, 1, 0.5), (1, 1, 3, -1)).save(self.path("in.gltf"))
        stored = Document(source).raw(Document(source).json["skins"][0]["inverseBindMatrices"]).reshape(2, 4, 4)
        for choice, expected in (("identity", stored.copy()), ("transpose", stored.transpose(0, 2, 1).copy())):
            expected[:, :, 3] = [0, 0, 0, 1]
            out, ran = self.repaired(source, "--bind-matrices", choice)
            document = Document(out)
            np.testing.assert_array_equal(document.raw(document.json["skins"][0]["inverseBindMatrices"]).reshape(2, 4, 4), expected, choice)
            self.assertNotIn("ACCESSOR_INVALID_IBM", self.codes(out))
            self.assertNotIn("warning", ran.err)

    def test_matrices_without_a_fault_ignore_the_choice(self):
        source = tutorial_skin().save(self.path("in.glb"))
        for choice in ("transpose", "identity"):
            self.assertIn("nothing to fix", self.repaired(source, "--bind-matrices", choice)[1].err)
        self.fails(USAGE, "repair", source, "-o", self.path("x.glb"), "--bind-matrices", "guess")

    def strict(self, skeleton, skin=None):
        """The tutorial's skin with a strict skeleton, whose matrices may be those of the skin."""
        b = self.matrices() if skin is None else skin
        number = b.json["skins"][0]["inverseBindMatrices"]
        if skeleton is not None:
            number = b.accessor(np.asarray(skeleton, "<f4").reshape(2, 16))
        extension = {"skeletons": [{"name": "Rig", "root": 1, "joints": [1, 2], "inverseBindMatrices": number}]}
        b.json.update(extensionsUsed=["STAIK_skeletons"], extensions={"STAIK_skeletons": extension})
        for joint in (1, 2):
            b.json["nodes"][joint]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
        b.json["skins"][0]["extensions"] = {"STAIK_skeletons": {"skeleton_owner": 0}}
        return b

    def of_skeleton(self, path):
        document = Document(path)
        skeleton = document.json["extensions"]["STAIK_skeletons"]["skeletons"][0]
        return document.raw(skeleton["inverseBindMatrices"]).reshape(2, 4, 4)

    def test_matrices_of_strict_skeletons(self):
        right = np.stack([np.eye(4), np.eye(4)])
        right[1, 3, 1] = -1
        right[1, :3, :3] = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
        for extension in (".gltf", ".glb"):
            source = self.strict(right.transpose(0, 2, 1)).save(self.path("in" + extension))
            self.assertIn("GLTF_BIND_MATRICES_BY_ROWS", self.codes(source))
            out, ran = self.repaired(source)
            self.assertIn("transposed 2 bind matrices", ran.err)
            np.testing.assert_array_equal(self.of_skeleton(out), right)
            self.assertEqual({code for code in self.codes(out) if "IBM" in code or "MATRICES" in code}, {"STAIK_SKIN_IBM_OVERRIDES"})
            self.assert_same_poses(out, source)

    def test_matrices_that_a_skin_and_a_skeleton_share(self):
        source = self.strict(None, self.matrices((1, 3, 1, -1), (1, 1, 3, 0))).save(self.path("in.gltf"))
        self.assertEqual(self.codes(source).count("GLTF_BIND_MATRICES_BY_ROWS"), 2)
        out, _ = self.repaired(source)
        self.assertEqual([code for code in self.codes(out) if "IBM" in code or "MATRICES" in code], [])
        document = Document(out)
        self.assertEqual(document.json["skins"][0]["inverseBindMatrices"],
                         document.json["extensions"]["STAIK_skeletons"]["skeletons"][0]["inverseBindMatrices"])

    def test_matrices_of_skeletons_that_are_uncertain_or_rounded(self):
        unclear = np.stack([np.eye(4), np.eye(4)])
        unclear[1, 1, 3], unclear[1, 3, 1] = 0.5, -1
        source = self.strict(unclear).save(self.path("in.gltf"))
        out, ran = self.repaired(source)
        self.assertIn("warning", ran.err)
        np.testing.assert_array_equal(self.of_skeleton(out), unclear.astype("<f4"))
        expected = unclear.transpose(0, 2, 1).astype("<f4")
        expected[:, :, 3] = [0, 0, 0, 1]
        np.testing.assert_array_equal(self.of_skeleton(self.repaired(source, "--bind-matrices", "transpose")[0]), expected)
        unclear[1, 1, 3] = 1e-4
        out, _ = self.repaired(self.strict(unclear).save(self.path("in.gltf")))
        unclear[1, 1, 3] = 0
        np.testing.assert_array_equal(self.of_skeleton(out), unclear)

    def test_fail_on_loss_does_not_mind(self):
        source = self.matrices((1, 3, 1, 0.5), (1, 1, 3, -1)).save(self.path("in.gltf"))
        self.repaired(source, "--fail-on", "loss")


class Movement(CaseTest):
    def test_a_folder_says_what_moved(self):
        os.mkdir(self.path("in"))
        with open(case("bind-matrices-by-rows", "in.gltf"), encoding="utf-8") as file:
            self.write("in/rows.gltf", file.read())
        tutorial_skin().save(self.path("in", "right.gltf"))
        ran = self.succeeds("repair", self.path("in"), "-o", self.path("out"))
        [line] = [line for line in ran.err.splitlines() if "largest movement" in line]
        self.assertIn("rows.gltf", line)
        self.assertIn("1 file has vertices that moved", ran.err)
        ran = sinew("repair", self.path("in"), "--dry-run")
        self.assertEqual(ran.status, FINDINGS)
        self.assertIn("largest movement", ran.err)
        ran = self.succeeds("repair", self.path("in", "right.gltf"), "-o", self.path("other") + "/")
        self.assertNotIn("moved", ran.err)


class SumsFarFromOne(CaseTest):
    COMMANDS = (("deform", "-o", "o.npy"), ("render", "-o", "o.png", "--size", "32x32"), ("bounds",), ("extract", "-o", "o.npz"),
                ("bake", "-o", "baked", "--animation", "0", "--fps", "2"), ("view", "--export", "o.html"))

    def run_on(self, source, command):
        name, *options = command
        options = [self.path(option) if option.startswith(("o.", "baked")) else option for option in options]
        ran = sinew(name, source, *options)
        self.assertEqual(ran.status, DONE, str(ran))
        return [line for line in ran.err.splitlines() if "warning" in line and "WebAssembly" not in line]

    def test_one_warning_in_every_command(self):
        for command in self.COMMANDS:
            [line] = self.run_on(case("weights-not-one", "strip.gltf"), command)
            for text in ("3 vertices", "1.75", "sinew repair"):
                self.assertIn(text, line, command)

    def test_right_sums_stay_silent(self):
        for kind in ("f4", "u1"):
            b = tutorial_skin()
            attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
            weights = Document(b.save(self.path("right.glb"))).raw(attributes["WEIGHTS_0"])
            if kind == "u1":
                attributes["WEIGHTS_0"] = b.accessor(np.rint(weights * 255).astype("u1"), normalized=True, target=34962)
            source = b.save(self.path("in.glb"))
            for command in self.COMMANDS:
                self.assertEqual(self.run_on(source, command), [])

    def test_several_sets_and_meshes_count_once(self):
        """Sums over both sets; a mesh that two nodes use counts once; weights that no skin uses do not count."""
        b = tutorial_skin()
        primitive = b.json["meshes"][0]["primitives"][0]
        half = np.tile(np.array([0.5, 0, 0, 0], "<f4"), (10, 1))
        primitive["attributes"]["WEIGHTS_0"] = b.accessor(half, target=34962)
        primitive["attributes"]["WEIGHTS_1"] = b.accessor(half, target=34962)
        primitive["attributes"]["JOINTS_1"] = b.accessor(np.zeros((10, 4), "u1"), target=34962)
        source = b.save(self.path("sets.glb"))
        self.assertEqual(self.run_on(source, self.COMMANDS[0]), [])
        primitive["attributes"]["WEIGHTS_1"] = b.accessor(half * 3, target=34962)
        b.json["nodes"].append({"mesh": 0, "skin": 0})
        b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)
        source = b.save(self.path("twice.glb"))
        [line] = self.run_on(source, self.COMMANDS[0])
        self.assertIn("10 vertices", line)
        for node in b.json["nodes"]:
            node.pop("skin", None)
        source = b.save(self.path("static.glb"))
        self.assertNotIn("sum", "".join(self.run_on(source, self.COMMANDS[0])))

    def test_folders(self):
        for command in (("extract", "-o", "o"), ("bake", "-o", "baked", "--animation", "all", "--fps", "2")):
            ran = self.succeeds(command[0], case("weights-not-one"), "-o", self.path(command[2]) + "/", *command[3:])
            self.assertIn("3 vertices", ran.err)


class StridedSamplers(CaseTest):
    def test_they_are_packed(self):
        for extension in (".gltf", ".glb"):
            b = tutorial_skin()
            right = b.save(self.path("right" + extension))
            document = Document(right)
            for name, stride in (("input", 8), ("output", 20)):
                for sampler in b.json["animations"][0]["samplers"]:
                    accessor = b.json["accessors"][sampler[name]]
                    values = document.raw(sampler[name]).astype("<f4")
                    rows = np.zeros((len(values), stride // 4), "<f4")
                    rows[:, : values.shape[1]] = values
                    accessor["bufferView"] = b.view(rows.tobytes(), stride)
                    accessor.pop("byteOffset", None)
            source = b.save(self.path("in" + extension))
            self.assertIn("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", self.codes(source))
            out, ran = self.repaired(source)
            self.assertIn("no vertex moved", ran.err)
            self.assertEqual(set(self.codes(out)) - {"UNUSED_OBJECT"}, set())  # the accessors that the file had before
            self.assert_same_poses(out, right)


if __name__ == "__main__":
    main()
