# SPDX-License-Identifier: MIT
"""Each command that explain and validate suggest for a finding removes the finding."""
import json
import os
import re
import sys

from program import ROOT, ProgramTest, in_parallel, main, sinew

GOLDEN = os.path.join(ROOT, "tests", "golden")
sys.path.insert(0, GOLDEN)

import make  # noqa: E402


class Fixes(ProgramTest):
    def codes(self, path):
        report = json.loads(sinew("validate", "--format", "json", path).out)
        return [message["code"] for message in report["issues"]["messages"] + report["modelIssues"]["messages"]]

    def test_commands_do_what_they_promise(self):
        rows = json.loads(self.succeeds("explain", "--all", "--format", "json").out)
        fixes = {row["code"]: row["command"] for row in rows if "command" in row}
        self.assertGreater(len(fixes), 40)
        with open(os.path.join(ROOT, "docs", "repair.md"), encoding="utf-8") as page:
            table = set(re.findall(r"^\| `(\w+)` \|", page.read(), re.M))
        self.assertEqual({code for code, command in fixes.items() if command == "sinew repair IN -o OUT"}, table, "docs/repair.md lists the same codes")
        wanted = [(case.code, f"{case.path}.bad.{case.bad.container}") for case in make.cases() if case.code in fixes]
        self.assertEqual(set(fixes) - {code for code, _ in wanted}, set(), "without a file that has the finding")

        def run(item):
            number, (code, name) = item
            source, target = os.path.join(GOLDEN, name), self.path(f"{number}{os.path.splitext(name)[1]}")
            command = [{"IN": source, "OUT": target}.get(word, word) for word in fixes[code].split()[1:]]
            ran = sinew(*command)
            return name, code, ran, self.codes(target) if ran.status == 0 else None

        for name, code, ran, left in in_parallel(run, list(enumerate(wanted))):
            if ran.status == 0:
                self.assertNotIn(code, left, f"{name}: {fixes[code]}")

    def test_explain_names_the_command(self):
        self.assertRegex(self.succeeds("explain", "ACCESSOR_WEIGHTS_NON_NORMALIZED").out, r"\n  command +sinew repair IN -o OUT\n")
        self.assertNotIn("\n  command ", self.succeeds("explain", "UNRESOLVED_REFERENCE").out)


if __name__ == "__main__":
    main()
