# SPDX-License-Identifier: MIT
"""Some bombs of bombs.py in some commands: each run keeps the limits of memory and time that docs/robustness.md promises. The whole
sweep is bomb_sweep.py."""
from program import INPUT, PATIENCE, SETTINGS, ProgramTest, main

import bombs
import bomb_sweep

RUNS = {
    "targets_over_one_accessor": ("info --json", "validate", "compare"), "long_name_in_many_instances": ("deform to glb", "slice"),
    "one_skin_of_many_joints_in_many_nodes": ("convert", "slice"), "repeated_key": ("validate",), "repeated_key_g4mf": ("optimize",),
    "channels_over_one_view": ("compare",), "nodes_times_primitives": ("info --json", "convert"), "large_jpeg": ("render",),
    "surfaces_over_one_accessor": ("deform to glb", "render"),
}


class Bombs(ProgramTest):
    def test_limits_hold(self):
        if PATIENCE > 1:
            self.skipTest("the limit of the process is not set in builds with a sanitizer")
        for name, commands in RUNS.items():
            found = bomb_sweep.sweep(SETTINGS.sinew, bombs.named(only=[name]), ["256M"], commands)
            for command, (seconds, memory, status, why, said) in found[name].items():
                with self.subTest(bomb=name, command=command):
                    self.assertIsNone(why, f"{seconds} s, {memory} MiB, exit status {status}: {said}")

    def test_the_limit_of_work_has_an_option(self):
        model = self.path("channels.glb")
        with open(model, "wb") as file:
            file.write(bombs.NAMED["channels_over_one_view"](0.02)[1])
        self.succeeds("compare", model, model)
        self.fails(INPUT, "compare", model, model, "--limit", "work=1000", says=("moments", "--limit work=N", "SINEW_WORK_LIMIT"))


if __name__ == "__main__":
    main()
