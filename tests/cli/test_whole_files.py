# SPDX-License-Identifier: MIT
"""What a command writes is whole: all buffers, all images, joints with a root, triangles that face outwards; and what a short file holds is
used."""
import json
import os
import re
import shutil

import numpy as np

from program import DONE, INPUT, ProgramTest, main, sinew

import gltf_oracle as oracle
from gltf_builder import Builder, tutorial_skin
from test_answers import cube

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def json_of(path):
    with open(path, "rb") as file:
        data = file.read()
    return json.loads(data if data[:4] != b"glTF" else data[20 : 20 + int.from_bytes(data[12:16], "little")])


class SeveralBuffers(ProgramTest):
    def source(self, extra=0):
        """The skin of the tutorial; each of its buffer views in a file of its own."""
        b = tutorial_skin()
        blob = bytes(b.blob)
        folder = self.path("source")
        os.makedirs(folder, exist_ok=True)
        buffers = []
        for i, view in enumerate(b.json["bufferViews"]):
            part = blob[view.get("byteOffset", 0) : view.get("byteOffset", 0) + view["byteLength"]]
            with open(os.path.join(folder, f"part {i}.bin"), "wb") as file:
                file.write(b"x" * extra + part)
            buffers.append({"uri": f"part%20{i}.bin", "byteLength": len(part) + extra})
            view["buffer"] = i
            view["byteOffset"] = extra
        b.json["buffers"] = buffers
        path = os.path.join(folder, "parts.gltf")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(b.json, file)
        return path

    def test_a_glb_holds_all_buffers(self):
        for extra in (0, 4):
            source = self.source(extra)
            want = self.deform(source, "--animation", "0", "--time", "0.5")
            for command, more in (("convert", []), ("repair", ["-o"]), ("rebind", ["--to", "rest", "-o"]), ("optimize", ["--max-error", "0", "-o"]),
                                  ("optimize", ["--max-error", "0", "--steps", "prune", "-o"]), ("convert", ["--max-error", "0", "-o"])):
                with self.subTest(command=command, more=more, extra=extra):
                    other = self.path("other")
                    shutil.rmtree(other, ignore_errors=True)
                    os.mkdir(other)
                    out = os.path.join(other, "out.glb")
                    ran = self.succeeds(command, source, *more, out)
                    self.assertNotIn("RELATIVE_URI", ran.err)
                    self.assertEqual(len(json_of(out)["buffers"]), 1)
                    self.assertEqual(os.listdir(other), ["out.glb"])
                    self.succeeds("compare", source, out)
                    if command != "optimize" or "--steps" in more:  # it may reorder vertices
                        self.assertLess(np.abs(self.deform(out, "--animation", "0", "--time", "0.5") - want).max(), 1e-6)
                    self.assertNotIn('"severity":0', self.succeeds("validate", out, "--format", "json").out.replace(" ", ""))

    def test_a_gltf_in_another_folder_gets_the_files(self):
        source = self.source()
        os.mkdir(self.path("text"))
        out = self.path("text", "out.gltf")
        self.succeeds("convert", source, out)
        self.assertTrue((self.deform(out) == self.deform(source)).all())

    def test_a_missing_file_and_a_short_one(self):
        source = self.source()
        document = json_of(source)
        used = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["bufferView"]
        clip = document["animations"][0]["samplers"][0]["output"]
        moving = document["accessors"][clip]["bufferView"]
        short = self.path("source", f"part {moving}.bin")
        with open(short, "r+b") as file:
            file.truncate(os.path.getsize(short) - 4)
        ran = sinew("convert", source, self.path("out.glb"))
        self.assertNotEqual(ran.status, DONE, "a buffer would lend its missing bytes from the next one")
        self.assertFalse(os.path.exists(self.path("out.glb")))
        self.assertNotEqual(used, moving)


class Rigs(ProgramTest):
    def rig(self):
        """A skin of two joints and a clip, without a mesh."""
        b = Builder()
        keys = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        turns = b.accessor(np.array([[0, 0, 0, 1], [0, 0, 0.70710678, 0.70710678]], "<f4"))
        binds = b.accessor(np.tile(np.eye(4, dtype="<f4"), (2, 1, 1)).reshape(2, 16))
        b.json["accessors"][binds]["type"] = "MAT4"
        b.json["nodes"] = [{"name": "Hips", "children": [1]}, {"name": "Spine", "translation": [0, 1, 0]}]
        b.json["skins"] = [{"joints": [0, 1], "inverseBindMatrices": binds}]
        b.json["scenes"] = [{"nodes": [0]}]
        b.json["scene"] = 0
        b.json["animations"] = [
            {"name": "Dance", "samplers": [{"input": keys, "output": turns}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}
        ]
        return b

    def test_a_rig_without_a_mesh(self):
        for extension in ("glb", "gltf"):
            source = self.rig().save(self.path("rig." + extension))
            self.succeeds("extract", source, "-o", self.path("rig.npz"))
            arrays = np.load(self.path("rig.npz"))
            self.assertEqual(list(arrays["joint_names"]), ["Hips", "Spine"])
            self.assertEqual(list(arrays["joint_parents"]), [-1, 0])
            worlds = arrays["clip0_joint_world"]
            self.assertEqual(worlds.shape, (31, 2, 4, 4))
            self.assertLess(np.abs(worlds[-1, 1, :3, 3] - [-1, 0, 0]).max(), 1e-6)
            ran = self.succeeds("render", source, "-o", self.path("rig.png"), "--bones", "--size", "64x64")
            self.assertNotIn("no joints", ran.err)
            self.assertNotIn("empty", ran.err)

    def test_skins_beside_a_mesh(self):
        """A skin that no mesh uses adds its joints; one that a mesh uses stays as it was."""
        b = tutorial_skin()
        plain = b.save(self.path("plain.glb"))
        self.succeeds("extract", plain, "-o", self.path("plain.npz"))
        before = np.load(self.path("plain.npz"))
        node = b.add("nodes", {"name": "Alone"})
        b.json["scenes"][0]["nodes"].append(node)
        b.add("skins", {"joints": [node]})
        self.succeeds("extract", b.save(self.path("more.glb")), "-o", self.path("more.npz"))
        after = np.load(self.path("more.npz"))
        self.assertEqual(list(after["joint_names"]), [*before["joint_names"], "Alone"])
        self.assertTrue((after["weights_indices"] == before["weights_indices"]).all())

    def test_vertices_without_weights_through_g4mf(self):
        """Every skin keeps a common root, also where several meshes use the new joint."""
        for above in (False, True):
            for meshes in (1, 2):
                with self.subTest(above=above, meshes=meshes):
                    b = tutorial_skin(clip=False)
                    attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
                    weights = np.zeros((10, 4), "<f4")
                    weights[1:, 0] = 1
                    attributes["WEIGHTS_0"] = b.accessor(weights)
                    if meshes == 2:
                        b.add("nodes", {"mesh": 0, "skin": 0, "name": "Second"})
                        b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)
                    if above:
                        top = b.add("nodes", {"name": "Top", "children": b.json["scenes"][0]["nodes"]})
                        b.json["scenes"][0]["nodes"] = [top]
                    source = b.save(self.path("in.glb"))
                    self.succeeds("convert", source, self.path("m.g4b"))
                    said = self.succeeds("convert", self.path("m.g4b"), self.path("back.glb")).err
                    names = [node.get("name", "") for node in json_of(self.path("back.glb"))["nodes"]]
                    for number in re.findall(r"does not move, node (\d+)", said):
                        self.assertTrue(names[int(number)].endswith("still"), said)
                    report = json.loads(self.succeeds("validate", self.path("back.glb"), "--format", "json").out)
                    self.assertEqual(report["issues"]["numErrors"], 0, report)
                    got, want = self.deform(self.path("back.glb")), self.deform(source)
                    self.assertLess(np.abs(got - want).max(axis=1).reshape(meshes, 10)[:, 1:].max(), 1e-6)


class Copies(ProgramTest):
    def mirrored(self, mesh_below, joint_negative=False):
        """A cube that one joint moves; the joint's transform mirrors."""
        b = cube()
        primitive = b.json["meshes"][0]["primitives"][0]
        positions = oracle_positions(b)
        normals = np.repeat(np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], "<f4"), 4, axis=0)
        primitive["attributes"]["NORMAL"] = b.accessor(normals)
        primitive["attributes"]["JOINTS_0"] = b.accessor(np.zeros((len(positions), 4), "u1"))
        primitive["attributes"]["WEIGHTS_0"] = b.accessor(np.tile(np.array([1, 0, 0, 0], "<f4"), (len(positions), 1)))
        mirror = [-1, 1, 1]
        joint = {"name": "J", "scale": mirror} if joint_negative else {"name": "J"}
        armature = {"name": "Armature"} if joint_negative else {"name": "Armature", "scale": mirror}
        b.json["nodes"] = [{**armature, "children": [1]}, joint, {"name": "Cube", "mesh": 0, "skin": 0}]
        b.json["scenes"] = [{"nodes": [0]}]
        if mesh_below:
            b.json["nodes"][0]["children"].append(2)
        else:
            b.json["scenes"][0]["nodes"].append(2)
        b.json["skins"] = [{"joints": [1]}]
        keys = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        places = b.accessor(np.array([[0, 0, 0], [0, 1, 0]], "<f4"))
        b.json["animations"] = [{"samplers": [{"input": keys, "output": places}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}]
        return b

    def volume(self, path):
        """The signed volume, and whether all normals are on the sides of their triangles."""
        document = oracle.Document(path)
        [mesh] = document.json["meshes"]
        primitive = mesh["primitives"][0]
        positions, normals = (document.values(primitive["attributes"][name]).reshape(-1, 3) for name in ("POSITION", "NORMAL"))
        corners = document.raw(primitive["indices"]).reshape(-1, 3).astype(int)
        a, b, c = (positions[corners[:, k]] for k in range(3))
        sides = np.cross(b - a, c - a)
        self.assertTrue(((sides * normals[corners[:, 0]]).sum(axis=1) > 0).all(), "triangles and normals agree")
        return (a * np.cross(b, c)).sum() / 6

    def test_copies_of_mirrored_rigs_face_outwards(self):
        for below in (True, False):
            for negative in (True, False):
                source = self.mirrored(below, negative).save(self.path("in.glb"))
                for more in ([], ["--animation", "0", "--frames", "2", "--as-morphs"]):
                    with self.subTest(below=below, negative=negative, more=more):
                        out = self.path("out.glb")
                        self.succeeds("deform", source, "-o", out, *more)
                        self.assertAlmostEqual(self.volume(out), 8, places=4)

    def test_copies_of_plain_rigs_stay(self):
        b = self.mirrored(False)
        del b.json["nodes"][0]["scale"]
        self.succeeds("deform", b.save(self.path("in.glb")), "-o", self.path("out.glb"))
        self.assertAlmostEqual(self.volume(self.path("out.glb")), 8, places=4)


def oracle_positions(b):
    return np.frombuffer(bytes(b.blob), "<f4", 72).reshape(24, 3)


class Images(ProgramTest):
    def textured(self, name="in.gltf"):
        b = self.rigged()
        b.json["images"] = [{"uri": "textures/base.png"}, {"uri": "textures/base.png", "name": "Again"}]
        b.json["textures"] = [{"source": 0}, {"source": 1}]
        b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 1}}]
        b.json["meshes"][0]["primitives"][0]["material"] = 0
        os.makedirs(self.path("source", "textures"), exist_ok=True)
        self.write("source/textures/base.png", PNG)
        return b.save(self.path("source", name))

    def rigged(self):
        b = tutorial_skin()
        b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = b.accessor(np.zeros((10, 2), "<f4"))
        return b

    COPIES = (
        (["deform"], "deform -o"), (["deform", "--animation", "0", "--frames", "2", "--as-morphs"], "as-morphs"),
        (["convert", "--project"], "convert --project"),
    )

    def images_of(self, path):
        """The bytes of all images of a file."""
        document = oracle.Document(path)
        found = []
        for image in document.json["images"]:
            if "uri" in image:
                with open(os.path.join(os.path.dirname(path), image["uri"]), "rb") as file:
                    found.append(file.read())
            else:
                self.assertEqual(image["mimeType"], "image/png")
                view = document.json["bufferViews"][image["bufferView"]]
                start = view.get("byteOffset", 0)
                with open(path, "rb") as file:
                    data = file.read()
                start += 28 + int.from_bytes(data[12:16], "little")
                found.append(data[start : start + view["byteLength"]])
        return found

    def test_copies_keep_their_images(self):
        source = self.textured()
        for arguments, name in self.COPIES:
            for extension in ("glb", "gltf"):
                for folder in ("other", "source"):
                    with self.subTest(name=name, extension=extension, folder=folder):
                        shutil.rmtree(self.path("other"), ignore_errors=True)
                        os.mkdir(self.path("other"))
                        out = self.path(folder, "out." + extension)
                        ran = self.succeeds(arguments[0], source, *arguments[1:], "-o", out)
                        self.assertNotIn("images keep", ran.err)
                        self.assertEqual(self.images_of(out), [PNG, PNG])
                        if extension == "glb":
                            self.assertFalse(any("uri" in image for image in json_of(out)["images"]))
                            self.assertEqual(len({image["bufferView"] for image in json_of(out)["images"]}), 1, "one copy of a file")
        self.succeeds("bake", source, "-o", self.path("baked"))
        self.assertEqual(self.images_of(self.path("baked", "in.glb")), [PNG, PNG])

    def test_a_missing_image_is_one_warning(self):
        source = self.textured()
        os.remove(self.path("source", "textures", "base.png"))
        os.mkdir(self.path("other"))
        for extension in ("glb", "gltf"):
            ran = self.succeeds("deform", source, "-o", self.path("other", "out." + extension))
            self.assertEqual(ran.err.count("warning"), 1, ran.err)
            self.assertIn("base.png", ran.err)
            ran = self.succeeds("convert", source, self.path("other", "whole." + extension))
            self.assertEqual(ran.err.count("base.png"), 1, ran.err)


class ShortFiles(ProgramTest):
    def whole(self):
        """The clip's keys are the last bytes."""
        b = tutorial_skin(clip=False)
        keys = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        turns = b.accessor(np.array([[0, 0, 0, 1], [0, 0, 0.70710678, 0.70710678]], "<f4"))
        b.json["animations"] = [{"samplers": [{"input": keys, "output": turns}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}]
        return b

    def test_a_cut_glb_is_read_as_far_as_it_goes(self):
        path = self.whole().save(self.path("whole.glb"))
        want = self.deform(path)
        with open(path, "rb") as file:
            data = file.read()
        short = self.write("short.glb", data[:-8])
        ran = self.succeeds("deform", short, "-o", self.path("o.npy"))
        self.assertIn("warning", ran.err)
        self.assertTrue((np.load(self.path("o.npy")) == want).all())
        self.fails(INPUT, "deform", short, "-o", self.path("o.npy"), "--animation", "0", "--time", "0.5")
        self.fails(INPUT, "deform", self.write("gone.glb", data[: len(data) // 2]), "-o", self.path("none.npy"))
        ran = sinew("validate", short)
        self.assertIn("GLB_UNEXPECTED_END_OF_CHUNK_DATA", ran.out)
        self.assertFalse(os.path.exists(self.path("none.npy")))


class Uris(ProgramTest):
    def test_a_path_that_comes_back_into_the_folder(self):
        b = tutorial_skin()
        blob = bytes(b.blob)
        os.makedirs(self.path("rig", "sub"))
        self.write("rig/data.bin", blob)
        self.write("outside.bin", blob)
        self.write("rig2.bin", blob)
        os.symlink(self.path("outside.bin"), self.path("rig", "link.bin"))
        for uri, allowed in (("../rig/data.bin", True), ("sub/../data.bin", True), ("sub/../../rig/./data.bin", True), ("%2e%2e/rig/data.bin", True),
                             ("../outside.bin", False), ("../rig2.bin", False), ("../rig/../outside.bin", False), ("../rig/link.bin", False),
                             ("../../" + os.path.basename(self.folder) + "/rig/data.bin", True)):
            with self.subTest(uri=uri):
                document = {**b.json, "buffers": [{"uri": uri, "byteLength": len(blob)}]}
                path = self.write("rig/in.gltf", document)
                ran = sinew("deform", path, "-o", self.path("o.npy"))
                self.assertEqual(ran.status, DONE if allowed else INPUT, str(ran))
                if allowed:
                    self.succeeds("deform", "in.gltf", "-o", self.path("o.npy"), cwd=self.path("rig"))


if __name__ == "__main__":
    main()
