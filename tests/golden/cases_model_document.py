# SPDX-License-Identifier: MIT
"""Golden pairs of rules for any document: numbers and strings of the JSON text, scenes, extensions whose data this program decodes."""
from bases_g4mf import empty
from bases_gltf import triangle
from golden import case


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
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]


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
