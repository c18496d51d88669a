# SPDX-License-Identifier: MIT
"""validate --format sarif: the requirements of the standard, and the same results as the JSON reports."""
import copy
import json
import os
import urllib.parse

import sarif
from program import INPUT, ProgramTest, main, sinew
from test_validate import BROKEN, CLEAN, glb

LEVEL = {0: "error", 1: "warning", 2: "note", 3: "note"}


class Sarif(ProgramTest):
    def log(self, *arguments, **options):
        log = json.loads(sinew("validate", "--format", "sarif", *arguments, **options).data)
        self.assertEqual(sarif.faults(log), [])
        return log["runs"][0]

    def test_the_checker_sees_faults(self):
        path = self.write("x.gltf", BROKEN)
        log = json.loads(sinew("validate", "--format", "sarif", path).data)
        self.assertEqual(sarif.faults(log), [])
        for spoil in (
            lambda run: run["tool"]["driver"].pop("name"),
            lambda run: run["results"][0].pop("message"),
            lambda run: run["results"][0].update(ruleIndex=99),
            lambda run: run["invocations"][0].update(toolExecutionNotifications=[{"level": "error"}]),
            lambda run: run["invocations"][0].update(toolExecutionNotifications=[{"message": {"text": "x"}, "descriptor": {}}]),
            lambda run: run["results"][0].update(level="fatal"),
            lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
            lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"),
        ):
            spoilt = copy.deepcopy(log)
            spoil(spoilt["runs"][0])
            self.assertNotEqual(sarif.faults(spoilt), [])

    def test_results_are_those_of_the_reports(self):
        os.makedirs(self.path("a folder"))
        self.write("a folder/å b.gltf", BROKEN)
        self.write("a folder/c.glb", glb(BROKEN))
        self.write("a folder/d.gltf", CLEAN)
        run = self.log("a folder", cwd=self.folder)
        reports = json.loads(sinew("validate", "--format", "json", "a folder", cwd=self.folder).data)["reports"]
        expected = []
        for report in reports:
            for message in report["issues"]["messages"] + report["modelIssues"]["messages"]:
                region = {"startLine": message["line"], "startColumn": message["column"]}
                if report["uri"].endswith(".glb"):
                    region["byteOffset"] = message["byte"]
                expected.append((report["uri"], message["code"], LEVEL[message["severity"]], message["message"], message["pointer"], region))
        self.assertGreaterEqual(len(expected), 2)
        got = []
        for result in run["results"]:
            [location] = result["locations"]
            physical = location["physicalLocation"]
            got.append((urllib.parse.unquote(physical["artifactLocation"]["uri"]), result["ruleId"], result["level"], result["message"]["text"],
                        location["logicalLocations"][0]["fullyQualifiedName"], physical["region"]))
        self.assertEqual(got, expected)

    def test_uris(self):
        os.makedirs(self.path("a folder"))
        path = self.write("a folder/å b.gltf", BROKEN)
        uri = lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(uri(self.log("a folder/å b.gltf", cwd=self.folder)), "a%20folder/%C3%A5%20b.gltf")
        self.assertEqual(uri(self.log(path)), "file://" + urllib.parse.quote(path))
        os.symlink(self.path("a folder"), self.path("a link"))
        for named, wanted in (("./a folder", "a%20folder/"), (".//a folder/./", "a%20folder/"), ("a folder/../a link", "a%20folder/../a%20link/")):
            with self.subTest(named=named):  # a link's own parent may be elsewhere: only what says nothing goes
                self.assertEqual(uri(self.log(named, cwd=self.folder)), wanted + "%C3%A5%20b.gltf")

    def test_fingerprints_tell_results_of_a_file_apart_and_stay(self):
        path = self.write("x.gltf", {"asset": {"version": "2.0"}, "scenes": [{"nodes": [7, 8, 9]}]})
        prints = lambda: [r["partialFingerprints"]["codeAndPlace/v1"] for r in self.log(path)["results"]]
        first = prints()
        self.assertGreaterEqual(len(first), 3)
        self.assertEqual(len(set(first)), len(first))
        self.assertEqual(prints(), first)

    def test_bytes_of_a_broken_container(self):
        run = self.log(self.write("x.glb", glb(BROKEN)[:-8]))
        regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
        self.assertTrue(any("byteOffset" in region for region in regions), regions)

    def test_unreadable_files_make_the_run_unsuccessful(self):
        path = self.write("x.gltf", CLEAN)
        self.assertNotIn("toolExecutionNotifications", self.log(path)["invocations"][0])
        for named in ([path, "none.glb"], ["none.glb"], ["./none.glb", self.folder]):
            with self.subTest(named=named):
                ran = self.fails(INPUT, "validate", "--format", "sarif", *named, cwd=self.folder)
                log = json.loads(ran.data)
                self.assertEqual(sarif.faults(log), [])
                [invocation] = log["runs"][0]["invocations"]
                self.assertIs(invocation["executionSuccessful"], False)
                [notification] = invocation["toolExecutionNotifications"]
                self.assertEqual((notification["level"], notification["descriptor"]["id"]), ("error", "IO_ERROR"))
                self.assertIn("cannot be opened", notification["message"]["text"])
                self.assertEqual([location["physicalLocation"]["artifactLocation"]["uri"] for location in notification["locations"]], ["none.glb"])
        self.fails(INPUT, "validate", "--format", "sarif", "none.glb", "-o", "none.sarif", cwd=self.folder)
        self.assertTrue(os.path.exists(self.path("none.sarif")))  # what comes behind in a job finds its log


if __name__ == "__main__":
    main()
