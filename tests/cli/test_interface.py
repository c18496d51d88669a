# SPDX-License-Identifier: MIT
"""The program's description of itself: examples that work, manual pages, completions in real shells, doctor."""
import base64
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

from program import PATIENCE, ROOT, SETTINGS, UNSUPPORTED, USAGE, ProgramTest, in_parallel, main, sinew

def commands():
    """Names in `sinew --help`."""
    found = re.findall(r"^  (\w+) ", sinew("--help").out.split("Subcommands:")[1], re.M)
    assert len(found) >= 14, found
    return found


def needs(name):
    """A test that runs another program; skipped if it is not installed."""
    if not shutil.which(name):
        print(f"SKIPPED: {name} is not installed", file=sys.stderr)
    return unittest.skipUnless(shutil.which(name), f"{name} is not installed")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def drain(terminal):
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # the shell has ended
        pass


def shell(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


class Examples(ProgramTest):
    """Runs each line of each help text in a folder that has files with these names."""

    def sample(self, name, *place, **renamed):
        """A sample of the repository under another name and in the format of its extension; nodes and the like may be renamed."""
        with open(os.path.join(ROOT, "samples", *place), encoding="utf-8") as file:
            text = file.read()
        for old, new in renamed.items():
            self.assertIn(f'"{old}"', text, place)
            text = text.replace(f'"{old}"', f'"{new}"')
        self.make(name, text, os.path.splitext(place[-1])[1])

    def make(self, name, content, extension=".gltf"):
        if name.endswith(extension):
            self.write(name, content)
            return
        made = self.write("made" + extension, content)
        self.succeeds("convert", made, self.path(name), "-q")
        os.remove(made)

    def copy(self, name, *others):
        for other in others:
            shutil.copy(self.path(name), self.path(other))

    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf"), encoding="utf-8") as file:
            document = json.load(file)
        self.edit(document, document["animations"][0]["samplers"][0]["input"], lambda times: 0.1 * times)  # few pictures
        walk = document["animations"][0]
        document["animations"] = [dict(walk, name=name) for name in ("Idle", "Walk", "Run", "Fold")]
        document["nodes"][2]["name"] = "Tail"
        self.make("fox.glb", document)
        self.copy("fox.glb", "optimised.glb", "quantised.glb", "a.glb", "b.glb")
        self.make("robot.glb", self.stiff(document))
        self.copy("fox.glb", "avatar.vrm", "walk.vrma", "soldier.glb", "hero.glb", "walk.glb", "jump.glb", "dance.glb", "dragon.glb", "cat.glb")
        self.write("bones.txt", "Tail Tail\n")
        self.sample("face.glb", "gltf", "morph_cube.gltf", Stretch="smile")
        self.write("head.json", {"nodes": {"0": {"translation": [0, 1, 0]}}})
        self.sample("pose.json", "g4mf", "arm_4d.pose.json")
        self.sample("arm.g4tf", "g4mf", "arm_4d.g4tf")
        self.sample("cat.g4tf", "g4mf", "arm_4d.g4tf", Upper="Tail1", Lower="Tail2")
        for name in ("tesseract", "rig_5d"):
            self.sample(name + ".g4tf", "g4mf", name + ".g4tf")
        self.sample("cell.g4tf", "g4mf", "cell_24.g4tf")
        self.sample("cell.g4b", "g4mf", "cell_24.g4tf")  # the lines run in any order
        self.sample("rig.g4tf", "g4mf", "stiff_tail.g4tf")
        for name in ("body.glb", "body.g4b", "body.g4tf", "figure.glb"):
            self.sample(name, "merge", "body.gltf")
        for name in ("shirt.glb", "shirt.g4b"):
            self.sample(name, "merge", "shirt.gltf")
        self.sample("hair.glb", "merge", "wig.gltf")
        self.sample("tail.glb", "merge", "wig.gltf", Head="Hips")
        shutil.copy(os.path.join(ROOT, "conformance", "adapters", "sinew_program.py"), self.path("my_adapter.py"))
        os.chmod(self.write("adapter", '#!/bin/sh\nexec python3 my_adapter.py "$@"\n'), 0o755)
        os.mkdir(self.path("models"))
        self.copy("fox.glb", "models/fox.glb")
        self.copy("face.glb", "models/face.glb")
        self.write("results.jsonl", sinew("validate", self.path("models"), "--jsonl").out)
        self.copy("results.jsonl", "part1.jsonl")
        os.mkdir(self.path("bin"))
        os.symlink(SETTINGS.sinew, self.path("bin", "sinew"))
        os.symlink(sys.executable, self.path("bin", "python3"))  # the one on the PATH may be a script that looks for one
        if not shutil.which("jq"):
            os.symlink("/bin/cat", self.path("bin", "jq"))
        self.environment = {**os.environ, "PATH": self.path("bin") + os.pathsep + os.environ["PATH"]}
        self.environment = {k: v for k, v in self.environment.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}  # no browser opens

    def edit(self, document, number, change):
        """Changes the numbers of an accessor, which are floats, one behind the other."""
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        head, data = document["buffers"][view["buffer"]]["uri"].split(",", 1)
        content = bytearray(base64.b64decode(data))
        rows = np.frombuffer(content, "<f4", accessor["count"] * {"SCALAR": 1, "VEC4": 4}[accessor["type"]], view["byteOffset"])
        rows = rows.reshape(accessor["count"], -1)
        rows[:] = change(rows)
        for bound in {"min", "max"} & set(accessor):
            accessor[bound] = getattr(rows, bound)(axis=0).tolist()
        document["buffers"][view["buffer"]]["uri"] = head + "," + base64.b64encode(content).decode()

    def stiff(self, document):
        """A robot: the skin's vertices follow one joint each."""
        robot = json.loads(json.dumps(document))
        weights = robot["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
        self.edit(robot, weights, lambda rows: np.eye(4)[(np.arange(len(rows)) >= 4).astype(int)])
        return robot

    def examples(self, command):
        lines = sinew(command, "--help").out.split("Examples:\n")[1].splitlines()
        return [re.split(r" {2,}", line.strip())[0] for line in lines if line.strip()]

    def shortened(self, line):
        """The line with less to do, in options that it has not: small frames instead of 800 × 600 pixels; of the cases for an engine, those
        of skins, as test_conformance.py runs all."""
        if line.startswith("sinew render ") and "--animation" in line and "--time" not in line and "--size" not in line:
            return line + " --size 160x120"
        if line.startswith("sinew conformance --engine ") and "--only" not in line:
            return line + " --only skins/"
        return line

    def outcome(self, example):
        """Returns exit status and standard error of a line; 0 if `sinew view` printed its address and ended on request."""
        command, line = example
        line = self.shortened(line)
        if command != "view" or "--export" in line:
            done = shell("bash", "-o", "pipefail", "-c", line, cwd=self.folder, env=self.environment, timeout=120 * PATIENCE)
            return done.returncode, done.stderr
        line = re.sub(r"--port \d+", "--port 0", line)  # that of the example may be taken
        running = subprocess.Popen(["bash", "-c", "exec " + line], cwd=self.folder, env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        address = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        errors = running.communicate(timeout=60)[1]
        return running.returncode if address.startswith("http://") or running.returncode else "no address", errors

    def test_every_line_works(self):
        listed = [(command, line) for command in commands() for line in self.examples(command)]
        self.assertGreater(len(listed), 50)
        self.assertEqual(sum(self.shortened(line) != line for _, line in listed), 3)
        unseen = set()
        for (command, line), (status, errors) in zip(listed, in_parallel(self.outcome, listed)):
            with self.subTest(line=line):
                if status == UNSUPPORTED and command in ("render", "view"):  # no OpenGL here, no page in this build
                    self.assertIn("OpenGL" if command == "render" else "npm", errors)
                    unseen.add(command)
                    continue
                self.assertIn(status, (0, 1) if command in ("validate", "compare", "flex", "summarize") else (0,), errors)
        if unseen:
            print(f"SKIPPED: examples of {', '.join(sorted(unseen))}", file=sys.stderr)


class Slips(ProgramTest):
    def test_near_names_are_suggested_everywhere(self):
        for command in commands():
            with self.subTest(command=command):
                self.fails(USAGE, command[:-1] + "x" if len(command) > 4 else command + "x", "a.glb", says=command)
                self.fails(USAGE, command, "--colr", "never", says="--color")

    def test_the_beginning_of_a_name_is_near(self):
        for line, meant in ((["deform", "x.glb", "--anim", "Walk"], "did you mean --animation?"), (["deform", "x.glb", "--anim=Walk"], "did you mean --animation?"),
                            (["validate", "--form", "json", "x.glb"], "did you mean --format?"),  # not --force, which is as near
                            (["validate", "--max", "1", "x.glb"], "did you mean --max-issues or --max-memory or --max-seconds?"), (["comp", "x.glb"], "did you mean compare?"),
                            (["co", "x.glb"], "did you mean convert or compare or conformance?")):
            with self.subTest(line=line):
                self.fails(USAGE, *line, says=meant)
        self.assertNotIn("did you mean", self.fails(USAGE, "deform", "x.glb", "--q").err)

    def test_options_before_the_command_are_told_their_place(self):
        for option in ("-q", "--quiet", "-v"):
            self.fails(USAGE, option, "validate", "x.glb", says=f"write {option} after the command")

    def test_options_that_mean_nothing_are_not_offered(self):
        for command in ("doctor", "explain", "summarize"):
            for option in (["--scene", "99"], ["--force"], ["--allow-outside"], ["--threads", "2"]):
                self.fails(USAGE, command, *option, says=f"unknown option {option[0]}")
                self.assertNotIn(option[0], self.succeeds(command, "--help").out)


class Help(ProgramTest):
    def test_help_is_a_word_too(self):
        self.assertEqual(self.succeeds("help").out, self.succeeds("--help").out)
        for command in commands():
            self.assertEqual(self.succeeds("help", command).out, self.succeeds(command, "--help").out)
        self.assertIn("sinew help COMMAND", self.succeeds("--help").out)

    def test_help_for_what_is_no_command_is_refused(self):
        for line in (["validat", "--help"], ["help", "validat"], ["validat", "-h"]):
            self.assertEqual(self.fails(USAGE, *line, says='unknown command "validat"; did you mean validate?').out, "")
        self.fails(USAGE, "--bogus", "--help", says="unknown option --bogus")


def options_of(command):
    """All that its help lists."""
    found = re.findall(r"^  (?:-\w, ?)?(--[a-z][a-z-]*)", sinew(command, "--help").out.split("Examples:")[0], re.M)
    assert len(found) >= 3, command
    return sorted(found)


class Manual(ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeeds("manual", "-o", self.path("man1"))
        self.pages = sorted(os.listdir(self.path("man1")))

    def test_a_page_for_each_command(self):
        self.assertEqual(self.pages, sorted(["sinew.1"] + [f"sinew-{command}.1" for command in commands()]))
        self.assertEqual(self.succeeds("manual", "deform").out, read(self.path("man1", "sinew-deform.1")))
        self.fails(USAGE, "manual", "fly")

    def test_the_page_of_the_program_tells_how_to_ask(self):
        page = read(self.path("man1", "sinew.1")).replace("\\-", "-")
        self.assertIn(".SH OPTIONS", page)
        for words in ("\\fB--help\\fR", "\\fB--version\\fR", "sinew COMMAND --help"):
            self.assertIn(words, page)

    def test_every_option_of_every_command_has_an_entry(self):
        seen = 0
        for command in commands():
            page = read(self.path("man1", f"sinew-{command}.1")).replace("\\-", "-")
            entries = set(re.findall(r"--[a-z][a-z-]*", "\n".join(line for line in page.splitlines() if line.startswith((".BR ", ".B ", ".BI ", "\\fB", ".It ")))))
            self.assertLessEqual(set(options_of(command)), entries, command)
            seen += len(entries)
        self.assertGreaterEqual(seen, 150)

    @needs("man")
    def test_shown_by_man(self):
        for page in self.pages:
            done = shell("man", "--warnings", "-l", self.path("man1", page), env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)
            self.assertIn("EXIT STATUS", done.stdout)
        done = shell("man", "-l", self.path("man1", "sinew-deform.1"), env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8"})
        for option in re.findall(r"--[a-z-]+", sinew("deform", "--help").out.split("Examples:")[0]):
            self.assertIn(option, done.stdout)
        self.assertIn("sinew deform fox.glb -o run%04d.ply --animation Run --fps 24", done.stdout)

    @needs("mandoc")
    def test_sound(self):
        for page in self.pages:
            done = shell("mandoc", "-T", "lint", "-W", "warning", self.path("man1", page))
            complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(complaints, [], page)


class Completions(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in ("bash", "zsh", "fish"):
            self.succeeds("completions", name, "-o", self.path(name))
            self.assertEqual(self.succeeds("completions", name).out, read(self.path(name)))
        self.write("fox.glb", "")

    def check(self, complete):
        """complete(words) gives what the last of them can become."""
        self.assertEqual(complete("sinew", "de"), ["deform"])
        self.assertEqual(complete("sinew", "validate", "--form"), ["--format"])
        self.assertEqual(complete("sinew", "validate", "--format", ""), ["json", "sarif", "text"])
        self.assertEqual(complete("sinew", "explain", "ACCESSOR_TOO_L"), ["ACCESSOR_TOO_LONG"])
        self.assertEqual([word for word in complete("sinew", "") if word[0] != "-"], sorted(commands()))

    def check_options(self, complete):
        for command in commands():
            self.assertLessEqual(set(options_of(command)), set(complete("sinew", command, "--")), command)

    @needs("bash")
    def test_bash(self):
        def complete(*words):
            script = f'source "$0"; COMP_WORDS=({" ".join(word or chr(39) * 2 for word in words)}); COMP_CWORD={len(words) - 1}; _sinew; printf "%s\\n" "${{COMPREPLY[@]}}"'
            done = shell("bash", "-c", script, self.path("bash"))
            self.assertEqual(done.stderr, "")
            return sorted(done.stdout.split())

        self.check(complete)
        self.check_options(complete)
        self.assertEqual(complete("sinew", "validate", "--format", "=", "j"), ["json"])

    @needs("fish")
    def test_fish(self):
        def complete(*words):
            done = shell("fish", "--no-config", "-c", f"source {self.path('fish')}; complete -C '{' '.join(words)}'", cwd=self.folder,
                         env={**os.environ, "HOME": self.folder})
            self.assertEqual(done.stderr, "")
            return sorted({line.split("\t")[0] for line in done.stdout.splitlines()} - {"fox.glb", "bash", "zsh", "fish"})

        self.check(complete)
        self.check_options(complete)

    @needs("zsh")
    def test_zsh(self):
        for command in commands():
            self.assertEqual([option for option in options_of(command) if option not in read(self.path("zsh"))], [], command)
        self.assertEqual(shell("zsh", "-n", self.path("zsh")).stderr, "")
        os.mkdir(self.path("functions"))
        os.rename(self.path("zsh"), self.path("functions", "_sinew"))
        # A shell on a terminal of its own; what a press of Tab offers is noted instead of shown.
        self.write("rc.zsh", r"""
PS1=; unsetopt beep; fpath=($FUNCTIONS $fpath); autoload -U compinit; compinit -D -u
compadd() {
  case "$*" in *-[OAD]*) builtin compadd "$@"; return ;; esac
  local -a offered; builtin compadd -A offered "$@"; print -rl -- $offered >> $OUT
}
note() { : > $OUT; zle complete-word; print -r -- END >> $OUT; zle kill-whole-line; }
zle -C complete-word complete-word _main_complete; zle -N note; bindkey '^T' note
print READY > $OUT
""")
        out = self.path("offered")
        mine, terminal = pty.openpty()
        running = subprocess.Popen(["zsh", "-f", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, cwd=self.folder,
                                   env={**os.environ, "FUNCTIONS": self.path("functions"), "OUT": out, "TERM": "dumb"})
        os.close(terminal)
        threading.Thread(target=drain, args=[mine], daemon=True).start()
        self.addCleanup(lambda: (running.kill(), running.wait()))

        def ask(keys, end):
            os.write(mine, keys.encode())
            for _ in range(600):
                if os.path.exists(out) and read(out).endswith(end + "\n"):
                    offered = read(out).split()[:-1]
                    os.remove(out)
                    return offered
                time.sleep(0.05)
            self.fail(f"zsh does not answer {keys!r}")

        ask("source rc.zsh\n", "READY")
        self.check(lambda *words: sorted(set(ask(" ".join(words) + "\x14", "END"))))


class Doctor(ProgramTest):
    def test_tells_where_it_runs(self):
        told = json.loads(self.succeeds("doctor", "--json").out)
        self.assertEqual(told["kernels"][-1], "plain")
        self.assertGreaterEqual(told["cores"], 1)
        self.assertGreater(told["memory"], told["memoryAvailable"])
        text = self.succeeds("doctor").out
        for word in ("build", "kernel", "cores", "memory", "pictures"):
            self.assertIn(word, text)
        self.assertIn("--max-memory", self.succeeds("doctor", "--max-memory", "900T").out)

    def test_version_tells_build_and_kernel(self):
        kernel = json.loads(sinew("doctor", "--json").out)["kernels"][0]
        self.assertRegex(self.succeeds("-V").out, rf"^sinew \d+\.\d+\.\d+ \(\S+ [\d.]+, kernel {kernel}\)\n$")


if __name__ == "__main__":
    main()
