# SPDX-License-Identifier: MIT
"""Golden pairs of KHR_character."""
from bases_gltf import floats
from bases_gltf_rig import add_accessor
from bases_vrm import BONES, NODE, figure
from golden import case

POSE, SMILE = 0, 1  # animations
SET = "https://example.com/humanoid"
EXPRESSION = "/extensions/KHR_character_expression/expressions/0"
MAPPED = "/extensions/KHR_character_skeleton_mapping/skeletalRigMappings/" + SET.replace("/", "~1")
MASK, JOINT, MORPH = ("KHR_character_expression_" + part for part in ("mask", "joint", "morphtarget"))
SETS = "KHR_character_expression_mapping"


def character():
    """The figure with a reference pose, an expression of two channels (a morph target and the head), a mask, and two mappings."""
    file = figure()
    file.json["nodes"][NODE["hips"]].pop("mesh", None)
    times = add_accessor(file, floats(0, 1), 5126, 2, "SCALAR", min=[0], max=[1])
    once = add_accessor(file, floats(0), 5126, 1, "SCALAR", min=[0], max=[0])
    still = add_accessor(file, floats(0, 0, 0, 1), 5126, 1, "VEC4")
    amounts = add_accessor(file, floats(0, 1), 5126, 2, "SCALAR")
    nod = add_accessor(file, floats(0, 0, 0, 1, 1, 0, 0, 0), 5126, 2, "VEC4")
    file.json["animations"] = [
        {
            "samplers": [{"input": once, "output": still, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": NODE["hips"], "path": "rotation"}}],
            "extensions": {"KHR_character_reference_pose": {"poseType": "TPose"}},
        },
        {
            "samplers": [{"input": times, "output": amounts}, {"input": times, "output": nod}],
            "channels": [{"sampler": 0, "target": {"node": NODE["body"], "path": "weights"}}, {"sampler": 1, "target": {"node": NODE["head"], "path": "rotation"}}],
        },
    ]
    parts = {MORPH: {"channels": [0]}, JOINT: {"channels": [1]}, MASK: {"masks": [{"target": 0, "type": "blend", "amount": 1}]}}
    file.json["extensions"] = {
        "KHR_character": {"rootNode": 0},
        "KHR_character_expression": {"expressions": [{"expression": "smile", "animation": SMILE, "extensions": parts}]},
        SETS: {"expressionSetMappings": {SET: {"happy": [{"source": 0, "weight": 1}]}}},
        "KHR_character_skeleton_mapping": {"skeletalRigMappings": {SET: {name: {"node": NODE[name], "name": name} for name in BONES}}},
    }
    file.json["extensionsUsed"] = [*file.json["extensions"], *parts, "KHR_character_reference_pose"]
    return file


def root(file, name="KHR_character_expression"):
    return file.json["extensions"][name]


def expression(file):
    return root(file)["expressions"][0]


def roles(file):
    return root(file, "KHR_character_skeleton_mapping")["skeletalRigMappings"][SET]


def clip(file, number):
    return file.json["animations"][number]


def pair(code, name, at, also=()):
    return case(code, f"vrm/character/{name}", at=at, base=character, also=also)


@pair("GLTF_CHARACTER_BASE", "no_base", "/extensions/KHR_character_expression")
def _(file):
    del file.json["extensions"]["KHR_character"]


@pair("GLTF_CHARACTER_REQUIRED", "no_root", "/extensions/KHR_character")
def _(file):
    root(file, "KHR_character").clear()


@pair("GLTF_CHARACTER_REQUIRED", "no_animation", EXPRESSION)
def _(file):
    del expression(file)["animation"]


@pair("GLTF_CHARACTER_EMPTY", "no_channels", f"{EXPRESSION}/extensions/{JOINT}/channels")
def _(file):
    expression(file)["extensions"][JOINT]["channels"] = []


@pair("GLTF_CHARACTER_EMPTY", "no_label", f"{EXPRESSION}/expression")
def _(file):
    expression(file)["expression"] = ""


@pair("GLTF_CHARACTER_TYPE", "label_is_a_number", f"{EXPRESSION}/expression")
def _(file):
    expression(file)["expression"] = 1


@pair("GLTF_CHARACTER_RANGE", "mask_amount", f"{EXPRESSION}/extensions/{MASK}/masks/0/amount")
def _(file):
    expression(file)["extensions"][MASK]["masks"][0]["amount"] = 2


@pair("GLTF_CHARACTER_INDEX", "root_of_no_node", "/extensions/KHR_character/rootNode")
def _(file):
    root(file, "KHR_character")["rootNode"] = 9999


@pair("GLTF_CHARACTER_INDEX", "animation", f"{EXPRESSION}/animation")
def _(file):
    expression(file)["animation"] = 2


@pair("GLTF_CHARACTER_INDEX", "channel", f"{EXPRESSION}/extensions/{JOINT}/channels/0")
def _(file):
    expression(file)["extensions"][JOINT]["channels"] = [2]


@pair("GLTF_CHARACTER_INDEX", "mask_target", f"{EXPRESSION}/extensions/{MASK}/masks/0/target")
def _(file):
    expression(file)["extensions"][MASK]["masks"][0]["target"] = 1


@pair("GLTF_CHARACTER_INDEX", "set_source", f"/extensions/{SETS}/expressionSetMappings/{SET.replace('/', '~1')}/happy/0/source")
def _(file):
    root(file, SETS)["expressionSetMappings"][SET]["happy"][0]["source"] = 1


@pair("GLTF_CHARACTER_INDEX", "role", f"{MAPPED}/head/node")
def _(file):
    roles(file)["head"]["node"] = 9999


@pair("GLTF_CHARACTER_POSE_CHANNEL", "pose_of_weights", "/animations/0/channels/1/target", also=["GLTF_CHARACTER_POSE_KEYS"])
def _(file):
    pose, smile = clip(file, POSE), clip(file, SMILE)
    pose["samplers"].append(smile["samplers"][0])
    pose["channels"].append({"sampler": 1, "target": smile["channels"][0]["target"]})


@pair("GLTF_CHARACTER_POSE_KEYS", "pose_of_two_keys", "/animations/0/channels/0")
def _(file):
    clip(file, POSE)["samplers"][0] = {**clip(file, SMILE)["samplers"][1], "interpolation": "STEP"}


@pair("GLTF_CHARACTER_POSE_INTERPOLATION", "pose_cubic", "/animations/0/channels/0", also=["ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"])
def _(file):
    still = floats(*(0, 0, 0, 0), *(0, 0, 0, 1), *(0, 0, 0, 0))
    clip(file, POSE)["samplers"][0] |= {"interpolation": "CUBICSPLINE", "output": add_accessor(file, still, 5126, 3, "VEC4")}


@pair("GLTF_CHARACTER_POSE_ARMS", "pose_arms", "/animations/0/extensions/KHR_character_reference_pose")
def _(file):
    half = 0.70710678
    clip(file, POSE)["samplers"][0]["output"] = add_accessor(file, floats(0, 0, half, half), 5126, 1, "VEC4")


@pair("GLTF_CHARACTER_EXPRESSION_KEYS", "expression_of_one_key", "/animations/1/channels/1")
def _(file):
    clip(file, SMILE)["samplers"][1] = {"input": clip(file, POSE)["samplers"][0]["input"], "output": clip(file, POSE)["samplers"][0]["output"]}


@pair("GLTF_CHARACTER_EXPRESSION_REST", "expression_start", EXPRESSION)
def _(file):
    clip(file, SMILE)["samplers"][0]["output"] = add_accessor(file, floats(0.5, 1), 5126, 2, "SCALAR")


@pair("GLTF_CHARACTER_CHANNEL_REPEATED", "channel_twice", f"{EXPRESSION}/extensions/{JOINT}/channels/1")
def _(file):
    expression(file)["extensions"][JOINT]["channels"] = [1, 1]


@pair("GLTF_CHARACTER_CHANNEL_KIND", "weights_of_joints", f"{EXPRESSION}/extensions/{JOINT}/channels/0")
def _(file):
    parts = expression(file)["extensions"]
    del parts[MORPH]
    parts[JOINT]["channels"] = [0]


@pair("GLTF_CHARACTER_MAPPING_NAME", "role_name", f"{MAPPED}/head/name")
def _(file):
    roles(file)["head"]["name"] = "neck"


@pair("GLTF_CHARACTER_MAPPING_SET", "set_name", "/extensions/KHR_character_skeleton_mapping/skeletalRigMappings/humanoid")
def _(file):
    sets = root(file, "KHR_character_skeleton_mapping")["skeletalRigMappings"]
    sets["humanoid"] = sets.pop(SET)


@pair("GLTF_CHARACTER_MAPPING_ROLE", "role_without_name", f"{MAPPED}/")
def _(file):
    roles(file)[""] = {"node": NODE["twist"]}


@pair("GLTF_CHARACTER_BONE_REQUIRED", "no_hand", MAPPED)
def _(file):
    del roles(file)["rightHand"]


@pair("GLTF_CHARACTER_BONE_SHARED", "role_shared", f"{MAPPED}/jaw/node")
def _(file):
    roles(file)["jaw"] = {"node": NODE["leftEye"]}


@pair("GLTF_CHARACTER_BONE_PARENT", "role_elsewhere", f"{MAPPED}/jaw/node")
def _(file):
    roles(file)["jaw"] = {"node": NODE["twist"]}
