# SPDX-License-Identifier: MIT
"""Golden pairs of EXT_mesh_gpu_instancing."""
from bases_gltf import floats, triangle
from bases_gltf_rig import skinned
from golden import case

NAME = "EXT_mesh_gpu_instancing"
COPIES = f"/nodes/0/extensions/{NAME}"


def with_copies(file):
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = [NAME]
    attributes = {}
    for name, rows, kind in (("TRANSLATION", (0, 0, 0, 1, 0, 0), "VEC3"), ("ROTATION", (0, 0, 0, 1, 0, 0, 1, 0), "VEC4"), ("SCALE", (1, 1, 1, 2, 2, 2), "VEC3")):
        data = floats(*rows)
        file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data)})
        file.json["accessors"].append({"bufferView": len(file.json["bufferViews"]) - 1, "componentType": 5126, "count": 2, "type": kind})
        attributes[name] = len(file.json["accessors"]) - 1
    file.json["nodes"][0].setdefault("extensions", {})[NAME] = {"attributes": attributes}
    return file


def copied():
    """The triangle twice."""
    return with_copies(triangle())


def attributes(file):
    return file.json["nodes"][0]["extensions"][NAME]["attributes"]


def accessor(file, name):
    return file.json["accessors"][attributes(file)[name]]


@case("GLTF_INSTANCING_TYPE", "gltf/copies/type", at=f"{COPIES}/attributes/SCALE", base=copied)
def _(file):
    accessor(file, "SCALE")["type"] = "VEC2"


@case("GLTF_INSTANCING_COUNT", "gltf/copies/count", at=f"{COPIES}/attributes/SCALE", base=copied)
def _(file):
    accessor(file, "SCALE")["count"] = 1


@case("GLTF_INSTANCING_EMPTY", "gltf/copies/empty", at=COPIES, base=copied)
def _(file):
    attributes(file).clear()


@case("GLTF_INSTANCING_NO_MESH", "gltf/copies/no_mesh", at=COPIES, base=copied)
def _(file):
    file.json["nodes"].append({"mesh": file.json["nodes"][0].pop("mesh")})
    file.json["scenes"][0]["nodes"].append(1)


@case("GLTF_INSTANCED_SKIN", "gltf/copies/skin", at="/nodes/0", base=skinned)
def _(file):
    with_copies(file)


@case("GLTF_INSTANCING_ROTATION", "gltf/copies/rotation", at=f"{COPIES}/attributes/ROTATION", base=copied)
def _(file):
    data = floats(0, 0, 0, 2, 0, 0, 1, 0)
    file.json["bufferViews"][accessor(file, "ROTATION")["bufferView"]]["byteOffset"] = file.append(data)


@case("GLTF_INSTANCING_ZERO_SCALE", "gltf/copies/zero_scale", at=f"{COPIES}/attributes/SCALE", base=copied)
def _(file):
    data = floats(1, 1, 1, 2, 0, 2)
    file.json["bufferViews"][accessor(file, "SCALE")["bufferView"]]["byteOffset"] = file.append(data)


@case("GLTF_INSTANCING_OPTIONAL", "gltf/copies/optional", at=COPIES, base=copied)
def _(file):
    del file.json["extensionsRequired"]
