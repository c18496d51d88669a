# SPDX-License-Identifier: MIT
"""Scripts, pipes and odd names must not cause wrong results."""
import json
import os
import subprocess

from program import DONE, INPUT, OUTPUT, ROOT, SETTINGS, USAGE, ProgramTest, main, sinew

SKIN = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
CUBE = os.path.join(ROOT, "samples", "gltf", "morph_cube.gltf")


class Manners(ProgramTest):
    def test_empty_values_are_no_values(self):
        for option in ("--animation", "--pose", "--debug-joint", "--attribute", "--blend", "--output"):
            with self.subTest(option=option):
                output = [] if option == "--output" else ["-o", self.path("x.npy")]
                self.fails(USAGE, "deform", SKIN, *output, option, "")
        self.fails(USAGE, "info", "")

    def test_an_error_stream_that_is_closed_or_full_fails_nothing(self):
        out = self.path("x.npy")
        for redirection in ("2>&-", "2>/dev/full"):
            with self.subTest(redirection=redirection):
                done = subprocess.run(["sh", "-c", f'"$0" deform "$1" -o "$2" {redirection}', SETTINGS.sinew, SKIN, out])
                self.assertEqual(done.returncode, DONE)
                self.assertTrue(os.path.exists(out))

    def test_info_into_a_full_device_is_an_output_error(self):
        done = subprocess.run(["sh", "-c", '"$0" info "$1" >/dev/full', SETTINGS.sinew, SKIN], capture_output=True, text=True)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_common_options_before_the_command_are_told_their_place(self):
        self.fails(USAGE, "--threads", "2", "info", SKIN, says="after the command")

    def test_names_in_files_cannot_steer_the_terminal(self):
        with open(SKIN, encoding="utf-8") as file:
            text = file.read().replace('"Swing"', '"\\u001b[31mSwing\\n"')
        ran = self.succeeds("info", self.write("odd.gltf", text))
        self.assertNotIn("\x1b", ran.out)
        self.assertIn(r"\u001b[31mSwing\u000a", ran.out)

    def test_characters_that_terminals_obey_or_hide_are_escaped(self):
        """C1 controls, marks for the direction of text, and separators of lines: in text, JSON, lines of JSON, messages and file names."""
        odd = "".join(map(chr, (0x80, 0x9B, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202E, 0x2066, 0x2069)))
        with open(SKIN, encoding="utf-8") as file:
            text = file.read().replace('"Swing"', f'"Sw{odd}ing ü 中 😀"')
        model = self.write(f"odd{odd}.gltf", text)
        shown = "Sw" + "".join(f"\\u{ord(c):04x}" for c in odd) + "ing ü 中 😀"
        for words in (["info"], ["info", "--json"], ["validate"], ["validate", "--format", "json"], ["validate", "--jsonl"],
                      ["deform", "-o", self.path("no", "folder.npy")]):
            with self.subTest(words=words):
                ran = sinew(words[0], model, *words[1:])
                for c in odd:
                    self.assertNotIn(c, ran.out + ran.err)
                if words[0] == "info":
                    self.assertIn(shown, ran.out)
        named = json.loads(sinew("info", "--json", model).out)
        self.assertIn(f"Sw{odd}ing ü 中 😀", [clip["name"] for clip in named["animations"]])

    def test_a_name_of_bytes_that_are_no_text(self):
        with open(os.path.join(self.folder.encode(), b"odd\x9b\xff.glb"), "wb") as file:
            file.write(b"no model")
        done = subprocess.run([SETTINGS.sinew.encode(), b"info", file.name], capture_output=True)
        self.assertEqual(done.returncode, INPUT)
        self.assertIn(rb"odd\x9b\xff.glb", done.stderr)

    def test_sizes(self):
        model = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4b")
        for size in ("1G", "1 G", "1.5 GiB", "1024m", "15E", "0.001E", "3000000000"):
            with self.subTest(size=size):
                self.succeeds("info", model, "--max-memory", size)
                self.succeeds("info", model, "--limit", f"memory={size}")
        for size in ("16E", "99999999999E", "1GG", "1 iB", "-1", "0", "0.5", "G", "", "1e9", "nan", "inf", "0x10", "1  G", "1G "):
            with self.subTest(size=size):
                self.fails(USAGE, "info", model, "--max-memory", size, says="is not a size" if size else "--max-memory")

    def test_a_long_uri_is_cut_in_messages(self):
        text = json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": "../" + "u" * (4 << 20), "byteLength": 4}]})
        ran = sinew("validate", self.write("long.gltf", text))
        self.assertIn(" … ", ran.out)
        self.assertLess(len(ran.out), 20000)

    def test_patterns_for_frames(self):
        clip = ["--animation", "0", "--frames", "2"]
        self.succeeds("deform", SKIN, "-o", self.path("a%d.ply"), *clip)
        self.succeeds("deform", SKIN, "-o", self.path("b%5d.ply"), *clip)
        for name in ("a0.ply", "a1.ply", "b00000.ply", "b00001.ply"):
            self.assertTrue(os.path.exists(self.path(name)), name)
        self.fails(USAGE, "deform", SKIN, "-o", self.path("%d_%d.ply"), *clip, says="only one pattern")
        self.fails(USAGE, "deform", SKIN, "-o", self.path("c%-3d.ply"), *clip)

    def test_attributes_that_nothing_has(self):
        for attribute in ("normal", "tangent", "texcoord"):
            self.fails(USAGE, "deform", SKIN, "-o", self.path("x.npy"), "--attribute", attribute, says="no mesh of the scene")

    def test_contradictions_in_a_pose_file(self):
        for text in (
            '{"nodes": {"Upper": {"rotation": [0,0,1,0]}, "2": {"translation": [0,3,0]}}}',
            '{"nodes": {"Upper": {"rotation": [0,0,1,0], "rotor": [1,0,0,0]}}}',
            '{"nodes": {"Upper": {"position": [0,0,1], "translation": [1,0,0]}}}',
            '{"nodes": {"Upper": {"basis": [1,0,0,0,1,0,0,0,1], "scale": [1,2,1]}}}',
            '{"nodes": {"Upper": {"matrix": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], "translation": [1,2,1]}}}',
        ):
            with self.subTest(text=text):
                self.fails(INPUT, "deform", SKIN, "-o", self.path("x.npy"), "--pose", self.write("pose.json", text), says="/nodes/")

    def test_model_and_pose_cannot_both_be_standard_input(self):
        self.fails(USAGE, "deform", "-", "--pose", "-", "-o", self.path("x.npy"), says="standard input")

    def test_shapes_with_colons(self):
        with open(CUBE, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('"Stretch"', text)
        path = self.write("colons.gltf", text.replace('"Stretch"', '"x:y"'))
        expected = self.deform(CUBE, "--blend", "Stretch=1")
        ran = sinew("info", path, "--json")
        self.assertEqual(ran.status, DONE)
        for name in ("x:y", "0:x:y"):
            with self.subTest(name=name):
                self.assertTrue((self.deform(path, "--blend", f"{name}=1") == expected).all())


if __name__ == "__main__":
    main()
