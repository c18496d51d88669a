# SPDX-License-Identifier: MIT
"""sinew optimize, step joints: skins lose joints, and no vertex moves in any pose."""
import json
import os

import numpy as np

from program import ProgramTest, corpus_models, in_parallel, main, samples

from gltf_builder import tutorial_skin
from gltf_oracle import Document, evaluate


class JointsTest(ProgramTest):
    def joints(self, b, *options, error=0):
        """Returns the file, the output, and its JSON."""
        source, out = b.save(self.path("in.glb")), self.path("out.glb")
        self.succeeds("optimize", source, "-o", out, "--max-error", error, "--steps", "joints", *options)
        return source, out, Document(out).json

    def assert_equal(self, source, out):
        report = json.loads(self.succeeds("compare", source, out, "--json").out)
        self.assertEqual(report["verdict"], "equal in every pose")
        for time in (0, 0.7, 1.6):
            np.testing.assert_array_equal(evaluate(out, animation=0, time=time), evaluate(source, animation=0, time=time))

    def names(self, document, skin=0):
        return [document["nodes"][joint].get("name") for joint in document["skins"][skin]["joints"]]

    def spare(self):
        """The strip with joints that move nothing: Root above all others, Twist before Upper, and Tip below Upper, a socket."""
        b = tutorial_skin()
        b.json["nodes"][1]["children"] = [3]
        b.json["nodes"] += [{"name": "Twist", "children": [2]}, {"name": "Root", "children": [1]}, {"name": "Tip"}]
        b.json["nodes"][2]["children"] = [5]
        b.json["scenes"][0]["nodes"] = [0, 4]
        bind = np.tile(np.eye(4, dtype="<f4"), (5, 1, 1))
        bind[3, 3, 1] = -1
        b.json["skins"][0].update(joints=[4, 1, 3, 2, 5], inverseBindMatrices=b.accessor(bind.reshape(5, 16)))
        self.change_joints(b, lambda joints: np.array([1, 3], "<u2")[joints])
        return b

    def change_joints(self, b, change):
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        document = Document(b.save(self.path("before.glb")))
        attributes["JOINTS_0"] = b.accessor(change(document.raw(attributes["JOINTS_0"])), target=34962)


class Unused(JointsTest):
    def test_joints_that_move_nothing_go(self):
        source, out, document = self.joints(self.spare())
        self.assertEqual(self.names(document), ["Lower", "Upper", "Tip"])
        self.assertEqual(document["accessors"][document["skins"][0]["inverseBindMatrices"]]["count"], 3)
        self.assertEqual([node.get("name") for node in document["nodes"]], ["Body", "Lower", "Upper", "Twist", "Root", "Tip"])
        self.assert_equal(source, out)

    def test_each_skin_keeps_a_joint(self):
        """A mesh without joints has two skins, and only the longer one has a socket."""
        b = self.spare()
        for name in ("JOINTS_0", "WEIGHTS_0"):
            del b.json["meshes"][0]["primitives"][0]["attributes"][name]
        b.json["skins"] = [{"joints": [4, 1]}, {"joints": [1, 4, 5]}]
        b.json["nodes"].append({"mesh": 0, "skin": 1})
        b.json["scenes"][0]["nodes"].append(6)
        _, _, document = self.joints(b)
        self.assertEqual([self.names(document, skin) for skin in (0, 1)], [["Root"], ["Lower", "Tip"]])

    def test_kept_names_stay_joints(self):
        _, _, document = self.joints(self.spare(), "--keep", "Twist")
        self.assertEqual(self.names(document), ["Lower", "Twist", "Upper", "Tip"])

    def test_weights_of_zero_do_not_count(self):
        b = self.spare()

        def use_twist(joints):
            joints[0] = [1, 2, 2, 2]  # with the weights 1, 0, 0, 0
            return joints

        self.change_joints(b, use_twist)
        source, out, document = self.joints(b)
        self.assertEqual(self.names(document), ["Lower", "Upper", "Tip"])
        self.assert_equal(source, out)

    def test_an_unknown_extension_of_a_skin_keeps_its_joints(self):
        b = self.spare()
        b.json["extensionsUsed"] = ["EXAMPLE_limits"]
        b.json["skins"][0]["extensions"] = {"EXAMPLE_limits": {"order": "as listed"}}
        _, _, document = self.joints(b)
        self.assertEqual(len(document["skins"][0]["joints"]), 5)

    def test_an_unknown_extension_with_indices_keeps_all(self):
        b = self.spare()
        b.json["extensionsUsed"] = ["EXAMPLE_rig"]
        b.json["extensions"] = {"EXAMPLE_rig": {"accessor": 2}}
        _, _, document = self.joints(b)
        self.assertEqual(len(document["skins"][0]["joints"]), 5)

    def test_a_mesh_of_two_skins(self):
        b = self.spare()
        b.json["nodes"].append({"name": "Second", "mesh": 0, "skin": 1})
        b.json["scenes"][0]["nodes"].append(6)
        b.add("skins", {"joints": [4, 2, 3, 1]})
        source, out, document = self.joints(b)
        self.assertEqual(self.names(document), ["Lower", "Upper", "Tip"])
        self.assertEqual(self.names(document, 1), ["Upper", "Lower"])
        self.assert_equal(source, out)


class Equal(JointsTest):
    def test_a_joint_that_is_listed_twice_becomes_one(self):
        b = tutorial_skin()
        bind = np.tile(np.eye(4, dtype="<f4"), (4, 1, 1))
        bind[1, 3, 1] = bind[2, 3, 1] = -1
        bind[3, 3, 0] = 0.5
        b.json["skins"][0].update(joints=[1, 2, 2, 2], inverseBindMatrices=b.accessor(bind.reshape(4, 16)))

        def alternate(joints):
            joints[6:, 1] = 2
            joints[8:, 1] = 3  # another bind matrix
            return joints

        self.change_joints(b, alternate)
        source, out, document = self.joints(b)
        self.assertEqual(self.names(document), ["Lower", "Upper", "Upper"])
        self.assert_equal(source, out)

    def twice(self, joints, matrices=True):
        """The mesh is drawn twice, the second time with a copy of the mesh and another skin."""
        b = tutorial_skin()
        mesh = json.loads(json.dumps(b.json["meshes"][0]))
        document = Document(b.save(self.path("once.glb")))
        numbers = document.raw(mesh["primitives"][0]["attributes"]["JOINTS_0"])
        mesh["primitives"][0]["attributes"]["JOINTS_0"] = b.accessor(np.argsort(np.array(joints) - 1)[numbers].astype("<u2"), target=34962)
        b.add("meshes", mesh)
        bind = document.raw(b.json["skins"][0]["inverseBindMatrices"])[[joint - 1 for joint in joints]]
        if not matrices:
            bind[0, 12] += 1
        b.add("skins", {"joints": joints, "inverseBindMatrices": b.accessor(bind.astype("<f4"))})
        b.json["nodes"].append({"name": "Second", "mesh": 1, "skin": 1})
        b.json["scenes"][0]["nodes"].append(3)
        return b

    def test_skins_of_the_same_joints_become_one(self):
        for joints in ([1, 2], [2, 1]):
            source, out, document = self.joints(self.twice(joints))
            self.assertEqual(len(document["skins"]), 1)
            self.assertEqual([node.get("skin") for node in document["nodes"]], [0, None, None, 0])
            self.assert_equal(source, out)

    def test_skins_that_differ_stay(self):
        b = self.twice([2, 1], matrices=False)
        _, _, document = self.joints(b)
        self.assertEqual(len(document["skins"]), 2)
        b = self.twice([2, 1])
        b.json["skins"][1]["name"] = "Other"
        _, _, document = self.joints(b)
        self.assertEqual(len(document["skins"]), 2)


class Files(JointsTest):
    def check(self, name, path):
        out = self.path(name + os.path.splitext(path)[1])
        report = json.loads(self.succeeds("optimize", path, "-o", out, "--max-error", 0, "--steps", "joints", "--json", timeout=300).out)
        self.assertEqual(report["error"], 0, name)
        compared = json.loads(self.succeeds("compare", path, out, "--json", timeout=300).out)
        self.assertEqual((compared["verdict"], compared["max"]), ("equal in every pose", 0), name)
        return report["bytesBefore"] - report["bytesAfter"]

    def test_samples(self):
        self.assertGreaterEqual(len([self.check(name, path) for name, path in samples()]), 4)

    def test_corpus(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        saved = in_parallel(lambda job: self.check(*job), models)
        self.assertGreater(sum(bytes > 0 for bytes in saved), 1)


if __name__ == "__main__":
    main()
