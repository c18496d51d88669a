# SPDX-License-Identifier: MIT
"""sinew rebind: other bind matrices, the same deformation. Inexact results are refused with the reason."""
import collections
import copy
import json
import os

import numpy as np

from program import INPUT, ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, in_parallel, main, sinew

from random_rigs import RandomRig

STRIP = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
ARM = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Rebind(ProgramTest):
    def errors(self, path):
        report = json.loads(sinew("validate", "--format", "json", path).data)
        return collections.Counter(m["code"] for m in report["issues"]["messages"] if m["severity"] == 0)

    def rebind(self, source, *options, target="rebound.gltf"):
        target = self.path(target)
        ran = self.succeeds("rebind", source, "-o", target, *options)
        self.assertLessEqual(set(self.errors(target)), set(self.errors(source)), str(ran))
        return target, ran

    def factored(self):
        """The strip twice, the second skin with a common factor: half the size, and one unit to the side."""
        document = load(STRIP)
        for list_name, index in (("meshes", 0), ("skins", 0)):
            document[list_name].append(copy.deepcopy(document[list_name][index]))
        mesh_node = next(i for i, node in enumerate(document["nodes"]) if "mesh" in node)
        twin = {**document["nodes"][mesh_node], "name": "Twin", "mesh": 1, "skin": 1}
        document["nodes"].append(twin)
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
        accessor = document["accessors"][document["skins"][0]["inverseBindMatrices"]]
        matrices = np.array([np.eye(4), np.eye(4)], np.float32)
        matrices[1, 1, 3] = -1
        factor = np.diag([0.5, 0.5, 0.5, 1]).astype(np.float32)
        factor[0, 3] = 1
        data = b"".join((matrix @ factor).T.astype("<f4").tobytes() for matrix in matrices)
        document["buffers"].append({"byteLength": len(data), "uri": "twin.bin"})
        self.write("twin.bin", data)
        document["bufferViews"].append({"buffer": len(document["buffers"]) - 1, "byteLength": len(data)})
        document["accessors"].append({**accessor, "bufferView": len(document["bufferViews"]) - 1, "byteOffset": 0})
        document["skins"][1]["inverseBindMatrices"] = len(document["accessors"]) - 1
        return self.write("factored.gltf", document)

    def test_skins_with_a_common_factor_are_unified(self):
        source = self.factored()
        target, ran = self.rebind(source, "--unify")
        for options in ((), ("--animation", "Swing", "--frames", "5")):
            np.testing.assert_allclose(self.deform(target, *options), self.deform(source, *options), atol=1e-6)
        self.assertIn("new bind matrices for 2 joints", ran.err)
        again = self.succeeds("rebind", target, "-o", self.path("again.gltf"), "--unify")
        self.assertIn("no change needed", again.err)

    def test_what_is_bound_so_stays_byte_for_byte(self):
        target, ran = self.rebind(STRIP, "--to", "rest")
        self.assertIn("no change needed", ran.err)
        with open(STRIP, "rb") as a, open(target, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_blended_vertices(self):
        self.fails(UNSUPPORTED, "rebind", STRIP, "-o", self.path("a.gltf"), "--to", "clip:Swing@0.5", says=["vertex 2 of block 0", "joint 1 (\"Upper\")"])
        self.assertFalse(os.path.exists(self.path("a.gltf")))
        target, ran = self.rebind(STRIP, "--to", "clip:Swing@0.5", "--tolerance", "1")
        at = ("--animation", "Swing", "--time", "0.5")
        np.testing.assert_allclose(self.deform(target, *at), self.deform(STRIP, *at), atol=1e-6)
        self.assertIn("largest movement of a vertex", ran.err)

    def test_a_slot_that_follows_another_joint(self):
        target, _ = self.rebind(STRIP, "--joint", "Upper=Lower")
        np.testing.assert_allclose(self.deform(target, "--animation", "Swing", "--time", "0.5"), self.deform(STRIP), atol=1e-6)

    def test_a_slot_that_nothing_moves(self):
        target, _ = self.rebind(STRIP, "--joint", "Upper=none")
        moved = self.deform(target, "--animation", "Swing", "--time", "0.5")
        np.testing.assert_allclose(moved, self.deform(STRIP), atol=1e-6)
        self.assertEqual(load(target)["nodes"][-1]["name"], "Still")

    def test_a_joint_without_common_root_is_refused(self):
        self.fails(UNSUPPORTED, "rebind", STRIP, "-o", self.path("a.gltf"), "--joint", "1=Rectangle", says="no common root")

    def test_slots_of_g4mf(self):
        target, _ = self.rebind(ARM, "--joint", "Lower=none", target="arm.g4tf")
        skeleton = next(node["skeleton"] for node in load(target)["nodes"] if "skeleton" in node)
        self.assertEqual(skeleton["joints"][1], -1)
        np.testing.assert_allclose(self.deform(target), self.deform(ARM), atol=1e-6)
        target, _ = self.rebind(ARM, "--joint", "Lower=Upper", target="stiff.g4tf")
        skeleton = next(node["skeleton"] for node in load(target)["nodes"] if "skeleton" in node)
        self.assertEqual(skeleton["joints"], [2, 2])

    def test_slots_of_g4mf_stay_in_order(self):
        target, ran = self.rebind(ARM, "--joint", "Upper=Lower", "--joint", "1=Upper", target="arm.g4tf")
        skeleton = next(node["skeleton"] for node in load(target)["nodes"] if "skeleton" in node)
        self.assertEqual(skeleton["joints"], [2, 3])
        self.assertIn("renumbered the groups of the skins", ran.err)
        np.testing.assert_allclose(self.deform(target), self.deform(ARM), atol=1e-6)

    def test_usage(self):
        out = self.path("a.gltf")
        self.fails(USAGE, "rebind", STRIP, "-o", out, says="expected --to")
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--to", "bind", says="expected rest, identity, default or clip:NAME@SECONDS")
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--to", "clip:Swing@nan")
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--to", "clip:Swim@0", says='no animation is named "Swim"')
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--joint", "Upper", says="expected SLOT=BONE")
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--joint", "Uper=Lower", says='no joint is named "Uper"')
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--joint", "Upper=9")
        self.fails(USAGE, "rebind", STRIP, "-o", out, "--joint", "Upper=Lower", "--skin", "7")
        self.fails(USAGE, "rebind", ARM, "-o", self.path("a.g4tf"), "--joint", "Lower=0", says="not a bone of the skeleton")
        self.fails(UNSUPPORTED, "rebind", ARM, "-o", self.path("a.g4tf"), "--to", "identity", says="the stored pose is always the bind pose")
        self.fails(UNSUPPORTED, "rebind", STRIP, "-o", out, "--to", "default", says="no strict skeleton")
        self.fails(INPUT, "rebind", self.path("absent.glb"), "-o", out, "--to", "rest")
        self.assertEqual(os.listdir(self.folder), [])

    def test_random_rigs(self):
        """Accepted files deform the same after reading them again, including strict skeletons and mirrored nodes."""
        edits = {"rest": ["--to", "rest"], "identity": ["--to", "identity"], "clip": ["--to", "clip:0@0.3"], "unify": ["--unify"],
                 "world": ["--to", "rest", "--world"]}
        models = [RandomRig(seed).save(self.folder, f"rig{seed}") for seed in range(200, 230)]

        def run(case):
            model, name = case
            out = f"{model}.{name}.glb"
            ran = sinew("rebind", model, "-o", out, *edits[name])
            if ran.status == UNSUPPORTED:
                return name, None, ran
            return name, sinew("compare", model, out, "--tolerance", "2e-4"), ran

        done = collections.Counter()
        for name, compared, ran in in_parallel(run, [(model, name) for model in models for name in edits]):
            with self.subTest(edit=name):
                self.assertIn(ran.status, (0, UNSUPPORTED), str(ran))
                if compared is not None:
                    self.assertEqual(compared.status, 0, f"{ran}\n{compared.out}")
                    done[name] += 1
        self.assertEqual(set(done), set(edits), done)

    def test_real_files(self):
        """To the rest pose within the tolerance, or refused with nothing written."""
        done = 0
        for name, path in corpus_models():
            with self.subTest(name=name):
                target = self.path(f"{name}.glb")
                ran = sinew("rebind", path, "-o", target, "--to", "rest", timeout=300)
                if ran.status == UNSUPPORTED:
                    self.assertFalse(os.path.exists(target))
                    continue
                self.assertEqual(ran.status, 0, str(ran))
                before, after = self.deform(path), self.deform(target)
                self.assertLessEqual(np.abs(before - after).max(), 1e-4 * np.ptp(before, axis=0).max())
                done += 1
        self.assertTrue(done or not corpus_models())


if __name__ == "__main__":
    main()
