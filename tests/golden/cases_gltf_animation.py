# SPDX-License-Identifier: MIT
"""Golden pairs of glTF animations."""
from bases_gltf import floats
from bases_gltf_rig import add_accessor, animated, packed, replace, skinned
from golden import case

CHANNEL = "/animations/0/channels/0"
SAMPLER = "/animations/0/samplers/0"


def clip(file):
    return file.json["animations"][0]


@case("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "gltf/animation/node_with_matrix", at=f"{CHANNEL}/target", base=animated)
def _(file):
    file.json["nodes"][0]["matrix"] = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]


@case("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "gltf/animation/weights_of_nothing", at="/animations/0/channels/2/target",
      base=animated)
def _(file):
    mesh = file.json["meshes"][0]
    del mesh["weights"], mesh["primitives"][0]["targets"]


@case("ANIMATION_CHANNEL_TARGET_NODE_SKIN", "gltf/animation/node_with_skin", at=f"{CHANNEL}/target/path", base=skinned)
def _(file):
    times = add_accessor(file, floats(0, 1), 5126, 2, "SCALAR", min=[0], max=[1])
    moves = add_accessor(file, floats(0, 0, 0, 1, 0, 0), 5126, 2, "VEC3")
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    file.json["animations"] = [{"samplers": [{"input": times, "output": moves}], "channels": [channel]}]


@case("ANIMATION_DUPLICATE_TARGETS", "gltf/animation/target_twice", at=f"{CHANNEL}/target", base=animated)
def _(file):
    clip(file)["channels"].append(clip(file)["channels"][0])


@case("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", "gltf/animation/sampler_with_stride", at=f"{SAMPLER}/output", base=animated)
def _(file):
    file.json["bufferViews"][4]["byteStride"] = 12


@case("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", "gltf/animation/input_format", at=f"{SAMPLER}/input", base=animated)
def _(file):
    clip(file)["samplers"][0]["input"] = add_accessor(file, packed("H", 0, 1), 5123, 2, "SCALAR", min=[0], max=[1])


@case("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "gltf/animation/input_without_bounds", at=f"{SAMPLER}/input", base=animated)
def _(file):
    del file.json["accessors"][3]["min"], file.json["accessors"][3]["max"]


@case("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", "gltf/animation/spline_of_one_key", at=f"{SAMPLER}/input", base=animated)
def _(file):
    sampler = clip(file)["samplers"][0]
    sampler["interpolation"] = "CUBICSPLINE"
    sampler["input"] = add_accessor(file, floats(0), 5126, 1, "SCALAR", min=[0], max=[0])
    sampler["output"] = add_accessor(file, floats(*(0, 0, 0) * 3), 5126, 3, "VEC3")


@case("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", "gltf/animation/output_format", at=f"{CHANNEL}/sampler", base=animated)
def _(file):
    clip(file)["samplers"][0]["output"] = add_accessor(file, floats(0, 0, 1, 1), 5126, 2, "VEC2")


@case("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "gltf/animation/output_count", at=f"{CHANNEL}/sampler", base=animated)
def _(file):
    file.json["accessors"][4]["count"] = 1


@case("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "gltf/animation/key_negative", at=f"{SAMPLER}/input", base=animated)
def _(file):
    replace(file, 3, floats(-1, 1))
    file.json["accessors"][3]["min"] = [-1]


@case("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "gltf/animation/keys_equal", at=f"{SAMPLER}/input", base=animated)
def _(file):
    replace(file, 3, floats(1, 1))
    file.json["accessors"][3]["min"] = [1]


@case("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", "gltf/animation/rotation_length",
      at="/animations/0/channels/1/sampler", base=animated)
def _(file):
    replace(file, 5, floats(0, 0, 0, 2))


@case("GLTF_ANIMATION_INPUT_NO_DATA", "gltf/animation/input_without_data", at=f"{SAMPLER}/input", base=animated)
def _(file):
    del file.json["accessors"][3]["bufferView"]
    file.json["accessors"][3] |= {"min": [0], "max": [0]}
