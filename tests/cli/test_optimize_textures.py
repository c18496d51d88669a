# SPDX-License-Identifier: MIT
"""sinew optimize --textures png, --max-texture and --drop-names: the same pixels in fewer bytes, and names that nothing mentions go."""
import json
import os

import numpy as np

from program import ROOT, UNSUPPORTED, USAGE, ProgramTest, main, sinew

import picture_judge as judge
from gltf_builder import tutorial_skin
from gltf_oracle import Document


def json_of(path):
    with open(path, "rb") as file:
        data = file.read()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


def view_of(path, index):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[12:16], "little")
    view = json_of(path)["bufferViews"][index]
    start = 20 + length + 8 + view.get("byteOffset", 0)
    return data[start : start + view["byteLength"]]


def pictures():
    """(picture, colour type, bits): what each can be stored as."""
    y, x = np.mgrid[0:24, 0:37]
    full = lambda *c: np.stack(np.broadcast_arrays(*c), -1).astype(np.uint8)
    grey = (3 * x + 5 * y) % 256
    colors = (7 * x % 256, 11 * y % 256, (x * y) % 256)
    return [(full(255 * (x // 8 % 2), 0, 0, 255), 3, 1), (full(85 * (x // 8 % 4), 0, 99, 255), 3, 2), (full(17 * (x // 3), 9 * (y // 8), 5, 255), None, None),
            (full(*[255 * (y // 4 % 2)] * 3, 255), 0, 1), (full(*[17 * ((x * x + 3 * y * x) % 16)] * 3, 255), None, 4), (full(grey, grey, grey, 255), None, None),
            (full(*[(x * x * 7 + y * y * 13) % 251] * 3, (x * 5 + y * 9) % 255), 4, 8), (full(*colors, 255), 2, 8), (full(*colors, (x * 6 + y) % 255), 6, 8),
            (full(*colors, 0), 6, 8), (full([[1]], 2, 3, 77), None, None)]


class Png(ProgramTest):
    def model(self, files, name="in.glb"):
        b = tutorial_skin()
        for i, data in enumerate(files):
            b.add("images", {"bufferView": b.view(data), "mimeType": "image/png"})
            b.add("textures", {"source": i})
            b.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}})
        primitive = b.json["meshes"][0]["primitives"][0]
        b.json["meshes"][0]["primitives"] = [{**primitive, "material": i} for i in range(len(files))]
        return b.save(self.path(name))

    def optimize(self, source, *options, error="0", name="out.glb"):
        done = self.succeeds("optimize", source, "-o", self.path(name), "--max-error", error, "--json", *options)
        return self.path(name), json.loads(done.out)

    def test_pixels_stay_and_the_form_is_the_smallest(self):
        wanted = pictures()
        files = [judge.png(np.ascontiguousarray(picture)) for picture, _, _ in wanted]
        out, report = self.optimize(self.model(files), "--textures", "png")
        images = Document(out).json["images"]
        self.assertEqual(len(images), len(wanted))
        rows = {row["image"]: row for row in report["textures"]}
        self.assertGreaterEqual(len(rows), 9)
        for i, (picture, color, bits) in enumerate(wanted):
            data = view_of(out, images[i]["bufferView"])
            pixels, header = judge.read_png(data)
            np.testing.assert_array_equal(pixels, picture)
            self.assertLessEqual(len(data), len(files[i]))
            if color is not None:
                self.assertEqual(header[3], color, i)
            if bits is not None:
                self.assertEqual(header[2], bits, i)
            if i in rows:
                self.assertEqual((rows[i]["before"], rows[i]["after"], rows[i]["psnr"], rows[i]["ssim"]), (len(files[i]), len(data), "Infinity", 1))

    def test_what_a_png_says_about_its_colours_does_not_count(self):
        import struct, zlib
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        picture = pictures()[7][0]
        out, _ = self.optimize(self.model([judge.png(picture, chunk(b"gAMA", struct.pack(">I", 100000)))]), "--textures", "png")
        np.testing.assert_array_equal(judge.read_png(view_of(out, Document(out).json["images"][0]["bufferView"]))[0], picture)

    def test_sizes(self):
        picture = pictures()[8][0]
        out, report = self.optimize(self.model([judge.png(picture)]), "--max-texture", 16)
        pixels, _ = judge.read_png(view_of(out, Document(out).json["images"][0]["bufferView"]))
        self.assertEqual(pixels.shape, (10, 16, 4))
        self.assertLessEqual(np.abs(pixels - judge.smaller(picture, 16, "color")).max(), 0.52)
        self.assertEqual((report["textures"][0]["width"], report["textures"][0]["height"]), (16, 10))

    def test_broken_and_huge_images_are_carried_and_named(self):
        whole = judge.png(pictures()[7][0])
        huge = bytearray(judge.png(pictures()[0][0]))
        huge[16:24] = (60000).to_bytes(4, "big") * 2
        files = [whole[:-40], bytes(huge), whole]
        out, report = self.optimize(self.model(files), "--textures", "png")
        self.assertEqual([row["image"] for row in report["textures"]], [2])
        note = report["steps"][0]["note"]
        self.assertIn("image 0: the image cannot be decoded", note)
        self.assertIn("image 1: 60000 × 60000 pixels; the limit is", note)
        self.assertEqual([view_of(out, image["bufferView"]) for image in Document(out).json["images"]][:2], files[:2])

    def test_several_threads_write_the_same_file(self):
        source = self.model([judge.png(np.ascontiguousarray(picture)) for picture, _, _ in pictures()])
        one, _ = self.optimize(source, "--textures", "webp", "--threads", 1)
        with open(one, "rb") as file:
            first = file.read()
        many, _ = self.optimize(source, "--textures", "webp", "--threads", 4)
        with open(many, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_compressed_files_keep_their_new_images(self):
        """A compression that is left out does not bring the old images back."""
        source = self.model([judge.png(pictures()[8][0])])
        out, report = self.optimize(source, "--textures", "png", "--compress", "meshopt", error="1e-3")
        stored = json_of(out)
        self.assertEqual(stored["bufferViews"][stored["images"][0]["bufferView"]]["byteLength"], report["textures"][0]["after"])
        again, report = self.optimize(out, "--textures", "png", "--max-texture", 16, "--compress", "meshopt", error="1e-3", name="again.glb")
        self.assertEqual(report["textures"][0]["width"], 16)
        stored = json_of(again)
        self.assertEqual(stored["bufferViews"][stored["images"][0]["bufferView"]]["byteLength"], report["textures"][0]["after"])


class Names(ProgramTest):
    def optimize(self, b, *options):
        source = b.save(self.path("in.glb"))
        done = self.succeeds("optimize", source, "-o", self.path("out.glb"), "--max-error", "0", "--drop-names", "--json", *options)
        return Document(self.path("out.glb")).json, json.loads(done.out)

    def test_names_go_and_animations_keep_theirs(self):
        json_out, report = self.optimize(tutorial_skin(), "--steps", "names")
        for name in ("nodes", "meshes", "skins"):
            self.assertEqual([e for e in json_out[name] if "name" in e], [], name)
        self.assertEqual(json_out["animations"][0]["name"], "Bend")
        changes = " ".join(change["message"] for change in report["changes"])
        for words in ("the names of 3 nodes", "the names of 1 mesh", "the names of 1 skin"):
            self.assertIn(words, changes)
        self.assertEqual(report["everyPose"], {"proved": True, "bound": 0})
        self.assertGreater(report["steps"][0]["saved"], 40)

    def test_names_that_something_mentions_stay(self):
        b = tutorial_skin()
        b.json["nodes"][1]["extras"] = {"follows": "Upper"}
        b.json["materials"] = [{"name": "Cloth"}, {"name": "Steel"}]
        b.json["meshes"][0]["primitives"][0]["material"] = 0
        b.json["extensions"] = {"VRM": {"materialProperties": [{"name": "Cloth", "shader": "VRM/MToon"}, {"name": "other"}]}}
        b.json["extensionsUsed"] = ["VRM"]
        json_out, report = self.optimize(b, "--steps", "names", "--keep", "Body")
        self.assertEqual([node.get("name") for node in json_out["nodes"]], ["Body", None, "Upper"])
        self.assertEqual([material.get("name") for material in json_out["materials"]], ["Cloth", None])
        self.assertIn("3 names kept", report["steps"][0]["note"])

    def test_with_all_steps(self):
        json_out, report = self.optimize(tutorial_skin())
        self.assertEqual(report["steps"][-1]["step"], "names")
        self.assertNotIn("name", json.dumps(json_out["nodes"]))


class Usage(ProgramTest):
    SOURCE = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")

    def test_mistakes(self):
        run = lambda *options: ("optimize", self.SOURCE, "-o", self.path("x.glb"), "--max-error", "0", *options)
        self.fails(USAGE, *run("--textures", "jpg"), says="keep")
        self.fails(USAGE, *run("--max-texture", "0"))
        self.fails(USAGE, *run("--texture-psnr", "nan"))
        self.fails(USAGE, *run("--steps", "textures"), says="the step textures needs --textures or --max-texture")
        self.fails(USAGE, *run("--steps", "prune", "--textures", "png"), says="need the step textures")
        self.fails(USAGE, *run("--steps", "prune", "--drop-names"), says="--drop-names needs the step names")
        g4mf = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        for option in (("--textures", "webp"), ("--max-texture", "8"), ("--drop-names",)):
            self.fails(UNSUPPORTED, "optimize", g4mf, "-o", self.path("x.g4b"), "--max-error", "0", *option, says="glTF only")
        self.assertFalse(os.listdir(self.folder))

    def test_a_file_without_images(self):
        done = self.succeeds("optimize", self.SOURCE, "-o", self.path("x.glb"), "--max-error", "0", "--textures", "webp", "--json")
        report = json.loads(done.out)
        self.assertEqual((report["steps"][0]["note"], report["textures"]), ("found no images", []))


if __name__ == "__main__":
    main()
