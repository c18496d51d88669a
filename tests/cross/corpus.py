#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares the vertices of a program that was made of the one source (poses.cpp) with those of the corpus: corpus.py CORPUS COMMAND…

The corpus has expected vertices of many poses of 22 files. All agree, and the poses of the one file that needs Draco are refused."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

REFUSED = "this build of Sinew leaves out KHR_draco_mesh_compression"


def poses_of(corpus):
    for manifest in sorted(Path(corpus).glob("*/oracle/manifest.json")):
        told = json.loads(manifest.read_text(encoding="utf-8"))
        for pose in told["poses"]:
            yield manifest.parent.parent / told["file"], pose, manifest.parent / pose["bin"]


def distance(got, wanted):
    """The largest one of a vertex, relative to the diagonal of the box of the pose."""
    got, wanted = (numpy.fromfile(path, "<f4").reshape(-1, 3) for path in (got, wanted))
    if got.shape != wanted.shape:
        return numpy.inf
    diagonal = numpy.linalg.norm(numpy.ptp(wanted, 0)) if len(wanted) else 0
    return float(numpy.abs(got.astype(float) - wanted).max(initial=0) / (diagonal or 1))


def compare(corpus, command):
    """Returns how many poses agree, the lines of the others, and the different lines of refused ones with their number."""
    bad, refused, agreed = [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        outs = {}
        lines = []
        for number, (file, pose, wanted) in enumerate(poses_of(corpus)):
            outs[number] = (file, wanted)
            clip, seconds = ("-", 0) if pose["animation"] is None else (pose["animation"], pose["time"])
            lines.append(f"{file}\t{clip}\t{seconds!r}\t{number}.bin\n")
        done = subprocess.run(command, input="".join(lines), capture_output=True, text=True, cwd=folder, check=True)
        for line in done.stdout.splitlines():
            refused[line] = refused.get(line, 0) + 1
        for number, (file, wanted) in outs.items():
            got = Path(folder) / f"{number}.bin"
            if got.exists():
                far = distance(got, wanted)
                agreed += far <= 1e-5
                if far > 1e-5:
                    bad.append(f"{file.name}, {wanted.name}: {far:.1e} of the diagonal")
    return agreed, bad, refused


def main():
    agreed, bad, refused = compare(sys.argv[1], sys.argv[2:])
    print("\n".join([*bad, *(f"{count} poses: {line}" for line, count in refused.items()), f"{agreed} poses agree"]))
    # One sentence about one file.
    right = agreed > 200 and not bad and len(refused) == 1 and all(REFUSED in line for line in refused)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
