# SPDX-License-Identifier: MIT
"""sinew flex: planted defects of every kind are found at any scale, mirrored, with integer weights and in two primitives; their clean twins
and well-made characters are silent."""
import glob
import json
import os

import numpy as np

from program import DONE, FINDINGS, INPUT, ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, main, sinew
from test_render import read_png

import flex_rigs as rigs
from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder

VARIANTS = {
    "plain": {},
    "small": {"scale": 0.01},
    "large": {"scale": 100.0},
    "mirrored": {"mirrored": True},
    "integers": {"integers": True},
    "split": {"split": True},
}


class FlexTest(ProgramTest):
    def flex(self, path, *options):
        ran = sinew("flex", path, "--json", *options)
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return json.loads(ran.out)

    def loud(self, report):
        return [f for f in report["findings"] if f["severity"] in ("error", "warning")]

    def test_planted_defects_are_found_in_every_variant(self):
        for name, (make, code, severity, joint, options) in rigs.PLANTED.items():
            values = {}
            for variant, how in VARIANTS.items():
                path = make(True).save(self.path(f"{name}-{variant}.glb"), **how)
                report = self.flex(path, *options)
                found = [f for f in report["findings"] if f["code"] == code and f["joint"] == joint and f["severity"] == severity]
                self.assertTrue(found, f"{name} {variant}: {[(f['code'], f['severity'], f['joint'], f['value']) for f in report['findings']]}")
                values[variant] = found[0]["value"]
                self.assertGreater(found[0]["count"] + (code == "FLEX_INERT"), 0)
            reference = values["plain"]
            for variant, value in values.items():
                loose = 0.2 if code in ("FLEX_FLIP", "FLEX_SELF") else 0.03
                self.assertLessEqual(abs(value - reference), loose * abs(reference) + 1e-6, f"{name} {variant}: {value}, expected {reference}")

    def test_clean_twins_are_silent(self):
        for name, (make, _, _, _, options) in rigs.PLANTED.items():
            for variant, how in VARIANTS.items():
                report = self.flex(make(False).save(self.path(f"{name}-{variant}-clean.glb"), **how), *options)
                self.assertEqual(self.loud(report), [], f"{name} {variant}")

    def test_twist_of_a_cylinder_follows_the_theorem(self):
        """At a weight of 1/2 the cross-section shrinks to |cos(θ/2)|."""
        for degrees, severity in ((60, None), (100, None), (120, "warning"), (150, "error")):
            report = self.flex(rigs.twisted(degrees).save(self.path(f"twist{degrees}.glb")), "--kinds", "collapse")
            found = [f for f in report["findings"] if f["pose"]["kind"] == "clip"]
            self.assertEqual([f["severity"] for f in found], [severity] if severity else [], degrees)
            if severity:
                self.assertAlmostEqual(1 - found[0]["value"], abs(np.cos(np.radians(degrees) / 2)), delta=1e-4)
                self.assertIn("c", found[0]["joint"])
        report = self.flex(rigs.twisted(10).save(self.path("twist.glb")), "--kinds", "collapse", "--angles", "150")
        found = [f for f in report["findings"] if f["joint"] == "c" and f["severity"] == "error"]
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(1 - found[0]["value"], np.cos(np.radians(75)), delta=1e-4)
        self.assertEqual(found[0]["pose"]["plane"], [0, 2])

    def test_an_arm_that_swings_forward_bends(self):
        """The turn is about the spine, which the armpit follows most: the spine keeps its length, and the arm does not."""
        b = Builder()
        places, faces = [], []
        around, rings = 12, 21
        for x in np.linspace(0, 1, rings):
            places += [[x, 1 + 0.1 * np.cos(t), 0.1 * np.sin(t)] for t in 2 * np.pi * np.arange(around) / around]
        for ring in range(rings - 1):
            for k in range(around):
                a, c = ring * around + k, ring * around + (k + 1) % around
                faces += [[a, c, a + around], [c, c + around, a + around]]
        places = np.array(places)
        share = np.where(places[:, 0] < 0.35, np.clip(places[:, 0] / 0.35, 0, 0.45), 1.0)  # armpit: 0.55 of the spine, 0.45 of the arm
        zero = np.zeros(len(places))
        attributes = {"POSITION": b.accessor(places.astype("<f4"), bounds=True),
                      "JOINTS_0": b.accessor(np.stack([zero, zero + 1, zero, zero], 1).astype("u1")),
                      "WEIGHTS_0": b.accessor(np.stack([1 - share, share, zero, zero], 1).astype("<f4"))}
        b.add("meshes", {"primitives": [{"attributes": attributes, "indices": b.accessor(np.array(faces).astype("<u2").reshape(-1))}]})
        b.add("nodes", {"name": "spine", "children": [1, 2]})
        b.add("nodes", {"name": "arm", "translation": [0.15, 1, 0]})
        b.add("nodes", {"name": "neck", "translation": [0, 2, 0]})
        b.add("nodes", {"name": "body", "mesh": 0, "skin": 0})
        bind = np.tile(np.eye(4), (3, 1, 1))
        bind[1, 3, :3], bind[2, 3, :3] = [-0.15, -1, 0], [0, -2, 0]
        b.add("skins", {"joints": [0, 1, 2], "inverseBindMatrices": b.accessor(bind.astype("<f4").reshape(-1, 16))})
        half = np.deg2rad(135) / 2
        turns = np.array([[0, 0, 0, 1], [0, np.sin(half), 0, np.cos(half)]])
        b.add("animations", {"name": "Swing", "samplers": [{"input": b.accessor(np.array([0, 1], "<f4"), bounds=True), "output": b.accessor(turns.astype("<f4"))}],
                             "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]})
        b.add("scenes", {"nodes": [0, 3]})
        b.json["scene"] = 0
        found = [f for f in self.flex(b.save(self.path("arm.glb")), "--kinds", "collapse", "--fail-on", "none")["findings"]]
        self.assertEqual([f["severity"] for f in found], ["info"])
        self.assertIn("bends", found[0]["message"])

    def test_gap_of_a_tear_is_the_closed_form(self):
        """|s(a) − s(b)|·2ρ·sin(θ/2)/D."""
        path = rigs.torn(True).save(self.path("torn.glb"))
        report = self.flex(path, "--kinds", "tear", "--animation", "none", "--angles", "90")
        found = next(f for f in report["findings"] if f["joint"] == "c")
        vertices = np.vstack([part.vertices for part in rigs.torn(True).parts])
        diagonal = np.linalg.norm(vertices.max(0) - vertices.min(0))
        self.assertAlmostEqual(report["diagonal"], diagonal, delta=1e-5)
        far = np.hypot(1.4 - 1.0, 0.15)  # of a vertex of the ring from the axis through c
        self.assertAlmostEqual(found["value"], 0.3 * 2 * far * np.sin(np.radians(45)) / diagonal, delta=1e-4)
        self.assertTrue(found["exact"])
        self.assertEqual(found["unit"], "diagonal")
        self.assertEqual(abs(found["pose"]["degrees"]), 90)
        rows = self.deform(path)
        self.assertLess(found["vertices"][0]["row"], len(rows))

    def test_well_made_characters_are_silent_at_warning(self):
        files = [path for name, path in corpus_models() if name in ("fox", "greenman", "rigged_figure", "simple_skin_bevy")]
        if not files:
            self.skipTest("the shared corpus is missing")
        self.assertEqual(len(files), 4)
        for file in files:
            report = self.flex(file)
            self.assertEqual(self.loud(report), [], file)
            self.assertEqual(report["summary"]["warning"], 0)

    def test_fail_on_decides_the_status(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        clean = rigs.spiked(False).save(self.path("clean.glb"))
        for limit, status in (("error", FINDINGS), ("warning", FINDINGS), ("any", FINDINGS), ("none", DONE), ("tear", DONE), ("FLEX_SPIKE", FINDINGS)):
            self.assertEqual(sinew("flex", path, "--fail-on", limit).status, status, limit)
        self.assertEqual(sinew("flex", clean).status, DONE)
        self.assertEqual(sinew("flex", path, "--kinds", "tear,FLEX_ISLAND").status, FINDINGS)  # the stray weight is an island, too
        self.assertEqual(sinew("flex", path, "--kinds", "tear").status, DONE)

    def test_what_fails_is_shown(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        notes = [f for f in self.flex(path)["findings"] if f["severity"] == "info"]
        kind = notes[0]["code"]
        self.assertTrue(notes)
        self.assertNotIn("\ninfo", sinew("flex", path).out)
        for options in (["--fail-on", kind], ["--fail-on", kind, "-q"]):
            ran = sinew("flex", path, *options)
            self.assertEqual(ran.status, FINDINGS)
            shown = [line.split()[:2] for line in ran.out.splitlines() if line.startswith("info ")]
            self.assertEqual(shown, [["info", kind]] * sum(f["code"] == kind for f in notes), str(ran))
        ran = sinew("flex", path, "--fail-on", "any")
        self.assertEqual(ran.out.count("\ninfo"), len(notes))
        self.assertNotIn("-v shows notes", ran.out)

    def test_a_limit_of_work_is_no_count(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        limit = 200_000 + os.path.getsize(path)  # and a step for each byte
        self.fails(INPUT, "flex", path, "--limit", "work=200000", says=(f" take too many steps; the limit is {limit} ", "--limit work=N"))

    def test_nothing_to_draw(self):
        path = rigs.spiked(False).save(self.path("clean.glb"))
        ran = sinew("flex", path, "-o", self.path("pictures"))
        self.assertEqual(ran.status, DONE, str(ran))
        self.assertIn("clean.glb: no error and no warning, so there is no picture", ran.err)
        self.assertFalse(os.path.exists(self.path("pictures")))

    def test_wrong_usage(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        for options in (["--kinds", "tears"], ["--angles", "0"], ["--angles", "45,181"], ["--angles", "x"], ["--fail-on", "hint"],
                        ["--animation", "Run"], ["--json", "--jsonl"], ["--json", "--format", "text"]):
            self.assertEqual(sinew("flex", path, *options).status, USAGE, options)
        self.assertEqual(sinew("flex", self.path("missing.glb")).status, INPUT)

    def test_text_shows_the_worst_first_and_notes_only_on_request(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        ran = sinew("flex", path)
        self.assertIn("3 joints", ran.out.splitlines()[0])
        self.assertTrue(ran.out.splitlines()[1].startswith("error"), ran.out)
        self.assertIn("FLEX_SPIKE", ran.out)
        self.assertNotIn("\ninfo", ran.out)
        self.assertIn("\ninfo", sinew("flex", path, "-v").out)

    def test_many_files_and_formats(self):
        rigs.spiked(True).save(self.path("1.glb"))
        rigs.spiked(False).save(self.path("2.glb"))
        folder = self.path("")
        reports = json.loads(sinew("flex", folder, "--json").out)
        self.assertEqual([os.path.basename(r["file"]) for r in reports], ["1.glb", "2.glb"])
        ran = sinew("flex", folder, "--jsonl")
        lines = [json.loads(line) for line in ran.out.splitlines()]
        self.assertEqual([line["status"] for line in lines], [FINDINGS, DONE])
        self.assertEqual(lines[0]["result"]["findings"], reports[0]["findings"])
        sarif = json.loads(sinew("flex", folder, "--format", "sarif").out)
        results = sarif["runs"][0]["results"]
        spikes = [r for r in results if r["ruleId"] == "FLEX_SPIKE" and r["level"] == "error"]
        self.assertEqual(spikes[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "c")

    def test_pictures(self):
        """Of each error and warning, also where nothing moves and so nothing is marked."""
        for make in (rigs.torn, rigs.inert):
            path, folder = make(True).save(self.path("rig.glb")), self.path(make.__name__)
            ran = sinew("flex", path, "--json", "-o", folder)
            if ran.status == UNSUPPORTED:
                self.skipTest(ran.err.strip())
            loud = self.loud(json.loads(ran.out))
            self.assertTrue(loud)
            self.assertEqual(sorted(f["picture"] for f in loud), sorted(os.listdir(folder)))
            for finding in loud:
                pixels = read_png(os.path.join(folder, finding["picture"]))[120:400, 100:480, :3].astype(int)  # without caption and inset
                gray = np.abs(pixels - pixels[0, 0]).max(-1) > 30
                red = pixels[..., 0] > pixels[..., 1:].max(-1) + 60
                self.assertGreater(gray.mean(), 0.02, finding["picture"])
                self.assertEqual(red.mean() > 0.001, make is rigs.torn)

    def test_result_does_not_depend_on_threads(self):
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        self.assertEqual(sinew("flex", path, "--json", "--threads", 1).out, sinew("flex", path, "--json", "--threads", 3).out)

    def test_nothing_to_flex(self):
        path = self.path("plain.g4tf")
        builder = G4mfBuilder(3)
        builder.node()
        builder.save(path)
        report = self.flex(path)
        self.assertEqual([(f["code"], f["severity"]) for f in report["findings"]], [("FLEX_INERT", "info")])

    def test_planted_defects_in_every_dimension(self):
        expected = {"tear": ("FLEX_TEAR", "error", "c"), "spike": ("FLEX_SPIKE", "error", "c"), "island": ("FLEX_ISLAND", "warning", "c"),
                    "unbound": ("FLEX_UNBOUND", "warning", "")}
        for dimension in (2, 3, 4, 5):
            report = self.flex(rigs.bars(dimension, None).save(self.path(f"clean{dimension}.g4b")))
            self.assertEqual(self.loud(report), [], dimension)
            self.assertEqual(report["dimension"], dimension)
            for defect, wanted in expected.items():
                report = self.flex(rigs.bars(dimension, defect).save(self.path(f"{defect}{dimension}.g4b")))
                found = [(f["code"], f["severity"], f["joint"]) for f in report["findings"]]
                self.assertIn(wanted, found, f"{dimension} {defect}")

    def test_planted_defects_in_the_plane(self):
        for kind, (code, severity, joint) in rigs.PLANAR.items():
            values = []
            for how in ({}, {"scale": 0.01}, {"scale": 100.0}, {"mirrored": True}):
                report = self.flex(rigs.planar(kind, True, **how).save(self.path(f"{kind}.g4b")))
                found = [f for f in report["findings"] if (f["code"], f["severity"], f["joint"]) == (code, severity, joint)]
                self.assertTrue(found, f"{kind} {how}: {[(f['code'], f['severity'], f['joint'], f['value']) for f in report['findings']]}")
                self.assertEqual({one["code"] for one in report["skipped"]}, {"FLEX_COLLAPSE"})
                values.append(found[0]["value"])
                report = self.flex(rigs.planar(kind, False, **how).save(self.path(f"{kind}-clean.g4b")))
                self.assertEqual(self.loud(report), [], f"{kind} {how}")
            np.testing.assert_allclose(values, values[0], rtol=1e-4)

    def test_depth_in_the_plane(self):
        """How far a vertex of the sleeve is below the outline of the arm, measured here."""
        path = rigs.planar("sleeve", True).save(self.path("sleeve.g4b"))
        report = self.flex(path, "--kinds", "penetration", "--angles", "45", "--animation", "none")
        [found] = [f for f in report["findings"] if f["joint"] == "c"]
        body = rigs.plate(rigs.arm())
        angle, share = np.radians(found["pose"]["degrees"]), body.weights[:, 2]
        from_c = body.vertices - [rigs.HEIGHTS[2], 0]
        turned = from_c @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        at = body.vertices + share[:, None] * (turned - from_c)
        edges = {}
        for a, b, c in body.triangles:
            for edge in ((a, b), (b, c), (c, a)):
                edges.setdefault(tuple(sorted(edge)), []).append(edge)
        outline = [e[0] for e in edges.values() if len(e) == 1]
        row = found["vertices"][0]["vertex"]
        cover = np.vstack([body.vertices, rigs.plate({(i, 0) for i in range(24, 38)}).vertices * [1, 0.4] + [0, 0.105]])[row]

        def distance(a, b):
            t = np.clip(np.dot(cover - at[a], at[b] - at[a]) / np.dot(at[b] - at[a], at[b] - at[a]), 0, 1)
            return np.linalg.norm(at[a] + t * (at[b] - at[a]) - cover)

        depth = min(distance(a, b) for a, b in outline)
        self.assertAlmostEqual(found["value"], depth / report["diagonal"], delta=1e-5)

    def test_a_line_has_no_surface(self):
        path = self.path("line.g4tf")
        builder = G4mfBuilder(1)
        mesh = builder.mesh(builder.accessor("float32", [[0.0], [1.0], [2.0]]), [], skin=builder.skin([[(0, 1.0)], [(0, 0.5), (1, 0.5)], [(1, 1.0)]]))
        builder.node(name="Root")
        builder.node(0, name="Rig", skeleton={"joints": [2, 3]})
        builder.node(1, name="a", bone={}, position=[0.0])
        builder.node(2, name="b", bone={}, position=[1.0])
        builder.node(1, name="Body", mesh=mesh)
        builder.save(path)
        skipped = {one["code"] for one in self.flex(path)["skipped"]}
        self.assertTrue({"FLEX_PENETRATION", "FLEX_SELF"} <= skipped, skipped)

    def test_other_dimensions_say_what_they_skip(self):
        seen = set()
        for path in glob.glob(os.path.join(ROOT, "samples", "g4mf", "**", "*.g4*"), recursive=True):
            report = self.flex(path)
            skipped = {one["code"] for one in report["skipped"]}
            if report["dimension"] == 2:
                self.assertEqual(skipped, {"FLEX_COLLAPSE"})
            if report["dimension"] > 3:
                self.assertEqual(skipped, {"FLEX_PENETRATION", "FLEX_SELF"}, path)
            seen.add(report["dimension"])
        self.assertTrue({3, 4} <= seen, seen)


if __name__ == "__main__":
    main()
