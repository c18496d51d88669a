# SPDX-License-Identifier: MIT
"""sinew optimize, the steps order and compress: vertices keep their places, streams decode to the same numbers, files get smaller."""
import os

import numpy as np

from program import ROOT, UNSUPPORTED, USAGE, corpus_models, main, samples, sinew

import gltf_oracle as oracle
from gltf_builder import Builder
from test_optimize import OptimizeTest, json_of
from test_optimize_weights import tail

EXT, KHR = "EXT_meshopt_compression", "KHR_meshopt_compression"


class Grids(OptimizeTest):
    def setUp(self):
        super().setUp()
        model = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
        if "SINEW_MESHOPT=ON" in sinew("optimize", model, "-o", self.path("built.glb"), "--max-error", 0, "--compress", "meshopt").err:
            self.skipTest("a build without libmeshoptimizer")

    def grid(self, size=24, indexed=False, shapes=0, copies=1):
        """A bent grid of size × size quads; without indices each corner is a vertex. `copies`: primitives over the same accessors."""
        rows = np.array([[x, y, 0.2 * np.sin(x * 0.7) * np.cos(y * 0.5)] for y in range(size + 1) for x in range(size + 1)], "<f4")
        corners = np.array([[a, a + 1, a + size + 2, a, a + size + 2, a + size + 1] for y in range(size) for a in range(y * (size + 1), y * (size + 1) + size)])
        corners = np.random.default_rng(3).permutation(corners.reshape(-1, 3)).reshape(-1)  # a bad order
        order = np.arange(len(rows)) if indexed else corners
        b = Builder()
        number = np.arange(len(rows), dtype="<f4")[order].reshape(-1, 1).repeat(2, 1)
        primitive = {"attributes": {"POSITION": b.accessor(rows[order], bounds=True, target=34962), "_NUMBER": b.accessor(number, target=34962)}}
        for shape in range(shapes):
            offsets = np.zeros_like(rows)
            offsets[shape * 10 : shape * 10 + 20, 2] = 1 + shape
            primitive.setdefault("targets", []).append({"POSITION": b.accessor(offsets[order], bounds=True, target=34962)})
        primitives = []
        for copy in range(copies):
            part = corners.reshape(copies, -1)[copy].astype("<u2")
            primitives.append({**primitive, "indices": b.accessor(part, target=34963)} if indexed else primitive)
        b.add("meshes", {"primitives": primitives})
        b.add("nodes", {"name": "Grid", "mesh": 0})
        b.add("scenes", {"nodes": [0]})
        return b.save(self.path(f"grid{size}{indexed}{shapes}{copies}.glb"))

    def equal(self, a, b):
        """The same vertices in every pose, by a comparison of its own."""
        self.assertLessEqual(self.measured(a, b), 1e-6)

    def triangles(self, path):
        """The triangles of a file as sets of positions with the number of the vertex."""
        document = oracle.Document(path)
        found = set()
        for primitive in document.json["meshes"][0]["primitives"]:
            rows = document.values(primitive["attributes"]["POSITION"])
            numbers = document.values(primitive["attributes"]["_NUMBER"])
            corners = document.raw(primitive["indices"]).reshape(-1) if "indices" in primitive else np.arange(len(rows))
            for triangle in corners.reshape(-1, 3):
                turned = [(*rows[v].tolist(), *numbers[v].tolist()) for v in triangle]
                first = turned.index(min(turned))
                found.add(tuple(turned[first:] + turned[:first]))
        return found


class Order(Grids):
    def test_equal_vertices_are_joined(self):
        source = self.grid()
        out, report = self.optimize(source, 0, "--steps", "order")
        [primitive] = json_of(out)["meshes"][0]["primitives"]
        self.assertEqual(json_of(out)["accessors"][primitive["attributes"]["POSITION"]]["count"], 25 * 25)
        self.assertGreater(self.step(report, "order")["saved"], 0.5 * report["bytesBefore"])
        self.assertEqual(self.triangles(out), self.triangles(source))
        self.equal(source, out)

    def test_vertices_with_shuffled_influences_are_joined(self):
        """Each corner stores its eight influences in an order of its own, across both sets."""
        b = tail()
        [primitive] = b.json["meshes"][0]["primitives"]
        document = oracle.Document(b.save(self.path("tail.glb")))
        corners = document.raw(primitive["indices"])[:, 0]
        stored = {name: document.raw(index)[corners] for name, index in primitive["attributes"].items()}
        place = np.argsort(np.random.default_rng(3).random((len(corners), 8)), 1)
        attributes = {"POSITION": b.accessor(stored["POSITION"], bounds=True, target=34962)}
        for kind in ("JOINTS", "WEIGHTS"):
            rows = np.take_along_axis(np.concatenate([stored[f"{kind}_0"], stored[f"{kind}_1"]], 1), place, 1)
            for n in (0, 1):
                attributes[f"{kind}_{n}"] = b.accessor(np.ascontiguousarray(rows[:, 4 * n : 4 * n + 4]), target=34962)
        b.json["meshes"][0]["primitives"] = [{"attributes": attributes}]
        source = b.save(self.path("shuffled.glb"))

        def positions(path):
            return json_of(path)["accessors"][json_of(path)["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"]

        for error, count in ((1e-5, 80), (0, 450)):  # sums in another order round differently
            out, report = self.optimize(source, error, "--steps", "order")
            self.assertEqual(positions(out), count)
            self.assertGreater(self.step(report, "order")["saved"], 0, error)
            self.assertLessEqual(self.measured(source, out), error)

    def test_the_order_suits_caches(self):
        source = self.grid(indexed=True)

        def misses(path):
            """Transformed vertices per triangle with a first-in first-out cache of 16."""
            document = oracle.Document(path)
            corners = document.raw(document.json["meshes"][0]["primitives"][0]["indices"]).reshape(-1)
            cache, count = [], 0
            for corner in corners:
                if corner not in cache:
                    count += 1
                    cache = [corner, *cache[:15]]
            return count / (len(corners) / 3), corners

        out, _ = self.optimize(source, 0, "--steps", "order")
        self.assertGreater(misses(source)[0], 2)
        few, corners = misses(out)
        self.assertLess(few, 0.9)
        _, first = np.unique(corners, return_index=True)
        self.assertTrue(np.all(np.diff(first) > 0))  # vertices are stored in the order of their first use
        self.assertEqual(self.triangles(out), self.triangles(source))

    def test_primitives_with_the_same_accessors_still_share_them(self):
        source = self.grid(indexed=True, copies=2)
        out, _ = self.optimize(source, 0)
        first, second = json_of(out)["meshes"][0]["primitives"]
        self.assertEqual(first["attributes"], second["attributes"])
        self.assertEqual(self.triangles(out), self.triangles(source))
        self.equal(source, out)

    def test_primitives_that_share_a_part_keep_their_order(self):
        b = Builder()
        rows = b.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.0]], "<f4"), bounds=True, target=34962)
        numbers = [b.accessor(np.arange(4, dtype="<f4") + n, target=34962) for n in (0, 9)]
        indices = b.accessor(np.array([3, 2, 1, 2, 0, 1], "<u2"), target=34963)
        b.add("meshes", {"primitives": [{"attributes": {"POSITION": rows, "_NUMBER": number}, "indices": indices} for number in numbers]})
        b.add("nodes", {"mesh": 0})
        b.add("scenes", {"nodes": [0]})
        out, _ = self.optimize(b.save(self.path("part.glb")), 0)
        document = oracle.Document(out)
        for primitive in document.json["meshes"][0]["primitives"]:
            self.assertEqual(document.raw(primitive["indices"]).reshape(-1).tolist(), [3, 2, 1, 2, 0, 1])

    def test_blend_shapes_follow(self):
        source = self.grid(shapes=3)
        for options in ((), ("--compress", "meshopt")):
            out, report = self.optimize(source, 0, *options)
            self.equal(source, out)
            sparse = [accessor for accessor in json_of(out)["accessors"] if "sparse" in accessor]
            self.assertEqual(len(sparse), 0 if options else 3)  # compressed zeros need no rows
            self.assertLess(report["bytesAfter"], 0.4 * report["bytesBefore"])


class Compress(Grids):
    def views(self, path, name=EXT):
        return [view["extensions"][name] for view in json_of(path)["bufferViews"] if name in view.get("extensions", {})]

    def test_the_file_is_as_the_extension_says(self):
        source = self.grid(indexed=True)
        out, report = self.optimize(source, 0, "--compress", "meshopt")
        document = json_of(out)
        self.assertIn(EXT, document["extensionsRequired"])
        binary, fallback = document["buffers"]
        self.assertEqual(fallback["extensions"][EXT], {"fallback": True})
        self.assertNotIn("uri", fallback)
        self.assertEqual({view["mode"] for view in self.views(out)}, {"ATTRIBUTES", "TRIANGLES"})
        for view in document["bufferViews"]:
            stored = view["extensions"][EXT]
            self.assertEqual((view["buffer"], stored["buffer"]), (1, 0))
            self.assertEqual(view["byteLength"], stored["byteStride"] * stored["count"])
            self.assertLessEqual(view.get("byteOffset", 0) + view["byteLength"], fallback["byteLength"])
            self.assertLessEqual(stored.get("byteOffset", 0) + stored["byteLength"], binary["byteLength"])
            self.assertEqual(view.get("byteStride", stored["byteStride"]), stored["byteStride"])
        self.assertLess(report["bytesAfter"], report["bytesBefore"] / 2)
        self.assertGreater(self.step(report, "compress")["saved"], 0)
        self.equal(source, out)

    def test_twins_of_both_extensions_deform_equal(self):
        models = [path for _, path in samples() + corpus_models()]
        twins = 0
        for number, model in enumerate(models):
            paths = []
            for how, name in (("meshopt", EXT), ("khr-meshopt", KHR)):
                out = self.path(f"{number}-{how}.glb")
                ran = sinew("optimize", model, "-o", out, "--max-error", 1e-3, "--compress", how, "-q", timeout=300)
                if ran.status == 0 and self.views(out, name):
                    paths.append(out)
            if len(paths) != 2:
                continue
            twins += 1
            rows = []
            for path in paths:
                clip = ["--animation", 0, "--time", 0.3] if json_of(path).get("animations") else []
                self.succeeds("deform", path, "-o", self.path("rows.npy"), *clip)
                rows.append(np.load(self.path("rows.npy")))
            np.testing.assert_array_equal(*rows, model)
        self.assertGreaterEqual(twins, 1)

    def test_filters_need_an_error(self):
        b = Builder()
        rows = np.random.default_rng(5).normal(size=(200, 3)).astype("<f4")
        b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(rows, bounds=True, target=34962)}}]})
        b.add("nodes", {"name": "Cloud", "mesh": 0})
        b.add("scenes", {"nodes": [0]})
        turns = np.random.default_rng(6).normal(size=(300, 4))
        keys = b.accessor(np.arange(300, dtype="<f4"), bounds=True)
        moves = b.accessor(np.random.default_rng(7).normal(size=(300, 3)).astype("<f4"))
        turns = b.accessor((turns / np.linalg.norm(turns, axis=1, keepdims=True)).astype("<f4"))
        b.add("animations", {"samplers": [{"input": keys, "output": turns}, {"input": keys, "output": moves}],
                             "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                                          {"sampler": 1, "target": {"node": 0, "path": "translation"}}]})
        source = b.save(self.path("cloud.glb"))
        last = os.path.getsize(source)
        for error, filters in ((0, set()), (1e-4, {"QUATERNION", "EXPONENTIAL"}), (1e-2, {"QUATERNION", "EXPONENTIAL"})):
            out, report = self.optimize(source, error, "--compress", "meshopt")
            self.assertEqual({view["filter"] for view in self.views(out) if "filter" in view}, filters, error)
            self.assertLessEqual(self.measured(source, out), max(error, 1e-7))
            self.assertLessEqual(report["error"], error)
            self.assertLess(os.path.getsize(out), last)
            last = os.path.getsize(out)


    def test_compressed_files_are_compressed_again(self):
        source = self.grid()
        first, _ = self.optimize(source, 0, "--steps", "compress", "--compress", "meshopt", name="first.glb")
        kept, _ = self.optimize(first, 0, name="kept.glb")
        self.assertEqual(len(self.views(kept)), len(self.views(first)))
        again, report = self.optimize(first, 0, "--compress", "khr-meshopt", name="again.glb")
        self.assertNotIn(EXT, json_of(again)["extensionsUsed"])
        self.assertGreater(len(self.views(again, KHR)), 1)
        self.assertLess(report["bytesAfter"], 0.7 * report["bytesBefore"])
        self.equal(source, again)
        last, report = self.optimize(again, 0, "--compress", "meshopt", name="last.glb")
        self.assertEqual(report["bytesAfter"], report["bytesBefore"])
        self.assertIn("would not become smaller", self.step(report, "compress")["note"])
        self.assertEqual(len(self.views(last, KHR)), len(self.views(again, KHR)))


class OtherFormats(OptimizeTest):
    def test_g4mf_is_compressed_with_zstandard(self):
        source = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        plain, _ = self.optimize(source, 1e-3, name="plain.g4b")
        small, report = self.optimize(source, 1e-3, "--compress", "zstd", name="small.g4b")
        self.assertLess(os.path.getsize(small), os.path.getsize(plain))
        self.assertEqual(self.step(report, "compress")["saved"], report["bytesBefore"] - report["bytesAfter"] - report["storageSaved"] - sum(
            step["saved"] for step in report["steps"] if step["step"] != "compress"))
        self.assertEqual(self.measured(plain, small), 0)
        with open(small, "rb") as file:
            self.assertIn(b"\x28\xb5\x2f\xfd", file.read())

    def test_the_step_compress_needs_a_compression(self):
        model = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
        ran = sinew("optimize", model, "-o", self.path("out.glb"), "--max-error", 0, "--steps", "compress")
        self.assertEqual(ran.status, USAGE)
        self.assertIn("the step compress needs a compression: meshopt, khr-meshopt or zstd", ran.err)

    def test_each_format_has_its_own_compression(self):
        for source, how, want in (("g4mf/arm_4d.g4tf", "meshopt", "expected the compression none or zstd for G4MF"),
                                  ("gltf/simple_skin.gltf", "zstd", "expected the compression none, meshopt or khr-meshopt for glTF")):
            out = self.path("out" + (".g4b" if how == "meshopt" else ".glb"))
            ran = sinew("optimize", os.path.join(ROOT, "samples", source), "-o", out, "--max-error", 0, "--compress", how)
            self.assertEqual(ran.status, UNSUPPORTED)
            self.assertIn(want, ran.err)
            self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    main()
