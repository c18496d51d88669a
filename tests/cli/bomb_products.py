# SPDX-License-Identifier: MIT
"""Makes small files (below 100 kB) in which two lists or counts are long, so that their product is large.

`products(only)` takes models of both formats: a rig with most things that glTF lists, avatars of VRM 1.0 and 0.x, and rigs of G4MF. In
each model it finds every list and every map of named objects, and knows arrays whose count costs no bytes (an accessor without a view,
zeros in a frame of Zstandard). It makes a file of each pair of these, each half of the file, and one of each alone. The last element of
a list is what the others refer to, and what is repeated; so a pair multiplies wherever a loop over one meets a loop over the other.
"""
import copy
import itertools
import json
import struct

import numpy as np

import bombs
import g4mf_builder
import g4mf_rich
import vrm_builder
from gltf_builder import glb_bytes

HALF = 36_000  # bytes of JSON for each of the two
LONG = 60_000  # elements of an array that costs no bytes
KEYS = 5_000  # times have to increase, so they cost bytes
IDENTIFIERS = ("joints", "children", "nodes", "variants", "colliders", "colliderGroups", "bones", "images", "extensionsUsed", "amounts", "weights", "geometry", "shapes")


# Models


def zeros(document, count, code, kind, **more):
    document["accessors"].append({"componentType": code, "count": count, "type": kind, **more})
    return len(document["accessors"]) - 1


def rig():
    """A skin, blend shapes, a textured material with variants, clips (one by pointers), copies, a sparse accessor, lights, a camera."""
    b = bombs.rich_gltf()
    face = len(b.json["meshes"]) - 1
    b.json["extensionsUsed"] += ["EXT_mesh_gpu_instancing", "KHR_animation_pointer", "KHR_node_visibility"]
    moves = b.accessor(np.zeros((2, 3), "<f4"))
    b.json["nodes"].append({"name": "copies", "mesh": face, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moves}}}})
    b.json["nodes"].append({"name": "skinned", "mesh": 0, "skin": 0})
    b.json["nodes"].append({"name": "face", "mesh": face, "extensions": {"KHR_lights_punctual": {"light": 0}}})
    b.json["scenes"][0]["nodes"] += range(len(b.json["nodes"]) - 3, len(b.json["nodes"]))
    keys, amounts = b.accessor(np.array([0, 1], "<f4"), bounds=True), b.accessor(np.zeros(4, "<f4"))
    colours = b.accessor(np.ones((2, 4), "<f4"))
    b.json["animations"].append({"name": "pointers", "samplers": [{"input": keys, "output": amounts}, {"input": keys, "output": colours}], "channels": [
        {"sampler": 0, "target": {"path": "weights", "node": len(b.json["nodes"]) - 1}},
        {"sampler": 1, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/baseColorFactor"}}}}]})
    b.json["accessors"].append({"componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0], "sparse": {
        "count": 1, "indices": {"bufferView": b.view(b"\0"), "componentType": 5121}, "values": {"bufferView": b.view(bytes(12))}}})
    b.json["meshes"][face]["primitives"][-1]["targets"][-1]["POSITION"] = len(b.json["accessors"]) - 1
    return b


def avatar():
    """VRM 1.0 with expressions of every bind, springs, colliders, constraints and MToon."""
    b = vrm_builder.figure()
    bind = {"node": len(vrm_builder.BONES), "index": 0, "weight": 1}
    view = b.view(bombs.png(64, 64))
    b.json.update(images=[{"bufferView": view, "mimeType": "image/png"}], textures=[{"source": 0}], materials=[
        {"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extensions": {"VRMC_materials_mtoon": {
            "specVersion": "1.0", "shadeMultiplyTexture": {"index": 0}}}}])
    b.json["meshes"][0]["primitives"][0]["material"] = 0
    expression = {"morphTargetBinds": [bind], "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 0, 0, 1]}],
                  "textureTransformBinds": [{"material": 0, "offset": [0.5, 0]}]}
    vrm_builder.vrm1(b, {"preset": {"happy": expression}, "custom": {"own": copy.deepcopy(expression)}})
    b.json["extensions"]["VRMC_vrm"]["firstPerson"] = {"meshAnnotations": [{"node": len(vrm_builder.BONES), "type": "auto"}]}
    b.json["extensionsUsed"] += ["VRMC_springBone", "VRMC_materials_mtoon"]
    b.json["extensions"]["VRMC_springBone"] = {
        "specVersion": "1.0", "colliders": [{"node": 0, "shape": {"sphere": {"offset": [0, 0, 0], "radius": 0.1}}}],
        "colliderGroups": [{"colliders": [0]}], "springs": [{"joints": [{"node": 0}, {"node": 1}], "colliderGroups": [0]}]}
    for name in ("follower", "follower too"):
        b.json["nodes"].append({"name": name})
        b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)
        vrm_builder.constrain(b, len(b.json["nodes"]) - 1, 1, "rotation", "X", 1)
    return b


def old_avatar():
    b = vrm_builder.figure()
    b.json["materials"] = [{"name": "skin"}]
    b.json["meshes"][0]["primitives"][0]["material"] = 0
    b.json["extensionsUsed"] = ["VRM"]
    bones = [{"bone": name, "node": i, "useDefaultValues": True} for i, (name, _, _) in enumerate(vrm_builder.BONES)]
    group = {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 100}],
             "materialValues": [{"materialName": "skin", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]}]}
    b.json["extensions"] = {"VRM": {
        "specVersion": "0.0", "meta": {"title": "figure"}, "humanoid": {"humanBones": bones}, "blendShapeMaster": {"blendShapeGroups": [group]},
        "firstPerson": {"meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}]},
        "secondaryAnimation": {"boneGroups": [{"bones": [0, 1], "colliderGroups": [0]}], "colliderGroups": [{"node": 0, "colliders": [{"radius": 0.1, "offset": {"x": 0, "y": 0, "z": 0}}]}]},
        "materialProperties": [{"name": "skin", "shader": "VRM/MToon", "vectorProperties": {"_Color": [1, 1, 1, 1]}}]}}
    return b


def g4mf_rig(dimension):
    """A skeleton, a skin with groups, blend shapes, a clip, surfaces with every attribute that needs no more than corners."""
    b = g4mf_builder.Builder(dimension)
    corners = np.concatenate([np.zeros((1, dimension)), np.eye(dimension)])
    cell = b.accessor("uint8", [tuple(range(dimension))])
    places = b.accessor("float32", corners)
    shape = {"name": "Bend", "position": b.target([1], [corners[1]])}
    surface = {"simplexes": cell, "edges": b.accessor("uint8", [(0, 1)]), "material": 0}
    for _ in range(2):
        b.mesh(places, [dict(surface), dict(surface)], name="Body", skin=b.skin([[(0, 0.5), (1, 0.5)]] * len(corners), groupNames=["a", "b"]),
               blend={"shapes": [dict(shape), dict(shape)], "amounts": [0.0, 0.5]})
    b.json["textures"] = [{"size": [2, 2], "images": [{"uri": "data:image/png;base64,", "mimeType": "image/png"}]}]
    b.json["materials"] = [{"name": "skin", "baseColor": {"factor": [1, 0, 0], "texture": 0}}]
    b.node(name="Root")
    b.node(0, name="Rig", skeleton={"joints": [2, 3]})
    b.node(1, name="a", bone={})
    b.node(2, name="b", bone={})
    for _ in range(2):
        b.node(1, name="Body", mesh=1)
    b.json["animations"] = [{"name": "turn", "channels": [{"target": f"/nodes/{node}/position", "samplers": [{"times": b.accessor("float32", [0, 1]), "values": b.accessor("float32", np.zeros((2, dimension)))}]}
                                                          for node in (2, 3)]}]
    return b


# Counts that cost few bytes. Each takes a document of glTF and its blob.


def replaced(document, holder, name, count, code, kind, **more):
    if name in holder:
        holder[name] = zeros(document, count, code, kind, **more)


def many_vertices(document, blob):
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            values = primitive["attributes"]
            for name, code, kind in (("POSITION", 5126, "VEC3"), ("NORMAL", 5126, "VEC3"), ("TANGENT", 5126, "VEC4"), ("TEXCOORD_0", 5126, "VEC2"),
                                     ("JOINTS_0", 5121, "VEC4"), ("WEIGHTS_0", 5126, "VEC4")):
                replaced(document, values, name, LONG, code, kind, **({"min": [0, 0, 0], "max": [0, 0, 0]} if name == "POSITION" else {}))
            for target in primitive.get("targets", []):
                for name in target:
                    replaced(document, target, name, LONG, 5126, "VEC3", min=[0, 0, 0], max=[0, 0, 0])


def many_indices(document, blob):
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            replaced(document, primitive, "indices", LONG // 3 * 3, 5123, "SCALAR")


def many_keys(document, blob):
    view = {"buffer": 0, "byteOffset": len(blob), "byteLength": 4 * KEYS}
    blob += np.arange(KEYS, dtype="<f4").tobytes()
    document["bufferViews"].append(view)
    for clip in document.get("animations", []):
        for sampler in clip["samplers"]:
            old = document["accessors"][sampler["output"]]
            per_key = old["count"] // max(1, document["accessors"][sampler["input"]]["count"])
            sampler["input"] = zeros(document, KEYS, 5126, "SCALAR", min=[0], max=[KEYS - 1], bufferView=len(document["bufferViews"]) - 1)
            sampler["output"] = zeros(document, KEYS * per_key, 5126, old["type"])


def many_copies(document, blob):
    for node in document["nodes"]:
        copies = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
        if copies:
            copies["attributes"] = {"TRANSLATION": zeros(document, LONG, 5126, "VEC3")}


def large_picture(document, blob):
    data = bombs.png(4096, 4096)
    for image in document.get("images", []):
        image["bufferView"] = len(document["bufferViews"])
    blob += bytes(-len(blob) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
    blob += data


COUNTS = {"vertices": many_vertices, "indices": many_indices, "keys": many_keys, "copies": many_copies, "picture": large_picture}


# The same for G4MF: the data of the file, then zeros in one frame of Zstandard.


class Zeros:
    def __init__(self, document, data):
        self.document, self.data, self.length = document, data, len(data)

    def accessor(self, count, kind, width=1):
        self.length += -self.length % 16
        size = count * width * g4mf_builder.SIZES[kind]
        self.document["bufferViews"].append({"byteOffset": self.length, "byteLength": size})
        self.length += size
        self.document["accessors"].append({"bufferView": len(self.document["bufferViews"]) - 1, "componentType": kind, "vectorSize": width})
        return len(self.document["accessors"]) - 1

    def frame(self):
        left = self.length - len(self.data)
        out = bytearray(b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", self.length) + (len(self.data) << 3 | (left == 0)).to_bytes(3, "little") + self.data)
        while left:
            block = min(left, 1 << 17)
            left -= block
            out += (block << 3 | 2 | (left == 0)).to_bytes(3, "little") + b"\0"
        return bytes(out)


def g4mf_vertices(document, made):
    n = document["asset"]["dimension"]
    places = made.accessor(LONG, "float32", n)
    for mesh in document["meshes"]:
        mesh["vertices"] = places


def g4mf_cells(document, made):
    cells = made.accessor(LONG, "uint8", document["asset"]["dimension"])
    edges = made.accessor(LONG, "uint8", 2)
    for mesh in document["meshes"]:
        for surface in mesh["surfaces"]:
            surface.update({"simplexes": cells, "edges": edges})


def g4mf_influences(document, made):
    parts = {"groups": made.accessor(LONG, "uint8"), "vertices": made.accessor(LONG, "uint8"), "weights": made.accessor(LONG, "float32")}
    for mesh in document["meshes"]:
        mesh["skin"].update(parts)


def g4mf_offsets(document, made):
    parts = {"indices": made.accessor(LONG, "uint8"), "offsets": made.accessor(LONG, "float32", document["asset"]["dimension"])}
    for mesh in document["meshes"]:
        for shape in mesh["blend"]["shapes"]:
            shape["position"] = dict(parts)


def g4mf_unused_bytes(document, made):
    made.accessor(10 * LONG, "float32")


G4MF_COUNTS = {"vertices": g4mf_vertices, "cells": g4mf_cells, "influences": g4mf_influences, "offsets": g4mf_offsets, "unused bytes": g4mf_unused_bytes}


# Pairs


def growable(document, at=()):
    """The paths of lists of objects or of references, and of maps of named objects."""
    if isinstance(document, dict):
        if at and at[-1] in ("custom", "attributes") and document:
            yield at
        for key, item in document.items():
            yield from growable(item, (*at, key))
    elif isinstance(document, list) and document:
        if isinstance(document[0], (dict, list)) or at[-1] in IDENTIFIERS:
            yield at
        yield from growable(document[-1], (*at, len(document) - 1))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def grow(document, path):
    """Makes a list or a map long. Nodes get a place in the tree, and each joint is a node of its own."""
    found = at(document, path)
    if isinstance(found, dict):
        name, item = list(found.items())[-1]
        first = "TEXCOORD_" if path[-1] == "attributes" else "n"
        found.update({f"{first}{i + 1}": copy.deepcopy(item) for i in range(HALF // (len(json.dumps(item)) + len(name) + 12))})
        return
    old, nodes = len(found), document["nodes"]
    first = len(nodes)
    if path[-1] == "joints":
        found += range(first, first + HALF // 16)
        nodes += [{} for _ in range(HALF // 16)]
    else:
        found += [copy.deepcopy(found[-1]) for _ in range(HALF // (len(json.dumps(found[-1])) + (8 if path == ("nodes",) else 2)))]
    if path == ("meshes",):  # shown by nodes
        nodes += [{"mesh": i} if "scenes" in document else {"meshInstance": {"mesh": i}} for i in range(old, len(found), 8)]
    roots = document["scenes"][0]["nodes"] if "scenes" in document else nodes[0].setdefault("children", [])
    roots += range(first, len(nodes)) if path != ("nodes",) else range(old, len(nodes))


SPREAD = (("nodes", "mesh", "meshes"), ("nodes", "skin", "skins"), ("nodes", "camera", "cameras"), ("textures", "source", "images"), ("textures", "sampler", "samplers"))


def spread(document):
    """Lets the elements of long lists refer to different ones of the other list, instead of all to one."""
    size = lambda name: max(1, len(document.get(name, [])))
    for holders, name, what in SPREAD:
        for i, holder in enumerate(document.get(holders, [])):
            if name in holder:
                holder[name] = (holder[name] + i) % size(what)
    for i, node in enumerate(document["nodes"]):
        if "meshInstance" in node:
            node["meshInstance"]["mesh"] = i % size("meshes")
    for i, material in enumerate(document.get("materials", [])):
        colour = material.get("baseColor", material.get("pbrMetallicRoughness", {}).get("baseColorTexture", {}))
        for name in {"texture", "index"} & colour.keys():
            colour[name] = i % size("textures")
    for mesh in document["meshes"]:
        for i, part in enumerate(mesh.get("primitives", mesh.get("surfaces", []))):
            if "material" in part:
                part["material"] = i % size("materials")
    for clip in document.get("animations", []):
        for i, channel in enumerate(clip["channels"]):
            target = channel["target"]
            if isinstance(target, str):
                channel["target"] = f"/nodes/{i % size('nodes')}/position"
            elif "node" in target:
                target["node"] = (target["node"] + i) % size("nodes")
            if "sampler" in channel:
                channel["sampler"] = (channel["sampler"] + i) % max(1, len(clip["samplers"]))


def made(document, blob, parts, counts, pack, wide):
    document, blob = copy.deepcopy(document), bytearray(blob)
    paths = [part for part in parts if not isinstance(part, str)]
    paths.sort(key=len, reverse=True)  # what is inside first, so that it is repeated
    return pack(document, blob, [counts[part] for part in parts if isinstance(part, str)], paths, spread if wide else lambda document: None)


def pack_gltf(document, blob, counts, paths, finish):
    for count in counts:
        count(document, blob)
    for path in paths:
        grow(document, path)
    finish(document)
    document["buffers"] = [{"byteLength": len(blob)}]
    return ".glb", glb_bytes(document, bytes(blob))


def pack_g4mf(document, blob, counts, paths, finish):
    zero = Zeros(document, bytes(blob))
    for count in counts:
        count(document, zero)
    for path in paths:
        grow(document, path)
    finish(document)
    document["buffers"] = [{"byteLength": zero.length, "compression": "Zstd"}]
    text = json.dumps(document).encode()
    return ".g4b", g4mf_builder.g4b_bytes([g4mf_builder.chunk(b"JSON", text), g4mf_builder.chunk(b"BLOB", zero.frame(), b"Zstd")])


def models():
    """(name, document, blob, counts, how to write it)."""
    for name, b in (("rig", rig()), ("avatar", avatar()), ("old avatar", old_avatar())):
        yield name, b.json, b.blob, COUNTS, pack_gltf
    for name, b in (("g4mf rig", g4mf_rig(3)), ("g4mf rig 4", g4mf_rig(4)), ("g4mf rich", g4mf_rich.rich())):
        yield name, {**b.json, "accessors": b.accessors, "bufferViews": b.views}, b.data, {} if name == "g4mf rich" else G4MF_COUNTS, pack_g4mf


def named(part):
    return part if isinstance(part, str) else "/".join(map(str, part))


def products(only=None, share=(0, 1)):
    """(name, suffix, bytes) of each list, count and pair of them; `share` (i, n): every n-th of them, from the i-th."""
    number = 0
    for model, document, blob, counts, pack in models():
        parts = [*counts, *dict.fromkeys(growable(document))]
        for pair in [*((part,) for part in parts), *itertools.combinations(parts, 2)]:
            for wide in (False, True):
                number += 1
                name = f"{model}: " + " x ".join(map(named, pair)) + (" (spread)" if wide else "")
                if (only is None or name in only) and number % share[1] == share[0]:
                    yield (name, *made(document, blob, pair, counts, pack, wide))


if __name__ == "__main__":
    for found in products():
        print(found[0], len(found[2]))
