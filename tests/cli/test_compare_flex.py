# SPDX-License-Identifier: MIT
"""sinew compare --flex: what an edit made worse. New and worse findings fail; others, and vertices that only moved, do not."""
import json
import os

from program import DONE, FINDINGS, ROOT, ProgramTest, main, sinew

import flex_rigs as rigs
from gltf_oracle import Document

FACTOR = 1.25  # docs/compare.md


class CompareFlex(ProgramTest):
    def compare(self, a, b, *options):
        ran = sinew("compare", a, b, "--flex", "--json", *options)
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return ran.status, json.loads(ran.out)["flex"]

    def loud(self, list_):
        return [(f["code"], f["joint"]) for f in list_ if f["severity"] != "info"]

    def value(self, path, code, joint):
        ran = sinew("flex", path, "--json", "--fail-on", "none")
        return next(f for f in json.loads(ran.out)["findings"] if (f["code"], f["joint"]) == (code, joint))

    def torn(self, share, name, **how):
        lower, upper = rigs.torn(True).parts
        upper.weights[upper.vertices[:, 1] == 1.0] = [0, 1 - share, share]
        return rigs.Rig([lower, upper], rigs.moving()).save(self.path(name), **how)

    def test_new_findings_of_every_kind(self):
        for name, (make, code, severity, joint, _) in rigs.PLANTED.items():
            clean, bad = make(False).save(self.path("clean.glb")), make(True).save(self.path("bad.glb"))
            status, flex = self.compare(clean, bad)
            self.assertEqual(status, FINDINGS, name)
            new = [f for f in flex["new"] + flex["worse"] if (f["code"], f["joint"], f["severity"]) == (code, joint, severity)]
            self.assertTrue(new, f"{name}: {flex}")
            self.assertEqual(new[0]["message"], self.value(bad, code, joint)["message"])
            status, flex = self.compare(bad, clean)
            self.assertEqual((status, self.loud(flex["new"]), self.loud(flex["worse"])), (DONE, [], []), name)
            self.assertIn((code, joint), self.loud(flex["gone"]) + [(f["code"], f["joint"]) for f in flex["better"]], name)

    def test_the_same_file(self):
        for path in (self.torn(0.3, "torn.glb"), os.path.join(ROOT, "samples", "show", "figure.gltf")):
            status, flex = self.compare(path, path)
            self.assertEqual((status, flex["new"], flex["worse"], flex["gone"], flex["better"]), (DONE, [], [], [], []))
            self.assertEqual(flex["a"], flex["b"])

    def test_worse_by_more_than_the_factor(self):
        before = self.torn(0.3, "before.glb")
        old = self.value(before, "FLEX_TEAR", "c")["value"]
        for share, worse in ((0.3 * 1.2, False), (0.3 * 1.3, True)):
            status, flex = self.compare(before, self.torn(share, "after.glb"))
            self.assertEqual(status, FINDINGS if worse else DONE)
            self.assertEqual(flex["new"], [])
            if worse:
                [found] = [f for f in flex["worse"] if (f["code"], f["joint"]) == ("FLEX_TEAR", "c")]
                self.assertAlmostEqual(found["before"]["value"], old)
                self.assertGreater(found["value"] / old, FACTOR)
        status, flex = self.compare(self.torn(0.3 * 1.3, "after.glb"), before)
        self.assertEqual(status, DONE)
        self.assertIn(("FLEX_TEAR", "c"), self.loud(flex["better"]))

    def test_more_vertices_are_worse(self):
        """The largest gap stays, and the tear is longer."""
        paths = []
        for sides in (4, 12):
            lower, upper = rigs.torn(True).parts
            ring = [i for i in range(len(upper.vertices)) if upper.vertices[i, 1] == 1.0]
            for i in ring[sides:]:
                upper.weights[i] = [0, 1, 0]
            paths.append(rigs.Rig([lower, upper], rigs.moving()).save(self.path(f"{sides}.glb")))
        status, flex = self.compare(*paths)
        self.assertEqual(status, FINDINGS)
        self.assertTrue(self.loud(flex["worse"]))

    def test_vertices_that_moved_are_no_finding(self):
        """The distances are in the report; the status is about findings."""
        a = rigs.Rig([rigs.tube()], rigs.moving()).save(self.path("a.glb"))
        wide = rigs.tube()
        wide.weights = rigs.weights_along(wide.vertices[:, 1], 0.3)
        b = rigs.Rig([wide], rigs.moving()).save(self.path("b.glb"))
        ran = sinew("compare", a, b, "--flex")
        self.assertEqual(ran.status, DONE, str(ran))
        self.assertIn("different", ran.out)
        self.assertIn("nothing is worse", ran.out)
        self.assertEqual(sinew("compare", a, b).status, FINDINGS)

    def test_joints_are_found_by_name(self):
        """Another tool wrote the nodes in another order, or another format."""
        path = self.torn(0.3, "torn.glb")
        document = Document(path)
        self.succeeds("convert", path, self.path("torn.g4b"))
        for other in (self.path("torn.g4b"), self.reordered(path)):
            status, flex = self.compare(path, other)
            self.assertEqual((status, self.loud(flex["new"]), self.loud(flex["gone"])), (DONE, [], []), other)
        self.assertEqual([n["name"] for n in document.json["nodes"]], ["a", "b", "c", "body"])

    def reordered(self, path):
        ran = self.succeeds("convert", path, self.path("text.gltf"))
        with open(self.path("text.gltf"), encoding="utf-8") as file:
            json_ = json.load(file)
        for node in json_["nodes"]:
            node["children"] = [i + 1 for i in node["children"]] if "children" in node else None
            if node["children"] is None:
                del node["children"]
        json_["nodes"] = [{"name": "first"}] + json_["nodes"]
        json_["skins"][0]["joints"] = [i + 1 for i in json_["skins"][0]["joints"]]
        for scene in json_["scenes"]:
            scene["nodes"] = [0] + [i + 1 for i in scene["nodes"]]
        for clip in json_["animations"]:
            for channel in clip["channels"]:
                channel["target"]["node"] += 1
        self.assertEqual(ran.status, DONE)
        return self.write("moved.gltf", json.dumps(json_))

    def test_text(self):
        clean, bad = rigs.spiked(False).save(self.path("clean.glb")), rigs.spiked(True).save(self.path("bad.glb"))
        ran = sinew("compare", clean, bad, "--flex")
        self.assertEqual(ran.status, FINDINGS)
        self.assertRegex(ran.out, r"new +error +FLEX_SPIKE +c +")
        self.assertRegex(ran.out, r"\d new, \d worse")
        self.assertNotIn(" info ", ran.out)
        quiet = sinew("compare", clean, bad, "--flex", "-q")
        self.assertEqual((quiet.status, quiet.out), (FINDINGS, ""))

    def test_checks_that_did_not_run_are_named(self):
        four = rigs.bars(4, None).save(self.path("four.g4b"))
        _, flex = self.compare(four, four)
        self.assertEqual({one["code"] for one in flex["skipped"]}, {"FLEX_PENETRATION", "FLEX_SELF"})
        self.assertIn("not checked: FLEX_SELF", sinew("compare", four, four, "--flex").out)

    def test_folders(self):
        for folder, defect in (("a", False), ("b", True)):
            os.makedirs(self.path(folder))
            rigs.spiked(defect).save(self.path(folder, "one.glb"))
            rigs.spiked(False).save(self.path(folder, "two.glb"))
        ran = sinew("compare", self.path("a"), self.path("b"), "--flex")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertRegex(ran.out, r"one.glb.*\n.*new +error +FLEX_SPIKE")
        ran = sinew("compare", self.path("a"), self.path("b"), "--flex", "--json")
        files = json.loads(ran.out)["files"]
        self.assertEqual([bool(self.loud(f["flex"]["new"])) for f in files], [True, False])
        self.assertEqual([f["equal"] for f in files], [False, True])
        self.assertEqual(sinew("compare", self.path("b"), self.path("a"), "--flex").status, DONE)

    def test_without_the_option_nothing_changes(self):
        path = self.torn(0.3, "torn.glb")
        ran = sinew("compare", path, path, "--json")
        self.assertNotIn("flex", json.loads(ran.out))


if __name__ == "__main__":
    main()
