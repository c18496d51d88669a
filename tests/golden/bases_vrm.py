# SPDX-License-Identifier: MIT
"""A figure in T-pose as VRM 1.0, VRM 0.x and VRM Animation. Each base returns a fresh File without any finding of VRM."""
import struct
import zlib

from bases_gltf import floats
from bases_gltf_rig import add_accessor
from bases_visual import chunk
from golden import File

# Where the bones stand in VRM 1.0, which looks along +Z: their parent and their position in the world.
PLACES = {
    "hips": ("root", 0, 1, 0),
    "spine": ("hips", 0, 1.1, 0),
    "chest": ("spine", 0, 1.3, 0),
    "neck": ("chest", 0, 1.5, 0),
    "head": ("neck", 0, 1.6, 0),
    "leftEye": ("head", 0.03, 1.65, 0.05),
    "rightEye": ("head", -0.03, 1.65, 0.05),
}
for _side, _x in (("left", 1), ("right", -1)):
    _legs = [("UpperLeg", "hips", 0.1, 0.9), ("LowerLeg", _side + "UpperLeg", 0.1, 0.5), ("Foot", _side + "LowerLeg", 0.1, 0.1)]
    _arms = [("UpperArm", "chest", 0.2, 1.4), ("LowerArm", _side + "UpperArm", 0.45, 1.4), ("Hand", _side + "LowerArm", 0.7, 1.4)]
    for _name, _parent, _far, _high in _legs + _arms:
        PLACES[_side + _name] = (_parent, _x * _far, _high, 0)
BONES = list(PLACES)
PLACES |= {
    "hair0": ("head", 0, 1.7, -0.1),
    "hair1": ("hair0", 0, 1.6, -0.15),
    "hair2": ("hair1", 0, 1.5, -0.2),
    "twist": ("leftLowerArm", 0.5, 1.4, 0),
    "body": ("root", 0, 0, 0),
}
NODE = {"root": 0} | {name: 1 + i for i, name in enumerate(PLACES)}


def picture(width=1024, height=1024):
    """A white PNG of one bit for each pixel."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = (b"\0" + b"\xff" * (-(-width // 8))) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def add_nodes(file, names, turned):
    sign = -1 if turned else 1
    nodes = [{"name": "root"}]
    for name in names:
        parent, *place = PLACES[name]
        above = PLACES[parent][1:] if parent in PLACES else (0, 0, 0)
        moved = [round(to - start, 6) for to, start in zip(place, above)]
        nodes.append({"name": name, "translation": [sign * moved[0] or 0, moved[1], sign * moved[2] or 0]})
        nodes[NODE[parent]].setdefault("children", []).append(len(nodes) - 1)
    nodes[NODE["root"]].setdefault("children", [])
    file.json["nodes"] = nodes


def figure(turned=False):
    """The nodes, and a square of two triangles with a morph target, a texture and a material."""
    file = File({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "accessors": [], "bufferViews": [], "buffers": [{}]}, bytearray(), "glb")
    add_nodes(file, PLACES, turned)
    corners = (-0.5, 0, 0, 0.5, 0, 0, 0.5, 1.8, 0, -0.5, 1.8, 0)
    attributes = {
        "POSITION": add_accessor(file, floats(*corners), 5126, 4, "VEC3", 34962, min=[-0.5, 0, 0], max=[0.5, struct.unpack("f", floats(1.8))[0], 0]),
        "TEXCOORD_0": add_accessor(file, floats(0, 1, 1, 1, 1, 0, 0, 0), 5126, 4, "VEC2", 34962),
    }
    indices = add_accessor(file, struct.pack("<6H", 0, 1, 2, 0, 2, 3), 5123, 6, "SCALAR", 34963)
    offsets = add_accessor(file, floats(*(0, 0, 0) * 2, *(0, 0.5, 0) * 2), 5126, 4, "VEC3", 34962, min=[0, 0, 0], max=[0, 0.5, 0])
    primitive = {"attributes": attributes, "indices": indices, "material": 0, "targets": [{"POSITION": offsets}]}
    file.json["meshes"] = [{"primitives": [primitive], "extras": {"targetNames": ["up"]}}]
    file.json["nodes"][NODE["body"]] |= {"mesh": 0}
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(picture()), "byteLength": len(picture())})
    file.json["images"] = [{"bufferView": len(file.json["bufferViews"]) - 1, "mimeType": "image/png"}]
    file.json["textures"] = [{"source": 0}]
    file.json["materials"] = [{"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    return file


def vrm1():
    file = figure()
    used = ["VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon", "KHR_materials_unlit"]
    file.json["extensionsUsed"] = used
    ranges = {f"rangeMap{name}": {"inputMaxValue": 90, "outputScale": 10} for name in ("HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp")}
    avatar = {
        "specVersion": "1.0",
        "meta": {"name": "Figure", "authors": ["somebody"], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 0, "modification": "allowModification"},
        "humanoid": {"humanBones": {name: {"node": NODE[name]} for name in BONES}},
        "firstPerson": {"meshAnnotations": [{"node": NODE["body"], "type": "auto"}]},
        "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.06, 0], **ranges},
        "expressions": {
            "preset": {"happy": {"morphTargetBinds": [{"node": NODE["body"], "index": 0, "weight": 1}]}},
            "custom": {"pale": {"materialColorBinds": [{"material": 0, "type": "shadeColor", "targetValue": [1, 1, 1, 1]}]}},
        },
    }
    springs = {
        "specVersion": "1.0",
        "colliders": [{"node": NODE["head"], "shape": {"sphere": {"offset": [0, 0.1, 0], "radius": 0.1}}}],
        "colliderGroups": [{"colliders": [0]}],
        "springs": [{"joints": [{"node": NODE[f"hair{i}"]} for i in range(3)], "colliderGroups": [0], "center": NODE["head"]}],
    }
    file.json["extensions"] = {"VRMC_vrm": avatar, "VRMC_springBone": springs}
    roll = {"roll": {"source": NODE["leftHand"], "rollAxis": "X"}}
    file.json["nodes"][NODE["twist"]]["extensions"] = {"VRMC_node_constraint": {"specVersion": "1.0", "constraint": roll}}
    toon = {"specVersion": "1.0", "shadeMultiplyTexture": {"index": 0}, "outlineWidthMode": "none"}
    file.json["materials"][0]["extensions"] = {"VRMC_materials_mtoon": toon, "KHR_materials_unlit": {}}
    return file


def vrm0():
    file = figure(turned=True)
    file.json["extensionsUsed"] = ["VRM"]
    ranges = {f"lookAt{name}": {"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 90, "yRange": 10} for name in ("HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp")}
    down = {"x": 0, "y": -1, "z": 0}
    swing = {"comment": "hair", "stiffiness": 1, "gravityPower": 0.1, "gravityDir": down, "dragForce": 0.4, "center": -1, "hitRadius": 0.02}
    binds = [{"mesh": 0, "index": 0, "weight": 100}]
    values = [{"materialName": "skin", "propertyName": "_Color", "targetValue": [1, 1, 1, 1]}]
    file.json["extensions"] = {
        "VRM": {
            "specVersion": "0.0",
            "meta": {"title": "Figure", "author": "somebody", "texture": 0, "allowedUserName": "Everyone", "licenseName": "CC0"},
            "humanoid": {"humanBones": [{"bone": name, "node": NODE[name], "useDefaultValues": True} for name in BONES]},
            "firstPerson": {"firstPersonBone": NODE["head"], "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}], "lookAtTypeName": "Bone", **ranges},
            "blendShapeMaster": {"blendShapeGroups": [{"name": "Joy", "presetName": "joy", "binds": binds, "materialValues": values, "isBinary": False}]},
            "secondaryAnimation": {
                "boneGroups": [{**swing, "bones": [NODE["hair0"]], "colliderGroups": [0]}],
                "colliderGroups": [{"node": NODE["head"], "colliders": [{"offset": {"x": 0, "y": 0.1, "z": 0}, "radius": 0.1}]}],
            },
            "materialProperties": [{"name": "skin", "shader": "VRM/MToon", "renderQueue": 2000, "textureProperties": {"_MainTex": 0}}],
        }
    }
    return file


MOVED = {"hips": "translation", "head": "rotation", "happy": "translation", "gaze": "rotation"}


def vrma():
    """A motion of the bones without eyes, of an expression, node "happy", and of the gaze, node "gaze". Channel i moves MOVED[i]."""
    file = File({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "accessors": [], "bufferViews": [], "buffers": [{}]}, bytearray(), "glb")
    add_nodes(file, BONES, False)
    for name in ("happy", "gaze"):
        NODE[name] = len(file.json["nodes"])
        file.json["nodes"][0]["children"].append(NODE[name])
        file.json["nodes"].append({"name": name})
    times = add_accessor(file, floats(0, 1), 5126, 2, "SCALAR", min=[0], max=[1])
    rows = {"translation": ((0, 1, 0, 0, 1.1, 0), "VEC3"), "rotation": ((0, 0, 0, 1, 0, 1, 0, 0), "VEC4")}
    values = {path: add_accessor(file, floats(*data), 5126, 2, kind) for path, (data, kind) in rows.items()}
    amounts = add_accessor(file, floats(0, 0, 0, 1, 0, 0), 5126, 2, "VEC3")
    channels = [{"sampler": i, "target": {"node": NODE[name], "path": path}} for i, (name, path) in enumerate(MOVED.items())]
    samplers = [{"input": times, "output": amounts if name == "happy" else values[path]} for name, path in MOVED.items()]
    file.json["animations"] = [{"channels": channels, "samplers": samplers}]
    file.json["extensionsUsed"] = ["VRMC_vrm_animation"]
    motion = {
        "specVersion": "1.0",
        "humanoid": {"humanBones": {name: {"node": NODE[name]} for name in BONES if "Eye" not in name}},
        "expressions": {"preset": {"happy": {"node": NODE["happy"]}}},
        "lookAt": {"node": NODE["gaze"], "offsetFromHeadBone": [0, 0.06, 0]},
    }
    file.json["extensions"] = {"VRMC_vrm_animation": motion}
    return file
