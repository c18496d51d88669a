# SPDX-License-Identifier: MIT
"""The command validate: one report or many, listed findings, exit statuses, formats."""
import json
import os
import shutil
import struct

from program import DONE, INPUT, ROOT, USAGE, ProgramTest, main, sinew

from gltf_builder import morphed_quad

FINDINGS = 1
SAMPLES = os.path.join(ROOT, "samples")
CLEAN = {"asset": {"version": "2.0"}}
# An error in line 3, column 32: there is no node 7.
BROKEN = '{\n  "asset": {"version": "2.0"},\n  "scenes": [{"name": "å", "nodes": [7]}]\n}\n'


def glb(text):
    text = text.encode()
    text += b" " * (-len(text) % 4)
    return b"glTF" + struct.pack("<II", 2, 20 + len(text)) + struct.pack("<I4s", len(text), b"JSON") + text


def messages(report):
    return report["issues"]["messages"] + report["modelIssues"]["messages"]


def line_of(text, position):
    """The text from a position on, in its line."""
    return text.split("\n")[position["line"] - 1][position["column"] - 1 :]


class Validate(ProgramTest):
    def report(self, *arguments, status=None, **options):
        ran = sinew("validate", "--format", "json", *arguments, **options)
        self.assertIn(ran.status, (DONE, FINDINGS) if status is None else (status,), str(ran))
        return json.loads(ran.data.decode("utf-8"))

    def folder_of_models(self):
        os.makedirs(self.path("models", "deep", "er"))
        self.write(os.path.join("models", "b.gltf"), CLEAN)
        self.write(os.path.join("models", "a.GLB"), glb(BROKEN))
        self.write(os.path.join("models", "deep", "er", "c.vrm"), glb(json.dumps(CLEAN)))
        self.write(os.path.join("models", "notes.txt"), "no model")
        return self.path("models")


class OneFile(Validate):
    def test_the_report_has_the_known_shape(self):
        report = self.report(self.write("x.gltf", BROKEN), status=FINDINGS)
        self.assertEqual(list(report), ["uri", "mimeType", "validatorVersion", "issues", "modelIssues", "info"])
        self.assertEqual(report["mimeType"], "model/gltf+json")
        self.assertEqual(list(report["issues"]), ["numErrors", "numWarnings", "numInfos", "numHints", "messages", "truncated"])
        self.assertEqual(report["info"]["version"], "2.0")

    def test_a_finding_knows_its_place_in_the_text(self):
        for name, content, start in (("x.gltf", BROKEN, 0), ("x.glb", glb(BROKEN), 20)):
            with self.subTest(name=name):
                [message] = [m for m in messages(self.report(self.write(name, content))) if m["severity"] == 0]
                self.assertEqual((message["code"], message["pointer"]), ("UNRESOLVED_REFERENCE", "/scenes/0/nodes/0"))
                self.assertEqual((message["line"], message["column"]), (3, 38))
                self.assertEqual(line_of(BROKEN, message), "7]}]")
                data = content if isinstance(content, bytes) else content.encode()
                self.assertEqual(message["byte"] - start, BROKEN.encode().index(b"7]"))
                self.assertEqual(data[message["byte"]], ord("7"))

    def test_text_that_is_no_json_has_a_place_too(self):
        text = '{"asset": {"version": "2.0"},\n "x": oops}'
        [message] = messages(self.report(self.write("x.gltf", text), status=FINDINGS))
        self.assertEqual((message["code"], message["pointer"]), ("INVALID_JSON", ""))
        self.assertEqual((message["line"], message["column"], message["byte"]), (2, 7, text.index("oops")))

    def test_two_empty_json_chunks_are_invalid_json_once(self):
        chunk = struct.pack("<I4s", 0, b"JSON")
        path = self.write("two.glb", b"glTF" + struct.pack("<II", 2, 28) + chunk + chunk)
        report = json.loads(sinew("validate", "--format", "json", path).out)
        places = [(issue["code"], issue.get("pointer", issue.get("offset"))) for issue in report["issues"]["messages"]]
        self.assertEqual(places, [("GLB_EMPTY_CHUNK", 12), ("GLB_EMPTY_CHUNK", 20), ("GLB_DUPLICATE_CHUNK", 20), ("INVALID_JSON", "")])

    def test_places_behind_odd_names(self):
        text = json.dumps({"asset": {"version": "2.0", "~a/b": 1, "ab": 2}, "": 3, "a-b": 4, "a": {"b": 5}}, indent=1)
        ran = self.report(self.write("x.gltf", text))
        places = {m["pointer"]: line_of(text, m).split("\n")[0].rstrip(",") for m in messages(ran)}
        for pointer, value in {"/asset/~0a~1b": "1", "/asset/ab": "2", "/a-b": "4", "/a": "{"}.items():
            if pointer in places:
                self.assertEqual(places[pointer], value, places)
        self.assertTrue({"/a-b", "/asset/ab", "/asset/~0a~1b"} & set(places), places)

    def test_clean_text_is_one_line(self):
        path = self.write("x.gltf", CLEAN)
        self.assertEqual(self.succeeds("validate", path).out, f"{path}: nothing found\n")
        self.assertEqual(self.succeeds("validate", path, "-q").out, "")

    def test_text(self):
        path = self.write("x.gltf", BROKEN)
        ran = sinew("validate", path)
        self.assertEqual(ran.status, FINDINGS)
        first, *rows, summary, hint = ran.out.splitlines()
        self.assertEqual(first, path)
        self.assertRegex(rows[0], r'^  error    /scenes/0/nodes/0 "å" 3:38  .*  UNRESOLVED_REFERENCE$')
        self.assertRegex(summary, r"^1 file: 1 error")
        self.assertIn("sinew explain UNRESOLVED_REFERENCE", hint)
        self.assertNotIn("\x1b", ran.out)
        self.assertIn("\x1b[1;31m", sinew("validate", path, "--color", "always").out)

    def test_standard_input(self):
        report = self.report("-", stdin=BROKEN.encode(), status=FINDINGS)
        self.assertEqual(report["uri"], "-")
        self.assertEqual(report["issues"]["numErrors"], 1)

    def test_what_cannot_be_opened(self):
        self.fails(INPUT, "validate", self.path("none.gltf"), says="none.gltf")
        self.fails(USAGE, "validate")

    def test_names_that_are_no_utf8(self):
        path = os.fsencode(self.folder) + b"/\xff.gltf"
        with open(path, "wb") as file:
            file.write(b'{"asset": {"version": "2.0"}}')
        self.assertTrue(self.report(os.fsdecode(path))["uri"].endswith("/\ufffd.gltf"))


class Choice(Validate):
    def test_fail_on(self):
        # A warning, and nothing worse.
        path = self.write("x.gltf", {"asset": {"version": "2.0"}, "extensionsUsed": ["X_unknown"], "materials": [{"odd": 1}]})
        severities = {m["severity"] for m in messages(self.report(path))}
        self.assertIn(1, severities)
        self.assertNotIn(0, severities)
        for level, status in (("error", DONE), ("warning", FINDINGS), ("info", FINDINGS), ("hint", FINDINGS)):
            self.assertEqual(sinew("validate", path, "--fail-on", level).status, status, level)
        self.fails(USAGE, "validate", path, "--fail-on", "warnings", says="did you mean warning?")

    def test_only_and_ignore(self):
        path = self.write("x.gltf", BROKEN)
        self.assertEqual(messages(self.report(path, "--ignore", "UNRESOLVED_REFERENCE", "--only", "UNRESOLVED_REFERENCE", status=DONE)), [])
        only = self.report(path, "--only", "UNRESOLVED_REFERENCE", status=FINDINGS)
        self.assertEqual([m["code"] for m in messages(only)], ["UNRESOLVED_REFERENCE"])
        rest = self.report(path, "--ignore", "UNRESOLVED_REFERENCE", status=DONE)
        self.assertNotIn("UNRESOLVED_REFERENCE", [m["code"] for m in messages(rest)])
        for option in ("--only", "--ignore"):
            self.fails(USAGE, "validate", path, option, "UNRESOLVED_REFERENCES", says="did you mean UNRESOLVED_REFERENCE?")

    def test_max_issues_lists_the_severest_and_counts_all(self):
        text = json.dumps({"asset": {"version": "2.0"}, "extensionsUsed": ["X_unknown"], "scenes": [{"nodes": [7, 8, 9, 10]}]})
        path = self.write("x.gltf", text)
        everything = self.report(path, status=FINDINGS)
        self.assertGreater(len(everything["issues"]["messages"]), 3)
        self.assertIs(everything["issues"]["truncated"], False)
        few = self.report(path, "--max-issues", 2, status=FINDINGS)
        self.assertEqual(len(messages(few)), 2)
        self.assertIs(few["issues"]["truncated"], True)
        self.assertEqual(few["issues"]["messages"][0]["severity"], 0)
        for key in ("numErrors", "numWarnings"):
            self.assertEqual(few["issues"][key], everything["issues"][key])
        none = self.report(path, "--max-issues", 0, status=FINDINGS)
        self.assertEqual(messages(none), [])

    def test_a_hostile_number_of_findings_is_cut_and_quick(self):
        text = '{"asset":{"version":"2.0"},"nodes":[' + ",".join(['{"mesh":7}'] * 150000) + "]}"
        report = self.report(self.write("x.gltf", text), status=FINDINGS, timeout=60)
        self.assertGreaterEqual(len(messages(report)), 100000)
        self.assertIs(report["issues"]["truncated"], True)
        self.assertEqual({m["code"] for m in messages(report)} & {"SINEW_FINDINGS_DROPPED"}, {"SINEW_FINDINGS_DROPPED"})

    def test_what_was_not_kept_may_be_an_error(self):
        path = self.write("x.gltf", '{"asset":{"version":"2.0"},"nodes":[' + ",".join(["{}"] * 300) + '],"scene":7}')  # hints, and an error
        for limit in (1, 100, 299, 10000):
            report = self.report(path, "--limit", f"findings={limit}", status=FINDINGS)
            self.assertEqual("SINEW_FINDINGS_DROPPED" in {m["code"] for m in messages(report)}, limit < 10000)


class ManyFiles(Validate):
    def test_a_folder(self):
        folder = self.folder_of_models()
        report = self.report(folder, status=FINDINGS)
        self.assertEqual([r["uri"] for r in report["reports"]], [os.path.join(folder, n) for n in ("a.GLB", "b.gltf", "deep/er/c.vrm")])
        self.assertEqual(report["summary"]["files"], 3)
        self.assertEqual(report["summary"]["numErrors"], 1)
        self.assertEqual(report["summary"]["unreadable"], 0)

    def test_each_report_is_that_of_the_file_alone(self):
        folder = self.folder_of_models()
        for report in self.report(folder, "--threads", 3)["reports"]:
            self.assertEqual(report, self.report(report["uri"]))

    def test_threads_change_nothing(self):
        folder = os.path.join(SAMPLES)
        one = sinew("validate", folder, "--format", "json", "--threads", 1).data
        self.assertGreater(len(json.loads(one)["reports"]), 10)
        for threads in (2, 7):
            self.assertEqual(sinew("validate", folder, "--format", "json", "--threads", threads).data, one)

    def test_several_paths_keep_their_order_and_none_comes_twice(self):
        folder = self.folder_of_models()
        b = os.path.join(folder, "b.gltf")
        report = self.report(b, folder, b)
        self.assertEqual([os.path.basename(r["uri"]) for r in report["reports"]], ["b.gltf", "a.GLB", "c.vrm"])

    def test_loops_of_links_end(self):
        folder = self.folder_of_models()
        os.symlink("..", os.path.join(folder, "deep", "up"))
        os.symlink("deep", os.path.join(folder, "also"))
        os.symlink("nowhere.glb", os.path.join(folder, "gone.glb"))
        report = self.report(folder)
        self.assertEqual([os.path.relpath(r["uri"], folder) for r in report["reports"]], ["a.GLB", "b.gltf", "deep/er/c.vrm"])

    def test_links_out_of_the_folder_are_left_out(self):
        folder = self.folder_of_models()
        os.makedirs(self.path("elsewhere", "below"))
        for name in ("one.gltf", "below/two.gltf", "notes.txt"):
            shutil.copy(os.path.join(folder, "b.gltf"), self.path("elsewhere", name))
        os.symlink(self.path("elsewhere", "one.gltf"), os.path.join(folder, "file.gltf"))
        os.symlink("../elsewhere/below", os.path.join(folder, "below"))
        os.symlink("../elsewhere/notes.txt", os.path.join(folder, "text.txt"))
        os.symlink("b.gltf", os.path.join(folder, "same.gltf"))
        os.symlink(folder, self.path("link"))
        own = ["a.GLB", "b.gltf", "deep/er/c.vrm", "same.gltf"]
        for named in (folder, self.path("link")):
            ran = sinew("validate", named, "--format", "json")
            self.assertEqual([os.path.relpath(r["uri"], named) for r in json.loads(ran.data)["reports"]], own)
            self.assertIn(f"{named}: left out 2 links that lead out of the folder; to follow them, add --allow-outside", ran.err)
        ran = sinew("validate", folder, "--format", "json", "--allow-outside")
        self.assertEqual([os.path.relpath(r["uri"], folder) for r in json.loads(ran.data)["reports"]], sorted([*own, "below/two.gltf", "file.gltf"]))
        self.assertNotIn("left out", ran.err)
        for line in (["info"], ["convert", "-o", self.path("out"), "--to", "g4b"], ["repair", "--dry-run"]):
            self.assertIn("left out 2 links", sinew(*line, folder).err)
        self.assertIn("left out 2 links", sinew("compare", folder, folder).err)

    def test_a_data_set_of_links(self):
        """git-annex and DVC keep files elsewhere, under the hash of their content, and put links into the folder."""
        os.makedirs(self.path("store", "ab"))
        os.makedirs(self.path("set"))
        model = morphed_quad()
        document = dict(model.json, buffers=[{"uri": "data.bin", "byteLength": len(model.blob)}])
        self.write("store/ab/1234.gltf", document)
        self.write("store/ab/5678", bytes(model.blob))
        os.symlink("../store/ab/1234.gltf", self.path("set", "model.gltf"))
        os.symlink("../store/ab/5678", self.path("set", "data.bin"))
        self.fails(INPUT, "info", self.path("set"), says="--allow-outside")
        self.fails(INPUT, "info", self.path("set"), "-q", says="--allow-outside")
        ran = self.succeeds("info", self.path("set"), "--allow-outside", "--json")
        self.assertEqual(json.loads(ran.data)["files"][0]["defects"], [])
        self.succeeds("convert", self.path("set"), "-o", self.path("out"), "--to", "g4b", "--allow-outside")
        self.assertEqual([name for name in os.listdir(self.path("out")) if not name.startswith(".")], ["model.g4b"])

    def test_what_cannot_be_opened_beats_findings(self):
        folder = self.folder_of_models()
        ran = self.fails(INPUT, "validate", "--format", "json", folder, self.path("none.glb"), says="none.glb")
        report = json.loads(ran.data)
        self.assertEqual(len(report["reports"]), 3)
        self.assertEqual(report["summary"]["unreadable"], 1)

    def test_text_has_a_summary(self):
        folder = self.folder_of_models()
        ran = sinew("validate", folder)
        self.assertRegex(ran.out, r"(?m)^3 files: 1 error")
        self.assertEqual(sum("nothing found" in line for line in ran.out.splitlines()), 2)


class Samples(Validate):
    def test_have_no_errors_and_no_warnings(self):
        ran = sinew("validate", SAMPLES, "--format", "json")
        self.assertEqual(ran.status, DONE, str(ran))
        reports = json.loads(ran.data)["reports"]
        self.assertGreater(len(reports), 30)
        found = [(report["uri"], message["code"]) for report in reports for part in ("issues", "modelIssues")
                 for message in report[part]["messages"] if message["severity"] < 2]
        # The name of VRM 0.x's extension has no prefix, which the Khronos rules want.
        self.assertEqual([(uri, code) for uri, code in found if not (uri.endswith(".vrm") and code == "INVALID_EXTENSION_NAME_FORMAT")], [])


if __name__ == "__main__":
    main()
