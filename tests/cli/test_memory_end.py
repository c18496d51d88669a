# SPDX-License-Identifier: MIT
"""Every command with less and less memory: it gives the same answer as with plenty, or it says that memory was missing. A check that
met the end of memory never ends in "nothing found", and a picture is never another picture."""
import os
import re
import subprocess

from program import DONE, FINDINGS, INPUT, PATIENCE, SETTINGS, ProgramTest, in_parallel, limited, main, sinew

import bombs
import bomb_sweep

MIB = 1 << 20
LIMITS = [{"data": int(size * MIB)} for size in (1.5, 2.5, 10, 17, 24)] + [{"memory": 96 * MIB}]
# scale, commands, limits. A larger scale takes a time that grows with its square.
MODELS = {"targets_over_one_accessor": (0.0015, None, LIMITS), "shapes_times_surfaces": (0.1, None, LIMITS),
          "large_jpeg": (0.1, ("render",), [{"memory": size * MIB} for size in (250, 300, 340, 380)])}


class Answer:
    """What a command answered: exit status, both streams and the files that it wrote."""

    def __init__(self, line, folder, limit=None):
        os.makedirs(folder)
        done = subprocess.run(limited([SETTINGS.sinew, *line], **limit or {}), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.status, self.out, self.err = done.returncode, done.stdout.replace(folder.encode(), b""), done.stderr.decode("utf-8", "replace")
        self.files = {}
        for place, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    self.files[os.path.join(place, name)[len(folder):]] = file.read()

    def says_memory(self):
        return re.search(r"_LIMIT|NO_MEMORY", self.err + self.out.decode("utf-8", "replace")) is not None


class MemoryEnds(ProgramTest):
    def answers(self, name, scale, commands, limits):
        """Yields (command, limit, the answer with plenty of memory, the answer with the limit)."""
        suffix, data = bombs.NAMED[name](scale)
        model = self.write("model" + suffix, data)

        def run(job):
            number, (command, limit) = job
            folder = self.path(f"{name}-{number}")
            line = [*bomb_sweep.command_lines(model, folder)[command], "--threads", "2"]
            return command, limit, Answer(line, folder, limit)

        commands = commands or list(bomb_sweep.command_lines(model, ""))
        whole = {command: answer for command, _, answer in in_parallel(run, enumerate((command, None) for command in commands))}
        jobs = [(command, limit) for command in commands for limit in limits]
        for command, limit, answer in in_parallel(run, enumerate(jobs, len(commands))):
            yield command, limit, whole[command], answer

    def test_the_answer_is_the_same_or_memory_is_named(self):
        if PATIENCE > 1:
            self.skipTest("a sanitizer needs more memory than these limits leave")
        refused = same = 0
        for name, given in MODELS.items():
            for command, limit, whole, answer in self.answers(name, *given):
                with self.subTest(model=name, command=command, limit=limit):
                    equal = (answer.status, answer.out, answer.files) == (whole.status, whole.out, whole.files)
                    if equal:
                        same += 1
                        continue
                    refused += 1
                    if command in bomb_sweep.PICTURES and answer.status not in (DONE, INPUT):  # the driver has no memory, and may crash
                        self.assertEqual(answer.files, {})
                        continue
                    self.assertIn(answer.status, (FINDINGS, INPUT) if command == "validate" else (INPUT,), answer.err)
                    self.assertTrue(answer.says_memory(), f"exit status {answer.status}: {answer.err}")
                    self.assertNotIn(b"nothing found", answer.out)
        self.assertGreater(refused, 20)
        self.assertGreater(same, 40)

    def test_only_hides_no_limit(self):
        model = self.write("model.glb", bombs.NAMED["targets_over_one_accessor"](0.1)[1])
        self.succeeds("validate", model, "--only", "UNRESOLVED_REFERENCE", "--max-memory", "2G")
        ran = sinew("validate", model, "--only", "UNRESOLVED_REFERENCE", "--max-memory", "4M")
        self.assertEqual(ran.status, FINDINGS, str(ran))
        self.assertIn("SINEW_MEMORY_LIMIT", ran.out)
        self.assertNotIn("nothing found", ran.out)


if __name__ == "__main__":
    main()
