# SPDX-License-Identifier: MIT
"""What sinew optimize --textures promises: Pillow decodes the images, numpy measures them."""
import base64
import io
import json
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import SETTINGS, ProgramTest, main, sinew

import picture_judge as judge
import vrm_builder
from gltf_builder import tutorial_skin
from gltf_oracle import Document

try:
    from PIL import Image
except ImportError:
    Image = None


def setUpModule():
    if Image is None:
        print("SKIPPED: there is no Pillow (python3-pil) to decode images with", file=sys.stderr)
        raise unittest.SkipTest("there is no Pillow to decode images with")


def photo(width=192, height=128, seed=1, alpha=False):
    """Waves and noise: what a palette cannot hold, and lossy formats can."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    waves = [128 + 90 * np.sin(x / (7 + c) + c) * np.cos(y / (11 - c)) for c in range(3)]
    colors = np.stack(waves, -1) + rng.normal(0, 1, (height, width, 3))
    opacity = 255 * np.clip(x / width * 2 - 0.5, 0, 1) if alpha else np.full((height, width), 255)
    return np.clip(np.concatenate([colors, opacity[..., None]], -1), 0, 255).astype(np.uint8)


def bumps(width=160, height=160):
    """Directions of a wavy surface."""
    y, x = np.mgrid[0:height, 0:width]
    n = np.stack([0.6 * np.sin(x / 5), 0.6 * np.cos(y / 7), np.ones((height, width))], -1)
    n = (n / np.linalg.norm(n, axis=-1, keepdims=True) + 1) / 2 * 255
    return np.concatenate([np.round(n), np.full((height, width, 1), 255)], -1).astype(np.uint8)


def file_of(picture, kind, **how):
    out = io.BytesIO()
    Image.fromarray(picture if kind != "JPEG" else np.ascontiguousarray(picture[..., :3])).save(out, kind, **how)
    return out.getvalue()


def pixels_of(data):
    return np.array(Image.open(io.BytesIO(data)).convert("RGBA"))


class Textures(ProgramTest):
    def model(self, images, name="in.glb", textures=None, mode=None):
        """A skinned strip whose material has these images: [(slot, picture as a file)], in the buffer, as data URIs or as files."""
        b = tutorial_skin()
        material, physical = {"name": "Cloth"}, {}
        for i, (slot, data, *where) in enumerate(images):
            where = where[0] if where else "buffer"
            mime = {b"\x89P": "image/png", b"\xff\xd8": "image/jpeg", b"RI": "image/webp"}.get(data[:2], "image/ktx2")
            if where == "buffer":
                image = {"bufferView": b.view(data), "mimeType": mime}
            elif where == "data":
                image = {"uri": f"data:{mime};base64," + base64.b64encode(data).decode()}
            else:
                os.makedirs(os.path.dirname(self.path(where)), exist_ok=True)
                self.write(where, data)
                image = {"uri": where.replace(" ", "%20")}
            b.add("images", {"name": f"picture {i}", **image})
            b.add("textures", {"source": i})
            holder = physical if slot in ("baseColorTexture", "metallicRoughnessTexture") else material
            holder[slot] = {"index": i}
        if mode:
            material["alphaMode"] = mode
        b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = b.accessor(np.zeros((10, 2), "<f4"), target=34962)
        b.json["materials"] = [{**material, "pbrMetallicRoughness": physical}]
        b.json["meshes"][0]["primitives"][0]["material"] = 0
        return b.save(self.path(name))

    def optimize(self, source, *options, out="out.glb"):
        done = self.succeeds("optimize", source, "-o", self.path(out), "--max-error", "0", "--json", *options, timeout=600)
        return self.path(out), json.loads(done.out)

    def images(self, path):
        """The stored images: [(JSON, bytes)]."""
        document = Document(path)
        found = []
        for image in document.json.get("images", []):
            if "bufferView" in image:
                data = view_of(path, image["bufferView"])
            elif image["uri"].startswith("data:"):
                data = base64.b64decode(image["uri"].split(",")[1])
            else:
                with open(os.path.join(os.path.dirname(path), image["uri"].replace("%20", " ")), "rb") as file:
                    data = file.read()
            found.append((image, data))
        return found

    def judged(self, before, after, row, least, content=None, most=None, each=False):
        """Checks a row of the report against the pixels."""
        a, b = pixels_of(before), pixels_of(after)
        if most:
            wanted = judge.smaller(a, most, content)
            a = np.round(wanted).astype(np.uint8)
        self.assertEqual((row["height"], row["width"]), b.shape[:2])
        self.assertEqual((row["before"], row["after"]), (len(before), len(after)))
        worst, of_channel = judge.psnr(a, b)
        tolerance = 0.35 if most else 0.005  # a rounding of the filter may differ
        if worst is None or row["psnr"] == "Infinity":
            self.assertTrue(worst is None and row["psnr"] == "Infinity" or most and (worst is None or worst > 55), worst)
        else:
            self.assertAlmostEqual(worst, row["psnr"], delta=tolerance)
            self.assertGreaterEqual(worst, least - (tolerance if most else 0))
        if each:
            self.assertGreaterEqual(min([c for c in of_channel if c is not None], default=99), least - (tolerance if most else 0))
        if not most:
            self.assertAlmostEqual(judge.ssim(a, b), row["ssim"], delta=1e-6)


def view_of(path, index):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[12:16], "little")
    view = json.loads(data[20 : 20 + length])["bufferViews"][index]
    start = 20 + length + 8 + view.get("byteOffset", 0)
    return data[start : start + view["byteLength"]]


class Webp(Textures):
    def test_the_report_states_the_pixels_of_the_file(self):
        slots = [("baseColorTexture", file_of(photo(alpha=True), "PNG")), ("emissiveTexture", file_of(photo(seed=2), "JPEG", quality=97)),
                 ("normalTexture", file_of(bumps(), "PNG")), ("metallicRoughnessTexture", file_of(photo(seed=4), "PNG"))]
        source = self.model(slots)
        for least in (32, 40, 48):
            with self.subTest(psnr=least):
                out, report = self.optimize(source, "--textures", "webp", "--texture-psnr", least)
                # The noise of the JPEG takes more bytes in another format if it must be kept.
                self.assertEqual([row["image"] for row in report["textures"]], [0, 1, 2, 3] if least < 48 else [0, 2, 3])
                images = self.images(out)
                for row in report["textures"]:
                    before, (image, after) = slots[row["image"]][1], images[row["image"]]
                    self.assertEqual((image["mimeType"], row["to"], image["name"]), ("image/webp", "image/webp", row["name"]))
                    self.assertLess(len(after), len(before))
                    self.judged(before, after, row, least, each=row["image"] >= 2)
                document = Document(out).json
                self.assertEqual(document["extensionsRequired"], ["EXT_texture_webp"])
                for i, texture in enumerate(document["textures"]):
                    changed = i in {row["image"] for row in report["textures"]}
                    self.assertEqual(texture, {"extensions": {"EXT_texture_webp": {"source": i}}} if changed else {"source": i})
                found = json.loads(sinew("validate", out, "--format", "json").out)
                self.assertEqual([issue for issue in found["issues"]["messages"] if issue["severity"] == 0], [])

    def test_a_lower_limit_gives_smaller_files(self):
        source = self.model([("baseColorTexture", file_of(photo(256, 256), "PNG"))])
        sizes = [self.optimize(source, "--textures", "webp", "--texture-psnr", least)[1]["textures"][0]["after"] for least in (30, 36, 42, 60)]
        self.assertEqual(sizes, sorted(sizes))
        self.assertLess(sizes[0], sizes[3] / 2)

    def test_what_would_grow_stays_byte_for_byte(self):
        noise = np.random.default_rng(3).integers(0, 256, (40, 40, 4), dtype=np.uint8)
        tight = [("baseColorTexture", file_of(noise, "WEBP", lossless=True, method=6, quality=100, exact=True)), ("emissiveTexture", file_of(noise, "PNG"))]
        source = self.model(tight)
        out, report = self.optimize(source, "--textures", "webp", "--texture-psnr", 90)
        self.assertEqual(report["textures"], [])
        self.assertEqual([data for _, data in self.images(out)], [data for _, data in tight])

    def test_images_are_shared_once_and_thumbnails_stay_png(self):
        b = vrm_builder.figure()
        picture = file_of(photo(), "PNG", compress_level=0)
        view = b.view(picture)
        b.json["images"] = [{"bufferView": view, "mimeType": "image/png", "name": n} for n in ("skin", "same", "thumbnail")]
        other = file_of(photo(seed=9), "PNG", compress_level=0)
        b.json["images"][2]["bufferView"] = b.view(other)
        b.json["textures"] = [{"source": 0}, {"source": 1}, {"source": 0}]
        mtoon = {"specVersion": "1.0", "shadeMultiplyTexture": {"index": 1}, "uvAnimationMaskTexture": {"index": 2}}
        b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extensions": {"VRMC_materials_mtoon": mtoon}}]
        b.json["meshes"][0]["primitives"][0]["material"] = 0
        bones = {name: {"node": i} for i, (name, _, _) in enumerate(vrm_builder.BONES)}
        meta = {"name": "x", "authors": ["y"], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 2}
        b.json["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "meta": meta, "humanoid": {"humanBones": bones}}}
        b.json["extensionsUsed"] = ["VRMC_vrm", "VRMC_materials_mtoon"]
        source = b.save(self.path("figure.glb"))
        out, report = self.optimize(source, "--textures", "webp")
        self.assertEqual([row["to"] for row in report["textures"]], ["image/webp", "image/webp", "image/png"])
        images = self.images(out)
        self.assertEqual(images[0][0]["bufferView"], images[1][0]["bufferView"])
        self.judged(picture, images[0][1], report["textures"][0], 40, each=True)  # also a mask
        np.testing.assert_array_equal(pixels_of(images[2][1]), pixels_of(other))
        document = Document(out).json
        self.assertEqual([next(iter(t["extensions"].values()))["source"] for t in document["textures"]], [0, 1, 0])

    def test_a_texture_with_a_fallback_keeps_both_formats(self):
        b = tutorial_skin()
        png, webp = file_of(photo(), "PNG", compress_level=0), file_of(photo(), "WEBP", lossless=True)
        b.json["images"] = [{"bufferView": b.view(data), "mimeType": kind} for data, kind in ((png, "image/png"), (webp, "image/webp"))]
        b.json["textures"] = [{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}]
        b.json["extensionsUsed"] = ["EXT_texture_webp"]
        b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        b.json["meshes"][0]["primitives"][0]["material"] = 0
        out, report = self.optimize(b.save(self.path("two.glb")), "--textures", "webp")
        document = Document(out).json
        self.assertEqual(document["textures"], [{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}])
        self.assertNotIn("extensionsRequired", document)
        self.assertEqual([row["to"] for row in report["textures"]][:1], ["image/png"])
        self.assertEqual([image["mimeType"] for image, _ in self.images(out)], ["image/png", "image/webp"])

    def test_formats_that_nothing_decodes_are_carried_and_named(self):
        ktx2 = b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(100)
        source = self.model([("baseColorTexture", file_of(photo(), "PNG")), ("emissiveTexture", ktx2)])
        out, report = self.optimize(source, "--textures", "webp")
        self.assertEqual(self.images(out)[1][1], ktx2)
        self.assertIn("image 1 \"picture 1\": image/ktx2", report["steps"][0]["note"])


class Places(Textures):
    def test_files_and_data_uris(self):
        slots = [("baseColorTexture", file_of(photo(), "PNG"), "maps/skin 1.png"), ("emissiveTexture", file_of(photo(seed=2), "PNG"), "data")]
        source = self.model(slots, "in.gltf")
        os.makedirs(self.path("other"))
        for out in ("out.gltf", "other/out.gltf", "other/out.glb"):
            with self.subTest(out=out):
                written, report = self.optimize(source, "--textures", "webp", out=out)
                images = self.images(written)
                for (_, before, _), (image, after), row in zip(slots, images, report["textures"]):
                    self.assertEqual(image["mimeType"], "image/webp")
                    self.judged(before, after, row, 40)
                if out.endswith(".gltf"):
                    self.assertEqual(images[0][0]["uri"], "maps/skin%201.webp")
                    self.assertTrue(images[1][0]["uri"].startswith("data:image/webp;base64,"))
        with open(self.path("maps/skin 1.png"), "rb") as file:
            self.assertEqual(file.read(), slots[0][1])

    def test_a_new_png_does_not_replace_the_old_one(self):
        before = file_of(photo(), "PNG", compress_level=0)
        source = self.model([("baseColorTexture", before, "maps/skin.png")], "in.gltf")
        written, report = self.optimize(source, "--textures", "png", out="out.gltf")
        image, after = self.images(written)[0]
        self.assertRegex(image["uri"], r"^maps/skin\.[0-9a-f]{16}\.png$|^skin\.[0-9a-f]{16}\.png$")
        np.testing.assert_array_equal(pixels_of(after), pixels_of(before))
        with open(self.path("maps/skin.png"), "rb") as file:
            self.assertEqual(file.read(), before)

    def test_nothing_is_left_if_the_model_cannot_be_written(self):
        source = self.model([("baseColorTexture", file_of(photo(), "PNG"), "maps/skin.png")], "in.gltf")
        os.makedirs(self.path("other"))
        os.symlink(self.path("nowhere", "out.gltf"), self.path("other", "out.gltf"))  # to a folder that does not exist
        ran = sinew("optimize", source, "-o", self.path("other", "out.gltf"), "--max-error", "0", "--textures", "webp")
        self.assertEqual(ran.status, 4, str(ran))
        self.assertEqual(os.listdir(self.path("other")), ["out.gltf"])


class Sizes(Textures):
    def test_pixels_are_averaged_by_what_they_mean(self):
        cases = [("baseColorTexture", photo(alpha=True), "blended"), ("emissiveTexture", photo(160, 100, seed=2), "color"),
                 ("normalTexture", bumps(90, 90), "normal"), ("metallicRoughnessTexture", photo(64, 96, seed=4), "data")]
        slots = [(slot, file_of(picture, "PNG")) for slot, picture, _ in cases]
        source = self.model(slots, mode="BLEND")
        for mode, most in (("keep", 32), ("png", 48), ("webp", 31)):
            with self.subTest(mode=mode, most=most):
                out, report = self.optimize(source, "--textures", mode, "--max-texture", most)
                for (_, picture, content), (_, before), (_, after), row in zip(cases, slots, self.images(out), report["textures"]):
                    self.assertEqual(max(row["width"], row["height"]), most)
                    self.judged(before, after, row, 40, content, most, each=content in ("normal", "data"))
                    if mode != "webp":
                        wanted = judge.smaller(picture, most, content)
                        self.assertLessEqual(np.abs(pixels_of(after) - wanted).max(), 0.52, content)

    def test_jpeg_stays_jpeg_and_small_images_stay(self):
        slots = [("baseColorTexture", file_of(photo(256, 128), "JPEG", quality=95)), ("emissiveTexture", file_of(photo(32, 32), "PNG"))]
        out, report = self.optimize(self.model(slots), "--max-texture", 64, "--texture-psnr", 38)
        images = self.images(out)
        self.assertEqual([(row["image"], row["to"], row["width"], row["height"]) for row in report["textures"]], [(0, "image/jpeg", 64, 32)])
        self.judged(slots[0][1], images[0][1], report["textures"][0], 38, "color", 64)
        self.assertEqual(images[1][1], slots[1][1])

    def test_texture_coordinates_follow_the_new_size(self):
        b = tutorial_skin()
        rng = np.random.default_rng(5)
        primitive = {"attributes": {"POSITION": b.accessor(rng.random((600, 3)).astype("<f4"), bounds=True, target=34962),
                                    "TEXCOORD_0": b.accessor(rng.random((600, 2)).astype("<f4"), target=34962)}}
        b.json["meshes"].append({"primitives": [primitive]})
        b.json["scenes"][0]["nodes"].append(b.add("nodes", {"mesh": 1}))
        b.json["images"] = [{"bufferView": b.view(file_of(photo(512, 512), "PNG")), "mimeType": "image/png"}]
        b.json["textures"] = [{"source": 0}]
        b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        primitive["material"] = 0
        source = b.save(self.path("uv.glb"))
        changed = {}
        for most in (512, 16):
            done = self.succeeds("optimize", source, "-o", self.path("out.glb"), "--max-error", "1e-3", "--max-texture", most, "--json")
            changed[most] = json.loads(done.out)["texcoordError"]
            self.assertLessEqual(changed[most], 0.25 / most)
        self.assertGreater(changed[16], 0.25 / 512)


class Real(Textures):
    def test_real_files(self):
        """Every image of the real files keeps the limit, as Pillow and numpy see it."""
        folder = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(folder):
            self.skipTest("the real files are not there")
        judged = 0
        for name in ("kenney_animated/human-kenney.glb", "kaykit_adventurers/sword_1handed.gltf", "vrm0_polygonal_mind/cool_banana.vrm",
                     "vrm0_boomboxhead/boomboxhead_35.vrm", "vrm1_vrmc_samples/VRMC_materials_mtoon_UV_Animation_Test.vrm",
                     "valid_avatars/Asian_M_1_Casual.glb"):
            source = os.path.join(folder, name)
            out, report = self.optimize(source, "--textures", "webp", "--steps", "textures", out="out" + os.path.splitext(source)[1])
            before, after = self.images(source), self.images(out)
            for row in report["textures"]:
                self.judged(before[row["image"]][1], after[row["image"]][1], row, 40)
                judged += 1
        self.assertGreaterEqual(judged, 8)
        print(f"{judged} images of real files judged", file=sys.stderr)


if __name__ == "__main__":
    main()
