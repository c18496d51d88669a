# SPDX-License-Identifier: MIT
"""Conditions that fail a run on request: losses, changes in a dry run, folders without models; and the meaning of --output."""
import json
import os
import struct

from program import DONE, INPUT, OUTPUT, ROOT, USAGE, ProgramTest, main, sinew
from gltf_builder import morphed_quad, tutorial_skin

FINDINGS = 1
GOLDEN = os.path.join(ROOT, "tests", "golden")
BAD = os.path.join(GOLDEN, "gltf", "mesh_data", "weights_sum.bad.gltf")
GOOD = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class EmptyFolders(ProgramTest):
    def test_a_folder_without_models_is_an_error(self):
        os.makedirs(self.path("empty"))
        for command in (["validate"], ["info"], ["convert", "-o", self.path("out"), "--to", "glb"], ["repair", "-o", self.path("out")]):
            with self.subTest(command=command[0]):
                self.fails(INPUT, *command, self.path("empty"), says=(self.path("empty"), ".gltf, .glb, .vrm, .vrma, .g4tf, .g4b"))

    def test_reports_count_it(self):
        os.makedirs(self.path("empty"))
        ran = self.fails(INPUT, "validate", "--format", "json", self.path("empty"), GOOD)
        report = json.loads(ran.out)
        self.assertEqual((len(report["reports"]), report["summary"]["unreadable"]), (1, 1))


class DryRuns(ProgramTest):
    def test_changes_are_a_status(self):
        ran = sinew("repair", BAD, "--dry-run")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertIn("1 change, nothing written", ran.err)
        self.succeeds("repair", GOOD, "--dry-run")
        self.assertEqual(os.listdir(self.folder), [])

    def test_lines_of_json(self):
        ran = sinew("repair", BAD, "--dry-run", "--jsonl")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        [line] = lines(ran.out)
        self.assertEqual((line["did"], line["status"], len(line["result"]["changes"])), ("checked", FINDINGS, 1))
        ran = sinew("repair", BAD, GOOD, "--dry-run", "--jsonl")
        self.assertEqual(sorted(line["status"] for line in lines(ran.out)), [DONE, FINDINGS])
        self.fails(USAGE, "repair", BAD, "--dry-run", "--jsonl", "--if-changed")


class Outputs(ProgramTest):
    def test_the_output_of_one_file_is_a_file(self):
        for command in (["repair"], ["convert"], ["convert", "--to", "glb"]):
            with self.subTest(command=command):
                target = self.path("x.glb")
                ran = self.succeeds(*command, GOOD, "-o", target, "--jsonl")
                self.assertTrue(os.path.isfile(target), str(ran))
                self.assertEqual(lines(ran.out)[0]["result"]["output"], target)
                os.remove(target)
        again = ["repair", GOOD, "-o", self.path("x.glb"), "--jsonl", "--if-changed"]
        self.assertEqual([lines(self.succeeds(*again).out)[0]["did"] for _ in range(2)], ["written", "unchanged"])

    def test_convert_takes_output_for_one_file(self):
        self.succeeds("convert", GOOD, "-o", self.path("x.glb"))
        self.assertTrue(os.path.isfile(self.path("x.glb")))
        self.fails(USAGE, "convert", GOOD, "-o", self.path("y.glb"), "--to", "g4b", says="--to")

    def test_folders_stay_folders(self):
        self.succeeds("repair", GOOD, "-o", self.path("out"), "--jsonl")
        self.assertTrue(os.path.isfile(self.path("out", "simple_skin.gltf")))
        os.makedirs(self.path("old.glb"))
        self.succeeds("repair", GOOD, "-o", self.path("old.glb"), "--jsonl")
        self.assertTrue(os.path.isfile(self.path("old.glb", "simple_skin.gltf")))

    def test_several_files_need_a_folder(self):
        self.fails(USAGE, "repair", GOOD, BAD, "-o", self.path("x.glb"), says="expected a folder")
        self.assertEqual(os.listdir(self.folder), [])


class Losses(ProgramTest):
    def test_influences_cut_by_repair_are_a_loss(self):
        skin, target = tutorial_skin().save(self.path("skin.glb")), self.path("cut.glb")
        self.refused(target, "repair", skin, "-o", target, "--max-influences", "1", "--fail-on", "loss")
        self.succeeds("repair", skin, "-o", target, "--max-influences", "1")

    def test_a_list_that_cannot_be_written_leaves_no_file(self):
        target = self.path("out.glb")
        self.fails(OUTPUT, "convert", GOOD, target, "--loss", self.path("nowhere", "losses.json"), says="folder")
        self.assertFalse(os.path.exists(target))

    def refused(self, target, *arguments):
        ran = self.fails(FINDINGS, *arguments, says="1 loss; nothing written because of --fail-on loss")
        self.assertIn("warning: ", ran.err)
        self.assertFalse(os.path.exists(target), str(ran))

    def test_convert(self):
        quad, target = morphed_quad().save(self.path("quad.glb")), self.path("quad.g4b")
        self.refused(target, "convert", quad, target, "--fail-on", "loss")
        self.succeeds("convert", quad, target)
        self.succeeds("convert", GOOD, self.path("skin.g4b"), "--fail-on", "loss")
        self.fails(USAGE, "convert", quad, target, "--fail-on", "losses", says="did you mean loss?")

    def test_an_old_file_stays(self):
        quad, target = morphed_quad().save(self.path("quad.glb")), self.write("quad.g4b", "old")
        self.fails(FINDINGS, "convert", quad, target, "--fail-on", "loss")
        with open(target, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_the_list_of_losses_is_still_written(self):
        quad = morphed_quad().save(self.path("quad.glb"))
        self.fails(FINDINGS, "convert", quad, self.path("quad.g4b"), "--fail-on", "loss", "--loss", self.path("loss.json"))
        with open(self.path("loss.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 1)

    def test_many_files(self):
        os.makedirs(self.path("in"))
        morphed_quad().save(self.path("in", "quad.glb"))
        tutorial_skin().save(self.path("in", "skin.glb"))
        ran = sinew("convert", self.path("in"), "-o", self.path("out"), "--to", "g4b", "--fail-on", "loss", "--jsonl")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertEqual([(line["did"], line["status"]) for line in lines(ran.out)], [("refused", FINDINGS), ("written", DONE)])
        self.assertEqual(os.listdir(self.path("out")), ["skin.g4b"])

    def test_commands_that_change_files(self):
        builder = tutorial_skin()
        builder.json["images"] = [{"uri": "skin.png"}]
        source = builder.save(self.path("skin.gltf"))
        os.makedirs(self.path("out"))
        target = self.path("out", "new.glb")
        for command in (["repair", source], ["rebind", source, "--to", "rest"], ["merge", source, GOOD, "--keep-separate", "Upper"], ["convert", source]):
            with self.subTest(command=command[0]):
                ran = sinew(*command, "-o", target, "--fail-on", "loss")
                self.assertEqual(ran.status, FINDINGS, str(ran))
                self.assertEqual(os.listdir(self.path("out")), [], str(ran))
                self.succeeds(*command, "-o", target)
                os.remove(target)


class Errors(ProgramTest):
    """--max-error and --json agree with a later `compare`."""

    def measured(self, before, after):
        ran = sinew("compare", before, after, "--json")
        return json.loads(ran.out)["relativeMax"]

    def gate(self, *command, source=GOOD, target):
        """The command writes nothing if the limit is below the error that compare finds, and writes the file if it is above."""
        ran = self.succeeds(*command, "--json")
        row = json.loads(ran.out)
        error = self.measured(source, target)
        self.assertGreater(error, 0)
        self.assertAlmostEqual(row["error"], error, delta=1e-12)
        self.assertEqual((row["output"], row["bytes"]), (target, os.path.getsize(target)))
        for name in os.listdir(self.folder):
            if name.startswith("out"):
                os.remove(self.path(name))
        ran = sinew(*command, "--max-error", repr(error * 0.999), "--json")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertIn("largest movement of a vertex: ", ran.err)
        self.assertIn("nothing written because of --max-error", ran.err)
        row = json.loads(ran.out)
        self.assertEqual(row["refused"], "error")
        self.assertAlmostEqual(row["error"], error, delta=1e-12)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("out")], [])
        self.succeeds(*command, "--max-error", repr(error * 1.001))
        self.assertTrue(os.path.isfile(target))

    def test_repair(self):
        target = self.path("out.glb")
        self.gate("repair", GOOD, "-o", target, "--max-influences", "1", target=target)

    def test_convert_of_both_formats(self):
        for name in ("out.glb", "out.gltf", "out.g4b", "out.g4tf"):
            with self.subTest(name):
                target = self.path(name)
                self.gate("convert", GOOD, target, "--max-influences", "1", target=target)
                for file in os.listdir(self.folder):
                    os.remove(self.path(file))

    def test_convert_from_g4mf(self):
        source, target = self.path("in.g4b"), self.path("out.glb")
        self.succeeds("convert", GOOD, source)
        self.gate("convert", source, target, "--max-influences", "1", source=source, target=target)

    def test_rebind(self):
        figure, target = os.path.join(ROOT, "samples", "show", "figure.gltf"), self.path("out.glb")
        self.gate("rebind", figure, "-o", target, "--to", "clip:Walk@0.3", "--tolerance", "1", source=figure, target=target)

    def test_dry_run(self):
        ran = sinew("repair", GOOD, "--dry-run", "--max-influences", "1", "--max-error", "0.1", "--json")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        row = json.loads(ran.out)
        self.assertEqual((row["refused"], "output" in row), ("error", False))
        ran = self.succeeds("repair", GOOD, "--dry-run", "--json")
        self.assertEqual(json.loads(ran.out), {"changes": [], "notCovered": [], "error": 0.0, "largest": "no vertex moved",
                                               "everyPose": {"proved": True, "bound": 0.0}})

    def test_merge_measures_the_body(self):
        body, shirt = (os.path.join(ROOT, "samples", "merge", name) for name in ("body.gltf", "shirt.gltf"))
        target = self.path("out.glb")
        command = ("merge", body, shirt, "-o", target, "--rename", "upperarm=LeftArm")
        row = json.loads(self.succeeds(*command, "--max-error", "0", "--json").out)
        self.assertEqual((row["error"], row["output"]), (0, target))
        os.remove(target)
        self.fails(USAGE, *command, "--join", "--max-error", "0", says="joined meshes cannot be measured")
        self.assertFalse(os.path.exists(target))

    def test_what_means_something_else_by_rule_counts(self):
        """G4MF divides weights by their sum: vertices with another sum move, though compare lists them apart."""
        builder, target = tutorial_skin(rotation=(0, 0, 0.6, 0.8)), self.path("out.g4b")
        view = builder.json["bufferViews"][builder.json["accessors"][2]["bufferView"]]
        first = view["byteOffset"]
        for at in range(first, first + view["byteLength"], 4):
            builder.blob[at:at + 4] = struct.pack("<f", struct.unpack_from("<f", builder.blob, at)[0] * 0.75)
        source = builder.save(self.path("light.glb"))
        ran = self.fails(FINDINGS, "convert", source, target, "--max-error", "1e-6", says=("do not sum to 1", "because of --max-error"))
        self.assertFalse(os.path.exists(target), str(ran))

    def test_many_files(self):
        os.makedirs(self.path("in"))
        tutorial_skin().save(self.path("in", "skin.glb"))
        morphed_quad().save(self.path("in", "quad.glb"))
        many = ("repair", self.path("in"), "-o", self.path("out"), "--max-influences", "1")
        ran = sinew(*many, "--max-error", "1e-3", "--jsonl")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertEqual([line["did"] for line in lines(ran.out)], ["written", "refused"])
        self.assertEqual(os.listdir(self.path("out")), ["quad.glb"])
        self.fails(USAGE, *many, "--json", says="use --jsonl for several")

    def two_scenes(self):
        builder = tutorial_skin()
        builder.add("meshes", {"primitives": [{"attributes": {"POSITION": 0}}]})
        builder.add("nodes", {"name": "Still", "mesh": 1})
        builder.json["scenes"].append({"nodes": [3]})
        builder.json["scene"] = 1
        return builder.save(self.path("two.gltf"))

    def test_every_scene_counts(self):
        source, target = self.two_scenes(), self.path("out.gltf")
        ran = self.fails(FINDINGS, "repair", source, "-o", target, "--max-influences", "1", "--max-error", "0.01", "--json")
        self.assertGreater(json.loads(ran.out)["error"], 0.01)
        self.assertFalse(os.path.exists(target))
        self.fails(FINDINGS, "convert", source, self.path("out.g4b"), "--max-error", "0.5", says="does not have scene 0")
        self.assertFalse(os.path.exists(self.path("out.g4b")))

    def test_one_object_on_standard_output(self):
        self.fails(USAGE, "convert", GOOD, self.path("out.g4b"), "--json", "--loss", "-", says="standard output")
        row = json.loads(self.succeeds("repair", GOOD, "-o", self.path("out.glb"), "--max-error", "0", "--jsonl").out)
        self.assertEqual(row["result"]["error"], 0)

    def test_numbers(self):
        for number in ("-1", "nan", "inf", "x"):
            self.fails(USAGE, "repair", GOOD, "--dry-run", "--max-error", number, says="--max-error")


if __name__ == "__main__":
    main()
