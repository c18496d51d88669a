# SPDX-License-Identifier: MIT
"""Primitives: their kinds, and meshes of several."""
from functools import partial

import numpy as np

from registry import rule
from rig import INDEX, POINTS, TRIANGLES, WEIGHTS, Rig, Y, quat, skinned, slots

MODES = ("points", "lines", "line_loop", "line_strip", "triangles", "triangle_strip", "triangle_fan")


def drawn(mode, indices=None, skin=False, kind="<u2"):
    rig = skinned() if skin else Rig()
    if not skin:
        rig.mesh({"POSITION": rig.positions()})
        rig.node(mesh=0, rotation=quat(Y, 30))
        rig.scene(0)
    primitive = rig.json["meshes"][0]["primitives"][0]
    primitive["mode"] = mode
    del primitive["indices"]
    if indices is not None:
        primitive["indices"] = rig.accessor(np.asarray(indices, kind), target=INDEX)
    return rig


PAIRS = [0, 1, 2, 3, 4, 5, 6, 7]
for mode, name in enumerate(MODES):
    rule(f"primitives/{name}", f"A primitive of {name.replace('_', ' ')}.", "primitives")(
        partial(drawn, mode, PAIRS + [1] if name == "triangles" else PAIRS))
for mode in (0, 1, 3):
    rule(f"primitives/skinned_{MODES[mode]}", f"A skin moves {MODES[mode].replace('_', ' ')}.", "skin")(partial(drawn, mode, PAIRS, True))
rule("primitives/no_indices", "A primitive without indices.", "primitives")(partial(drawn, 5))
for kind in ("u1", "<u4"):
    rule(f"primitives/indices_{kind.strip('<')}", f"Indices are stored as {kind.strip('<')}.", "primitives")(partial(drawn, 4, TRIANGLES, False, kind))
rule("primitives/unused_vertices", "Vertices that no index names are vertices all the same, and deformed.", "primitives", status="reading")(
    partial(drawn, 4, [0, 1, 3], True))


def several(*second, points=POINTS):
    """A mesh of two primitives; the second one has `second` of the attributes of the first."""
    rig = skinned()
    more = rig.influences(*slots(WEIGHTS[: len(points)].astype(float), 1))
    primitive = {"attributes": {"POSITION": rig.positions((points + np.float32(0.5)).astype("<f4")), **{name: more[name] for name in second}},
                 "indices": rig.accessor(np.array([i + k for i in range(len(points) - 2) for k in range(3)], "<u2"), target=INDEX)}
    rig.json["meshes"][0]["primitives"].append(primitive)
    return rig


BOTH = ("JOINTS_0", "WEIGHTS_0")
rule("primitives/two_skinned", "Both primitives of a mesh follow the skin.", "primitives")(partial(several, *BOTH))
rule("primitives/two_of_different_size", "Primitives of a mesh have different numbers of vertices.", "primitives")(partial(several, *BOTH, points=POINTS[:5]))
rule("primitives/one_without_joints", "A primitive without joints in a skinned mesh is moved by its node.", "primitives", status="reading")(several)


@rule("primitives/two_with_joints_of_two_kinds", "Primitives of a mesh store joints and weights in different ways.", "primitives")
def two_kinds():
    rig = several(*BOTH)
    rig.json["meshes"][0]["primitives"][1]["attributes"].update(rig.influences(*slots(WEIGHTS.astype(float), 1), weight="<u2", joint="<u2"))
    return rig


@rule("primitives/shared_positions", "Primitives of a mesh share their attributes and have indices of their own.", "primitives")
def shared():
    rig = skinned()
    first = rig.json["meshes"][0]["primitives"][0]
    rig.json["meshes"][0]["primitives"].append({"attributes": dict(first["attributes"]), "indices": rig.accessor(TRIANGLES[::-1].copy(), target=INDEX)})
    return rig
