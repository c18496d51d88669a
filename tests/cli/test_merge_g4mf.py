# SPDX-License-Identifier: MIT
"""sinew merge of G4MF files: one skeleton, whose joints and groups are the same for every mesh."""
import json
import os
import unittest

import numpy as np

from program import FINDINGS, UNSUPPORTED, ProgramTest, main, sinew

from g4mf_oracle import Document, evaluate
from garments import BODY, HAIR, SHIRT, g4mf_piece


def turned(dimension, degrees):
    """A basis that turns x towards y."""
    basis = np.eye(dimension)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    basis[:2, :2] = [[c, s], [-s, c]]  # columns are rows here
    return {"basis": basis.reshape(-1).tolist()}


class MergeG4mf(ProgramTest):
    def save(self, name, built):
        return built.save(self.path(name))

    def merge(self, *arguments, out="merged.g4b"):
        ran = self.succeeds("merge", *arguments, "-o", self.path(out))
        return ran, self.path(out)

    def json(self, path):
        return Document(path).json

    def skeleton(self, path, name="Rig"):
        """Names of the joints, and the names that group names in meshes give them."""
        document = self.json(path)
        node = next(node for node in document["nodes"] if node.get("name") == name)
        return [None if joint < 0 else document["nodes"][joint]["name"] for joint in node["skeleton"]["joints"]]

    def groups(self, path, mesh):
        document = Document(path)
        return document.accessor(document.json["meshes"][mesh]["skin"]["groups"]).reshape(-1).astype(int)

    def rows(self, path, pose=None):
        return self.deform(path, *(["--pose", pose] if pose else []))

    def assert_follows(self, merged, *files, pose=None):
        want = np.concatenate([self.rows(path, pose) for path in files])
        got = self.rows(merged, pose)
        self.assertEqual(got.shape, want.shape)
        np.testing.assert_allclose(got, want, atol=2e-6)

    def errors(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return sorted({m["code"] for kind in ("issues", "modelIssues") for m in report[kind]["messages"] if m["severity"] <= 1})

    def pose(self, dimension, **turns):
        return self.write("pose.json", {"nodes": {bone: turned(dimension, degrees) for bone, degrees in turns.items()}})

    # the cases of the text

    def test_groups_of_other_names_are_numbered_behind_the_body(self):
        hair = {"Hair": (None, [0, 1.85, 0]), "HairTip": ("Hair", [0, 1.7, -0.2])}
        body, wig = self.save("body.g4b", g4mf_piece(BODY, "Body")), self.save("wig.g4tf", g4mf_piece(hair, "Wig"))
        before = self.skeleton(body)
        self.assertEqual(self.skeleton(wig)[0], "Hair")
        self.fails(FINDINGS, "merge", body, wig, "-o", self.path("out.g4b"), says="0 of 2 bones matched")
        ran, merged = self.merge(body, wig, "--keep-separate", "Hair")
        self.assertEqual(self.skeleton(merged), [*before, "Hair", "HairTip"])
        np.testing.assert_array_equal(self.groups(merged, 1), self.groups(wig, 0) + len(before))
        self.assertIn("no bone above \"Hair\" matches a bone of the body", ran.err)
        self.assert_follows(merged, body, wig)

    def test_groups_of_one_name_converge(self):
        body, shirt = self.save("body.g4b", g4mf_piece(BODY, "Body")), self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt"))
        names = self.skeleton(body)
        old = self.skeleton(shirt)
        self.assertNotEqual(old.index("LeftArm"), names.index("LeftArm"))
        _, merged = self.merge(body, shirt)
        self.assertEqual(self.skeleton(merged), names)
        renumbered = np.array([names.index(name) for name in old])
        np.testing.assert_array_equal(self.groups(merged, 1), renumbered[self.groups(shirt, 0)])
        np.testing.assert_array_equal(self.groups(merged, 0), self.groups(body, 0))
        pose = self.pose(4, LeftArm=40, Spine=-20)
        with open(pose, encoding="utf-8") as file:
            turns = json.load(file)
        self.assert_follows(merged, body, shirt)
        self.assert_follows(merged, body, shirt, pose=pose)
        self.assertEqual(self.errors(merged), [])
        np.testing.assert_allclose(self.rows(merged, pose), evaluate(merged, turns), atol=2e-6)

    def test_or_are_kept_apart(self):
        body, shirt = self.save("body.g4b", g4mf_piece(BODY, "Body")), self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, shirt, "--keep-separate", "LeftArm")
        self.assertEqual(self.skeleton(merged), [*self.skeleton(body), "shirt_LeftArm"])
        _, merged = self.merge(body, shirt, "--rename", "LeftArm=ClothingLeftArm")
        self.assertEqual(self.skeleton(merged), [*self.skeleton(body), "ClothingLeftArm"])
        self.assert_follows(merged, body, shirt)
        self.assertEqual(self.errors(merged), [])

    # joints

    def test_a_bone_that_was_no_joint_is_put_in_order(self):
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", unlisted=["Head"], skeletons=["Rig", "Twin"]))
        wig = self.save("wig.g4b", g4mf_piece(HAIR, "Wig"))
        _, merged = self.merge(body, wig, "--skeleton", "Rig")
        self.assertEqual(self.skeleton(merged), ["Hips", "Spine", "Head", "LeftArm", "LeftHand", "Hair", "HairTip"])
        self.assertEqual(self.skeleton(merged, "Twin"), ["TwinHips", "TwinSpine", None, "TwinLeftArm", "TwinLeftHand"])
        pose = self.pose(4, LeftArm=25, TwinSpine=50, Head=10)
        rows = self.rows(body, pose)
        np.testing.assert_allclose(self.rows(merged, pose)[:len(rows)], rows, atol=2e-6)
        self.assert_follows(merged, body, wig)
        self.assertEqual(self.errors(merged), [])

    def test_slots_without_a_bone_and_bones_in_several_slots(self):
        order = ["Hips", "Spine", "Spine", None]
        body = self.save("body.g4b", g4mf_piece(BODY, "Body"))
        shirt = self.save("shirt.g4b", g4mf_piece({n: BODY[n] for n in ("Hips", "Spine", "Head", "LeftArm")}, "Shirt", joints=order))
        _, merged = self.merge(body, shirt)
        self.assertEqual(self.skeleton(merged), [*self.skeleton(body), None])
        self.assert_follows(merged, body, shirt)
        self.assert_follows(merged, body, shirt, pose=self.pose(4, Spine=35, Hips=-10))

    def test_joints_ascend_beside_slots_without_a_bone(self):
        for joints, want in ((["Hips", None, "LeftArm"], ["Hips", None, "Spine", "Head", "LeftArm"]),
                             ([None, "Hips", "Spine", None], [None, "Hips", "Spine", None, "Head", "LeftArm"]),
                             (["Hips", "Hips", "LeftArm"], ["Hips", "Hips", "Spine", "Head", "LeftArm"])):
            with self.subTest(joints=joints):
                body = self.save("body.g4b", g4mf_piece(BODY, "Body", joints=joints, unlisted=["LeftHand"]))
                shirt = self.save("shirt.g4b", g4mf_piece({name: BODY[name] for name in want if name}, "Shirt"))
                before = self.errors(body)
                _, merged = self.merge(body, shirt)
                self.assertEqual(self.skeleton(merged), want)
                self.assertEqual(self.errors(merged), before)
                pose = self.pose(4, LeftArm=35, Hips=-10, Spine=20)
                self.assert_follows(merged, body, shirt)
                self.assert_follows(merged, body, shirt, pose=pose)

    def test_groups_without_a_joint_stay_without(self):
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", joints=["Hips", "Spine"]))  # the other groups do nothing
        shirt = self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, shirt)
        self.assert_follows(merged, body, shirt, pose=self.pose(4, LeftArm=35, Hips=-10))

    def test_own_names_of_groups_become_one_list(self):
        own = ["pelvis", "back", "skull", "arm", "hand"]
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", group_names=own))
        wig = self.save("wig.g4b", g4mf_piece(HAIR, "Wig"))
        _, merged = self.merge(body, wig)
        meshes = self.json(merged)["meshes"]
        self.assertEqual([mesh["skin"]["groupNames"] for mesh in meshes], [[*own, "Hair", "HairTip"]] * 2)
        self.assertEqual(self.errors(merged), [])

    def group_names(self, path):
        return [mesh["skin"].get("groupNames") for mesh in self.json(path)["meshes"]]

    def issues(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return sorted({m["code"] for kind in ("issues", "modelIssues") for m in report[kind]["messages"] if "GROUP_NAME" in m["code"]})

    def test_names_of_groups_stay_complete(self):
        # those of the bones: explicit names would have to grow, and are not needed
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", group_names="bones"))
        wig = self.save("wig.g4b", g4mf_piece(HAIR, "Wig", group_names="bones"))
        _, merged = self.merge(body, wig)
        self.assertEqual(self.group_names(merged), [None, None])
        self.assertEqual(self.issues(merged), [])
        # a mesh under two skeletons needs them
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", unlisted=["Head"], skeletons=["Rig", "Twin"], group_names="bones"))
        _, merged = self.merge(body, wig, "--skeleton", "Rig")
        self.assertEqual(self.group_names(merged), [["Hips", "Spine", "Head", "LeftArm", "LeftHand", "Hair", "HairTip"], None])
        self.assertEqual([code for code in self.issues(merged) if code not in self.issues(body)], [])

    def test_groups_beyond_the_joints_keep_their_names(self):
        own = ["pelvis", "back", "skull", "arm", "hand"]
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", joints=["Hips", "Spine"], group_names=own))
        shirt = self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, shirt)
        self.assertEqual(self.group_names(merged), [["pelvis", "back", "LeftArm", "skull", "arm", "hand"]] * 2)
        self.assertNotIn("G4MF_SKIN_GROUP_NOT_NAMED", self.issues(merged))
        self.assert_follows(merged, body, shirt)

    # bind poses and places

    def test_another_place_of_the_whole_skeleton(self):
        shifted = {name: (parent, (np.array(at) - [0, 0.5, 0]).tolist()) for name, (parent, at) in SHIRT.items()}
        body = self.save("body.g4b", g4mf_piece(BODY, "Body"))
        shirt = self.save("shirt.g4b", g4mf_piece(shifted, "Shirt", 3, place=[0, 0.5, 0]))
        flat = self.save("flat.g4b", g4mf_piece(BODY, "Body", 3))
        _, merged = self.merge(flat, shirt)
        self.assert_follows(merged, flat, shirt)
        self.fails(UNSUPPORTED, "merge", body, shirt, "-o", self.path("out.g4b"), says=["3 dimensions", "4"])

    def test_pivots_too_far_apart_are_refused(self):
        far = {**SHIRT, "LeftArm": ("Spine", [0.3, 1.6, 0])}
        body, shirt = self.save("body.g4b", g4mf_piece(BODY, "Body")), self.save("shirt.g4b", g4mf_piece(far, "Shirt"))
        self.fails(FINDINGS, "merge", body, shirt, "-o", self.path("out.g4b"), says=["LeftArm", "0.1 away"])
        self.assertFalse(os.path.exists(self.path("out.g4b")))

    # one mesh

    def test_join_makes_one_mesh_for_all_skeletons_that_use_it(self):
        body = self.save("body.g4b", g4mf_piece(BODY, "Body", unlisted=["Head"]))
        wig, shirt = self.save("wig.g4b", g4mf_piece(HAIR, "Wig")), self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, wig, shirt, "--join")
        document = self.json(merged)
        self.assertEqual([node["name"] for node in document["nodes"] if "meshInstance" in node], ["BodyNode"])
        mesh = document["meshes"][document["nodes"][self.named(document, "BodyNode")]["meshInstance"]["mesh"]]
        self.assertEqual([surface["material"] for surface in mesh["surfaces"]], [0, 1, 2])
        self.assert_follows(merged, body, wig, shirt)
        self.assertEqual(self.errors(merged), [])
        pose = self.pose(4, Spine=30, Head=-15)
        np.testing.assert_allclose(self.rows(merged, pose), self.rows(self.merge(body, wig, shirt, out="apart.g4b")[1], pose), atol=2e-6)

    def test_join_leaves_nothing_behind(self):
        for zstd in (False, True):
            for revision in ("2025-08", "2026-01", "2026-07"):
                with self.subTest(zstd=zstd, revision=revision):
                    body, wig, shirt = self.path("body.g4b"), self.path("wig.g4b"), self.path("shirt.g4b")
                    g4mf_piece(BODY, "Body", 4, revision).save(body, zstd=zstd)
                    g4mf_piece(HAIR, "Wig", 4, revision).save(wig, zstd=zstd)
                    g4mf_piece(SHIRT, "Shirt", 4, revision).save(shirt)
                    unused = lambda path: [m["code"] for m in json.loads(sinew("validate", path, "--format", "json").out)["issues"]["messages"]
                                           if "UNUSED" in m["code"]]
                    for out in ("merged.g4b", "merged.g4tf"):
                        _, merged = self.merge(body, wig, shirt, "--join", out=out)
                        document = self.json(merged)
                        self.assertEqual([mesh["name"] for mesh in document["meshes"]], ["Body"])
                        self.assert_follows(merged, body, wig, shirt)
                        self.assertEqual(unused(merged), unused(body))
                        self.assertEqual(self.errors(merged), self.errors(body))
                        if out == "merged.g4b" and not zstd:
                            size = sum(os.path.getsize(path) for path in (body, wig, shirt))
                            self.assertLess(os.path.getsize(merged), size)

    def test_part_of_a_file(self):
        outfit = self.path("outfit.g4b")
        wig = g4mf_piece({**HAIR, "Spine": (None, BODY["Spine"][1]), "Head": ("Spine", HAIR["Head"][1])}, "Wig")
        self.succeeds("merge", self.save("shirt.g4b", g4mf_piece(SHIRT, "Shirt")), self.save("wig.g4b", wig), "-o", outfit)
        body = self.save("body.g4b", g4mf_piece(BODY, "Body"))
        for name, alone, other in (("Shirt", "shirt.g4b", "Wig"), ("WigNode", "wig.g4b", "Shirt")):
            with self.subTest(name=name):
                _, merged = self.merge(body, outfit, "--mesh", name)
                document = self.json(merged)
                self.assert_follows(merged, body, self.path(alone))
                self.assertEqual(len(document["meshes"]), 2)
                self.assertNotIn(other + "Node", [node.get("name") for node in document["nodes"]])
                self.assertEqual(self.errors(merged), [])

    def named(self, document, name):
        return next(i for i, node in enumerate(document["nodes"]) if node.get("name") == name)

    # files

    def test_revisions_dimensions_and_containers(self):
        for dimension in (3, 5):
            for revision in ("2025-08", "2026-01", "2026-07"):
                with self.subTest(dimension=dimension, revision=revision):
                    body = self.save("body.g4tf", g4mf_piece(BODY, "Body", dimension, revision))
                    wig = self.path("wig.g4b")
                    g4mf_piece(HAIR, "Wig", dimension, "2026-01").save(wig, zstd=True)
                    for out in ("merged.g4b", "merged.g4tf"):
                        _, merged = self.merge(body, wig, out=out)
                        self.assert_follows(merged, body, wig)
                        self.assertEqual(self.errors(merged), self.errors(body))
                        shown = json.loads(self.succeeds("info", "--json", merged).out)
                        self.assertEqual(shown["revision"], json.loads(self.succeeds("info", "--json", body).out)["revision"])

    def test_what_the_body_says_stays_and_names_are_unique(self):
        built = g4mf_piece(SHIRT, "Body")
        body, shirt = self.save("body.g4tf", g4mf_piece(BODY, "Body")), self.save("shirt.g4tf", built)
        _, merged = self.merge(body, shirt, out="merged.g4tf")
        self.assertEqual([len(self.json(merged)["materials"]), self.json(merged)["meshes"][1]["surfaces"][0]["material"]], [1, 0])
        built.json["materials"][0]["baseColor"]["factor"] = [0, 1, 1]
        _, merged = self.merge(body, self.save("shirt.g4tf", built), out="merged.g4tf")
        before, after = self.json(body), self.json(merged)
        for key in ("accessors", "bufferViews", "materials", "meshes"):
            self.assertEqual(after[key][:len(before[key])], before[key], key)
        self.assertEqual(after["meshes"][1]["name"], "shirt_Body")
        self.assertEqual(after["meshes"][1]["surfaces"][0]["material"], 1)
        self.assertEqual(after["materials"][1]["name"], "shirt_BodyCloth")
        self.assertEqual(self.errors(merged), [])


if __name__ == "__main__":
    main()
