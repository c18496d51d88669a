# SPDX-License-Identifier: MIT
"""sinew convert from glTF to G4MF: the same vertices in every pose and clip, by evaluators of both formats that share no code with the
program (tests/oracle); and every loss is listed."""
import json
import os

import numpy as np

from program import ROOT, UNSUPPORTED, ProgramTest, corpus_models, in_parallel, main, samples, sinew

import g4mf_oracle
import gltf_oracle
from gltf_builder import Builder, morphed_quad, tutorial_skin
from random_rigs import RandomRig

TOLERANCE = 1e-5
HALF = float(np.sqrt(0.5))


def nearest(rows, others):
    """The largest distance of a row (frame, vertex, axis) to the nearest one of `others` over all frames."""
    rows, others = np.swapaxes(rows, 0, 1), np.swapaxes(others, 0, 1)
    return max((np.abs(others - row).max(axis=(1, 2)).min() for row in rows), default=0.0)


class ToG4mf(ProgramTest):
    def converted(self, source, *options):
        """The JSON of the result, its path, the losses."""
        target, losses = self.path("out.g4b"), self.path("loss.json")
        self.succeeds("convert", source, target, "--loss", losses, *options)
        with open(losses, encoding="utf-8") as file:
            return g4mf_oracle.Document(target).json, target, json.load(file)

    def frames(self, model, clips, name="frames.npy"):
        """Rest and some frames of every clip, one after another."""
        out = self.path(name)
        found = []
        for options in [[], *([["--animation", clip, "--frames", 7] for clip in range(clips)])]:
            self.succeeds("deform", model, "-o", out, "-q", *options)
            rows = np.load(out).astype(float)
            found.append(rows.reshape(-1, *rows.shape[-2:]))
        return np.concatenate(found)

    def agrees(self, source, target, clips):
        want, got = self.frames(source, clips), self.frames(target, clips)
        size = max(np.abs(want).max(initial=0), np.linalg.norm(np.ptp(want[0], axis=0)) if want.shape[1] else 0)
        self.assertEqual(want.shape[1] == 0, got.shape[1] == 0)
        if want.shape[1] == 0:
            return
        self.assertLessEqual(max(nearest(want, got), nearest(got, want)), TOLERANCE * size)

    def test_a_skin_in_bind_pose(self):
        source = tutorial_skin().save(self.path("skin.glb"))
        document, target, _ = self.converted(source)
        nodes = document["nodes"]
        self.assertEqual(nodes[0]["extras"], {"glTF": {"added": True, "skeletons": "plain"}})
        (skeleton,) = [index for index, node in enumerate(nodes) if "skeleton" in node]
        bones = [index for index, node in enumerate(nodes) if "bone" in node]
        self.assertEqual(nodes[skeleton]["skeleton"]["joints"], bones)
        (mesh,) = [index for index, node in enumerate(nodes) if "meshInstance" in node]
        self.assertEqual(nodes[skeleton]["children"], [bones[0], mesh])
        self.assertNotIn("pose", document["extensions"]["SINEW_animation"])
        np.testing.assert_allclose(g4mf_oracle.evaluate(target), gltf_oracle.evaluate(source), atol=1e-6)
        for time in (0, 0.4, 1.7):
            want = gltf_oracle.evaluate(source, animation=0, time=time)
            np.testing.assert_allclose(self.deform(target, "--animation", 0, "--time", time), want, atol=1e-6)

    def test_a_pose_that_is_not_the_bind_pose_is_kept_beside_it(self):
        turned = tutorial_skin(rotation=(0, 0, HALF, HALF)).save(self.path("turned.glb"))
        document, target, _ = self.converted(turned)
        (pose,) = document["extensions"]["SINEW_animation"]["pose"]
        self.assertEqual(document["asset"]["extensionsUsed"], ["SINEW_animation"])
        np.testing.assert_allclose(pose["rotor"], [HALF, HALF, 0, 0], atol=1e-7)
        np.testing.assert_allclose(self.deform(target), gltf_oracle.evaluate(turned), atol=1e-6)
        # Who does not know the extension sees the bind pose.
        bound = tutorial_skin().save(self.path("bound.glb"))
        np.testing.assert_allclose(g4mf_oracle.evaluate(target), gltf_oracle.evaluate(bound), atol=1e-6)

    def test_shapes(self):
        source = morphed_quad().save(self.path("quad.glb"))
        _, target, _ = self.converted(source)
        clips = len(morphed_quad().json.get("animations", []))
        self.agrees(source, target, clips)
        np.testing.assert_allclose(g4mf_oracle.evaluate(target), gltf_oracle.evaluate(source), atol=1e-6)

    def test_another_revision(self):
        source = tutorial_skin().save(self.path("skin.glb"))
        for revision in ("2025-08", "2026-07"):
            with self.subTest(revision):
                document, target, _ = self.converted(source, "--revision", revision)
                self.assertEqual(self.succeeds("info", target).out.count(revision), 1)
                self.agrees(source, target, 1)

    def test_losses_are_listed(self):
        built = tutorial_skin()
        built.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
        built.json["materials"] = [{"doubleSided": True, "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0}}]
        built.json["nodes"][1]["extras"] = {"mine": 1}
        document, _, losses = self.converted(built.save(self.path("skin.glb")))
        pointers = {loss["pointer"] for loss in losses}
        self.assertLessEqual({"/cameras/0", "/nodes/1/extras"}, pointers)
        self.assertNotIn("/materials/0/doubleSided", pointers)  # it comes back from extras
        self.assertNotIn("/materials/0/pbrMetallicRoughness", pointers)
        kept = {"originalName": "", "glTF": {"doubleSided": True}}
        self.assertEqual(document["materials"], [{"name": "Material", "baseColor": {"factor": [1, 0, 0, 1]}, "extras": kept}])

    def skinned(self, weights, matrices=None):
        """One triangle, two joints at the origin, as many meshes as there are lists of matrices."""
        built = Builder()
        positions = built.accessor(np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0]], "<f4"), bounds=True)
        joints = built.accessor(np.array([[0, 1, 0, 0]] * 3, "u1"))
        held = built.accessor(np.array(weights, "<f4"))
        built.json.update(nodes=[{"name": "A", "children": [1]}, {"name": "B"}], skins=[], meshes=[
            {"primitives": [{"attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": held}}]}])
        for index, rows in enumerate(matrices or [np.array([np.eye(4)] * 2)]):
            accessor = built.accessor(np.swapaxes(np.array(rows), 1, 2).reshape(-1, 16).astype("<f4"))
            built.json["skins"].append({"joints": [0, 1], "inverseBindMatrices": accessor})
            built.json["nodes"].append({"name": f"Mesh{index}", "mesh": 0, "skin": index})
        built.json["scenes"] = [{"nodes": [index for index in range(len(built.json["nodes"])) if index != 1]}]
        return built.save(self.path("rig.glb"))

    def test_weights_that_do_not_sum_to_1_are_a_loss_with_its_distance(self):
        source = self.skinned([[0.5, 0.5, 0, 0], [0.5, 0.4, 0, 0], [1, 0, 0, 0]])
        _, target, losses = self.converted(source)
        (loss,) = [loss for loss in losses if "weights" in loss["what"]]
        self.assertEqual(loss["pointer"], "/meshes/0")
        self.assertIn("weights that do not sum to 1: 1 vertex (error up to 0.1);", loss["what"])
        self.assertIn("up to 0.2 in", loss["what"])
        np.testing.assert_allclose(self.deform(target), [[0, 0, 0], [2, 0, 0], [0, 1, 0]], atol=1e-6)

    def test_cut_influences_tell_how_far_vertices_move(self):
        moved = np.array([np.eye(4)] * 2)
        moved[1, 0, 3] = 1
        source = self.skinned([[0.75, 0.25, 0, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0]], [moved])
        document, target, losses = self.converted(source, "--max-influences", "1")
        (loss,) = losses
        self.assertRegex(loss["what"], r'each vertex keeps its 1 strongest influences; "Mesh0" moves by up to 1\.06 \(.*, in stress pose xy$')
        self.assertEqual(document["accessors"][document["meshes"][0]["skin"]["weights"]].get("vectorSize", 1), 1)
        # Of two equal weights that of the first group stays.
        np.testing.assert_allclose(self.deform(target), [[0, 0, 0], [2, 0, 0], [0, 1, 0]], atol=1e-6)
        np.testing.assert_allclose(self.deform(source), [[0.25, 0, 0], [2.5, 0, 0], [0, 1, 0]], atol=1e-6)
        # Within a format, and back from it, they are cut as well; what has no more stays byte for byte.
        for out in ("out.gltf", "out.glb"):
            ran = self.succeeds("convert", source, self.path(out), "--max-influences", "1")
            self.assertIn("each vertex keeps its 1 strongest influences", str(ran))
            np.testing.assert_allclose(self.deform(self.path(out)), [[0, 0, 0], [2, 0, 0], [0, 1, 0]], atol=1e-6)
        self.succeeds("convert", source, self.path("whole.g4b"))
        for out in ("cut.g4b", "cut.glb"):
            self.succeeds("convert", self.path("whole.g4b"), self.path(out), "--max-influences", "1")
            np.testing.assert_allclose(self.deform(self.path(out)), [[0, 0, 0], [2, 0, 0], [0, 1, 0]], atol=1e-6)
        # In G4MF they stay in the revision of the file, or go to the one that is asked for.
        self.succeeds("convert", source, self.path("whole.g4tf"))
        for out, options, revision in (("same.g4tf", ["--compress", "zstd"], "2026-01"), ("same.g4b", [], "2026-01"),
                                       ("new.g4b", ["--revision", "2026-07"], "2026-07"), ("old.g4b", ["--revision", "2025-08"], "2025-08")):
            ran = self.succeeds("convert", self.path("whole.g4tf"), self.path(out), "--max-influences", "1", *options)
            self.assertIn(f"{out}: G4MF {revision}, ", str(ran))
            self.assertEqual(json.loads(self.succeeds("info", "--json", self.path(out)).out)["revision"], revision)
            np.testing.assert_allclose(self.deform(self.path(out)), [[0, 0, 0], [2, 0, 0], [0, 1, 0]], atol=1e-6)
            report = json.loads(self.succeeds("validate", "--format", "json", self.path(out)).out)
            self.assertEqual([m for m in report["issues"]["messages"] if m["severity"] == 0], [])
        self.succeeds("convert", source, self.path("same.glb"), "--max-influences", "2")
        self.succeeds("convert", source, self.path("plain.glb"))
        with open(self.path("same.glb"), "rb") as same, open(self.path("plain.glb"), "rb") as plain:
            self.assertEqual(same.read(), plain.read())

    def test_a_pose_beside_slots_without_a_joint(self):
        with open(os.path.join(ROOT, "samples", "g4mf", "stiff_tail.g4tf"), encoding="utf-8") as file:
            document = json.load(file)
        document["asset"]["extensionsUsed"] = ["SINEW_animation"]
        document["extensions"] = {"SINEW_animation": {"pose": [{"node": 2, "rotor": [np.sqrt(0.75), 0.5, 0, 0]}]}}
        posed = self.path("posed.g4tf")
        with open(posed, "w", encoding="utf-8") as file:
            json.dump(document, file)
        for arguments in (["validate", posed], ["info", "--skeletons", posed], ["compare", posed, posed],
                          ["repair", posed, "-o", self.path("repaired.g4tf")], ["merge", posed, posed, "-o", self.path("merged.g4tf")],
                          ["convert", posed, self.path("posed.glb")]):
            self.succeeds(*arguments)
        self.succeeds("compare", posed, self.path("posed.glb"))

    def test_skins_that_bind_a_joint_otherwise_have_bones_of_their_own(self):
        moved = np.array([np.eye(4)] * 2)
        moved[1, 0, 3] = 1
        source = self.skinned([[0.5, 0.5, 0, 0], [0.25, 0.75, 0, 0], [1, 0, 0, 0]], [np.array([np.eye(4)] * 2), moved])
        document, target, losses = self.converted(source)
        self.assertEqual(len([node for node in document["nodes"] if "skeleton" in node]), 2)
        self.assertTrue(any("copies of the bones" in loss["what"] for loss in losses))
        self.agrees(source, target, 0)

    def test_a_bind_matrix_without_inverse_is_refused(self):
        flat = np.array([np.eye(4)] * 2)
        flat[1, 2, 2] = 0
        source = self.skinned([[0.5, 0.5, 0, 0]] * 3, [flat])
        self.fails(UNSUPPORTED, "convert", source, self.path("out.g4b"), says=["/skins/0", "joint 1 (slot 1) has no inverse"])
        self.assertFalse(os.path.exists(self.path("out.g4b")))
        unused = self.skinned([[1, 0, 0, 0]] * 3, [flat])
        self.converted(unused)

    def test_a_scene_that_begins_below_a_root(self):
        built = Builder()
        corners = built.accessor(np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0]], "<f4"), bounds=True)
        built.json.update(meshes=[{"primitives": [{"attributes": {"POSITION": corners}}]}],
                          nodes=[{"scale": [2, 2, 2], "children": [1]}, {"mesh": 0, "translation": [1, 2, 3]}],
                          scenes=[{"nodes": [1]}])  # an error, but no reason to stop
        source = built.save(self.path("below.glb"))
        _, target, _ = self.converted(source)
        np.testing.assert_allclose(g4mf_oracle.evaluate(target), gltf_oracle.evaluate(source), atol=1e-6)

    def test_points_are_all_vertices_of_a_mesh_of_their_own(self):
        built = Builder()
        positions = built.accessor(np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 1, 0]], "<f4"), bounds=True)
        normals = built.accessor(np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, -1]], "<f4"))
        attributes = {"POSITION": positions, "NORMAL": normals}
        built.json.update(meshes=[{"primitives": [{"attributes": attributes, "mode": 0}, {"attributes": attributes, "mode": 2}]}],
                          nodes=[{"mesh": 0, "translation": [1, 0, 0]}], scenes=[{"nodes": [0]}])
        source = built.save(self.path("points.glb"))
        document, target, _ = self.converted(source)
        self.assertEqual(len(document["meshes"]), 2)
        self.assertEqual(self.succeeds("info", "-v", target).err, "")
        self.agrees(source, target, 0)

    def test_real_files_and_samples(self):
        def check(case):
            number, (name, source) = case
            target = self.path(f"{number}.g4b")
            ran = sinew("convert", source, target, "-q")
            return name, ran, sinew("compare", "--match", source, target) if ran.status == 0 else ran

        models = corpus_models() + samples()
        self.assertGreater(len(models), 0)
        for name, converted, compared in in_parallel(check, list(enumerate(models))):
            with self.subTest(model=name):
                self.assertEqual(converted.status, 0, str(converted))
                if "these do not sum to 1" in compared.out:  # G4MF cannot store them; the others are equal
                    self.assertRegex(compared.out, r"pairs by \w+: largest distance [^;]*\((0|\d(\.\d+)?e-0[6-9]) of the diagonal\)")
                else:
                    self.assertEqual(compared.status, 0, compared.out[-500:])

    def test_random_rigs(self):
        checked = 0
        for seed in range(100, 140):
            rig = RandomRig(seed)
            source = rig.save(self.folder, f"rig{seed}")
            with self.subTest(seed=seed):
                _, target, losses = self.converted(source)
                self.assertEqual(self.succeeds("validate", "-q", target).status, 0)
                if any("do not sum" in loss["what"] for loss in losses):
                    continue
                self.agrees(source, target, len(rig.json.get("animations", [])))
                checked += 1
        self.assertGreaterEqual(checked, 5)


if __name__ == "__main__":
    main()
