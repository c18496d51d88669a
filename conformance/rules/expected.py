# SPDX-License-Identifier: MIT
"""Where the vertices must be, and the matrices that bring them there: from the independent evaluation in tests/oracle."""
import g4mf_oracle
import gltf_oracle
import moving_oracle
import numpy as np

import streams


def tidy(values):
    """Rounded, so that the last digits of one machine's arithmetic do not matter."""
    return np.round(np.asarray(values, float), 9) + 0.0


MOVING = {moving_oracle.INSTANCING, moving_oracle.VISIBILITY, moving_oracle.POINTER}  # extensions that have an evaluation of their own


def gltf(path, clip, time, attribute, _):
    """(vertices, palette, instances): world-space rows, world-from-mesh matrices of the joints, and which rows belong to which node."""
    document = gltf_oracle.Document(path)
    if MOVING & set(document.json.get("extensionsUsed", [])):
        return moving(path, clip, time, attribute)
    evaluator = gltf_oracle.Evaluator(streams.decompress(document))
    nodes = evaluator.pose(clip, time)
    world, rest = evaluator.globals(nodes), evaluator.globals(evaluator.json["nodes"])
    rows, palette, instances, joints = [], [], [], {}
    for node, primitive, block in evaluator.instances(None, clip, time, attribute):
        entry = {"node": node, "primitive": primitive, "first": sum(map(len, rows)), "count": len(block)}
        if "skin" in nodes[node] and "JOINTS_0" in evaluator.json["meshes"][nodes[node]["mesh"]]["primitives"][primitive]["attributes"]:
            if node not in joints:
                matrices = evaluator.joint_matrices(evaluator.json["skins"][nodes[node]["skin"]], world, rest)
                joints[node] = [sum(map(len, palette)), len(matrices)]
                palette.append(matrices)
            entry["palette"] = joints[node]
        rows.append(block)
        instances.append(entry)
    return tidy(np.concatenate(rows)), tidy(np.concatenate(palette)) if palette else None, instances


def moving(path, clip, time, attribute):
    """As gltf(), for files with pointers, copies or hidden nodes. Instances of nodes with copies also have "copy"."""
    evaluator = moving_oracle.MovingOracle(path)
    settings = evaluator.settings(clip, time)
    rows, palette, instances, joints = [], [], [], {}
    for block in evaluator.blocks(clip, time):
        node, first = evaluator.nodes[block["node"]], block["first"]
        for number, primitive in enumerate(evaluator.meshes[node["mesh"]]["primitives"]):
            attributes = primitive["attributes"]
            entry = {"node": block["node"], **({"copy": block["copy"]} if moving_oracle.INSTANCING in node.get("extensions", {}) else {}),
                     "primitive": number, "first": first, "count": evaluator.json["accessors"][attributes["POSITION"]]["count"]}
            if "skin" in node and "JOINTS_0" in attributes:
                if block["node"] not in joints:
                    matrices = np.array(evaluator.joint_matrices(evaluator.json["skins"][node["skin"]], settings))
                    joints[block["node"]] = [sum(map(len, palette)), len(matrices)]
                    palette.append(matrices)
                entry["palette"] = joints[block["node"]]
            first += entry["count"]
            instances.append(entry)
        rows.append(block[f"{attribute}s"])
    return tidy(np.concatenate(rows)), tidy(np.concatenate(palette)) if palette else None, instances


def g4mf(path, _, __, ___, pose):
    evaluator = g4mf_oracle.Evaluator(g4mf_oracle.Document(path))
    rows, palette, instances = [], [], []
    for node, block in evaluator.instances(pose):
        entry = {"node": node, "primitive": 0, "first": sum(map(len, rows)), "count": len(block)}
        matrices = evaluator.palette(node, pose)
        if len(matrices):
            entry["palette"] = [sum(map(len, palette)), len(matrices)]
            palette.append(matrices)
        rows.append(block)
        instances.append(entry)
    return tidy(np.concatenate(rows)), tidy(np.concatenate(palette)) if palette else None, instances
