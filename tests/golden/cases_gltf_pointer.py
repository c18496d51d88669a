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
