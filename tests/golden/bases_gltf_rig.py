# SPDX-License-Identifier: MIT
"""Small valid glTF files with rigs, and edits of them. Each base returns a fresh File without any finding except hints."""
import struct

from bases_gltf import floats, triangle


def packed(code, *values):
    return struct.pack(f"<{len(values)}{code}", *values)


def add_accessor(file, data, component, count, kind, target=None, **properties):
    """Adds an accessor with its own buffer view; returns the accessor's index."""
    view = {"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data)}
    if target:
        view["target"] = target
    file.json["bufferViews"].append(view)
    accessor = {"bufferView": len(file.json["bufferViews"]) - 1, "componentType": component, "count": count, "type": kind}
    file.json["accessors"].append({**accessor, **properties})
    return len(file.json["accessors"]) - 1


def primitive(file):
    return file.json["meshes"][0]["primitives"][0]


def add_attribute(file, name, data, component, kind, count=3, **properties):
    index = add_accessor(file, data, component, count, kind, 34962, **properties)
    primitive(file)["attributes"][name] = index
    return index


def replace(file, accessor, data):
    """Replaces the bytes of an accessor by others of the same length."""
    offset = file.json["bufferViews"][file.json["accessors"][accessor]["bufferView"]].get("byteOffset", 0)
    file.blob[offset : offset + len(data)] = data


def lit():
    """The triangle with normals, accessor 2, tangents, accessor 3, texture coordinates and colours; a material that needs tangents."""
    file = triangle()
    add_attribute(file, "NORMAL", floats(*(0, 0, 1) * 3), 5126, "VEC3")
    add_attribute(file, "TANGENT", floats(*(1, 0, 0, 1) * 3), 5126, "VEC4")
    add_attribute(file, "TEXCOORD_0", floats(0, 0, 1, 0, 0, 1), 5126, "VEC2")
    add_attribute(file, "COLOR_0", floats(*(1, 1, 1, 1) * 3), 5126, "VEC4")
    return file


def skinned():
    """The triangle with influences, accessors 2 and 3, of two joints, nodes 1 and 2; accessor 4 are the bind matrices."""
    file = triangle()
    add_attribute(file, "JOINTS_0", packed("B", *(0, 1, 0, 0) * 3), 5121, "VEC4")
    add_attribute(file, "WEIGHTS_0", floats(*(0.5, 0.5, 0, 0) * 3), 5126, "VEC4")
    identity = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    add_accessor(file, floats(*identity * 2), 5126, 2, "MAT4")
    file.json["nodes"] = [{"mesh": 0, "skin": 0}, {"children": [2]}, {"name": "tip"}]
    file.json["scenes"] = [{"nodes": [0, 1]}]
    file.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": 4}]
    return file


def morphed():
    """The triangle with a morph target, accessor 2."""
    file = triangle()
    index = add_accessor(file, floats(*(0, 0, 1) * 3), 5126, 3, "VEC3", 34962, min=[0, 0, 1], max=[0, 0, 1])
    primitive(file)["targets"] = [{"POSITION": index}]
    file.json["meshes"][0]["weights"] = [0]
    return file


def animated():
    """The triangle with a morph target, moved and morphed: accessors 3 times, 4 translations, 5 rotations, 6 amounts; a sampler for each."""
    file = morphed()
    times = add_accessor(file, floats(0, 1), 5126, 2, "SCALAR", min=[0], max=[1])
    values = [
        add_accessor(file, floats(0, 0, 0, 1, 0, 0), 5126, 2, "VEC3"),
        add_accessor(file, floats(0, 0, 0, 1, 0, 0, 1, 0), 5126, 2, "VEC4"),
        add_accessor(file, floats(0, 1), 5126, 2, "SCALAR"),
    ]
    paths = ("translation", "rotation", "weights")
    file.json["animations"] = [
        {
            "samplers": [{"input": times, "output": value} for value in values],
            "channels": [{"sampler": i, "target": {"node": 0, "path": path}} for i, path in enumerate(paths)],
        }
    ]
    return file
