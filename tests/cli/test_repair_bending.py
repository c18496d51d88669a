# SPDX-License-Identifier: MIT
"""sinew repair --seams and --islands: what sinew flex reports as torn or stray is gone afterwards, and nothing else changes."""
import glob
import json
import os

import numpy as np

from program import DONE, FINDINGS, ROOT, ProgramTest, in_parallel, main, sinew

import flex_planted
import flex_rigs as rigs
from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder
from gltf_oracle import Document

VARIANTS = ({}, {"scale": 0.01}, {"scale": 100.0}, {"mirrored": True}, {"integers": True}, {"split": True})


class Bending(ProgramTest):
    def findings(self, path, code=None):
        """(code, severity) of what is louder than a note."""
        ran = sinew("flex", path, "--json", "--fail-on", "none", "--threads", "1", timeout=120)
        self.assertEqual(ran.status, DONE, str(ran))
        return [f for f in json.loads(ran.out)["findings"] if f["severity"] != "info" and code in (None, f["code"])]

    def repaired(self, path, *options):
        out = self.path("repaired-" + os.path.basename(path))
        return out, self.succeeds("repair", path, "-o", out, *options)

    def weights(self, path):
        """A matrix per primitive: vertices and joints."""
        document, out = Document(path), []
        for mesh in document.json["meshes"]:
            for primitive in mesh["primitives"]:
                joints, weights = (document.raw(primitive["attributes"][name]) for name in ("JOINTS_0", "WEIGHTS_0"))
                if weights.dtype.kind != "f":
                    weights = weights / np.iinfo(weights.dtype).max
                table = np.zeros((len(joints), 3))
                np.add.at(table, (np.arange(len(joints))[:, None], joints), weights)
                out.append(table)
        return out

    def places(self, path):
        document = Document(path)
        return [document.raw(p["attributes"]["POSITION"]) for mesh in document.json["meshes"] for p in mesh["primitives"]]

    def same_but_weights(self, a, b):
        """Everything but joints and weights has the same values, and the objects of the file are the same."""
        old, new = Document(a), Document(b)
        for key in ("nodes", "skins", "animations", "scenes"):
            self.assertEqual([*map(str, (x.get("name") for x in old.json.get(key, [])))], [*map(str, (x.get("name") for x in new.json.get(key, [])))])
        for mesh, other in zip(old.json["meshes"], new.json["meshes"], strict=True):
            for p, q in zip(mesh["primitives"], other["primitives"], strict=True):
                self.assertEqual(p["attributes"].keys(), q["attributes"].keys())
                for name in p["attributes"]:
                    if not name.startswith(("JOINTS", "WEIGHTS")):
                        np.testing.assert_array_equal(old.raw(p["attributes"][name]), new.raw(q["attributes"][name]), name)
                    else:
                        self.assertEqual(old.raw(p["attributes"][name]).dtype, new.raw(q["attributes"][name]).dtype)
                np.testing.assert_array_equal(old.raw(p["indices"]), new.raw(q["indices"]))


class Seams(Bending):
    def test_both_sides_get_the_same_weights(self):
        for number, how in enumerate(VARIANTS):
            path = rigs.torn(True).save(self.path(f"torn{number}.glb"), **how)
            self.assertTrue(self.findings(path, "FLEX_TEAR"))
            out, ran = self.repaired(path, "--seams")
            self.assertEqual(self.findings(out), [], how)
            self.same_but_weights(path, out)
            before, after = self.weights(path), self.weights(out)
            for old, new, at in zip(before, after, self.places(path)):
                seam = np.abs(at[:, 1] / how.get("scale", 1) - 1) < 1e-5
                np.testing.assert_array_equal(old[~seam], new[~seam])
                np.testing.assert_allclose(new[seam].sum(1), 1, atol=1e-6)
                # The side that continues into its neighbours, [0, 1, 0], counts for more than the other one, [0, 0.7, 0.3].
                self.assertLess(new[seam][:, 2].max(), 0.15)
                self.assertLess(np.ptp(new[seam], axis=0).max(), 0.01 if how.get("integers") else 1e-6)
            self.assertRegex(ran.err, r"joined the weights of \d+ vertices at \d+ places of seams; the tear was \d")
            self.assertIn("vertices move by up to", ran.err)
            self.assertIn("largest movement", ran.err)

    def test_only_when_asked_for(self):
        for make, option in ((rigs.torn, "--islands"), (rigs.stray, "--seams"), (rigs.torn, None), (rigs.stray, None)):
            path = make(True).save(self.path("in.glb"))
            out, ran = self.repaired(path, *([option] if option else []))
            self.assertIn("nothing to fix", ran.err)
            with open(path, "rb") as a, open(out, "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_the_gap_of_the_report(self):
        """The gap before is that of flex; the closed form is checked there."""
        path = rigs.torn(True).save(self.path("torn.glb"))
        worst = max(f["value"] for f in self.findings(path, "FLEX_TEAR"))
        ran = sinew("repair", path, "--dry-run", "--seams", "--json")
        self.assertEqual(ran.status, FINDINGS)
        [change] = json.loads(ran.out)["changes"]
        self.assertEqual(change["pointer"], "/meshes/0/primitives/0")
        self.assertIn(f"{100 * worst:.3g} % of the diagonal", change["message"])
        self.assertIn("below 0.1 %", change["message"])

    def test_joined_weights_keep_to_a_limit_of_influences(self):
        lower, upper = rigs.torn(True).parts
        lower.weights[lower.vertices[:, 1] == 1.0] = [0.5, 0.5, 0]
        upper.weights[upper.vertices[:, 1] == 1.0] = [0, 0.5, 0.5]
        path = rigs.Rig([lower, upper], rigs.moving()).save(self.path("torn.glb"))
        for most in (3, 2):
            out, _ = self.repaired(path, "--seams", "--max-influences", most)
            self.assertEqual(max((table > 0).sum(1).max() for table in self.weights(out)), most)
        self.assertEqual(self.findings(out, "FLEX_TEAR"), [])

    def test_a_file_that_cannot_be_deformed_gets_the_other_repairs(self):
        source = os.path.join(ROOT, "tests", "golden", "gltf", "mesh_data", "joint_of_no_skin.bad.gltf")
        plain, _ = self.repaired(source)
        with open(plain, "rb") as file:
            expected = file.read()
        out, ran = self.repaired(source, "--seams", "--islands")
        self.assertIn("SINEW_REPAIR_LEFT", ran.err)
        self.assertIn("cannot be deformed", ran.err)
        with open(out, "rb") as file:
            self.assertEqual(file.read(), expected)

    def test_a_movement_beyond_the_limit_is_refused(self):
        path = rigs.torn(True).save(self.path("torn.glb"))
        out = self.path("out.glb")
        ran = sinew("repair", path, "-o", out, "--seams", "--max-error", "1e-4")
        self.assertEqual(ran.status, FINDINGS)
        self.assertFalse(os.path.exists(out))

    def test_offsets_of_blend_shapes_stay(self):
        path = rigs.shape_torn(True).save(self.path("shape.glb"))
        out, ran = self.repaired(path, "--seams")
        self.assertIn("nothing to fix", ran.err)
        self.assertIn("SINEW_REPAIR_LEFT", ran.err)
        self.assertIn("blend shape", ran.err)
        self.assertTrue(self.findings(out, "FLEX_TEAR"))

    def test_skins_with_different_joints(self):
        """Both sides keep to joints that both skins have. A side that lacks the joints of the other one stays."""
        for lacking, fixed in ((0, True), (2, False)):
            path = self.two_skins(lacking)
            self.assertTrue(self.findings(path, "FLEX_TEAR"))
            out, ran = self.repaired(path, "--seams")
            self.assertEqual(self.findings(out, "FLEX_TEAR") == [], fixed, lacking)
            self.assertEqual("SINEW_REPAIR_LEFT" not in ran.err, fixed, ran.err)

    def two_skins(self, lacking):
        """The lower tube has a skin without one joint, and weights that are wrong at the seam."""
        lower, upper = rigs.tube(0, 1.0, rings=21, closed=False), rigs.tube(1.0, 2.0, rings=21, closed=False)
        upper.weights[:] = [0, 0.2, 0.8]
        lower.weights[:] = [0, 0.9, 0.1] if lacking == 0 else [0.2, 0.8, 0]
        path = rigs.Rig([lower, upper], rigs.moving()).save(self.path("one.glb"), split=False)
        document = Document(path)
        json_, data = document.json, document
        primitive = json_["meshes"][0]["primitives"][0]
        b = Builder()
        arrays = {name: data.raw(number) for name, number in primitive["attributes"].items()}
        indices = data.raw(primitive["indices"]).reshape(-1, 3)
        count, meshes = len(lower.vertices), []
        renumber = {0: np.array([0, 0, 1], "u1"), 2: np.array([0, 1, 0], "u1")}[lacking]
        for side in (0, 1):
            rows = slice(0, count) if side == 0 else slice(count, None)
            triangles = indices[(indices < count).all(1)] if side == 0 else indices[(indices >= count).all(1)] - count
            joints = renumber[arrays["JOINTS_0"][rows]] if side == 0 else arrays["JOINTS_0"][rows]
            joints = np.where(arrays["WEIGHTS_0"][rows] > 0, joints, 0)
            meshes.append({"primitives": [{"attributes": {
                "POSITION": b.accessor(arrays["POSITION"][rows].astype("f4"), bounds=True, target=34962),
                "JOINTS_0": b.accessor(joints.astype("u1"), target=34962),
                "WEIGHTS_0": b.accessor(arrays["WEIGHTS_0"][rows].astype("f4"), target=34962)},
                "indices": b.accessor(triangles.reshape(-1).astype("u2"), target=34963)}]})
        binds = data.raw(json_["skins"][0]["inverseBindMatrices"]).reshape(3, 16).astype("f4")
        keep = [j for j in range(3) if j != lacking]
        b.json["meshes"] = meshes
        b.json["nodes"] = json_["nodes"][:3] + [{"name": "low", "mesh": 0, "skin": 0}, {"name": "high", "mesh": 1, "skin": 1}]
        b.json["skins"] = [{"joints": keep, "inverseBindMatrices": b.accessor(binds[keep])}, {"joints": [0, 1, 2], "inverseBindMatrices": b.accessor(binds)}]
        b.json["scenes"], b.json["scene"] = [{"nodes": [0, 3, 4]}], 0
        return b.save(self.path(f"skins{lacking}.glb"))


class Islands(Bending):
    def test_stray_weights_go(self):
        for make in (rigs.stray, rigs.spiked):
            for number, how in enumerate(VARIANTS):
                path = make(True).save(self.path(f"stray{number}.glb"), **how)
                self.assertTrue(self.findings(path, "FLEX_ISLAND"))
                out, ran = self.repaired(path, "--islands")
                self.assertEqual(self.findings(out), [], how)
                self.same_but_weights(path, out)
                clean = self.weights(make(False).save(self.path("clean.glb"), **how))
                for new, right in zip(self.weights(out), clean):
                    np.testing.assert_allclose(new, right, atol=1e-6)  # all neighbours follow the joint a alone
                self.assertRegex(ran.err, r'removed stray weights of \d+ vert\w+, which followed joint "c" by up to ')
                self.assertIn("vertices move by up to", ran.err)

    def test_neighbours_that_disagree(self):
        """No weights are clearly right where the neighbours follow three joints."""
        body = rigs.tube(rings=41)
        at = body.nearest([0.15, 0.7, 0])
        ring = sorted({int(v) for t in body.triangles if at in t for v in t} - {at})
        self.assertEqual(len(ring), 6)
        extra = np.zeros((len(body.vertices), 6))
        extra[:, :3] = body.weights
        for k, vertex in enumerate(ring):
            extra[vertex] = np.eye(6)[[0, 1, 3, 4, 0, 1][k]]
        extra[at] = np.eye(6)[5]
        far = np.linalg.norm(body.vertices - [0, 2, 0], axis=1) < 0.3
        extra[far] = np.eye(6)[5]
        path = self.six_joints(body, extra)
        self.assertTrue(self.findings(path, "FLEX_ISLAND"))
        out, ran = self.repaired(path, "--islands")
        self.assertIn("SINEW_REPAIR_LEFT", ran.err)
        self.assertIn("neighbours", ran.err)
        self.assertIn("nothing to fix", ran.err)
        self.assertTrue(self.findings(out, "FLEX_ISLAND"))
        extra[at] = [0, 0.7, 0, 0, 0, 0.3]  # what remains is most of it
        out, ran = self.repaired(self.six_joints(body, extra), "--islands")
        self.assertNotIn("SINEW_REPAIR_LEFT", ran.err)
        self.assertEqual(self.findings(out, "FLEX_ISLAND"), [])
        extra[at] = [0, 1, 0, 0, 0, 0]
        np.testing.assert_allclose(self.bent(out), self.bent(self.six_joints(body, extra)), atol=1e-6)

    def bent(self, path):
        """The vertices with two joints turned, so that weights show."""
        pose = self.write("turn.pose.json", {"nodes": {"b": {"rotation": [0.6, 0, 0, 0.8]}, "z": {"rotation": [0, 0, 0.6, 0.8]}}})
        return self.deform(path, "--pose", pose)

    def test_few_vertices(self):
        """A ring from one joint to the next: the mean by distance, as it is computed here."""
        body = rigs.tube(rings=6, sides=6)
        body.weights = rigs.weights_along(body.vertices[:, 1], half=0.05)
        at = body.nearest([0.15, 0.4, 0])
        self.assertEqual(body.weights[at].tolist(), [1, 0, 0])
        ring = sorted({int(v) for t in body.triangles if at in t for v in t} - {at})
        near = 1 / np.linalg.norm(body.vertices[ring] - body.vertices[at], axis=1)
        right = (near[:, None] * body.weights[ring]).sum(0) / near.sum()
        self.assertGreater(np.abs(body.weights[ring] - right).sum(1).max(), 1)  # they disagree
        body.weights[at] = [0, 0, 1]
        path = rigs.Rig([body], rigs.moving()).save(self.path("few.glb"))
        self.assertTrue(self.findings(path, "FLEX_ISLAND"))
        out, ran = self.repaired(path, "--islands")
        self.assertNotIn("SINEW_REPAIR_LEFT", ran.err)
        self.assertEqual(self.findings(out, "FLEX_ISLAND"), [])
        [new] = self.weights(out)
        np.testing.assert_allclose(new[at], right, atol=1e-5)

    def six_joints(self, body, weights):
        b = G4mfBuilder(3)
        influences = [[(j, float(w)) for j, w in sorted(enumerate(row), key=lambda x: -x[1]) if w > 0] for row in weights]
        mesh = b.mesh(b.accessor("float32", body.vertices.tolist()), [{"simplexes": b.accessor("uint16", body.triangles.tolist())}],
                      skin=b.skin(influences))
        b.node(name="Root")
        b.node(0, name="Rig", skeleton={"joints": list(range(2, 8))})
        b.node(1, name="a", bone={})
        b.node(2, name="b", bone={}, position=[0.0, 0.7, 0.0])
        b.node(3, name="c", bone={}, position=[0.0, 0.7, 0.0])
        for name in "xyz":
            b.node(2, name=name, bone={}, position=[0.0, 0.5, 0.0])
        b.node(1, name="Body", mesh=mesh)
        return b.save(self.path("six.g4b"))


class EveryDimension(Bending):
    def test_g4mf(self):
        for dimension in (2, 3, 4, 5):
            for defect, code, option in (("tear", "FLEX_TEAR", "--seams"), ("spike", "FLEX_ISLAND", "--islands"), ("island", "FLEX_ISLAND", "--islands")):
                path = rigs.bars(dimension, defect).save(self.path(f"{defect}{dimension}.g4b"))
                self.assertTrue(self.findings(path, code))
                out, _ = self.repaired(path, option)
                self.assertEqual(self.findings(out), [], f"{defect} {dimension}")
                np.testing.assert_allclose(self.deform(out), self.deform(path), atol=1e-6)  # at rest nothing moves
                self.assertIn("nothing to fix", self.repaired(out, "--seams", "--islands")[1].err)


class Planted(Bending):
    EACH = 2  # pairs of a kind in a dimension

    def repair(self, case):
        path = self.path(case["file"])
        case["write"](path)
        out, ran = self.repaired(path, "--seams", "--islands")
        if case["kind"] == "none":
            return case, ran, [], []
        return case, ran, self.findings(path), self.findings(out)

    def test_defects_that_somebody_else_planted(self):
        """Tears and stray weights are gone, no other finding comes, and clean twins stay byte for byte."""
        cases = [c for c in flex_planted.cases(kinds=["tear", "island", "spike"], most=self.EACH) if c["dimension"] < 4]
        self.assertGreater(len(cases), 20)
        joined = 0
        for case, ran, before, after in in_parallel(self.repair, cases):
            with self.subTest(case["name"]):
                if case["kind"] == "none":
                    self.assertIn("nothing to fix", ran.err)
                    continue
                joined += 1
                if "blend shape" not in ran.err:
                    self.assertEqual([f["code"] for f in after if f["code"] in ("FLEX_TEAR", "FLEX_ISLAND")], [])
                self.assertLessEqual({f["code"] for f in after}, {f["code"] for f in before})
        self.assertGreater(joined, 10)

    def test_well_made_files_stay(self):
        for path in glob.glob(os.path.join(ROOT, "samples", "show", "*.gltf"))[:4]:
            out, ran = self.repaired(path, "--seams", "--islands")
            if self.findings(path, "FLEX_TEAR") or self.findings(path, "FLEX_ISLAND"):
                continue
            self.assertIn("nothing to fix", ran.err, path)


if __name__ == "__main__":
    main()
