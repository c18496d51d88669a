#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files for fuzzing to start from, one folder per target: the samples, golden files, random rigs of the tests' generators, packed numbers.

    make_seeds.py FOLDER [--few]      --few: a handful for each target, for short runs
"""
import argparse
import json
import os
import random
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

from gltf_builder import glb_bytes, morphed_quad, tutorial_skin  # noqa: E402
from random_rigs import RandomRig  # noqa: E402

LARGEST = 64 << 10
OF_TARGET = {"glb": ".glb", "agree": ".glb", "kernels": ".glb", "roundtrip": ".glb", "edits": ".glb", "gltf": ".gltf", "g4b": ".g4b",
             "g4tf": ".g4tf", "roundtrip_g4mf": ".g4tf", "edits_g4mf": ".g4tf"}
OF_TARGET |= {name + ending: extension for name in ("bounds", "compare", "optimize", "tables", "flex", "retarget", "lift", "play") for ending, extension in (("", ".glb"), ("_g4mf", ".g4tf"))}
OF_TARGET |= {"smaller": ".glb", "pick": ".glb", "source": ".gltf", "source_g4mf": ".g4tf", "calls": ".glb", "calls_g4mf": ".g4tf"}


def models(few):
    """(name, extension, bytes) of model files."""
    found = []
    golden = sorted((ROOT / "tests" / "golden").rglob("*.good.*"))
    for path in sorted((ROOT / "samples").rglob("*")) + (golden[::40] if few else golden):
        if path.suffix in (".gltf", ".glb", ".g4tf", ".g4b") and path.stat().st_size <= LARGEST:
            found.append(("_".join(path.relative_to(ROOT).with_suffix("").parts), path.suffix, path.read_bytes()))
    builders = [("tutorial", tutorial_skin()), ("quad", morphed_quad())]
    builders += [(f"rig{seed}", RandomRig(seed).builder) for seed in range(3 if few else 30)]
    for name, builder in builders:
        document = {**builder.json, "buffers": [{"byteLength": len(builder.blob)}]}
        found.append((name, ".glb", glb_bytes(document, bytes(builder.blob))))
    return found


def others():
    """(target, name, bytes) of inputs that are not models."""
    numbers = random.Random(7)
    for i in range(12):
        yield "accessor", f"numbers{i}", bytes(numbers.randrange(256) for _ in range(40 + 50 * i))
    for path in sorted((ROOT / "samples").rglob("*.pose.json")):
        yield "pose", path.name, path.read_bytes()
    for target, size in (("meshopt", 300), ("draco", 120)):
        for i in range(40):
            yield target, f"stream{i}", bytes(numbers.randrange(256) for _ in range(numbers.randrange(size)))
    for path in sorted((ROOT / "samples").rglob("*.g*tf"))[:12]:
        if path.stat().st_size <= LARGEST // 8:
            yield "json", path.name, path.read_bytes()
    yield "json", "values.json", rb'{"a": [0, -0, 1e-7, 1.5E+300, 123456789012345678, true, null, "\u00e9\ud83d\ude00\n"], "a b": {}}'
    case = ROOT / "conformance" / "cases" / "normals" / "normal_scaled_by_axis"
    for name in ("case.json", "vertices.npy"):
        yield "suite", name, (case / name).read_bytes()
    yield "pose", "nodes.json", json.dumps({"nodes": {"Upper": {"rotation": [0, 0, 0.6, 0.8]}}, "blendAmounts": {"0": [0.5]}}).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--few", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    all_models = models(options.few)
    for target, extension in OF_TARGET.items():
        folder = options.folder / target
        os.makedirs(folder)
        for name, of, content in all_models:
            if of == extension:
                (folder / (name + extension)).write_bytes(content)
    for target, name, content in others():
        os.makedirs(options.folder / target, exist_ok=True)
        (options.folder / target / name).write_bytes(content)
    print(f"{sum(1 for path in options.folder.rglob('*') if path.is_file())} seeds in {options.folder}")


if __name__ == "__main__":
    main()
