# SPDX-License-Identifier: MIT
"""sinew merge: clothes on one skeleton of a body. At rest nothing moves; in a pose the clothes follow the body's bones."""
import json
import os
from pathlib import Path
import unittest

import numpy as np

from program import FINDINGS, INPUT, UNSUPPORTED, USAGE, ProgramTest, main, sinew

from garments import BODY, HAIR, SHIRT, conjugate, multiply, piece, turn
from gltf_builder import morphed_quad
from gltf_oracle import Document


class Merge(ProgramTest):
    def save(self, name, built):
        return built.save(self.path(name))

    def merge(self, *arguments):
        out = self.path("merged.glb")
        ran = self.succeeds("merge", *arguments, "-o", out)
        return ran, out

    def names(self, path):
        return [node.get("name") for node in Document(path).json["nodes"]]

    def joints(self, path, skin):
        document = Document(path).json
        return [document["nodes"][joint]["name"] for joint in document["skins"][skin]["joints"]]

    def assert_near(self, got, want, limit=1e-6):
        self.assertEqual(got.shape, want.shape)
        self.assertLessEqual(np.abs(got - want).max(), limit)

    def assert_nothing_moved(self, merged, *files, options=()):
        """Checks the rows of the pieces, one after the other; those of the body bit for bit."""
        rows = [self.deform(path, *options) for path in files]
        got = self.deform(merged, *options)
        self.assert_near(got, np.concatenate(rows))
        np.testing.assert_array_equal(got[:len(rows[0])], rows[0])

    def issues(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return sorted({(m["severity"], m["code"]) for m in report["issues"]["messages"]})

    # the cases of the texts

    def test_bones_of_one_name_become_one(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt", radius=0.12))
        ran, merged = self.merge(body, shirt)
        self.assertEqual(self.names(merged), [*NODES, "Body", "Shirt"])
        self.assertEqual(self.joints(merged, 1), list(SHIRT))
        self.assertNotIn("LeftArm is LeftArm", ran.err)  # equal names only with -v
        self.assert_nothing_moved(merged, body, shirt)
        pose = self.write("pose.json", {"nodes": {"LeftArm": {"rotation": turn("z", 40)}, "Spine": {"rotation": turn("x", 20)}}})
        self.assert_nothing_moved(merged, body, shirt, options=["--pose", pose])

    def test_what_the_body_says_stays(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body", clip="Wave")), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, shirt)
        before, after = Document(body).json, Document(merged).json
        for key, value in before.items():
            if key in ("buffers", "nodes", "scenes"):
                continue
            self.assertEqual(after[key][:len(value)] if isinstance(value, list) else after[key], value, key)
        self.assertEqual(len(after["buffers"]), 1)
        self.assertEqual(self.issues(merged), self.issues(body))

    def test_bones_that_the_body_lacks_hang_on_the_nearest_that_it_has(self):
        body, hair = self.save("body.glb", piece(BODY, "Body")), self.save("hair.glb", piece(HAIR, "Wig"))
        ran, merged = self.merge(body, hair)
        nodes = Document(merged).json["nodes"]
        names = self.names(merged)
        self.assertIn("Hair is added as Hair below Head", ran.err)
        self.assertIn(names.index("Hair"), nodes[names.index("Head")]["children"])
        self.assert_nothing_moved(merged, body, hair)
        pose = self.write("pose.json", {"nodes": {"Head": {"rotation": turn("x", 30)}}})
        self.assert_nothing_moved(merged, body, hair, options=["--pose", pose])

    def test_a_bone_may_stay_apart(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        ran, merged = self.merge(body, shirt, "--keep-separate", "LeftArm")
        self.assertIn("LeftArm is added as shirt_LeftArm below Spine", ran.err)
        self.assertEqual(self.joints(merged, 1), ["shirt_LeftArm", "Spine", "Hips"])
        self.assertEqual(len(set(self.names(merged))), len(self.names(merged)))
        self.assert_nothing_moved(merged, body, shirt)

    def test_a_bone_may_get_another_name_first(self):
        other = {"Arm.L" if name == "LeftArm" else name: bone for name, bone in SHIRT.items()}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(other, "Shirt"))
        ran, merged = self.merge(body, shirt, "--rename", "Arm.L=LeftArm")
        self.assertIn("Arm.L is LeftArm", ran.err)
        self.assertEqual(self.joints(merged, 1), list(SHIRT))
        self.assert_nothing_moved(merged, body, shirt)
        self.write("names.txt", "# shirt to body\nArm.L LeftArm\n")
        _, merged = self.merge(body, shirt, "--names", self.path("names.txt"))
        self.assertEqual(self.joints(merged, 1), list(SHIRT))

    def test_several_files_one_after_the_other(self):
        body, shirt, hair = (self.save(f"{name}.glb", piece(bones, name)) for name, bones in
                             (("Body", BODY), ("Shirt", SHIRT), ("Wig", HAIR)))
        _, merged = self.merge(body, shirt, hair)
        self.assert_nothing_moved(merged, body, shirt, hair)
        self.assertEqual(self.issues(merged), self.issues(body))
        os.rename(merged, self.path("first.glb"))
        _, again = self.merge(self.path("first.glb"), hair)
        self.assertEqual(self.names(again).count("Hair"), 1)

    # bind poses

    def test_other_axes_of_the_same_joints_are_made_up_for(self):
        axes = {"LeftArm": turn("z", 70), "Spine": turn("y", -25)}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt", axes))
        _, merged = self.merge(body, shirt)
        self.assert_nothing_moved(merged, body, shirt)
        plain = self.save("plain.glb", piece(SHIRT, "Shirt"))
        pose = self.write("pose.json", {"nodes": {"LeftArm": {"rotation": turn("y", 50)}}})
        self.assert_nothing_moved(merged, body, plain, options=["--pose", pose])

    def test_added_bones_keep_their_place_below_other_axes(self):
        body, hair = self.save("body.glb", piece(BODY, "Body", {"Head": turn("x", 35)})), self.save("hair.glb", piece(HAIR, "Wig"))
        _, merged = self.merge(body, hair)
        self.assert_nothing_moved(merged, body, hair)
        # The bone has other local axes below the body's head, but the same place and the same axes in the world.
        apart = self.deform(hair, "--pose", self.write("apart.json", {"nodes": {"Hair": {"rotation": turn("z", 30)}}}))
        turned = multiply(conjugate(turn("x", 35)), turn("z", 30))
        pose = self.write("pose.json", {"nodes": {"Hair": {"rotation": turned}}})
        self.assert_near(self.deform(merged, "--pose", pose)[4 * len(BODY):], apart)

    def test_added_bones_below_an_uneven_scale(self):
        hair = self.save("hair.glb", piece(HAIR, "Wig", {"Hair": turn("z", 35)}))
        for height in (1.04, 2):
            with self.subTest(height):
                built = piece(BODY, "Body")
                next(node for node in built.json["nodes"] if node["name"] == "Head")["scale"] = [1, height, 1]
                body = self.save("body.glb", built)
                ran, merged = self.merge(body, hair)
                self.assertNotIn("shear", ran.err)  # a glTF node cannot; the bind matrices can
                self.assert_nothing_moved(merged, body, hair)
                added = next(node for node in Document(merged).json["nodes"] if node["name"] == "Hair")
                self.assert_near(np.array(added["translation"]), np.array([0, 0.15 / height, 0]))

    def test_another_unit_above_the_clothes(self):
        small = {name: (parent, (100 * np.array(place)).tolist()) for name, (parent, place) in SHIRT.items()}
        wrapper = {"name": "Armature", "scale": [0.01, 0.01, 0.01]}
        body = self.save("body.glb", piece(BODY, "Body"))
        shirt = self.save("shirt.glb", piece(small, "Shirt", wrapper=wrapper, radius=10))
        _, merged = self.merge(body, shirt)
        self.assertNotIn("Armature", self.names(merged))
        self.assert_nothing_moved(merged, body, shirt)

    def test_pivots_too_far_apart_are_refused(self):
        far = {**SHIRT, "LeftArm": ("Spine", [0.3, 1.55, 0])}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(far, "Shirt"))
        self.fails(FINDINGS, "merge", body, shirt, "-o", self.path("out.glb"), says=["shirt.glb", "LeftArm", "0.05 away", "1 %", '--keep-separate "LeftArm"'])
        self.assertFalse(os.path.exists(self.path("out.glb")))
        self.merge(body, shirt, "--keep-separate", "LeftArm")
        # A bone that --names FILE renames is kept by either name; the message says the one in the file.
        arm = {name.replace("LeftArm", "arm"): value for name, value in far.items()}
        arm, names = self.save("arm.glb", piece(arm, "Shirt")), self.path("names.txt")
        Path(names).write_text("arm LeftArm\n")
        self.fails(FINDINGS, "merge", body, arm, "-o", self.path("out.glb"), "--names", names, says=['"arm" is 0.05 away from "LeftArm"', '--keep-separate "arm"'])
        for name in ("arm", "LeftArm"):
            self.merge(body, arm, "--names", names, "--keep-separate", name)
        far["Spine"] = (SHIRT["Spine"][0], [0, 1.3, 0.1])
        ran = self.fails(FINDINGS, "merge", body, self.save("posed.glb", piece(far, "Shirt")), "-o", self.path("out.glb"),
                         says=['"Spine" of the body', "2 joints are too far away", "the rest poses differ", "Pivots that do not agree"])
        self.assertNotIn("--keep-separate", ran.err)
        near = {**SHIRT, "LeftArm": ("Spine", [0.3, 1.505, 0])}
        _, merged = self.merge(body, self.save("near.glb", piece(near, "Shirt")))
        self.assert_nothing_moved(merged, body, self.path("near.glb"))
        moved = {name: (parent, [place[0], place[1] + 0.2, place[2] - 0.5]) for name, (parent, place) in SHIRT.items()}
        self.fails(FINDINGS, "merge", body, self.save("moved.glb", piece(moved, "Shirt")), "-o", self.path("out.glb"),
                   says="all matched bones of the clothes lie (0, 0.2, -0.5) away")

    # names

    def test_words_of_other_tools(self):
        words = {"Hips": "mixamorig:Hips", "Spine": "mixamorig:Spine", "LeftArm": "mixamorig:LeftArm"}
        rigify = {"Hips": "spine", "Spine": "spine.001", "LeftArm": "upper_arm.L", "Head": "spine.006", "LeftHand": "hand.L"}
        rename = lambda bones, words: {words[n]: (words.get(p), place) for n, (p, place) in bones.items()}
        body = self.save("body.glb", piece(rename(BODY, rigify), "Body"))
        shirt = self.save("shirt.glb", piece(rename(SHIRT, words), "Shirt"))
        for profile in ("mixamo", "auto"):
            ran, merged = self.merge(body, shirt, "--names", profile)
            self.assertEqual(self.joints(merged, 1), ["upper_arm.L", "spine.001", "spine"])
            self.assertIn("mixamorig:LeftArm is upper_arm.L", ran.err)
            self.assert_nothing_moved(merged, body, shirt)
        self.fails(USAGE, "merge", body, shirt, "-o", self.path("out.glb"), "--names", "mixam", says="did you mean mixamo?")

    def renamed(self, bones, words):
        return {words(n): (words(p) if p else p, place) for n, (p, place) in bones.items()}

    def test_says_how_many_bones_matched(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        ran, _ = self.merge(body, shirt, self.save("hair.glb", piece(HAIR, "Wig")))
        self.assertIn(f"3 of 3 bones of {shirt} matched; 3 of them move it\n", ran.err)
        self.assertIn("1 of 3 bones of ", ran.err)

    def test_some_bones_match_and_more_would(self):
        body = self.save("body.glb", piece(BODY, "Body"))
        shirt = self.save("shirt.glb", piece(self.renamed(SHIRT, lambda name: "mixamorig:LeftArm" if name == "LeftArm" else name), "Shirt"))
        ran, _ = self.merge(body, shirt)
        self.assertIn("2 of 3 bones matched; --names auto matches 3 [SINEW_MERGE_NAMES]", ran.err)
        self.assertNotIn("MERGE_NAMES", self.merge(body, shirt, "--names", "auto")[0].err)

    def test_no_match_writes_nothing(self):
        body = self.save("body.glb", piece(BODY, "Body"))
        shirt = self.save("shirt.glb", piece(self.renamed(SHIRT, lambda name: name + "s"), "Shirt"))
        out = self.path("out.glb")
        self.fails(FINDINGS, "merge", body, shirt, "-o", out,
                   says=["shirt.glb: 0 of 3 bones matched", '"LeftArms" (nearest name: "LeftArm")', "--names", "--rename"])
        self.assertFalse(os.path.exists(out))
        other = self.save("other.glb", piece(self.renamed(SHIRT, lambda name: "mixamorig:" + name), "Shirt"))
        self.fails(FINDINGS, "merge", body, other, "-o", out, says="--names auto matches 3 of 3")
        strange = self.save("strange.glb", piece(self.renamed(SHIRT, lambda name: name[::-1] * 2), "Shirt"))
        self.fails(FINDINGS, "merge", body, strange, "-o", out, says=['the bones are "spiHspiH"', 'of the body are "Hips"'])
        self.assertFalse(os.path.exists(out))
        ran = self.fails(FINDINGS, "merge", body, strange, "-o", out, "--names", "auto")
        self.assertNotIn("--names", ran.err)
        ran, _ = self.merge(body, strange, "--keep-separate", "spiHspiH")
        self.assertIn("strange.glb follows no bone of the body", ran.err)

    def test_clothes_without_bones_are_no_mistake(self):
        body, face = self.save("body.glb", piece(BODY, "Body")), self.save("face.glb", morphed_quad())
        ran, merged = self.merge(body, face)
        self.assertIn("face.glb has no bones", ran.err)
        self.assert_nothing_moved(merged, body, face)

    def test_prefixes_do_not_count(self):
        shirt = self.save("shirt.glb", piece(SHIRT, "Shirt"))
        body = self.save("body.glb", piece(BODY, "Body"))
        for prefix in ("Armature|", "mixamorig:", "mixamorig", "J_Bip_C_", "fig1_", "Bip"):
            with self.subTest(prefix=prefix):
                prefixed = self.renamed(SHIRT, lambda name: prefix + name)
                ran, merged = self.merge(body, self.save("prefixed.glb", piece(prefixed, "Shirt")), "--names", "auto")
                self.assertIn("3 of 3 bones of ", ran.err)
                self.assertEqual(self.joints(merged, 1), list(SHIRT))
                self.assert_nothing_moved(merged, body, shirt)
                prefixed = self.save("prefixed.glb", piece(self.renamed(BODY, lambda name: prefix + name), "Body"))
                ran, merged = self.merge(prefixed, shirt, "--names", "auto")
                self.assertEqual(self.joints(merged, 1), [prefix + name for name in SHIRT])
        one, other = (self.save(f"{x}.glb", piece(self.renamed(bones, lambda name: x + "_" + name), x)) for x, bones in (("a", BODY), ("b", SHIRT)))
        self.assertIn("3 of 3 bones of ", self.merge(one, other, "--names", "auto")[0].err)

    def test_a_prefix_that_says_the_side_is_kept_apart(self):
        words = {"Hips": "J_Bip_C_Hips", "Spine": "J_Bip_C_Spine", "LeftArm": "J_Bip_L_UpperArm"}
        right = {"RightArm": ("Spine", [-0.3, 1.5, 0])}
        body = self.save("body.glb", piece({**BODY, **right}, "Body"))
        vroid = piece(self.renamed({**SHIRT, **right}, lambda name: {**words, "RightArm": "J_Bip_R_UpperArm"}[name]), "Shirt")
        ran, merged = self.merge(body, self.save("vroid.glb", vroid), "--names", "auto")
        for side in "Left", "Right":
            self.assertIn(f"J_Bip_{side[0]}_UpperArm is {side}Arm\n", ran.err)
        self.assertIn("4 of 4 bones", ran.err)
        # two bones that would have one name without their prefixes
        tail = {"Tail": ("Hips", [0, 1, -0.3])}
        tails = {"Hips": (None, [0, 1, 0]), "One|Tail": ("Hips", [0, 1, -0.3]), "Two|Tail": ("Hips", [0, 1, -0.3])}
        body, twice = self.save("body.glb", piece({**BODY, **tail}, "Body")), self.save("twice.glb", piece(tails, "Shirt"))
        self.assertIn("1 of 3 bones", self.merge(body, twice, "--names", "auto")[0].err)

    def test_another_scale_is_noticed(self):
        body = self.save("body.glb", piece(BODY, "Body"))
        grown = lambda bones, by: {name: (parent, (by * np.array(place)).tolist()) for name, (parent, place) in bones.items()}
        for by in (100, 0.01, 2.54 * 2):
            shirt = self.save("shirt.glb", piece(grown(SHIRT, by), "Shirt", radius=0.1 * by))
            self.fails(FINDINGS, "merge", body, shirt, "-o", self.path("out.glb"), says=f"lie {by:.3g} times as far apart")
        hat = {"Head": (None, [0, 1.7, 0])}
        for radius, scale in ((30, "57"), (0.1, "")):
            ran, _ = self.merge(body, self.save("hat.glb", piece(hat, "Hat", radius=radius)))
            self.assertEqual("units" in ran.err, bool(scale))
        self.merge(body, self.save("shirt.glb", piece(SHIRT, "Shirt", radius=0.01)))

    def test_names_that_fit_nothing(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        out = ["-o", self.path("out.glb")]
        self.fails(USAGE, "merge", body, shirt, *out, "--keep-separate", "LeftArn", says='did you mean "LeftArm"?')
        self.fails(USAGE, "merge", body, shirt, *out, "--rename", "Arm=LeftArm", says='"Arm"')
        self.fails(USAGE, "merge", body, shirt, *out, "--rename", "Arm", says="OLD=NEW")
        self.fails(USAGE, "merge", body, shirt, *out, "--animation", "Walk", says="Walk")
        self.fails(USAGE, "merge", body, shirt, *out, "--mesh", "Nope", says='no mesh of the clothes is named "Nope"; there are "Shirt"')
        self.fails(INPUT, "merge", body, shirt, *out, "--names", self.write("empty.txt", "# OLD NEW\n"), says="found no names")
        for line in ('Spine', 'Spine Hips Arm', '"Spine Hips', 'Spine "Hips'):
            self.fails(USAGE, "merge", body, shirt, *out, "--names", self.write("bad.txt", "Hips Hips\n\n" + line + "\n"), says="line 3: expected OLD NEW")
        self.fails(UNSUPPORTED, "merge", body, shirt, *out, "--rename", "Spine=LeftArm", says=["both", "LeftArm"])

    def test_names_with_blanks(self):
        body = self.save("body.glb", piece(BODY, "Body"))
        shirt = self.save("shirt.glb", piece({"Left Hips": (None, [0, 1, 0]), "Spine#2": ("Left Hips", [0, 1.3, 0])}, "Shirt"))
        names = self.write("names.txt", '# the tailor\'s names\r\n"Left Hips"\tHips # as pants\r\n  Spine#2 "Spine"')
        self.assertIn("2 of 2 bones", self.merge(body, shirt, "--names", names)[0].err)

    def test_bones_in_another_order_are_refused(self):
        upside = {"Spine": (None, [0, 1.3, 0]), "Hips": ("Spine", [0, 1, 0])}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(upside, "Shirt"))
        self.fails(UNSUPPORTED, "merge", body, shirt, "-o", self.path("out.glb"), says=["Hips", "is below", "Spine"])

    # skeletons, clips, formats

    def test_two_skeletons_need_a_choice(self):
        two = piece(BODY, "Body")
        joints = [two.add("nodes", {"name": "Tail", "translation": [0, 1, -1]})]
        two.add("skins", {"name": "Pet", "joints": joints})
        two.json["scenes"][0]["nodes"] += joints
        body, shirt = self.save("body.glb", two), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        self.fails(USAGE, "merge", body, shirt, "-o", self.path("out.glb"), says=["2 skeletons", "--skeleton", '"Hips"', '"Tail"'])
        _, merged = self.merge(body, shirt, "--skeleton", "Hips")
        self.assert_nothing_moved(merged, body, shirt)

    # one mesh

    def with_shapes(self, built, names, amounts=None):
        """Blend shapes that lift every vertex by 1, 2, … tenths."""
        primitive = built.json["meshes"][0]["primitives"][0]
        count = built.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
        lifts = [np.tile(np.array([0, 0.1 * (i + 1), 0], "<f4"), (count, 1)) for i in range(len(names))]
        primitive["targets"] = [{"POSITION": built.accessor(lift, bounds=True, target=34962)} for lift in lifts]
        built.json["meshes"][0]["extras"] = {"targetNames": names}
        if amounts:
            built.json["meshes"][0]["weights"] = amounts
        return built

    def test_join_makes_one_mesh(self):
        body = self.save("body.glb", piece(BODY, "Body", clip="Wave"))
        shirt, hair = self.save("shirt.glb", piece(SHIRT, "Shirt", {"LeftArm": turn("z", 70)})), self.save("hair.glb", piece(HAIR, "Wig"))
        ran, merged = self.merge(body, shirt, hair, "--join")
        self.assertIn('the mesh of "Wig" is joined to the mesh of "Body"', ran.err)
        document = Document(merged).json
        drawn = [node for node in document["nodes"] if "mesh" in node]
        self.assertEqual([node["name"] for node in drawn], ["Body"])
        self.assertEqual([p["material"] for p in document["meshes"][drawn[0]["mesh"]]["primitives"]], [0, 1, 2])
        self.assertEqual(self.joints(merged, drawn[0]["skin"]), [*BODY, "Hair", "HairTip"])
        self.assert_nothing_moved(merged, body, shirt, hair)
        plain = self.save("plain.glb", piece(SHIRT, "Shirt"))
        pose = self.write("pose.json", {"nodes": {"Head": {"rotation": turn("x", 30)}, "LeftArm": {"rotation": turn("z", 50)}}})
        names = [self.write(f"{i}.json", {"nodes": {bone: {"rotation": q}}}) for i, (bone, q) in
                 enumerate([("LeftArm", turn("z", 50)), ("Head", turn("x", 30))])]
        want = np.concatenate([self.deform(body, "--pose", pose), self.deform(plain, "--pose", names[0]), self.deform(hair, "--pose", names[1])])
        self.assert_near(self.deform(merged, "--pose", pose), want)
        self.assertEqual([issue for issue in self.issues(merged) if issue[0] <= 1], [])

    def unused(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return sorted(m["pointer"] for m in report["issues"]["messages"] if m["code"] == "UNUSED_OBJECT")

    def unused_bytes(self, path):
        """How many bytes of the first buffer no view names."""
        document = Document(path).json
        named = np.zeros(document["buffers"][0]["byteLength"], bool)
        for view in document["bufferViews"]:
            named[view.get("byteOffset", 0):view.get("byteOffset", 0) + view["byteLength"]] = True
        return int((~named).sum())

    def test_join_leaves_nothing_behind(self):
        body, hair = self.save("body.glb", self.with_shapes(piece(BODY, "Body", clip="Wave"), ["Up"])), self.save("hair.glb", piece(HAIR, "Wig"))
        shirt = self.save("shirt.glb", self.with_shapes(piece(SHIRT, "Shirt"), ["Puff"]))
        self.merge(body, shirt, hair)
        apart = os.path.getsize(self.path("merged.glb"))
        _, merged = self.merge(body, shirt, hair, "--join")
        document = Document(merged).json
        self.assertEqual([mesh["name"] for mesh in document["meshes"]], ["Body"])
        self.assertEqual(document["meshes"][0]["extras"]["targetNames"], ["Up", "Puff"])
        self.assertEqual(len(document["skins"]), 1)
        self.assertEqual(self.unused(merged), [])
        self.assertLess(self.unused_bytes(merged), 100)
        self.assertLess(os.path.getsize(merged), apart * 1.3)  # the zeros of missing shapes
        self.assert_nothing_moved(merged, body, shirt, hair)
        self.assertEqual(self.deform(merged, "--animation", "Wave", "--time", "1").shape[0], 4 * 11)

    def test_join_keeps_what_was_unused_before(self):
        built = piece(BODY, "Body")
        built.json["meshes"].insert(0, {"name": "Spare", "primitives": [{"attributes": {"POSITION": built.accessor(
            np.eye(3, dtype="<f4"), bounds=True, target=34962)}}]})
        next(node for node in built.json["nodes"] if "mesh" in node)["mesh"] = 1
        built.add("materials", {"name": "Spare"})
        body, shirt = self.save("body.glb", built), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        _, merged = self.merge(body, shirt, "--join")
        self.assertEqual([mesh["name"] for mesh in Document(merged).json["meshes"]], ["Spare", "Body"])
        self.assertEqual([m["name"] for m in Document(merged).json["materials"]], ["Body cloth", "Spare", "Shirt cloth"])
        self.assertEqual(len(self.unused(merged)), len(self.unused(body)))
        self.assert_nothing_moved(merged, body, shirt)

    def test_part_of_a_file(self):
        outfit = self.path("outfit.glb")
        wig = piece({**HAIR, "Spine": (None, BODY["Spine"][1]), "Head": ("Spine", HAIR["Head"][1])}, "Wig", clip="Nod")
        self.succeeds("merge", self.save("shirt.glb", piece(SHIRT, "Shirt", clip="Tug")), self.save("wig.glb", wig), "-o", outfit)
        body = self.save("body.glb", piece(BODY, "Body"))
        for name, alone, other in (("Shirt", "shirt.glb", "Wig"), ("1", "wig.glb", "Shirt")):
            with self.subTest(name=name):
                ran, merged = self.merge(body, outfit, "--mesh", name)
                self.assert_nothing_moved(merged, body, self.path(alone))
                document = Document(merged).json
                self.assertNotIn(other, json.dumps(document["meshes"]) + json.dumps(document["materials"]) + str(self.names(merged)))
                self.assertEqual(len(document["skins"]), 2)
                self.assertEqual("Hair" in self.names(merged), name == "1")
                self.assertEqual(self.unused(merged), [])
                self.assertLess(self.unused_bytes(merged), 100)
        _, merged = self.merge(body, outfit, "--mesh", "Shirt", "--mesh", "Wig")
        self.assert_nothing_moved(merged, body, self.path("shirt.glb"), self.path("wig.glb"))
        out = ["-o", self.path("out.glb")]
        self.fails(USAGE, "merge", body, outfit, *out, "--mesh", "Shirr", says='did you mean "Shirt"?')
        self.fails(USAGE, "merge", body, outfit, self.path("wig.glb"), *out, "--mesh", "Shirt", says=["wig.glb", '"Wig"'])

    def test_join_unites_blend_shapes_by_name(self):
        body = self.save("body.glb", self.with_shapes(piece(BODY, "Body"), ["Up", "Wide"], [0.5, 0]))
        shirt = self.save("shirt.glb", self.with_shapes(piece(SHIRT, "Shirt"), ["Puff", "Up"], [0.25, 0.5]))
        wig = self.save("wig.glb", piece(HAIR, "Wig"))
        _, merged = self.merge(body, shirt, wig, "--join")
        mesh = Document(merged).json["meshes"][0]
        self.assertEqual(mesh["extras"]["targetNames"], ["Up", "Wide", "Puff"])
        self.assertEqual(mesh["weights"], [0.5, 0, 0.25])
        self.assertEqual([len(p["targets"]) for p in mesh["primitives"]], [3, 3, 3])
        self.assert_nothing_moved(merged, body, shirt, wig)
        got = self.deform(merged, "--blend", "Up=1")
        want = np.concatenate([self.deform(body, "--blend", "Up=1"), self.deform(shirt, "--blend", "Up=1"), self.deform(wig)])
        self.assert_near(got, want)
        other = self.save("other.glb", self.with_shapes(piece(SHIRT, "Shirt"), ["Up"], [1]))
        self.fails(UNSUPPORTED, "merge", body, other, "--join", "-o", self.path("out.glb"), says=['"Up"', "0.5"])

    def test_join_with_names_of_shapes_in_primitives(self):
        built = self.with_shapes(piece(BODY, "Body"), ["Up"])
        built.json["meshes"][0]["primitives"][0]["extras"] = built.json["meshes"][0].pop("extras")
        body, shirt = self.save("body.glb", built), self.save("shirt.glb", self.with_shapes(piece(SHIRT, "Shirt"), ["Puff", "Up"]))
        _, merged = self.merge(body, shirt, "--join")
        mesh = Document(merged).json["meshes"][0]
        self.assertEqual(mesh["extras"]["targetNames"], ["Up", "Puff"])
        self.assertEqual([p.get("extras") for p in mesh["primitives"]], [None, None])

    def test_join_refuses_what_one_skin_cannot_say(self):
        bent = piece(SHIRT, "Shirt")
        shirt = self.save("shirt.glb", bent)
        near = {**SHIRT, "LeftArm": ("Spine", [0.3, 1.505, 0])}
        body = self.save("body.glb", piece(BODY, "Body"))
        _, merged = self.merge(body, self.save("near.glb", piece(near, "Shirt")), "--join")
        self.assert_nothing_moved(merged, body, self.path("near.glb"))
        document = Document(shirt)
        matrices = np.array(document.values(bent.json["skins"][0]["inverseBindMatrices"])).reshape(-1, 16)
        matrices[0, 12] += 0.05  # as if the arm were bound elsewhere
        bent.json["skins"][0]["inverseBindMatrices"] = bent.accessor(matrices.astype("<f4"))
        self.fails(UNSUPPORTED, "merge", body, self.save("bent.glb", bent), "--join", "-o", self.path("out.glb"), says=["more than one transform", "Spine"])

    # strict skeletons

    def test_a_strict_skeleton_grows_and_stays_strict(self):
        plain, shirt = self.save("plain.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt"))
        hat = self.save("hat.glb", piece({"Head": (None, [0, 1.7, 0]), "Brim": ("Head", [0, 1.8, 0]), "Tip": ("Brim", [0, 1.9, 0])}, "Hat",
                                         unlisted=["Brim"]))
        body = self.path("body.glb")
        self.succeeds("convert", plain, body, "--skeletons", "strict")
        self.succeeds("convert", shirt, self.path("strict_shirt.glb"), "--skeletons", "strict")
        _, merged = self.merge(body, self.path("strict_shirt.glb"), hat)
        document = Document(merged).json
        joints = [document["nodes"][joint]["name"] for joint in document["extensions"]["STAIK_skeletons"]["skeletons"][0]["joints"]]
        self.assertEqual(sorted(joints), sorted([*BODY, "Brim", "Tip"]))
        self.assert_nothing_moved(merged, body, shirt, hat)
        self.assertEqual([issue for issue in self.issues(merged) if issue[0] <= 1], [])

    def test_a_body_without_bones(self):
        shirt = self.save("shirt.glb", piece(SHIRT, "Shirt"))
        face = self.save("face.glb", morphed_quad())
        self.fails(UNSUPPORTED, "merge", face, shirt, "-o", self.path("out.glb"), says=["no skin", "name its parts"])

    def test_clips_stay_when_they_are_named(self):
        body, shirt = self.save("body.glb", piece(BODY, "Body", clip="Wave")), self.save("shirt.glb", piece(SHIRT, "Shirt", clip="Tug"))
        ran, merged = self.merge(body, shirt)
        self.assertIn('the animation "Tug" is left out', ran.err)
        self.assertEqual([a["name"] for a in Document(merged).json["animations"]], ["Wave"])
        ran, merged = self.merge(body, shirt, "--animation", "Tug")
        self.assertEqual([a["name"] for a in Document(merged).json["animations"]], ["Wave", "Tug"])
        got = self.deform(merged, "--animation", "Tug", "--time", "0.5")[4 * len(BODY):]
        self.assert_near(got, self.deform(shirt, "--animation", "Tug", "--time", "0.5"))

    def test_clips_in_other_axes_are_refused(self):
        axes = {name: turn("z", 70) for name in SHIRT}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", piece(SHIRT, "Shirt", axes, clip="Tug"))
        self.merge(body, shirt)
        self.fails(UNSUPPORTED, "merge", body, shirt, "-o", self.path("out.glb"), "--animation", "Tug", says=('"Tug"', "axes or scale", "--animation"))
        for name in ("body", "shirt"):
            self.succeeds("convert", self.path(f"{name}.glb"), self.path(f"{name}.g4b"), "-q")
        self.fails(UNSUPPORTED, "merge", self.path("body.g4b"), self.path("shirt.g4b"), "-o", self.path("out.g4b"), "--animation", "all",
                   says="glTF only")

    def test_one_line_says_which_clips_are_left_out(self):
        built = piece(SHIRT, "Shirt", clip="Tug")
        for name in ("Pull", "Wave", "Fall", "Fold"):
            built.add("animations", {**built.json["animations"][0], "name": name})
        body, shirt = self.save("body.glb", piece(BODY, "Body", clip="Wave")), self.save("shirt.glb", built)
        ran, merged = self.merge(body, shirt)
        lines = [line for line in ran.err.splitlines() if "left out" in line]
        self.assertEqual(len(lines), 1)
        self.assertIn('5 animations are left out ("Tug", "Pull", "Wave" and 2 more); --animation all keeps them', lines[0])
        fitted = self.succeeds("merge", body, shirt, "-o", self.path("fitted.glb"), "--fit", "scale")
        self.assertIn("and 2 more); sinew retarget puts them on the body", fitted.err)  # --fit refuses --animation
        self.assertEqual(self.unused(merged), [])
        self.assertLess(self.unused_bytes(merged), 100)
        ran, merged = self.merge(body, shirt, "--animation", "all")
        self.assertNotIn("left out", ran.err)
        self.assertEqual([a["name"] for a in Document(merged).json["animations"]], ["Wave", "Tug", "Pull", "Wave", "Fall", "Fold"])

    def test_text_and_files_beside_it(self):
        body = piece(BODY, "Body").save(self.path("body.gltf"), embedded=False)
        os.mkdir(self.path("wardrobe"))
        built = piece(SHIRT, "Shirt")
        with open(self.path("wardrobe", "red.png"), "wb") as file:
            file.write(PNG)
        built.add("images", {"uri": "red.png"})
        built.add("textures", {"source": built.add("images", {"uri": "red.png"}) - 1})
        built.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
        shirt = built.save(self.path("wardrobe", "shirt.gltf"), embedded=False)
        out = self.path("merged.gltf")
        self.succeeds("merge", body, shirt, "-o", out)
        document = Document(out).json
        self.assertNotIn("uri", document["images"][0])
        self.assertEqual(document["images"][0]["mimeType"], "image/png")
        self.assertEqual(document["materials"][1]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0)
        self.assert_nothing_moved(out, body, shirt)
        os.remove(self.path("wardrobe", "red.png"))
        os.mkdir(self.path("apart"))
        ran = self.succeeds("merge", body, shirt, "-o", self.path("apart", "merged.glb"))
        self.assertEqual(ran.err.count("red.png"), 1, ran.err)  # both images name it, and one warning says that it is missing
        with open(self.path("red.png"), "wb") as file:  # another file of that name, beside the body
            file.write(PNG)
        self.assertIn("SINEW_CONVERT_RELATIVE_URI", self.succeeds("merge", body, shirt, "-o", self.path("apart", "merged.glb")).err)

    def test_other_formats_are_told(self):
        body = self.save("body.glb", piece(BODY, "Body"))
        other = self.write("shirt.g4tf", {"asset": {"dimension": 3}, "nodes": [{}]})
        self.fails(UNSUPPORTED, "merge", body, other, "-o", self.path("out.glb"), says=["shirt.g4tf", "G4MF"])

    def test_unknown_extensions_are_kept_and_named(self):
        built = piece(SHIRT, "Shirt")
        built.json["extensionsUsed"] = ["ACME_cloth"]
        built.json["extensions"] = {"ACME_cloth": {"nodes": [0]}}
        built.json["meshes"][0]["extensions"] = {"ACME_cloth": {"pins": [1, 2]}}
        body, shirt = self.save("body.glb", piece(BODY, "Body")), self.save("shirt.glb", built)
        ran, merged = self.merge(body, shirt)
        self.assertIn("/meshes/0/extensions/ACME_cloth: the extension ACME_cloth is kept unchanged", ran.err)
        self.assertIn("/extensions/ACME_cloth: ACME_cloth applies to the whole file", ran.err)
        self.assertEqual(Document(merged).json["meshes"][1]["extensions"], {"ACME_cloth": {"pins": [1, 2]}})


# The nodes of a body in the order in which they are written.
NODES = ["Hips", "Spine", "Head", "LeftArm", "LeftHand"]
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
                    "53de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082")

if __name__ == "__main__":
    main()
