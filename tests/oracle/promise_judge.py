# SPDX-License-Identifier: MIT
"""Judges whether a smaller glTF file keeps what it promises, with numpy only: every vertex of a primitive has a counterpart in the other
file that is within the allowed distance at rest and at times of every animation, and whose normal, tangent and texture coordinates are
within theirs. Both files must have the same nodes with meshes, in the same order, and no compression."""
import numpy as np

import gltf_oracle as oracle

TIMES = (0.0, 0.19, 0.5, 0.77, 1.0)
PAIRS = 1 << 15  # that are measured at once


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
    along, own = b["position"][0][order, 0], a["position"][0][:, 0]
    worst = 0.0
    reach = limits["position"] * (1 + 1e-9) + 1e-12
    first, last = np.searchsorted(along, own - reach), np.searchsorted(along, own + reach, side="right")
    if (first >= last).any():
        return np.inf
    upto = np.cumsum(last - first)  # pairs
    begin = 0
    while begin < len(own):
        end = max(begin + 1, int(np.searchsorted(upto, PAIRS + (upto[begin - 1] if begin else 0), side="right")))
        counts = (last - first)[begin:end]
        start = np.cumsum(counts) - counts
        which = np.repeat(np.arange(end - begin), counts)
        at, near = which + begin, order[first[begin:end][which] + np.arange(len(which)) - start[which]]
        kinds = {"position": np.linalg.norm(b["position"][:, near] - a["position"][:, at], axis=2).max(0)}
        for name in ("normal", "tangent"):
            if a.get(name) is not None:
                finite = np.isfinite(a[name][0]).all(1)
                kinds[name] = np.where(finite[at], degrees(b[name][0][near], a[name][0][at]), 0.0)
        if a.get("texcoord") is not None:
            kinds["texcoord"] = np.abs(b["texcoord"][0][near] - a["texcoord"][0][at]).max(1)
        ratios = np.max([values / limits[name] for name, values in kinds.items()], axis=0)
        ratios = np.where(np.isnan(ratios), np.inf, ratios)
        least = np.minimum.reduceat(ratios, start)
        best = np.flatnonzero(ratios == least[which])
        best = best[np.unique(which[best], return_index=True)[1]]  # the first of equals
        worst = max(worst, float(least.max()))
        for name, values in kinds.items():
            out[name] = max(out.get(name, 0.0), float(values[best].max()))
        begin = end
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
