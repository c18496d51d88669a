# SPDX-License-Identifier: MIT
"""glTF to G4MF and back keeps the rig. Compares only the two JSON texts, without Sinew."""
import json
import struct
import sys
from pathlib import Path

from program import FINDINGS, ProgramTest, corpus_models, main, samples

from gltf_builder import tutorial_skin


def gltf_json(path):
    data = Path(path).read_bytes()
    if data[:4] == b"glTF":
        (length,) = struct.unpack_from("<I", data, 12)
        data = data[20:20 + length]
    return json.loads(data)


class Rig:
    """Joints, skins and clips of a glTF file, with names in the place of indices."""

    def __init__(self, path):
        self.gltf = gltf_json(path)
        self.nodes = self.gltf.get("nodes", [])
        self.parent = {child: n for n, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.joint_nodes = {joint for skin in self.gltf.get("skins", []) for joint in skin["joints"]}

    def name(self, node):
        return self.nodes[node].get("name")

    def joint_above(self, node):
        node = self.parent.get(node)
        while node is not None and node not in self.joint_nodes:
            node = self.parent.get(node)
        return None if node is None else self.name(node)

    @property
    def joints(self):
        """(name, name of the next joint above it) of every joint."""
        return sorted(((self.name(joint), self.joint_above(joint)) for joint in self.joint_nodes), key=repr)

    @property
    def skins(self):
        """Name, and the joints in order."""
        return sorted(((skin.get("name"), [self.name(joint) for joint in skin["joints"]]) for skin in self.gltf.get("skins", [])), key=repr)

    @property
    def clips(self):
        """Name, and what each channel moves."""
        return [(clip.get("name"), sorted(((self.name(channel["target"]["node"]), channel["target"]["path"]) for channel in clip["channels"]), key=repr))
                for clip in self.gltf.get("animations", [])]

    @property
    def meshes_per_skin(self):
        users = [node.get("skin") for node in self.nodes if "skin" in node]
        return sorted(users.count(skin) for skin in range(len(self.gltf.get("skins", []))))


def two_meshes_and_spare_joints():
    """One skin of four joints in an order of its own, two of them without weights, under two meshes; and names that G4MF forbids."""
    gltf = tutorial_skin()
    nodes = gltf.json["nodes"]
    joints = gltf.json["skins"][0]["joints"]
    nodes[joints[0]]["name"], nodes[joints[1]]["name"] = "arm.L", "arm/L:2"
    for above, name in ((joints[1], "tip"), (joints[0], "arm.L")):
        nodes[above].setdefault("children", []).append(len(nodes))
        joints.append(len(nodes))
        nodes.append({"name": name})
    joints.reverse()
    gltf.json["skins"][0]["name"] = "My skin"
    del gltf.json["skins"][0]["inverseBindMatrices"]
    mesh = next(n for n in nodes if "mesh" in n)
    mesh["name"] = "first"
    gltf.json["scenes"][0]["nodes"].append(len(nodes))
    nodes.append({**mesh, "name": "second"})
    return gltf


class RigRoundTrips(ProgramTest):
    def there_and_back(self, path):
        """The rig of a file, and that of what comes back from G4MF."""
        middle, end = self.path("middle.g4b"), self.path("end.glb")
        self.succeeds("convert", path, middle, "-q")
        self.succeeds("convert", middle, end, "-q")
        return Rig(path), Rig(end)

    def expect_same(self, name, path):
        with self.subTest(model=name):
            before, after = self.there_and_back(path)
            for what in ("joints", "skins", "clips", "meshes_per_skin"):
                self.assertEqual(getattr(after, what), getattr(before, what), what)
            return bool(before.joint_nodes)

    def test_samples(self):
        self.assertGreaterEqual(sum(self.expect_same(name, path) for name, path in samples()), 2)

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        rigs = sum(bool(self.expect_same(name, path)) for name, path in models if str(path).endswith((".glb", ".gltf")))
        print(f"{rigs} rigs kept", file=sys.stderr)
        self.assertGreaterEqual(rigs, 10)

    def test_joints_without_weights_their_order_and_names(self):
        before, after = self.there_and_back(two_meshes_and_spare_joints().save(self.path("spare.glb")))
        self.assertEqual(after.skins, [("My skin", ["arm.L", "tip", "arm/L:2", "arm.L"])])
        self.assertEqual(after.skins, before.skins)
        self.assertEqual(after.joints, before.joints)
        self.assertEqual(after.meshes_per_skin, [2])

    def test_the_way_back_loses_nothing(self):
        """Neither bone lengths that only the way there made up, nor names of groups that follow from restored names of nodes."""
        gltf = two_meshes_and_spare_joints()
        joints = gltf.json["skins"][0]["joints"]
        gltf.json["nodes"][joints[1]]["translation"] = [0, 0.5, 0]  # the tip, the only child of its bone
        middle, end = self.path("middle.g4tf"), self.path("end.glb")
        self.succeeds("convert", gltf.save(self.path("spare.glb")), middle, "--group-names", "write", "-q")
        g4mf = json.loads(Path(middle).read_text(encoding="utf-8"))
        self.assertTrue(any("length" in node.get("bone", {}) for node in g4mf["nodes"]))
        self.assertTrue(any("groupNames" in mesh.get("skin", {}) for mesh in g4mf["meshes"]))
        self.succeeds("convert", middle, end, "--fail-on", "loss")
        bone = next(node["bone"] for node in g4mf["nodes"] if "length" in node.get("bone", {}))
        bone["length"] *= 2  # now it is somebody's choice
        Path(middle).write_text(json.dumps(g4mf), encoding="utf-8")
        self.fails(FINDINGS, "convert", middle, end, "--fail-on", "loss", says="1 loss")

    def test_bones_come_back_with_their_extension(self):
        bones, middle, end = self.path("bones.glb"), self.path("middle.g4b"), self.path("end.glb")
        self.succeeds("convert", tutorial_skin().save(self.path("plain.glb")), bones, "--skeletons", "bone", "-q")
        self.succeeds("convert", bones, middle, "-q")
        self.succeeds("convert", middle, end, "--fail-on", "loss")
        for path in (bones, end):
            self.assertIn("KHR_skeleton_bone", gltf_json(path)["extensionsUsed"])

    def test_a_skin_without_meshes(self):
        gltf = tutorial_skin()
        for node in gltf.json["nodes"]:
            node.pop("skin", None)
            node.pop("mesh", None)
        before, after = self.there_and_back(gltf.save(self.path("rig.glb")))
        self.assertEqual(len(after.skins), 1)
        self.assertEqual(after.joints, before.joints)

    def test_an_edited_file_keeps_what_still_fits(self):
        """Extras that name joints which are gone, or skins that are not there, are no reason to stop."""
        middle, end = self.path("middle.g4tf"), self.path("end.glb")
        self.succeeds("convert", two_meshes_and_spare_joints().save(self.path("spare.glb")), middle, "-q")
        g4mf = json.loads(Path(middle).read_text(encoding="utf-8"))
        noted = [node["extras"]["glTF"] for node in g4mf["nodes"] if "glTF" in node.get("extras", {})]
        skins = next(note["skins"] for note in noted if "skins" in note)
        for wrong in (["nobody"], [0, 0], [10**9], [-1], "arm", [None], []):
            with self.subTest(joints=wrong):
                skins[0]["joints"] = wrong
                Path(middle).write_text(json.dumps(g4mf), encoding="utf-8")
                self.succeeds("convert", middle, end, "-q")
                self.assertEqual(len(Rig(end).joint_nodes), 4)
                self.succeeds("validate", end, "-q")


if __name__ == "__main__":
    main()
