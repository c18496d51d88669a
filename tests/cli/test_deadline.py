# SPDX-License-Identifier: MIT
"""--max-seconds: a file that takes longer ends with one line and leaves nothing behind; the next file goes on."""
import os
import re
import resource
import shutil
import tempfile

from program import DONE, FINDINGS, INPUT, PATIENCE, ROOT, USAGE, ProgramTest, main, patiently, sinew

import bombs

SECONDS, LATE = 0.2, 2.5  # processor time of two threads at most
SAMPLE = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
NO_OTHER = ["--limit", "work=1000000000000000", "--max-memory", "6G"]
# Each takes longer than the deadline in these commands, without other limits.
SLOW = {"accessors_over_one_view": ("convert", "compare", "compare --match", "optimize", "render", "deform to obj", "extract", "view --export"),
        "many_nodes": ("info", "info --json", "validate", "convert to text", "repair", "slice")}


def model_of(bomb):
    if bomb == "many_nodes":
        return ".gltf", b'{"asset":{"version":"2.0"},"nodes":[' + b"{}," * 3_000_000 + b"{}]}"
    return bombs.NAMED[bomb](1)


def used():
    """The processor time of the programs so far: other tests run at the same time, and the clock on the wall counts theirs."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


class Deadlines(ProgramTest):
    def setUp(self):
        super().setUp()
        if PATIENCE > 1:
            self.skipTest("builds with a sanitizer do not ask the deadline at allocations")

    def late(self, run):
        """Returns a run that ended soon after the deadline and reported one file."""

        def timed():
            started = used()
            ran = run()
            return ran, used() - started

        ran, seconds = patiently(timed, lambda timed: len(timed[0].error_lines()) == 1 and timed[1] < SECONDS + LATE)
        self.assertEqual(ran.status, INPUT, str(ran))
        self.assertLess(seconds, SECONDS + LATE, str(ran))
        self.assertEqual(len(ran.error_lines()), 1, str(ran))
        for text in ("SINEW_DEADLINE", "--max-seconds", "0.2 s"):
            self.assertIn(text, ran.error_lines()[0], str(ran))
        return ran

    def test_bombs_end_in_time(self):
        import bomb_sweep
        for name, commands in SLOW.items():
            suffix, data = model_of(name)
            model = self.write(name + suffix, data)
            for command in commands:
                with self.subTest(bomb=name, command=command):
                    out = tempfile.mkdtemp(dir=self.folder)
                    line = bomb_sweep.command_lines(model, out)[command]
                    self.late(lambda line=line: sinew(*line, "--max-seconds", SECONDS, *NO_OTHER))
                    self.assertEqual(os.listdir(out), [])

    def test_the_next_file_goes_on(self):
        written, told = "accessors_over_one_view", "many_nodes"
        for bomb, line in ((written, ["convert", "-o", self.path("converted"), "--to", "g4b"]), (told, ["repair", "-o", self.path("repaired")]),
                           (written, ["optimize", "-o", self.path("optimized"), "--max-error", "1e-3"]), (written, ["extract", "-o", self.path("extracted")]),
                           (written, ["bake", "-o", self.path("baked")]), (told, ["info", "--json"]), (told, ["info", "--jsonl"]),
                           (told, ["validate", "--jsonl"]), (told, ["validate"])):
            with self.subTest(line=line):
                suffix, data = model_of(bomb)
                for name in ("a.gltf", "c.gltf"):
                    shutil.copy(SAMPLE, self.path(name))
                inputs = [self.path("a.gltf"), self.write("b" + suffix, data), self.path("c.gltf")]
                ran = self.late(lambda line=line, inputs=inputs: sinew(*line, *inputs, "--max-seconds", SECONDS, "--threads", 1, *NO_OTHER))
                self.assertIn("b" + suffix, ran.error_lines()[0])
                if "-o" in line:
                    self.assertEqual({re.split("[._-]", name)[0] for name in os.listdir(line[2]) if name[0] != "."}, {"a", "c"})
                    self.assertFalse([name for name in os.listdir(line[2]) if name.startswith(".b")])
                else:
                    self.assertIn("c.gltf", ran.out)

    def test_a_deadline_that_is_not_met_changes_nothing(self):
        for line in (["convert", SAMPLE, self.path("o.g4b")], ["optimize", SAMPLE, "-o", self.path("o.glb"), "--max-error", "1e-3"],
                     ["deform", SAMPLE, "-o", self.path("o.npy")]):
            out = line[2] if line[0] == "convert" else line[3]
            written = []
            for more in ([], ["--max-seconds", "60"]):
                self.succeeds(*line, *more)
                with open(out, "rb") as file:
                    written.append(file.read())
            self.assertEqual(*written)

    def test_many_files_may_take_longer_together(self):
        some, more = self.path("some"), self.path("more")
        for folder, count in ((some, 40), (more, 180)):
            os.mkdir(folder)
            for i in range(count):
                self.write(os.path.join(folder, f"{i}.gltf"), b'{"asset":{"version":"2.0"},"nodes":[' + b"{}," * 5000 + b"{}]}")
        for line in (["validate"], ["validate", "--format", "json"], ["validate", "--jsonl", "-o", self.path("lines")], ["info"], ["info", "--json"], ["info", "--jsonl"]):
            with self.subTest(line=line):
                started = used()
                models = [some] if line[0] == "validate" else [some, more]  # each of them takes info less time
                ran = patiently(lambda: sinew(*line, *models, "--max-seconds", SECONDS, "--threads", 1), lambda ran: ran.status in (DONE, FINDINGS))
                self.assertIn(ran.status, (DONE, FINDINGS))
                self.assertGreater(used() - started, SECONDS)

    def test_values(self):
        for value in ("0", "-1", "soon", "nan"):
            self.fails(USAGE, "validate", SAMPLE, "--max-seconds", value, says="--max-seconds")
        self.assertIn(sinew("validate", SAMPLE, "--max-seconds", "1e300").status, (DONE, FINDINGS))


if __name__ == "__main__":
    main()
