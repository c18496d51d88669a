# SPDX-License-Identifier: MIT
"""Golden pairs of the bookkeeping of glTF extensions."""
from bases_gltf import triangle
from golden import case


def hidden():
    """An extension says that the node is visible."""
    file = triangle()
    file.json["extensionsUsed"] = ["KHR_node_visibility"]
    file.json["nodes"][0]["extensions"] = {"KHR_node_visibility": {"visible": True}}
    return file


def quantized():
    file = triangle()
    file.json["extensionsUsed"] = file.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    return file


@case("UNDECLARED_EXTENSION", "gltf/extension/undeclared", at="/nodes/0/extensions/KHR_node_visibility", base=hidden)
def _(file):
    del file.json["extensionsUsed"]


@case("UNEXPECTED_EXTENSION_OBJECT", "gltf/extension/unexpected", at="/meshes/0/extensions/KHR_node_visibility", base=hidden)
def _(file):
    file.json["meshes"][0]["extensions"] = file.json["nodes"][0].pop("extensions")


@case("UNSUPPORTED_EXTENSION", "gltf/extension/unsupported", at="/extensionsUsed/1", base=hidden)
def _(file):
    file.json["extensionsUsed"].append("EXT_unheard_of")


@case("GLTF_EXTENSION_IGNORED", "gltf/extension/ignored", at="/extensionsUsed/1", base=hidden)
def _(file):
    file.json["extensionsUsed"].append("MSFT_audio_emitter")


@case("INVALID_EXTENSION_NAME_FORMAT", "gltf/extension/name", at="/extensionsUsed/1", base=hidden)
def _(file):
    file.json["extensionsUsed"].append("visibility")


@case("NON_REQUIRED_EXTENSION", "gltf/extension/not_required", at="/extensionsUsed/0", base=quantized)
def _(file):
    del file.json["extensionsRequired"]


@case("UNUSED_EXTENSION_REQUIRED", "gltf/extension/required_not_used", at="/extensionsRequired/1", base=quantized)
def _(file):
    file.json["extensionsRequired"] = ["KHR_mesh_quantization", "KHR_node_visibility"]
