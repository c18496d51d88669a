# SPDX-License-Identifier: MIT
"""Readers of vertex caches (PC2, MDD) and of vertex animation textures (PNG, OpenEXR), written from the descriptions of the formats alone.

They share no code with the program, accept only what a strict reader accepts, and fail on anything else.
"""
import json
import os
import struct
import zlib

import numpy as np

from gltf_oracle import Document


def read_pc2(path):
    """(frames, vertices, 3), start, sampling."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, vertices, start, sampling, frames = struct.unpack_from("<12siiffi", data)
    assert magic == b"POINTCACHE2\0" and version == 1 and frames > 0 and vertices >= 0
    assert len(data) == 32 + 12 * vertices * frames, (len(data), vertices, frames)
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, vertices, 3), start, sampling


def read_mdd(path):
    """(frames, vertices, 3), times."""
    with open(path, "rb") as file:
        data = file.read()
    frames, vertices = struct.unpack_from(">ii", data)
    assert len(data) == 8 + 4 * frames + 12 * vertices * frames, (len(data), vertices, frames)
    return np.frombuffer(data, ">f4", offset=8 + 4 * frames).reshape(frames, vertices, 3), np.frombuffer(data, ">f4", frames, 8)


def unfiltered(data, row_bytes, height, pixel):
    """PNG (W3C), section 9: filters 0 to 4."""
    rows, above = np.frombuffer(data, np.uint8).reshape(height, row_bytes + 1)[:, 1:].copy(), np.zeros(row_bytes, np.uint8)
    for kind, row in zip(data[::row_bytes + 1], rows):
        if kind == 1:
            np.cumsum(row.reshape(-1, pixel), axis=0, dtype=np.uint8, out=row.reshape(-1, pixel))
        elif kind == 2:
            row += above
        elif kind in (3, 4):  # each byte depends on the one before: lists are much faster than arrays
            line, higher = [0] * pixel + row.tolist(), [0] * pixel + above.tolist()
            for i in range(pixel, len(line)):
                left, up, corner = line[i - pixel], higher[i], higher[i - pixel]
                if kind == 3:
                    line[i] = (line[i] + (left + up) // 2) & 255
                    continue
                to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                near = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
                line[i] = (line[i] + near) & 255
            row[:] = line[pixel:]
        above = row
    return rows


def read_png(path):
    """(height, width, 3), integers as stored, and the largest value."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, kinds = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + body), "the checksum of a chunk"
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, bits, color, compression, filtering, interlace = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    # No gamma or colour profile: the values are data.
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and set(kinds) == {b"IHDR", b"IDAT", b"IEND"}, kinds
    assert (color, compression, filtering, interlace) == (2, 0, 0, 0) and bits in (8, 16)
    rows = unfiltered(zlib.decompress(packed), width * 3 * bits // 8, height, 3 * bits // 8)
    return rows.reshape(-1).view(">u2" if bits == 16 else np.uint8).reshape(height, width, 3), 2 ** bits - 1


def exr_attributes(data):
    at, attributes = 8, {}
    while data[at]:
        name, kind = data[at:data.index(b"\0", at)], None
        at += len(name) + 1
        kind = data[at:data.index(b"\0", at)]
        at += len(kind) + 1
        size, = struct.unpack_from("<i", data, at)
        attributes[name.decode()] = (kind.decode(), data[at + 4:at + 4 + size])
        at += 4 + size
    return attributes, at + 1


def read_exr(path):
    """(height, width, 3): single-part scanline files of half floats, uncompressed, ZIPS or ZIP (openexr.com, "OpenEXR File Layout")."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version = struct.unpack_from("<II", data)
    assert magic == 20000630 and version & 0xff == 2 and version & 0x1a00 == 0, hex(version)
    attributes, at = exr_attributes(data)
    assert {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio", "screenWindowCenter",
            "screenWindowWidth"} <= set(attributes)
    names, body = [], attributes["channels"][1]
    while body[0]:
        name = body[:body.index(b"\0")]
        kind, = struct.unpack_from("<i", body, len(name) + 1)
        assert kind == 1, "half floats"
        names.append(name.decode())
        body = body[len(name) + 1 + 16:]
    assert names == ["B", "G", "R"], names
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"][1])
    width, height = right - left + 1, bottom - top + 1
    lines = {0: 1, 2: 1, 3: 16}[attributes["compression"][1][0]]
    pixels = np.zeros((height, 3, width), np.float16)
    for offset in struct.unpack_from(f"<{-(-height // lines)}Q", data, at):
        first, size = struct.unpack_from("<ii", data, offset)
        packed = data[offset + 8:offset + 8 + size]
        count = min(lines, bottom - first + 1)
        if size < count * width * 6:
            steps = np.frombuffer(zlib.decompress(packed), np.uint8).astype(np.int64)
            steps[1:] -= 128
            summed = (np.cumsum(steps) & 255).astype(np.uint8)
            half = (len(summed) + 1) // 2
            values = np.zeros(len(summed), np.uint8)
            values[0::2], values[1::2] = summed[:half], summed[half:]
            packed = values.tobytes()
        pixels[first - top:first - top + count] = np.frombuffer(packed, "<f2").reshape(count, 3, width)
    return pixels[:, ::-1].transpose(0, 2, 1)


class Texture:
    """A baked texture in its folder: NAME.glb, NAME_vat, NAME_vnrm and NAME-remap_info.json."""

    def __init__(self, folder, name):
        with open(os.path.join(folder, f"{name}-remap_info.json"), encoding="utf-8") as file:
            self.sidecar = json.load(file)
        self.info = self.sidecar["sinew"]
        self.least, self.most = (np.array(self.sidecar["os-remap"][key], np.float32) for key in ("Min", "Max"))
        self.frames = self.sidecar["os-remap"]["Frames"]
        self.texels = self.read(os.path.join(folder, self.info["positions"]))
        self.normal_texels = self.read(os.path.join(folder, self.info["normals"])) if "normals" in self.info else None
        self.mesh = Document(os.path.join(folder, self.info["mesh"]))
        self.base, self.places = self.vertices()

    @staticmethod
    def read(path):
        if path.endswith(".exr"):
            return read_exr(path).astype(np.float32)
        stored, largest = read_png(path)
        return stored.astype(np.float32) / np.float32(largest)

    def vertices(self):
        """The positions of all instances of the mesh, and the texel (row, column) of each in the first frame."""
        positions, places = [], []
        height, width = self.texels.shape[:2]
        for root in self.mesh.json["scenes"][self.mesh.json.get("scene", 0)]["nodes"]:
            node = self.mesh.json["nodes"][root]
            if "mesh" not in node:
                continue
            assert not {"matrix", "translation", "rotation", "scale"} & set(node), "the mesh is in world space"
            for primitive in self.mesh.json["meshes"][node["mesh"]]["primitives"]:
                uv = self.mesh.values(primitive["attributes"][f"TEXCOORD_{self.info['texCoord']}"])
                positions.append(self.mesh.values(primitive["attributes"]["POSITION"]).astype(np.float32))
                cells = np.stack([uv[:, 1] * height, uv[:, 0] * width], 1)
                assert np.abs(cells - np.floor(cells) - 0.5).max() < 0.05, "coordinates are the middles of texels"
                places.append(np.floor(cells).astype(int))
        return np.concatenate(positions), np.concatenate(places)

    def texels_of(self, frame, texels):
        """Frame 0 is the first; v grows by one row per frame. In glTF's axes: x, z, −y."""
        found = texels[self.places[:, 0] + frame, self.places[:, 1]]
        return found

    @staticmethod
    def to_gltf(vectors):
        return np.stack([vectors[:, 0], vectors[:, 2], -vectors[:, 1]], 1)

    def positions(self, frame):
        """In float32, as a shader computes."""
        value = self.texels_of(frame, self.texels)
        return self.base + self.to_gltf(self.least + value * (self.most - self.least))

    def normals(self, frame):
        decoded = self.to_gltf(2 * self.texels_of(frame, self.normal_texels) - 1)
        return decoded / np.maximum(np.linalg.norm(decoded, axis=1, keepdims=True), 1e-30)

    def clips(self):
        """name → (first frame from 0, frames, frames per second)."""
        return {name: (row["startFrame"] - 1, row["endFrame"] - row["startFrame"] + 1, row["framerate"])
                for name, row in self.sidecar["animations"].items()}
