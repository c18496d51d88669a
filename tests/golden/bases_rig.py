# SPDX-License-Identifier: MIT
"""Small valid rigs as bases of golden pairs. Each function returns a fresh File without any finding."""
import struct

from bases_gltf import floats
from golden import AUTO, File

MESH, ARMATURE, ROOT, TIP = range(4)  # the nodes
POSITIONS, JOINTS, WEIGHTS, BINDS = range(4)  # the accessors
IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)


def add_accessor(file, data, **accessor):
    """Appends bytes with their own view and accessor; returns the accessor's index."""
    view = {"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data)}
    if "target" in accessor:
        view["target"] = accessor.pop("target")
    file.json["bufferViews"].append(view)
    file.json["accessors"].append({"bufferView": len(file.json["bufferViews"]) - 1, **accessor})
    return len(file.json["accessors"]) - 1


def add_matrices(file, *matrices):
    """An accessor of bind matrices, column-major, 16 numbers each."""
    data = b"".join(floats(*matrix) for matrix in matrices)
    return add_accessor(file, data, componentType=5126, count=len(matrices), type="MAT4")


def moved(x, y, z):
    """The matrix of a translation."""
    return IDENTITY[:12] + (x, y, z, 1)


def rig():
    """A strip of two triangles on two bones, bound at its stored pose."""
    file = File(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [MESH, ARMATURE]}],
            "nodes": [
                {"name": "strip", "mesh": 0, "skin": 0},
                {"name": "armature", "children": [ROOT]},
                {"name": "root", "children": [TIP]},
                {"name": "tip", "translation": [0, 1, 0]},
            ],
            "meshes": [
                {
                    "primitives": [
                        {"attributes": {"POSITION": POSITIONS, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS}, "mode": 5},
                    ]
                }
            ],
            "skins": [{"joints": [ROOT, TIP], "skeleton": ROOT, "inverseBindMatrices": BINDS}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{"uri": AUTO, "byteLength": 0}],
        }
    )
    positions = floats(0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0)
    add_accessor(file, positions, componentType=5126, count=4, type="VEC3", min=[0, 0, 0], max=[1, 2, 0], target=34962)
    joints = struct.pack("<16B", *([0, 1, 0, 0] * 2 + [0, 1, 0, 0] * 2))
    add_accessor(file, joints, componentType=5121, count=4, type="VEC4", target=34962)
    weights = floats(*([0.75, 0.25, 0, 0] * 2 + [0.25, 0.75, 0, 0] * 2))
    add_accessor(file, weights, componentType=5126, count=4, type="VEC4", target=34962)
    add_matrices(file, IDENTITY, moved(0, -1, 0))
    return file


def staik_rig():
    """The same rig with its skeleton."""
    file = rig()
    file.json["extensionsUsed"] = ["STAIK_skeletons"]
    file.json["extensions"] = {
        "STAIK_skeletons": {"skeletons": [{"name": "body", "root": ROOT, "joints": [ROOT, TIP], "inverseBindMatrices": BINDS}]}
    }
    for joint in (ROOT, TIP):
        file.json["nodes"][joint]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
    file.json["skins"][0]["extensions"] = {"STAIK_skeletons": {"skeleton_owner": 0}}
    return file


def two_skeletons():
    """The rig with a second root joint beside the first, in its own skeleton, and a skin that uses it."""
    file = staik_rig()
    other = len(file.json["nodes"])
    file.json["nodes"].append({"name": "other", "extensions": {"STAIK_skeletons": {"skeleton": 1}}})
    file.json["nodes"][ARMATURE]["children"].append(other)
    file.json["extensions"]["STAIK_skeletons"]["skeletons"].append(
        {"root": other, "joints": [other], "inverseBindMatrices": add_matrices(file, IDENTITY)}
    )
    file.json["skins"].append(
        {
            "joints": [other],
            "skeleton": other,
            "inverseBindMatrices": add_matrices(file, IDENTITY),
            "extensions": {"STAIK_skeletons": {"skeleton_owner": 1}},
        }
    )
    joints = add_accessor(file, bytes(16), componentType=5121, count=4, type="VEC4", target=34962)
    weights = add_accessor(file, floats(*([1, 0, 0, 0] * 4)), componentType=5126, count=4, type="VEC4", target=34962)
    file.json["meshes"].append({"primitives": [{"attributes": {"POSITION": POSITIONS, "JOINTS_0": joints, "WEIGHTS_0": weights}, "mode": 5}]})
    file.json["nodes"].append({"name": "second", "mesh": 1, "skin": 1})
    file.json["scenes"][0]["nodes"].append(len(file.json["nodes"]) - 1)
    return file
