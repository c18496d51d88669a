# SPDX-License-Identifier: MIT
"""Materials of glTF in G4MF and back: factors, textures, images byte for byte, samplers, alpha. Reads the files itself."""
import base64
import json
import struct
import zlib
from pathlib import Path

from program import DONE, ProgramTest, corpus_models, main, sinew

from gltf_builder import Builder

import numpy as np


def png(width, height, channels=4, seed=0):
    color_type = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    row = bytes(1) + bytes((seed + i) % 256 for i in range(width * channels))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)), (b"IDAT", zlib.compress(row * height)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


def data_uri(image):
    return "data:image/png;base64," + base64.b64encode(image).decode()


class Gltf:
    """A glTF file as others read it."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        self.binary = b""
        if data[:4] == b"glTF":
            (length,) = struct.unpack_from("<I", data, 12)
            self.binary = data[28 + length:]
            data = data[20:20 + length]
        self.json = json.loads(data)
        self.folder = Path(path).parent

    def bytes_of(self, image):
        if "uri" in image:
            return base64.b64decode(image["uri"].split(",", 1)[1]) if image["uri"].startswith("data:") else (self.folder / image["uri"]).read_bytes()
        view = self.json["bufferViews"][image["bufferView"]]
        return self.binary[view.get("byteOffset", 0):][:view["byteLength"]]

    def rows(self, accessor, width):
        accessor = self.json["accessors"][accessor]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        self.assert_float(accessor, view)
        return np.frombuffer(self.binary, "<f4", accessor["count"] * width, start).reshape(-1, width)

    @staticmethod
    def assert_float(accessor, view):
        assert accessor["componentType"] == 5126 and "byteStride" not in view and "sparse" not in accessor, (accessor, view)

    def texture(self, info):
        if info is None:
            return None
        texture = self.json["textures"][info["index"]]
        source = texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source", texture.get("source"))
        image = self.json["images"][source]
        sampler = {"wrapS": 10497, "wrapT": 10497, **(self.json["samplers"][texture["sampler"]] if "sampler" in texture else {})}
        return texture.get("name"), image.get("name"), self.bytes_of(image), {k: v for k, v in sampler.items() if k != "name"}, info.get("scale", 1), info.get("strength", 1)

    @property
    def materials(self):
        """Everything that a round trip keeps, with defaults filled in."""
        rows = []
        for material in self.json.get("materials", []):
            physical = material.get("pbrMetallicRoughness", {})
            strength = material.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
            rows.append({
                "name": material.get("name"),
                "color": physical.get("baseColorFactor", [1, 1, 1, 1]),
                "metallic": physical.get("metallicFactor", 1),
                "roughness": physical.get("roughnessFactor", 1),
                "emissive": [round(x * strength, 6) for x in material.get("emissiveFactor", [0, 0, 0])],
                "alpha": (material.get("alphaMode", "OPAQUE"), material.get("alphaCutoff", 0.5), material.get("doubleSided", False)),
                "base": self.texture(physical.get("baseColorTexture")),
                "rough": self.texture(physical.get("metallicRoughnessTexture")),
                "normal": self.texture(material.get("normalTexture")),
                "occlusion": self.texture(material.get("occlusionTexture")),
                "light": self.texture(material.get("emissiveTexture")),
            })
        return rows


def textured(materials, images, textures, samplers=()):
    """One textured triangle per material."""
    gltf = Builder()
    position = gltf.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "f4"), bounds=True)
    maps = {f"TEXCOORD_{i}": gltf.accessor(np.array([[0, 0], [1, 0], [0, 1 + i]], "f4")) for i in range(2)}
    primitives = [{"attributes": {"POSITION": position, **maps}, "material": m} for m in range(len(materials))]
    gltf.json.update({"materials": materials, "textures": textures, "images": images, "meshes": [{"primitives": primitives}],
                      "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0})
    if samplers:
        gltf.json["samplers"] = list(samplers)
    return gltf


class MaterialRoundTrips(ProgramTest):
    def there_and_back(self, path, between="middle.g4b"):
        middle, end = self.path(between), self.path("end.glb")
        losses = self.succeeds("convert", path, middle).err
        self.succeeds("validate", middle, "-q")
        losses += self.succeeds("convert", middle, end).err
        self.succeeds("validate", end, "-q")
        return Gltf(end), losses

    def rich(self):
        color, rough, bumps = png(4, 2, seed=1), png(2, 2, 3, seed=2), png(8, 4, 3, seed=3)
        Path(self.path("bumps.png")).write_bytes(bumps)
        return textured(
            [{"name": "cloth", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": True, "emissiveFactor": [1, 0.5, 0],
              "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
              "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}, "roughnessFactor": 0.5},
              "occlusionTexture": {"index": 1, "strength": 0.75}, "normalTexture": {"index": 2, "scale": 0.5}, "emissiveTexture": {"index": 0}},
             {"name": "glass", "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 0.5], "baseColorTexture": {"index": 3}, "metallicFactor": 0}},
             {"name": "fade", "alphaMode": "BLEND", "pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 1}}},
             {"name": "plain"}],
            [{"name": "color image", "uri": data_uri(color)}, {"uri": data_uri(rough)}, {"uri": "bumps.png"}],
            [{"name": "color", "source": 0, "sampler": 0}, {"source": 1}, {"source": 2, "sampler": 1}, {"source": 0, "sampler": 2}],
            [{"magFilter": 9728, "minFilter": 9987, "wrapS": 33071, "wrapT": 33648}, {"minFilter": 9985}, {"magFilter": 9729, "minFilter": 9728, "wrapS": 33648, "wrapT": 33648}])

    def test_everything_that_has_a_place_comes_back(self):
        gltf = self.rich()
        gltf.json["extensionsUsed"] = ["KHR_materials_emissive_strength"]
        path = gltf.save(self.path("rich.gltf"))
        for between in ("middle.g4b", "middle.g4tf"):
            with self.subTest(between=between):
                after, losses = self.there_and_back(path, between)
                self.assertEqual(after.materials, Gltf(path).materials)
                self.assertNotIn("texture", losses.replace("texture coordinates", ""))
                self.assertEqual(len(after.json["images"]), 3)  # an image that two textures share is stored once

    def test_images_of_views_whose_numbers_have_a_fraction_of_zero(self):
        gltf = textured([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0.0}}}], [{"bufferView": 0.0, "mimeType": "image/png"}], [{"source": 0.0}])
        image = png(4, 2, seed=1)
        gltf.json["images"][0]["bufferView"] = float(gltf.view(image))
        for view in gltf.json["bufferViews"]:
            view.update({name: float(view[name]) for name in ("buffer", "byteOffset", "byteLength") if name in view})
        after, losses = self.there_and_back(gltf.save(self.path("real.gltf")))
        self.assertNotIn("image", losses)
        self.assertEqual(after.bytes_of(after.json["images"][0]), image)
        info = json.loads(self.succeeds("validate", self.path("real.gltf"), "--format", "json").out)["info"]
        self.assertEqual(info["resources"][-1]["image"]["width"], 4)

    def test_g4mf_has_the_size_and_the_file_of_each_image(self):
        middle = self.path("middle.g4tf")
        self.succeeds("convert", self.rich().save(self.path("rich.gltf")), middle, "-q")
        textures = json.loads(Path(middle).read_text(encoding="utf-8"))["textures"]
        self.assertEqual([texture["size"] for texture in textures], [[4, 2], [8, 4], [2, 2], [4, 2]])
        self.assertEqual([len(texture["placeholder"]) for texture in textures], [4, 3, 3, 4])
        self.assertEqual({texture["images"][0]["mimeType"] for texture in textures}, {"image/png"})

    def test_what_has_no_place_is_a_loss_with_its_pointer(self):
        color = {"uri": data_uri(png(1, 1))}
        other = {"index": 0, "texCoord": 1}
        moved = {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}}
        plain = {"baseColorTexture": {"index": 1}}
        materials = [{"pbrMetallicRoughness": plain, "normalTexture": other}, {"pbrMetallicRoughness": plain, "emissiveTexture": moved}, {"occlusionTexture": {"index": 0}},
                     {"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}, {"pbrMetallicRoughness": {"baseColorTexture": {"index": 2}}}]
        gltf = textured(materials, [color, {"uri": "absent.png"}, {"uri": "data:image/png;base64,bm90IGEgcGljdHVyZQ=="}],
                        [{"source": 0}, {"source": 1}, {"source": 2}])
        gltf.json["extensionsUsed"] = ["KHR_texture_transform"]
        after, losses = self.there_and_back(gltf.save(self.path("poor.gltf")))
        for pointer in ("/materials/0/normalTexture", "/materials/1/emissiveTexture", "/materials/2/occlusionTexture", "/images/1", "/images/2"):
            self.assertIn(pointer + ":", losses)
        self.assertNotIn("textures", after.json)

    def test_g4mf_textures_that_glTF_cannot_store(self):
        middle = self.path("middle.g4tf")
        self.succeeds("convert", self.rich().save(self.path("rich.gltf")), middle, "-q")
        good = json.loads(Path(middle).read_text(encoding="utf-8"))
        wrong = [lambda j: j["textures"][0].update(size=[1, 1, 2]), lambda j: j["textures"][0].update(images=[]),
                 lambda j: j["textures"][0].update(images=[{"uri": "absent.png", "mimeType": "image/png"}]),
                 lambda j: j["meshes"][0]["surfaces"][0].pop("textureMap"),
                 lambda j: j["materials"][0]["extras"].update(glTF={"alphaMode": 3, "alphaCutoff": -1, "doubleSided": "yes"})]
        for i, change in enumerate(wrong):
            with self.subTest(change=i):
                broken = json.loads(json.dumps(good))
                change(broken)
                Path(middle).write_text(json.dumps(broken), encoding="utf-8")
                ran = sinew("convert", middle, self.path("end.glb"))
                self.assertEqual(ran.status, DONE, str(ran))
                self.assertTrue(i == 4 or "texture" in ran.err or "image" in ran.err, ran.err)
                self.succeeds("validate", self.path("end.glb"), "-q")

    def test_texture_coordinates_are_baked(self):
        """The map of a material is the one that its textures use: another set, moved, turned and scaled, here by hand."""
        offset, scale, turn = np.array([0.25, -0.5]), np.array([2, 0.5]), 0.3
        info = {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": list(offset), "scale": list(scale), "rotation": turn}}}
        gltf = textured([{"pbrMetallicRoughness": {"baseColorTexture": info}, "emissiveTexture": info}], [{"uri": data_uri(png(1, 1))}], [{"source": 0}])
        gltf.json["extensionsUsed"] = ["KHR_texture_transform"]
        after, losses = self.there_and_back(gltf.save(self.path("moved.gltf")))
        self.assertNotIn("the texture is lost", losses)
        [material] = after.json["materials"]
        self.assertEqual(material["pbrMetallicRoughness"]["baseColorTexture"], {"index": 0})
        self.assertEqual(material["emissiveTexture"], {"index": 0})
        u, v = np.array([[0, 0], [1, 0], [0, 2]]).T * scale[:, None]
        wanted = np.array([np.cos(turn) * u + np.sin(turn) * v + offset[0], np.cos(turn) * v - np.sin(turn) * u + offset[1]]).T
        [primitive] = after.json["meshes"][0]["primitives"]
        np.testing.assert_allclose(after.rows(primitive["attributes"]["TEXCOORD_0"], 2), wanted, atol=1e-6)

    def test_colours_of_vertices(self):
        """G4MF has them in the material. Two surfaces that share one get a copy, which is gone on the way back."""
        gltf = Builder()
        position = gltf.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), bounds=True)
        colors = [np.array(rows, "<f4") for rows in ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 1, 1, 0.5], [0, 0, 0, 1], [0.5, 0.25, 0, 0]])]
        paint = [gltf.accessor(rows) for rows in colors]
        primitives = [{"attributes": {"POSITION": position}, "material": 0}, {"attributes": {"POSITION": position, "COLOR_0": paint[0]}, "material": 0},
                      {"attributes": {"POSITION": position, "COLOR_0": paint[1]}, "material": 0}, {"attributes": {"POSITION": position, "COLOR_0": paint[1]}}]
        gltf.json.update({"materials": [{"name": "cloth", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.5, 1]}}], "meshes": [{"primitives": primitives}],
                          "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0})
        path = gltf.save(self.path("painted.glb"))
        for revision in ("2025-08", "2026-01", "2026-07"):
            with self.subTest(revision=revision):
                middle = self.path(f"{revision}.g4tf")
                self.succeeds("convert", path, middle, "--revision", revision, "-q")
                self.succeeds("validate", middle, "-q")
                end = self.path("end.glb")
                self.assertNotIn("lost", self.succeeds("convert", middle, end).err)
                after = Gltf(end)
                self.assertEqual(after.materials, Gltf(path).materials)
                back = after.json["meshes"][0]["primitives"]
                self.assertEqual([primitive.get("material") for primitive in back], [0, 0, 0, None])
                self.assertNotIn("COLOR_0", back[0]["attributes"])
                for primitive, rows in zip(back[1:], (colors[0], colors[1], colors[1])):
                    np.testing.assert_array_equal(after.rows(primitive["attributes"]["COLOR_0"], rows.shape[1]), rows)

    def test_cameras_and_lights(self):
        """Also at a node that has a mesh, which in G4MF needs a node more, and at bones; equal ones are one again."""
        lights = [{"type": "spot", "name": "Beam", "color": [1, 0.5, 0.25], "intensity": 30, "range": 8, "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
                  {"type": "directional", "intensity": 2}, {"type": "point", "intensity": 1}]
        gltf = textured([{}], [], [])
        for key in ("textures", "images"):
            del gltf.json[key]
        gltf.json["cameras"] = [{"name": "Front", "type": "perspective", "perspective": {"yfov": 0.75, "znear": 0.125, "aspectRatio": 1.5}},
                                {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1.25, "znear": 0, "zfar": 50}}]
        gltf.json["extensions"] = {"KHR_lights_punctual": {"lights": lights}}
        gltf.json["extensionsUsed"] = ["KHR_lights_punctual"]
        lit = [{"extensions": {"KHR_lights_punctual": {"light": k}}} for k in range(3)]
        gltf.json["nodes"] = [{"name": "Quad", "mesh": 0, "camera": 0}, {"name": "Eye", "camera": 1, **lit[0]}, {"name": "Sun", **lit[1]}, {"name": "Lamp", "camera": 0, **lit[2]}]
        gltf.json["scenes"] = [{"nodes": [0, 1, 2, 3]}]
        path = gltf.save(self.path("seen.glb"))
        for revision in ("2025-08", "2026-01", "2026-07"):
            with self.subTest(revision=revision):
                middle, end = self.path(f"{revision}.g4tf"), self.path("end.glb")
                self.succeeds("convert", path, middle, "--revision", revision, "-q")
                self.succeeds("validate", middle, "-q")
                self.succeeds("convert", middle, end)
                self.succeeds("validate", end, "-q")
                before, after = gltf.json, Gltf(end).json
                self.assertEqual([node.get("name") for node in after["nodes"]], ["Quad", "Eye", "Sun", "Lamp"])
                own = after["extensions"]["KHR_lights_punctual"]["lights"]
                self.assertEqual((len(after["cameras"]), len(own)), (2, 3))
                for old, new in zip(before["nodes"], after["nodes"]):
                    self.assertEqual("camera" in old, "camera" in new)
                    if "camera" in old:
                        self.assertEqual(after["cameras"][new["camera"]], before["cameras"][old["camera"]])
                    light = old.get("extensions", {}).get("KHR_lights_punctual")
                    if light:
                        self.assertEqual(own[new["extensions"]["KHR_lights_punctual"]["light"]], lights[light["light"]])
        unused = {**gltf.json, "nodes": gltf.json["nodes"][:1], "scenes": [{"nodes": [0]}]}
        gltf.json = unused
        losses = self.succeeds("convert", gltf.save(self.path("unused.glb")), self.path("u.g4tf")).err
        for pointer in ("/cameras/1:", "/extensions/KHR_lights_punctual/lights/0:"):
            self.assertIn(pointer, losses)

    def test_real_files(self):
        models = [(name, path) for name, path in corpus_models() if str(path).endswith((".glb", ".gltf"))]
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        images = 0
        for name, path in models:
            with self.subTest(model=name):
                before = Gltf(path)
                after, losses = self.there_and_back(path)
                wanted = before.materials
                for material in wanted:
                    if material["occlusion"] and (not material["rough"] or material["occlusion"][2] != material["rough"][2]):
                        material["occlusion"] = None
                        self.assertIn("occlusion texture is lost", losses)
                self.assertEqual(after.materials, wanted)
                images += len(before.json.get("images", []))
        self.assertGreaterEqual(images, 2)


if __name__ == "__main__":
    main()
