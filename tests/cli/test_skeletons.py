# SPDX-License-Identifier: MIT
"""sinew convert --skeletons: other skeletons, the same vertices, and no new finding."""
import json
import os
import struct
import sys


from program import UNSUPPORTED, USAGE, ProgramTest, corpus_models, in_parallel, main, samples, sinew

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import tutorial_skin
from random_rigs import RandomRig


def json_of(path):
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".gltf"):
        return json.loads(data)
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def errors(path):
    """Codes and pointers of the errors that are found in a file."""
    report = json.loads(sinew("validate", path, "--format", "json").out)
    return {(issue["code"], issue.get("pointer")) for issue in report["issues"]["messages"] if issue["severity"] == 0}


def unused(path):
    """Pointers of what validate calls unused in a file."""
    report = json.loads(sinew("validate", path, "--format", "json").out)
    return [issue["pointer"] for issue in report["issues"]["messages"] if issue["code"] == "UNUSED_OBJECT"]


class Skeletons(ProgramTest):
    def convert(self, source, how, target):
        out = self.path(target)
        return self.succeeds("convert", source, out, "--skeletons", how), out

    def test_strict_says_what_joints_are(self):
        _, out = self.convert(tutorial_skin().save(self.path("skin.gltf")), "strict", "strict.gltf")
        document = json_of(out)
        self.assertEqual(document["extensionsUsed"], ["STAIK_skeletons"])
        skeletons = document["extensions"]["STAIK_skeletons"]["skeletons"]
        self.assertEqual([(s["root"], s["joints"]) for s in skeletons], [(1, [1, 2])])
        self.assertEqual(skeletons[0]["inverseBindMatrices"], document["skins"][0]["inverseBindMatrices"])
        self.assertEqual(document["skins"][0]["skeleton"], 1)
        self.assertEqual(document["skins"][0]["extensions"], {"STAIK_skeletons": {"skeleton_owner": 0}})
        for node, skeleton in enumerate([None, 0, 0]):
            mark = document["nodes"][node].get("extensions", {}).get("STAIK_skeletons", {}).get("skeleton")
            self.assertEqual(mark, skeleton)

    def test_matrices_that_a_skeleton_may_not_have_are_not_shared(self):
        built = tutorial_skin()
        view = built.json["bufferViews"][built.json["accessors"][built.json["skins"][0]["inverseBindMatrices"]]["bufferView"]]
        struct.pack_into("<f", built.blob, view.get("byteOffset", 0) + 12, 0.5)  # in the fourth row, where a skin's reader looks away
        source = built.save(self.path("skin.gltf"))
        _, out = self.convert(source, "strict", "strict.gltf")
        self.assertEqual(errors(out) - errors(source), set())

    def test_what_strict_writes_is_used(self):
        source = tutorial_skin().save(self.path("skin.gltf"))
        self.assertEqual(unused(source), [])
        for how in ("strict", "plain", "bone"):
            _, out = self.convert(source, how, f"{how}.gltf")
            self.assertEqual(unused(out), [], how)
        # The matrices of a skeleton that no skin shares are used, too.
        _, out = self.convert(source, "strict", "strict.gltf")
        alone = json_of(out)
        del alone["skins"][0]["inverseBindMatrices"]
        self.assertEqual(unused(self.write("alone.gltf", json.dumps(alone))), [])
        del alone["extensions"]["STAIK_skeletons"]["skeletons"][0]["inverseBindMatrices"]
        self.assertNotEqual(unused(self.write("none.gltf", json.dumps(alone))), [])

    def test_plain_takes_all_of_it_away(self):
        _, strict = self.convert(tutorial_skin().save(self.path("skin.gltf")), "strict", "strict.gltf")
        _, plain = self.convert(strict, "plain", "plain.gltf")
        self.assertNotIn("STAIK", json.dumps(json_of(plain)))
        self.assertNotIn("extensions", json_of(plain))

    def test_a_root_that_has_to_be_put_in_is_named(self):
        built = tutorial_skin(clip=False)
        nodes = built.json["nodes"]
        nodes.append({"name": "Other"})
        del nodes[1]["children"]
        nodes[0]["children"] = [1, 3]
        built.json["skins"][0]["joints"] = [1, 3]
        built.json["scenes"][0]["nodes"] = [0, 2]
        ran, out = self.convert(built.save(self.path("two.gltf")), "strict", "strict.gltf")
        self.assertIn('a new node 4 "Body_root" above its 2 topmost joints becomes its root joint', ran.err)
        self.assertIn("another attachment", ran.err)
        self.assertEqual(json_of(out)["nodes"][0]["children"], [4])
        self.assertEqual(json_of(out)["nodes"][4]["children"], [1, 3])

    def test_joints_in_several_trees_are_refused_and_nothing_is_written(self):
        built = tutorial_skin(clip=False)
        built.json["nodes"] += [{"children": [1]}, {"children": [5]}, {}]
        built.json["skins"][0]["joints"] = [2, 5]
        built.json["scenes"][0]["nodes"] = [0, 3, 4]
        out = self.path("no.gltf")
        self.fails(UNSUPPORTED, "convert", built.save(self.path("trees.gltf")), out, "--skeletons", "strict", says="one tree")
        self.assertFalse(os.path.exists(out))

    def test_info_tells_what_joints_belong_together(self):
        source = tutorial_skin().save(self.path("skin.gltf"))
        derived = self.succeeds("info", "--skeletons", source).out
        self.assertEqual(derived, '0  from skin 0\n     2 joints: node 1 "Lower", node 2 "Upper"\n     root: node 1 "Lower"\n')
        _, strict = self.convert(source, "strict", "strict.gltf")
        self.assertIn("0  skeleton 0 of the file, used by skin 0\n", self.succeeds("info", "--skeletons", strict).out)
        told = json.loads(self.succeeds("info", "--skeletons", "--json", strict).out)
        expected = {"skeleton": 0, "skins": [0], "joints": [1, 2], "named": 2, "root": 1, "notes": [], "obstacle": None}
        self.assertEqual(told, [expected])
        nothing = os.path.join(os.path.dirname(samples()[0][1]), "morph_cube.gltf")
        self.assertIn("No skeletons", self.succeeds("info", "--skeletons", nothing).out)

    def test_a_file_without_skins_is_copied(self):
        source = os.path.join(os.path.dirname(samples()[0][1]), "morph_cube.gltf")
        _, out = self.convert(source, "strict", "morph_cube.gltf")
        self.assertEqual(json_of(out), json_of(source) | {"buffers": json_of(out)["buffers"]})

    def test_g4mf_has_no_other(self):
        built = G4mfBuilder(3, "2026-01")
        built.node(name="Root")
        self.fails(USAGE, "convert", built.save(self.path("a.g4tf")), self.path("b.g4tf"), "--skeletons", "strict", says="G4MF")

    def test_bone_follows_khr_skeleton_bone(self):
        built = tutorial_skin()
        built.json["nodes"][2]["children"] = [3]
        built.json["nodes"].append({"name": "Upper_end", "translation": [0, 1, 0]})
        source = built.save(self.path("skin.gltf"))
        ran, out = self.convert(source, "bone", "bone.gltf")
        self.assertIn('a new node 4 "skeleton_root" above the bones becomes the root of their skeleton', ran.err)
        document = json_of(out)
        self.assertEqual(document["skins"][0]["skeleton"], 4)
        self.assertEqual(document["nodes"][4]["children"], [1, 0])
        marks = [node.get("extensions", {}).get("KHR_skeleton_bone") for node in document["nodes"]]
        self.assertEqual(marks, [None, {}, {"length": 1}, None, None])
        self.succeeds("validate", "--profile", "skeleton-bone", "--fail-on", "warning", out)
        _, plain = self.convert(out, "plain", "plain.gltf")
        self.assertNotIn("KHR_skeleton_bone", json.dumps(json_of(plain)))

    def check_bones(self, models, tolerance):
        def run(case):
            number, (name, source) = case
            out = self.path(f"{number}b.glb")
            made = sinew("convert", source, out, "--skeletons", "bone", "-q")
            if made.status == UNSUPPORTED:
                return name, None, made.err
            rules = sinew("validate", out, "--profile", "skeleton-bone", "--format", "json")
            broken = [i["message"] for i in json.loads(rules.out)["modelIssues"]["messages"]
                      if i["code"].startswith("SINEW_SKELETON_") and i["severity"] < 2]
            compared = sinew("compare", source, out, "--tolerance", tolerance)
            # A mesh with a node of its own is drawn last: then the instances cannot be paired by their places.
            moved = len(json_of(out)["nodes"]) != len(json_of(source)["nodes"])
            return name, made.status, broken, errors(out) - errors(source), moved or compared.status == 0, str(compared)

        refused = 0
        for name, status, *rest in in_parallel(run, list(enumerate(models))):
            with self.subTest(model=name):
                refused += status is None
                if status is None:
                    self.assertIn("SINEW_EDIT_REFUSED", rest[0])
                else:
                    self.assertEqual((status, *rest[:3]), (0, [], set(), True), rest)
        print(f"{self.id().rsplit('.', 1)[1]}: {len(models)} models, {refused} refused", file=sys.stderr)
        return refused

    def test_bones_of_random_rigs(self):
        rigs = [(seed, RandomRig(seed).save(self.folder, f"rig{seed}")) for seed in range(40)]
        self.assertLess(self.check_bones(rigs, 1e-6), 30)

    def test_bones_of_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.assertEqual(self.check_bones(models, 0), 0)

    def check(self, models, tolerance):
        """Strict, then plain: the vertices of both are those of the input, at rest and in all animations."""

        def run(case):
            number, (name, source) = case
            strict, plain = self.path(f"{number}s.glb"), self.path(f"{number}p.glb")
            first = sinew("convert", source, strict, "--skeletons", "strict", "-q")
            if first.status == UNSUPPORTED:
                return name, "refused", first.err
            second = sinew("convert", strict, plain, "--skeletons", "plain", "-q")
            compared = [sinew("compare", source, other, "--tolerance", tolerance) for other in (strict, plain)]
            worse = [errors(other) - errors(source) for other in (strict, plain)]
            return name, [first.status, second.status, *(one.status for one in compared)], worse, [str(one) for one in compared]

        refused = 0
        for name, result, *rest in in_parallel(run, list(enumerate(models))):
            with self.subTest(model=name):
                refused += result == "refused"
                if result == "refused":
                    self.assertIn("SINEW_EDIT_REFUSED", rest[0])
                    continue
                self.assertEqual(result, [0, 0, 0, 0], rest)
                self.assertEqual(rest[0], [set(), set()])
        print(f"{self.id().rsplit('.', 1)[1]}: {len(models)} models, {refused} refused", file=sys.stderr)
        return refused

    def test_samples(self):
        self.assertEqual(self.check(samples(), 0), 0)

    def test_random_rigs(self):
        rigs = [(seed, RandomRig(seed).save(self.folder, f"rig{seed}")) for seed in range(40)]
        self.assertLess(self.check(rigs, 1e-6), 20)  # what was bound by the stored pose is rounded to single precision

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.assertEqual(self.check(models, 0), 0)


if __name__ == "__main__":
    main()
