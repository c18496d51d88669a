# SPDX-License-Identifier: MIT
"""Edits leave no garbage: every accessor, view, mesh and byte of the output is used, or was already unused in the input."""
import base64
import json
import os
import struct
import urllib.parse

import numpy as np

from program import DONE, ROOT, ProgramTest, corpus_models, in_parallel, main, samples, sinew

from gltf_builder import Builder

MERGE = os.path.join(ROOT, "samples", "merge")


def gltf_of(path):
    """The JSON of a .gltf or .glb."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return json.loads(data)
    [length] = struct.unpack("<I", data[12:16])
    return json.loads(data[20:20 + length])


def textures_of(value):
    """Returns the textures of a material, including those in extensions."""
    if not isinstance(value, dict):
        return set()
    own = {item["index"] for key, item in value.items() if key.endswith("Texture") and isinstance(item, dict)}
    return own.union(*(textures_of(item) for item in value.values()))


def used_of(document):
    """Returns kind -> the referenced indices, starting from scenes, nodes and animations."""
    used = {kind: set() for kind in ("meshes", "skins", "accessors", "bufferViews", "materials", "textures", "images", "samplers")}
    for node in document.get("nodes", []):
        used["meshes"].update([node["mesh"]] if "mesh" in node else [])
        used["skins"].update([node["skin"]] if "skin" in node else [])
    accessors = used["accessors"]
    for index, mesh in enumerate(document.get("meshes", [])):
        for primitive in mesh["primitives"] if index in used["meshes"] else []:
            accessors.update(primitive.get("attributes", {}).values())
            accessors.update([primitive["indices"]] if "indices" in primitive else [])
            for target in primitive.get("targets", []):
                accessors.update(target.values())
            used["materials"].update([primitive["material"]] if "material" in primitive else [])
            variants = primitive.get("extensions", {}).get("KHR_materials_variants", {})
            used["materials"].update(mapping["material"] for mapping in variants.get("mappings", []))
            draco = primitive.get("extensions", {}).get("KHR_draco_mesh_compression")
            used["bufferViews"].update([draco["bufferView"]] if draco else [])
    for index in used["materials"]:
        used["textures"].update(textures_of(document["materials"][index]))
    for index in used["textures"]:
        texture = document["textures"][index]
        used["samplers"].update([texture["sampler"]] if "sampler" in texture else [])
        used["images"].update(e["source"] for e in (texture, *texture.get("extensions", {}).values()) if "source" in e)
    for index, skin in enumerate(document.get("skins", [])):
        accessors.update([skin["inverseBindMatrices"]] if index in used["skins"] and "inverseBindMatrices" in skin else [])
    for skeleton in document.get("extensions", {}).get("STAIK_skeletons", {}).get("skeletons", []):
        accessors.update([skeleton["inverseBindMatrices"]] if "inverseBindMatrices" in skeleton else [])
    for animation in document.get("animations", []):
        for sampler in animation["samplers"]:
            accessors.update((sampler["input"], sampler["output"]))
    for index, accessor in enumerate(document.get("accessors", [])):
        if index in accessors:
            for part in (accessor, accessor.get("sparse", {}).get("indices", {}), accessor.get("sparse", {}).get("values", {})):
                used["bufferViews"].update([part["bufferView"]] if "bufferView" in part else [])
    for index, image in enumerate(document.get("images", [])):
        used["bufferViews"].update([image["bufferView"]] if index in used["images"] and "bufferView" in image else [])
    return used


def idle_bytes(document):
    """Bytes of all buffers in no view, padding of fewer than four bytes aside."""
    idle = 0
    for number, buffer in enumerate(document.get("buffers", [])):
        ranges = []
        for view in document.get("bufferViews", []):
            for part in (view, *(e for e in view.get("extensions", {}).values() if "buffer" in e)):
                if part.get("buffer") == number:
                    ranges.append((part.get("byteOffset", 0), part.get("byteOffset", 0) + part["byteLength"]))
        at = 0
        for begin, end in sorted(ranges) + [(buffer["byteLength"],) * 2]:
            idle += begin - at if begin - at > 3 else 0
            at = max(at, end)
    return idle


def garbage_of(path):
    document = gltf_of(path)
    used = used_of(document)
    counts = {kind: len(document.get(kind, [])) - len(indices) for kind, indices in used.items()}
    return {**counts, "bytes": idle_bytes(document)}


def g4mf_of(path):
    """The JSON of a .g4tf or .g4b whose text is not compressed, and the number of bytes in its chunks."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"G4MF":
        return json.loads(data)
    [length] = struct.unpack("<Q", data[24:32])
    return json.loads(data[32:32 + length])


def g4mf_garbage_of(path):
    """Returns accessors and views that no number in the rest of the JSON could refer to, and unused bytes of all buffers."""
    document = g4mf_of(path)
    views = document.get("bufferViews", [])
    rest = {key: value for key, value in document.items() if key not in ("accessors", "bufferViews", "buffers")}
    numbers = set()

    def collect(value):
        if isinstance(value, dict):
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)
        elif isinstance(value, int):
            numbers.add(value)

    collect(rest)
    accessors = set(range(len(document.get("accessors", [])))) - numbers
    used = {accessor["bufferView"] for accessor in document.get("accessors", [])} | numbers
    idle = 0
    for number, buffer in enumerate(document.get("buffers", [])):
        at = 0
        ranges = sorted((v.get("byteOffset", 0), v.get("byteOffset", 0) + v["byteLength"]) for v in views if v.get("buffer", 0) == number)
        for begin, end in ranges + [(buffer["byteLength"],) * 2]:
            idle += begin - at if begin - at > 15 else 0
            at = max(at, end)
    return {"accessors": len(accessors), "bufferViews": len(set(range(len(views))) - used), "bytes": idle}


def eight_influences(path):
    """A strip whose vertices follow eight joints each."""
    weights = np.random.default_rng(7).random((10, 8)) + 0.01
    return two_sets(path, weights / weights.sum(1, keepdims=True))


def two_sets(path, weights):
    """Ten vertices with two sets of joints, all different."""
    b = Builder()
    rng = np.random.default_rng(7)
    weights = np.array(weights, "<f4")
    joints = np.tile(np.arange(8, dtype="<u2"), (10, 1))
    attributes = {"POSITION": b.accessor(rng.random((10, 3)).astype("<f4"), bounds=True, target=34962)}
    for n in (0, 1):
        attributes[f"JOINTS_{n}"] = b.accessor(np.ascontiguousarray(joints[:, 4 * n:4 * n + 4]), target=34962)
        attributes[f"WEIGHTS_{n}"] = b.accessor(np.ascontiguousarray(weights[:, 4 * n:4 * n + 4]), target=34962)
    b.add("meshes", {"primitives": [{"attributes": attributes, "mode": 0}]})
    b.add("nodes", {"mesh": 0, "skin": 0})
    for joint in range(8):
        b.add("nodes", {"name": f"joint{joint}", "translation": [joint, 0, 0]})
    b.add("skins", {"joints": list(range(1, 9))})
    b.add("scenes", {"nodes": list(range(9))})
    b.json["scene"] = 0
    return b.save(path)


def with_unused_things(path):
    """A skinned triangle and everything that a file can contain without using it, also bytes of a second buffer."""
    b = Builder()
    position = b.accessor(np.eye(3, dtype="<f4"), bounds=True, target=34962)
    b.accessor(np.arange(100, dtype="<f4"))
    joints = b.accessor(np.zeros((3, 4), "u1"), target=34962)
    weights = b.accessor(np.tile(np.array([1, 0, 0, 0], "<f4"), (3, 1)), target=34962)
    second = np.arange(64, dtype="<f4").tobytes()
    b.json["buffers"] = [{"byteLength": 0}, {"uri": "data:application/octet-stream;base64," + base64.b64encode(second).decode(), "byteLength": 256}]
    for offset in (0, 64, 128):
        b.add("bufferViews", {"buffer": 1, "byteOffset": offset, "byteLength": 12})
    views = len(b.json["bufferViews"])
    b.add("accessors", {"bufferView": views - 3, "componentType": 5126, "type": "SCALAR", "count": 3})
    used = b.add("accessors", {"bufferView": views - 2, "componentType": 5126, "type": "SCALAR", "count": 3})
    b.add("samplers", {})
    b.add("samplers", {"magFilter": 9728})
    for image in ("aGVsbG8=", "d29ybGQ="):
        b.add("images", {"uri": "data:image/png;base64," + image})
        b.add("textures", {"source": len(b.json["images"]) - 1, "sampler": len(b.json["images"]) - 1})
    b.add("materials", {"name": "unused", "emissiveTexture": {"index": 0}})
    b.add("materials", {"name": "used", "emissiveTexture": {"index": 1}})
    attributes = {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights, "_VALUE": used}
    b.add("meshes", {"name": "unused", "primitives": [{"attributes": {"POSITION": position}, "material": 0}]})
    b.add("meshes", {"primitives": [{"attributes": attributes, "material": 1}]})
    b.add("skins", {"name": "unused", "joints": [1]})
    b.add("skins", {"joints": [1]})
    b.add("nodes", {"mesh": 1, "skin": 1})
    b.add("nodes", {"name": "Bone", "translation": [0.5, 0, 0]})
    b.add("scenes", {"nodes": [0, 1]})
    b.json["scene"] = 0
    b.json["buffers"][0]["byteLength"] = len(b.blob)
    return b.save(path)


class Leftovers(ProgramTest):
    def left_behind(self, before, after):
        old, new = garbage_of(before), garbage_of(after)
        return {kind: new[kind] - old[kind] for kind in new if new[kind] > old[kind]}

    def models(self):
        names = [path for _, path in samples() + corpus_models()]
        self.assertGreaterEqual(len(names), 8)
        return names

    def holds_for(self, command):
        """No output of a command has more garbage than its input."""
        ran = 0

        def check(item):
            number, model = item
            out = self.path(f"{number}.glb")
            done = sinew(*command[:1], model, "-o", out, *command[1:]) if command[0] != "convert" else sinew("convert", model, out, *command[1:])
            return model, self.left_behind(model, out) if done.status == DONE else None

        for model, left in in_parallel(check, list(enumerate(self.models()))):
            if left is not None:
                ran += 1
                self.assertEqual(left, {}, (command, model))
        self.assertGreaterEqual(ran, 5, command)

    def test_conversions(self):
        for how in ("strict", "plain", "bone"):
            self.holds_for(["convert", "--skeletons", how])
        self.holds_for(["convert", "--max-influences", "1"])

    def test_repair_and_rebind(self):
        self.holds_for(["repair"])
        self.holds_for(["repair", "--max-influences", "2"])
        self.holds_for(["rebind", "--to", "rest"])

    def test_fewer_influences_make_no_larger_file(self):
        model, out = eight_influences(self.path("eight.glb")), self.path("four.glb")
        self.succeeds("repair", model, "-o", out, "--max-influences", "4")
        [primitive] = gltf_of(out)["meshes"][0]["primitives"]
        self.assertEqual(sorted(primitive["attributes"]), ["JOINTS_0", "POSITION", "WEIGHTS_0"])
        self.assertLessEqual(os.path.getsize(out), os.path.getsize(model))
        self.assertEqual(self.left_behind(model, out), {})

    def test_a_second_set_goes_even_if_no_vertex_has_more_influences(self):
        """Vertices that use only the second set, and a second set without any weight."""
        for name, used in (("second", 4), ("unused", 0)):
            for command in ("repair", "convert"):
                with self.subTest(name, command=command):
                    model, out = two_sets(self.path(f"{name}.glb"), np.tile(np.eye(8)[used], (10, 1))), self.path(f"{name}.{command}.glb")
                    self.succeeds(command, model, "-o", out, "--max-influences", "4")
                    [primitive] = gltf_of(out)["meshes"][0]["primitives"]
                    self.assertEqual(sorted(primitive["attributes"]), ["JOINTS_0", "POSITION", "WEIGHTS_0"])
                    self.assertEqual(self.left_behind(model, out), {})

    def test_revisions_there_and_back(self):
        """A G4MF file does not grow by two conversions, and none of their intermediate data remains."""
        folder, ran = os.path.join(ROOT, "samples", "g4mf"), 0
        for name in sorted(name for name in os.listdir(folder) if name.endswith(".g4tf")):
            first, there, back = self.path("first.g4b"), self.path("there.g4b"), self.path("back.g4b")
            self.succeeds("convert", os.path.join(folder, name), first, "--revision", "2026-01", "--compress", "none")
            self.succeeds("convert", first, there, "--revision", "2026-07")
            self.succeeds("convert", there, back, "--revision", "2026-01")
            with self.subTest(name):
                old, new = g4mf_garbage_of(first), g4mf_garbage_of(back)
                self.assertEqual({kind: new[kind] - old[kind] for kind in new if new[kind] > old[kind]}, {})
                self.assertLess(os.path.getsize(back), os.path.getsize(first) * 1.25 + 512)
            ran += 1
        self.assertGreaterEqual(ran, 5)

    def test_prune_removes_what_was_unused_before(self):
        model = with_unused_things(self.path("in.glb"))
        found = garbage_of(model)
        self.assertTrue(all(found.values()), found)
        for number, command in enumerate((["convert", "--prune"], ["convert", "--prune", "--skeletons", "strict"], ["repair", "--prune-unused"],
                                          ["rebind", "--to", "rest", "--prune"])):
            for extension in ("glb", "gltf"):
                out = self.path(f"{number}.{extension}")
                ran = self.succeeds(command[0], model, *([out] if command[0] == "convert" else ["-o", out]), *command[1:])
                with self.subTest(command):
                    self.assertIn("/meshes: removed 1 that nothing refers to, of 2", ran.err)
                    self.assertEqual({kind: count for kind, count in garbage_of(out).items() if count}, {})
                    document = gltf_of(out)
                    self.assertEqual([material["name"] for material in document["materials"]], ["used"])
                    self.assertEqual([buffer["byteLength"] for buffer in document["buffers"]][1:], [12] if extension == "gltf" else [])
                    np.testing.assert_array_equal(self.deform(out), self.deform(model))
        # Without the option everything stays.
        self.succeeds("convert", model, self.path("kept.glb"))
        self.assertEqual(garbage_of(self.path("kept.glb")), found)

    def test_prune_of_merged_files_and_unknown_extensions(self):
        model = with_unused_things(self.path("in.glb"))
        out = self.path("out.glb")
        self.succeeds("merge", model, model, "-o", out, "--prune")
        self.assertEqual({kind: count for kind, count in garbage_of(out).items() if count}, {})
        # Numbers in an extension that nobody knows may be indices.
        document = gltf_of(model)
        with open(model, "rb") as file:
            blob = file.read()[-document["buffers"][0]["byteLength"]:]
        document["extensions"], document["extensionsUsed"] = {"ACME_thing": {"accessor": 1}}, ["ACME_thing"]
        document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
        self.write("acme.gltf", document)
        self.succeeds("convert", self.path("acme.gltf"), out, "--prune")
        for kind in ("accessors", "meshes", "materials", "bufferViews"):
            self.assertEqual(len(gltf_of(out)[kind]), len(document[kind]), kind)

    def test_prune_of_corpus_and_g4mf(self):
        for number, model in enumerate(self.models()):
            out = self.path(f"{number}.glb")
            if sinew("convert", model, out, "--prune").status == DONE:
                with self.subTest(model):
                    self.assertEqual({kind: count for kind, count in garbage_of(out).items() if count}, {})
        model = g4mf_of(os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf"))
        model["accessors"].append({"bufferView": len(model["bufferViews"]), "componentType": "float32"})
        model["bufferViews"].append({"buffer": len(model["buffers"]), "byteLength": 4000})
        model["buffers"].append({"byteLength": 4000, "uri": "data:application/octet-stream;base64," + base64.b64encode(bytes(4000)).decode()})
        model["materials"] = model.get("materials", []) + [{"name": "Nobody"}]
        self.write("more.g4tf", model)
        for extension in ("g4tf", "g4b"):
            out = self.path("less." + extension)
            self.succeeds("convert", self.path("more.g4tf"), out, "--prune")
            self.assertEqual(set(g4mf_garbage_of(out).values()), {0})
            self.assertNotIn("Nobody", json.dumps(g4mf_of(out)))
            self.assertLess(os.path.getsize(out), os.path.getsize(self.path("more.g4tf")) - 4000)
            np.testing.assert_array_equal(self.deform(out), self.deform(self.path("more.g4tf")))

    def test_images_come_along(self):
        png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        os.makedirs(self.path("in", "textures"))
        os.makedirs(self.path("out"))
        with open(self.path("in", "textures", "a b.png"), "wb") as file:
            file.write(png)
        b = Builder()
        position = b.accessor(np.eye(3, dtype="<f4"), bounds=True, target=34962)
        b.add("images", {"uri": "textures/a%20b.png"})
        b.add("images", {"uri": "textures/missing.png"})
        for source in (0, 1):
            b.add("textures", {"source": source})
        b.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 1}})
        b.add("meshes", {"primitives": [{"attributes": {"POSITION": position}, "material": 0}]})
        b.add("nodes", {"mesh": 0})
        b.add("scenes", {"nodes": [0]})
        model = b.save(self.path("in", "model.gltf"))

        ran = self.succeeds("convert", model, self.path("out", "model.glb"))
        self.assertEqual(ran.err.count("missing.png"), 1, ran.err)
        document = gltf_of(self.path("out", "model.glb"))
        self.assertEqual([sorted(image) for image in document["images"]], [["bufferView", "mimeType"], ["uri"]])
        view = document["bufferViews"][document["images"][0]["bufferView"]]
        with open(self.path("out", "model.glb"), "rb") as file:
            self.assertIn(png, file.read())
        self.assertEqual((view["byteLength"], document["images"][0]["mimeType"]), (len(png), "image/png"))

        self.succeeds("convert", model, self.path("out", "model.gltf"))
        with open(self.path("out", "textures", "a b.png"), "rb") as file:
            self.assertEqual(file.read(), png)
        self.assertEqual(gltf_of(self.path("out", "model.gltf"))["images"][0]["uri"], "textures/a%20b.png")
        # Another image of that name is already there: it stays as it is.
        self.write("out/textures/a b.png", b"other")
        self.succeeds("convert", model, self.path("out", "model.gltf"))
        with open(self.path("out", "textures", "a b.png"), "rb") as file:
            self.assertEqual(file.read(), b"other")
        uri = gltf_of(self.path("out", "model.gltf"))["images"][0]["uri"]
        with open(self.path("out", urllib.parse.unquote(uri)), "rb") as file:
            self.assertEqual(file.read(), png)

    def test_buffer_files_come_along(self):
        """A text in another folder opens: its .bin is copied. A refused conversion leaves no file and no folder."""
        os.makedirs(self.path("in", "data"))
        os.makedirs(self.path("out"))
        b = Builder()
        b.json["buffers"] = [{"uri": "data/model.bin", "byteLength": 0}]
        position = b.accessor(np.eye(3, dtype="<f4"), bounds=True, target=34962)
        b.json["buffers"][0]["byteLength"] = len(b.blob)
        b.add("images", {"uri": "missing.png"})
        b.add("meshes", {"primitives": [{"attributes": {"POSITION": position}}]})
        b.add("nodes", {"mesh": 0})
        b.add("scenes", {"nodes": [0]})
        self.write("in/model.gltf", b.json)
        self.write("in/data/model.bin", bytes(b.blob))
        model = self.path("in", "model.gltf")
        refused = sinew("convert", model, self.path("out", "model.gltf"), "--fail-on", "loss")
        self.assertEqual((refused.status, os.listdir(self.path("out"))), (1, []), str(refused))
        self.succeeds("convert", model, self.path("out", "model.gltf"))
        np.testing.assert_array_equal(self.deform(self.path("out", "model.gltf")), self.deform(model))

    def test_merge(self):
        body = os.path.join(MERGE, "body.gltf")
        for options in ([], ["--join"]):
            out = self.path("merged.glb")
            self.succeeds("merge", body, os.path.join(MERGE, "shirt.gltf"), os.path.join(MERGE, "wig.gltf"), "-o", out, "--rename", "upperarm=LeftArm", *options)
            self.assertEqual(self.left_behind(body, out), {}, options)


if __name__ == "__main__":
    main()
