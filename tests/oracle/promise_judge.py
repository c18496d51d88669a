# SPDX-License-Identifier: MIT
"""Judges whether a smaller glTF file keeps what it promises, with numpy only: every vertex of a primitive has a counterpart in the other
file that is within the allowed distance at rest and at times of every animation, and whose normal, tangent and texture coordinates are
within theirs. Both files must have the same nodes with meshes, in the same order, and no compression."""
import numpy as np

import gltf_oracle as oracle

TIMES = (0.0, 0.19, 0.5, 0.77, 1.0)


def rows_of(evaluator, poses, attribute):
    """[(poses, vertices, numbers)] of each drawn primitive; None without the attribute."""
    found = [evaluator.instances(None, *pose, attribute) for pose in poses]
    return [None if block[0][2] is None else np.stack([rows for _, _, rows in block]) for block in zip(*found)]


def degrees(a, b):
    a, b = a[..., :3], b[..., :3]
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1)))


def excess(a, b, limits, out):
    """The smallest of the largest ratios measured / allowed for the rows of `a`, over all rows of `b` near to each at rest. Adds the
    largest value of each kind at the chosen counterparts to `out`."""
    order = np.argsort(b["position"][0][:, 0], kind="stable")
    along = b["position"][0][order, 0]
    worst = 0.0
    reach = limits["position"] * (1 + 1e-9) + 1e-12
    for v in range(a["position"].shape[1]):
        x = a["position"][0][v, 0]
        near = order[np.searchsorted(along, x - reach) : np.searchsorted(along, x + reach, side="right")]
        if not len(near):
            return np.inf
        kinds = {"position": np.linalg.norm(b["position"][:, near] - a["position"][:, v, None], axis=2).max(0)}
        for name in ("normal", "tangent"):
            if a.get(name) is not None and np.isfinite(a[name][0][v]).all():
                kinds[name] = degrees(b[name][0][near], a[name][0][v])
        if a.get("texcoord") is not None:
            kinds["texcoord"] = np.abs(b["texcoord"][0][near] - a["texcoord"][0][v]).max(1)
        ratios = np.max([values / limits[name] for name, values in kinds.items()], axis=0)
        best = int(np.argmin(ratios))
        worst = max(worst, ratios[best])
        for name, values in kinds.items():
            out[name] = max(out.get(name, 0.0), float(values[best]))
    return worst


def judge(before, after, max_error, normal_error, texcoord_error):
    """(the largest ratio measured / allowed, {kind: the largest measured value}). Above 1 the promise is broken."""
    one, two = oracle.Evaluator(oracle.Document(before)), oracle.Evaluator(oracle.Document(after))
    poses = [(None, 0.0)]
    poses += [(i, part * one.duration(i)) for i in range(len(one.json.get("animations", []))) for part in TIMES]
    if len(one.json.get("animations", [])) != len(two.json.get("animations", [])):  # removed animations leave the rest pose
        raise ValueError("different numbers of animations")
    read = [{name: rows_of(side, poses if name == "position" else poses[:1], name) for name in ("position", "normal", "tangent", "texcoord")}
            for side in (one, two)]
    everything = np.concatenate([rows[0] for rows in read[0]["position"]])
    diagonal = float(np.linalg.norm(everything.max(0) - everything.min(0)))
    slack = 1e-6  # of float32
    limits = {"position": (max_error + slack) * diagonal, "normal": normal_error + 1e-3, "tangent": normal_error + 1e-3,
              "texcoord": texcoord_error + slack}
    worst, measured = 0.0, {}
    if len(read[0]["position"]) != len(read[1]["position"]):
        raise ValueError("different numbers of primitives")
    for i in range(len(read[0]["position"])):
        a, b = ({name: side[name][i] for name in side} for side in read)
        worst = max(worst, excess(a, b, limits, measured), excess(b, a, limits, measured))
    measured["position"] = measured.get("position", 0.0) / (diagonal or 1)
    return worst, measured
