# SPDX-License-Identifier: MIT
"""Options of every command, names and indices, exit statuses, pipes, threads, colours."""
import os
import pty
import subprocess
import time

import numpy as np

from program import DONE, INPUT, OUTPUT, ROOT, SETTINGS, USAGE, ProgramTest, main, sinew

from gltf_builder import morphed_quad, tutorial_skin
from random_rigs import RandomRig

ESCAPE = "\x1b["


class Help(ProgramTest):
    def test_each_command_shows_examples(self):
        for command in ("info", "deform"):
            for option in ("-h", "--help"):
                with self.subTest(command=command, option=option):
                    ran = self.succeeds(command, option)
                    self.assertIn("xample", ran.out)
                    self.assertIn(f"sinew {command} ", ran.out)

    def test_program_lists_commands(self):
        ran = self.succeeds("-h")
        for command in ("info", "deform"):
            self.assertIn(command, ran.out)

    def test_version(self):
        for arguments in (["-V"], ["--version"], ["deform", "-V"], ["info", "-V"]):
            with self.subTest(arguments=arguments):
                self.assertRegex(self.succeeds(*arguments).out, r"\d+\.\d+")

    def test_help_names_the_options_of_the_contract(self):
        text = self.succeeds("deform", "-h").out
        for option in ("--output", "--animation", "--time", "--frames", "--fps", "--pose", "--blend", "--attribute", "--max-influences",
                       "--debug-joint", "--stage", "--scene", "--force", "--threads", "--max-memory", "--color"):
            self.assertIn(option, text)


class Usage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))
        self.out = self.path("out.npy")

    def test_what_the_command_line_cannot_mean(self):
        cases = [
            [],
            ["deform"],
            ["deform", self.skin],
            ["frobnicate", self.skin],
            ["info"],
            ["info", self.skin, "--no-such-option"],
            ["deform", self.skin, "-o", self.path("out.xyz")],
            ["deform", self.skin, "-o", self.path("out")],
            ["deform", self.skin, "-o", self.out, "--attribute", "colour"],
            ["deform", self.skin, "-o", self.out, "--threads", "many"],
            ["deform", self.skin, "-o", self.out, "--color", "sometimes"],
            ["deform", self.skin, "-o", self.out, "--max-memory", "lots"],
            ["deform", self.skin, "-o", self.out, "--scene", "-1"],
            ["deform", self.skin, "-o", self.out, "--animation", "Bend", "--time", "0.1", "--frames", "3"],
            ["deform", self.skin, "-o", self.out, "--animation", "Bend", "--fps", "5", "--frames", "3"],
            ["deform", self.skin, "-o", self.out, "--blend", "nothing"],
            ["deform", self.skin, "-o", self.out, "--debug-joint", "1", "--stage", "middle"],
        ]
        for arguments in cases:
            with self.subTest(arguments=arguments):
                self.fails(USAGE, *arguments)
                self.assertFalse(os.path.exists(self.out))

    def test_numbers_that_are_none(self):
        clip = ["deform", self.skin, "-o", self.out, "--animation", "Bend"]
        for option in ("--time", "--fps"):
            for value in ("nan", "inf", "-inf", "NaN", "1e999", "x", "1x", ""):
                with self.subTest(option=option, value=value):
                    self.fails(USAGE, *clip, f"{option}={value}")
        for option, values in {
            "--frames": ("0", "-1", "1.5", "nan", "99999999999999999999"),
            "--fps": ("0", "-2"),
            "--threads": ("-1", "1.5"),
            "--max-influences": ("-1", "99999999999999999999"),
            "--debug-joint": ("4294967296", "99999999999999999999"),
        }.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    ran = self.fails(USAGE, *clip, f"{option}={value}")
                    self.assertLess(len(ran.err), 300, "a short line is enough")

    def test_every_option_reads_numbers_alike(self):
        out = self.path("new.glb")
        options = ("info --max-seconds", "info --threads", "bounds --slack", "bounds --blend-range", "deform --time", "deform --frames",
                   "convert --max-influences", "rebind --to")
        for option in options:
            command, name = option.split()
            value = {"--blend-range": "{}:2", "--to": "clip:Bend@{}"}.get(name, "{}")
            animation = ["--animation", "Bend"] if command == "deform" else []
            output = {"info": [], "bounds": [], "deform": ["-o", self.path("new.npy")]}.get(command, ["-o", out])
            for text, status in (("1", DONE), ("+1", DONE), ("0x1", USAGE), (" 1", USAGE), ("1 ", USAGE), ("1e999", USAGE), ("nan", USAGE), ("+-1", USAGE)):
                with self.subTest(option=option, text=text):
                    ran = sinew(command, self.skin, *animation, *output, name, value.format(text))
                    self.assertEqual(ran.status == USAGE, status == USAGE, ran.err)

    def test_more_frames_than_memory(self):
        """Rejected at once, as input (a limit) or as usage: no allocation until memory is exhausted, and never fewer frames without a
        message."""
        for option in ("--frames=99999999999", "--fps=1e12", "--fps=1e300"):
            with self.subTest(option=option):
                ran = sinew("deform", self.skin, "-o", self.out, "--animation", "Bend", option)
                self.assertIn(ran.status, (USAGE, INPUT), str(ran))
                self.assertEqual(len(ran.error_lines()), 1, str(ran))
                self.assertFalse(os.path.exists(self.out))

    def test_blend_amounts_that_are_none(self):
        quad = morphed_quad().save(self.path("quad.glb"))
        for amount in ("nan", "inf", "x", "", "1x"):
            with self.subTest(amount=amount):
                self.fails(USAGE, "deform", quad, "-o", self.out, "--blend", f"Up={amount}")

    def test_near_options_and_commands_are_suggested(self):
        self.fails(USAGE, "deform", self.skin, "-o", self.out, "--animaton", "0", says="--animation")
        self.fails(USAGE, "defrom", self.skin, says="deform")

    def test_quiet_keeps_the_error_line_and_nothing_else(self):
        ran = self.fails(INPUT, "deform", self.path("absent.glb"), "-o", self.out, "-q", says="absent.glb")
        self.assertEqual(len(ran.err.splitlines()), 1)
        ran = self.fails(USAGE, "deform", self.skin, "-o", self.out, "-q", "--animation", "Walk")
        self.assertEqual(len(ran.err.splitlines()), 1)
        ran = self.succeeds("deform", self.skin, "-o", self.out, "-q")
        self.assertEqual((ran.out, ran.err), ("", ""))

    def test_error_lines_are_one_line_even_for_odd_names(self):
        ran = self.fails(INPUT, "deform", self.path("two\nlines.glb"), "-o", self.out, "-q")
        self.assertEqual(len(ran.err.splitlines()), 1)

    def test_inputs_that_cannot_be_opened(self):
        os.mkdir(self.path("folder.glb"))
        for command in (["info"], ["deform", "-o", self.out]):
            with self.subTest(command=command):
                self.fails(INPUT, command[0], self.path("absent.gltf"), *command[1:], says="absent.gltf")
                self.fails(INPUT, command[0], self.path("folder.glb"), *command[1:], says="folder.glb")

    def test_memory_limit_is_named(self):
        embedded = tutorial_skin().save(self.path("embedded.gltf"))
        self.fails(INPUT, "deform", embedded, "-o", self.out, "--max-memory", "100", says="--max-memory")
        self.succeeds("deform", embedded, "-o", self.out, "--max-memory", "16M")
        self.succeeds("deform", embedded, "-o", self.out, "--max-memory", "1GiB")


class Scenes(ProgramTest):
    def two_scenes(self):
        builder = tutorial_skin()
        builder.add("nodes", {"name": "Far", "mesh": 0, "translation": [0, 0, 5]})
        builder.add("scenes", {"nodes": [3]})
        return builder

    def test_scene_chooses_what_is_written(self):
        path = self.two_scenes().save(self.path("scenes.glb"))
        self.assertEqual(self.deform(path).shape, (10, 3))
        far = self.deform(path, "--scene", "1")
        self.assertEqual(far.shape, (10, 3))
        self.assertTrue((far[:, 2] == 5).all())

    def test_default_is_the_files_scene_then_the_first_then_all_roots(self):
        builder = self.two_scenes()
        builder.json["scene"] = 1
        self.assertTrue((self.deform(builder.save(self.path("a.glb")))[:, 2] == 5).all())
        del builder.json["scene"]
        self.assertEqual(self.deform(builder.save(self.path("b.glb"))).shape, (10, 3))
        del builder.json["scenes"]
        self.assertEqual(self.deform(builder.save(self.path("c.glb"))).shape, (20, 3))

    def test_a_scene_that_the_file_lacks(self):
        path = self.two_scenes().save(self.path("scenes.glb"))
        self.fails(USAGE, "deform", path, "-o", self.path("out.npy"), "--scene", "7", says="7")

    def test_nothing_to_draw_is_no_error(self):
        self.assertEqual(self.deform(self.write("empty.gltf", {"asset": {"version": "2.0"}})).shape, (0, 3))
        builder = tutorial_skin()
        builder.json["scenes"] = [{}]
        empty = builder.save(self.path("no_roots.glb"))
        self.assertEqual(self.deform(empty).shape, (0, 3))
        self.assertEqual(self.deform(empty, "--animation", "Bend", "--frames", "4").shape, (4, 0, 3))


class Names(ProgramTest):
    """NAME|INDEX: digits are an index, `name:` forces a name; ambiguity and mistakes are usage errors with a suggestion."""

    def setUp(self):
        super().setUp()
        builder = tutorial_skin()
        bend = builder.json["animations"][0]
        still = builder.accessor(np.tile(np.array([0, 0, 1, 0], "<f4"), (3, 1)))
        turned = {**bend, "samplers": [{**bend["samplers"][0], "output": still}]}
        builder.json["animations"] = [
            bend, {**turned, "name": "0"}, {**bend, "name": "Same"}, {**turned, "name": "Same"}, {**turned, "name": "name:odd"},
        ]
        self.path_of_model = builder.save(self.path("names.glb"))
        self.out = self.path("out.npy")

    def tip(self, animation):
        """The last vertex at the clip's start: (0.5, 2) in the unbent clip, (−0.5, 0) in those turned by half a turn."""
        return self.deform(self.path_of_model, "--animation", animation)[9].round(5).tolist()

    def test_names_and_indices(self):
        upright, upside_down = [0.5, 2, 0], [-0.5, 0, 0]
        self.assertEqual(self.tip("Bend"), upright)
        self.assertEqual(self.tip("0"), upright)  # the index, although a clip has this name
        self.assertEqual(self.tip("name:0"), upside_down)
        self.assertEqual(self.tip("1"), upside_down)
        self.assertEqual(self.tip("name:Bend"), upright)
        self.assertEqual(self.tip("name:name:odd"), upside_down)
        self.assertEqual(self.tip("3"), upside_down)

    def test_a_name_of_several(self):
        ran = self.fails(USAGE, "deform", self.path_of_model, "-o", self.out, "--animation", "Same")
        self.assertRegex(ran.error_lines()[0], r"\b2\b.*\b3\b")

    def test_unknown_names_and_indices_list_what_there_is(self):
        for wanted in ("Walk", "5", "99999999999999999999", "name:Walk"):
            with self.subTest(wanted=wanted):
                said = wanted.removeprefix("name:")
                self.fails(USAGE, "deform", self.path_of_model, "-o", self.out, "--animation", wanted, says=["Bend", "Same", said])
        self.assertFalse(os.path.exists(self.out))

    def test_the_nearest_name_is_suggested(self):
        self.assertRegex(self.fails(USAGE, "deform", self.path_of_model, "-o", self.out, "--animation", "Bnd").err, r"(?i)mean.*Bend")

    def test_times_need_a_clip(self):
        for option in (["--time", "0.5"], ["--frames", "3"], ["--fps", "10"]):
            with self.subTest(option=option):
                self.fails(USAGE, "deform", self.path_of_model, "-o", self.out, *option, says=["--animation", "Bend", "Same"])
        still = morphed_quad()
        del still.json["animations"]
        self.fails(USAGE, "deform", still.save(self.path("still.glb")), "-o", self.out, "--time", "1", says="animation")
        self.fails(USAGE, "deform", self.path("still.glb"), "-o", self.out, "--animation", "0")


class Pipes(ProgramTest):
    def test_standard_output_and_input(self):
        builder = tutorial_skin()
        glb, embedded = builder.save(self.path("skin.glb")), builder.save(self.path("skin.gltf"))
        want = self.deform(glb, "--animation", "0", "--time", "0.7")
        with open(self.path("deformed.npy"), "rb") as file:
            expected = file.read()
        for path in (glb, embedded):
            with open(path, "rb") as file:
                data = file.read()
            ran = self.succeeds("deform", "-", "-o", "-", "--animation", "0", "--time", "0.7", stdin=data)
            self.assertEqual(ran.data, expected)
            np.testing.assert_array_equal(self.deform("-", "--animation", "0", "--time", "0.7", stdin=data), want)
            self.assertIn('"dimension"', self.succeeds("info", "-", "--json", stdin=data).out)

    def test_relative_uris_have_no_folder(self):
        path = tutorial_skin().save(self.path("skin.gltf"), embedded=False)
        with open(path, "rb") as file:
            data = file.read()
        self.fails(INPUT, "deform", "-", "-o", self.path("out.npy"), stdin=data, cwd=self.folder, says="/buffers/0")
        self.assertEqual(self.deform(path).shape, (10, 3))

    def test_a_closed_pipe_is_an_output_error(self):
        rig = tutorial_skin()
        path = rig.save(self.path("skin.glb"))
        read, write = os.pipe()
        os.close(read)
        command = [SETTINGS.sinew, "deform", path, "-o", "-", "--animation", "0", "--frames", "2000"]
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, timeout=60)
        os.close(write)
        self.assertEqual(done.returncode, OUTPUT, done.stderr)
        self.assertNotIn(b"sinew: ", done.stderr, "nobody needs a message")

    def test_a_pipe_as_target(self):
        """A fifo is written directly, not replaced by a file."""
        path, fifo = tutorial_skin().save(self.path("skin.glb")), self.path("out.npy")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        self.succeeds("deform", path, "-o", fifo)
        data, _ = reader.communicate(timeout=20)
        self.assertTrue(data.startswith(b"\x93NUMPY"))


class Threads(ProgramTest):
    def test_number_of_threads_changes_no_byte(self):
        for seed in (3, 5):
            path = RandomRig(seed).save(self.folder, f"rig{seed}")
            for name in ("out.npy", "out.glb", "out.ply"):
                written = []
                for threads in ("1", "4", "0"):
                    out = self.path(name)
                    self.succeeds("deform", path, "-o", out, "--threads", threads, "--animation", "0", "--time", "0.3")
                    with open(out, "rb") as file:
                        written.append(file.read())
                self.assertEqual(written[0], written[1], name)
                self.assertEqual(written[0], written[2], name)

    def test_number_of_threads_changes_no_byte_of_a_clip(self):
        path, written = RandomRig(3).save(self.folder, "rig3"), []
        for threads in ("1", "2", "0"):
            out = self.path("frames.npy")
            self.succeeds("deform", path, "-o", out, "--threads", threads, "--animation", "0", "--frames", "7", "--attribute", "normal")
            with open(out, "rb") as file:
                written.append(file.read())
        self.assertEqual(written[0], written[1])
        self.assertEqual(written[0], written[2])


class Colours(ProgramTest):
    def test_only_when_wanted(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        self.assertIn(ESCAPE, self.succeeds("info", path, "--color", "always").out)
        for options, env in ((["--color", "never"], {}), ([], {}), (["--color", "auto"], {}), ([], {"NO_COLOR": "1"})):
            with self.subTest(options=options, env=env):
                ran = self.succeeds("info", path, *options, env=env)
                self.assertNotIn(ESCAPE, ran.out + ran.err)

    def on_a_terminal(self, *arguments):
        """What the program writes to a terminal as its standard error."""
        master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm"}
        done = subprocess.Popen([SETTINGS.sinew, *arguments], stdout=subprocess.PIPE, stderr=slave, env=environment)
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # Linux says so when the last writer is gone
                break
            if not part:
                break
            shown += part
        os.close(master)
        self.assertEqual(done.wait(timeout=20), DONE, shown)
        done.stdout.close()
        return shown.replace(b"\r\n", b"\n").decode("utf-8", "replace")

    def test_progress_bar_on_a_terminal(self):
        """Quick work needs no bar: the number of frames grows until the run takes long enough for one."""
        path = os.path.join(ROOT, "samples", "gltf", "tube_8_influences.gltf")
        os.symlink("/dev/null", self.path("null.npy"))
        frames, seconds = 10_000, 0.0
        while seconds < 1 and frames < 250_000:  # the program's most is a million
            frames *= 4
            arguments = ["deform", path, "-o", self.path("null.npy"), "--animation", "0", "--frames", str(frames)]
            started = time.monotonic()
            shown = self.on_a_terminal(*arguments)
            seconds = time.monotonic() - started
        self.assertIn("\r", shown)
        self.assertEqual(self.on_a_terminal(*arguments, "-q"), "")

    def test_no_progress_bar_without_terminal(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        ran = self.succeeds("deform", path, "-o", self.path("out.npy"), "--animation", "0", "--frames", "50")
        self.assertNotIn("\r", ran.err)
        self.assertEqual(ran.out, "")


if __name__ == "__main__":
    main()
