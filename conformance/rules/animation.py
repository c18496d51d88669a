# SPDX-License-Identifier: MIT
"""Clips: every path and interpolation, the ends, and rotations that are hard."""
from functools import partial

import numpy as np

from morphs import morphed
from registry import rule
from rig import TILTED, X, Y, Z, quat, skinned, still

TIMES = [0.25, 1, 1.5, 3]
PATHS = {
    "translation": [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 0, 3]],
    "rotation": [quat(Z, 0), quat(Z, 90), quat(TILTED, 120), quat(X, -60)],
    "scale": [[1, 1, 1], [2, 1, 0.5], [0.5, 3, 1], [1, -1, 1]],
    "weights": [[0, 0], [1, 0.5], [-0.5, 1.5], [0.25, 0]],
}
SOURCE = {"STEP": "step", "LINEAR": "linear", "CUBICSPLINE": "cubic"}
# Before the first key, at one, between two (in and out of the middle), after the last.
AT = [(0, 0.1), (0, 1.0), (0, 0.7), (0, 1.2), (0, 2.3), (0, 4.0)]


def spline(values):
    """Values with tangents: in-tangent, value, out-tangent for each key."""
    values = np.asarray(values, float)
    bend = np.roll(values, 1, axis=1) * 0.7 - 0.2
    return np.stack([bend, values, -0.5 * bend + 0.3], 1)


def target(path):
    return morphed() if path == "weights" else still(translation=[0.5, 0, 0], rotation=quat(Y, 20), scale=[1, 2, 1])


def animated(path, interpolation, kind="<f4", values=None, times=TIMES):
    values = PATHS[path] if values is None else values
    return target(path).clip((0, path, times, spline(values) if interpolation == "CUBICSPLINE" else values, interpolation, kind))


for path in PATHS:
    for interpolation in SOURCE:
        source = "slerp" if (path, interpolation) == ("rotation", "LINEAR") else SOURCE[interpolation]
        rule(f"animation/{path}_{interpolation.lower()}", f"A clip of {path} with the interpolation {interpolation}.", source, AT)(
            partial(animated, path, interpolation))

BETWEEN = [(0, 0.25), (0, 0.5), (0, 0.9)]


def turns(*keys, interpolation="LINEAR", times=None):
    return still().clip((0, "rotation", times or list(range(len(keys))), keys, interpolation))


def negative(q):
    return [-x for x in q]


rule("animation/shortest_arc", "Keys whose dot product is negative are interpolated the short way.", "slerp", [(0, 0.5)])(
    partial(turns, quat(Z, 10), negative(quat(TILTED, 80))))
rule("animation/same_rotation_other_sign", "A key and its negative are the same rotation: nothing moves.", "slerp", BETWEEN)(
    partial(turns, quat(TILTED, 80), negative(quat(TILTED, 80))))
rule("animation/nearly_equal", "Keys that are nearly equal do not divide by 0.", "slerp", BETWEEN)(partial(turns, quat(Z, 30), quat(Z, 30.001)))
rule("animation/equal_keys", "Keys that are equal do not divide by 0.", "slerp", BETWEEN)(partial(turns, quat(Z, 30), quat(Z, 30)))
rule("animation/constant_speed", "A wide turn has a constant speed.", "slerp", BETWEEN)(partial(turns, quat(TILTED, 0), quat(TILTED, 175)))
rule("animation/cubic_rotation_is_normalised", "The result of a spline of rotations is normalised.", "cubic", BETWEEN)(
    lambda: still().clip((0, "rotation", [0, 1], [[[0] * 4, quat(Z, 0), [0.5, 1, 0, 1]], [[-1, 0, 0.5, 0], quat(X, 120), [0] * 4]], "CUBICSPLINE")))
rule("animation/cubic_takes_no_shortest_arc", "A spline of rotations is a spline of four numbers; no key changes its sign.", "cubic", BETWEEN)(
    lambda: still().clip((0, "rotation", [0, 1], [[[0] * 4, quat(Z, 20), [0] * 4], [[0] * 4, negative(quat(X, 100)), [0] * 4]], "CUBICSPLINE")))
rule("animation/cubic_uneven_keys", "Tangents are multiplied by the time between keys.", "cubic", [(0, 0.2), (0, 2.0), (0, 4.0)])(
    partial(animated, "translation", "CUBICSPLINE", times=[0, 0.5, 3.5, 4.5]))
rule("animation/cubic_ends", "Before the first and after the last key a spline has the values there, not their tangents.", "ends", [(0, 0.0), (0, 9.0)])(
    partial(animated, "translation", "CUBICSPLINE"))
rule("animation/cubic_at_the_keys", "At a key a spline has its value.", "cubic", [(0, 0.25), (0, 1.0), (0, 1.5), (0, 3.0)])(
    partial(animated, "translation", "CUBICSPLINE"))
rule("animation/step_at_the_keys", "At a key a step has the value of that key.", "step", [(0, 0.25), (0, 1.0), (0, 1.5), (0, 3.0)])(
    partial(animated, "translation", "STEP"))

# Quantised keys: whole numbers that are exactly unit quaternions, so that it does not matter whether an engine normalises.
UNITS = {"i1": (78, 75, 62, 24), "u1": (158, 141, 116, 82), "i2": (20320, 18038, 14677, 10954), "u2": (40643, 36066, 29324, 21962)}
for kind, unit in UNITS.items():
    top = int(np.iinfo(kind).max)
    keys = np.array([[0, 0, 0, top], unit, unit[::-1]], f"<{kind}")
    rule(f"animation/rotation_{kind}", f"Rotations are stored as normalised {kind}.", "normalised", [(0, 0.0), (0, 1.0), (0, 2.0)])(
        partial(animated, "rotation", "LINEAR", f"<{kind}", keys, [0, 1, 2]))
    amounts = np.array([[0, top], [top, top // 3]], f"<{kind}")
    rule(f"animation/weights_{kind}", f"Weights are stored as normalised {kind}.", "normalised", [(0, 0.0), (0, 0.5), (0, 1.0)])(
        partial(animated, "weights", "LINEAR", f"<{kind}", amounts, [0, 1]))
for kind in ("i1", "i2"):
    low = int(np.iinfo(kind).min)
    rule(f"animation/rotation_{kind}_lowest", f"The lowest {kind} is -1, as the one above it.", "normalised", [(0, 0.0), (0, 0.5), (0, 1.0)])(
        partial(animated, "rotation", "LINEAR", f"<{kind}", np.array([[0, 0, low, 0], [0, 0, 0, low]], f"<{kind}"), [0, 1]))
    rule(f"animation/weights_{kind}_lowest", f"A weight of the lowest {kind} is -1.", "normalised", [(0, 0.0), (0, 1.0)])(
        partial(animated, "weights", "STEP", f"<{kind}", np.array([[low, 0], [0, low]], f"<{kind}"), [0, 1]))
rule("animation/rotation_i2_cubic", "Splines of rotations are stored as normalised i2, tangents as well.", "normalised", BETWEEN)(
    partial(animated, "rotation", "CUBICSPLINE", "<i2", [[0, 0, 0, 32767], [23170, 0, 0, 23170]], [0, 1]))

# The ends, and single keys.
for interpolation in ("LINEAR", "STEP"):
    rule(f"animation/one_key_{interpolation.lower()}", "A clip of one key has its value at all times.", "ends", [(0, 0.0), (0, 0.5), (0, 2.0)])(
        partial(animated, "translation", interpolation, values=[[1, 2, 3]], times=[0.5]))
rule("animation/before_the_first_key", "Before the first key the first value holds; times are not counted from it.", "ends", [(0, 0.0), (0, 1.0), (0, 2.5)])(
    partial(animated, "translation", "LINEAR", values=[[1, 0, 0], [3, 0, 0]], times=[2, 3]))
rule("animation/after_the_last_key", "After the last key the last value holds; the clip does not repeat.", "ends", [(0, 1.0), (0, 1.5), (0, 10.0)])(
    partial(animated, "rotation", "LINEAR", values=[quat(Z, 0), quat(Z, 90)], times=[0, 1]))
rule("animation/channels_end_apart", "A channel that ends early keeps its last value.", "ends", [(0, 0.5), (0, 1.5), (0, 2.0)])(
    lambda: still().clip((0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]]), (0, "rotation", [1, 2], [quat(Z, 0), quat(Z, 90)])))

# Channels.
rule("animation/other_properties_stay", "Properties without a channel keep the values of the node.", "animation", [(0, 0.25), (0, 1.0)])(
    partial(animated, "rotation", "LINEAR"))
rule("animation/second_clip", "Clips are independent; the second one is chosen.", "animation", [(1, 0.5)])(
    lambda: still().clip((0, "translation", [0, 1], [[0, 0, 0], [9, 0, 0]])).clip((0, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]])))
rule("animation/no_target_node", "A channel without a node is ignored.", "animation", [(0, 0.5)])(
    lambda: still().clip((None, "translation", [0, 1], [[0, 0, 0], [9, 0, 0]]), (0, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]])))
rule("animation/replaces_the_value", "A channel replaces the value of the node; it does not add to it.", "animation", [(0, 0.0), (0, 1.0)])(
    lambda: still(translation=[5, 5, 5]).clip((0, "translation", [0, 1], [[1, 0, 0], [2, 0, 0]])))
rule("animation/through_zero_scale", "A scale passes 0 and becomes negative.", "linear", [(0, 0.5), (0, 0.75)])(
    partial(animated, "scale", "LINEAR", values=[[1, 1, 1], [-1, 1, -1]], times=[0, 1]))


@rule("animation/shared_sampler", "Two channels share a sampler.", "animation", [(0, 0.5)])
def shared_sampler():
    rig = skinned().clip((2, "rotation", [0, 1], [quat(X, 0), quat(X, 90)]))
    rig.json["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 3, "path": "rotation"}})
    return rig


@rule("animation/weights_of_one_instance", "Weights of one of two nodes are animated.", "animation", [(0, 0.5)])
def one_instance():
    rig = morphed(amounts=[0.5, 0])
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=0, translation=[2, 0, 0]))
    return rig.clip((1, "weights", [0, 1], [[0, 0], [0.5, 1]]))


def joints(interpolation):
    """Three joints, each with a channel; rotations between keys have cases of their own."""
    moves = {1: "translation", 2: "scale" if interpolation == "LINEAR" else "rotation", 3: "scale"}
    keys = {path: spline(PATHS[path][:3]) if interpolation == "CUBICSPLINE" else PATHS[path][:3] for path in PATHS}
    return skinned().clip(*((node, path, [0, 1, 1.5], keys[path], interpolation) for node, path in moves.items()))


for interpolation in SOURCE:
    rule(f"animation/joints_{interpolation.lower()}", f"Joints are animated with the interpolation {interpolation}.", "skin", [(0, 0.4), (0, 1.0), (0, 1.3)])(
        partial(joints, interpolation))


@rule("animation/parent_of_joints", "The parent of the joints is animated.", "skin", [(0, 0.5)])
def parent_of_joints():
    return skinned().above(name="Armature").clip((4, "translation", [0, 1], [[0, 0, 0], [0, 0, 4]]), (4, "rotation", [0, 1], [quat(Y, 0), quat(Y, 90)]))
