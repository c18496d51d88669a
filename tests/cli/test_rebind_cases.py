# SPDX-License-Identifier: MIT
"""sinew rebind: bind matrices that were lost or share a factor, and blend shapes that become part of the mesh."""
import json
import os

import numpy as np

from program import FINDINGS, ROOT, UNSUPPORTED, USAGE, ProgramTest, main, sinew

import g4mf_builder
import g4mf_oracle
import g4mf_rigs
from gltf_builder import Builder, morphed_quad, tutorial_skin
from gltf_oracle import Document, Evaluator, evaluate
from random_rigs import RandomRig

CASES = os.path.join(ROOT, "tests", "cases")
TIMES = (0, 0.3, 0.5, 1, 1.7)


def case(*names):
    return os.path.join(CASES, *names)


def moved(x, y, z, scale=1.0):
    matrix = np.diag([scale, scale, scale, 1.0])
    matrix[:3, 3] = x, y, z
    return matrix


def stored(matrices):
    """Rows of numbers in the order of glTF."""
    return np.array([matrix.T.ravel() for matrix in matrices]).astype("<f4")


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

    def matrices(self, path, skin=0):
        document = Document(path)
        return document.values(document.json["skins"][skin]["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)

    def assert_inverse(self, path):
        """Each bind matrix is the inverse of its joint's world matrix at rest."""
        evaluator = Evaluator(Document(path))
        world = evaluator.globals(evaluator.pose())
        for i, skin in enumerate(evaluator.document.json["skins"]):
            for joint, matrix in zip(skin["joints"], self.matrices(path, i)):
                np.testing.assert_allclose(world[joint] @ matrix, np.eye(4), atol=1e-5)


class LostMatrices(RebindCase):
    def test_the_case(self):
        source, right = case("bind-matrices-lost", "lost.gltf"), case("bind-matrices-lost", "right.gltf")
        out, ran = self.rebound(source, "--to", "rest", "--keep-vertices")
        self.assert_same(right, out)
        np.testing.assert_array_equal(self.matrices(out), self.matrices(right))
        self.assertIn("equal in every pose", self.succeeds("compare", out, right).out)
        self.assertIn("at rest vertices moved by up to 1.5 (0.474 of the diagonal)", ran.err)
        report = json.loads(self.succeeds("rebind", source, "-o", out, "--to", "rest", "--keep-vertices", "--json").out)
        self.assertAlmostEqual(report["errorAtRest"], 1.5 / np.sqrt(10), places=6)
        self.assertIn("no change needed", self.succeeds("rebind", out, "-o", self.path("again.gltf"), "--to", "rest", "--keep-vertices").err)
        self.assertIn("no change needed", self.succeeds("rebind", right, "-o", self.path("again.gltf"), "--to", "rest", "--keep-vertices").err)

    def lost(self, matrices, extension):
        b = Builder()
        document = Document(case("bind-matrices-lost", "lost.gltf"))
        b.json = dict(document.json)
        b.blob = bytearray(document.buffers[0])
        del b.json["buffers"]
        if matrices is not None:
            b.json["skins"] = [{**b.json["skins"][0], "inverseBindMatrices": b.accessor(stored(matrices))}]
        return b.save(self.path("in" + extension))

    def test_matrices_that_are_absent_or_identities_or_wrong(self):
        for matrices in (None, [np.eye(4)] * 2, [moved(1, 2, 3), moved(0, 0, 5, 2)]):
            for extension in (".gltf", ".glb"):
                with self.subTest(matrices=matrices, extension=extension):
                    out, _ = self.rebound(self.lost(matrices, extension), "--to", "rest", "--keep-vertices")
                    self.assert_same(case("bind-matrices-lost", "right.gltf"), out)

    def test_the_pose_of_a_clip(self):
        out, _ = self.rebound(self.lost(None, ".gltf"), "--to", "clip:Bend@1", "--keep-vertices")
        points = Document(out).values(0)
        np.testing.assert_allclose(evaluate(out, animation=0, time=1), points, atol=1e-6)

    def test_a_file_that_may_not_change_stays(self):
        out = self.path("out.gltf")
        self.fails(FINDINGS, "rebind", case("bind-matrices-lost", "lost.gltf"), "-o", out, "--to", "rest", "--keep-vertices", "--max-error", "0.1")
        self.assertFalse(os.path.exists(out))

    def test_g4mf_has_no_matrices_to_lose(self):
        arm = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        self.assertIn("no change needed", self.succeeds("rebind", arm, "-o", self.path("arm.g4tf"), "--to", "rest", "--keep-vertices").err)

    def test_messages_name_the_option(self):
        source, out = case("bind-matrices-lost", "lost.gltf"), self.path("out.gltf")
        self.fails(UNSUPPORTED, "rebind", source, "-o", out, "--to", "rest", says="use --keep-vertices")
        self.assertIn("--keep-vertices", self.succeeds("explain", "SINEW_BIND_NOT_REST").out)
        self.fails(USAGE, "rebind", source, "-o", out, "--to", "identity", "--keep-vertices", says="--keep-vertices needs --to rest")
        self.fails(USAGE, "rebind", source, "-o", out, "--keep-vertices", says="--to")
        self.fails(USAGE, "rebind", source, "-o", out, "--to", "rest", "--keep-vertices", "--world", says="--world")


class World(RebindCase):
    def test_the_case(self):
        source = case("bind-matrices-common-factor", "in.gltf")
        out, _ = self.rebound(source, "--to", "rest", "--world")
        self.assert_same(source, out, ("position", "normal"))
        self.assert_inverse(out)
        document = Document(out)
        attributes = document.json["meshes"][0]["primitives"][0]["attributes"]
        np.testing.assert_allclose(document.values(attributes["POSITION"]), evaluate(source), atol=1e-6)
        np.testing.assert_allclose(document.values(attributes["NORMAL"]), np.tile([0, 0, 1], (10, 1)), atol=1e-6)
        self.assertIn("no change needed", self.succeeds("rebind", out, "-o", self.path("again.gltf"), "--to", "rest", "--world").err)
        out, _ = self.rebound(source, "--to", "clip:0@0", "--world")
        self.assert_same(source, out, ("position", "normal"))

    def strip(self, factors, extension=".gltf", kind="f4", shared=False, same_factor=False):
        """Skinned strips with normals, tangents and a blend shape; each has a skin whose matrices have a factor of their own."""
        b = tutorial_skin()
        mesh = b.json["meshes"].pop()
        primitive = mesh["primitives"][0]
        joints = b.json["skins"].pop()
        b.json["nodes"].pop(0)  # the mesh's: the joints become 0 and 1
        b.json["nodes"][0]["children"] = [1]
        b.json["animations"][0]["channels"][0]["target"]["node"] = 1
        b.json["scenes"] = [{"nodes": [0]}]
        bind = [np.eye(4), moved(0, -1, 0)]
        if kind != "f4":
            b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
        for i, factor in enumerate(factors):
            back = np.linalg.inv(factor)
            points = np.array([[x, y, 0] for y in (0, 0.5, 1, 1.5, 2) for x in (-0.5, 0.5)]) @ back[:3, :3].T + back[:3, 3]
            attributes = dict(primitive["attributes"])
            if kind == "f4":
                attributes["POSITION"] = b.accessor(points.astype("<f4"), bounds=True, target=34962)
                offsets = b.accessor((np.tile([0, 0, 1.0], (10, 1)) @ back[:3, :3].T).astype("<f4"), bounds=True, target=34962)
            else:
                attributes["POSITION"] = b.accessor(np.round(points).astype(kind), bounds=True, target=34962)
                offsets = b.accessor(np.tile([0, 0, 100], (10, 1)).astype(kind), bounds=True, target=34962)
            attributes["NORMAL"] = b.accessor(np.tile(np.array([0, 0.6, 0.8], "<f4"), (10, 1)), target=34962)
            attributes["TANGENT"] = b.accessor(np.tile(np.array([1, 0, 0, -1], "<f4"), (10, 1)), target=34962)
            turned = b.accessor(np.tile(np.array([0.2, 0, 0], "<f4"), (10, 1)), target=34962)
            if not shared or i == 0:
                b.add("meshes", {"primitives": [{**primitive, "attributes": attributes, "targets": [{"POSITION": offsets, "NORMAL": turned}]}],
                                 "weights": [0.5]})
            matrices = b.accessor(stored([matrix @ (factors[0] if same_factor else factor) for matrix in bind]))
            b.add("skins", {"joints": [0, 1], "inverseBindMatrices": matrices})
            node = b.add("nodes", {"name": f"Strip{i}", "mesh": 0 if shared else i, "skin": i})
            b.json["scenes"][0]["nodes"].append(node)
        return b

    def test_several_skins_each_with_its_own_factor(self):
        turned = moved(1, 0, 2, 0.01)
        turned[:3, :3] = turned[:3, :3] @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
        mirrored = moved(0, 1, 0, 0.5) @ np.diag([-1.0, 1, 1, 1])
        uneven = np.diag([2.0, 0.5, 1, 1])
        for extension in (".gltf", ".glb"):
            source = self.strip([turned, mirrored, uneven]).save(self.path("in" + extension))
            out, ran = self.rebound(source, "--to", "rest", "--world")
            self.assert_same(source, out, ("position", "normal", "tangent"))
            self.assert_inverse(out)
            self.assertIn("equal in every pose", ran.err)

    def test_every_component_type(self):
        for kind in ("i1", "u1", "<i2", "<u2"):
            scale = moved(-0.5, 0, 0, 1 / 50) if kind[-2] == "u" else moved(0, 0, 0, 1 / 50)
            source = self.strip([scale], kind=kind).save(self.path("in.gltf"))
            out, _ = self.rebound(source, "--to", "rest", "--world")
            self.assert_same(source, out, ("position", "normal", "tangent"))
            self.assert_inverse(out)

    def test_one_mesh_of_two_skins(self):
        source = self.strip([moved(0, 0, 0, 0.5)] * 2, shared=True).save(self.path("in.gltf"))
        out, _ = self.rebound(source, "--to", "rest", "--world")
        self.assert_same(source, out, ("position", "normal", "tangent"))
        source = self.strip([moved(0, 0, 0, 0.5), moved(0, 0, 0, 0.1)], shared=True).save(self.path("in.gltf"))
        self.fails(UNSUPPORTED, "rebind", source, "-o", self.path("out.gltf"), "--to", "rest", "--world", says="use the same mesh")
        b = self.strip([moved(0, 0, 0, 0.5)])
        b.json["scenes"][0]["nodes"].append(b.add("nodes", {"mesh": 0, "translation": [3, 0, 0]}))
        self.fails(UNSUPPORTED, "rebind", b.save(self.path("in.gltf")), "-o", self.path("out.gltf"), "--to", "rest", "--world", says="use the same mesh")

    def test_joints_with_different_products(self):
        b = tutorial_skin()
        b.json["skins"][0]["inverseBindMatrices"] = b.accessor(stored([np.eye(4), moved(0, -1, 0.5)]))
        out = self.path("out.gltf")
        self.fails(UNSUPPORTED, "rebind", b.save(self.path("in.gltf")), "-o", out, "--to", "rest", "--world", says=['("Lower")', '("Upper")'])
        self.assertFalse(os.path.exists(out))

    def test_usage(self):
        source, out = case("bind-matrices-common-factor", "in.gltf"), self.path("out.gltf")
        self.fails(USAGE, "rebind", source, "-o", out, "--to", "default", "--world", says="--world needs --to rest")
        arm = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        self.fails(UNSUPPORTED, "rebind", arm, "-o", self.path("arm.g4tf"), "--to", "rest", "--world", says="stored pose is always the bind pose")


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
        out, _ = self.baked(source, "--to", "rest", "--world", "--max-error", "1e-6")
        self.assert_same(source, out)

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
        b = self.face((1, -0.5))
        b.json["extensionsUsed"] = ["KHR_animation_pointer"]
        b.json["animations"][0]["channels"][0]["target"] = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/weights"}}}
        source = b.save(self.path("in.gltf"))
        out, _ = self.baked(source)
        self.assert_same(source, out, self.channels)
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
