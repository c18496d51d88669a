# SPDX-License-Identifier: MIT
"""Sums that are hard for float32: `deform` is close to the exact vertices or refuses the file, and the boxes of `bounds` hold both.

SINEW_RIGS: how many rigs of each kind (default 12).
"""
import json
import os

import numpy as np

from program import DONE, INPUT, ProgramTest, in_parallel, main, sinew

from extreme_rigs import FRAMES, KINDS, ExtremeRig

RIGS = int(os.environ.get("SINEW_RIGS", 12))
CLOSE = 1e-5  # diagonals
LOOSE = 0.011  # what a side may lie outside of the vertices, in diagonals


def outside(box, rows):
    """How far rows are outside of a box; the numbers are compared in long double."""
    low, high = (np.array(side, np.longdouble) for side in (box["min"], box["max"]))
    return max((low - rows).max(), (rows - high).max())


def judge(rig, folder):
    """Returns (refused, what is wrong)."""
    path, out = rig.save(folder), f"{folder}/{rig.kind}{rig.seed}.npy"
    name, wrong, clip = f"{rig.kind} {rig.seed}", [], len(rig.poses) > 1
    runs = [(["deform", path, "-o", out], rig.poses[:1], lambda bounds: bounds["rest"])]
    if clip:
        runs.append((["deform", path, "-o", out, "--animation", 0, "--frames", FRAMES], rig.poses[1:], lambda bounds: bounds["clips"][0]["box"]))
    boxes = sinew("bounds", path, "--json")
    refused = False
    for line, poses, box_of in runs:
        ran = sinew(*line)
        if ran.status == INPUT:
            refused = True
            fits = all(np.abs(exact).max() < 3.4e38 for exact in poses)
            if fits and ("vertex" not in ran.err or ": /" not in ran.err or "SINEW_WEIGHTS_CANCEL" not in ran.err):
                wrong.append(f"{name}: a refusal without place or reason: {ran.err}")
            continue
        if ran.status != DONE:
            wrong.append(f"{name}: {ran}")
            continue
        found = np.load(out).reshape(len(poses), -1, rig.dimension)
        bounds = json.loads(boxes.out) if boxes.status == DONE else None
        for exact, got in zip(poses, found):
            diagonal = np.linalg.norm((exact.max(0) - exact.min(0)).astype(np.longdouble))
            # the nearest float32 of each number is as close as it gets
            error = (np.abs(got.astype(np.longdouble) - exact) - np.abs(exact) * 2.0**-24 - 2.0**-149).max()
            if error > CLOSE * diagonal:
                wrong.append(f"{name}: deform is {float(error / diagonal):.2g} diagonals off")
            if bounds and outside(box_of(bounds), got.astype(np.longdouble)) > 0:
                wrong.append(f"{name}: a vertex is {float(outside(box_of(bounds), got.astype(np.longdouble)) / diagonal):.2g} diagonals outside")
            if bounds and outside(box_of(bounds), exact) > 0:
                wrong.append(f"{name}: an exact vertex is {float(outside(box_of(bounds), exact) / diagonal):.2g} diagonals outside")
        if bounds:
            all_rows = np.concatenate(poses)
            low, high = (np.array(side, np.longdouble) for side in (box_of(bounds)["min"], box_of(bounds)["max"]))
            loose = max((all_rows.min(0) - low).max(), (high - all_rows.max(0)).max()) - 4e-6 * np.abs(all_rows).max()
            diagonal = np.linalg.norm((all_rows.max(0) - all_rows.min(0)).astype(np.longdouble))
            if loose > LOOSE * diagonal:
                wrong.append(f"{name}: a side is {float(loose / diagonal):.2g} diagonals too far out")
    if boxes.status != DONE and not refused:
        wrong.append(f"{name}: only bounds refuses: {boxes.err}")
    return refused, wrong


class ExactSums(ProgramTest):
    def check(self, kind):
        results = in_parallel(lambda seed: judge(ExtremeRig(kind, seed), self.folder), range(RIGS))
        wrong = [line for _, lines in results for line in lines]
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertLess(sum(refused for refused, _ in results), max(2, RIGS * 0.7), "nearly all are refused")



class Refusals(ProgramTest):
    def test_weights_that_double_precision_cannot_hold(self):
        rig = ExtremeRig("cancelling", 0)
        rig.count = 4
        rig.skinned([[(0, 1.0)], [(0, 1.0), (1, 1e11), (2, -1e11)], [(1, 1.0)], [(2, 1.0)]], 3)
        path = rig.save(self.folder)
        for line in (["deform", path, "-o", self.path("out.npy")], ["bounds", path]):
            self.fails(INPUT, *line, says=(path, "/meshes/0", "vertex 1", "replace weights", "SINEW_WEIGHTS_CANCEL"))
        rig.skinned([[(0, 1.0)], [(0, 1.0), (1, 1e11), (1, -1e11)], [(1, 1.0)], [(2, 1.0)]], 3)  # of one joint: the sum is exact
        self.assertEqual(judge(rig, self.folder), (False, []))


for kind in KINDS:
    setattr(ExactSums, f"test_{kind}", lambda self, kind=kind: self.check(kind))

if __name__ == "__main__":
    main()
