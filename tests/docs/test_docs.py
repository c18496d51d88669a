# SPDX-License-Identifier: MIT
"""The pages are true: runs their commands, compares the C++ example with the compiled one, and checks that samples and numbers are
current."""
import argparse
import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "samples/README.md", "docs/semantics.md", "docs/avatars.md", "docs/robustness.md", "docs/formats.md", "docs/poses.md", "docs/validate.md", "docs/scale.md", "docs/tutorial.md", "docs/guides.md", "docs/bounds.md", "docs/datasets.md", "docs/caches.md", "docs/compare.md", "docs/merge.md", "docs/flex.md", "docs/lift.md", "docs/rebind.md", "docs/repair.md", "docs/optimize.md", "docs/skeletons.md", "docs/render.md", "docs/slice.md", "CONTRIBUTING.md", "docs/install.md", "docs/c.md", "docs/cpp.md"]
OPTIONS = None


def blocks(text, language):
    """Returns the contents of ```language blocks."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def commands(block):
    """Returns (command, expected output) of a console block: `$ command`, then its output."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        lines = part.split("\n")
        command = lines.pop(0)
        found.append((command, "\n".join(lines).rstrip("\n")))
    return found


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


class Shell:
    """A folder with the program, the example and the samples, in which the commands of one page run one after the other."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        root = Path(self.temporary.name)
        self.folder, programs = root / "here", root / "bin"
        self.folder.mkdir()
        programs.mkdir()
        (programs / "sinew").symlink_to(OPTIONS.sinew)
        (programs / "deform_file").symlink_to(OPTIONS.example)
        (programs / "deform_file_c").symlink_to(OPTIONS.example_c)
        (programs / "tasks").symlink_to(Path(OPTIONS.example).with_name("example_tasks"))
        (self.folder / "samples").symlink_to(ROOT / "samples")
        path = os.pathsep.join([str(programs), os.path.dirname(sys.executable), os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=self.environment)
        return done.stdout.rstrip("\n")


class Pages(unittest.TestCase):
    def test_shown_commands_print_what_is_shown(self):
        ran = 0
        for page in PAGES:
            with Shell() as shell:
                for block in blocks(text_of(page), "console"):
                    for command, expected in commands(block):
                        with self.subTest(page=page, command=command):
                            self.assertEqual(shell.run(command), expected)
                            ran += 1
        self.assertGreaterEqual(ran, 5)

    def test_page_of_cpp_shows_the_compiled_example(self):
        source = text_of("examples/deform_file.cpp").split("\n", 1)[1]
        shown, *tasks = blocks(text_of("docs/cpp.md"), "cpp")
        self.assertEqual(shown, source)
        compiled = text_of("examples/tasks.cpp")
        self.assertGreaterEqual(len(tasks), 8)
        for task in tasks:
            self.assertIn("".join("  " + line if line.strip() else line for line in task.splitlines(True)), compiled)

    def test_bending_a_neck_takes_fifteen_lines(self):
        body = re.search(r"^sinew::Result.*?^}$", text_of("examples/bend_neck.cpp"), re.M | re.S)[0]
        self.assertLessEqual(len(body.splitlines()), 15)
        example = Path(OPTIONS.example).with_name("example_bend_neck")
        ran = subprocess.run([example, ROOT / "samples/show/figure.gltf", "Walk", "0.3", "Neck"], capture_output=True, text=True)
        self.assertRegex(ran.stdout, r"^\d{3,} vertices\n$")
        ran = subprocess.run([example, ROOT / "samples/show/figure.gltf", "Walk", "0.3", "Nek"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("Neck", ran.stderr)

    def test_tutorial_says_how_long_the_example_is(self):
        lines = [line for line in text_of("examples/deform_file.cpp").splitlines() if line]
        said = int(re.search(r"in about (\d+) lines", text_of("docs/tutorial.md"))[1])
        self.assertLess(abs(len(lines) - said), 6)

    def test_tutorial_shows_the_shader_that_is_run(self):
        self.assertEqual(blocks(text_of("docs/tutorial.md"), "glsl"), [text_of("examples/skinning.vert")])

    def test_readme_begins_with_tasks(self):
        text = text_of("README.md")
        self.assertLessEqual(len(text.splitlines()), 130)
        for command in ("make demo", "make test"):
            self.assertIn(f"\n{command} ", text)
        self.assertGreaterEqual(len(blocks(text.split("## Install")[0], "console")), 3)
        self.assertLess(text.index("sinew merge"), text.index("dimensions"))

    def test_guides_show_the_workflow_that_can_be_copied(self):
        self.assertEqual(blocks(text_of("docs/guides.md"), "yaml"), [text_of("examples/ci/validate-models.yml")])

    def test_installing_shows_the_project_that_is_installed(self):
        source = text_of("examples/installed/CMakeLists.txt").split("\n", 2)[2]
        self.assertEqual(blocks(text_of("docs/install.md"), "cmake")[0], source)

    def test_steps_of_the_page_on_validating_run(self):
        [steps] = blocks(text_of("docs/validate.md"), "yaml")
        lines = re.findall(r"^- run: (.*)$", steps, re.M)
        self.assertEqual(len(lines), 2)
        with Shell() as shell:
            shell.run("mkdir assets && cp samples/gltf/simple_skin.gltf assets")
            for line in lines:
                self.assertIn("status 0", shell.run(f"{line}; echo status $?"))
            self.assertRegex(shell.run("cat sinew.sarif"), r'"version": ?"2.1.0"')
            shell.run("""sed -i 's/"skeleton": 1/"skeleton": 7/' assets/simple_skin.gltf""")
            self.assertEqual([shell.run(f"({line}) >/dev/null; echo status $?") for line in lines], ["status 1", "status 0"])
            self.assertIn("UNRESOLVED_REFERENCE", shell.run("cat sinew.sarif"))

    def test_the_workflow_says_what_is_not_set(self):
        fetch = re.search(r"^        run: (apt-get.*)$", text_of("examples/ci/validate-models.yml"), re.M)[1]
        with Shell() as shell:
            for name in ("apt-get", "git", "make"):
                (shell.folder.parent / "bin" / name).symlink_to("/bin/true")
            self.assertIn("SINEW_REPOSITORY: is not set", shell.run(f"SINEW_REPOSITORY= sh -c '{fetch}'"))
            self.assertEqual(shell.run(f"SINEW_REPOSITORY=x sh -c '{fetch}'; echo status $?"), "status 0")

    def test_the_array_job_of_the_page_on_many_files_runs(self):
        [job] = blocks(text_of("docs/scale.md"), "bash")
        tasks = 3
        with Shell() as shell:
            shell.run("mkdir models && cp samples/gltf/simple_skin.gltf samples/gltf/morph_cube.gltf models")
            (shell.folder / "job.sh").write_text(job)
            for k in range(1, tasks + 1):
                self.assertEqual(shell.run(f"SLURM_ARRAY_TASK_ID={k} SLURM_ARRAY_TASK_COUNT={tasks} bash job.sh; echo status $?"), "status 0")
            for command in ("validate", "convert"):
                line = re.search(rf"`(sinew summarize results/{command}[^`]*)`", text_of("docs/scale.md"))[1]
                self.assertRegex(shell.run(f"{line}; echo status $?"), rf"(?s)^{command}  2 files \(2 (checked|written)\).*status 0$")

    def test_pages_of_the_page_on_viewing_are_written(self):
        lines = [line for block in blocks(text_of("docs/view.md"), "sh") for line in block.splitlines() if "--export" in line]
        self.assertEqual(len(lines), 2)
        with Shell() as shell:
            for line in lines:
                said = shell.run(line)
                if "has no page" in said:
                    self.skipTest(said)
                self.assertRegex(said, r"(?m)^\w+\.html: \d\.\d MB$")
                self.assertIn("<html", shell.run(f"cat {line.split('--export ')[1].split()[0]}"))

    def test_servers_of_the_page_on_viewing_answer(self):
        lines = [line for line in blocks(text_of("docs/view.md"), "sh")[0].splitlines() if "--export" not in line]
        self.assertEqual(len(lines), 4)
        with Shell() as shell:
            for line in lines:
                line = line.replace("--no-open", "").replace("--port 8080", "") + " --no-open --port 0"  # no browser, and a port that is free
                with self.subTest(line=line), subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=shell.folder, env=shell.environment, text=True,
                                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
                    address = running.stdout.readline().strip()
                    page = urllib.request.urlopen(address).read() if address else b""
                    running.kill()
                    said = running.communicate()[1]
                    if "has no page" in said:
                        self.skipTest(said)
                    self.assertIn(b"<html", page, said)

    def test_pose_of_the_page_on_poses_is_read(self):
        [pose] = blocks(text_of("docs/poses.md"), "json")
        offsets = struct.pack("<9f", 1, 0, 0, 1, 0, 0, 1, 0, 0)
        point = {"attributes": {"POSITION": 0}, "mode": 0}
        face, other = ({"primitives": [{**point, "targets": [{"POSITION": 0}] * count}]} for count in (2, 3))
        face["extras"] = {"targetNames": ["smile", "blink"]}
        nodes = [{"name": f"n{i}"} for i in range(8)]
        nodes[1]["name"], nodes[2]["name"] = "Upper", "Face"
        nodes[1]["children"], nodes[2]["mesh"], nodes[7]["mesh"] = [2], 0, 1
        model = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1, 3, 4, 5, 6, 7]}], "scene": 0, "nodes": nodes, "meshes": [face, other],
                 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [1, 0, 0], "max": [1, 0, 0]}],
                 "bufferViews": [{"buffer": 0, "byteLength": 36}],
                 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + base64.b64encode(offsets).decode()}]}
        with Shell() as shell:
            (shell.folder / "rig.gltf").write_text(json.dumps(model))
            (shell.folder / "page.pose.json").write_text(pose)
            self.assertEqual(shell.run("sinew deform rig.gltf --pose page.pose.json -o out.npy -q"), "")
            rows = np.load(shell.folder / "out.npy")
        # Face: 1 + smile 0.5 + blink 1 along x, turned by a quarter with Upper; node 7: 1 + its third shape.
        np.testing.assert_allclose(rows, [[0, 2.5, 0]] * 3 + [[2, 0, 0]] * 3, atol=1e-6)

    def test_snippet_of_the_page_on_speed_compiles(self):
        [snippet] = blocks(text_of("docs/performance.md"), "cpp")
        headers = "".join(line + "\n" for line in snippet.splitlines() if line.startswith("#"))
        body = snippet.replace(headers, "")
        given = ("std::size_t vertices, std::vector<float> positions, std::vector<std::uint8_t> joints, std::vector<float> weights, "
                 "std::vector<float>& out, const std::vector<sinew::Affine>& maps")
        done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", "-x", "c++", "-"], capture_output=True, text=True,
                              input=f"{headers}#include <vector>\nvoid f({given}) {{\n{body}\n}}\n")
        self.assertEqual(done.returncode, 0, done.stderr[:2000])

    def test_page_of_c_shows_the_compiled_example(self):
        source = text_of("examples/deform_file.c").split("\n", 1)[1]
        program, files, _, memory, _ = blocks(text_of("docs/c.md"), "c")
        self.assertEqual(program, source)
        for callbacks in (files, memory):
            self.assertIn(callbacks, text_of("tests/c/test_c.c"))

    def test_page_of_engines_shows_compiled_code(self):
        shown = blocks(text_of("docs/engines.md"), "cpp")
        self.assertEqual(len(shown), 2)
        for code in shown:
            self.assertIn(code, text_of("tests/unit/door/memory_test.cpp"))

    def test_every_target_that_a_page_names_exists(self):
        targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.M))
        named = {name for page in PAGES for name in re.findall(r"\bmake ([a-z-]+)`", text_of(page))}
        named |= set(re.findall(r"^make ([a-z-]+)", text_of("CONTRIBUTING.md"), re.M))
        self.assertGreaterEqual(len(named), 4)
        self.assertLessEqual(named, targets)


def findings_page():
    done = subprocess.run([OPTIONS.sinew, "explain", "--all", "--format", "markdown"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


class Findings(unittest.TestCase):
    def test_the_page_is_what_the_program_explains(self):
        self.assertTrue(text_of("docs/findings.md") == findings_page(), "docs/findings.md: run tests/docs/test_docs.py --update")


def update():
    """Writes the output of the commands into the pages; review it before you commit it."""
    (ROOT / "docs/findings.md").write_text(findings_page(), encoding="utf-8")
    for page in PAGES:
        with Shell() as shell:
            def rewrite(block):
                shown = "".join(f"$ {command}\n" + (f"{output}\n" if (output := shell.run(command)) else "") for command, _ in commands(block[1]))
                return f"```console\n{shown}```"
            text = re.sub(r"^```console\n(.*?)^```$", rewrite, text_of(page), flags=re.M | re.S)
        (ROOT / page).write_text(text, encoding="utf-8")


class Samples(unittest.TestCase):
    def test_are_what_the_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "scripts" / "make_samples.py", folder], check=True)
            fresh = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        stored = {path.name: path.read_bytes() for path in (ROOT / "samples" / "gltf").iterdir()}
        self.assertGreaterEqual(len(fresh), 4)
        self.assertEqual(sorted(fresh), sorted(stored))
        for name, content in fresh.items():
            self.assertTrue(content == stored[name], f"{name} differs from what scripts/make_samples.py writes")

    def test_pieces_to_merge_are_what_their_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "scripts" / "make_merge_samples.py", folder], check=True)
            fresh = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        self.assertEqual(sorted(fresh), ["body.gltf", "shirt.gltf", "wig.gltf"])
        for name, content in fresh.items():
            self.assertTrue(content == (ROOT / "samples" / "merge" / name).read_bytes(), f"{name} differs from what scripts/make_merge_samples.py writes")

    def test_have_the_numbers_that_the_page_lists(self):
        rows = re.findall(r"^\| (\w+\.gltf) \|(?: `([^`]*)`)? \| (\d+) \| (\S+) \| (\S+) \| (\S+) \|", text_of("samples/README.md"), re.M)
        self.assertGreaterEqual(len(rows), 8)
        for file, options, vertex, *numbers in rows:
            with self.subTest(file=file, options=options, vertex=vertex), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out.npy")
                subprocess.run([OPTIONS.sinew, "deform", ROOT / "samples" / "gltf" / file, "-o", out, "-q", *options.split()], check=True)
                np.testing.assert_allclose(np.load(out)[int(vertex)], [float(n) for n in numbers], atol=1e-6)


class Demo(unittest.TestCase):
    def test_shows_the_bent_tip(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "demo", OPTIONS.sinew, folder], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            [shown] = blocks(text_of("docs/install.md"), "text")[:1]
            self.assertIn(shown, done.stdout)
            self.assertIn("(-1.000, 1.500, 0.000)", done.stdout)  # t = 1.375 s
            self.assertIn("(1.000, 0.500, 0.000)", done.stdout)  # t = 4.125 s
            self.assertGreaterEqual(len(list(Path(folder).glob("*.glb"))), 6)
            self.assertEqual(np.load(Path(folder) / "swing.npy").shape, (56, 10, 3))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinew", required=True, type=os.path.abspath)
    parser.add_argument("--example", required=True, type=os.path.abspath)
    parser.add_argument("--example-c", required=True, type=os.path.abspath)
    parser.add_argument("--shared")
    parser.add_argument("--update", action="store_true", help="write the pages' outputs anew instead of comparing them")
    OPTIONS, rest = parser.parse_known_args()
    if OPTIONS.update:
        sys.exit(update())
    unittest.main(argv=[sys.argv[0], *rest])
