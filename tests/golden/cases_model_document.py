# SPDX-License-Identifier: MIT
"""Golden pairs of rules for any document: numbers and strings of the JSON text, scenes, extensions whose data this program decodes."""
import base64
import struct

from bases_g4mf import add, empty, start
from bases_gltf import triangle
from golden import AUTO, File, case


@case("SINEW_JSON_NUMBER_TOO_LARGE", "model/json/number_too_large", at="/extras/x", base=triangle)
def _(file):
    file.json["extras"] = {"x": 12345}
    file.edit_text = lambda text: text.replace("12345", "1e400")


@case("SINEW_JSON_LONE_SURROGATE", "model/json/lone_surrogate", at="/extras/x", base=triangle)
def _(file):
    file.json["extras"] = {"x": "MARK"}
    file.edit_text = lambda text: text.replace("MARK", "\\ud800")


@case("SINEW_NO_SCENE", "model/scene/no_nodes", at="", base=empty)
def _(file):
    del file.json["nodes"]


@case("SCENE_NON_ROOT_NODE", "gltf/scene/node_with_parent", at="/scenes/0/nodes/1", base=triangle)
def _(file):
    file.json["nodes"][0]["children"] = [1]
    file.json["nodes"].append({"mesh": 0})
    file.json["scenes"][0]["nodes"].append(1)


@case("GLTF_EXTENSION_UNSUPPORTED", "gltf/extension/required_but_not_supported", at="/extensionsRequired/0", base=triangle)
def _(file):
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = ["EXT_lights_ies"]


@case("GLTF_MESHOPT_INVALID", "gltf/extension/meshopt_broken", at="/bufferViews/0/extensions/EXT_meshopt_compression", base=triangle)
def _(file):
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = ["EXT_meshopt_compression"]
    file.json["bufferViews"][0]["byteStride"] = 12
    file.json["bufferViews"][0]["extensions"] = {
        "EXT_meshopt_compression": {"buffer": 0, "byteOffset": 0, "byteLength": 36, "byteStride": 12, "count": 3, "mode": "ATTRIBUTES"}
    }


@case("GLTF_DRACO_INVALID", "gltf/extension/draco_broken",
      at="/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression", base=triangle)
def _(file):
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    file.json["meshes"][0]["primitives"][0]["extensions"] = {
        "KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}
    }


# A quad on one bone, written by Draco's encoder without quantization: the stream stores weights of 0.9 and normals of length 0.5 as they are.
DRACO_QUAD = base64.b64decode(
    "RFJBQ08CAgEAAAACBAEAAQICAQMBBAAJAwAABAkDAAEEBAQAAgQJBAADAAABAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAgD8A"
    "AIA/AAAAAAAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAPwABAQEBAQFAAQAAAAAAAAAAAGZmZj8AAAAAAAAAAAAA"
    "AABmZmY/AAAAAAAAAAAAAAAAZmZmPwAAAAAAAAAAAAAAAGZmZj8AAAAAAAAAAAAAAAA="
)
QUAD = "/meshes/0/primitives/0/attributes/"


def draco_quad(weight=1.0, length=1.0):
    stream = DRACO_QUAD.replace(struct.pack("<f", 0.9), struct.pack("<f", weight)).replace(struct.pack("<f", 0.5), struct.pack("<f", length))
    names = {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}
    primitive = {"attributes": {"POSITION": 0, "NORMAL": 2, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 1,
                 "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": names}}}
    accessors = [(5126, 4, "VEC3"), (5125, 6, "SCALAR"), (5126, 4, "VEC3"), (5123, 4, "VEC4"), (5126, 4, "VEC4")]
    json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "skin": 0}, {"name": "Bone"}],
            "skins": [{"joints": [1]}], "meshes": [{"primitives": [primitive]}],
            "accessors": [{"componentType": kind, "count": count, "type": shape} for kind, count, shape in accessors],
            "extensionsRequired": ["KHR_draco_mesh_compression"], "extensionsUsed": ["KHR_draco_mesh_compression"],
            "bufferViews": [{"buffer": 0, "byteLength": len(stream)}], "buffers": [{"byteLength": len(stream), "uri": AUTO}]}
    json["accessors"][0] |= {"min": [0, 0, 0], "max": [1, 1, 0]}
    return File(json, bytearray(stream))


@case("GLTF_DRACO_COUNT", "gltf/extension/draco_count", at=QUAD + "WEIGHTS_0", base=draco_quad, also=["MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT"])
def _(file):
    file.json["accessors"][4]["count"] = 5


@case("GLTF_DRACO_WEIGHTS", "gltf/extension/draco_weights", at=QUAD + "WEIGHTS_0", base=draco_quad)
def _(file):
    file.blob = draco_quad(weight=0.9).blob


@case("GLTF_DRACO_VECTORS", "gltf/extension/draco_vectors", at=QUAD + "NORMAL", base=draco_quad)
def _(file):
    file.blob = draco_quad(length=0.5).blob


def moving():
    """A node that a clip of SINEW_animation moves."""
    file = start(3, "2026-01")
    times, values = add(file, "float32", (0, 1, 2)), add(file, "float32", (0, 0, 0, 1, 0, 0, 2, 0, 0), 3)
    file.json["asset"]["extensionsUsed"] = ["SINEW_animation"]
    track = {"node": 0, "path": "position", "times": times, "values": values}
    file.json["extensions"] = {"SINEW_animation": {"clips": [{"name": "Move", "tracks": [track]}]}}
    return file


@case("SINEW_KEY_TIMES_EQUAL", "g4mf/animation/times_equal", at="/extensions/SINEW_animation/clips/0/tracks/0/times", base=moving)
def _(file):
    track = file.json["extensions"]["SINEW_animation"]["clips"][0]["tracks"][0]
    track["times"] = add(file, "float32", (0, 1, 1))
