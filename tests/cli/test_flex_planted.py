#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew flex` on defects that somebody planted who had not seen its definitions and thresholds (tests/oracle/flex_planted.py)."""
import json

from program import ProgramTest, in_parallel, main, sinew

import flex_planted

EACH = 2  # pairs of a kind in a dimension: the generator has 181 pairs in all


class Planted(ProgramTest):
    def told(self, case):
        path = self.path(case["file"])
        case["write"](path)
        ran = sinew("flex", path, "--json", "--fail-on", "none", "--threads", "1", timeout=120)
        self.assertEqual(ran.status, 0, str(ran))
        return json.loads(ran.out)["findings"]

    def test_defects_and_twins(self):
        cases = list(flex_planted.cases(most=EACH))
        self.assertGreater(len(cases), 80)
        for case, findings in zip(cases, in_parallel(self.told, cases)):
            with self.subTest(case["name"]):
                strong = [f for f in findings if f["severity"] != "info"]
                if case["kind"] == "none":
                    self.assertEqual([(f["code"], f["joint"]) for f in strong], [])
                elif case["kind"] == "self":
                    # Its hooks cross beyond the probe angle of 20 degrees, which is a note; its flaps are parts of their own.
                    self.assertTrue({f["code"] for f in findings} & {"FLEX_SELF", "FLEX_PENETRATION"})
                else:
                    named = [f["joint"] for f in strong if f["code"] == "FLEX_" + case["kind"].upper()]
                    self.assertTrue(set(named) & set(case["joint"]), f"{named}, expected one of {case['joint']}")


if __name__ == "__main__":
    main()
