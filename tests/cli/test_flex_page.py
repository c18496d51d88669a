# SPDX-License-Identifier: MIT
"""sinew flex --page and sinew view --flex: what the page is told, and that a page appears whole or not at all. The page itself is tested in a
browser (tests/outside/test_flex_page.py)."""
import base64
import json
import os
import re
import resource
import sys
import unittest
import zlib

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import DONE, FINDINGS, INPUT, OUTPUT, PATIENCE, ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, main, sinew
from test_view import View, read_packet

import flex_rigs as rigs


def setUpModule():
    if sinew("view", os.path.join(ROOT, "does-not-exist"), "--no-open").status == UNSUPPORTED:
        print("SKIPPED: this build has no page", file=sys.stderr)
        raise unittest.SkipTest("this build has no page")


def scripts(path):
    """Of a page: the bytes of each of its data scripts, by id."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', file.read())
    out = {}
    for name, text in found:
        stored = json.loads(text)
        data = base64.b64decode(stored["base64"])
        out[name] = zlib.decompress(data) if stored["deflate"] else data
    return out


class FlexPage(ProgramTest):
    def torn(self, name="torn.glb"):
        return rigs.torn(True).save(self.path(name))

    def findings(self, path):
        return json.loads(sinew("flex", path, "--json").out)["findings"]

    def test_the_page_has_the_findings_of_the_report(self):
        path, page = self.torn(), self.path("page.html")
        ran = sinew("flex", path, "--page", page, "--json")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        report = json.loads(ran.out)
        carried = read_packet(scripts(page)["carried"])[0]
        told = json.loads(carried["/flex"].tobytes())
        self.assertEqual(told["summary"], report["summary"])
        self.assertEqual(told["skipped"], report["skipped"])
        self.assertEqual([(f["code"], f["message"], f["node"]) for f in told["findings"]],
                         [(f["code"], f["message"], f["node"]) for f in report["findings"]])
        for one, other in zip(told["findings"], report["findings"]):
            self.assertEqual(one["worst"], [vertex["row"] for vertex in other["vertices"]])
            self.assertEqual(one["rows"], sorted(one["rows"]))
            self.assertLessEqual(set(one["worst"]), set(one["rows"]))
        self.assertEqual(json.loads(carried["/findings"].tobytes()), None)  # the file was not validated
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn(self.folder, text)
        self.assertNotRegex(text, r'(src|href)="(?!data:)')

    def test_the_page_says_what_was_not_looked_at(self):
        path = self.path("line.g4b")
        builder = rigs.bars(2, "tear")
        builder.json["nodes"][1]["extensions"] = {"EXT_nobody_knows": {}}
        builder.json["asset"]["extensionsUsed"] = ["EXT_nobody_knows"]
        builder.save(path)
        report = json.loads(sinew("flex", path, "--json").out)
        self.assertEqual([one["code"] for one in report["skipped"]], ["FLEX_COLLAPSE"])
        self.assertEqual(len(report["notCovered"]), 1)
        with View(path, "--flex") as view:
            told = json.loads(view.ask("flex")[1])
        self.assertEqual((told["skipped"], told["notCovered"]), (report["skipped"], report["notCovered"]))

    def test_a_page_without_a_module_has_the_frames(self):
        """The last frame of a finding is exact; those on the way are the turn by a part of the angle."""
        path, page = self.torn(), self.path("page.html")
        sinew("flex", path, "--page", page)
        found = scripts(page)
        if "module" in found:
            self.skipTest("this build has a module")
        carried = read_packet(found["carried"])[0]
        told = json.loads(carried["/flex"].tobytes())["findings"]
        self.assertEqual([f["frames"] for f in told], [12] + [1] * (len(told) - 1))  # notes have only the pose
        rest = read_packet(carried["/played"].tobytes())[0]["positions"]
        swing, parts = told[0]["state"]["swing"], rigs.torn(True).parts
        vertices, weights = (np.vstack([getattr(part, what) for part in parts]) for what in ("vertices", "weights"))
        np.testing.assert_allclose(rest, vertices, atol=1e-6)
        for step in range(12):
            frame = read_packet(carried[f"/played 0 {step}"].tobytes())[0]
            positions = rest.copy()
            positions[frame["rows"].ravel()] = frame["positions"]
            wanted = self.swung(vertices, weights[:, 2], swing, (step + 1) / 12)
            np.testing.assert_allclose(positions, wanted, atol=1e-6 if step == 11 else 3e-4)
            self.assertLess(len(frame["rows"]), len(vertices) / 2)

    def swung(self, points, shares, swing, part):
        """A turn about the joint c, from one axis towards another one."""
        a, b = np.array(swing["from"]), np.array(swing["to"])
        angle, off = np.radians(swing["degrees"]) * part, points - [0, rigs.HEIGHTS[2], 0]
        x, y = off @ a, off @ b
        by = np.outer((np.cos(angle) - 1) * x - np.sin(angle) * y, a) + np.outer(np.sin(angle) * x + (np.cos(angle) - 1) * y, b)
        return points + shares[:, None] * by

    def test_the_program_answers_with_the_worst_pose(self):
        path = self.torn()
        [found] = [f for f in self.findings(path) if f["severity"] == "error"]
        vertices, weights = (np.vstack([getattr(part, what) for part in rigs.torn(True).parts]) for what in ("vertices", "weights"))
        with View(path, "--flex") as view:
            told = json.loads(view.ask("flex")[1])["findings"][0]
            axes = np.eye(3)[found["pose"]["plane"]]
            np.testing.assert_allclose([told["state"]["swing"]["from"], told["state"]["swing"]["to"]], axes, atol=1e-12)
            self.assertEqual(told["state"]["swing"]["degrees"], found["pose"]["degrees"])
            for angle in (0, 30, found["pose"]["degrees"]):
                swing = {**told["state"]["swing"], "degrees": angle}
                frame = view.packet("frame", {**told["state"], "swing": swing})
                np.testing.assert_allclose(frame["positions"], self.swung(vertices, weights[:, 2], swing, 1), atol=1e-6)
            for wrong in ({"bound": 1}, {"swing": {}}, {"swing": {**swing, "node": 99}}, {"swing": {**swing, "from": [1, 0]}}, {"swing": {**swing, "degrees": "x"}}):
                self.assertEqual(view.ask("frame", wrong)[0], 400, wrong)
            self.assertEqual(view.ask("flex", {})[0], 405)
        with View(path) as view:
            self.assertEqual(json.loads(view.ask("flex")[1]), None)
            self.assertEqual(view.ask("frame", {"bound": True})[0], 400)

    def test_wrong_usage(self):
        path = self.torn()
        for options in (["--page", self.path("page.png")], ["--page", ""], ["--page", self.path("page.html"), "--jsonl"]):
            self.fails(USAGE, "flex", path, *options)
        os.rename(path, self.path("torn.html"))
        self.fails(USAGE, "flex", self.path("torn.html"), "--page", self.path("torn.html"))
        for options in (["--pose", "p.json"], ["--blend", "a=1"], ["--expression", "happy=1"]):
            self.fails(USAGE, "view", self.torn(), "--flex", "--no-open", *options, says=["--flex"])

    def test_outputs_that_cannot_be_written_are_refused_before_the_work(self):
        """The models are not even read: they do not exist."""
        folder = self.path("folder.html")
        os.mkdir(folder)
        for output in (self.path("missing", "page.html"), folder):
            self.fails(OUTPUT, "flex", self.path("missing.glb"), "--page", output)
        file = self.write("file", "x")
        self.fails(OUTPUT, "flex", self.path("missing.glb"), "-o", file, says=["file"])
        with open(file, encoding="utf-8") as kept:
            self.assertEqual(kept.read(), "x")

    def test_no_page_without_a_model(self):
        page = self.path("page.html")
        self.fails(INPUT, "flex", self.write("broken.glb", b"glTF"), "--page", page)
        self.assertEqual(os.listdir(self.folder), ["broken.glb"])

    def test_a_page_beyond_the_memory_is_not_written(self):
        page, path = self.path("page.html"), self.torn()
        sinew("flex", path, "--page", page)
        size = os.path.getsize(page)
        self.write("page.html", "before")
        self.assertEqual(sinew("flex", path, "--page", page, "--limit", f"memory={size - 1}").status, INPUT)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "before")
        self.assertEqual(sorted(os.listdir(self.folder)), ["page.html", "torn.glb"])

    def test_several_files(self):
        folder, page = self.path("rigs"), self.path("page.html")
        os.makedirs(os.path.join(folder, "below"))
        rigs.torn(True).save(os.path.join(folder, "below", "torn.glb"))
        rigs.sleeve(True).save(os.path.join(folder, "sleeve.glb"))
        with open(os.path.join(folder, "broken.glb"), "wb") as file:
            file.write(b"glTF")
        self.assertEqual(sinew("flex", folder, "--page", page).status, INPUT)
        found = scripts(page)
        names = {one["name"]: one for one in json.loads(found["models"])}
        self.assertEqual(set(names), {os.path.join("below", "torn.glb"), "sleeve.glb", "broken.glb"})
        self.assertEqual((names["broken.glb"]["id"], names["broken.glb"]["why"]), ("", "could not be checked"))
        for name, code in ((os.path.join("below", "torn.glb"), "FLEX_TEAR"), ("sleeve.glb", "FLEX_PENETRATION")):
            told = json.loads(read_packet(found[names[name]["id"]])[0]["/flex"].tobytes())
            self.assertEqual(told["findings"][0]["code"], code)

    def test_real_characters_in_time(self):
        """The page costs no more than the work that flex may take."""
        files = [path for name, path in corpus_models() if name in ("fox", "greenman", "rigged_figure")]
        if not files:
            self.skipTest("the shared corpus is missing")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        for path in files:
            page = self.path("page.html")
            self.assertIn(sinew("flex", path, "--page", page).status, (DONE, FINDINGS))
            told = json.loads(read_packet(scripts(page)["carried"])[0]["/flex"].tobytes())
            self.assertEqual(len(told["findings"]), len(self.findings(path)))
            self.assertLess(os.path.getsize(page), 20e6)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 60 * PATIENCE)


if __name__ == "__main__":
    main()
