# SPDX-License-Identifier: MIT
"""`sinew merge` on avatars: bones by humanoid data, pivots of bones that move nothing, --tolerance, --fit."""
import json

import numpy as np

from program import FINDINGS, UNSUPPORTED, USAGE, ProgramTest, main

import vrm_builder
from gltf_builder import Builder
from gltf_oracle import rotation_matrix

BONES = vrm_builder.BONES
NAMES = [name for name, _, _ in BONES]
MIXAMO = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "neck": "Neck", "head": "Head",
          **{side + bone: "mixamorig:" + side.capitalize() + other for side in ("left", "right")
             for bone, other in (("UpperLeg", "UpLeg"), ("LowerLeg", "Leg"), ("Foot", "Foot"), ("UpperArm", "Arm"), ("LowerArm", "ForeArm"), ("Hand", "Hand"))}}

PLAIN = {"hips": "Pelvis", "spine": "Belly", "chest": "Chest", "neck": "Neck", "head": "Head",
         **{side + bone: other + "." + side[0].upper() for side in ("left", "right")
            for bone, other in (("UpperLeg", "Thigh"), ("LowerLeg", "Shin"), ("Foot", "Ankle"), ("UpperArm", "Arm"), ("LowerArm", "Forearm"), ("Hand", "Wrist"))}}


def clothes(scale=1.0, hang=0.0, turned=False, names=None, only=None, seed=5):
    """A figure without VRM, bound at its own rest pose: scaled, with arms that hang, turned by half about y. `only`: bones that move vertices."""
    b = vrm_builder.figure(seed=seed)
    nodes = b.json["nodes"]
    turn = {}
    for side, sign in (("left", -1), ("right", 1)):
        angle = np.radians(sign * hang) / 2
        turn[NAMES.index(side + "UpperArm")] = [0, 0, float(np.sin(angle)), float(np.cos(angle))]
    parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}
    whole = np.diag([-1.0, 1, -1]) if turned else np.eye(3)
    world = {}
    for n in range(len(BONES)):
        node = nodes[n]
        if names:
            node["name"] = names[NAMES[n]]
        node["translation"] = [scale * x for x in node["translation"]]
        if n in turn:
            node["rotation"] = turn[n]
        if n == 0 and turned:
            node["rotation"] = [0, 1, 0, 0]
            node["translation"] = list(whole @ node["translation"])
        local = np.eye(4)
        local[:3, :3] = rotation_matrix(node.get("rotation", (0, 0, 0, 1)))
        local[:3, 3] = node["translation"]
        world[n] = world[parents[n]] @ local if n in parents else local
    positions = np.concatenate([np.c_[scale * vrm_builder.CORNERS, np.ones(8)] @ world[n].T for n in range(len(BONES))])[:, :3].astype("<f4")
    inverse = np.array([np.linalg.inv(world[n]).T for n in range(len(BONES))]).reshape(-1, 16).astype("<f4")
    primitive = b.json["meshes"][0]["primitives"][0]

    def replace(accessor, array):
        view = b.json["bufferViews"][b.json["accessors"][accessor]["bufferView"]]
        b.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] = array.tobytes()

    replace(primitive["attributes"]["POSITION"], positions)
    b.json["accessors"][primitive["attributes"]["POSITION"]].update(min=positions.min(0).tolist(), max=positions.max(0).tolist())
    replace(b.json["skins"][0]["inverseBindMatrices"], inverse)
    if only:
        weights = np.zeros((len(positions), 4), "<f4")
        joints = np.zeros((len(positions), 4), "u1")
        weights[:, 0], joints[:, 0] = 1, np.repeat([NAMES.index(n if n in only else "spine") for n in NAMES], 8)
        replace(primitive["attributes"]["WEIGHTS_0"], weights)
        replace(primitive["attributes"]["JOINTS_0"], joints)
    return b


class Dress(ProgramTest):
    def body(self):
        return vrm_builder.vrm1(vrm_builder.figure()).save(self.path("body.glb"))

    def test_humanoid_data_count_before_names(self):
        garment = clothes(names=MIXAMO).save(self.path("shirt.glb"))
        ran = self.succeeds("merge", self.body(), garment, "-o", self.path("o.glb"))
        self.assertIn(f"{len(BONES)} of {len(BONES)} bones of {garment} matched; {len(BONES)} of them move it", ran.err)
        self.assertIn("mixamorig:LeftArm is bone leftUpperArm", ran.err)

    def test_plain_names(self):
        """Names that no tool gives, but that say which bone it is."""
        for names in (PLAIN, {bone: name.replace(".L", "Left").replace(".R", "Right") for bone, name in PLAIN.items()},
                      {bone: name[-1].lower() + "_" + name[:-2] if name[-2] == "." else name for bone, name in PLAIN.items()}):
            garment = clothes(names=names).save(self.path("shirt.glb"))
            ran = self.succeeds("merge", self.body(), garment, "-o", self.path("o.glb"), "--names", "auto")
            self.assertIn(f"{len(BONES)} of {len(BONES)} bones of {garment} matched", ran.err)

    def test_two_names_of_one_bone_do_not_choose_the_profile(self):
        """KayKit's figures have "wrist.l" and "hand.l": the profile that knows both as the hand knows no more bones for that."""
        names = {"hips": "hips", "spine": "spine", "chest": "chest", "neck": "hand.l", "head": "head",
                 **{side + bone: other + "." + side[0] for side in ("left", "right")
                    for bone, other in (("UpperLeg", "upperleg"), ("LowerLeg", "lowerleg"), ("Foot", "foot"), ("UpperArm", "upperarm"),
                                        ("LowerArm", "lowerarm"), ("Hand", "wrist"))}}
        ran = self.succeeds("merge", self.body(), clothes(names=names).save(self.path("shirt.glb")), "-o", self.path("o.glb"), "--names", "auto")
        self.assertIn(f"{len(BONES) - 1} of {len(BONES)} bones", ran.err)
        self.assertIn("hand.l is added", ran.err)

    def test_a_body_of_rigid_parts(self):
        """Its bones are known, but cloth that several of them bend would tear: only parts on one bone are taken."""
        figure = vrm_builder.figure()
        boxes = figure.accessor(vrm_builder.CORNERS.astype("<f4"), bounds=True)
        figure.json["meshes"] = [{"name": "Part", "primitives": [{"attributes": {"POSITION": boxes}, "mode": 0}]}]
        del figure.json["skins"]
        for node in figure.json["nodes"]:
            node.pop("skin", None)
            node["mesh"] = 0
        for humanoid in (True, False):
            if not humanoid:
                for n, (name, _, _) in enumerate(BONES):
                    figure.json["nodes"][n]["name"] = name
            robot = (vrm_builder.vrm1(figure) if humanoid else figure).save(self.path("robot.glb"))
            shirt = clothes(names=MIXAMO).save(self.path("shirt.glb"))
            for options in ((), ("--fit", "auto")):
                self.fails(UNSUPPORTED, "merge", robot, shirt, "-o", self.path("x.glb"), "--names", "auto", *options, says=["its parts are rigid", "skin the body"])
            count = len(self.deform(robot))
            head = NAMES.index("head")
            cap = clothes(names=MIXAMO, only=["head"])
            cap.json["skins"][0]["joints"] = [head] * len(cap.json["skins"][0]["joints"])
            self.succeeds("merge", robot, cap.save(self.path("cap.glb")), "-o", self.path("o.glb"), "--names", "auto")
            self.succeeds("merge", robot, self.box("Sword").save(self.path("sword.glb")), "-o", self.path("o.glb"), "--attach", "rightHand")
            self.assertEqual(len(self.deform(self.path("o.glb"))), count + 8)
            figure.json.pop("extensions", None), figure.json.pop("extensionsUsed", None)
        for node in figure.json["nodes"]:
            node["name"] = "part"
        self.fails(UNSUPPORTED, "merge", figure.save(self.path("robot.glb")), shirt, "-o", self.path("x.glb"), says=["no skin", "name its parts"])

    def test_equal_names_are_said_with_v_only(self):
        garment = clothes(names={n: "bone " + n for n in NAMES}).save(self.path("shirt.glb"))
        self.assertNotIn("bone spine is bone spine", self.succeeds("merge", self.body(), garment, "-o", self.path("o.glb")).err)
        self.assertIn("bone spine is bone spine", self.succeeds("merge", self.body(), garment, "-o", self.path("o.glb"), "-v").err)

    def test_pivots_of_idle_bones_do_not_matter(self):
        b = clothes(names={n: "bone " + n for n in NAMES}, only={"hips", "spine", "chest"})
        b.json["nodes"][NAMES.index("leftHand")]["translation"] = [0.6, 0, 0]
        garment = b.save(self.path("shirt.glb"))
        ran = self.succeeds("merge", self.body(), garment, "-o", self.path("o.glb"))
        self.assertIn("SINEW_MERGE_PIVOTS", ran.err)
        self.assertIn("3 of them move it", ran.err)
        b.json["nodes"][NAMES.index("spine")]["translation"] = [0, 0.2, 0]
        self.fails(FINDINGS, "merge", self.body(), b.save(self.path("far.glb")), "-o", self.path("x.glb"), says=["bone spine"])
        self.succeeds("merge", self.body(), self.path("far.glb"), "-o", self.path("o.glb"), "--tolerance", "0.1")

    def place_of_boxes(self, path, pose=None):
        """The centres of the boxes of the clothes: the last mesh."""
        moved = self.deform(path, *(["--pose", pose] if pose else []))
        return moved[len(moved) // 2 :].reshape(len(BONES), 8, 3).astype(float)

    def test_fit(self):
        body = self.body()
        places = vrm_builder.worlds(vrm_builder.figure().json["nodes"])
        for name, options in (("a", dict(hang=50)), ("scaled", dict(scale=1.4)), ("turned", dict(turned=True)), ("all", dict(hang=40, scale=0.02, turned=True))):
            garment = clothes(names=MIXAMO, **options).save(self.path(f"{name}.glb"))
            ran = self.fails(FINDINGS, "merge", body, garment, "-o", self.path("x.glb"), says=["--fit auto"]) if name in ("a", "turned") else None
            ran = self.succeeds("merge", body, garment, "-o", self.path("o.glb"), "--fit", "scale,turn,pose")
            self.assertIn("was fitted", ran.err)
            boxes = self.place_of_boxes(self.path("o.glb"))
            for n in range(len(BONES)):
                np.testing.assert_allclose(boxes[n].mean(0), places[n], atol=1e-4)
                np.testing.assert_allclose(np.linalg.norm(boxes[n] - boxes[n].mean(0), axis=1), np.linalg.norm(vrm_builder.CORNERS[0]), rtol=1e-3)
            # and they follow
            turn = [0, 0, float(np.sin(0.4)), float(np.cos(0.4))]
            arm = NAMES.index("leftUpperArm")
            pose = self.write("pose.json", {"nodes": {str(arm): {"rotation": turn}}})
            posed = self.place_of_boxes(self.path("o.glb"), pose)
            lower = NAMES.index("leftLowerArm")
            wanted = places[arm] + rotation_matrix(turn) @ (places[lower] - places[arm])
            np.testing.assert_allclose(posed[lower].mean(0), wanted, atol=1e-4)

    def test_fit_turns_blend_shapes(self):
        garment = clothes(names=MIXAMO, turned=True)
        path = garment.save(self.path("turned.glb"))
        self.succeeds("merge", self.body(), path, "-o", self.path("o.glb"), "--fit", "scale,turn,pose", "-q")
        before = self.deform(path, "--blend", "shape 1=1") - self.deform(path)
        node = len(json.loads(self.succeeds("info", self.path("o.glb"), "--json").out)["instances"])
        self.assertEqual(node, 2)
        instances = json.loads(self.succeeds("info", self.path("o.glb"), "--json").out)["instances"]
        moved = self.deform(self.path("o.glb"), "--blend", f"{instances[1]['node']}:shape 1=1") - self.deform(self.path("o.glb"))
        np.testing.assert_allclose(moved[len(moved) // 2 :], before * [-1, 1, -1], atol=1e-5)

    def test_clips_of_another_skeleton_are_retargeted(self):
        """A clip file with other names and hanging arms: the new file moves as `sinew retarget` makes it."""
        motion = clothes(names={n: "mixamorig:" + name.removeprefix("mixamorig:") for n, name in MIXAMO.items()}, hang=40)
        for key in ("meshes", "skins"):
            motion.json.pop(key)
        for node in motion.json["nodes"]:
            node.pop("mesh", None), node.pop("skin", None)
        times = motion.accessor(np.array([0, 1], "<f4"), bounds=True)
        turns = motion.accessor(np.array([[0, 0, 0, 1], [0, 0, np.sin(0.4), np.cos(0.4)]], "<f4"))
        channel = {"sampler": 0, "target": {"node": NAMES.index("leftUpperArm"), "path": "rotation"}}
        motion.add("animations", {"name": "Wave", "samplers": [{"input": times, "output": turns}], "channels": [channel]})
        clip = motion.save(self.path("wave.glb"))
        ran = self.succeeds("merge", self.body(), clip, "-o", self.path("o.glb"), "--animation", "all")
        self.assertIn("1 animation was retargeted", ran.err)
        self.assertNotIn("SINEW_MERGE_PIVOTS", ran.err)
        self.succeeds("retarget", self.body(), clip, "-o", self.path("r.glb"))
        at = ("--animation", "Wave", "--time", "0.7")
        np.testing.assert_allclose(self.deform(self.path("o.glb"), *at), self.deform(self.path("r.glb"), *at), atol=1e-6)
        self.assertGreater(np.abs(self.deform(self.path("o.glb"), *at) - self.deform(self.body())).max(), 0.05)

    def box(self, name):
        """A file with a box and no bones, 0.1 beside its origin."""
        b = Builder()
        points = (vrm_builder.CORNERS + [0.1, 0, 0]).astype("<f4")
        b.add("meshes", {"name": name, "primitives": [{"attributes": {"POSITION": b.accessor(points, bounds=True)}, "mode": 0}]})
        b.add("nodes", {"name": name, "mesh": 0, "translation": [0, 0.02, 0]})
        b.add("scenes", {"nodes": [0]})
        b.json["scene"] = 0
        return b

    def test_a_part_on_one_bone(self):
        sword = self.box("Sword").save(self.path("sword.glb"))
        places = vrm_builder.worlds(vrm_builder.figure().json["nodes"])
        hand = NAMES.index("rightHand")
        for wanted in ("rightHand", vrm_builder.figure().json["nodes"][hand]["name"]):
            ran = self.succeeds("merge", self.body(), sword, "-o", self.path("o.glb"), "--attach", wanted)
            self.assertIn("sword.glb hangs on", ran.err)
            turn = [0, 0, float(np.sin(0.4)), float(np.cos(0.4))]
            pose = self.write("pose.json", {"nodes": {str(hand): {"rotation": turn}}})
            for options, matrix in (((), np.eye(3)), (("--pose", pose), rotation_matrix(turn))):
                moved = self.deform(self.path("o.glb"), *options)[-8:]
                np.testing.assert_allclose(moved, places[hand] + (vrm_builder.CORNERS + [0.1, 0.02, 0]) @ matrix.T, atol=1e-5)
        small = vrm_builder.figure()
        small.json["nodes"][hand]["scale"] = [0.01, 0.01, 0.01]
        self.succeeds("merge", vrm_builder.vrm1(small).save(self.path("small.glb")), sword, "-o", self.path("o.glb"), "--attach", "rightHand")
        np.testing.assert_allclose(self.deform(self.path("o.glb"))[-8:], places[hand] + vrm_builder.CORNERS + [0.1, 0.02, 0], atol=1e-5)
        self.fails(USAGE, "merge", self.body(), sword, "-o", self.path("x.glb"), "--attach", "rightHnd", says=["did you mean"])
        shirt = clothes(names=MIXAMO).save(self.path("shirt.glb"))
        self.fails(USAGE, "merge", self.body(), shirt, "-o", self.path("x.glb"), "--attach", "rightHand", says=["without bones"])
        self.succeeds("merge", self.body(), shirt, sword, "-o", self.path("o.glb"), "--attach", "rightHand")  # one with bones, one without

    def test_grip(self):
        """A staff along y with a bar along x: it comes out of the thumb's side of either hand, the bar along the fingers."""
        b = Builder()
        points = np.array([[0, -0.2, 0], [0, 1, 0], [0.3, 0.1, 0], [-0.3, 0.1, 0.01]], "<f4")
        b.add("meshes", {"name": "Staff", "primitives": [{"attributes": {"POSITION": b.accessor(points, bounds=True)}, "mode": 0}]})
        b.add("nodes", {"name": "Staff", "mesh": 0})
        b.add("scenes", {"nodes": [0]})
        b.json["scene"] = 0
        staff = b.save(self.path("staff.glb"))
        places = vrm_builder.worlds(vrm_builder.figure().json["nodes"])
        for side in ("left", "right"):
            hand, arm = (places[NAMES.index(side + bone)] for bone in ("Hand", "LowerArm"))
            along = (hand - arm) / np.linalg.norm(hand - arm)  # no fingers: the forearm shows the way; the thumb looks to the front
            front = np.array([0, 0, 1.0])
            for factor, options in ((1, ()), (0.5, ("--scale", "0.5"))):
                ran = self.succeeds("merge", self.body(), staff, "-o", self.path("o.glb"), "--attach", side + "Hand", "--grip", *options)
                self.assertIn("held by the palm", ran.err)
                moved = self.deform(self.path("o.glb"))[-4:].astype(float)
                np.testing.assert_allclose(moved[1] - moved[0], 1.2 * factor * front, atol=1e-5)
                np.testing.assert_allclose((moved[2] - moved[3]) @ along, 0.6 * factor, atol=1e-5)
                origin = (moved[0] + 0.2 * (moved[1] - moved[0]) / 1.2 - hand)
                self.assertGreater(origin @ along, 0)
                self.assertLess(origin[1], 0)  # the palm looks down
        self.fails(USAGE, "merge", self.body(), staff, "-o", self.path("x.glb"), "--attach", "head", "--grip", says=["not known as a hand"])
        for option in (["--grip"], ["--scale", "2"]):
            self.fails(USAGE, "merge", self.body(), staff, "-o", self.path("x.glb"), *option, says=[option[0], "needs --attach"])
        big = vrm_builder.vrm1(clothes(scale=2.0)).save(self.path("big.glb"))  # the staff was made for a figure twice as large
        ran = self.succeeds("merge", self.body(), staff, "-o", self.path("o.glb"), "--attach", "rightHand", "--made-for", big)
        self.assertIn("0.5 times as large", ran.err)

    def test_two_bones_for_one(self):
        """A bone that moves nothing gives way to one that moves a vertex."""
        figure = clothes(names=MIXAMO, only=["hips"])
        root = figure.add("nodes", {"name": "mixamorig:Hips", "children": [0]})
        figure.json["scenes"][0]["nodes"] = [root if n == 0 else n for n in figure.json["scenes"][0]["nodes"]]
        figure.json["skins"][0]["joints"].append(root)
        matrices = figure.json["accessors"][figure.json["skins"][0]["inverseBindMatrices"]]
        view = figure.json["bufferViews"][matrices["bufferView"]]
        old = np.frombuffer(bytes(figure.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]), "<f4").reshape(-1, 16)
        figure.json["skins"][0]["inverseBindMatrices"] = figure.accessor(np.concatenate([old, np.eye(4, dtype="<f4").reshape(1, 16)]))
        ran = self.succeeds("merge", self.body(), figure.save(self.path("f.glb")), "-o", self.path("o.glb"), "--names", "mixamo")
        self.assertIn("  Hips is", ran.err)

    def test_a_rigid_part_keeps_its_bone(self):
        """--mesh takes a hat without a skin from a figure; the skinned parts go, and the hat still follows the head."""
        figure = clothes(names=MIXAMO)
        head = NAMES.index("head")
        points = vrm_builder.CORNERS.astype("<f4")
        figure.add("meshes", {"name": "Hat", "primitives": [{"attributes": {"POSITION": figure.accessor(points, bounds=True)}, "mode": 0}]})
        hat = figure.add("nodes", {"name": "Hat", "mesh": len(figure.json["meshes"]) - 1, "translation": [0, 0.2, 0]})
        figure.json["nodes"][head].setdefault("children", []).append(hat)
        ran = self.succeeds("merge", self.body(), figure.save(self.path("figure.glb")), "-o", self.path("o.glb"), "--mesh", "Hat", "--names", "mixamo")
        self.assertIn("1 of them moves it", ran.err)
        places = vrm_builder.worlds(vrm_builder.figure().json["nodes"])
        turn = [float(np.sin(0.3)), 0, 0, float(np.cos(0.3))]
        pose = self.write("pose.json", {"nodes": {str(head): {"rotation": turn}}})
        moved = self.deform(self.path("o.glb"), "--pose", pose)[-8:]
        np.testing.assert_allclose(moved, places[head] + (points + [0, 0.2, 0]) @ rotation_matrix(turn).T, atol=1e-5)

    def test_a_hat_gets_the_size_of_the_head(self):
        """Bones and body three times as large, but the head five times: the hat follows the head, and stays in its place on it."""
        figure = clothes(names=MIXAMO, scale=3.0)
        head = NAMES.index("head")
        primitive = figure.json["meshes"][0]["primitives"][0]
        view = figure.json["bufferViews"][figure.json["accessors"][primitive["attributes"]["POSITION"]]["bufferView"]]
        points = np.frombuffer(bytes(figure.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]), "<f4").reshape(-1, 3).copy()
        own = points[8 * head : 8 * head + 8]
        centre = own.mean(0)
        own[:] = centre + (own - centre) * (5 / 3)
        figure.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] = points.tobytes()
        hat_points = (own - centre) * 0.5 + [0, 0.5 * (own[:, 1].max() - centre[1]), 0]
        figure.add("meshes", {"name": "Hat", "primitives": [{"attributes": {"POSITION": figure.accessor(hat_points.astype("<f4"), bounds=True)}, "mode": 0}]})
        hat = figure.add("nodes", {"name": "Hat", "mesh": len(figure.json["meshes"]) - 1})
        figure.json["nodes"][head].setdefault("children", []).append(hat)
        ran = self.succeeds("merge", self.body(), figure.save(self.path("figure.glb")), "-o", self.path("o.glb"), "--mesh", "Hat", "--names", "mixamo", "--fit", "auto")
        self.assertIn("scale the part on one bone by 0.2", ran.err)
        places = vrm_builder.worlds(vrm_builder.figure().json["nodes"])
        body_head = vrm_builder.CORNERS + places[head]
        size = lambda p: np.prod(p.max(0) - p.min(0)) ** (1 / 3)
        moved = self.deform(self.path("o.glb"))[-8:].astype(float)
        self.assertAlmostEqual(size(moved) / size(body_head), 0.5, delta=0.01)
        np.testing.assert_allclose(moved.mean(0) - body_head.mean(0), [0, 0.5 * (body_head[:, 1].max() - body_head[:, 1].mean()), 0], atol=2e-3)
        hat = figure.json["meshes"][-1]["primitives"][0]  # with triangles, in a file that says which nodes are bones: no figure by itself
        del hat["mode"]
        hat["indices"] = figure.accessor(vrm_builder.FACES.astype("<u2").reshape(-1))
        ran = self.succeeds("merge", self.body(), vrm_builder.vrm1(figure).save(self.path("figure.glb")), "-o", self.path("o.glb"), "--mesh", "Hat",
                            "--fit", "auto")
        self.assertNotIn("of 16 lay inside", ran.err)
        self.assertNotIn("follow the shape", ran.err)

    def test_bad_options(self):
        body = self.body()
        garment = clothes(names=MIXAMO).save(self.path("shirt.glb"))
        self.fails(USAGE, "merge", body, garment, "-o", self.path("x.glb"), "--fit", "tight", says=["scale, turn, pose and surface"])
        self.fails(USAGE, "merge", body, garment, "-o", self.path("x.glb"), "--tolerance", "0")


if __name__ == "__main__":
    main()
