# SPDX-License-Identifier: MIT
"""Writes docs/conformance-scoreboard.md and its pictures from the results of check.py and pictures.py.

    python3 conformance/scoreboard.py [PAGE [FOLDER OF PICTURES]]

results/ENGINE.json has the results of each engine below, written by check.py --json; results/ENGINE.rows.json the vertices that differ.
notes.json says for each cell that differs what the reason is; a cell without a note or without vertices is an error.
"""
import json
import shutil
import sys
from pathlib import Path

import pictures

HERE = Path(__file__).resolve().parent
PICTURES = HERE.parent / "docs" / "images" / "conformance"
ENGINES = {  # file of results -> name and version, how the adapter gets vertices, the adapter
    "sinew": ("Sinew 0.3.0", "the program `sinew deform`", "python3 conformance/adapters/sinew_program.py"),
    "sinew_python": ("Sinew in Python 0.3.0", "`sinew.Deformer`", "python3 conformance/adapters/sinew_python.py"),
    "sinew_wasm": ("Sinew in WebAssembly 0.3.0", "`Deformer.deform`", "node conformance/adapters/sinew_wasm.mjs"),
    "three": ("three.js 0.180.0", "`Mesh.getVertexPosition`", "node conformance/adapters/three.mjs"),
    "babylon": ("Babylon.js 9.28.0", "`AbstractMesh.getPositionData`, null engine", "node conformance/adapters/babylon.mjs"),
    "playcanvas": ("PlayCanvas 2.23.3", "the matrices of `SkinInstance`; the adapter adds them up as the shader does",
                   "node conformance/adapters/playcanvas.mjs"),
    "blender": ("Blender 3.4.1", "glTF importer 3.4.50 and evaluated meshes",
                "blender --background --factory-startup --python conformance/adapters/blender.py --"),
}
INTRODUCTION = """# Conformance scoreboard

This page shows where engines put the vertices of the [conformance suite](conformance.md). Each case tests one rule of
a specification. A case passes if no coordinate is farther from the expected one than the tolerance of the case, mostly
1e-5 of the diagonal of the model.

The files of this suite are unusual on purpose. A difference means that the engine departs from the text in such files,
often as a deliberate choice for speed. It says nothing about other files.

* **required**: the specification states the rule.
* **recommended**: the specification recommends the rule, or allows engines to do less.
* **reading**: the specification is silent or unclear, or the file breaks one of its rules. The expected vertices follow
  the equations as they are written.

Cases that an adapter does not cover are left out of its numbers: other formats, extensions, and normals and tangents
that the engine computes on the GPU only. Cases that are newer than the results of an engine are **not run**, and are left
out as well. `conformance/scoreboard.py` writes this page.
"""


def state(case, result):
    """"pass", "differs", "no result", "not covered", or "not run": the engine's results are older than the case."""
    if result is None:
        return "not run"
    if isinstance(result, str):
        return "not covered" if result.startswith("unsupported") else "differs" if result.startswith("wrong") else "no result"
    return "pass" if result <= case["tolerance"] else "differs"


def cell(case, result):
    seen = state(case, result)
    if seen == "differs":
        return f"{result:.1e}" if not isinstance(result, str) else "**shape**" if "shape" in result else "**NaN**"
    return {"pass": "✓", "no result": "**none**", "not covered": "", "not run": "not run"}[seen]


def summary(cases, results):
    lines = ["| engine | vertices come from | required | recommended | reading | not run |", "|---|---|---|---|---|---|"]
    for engine, (name, how, _) in ENGINES.items():
        cells = []
        for status in ("required", "recommended", "reading"):
            seen = [state(case, results[engine].get(case["name"])) for case in cases if case["status"] == status]
            cells.append(f"{seen.count('pass')} of {len(seen) - seen.count('not covered') - seen.count('not run')}")
        cells.append(str(sum(case["name"] not in results[engine] for case in cases)))
        lines.append(f"| {name} | {how} | {' | '.join(cells)} |")
    return lines


def differences(cases, results):
    """For each section of a specification the cases in which an engine differs."""
    lines, sources = [], {}
    for case in cases:
        if any(state(case, results[engine].get(case["name"])) in ("differs", "no result") for engine in ENGINES):
            sources.setdefault((case["source"], case["says"]), []).append(case)
    for (source, says), part in sorted(sources.items()):
        lines += ["", f"### {source}", "", says, "", "| case | rule | status | " + " | ".join(name.rsplit(" ", 1)[0] for name, *_ in ENGINES.values()) + " |",
                  "|---" * (3 + len(ENGINES)) + "|"]
        lines += [f"| {case['name']} | {case['rule']} | {case['status']} | " +
                  " | ".join(cell(case, results[engine].get(case["name"])) for engine in ENGINES) + " |" for case in part]
        drawn = [case["name"] for case in part if any(state(case, results[engine].get(case["name"])) == "differs" for engine in ENGINES)]
        lines += [line for name in drawn for line in ("", f"![{name}](images/conformance/{name.replace('/', '-')}.svg)")]
    return lines


def draw(cases, results, folder):
    """Draws every case in which an engine differs, a panel for each such engine."""
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)
    files = {engine: HERE / "results" / f"{engine}.rows.json" for engine in ENGINES}
    rows = {engine: json.loads(file.read_text("utf-8")) if file.exists() else {} for engine, file in files.items()}
    for case in cases:
        name = case["name"]
        differing = [engine for engine in ENGINES if state(case, results[engine].get(name)) == "differs"]
        missing = [engine for engine in differing if name not in rows[engine]]
        if missing:
            sys.exit(f"no vertices of {name}: run pictures.py for {', '.join(missing)}")
        if differing:
            panels = [(f"{ENGINES[engine][0].rsplit(' ', 1)[0]}: {cell(case, results[engine].get(name)).strip('*')}", rows[engine][name]) for engine in differing]
            (Path(folder) / f"{name.replace('/', '-')}.svg").write_text(pictures.picture(name, panels), "utf-8")


def reasons(cases, results, notes):
    """The notes of each engine, and the cells that have none."""
    lines, bare = [], []
    for engine, (name, _, command) in ENGINES.items():
        failing = [case["name"] for case in cases if state(case, results[engine].get(case["name"])) in ("differs", "no result")]
        texts = {text: [name for name in names if name in failing] for text, names in notes.get(engine, {}).items()}
        bare += [f"{engine}: {name}" for name in failing if not any(name in names for names in texts.values())]
        if failing:
            lines += ["", f"### {name}", "", "Show a case again:", "", "```sh", f"python3 conformance/check.py --only {failing[0]} \\", f"    {command}", "```", "", "| cases | reason |", "|---|---|"]
            lines += [f"| {', '.join(names)} | {text} |" for text, names in texts.items() if names]
    return lines, bare


def main(page=HERE.parent / "docs" / "conformance-scoreboard.md", folder=PICTURES):
    cases = [json.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("cases/*/*/case.json"))]
    results = {engine: json.loads((HERE / "results" / f"{engine}.json").read_text("utf-8")) for engine in ENGINES}
    why, bare = reasons(cases, results, json.loads((HERE / "notes.json").read_text("utf-8")))
    if bare:
        sys.exit("no note in notes.json:\n" + "\n".join(bare))
    draw(cases, results, folder)
    lines = [INTRODUCTION, *summary(cases, results), "", "## Differences", "",
             "A number is the largest error, as a part of the diagonal. **none**: the engine raises an error. **shape**: it has another number of",
             "vertices. **NaN**: a coordinate is no number. ✓: it passes. An empty cell: the adapter does not cover the case.", "",
             "The pictures show the pose with the largest error: expected vertices grey, those of the engine orange, dotted lines between them.",
             *differences(cases, results), "", "## Reasons", "", "Reasons that name a function or quote a message come from the code of the engine.",
             "The others are conclusions from the size of the errors and from documentation.", *why]
    Path(page).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
