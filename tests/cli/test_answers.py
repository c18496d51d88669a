# SPDX-License-Identifier: MIT
"""What commands say agrees with what they did: names of outputs, sizes, counts, numbers in one sentence, and silence where nobody listens."""
import json
import os
import re
import subprocess

import numpy as np

from program import DONE, FINDINGS, OUTPUT, ROOT, SETTINGS, USAGE, ProgramTest, main, sinew

from gltf_builder import Builder, tutorial_skin

SAMPLES = os.path.join(ROOT, "samples")


def cube(scale=(1, 1, 1), parent=None):
    """A cube of 24 vertices; each corner is stored three times."""
    b = Builder()
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], "<f4")
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    positions = np.concatenate([corners[list(side)] for side in sides])
    indices = np.concatenate([np.array([0, 1, 2, 0, 2, 3], "<u2") + 4 * side for side in range(6)])
    b.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": b.accessor(positions, bounds=True)}, "indices": b.accessor(indices)}]}]
    b.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Cube", "mesh": 0}]
    b.json["nodes"][0 if parent else 1]["scale"] = list(scale)
    b.json["scenes"] = [{"nodes": [0]}]
    b.json["scene"] = 0
    return b


class NamesOfOutputs(ProgramTest):
    def test_an_extension_that_the_command_does_not_write(self):
        model = tutorial_skin().save(self.path("in.glb"))
        other = tutorial_skin().save(self.path("other.glb"))
        commands = {
            "optimize": [model, "--max-error", "1e-3"],
            "repair": [model],
            "rebind": [model, "--to", "rest"],
            "merge": [model, other],
            "convert": [model, "--to", "glb"],
            "extract": [model],
            "bake": [model],
            "deform": [model],
            "slice": [model, "--at", "y=0.5"],
            "render": [model],
        }
        written = {"extract": [".npz"], "render": [".png", ".webp"], "deform": [".npy", ".pc2", ".mdd"], "slice": [".npy"], "bake": []}
        for command, arguments in commands.items():
            for extension in (".fbx", ".png", ".csv", ".npz", ".Txt", ".npy"):
                if extension in written.get(command, []):
                    continue
                for more in ([], ["--jsonl"] if command in ("optimize", "repair", "convert", "extract", "bake") else []):
                    with self.subTest(command=command, extension=extension, more=more):
                        before = sorted(os.listdir(self.folder))
                        self.fails(USAGE, command, *arguments, *more, "-o", self.path("new" + extension), says="new" + extension)
                        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_folders_with_such_names(self):
        """An existing folder, a slash at the end, and several files."""
        model = tutorial_skin().save(self.path("in.glb"))
        other = tutorial_skin().save(self.path("other.glb"))
        os.mkdir(self.path("there.png"))
        self.succeeds("bake", model, "-o", self.path("there.png"))
        self.succeeds("bake", model, "-o", self.path("new.png") + "/")
        self.succeeds("extract", model, "-o", self.path("out.2"))
        self.succeeds("optimize", model, other, "--max-error", "1e-3", "-o", self.path("several.fbx"))
        for made in ("there.png/in_vat.png", "new.png/in_vat.png", "out.2/in.npz", "several.fbx/other.glb"):
            self.assertTrue(os.path.exists(self.path(made)), made)

    def test_one_file_with_lines(self):
        """--jsonl and --if-changed do not turn the name of a file into that of a folder."""
        model = tutorial_skin().save(self.path("in.glb"))
        for command, name, arguments in (("extract", "a.npz", []), ("optimize", "b.glb", ["--max-error", "0"])):
            self.succeeds(command, model, *arguments, "--jsonl", "-o", self.path(name))
            self.assertTrue(os.path.isfile(self.path(name)))

    def test_the_lines_of_a_dry_run(self):
        model = tutorial_skin().save(self.path("in.glb"))
        ran = sinew("repair", model, "--dry-run", "--jsonl", "-o", self.path("lines.jsonl"))
        self.assertEqual((ran.status, ran.out), (DONE, ""), str(ran))
        with open(self.path("lines.jsonl"), encoding="utf-8") as file:
            self.assertEqual(json.loads(file.read())["uri"], model)
        self.assertEqual(sinew("repair", model, "--dry-run", "--jsonl").data, open(self.path("lines.jsonl"), "rb").read())


class Silence(ProgramTest):
    def closed_pipe(self, *arguments):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([SETTINGS.sinew, *arguments], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
        os.close(write)
        return done

    def test_a_closed_pipe_ends_without_a_message(self):
        model = tutorial_skin().save(self.path("in.glb"))
        for arguments in (["info", model], ["info", model, "--json"], ["validate", model], ["validate", model, "--jsonl"], ["explain", "--all"],
                          ["deform", model, "-o", "-", "-q"], ["extract", model, "-o", "-", "-q"], ["bounds", model], ["compare", model, model],
                          ["doctor"], ["--help"], ["deform", "--help"], ["--version"], ["manual", "deform"], ["completions", "bash"]):
            with self.subTest(arguments=arguments):
                done = self.closed_pipe(*arguments)
                self.assertEqual((done.returncode, done.stderr), (OUTPUT, b""))

    def test_a_full_output_still_has_a_message(self):
        model = tutorial_skin().save(self.path("in.glb"))
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([SETTINGS.sinew, "info", model], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn(b"standard output", done.stderr)

    def test_validate_q_prints_errors_only(self):
        b = tutorial_skin()
        b.json["materials"] = [{"name": "Unused"}]  # an information
        quiet = b.save(self.path("hints.glb"))
        self.assertIn("UNUSED_OBJECT", sinew("validate", quiet).out)
        self.assertEqual(self.succeeds("validate", quiet, "-q").out, "")
        ran = sinew("validate", quiet, "-q", "--fail-on", "info")
        self.assertEqual((ran.status, ran.out), (FINDINGS, ""), "other findings still count")
        b.json["skins"][0]["skeleton"] = 77
        wrong = b.save(self.path("wrong.glb"))
        ran = sinew("validate", quiet, wrong, "-q")
        self.assertEqual(ran.status, FINDINGS)
        self.assertIn("UNRESOLVED_REFERENCE", ran.out)
        self.assertNotIn("UNUSED_OBJECT", ran.out)
        self.assertNotIn("hints.glb", ran.out)
        whole = json.loads(sinew("validate", wrong, "-q", "--format", "json").out)
        self.assertIn("UNUSED_OBJECT", json.dumps(whole), "reports for programs are whole")


class Numbers(ProgramTest):
    def scaled(self):
        """A clip that scales a joint by 9, and vertices with two influences."""
        b = tutorial_skin()
        keys = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        scales = b.accessor(np.array([[1, 1, 1], [9, 9, 9]], "<f4"))
        b.json["animations"] = [
            {"samplers": [{"input": keys, "output": scales}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "scale"}}]}
        ]
        return b.save(self.path("scaled.gltf"))

    def numbers(self, text):
        """The pairs of a measured distance and a bound in a text."""
        found = []
        for line in text.splitlines():
            measured = re.search(r"largest (?:movement of a vertex: |distance )([0-9.e+-]+)", line)
            bound = re.search(r"at most ([0-9.e+-]+)", line)
            if measured and bound:
                found.append((float(measured[1]), float(bound[1])))
        return found

    def test_a_bound_is_never_below_a_measured_distance(self):
        source = self.scaled()
        ran = self.succeeds("repair", source, "-o", self.path("out.gltf"), "--max-influences", 1)
        self.assertIn("largest movement of a vertex", ran.err)
        self.assertNotIn("at most", ran.err)
        ran = self.succeeds("convert", source, self.path("out.g4b"), "--max-influences", 1, "--max-error", 100)
        for measured, bound in self.numbers(ran.err):
            self.assertLessEqual(measured, bound)
        ran = sinew("compare", source, self.path("out.gltf"))
        measured = float(re.search(r"largest distance ([0-9.e+-]+)", ran.out)[1])
        for bound in re.findall(r"at most ([0-9.e+-]+)", ran.out):
            self.assertLessEqual(measured, float(bound), ran.out)

    def test_the_limit_stands_before_a_distance_that_is_not_0(self):
        a = cube().save(self.path("a.glb"))
        b = cube(scale=(1.0001, 1, 1)).save(self.path("b.glb"))
        ran = self.succeeds("compare", a, b, "--tolerance", "0.001")
        self.assertRegex(ran.out.splitlines()[-1], r"^equal [a-z ]+ within 0.001 of the diagonal: largest distance 0.0001")
        ran = self.succeeds("compare", a, b, "--max-distance", "0.5")
        self.assertRegex(ran.out.splitlines()[-1], r"^equal [a-z ]+ within 0.5: largest distance 0.0001")
        self.assertRegex(self.succeeds("compare", a, a).out.splitlines()[-1], r"^equal in every pose: largest distance 0,")
        self.assertRegex(sinew("compare", a, b, "--tolerance", "0").out.splitlines()[-1], r"^different: largest distance 0.0001")

    def test_sizes_are_those_of_the_files(self):
        def size(path):
            folder, total = os.path.dirname(path), os.path.getsize(path)
            if path.endswith(".gltf"):
                with open(path, encoding="utf-8") as file:
                    for buffer in json.load(file).get("buffers", []):
                        if not buffer.get("uri", "data:").startswith("data:"):
                            total += os.path.getsize(os.path.join(folder, buffer["uri"].replace("%20", " ")))
            return total

        skin = tutorial_skin()
        arm = os.path.join(SAMPLES, "g4mf", "arm_4d.g4tf")
        binary = self.path("arm.g4b")
        self.succeeds("convert", arm, binary)
        for source, names in (
            (skin.save(self.path("in.glb")), ("out.glb", "out.gltf")),
            (skin.save(self.path("embedded.gltf")), ("out2.gltf", "out2.glb")),
            (skin.save(self.path("beside.gltf"), embedded=False), ("out3.gltf", "out3.glb")),
            (arm, ("out.g4tf", "out.g4b")),
            (binary, ("out2.g4b", "out2.g4tf")),
        ):
            for name in names:
                for more in ([], ["--compress", "zstd" if "g4" in name else "meshopt"]):
                    with self.subTest(source=source, name=name, more=more):
                        out = self.path(name)
                        ran = self.succeeds("optimize", source, "-o", out, "--max-error", "1e-3", "--json", *more)
                        report = json.loads(ran.out)
                        self.assertEqual(report["bytesBefore"], size(source))
                        self.assertEqual(report["bytesAfter"], size(out))
                        self.assertEqual(report["bytes"], report["bytesAfter"])
                        saved = sum(step["saved"] for step in report["steps"]) + report["storageSaved"]
                        self.assertEqual(report["bytesBefore"] - report["bytesAfter"], saved)
                        self.assertIn(f"{report['bytesAfter']} of {report['bytesBefore']} bytes", ran.err)

    def test_the_worst_vertices_are_different_places(self):
        a = cube().save(self.path("a.glb"))
        moved = cube()
        blob = np.frombuffer(bytes(moved.blob), "<f4", 72).reshape(24, 3).copy()
        for corner, by in (((1, 1, 1), 0.5), ((-1, 1, 1), 0.25), ((1, -1, 1), 0.125)):
            blob[(blob == np.array(corner, "<f4")).all(axis=1)] += np.array([by, 0, 0], "<f4")
        moved.blob[: blob.nbytes] = blob.tobytes()
        b = moved.save(self.path("b.glb"))
        worst = json.loads(sinew("compare", a, b, "--worst", 3, "--json").out)["instances"][0]["worst"]
        self.assertEqual([round(row["distance"], 6) for row in worst], [0.5, 0.25, 0.125])
        worst = json.loads(sinew("compare", a, b, "--worst", 9, "--json").out)["instances"][0]["worst"]
        self.assertEqual(len(worst), 3)


class Pictures(ProgramTest):
    def test_a_model_of_scale_0(self):
        for name, model, node in (("own", cube(scale=(0, 0, 0)), 'node 1 "Cube"'), ("above", cube(scale=(0, 0, 0), parent=True), 'node 0 "Root"')):
            ran = self.succeeds("render", model.save(self.path(name + ".glb")), "-o", self.path(name + ".png"), "--size", "16x16")
            self.assertIn(f"the scale of {node} is 0", ran.err)
            self.assertNotIn("one-sided", ran.err)
        ran = self.succeeds("render", cube().save(self.path("full.glb")), "-o", self.path("full.png"), "--size", "16x16")
        self.assertNotIn("empty", ran.err)


if __name__ == "__main__":
    main()
