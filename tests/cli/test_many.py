# SPDX-License-Identifier: MIT
"""Many files: shares, lines of JSON, unchanged results, combined results."""
import json
import os
import shutil

from program import DONE, INPUT, OUTPUT, ROOT, USAGE, ProgramTest, main, sinew

import flex_rigs as rigs

GLTF = os.path.join(ROOT, "samples", "gltf")
FINDINGS = 1


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class ManyTest(ProgramTest):
    """A folder of models: five valid ones, one with an error, one that is not a model."""

    def setUp(self):
        super().setUp()
        self.models = self.path("models")
        os.makedirs(os.path.join(self.models, "deep", "er"))
        for name, place in (("simple_skin", "b"), ("morph_cube", "a"), ("tube_8_influences", "deep/c"), ("simple_skin", "deep/er/d"),
                            ("morph_cube", "e")):
            shutil.copy(os.path.join(GLTF, name + ".gltf"), os.path.join(self.models, place + ".gltf"))
        with open(os.path.join(GLTF, "simple_skin.gltf"), encoding="utf-8") as file:
            self.skin = file.read()
        self.write("models/bad.gltf", self.skin.replace('"skeleton": 1', '"skeleton": 7'))
        self.write("models/none.glb", "nothing")

    def summary(self, *paths, status=DONE):
        ran = sinew("summarize", *paths, "--format", "json")
        self.assertEqual(ran.status, status, str(ran))
        return json.loads(ran.out)


class Lines(ManyTest):
    def test_one_line_for_each_file_in_sorted_order(self):
        ran = sinew("validate", self.models, "--jsonl", "--threads", "3")
        self.assertEqual(ran.status, FINDINGS)
        found = lines(ran.out)
        self.assertEqual([os.path.relpath(line["uri"], self.models) for line in found],
                         ["a.gltf", "b.gltf", "bad.gltf", "deep/c.gltf", "deep/er/d.gltf", "e.gltf", "none.glb"])
        self.assertEqual([(line["number"], line["files"], line["shard"]) for line in found], [(n, 7, "1/1") for n in range(1, 8)])
        self.assertEqual([line["status"] for line in found], [0, 0, 1, 0, 0, 0, 1])
        report = json.loads(sinew("validate", os.path.join(self.models, "bad.gltf"), "--format", "json").out)
        self.assertEqual(found[2]["result"], report)

    def test_threads_change_no_byte(self):
        first = sinew("validate", self.models, "--jsonl", "--threads", "1").data
        self.assertEqual(sinew("validate", self.models, "--jsonl", "--threads", "4").data, first)

    def test_shares_are_the_whole(self):
        whole = sorted(line["uri"] for line in lines(sinew("validate", self.models, "--jsonl").out))
        parts = [lines(sinew("validate", self.models, "--jsonl", "--shard", f"{k}/3").out) for k in (1, 2, 3)]
        self.assertEqual([len(part) for part in parts], [3, 2, 2])
        self.assertEqual(sorted(line["uri"] for part in parts for line in part), whole)
        self.assertEqual({line["shard"] for line in parts[1]}, {"2/3"})

    def test_shares_do_not_need_lines(self):
        ran = sinew("validate", self.models, "--shard", "2/3")
        self.assertIn("b.gltf", ran.out)
        self.assertNotIn("a.gltf", ran.out)

    def test_shares_that_are_none(self):
        for text in ("0/3", "4/3", "1", "1/0", "-1/3", "1/3/5", "a/b", "", "1/99999999999999999999"):
            with self.subTest(text=text):
                self.fails(USAGE, "validate", self.models, f"--shard={text}")

    def test_info(self):
        found = lines(sinew("info", self.models, "--jsonl").out)
        self.assertEqual([line["did"] for line in found], ["shown"] * 6 + ["failed"])
        self.assertEqual(found[6]["status"], INPUT)
        self.assertIn("none.glb", found[6]["error"]["line"])
        one = json.loads(self.succeeds("info", os.path.join(self.models, "a.gltf"), "--json").out)
        self.assertEqual(found[0]["result"], one)

    def test_a_missing_file_has_its_line(self):
        ran = sinew("validate", self.models, self.path("absent.glb"), "--jsonl")
        self.assertEqual(ran.status, INPUT)
        self.assertEqual(len(ran.error_lines()), 1)
        line = lines(ran.out)[0]
        self.assertEqual((line["did"], line["status"], line["error"]["code"]), ("failed", INPUT, "IO_ERROR"))

    def test_into_a_file_that_appears_whole(self):
        out = self.path("lines.jsonl")
        ran = sinew("validate", self.models, "--jsonl", "-o", out)
        self.assertEqual((ran.status, ran.out), (FINDINGS, ""))
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), sinew("validate", self.models, "--jsonl").out)
        self.fails(OUTPUT, "validate", os.path.join(self.models, "a.gltf"), "--jsonl", "-o", self.path("absent", "x"))

    def test_reports_go_into_a_file_too(self):
        for form in ("text", "json", "sarif"):
            shown = sinew("validate", self.models, "--format", form)
            written = sinew("validate", self.models, "--format", form, "-o", self.path("report"))
            self.assertEqual((written.status, written.out), (shown.status, ""))
            with open(self.path("report"), encoding="utf-8") as file:
                self.assertEqual(file.read(), shown.out)

    def test_what_excludes_each_other(self):
        one = os.path.join(self.models, "a.gltf")
        for arguments in (["validate", one, "--jsonl", "--format", "json"], ["validate", one, "--if-changed"],
                          ["validate", one, "--jsonl", "--if-changed"], ["info", one, "--jsonl", "--json"],
                          ["info", one, "--shard", "1/2"], ["convert", one, "--jsonl", self.path("x.glb")],
                          ["convert", one, "-o", self.path("out")], ["convert", one], ["convert", one, one, one],
                          ["convert", one, self.path("x.glb"), "--to", "glb"], ["convert", one, "-o", self.path("out"), "--to", "obj"],
                          ["convert", one, "-o", self.path("out"), "--to", "glb", "--loss", self.path("x")]):
            with self.subTest(arguments=arguments):
                self.fails(USAGE, *arguments)


class Changed(ManyTest):
    def run_again(self, *more):
        sinew("validate", self.models, "--jsonl", "--if-changed", "-o", self.path("r.jsonl"), *more)
        with open(self.path("r.jsonl"), encoding="utf-8") as file:
            found = lines(file.read())
        return [os.path.relpath(line["uri"], self.models) for line in found if line["did"] != "unchanged"], found

    def test_results_of_unchanged_files_are_taken_over(self):
        did, first = self.run_again()
        self.assertEqual(len(did), 7)
        did, second = self.run_again()
        self.assertEqual(did, [])
        self.assertEqual([line["result"] for line in first], [line["result"] for line in second])
        self.assertEqual([line["status"] for line in first], [line["status"] for line in second])
        self.write("models/new.gltf", self.skin)
        self.write("models/b.gltf", self.skin.replace("Swing", "Swang"))
        self.assertEqual(self.run_again()[0], ["b.gltf", "new.gltf"])
        self.assertEqual(len(self.run_again("--profile", "staik")[0]), 8)
        self.assertEqual(self.run_again("--profile", "staik", "--threads", "1")[0], [])

    def test_a_buffer_beside_the_file_is_part_of_it(self):
        self.succeeds("convert", os.path.join(GLTF, "simple_skin.gltf"), self.path("models", "x.glb"))
        self.succeeds("convert", self.path("models", "x.glb"), self.path("models", "y.gltf"))
        self.run_again()
        [buffer] = [name for name in os.listdir(self.models) if name.endswith(".bin")]
        with open(os.path.join(self.models, buffer), "r+b") as file:
            file.write(b"\1")
        self.assertEqual(self.run_again()[0], ["y.gltf"])
        os.remove(os.path.join(self.models, buffer))
        self.assertEqual(self.run_again()[0], ["y.gltf"])

    def test_a_file_of_lines_that_is_none(self):
        self.write("r.jsonl", "nothing\n{}\n[1]\n")
        self.assertEqual(len(self.run_again()[0]), 7)


class Writing(ManyTest):
    def convert(self, *more):
        ran = sinew("convert", self.models, "-o", self.path("out"), "--to", "glb", "--jsonl", *more)
        return ran, {os.path.relpath(line["uri"], self.models): line for line in lines(ran.out)}

    def setUp(self):
        super().setUp()
        os.remove(os.path.join(self.models, "none.glb"))

    def test_a_folder_of_files_with_another_extension(self):
        ran, found = self.convert()
        self.assertEqual(ran.status, DONE, str(ran))
        self.assertEqual({line["did"] for line in found.values()}, {"written"})
        for name, line in found.items():
            expected = self.path("one.glb")
            self.succeeds("convert", os.path.join(self.models, name), expected)
            with open(self.path("out", os.path.splitext(name)[0] + ".glb"), "rb") as made, open(expected, "rb") as one:
                self.assertTrue(made.read() == one.read(), name)
            self.assertEqual(line["result"]["bytes"], os.path.getsize(expected))
        self.assertTrue(os.path.exists(self.path("out", "deep", "er", "d.glb")))

    def test_losses_are_in_the_lines(self):
        ran = sinew("convert", os.path.join(GLTF, "tube_8_influences.gltf"), "-o", self.path("out"), "--to", "g4b", "--jsonl")
        [line] = lines(ran.out)
        self.assertIn("SINEW_EDIT_LOST", [change["code"] for change in line["result"]["changes"]])
        self.assertEqual(self.summary(self.write("x.jsonl", ran.out))["commands"][0]["numWarnings"], 1)

    def test_what_is_up_to_date_is_left_alone(self):
        self.convert("--if-changed")
        before = {name: os.stat(self.path("out", name)).st_mtime_ns for name in ("a.glb", "b.glb", "e.glb")}
        self.write("models/b.gltf", self.skin.replace("Swing", "Swang"))
        os.remove(self.path("out", "e.glb"))
        with open(self.path("out", "deep", "c.glb"), "ab") as file:
            file.write(b"x")
        _, found = self.convert("--if-changed")
        self.assertEqual(sorted(name for name, line in found.items() if line["did"] == "written"), ["b.gltf", "deep/c.gltf", "e.gltf"])
        self.assertEqual(os.stat(self.path("out", "a.glb")).st_mtime_ns, before["a.glb"])
        self.assertNotEqual(os.stat(self.path("out", "b.glb")).st_mtime_ns, before["b.glb"])
        _, found = self.convert("--if-changed", "--skeletons", "plain")
        self.assertEqual({line["did"] for line in found.values()}, {"written"})

    def test_what_is_up_to_date_tells_its_losses_again(self):
        arguments = ["convert", os.path.join(GLTF, "tube_8_influences.gltf"), "-o", self.path("out"), "--to", "g4b", "--jsonl", "--if-changed"]
        [first], [second] = lines(sinew(*arguments).out), lines(sinew(*arguments).out)
        self.assertEqual((first["did"], second["did"]), ("written", "unchanged"))
        self.assertEqual(first["result"], second["result"])

    def test_one_output_of_two_inputs_is_refused_before_anything_is_written(self):
        self.succeeds("convert", self.path("models", "a.gltf"), self.path("models", "a.glb"))
        self.fails(USAGE, "convert", self.models, "-o", self.path("out"), "--to", "g4b", says=("a.gltf", "a.glb"))
        self.fails(USAGE, "convert", self.models, "-o", self.path("out"), "--to", "g4b", "--shard", "4/9")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_outputs_never_become_inputs(self):
        for folder in (self.models, os.path.join(self.models, "out"), os.path.join(self.models, ".", "deep", "..", "out/")):
            self.fails(USAGE, "convert", self.models, "-o", folder, "--to", "glb")
        names = [os.path.join(self.models, name) for name in ("a.gltf", "b.gltf", "deep/c.gltf")]
        for inputs in (names[:2], names):  # the third one has a free place
            self.fails(USAGE, "repair", *inputs, "-o", self.models, says=("a.gltf", "replace its own input"))
            self.assertFalse(os.path.exists(self.path("models", "c.gltf")))

    def test_one_broken_file_stops_no_other(self):
        self.write("models/none.glb", "nothing")
        ran, found = self.convert()
        self.assertEqual(ran.status, INPUT)
        self.assertEqual(sorted(line["did"] for line in found.values()), ["failed"] + ["written"] * 6)
        self.assertFalse(os.path.exists(self.path("out", "none.glb")))

    def test_repair_many(self):
        ran = sinew("repair", self.models, "-o", self.path("mended"), "--jsonl")
        self.assertTrue(os.path.exists(self.path("mended", "deep", "c.gltf")), str(ran))
        self.assertEqual(len(lines(ran.out)), 6)
        ran = sinew("repair", self.path("models", "a.gltf"), "-o", self.path("one/"))
        self.assertTrue(os.path.exists(self.path("one", "a.gltf")), str(ran))

    def test_talk_names_the_files(self):
        ran = sinew("convert", self.models, "-o", self.path("out"), "--to", "g4b")
        self.assertIn("deep/c.gltf: /meshes/0: G4MF cannot store tangents", ran.err)
        self.assertIn("6 files: ", ran.err)


class Summarize(ManyTest):
    def shards(self, count, *more):
        return [self.write(f"part{k}.jsonl", sinew("validate", self.models, "--jsonl", "--shard", f"{k}/{count}", *more).out)
                for k in range(1, count + 1)]

    def test_does_not_depend_on_the_division(self):
        whole = self.write("whole.jsonl", sinew("validate", self.models, "--jsonl").out)
        expected = self.summary(whole, status=FINDINGS)
        self.assertEqual(self.summary(*self.shards(3), status=FINDINGS), expected)
        self.assertEqual(self.summary(*reversed(self.shards(20)), status=FINDINGS), expected)
        self.assertTrue(expected["complete"])
        self.assertFalse(expected["clean"])
        [command] = expected["commands"]
        self.assertEqual((command["files"], command["results"], command["missing"]), (7, 7, 0))
        self.assertEqual([os.path.basename(bad["uri"]) for bad in command["bad"]], ["bad.gltf", "none.glb"])
        totals = json.loads(sinew("validate", self.models, "--format", "json").out)["summary"]
        for name in ("numErrors", "numWarnings", "numInfos", "numHints"):
            self.assertEqual(command[name], totals[name])
        self.assertIn({"code": "UNRESOLVED_REFERENCE", "severity": 0, "findings": 1, "files": 1}, command["codes"])

    def test_missing_shards_are_named(self):
        first, _, third = self.shards(3)
        [command] = self.summary(first, third, status=FINDINGS)["commands"]
        self.assertEqual(command["missing"], 2)
        self.assertEqual(command["missingShards"], [{"shard": "2/3", "missing": 2, "files": 2}])
        self.assertIn("shard 2/3: 2 of 2 files", sinew("summarize", first, third).out)

    def test_duplicates_are_named_but_counted_once(self):
        first, second, third = self.shards(3)
        [command] = self.summary(first, second, third, second, status=FINDINGS)["commands"]
        self.assertEqual([(os.path.basename(twice["uri"]), twice["times"]) for twice in command["duplicates"]],
                         [("b.gltf", 2), ("d.gltf", 2)])
        self.assertEqual(command["numErrors"], self.summary(first, second, third, status=FINDINGS)["commands"][0]["numErrors"])

    def test_a_second_try_counts(self):
        failed = json.loads(sinew("validate", self.models, "--jsonl").out.splitlines()[0])
        good = dict(failed)
        failed.update(did="failed", status=3, error={"line": "x", "code": "IO_ERROR", "message": "x"}, files=1)
        good.update(files=1)
        del failed["result"]
        for order in ((failed, good), (good, failed)):
            self.summary(self.write("tries.jsonl", "\n".join(map(json.dumps, order))))

    def test_lines_that_are_none(self):
        first, second, third = self.shards(3)
        with open(second, encoding="utf-8") as file:
            text = file.read()
        cut = self.write("cut.jsonl", text[:-20] + "\n[]\n{}\n\n")
        summary = self.summary(first, cut, third, status=FINDINGS)
        self.assertEqual([broken["line"] for broken in summary["broken"]], [2, 3, 4])
        self.assertFalse(summary["complete"])
        self.assertIn("cut.jsonl:2: ", sinew("summarize", cut).out)

    def test_files_without_a_line_are_not_all(self):
        """The remains of tasks that died before their first line."""
        none = [self.write(name, "") for name in ("one.jsonl", "two.jsonl")]
        self.assertFalse(self.summary(*none, status=FINDINGS)["complete"])
        self.assertIn("no results: 2 files without lines", sinew("summarize", *none).out)
        found = self.write("three.jsonl", sinew("validate", os.path.join(self.models, "a.gltf"), "--jsonl").out)
        self.assertTrue(self.summary(*none, found)["complete"])  # shares of shorter lists are empty

    def test_results_of_other_lists(self):
        whole = self.write("whole.jsonl", sinew("validate", self.models, "--jsonl").out)
        os.remove(os.path.join(self.models, "none.glb"))
        other = self.write("other.jsonl", sinew("validate", self.models, "--jsonl").out)
        self.assertEqual(self.summary(whole, other, status=FINDINGS)["commands"][0]["lists"], [6, 7])
        os.remove(os.path.join(self.models, "a.gltf"))
        self.write("models/z.gltf", self.skin)
        moved = self.write("moved.jsonl", sinew("validate", self.models, "--jsonl").out)
        self.assertTrue(self.summary(other, moved, status=FINDINGS)["broken"])

    def test_commands_are_apart(self):
        both = self.write("both.jsonl", sinew("validate", self.models, "--jsonl").out + sinew("info", self.models, "--jsonl").out)
        self.assertEqual([command["command"] for command in self.summary(both, status=FINDINGS)["commands"]], ["info", "validate"])

    def test_findings_of_flex(self):
        os.makedirs(self.path("rigs"))
        rigs.spiked(True).save(self.path("rigs/spiked.glb"))
        rigs.spiked(False).save(self.path("rigs/clean.glb"))
        found = self.write("flex.jsonl", sinew("flex", self.path("rigs"), "--jsonl").out)
        [command] = self.summary(found, status=FINDINGS)["commands"]
        reports = json.loads(sinew("flex", self.path("rigs"), "--json").out)
        for name, severity in (("numErrors", "error"), ("numWarnings", "warning"), ("numInfos", "info")):
            self.assertEqual(command[name], sum(report["summary"][severity] for report in reports), name)
        self.assertGreater(command["numErrors"], 0)
        every = [finding for report in reports for finding in report["findings"]]
        for code in command["codes"]:  # a kind has findings of several severities
            severity = ("error", "warning", "info")[code["severity"]]
            self.assertEqual(code["findings"], sum((f["code"], f["severity"]) == (code["code"], severity) for f in every), code)
        self.assertEqual(sum(code["findings"] for code in command["codes"]), len(every))
        self.assertEqual([os.path.basename(bad["uri"]) for bad in command["bad"]], ["spiked.glb"])
        text = sinew("summarize", found).out
        self.assertRegex(text, r"^flex  2 files \(2 checked\): \d+ errors?")
        self.assertRegex(text, r"Files with errors\n.*spiked.glb: \d+ errors?")
        warned = self.write("warned.jsonl", sinew("flex", os.path.join(GLTF, "tube_8_influences.gltf"), "--jsonl", "--fail-on", "any").out)
        self.assertRegex(sinew("summarize", warned).out, r"Files with findings\n.*tube_8_influences.gltf: \d+ infos?\n")

    def test_standard_input_and_files_that_are_not_there(self):
        ran = sinew("summarize", "-", stdin=sinew("validate", os.path.join(self.models, "a.gltf"), "--jsonl").data)
        self.assertEqual(ran.status, DONE)
        self.assertIn("1 file (1 checked): nothing found", ran.out)
        self.fails(INPUT, "summarize", self.path("absent.jsonl"), says="absent.jsonl")


if __name__ == "__main__":
    main()
