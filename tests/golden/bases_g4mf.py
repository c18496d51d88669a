# SPDX-License-Identifier: MIT
"""Small valid G4MF files of the three revisions as bases of golden pairs, and edits that add defects."""
import struct

from golden import AUTO, File, case

LETTERS = {"float32": "f", "float64": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
           "int64": "q", "uint64": "Q"}


def pack(kind, values):
    return struct.pack(f"<{len(values)}{LETTERS[kind]}", *values)


def add_view(file, data):
    """Adds a separate buffer view for some bytes."""
    views = file.json.setdefault("bufferViews", [])
    views.append({"buffer": 0, "byteOffset": file.append(data, 16), "byteLength": len(data)})
    return len(views) - 1


def add(file, kind, values, width=1):
    """Adds an accessor with its own view."""
    old = file.json["asset"].get("version") == "2025-08"
    data = values if isinstance(values, bytes) else pack(kind, values)
    accessor = {"bufferView": add_view(file, data), "primitiveType" if old else "componentType": kind}
    if width != 1:
        accessor["vectorSize"] = width
    accessors = file.json.setdefault("accessors", [])
    accessors.append(accessor)
    return len(accessors) - 1


def start(dimension, revision, container="g4tf"):
    buffer = {"byteLength": 0} if container == "g4b" else {"uri": AUTO, "byteLength": 0}
    if container == "g4b" and revision == "2026-07":
        buffer["chunk"] = 1
    asset = {"dimension": dimension, "generator": "Golden 1", "version": revision}
    return File({"asset": asset, "nodes": [{"name": "Root"}], "buffers": [buffer]}, bytearray(), container)


def empty(revision="2026-01"):
    """A root node alone."""
    file = start(4, revision)
    del file.json["buffers"]
    return file


TETRAHEDRON = (0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)
EDGES = (0, 1, 1, 2, 2, 0, 0, 3, 1, 3, 2, 3)
FACES = (3, 0, 1, 2, 3, 0, 4, 3, 3, 1, 5, 4, 3, 2, 3, 5)
CELL = (4, 0, 1, 2, 3)
UP = (0, 0, 0, 1)
MAP = (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)


def target(file, indices, offsets, width):
    return {"indices": add(file, "uint8", indices), "offsets": add(file, "float32", offsets, width)}


def tetrahedron(container="g4tf"):
    """4D, 2026-01: a tetrahedron with everything that a mesh can have, moved by two bones."""
    file = start(4, "2026-01", container)
    vertices, simplexes = add(file, "float32", TETRAHEDRON, 4), add(file, "uint8", (0, 1, 2, 3), 4)
    surface = {
        "simplexes": simplexes, "edges": add(file, "uint8", EDGES, 2), "material": 0,
        "normals": add(file, "float32", UP * 4, 4), "textureMap": add(file, "float32", MAP, 3),
        "topology": {"geometry": [add(file, "uint8", FACES), add(file, "uint8", CELL)], "normals": add(file, "float32", UP * 4, 4),
                     "textureMap": add(file, "float32", MAP, 3), "seams": add(file, "uint8", (0, 2))},
    }
    shape = {
        "name": "Tall",
        "position": target(file, (2, 3), (0, 1, 0, 0, 0, 0, 1, 0), 4), "normal": target(file, (0, 1), (1, 0, 0, 0) * 2, 4),
        "textureMap": target(file, (0, 1), (1, 0, 0) * 2, 3), "topologyNormal": target(file, (0, 1), (1, 0, 0, 0) * 2, 4),
        "topologyTextureMap": target(file, (0, 1), (1, 0, 0) * 2, 3),
    }
    skin = {"groups": add(file, "uint8", (0, 1, 0, 1, 1)), "vertices": add(file, "uint8", (0, 0, 1, 2, 3)),
            "weights": add(file, "float32", (0.75, 0.25, 1, 1, 1))}
    file.json["meshes"] = [{"vertices": vertices, "surfaces": [surface], "blend": {"shapes": [shape], "amounts": [0]}, "skin": skin}]
    file.json["materials"] = [{"name": "Skin", "baseColor": {"factor": [1, 1, 1], "texture": 0}}]
    file.json["textures"] = [{"size": [2, 2, 2], "placeholder": [1, 1, 1], "sampler": {"wrap": ["clamp"]}}]
    file.json["nodes"] = [
        {"name": "Root", "children": [1]},
        {"name": "Rig", "children": [2, 4], "skeleton": {"joints": [2, 3]}},
        {"name": "Upper", "children": [3], "bone": {"length": 1}},
        {"name": "Lower", "position": [0, 1, 0, 0], "bone": {"length": 1}},
        {"name": "Body", "meshInstance": {"mesh": 0, "blendAmounts": [0.5], "materials": [-1]}},
    ]
    return file


def binary():
    return tetrahedron("g4b")


def bound(container="g4tf"):
    """The same model under the names of 2026-07."""
    file = start(4, "2026-07", container)
    vertices, simplexes = add(file, "float32", TETRAHEDRON, 4), add(file, "uint8", (0, 1, 2, 3), 4)
    corners = {"geometryDimension": 3, "decomposeDimension": 0, "accessor": add(file, "uint8", (4, 0, 0, 0, 0))}
    surface = {
        "simplexes": simplexes, "edges": add(file, "uint8", EDGES, 2), "material": 0,
        "geometry": [add(file, "uint8", FACES), add(file, "uint8", CELL)], "seams": add(file, "uint8", (0, 2)),
        "normals": {"values": add(file, "float32", UP, 4), "simplexes": add(file, "uint8", (0, 0, 0, 0), 4), "geometry": [corners]},
        "textureMap": {"values": add(file, "float32", (0, 0, 0), 3), "perSimplex": add(file, "uint8", (0,))},
    }
    moved = {"surface": 0, "normal": target(file, (0,), (1, 0, 0, 0), 4)}
    shape = {"name": "Tall", "position": target(file, (2, 3), (0, 1, 0, 0, 0, 0, 1, 0), 4), "surfaces": [moved]}
    file.json["meshes"] = [{"vertices": vertices, "surfaces": [surface], "blend": {"shapes": [shape]}}]
    colors = {"values": add(file, "float32", (1, 0, 0), 3), "perSimplex": add(file, "uint8", (0,))}
    file.json["materials"] = [{"name": "Skin", "baseColor": {"factor": [1, 1, 1], "texture": 0, "elementMap": colors}}]
    file.json["files"] = [{"uri": "volume.png", "mimeType": "image/png"}]
    file.json["textures"] = [{"size": [2, 2, 2], "placeholder": [1, 1, 1], "files": [0]}]
    file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Body", "meshInstance": {"mesh": 0}}]
    return file


def bound_binary():
    return bound("g4b")


def old():
    """3D, 2025-08: a triangle that two bones move."""
    file = start(3, "2025-08")
    vertices, cells = add(file, "float32", (0, 0, 0, 1, 0, 0, 0, 1, 0), 3), add(file, "uint8", (0, 1, 2), 3)
    skin = {"groups": add(file, "uint8", (0, 0, 1)), "vertices": add(file, "uint8", (0, 1, 2)),
            "weights": add(file, "float32", (1, 1, 1))}
    file.json["meshes"] = [{"vertices": vertices, "surfaces": [{"cells": cells}], "skin": skin}]
    file.json["nodes"] = [
        {"name": "Root", "children": [1]},
        {"name": "Rig", "children": [2, 4], "skeleton": {"joints": [2, 3]}},
        {"name": "Upper", "children": [3], "boneLength": 1},
        {"name": "Lower", "position": [0, 1, 0], "boneLength": 1},
        {"name": "Body", "mesh": 0},
    ]
    return file


def old_binary():
    file = old()
    file.container = "g4b"
    del file.json["buffers"][0]["uri"]
    return file


def find(document, pointer):
    """Returns the container of a pointer's target, and the last step."""
    *way, last = [int(step) if step.isdigit() else step for step in pointer.split("/")[1:]]
    for step in way:
        document = document[step]
    return document, last


def put(pointer, value):
    def edit(file):
        holder, last = find(file.json, pointer)
        holder[last] = value

    return edit


def drop(pointer):
    def edit(file):
        holder, last = find(file.json, pointer)
        del holder[last]

    return edit


def data(pointer, kind, values, width=1):
    """Refers to a new accessor there."""

    def edit(file):
        holder, last = find(file.json, pointer)
        holder[last] = add(file, kind, values, width)

    return edit


def both(*edits):
    def edit(file):
        for one in edits:
            one(file)

    return edit


def pair(code, path, at, base, edit, good=None, also=()):
    """Registers a golden pair of G4MF; also: errors that follow from the defect."""
    case("G4MF_" + code, "g4mf/" + path, at, base, good, tuple("G4MF_" + name for name in also))(edit)
