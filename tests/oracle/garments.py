# SPDX-License-Identifier: MIT
"""Rigged pieces for tests of merging: a body and clothes for it, as glTF and G4MF files."""
import math

import numpy as np

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder

# Bones of a body: name → (parent, place in the world). All rigs below take places from here unless they say otherwise.
BODY = {
    "Hips": (None, [0, 1, 0]),
    "Spine": ("Hips", [0, 1.3, 0]),
    "Head": ("Spine", [0, 1.7, 0]),
    "LeftArm": ("Spine", [0.3, 1.5, 0]),
    "LeftHand": ("LeftArm", [0.8, 1.5, 0]),
}
SHIRT = {name: BODY[name] for name in ("LeftArm", "Spine", "Hips")}  # another order: other slots
HAIR = {"Head": (None, [0, 1.7, 0]), "Hair": ("Head", [0, 1.85, 0]), "HairTip": ("Hair", [0, 1.7, -0.2])}


def matrix(quaternion, place):
    x, y, z, w = quaternion
    out = np.eye(4)
    out[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                   [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                   [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    out[:3, 3] = place
    return out


def turn(axis, degrees):
    half = math.radians(degrees) / 2  # numpy's last digit depends on the processor
    return [*(math.sin(half) * np.eye(3)["xyz".index(axis)]), math.cos(half)]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def multiply(a, b):
    av, bv = np.array(a[:3]), np.array(b[:3])
    return [*(a[3] * bv + b[3] * av + np.cross(av, bv)), a[3] * b[3] - av @ bv]


def piece(bones, mesh, axes=None, wrapper=None, unlisted=(), radius=0.1, clip=None):
    """A builder with a skinned mesh: four vertices around every bone, held by it and by its parent.

    axes: name → the bone's rotation in the world (quaternion); wrapper: properties of a node above everything; unlisted: bones that are no
    joints; clip: the name of an animation that turns the first bone.
    """
    b = Builder()
    axes = axes or {}
    world = {name: matrix(axes.get(name, [0, 0, 0, 1]), place) for name, (_, place) in bones.items()}
    order = sorted(bones, key=lambda name: depth(bones, name))
    joints = [name for name in bones if name not in unlisted]
    slots = {name: i for i, name in enumerate(joints)}
    positions, influences, weights = [], [], []
    for name in joints:
        place = np.array(bones[name][1])
        held = [name] + [p for p in [bones[name][0]] if p in slots]
        for offset in radius * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]]):
            positions.append(place + offset)
            influences.append([slots[h] for h in held] + [0] * (4 - len(held)))
            weights.append(([0.75, 0.25] if len(held) == 2 else [1, 0]) + [0, 0])
    count = len(positions)
    faces = [[4 * i + a, 4 * i + c, 4 * i + d] for i in range(len(joints)) for a, c, d in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))]
    attributes = {
        "POSITION": b.accessor(np.array(positions, "<f4"), bounds=True, target=34962),
        "JOINTS_0": b.accessor(np.array(influences, "<u1"), target=34962),
        "WEIGHTS_0": b.accessor(np.array(weights, "<f4"), target=34962),
    }
    indices = b.accessor(np.array(faces, "<u2").reshape(-1), target=34963)
    material = b.add("materials", {"name": mesh + " cloth", "doubleSided": True})
    b.add("meshes", {"name": mesh, "primitives": [{"attributes": attributes, "indices": indices, "material": material}]})
    assert count == 4 * len(joints)
    nodes = {}
    tops = []
    for name in order:
        parent, place = bones[name]
        above = np.eye(4) if parent is None else world[parent]
        local = np.linalg.inv(above) @ world[name]
        node = {"name": name, "translation": local[:3, 3].round(9).tolist()}
        turned = multiply(conjugate(axes.get(parent, [0, 0, 0, 1])), axes.get(name, [0, 0, 0, 1]))
        if abs(turned[3]) < 1:
            node["rotation"] = turned
        nodes[name] = b.add("nodes", node)
        if parent is None:
            tops.append(nodes[name])
        else:
            b.json["nodes"][nodes[parent]].setdefault("children", []).append(nodes[name])
    tops.append(b.add("nodes", {"name": mesh, "mesh": 0, "skin": 0}))
    if wrapper is not None:
        tops = [b.add("nodes", {**wrapper, "children": tops})]
        above = np.eye(4)
        above[:3, :3] *= wrapper.get("scale", [1])[0]
        above[:3, 3] = wrapper.get("translation", [0, 0, 0])
        world = {name: above @ place for name, place in world.items()}
    bind = np.stack([np.linalg.inv(world[name]).T for name in joints]).astype("<f4").reshape(-1, 16)
    b.add("skins", {"name": mesh, "joints": [nodes[name] for name in joints], "inverseBindMatrices": b.accessor(bind)})
    b.add("scenes", {"nodes": tops})
    b.json["scene"] = 0
    if clip:
        b.add("animations", {
            "name": clip,
            "samplers": [{"input": b.accessor(np.array([0, 1], "<f4"), bounds=True),
                          "output": b.accessor(np.array([[0, 0, 0, 1], turn("z", 90)], "<f4"))}],
            "channels": [{"sampler": 0, "target": {"node": nodes[joints[0]], "path": "rotation"}}]})
    return b


def depth(bones, name):
    parent = bones[name][0]
    return 0 if parent not in bones else 1 + depth(bones, parent)


def g4mf_piece(bones, mesh, dimension=4, revision="2026-01", skeletons=("Rig",), unlisted=(), group_names=None, place=None, joints=None,
               radius=0.1):
    """The same as a G4MF builder of any dimension from 3 on: bones in order of depth, mesh nodes below the skeletons.

    skeletons: names of several rigs of the same bones that share the mesh (from the second on bones are called like "Rig2Hips"); joints: the
    list instead of all bones that are listed; place: of the skeletons; group_names: "bones", a list, or None.
    """
    b = G4mfBuilder(dimension, revision)
    root = b.node(name="Root" + mesh)
    order = sorted(bones, key=lambda name: depth(bones, name))
    listed = [name for name in order if name not in unlisted]
    wide = lambda point: [*map(float, point), *[0.05 * (i + 1) for i in range(dimension - 3)]]
    positions, influences = [], []
    for slot, name in enumerate(listed):
        parent = listed.index(bones[name][0]) if bones[name][0] in listed else None
        for offset in np.vstack([np.eye(dimension), -np.ones(dimension)]) * radius:
            positions.append(np.array(wide(bones[name][1])) + offset)
            influences.append([(slot, 1)] if parent is None else [(slot, 0.75), (parent, 0.25)])
    corners = max(dimension, 3)
    count = dimension + 1
    cells = [[count * i + c for c in range(corners)] for i in range(len(listed))]
    vertices = b.accessor("float32", positions)
    surface = {"simplexes": b.accessor("uint8", cells), "material": 0}
    names = {} if group_names is None else {"groupNames": listed if group_names == "bones" else list(group_names)}
    made = b.mesh(vertices, [surface], name=mesh, skin=b.skin(influences, **names))
    b.json["materials"] = [{"name": mesh + "Cloth", "baseColor": {"factor": [1, 0.5, 0.25]}}]
    for number, rig in enumerate(skeletons):
        called = lambda name: name if number == 0 else rig + name
        skeleton = b.node(root, name=rig, **({"position": wide(place)} if place else {}))
        nodes = {}
        for name in order:
            parent, at = bones[name]
            local = np.array(wide(at)) - (np.array(wide(bones[parent][1])) if parent in bones else 0)
            nodes[name] = b.node(skeleton if parent not in bones else nodes[parent], name=called(name), position=local.tolist(), bone={})
        listing = [nodes[name] for name in listed] if joints is None else [-1 if name is None else nodes[name] for name in joints]
        b.json["nodes"][skeleton]["skeleton"] = {"joints": listing}
        b.node(skeleton, name=mesh + "Node" + (str(number + 1) if number else ""), mesh=made)
    return b
