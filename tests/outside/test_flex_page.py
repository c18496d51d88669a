# SPDX-License-Identifier: MIT
"""The page of `sinew flex --page` and `sinew view --flex` in Debian's Chromium: the worst pose of a finding is the one that was bent, its
place is marked, and all of it works by keyboard and without a network. Skipped without a browser."""
import base64
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import DONE, FINDINGS, ROOT, main, sinew
from test_view import View

import flex_rigs as rigs
import test_view_page as pages

setUpModule = pages.setUpModule
MOTION = {"reducedMotion": "no-preference"}
DARK = {"colorScheme": "dark"}


def turned(points, center, plane, degrees, shares):
    """Points that follow a turn in the plane of two axes by these shares: (1 − s)·v + s·T·v."""
    out, angle = points.copy(), np.radians(degrees)
    a, b = (points - center)[:, plane[0]], (points - center)[:, plane[1]]
    out[:, plane[0]] += shares * ((np.cos(angle) - 1) * a - np.sin(angle) * b)
    out[:, plane[1]] += shares * (np.sin(angle) * a + (np.cos(angle) - 1) * b)
    return out


class FlexPage(pages.Page):
    def findings(self, path, *options):
        ran = sinew("flex", path, "--json", *options)
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return json.loads(ran.out)

    def page(self, *arguments):
        """The address of a written page."""
        path = self.path(f"page{len(os.listdir(self.folder))}.html")
        ran = sinew("flex", *arguments, "--page", path)
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return "file://" + path

    def computes(self, address):
        with open(address[len("file://"):], encoding="utf-8") as file:
            return '<script type="application/json" id="module">' in file.read()

    def assert_shown(self, uploaded, wanted, tolerance):
        """One of the arrays that WebGL has is these points, row by row."""
        arrays = [np.frombuffer(base64.b64decode(text), "<f4") for text in uploaded]
        errors = [float(np.abs(numbers.reshape(-1, 3) - wanted).max()) for numbers in arrays if len(numbers) == wanted.size]
        self.assertLessEqual(min(errors, default=np.inf), tolerance)

    def test_a_stress_pose_is_the_closed_form(self):
        """In the page of a running program and in a file; the vertices that part are marked."""
        path = rigs.torn(True).save(self.path("torn.glb"))
        [found] = [f for f in self.findings(path)["findings"] if f["severity"] == "error"]
        self.assertEqual(found["joint"], "c")
        vertices, weights = (np.vstack([getattr(part, what) for part in rigs.torn(True).parts]) for what in ("vertices", "weights"))
        worst = turned(vertices, np.array([0, rigs.HEIGHTS[2], 0]), found["pose"]["plane"], found["pose"]["degrees"], weights[:, 2])
        self.assertGreater(np.abs(worst - vertices).max(), 0.3)
        how_far = "How far, from the rest pose to the worst pose"
        steps = [["finding", "FLEX_TEAR"], ["uploaded"], ["marked"], ["text", ".finding[aria-current=true] strong"], ["text", "[role=status].hint"],
                 ["set", how_far, 0.5], ["uploaded"], ["set", how_far, 0], ["uploaded"]]
        with View(path, "--flex") as view:
            address = self.page(path)
            for seen in self.seen((view.url, steps), (address, steps), (address, steps, DARK)):
                half = turned(vertices, np.array([0, rigs.HEIGHTS[2], 0]), found["pose"]["plane"], found["pose"]["degrees"] / 2, weights[:, 2])
                self.assert_shown(seen[1], worst, 1e-6)
                self.assert_shown(seen[6], half, 3e-4)  # frames on the way are stored with fewer bits
                self.assert_shown(seen[8], vertices, 1e-6)
                self.assertGreater(seen[2], 0.005)
                self.assertEqual(seen[3], ["error FLEX_TEAR c"])
                self.assertIn(f"{found['count']} vertices marked", seen[4][0])

    def test_marks_are_seen_for_every_kind(self):
        """Also where the surface hides the place from the front."""
        jobs = []
        for name, (make, code, _, joint, options) in rigs.PLANTED.items():
            if code == "FLEX_INERT":
                continue  # nothing to mark
            path = make(True).save(self.path(f"{name}.glb"))
            jobs.append((name, self.page(path, *options), [["finding", f"{code} {joint}".strip()], ["marked"], ["text", "#note"]]))
        self.assertGreaterEqual(len(jobs), 8)
        for (name, address, _), seen in zip(jobs, self.seen(*(job[1:] for job in jobs))):
            with self.subTest(name):
                self.assertGreater(seen[1], 0.0005)
                self.assertTrue(seen[2] == [""] or not self.computes(address), seen[2])

    def test_a_clip_and_a_blend_shape(self):
        twist, bulge = rigs.twisted(150).save(self.path("twist.glb")), rigs.shape_torn(True).save(self.path("bulge.glb"))
        [found] = [f for f in self.findings(twist, "--kinds", "collapse")["findings"] if f["severity"] == "error"]
        self.assertEqual(found["pose"]["kind"], "clip")
        clip = self.deform(twist, "--animation", found["pose"]["animation"], "--time", repr(found["pose"]["time"]))
        [torn] = [f for f in self.findings(bulge)["findings"] if f["severity"] == "error"]
        [(shape, amount)] = torn["pose"]["shapes"].items()
        rest, on = self.deform(bulge), self.deform(bulge, "--blend", f"{shape}={amount}")
        self.assertGreater(np.abs(on - rest).max(), 0.01)
        for path, code, options, wanted in ((twist, "FLEX_COLLAPSE", ["--kinds", "collapse"], clip), (bulge, "FLEX_TEAR", [], on)):
            with View(path, "--flex") as view:
                for seen in self.seen(*((url, [["finding", code], ["uploaded"], ["marked"]]) for url in (view.url, self.page(path, *options)))):
                    self.assert_shown(seen[1], wanted, 2e-6)
                    self.assertGreater(seen[2], 0.001)

    def test_the_rest_pose_is_the_bind_pose(self):
        """The stored pose is another one: the joints are turned there."""
        path = rigs.spiked(True).save(self.path("spiked.glb"))
        stored = rigs.spiked(True)
        vertices, weights = (np.vstack([getattr(part, what) for part in stored.parts]) for what in ("vertices", "weights"))
        moved = self.path("moved.glb")
        turn_node(path, moved, "b", [0.5, 0, 0, 0.8660254037844386])
        [found] = [f for f in self.findings(moved, "--animation", "none")["findings"] if (f["code"], f["severity"]) == ("FLEX_SPIKE", "error")]
        worst = turned(vertices, np.array([0, rigs.HEIGHTS[2], 0]), found["pose"]["plane"], found["pose"]["degrees"], weights[:, 2])
        self.assertGreater(np.abs(self.deform(moved) - vertices).max(), 0.3)
        with View(moved, "--flex") as view:
            for seen in self.seen(*((url, [["finding", "FLEX_SPIKE c"], ["uploaded"]]) for url in (view.url, self.page(moved)))):
                self.assert_shown(seen[1], worst, 2e-6)

    def test_what_moves_the_model_ends_the_pose(self):
        path = rigs.torn(True).save(self.path("torn.glb"))
        pose = self.path("saved.pose.json")
        with View(path, "--flex") as view:
            [seen] = self.seen((view.url, [["choose", "Clip", ""], ["uploaded"], ["finding", "FLEX_TEAR"], ["save", pose], ["uploaded"], ["set", "x → y, degrees", 0],
                                           ["uploaded"], ["marked"], ["text", ".finding[aria-current=true]"]]))
        self.assert_shown(seen[4], self.deform(path, "--pose", pose), 1e-6)
        self.assert_shown(seen[6], self.deform(path), 1e-6)
        self.assertLess(seen[7], 1e-4)
        self.assertEqual(seen[8], [])

    def test_it_moves_to_the_pose(self):
        path = rigs.torn(True).save(self.path("torn.glb"))
        how_far = "How far, from the rest pose to the worst pose"
        [seen] = self.seen((self.page(path, "--animation", "none"), [["finding", "FLEX_TEAR"], ["reaches", how_far, "1"], ["press", "Play the worst pose"],
                                                                     ["changes", how_far], ["reaches", how_far, "1"]], MOTION))
        self.assertEqual(len(seen), 5)

    def test_several_files(self):
        """One page, of which the reader chooses a file; one that cannot be read is named."""
        folder = self.path("rigs")
        os.mkdir(folder)
        rigs.torn(True).save(os.path.join(folder, "1 <b>.glb"))
        rigs.sleeve(True).save(os.path.join(folder, "2.glb"))
        with open(os.path.join(folder, "3.glb"), "wb") as file:
            file.write(b"glTF")
        page = self.path("page.html")
        self.assertEqual(sinew("flex", folder, "--page", page).status, 3)
        steps = [["text", "h1"], ["options", "Model"], ["model", "2"], ["text", "h1"], ["finding", "FLEX_PENETRATION"], ["marked"], ["nameless"]]
        [seen] = self.seen(("file://" + page, steps))
        self.assertEqual(seen[0], ["1 <b>.glb"])
        self.assertEqual(seen[1], [["1 <b>.glb", True], ["2.glb", True], ["3.glb (could not be checked)", False]])
        self.assertEqual(seen[3], ["2.glb"])
        self.assertGreater(seen[5], 0.0005)
        self.assertEqual(seen[6], [])

    def test_by_keyboard(self):
        path = rigs.torn(True).save(self.path("torn.glb"))
        [seen] = self.seen((self.page(path), [["nameless"], ["stops"], ["reachable"], ["focus", ".finding >> nth=0"], ["keys", "Enter"],
                                              ["text", ".finding[aria-current=true] strong"], ["marked"], ["check", "Notes, too", True], ["text", ".finding strong"]]))
        self.assertEqual(seen[0], [])
        self.assertEqual(len(seen[1]), seen[2] + 1)  # the tree is one stop
        self.assertEqual(seen[5], ["error FLEX_TEAR c"])
        self.assertGreater(seen[6], 0.005)
        self.assertEqual(len(seen[8]), len(self.findings(path)["findings"]))

    def test_corners_with_values_of_their_own(self):
        """In G4MF such corners get vertices of their own in the picture: all of them are marked."""
        builder = rigs.bars(3, "spike")
        [surface] = builder.json["meshes"][0]["surfaces"]
        surface["textureMap"] = builder.accessor("float32", np.random.default_rng(1).random((3 * 120, 2)).tolist())  # of two bars of 60 triangles
        path = builder.save(self.path("corners.g4b"))
        report = self.findings(path)
        number, [found] = next((i, [f]) for i, f in enumerate(report["findings"]) if (f["code"], f["severity"]) == ("FLEX_SPIKE", "error"))
        with View(path, "--flex") as view:
            model, told = view.model(), json.loads(view.ask("flex")[1])["findings"][number]
            self.assertGreater(model["rows"], model["vertices"])
            packet = view.packet("frame", told["state"])["positions"]
            [seen] = self.seen((view.url, [["finding", "FLEX_SPIKE c"], ["marked"], ["text", "[role=status].hint"]]))
        rows = sorted(told["rows"])
        self.assertGreater(len(rows), found["count"])
        self.assertEqual(len(np.unique(packet[rows], axis=0)), found["count"])
        self.assertFalse((packet[np.setdiff1d(np.arange(model["rows"]), rows)][:, None] == packet[rows]).all(-1).any(), "a copy is not marked")
        self.assertGreater(seen[1], 0.0005)
        self.assertIn(f"{found['count']} vert", seen[2][0])

    def test_more_dimensions(self):
        for dimension in (2, 4):
            path = rigs.bars(dimension, "tear").save(self.path(f"tear{dimension}.g4b"))
            with View(path, "--flex") as view:
                for seen in self.seen(*((url, [["picture"], ["finding", "FLEX_TEAR c"], ["picture"], ["marked"]]) for url in (view.url, self.page(path)))):
                    self.assert_changed(seen[0], seen[2])
                    self.assertGreater(seen[3], 0.0005)


def turn_node(path, out, name, rotation):
    """A glb with another stored rotation of a node."""
    import struct
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    model = json.loads(data[20:20 + length])
    next(node for node in model["nodes"] if node["name"] == name)["rotation"] = rotation
    text = json.dumps(model).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length:]
    with open(out, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest)) + struct.pack("<I4s", len(text), b"JSON") + text + rest)


if __name__ == "__main__":
    main()
