# SPDX-License-Identifier: MIT
"""Expressions, constraints and the other content of avatars: VRM 0.x, VRM 1.0, VRM Animation, KHR_character."""
import json

import numpy as np

from program import FINDINGS, USAGE, ProgramTest, main, sinew

import vrm_builder
from gltf_oracle import Document
from test_vrm_to_1 import rich

MESH = len(vrm_builder.BONES)


def bind(index, weight=1.0):
    return {"node": MESH, "index": index, "weight": weight}


def faces():
    return {
        "preset": {
            "happy": {"morphTargetBinds": [bind(0), bind(1, 0.5)], "overrideBlink": "block"},
            "blink": {"morphTargetBinds": [bind(2)]},
            "aa": {"morphTargetBinds": [bind(3)], "isBinary": True},
            "sad": {"morphTargetBinds": [bind(1)], "overrideMouth": "blend"},
        },
        "custom": {"Wink hard": {"morphTargetBinds": [bind(2, 0.25)]}},
    }


def vrm0(b, twice=False):
    """Adds VRM 0.x with names and numbers as that version has them; `twice`: another node shows the mesh."""
    if twice:
        b.add("nodes", {"mesh": 0, "translation": [2, 0, 0]})
        b.json["scenes"][0]["nodes"].append(MESH + 1)
    group = lambda name, preset, *binds: {"name": name, "presetName": preset, "binds": [{"mesh": 0, "index": i, "weight": w} for i, w in binds]}
    b.json["extensions"] = {"VRM": {
        "specVersion": "0.0",
        "meta": {"title": "old figure", "author": "the tests", "licenseName": "CC0"},
        "humanoid": {"humanBones": [{"bone": name, "node": i} for i, (name, _, _) in enumerate(vrm_builder.BONES)] +
                                   [{"bone": "leftThumbProximal", "node": 7}, {"bone": "leftThumbIntermediate", "node": 6}, {"bone": "jaw", "node": -1}]},
        "blendShapeMaster": {"blendShapeGroups": [group("Joy", "joy", (0, 100), (1, 50)), group("A", "a", (3, 100)),
                                                  group("Surprised", "unknown", (2, 40)), group("blink", "Unknown", (2, 100))]},
        "secondaryAnimation": {"boneGroups": [{"comment": "hair", "bones": [4], "center": -1, "colliderGroups": [0]}],
                               "colliderGroups": [{"node": 3, "colliders": [{"offset": {}, "radius": 0.1}]}]},
        "firstPerson": {"meshAnnotations": [{"mesh": 0, "firstPersonFlag": "ThirdPersonOnly"}]},
    }}
    b.json["extensionsUsed"] = ["VRM"]
    return b


class Expressions(ProgramTest):
    def amounts(self, model, *options):
        """The amounts of the mesh's blend shapes, from the moved vertices."""
        b = vrm_builder.figure()
        plain = self.deform(model)
        moved = self.deform(model, *options) - plain
        shapes = []
        for target in b.json["meshes"][0]["primitives"][0]["targets"]:
            accessor = b.json["accessors"][target["POSITION"]]
            view = b.json["bufferViews"][accessor["bufferView"]]
            shapes.append(np.frombuffer(bytes(b.blob), "<f4", accessor["count"] * 3, view["byteOffset"]))
        found, *_ = np.linalg.lstsq(np.array(shapes).T.astype(float), moved[: len(shapes[0]) // 3].reshape(-1).astype(float), rcond=None)
        return [round(float(x), 4) for x in found]

    def model(self):
        return vrm_builder.vrm1(vrm_builder.figure(), faces()).save(self.path("figure.vrm.glb"))

    def test_amounts(self):
        model = self.model()
        on = lambda *texts: self.amounts(model, *[word for text in texts for word in ("--expression", text)])
        self.assertEqual(on("happy=1"), [1, 0.5, 0, 0])
        self.assertEqual(on("happy=0.5"), [0.5, 0.25, 0, 0])
        self.assertEqual(on("blink=1"), [0, 0, 1, 0])
        self.assertEqual(on("blink=1", "happy=0.1"), [0.1, 0.05, 0, 0], "happy blocks it")
        self.assertEqual(on("aa=0.5"), [0, 0, 0, 0], "binary: not above a half")
        self.assertEqual(on("aa=0.51"), [0, 0, 0, 1])
        self.assertEqual(on("aa=1", "sad=0.3"), [0, 0.3, 0, 0], "a binary one that is turned down is off")
        self.assertEqual(on("Wink hard=1", "happy=1"), [1, 0.5, 0.25, 0], "only presets are of a kind")
        self.assertEqual(on("happy=1", "happy=0.25"), [0.25, 0.125, 0, 0], "the last one counts")
        self.assertEqual(on("0=1"), on("happy=1"), "by index")

    def test_blend_comes_after(self):
        self.assertEqual(self.amounts(self.model(), "--blend", "shape 1=0.75", "--expression", "happy=1"), [1, 0.75, 0, 0])

    def test_vrm0(self):
        model = vrm0(vrm_builder.figure()).save(self.path("old.glb"))
        for text in ("Joy=1", "happy=1"):
            self.assertEqual(self.amounts(model, "--expression", text), [1, 0.5, 0, 0])
        self.assertEqual(self.amounts(model, "--expression", "Surprised=1"), [0, 0, 0.4, 0])
        two = vrm0(vrm_builder.figure(), twice=True).save(self.path("two.glb"))
        moved = self.deform(two, "--expression", "A=1") - self.deform(two)
        half = len(moved) // 2
        np.testing.assert_allclose(moved[:half], moved[half:], atol=1e-6)
        self.assertGreater(np.abs(moved[half:]).max(), 0.01)

    def test_khr_character_shows_a_clip(self):
        b = vrm_builder.figure()
        times = b.accessor(np.array([0, 2], "<f4"), bounds=True)
        turned = b.accessor(np.array([[0, 0, 0, 1], [0, 0, 1, 0]], "<f4"))
        b.add("animations", {"name": "nod", "samplers": [{"input": times, "output": turned}],
                             "channels": [{"sampler": 0, "target": {"node": 4, "path": "rotation"}}]})
        b.json["extensions"] = {"KHR_character": {"rootNode": 0},
                                "KHR_character_expression": {"expressions": [{"expression": "Nod", "animation": 0}]}}
        b.json["extensionsUsed"] = ["KHR_character", "KHR_character_expression"]
        model = b.save(self.path("character.glb"))
        np.testing.assert_array_equal(self.deform(model, "--expression", "Nod=0.25"), self.deform(model, "--animation", "nod", "--time", "0.5"))

    def test_bad_input(self):
        model = self.model()
        self.fails(USAGE, "deform", model, "--expression", "hapy=1", "-o", self.path("x.npy"), says=["hapy", "happy"])
        self.fails(USAGE, "deform", model, "--expression", "happy=2", "-o", self.path("x.npy"), says=["0 to 1"])
        self.fails(USAGE, "deform", model, "--expression", "happy", "-o", self.path("x.npy"), says=["EXPRESSION=AMOUNT"])
        plain = vrm_builder.figure().save(self.path("plain.glb"))
        self.fails(USAGE, "bounds", plain, "--expression", "happy=1", says=["no expressions"])

    def test_bounds_and_bake(self):
        model = self.model()
        moved = self.deform(model, "--expression", "happy=1")
        box = json.loads(self.succeeds("bounds", model, "--expression", "happy=1", "--json").out)["all"]
        self.assertTrue((moved >= np.array(box["min"])).all() and (moved <= np.array(box["max"])).all())
        plain = json.loads(self.succeeds("bounds", model, "--json").out)["all"]
        self.assertNotEqual(plain, box)
        self.fails(USAGE, "bounds", model, "--expression", "happy=1", "-o", self.path("boxes.glb"), says=["--expression"])

    def test_what_is_broken_is_left_out(self):
        expressions = {"preset": {"happy": {"morphTargetBinds": [bind(99), {"node": 999, "index": 0, "weight": 1}, {"node": 0, "index": 0, "weight": 1}, bind(0)]}}}
        model = vrm_builder.vrm1(vrm_builder.figure(), expressions).save(self.path("broken.glb"))
        self.assertEqual(self.amounts(model, "--expression", "happy=1"), [1, 0, 0, 0])


class Constraints(ProgramTest):
    def animated(self):
        b = vrm_builder.vrm1(vrm_builder.figure())
        times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        half_turn = b.accessor(np.array([[0, 0, 0, 1], [0, 0, 1, 0]], "<f4"))
        left, right = 8, 14  # the upper arms
        b.add("animations", {"name": "wave", "samplers": [{"input": times, "output": half_turn}],
                             "channels": [{"sampler": 0, "target": {"node": left, "path": "rotation"}}]})
        vrm_builder.constrain(b, right, left, "rotation", None, 1)
        return b.save(self.path("waving.glb"))

    def test_clips_and_poses(self):
        model = self.animated()
        pose = self.write("pose.json", {"nodes": {"8": {"rotation": [0, 0, 0.6, 0.8]}, "14": {"rotation": [0, 0, 0.6, 0.8]}}})
        half = self.write("half.json", {"nodes": {"8": {"rotation": [0, 0, 0.6, 0.8]}}})
        np.testing.assert_array_equal(self.deform(model, "--pose", half), self.deform(model, "--pose", pose, "--constraints", "off"))
        self.assertGreater(np.abs(self.deform(model, "--animation", "wave", "--time", "0.5") -
                                  self.deform(model, "--animation", "wave", "--time", "0.5", "--constraints", "off")).max(), 0.1)

    def test_bounds_look_at_them(self):
        model = self.animated()
        told = json.loads(self.succeeds("bounds", model, "--json").out)
        box = told["clips"][0]["box"]
        for time in np.linspace(0, 1, 41):
            moved = self.deform(model, "--animation", "wave", "--time", str(time))
            self.assertTrue((moved >= np.array(box["min"]) - 1e-3).all() and (moved <= np.array(box["max"]) + 1e-3).all())
        said = lambda bounds: [row["what"] for row in bounds["notCovered"] if "VRMC_node_constraint" in row["what"]]
        self.assertIn("sampled", said(told)[0])
        off = json.loads(self.succeeds("bounds", model, "--json", "--constraints", "off").out)
        self.assertNotEqual(off["clips"][0]["box"], box)
        self.assertIn("not evaluated", said(off)[0])

    def test_a_cycle_has_no_effect_and_no_end(self):
        b = vrm_builder.vrm1(vrm_builder.figure())
        vrm_builder.constrain(b, 8, 14, "rotation", None, 1)
        vrm_builder.constrain(b, 14, 8, "aim", "PositiveX", 1)
        model = b.save(self.path("cycle.glb"))
        self.assertTrue(np.isfinite(self.deform(model)).all())


class Info(ProgramTest):
    def avatar(self, model):
        return json.loads(self.succeeds("info", model, "--json").out)["avatar"]

    def test_vrm0(self):
        told = self.avatar(vrm0(vrm_builder.figure(), twice=True).save(self.path("old.glb")))
        self.assertEqual((told["format"], told["title"], told["authors"], told["license"]), ("VRM 0.x", "old figure", ["the tests"], "CC0"))
        bones = {row["bone"]: row["node"] for row in told["humanBones"]}
        self.assertEqual(bones["leftThumbMetacarpal"], 7)
        self.assertEqual(bones["leftThumbProximal"], 6)
        self.assertNotIn("jaw", bones)
        self.assertEqual([(e["name"], e["stored"], e["preset"]) for e in told["expressions"]],
                         [("happy", "Joy", True), ("aa", "A", True), ("Surprised", "Surprised", False), ("blink", "blink", True)])
        self.assertEqual(told["expressions"][0]["binds"][:2], [{"node": n, "blendShape": 0, "weight": 1} for n in (MESH, MESH + 1)])
        self.assertEqual(told["springs"], [{"name": "hair", "nodes": [4]}])
        self.assertEqual(told["firstPerson"], [{"node": n, "show": "thirdPersonOnly"} for n in (MESH, MESH + 1)])

    def test_vrma(self):
        b = vrm_builder.figure()
        b.json["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 0}}},
                                                       "expressions": {"preset": {"happy": {"node": 3}}}}}
        b.json["extensionsUsed"] = ["VRMC_vrm_animation"]
        told = self.avatar(b.save(self.path("motion.glb")))
        self.assertEqual((told["format"], told["humanBones"]), ("VRM Animation", [{"bone": "hips", "node": 0}]))
        self.assertEqual(told["expressions"][0]["amountNode"], 3)

    def test_text_and_nothing(self):
        text = self.succeeds("info", vrm0(vrm_builder.figure()).save(self.path("old.glb"))).out
        for part in ("Avatar", "VRM 0.x", "hips = node 0", 'happy ("Joy")', "not simulated"):
            self.assertIn(part, text)
        plain = vrm_builder.figure().save(self.path("plain.glb"))
        self.assertIsNone(self.avatar(plain))
        self.assertNotIn("Avatar", self.succeeds("info", plain).out)

    def test_many_nodes_with_many_binds_end(self):
        """A bind of VRM 0.x counts for each node with its mesh: the product is limited."""
        b = vrm0(vrm_builder.figure())
        b.json["nodes"] += [{"mesh": 0} for _ in range(20000)]
        group = b.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"][0]
        group["binds"] = [{"mesh": 0, "index": 0, "weight": 1}] * 20000
        model = b.save(self.path("bomb.glb"))
        ran = sinew("info", model, "--json", "--max-memory", "256M", timeout=30)
        self.assertLess(ran.status, FINDINGS + 10, str(ran))


class OtherFormats(ProgramTest):
    """Bones and expressions survive a conversion to plain glTF, to G4MF, and back."""

    def described(self, path):
        """What a file says of its avatar, by names instead of numbers."""
        told = json.loads(self.succeeds("info", path, "--json").out)
        nodes = [node.get("name") for node in Document(path).json["nodes"]]
        avatar = told["avatar"]
        bones = {bone["bone"]: nodes[bone["node"]] for bone in avatar["humanBones"]}
        expressions = [(e["name"], e["preset"], e["stored"], e["binary"], e["overrideBlink"], e["overrideLookAt"], e["overrideMouth"],
                        sorted({(b["blendShape"], round(b["weight"], 6)) for b in e["binds"]})) for e in avatar["expressions"]]
        return {"format": avatar["format"], "title": avatar["title"], "authors": avatar["authors"], "licence": avatar["license"], "bones": bones,
                "expressions": sorted(expressions)}

    def same_places(self, a, b):
        """The rows of both are the same places; files store equal ones once or more often."""
        for one, other in ((a, b), (b, a)):
            far = np.array([np.abs(other - row).max(1).min() for row in np.unique(one, axis=0)])
            self.assertLess(far.max(), 2e-6)

    def test_round_trips(self):
        models = [vrm_builder.vrm1(vrm_builder.figure(), faces()).save(self.path("new.glb")), vrm0(vrm_builder.figure(), twice=True).save(self.path("old.glb")),
                  rich().save(self.path("rich.glb"))]
        for model in models:
            wanted = self.described(model)
            self.assertGreaterEqual(len(wanted["bones"]), 17)
            self.assertGreaterEqual(len(wanted["expressions"]), 3)
            plain, other, back = self.path("plain.gltf"), self.path("other.g4tf"), self.path("back.glb")
            self.succeeds("convert", model, plain)
            ran = self.succeeds("convert", model, other)
            self.assertIn("keeps bones, expressions that move vertices", ran.err)
            self.succeeds("convert", other, back)
            for path in (plain, other, back):
                self.assertEqual(self.described(path), wanted, path)
            for name in ("happy", "aa", "blink" if model != models[2] else "Wink hard"):
                moved = self.deform(model, "--expression", name + "=1")
                self.assertGreater(np.abs(moved - self.deform(model)).max(), 1e-3, name)
                for path in (plain, other, back):
                    self.same_places(self.deform(path, "--expression", name + "=1"), moved)
            found = [f for f in json.loads(sinew("validate", back, "--format", "json").out)["issues"]["messages"] if f["code"].startswith("VRM_") and f["severity"] == 0]
            self.assertEqual(found, [])
            # again: nothing more is lost
            self.succeeds("convert", back, self.path("again.g4tf"))
            self.assertEqual(self.described(self.path("again.g4tf")), wanted)

    def test_constraints_stay_behind(self):
        b = vrm_builder.vrm1(vrm_builder.figure(), faces())
        vrm_builder.constrain(b, 9, 15, "rotation", "PositiveX", 1)
        ran = self.succeeds("convert", b.save(self.path("in.glb")), self.path("out.g4tf"), "--max-influences", "1")
        self.assertIn("VRMC_node_constraint is not converted", ran.err)
        self.assertEqual(json.loads(self.succeeds("info", self.path("out.g4tf"), "--json").out)["avatar"]["constraints"], [])

    def test_facts_of_the_author_come_back(self):
        self.succeeds("convert", rich().save(self.path("in.glb")), self.path("a.g4tf"))
        self.succeeds("convert", self.path("a.g4tf"), self.path("b.gltf"))
        with open(self.path("b.gltf"), encoding="utf-8") as file:
            seen = json.load(file)["extensions"]["VRM"]["meta"]
        wanted = dict(rich().json["extensions"]["VRM"]["meta"])
        del wanted["texture"]  # a picture
        self.assertEqual(seen, wanted)

    def test_an_edit_leaves_out_what_is_gone(self):
        self.succeeds("convert", vrm_builder.vrm1(vrm_builder.figure(), faces()).save(self.path("in.glb")), self.path("a.g4tf"))
        with open(self.path("a.g4tf"), encoding="utf-8") as file:
            document = json.load(file)
        kept = document["nodes"][0]["extras"]["glTF"]["avatar"]
        kept["humanBones"]["hips"] = "no such node"
        kept["humanBones"]["spine"] = 1000
        kept["expressions"][0]["binds"][0]["shape"] = 4
        kept["expressions"][1] = 5
        self.write("a.g4tf", document)
        seen = self.described(self.path("a.g4tf"))
        self.assertNotIn("hips", seen["bones"])
        self.assertNotIn("spine", seen["bones"])
        self.assertIn("head", seen["bones"])
        self.assertEqual(sum(len(expression[-1]) for expression in seen["expressions"]), 4)


if __name__ == "__main__":
    main()
