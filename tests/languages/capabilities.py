# SPDX-License-Identifier: MIT
"""The capabilities of capabilities.json in Python: capabilities.py FILE NODE SHAPE, as capabilities.cpp."""
import math
import sys

import numpy as np

import sinew

VERDICTS = ["equal in every pose", "equal where sampled", "different", "not comparable"]


def say(name, *arrays):
    numbers = np.concatenate([np.asarray(array, float).ravel() for array in arrays])
    print(name, *(f"{number:.9g}" for number in numbers))


def worlds(matrices):
    """Columns one after the other, as in C."""
    return np.swapaxes(matrices, -1, -2)


def poses(model, pose, node, shape, rotor):
    if model.clips:
        say("find", [model.find_node(node), model.find_clip(model.clips[0].name or "0")])
        say("sample", worlds(model.world_transforms(pose)))
    say("world", worlds(model.world_transforms()))
    turned = model.pose()
    turned.turn(node, rotor=rotor)
    say("turn", worlds(model.world_transforms(turned)))
    if shape != "-":
        blended = model.pose()
        blended.blend(shape, 0.3)
        say("blend", sinew.Deformer(model).positions(blended))


def channels(model, pose):
    for name, normals in (("stored_normals", True), ("computed_normals", "computed")):
        deformer = sinew.Deformer(model, normals=normals, tangents=True)
        rows = {"normals": np.full((deformer.vertices, model.dimension), np.nan, np.float32),
                "tangents": np.full((deformer.vertices, 4), np.nan, np.float32)}
        for channel, array in rows.items():
            try:
                deformer.run(pose, **{channel: array})
            except sinew.UsageError:  # no mesh has any
                pass
        say(name, rows["normals"])
        if normals is True and model.dimension == 3:
            say("tangents", rows["tangents"])


def parts(model, pose):
    deformer = sinew.Deformer(model)
    positions, triangles = deformer.positions(pose), deformer.simplexes()
    say("positions", positions)
    say("triangles", triangles)
    say("ranges", [[r["first"], r["count"], r["instance"], r["surface"], -1 if r["material"] is None else r["material"]]
                   for r in deformer.triangle_ranges()])
    try:
        say("texture_coordinates", deformer.texture_coordinates(pose))
    except sinew.UsageError:  # G4MF
        pass
    influences = deformer.influences()
    say("influences", influences["first"], influences["nodes"], influences["weights"])
    say("boxes", deformer.bone_boxes(positions, above=0.25))
    if model.dimension == 3 and len(triangles):
        found = deformer.hit(positions, positions[triangles[len(triangles) // 2]].astype(float).sum(0) / 3 + [0, 0, 10], [0, 0, -1])
        say("hit", [-1] if found is None else [found["instance"], found["triangle"], *found["barycentric"], found["distance"]])


def play(model, node):
    if not model.clips:
        return
    mask = [1 if i % 2 == 0 else 0.25 for i in range(len(model.nodes))]
    player = sinew.Player(model, [{"clip": 0, "weight": 0.75, "seconds": 0.2}, {"clip": 0, "weight": 0.25, "speed": -0.5, "loops": False},
                                  {"clip": 0, "weight": 0.5, "additive": True, "mask": mask}])
    for _ in range(3):
        player.advance(0.35)
    player.set_weight(0, 0.5)
    player.set_speed(0, 2)
    player.seek(2, 0.1)
    player.advance(0.1)
    say("player", worlds(model.world_transforms(player.pose)))
    say("loops", [clip["seconds"] for clip in player.clips])
    say("socket", worlds(player.world(node)))
    walker = sinew.Player(model, [0], root=node)
    walker.advance(model.clips[0].duration * 1.75)
    say("root_motion", walker.root_motion)


def main(path, node, shape):
    model = sinew.load(path)
    rotor = np.zeros(2 ** (model.dimension - 1))
    rotor[:2] = math.cos(0.2), math.sin(0.2)
    say("load", [model.dimension, len(model.nodes), len(model.meshes), len(model.clips)])
    pose = model.pose()
    if model.clips:
        pose.sample(0, 0.3 * model.clips[0].duration)
    poses(model, pose, node, shape, rotor)
    channels(model, pose)
    parts(model, pose)
    play(model, node)
    rotors = np.zeros((2, len(model.nodes), len(rotor)))
    rotors[..., 0] = 1
    rotors[1, model.find_node(node)] = rotor
    say("arrays", sinew.Deformer(model).positions({"rotor": rotors}))
    say("bounds", model.bounds().all)
    found = sinew.compare(model, model)
    say("compare", [VERDICTS.index(found.verdict()), found.diagonal, found.max])
    say("validate", [sinew.validate(path).counts["error"]])


main(*sys.argv[1:])
