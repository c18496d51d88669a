# SPDX-License-Identifier: MIT
"""sinew extract: NumPy alone, on the arrays of the file, gives the vertices that the independent evaluation and `sinew deform` give."""
import json
import zipfile
from pathlib import Path

import numpy as np

from program import INPUT, USAGE, ProgramTest, corpus_models, main, samples, sinew

import g4mf_oracle
import gltf_oracle
from g4mf_rigs import RandomRig
from gltf_builder import morphed_quad, tutorial_skin

TOLERANCE = 1e-5  # of the diagonal


def deformed(arrays, joint_world, amounts):
    """Σ weight · joint_world · inverse_bind · (position + Σ amount · offset)."""
    points = arrays["positions"].astype(float) + np.einsum("s,svn->vn", amounts, arrays["shape_offsets"].astype(float))
    points = np.hstack([points, np.ones((len(points), 1))])
    maps = joint_world @ arrays["inverse_bind"]
    vertex = np.repeat(np.arange(len(points)), np.diff(arrays["weights_indptr"]))
    moved = np.einsum("e,eij,ej->ei", arrays["weights_data"].astype(float), maps[arrays["weights_indices"]], points[vertex])
    out = np.zeros_like(points)
    np.add.at(out, vertex, moved)
    return out[:, :-1]


class ExtractTest(ProgramTest):
    def arrays(self, path, *options):
        out = self.path("rig.npz")
        self.succeeds("extract", path, "-o", out, "-q", *options)
        with np.load(out, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}

    def assert_near(self, got, want):
        size = np.linalg.norm(want.max(0) - want.min(0)) if len(want) else 1
        self.assertEqual(got.shape, want.shape)
        if len(want):
            self.assertLessEqual(np.abs(got - want).max(), TOLERANCE * max(size, 1e-30))


class Agrees(ExtractTest):
    def clips_of(self, arrays):
        return sorted(int(name[4:-5]) for name in arrays if name.startswith("clip") and name.endswith("_name"))

    def check(self, path, fps=4):
        arrays = self.arrays(path, "--fps", fps)
        self.assert_near(deformed(arrays, arrays["joint_rest_world"], arrays["shape_rest_amounts"]), self.deform(path))
        for clip in self.clips_of(arrays):
            times, worlds, amounts = (arrays[f"clip{clip}_{what}"] for what in ("times", "joint_world", "amounts"))
            self.assertEqual((len(worlds), len(amounts)), (len(times), len(times)))
            frames = self.deform(path, "--animation", clip, "--fps", fps)
            frames = frames.reshape(len(times), *arrays["positions"].shape)
            for frame in {0, len(times) // 2, len(times) - 1}:
                self.assert_near(deformed(arrays, worlds[frame], amounts[frame]), frames[frame])
        return len(self.clips_of(arrays))

    def test_samples(self):
        self.assertGreaterEqual(sum(self.check(path) for _, path in samples()), 3)

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        clips = 0
        for name, path in models:
            with self.subTest(model=name):
                clips += self.check(path, 2)
        self.assertGreaterEqual(clips, 20)

    def test_the_independent_evaluation(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        arrays = self.arrays(path, "--fps", 4)
        for frame, time in enumerate(arrays["clip0_times"]):
            want = gltf_oracle.evaluate(path, animation=0, time=time)
            self.assert_near(deformed(arrays, arrays["clip0_joint_world"][frame], arrays["clip0_amounts"][frame]), np.asarray(want, float))

    def test_random_rigs_of_any_dimension(self):
        dimensions = set()
        for seed in range(1, 40):
            rig = RandomRig(seed)
            with self.subTest(seed=seed, dimension=rig.dimension):
                path = rig.save(self.folder, f"rig{seed}")
                arrays = self.arrays(path)
                want = np.asarray(g4mf_oracle.evaluate(path, {}), float)
                self.assert_near(deformed(arrays, arrays["joint_rest_world"], arrays["shape_rest_amounts"]), want)
                dimensions.add(rig.dimension)
        self.assertGreaterEqual(len(dimensions), 4)


class Contents(ExtractTest):
    def test_the_arrays_of_the_contract(self):
        arrays = self.arrays(tutorial_skin().save(self.path("strip.glb")), "--fps", 2)
        self.assertEqual({name: (array.dtype.kind, array.shape) for name, array in arrays.items()}, {
            "positions": ("f", (10, 3)), "faces": ("i", (8, 3)),
            "joint_names": ("U", (2,)), "joint_nodes": ("i", (2,)), "joint_parents": ("i", (2,)),
            "joint_rest_world": ("f", (2, 4, 4)), "inverse_bind": ("f", (2, 4, 4)),
            "weights_indptr": ("i", (11,)), "weights_indices": ("i", arrays["weights_data"].shape), "weights_data": ("f", arrays["weights_data"].shape),
            "shape_names": ("U", (0,)), "shape_rest_amounts": ("f", (0,)), "shape_offsets": ("f", (0, 10, 3)),
            "clip0_name": ("U", ()), "clip0_times": ("f", (5,)), "clip0_joint_world": ("f", (5, 2, 4, 4)),
            "clip0_amounts": ("f", (5, 0))})
        self.assertEqual(arrays["joint_names"].tolist(), ["Lower", "Upper"])
        self.assertEqual(arrays["joint_nodes"].tolist(), [1, 2])
        self.assertEqual(arrays["joint_parents"].tolist(), [-1, 0])
        self.assertEqual(str(arrays["clip0_name"]), "Bend")
        self.assertAlmostEqual(float(arrays["weights_data"].sum()), 10, 5)

    def test_shapes(self):
        arrays = self.arrays(morphed_quad().save(self.path("quad.glb")))
        self.assertEqual(len(arrays["shape_names"]), arrays["shape_offsets"].shape[0])
        self.assertGreater(np.abs(arrays["shape_offsets"]).max(), 0)

    def test_names_in_any_script(self):
        built = tutorial_skin()
        built.json["nodes"][1]["name"], built.json["nodes"][2]["name"] = "бедро", "肘😀"
        self.assertEqual(self.arrays(built.save(self.path("names.glb")))["joint_names"].tolist(), ["бедро", "肘😀"])

    def test_the_archive_is_sound(self):
        self.arrays(tutorial_skin().save(self.path("strip.glb")))
        with zipfile.ZipFile(self.path("rig.npz")) as archive:
            self.assertIsNone(archive.testzip())
        first = Path(self.path("rig.npz")).read_bytes()
        self.arrays(self.path("strip.glb"))
        self.assertEqual(Path(self.path("rig.npz")).read_bytes(), first, "the same bytes on every run")


class Manners(ExtractTest):
    def test_report(self):
        out = self.path("rig.npz")
        path = tutorial_skin().save(self.path("strip.glb"))
        row = json.loads(self.succeeds("extract", path, "-o", out, "--json", "--fps", 2).out)
        self.assertEqual((row["vertices"], row["animations"], row["frames"]), (10, 1, 5))
        self.assertEqual(row["bytes"], Path(out).stat().st_size)

    def test_folders(self):
        Path(self.path("models")).mkdir()
        tutorial_skin().save(self.path("models/a.glb"))
        Path(self.path("models/b.gltf")).write_text("{", encoding="utf-8")
        ran = sinew("extract", self.path("models"), "-o", self.path("out"), "--jsonl")
        rows = [json.loads(line) for line in ran.out.splitlines()]
        self.assertEqual(ran.status, INPUT)
        self.assertEqual([row["did"] for row in rows], ["written", "failed"])
        self.assertEqual([path.name for path in Path(self.path("out")).iterdir()], ["a.npz"])

    def test_refused(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        out = self.path("rig.npz")
        self.fails(USAGE, "extract", path, "-o", out, "--fps", 0, says="more than 0")
        self.fails(USAGE, "extract", path)
        self.fails(INPUT, "extract", self.path("none.glb"), "-o", out)
        self.fails(INPUT, "extract", path, "-o", out, "--fps", "1e12", says="--max-memory")
        broken = tutorial_skin()
        broken.json["skins"][0]["joints"][0] = 99
        self.fails(INPUT, "extract", broken.save(self.path("broken.glb")), "-o", out, says="/skins/0/joints/0")
        self.assertFalse(Path(out).exists())


if __name__ == "__main__":
    main()
