# SPDX-License-Identifier: MIT
"""What can move vertices and is not evaluated: no command claims more than it looked at."""
import copy
import json
import os

import numpy as np

from program import DONE, FINDINGS, ProgramTest, main, sinew

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import tutorial_skin

SHIFT = np.array([[0, 0, 0], [5, 0, 0]], "<f4")


def place_of(document, place):
    """The object at a place such as "meshes/0/primitives/0"; "" is the root."""
    for step in filter(None, place.split("/")):
        document = document[int(step)] if step.isdigit() else document[step]
    return document


def add_instances(builder, shift=SHIFT):
    put(builder, "EXT_mesh_gpu_instancing", "nodes/0", {"attributes": {"TRANSLATION": builder.accessor(shift)}})


def add_pointer(builder, pointer, keys=SHIFT):
    clip = builder.json["animations"][0]
    clip["samplers"].append({"input": builder.accessor(np.array([0, 1], "<f4"), bounds=True), "output": builder.accessor(keys)})
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": target})
    declare(builder, "KHR_animation_pointer")


def add_bending(builder, keys=SHIFT):
    """A pointer into an extension that nobody knows."""
    put(builder, "ACME_bend", "nodes/1", {"amount": 1})
    add_pointer(builder, "/nodes/1/extensions/ACME_bend/amount", keys)


def declare(builder, name):
    used = builder.json.setdefault("extensionsUsed", [])
    if name not in used:
        used.append(name)


def put(builder, name, place, content):
    place_of(builder.json, place).setdefault("extensions", {})[name] = content
    declare(builder, name)


# An edit that adds something that can move vertices, and another content of the same.
MOVING = {
    "ACME_bend": (add_bending, lambda b: add_bending(b, 2 * SHIFT)),
    "EXT_property_animation": (lambda b: put(b, "EXT_property_animation", "animations/0", {"channels": [{"target": "/nodes/0"}]}),
                               lambda b: put(b, "EXT_property_animation", "animations/0", {"channels": []})),
    "CESIUM_RTC": (lambda b: put(b, "CESIUM_RTC", "", {"center": [1, 2, 3]}), lambda b: put(b, "CESIUM_RTC", "", {"center": [1, 2, 4]})),
    "MPEG_accessor_timed": (lambda b: put(b, "MPEG_accessor_timed", "accessors/0", {"immutable": False}), lambda b: None),
    "CESIUM_z_up": (lambda b: declare(b, "CESIUM_z_up"), lambda b: None),
    **{f"ACME_{place.replace('/', '_')}": ((lambda p: lambda b: put(b, f"ACME_{p.replace('/', '_')}", p, {"bend": 1}))(place),
                                           (lambda p: lambda b: put(b, f"ACME_{p.replace('/', '_')}", p, {"bend": 2}))(place))
       for place in ("nodes/2", "meshes/0", "meshes/0/primitives/0", "skins/0", "animations/0/channels/0", "animations/0/samplers/0",
                     "animations/0/channels/0/target")},
}
POSING = {
    "VRMC_springBone": lambda b: put(b, "VRMC_springBone", "", {"springs": []}),
    "KHR_physics_rigid_bodies": lambda b: put(b, "KHR_physics_rigid_bodies", "nodes/1", {"motion": {"mass": 1}}),
    "VRM": lambda b: put(b, "VRM", "", {"secondaryAnimation": {}}),
}
HARMLESS = {
    "KHR_lights_punctual": lambda b: put(b, "KHR_lights_punctual", "", {"lights": []}),
    "KHR_materials_unlit": lambda b: (b.add("materials", {}), put(b, "KHR_materials_unlit", "materials/0", {})),
    "KHR_audio_emitter": lambda b: put(b, "KHR_audio_emitter", "nodes/0", {"emitter": 0}),
    "MSFT_lod": lambda b: put(b, "MSFT_lod", "nodes/0", {"ids": []}),
    "ACME_facts": lambda b: put(b, "ACME_facts", "", {"author": 1}),
    "material pointer": lambda b: (b.add("materials", {}), add_pointer(b, "/materials/0/emissiveFactor")),
}


class NotCovered(ProgramTest):
    def saved(self, name, edit=lambda builder: None):
        builder = tutorial_skin()
        edit(builder)
        return builder.save(self.path(name))

    def compared(self, a, b, status=DONE):
        ran = sinew("compare", a, b, "--json")
        self.assertEqual(ran.status, status, str(ran))
        return json.loads(ran.out)

    def named(self, report, name):
        found = [one for one in report["notCovered"] if name.strip() in one["what"]]
        self.assertEqual(len(found), 1, report["notCovered"])
        self.assertTrue(found[0]["pointer"].startswith("/"), found)
        return found[0]

    def test_moving_extensions(self):
        plain = self.saved("plain.glb")
        for name, (edit, other) in MOVING.items():
            with self.subTest(extension=name):
                a = self.saved("a.glb", edit)
                for x, y in ((a, plain), (plain, a), (a, self.saved("other.glb", other))):
                    report = self.compared(x, y, FINDINGS)
                    self.assertEqual(report["verdict"], "not comparable")
                    self.assertFalse(report["everyPose"]["proved"])
                    self.assertIn(name.strip(), self.named(report, name)["what"])
                    self.assertIn(name.strip(), sinew("compare", x, y).out)
                same = self.compared(a, self.saved("same.gltf", edit))
                self.assertEqual((same["verdict"], same["everyPose"]["proved"]), ("equal where sampled", False))
                self.assertIn(name.strip(), same["everyPose"]["why"])
                self.named(same, name)
                bounds = json.loads(self.succeeds("bounds", a, "--json").out)
                self.named(bounds, name)
                self.assertIn(name.strip(), self.succeeds("bounds", a).out)
                self.named(json.loads(self.succeeds("extract", a, "-o", self.path("out.npz"), "--json").out), name)

    def test_edits_promise_nothing(self):
        for name, (edit, _) in MOVING.items():
            source = self.saved("a.glb", edit)
            for command, *options in (("repair",), ("convert",), ("optimize", "--steps", "order"), ("rebind", "--to", "rest")):
                with self.subTest(extension=name, command=command):
                    out = self.path("out.glb")
                    ran = self.succeeds(command, source, "-o", out, *options, "--max-error", 0)
                    self.assertNotIn("equal in every pose", ran.err)
                    self.assertIn(name.strip(), ran.err)
                    report = json.loads(self.succeeds(command, source, "-o", out, *options, "--max-error", 0, "--json").out)
                    self.named(report, name)
                    self.assertFalse(report["everyPose"]["proved"])
                    self.assertEqual(self.compared(source, out)["verdict"], "equal where sampled")

    def test_what_a_conversion_loses_is_no_equality(self):
        source, out = self.saved("a.glb", add_bending), self.path("out.g4b")
        ran = self.fails(FINDINGS, "convert", source, out, "--max-error", 0)
        self.assertIn("ACME_bend", ran.err)
        self.assertFalse(os.path.exists(out))

    def test_posing_extensions_keep_the_proof(self):
        plain = self.saved("plain.glb")
        for name, edit in POSING.items():
            with self.subTest(extension=name):
                a = self.saved("a.glb", edit)
                for other in (plain, a):
                    report = self.compared(a, other)
                    self.assertEqual((report["verdict"], report["everyPose"]["proved"]), ("equal in every pose", True))
                    self.named(report, name)
                self.named(json.loads(self.succeeds("bounds", a, "--json").out), name)

    def test_harmless_extensions_do_not_weaken_it(self):
        plain = self.saved("plain.glb")
        for name, edit in HARMLESS.items():
            with self.subTest(extension=name):
                a = self.saved("a.glb", edit)
                report = self.compared(a, plain)
                self.assertEqual(report["verdict"], "equal in every pose")
                self.assertEqual(report["notCovered"], [])

    def test_other_numbers_for_the_same(self):
        """The same instances and pointers in a file whose accessors, samplers and nodes have other indices."""
        def shuffled(builder):
            builder.accessor(np.zeros((3, 3), "<f4"))
            add_instances(builder)
            add_pointer(builder, "/nodes/2/translation")
            document = builder.json
            swap = {1: 2, 2: 1}
            moved = copy.deepcopy(document["nodes"])
            moved[1], moved[2] = moved[2], moved[1]
            for node in moved:
                if "children" in node:
                    node["children"] = [swap.get(child, child) for child in node["children"]]
            document["nodes"] = moved
            document["scenes"][0]["nodes"] = [swap.get(node, node) for node in document["scenes"][0]["nodes"]]
            document["skins"][0]["joints"] = [swap.get(joint, joint) for joint in document["skins"][0]["joints"]]
            for channel in document["animations"][0]["channels"]:
                target = channel["target"]
                if "node" in target:
                    target["node"] = swap.get(target["node"], target["node"])
                else:
                    target["extensions"]["KHR_animation_pointer"]["pointer"] = "/nodes/1/translation"
            document["animations"][0]["channels"].reverse()

        def straight(builder):
            add_instances(builder)
            add_pointer(builder, "/nodes/2/translation")

        report = self.compared(self.saved("a.glb", straight), self.saved("b.glb", shuffled))
        self.assertEqual(report["verdict"], "equal in every pose")

    def test_g4mf(self):
        def saved(name, **extensions):
            builder = G4mfBuilder(4)
            mesh = builder.mesh(builder.accessor("float32", np.random.default_rng(1).normal(size=(5, 4))), [{}])
            builder.node(builder.node(name="Root"), name="Body", mesh=mesh, **({"extensions": extensions} if extensions else {}))
            return builder.save(self.path(name))

        plain, bent = saved("plain.g4tf"), saved("bent.g4b", ACME_bend={"angle": 1})
        self.assertEqual(self.compared(plain, bent, FINDINGS)["verdict"], "not comparable")
        report = self.compared(bent, saved("same.g4tf", ACME_bend={"angle": 1}))
        self.assertEqual(report["verdict"], "equal where sampled")
        self.named(report, "ACME_bend")
        self.named(json.loads(self.succeeds("bounds", bent, "--json").out), "ACME_bend")


if __name__ == "__main__":
    main()
