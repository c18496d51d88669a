# SPDX-License-Identifier: MIT
"""Makes bombs: small files, valid or nearly, whose counts multiply to much work or memory.

`named(scale)` has the attacks of docs/robustness.md, one function each; `repeated(scale)` takes one model of each format and
repeats each thing that it lists: nodes, primitives, targets, channels, joints, accessors, … `scale` 1 is the whole attack.
"""
import copy
import json
import random
import struct
import zlib

import numpy as np

import g4mf_builder
import g4mf_rich
from gltf_builder import Builder, glb_bytes, morphed_quad, tutorial_skin

NAMED = {}
MAT4 = np.eye(4, dtype="<f4").reshape(1, 16)


def bomb(function):
    NAMED[function.__name__] = function
    return function


def glb(builder, text=None):
    document = dict(builder.json)
    if builder.blob:
        document.setdefault("buffers", [{"byteLength": len(builder.blob)}])
    if text is None:
        return ".glb", glb_bytes(document, bytes(builder.blob))
    text = text(json.dumps(document)).encode()
    text += b" " * (-len(text) % 4)
    blob = bytes(builder.blob) + b"\0" * (-len(builder.blob) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(blob), 0x004E4942) + blob
    return ".glb", struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


# Pictures


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, between=b""):
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + width * 3)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + between + png_chunk(b"IDAT", data) + png_chunk(b"IEND", b"")


def zeros(size):
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def webp(width, height):
    """A lossless picture of one colour: each of its five codes has one symbol, so a pixel takes no bit."""
    bits, count = 0, 0
    for value, size in ((0x2F, 8), (width - 1, 14), (height - 1, 14), (0, 1), (0, 3), (0, 1), (0, 1), (0, 1), *[(1, 1), (0, 1), (0, 1), (0, 1)] * 5):
        bits |= value << count
        count += size
    data = bits.to_bytes(-(-count // 8) + 2, "little")
    data += b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", 12 + len(data)) + b"WEBP" + b"VP8L" + struct.pack("<I", len(data)) + data


def jpeg(width, height, scans):
    """A progressive grey picture: one scan of the mean values, then `scans` that say with one code for 32,767 blocks that nothing is there."""
    blocks = -(-width // 8) * -(-height // 8)
    out = bytearray(b"\xff\xd8\xff\xdb\0\x43\0" + b"\1" * 64)
    out += b"\xff\xc2\0\x0b\x08" + struct.pack(">HH", height, width) + b"\1\1\x11\0"
    out += b"\xff\xc4\0\x14\0" + b"\1" + b"\0" * 15 + b"\0"  # DC: the code 0 says "no difference"
    out += b"\xff\xc4\0\x15\x10" + b"\1\1" + b"\0" * 14 + b"\xe0\x00"  # AC: the code 0 starts a run of 2^14 blocks and more, 10 ends one block
    out += b"\xff\xda\0\x08\1\1\0\0\0\0" + b"\0" * (-(-blocks // 8))
    text, left = "", blocks
    while left >= 1 << 14:
        run = min(left, 32767)
        text += "0" + format(run - (1 << 14), "014b")
        left -= run
    text += "10" * left
    text += "1" * (-len(text) % 8)
    body = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")
    for k in range(scans):
        at = 1 + k % 63
        out += b"\xff\xda\0\x08\1\1\0" + bytes((at, at, 0)) + body
    return bytes(out + b"\xff\xd9")


def pictured(data, images=1, mime="image/png", materials=1, textures=None):
    b = morphed_quad()
    view = b.view(data)
    for _ in range(images):
        b.add("images", {"bufferView": view, "mimeType": mime})
    for i in range(textures or images):
        b.add("textures", {"source": i % images} if mime != "image/webp" else {"extensions": {"EXT_texture_webp": {"source": i % images}}})
    if mime == "image/webp":
        b.json["extensionsUsed"] = ["EXT_texture_webp"]
    first = b.json["meshes"][0]["primitives"][0]
    b.json["meshes"][0]["primitives"] = []
    for i in range(materials):
        b.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": i % len(b.json["textures"])}}})
        b.json["meshes"][0]["primitives"].append({**first, "material": i})
    return glb(b)


@bomb
def large_png(s):
    return pictured(png(16000, int(8192 * s)))


@bomb
def large_jpeg(s):
    return pictured(jpeg(16000, int(8192 * s), 2), mime="image/jpeg")


@bomb
def large_webp(s):
    return pictured(webp(16000, int(8192 * s)), mime="image/webp")


@bomb
def png_with_large_text(s):
    text = zeros(7 << 20)  # libpng skips texts above 8,000,000 bytes
    return pictured(png(4, 4, (png_chunk(b"zTXt", b"Comment\0\0" + text) + png_chunk(b"iTXt", b"Comment\0\1\0\0\0" + text)) * int(400 * s)))


@bomb
def png_with_large_profile(s):
    return pictured(png(4, 4, png_chunk(b"iCCP", b"profile\0\0" + zeros(int((1 << 30) * s)))))


@bomb
def one_picture_in_many_images(s):
    return pictured(png(1024, 1024), int(2000 * s), materials=int(2000 * s))


@bomb
def jpeg_of_500_scans(s):
    return pictured(jpeg(4096, 4096, int(500 * s)), mime="image/jpeg")


# Draco


def draco(points, attributes):
    """A sequential mesh of one triangle: every attribute is coded by a symbol that always follows, so its values take no bit."""
    def varint(value):
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out) + bytes([value])

    out = b"DRACO\x02\x02\x01\x00\0\0" + varint(1) + varint(points) + b"\1"  # indices as they are
    out += b"\0\1\2" if points < 256 else struct.pack("<HHH", 0, 1, 2) if points < 65536 else b"\0\1\2" if points < 1 << 21 else struct.pack("<III", 0, 1, 2)
    out += b"\1" + varint(attributes)
    for i in range(attributes):
        out += bytes((0 if i == 0 else 4, 9, 3, 0)) + varint(i)  # float, three components
    out += b"\1" * attributes  # integers
    for _ in range(attributes):  # no prediction; symbols, raw, one of them with the whole probability
        out += b"\xfe\1\1\1" + varint(1) + bytes([0x02 | (4096 & 63) << 2 & 0xFF]) + bytes([4096 >> 6]) + varint(4) + struct.pack("<I", 0)
    return out


def draco_model(points, attributes):
    b = Builder()
    view = b.view(draco(points, attributes))
    b.add("accessors", {"componentType": 5126, "count": points, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]})
    b.add("accessors", {"componentType": 5125, "count": 3, "type": "SCALAR"})
    named = {"POSITION": 0}
    b.add("meshes", {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "extensions": {"KHR_draco_mesh_compression": {"bufferView": view, "attributes": named}}}]})
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    b.json["scenes"] = [{"nodes": [b.add("nodes", {"mesh": 0})]}]
    return glb(b)


@bomb
def draco_of_many_points(s):
    return draco_model(int(4e7 * s), 1)


@bomb
def draco_of_many_attributes(s):
    return draco_model(int(60000 * s), 200)


# Products of counts


def triangle(b, indices=True, vertices=3):
    places = np.resize(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), (vertices, 3))
    primitive = {"attributes": {"POSITION": b.accessor(places, bounds=True)}}
    if indices:
        primitive["indices"] = b.accessor(np.arange(vertices // 3 * 3, dtype="<u2"))
    return primitive


def one_mesh(b, *primitives):
    b.add("meshes", {"primitives": list(primitives)})
    return glb(in_scene(b, [{"mesh": 0}]))


def in_scene(b, nodes):
    b.json["nodes"] = nodes
    b.json["scenes"] = [{"nodes": list(range(len(nodes)))}]
    b.json["scene"] = 0
    return b


@bomb
def targets_over_one_accessor(s):
    b = Builder()
    primitive = triangle(b)
    primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}] * int(60000 * s)
    b.add("meshes", {"primitives": [primitive]})
    return glb(in_scene(b, [{"mesh": 0}] * int(30000 * s)))


@bomb
def primitives_over_one_accessor(s):
    b = Builder()
    b.add("meshes", {"primitives": [triangle(b, vertices=3000)] * int(30000 * s)})
    return glb(in_scene(b, [{"mesh": 0}]))


@bomb
def wrong_values_in_many_primitives(s):
    """Tangents without a length, weights without a sum and triangles without an area, which all primitives share."""
    b = Builder()
    count = 300_000
    zeros = b.accessor(np.zeros((count, 4), "<f4"))
    attributes = {"POSITION": b.accessor(np.zeros((count, 3), "<f4"), bounds=True), "NORMAL": b.accessor(np.zeros((count, 3), "<f4")), "TANGENT": zeros,
                  "JOINTS_0": b.accessor(np.zeros((count, 4), "u1")), "WEIGHTS_0": zeros}
    b.add("meshes", {"primitives": [{"attributes": attributes, "indices": b.accessor(np.zeros(count, "<u4"))}] * int(2000 * s)})
    b.add("skins", {"joints": [1]})
    b.add("nodes", {"mesh": 0, "skin": 0})
    b.add("nodes", {})
    b.add("scenes", {"nodes": [0, 1]})
    return glb(b)


@bomb
def nodes_times_primitives(s):
    b = Builder()
    b.add("meshes", {"primitives": [triangle(b)] * int(20000 * s)})
    return glb(in_scene(b, [{"mesh": 0}] * int(20000 * s)))


@bomb
def instances_of_one_mesh(s):
    b = Builder()
    b.add("meshes", {"primitives": [triangle(b)]})
    return glb(in_scene(b, [{"mesh": 0}] * int(40000 * s)))


@bomb
def moving_instances_of_one_mesh(s):
    b = Builder()
    count = int(20000 * s)
    b.add("meshes", {"primitives": [triangle(b)]})
    sampler = {"input": b.accessor(np.array([0, 1], "<f4"), bounds=True), "output": b.accessor(np.array([[0, 0, 0], [1, 0, 0]], "<f4"))}
    channels = [{"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(count)]
    b.add("animations", {"samplers": [sampler], "channels": channels})
    return glb(in_scene(b, [{"mesh": 0}] * count))


@bomb
def accessors_over_one_view(s):
    b = morphed_quad()
    view = b.view(np.zeros((3000, 3), "<f4").tobytes())
    first = b.json["meshes"][0]["primitives"][0]
    first.pop("targets", None)
    parts = b.json["meshes"][0]["primitives"] = []
    b.json["meshes"][0].pop("weights", None)
    b.json.pop("animations", None)
    for i in range(int(10000 * s)):
        at = b.add("accessors", {"bufferView": view, "componentType": 5126, "count": 3000, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]})
        parts.append({"attributes": {"POSITION": at}, "mode": 0})
    return glb(b)


@bomb
def channels_over_one_view(s):
    b = tutorial_skin()
    keys = b.accessor(np.arange(1000, dtype="<f4"), bounds=True)
    moves = b.accessor(np.zeros((1000, 3), "<f4"))
    count = int(20000 * s)
    first = len(b.json["nodes"])
    b.json["nodes"] += [{} for _ in range(count)]
    b.json["scenes"][0]["nodes"] += range(first, first + count)
    channels = [{"sampler": 0, "target": {"node": first + i, "path": "translation"}} for i in range(count)]
    b.json["animations"] = [{"samplers": [{"input": keys, "output": moves}], "channels": channels}]
    return glb(b)


@bomb
def animations_over_one_view(s):
    b = tutorial_skin()
    b.json["animations"] = b.json["animations"] * int(20000 * s)
    return glb(b)


@bomb
def long_name_in_many_instances(s):
    b = Builder()
    b.add("meshes", {"name": "M" * 500_000, "primitives": [triangle(b)]})
    return glb(in_scene(b, [{"mesh": 0}] * int(20000 * s)))


@bomb
def repeated_key(s):
    return glb(tutorial_skin(), lambda text: text[:-1] + ", " + ", ".join(['"extras": 0'] * int(1e5 * s)) + "}")


@bomb
def many_keys(s):
    return glb(tutorial_skin(), lambda text: text[:-1] + ", " + ", ".join(f'"k{i}": 0' for i in range(int(1e5 * s))) + "}")


@bomb
def repeated_key_g4mf(s):
    text = g4mf_rich.rich().text().decode().rstrip()[:-1].rstrip()
    return ".g4tf", (text + ", " + ", ".join(['"extras": 0'] * int(1e5 * s)) + "}").encode()


@bomb
def lights_times_extension(s):
    b = tutorial_skin()
    count = int(30000 * s)
    b.json["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point"}] * count}}
    b.json["extensionsUsed"] = ["KHR_lights_punctual"]
    first = len(b.json["nodes"])
    b.json["nodes"] += [{"extensions": {"KHR_lights_punctual": {"light": i}}} for i in range(count)]
    b.json["scenes"][0]["nodes"] += range(first, first + count)
    return glb(b)


@bomb
def variants_times_extension(s):
    b = Builder()
    count = int(30000 * s)
    b.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": f"v{i}"} for i in range(count)]}}
    b.json["extensionsUsed"] = ["KHR_materials_variants"]
    b.add("materials", {})
    primitive = triangle(b)
    primitive["extensions"] = {"KHR_materials_variants": {"mappings": [{"material": 0, "variants": [i]} for i in range(count)]}}
    return one_mesh(b, primitive)


@bomb
def skins_times_nodes(s):
    b = tutorial_skin(clip=False)
    count = int(4000 * s)
    b.json["skins"] = [{"joints": [1, 2]} for _ in range(count)]
    first = len(b.json["nodes"])
    b.json["nodes"] += [{"mesh": 0, "skin": i % count} for i in range(2 * count)]
    b.json["scenes"][0]["nodes"] += range(first, first + 2 * count)
    return glb(b)


@bomb
def one_skin_of_many_joints_in_many_nodes(s):
    b = tutorial_skin(clip=False)
    count = int(3000 * s)
    first = len(b.json["nodes"])
    b.json["nodes"] += [{} for _ in range(count)]
    b.json["skins"] = [{"joints": list(range(first, first + count))}]
    b.json["scenes"][0]["nodes"] += range(first, first + count)
    b.json["scenes"][0]["nodes"] += range(first + count, first + 2 * count)
    b.json["nodes"] += [{"mesh": 0, "skin": 0} for _ in range(count)]
    return glb(b)


@bomb
def zero_accessor(s):
    b = Builder()
    at = b.add("accessors", {"componentType": 5126, "count": int(1e8 * s), "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]})
    b.add("meshes", {"primitives": [{"attributes": {"POSITION": at}, "mode": 0}]})
    return glb(in_scene(b, [{"mesh": 0}]))


@bomb
def many_zero_accessors(s):
    b = Builder()
    parts = []
    for _ in range(int(2000 * s)):
        at = b.add("accessors", {"componentType": 5126, "count": 200_000, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]})
        parts.append({"attributes": {"POSITION": at}, "mode": 0})
    b.add("meshes", {"primitives": parts})
    return glb(in_scene(b, [{"mesh": 0}]))


# G4MF


def grid(dimension, revision="2026-01"):
    return g4mf_builder.Builder(dimension, revision)


@bomb
def shapes_times_surfaces(s):
    b = grid(3)
    places = b.accessor("float32", np.zeros((3, 3)))
    simplexes = b.accessor("uint8", np.array([[0, 1, 2]]))
    b.mesh(places, [{"simplexes": simplexes}] * int(5000 * s),
           blendShapes=[{"name": f"b{i}", "vertices": b.target([0], [[0, 0, 1]]) if i == 0 else None} for i in range(1)])
    target = b.json["meshes"][0]["blendShapes"][0]["vertices"]
    b.json["meshes"][0]["blendShapes"] = [{"name": f"b{i}", "vertices": target} for i in range(int(5000 * s))]
    b.node(mesh=0)
    return ".g4b", b.binary()


@bomb
def surfaces_over_one_accessor(s):
    b = grid(3)
    places = b.accessor("float32", np.zeros((3, 3)))
    simplexes = b.accessor("uint16", np.zeros((3000, 3), int))
    b.mesh(places, [{"simplexes": simplexes}] * int(20000 * s))
    b.node(mesh=0)
    return ".g4b", b.binary()


def cross_polytope(b, dimension, cells):
    places = np.concatenate([np.eye(dimension), -np.eye(dimension)])
    chosen = np.random.default_rng(1).integers(0, 2, (cells, dimension)) * dimension + np.arange(dimension)
    places = b.accessor("float32", places)
    b.mesh(places, [{"simplexes": b.accessor("uint8", chosen)}])
    b.node(mesh=0)
    return ".g4b", b.binary()


@bomb
def cells_of_nine_dimensions(s):
    return cross_polytope(grid(9), 9, int(30000 * s))


@bomb
def cells_of_ten_dimensions(s):
    return cross_polytope(grid(10), 10, int(30000 * s))


@bomb
def polygon_of_16000_corners(s):
    b = Builder()
    count = int(16000 * s)
    angles = np.arange(count) * 2 * np.pi / count
    radius = 1 + 0.5 * (np.arange(count) % 2)
    places = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles], 1).astype("<f4")
    at = b.accessor(places, bounds=True)
    ngon = b.accessor(np.arange(count, dtype="<u2"))
    del ngon
    g = grid(3)
    place = g.accessor("float32", places)
    edges = np.stack([np.arange(count), (np.arange(count) + 1) % count], 1)
    simplexes = g.accessor("uint16", edges)
    facet = g.accessor("uint16", np.concatenate([[count], np.arange(count)]))
    g.mesh(place, [{"polytopeSimplexes": facet, "simplexes": simplexes}])
    g.node(mesh=0)
    del at
    return ".g4tf", g.text()


@bomb
def compressed_json_chunk(s):
    """32 KB of Zstandard, most of it blocks that repeat one space, for a gigabyte of JSON text."""
    size, count = 1 << 17, int(8000 * s)
    text = b'{"asset": {"dimension": 4}}'
    frame = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(text) + count * size) + (len(text) << 3).to_bytes(3, "little") + text
    frame += b"".join((size << 3 | 1 << 1 | (i == count - 1)).to_bytes(3, "little") + b" " for i in range(count))
    return ".g4b", g4mf_builder.g4b_bytes([g4mf_builder.chunk(b"JSON", frame, b"Zstd")])


# Long ways: counts that were multiplied with themselves or with a depth


def chain(b, length):
    """Nodes below each other; returns the index of the first."""
    first = len(b.json["nodes"])
    b.json["nodes"] += [{"children": [first + i + 1]} for i in range(length - 1)] + [{}]
    return first


@bomb
def set_of_a_large_number(s):
    b = Builder()
    primitive = triangle(b)
    primitive["attributes"]["TEXCOORD_4294967294"] = b.accessor(np.zeros((3, 2), "<f4"))
    return one_mesh(b, primitive)


@bomb
def many_texture_sets(s):
    b = Builder()
    primitive = triangle(b)
    values = b.accessor(np.zeros((3, 2), "<f4"))
    primitive["attributes"] |= {f"TEXCOORD_{i}": values for i in range(int(40000 * s))}
    return one_mesh(b, primitive)


@bomb
def many_textures(s):
    b = Builder()
    primitive = triangle(b)
    primitive["attributes"]["TEXCOORD_0"] = b.accessor(np.zeros((3, 2), "<f4"))
    count, view = int(15000 * s), b.view(png(4, 4))
    b.json["images"] = [{"bufferView": view, "mimeType": "image/png"}] * count
    b.json["textures"] = [{"source": i} for i in range(count)]
    b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(count)]
    b.add("meshes", {"primitives": [{**primitive, "material": i} for i in range(count)]})
    return glb(in_scene(b, [{"mesh": 0}]))


@bomb
def clips_over_many_keys(s):
    b = tutorial_skin(clip=False)
    keys = b.accessor(np.arange(20000, dtype="<f4"), bounds=True)
    moves = b.add("accessors", {"componentType": 5126, "count": 20000, "type": "VEC3"})
    clip = {"samplers": [{"input": keys, "output": moves}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]}
    b.json["animations"] = [clip] * int(500 * s)
    return glb(b)


@bomb
def moving_instances_below_each_other(s):
    b = Builder()
    b.add("meshes", {"primitives": [triangle(b)]})
    in_scene(b, [])
    count = int(4000 * s)
    b.json["scenes"][0]["nodes"] = [chain(b, count)]
    for node in b.json["nodes"]:
        node["mesh"] = 0
    sampler = {"input": b.accessor(np.arange(20, dtype="<f4"), bounds=True), "output": b.accessor(np.zeros((20, 3), "<f4"))}
    channels = [{"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(count)]
    b.json["animations"] = [{"samplers": [sampler], "channels": channels}] * 4
    return glb(b)


@bomb
def joints_below_a_chain(s):
    b = tutorial_skin(clip=False)
    first = chain(b, 4000)
    b.json["scenes"][0]["nodes"].append(first)
    leaves, count = len(b.json["nodes"]), int(2000 * s)
    b.json["nodes"][leaves - 1] = {"children": list(range(leaves, leaves + count))}
    b.json["nodes"] += [{}] * count
    b.json["skins"] = [{"joints": list(range(leaves, leaves + count))}] * 100
    b.json["nodes"] += [{"mesh": 0, "skin": i} for i in range(100)]
    b.json["scenes"][0]["nodes"] += range(leaves + count, leaves + count + 100)
    b.json["nodes"][0] = {}
    return glb(b)


@bomb
def joints_above_each_other(s):
    b = tutorial_skin(clip=False)
    count = int(4000 * s)
    first = chain(b, count)
    b.json["scenes"][0]["nodes"].append(first)
    b.json["skins"] = [{"joints": list(range(first + count - 1, first - 1, -1))}]
    return glb(b)


@bomb
def skinned_nodes_times_scenes(s):
    b = tutorial_skin(clip=False)
    first, count = len(b.json["nodes"]), int(1000 * s)
    b.json["nodes"] += [{"mesh": 0, "skin": 0}] * (2 * count)
    b.json["nodes"] += [{"children": [*range(first, first + 2 * count), 0]}, {"children": [1, first + 2 * count]}]
    b.json["scenes"] = [{"nodes": [first + 2 * count + 1]}] * count
    return glb(b)


@bomb
def meshes_of_one_primitive(s):
    b = Builder()
    count = int(10000 * s)
    b.json["meshes"] = [{"primitives": [triangle(b)]}] * count
    return glb(in_scene(b, [{"mesh": i} for i in range(count)]))


@bomb
def named_joints(s):
    b = Builder()
    primitive, count = triangle(b), int(60000 * s)
    primitive["attributes"] |= {"JOINTS_0": b.add("accessors", {"componentType": 5123, "count": 3, "type": "VEC4"}),
                                "WEIGHTS_0": b.accessor(np.tile(np.array([1, 0, 0, 0], "<f4"), (3, 1)))}
    b.add("meshes", {"primitives": [primitive]})
    in_scene(b, [{"name": f"joint {i}"} for i in range(count)])
    b.json["nodes"][0] |= {"mesh": 0, "skin": 0}
    b.json["skins"] = [{"joints": list(range(1, count))}]
    return glb(b)


@bomb
def skins_of_two_joints(s):
    b = tutorial_skin(clip=False)
    b.json["skins"] = [{"joints": [1, 2]}] * int(25000 * s)
    b.json["nodes"] += [{} for _ in range(int(125000 * s))]
    return glb(b)


@bomb
def meshes_with_group_names(s):
    b = g4mf_builder.Builder(3)
    b.node(name="Root")
    b.node(0, skeleton={"joints": [2]})
    b.node(1, bone={})
    places, triangles = b.accessor("float32", np.eye(3)), b.accessor("uint8", np.array([[0, 1, 2]]))
    skin = b.skin([[(0, 1.0)]] * 3)
    for _ in range(int(3000 * s)):
        b.mesh(places, [{"simplexes": triangles}], skin={**skin, "groupNames": ["bone"]})
        b.node(1, mesh=len(b.json["meshes"]) - 1)
    return ".g4b", b.binary()


# Pixels


def element_across_the_picture(mode, indices, s):
    b = Builder()
    places = np.array([[0, 0, 0], [8, 0, 0], [0, 6, 0], [8, 6, 0]], "<f4")
    drawn = np.tile(np.array(indices, "<u2"), int(1_000_000 * s) // len(indices))
    b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(places, bounds=True)}, "indices": b.accessor(drawn), "mode": mode}]})
    return glb(in_scene(b, [{"mesh": 0}]))


@bomb
def triangles_across_the_picture(s):
    return element_across_the_picture(4, [0, 1, 2, 1, 3, 2], s)


@bomb
def lines_across_the_picture(s):
    return element_across_the_picture(1, [0, 3, 1, 2], s)


# Merge and compare


@bomb
def small_pieces(s):
    b = Builder()
    count = int(1000 * s)
    for i in range(count):
        b.add("meshes", {"name": f"piece {i}", "primitives": [triangle(b)]})
    return glb(in_scene(b, [{"mesh": i} for i in range(count)]))


@bomb
def dense_sphere(s):
    b = Builder()
    count = int(40000 * s)
    k = np.arange(count) + 0.5
    polar, around = np.arccos(1 - 2 * k / count), np.pi * (1 + 5**0.5) * k
    places = np.stack([np.cos(around) * np.sin(polar), np.sin(around) * np.sin(polar), np.cos(polar)], 1).astype("<f4")
    primitive = {"attributes": {"POSITION": b.accessor(places, bounds=True)}, "mode": 0}
    return one_mesh(b, primitive)


def named(scale=1.0, only=None):
    """(name, suffix, bytes) of the attacks by name."""
    for name, function in NAMED.items():
        if only is None or name in only:
            yield (name, *function(scale))


# Generic: one list of a model, longer


def lists_of(value, at=()):
    """Every list of objects, numbers or lists in a document, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from lists_of(item, (*at, key))
    elif isinstance(value, list):
        if value and not all(isinstance(item, float) for item in value):
            yield at
        for index, item in enumerate(value[:2]):
            yield from lists_of(item, (*at, index))


def rich_gltf():
    b = tutorial_skin()
    face = morphed_quad()
    start, accessors = len(b.json["bufferViews"]), len(b.json["accessors"])
    offset = len(b.blob)
    for view in face.json["bufferViews"]:
        b.json["bufferViews"].append({**view, "byteOffset": view["byteOffset"] + offset})
    b.blob += face.blob
    for accessor in face.json["accessors"]:
        b.json["accessors"].append({**accessor, "bufferView": accessor["bufferView"] + start})
    primitive = copy.deepcopy(face.json["meshes"][0]["primitives"][0])
    primitive["attributes"] = {name: at + accessors for name, at in primitive["attributes"].items()}
    primitive["indices"] += accessors
    primitive["targets"] = [{name: at + accessors for name, at in target.items()} for target in primitive["targets"]]
    primitive["material"] = 0
    primitive["extensions"] = {"KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}}
    b.json["meshes"].append({**face.json["meshes"][0], "primitives": [primitive]})
    b.json["nodes"].append({"mesh": 1, "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}})
    b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)
    view = b.view(png(64, 64))
    b.json.update(images=[{"bufferView": view, "mimeType": "image/png"}], samplers=[{}], textures=[{"source": 0, "sampler": 0}],
                  materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
                  cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
                  extensionsUsed=["KHR_lights_punctual", "KHR_materials_variants"],
                  extensions={"KHR_lights_punctual": {"lights": [{"type": "point"}]}, "KHR_materials_variants": {"variants": [{"name": "v"}]}})
    return b


def repeated_in(document, pack, count, prefix, only):
    for path in sorted(lists_of(document), key=str):
        name = f"{prefix}:{'/'.join(map(str, path))}"
        if only is not None and name not in only:
            continue
        changed = copy.deepcopy(document)
        found = changed
        for step in path:
            found = found[step]
        found += [found[-1]] * (count - len(found))
        yield (name, *pack(changed))


def repeated(scale=1.0, only=None):
    """(name, suffix, bytes) of a model of each format, in which one list is long."""
    b = rich_gltf()
    document = {**b.json, "buffers": [{"byteLength": len(b.blob)}]}
    yield from repeated_in(document, lambda changed: (".glb", glb_bytes(changed, bytes(b.blob))), int(40000 * scale), "glTF", only)
    g = json.loads(g4mf_rich.rich().text())
    yield from repeated_in(g, lambda changed: (".g4tf", json.dumps(changed).encode()), int(40000 * scale), "G4MF", only)


def sample(items, count, seed=1):
    return random.Random(seed).sample(items, min(count, len(items)))
