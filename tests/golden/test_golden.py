# SPDX-License-Identifier: MIT
"""Every golden pair: the bad file has its finding at its place; the good file has neither the finding nor any error."""
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "cli")]

import make  # noqa: E402
import program  # noqa: E402


def messages_of_all(options):
    """Returns the messages about every golden file, by relative path, from one run over the folder."""
    ran = program.sinew("validate", "--format", "json", *options, ".", cwd=HERE)
    assert ran.status == 1, str(ran)
    reports = json.loads(ran.data)["reports"]
    return {os.path.normpath(r["uri"]): r["issues"]["messages"] + r["modelIssues"]["messages"] for r in reports}


# Rules that no program can check, and rules that are not implemented yet. Both lists may only shrink.
UNCHECKED = 6
WITHOUT_PAIR = 0


def own_codes(messages):
    return {message["code"] for message in messages if message["code"].startswith(("VRM", "GLTF_CHARACTER"))}


class Golden(unittest.TestCase):
    maxDiff = None

    def test_every_checkable_code_has_a_pair(self):
        rows = json.loads(program.sinew("explain", "--all", "--format", "json").data)
        unchecked = [row["code"] for row in rows if "unchecked" in row]
        pairs = {case.code for case in make.cases()}
        self.assertLessEqual(pairs, {row["code"] for row in rows})
        # `validate` does not report FLEX_…: sinew flex does, and tests/cli/test_flex.py has their pairs.
        rules = [row["code"] for row in rows if row["formats"] != "program" and "unchecked" not in row and not row["code"].startswith("FLEX_")]
        without = [code for code in rules if code not in pairs]
        self.assertLessEqual(len(unchecked), UNCHECKED, "\n".join(unchecked))
        self.assertLessEqual(len(without), WITHOUT_PAIR, "\n".join(without))

    def test_files_are_the_generators(self):
        expected = make.expected()
        self.assertEqual(make.existing(), set(expected), "run tests/golden/make.py")
        for path, data in expected.items():
            with open(os.path.join(HERE, path), "rb") as file:
                self.assertEqual(file.read(), data, f"{path}: run tests/golden/make.py")

    def test_pairs(self):
        cases = make.cases()
        self.assertTrue(cases)
        all_messages = {options: messages_of_all(options) for options in {case.options for case in cases}}

        def check(case):
            wrong = []
            messages = all_messages[case.options]
            bad = messages[os.path.normpath(f"{case.path}.bad.{case.bad.container}")]
            good = messages[os.path.normpath(f"{case.path}.good.{case.good.container}")]
            places = [m.get("pointer", m.get("offset")) for m in bad if m["code"] == case.code]
            if case.at not in places:
                said = [(m["code"], m.get("pointer", m.get("offset"))) for m in bad]
                wrong.append(f"{case.path}: {case.code} at {case.at!r} expected, found {said}")
            surplus = {m["code"] for m in bad if m["severity"] == 0} - {case.code, *case.also}
            if surplus:
                wrong.append(f"{case.path}: the bad file has other errors too: {sorted(surplus)}")
            if case.path.startswith("vrm/"):
                others = own_codes(bad) - {case.code, *case.also} | own_codes(good)
                if others:
                    wrong.append(f"{case.path}: other findings of VRM: {sorted(others)}")
            for message in good:
                if message["code"] == case.code or message["severity"] == 0:
                    wrong.append(f"{case.path}: the good file has {message}")
            return wrong

        wrong = [line for case in cases for line in check(case)]
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    program.main()
