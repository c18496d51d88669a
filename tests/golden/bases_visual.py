# SPDX-License-Identifier: MIT
"""Small valid glTF files with visible content: materials, textures, images, cameras, lights."""
import base64
import struct
import zlib

from bases_gltf import floats, triangle


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=1, height=1, extra=b""):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = (b"\0" + b"\xff\0\0" * width) * height
    return b"\x89PNG\r\n\x1a\n" + header + extra + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def webp():
    """One red pixel."""
    return base64.b64decode("UklGRhwAAABXRUJQVlA4TA8AAAAv/8AfAAcQ/Y/+ByKi/wEA")


def uri(data, media_type="image/png"):
    return f"data:{media_type};base64," + base64.b64encode(data).decode()


def seen():
    """The triangle with normals, tangents, texture coordinates, and a material with a texture."""
    file = triangle()
    for name, kind, values in (
        ("NORMAL", "VEC3", (0, 0, 1) * 3),
        ("TANGENT", "VEC4", (1, 0, 0, 1) * 3),
        ("TEXCOORD_0", "VEC2", (0, 0, 1, 0, 0, 1)),
    ):
        offset = file.append(floats(*values))
        file.json["bufferViews"].append({"buffer": 0, "byteOffset": offset, "byteLength": 4 * len(values), "target": 34962})
        file.json["accessors"].append({"bufferView": len(file.json["bufferViews"]) - 1, "componentType": 5126, "count": 3, "type": kind})
        primitive(file)["attributes"][name] = len(file.json["accessors"]) - 1
    primitive(file)["material"] = 0
    file.json["materials"] = [{"normalTexture": {"index": 0}}]
    file.json["textures"] = [{"source": 0}]
    file.json["images"] = [{"uri": uri(png())}]
    return file


def primitive(file):
    return file.json["meshes"][0]["primitives"][0]


def material(file):
    return file.json["materials"][0]


def extended(name, value=None):
    """The same with an extension of the material."""

    def make():
        file = seen()
        file.json["extensionsUsed"] = [name]
        material(file)["extensions"] = {name: {} if value is None else dict(value)}
        return file

    return make


def extension(file):
    return next(iter(material(file)["extensions"].values()))


def filmed(kind="perspective"):
    """The triangle with a camera."""
    file = triangle()
    shape = {"yfov": 1, "znear": 0.1, "zfar": 10} if kind == "perspective" else {"xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 10}
    file.json["cameras"] = [{"type": kind, kind: shape}]
    file.json["nodes"][0]["camera"] = 0
    return file


def filmed_flat():
    return filmed("orthographic")


def lit(light=None):
    """The triangle with a light."""

    def make():
        file = triangle()
        file.json["extensionsUsed"] = ["KHR_lights_punctual"]
        file.json["extensions"] = {"KHR_lights_punctual": {"lights": [dict(light or {"type": "point"})]}}
        file.json["nodes"][0]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        return file

    return make
