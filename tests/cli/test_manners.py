# SPDX-License-Identifier: MIT
"""Scripts, pipes and odd names must not cause wrong results."""
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
        self.assertIn("?[31mSwing?", ran.out)

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
