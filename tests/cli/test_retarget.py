# SPDX-License-Identifier: MIT
"""`sinew retarget` against the published formula, on real characters and on small ones."""
import base64
import json
import os

import numpy as np

from program import FINDINGS, ROOT, SETTINGS, USAGE, ProgramTest, in_parallel, main, sinew

import vrm_builder
from gltf_builder import Builder
from gltf_oracle import Document
from retarget_oracle import Expected, Skeleton, angle, turn_of

CHARACTERS = ["vrm0_polygonal_mind/crimsom.vrm", "vrm1_debug_robot/debug_robot.vrm", "vrm0_polygonal_mind/chill_penguin.vrm",
              "quaternius_outfits/Superhero_Male_FullBody.gltf", "valid_avatars/Asian_M_1_Casual.glb"]
MOTIONS = ["vrma/idle_loop.vrma", "vrma/test.vrma", "vrma/hips_spine_twisting.vrma", "viverse_clips/walk.glb", "kaykit_animations/Med_Special.glb",
           "quaternius_woman/Woman.gltf"]


def quaternion(axis, degrees):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return [*(axis * np.sin(np.radians(degrees) / 2)), float(np.cos(np.radians(degrees) / 2))]


class Retarget(ProgramTest):
    def retarget(self, target, motion, *options, out="out.glb"):
        path = self.path(out)
        report = json.loads(self.succeeds("retarget", target, motion, "-o", path, "--json", *options, timeout=120).out)
        return path, report

    def check(self, target, motion, path, report, root_motion="scale", moments=9):
        """The worst angle in radians, and the worst distance of the hips in heights."""
        a, b, made = Skeleton(motion), Skeleton(target), Skeleton(path)
        number = {name: a.names.index(name) for name in a.names}
        pairs = [(row["bone"], number[row["motion"]], b.names.index(row["target"])) for row in report["map"]]
        expected = Expected(a, b, pairs, root_motion)
        self.assertAlmostEqual(report["scale"], expected.scale(), delta=1e-6 * expected.scale())
        moved = [set() for _ in report["clips"]]
        first = len(b.document.json.get("animations", []))
        worst_turn = worst_hips = 0
        names = [clip.get("name") for clip in a.document.json["animations"]]
        for number, clip in enumerate(report["clips"]):
            source = number if len(names) == len(report["clips"]) else names.index(clip["name"])
            for time in np.linspace(0, clip["duration"], moments):
                time = float(np.float32(time))
                now, motions = made.worlds(first + number, time), a.worlds(source, time)
                for node, turn in expected.turns(motions).items():
                    worst_turn = max(worst_turn, angle(turn_of(now[node]), turn))
                if "hips" in expected.of:
                    away = np.linalg.norm(now[expected.of["hips"][1]][:3, 3] - expected.hips(motions))
                    worst_hips = max(worst_hips, away / max(expected.height(1), 1e-9))
        return worst_turn, worst_hips

    def test_real_characters(self):
        real = os.path.join(SETTINGS.shared or "", "real")
        if not SETTINGS.shared or not os.path.isdir(real):
            self.skipTest("the shared folder is absent")

        def one(case):
            target, motion = (os.path.join(real, name) for name in case)
            path, report = self.retarget(target, motion, out=f"{CHARACTERS.index(case[0])}_{MOTIONS.index(case[1])}.glb")
            return case, len(report["map"]), *self.check(target, motion, path, report, moments=4)

        for case, pairs, turn, hips in in_parallel(one, [(c, m) for c in CHARACTERS for m in MOTIONS]):
            self.assertGreaterEqual(pairs, 15, case)
            self.assertLess(turn, 1e-4, case)
            self.assertLess(hips, 1e-4, case)

    # the worked example of the published method
    def arms(self):
        motion, target = Builder(), Builder()
        for b, nodes in ((motion, [("hips", None, (0, 1, 0), None), ("leftUpperArm", 0, (0.2, 0.5, 0), None), ("leftLowerArm", 1, (0.3, 0, 0), None)]),
                         (target, [("root", None, (0, 0, 0), None), ("hips", 0, (0, 0.8, 0.1), ((0, 0, 1), 90)), ("twist", 1, (0.4, -0.15, 0), ((1, 0, 0), 90)),
                                   ("leftUpperArm", 2, (0, 0, 0.03), ((0, 1, 0), 90)), ("leftLowerArm", 3, (-0.25, 0, 0), ((0, 1, 0), 30))])):
            for name, parent, place, turn in nodes:
                index = b.add("nodes", {"name": name, "translation": list(place), **({"rotation": quaternion(*turn)} if turn else {})})
                if parent is not None:
                    b.json["nodes"][parent].setdefault("children", []).append(index)
            b.json["scenes"], b.json["scene"] = [{"nodes": [0]}], 0
        times = motion.accessor(np.array([0], "<f4"), bounds=True)
        samplers, channels = [], []
        for node, path, value in ((0, "translation", (0.1, 0.9, 0.2)), (0, "rotation", quaternion((0, 1, 0), 30)), (1, "rotation", quaternion((0, 0, 1), -60)),
                                  (2, "rotation", quaternion((0, 1, 0), -40))):
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": times, "output": motion.accessor(np.array([value], "<f4"))})
        motion.add("animations", {"name": "pose", "samplers": samplers, "channels": channels})
        return motion, target

    def test_worked_example(self):
        motion, target = self.arms()
        path, report = self.retarget(target.save(self.path("b.gltf")), motion.save(self.path("a.gltf")), "--names", "vrm", out="out.gltf")
        self.assertAlmostEqual(report["scale"], 0.8)
        document = Document(path)
        animation = document.json["animations"][0]
        value = {}
        for channel in animation["channels"]:
            value[channel["target"]["node"], channel["target"]["path"]] = document.values(animation["samplers"][channel["sampler"]]["output"])[0]
        for node, wanted in ((1, (0.183013, 0.183013, 0.683013, 0.683013)), (3, (0, 0.258819, 0, 0.965926)), (4, (0.088521, 0.243210, -0.330366, 0.907673))):
            got = np.array(value[node, "rotation"])
            np.testing.assert_allclose(got * np.sign(got @ wanted), wanted, atol=2e-6)
        np.testing.assert_allclose(value[1, "translation"], (0.08, 0.72, 0.26), atol=1e-6)

    def figure(self, name, clip=True, turn=None, scale=1.0, spline=False):
        """A VRM 1.0 figure; `turn`: every bone's node is turned at rest, the bones stay where they are."""
        rng = np.random.default_rng(3)
        b = vrm_builder.vrm1(vrm_builder.figure())
        nodes = b.json["nodes"]
        if scale != 1:
            for node in nodes[: len(vrm_builder.BONES)]:
                node["translation"] = [x * scale for x in node["translation"]]
        if turn:
            world = {}
            parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}
            for n in range(len(vrm_builder.BONES)):
                own = quaternion(rng.normal(size=3), turn)
                up = world.get(parents.get(n), np.eye(3))
                from gltf_oracle import rotation_matrix
                world[n] = up @ rotation_matrix(own)
                nodes[n]["rotation"] = own
                nodes[n]["translation"] = list(up.T @ np.array(nodes[n]["translation"]))
        if clip:
            count = 5
            times = b.accessor(np.linspace(0, 2, count).astype("<f4"), bounds=True)
            samplers, channels = [], []

            def add(node, path, values):
                if spline:
                    values = np.stack([rng.normal(0, 0.2, values.shape), values, rng.normal(0, 0.2, values.shape)], 1).reshape(-1, values.shape[1])
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
                samplers.append({"input": times, "output": b.accessor(values.astype("<f4")), "interpolation": "CUBICSPLINE" if spline else "LINEAR"})

            for n in range(len(vrm_builder.BONES)):
                add(n, "rotation", np.array([quaternion(rng.normal(size=3), rng.uniform(-40, 40)) for _ in range(count)]))
            add(0, "translation", np.array(nodes[0]["translation"]) + rng.normal(0, 0.1, (count, 3)))
            b.add("animations", {"name": "dance", "samplers": samplers, "channels": channels})
        return b.save(self.path(name))

    def test_same_skeleton_is_exact(self):
        for spline in (False, True):
            motion, target = self.figure("a.glb", spline=spline), self.figure("b.glb", clip=False)
            path, _ = self.retarget(target, motion)
            for time in np.linspace(0, 2, 9):
                a = self.deform(motion, "--animation", "dance", "--time", str(time))
                b = self.deform(path, "--animation", "dance", "--time", str(time))
                np.testing.assert_allclose(a, b, atol=2e-6)

    def test_other_axes_and_back(self):
        for spline in (False, True):
            motion, target = self.figure("a.glb", spline=spline), self.figure("b.glb", clip=False, turn=70, scale=0.6)
            there, report = self.retarget(target, motion, out="there.glb")
            self.assertAlmostEqual(report["scale"], 0.6, delta=1e-6)
            turn, hips = self.check(target, motion, there, report)
            self.assertLess(max(turn, hips), 1e-5)
            back, _ = self.retarget(self.figure("c.glb", clip=False), there, out="back.glb")
            for time in np.linspace(0, 2, 9):
                np.testing.assert_allclose(self.deform(motion, "--animation", "dance", "--time", str(time)),
                                           self.deform(back, "--animation", "dance", "--time", str(time)), atol=1e-3)

    def test_there_and_back_on_real_characters(self):
        """Bones that both have turn as before; the hips move by what the sizes say, there and back."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not SETTINGS.shared or not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        a, b = (os.path.join(real, name) for name in ("quaternius_outfits/Superhero_Male_FullBody.gltf", "valid_avatars/Asian_M_1_Casual.glb"))
        first, _ = self.retarget(a, os.path.join(real, "viverse_clips", "walk.glb"), out="first.glb")
        there, report = self.retarget(b, first, out="there.glb")
        back, _ = self.retarget(a, there, out="back.glb")
        before, after = Skeleton(first), Skeleton(back)
        pairs = [before.names.index(row["motion"]) for row in report["map"]]
        self.assertGreater(len(pairs), 40)
        for time in np.linspace(0, report["clips"][0]["duration"], 9):
            one, other = before.worlds(0, float(np.float32(time))), after.worlds(0, float(np.float32(time)))
            for node in pairs:
                self.assertLess(angle(turn_of(one[node]), turn_of(other[node])), 1e-3, (before.names[node], time))

    def test_root_motion(self):
        motion, target = self.figure("a.glb"), self.figure("b.glb", clip=False, scale=0.5)
        for mode in ("scale", "keep", "none"):
            path, report = self.retarget(target, motion, "--root-motion", mode)
            turn, hips = self.check(target, motion, path, report, mode)
            self.assertLess(max(turn, hips), 1e-5, mode)

    def test_missing_bones_keep_the_world_rotation(self):
        target = vrm_builder.vrm1(vrm_builder.figure())
        bones = target.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
        for name in ("chest", "neck", "leftLowerArm"):
            target.json["nodes"][bones.pop(name)["node"]]["name"] = "other " + name
        path, report = self.retarget(target.save(self.path("b.glb")), self.figure("a.glb"))
        turn, hips = self.check(self.path("b.glb"), self.path("a.glb"), path, report, moments=23)
        self.assertLess(max(turn, hips), 1e-4)
        self.assertIn("bone chest", report["unmapped"]["motion"])

    def test_plain_names_count_before_a_guessed_profile(self):
        """Rigify calls its hips "spine"; the sample has Hips, Spine, Chest, Neck and Head."""
        show = os.path.join(ROOT, "samples", "show")
        ran = self.succeeds("retarget", os.path.join(show, "avatar.vrm"), os.path.join(show, "figure.gltf"), "-o", self.path("o.vrm"), "--report", self.path("r.json"))
        self.assertIn("17 bones matched", ran.err)
        with open(self.path("r.json"), encoding="utf-8") as file:
            report = json.load(file)
        pairs = {row["bone"]: (row["motion"], row["target"]) for row in report["map"]}
        for bone, name in (("hips", "Hips"), ("spine", "Spine"), ("chest", "Chest"), ("neck", "Neck"), ("head", "Head")):
            self.assertEqual(pairs[bone], (name, name))
        self.assertEqual(report["unmapped"]["motion"], [])

    def renamed(self, names, file="b.glb"):
        """The figure without humanoid data; bones that `names` does not have say nothing."""
        target = vrm_builder.vrm1(vrm_builder.figure())
        for number, (name, _, _) in enumerate(vrm_builder.BONES):
            side = next((side for side in ("left", "right") if name.startswith(side)), "")
            kind = name[len(side):]
            target.json["nodes"][number]["name"] = names[kind] + (f"-{side}" if side else "") if kind in names else f"joint {number}"
        for key in ("extensions", "extensionsUsed"):
            del target.json[key]
        return target.save(self.path(file))

    def test_a_leg_is_the_whole_one_or_the_lower_one(self):
        names = {"hips": "hips", "spine": "torso", "head": "head", "UpperArm": "arm", "Hand": "hand", "Foot": "foot"}
        motion = self.figure("a.glb")
        for bone, legs in (("UpperLeg", {"UpperLeg": "leg"}), ("UpperLeg", {"UpperLeg": "leg", "LowerLeg": "shin"}),
                           ("LowerLeg", {"UpperLeg": "thigh", "LowerLeg": "leg"})):
            with self.subTest(legs):
                _, report = self.retarget(self.renamed({**names, **legs}), motion)
                found = {row["bone"]: row["target"] for row in report["map"]}
                self.assertEqual(found["left" + bone], "leg-left")
                self.assertEqual(found["right" + bone], "leg-right")

    def test_legs_without_knees_tell_the_scale(self):
        """The hips have no counterpart: what moves instead is scaled by the distance from the hip joint to the foot."""
        names = {"spine": "torso", "head": "head", "UpperArm": "arm", "Hand": "hand", "UpperLeg": "leg", "Foot": "foot"}
        _, report = self.retarget(self.renamed(names), self.figure("a.glb"))
        self.assertEqual(report["scaleFrom"], "legs")
        self.assertAlmostEqual(report["scale"], 1, places=6)
        ran = self.succeeds("retarget", "-v", self.path("b.glb"), self.path("a.glb"), "-o", self.path("o.glb"))
        self.assertIn("bone leftUpperLeg = leg-left, bone leftFoot = foot-left", ran.err)
        document = Document(self.path("o.glb")).json  # turned as the motion's, such feet would point into the ground
        moved = {document["nodes"][c["target"]["node"]]["name"] for a in document["animations"] for c in a["channels"]}
        self.assertIn("leg-left", moved)
        self.assertNotIn("foot-left", moved)
        self.succeeds("retarget", self.path("b.glb"), self.path("a.glb"), "-o", self.path("mapped.glb"), "--map",
                      self.write("feet.txt", '"bone leftFoot" foot-left\n'))
        document = Document(self.path("mapped.glb")).json
        self.assertIn("foot-left", {document["nodes"][c["target"]["node"]]["name"] for a in document["animations"] for c in a["channels"]})

    def test_how_far_a_character_sinks_is_said(self):
        motion = self.figure("a.glb")
        ran = self.succeeds("retarget", self.figure("b.glb", clip=False), motion, "-o", self.path("o.glb"), "--json")
        depth = json.loads(ran.out)["clips"][0]["depth"]
        self.assertGreater(depth, 0.01)
        self.assertIn(f"up to {depth:.2g} m below the ground, at ", ran.err)

    def test_bones_without_a_counterpart_are_listed_from_the_trunk_outwards(self):
        bones = ["leftLittleDistal", "leftThumbDistal", "rightLowerLeg", "leftLowerLeg", "leftUpperArm", "chest", "hips", "spine", "head"]
        b = Builder()
        for bone in bones:
            b.add("nodes", {"name": bone})
        times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        turns = b.accessor(np.array([[0, 0, 0, 1], quaternion((0, 1, 0), 20)], "<f4"))
        b.add("animations", {"name": "turn", "samplers": [{"input": times, "output": turns}],
                             "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}} for node in range(len(bones))]})
        b.add("scenes", {"nodes": list(range(len(bones)))})
        target = self.renamed({"hips": "hips", "head": "head", "Hand": "hand", "Foot": "foot", "Toes": "toes"})
        ran = self.succeeds("retarget", target, b.save(self.path("m.glb")), "-o", self.path("o.glb"))
        self.assertIn("only 2 of 9 bones", ran.err)
        self.assertIn("without one: spine, chest, leftLowerLeg, leftUpperArm, rightLowerLeg, …; of the target: joint", ran.err)
        with open(self.renamed({"hips": "hips", "head": "head", "Hand": "hand", "Foot": "foot", "Toes": "toes"}, "rigid.gltf")) as file:
            document = json.load(file)
        nodes = document["nodes"]  # now nothing but the head is drawn
        held = next(i for i, node in enumerate(nodes) if "mesh" in node)
        del nodes[held]["skin"], document["skins"]
        for place in [*nodes, *document["scenes"]]:
            for key in ("children", "nodes"):
                if key in place:
                    place[key] = [i for i in place[key] if i != held]
        next(node for node in nodes if node.get("name") == "head").setdefault("children", []).append(held)
        ran = self.succeeds("retarget", self.write("rigid.gltf", json.dumps(document)), self.path("m.glb"), "-o", self.path("o.glb"))
        self.assertIn("2 bones matched", ran.err)
        self.assertNotIn("RETARGET_FEW_BONES", ran.err)

    def test_align(self):
        """Arms that hang at rest in the target: with --align auto they point as those of the motion."""
        target = vrm_builder.vrm1(vrm_builder.figure())
        names = [name for name, _, _ in vrm_builder.BONES]
        for side, sign in (("left", -1), ("right", 1)):
            target.json["nodes"][names.index(side + "UpperArm")]["rotation"] = quaternion((0, 0, 1), sign * 45)
        target = target.save(self.path("b.glb"))
        motion = self.figure("a.glb")
        _, report = self.retarget(target, motion)
        self.assertEqual([row["code"] for row in report["warnings"]], ["RETARGET_REST_DIFFERS"])
        self.assertIn("bone leftUpperArm", report["warnings"][0]["text"])
        path, report = self.retarget(target, motion, "--align", "auto")
        self.assertEqual(report["warnings"], [])
        a, b = Skeleton(motion), Skeleton(path)
        for time in np.linspace(0, 2, 7):
            ways = []
            for skeleton in (a, b):
                now = skeleton.worlds(0, float(time))
                way = now[names.index("leftLowerArm")][:3, 3] - now[names.index("leftUpperArm")][:3, 3]
                ways.append(way / np.linalg.norm(way))
            np.testing.assert_allclose(*ways, atol=1e-5)

    def test_a_motion_that_stores_a_moment_of_a_clip(self):
        """Its nodes lean; the bind pose of its skin does not, and with --align auto that is the rest pose."""
        straight, target = self.figure("a.gltf"), self.figure("b.glb", clip=False)
        with open(straight) as file:
            document = json.load(file)
        names = [name for name, _, _ in vrm_builder.BONES]
        moved = {channel["target"]["node"] for channel in document["animations"][0]["channels"] if channel["target"]["path"] == "rotation"}
        for bone, degrees in (("spine", 12), ("head", 8)):
            self.assertIn(names.index(bone), moved)  # so the clip hides what is stored
            document["nodes"][names.index(bone)]["rotation"] = quaternion((0, 0, 1), degrees)
        leaning = self.write("lean.gltf", json.dumps(document))
        turns = []
        for motion, align, lean in ((straight, "auto", 0), (leaning, "auto", 12), (leaning, "none", 0)):
            path, report = self.retarget(target, motion, "--align", align, out=f"{len(turns)}.glb")
            self.assertAlmostEqual(report["lean"], lean, places=3)
            made = Skeleton(path)
            turns.append([turn_of(world) for time in (0, 0.5, 1.3) for world in made.worlds(0, time)])
        self.assertLess(max(map(angle, turns[0], turns[1])), 1e-4)
        self.assertGreater(max(map(angle, turns[0], turns[2])), 0.15)
        ran = self.succeeds("retarget", target, leaning, "-o", self.path("o.glb"), "--align", "auto")
        self.assertIn("the pose that it stores leans by 12 degrees, so its bind pose is the rest pose", ran.err)

    def test_map_and_errors(self):
        motion, target = self.figure("a.glb"), self.figure("b.glb", clip=False)
        pairs = self.write("pairs.txt", '# swapped\n"bone leftUpperArm" "bone rightUpperArm"\n')
        _, report = self.retarget(target, motion, "--map", pairs)
        self.assertIn({"bone": None, "motion": "bone leftUpperArm", "target": "bone rightUpperArm", "how": "map"}, report["map"])
        bad = self.write("bad.txt", '"bone nobody" "bone hips"\n')
        self.fails(FINDINGS, "retarget", target, motion, "-o", self.path("x.glb"), "--map", bad, says=["bone nobody"])
        self.fails(USAGE, "retarget", target, motion, "-o", self.path("x.glb"), "--map", self.write("one.txt", "hips\n"), says=["line 1"])
        self.fails(USAGE, "retarget", target, motion, "-o", self.path("x.glb"), "--animation", "walk", says=["dance"])
        self.fails(USAGE, "retarget", target, motion, "-o", self.path("x.glb"), "--names", "nobody", says=["mixamo"])
        strange = Builder()
        strange.add("nodes", {"name": "box"})
        times = strange.accessor(np.array([0, 1], "<f4"), bounds=True)
        turns = strange.accessor(np.array([[0, 0, 0, 1], [0, 0, 1, 0]], "<f4"))
        strange.add("animations", {"samplers": [{"input": times, "output": turns}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]})
        self.fails(FINDINGS, "retarget", target, strange.save(self.path("box.gltf")), "-o", self.path("x.glb"), says=["box", "--map"])
        self.assertFalse(os.path.exists(self.path("x.glb")))

    def test_a_pair_of_the_map_is_the_bone_that_one_side_knows(self):
        """A target whose names say nothing: its hips move, and the pairs carry the names of the motion's humanoid."""
        target = vrm_builder.vrm1(vrm_builder.figure())
        names = [name for name, _, _ in vrm_builder.BONES]
        for number in range(len(names)):
            target.json["nodes"][number]["name"] = f"joint_{number}"
        for key in ("extensions", "extensionsUsed"):
            del target.json[key]
        target, motion = target.save(self.path("b.glb")), self.figure("a.glb")
        pairs = self.write("pairs.txt", "".join(f'"bone {name}" joint_{number}\n' for number, name in enumerate(names)))
        path, report = self.retarget(target, motion, "--map", pairs)
        self.assertEqual([row["bone"] for row in report["map"]], names)
        self.assertEqual(report["scaleFrom"], "hips")
        for time in (0.0, 0.7, 2.0):
            np.testing.assert_allclose(self.deform(motion, "--animation", "dance", "--time", str(time)),
                                       self.deform(path, "--animation", "dance", "--time", str(time)), atol=2e-6)

    def test_warnings_are_the_last_lines(self):
        target = vrm_builder.vrm1(vrm_builder.figure())
        upper = [name for name, _, _ in vrm_builder.BONES].index("leftUpperArm")
        target.json["nodes"][upper]["rotation"] = quaternion((0, 0, 1), 45)
        ran = self.succeeds("retarget", target.save(self.path("b.glb")), self.figure("a.glb"), "-o", self.path("o.glb"))
        self.assertIn("--align auto", ran.err.splitlines()[-1])

    def test_everything_else_stays(self):
        motion, target = self.figure("a.glb"), self.figure("b.glb")
        path, report = self.retarget(target, motion)
        before, after = Document(target).json, Document(path).json
        for key in ("nodes", "meshes", "skins", "extensions", "extensionsUsed", "scenes"):
            self.assertEqual(before[key], after[key], key)
        self.assertEqual([clip["name"] for clip in after["animations"]], ["dance", "a_dance"])
        self.assertEqual(after["animations"][0], before["animations"][0])
        self.assertEqual(report["clips"][0]["footSlide"]["left"], 0 if report["clips"][0]["footSlide"]["left"] is not None else None)

    def arm_4d(self, name, scale=1, clip=True):
        """The sample arm of four dimensions, its bones scaled, with a clip that turns them into w and moves the upper one."""
        with open(os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf"), encoding="utf-8") as file:
            arm = json.load(file)
        for node in arm["nodes"]:
            if "position" in node:
                node["position"] = [scale * x for x in node["position"]]
        if clip:
            blob = bytearray(base64.b64decode(arm["buffers"][0]["uri"].split(",")[1]))

            def add(array, size):
                blob.extend(b"\0" * (-len(blob) % 8))
                arm["bufferViews"].append({"byteOffset": len(blob), "byteLength": array.nbytes})
                blob.extend(array.tobytes())
                arm["accessors"].append({"bufferView": len(arm["bufferViews"]) - 1, "componentType": "float32", **({"vectorSize": size} if size > 1 else {})})
                return len(arm["accessors"]) - 1

            times = add(np.array([0, 1, 2], "<f4"), 1)
            turn = lambda plane, degrees: [float(np.cos(np.radians(degrees) / 2))] + [float(np.sin(np.radians(degrees) / 2)) if i == plane else 0 for i in range(6)] + [0]
            upper = add(np.array([turn(0, -90), turn(2, 60), turn(4, -50)], "<f4"), 8)
            lower = add(np.array([turn(5, 0), turn(3, 80), turn(1, 45)], "<f4"), 8)
            moved = add(np.array([[0, 0, 0, 0], [0.1, 0.2, 0.3, 0.4], [0, -0.2, 0, 0.1]], "<f4"), 4)
            tracks = [{"node": 2, "path": "rotor", "times": times, "values": upper}, {"node": 3, "path": "rotor", "times": times, "values": lower},
                      {"node": 2, "path": "position", "times": times, "values": moved}]
            arm["extensions"] = {"SINEW_animation": {"clips": [{"name": "wave", "tracks": tracks}]}}
            arm["asset"]["extensionsUsed"] = ["SINEW_animation"]
            arm["buffers"] = [{"byteLength": len(blob), "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode()}]
        return self.write(name, arm)

    def test_four_dimensions(self):
        motion = self.arm_4d("motion.g4tf")
        path, report = self.retarget(self.arm_4d("same.g4tf", clip=False), motion, out="out.g4tf")
        self.assertEqual(report["scaleFrom"], "diagonals")
        self.assertAlmostEqual(report["scale"], 1)
        for time in np.linspace(0, 2, 9):
            np.testing.assert_allclose(self.deform(motion, "--animation", "wave", "--time", str(time)),
                                       self.deform(path, "--animation", "wave", "--time", str(time)), atol=2e-6)
        path, report = self.retarget(self.arm_4d("double.g4tf", scale=2, clip=False), motion, out="out.g4tf")
        self.assertAlmostEqual(report["scale"], 2, delta=1e-6)
        with open(path, encoding="utf-8") as file:
            made = json.load(file)
        self.assertEqual(len(made["extensions"]["SINEW_animation"]["clips"][0]["tracks"]), 3)

    def test_report_page(self):
        motion, target = self.figure("a.glb"), self.figure("b.glb", clip=False)
        self.succeeds("retarget", target, motion, "-o", self.path("o.glb"), "--report", self.path("r.html"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertGreater(page.count("<line "), 40)
        self.assertIn("bone leftUpperArm", page)

    def test_expressions(self):
        b = vrm_builder.vrm1(vrm_builder.figure(), {"preset": {"happy": {"morphTargetBinds": [{"node": len(vrm_builder.BONES), "index": 2, "weight": 0.5}]}}})
        target = b.save(self.path("b.glb"))
        motion = Builder()
        motion.add("nodes", {"name": "face"})
        motion.add("nodes", {"name": "bone hips", "translation": [0, 1, 0]})
        times = motion.accessor(np.array([0, 1, 2], "<f4"), bounds=True)
        amounts = motion.accessor(np.array([[0, 0, 0], [2, 0, 0], [0.5, 0, 0]], "<f4"))
        motion.add("animations", {"name": "smile", "samplers": [{"input": times, "output": amounts}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]})
        motion.json["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 1}}},
                                                            "expressions": {"preset": {"happy": {"node": 0}}, "custom": {"wink": {"node": 0}}}}}
        motion.json["extensionsUsed"] = ["VRMC_vrm_animation"]
        path, report = self.retarget(target, motion.save(self.path("m.glb")))
        self.assertEqual(report["lostExpressions"], ["wink"])
        for time, amount in ((0, 0), (0.25, 0.5), (0.5, 1), (1, 1), (2, 0.5)):
            np.testing.assert_allclose(self.deform(path, "--animation", "smile", "--time", str(time)), self.deform(path, "--expression", f"happy={amount}"), atol=1e-6)


if __name__ == "__main__":
    main()
