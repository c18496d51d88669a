# SPDX-License-Identifier: MIT
"""What moves, copies and hides vertices beside ordinary channels, against an evaluator that was written from the specifications alone: JSON
pointers (KHR_animation_pointer), copies (EXT_mesh_gpu_instancing), visibility (KHR_node_visibility), wide and narrow floats.

SINEW_FILES: how many files (default 8; 200 hold every combination of property, component type and interpolation).
"""
import json
import os

import numpy as np

from program import DONE, ProgramTest, in_parallel, main, sinew

import moving_files
from gltf_builder import Builder
from moving_oracle import MovingOracle

FILES = int(os.environ.get("SINEW_FILES", 8))
STEP = 200 // FILES if FILES < 200 else 1
TIMES = int(os.environ.get("SINEW_TIMES", 60))  # of each clip
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


def rows_of(path, animation=None, time=0.0):
    out = path + ".npy"
    line = [] if animation is None else ["--animation", animation, "--time", repr(time)]
    ran = sinew("deform", path, "-o", out, *line)
    return (None, str(ran)) if ran.status != DONE else (np.load(out), "")


# Edits that keep every vertex, and how far it may move, in diagonals.
EDITS = {
    "convert": (["convert", "IN", "OUT"], 0),
    "optimize": (["optimize", "IN", "-o", "OUT", "--max-error", "1e-4"], 2e-4),
    "order": (["optimize", "IN", "-o", "OUT", "--steps", "prune,order", "--max-error", "0"], 1e-6),
}


def edited(seed, folder):
    """Returns what is wrong with edits of one file: they keep what moves, what is copied and what is hidden."""
    path = moving_files.make(seed, folder)
    oracle, wrong = MovingOracle(path), []
    durations = [clip["duration"] for clip in oracle.clips()]
    moments = [(None, 0.0)] + [(a, t) for a, d in enumerate(durations) for t in (0.0, 0.37 * d, d)]
    for name, (line, limit) in EDITS.items():
        out = os.path.join(folder, f"{seed}.{name}.glb")
        ran = sinew(*[{"IN": path, "OUT": out}.get(word, word) for word in line])
        if ran.status != DONE:
            wrong.append(f"{seed} {name}: {ran}")
            continue
        after = MovingOracle(out)
        if name != "order" and [round(c["duration"], 5) for c in after.clips()] != [round(d, 5) for d in durations]:
            wrong.append(f"{seed} {name}: durations {after.clips()}, expected {durations}")
        for animation, time in moments:
            expected, found = oracle.positions(animation, time), after.positions(animation, time)
            rows, failed = rows_of(out, animation, time)
            if failed or found.shape != rows.shape or np.abs(np.sort(rows, 0) - np.sort(found, 0)).max(initial=0) > 1e-4:
                wrong.append(f"{seed} {name}: {failed or 'the program and the evaluator disagree about the result'}")
                break
            size = np.linalg.norm(np.ptp(expected, 0))
            ends = np.abs(np.array([found.min(0) - expected.min(0), found.max(0) - expected.max(0)])).max()
            if ends > (limit + 1e-6) * size:
                wrong.append(f"{seed} {name}: {ends / size:.2g} diagonals off in animation {animation} at {time}")
                break
            shown = {(oracle.nodes[n].get("name"), copy): v for n, copy, v in oracle.visible(animation, time)}
            now = {(after.nodes[n].get("name"), copy): v for n, copy, v in after.visible(animation, time)}
            if any(now.get(key, value) != value for key, value in shown.items()):
                wrong.append(f"{seed} {name}: another visibility in animation {animation} at {time}")
                break
    return wrong


def boxed(seed, folder):
    """Returns what is wrong with the boxes of one file: every row of every copy lies inside, and what a clip never shows is left out."""
    path = moving_files.make(seed, folder)
    oracle, wrong = MovingOracle(path), []
    ran = sinew("bounds", path, "--json")
    if ran.status != DONE:
        return [f"{seed}: {ran}"]
    report = json.loads(ran.out)
    blocks = oracle.blocks()
    if [(one["node"], one["copy"]) for one in report["instances"]] != [(block["node"], block["copy"]) for block in blocks]:
        return [f"{seed}: other instances"]

    def outside(box, rows):
        return max((np.array(box["min"]) - rows).max(initial=-1), (rows - np.array(box["max"])).max(initial=-1))

    def judge(what, boxes, box, rows, shown):
        """`shown`: by instance, whether it is visible at some time; `rows`: (times, rows, 3)."""
        union = [one["box"] for one, visible in zip(boxes, shown) if visible and one["box"]]
        for one, block, visible in zip(boxes, blocks, shown):
            found = rows[:, block["first"]: block["first"] + block["vertices"]].reshape(-1, 3)
            if one.get("visible", visible) != visible:
                wrong.append(f"{seed} {what}: node {one['node']} copy {one['copy']}: visible {one['visible']}")
            if len(found) and outside(one["box"], found) > 0:
                wrong.append(f"{seed} {what}: node {one['node']} copy {one['copy']}: {outside(one['box'], found)} outside")
        expected = {"min": np.min([b["min"] for b in union], 0), "max": np.max([b["max"] for b in union], 0)} if union else None
        if (box is None) != (expected is None) or box and (outside(expected, np.array([box["min"], box["max"]])) > 1e-6 or outside(box, np.array(list(expected.values()))) > 1e-6):
            wrong.append(f"{seed} {what}: the box is {box}, expected {expected}")

    for clip, answer in enumerate(report["clips"]):
        out = os.path.join(folder, f"{seed}.frames.npy")
        sinew("deform", path, "--animation", clip, "--frames", TIMES, "-o", out)
        keys = sorted({0.0, *oracle.times(clip)})
        shown = [any(visible) for visible in zip(*([block[2] for block in oracle.visible(clip, time)] for time in keys))]
        judge(f"animation {clip}", answer["instances"], answer["box"], np.load(out), shown)
    union = [np.concatenate([b["positions"] for b in blocks if b["visible"] and len(b["positions"])])] if any(b["visible"] and len(b["positions"]) for b in blocks) else []
    if (report["rest"] is None) != (not union) or union and outside(report["rest"], union[0]) > 1e-6:
        wrong.append(f"{seed} rest: {report['rest']}")
    return wrong


class Moving(ProgramTest):
    def test_a_translation_beside_a_matrix_survives_g4mf(self):
        for matrix, says in (([0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 1], "no losses"), ([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1], "is lost")):
            with self.subTest(says=says):
                b = Builder()
                b.add("meshes", {"primitives": [{"mode": 0, "attributes": {"POSITION": b.accessor(np.eye(3, dtype="<f4"), bounds=True)}}]})
                b.json["nodes"] = [{"name": "Node", "mesh": 0, "matrix": matrix}]
                samplers = [{"input": b.accessor(np.array([0, 1], "<f4"), bounds=True), "output": b.accessor(np.array([[5, 0, 0], [0, 7, 0]], "<f4"))}]
                target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/translation"}}}
                b.add("animations", {"samplers": samplers, "channels": [{"sampler": 0, "target": target}]})
                b.add("scenes", {"nodes": [0]})
                b.json.update(scene=0, extensionsUsed=["KHR_animation_pointer"])
                source = b.save(self.path("source.gltf"))
                self.assertIn(says, self.succeeds("convert", source, self.path("out.g4b")).err)
                if says == "no losses":
                    for time in (0.0, 0.3, 1.0):
                        wanted, found = (rows_of(path, 0, time)[0] for path in (source, self.path("out.g4b")))
                        np.testing.assert_allclose(found, wanted, atol=1e-5)
                        np.testing.assert_allclose(wanted, MovingOracle(source).positions(0, time), atol=1e-5)

    def test_vertices_durations_and_channels(self):
        wrong = [line for lines in in_parallel(lambda seed: judge(seed, self.path("")), range(0, 200, STEP)) for line in lines]
        self.assertFalse(wrong, "\n".join(wrong[:40]))

    def test_edits(self):
        wrong = [line for lines in in_parallel(lambda seed: edited(seed, self.path("")), range(1, 200, 2 * STEP)) for line in lines]
        self.assertFalse(wrong, "\n".join(wrong[:40]))

    def test_boxes(self):
        wrong = [line for lines in in_parallel(lambda seed: boxed(seed, self.path("")), range(0, 200, 2 * STEP)) for line in lines]
        self.assertFalse(wrong, "\n".join(wrong[:40]))


if __name__ == "__main__":
    main()
