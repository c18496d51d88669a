#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the pieces of samples/merge, which docs/merge.md puts together; always the same bytes.

usage: make_merge_samples.py [FOLDER]      default: samples/merge beside this script's folder; needs numpy
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from garments import BODY, HAIR, SHIRT, piece, turn

# The shirt was made by somebody who calls the arm otherwise and gives it other axes.
OTHER_SHIRT = {"upperarm" if name == "LeftArm" else name: bone for name, bone in SHIRT.items()}
PIECES = {
    "body": piece(BODY, "Body", clip="Lean"),
    "shirt": piece(OTHER_SHIRT, "Shirt", {"upperarm": turn("z", 70)}, radius=0.12),
    "wig": piece(HAIR, "Wig", radius=0.05),
}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "samples" / "merge"
    for name, built in PIECES.items():
        built.json["asset"]["generator"] = "sinew make_merge_samples.py"
        built.save(str(folder / f"{name}.gltf"))


if __name__ == "__main__":
    main()
