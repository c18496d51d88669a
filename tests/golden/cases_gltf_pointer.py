# SPDX-License-Identifier: MIT
"""Golden pairs of KHR_animation_pointer."""
from bases_gltf import floats, triangle
from golden import case


def pointing():
    """The triangle with a channel that moves its node by a pointer."""
    file = triangle()
    file.json["extensionsUsed"] = ["KHR_animation_pointer"]
    times, places = floats(0, 1), floats(0, 0, 0, 1, 0, 0)
    for data in (times, places):
        file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data)})
    file.json["accessors"] += [
        {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"},
    ]
    pointer = {"KHR_animation_pointer": {"pointer": "/nodes/0/translation"}}
    channel = {"sampler": 0, "target": {"path": "pointer", "extensions": pointer}}
    file.json["animations"] = [{"channels": [channel], "samplers": [{"input": 2, "output": 3}]}]
    return file


TARGET = "/animations/0/channels/0/target/extensions/KHR_animation_pointer"


def target(file):
    return file.json["animations"][0]["channels"][0]["target"]


@case("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE", "gltf/animation_pointer/with_node", at=TARGET, base=pointing)
def _(file):
    target(file)["node"] = 0


@case("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH", "gltf/animation_pointer/path", at=TARGET, base=pointing)
def _(file):
    target(file)["path"] = "translation"


@case("PATTERN_MISMATCH", "gltf/animation_pointer/form", at=TARGET + "/pointer", base=pointing)
def _(file):
    target(file)["extensions"]["KHR_animation_pointer"]["pointer"] = "nodes/0/translation"


def without_animation(file):
    del file.json["animations"], file.json["extensionsUsed"]
    file.json["accessors"][2:] = []
    file.json["bufferViews"][2:] = []


@case("INCOMPLETE_EXTENSION_SUPPORT", "gltf/animation_pointer/support", at=TARGET, base=pointing, good=without_animation)
def _(file):
    pass


def set_pointer(file, text):
    target(file)["extensions"]["KHR_animation_pointer"]["pointer"] = text


CHANNEL = "/animations/0/channels/0"


@case("GLTF_POINTER_UNRESOLVED", "gltf/animation_pointer/unresolved", at=TARGET + "/pointer", base=pointing)
def _(file):
    set_pointer(file, "/nodes/7/translation")


@case("GLTF_POINTER_NOT_MUTABLE", "gltf/animation_pointer/not_mutable", at=TARGET + "/pointer", base=pointing)
def _(file):
    set_pointer(file, "/nodes/0/translation/1")


@case("GLTF_POINTER_NODE_MATRIX", "gltf/animation_pointer/node_matrix", at=TARGET + "/pointer", base=pointing)
def _(file):
    file.json["nodes"][0]["matrix"] = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]
    set_pointer(file, "/nodes/0/scale")


def morphing():
    """The triangle with a morph target, and a pointer to the weights of its node."""
    file = pointing()
    file.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]}]
    amounts = floats(0, 1)
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(amounts), "byteLength": len(amounts)})
    file.json["accessors"][3] = {"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR"}
    del file.json["bufferViews"][3]
    file.json["accessors"][3]["bufferView"] = 3
    set_pointer(file, "/nodes/0/weights")
    return file


@case("GLTF_POINTER_OLD_MODEL", "gltf/animation_pointer/old_model", at=TARGET + "/pointer", base=morphing)
def _(file):
    set_pointer(file, "/meshes/0/weights")


@case("GLTF_POINTER_DUPLICATE", "gltf/animation_pointer/duplicate", at="/animations/0/channels/1/target", base=pointing)
def _(file):
    file.json["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 0, "path": "translation"}})


@case("GLTF_POINTER_OUTPUT_TYPE", "gltf/animation_pointer/output_type", at=CHANNEL, base=pointing)
def _(file):
    set_pointer(file, "/nodes/0/rotation")


@case("GLTF_POINTER_OUTPUT_COUNT", "gltf/animation_pointer/output_count", at=CHANNEL, base=morphing)
def _(file):
    file.json["accessors"][3]["count"] = 1


def curtain():
    """The triangle, hidden and shown by a pointer."""
    file = pointing()
    file.json["extensionsUsed"].append("KHR_node_visibility")
    file.json["nodes"][0]["extensions"] = {"KHR_node_visibility": {"visible": True}}
    shown = bytes([1, 0, 0, 0])
    file.json["bufferViews"][3] = {"buffer": 0, "byteOffset": file.append(shown), "byteLength": len(shown)}
    file.json["accessors"][3] = {"bufferView": 3, "componentType": 5121, "count": 2, "type": "SCALAR"}
    file.json["animations"][0]["samplers"][0]["interpolation"] = "STEP"
    set_pointer(file, "/nodes/0/extensions/KHR_node_visibility/visible")
    return file


@case("GLTF_POINTER_BOOL", "gltf/animation_pointer/bool", at=CHANNEL, base=curtain)
def _(file):
    file.json["animations"][0]["samplers"][0]["interpolation"] = "LINEAR"


def moved_values(file, pointer, *numbers):
    """Animates a number with the keys `numbers`."""
    data = floats(*numbers)
    file.json["bufferViews"][3] = {"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data)}
    file.json["accessors"][3] = {"bufferView": 3, "componentType": 5126, "count": len(numbers), "type": "SCALAR"}
    set_pointer(file, pointer)
    return file


def zooming():
    file = pointing()
    file.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 1}}]
    file.json["nodes"][0]["camera"] = 0
    return moved_values(file, "/cameras/0/perspective/yfov", 0.5, 0.25)


@case("GLTF_POINTER_VALUE_RANGE", "gltf/animation_pointer/field_of_view", at=CHANNEL, base=zooming)
def _(file):
    moved_values(file, "/cameras/0/perspective/yfov", 0.5, 0)


def spotlight():
    file = pointing()
    file.json["extensionsUsed"].append("KHR_lights_punctual")
    light = {"type": "spot", "spot": {"innerConeAngle": 0.5}}
    file.json["extensions"] = {"KHR_lights_punctual": {"lights": [light]}}
    file.json["nodes"][0]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
    return moved_values(file, "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", 1, 1.5)


@case("GLTF_POINTER_VALUE_RANGE", "gltf/animation_pointer/cone_angle", at=CHANNEL, base=spotlight)
def _(file):
    moved_values(file, "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", 1, 1.6)


def rusting():
    """Tangents are differences, and have no range. The material stores no factor."""
    file = pointing()
    file.json["materials"] = [{"pbrMetallicRoughness": {}}]
    file.json["meshes"][0]["primitives"][0]["material"] = 0
    file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"
    return moved_values(file, "/materials/0/pbrMetallicRoughness/metallicFactor", 0, 0, 9, -9, 1, 0)


@case("GLTF_POINTER_VALUE_RANGE", "gltf/animation_pointer/spline", at=CHANNEL, base=rusting)
def _(file):
    moved_values(file, "/materials/0/pbrMetallicRoughness/metallicFactor", 0, 0, 9, -9, 1.25, 0)
