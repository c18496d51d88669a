# SPDX-License-Identifier: MIT
"""What the page of `sinew view` says and shows of more than three dimensions, in Debian's Chromium. Skipped without a browser."""
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, main
from test_view import ARM, SKIN, TESSERACT, View

import test_view_page as pages

ARM_5D = os.path.join(ROOT, "samples", "show", "arm_5d.g4tf")
GHOST = "Ghost of the whole"
SLICE = ["choose", "Show", "slice"]
setUpModule = pages.setUpModule


def number(text):
    return float(text.replace("−", "-"))


def style(linear):
    """A colour as CSS writes it."""
    linear = np.array(linear)
    return "rgb({}, {}, {})".format(*np.round(255 * np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)).astype(int))


class Dimensions(pages.Page):
    def test_a_slice_has_the_whole_around_it(self):
        """The ghost is the projection along the hidden axes, turned as the slice is; live and exported."""
        steps = [["bare"], SLICE, ["set", "x → w, degrees, whole model", 30], ["picture"], ["uploaded"], ["check", GHOST, False], ["picture"],
                 ["check", GHOST, True], ["picture"], ["check", "Surface", False], ["picture"]]
        with View(TESSERACT) as view:
            model = view.model()
            turns = [0, 0, 0, 30, 0, 0]
            wanted = view.packet("frame", {"look": {"kind": "orthographic", "turns": turns, "offsets": model["center"][3:]}})["positions"]
            told = self.seen((view.url, steps), (pages.ExportedPage.moving(self, TESSERACT), steps))
        for seen, name in zip(told, ("live", "exported")):
            with self.subTest(name):
                both, uploaded, alone, again, lines = seen[3], seen[4], seen[6], seen[8], seen[10]
                pages.ExportedPage.assert_uploaded(self, uploaded, wanted)
                self.assert_changed(alone, both, 0.01)
                self.assert_same(both, again)
                drawn = [np.array(picture).reshape(pages.HEIGHT, pages.WIDTH) > 0 for picture in (alone, lines, both)]
                self.assertGreater(pages.within(drawn[0], drawn[2]), 0.99)
                self.assertGreater(pages.within(drawn[1], drawn[2]), 0.99)
                self.assertGreater(np.mean(drawn[2]), np.mean(drawn[0]) + 0.005)

    def test_the_legend(self):
        """The colours of the edges and their places; gone while the colours mean something else or nothing."""
        shown = ["text", "#legend:visible"]
        steps = [shown, ["ramp"], SLICE, shown, ["check", GHOST, False], shown, ["check", GHOST, True], ["choose", "Show", "perspective"],
                 ["node", "Bone0"], ["check", "Weights of the selected bone", True], shown, ["named", "#legend"]]
        with View(ARM) as arm, View(SKIN) as skin:
            model = arm.model()
            joint = next(node["name"] for node in model["nodes"] if node["joint"])
            steps[8][1] = joint
            light, dark, flat = self.seen((arm.url, steps), (arm.url, [["ramp"]], {"colorScheme": "dark"}), (skin.url, [["text", "#legend"]]))
        ends = [number(text) for text in light[0][0].split()[-3:]]
        for at, side in zip(ends, (-1, 0, 1)):
            self.assertAlmostEqual(at, model["center"][3] + side * model["radius"], delta=0.006 * model["radius"])
        self.assertEqual([light[1][0], light[1][-1]], [style([0.0436, 0.13, 0.75]), style([0.75, 0.02, 0.03])])
        self.assertEqual([light[1][8], dark[0][8]], [style([0.22] * 3), style([0.72] * 3)])  # stands out from the background
        self.assertEqual([len(light[3]), len(light[5]), len(light[10])], [1, 0, 0])
        self.assertRegex(light[11], "^Colours of edges by w: blue at ")
        self.assertEqual(flat, [[]])

    def test_surface_is_ticked_where_there_is_one(self):
        state, page = ["ticked", "Surface"], pages.ExportedPage.moving(self, TESSERACT)
        steps = [state, ["choose", "Show", "orthographic"], state, SLICE, state, ["check", "Surface", False], ["choose", "Show", "perspective"], state, SLICE, state]
        with View(TESSERACT) as tesseract, View(SKIN) as skin:
            *four, three = self.seen((tesseract.url, steps), (page, steps), (skin.url, [state]))
        for seen in four:
            self.assertEqual([seen[0], seen[2], seen[4], seen[7], seen[9]], [[False, False], [False, False], [True, True], [False, False], [False, True]])
        self.assertEqual(three, [[True, True]])

    def test_a_cut_moves_by_itself(self):
        place = [f"Cut at {axis}, position" for axis in "wv"]
        move = ["press", "Move the cut along v"]
        steps = [SLICE, ["value", place[1]], move, ["changes", place[1]], ["changes", place[1]], move, ["value", place[1]], ["picture"], ["value", place[1]],
                 ["value", place[0]], move, ["set", place[1], 0.125], ["value", place[1]], ["text", "button[aria-pressed=true]"], ["nameless"]]
        with View(ARM_5D) as view:
            model = view.model()
            [seen] = self.seen((view.url, steps))
        before, after, later, other = (float(seen[k]) for k in (1, 6, 8, 9))
        self.assertNotEqual(before, after)
        self.assertLessEqual(abs(after - model["center"][4]), model["radius"] + 5e-5)  # the page shows four decimals
        self.assertEqual(after, later)
        self.assertAlmostEqual(other, model["center"][3], places=5)
        self.assertEqual(seen[12:], ["0.125", [], []])

    def test_planes_are_drawn_and_the_picture_is_explained(self):
        reading = ["text", ".reading p:visible"]
        with View(ARM_5D) as view:
            [seen] = self.seen((view.url, [["texts", "details:has(.reading) svg.plane text"], ["texts", "details:has(.reading) .slider .name > label"],
                                           reading, SLICE, reading]))
        names = [f"{a} → {b}" for b, below in (("w", "xyz"), ("v", "xyzw")) for a in below]
        self.assertEqual([f"{a} → {b}" for a, b in zip(seen[0][::2], seen[0][1::2])], names)
        self.assertEqual(seen[1][-len(names):], names)
        flat, cut = (" ".join(each) for each in (seen[2], seen[4]))
        self.assertIn("w and v", flat)
        self.assertIn("nearer to you", flat)
        self.assertNotIn("nearer to you", cut)
        self.assertIn("ghost", cut)

    def test_a_page_that_cannot_move_says_what_its_colours_mean(self):
        with open(pages.ExportedPage.exported(self, TESSERACT)[len("file://"):], encoding="utf-8") as file:
            text = re.sub('<script type="application/json" id="module">.*?</script>', "", file.read(), flags=re.S)
        [seen] = self.seen(("file://" + self.write("still.html", text), [["labels"], ["text", "#legend"], ["text", ".reading p:visible"], ["picture"]]))
        self.assertNotIn("Surface", seen[0])
        self.assertIn("w", seen[1][0])
        self.assertIn("w", " ".join(seen[2]))
        self.assert_drawn(seen[3])


if __name__ == "__main__":
    main()
