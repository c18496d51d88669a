# SPDX-License-Identifier: MIT
"""Bombs in which many objects name one large array, image or buffer. The array is zeros and costs no bytes: an accessor of glTF without a
view, or a frame of Zstandard (G4MF). Each function adds itself to bombs.NAMED; `s` 1 is the whole attack."""
import base64
import json
import struct

import numpy as np

import bombs
import g4mf_builder
from bomb_products import Zeros
from gltf_builder import Builder, glb_bytes

LARGE = 4_000_000


def g4mf(make, dimension=3):
    """`make(builder, zeros)` adds meshes and nodes; returns the suffix and the bytes of the file."""
    b = g4mf_builder.Builder(dimension)
    b.node(name="Root")
    document = {**b.json, "accessors": b.accessors, "bufferViews": b.views}
    places = b.accessor("float32", np.concatenate([np.zeros((1, dimension)), np.eye(dimension)]))
    cell = b.accessor("uint8", [tuple(range(dimension))])
    zeros = []

    def later(count, kind, width=1):
        """An accessor of zeros; its place in the buffer follows when all raw data is known."""
        document["accessors"].append({"bufferView": -1 - len(zeros), "componentType": kind, **({"vectorSize": width} if width != 1 else {})})
        zeros.append(count * width * g4mf_builder.SIZES[kind])
        return len(document["accessors"]) - 1

    make(b, document, later, places, cell)
    made = Zeros(document, bytes(b.data))
    views = []
    for size in zeros:
        made.length += -made.length % 16
        document["bufferViews"].append({"byteOffset": made.length, "byteLength": size})
        views.append(len(document["bufferViews"]) - 1)
        made.length += size
    for accessor in document["accessors"]:
        if accessor["bufferView"] < 0:
            accessor["bufferView"] = views[-1 - accessor["bufferView"]]
    document["buffers"] = [{"byteLength": made.length, "compression": "Zstd"}]
    text = g4mf_builder.json_text(document).encode()
    return ".g4b", g4mf_builder.g4b_bytes([g4mf_builder.chunk(b"JSON", text), g4mf_builder.chunk(b"BLOB", made.frame(), b"Zstd")])


def show(document, count=1):
    for mesh in range(count):
        document["nodes"].append({"meshInstance": {"mesh": mesh}})
        document["nodes"][0].setdefault("children", []).append(len(document["nodes"]) - 1)


@bombs.bomb
def image_per_material(s):
    """Materials name one texture, whose picture stands in a buffer of 48 MB."""
    def make(b, document, later, places, cell):
        picture = bombs.png(4, 4)
        b.views.append({"byteOffset": len(b.data), "byteLength": len(picture)})
        b.data += picture
        later(12 * LARGE, "uint8")
        document["meshes"] = [{"vertices": places, "surfaces": [{"simplexes": cell, "material": 0}]}]
        document["textures"] = [{"size": [4, 4], "images": [{"bufferView": len(b.views) - 1, "mimeType": "image/png"}]}]
        document["materials"] = [{"baseColor": {"texture": 0}}] * int(1000 * s)
        show(document)
    return g4mf(make)


@bombs.bomb
def meshes_over_one_accessor(s):
    def make(b, document, later, places, cell):
        document["meshes"] = [{"vertices": later(LARGE, "float32", 3), "surfaces": [{"simplexes": cell}]}] * int(200 * s)
        show(document)
    return g4mf(make)


@bombs.bomb
def offsets_in_many_meshes(s):
    def make(b, document, later, places, cell):
        position = {"indices": later(LARGE, "uint8"), "offsets": later(LARGE, "float32", 3)}
        document["meshes"] = [{"vertices": places, "surfaces": [{"simplexes": cell}], "blend": {"shapes": [{"position": position}]}}] * int(300 * s)
        show(document)
    return g4mf(make)


@bombs.bomb
def influences_in_many_meshes(s):
    def make(b, document, later, places, cell):
        skin = {"groups": later(LARGE, "uint8"), "vertices": later(LARGE, "uint8"), "weights": later(LARGE, "float32")}
        document["meshes"] = [{"vertices": places, "surfaces": [{"simplexes": cell}], "skin": skin}] * int(300 * s)
        document["nodes"] = [{"name": "Root", "children": [1]}, {"skeleton": {"joints": [2]}, "children": [2, 3]}, {"bone": {}}, {"meshInstance": {"mesh": 0}}]
    return g4mf(make)


@bombs.bomb
def normals_in_many_surfaces(s):
    def make(b, document, later, places, cell):
        document["meshes"] = [{"vertices": places, "surfaces": [{"simplexes": later(LARGE, "uint8", 3), "normals": later(LARGE, "float32", 3)}] * int(300 * s)}]
        show(document)
    return g4mf(make)


@bombs.bomb
def equal_times_in_many_clips(s):
    b = Builder()
    b.json["meshes"] = [{"primitives": [bombs.triangle(b)]}]
    times = b.add("accessors", {"componentType": 5126, "count": LARGE, "type": "SCALAR", "min": [0], "max": [0]})
    moves = b.add("accessors", {"componentType": 5126, "count": LARGE, "type": "VEC3"})
    clip = {"samplers": [{"input": times, "output": moves}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    b.json["animations"] = [clip] * int(300 * s)
    return bombs.glb(bombs.in_scene(b, [{"mesh": 0}]))


@bombs.bomb
def tangents_in_many_primitives(s):
    b = Builder()
    values = {name: b.add("accessors", {"componentType": 5126, "count": LARGE, "type": kind, **bounds}) for name, kind, bounds in (
        ("POSITION", "VEC3", {"min": [0, 0, 0], "max": [0, 0, 0]}), ("NORMAL", "VEC3", {}), ("TANGENT", "VEC4", {}))}
    b.json["meshes"] = [{"primitives": [{"attributes": values, "mode": 0}] * int(1000 * s)}]
    return bombs.glb(bombs.in_scene(b, [{"mesh": 0}]))


@bombs.bomb
def picture_in_a_text_file(s):
    """Materials name one image, which is text of a megabyte."""
    _, data = bombs.pictured(bombs.png(4, 4) + bytes(750_000), materials=int(2000 * s))
    document, blob = parts(data)
    view = document["bufferViews"][document["images"][0]["bufferView"]]
    start = view["byteOffset"]
    document["images"] = [{"uri": "data:image/png;base64," + base64.b64encode(blob[start : start + view["byteLength"]]).decode()}]
    view["byteLength"] = 4
    return ".glb", glb_bytes(document, blob)


def parts(data):
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), bytes(data[28 + size :])
