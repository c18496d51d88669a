# SPDX-License-Identifier: MIT
"""sinew rebind: blend shapes that become part of the mesh."""
import json
import os

import numpy as np

from program import ROOT, UNSUPPORTED, ProgramTest, main, sinew

import g4mf_builder
import g4mf_oracle
import g4mf_rigs
from gltf_builder import Builder, morphed_quad
from gltf_oracle import Document, evaluate
from random_rigs import RandomRig

CASES = os.path.join(ROOT, "tests", "cases")
TIMES = (0, 0.3, 0.5, 1, 1.7)


def case(*names):
    return os.path.join(CASES, *names)


class RebindCase(ProgramTest):
    def codes(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return [m["code"] for part in ("issues", "modelIssues") for m in report[part]["messages"] if m["severity"] < 2]

    def rebound(self, source, *options, name="out"):
        out = self.path(name + os.path.splitext(source)[1])
        ran = self.succeeds("rebind", source, "-o", out, *options)
        self.assertEqual(set(self.codes(out)) - set(self.codes(source)), set())
        return out, ran

    def assert_same(self, a, b, attributes=("position",), tolerance=2e-6, poses=None):
        """At rest and in all clips."""
        clips = len(Document(a).json.get("animations", []))
        for animation, time in poses or [(None, 0)] + [(clip, time) for clip in range(clips) for time in TIMES]:
            for attribute in attributes:
                want = evaluate(a, animation=animation, time=time, attribute=attribute)
                np.testing.assert_allclose(evaluate(b, animation=animation, time=time, attribute=attribute), want, rtol=0,
                                           atol=tolerance * max(1, np.abs(want).max()), err_msg=f"{attribute}, {animation}, {time}")


class BakeShapes(RebindCase):
    def baked(self, source, *options):
        out, ran = self.rebound(source, "--bake-shapes", *options)
        if not source.endswith((".g4tf", ".g4b")):
            document = Document(out).json
            self.assertFalse(any(any(item.get("weights", [])) for part in ("meshes", "nodes") for item in document.get(part, [])))
        self.assertIn("no change needed", self.succeeds("rebind", out, "-o", self.path("again" + os.path.splitext(out)[1]), "--bake-shapes").err)
        return out, ran

    def test_the_case(self):
        source = case("bake-shapes", "doll.gltf")
        out, ran = self.baked(source)
        self.assert_same(source, out)
        document = Document(out)
        np.testing.assert_allclose(document.values(document.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]), evaluate(source), atol=1e-6)
        self.assertEqual(document.json["meshes"][0]["extras"]["targetNames"], ["grow", "tall"])
        before = Document(source)
        for i in (0, 1):
            np.testing.assert_array_equal(*[d.values(d.json["meshes"][0]["primitives"][0]["targets"][i]["POSITION"]) for d in (before, document)])
        self.assertIn("equal in every pose", ran.err)

    def face(self, weights=(0.25, 0.75), kind="f4", sparse=False, mode="LINEAR", normalized=False):
        """A face with two shapes of all attributes, and a clip of their amounts."""
        b = morphed_quad()
        mesh = b.json["meshes"][0]
        primitive = mesh["primitives"][0]
        mesh["weights"] = list(weights)
        rows = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        scale = 1 if kind == "f4" else 50
        if kind != "f4":
            b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
        whole = lambda values: b.accessor((scale * values).astype(kind), bounds=True, target=34962, normalized=normalized)
        part = (lambda values: b.sparse(values.astype("<f4"), bounds=True)) if sparse else whole
        primitive["attributes"]["POSITION"] = whole(rows + (kind[-2] == "u"))
        up, wide = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]]), np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]])
        lean, turn = np.array([[0.6, 0, -0.2]] * 4, "<f4"), np.array([[0, 0, 0], [0, 0.5, 0], [0, 0, 0.3], [0, 0, 0]], "<f4")
        direction = (lambda values: b.sparse(values)) if sparse else (lambda values: b.accessor(values, target=34962))
        shift = np.array([[0.25, 0.5]] * 4, "<f4")
        primitive["targets"] = [
            {"POSITION": part(up), "NORMAL": direction(lean), "TANGENT": direction(turn), "TEXCOORD_0": b.accessor(shift, target=34962)},
            {"POSITION": part(wide), "NORMAL": direction(turn), "TANGENT": direction(lean)},
        ]
        values = [[0, 0], [1, 0.5]]
        if mode == "CUBICSPLINE":
            values = [[0.1, 0.2], [0, 0], [0.3, -0.2], [0.5, 0.1], [1, 0.5], [-0.4, 0.6]]
        sampler = b.json["animations"][0]["samplers"][0]
        sampler["interpolation"] = mode
        sampler["output"] = b.accessor(np.array(values, "<f4").ravel())
        return b

    def assert_texture_coordinates(self, source, out):
        before, after = Document(source), Document(out)
        primitive = before.json["meshes"][0]["primitives"][0]
        want = before.values(primitive["attributes"]["TEXCOORD_0"]) + 0.25 * before.values(primitive["targets"][0]["TEXCOORD_0"])
        np.testing.assert_allclose(after.values(after.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]), want, atol=1e-6)

    channels = ("position", "normal", "tangent")

    def test_interpolations_containers_and_sparse_accessors(self):
        for mode in ("STEP", "LINEAR", "CUBICSPLINE"):
            for extension in (".gltf", ".glb"):
                for sparse in (False, True):
                    with self.subTest(mode=mode, extension=extension, sparse=sparse):
                        source = self.face(mode=mode, sparse=sparse).save(self.path("in" + extension))
                        out, ran = self.baked(source)
                        self.assert_same(source, out, self.channels)
                        self.assertIn("equal in every pose", ran.err)
                        self.assert_texture_coordinates(source, out)
                        target = Document(out).json["meshes"][0]["primitives"][0]["targets"][0]
                        self.assertEqual("sparse" in Document(out).json["accessors"][target["NORMAL"]], sparse)

    def test_component_types(self):
        for kind in ("i1", "u1", "<i2", "<u2"):
            for normalized in (False, True):
                with self.subTest(kind=kind, normalized=normalized):
                    source = self.face(kind=kind, normalized=normalized).save(self.path("in.gltf"))
                    out, _ = self.baked(source)
                    self.assert_same(source, out, self.channels)

    def test_keys_of_small_integers(self):
        for kind in ("i1", "u1", "<i2", "<u2"):
            b = self.face()
            most = np.iinfo(kind).max
            b.json["animations"][0]["samplers"][0]["output"] = b.accessor(np.array([0, most, most, most // 2], kind), normalized=True)
            source = b.save(self.path("in.gltf"))
            out, _ = self.baked(source)
            self.assert_same(source, out, self.channels)

    def test_random_rigs(self):
        """With sparse and quantised accessors, several primitives, skins and clips of all kinds."""
        done = 0
        for seed in range(40):
            source = RandomRig(seed).save(self.folder, f"rig{seed}")
            out = self.path(f"out{seed}.glb")
            ran = sinew("rebind", source, "-o", out, "--bake-shapes", "--max-error", "2e-5")
            if ran.status == UNSUPPORTED:
                self.assertIn("different amounts", ran.err)
                continue
            self.assertEqual(ran.status, 0, str(ran))
            self.assertEqual(set(self.codes(out)) - set(self.codes(source)), set(), str(ran))
            if "no change needed" in ran.err:
                continue
            self.assert_same(source, out, tolerance=1e-5)
            done += 1
        self.assertGreater(done, 5)

    def test_very_many_shapes(self):
        b = Builder()
        corners = b.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), bounds=True, target=34962)
        moved = b.accessor(np.array([[0, 0, 0.01], [0, 0.01, 0], [0, 0, 0]], "<f4"), bounds=True, target=34962)
        count = 1100
        mesh = {"primitives": [{"attributes": {"POSITION": corners}, "targets": [{"POSITION": moved}] * count}], "weights": [0.5] * count}
        b.add("meshes", mesh)
        b.add("nodes", {"mesh": 0})
        b.add("scenes", {"nodes": [0]})
        source = b.save(self.path("in.gltf"))
        out, ran = self.baked(source, "--max-error", "1e-5")
        self.assert_same(source, out)
        self.assertIn("and 1096 more", ran.err)

    def test_an_amount_that_is_too_large(self):
        b = self.face((1e300, 0))
        self.fails(UNSUPPORTED, "rebind", b.save(self.path("in.gltf")), "-o", self.path("out.gltf"), "--bake-shapes", says="too large")

    def test_amounts_of_nodes(self):
        b = self.face()
        b.json["nodes"][0]["weights"] = [1, -0.5]
        source = b.save(self.path("in.gltf"))
        out, _ = self.baked(source)
        self.assert_same(source, out, self.channels)
        b.json["nodes"].append({"mesh": 0, "weights": [1, -0.5], "translation": [0, 3, 0]})
        b.json["scenes"][0]["nodes"].append(1)
        source = b.save(self.path("in.gltf"))
        out, _ = self.baked(source)
        self.assert_same(source, out, self.channels)
        b.json["nodes"][1] = {"name": "Twin", "mesh": 0, "translation": [0, 3, 0]}
        self.fails(UNSUPPORTED, "rebind", b.save(self.path("in.gltf")), "-o", self.path("out.gltf"), "--bake-shapes",
                   says=['node 0 ("Face")', 'node 1 ("Twin")', "different amounts"])

    def test_nothing_to_bake_stays_byte_for_byte(self):
        source = self.face((0, 0)).save(self.path("in.glb"))
        self.assertIn("no change needed", self.succeeds("rebind", source, "-o", self.path("out.glb"), "--bake-shapes").err)
        with open(source, "rb") as a, open(self.path("out.glb"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_amounts_from_elsewhere(self):
        b = self.face()
        b.json["extensionsUsed"] = ["KHR_animation_pointer"]
        b.json["animations"][0]["channels"][0]["target"] = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/weights"}}}
        self.fails(UNSUPPORTED, "rebind", b.save(self.path("in.gltf")), "-o", self.path("out.gltf"), "--bake-shapes", says="/nodes/0/weights")
        avatar = os.path.join(CASES, "merge-join-expressions", "body_vrm1.vrm")
        document = Document(avatar)
        b = Builder()
        b.json, b.blob = dict(document.json), bytearray(document.buffers[0])
        mesh = next(mesh for mesh in b.json["meshes"] if "targets" in mesh["primitives"][0])
        mesh["weights"] = [0.5] * len(mesh["primitives"][0]["targets"])
        ran = self.succeeds("rebind", b.save(self.path("in.glb")), "-o", self.path("out.glb"), "--bake-shapes")
        self.assertIn("VRMC_vrm", ran.err)


class BakeG4mf(RebindCase):
    def test_random_rigs(self):
        """Of 2 to 7 dimensions, all revisions, both containers and every type of number."""
        done = refused = 0
        for seed in range(42):
            rig = g4mf_rigs.RandomRig(seed)
            source = rig.save(self.folder, f"rig{seed}")
            out = self.path("out" + os.path.splitext(source)[1])
            ran = sinew("rebind", source, "-o", out, "--bake-shapes")
            if ran.status == UNSUPPORTED:
                self.assertRegex(ran.err, "different amounts|does not store")
                refused += 1
                continue
            self.assertEqual(ran.status, 0, str(ran))
            self.assertEqual(set(self.codes(out)) - set(self.codes(source)), set())
            self.assertLess(g4mf_oracle.largest_error(g4mf_oracle.evaluate(out), g4mf_oracle.evaluate(source)), 1e-6, ran)
            if "no change needed" in ran.err:
                continue
            if sinew("deform", source, "-o", self.path("n.npy"), "--attribute", "normal").status == 0:
                before = self.deform(source, "--attribute", "normal")
                np.testing.assert_allclose(self.deform(out, "--attribute", "normal"), before, atol=1e-4)
            done += 1
        self.assertGreater(done, 10)
        self.assertGreater(refused, 0)

    def test_clips(self):
        for dimension in (2, 3, 4):
            b = g4mf_builder.Builder(dimension)
            b.node(name="Root")
            points = np.eye(dimension + 1, dimension)
            shape = {"name": "Up", "position": b.target([1, 2], np.ones((2, dimension)))}
            mesh = b.mesh(b.accessor("float32", points), [{"simplexes": b.accessor("uint8", [range(max(3, dimension))])}],
                          blend={"shapes": [shape, {"name": "Wide", "position": b.target([0], 2 * np.ones((1, dimension)))}], "amounts": [0.5, 0]})
            node = b.node(0, name="Body", mesh=mesh, blend_amounts=[0.25, 0.5])
            times, values = b.accessor("float32", [0, 1]), b.accessor("float32", [0, 1, 1, 0.5])
            track = {"node": node, "path": "blendAmounts", "times": times, "values": values}
            b.json["extensionsUsed"] = ["SINEW_animation"]
            b.json["extensions"] = {"SINEW_animation": {"clips": [{"name": "Talk", "tracks": [track]}]}}
            source = b.save(self.path(f"in{dimension}.g4tf"))
            out, ran = self.rebound(source, "--bake-shapes")
            self.assertIn("keys of 1 track", ran.err)
            for at in ((), ("--animation", "Talk", "--frames", "5")):
                np.testing.assert_allclose(self.deform(out, *at), self.deform(source, *at), atol=1e-6)


if __name__ == "__main__":
    main()
