# SPDX-License-Identifier: MIT
"""How the page of `sinew view` opens in Debian's Chromium, and how keys and fingers reach it. Skipped without a browser."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import main
from test_view import SKIN, View

import test_view_page as pages

MOTION = {"reducedMotion": "no-preference"}
setUpModule = pages.setUpModule


class Opening(pages.Page):
    """What a page does before anybody touches it, live and exported."""

    def test_it_plays_the_first_clip(self):
        steps = [["moving", 0.2], ["value", "Clip"], ["text", "button[aria-pressed=true]"], ["press", "Pause"], ["value", "Time, seconds"], ["kept"]]
        with View(SKIN) as view:
            for seen in self.seen((view.url, steps, MOTION), (pages.ExportedPage.moving(self, SKIN), steps, MOTION)):
                self.assertEqual(seen[1:3], ["0", ["Pause"]])
                self.assertGreater(float(seen[4]), 0.2)
                self.assertEqual(seen[5], ["", {}, {}, ""])

    def test_it_stays_still_for_those_who_want_no_motion(self):
        steps = [["value", "Clip"], ["value", "Time, seconds"], ["text", "button[aria-pressed]"], ["keys", " "], ["moving", 0.1]]
        with View(SKIN) as view:
            for seen in self.seen((view.url, steps), (pages.ExportedPage.moving(self, SKIN), steps)):
                self.assertEqual(seen[:3], ["0", "0", ["Play"]])

    def test_keys_without_a_focus(self):
        """Space plays and pauses, arrows show the next frame; in the slider of the time, too."""
        time, steps = ["value", "Time, seconds"], [["keys", "ArrowRight", "ArrowRight"], ["keys", "."], ["keys", "ArrowLeft"], ["keys", ",", ",", ","]]
        told = [step for each in steps for step in (each, time)]
        told += [["focus", "input[type=range] >> nth=0"], ["keys", "ArrowRight"], time, ["keys", "ArrowLeft"], time]
        with View(SKIN) as view:
            still, moving = self.seen((view.url, told), (view.url, [["moving", 0.1], ["keys", " "], ["text", "button[aria-pressed]"], ["keys", " "],
                                                                    ["text", "button[aria-pressed]"], ["keys", "ArrowRight"], ["text", "button[aria-pressed]"]], MOTION))
            duration = view.model()["clips"][0]["duration"]
        seen = [float(answer) for step, answer in zip(told, still) if step == time]
        for at, frames in zip(seen, (2, 3, 2, -1, 0, -1), strict=True):
            self.assertAlmostEqual(at, frames / 30 % duration, delta=1e-3)
        self.assertEqual([moving[2], moving[4], moving[6]], [["Play"], ["Pause"], ["Play"]])

    def test_fingers(self):
        phone = {"hasTouch": True, "isMobile": True, "viewport": {"width": 390, "height": 780}}
        steps = [["picture"], ["swipe"], ["picture"], ["tap", "Show all"], ["picture"], ["tap", "Play"], ["moving", 0.1], ["tap", "Pause"], ["sizes"],
                 ["set", "Time, seconds", 0], ["tap", 0.55, 0.5], ["text", ".chosen"]]  # the joint is in the middle: 20 pixels beside
        with View(SKIN) as view:
            [seen] = self.seen((view.url, steps, phone))
        self.assert_changed(seen[0], seen[2])
        self.assert_same(seen[0], seen[4])
        self.assertGreaterEqual(min(seen[8]), 40)
        self.assertEqual(seen[11], ["Upper"])

    def test_light_and_dark(self):
        with View(SKIN) as view:
            light, dark = self.seen(*((view.url, [["pixel", 0.02, 0.02], ["colours", "aside"]], {"colorScheme": kind}) for kind in ("light", "dark")))
        for (picture, (text, panel)), brighter in ((light, False), (dark, True)):
            self.assertEqual(sum(picture) < 3 * 128, brighter)
            self.assertEqual(sum(panel) < 3 * 128, brighter)
            self.assertEqual(sum(text) > 3 * 128, brighter)


if __name__ == "__main__":
    main()
