# SPDX-License-Identifier: MIT
"""Golden pairs of VRM Animation."""
from bases_gltf import floats
from bases_gltf_rig import add_accessor, replace
from bases_vrm import NODE, vrma
from golden import case

MOTION = "/extensions/VRMC_vrm_animation"
BONES = f"{MOTION}/humanoid/humanBones"


def motion(file):
    return file.json["extensions"]["VRMC_vrm_animation"]


def add_channel(file, node, path):
    """Adds channel 4, with values of two keys."""
    clip = file.json["animations"][0]
    rows = {"translation": (0, 0, 0, 0, 0.1, 0), "rotation": (0, 0, 0, 1, 0, 1, 0, 0), "scale": (1, 1, 1, 2, 2, 2)}[path]
    values = add_accessor(file, floats(*rows), 5126, 2, "VEC4" if path == "rotation" else "VEC3")
    clip["samplers"].append({"input": clip["samplers"][0]["input"], "output": values})
    clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": {"node": node, "path": path}})


CHANNEL = "/animations/0/channels/4"


@case("VRM_BONE_REQUIRED", "vrm/vrma/no_hand", at=BONES, base=vrma)
def _(file):
    del motion(file)["humanoid"]["humanBones"]["leftHand"]


@case("VRM_INDEX_NODE", "vrm/vrma/gaze_of_no_node", at=f"{MOTION}/lookAt/node", base=vrma)
def _(file):
    motion(file)["lookAt"]["node"] = 9999


@case("VRMA_BONE_EYE", "vrm/vrma/eye", at=CHANNEL, base=vrma)
def _(file):
    motion(file)["humanoid"]["humanBones"]["leftEye"] = {"node": NODE["leftEye"]}
    add_channel(file, NODE["leftEye"], "rotation")


@case("VRMA_BONE_TRANSLATION", "vrm/vrma/translation", at=CHANNEL, base=vrma)
def _(file):
    add_channel(file, NODE["leftHand"], "translation")


@case("VRMA_BONE_SCALE", "vrm/vrma/scale", at=CHANNEL, base=vrma)
def _(file):
    add_channel(file, NODE["leftHand"], "scale")


@case("VRMA_EXPRESSION_PATH", "vrm/vrma/expression_path", at=CHANNEL, base=vrma)
def _(file):
    add_channel(file, NODE["happy"], "rotation")


@case("VRMA_EXPRESSION_LOOK", "vrm/vrma/expression_look", at=f"{MOTION}/expressions/preset/lookUp", base=vrma)
def _(file):
    motion(file)["expressions"]["preset"]["lookUp"] = {"node": NODE["happy"]}


@case("VRMA_EXPRESSION_RANGE", "vrm/vrma/expression_range", at="/animations/0/channels/2", base=vrma)
def _(file):
    replace(file, file.json["animations"][0]["samplers"][2]["output"], floats(0, 0, 0, 1.5, 0, 0))


@case("VRMA_LOOKAT_PATH", "vrm/vrma/gaze_path", at=CHANNEL, base=vrma)
def _(file):
    add_channel(file, NODE["gaze"], "translation")


@case("VRMA_NO_ANIMATION", "vrm/vrma/no_animation", at=MOTION, base=vrma)
def _(file):
    del file.json["animations"]


@case("VRMA_HIPS_HEIGHT", "vrm/vrma/hips_height", at=f"{BONES}/hips/node", base=vrma)
def _(file):
    file.json["nodes"][NODE["hips"]]["translation"] = [0, 0, 0]


@case("VRMA_NODE_SCALE", "vrm/vrma/node_scale", at="/nodes/0", base=vrma)
def _(file):
    file.json["nodes"][0]["scale"] = [2, 2, 2]
