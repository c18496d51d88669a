# SPDX-License-Identifier: MIT
"""What moves, copies and hides vertices beside ordinary channels, against an evaluator that was written from the specifications alone: JSON
pointers (KHR_animation_pointer), copies (EXT_mesh_gpu_instancing), visibility (KHR_node_visibility), wide and narrow floats.

SINEW_FILES: how many files (default 40; 200 hold every combination of property, component type and interpolation).
"""
import json
import os

import numpy as np

from program import DONE, ProgramTest, in_parallel, main, sinew

import moving_files
from moving_oracle import MovingOracle

FILES = int(os.environ.get("SINEW_FILES", 40))
STEP = 200 // FILES if FILES < 200 else 1
CLOSE = 2e-5  # diagonals


def judge(seed, folder):
    """Returns what is wrong with the answers about one file."""
    path = moving_files.make(seed, folder)
    oracle, wrong = MovingOracle(path), []
    clips = oracle.clips()
    told = sinew("info", "--json", path)
    if told.status != DONE:
        return [f"{seed}: {told}"]
    info = json.loads(told.out)
    found = [{key: clip[key] for key in ("duration", "channels", "pointerChannels")} for clip in info["animations"]]
    for clip, other in zip(found, clips):
        if abs(clip["duration"] - other["duration"]) > 1e-6 or {**clip, "duration": 0} != {**other, "duration": 0}:
            wrong.append(f"{seed}: info says {clip}, expected {other}")
    moments = [(None, 0.0)] + [(a, t) for a in range(len(clips)) for t in oracle.times(a)]
    for animation, time in moments:
        out = os.path.join(folder, f"{seed}.npy")
        line = [] if animation is None else ["--animation", animation, "--time", repr(time)]
        ran = sinew("deform", path, "-o", out, *line)
        if ran.status != DONE:
            wrong.append(f"{seed}: {ran}")
            break
        expected, rows = oracle.positions(animation, time), np.load(out)
        if rows.shape != expected.shape:
            wrong.append(f"{seed}: {len(rows)} rows, expected {len(expected)}")
            continue
        error = np.abs(rows - expected).max(initial=0) / max(np.linalg.norm(np.ptp(expected, 0)), 1e-30)
        if error > CLOSE:
            wrong.append(f"{seed}: {error:.2g} diagonals off in animation {animation} at {time} ({', '.join(moving_files.describe(seed))})")
            break
    return wrong


class Moving(ProgramTest):
    def test_vertices_durations_and_channels(self):
        wrong = [line for lines in in_parallel(lambda seed: judge(seed, self.path("")), range(0, 200, STEP)) for line in lines]
        self.assertFalse(wrong, "\n".join(wrong[:40]))


if __name__ == "__main__":
    main()
