# SPDX-License-Identifier: MIT
"""sinew merge succeeds only if something happens: bones follow, and requested clips move something of the new file."""
import json
import os

import numpy as np

from program import DONE, FINDINGS, ROOT, UNSUPPORTED, ProgramTest, main, sinew

from gltf_builder import Builder, morphed_quad, tutorial_skin

CASES = os.path.join(ROOT, "tests", "cases")


def case(*names):
    return os.path.join(CASES, *names)


def turned(degrees, axis=2):
    half = np.radians(degrees) / 2
    return [*(np.sin(half) * np.eye(3)[axis]).tolist(), float(np.cos(half))]


class Effect(ProgramTest):
    def refused(self, *arguments, says=(), status=FINDINGS):
        out = self.path("refused.glb")
        ran = self.fails(status, "merge", *arguments, "-o", out, says=says)
        self.assertFalse(os.path.exists(out), str(ran))
        return ran

    def merged(self, *arguments, name="out.glb"):
        out = self.path(name)
        return out, self.succeeds("merge", *arguments, "-o", out)

    def moves(self, path, clip=0):
        return np.abs(self.deform(path, "--animation", clip, "--time", "0.5") - self.deform(path)).max() > 1e-3

    def clip(self, *nodes, path="rotation", **extra):
        """A file without meshes: one clip that moves nodes of these names, each below the one before it."""
        b = Builder()
        for i, name in enumerate(nodes):
            b.add("nodes", {"name": name, "translation": [0, 1 if i == 0 else 0.5, 0], **({"children": [i + 1]} if i + 1 < len(nodes) else {}), **extra})
        b.add("scenes", {"nodes": [0]})
        times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        values = b.accessor(np.array([[0, 0, 0, 1], turned(60)], "<f4"))
        b.add("animations", {"name": "Dance", "samplers": [{"input": times, "output": values}],
                             "channels": [{"sampler": 0, "target": {"node": i, "path": path}} for i in range(len(nodes))]})
        return b


class ClipsWithoutMeshes(Effect):
    def test_nobody_follows(self):
        body, dance = case("merge-clip-nobody-follows", "body.gltf"), case("merge-clip-nobody-follows", "dance.gltf")
        names = self.write("names.txt", "Bone1 Nobody\n")
        for options in ((), ("--names", "auto"), ("--names", "mixamo"), ("--rename", "Bone1=Nobody"), ("--names", names)):
            self.refused(body, dance, "--animation", "all", *options, says="SINEW_MERGE_NO_MATCH")
        self.refused(body, dance, "--animation", "Dance", says=["SINEW_MERGE_NO_MATCH", "Bone1", "Hips"])

    def test_names_and_renames_apply(self):
        body, dance = case("merge-clip-names", "body.gltf"), case("merge-clip-names", "dance.gltf")
        with open(dance, encoding="utf-8") as file:
            document = json.load(file)
        for node in document["nodes"]:
            node["name"] = node["name"].removeprefix("mixamorig:")
        right, _ = self.merged(body, self.write("right.gltf", document), "--animation", "all", name="right.glb")
        self.assertTrue(self.moves(right))
        names = self.write("names.txt", "mixamorig:Hips Hips\nmixamorig:Spine Spine\n")
        renames = ("--rename", "mixamorig:Hips=Hips", "--rename", "mixamorig:Spine=Spine")
        for options in (("--names", "auto"), ("--names", "mixamo"), ("--names", names), renames):
            out, ran = self.merged(body, dance, "--animation", "all", *options)
            self.assertIn("2 of 2 bones", ran.err)
            self.assertNotIn("no bones", ran.err)
            self.assertNotIn("meshes", ran.err)
            for time in (0.25, 0.5, 1):
                np.testing.assert_allclose(self.deform(out, "--animation", 0, "--time", time), self.deform(right, "--animation", 0, "--time", time), rtol=0, atol=1e-6)
        self.refused(body, dance, "--animation", "all", says=["SINEW_MERGE_NO_MATCH", "--names auto matches 2 of 2"])

    def test_cameras_and_lights_count(self):
        body = case("merge-clip-names", "body.gltf")
        camera = self.clip("Eye")
        camera.add("cameras", {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}})
        camera.json["nodes"][0]["camera"] = 0
        self.merged(body, camera.save(self.path("camera.gltf")), "--animation", "all")
        light = self.clip("Crane", "Lamp")
        light.json["extensionsUsed"] = ["KHR_lights_punctual"]
        light.json["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}
        light.json["nodes"][1]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        self.merged(body, light.save(self.path("light.gltf")), "--animation", "all")

    def test_shapes_and_props_count(self):
        body = case("merge-clip-names", "body.gltf")
        out, _ = self.merged(body, morphed_quad().save(self.path("face.gltf")), "--animation", "all")
        self.assertTrue(self.moves(out))
        prop = self.clip("Handle")
        points = prop.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), bounds=True, target=34962)
        prop.add("meshes", {"primitives": [{"attributes": {"POSITION": points}}]})
        prop.json["nodes"][0]["children"] = [prop.add("nodes", {"name": "Prop", "mesh": 0})]
        out, _ = self.merged(body, prop.save(self.path("prop.gltf")), "--animation", "all")
        self.assertTrue(self.moves(out))

    def test_one_idle_clip_of_several(self):
        body = case("merge-clip-names", "body.gltf")
        b = self.clip("Hips", "Spine")
        idle = b.add("nodes", {"name": "Marker"})
        b.json["scenes"][0]["nodes"].append(idle)
        b.add("animations", {"name": "Idle", "samplers": b.json["animations"][0]["samplers"],
                             "channels": [{"sampler": 0, "target": {"node": idle, "path": "rotation"}}]})
        source = b.save(self.path("clips.gltf"))
        out, _ = self.merged(body, source, "--animation", "Dance")
        self.assertTrue(self.moves(out))
        self.refused(body, source, "--animation", "Idle", says=["SINEW_MERGE_NO_MATCH", "Marker"])
        for options in ((), ("--names", "auto")):
            self.refused(body, source, "--animation", "all", *options, says=["SINEW_MERGE_CLIP_MOVES_NOTHING", "Idle"])

    def test_a_clip_that_cannot_be_read(self):
        b = self.clip("Hips", "Spine")
        b.json["animations"][0]["channels"][0]["target"]["node"] = 99
        self.assertNotEqual(sinew("merge", case("merge-clip-names", "body.gltf"), b.save(self.path("in.gltf")), "-o", self.path("o.glb"), "--animation", "all").status, DONE)
        self.assertFalse(os.path.exists(self.path("o.glb")))

    def test_several_files(self):
        """A file whose clip has no effect refuses the whole merge."""
        body, dance = case("merge-clip-names", "body.gltf"), case("merge-clip-names", "dance.gltf")
        other = self.clip("Nobody").save(self.path("other.gltf"))
        self.refused(body, dance, other, "--animation", "all", "--names", "auto", says="SINEW_MERGE_NO_MATCH")


class SkinnedParts(Effect):
    def test_a_part_that_follows_nothing(self):
        """Two skinned meshes: the bones of one match, no bone of the other follows the body."""
        body = tutorial_skin(clip=False).save(self.path("body.gltf"))
        b = tutorial_skin(clip=False)
        stray = b.add("nodes", {"name": "Stray"})
        b.add("skins", {"joints": [stray]})
        b.add("nodes", {"name": "Ghost", "mesh": 0, "skin": 1})
        b.json["meshes"].append(json.loads(json.dumps(b.json["meshes"][0])))
        joints = b.accessor(np.zeros((10, 4), "u1"), target=34962)
        b.json["meshes"][1]["primitives"][0]["attributes"]["JOINTS_0"] = joints
        b.json["nodes"][-1]["mesh"] = 1
        b.json["scenes"][0]["nodes"] += [stray, stray + 1]
        clothes = b.save(self.path("clothes.gltf"))
        for options in ((), ("--names", "auto")):
            self.refused(body, clothes, *options, says=["SINEW_MERGE_NO_MATCH", "Stray"])
        self.merged(body, clothes, "--keep-separate", "Stray")
        b.json["nodes"][2].setdefault("children", []).append(stray)  # below a bone that matches: it follows
        b.json["scenes"][0]["nodes"].remove(stray)
        self.merged(body, b.save(self.path("below.gltf")))


class RestPoses(Effect):
    def test_bones_are_named_with_their_angles(self):
        body = tutorial_skin(clip=False).save(self.path("body.gltf"))
        ran = self.merged(body, tutorial_skin(turned(30), clip=False).save(self.path("in.gltf")))[1]
        [line] = [line for line in ran.err.splitlines() if "rest poses differ" in line]
        self.assertIn('"Upper" by 30.0°', line)
        self.assertNotIn("Lower", line)

    def test_equal_rest_poses_are_silent(self):
        body = tutorial_skin(clip=False).save(self.path("body.gltf"))
        same = tutorial_skin([0, 0, -1e-4, -1], clip=False)
        same.json["nodes"][1]["scale"] = [1.001, 1.001, 1.001]
        self.assertNotIn("rest pose", self.merged(body, same.save(self.path("in.gltf")))[1].err)


class Untold(Effect):
    def test_pointers(self):
        body, coat = case("merge-pointers", "body.gltf"), case("merge-pointers", "coat.gltf")
        before = [self.pointed(body), self.pointed(coat)]
        self.assertEqual([len(set(reached)) for reached in before], [6, 6])
        out, ran = self.merged(body, coat, "--animation", "all", name="all.gltf")
        self.assertEqual(self.pointed(out), before[0] + before[1])
        self.assertNotIn("SINEW_EDIT_STALE", ran.err)
        for edit in (("repair", "--prune-unused"), ("optimize", "--max-error", "0")):
            edited = self.path("edited.gltf")
            self.succeeds(edit[0], out, "-o", edited, *edit[1:])
            self.assertEqual(self.pointed(edited), before[0] + before[1])
        out, _ = self.merged(body, coat, name="plain.gltf")
        self.assertEqual(self.pointed(out), before[0])

    def test_what_a_pointer_moves_is_left_out(self):
        """A node of the coat that stands below nothing that is taken over."""
        coat = self.json_of(case("merge-pointers", "coat.gltf"))
        channel = coat["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"]
        coat["scenes"].append({"nodes": []})
        channel["pointer"] = "/scenes/1/extras"
        out, ran = self.merged(case("merge-pointers", "body.gltf"), self.write("coat.gltf", coat), "--animation", "all", name="less.gltf")
        self.assertIn("what the channel animates is not taken over", ran.err)
        self.assertEqual(len(self.pointed(out)), 11)

    def json_of(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def pointed(self, path):
        """The names of what the channels with pointers animate, and how."""
        document = self.json_of(path)
        found = []
        for clip in document["animations"]:
            for channel in clip["channels"]:
                steps = channel["target"].get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer", "").split("/")[1:]
                if not steps:
                    continue
                first = 3 if steps[0] == "extensions" else 1
                owner = document["extensions"][steps[1]] if first == 3 else document
                found.append((owner[steps[first - 1]][int(steps[first])]["name"], "/".join(steps[first + 1:])))
        return found

    def test_expressions(self):
        hair = case("merge-join-expressions", "hair.glb")
        for body in ("body_vrm0.vrm", "body_vrm1.vrm"):
            path = case("merge-join-expressions", body)
            self.refused(path, hair, "--join", says="expressions", status=UNSUPPORTED)
            self.merged(path, hair, name="apart.glb")


if __name__ == "__main__":
    main()
