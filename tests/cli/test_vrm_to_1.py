# SPDX-License-Identifier: MIT
"""`sinew convert --vrm 1.0`: VRM 0.x becomes VRM 1.0."""
import copy
import glob
import io
import json
import os
import struct
import zlib

import numpy as np

from program import DONE, INPUT, SETTINGS, UNSUPPORTED, USAGE, ProgramTest, in_parallel, main, sinew

import vrm_builder
from gltf_builder import morphed_quad
from gltf_oracle import Document, Evaluator, evaluate
from vrm_migration import Migration

OPTIONS = ("--vrm", "1.0", "--accept-vrm-license")
MESH = len(vrm_builder.BONES)
NUMBER = {name: i for i, (name, _, _) in enumerate(vrm_builder.BONES)}
TURN = np.array([-1, 1, -1])


def png(color):
    rows = b"".join(b"\0" + bytes(color) * 2 for _ in range(2))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def facing_back(seed=1):
    """The figure of vrm_builder turned to -Z, as VRM 0.x has it: left is at -X."""
    b = vrm_builder.figure(seed=seed)
    for node in b.json["nodes"]:
        if "translation" in node:
            node["translation"] = [x * s for x, s in zip(node["translation"], TURN.tolist())]
    document = b.json
    for accessor in document["accessors"]:
        if accessor["type"] not in ("VEC3", "MAT4"):
            continue
        view = document["bufferViews"][accessor["bufferView"]]
        rows = np.frombuffer(b.blob, "<f4", accessor["count"] * (3 if accessor["type"] == "VEC3" else 16), view["byteOffset"])
        rows = rows.reshape(accessor["count"], -1) * np.array([-1, 1, -1] if accessor["type"] == "VEC3" else [1] * 12 + [-1, 1, -1, 1], "<f4")
        b.blob[view["byteOffset"]:view["byteOffset"] + rows.nbytes] = rows.astype("<f4").tobytes()
        if "min" in accessor:
            accessor["min"], accessor["max"] = rows.min(0).tolist(), rows.max(0).tolist()
    return b


def material(name, shader="VRM/MToon", queue=2000, floats=None, vectors=None, textures=None):
    return {"name": name, "shader": shader, "renderQueue": queue, "floatProperties": floats or {}, "vectorProperties": vectors or {},
            "textureProperties": textures or {}, "keywordMap": {}, "tagMap": {}}


MATERIALS = [
    material("skin", floats={"_BlendMode": 1, "_Cutoff": 0.4, "_ShadeShift": -0.2, "_ShadeToony": 0.7, "_CullMode": 0, "_BumpScale": 0.5,
                             "_IndirectLightIntensity": 0.3, "_RimFresnelPower": 3, "_RimLift": 0.1, "_OutlineWidthMode": 1, "_OutlineWidth": 0.3,
                             "_OutlineColorMode": 1, "_OutlineLightingMix": 0.6, "_UvAnimScrollX": 0.1, "_UvAnimScrollY": 0.2, "_UvAnimRotation": 0.25},
             vectors={"_Color": [0.8, 0.4, 0.2, 1], "_ShadeColor": [0.5, 0.3, 0.1, 1], "_EmissionColor": [3, 1.5, 0, 1], "_RimColor": [0.2, 0.1, 0, 1],
                      "_OutlineColor": [0.1, 0.2, 0.3, 1], "_MainTex": [0.25, 0.125, 0.5, 0.25]},
             textures={"_MainTex": 0, "_ShadeTexture": 1, "_BumpMap": 2, "_EmissionMap": 1, "_SphereAdd": 2, "_RimTexture": 0, "_OutlineWidthTexture": 1,
                       "_UvAnimMaskTexture": 2}),
    material("glass", queue=3001, floats={"_BlendMode": 2, "_OutlineWidthMode": 2}, textures={"_MainTex": 0}),
    material("veil", queue=3000, floats={"_BlendMode": 2}),
    material("hair", queue=2502, floats={"_BlendMode": 3}),
    material("lash", queue=2501, floats={"_BlendMode": 3}),
    material("plain", "VRM_USE_GLTFSHADER"),
    material("sign", "VRM/UnlitCutout", floats={"_Cutoff": 0.25}, textures={"_MainTex": 1}),
    material("glow", "VRM/UnlitTransparentZWrite", 2503, textures={"_MainTex": 1}),
]


def rich(seed=1):
    """A VRM 0.x avatar with all that the format has, in the form that programs write."""
    b = facing_back(seed)
    document = b.json
    nodes = document["nodes"]
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    normals = np.tile(vrm_builder.CORNERS / np.linalg.norm(vrm_builder.CORNERS[0]), (len(vrm_builder.BONES), 1)).astype("<f4")
    attributes["NORMAL"] = b.accessor(normals, target=34962)
    attributes["TEXCOORD_0"] = b.accessor(np.abs(normals[:, :2]), target=34962)
    chain = {}
    for name, parent, at in (("hair a", "head", [0, 0.1, 0.05]), ("hair b", "hair a", [0, -0.1, 0.02]), ("hair c", "hair b", [0, -0.1, 0]),
                             ("hair d", "hair b", [0.02, -0.1, 0]), ("ribbon", "chest", [0, 0, 0.1]), ("ribbon end", "ribbon", [0, 0, 0.1]),
                             ("thumb 1", "leftHand", [0, 0, -0.05]), ("thumb 2", "thumb 1", [-0.02, 0, -0.02])):
        number = b.add("nodes", {"name": name, "translation": at})
        nodes[chain.get(parent, NUMBER.get(parent))].setdefault("children", []).append(number)
        chain[name] = number
    second = b.add("nodes", {"name": "copy", "mesh": 0, "translation": [2, 0, 0.5], "rotation": [0, 0.6, 0, 0.8]})
    document["scenes"][0]["nodes"].append(second)
    for name in ("one", "two", "three"):
        view = b.view(png([40, 90, 200]))
        document["bufferViews"][view].pop("byteStride", None)
        b.add("images", {"name": name, "bufferView": view, "mimeType": "image/png"})
        b.add("textures", {"source": len(document["images"]) - 1})
    document["materials"] = [{"name": entry["name"]} for entry in MATERIALS]
    document["meshes"][0]["primitives"][0]["material"] = 0
    document["meshes"][0]["primitives"][0]["extras"] = {"targetNames": document["meshes"][0].pop("extras")["targetNames"]}
    document["meshes"][0]["primitives"] += [{**document["meshes"][0]["primitives"][0], "material": number} for number in range(1, len(MATERIALS))]
    group = lambda name, preset, *binds, **more: {"name": name, "presetName": preset, "binds": [{"mesh": 0, "index": i, "weight": w} for i, w in binds], **more}
    value = lambda name, prop, *target: {"materialName": name, "propertyName": prop, "targetValue": list(target)}
    document["extensionsUsed"] = ["VRM"]
    document["extensions"] = {"VRM": {
        "exporterVersion": "UniVRM-0.99", "specVersion": "0.0",
        "meta": {"title": "old figure", "version": "3", "author": "the tests", "contactInformation": "nobody", "reference": "a book", "texture": 1,
                 "allowedUserName": "ExplicitlyLicensedPerson", "violentUssageName": "Disallow", "sexualUssageName": "Allow", "commercialUssageName": "Allow",
                 "licenseName": "CC_BY", "otherPermissionUrl": "https://example.com/a", "otherLicenseUrl": "https://example.com/b"},
        "humanoid": {"armStretch": 0.05, "humanBones": [{"bone": name, "node": i, "useDefaultValues": True} for name, i in NUMBER.items()] +
                     [{"bone": "leftThumbProximal", "node": chain["thumb 1"]}, {"bone": "leftThumbIntermediate", "node": chain["thumb 2"]}, {"bone": "jaw", "node": -1}]},
        "firstPerson": {"firstPersonBone": NUMBER["head"], "firstPersonBoneOffset": {"x": 0.01, "y": 0.06, "z": 0.02}, "lookAtTypeName": "Bone",
                        "lookAtHorizontalInner": {"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 80, "yRange": 8}, "lookAtVerticalUp": {"xRange": 70, "yRange": 12},
                        "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "ThirdPersonOnly"}]},
        "blendShapeMaster": {"blendShapeGroups": [
            group("Joy", "joy", (0, 100), (1, 50), materialValues=[value("skin", "_Color", 1, 0.5, 0.5, 1), value("skin", "_MainTex_ST_S", 2, 1, 0.5, 0)]),
            group("A", "a", (3, 100), isBinary=True), group("Surprised", "unknown", (2, 40)), group("Wink hard", "unknown", (2, 25)),
            group("Blink_L", "Blink_L", (2, 100)),
            group("Glow", "unknown", materialValues=[value("glass", "_EmissionColor", 1, 1, 0, 1), value("glass", "_MainTex_ST", 1, 0.5, 0, 0.25)])]},
        "secondaryAnimation": {
            "boneGroups": [{"comment": "hair", "bones": [chain["hair a"]], "center": -1, "colliderGroups": [1], "stiffiness": 0.6, "gravityPower": 0.5,
                            "gravityDir": {"x": 0.6, "y": -0.8, "z": 0}, "dragForce": 0.3, "hitRadius": 0.02},
                           {"comment": "", "bones": [chain["ribbon"]], "center": NUMBER["hips"], "colliderGroups": [0, 1], "stiffiness": 1, "gravityPower": 0,
                            "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.5, "hitRadius": 0}],
            "colliderGroups": [{"node": NUMBER["hips"], "colliders": []},
                               {"node": NUMBER["head"], "colliders": [{"offset": {"x": 0.01, "y": 0.05, "z": -0.02}, "radius": 0.1}, {"offset": {"x": 0, "y": 0, "z": 0}, "radius": 0.05}]}]},
        "materialProperties": copy.deepcopy(MATERIALS)}}
    return b


def animate(b):
    """A clip that turns the hips and an arm and moves the root, with a cubic spline and normalised rotations."""
    times = b.accessor(np.array([0, 0.5, 1], "<f4"), bounds=True)
    turns = np.array([[0, 0, 0, 1], [0.36, 0.48, 0, 0.8], [0, 0, 0.6, 0.8]])
    small = b.accessor((turns * 32767).round().astype("<i2"), normalized=True)
    moved = b.accessor(np.array([[0, 1, 0], [0.5, 1.2, -0.25], [0.1, 1, 0.75]], "<f4"))
    cubic = b.accessor(np.array([[0, 0, 0, 0], turns[0], [0.2, 0.1, 0.3, 0], [0.1, 0, 0, 0], turns[1], [0, 0.1, 0, 0], [0, 0, 0, 0], turns[2], [0, 0, 0, 0]], "<f4"))
    b.add("animations", {"name": "wave", "samplers": [{"input": times, "output": small}, {"input": times, "output": moved}, {"input": times, "output": cubic, "interpolation": "CUBICSPLINE"}],
                         "channels": [{"sampler": 0, "target": {"node": NUMBER["chest"], "path": "rotation"}}, {"sampler": 1, "target": {"node": 0, "path": "translation"}},
                                      {"sampler": 2, "target": {"node": NUMBER["leftUpperArm"], "path": "rotation"}}]})
    return b


def close(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return abs(a - b) <= 1e-6
    return a == b


class ToVrm1(ProgramTest):
    def same(self, seen, wanted, what=""):
        self.assertTrue(close(seen, wanted), f"{what}\n seen   {json.dumps(seen)}\n wanted {json.dumps(wanted)}")

    def converted(self, path, *options):
        out = self.path("out.vrm")
        ran = self.succeeds("convert", path, out, *OPTIONS, *options)
        report = json.loads(sinew("validate", out, "--format", "json").out)
        bad = [f for f in report["issues"]["messages"] + report.get("modelIssues", {}).get("messages", []) if f["severity"] == 0]
        self.assertEqual(bad, [])
        return Document(out), ran

    def turned(self, before, after, **moment):
        """Every vertex of the new file is that of the old one, turned."""
        for attribute in ("position", "normal"):
            old, new = (evaluate(path, attribute=attribute, **moment) for path in (before, after))
            self.assertEqual(len(old), len(new))
            for a, b in zip(old, new):
                if a is not None:
                    np.testing.assert_allclose(np.asarray(b), np.asarray(a) * TURN, atol=2e-5)

    def test_only_the_owner_can_agree(self):
        model, out = rich().save(self.path("in.glb")), self.path("out.vrm")
        self.fails(USAGE, "convert", model, out, "--vrm", "1.0", says=("https://vrm.dev/licenses/1.0/", "--accept-vrm-license", "nothing was written"))
        self.assertFalse(os.path.exists(out))
        self.fails(USAGE, "convert", model, out, "--accept-vrm-license", says="--vrm 1.0")
        self.fails(USAGE, "convert", model, out, "--vrm", "2.0")
        self.fails(USAGE, "convert", model, self.path("out.g4b"), *OPTIONS, says=".vrm")
        self.fails(USAGE, "convert", model, out, *OPTIONS, "--project", says="--vrm")
        self.fails(INPUT, "convert", self.path("absent.vrm"), out, "--vrm", "1.0")

    def test_all_parts(self):
        path = animate(rich()).save(self.path("in.glb"))
        before, (after, ran) = Document(path).json, self.converted(path)
        expected, new = Migration(before), after.json["extensions"]["VRMC_vrm"]
        self.assertNotIn("VRM", after.json["extensions"])
        self.assertEqual(sorted(after.json["extensionsUsed"]), sorted(set(after.json["extensionsUsed"])))
        self.assertNotIn("VRM", after.json["extensionsUsed"])
        self.assertEqual(new["specVersion"], "1.0")
        self.same(new["meta"], expected.meta(), "meta")
        self.same(new["humanoid"]["humanBones"], expected.bones(), "bones")
        self.assertIn("leftThumbMetacarpal", expected.bones())
        self.same(new["lookAt"], expected.look_at(), "lookAt")
        self.same(new["firstPerson"]["meshAnnotations"], expected.first_person(), "firstPerson")
        self.assertEqual(len(expected.first_person()), 2)
        self.same(new["expressions"], expected.expressions(), "expressions")
        self.assertEqual(after.json["meshes"][0]["extras"]["targetNames"], [f"shape {i}" for i in range(4)])
        self.springs_are(before, after.json, expected)
        self.materials_are(after.json, expected)
        self.assertIn("CC_BY", ran.err)
        self.turned(path, self.path("out.vrm"))
        for time in (0.2, 0.75):
            self.turned(path, self.path("out.vrm"), animation=0, time=time)

    def springs_are(self, before, after, expected):
        wanted, new = expected.springs(), after["extensions"]["VRMC_springBone"]
        self.same([{"node": c["node"], **c["shape"]["sphere"]} for c in new["colliders"]], wanted["colliders"], "colliders")
        self.assertEqual([group["colliders"] for group in new["colliderGroups"]], wanted["groups"])
        self.assertEqual(len(new["springs"]), len(wanted["springs"]))
        self.assertEqual(len(wanted["springs"]), 3)  # the branch of the hair is a chain of its own
        known = len(before["nodes"])
        for spring, chain in zip(new["springs"], wanted["springs"]):
            self.assertEqual(spring["name"], chain["name"])
            *joints, (_, last) = chain["joints"]
            self.assertEqual([joint["node"] for joint in spring["joints"][:-1]], joints)
            end = spring["joints"][-1]["node"]
            self.assertGreaterEqual(end, known)
            self.assertIn(end, after["nodes"][last]["children"])
            self.assertEqual(after["nodes"][end]["name"], before["nodes"][last]["name"] + "_end")
            self.same(after["nodes"][end]["translation"], expected.end(last), "end")
            for joint in spring["joints"]:
                self.same({key: value for key, value in joint.items() if key != "node"}, chain["joint"], "joint")
            self.assertEqual(spring.get("colliderGroups", []), chain["colliderGroups"])
            self.assertEqual(spring.get("center", -1), chain["center"])

    def materials_are(self, after, expected):
        orders, toons = expected.orders(), 0
        for number, (new, entry) in enumerate(zip(after["materials"], MATERIALS)):
            extensions = new.get("extensions", {})
            self.assertEqual(new["name"], entry["name"])
            if entry["shader"] != "VRM/MToon":
                continue
            core, toon = expected.toon(entry, orders[number])
            self.same(extensions["VRMC_materials_mtoon"], toon, entry["name"])
            base = new["pbrMetallicRoughness"]
            seen = {key: base.get(key) for key in ("baseColorFactor", "baseColorTexture")}
            seen |= {key: new.get(key) for key in ("alphaMode", "alphaCutoff", "doubleSided", "emissiveFactor", "emissiveTexture", "normalTexture")}
            seen["emissiveStrength"] = extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
            self.same(seen, core, entry["name"])
            self.assertIn("KHR_materials_unlit", extensions)
            toons += 1
        self.assertEqual(toons, 5)
        self.assertEqual(orders[1:5], [0, -1, 1, 0])
        self.assertNotIn("extensions", after["materials"][5])
        sign, glow = after["materials"][6:]
        self.assertEqual((sign["alphaMode"], sign["alphaCutoff"], list(sign["extensions"])), ("MASK", 0.25, ["KHR_materials_unlit"]))
        self.assertEqual(sign["pbrMetallicRoughness"]["baseColorTexture"], {"index": 1})
        self.assertEqual(glow["pbrMetallicRoughness"]["baseColorFactor"], [0, 0, 0, 1])
        self.assertEqual((glow["emissiveFactor"], glow["emissiveTexture"]), ([1, 1, 1], {"index": 1}))
        self.assertTrue(glow["extensions"]["VRMC_materials_mtoon"]["transparentWithZWrite"])
        self.assertEqual(glow["extensions"]["VRMC_materials_mtoon"]["renderQueueOffsetNumber"], orders[7])

    def test_expressions_move_the_same_vertices(self):
        path = rich().save(self.path("in.glb"))
        self.converted(path)
        names = ["happy", "aa", "surprised", "blinkLeft", "Wink hard"]
        for name in names:
            old, new = (self.deform(model, "--expression", f"{'Surprised' if name == 'surprised' and model == path else name}=1") for model in (path, self.path("out.vrm")))
            np.testing.assert_allclose(new, old * TURN, atol=2e-6, err_msg=name)
            self.assertGreater(np.abs(old - self.deform(path)).max(), 1e-3)

    def test_real_avatars(self):
        found = sorted(glob.glob(os.path.join(SETTINGS.shared or "", "real", "vrm0_*", "*.vrm")))
        if not found:
            self.skipTest("the shared folder is absent")
        for path in found:
            after, _ = self.converted(path)
            before = Document(path).json
            expected = Migration(before)
            new = after.json["extensions"]["VRMC_vrm"]
            self.same(new["meta"], expected.meta(), path)
            self.same(new["humanoid"]["humanBones"], expected.bones(), path)
            old, now = self.deform(path), self.deform(self.path("out.vrm"))
            np.testing.assert_allclose(now, old * TURN, atol=1e-6)
            worlds = [Evaluator(Document(each)).globals(Evaluator(Document(each)).pose()) for each in (path, self.path("out.vrm"))]
            for bone in expected.bones().values():
                np.testing.assert_allclose(worlds[1][bone["node"]][:3, 3], worlds[0][bone["node"]][:3, 3] * TURN, atol=1e-9)
            ran = self.succeeds("convert", path, self.path("again.vrm"), *OPTIONS, "--json", "--max-error", "1e-6")
            self.assertIn("no vertex moved", ran.err)

    def test_cameras_lights_and_rotated_nodes(self):
        b = rich()
        b.json["nodes"][NUMBER["head"]]["rotation"] = [0.36, 0.48, 0, 0.8]
        b.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
        b.json["nodes"][NUMBER["head"]]["camera"] = 0
        lamp = b.add("nodes", {"matrix": [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1], "extensions": {"KHR_lights_punctual": {"light": 0}}})
        b.json["scenes"][0]["nodes"].append(lamp)
        b.json["extensions"]["KHR_lights_punctual"] = {"lights": [{"type": "directional"}]}
        b.json["extensionsUsed"].append("KHR_lights_punctual")
        path = b.save(self.path("in.glb"))
        after, _ = self.converted(path)
        place = {}
        for which, document in (("before", Document(path)), ("after", after)):
            worlds = Evaluator(document).globals(Evaluator(document).pose())
            holders = [n for n, node in enumerate(document.json["nodes"]) if "camera" in node or "KHR_lights_punctual" in node.get("extensions", {})]
            self.assertEqual(len(holders), 2)
            place[which] = [worlds[n] for n in sorted(holders, key=lambda n: "camera" in document.json["nodes"][n])]
        turn = np.diag([-1, 1, -1, 1])
        for old, new in zip(place["before"], place["after"]):
            np.testing.assert_allclose(new, turn @ old, atol=1e-6)
        self.turned(path, self.path("out.vrm"))

    def test_skin_without_matrices(self):
        b = rich()
        del b.json["skins"][0]["inverseBindMatrices"]
        path = b.save(self.path("in.glb"))
        self.converted(path)
        self.turned(path, self.path("out.vrm"))

    def test_offsets_of_normals_and_sparse_and_small_integers(self):
        b = rich()
        primitive = b.json["meshes"][0]["primitives"][0]
        del b.json["meshes"][0]["primitives"][1:]
        count = b.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
        rng = np.random.default_rng(3)
        normals = rng.normal(0, 1, (count, 3))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        primitive["attributes"]["NORMAL"] = b.accessor((normals * 127).round().astype("<i1"), normalized=True, target=34962)
        tangents = np.concatenate([np.roll(normals, 1, 1), np.ones((count, 1))], 1).astype("<f4")
        primitive["attributes"]["TANGENT"] = b.accessor(tangents, target=34962)
        lowest = np.full((count, 3), -32768, "<i2")  # has no negative value in its type
        for number, target in enumerate(primitive["targets"]):
            target["NORMAL"] = b.accessor(rng.normal(0, 0.1, (count, 3)).astype("<f4"), target=34962)
            if number == 1:
                sparse = np.zeros((count, 3), "<f4")
                sparse[::7] = 0.01
                target["POSITION"] = b.sparse(sparse, bounds=True)
            if number == 2:
                target["POSITION"] = b.accessor(lowest, normalized=True, bounds=True, target=34962)
        b.json["extensionsUsed"].append("KHR_mesh_quantization")
        b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
        b.json["nodes"][MESH]["weights"] = [0.3, 0.5, 0.25, 0.75]
        path = b.save(self.path("in.glb"))
        after, _ = self.converted(path)
        self.turned(path, self.path("out.vrm"))
        made = after.values(after.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"])
        np.testing.assert_allclose(made, tangents * [-1, 1, -1, 1], atol=1e-7)
        self.assertIn("sparse", after.json["accessors"][after.json["meshes"][0]["primitives"][0]["targets"][1]["POSITION"]])

    def test_newer_files_are_copied(self):
        model = vrm_builder.vrm1(vrm_builder.figure()).save(self.path("new.glb"))
        ran = self.succeeds("convert", model, self.path("out.glb"), "--vrm", "1.0")
        self.assertIn("VRM 1.0 already", ran.err)
        self.assertEqual(Document(model).json, Document(self.path("out.glb")).json)
        plain = morphed_quad().save(self.path("plain.glb"))
        self.fails(UNSUPPORTED, "convert", plain, self.path("no.vrm"), *OPTIONS, says="found no VRM 0.x")
        self.assertFalse(os.path.exists(self.path("no.vrm")))

    def test_broken_references(self):
        def broken(change):
            b = rich()
            change(b.json, b.json["extensions"]["VRM"])
            return b
        group = lambda vrm, i=0: vrm["blendShapeMaster"]["blendShapeGroups"][i]
        springs = lambda vrm: vrm["secondaryAnimation"]
        cases = {
            "/meta/texture": lambda doc, vrm: vrm["meta"].update(texture=99),
            "/humanoid/humanBones/3/node": lambda doc, vrm: vrm["humanoid"]["humanBones"][3].update(node=99),
            "/blendShapeGroups/0/binds/0/mesh": lambda doc, vrm: group(vrm)["binds"][0].update(mesh=1),
            "/blendShapeGroups/0/binds/1/index": lambda doc, vrm: group(vrm)["binds"][1].update(index=4),
            "/firstPerson/firstPersonBone": lambda doc, vrm: vrm["firstPerson"].update(firstPersonBone=1000),
            "/firstPerson/meshAnnotations/0/mesh": lambda doc, vrm: vrm["firstPerson"]["meshAnnotations"][0].update(mesh=-2),
            "/boneGroups/0/bones/0": lambda doc, vrm: springs(vrm)["boneGroups"][0].update(bones=[1000]),
            "/boneGroups/0/colliderGroups/0": lambda doc, vrm: springs(vrm)["boneGroups"][0].update(colliderGroups=[2]),
            "/boneGroups/1/center": lambda doc, vrm: springs(vrm)["boneGroups"][1].update(center=1.5),
            "/secondaryAnimation/colliderGroups/1/node": lambda doc, vrm: springs(vrm)["colliderGroups"][1].update(node="1"),
            "/materialProperties/0/textureProperties/_RimTexture": lambda doc, vrm: vrm["materialProperties"][0]["textureProperties"].update(_RimTexture=3),
            "/humanoid": lambda doc, vrm: vrm["humanoid"]["humanBones"].pop(0),
            "/extensions/VRM": lambda doc, vrm: vrm.pop("humanoid"),
        }
        for number, (pointer, change) in enumerate(cases.items()):
            path, out = broken(change).save(self.path(f"in{number}.glb")), self.path(f"out{number}.vrm")
            ran = self.fails(INPUT, "convert", path, out, *OPTIONS, says=(pointer, "nothing was written"))
            self.assertFalse(os.path.exists(out), str(ran))

    def test_missing_parts(self):
        """Each part may be absent; what VRM 1.0 requires is filled in, and said."""
        for part in ("firstPerson", "blendShapeMaster", "secondaryAnimation", "materialProperties", "meta", "exporterVersion", "specVersion"):
            b = rich()
            del b.json["extensions"]["VRM"][part]
            after, ran = self.converted(b.save(self.path("in.glb")))
            self.assertEqual("VRMC_springBone" in after.json["extensions"], part != "secondaryAnimation")
            new = after.json["extensions"]["VRMC_vrm"]
            self.assertEqual("expressions" in new, part != "blendShapeMaster")
            self.assertEqual("lookAt" in new, part != "firstPerson")
            if part == "meta":
                self.assertEqual((new["meta"]["name"], new["meta"]["authors"]), ("in", ["unknown"]))
                self.assertIn("has no author", ran.err)

    def test_losses_are_listed(self):
        b = rich()
        vrm = b.json["extensions"]["VRM"]
        vrm["firstPerson"]["lookAtHorizontalInner"]["curve"] = [0, 0, 0, 0, 1, 1, 0, 0]
        vrm["firstPerson"]["firstPersonBone"] = NUMBER["neck"]
        vrm["humanoid"]["legStretch"] = 0.2
        vrm["humanoid"]["humanBones"].append({"bone": "hips", "node": 3})
        vrm["humanoid"]["humanBones"].append({"bone": "leftIndexDistal", "node": 5})
        groups = vrm["blendShapeMaster"]["blendShapeGroups"]
        groups.append({"name": "Other joy", "presetName": "joy"})
        groups[0]["materialValues"] += [{"materialName": "none", "propertyName": "_Color", "targetValue": [1, 1, 1, 1]},
                                        {"materialName": "skin", "propertyName": "_Cutoff", "targetValue": [1]}]
        b.json["meshes"].append(copy.deepcopy(b.json["meshes"][0]))
        groups[0]["binds"].append({"mesh": 1, "index": 0, "weight": 100})
        vrm["secondaryAnimation"]["boneGroups"].append({"comment": "twice", "bones": [vrm["secondaryAnimation"]["boneGroups"][0]["bones"][0]]})
        vrm["secondaryAnimation"]["boneGroups"][0]["center"] = NUMBER["leftHand"]
        vrm["materialProperties"].pop()
        vrm["materialProperties"][0]["floatProperties"].update(_CullMode=1, _LightColorAttenuation=0.5)
        path = b.save(self.path("in.glb"))
        ran = self.succeeds("convert", path, self.path("out.vrm"), *OPTIONS, "--json", "--loss", self.path("losses.json"))
        report = json.loads(ran.out)
        with open(self.path("losses.json"), encoding="utf-8") as file:
            told = "\n".join(entry["pointer"] + " " + entry["what"] for entry in json.load(file))
        for text in ("curve of the look", "always the head", "stretch and twist", 'the bone "hips"', 'the bone "leftIndexDistal"', '"Other joy"', 'the name "none"',
                     '"_Cutoff"', "no node has its mesh", "in one chain only", "the center is lost", "7 entries, expected 8", "_LightColorAttenuation, _RimLightingMix, _CullMode (front)",
                     '"CC_BY"'):
            self.assertIn(text, told)
        self.assertGreater(len(report["changes"]), 10)
        self.converted(path)
        self.assertEqual(sinew("convert", path, self.path("no.vrm"), *OPTIONS, "--fail-on", "loss").status, 1)
        self.assertFalse(os.path.exists(self.path("no.vrm")))

    def test_many_files(self):
        for name in ("one", "two"):
            rich().save(self.path(name + ".glb"))
        os.mkdir(self.path("new"))
        self.succeeds("convert", self.path("one.glb"), self.path("two.glb"), "--output", self.path("new"), "--to", "vrm", *OPTIONS)
        self.assertEqual(sorted(os.listdir(self.path("new"))), ["one.vrm", "two.vrm"])


if __name__ == "__main__":
    main()
