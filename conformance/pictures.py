# SPDX-License-Identifier: MIT
"""Pictures of the differences on the scoreboard: the vertices that an engine gives, over the expected ones.

    python3 conformance/pictures.py ENGINE COMMAND…      COMMAND is the adapter, which takes several groups of arguments at once

Runs the cases in which results/ENGINE.json differs again, and stores the vertices of the worst pose of each in results/ENGINE.rows.json.
scoreboard.py draws the pictures from that.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "rules"), str(HERE.parent / "tests" / "oracle")]
SIZE, EDGE = 220, 24  # pixels of a panel: side and margin
AXES = ((0, 1), (2, 1), (0, 2))
TRIANGLES, LINES, LINE_STRIP = 4, 1, 3


def error_of(got, want):
    """As check.py has it; infinite where an engine has another number of vertices or a coordinate that is no number."""
    if got.shape != want.shape or not np.isfinite(got).all():
        return np.inf
    return np.abs(got - want).max() / (np.linalg.norm(np.ptp(want, 0)) or 1)


def case_of(name):
    folder = HERE / "cases" / name
    return folder, json.loads((folder / "case.json").read_text("utf-8")), np.load(folder / "vertices.npy")


def record(engine, command):
    """{case: its worst pose and the rows there} of all cases that differ."""
    results = json.loads((HERE / "results" / f"{engine}.json").read_text("utf-8"))
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        jobs = {}
        for name, result in results.items():
            folder, case, want = case_of(name)
            if result.startswith("wrong") if isinstance(result, str) else result > case["tolerance"]:
                jobs[name] = want, [[str(folder / case["model"]), "-" if pose["clip"] is None else str(pose["clip"]), str(pose["time"]), case["attribute"],
                               os.path.join(temporary, f"{name.replace('/', '-')}-{k}.npy")] for k, pose in enumerate(case["poses"])]
        if not jobs:
            return found
        subprocess.run([*command, *(word for _, groups in jobs.values() for group in groups for word in group)], capture_output=True, check=True)
        for name, (want, groups) in jobs.items():
            got = [np.load(group[-1]).astype(float) for group in groups]
            pose = max(range(len(got)), key=lambda k: error_of(got[k], want[k]))
            found[name] = {"pose": pose, "rows": [[round(x, 8) if np.isfinite(x) else None for x in row] for row in got[pose].tolist()]}
    return found


def edges_of(folder, case):
    """Pairs of rows that the primitives connect."""
    from gltf_oracle import Document
    from streams import decompress

    document = decompress(Document(str(folder / case["model"])))
    pairs = set()
    for instance in case["instances"]:
        primitive = document.json["meshes"][document.json["nodes"][instance["node"]]["mesh"]]["primitives"][instance["primitive"]]
        order = document.raw(primitive["indices"])[:, 0] if "indices" in primitive else np.arange(instance["count"])
        order = (order.astype(int) + instance["first"]).tolist()
        mode = primitive.get("mode", TRIANGLES)
        if mode == TRIANGLES:
            corners = list(zip(*[iter(order)] * 3))
            pairs |= {tuple(sorted(pair)) for a, b, c in corners for pair in ((a, b), (b, c), (c, a))}
        elif mode in (LINES, LINE_STRIP):
            pairs |= set(zip(order[::2], order[1::2]) if mode == LINES else zip(order, order[1:]))
    return sorted(pairs)


def panel(want, got, edges, left):
    """The drawing of one engine, `left` pixels from the left: expected grey, the engine's orange, lines between the two dotted."""
    seen = np.isfinite(got).all(1)
    same = got.shape == want.shape
    shift = np.where(seen[:, None], got - want, 0) if same else np.ptp(np.concatenate([want, got[seen]]), axis=0)[None]
    x, y = max(AXES, key=lambda axes: (shift[:, axes] ** 2).sum())
    both = np.concatenate([want, got[seen]])[:, [x, y]]
    scale = (SIZE - 2 * EDGE) / max(np.ptp(both, 0).max(), 1e-9)
    middle = (both.max(0) + both.min(0)) / 2

    def at(row):
        return f"{left + SIZE / 2 + (row[x] - middle[0]) * scale:.0f} {SIZE / 2 - (row[y] - middle[1]) * scale:.0f}"

    def lines(rows, pairs):
        return "".join(f"M{at(rows[a])}L{at(rows[b])}" for a, b in pairs if a < len(rows) and b < len(rows) and np.isfinite(rows[[a, b]]).all())

    def dots(rows):
        return "".join(f"M{at(row)}h0" for row in rows if np.isfinite(row).all())

    moved = "".join(f"M{at(a)}L{at(b)}" for a, b, known in zip(want, got, seen) if known and at(a) != at(b)) if same else ""
    return (f'<path class="w" d="{lines(want, edges)}"/><path class="w d" d="{dots(want)}"/><path class="m" d="{moved}"/>'
            f'<path class="g" d="{lines(got, edges if same else [])}"/><path class="g d" d="{dots(got)}"/>'
            f'<text x="{left + 6}" y="{SIZE - 6}">{"xyz"[x]} right, {"xyz"[y]} up</text>')


STYLE = ("<style>path{fill:none;stroke-width:1.5}.w{stroke:#888}.g{stroke:#d55e00}.d{stroke-width:5;stroke-linecap:round}"
         ".m{stroke:#d55e00;stroke-width:1;stroke-dasharray:2 3}text{font:12px sans-serif;fill:#888}</style>")


def picture(name, panels):
    """The SVG of a case. `panels`: (title, entry of rows.json)."""
    folder, case, wanted = case_of(name)
    edges = edges_of(folder, case)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE * len(panels)}" height="{SIZE}">', STYLE]
    for k, (title, entry) in enumerate(panels):
        parts.append(f'<text x="{SIZE * k + 6}" y="16">{title}</text>')
        got = np.array([[np.nan if x is None else x for x in row] for row in entry["rows"]]).reshape(len(entry["rows"]), -1)
        parts.append(panel(wanted[entry["pose"]], got, edges, SIZE * k))
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    name, *adapter = sys.argv[1:]
    kept = record(name, adapter)
    if kept:
        (HERE / "results" / f"{name}.rows.json").write_text(
            "{\n" + ",\n".join(f" {json.dumps(case)}: {json.dumps(entry)}" for case, entry in kept.items()) + "\n}\n", "utf-8")
    print(len(kept), "cases differ")
