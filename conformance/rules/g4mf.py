# SPDX-License-Identifier: MIT
"""G4MF in 2 to 6 dimensions, under the names of three revisions. Poses come from clips of one key (SINEW_animation)."""
import math
from functools import partial

import numpy as np

from g4mf_builder import Builder
from g4mf_oracle import even_blades, product
from registry import rule

REVISIONS = ("2025-08", "2026-01", "2026-07")
ROOT, RIG, BONES, BODY = 0, 1, (2, 3, 4), 5
INFLUENCES = [[(0, 1.0)], [(0, 0.75), (1, 0.25)], [(1, 0.5), (0, 0.25), (2, 0.25)], [(2, 0.75), (1, 0.25)]] * 2


def rotor(n, **planes):
    """A rotor of orthogonal planes, by degrees: rotor(4, xy=30, zw=60). Rounded, so that every machine writes the same digits."""
    out = {0: 1.0}
    for plane, degrees in planes.items():
        half = math.radians(degrees) / 2
        out = product(out, {0: math.cos(half), sum(1 << "xyzwvu".index(axis) for axis in plane): math.sin(half)})
    numbers = [round(out.get(mask, 0.0), 8) + 0.0 for mask in even_blades(n)]
    return numbers if len(planes) > 1 else numbers[: 1 + n * (n - 1) // 2]


def points(n):
    return np.array([[0.5 * i if axis == 1 else ((3 * i + 5 * axis) % 7 - 3) / 8 for axis in range(n)] for i in range(8)])


def along(n, *numbers):
    return [float(x) for x in (*numbers, *[0.0] * n)[:n]]


def bones(n, **middle):
    last = "xyzwvu"[n - 1]
    return [{"position": along(n, 0.1, 0.2), "rotor": rotor(n, xy=20)},
            {"position": along(n, 0, 0.5), "rotor": rotor(n, **{"y" + last: 15} if n > 2 else {"xy": 15}), **middle},
            {"position": along(n, 0, 0.5)}]


def posed(n):
    """The changes of the bones: turns in the first and in the last planes, a move."""
    last = "xyzwvu"[n - 1]
    return {"2": {"rotor": rotor(n, xy=-30)}, "3": {"rotor": rotor(n, **{"x" + last: 70})}, "4": {"position": along(n, 0.1, 0.4, 0.3)}}


def clip_of(model, changes):
    tracks = []
    for node, change in changes.items():
        for path, value in change.items():
            tracks.append(track(model, int(node), path, [0.5], [value]))
    return {"tracks": tracks}


def track(model, node, path, times, values, interpolation="LINEAR"):
    values = np.asarray(values, float)
    return {"node": node, "path": path, **({} if interpolation == "LINEAR" else {"interpolation": interpolation}),
            "times": model.accessor("float32", times), "values": model.accessor("float64", values if path != "blendAmounts" else values.ravel())}


def extend(model, **content):
    model.json["asset"]["extensionsUsed"] = ["SINEW_animation"]
    model.json["extensions"] = {"SINEW_animation": content}
    return model


def skinned(n=4, revision="2026-01", influences=INFLUENCES, joints=BONES, body=None, rig=None, middle=None, changes=None, blend=False, kinds=None, parent=RIG):
    kinds = {"vertices": "float32", **(kinds or {})}
    model = Builder(n, revision)
    model.node(name="Root")
    model.node(ROOT, name="Rig", skeleton={"joints": list(joints)}, **(rig or {"position": along(n, 1, 0, 0.5)}))
    for i, bone in enumerate(bones(n, **(middle or {}))):
        model.node(RIG if i == 0 else i + 1, name=f"Bone{i}", bone={}, **bone)
    mesh = model.accessor(kinds.pop("vertices"), points(n))
    indices = model.accessor("uint16", np.array([[(i + k) % 8 for k in range(max(n, 3))] for i in range(3)]))
    shapes = {"blend": {"shapes": [{"name": "Wide", "position": model.target([1, 3, 5], 0.25 * points(n)[:3])},
                                   {"name": "Long", "position": model.target([3, 7], points(n)[5:7])}], "amounts": [0.5, 0.25]}} if blend else {}
    model.mesh(mesh, [{"simplexes": indices}], **({"skin": model.skin(influences, **kinds)} if influences else {}), **shapes)
    model.node(parent, name="Body", mesh=0, **(body or {}))
    return extend(model, clips=[clip_of(model, posed(n) if changes is None else changes)])


def both(n=4, changes=None):
    """The stored pose, and that of the clip."""
    return [(None, 0.0, None), (0, 0.5, {"nodes": posed(n) if changes is None else changes})]


for n in range(2, 7):
    for revision in REVISIONS:
        rule(f"g4mf/skin_{n}d_{revision.replace('-', '_')}", f"A skin in {n} dimensions, under the names of {revision}.", "g4mf_bind", both(n), status="reading",
             file="model.g4tf")(partial(skinned, n, revision))


def add(name, text, source, status="required", poses=None, file="model.g4tf", **options):
    rule(f"g4mf/{name}", text, source, both() if poses is None else poses, status, file=file)(partial(skinned, **options))


PART = [[(0, 0.5), (1, 0.5)]] * 8
add("joint_minus_one", "The weight of a joint -1 holds the vertex back.", "g4mf_joints", joints=(2, 3, -1))
add("joint_minus_one_first", "The joint -1 is the first.", "g4mf_joints", joints=(-1, 3, 4))
add("groups_beyond_the_joints", "Groups beyond the joints do nothing, and do not count in the sum.", "g4mf_joints", "reading", joints=(2, 3))
add("unlisted_vertex", "A vertex without influences stays.", "g4mf_skin", "reading", influences=[[] if i == 5 else row for i, row in enumerate(INFLUENCES)])
add("weights_are_divided_by_their_sum", "Weights count by their share of the sum.", "g4mf_skin", "reading",
    influences=[[(group, weight * (1 + i)) for group, weight in row] for i, row in enumerate(INFLUENCES)])
add("repeated_joint", "A bone occurs twice among the joints.", "g4mf_joints", joints=(2, 3, 3))
add("nine_influences", "A vertex has nine influences.", "g4mf_skin", joints=(2, 2, 2, 3, 3, 3, 4, 4, 4), influences=[[(g, (12 - g) / 72) for g in range(9)]] * 8)
add("joints_of_2025_in_any_order", "The order of joints is free in 2025-08.", "g4mf_joints", revision="2025-08", joints=(4, 2, 3))
add("body_moved", "The mesh's node has a transform of its own, which applies after the skin.", "g4mf_bind", "reading",
    body={"position": [0, 0.5, 0, 1.0], "rotor": rotor(4, xz=40)})
add("skeleton_moved", "The skeleton's node is turned and scaled.", "g4mf_bind", "reading", rig={"rotor": rotor(4, zw=50), "scale": [2.0], "position": [1.0, 0, 0, 1]})
add("skinned_mesh_elsewhere", "A skinned mesh that is no child of a skeleton is not deformed.", "g4mf_skin", parent=ROOT)
add("skinned_mesh_below_a_bone", "A skinned mesh below a bone follows it whole.", "g4mf_skin", parent=3)
add("no_skin", "A mesh without skin stays where its node is.", "g4mf_skin", influences=None)

# The bone below turns too: what is above it does not cancel out of the way from the bind pose.
CHANGES = {"2": {"rotor": rotor(4, xw=60)}, "4": {"rotor": rotor(4, xz=80)}}
for name, text, middle in (
    ("basis", "A bone has a basis, stored by columns.", {"basis": [1, 0.25, 0, 0, 0, 1, 0, 0.5, 0, 0, 1, 0, -0.5, 0, 0, 1.0]}),
    ("basis_mirrored", "A basis mirrors.", {"basis": [-1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}),
):
    rule(f"g4mf/{name}", text, "g4mf_node", both(changes=CHANGES), file="model.g4tf")(
        lambda middle=middle: without_rotor(skinned(middle=middle, changes=CHANGES)))


def without_rotor(model):
    del model.json["nodes"][3]["rotor"]
    return model


for name, text, middle in (
    ("scale_of_one_number", "One number scales all axes.", {"scale": [2.0]}),
    ("scale_by_axis", "A bone is scaled by axis; a turned bone below it is sheared.", {"scale": [2.0, 0.5, 1, 3]}),
    ("rotor_of_another_length", "A rotor that is no unit rotor is made one.", {"rotor": [x / 2 for x in rotor(4, xz=70)]}),
    ("rotor_with_pseudoscalar", "A rotor of a single plane lists its 4-vector, which is 0.", {"rotor": rotor(4, xz=70) + [0.0]}),
    ("double_rotation", "A rotor turns in two planes at once; its 4-vector is not 0.", {"rotor": rotor(4, xy=30, zw=60)}),
    ("double_rotation_xz_yw", "The 4-vector of xz and yw is negative.", {"rotor": rotor(4, xz=30, yw=60)}),
):
    add(name, text, "g4mf_node", "reading" if "length" in name else "required", both(changes=CHANGES), middle=middle, changes=CHANGES)
for plane in ("xy", "xz", "yz", "xw", "yw", "zw"):
    turn = {"3": {"rotor": rotor(4, **{plane: 70})}}
    add(f"rotor_{plane}", f"A rotor of the plane {plane} turns its first axis to its second.", "g4mf_node", poses=both(changes=turn), changes=turn)
for n in (5, 6):
    turn = {"3": {"rotor": rotor(n, xv=40, zw=70)}}
    add(f"double_rotation_{n}d", f"A rotor of two planes in {n} dimensions.", "g4mf_node", poses=both(n, turn), n=n, changes=turn)

# Blend shapes.
add("blend_of_the_mesh", "Amounts of the mesh.", "g4mf_blend", blend=True, influences=None)
add("blend_before_the_skin", "Blend shapes act before the skin.", "g4mf_blend", "reading", blend=True)
add("blend_of_the_instance", "Amounts of an instance win.", "g4mf_blend", blend=True, body={"blend_amounts": [1.5, -0.5]})
add("blend_2025", "Blend shapes under the names of 2025-08.", "g4mf_blend", blend=True, revision="2025-08")

# Storage.
for kind in ("float16", "float64", "float128"):
    add(f"vertices_{kind}", f"Vertices are stored as {kind}.", "g4mf_data", kinds={"vertices": kind})
add("vertices_float8", "Vertices are stored as float8.", "g4mf_data", kinds={"vertices": "float8"})
add("weights_float16", "Weights are stored as float16.", "g4mf_data", kinds={"weight_kind": "float16"})
add("weights_float64", "Weights are stored as float64, groups and vertices as uint64.", "g4mf_data",
    kinds={"weight_kind": "float64", "group_kind": "uint64", "vertex_kind": "uint64"})
for revision in REVISIONS:
    add(f"binary_{revision.replace('-', '_')}", f"A .g4b file of {revision}.", "g4mf_data", revision=revision, file="model.g4b")


# Clips.

def moving(n, path, times, values, interpolation="LINEAR", node=3, **options):
    model = skinned(n, **options)
    return extend(model, clips=[{"tracks": [track(model, node, path, times, values, interpolation)]}])


def clip(name, text, n, path, keys, at, interpolation="LINEAR"):
    """`at`: time -> the value that the text asks for."""
    rule(f"g4mf/clip_{name}", text, "g4mf_clip", [(0, time, {"nodes": {"3": {path: value}}}) for time, value in at.items()], file="model.g4tf")(
        partial(moving, n, path, [0, 1], keys, interpolation))


FROM, TO = [0, 0.5, 0, 0.0], [1.0, 0.5, 2, -1]
clip("position_linear", "Positions are interpolated linearly.", 4, "position", [FROM, TO], {0.25: [0.25, 0.5, 0.5, -0.25], 2.0: TO})
clip("position_step", "A step has the value of the key before.", 4, "position", [FROM, TO], {0.75: FROM, 1.0: TO}, "STEP")
OUT, IN = [1.0, 0, 0, 2], [0.0, 1, 0, -2]
clip("position_cubic", "Splines have tangents.", 4, "position", [IN, FROM, OUT, IN, TO, OUT],
     {0.5: [0.5 * a + 0.5 * b + 0.125 * out - 0.125 * into for a, b, out, into in zip(FROM, TO, OUT, IN)]}, "CUBICSPLINE")
clip("scale_linear", "Scales are interpolated linearly.", 4, "scale", [[1.0, 1, 1, 1], [2.0, 0.5, 1, 3]], {0.5: [1.5, 0.75, 1, 2]})
for n, plane in ((2, "xy"), (3, "xz"), (4, "yw"), (5, "zv")):
    clip(f"rotor_{n}d", f"Rotors of one plane turn at constant speed in {n} dimensions.", n, "rotor",
         [rotor(n, **{plane: 20}), rotor(n, **{plane: 140})], {0.25: rotor(n, **{plane: 50}), 0.5: rotor(n, **{plane: 80})})
clip("rotor_double", "Both planes of a double rotation turn at constant speeds.", 4, "rotor", [rotor(4, xy=0, zw=0), rotor(4, xy=40, zw=120)],
     {0.25: rotor(4, xy=10, zw=30), 0.5: rotor(4, xy=20, zw=60)})
clip("rotor_shorter_way", "A rotor and its negative are the same rotation; the shorter way is taken.", 3, "rotor",
     [rotor(3, xy=20), [-x for x in rotor(3, xy=140)]], {0.5: rotor(3, xy=80)})
rule("g4mf/clip_blend_amounts", "Amounts of an instance are animated.", "g4mf_clip", [(0, 0.5, {"blendAmounts": {"5": [0.5, 0.75]}})], file="model.g4tf")(
    partial(moving, 4, "blendAmounts", [0, 1], [[0, 0.5], [1, 1]], node=BODY, blend=True))

POSE = {"3": {"position": [0, 0.5, 0, 0.0], "rotor": rotor(4, xw=70)}, "4": {"position": [0, 0.25, 0, 0.0], "scale": [1.0, -1, 1, 1]}}
rule("g4mf/stored_pose", "A file stores a pose that differs from its bind pose.", "g4mf_clip", [(None, 0.0, {"nodes": POSE})], file="model.g4tf")(
    lambda: extend(skinned(), pose=[{"node": int(node), **change} for node, change in POSE.items()]))
