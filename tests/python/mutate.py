# SPDX-License-Identifier: MIT
"""mutate.py LIST COUNT FOLDER: changes bytes of files at random and does everything with them. Prints how many, how many were loaded and
how many calls raised. Any exception that is not sinew.Error ends it, and so does a crash."""
import random
import shutil
import sys
from pathlib import Path

import numpy as np
import sinew
from mutations import mutated


def draws():
    try:
        sinew.Renderer(sinew.load_memory(b'{"asset": {"version": "2.0"}}'))
    except sinew.UnsupportedError:
        return False
    return True


DRAWS = draws()


def everything(path, original, folder, counts):
    def tried(work):
        try:
            return work()
        except sinew.Error as error:
            assert str(error) and error.code, repr(error)
            counts["raised"] += 1
            return None

    tried(lambda: sinew.load_memory(path.read_bytes(), max_memory=1 << 26))
    report = tried(lambda: sinew.validate(path))
    if report is not None:
        report.to_json(), report.to_sarif(), repr(report.findings)
    model = tried(lambda: sinew.load(path, max_memory=1 << 26))
    if model is None:
        return
    counts["loaded"] += 1
    sinew.info(model)
    repr((model.nodes, model.meshes, model.findings, model.defects))
    pose = model.pose()
    for clip in model.clips[:3]:
        tried(lambda: pose.sample(clip.index, 0.4))
    tried(lambda: model.world_transforms(pose))
    deformer = tried(lambda: sinew.Deformer(model, normals=True, tangents=True))
    if deformer is not None:
        tried(lambda: deformer.positions(pose))
        tried(lambda: deformer.corner_normals(pose) if model.format == "G4MF" else deformer.normals(pose))
        deformer.simplexes()
        for clip in model.clips[:2]:
            for space in ("local", "world"):
                poses = tried(lambda: model.sample(clip.index, frames=2, space=space))
                if poses is not None:
                    tried(lambda: deformer.positions(poses))
                    tried(lambda: deformer.palettes(poses))
                    tried(lambda: deformer.vjp(poses, np.ones((2, deformer.vertices, model.dimension))))
    cut = tried(lambda: model.slice({"x": 0.1}, pose=pose))
    if cut is not None:
        tried(lambda: cut.save(folder / "cut.g4b"))
    if DRAWS:
        tried(lambda: sinew.render(model, pose, size=(16, 16)))
    tried(lambda: model.save(folder / "still.glb", pose=pose))
    for extension in (".glb", ".g4b"):
        tried(lambda: sinew.convert(path, folder / ("out" + extension), max_memory=1 << 26))
    for skeletons in ("strict", "bone", "plain"):
        tried(lambda: sinew.convert(path, folder / "skeletons.glb", skeletons=skeletons, max_memory=1 << 26))
    tried(lambda: sinew.convert(path, folder / "revised.g4b", revision="2026-07", max_memory=1 << 26))
    tried(lambda: sinew.repair(path, folder / ("repaired" + path.suffix), max_memory=1 << 26))
    tried(lambda: sinew.rebind(path, folder / ("bound" + path.suffix), to="rest", max_memory=1 << 26))
    tried(lambda: sinew.merge(path, [path], folder / ("merged" + path.suffix), max_memory=1 << 26))
    tried(lambda: sinew.merge(original, [path], folder / ("merged" + path.suffix), max_memory=1 << 26))
    tried(lambda: sinew.compare(model, model))


def main():
    files = Path(sys.argv[1]).read_text().splitlines()
    count, folder = int(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    counts = {"loaded": 0, "raised": 0}
    source = random.Random(20261122)
    for number in range(count):
        original = Path(files[number % len(files)])
        for beside in original.parent.iterdir():  # buffers
            if beside.suffix == ".bin" and not (folder / beside.name).exists() and beside.stat().st_size < 1 << 22:
                shutil.copy(beside, folder)
        path = folder / ("mutated" + original.suffix)
        path.write_bytes(mutated(original.read_bytes(), source))
        print(number, original, flush=True)
        everything(path, original, folder, counts)
    print(count, counts["loaded"], counts["raised"])


if __name__ == "__main__":
    main()
