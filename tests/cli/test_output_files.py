# SPDX-License-Identifier: MIT
"""Outputs are complete or absent: no partial file, no temporary file, and the old file is unchanged until the new one is complete."""
import os
import signal
import stat
import subprocess
import time
import unittest

import numpy as np

from program import INPUT, OUTPUT, SETTINGS, USAGE, ProgramTest, main, sinew

from gltf_builder import tutorial_skin


class OutputFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))
        broken = tutorial_skin()
        broken.json["accessors"][0]["count"] = 1000
        self.broken = broken.save(self.path("broken.glb"))
        vast = tutorial_skin()
        positions = np.zeros((10, 3), "<f4")
        positions[7] = 1e30
        vast.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = vast.accessor(positions, target=34962)
        scale = vast.accessor(np.array([[1, 1, 1], [1e12, 1, 1]], "<f4"))
        keys = vast.accessor(np.array([0, 1], "<f4"), bounds=True)
        vast.json["animations"] = [
            {"samplers": [{"input": keys, "output": scale}], "channels": [{"sampler": 0, "target": {"node": 2, "path": "scale"}}]}
        ]
        self.overflows_late = vast.save(self.path("vast.glb"))

    def listing(self):
        return sorted(os.listdir(self.folder))

    def test_a_failing_command_touches_nothing(self):
        for extension in ("npy", "glb", "gltf", "obj", "ply", "off"):
            out = self.path("kept." + extension)
            for arguments, status in (
                (["deform", self.broken], INPUT),
                (["deform", self.skin, "--animation", "Walk"], USAGE),
                (["deform", self.path("absent.glb")], INPUT),
                (["deform", self.overflows_late, "--animation", "0", "--time", "1"], INPUT),
            ):
                with self.subTest(extension=extension, arguments=arguments[2:]):
                    with open(out, "w", encoding="utf-8") as file:
                        file.write("precious")
                    before = self.listing()
                    self.fails(status, *arguments, "-o", out)
                    self.assertEqual(self.listing(), before)
                    with open(out, encoding="utf-8") as file:
                        self.assertEqual(file.read(), "precious")
                    os.remove(out)
                    self.fails(status, *arguments, "-o", out)
                    self.assertFalse(os.path.exists(out))

    def test_failing_in_the_middle_of_the_frames_leaves_no_npy(self):
        before = self.listing()
        self.fails(INPUT, "deform", self.overflows_late, "--animation", "0", "--frames", "5", "-o", self.path("out.npy"))
        self.assertEqual(self.listing(), before)

    def test_frames_appear_together_or_not_at_all(self):
        for name in ("run%02d.ply", "run%02d.obj", "run%02d.glb", "run%02d.off", "run%02d.g4tf"):
            with self.subTest(name):
                with open(self.path(name % 1), "w", encoding="utf-8") as file:
                    file.write("precious")
                before = self.listing()
                self.fails(INPUT, "deform", self.overflows_late, "--animation", "0", "--frames", "5", "-o", self.path(name))
                self.assertEqual(self.listing(), before)
                with open(self.path(name % 1), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "precious")
        clip = tutorial_skin().save(self.path("clip.glb"))
        before = self.listing()
        ran = sinew("deform", clip, "--animation", "0", "--frames", "100000", "-o", self.path("long%06d.ply"), "--max-seconds", "1")
        self.assertEqual(ran.status, INPUT, str(ran))
        self.assertIn("SINEW_DEADLINE", ran.err)
        self.assertEqual(self.listing(), before)

    def test_frames_of_an_interrupted_run(self):
        clip = tutorial_skin().save(self.path("clip.glb"))
        before = self.listing()
        process = subprocess.Popen([SETTINGS.sinew, "deform", clip, "--animation", "0", "--frames", "300000", "-o", self.path("long%06d.ply"), "-q"])
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and len(self.listing()) == len(before):
            time.sleep(0.05)
        self.assertGreater(len(self.listing()), len(before))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        while time.monotonic() < deadline and self.listing() != before:
            time.sleep(0.05)
        self.assertEqual(self.listing(), before)

    def test_frames_of_an_earlier_run(self):
        clip = tutorial_skin().save(self.path("clip.glb"))
        run = lambda frames: self.succeeds("deform", clip, "--animation", "0", "--frames", str(frames), "-o", self.path("run%02d.ply"))
        self.assertNotIn("earlier run", run(6).err)
        self.assertNotIn("earlier run", run(6).err)
        self.assertIn("3 frames of an earlier run are still there after frame 2", run(3).err)
        self.assertIn("1 frame of an earlier run is still there", run(5).err)
        self.assertEqual([f for f in self.listing() if f.startswith("run")], [f"run{n:02d}.ply" for n in range(6)])

    def test_success_leaves_the_result_alone(self):
        before = self.listing()
        for extension in ("npy", "glb", "obj", "ply", "off"):
            self.succeeds("deform", self.skin, "-o", self.path("out." + extension))
            before = sorted([*before, "out." + extension])
            self.assertEqual(self.listing(), before)

    def test_existing_files_are_replaced(self):
        out = self.path("out.npy")
        for _ in range(2):
            self.write("out.npy", "x" * 100000)
            self.succeeds("deform", self.skin, "-o", out)
            self.assertEqual(np.load(out).shape, (10, 3))

    def test_a_link_is_followed(self):
        os.mkdir(self.path("elsewhere"))
        target = self.path("elsewhere", "real.npy")
        with open(target, "w", encoding="utf-8") as file:
            file.write("old")
        os.symlink(target, self.path("link.npy"))
        self.succeeds("deform", self.skin, "-o", self.path("link.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(target).shape, (10, 3))

    def test_the_input_is_no_output(self):
        before = self.listing()
        self.fails(USAGE, "deform", self.skin, "-o", self.skin, "--animation", "Bend", "--time", "1", says="replace its own input")
        self.assertEqual(self.listing(), before)
        self.assertEqual(self.deform(self.skin).shape, (10, 3))

    def test_permissions_are_those_of_any_new_file(self):
        out = self.path("out.npy")
        self.succeeds("deform", self.skin, "-o", out)
        self.write("plain", "x")
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), stat.S_IMODE(os.stat(self.path("plain")).st_mode))

    def test_outputs_that_cannot_be_written(self):
        os.mkdir(self.path("folder.npy"))
        targets = [self.path("no", "such", "folder", "out.npy"), self.path("folder.npy"), os.path.join(self.skin, "out.npy")]
        targets += ["/dev/full/out.npy"] if os.path.exists("/dev/full") else []
        targets += ["/proc/out.npy"] if os.path.isdir("/proc") else []
        for target in targets:
            with self.subTest(target=target):
                before = self.listing()
                self.fails(OUTPUT, "deform", self.skin, "-o", target, says=target)
                self.assertEqual(self.listing(), before)

    def test_no_space_left(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        os.symlink("/dev/full", self.path("full.npy"))
        self.fails(OUTPUT, "deform", self.skin, "-o", self.path("full.npy"))

    def test_devices_are_written_directly(self):
        os.symlink("/dev/null", self.path("null.npy"))
        self.succeeds("deform", self.skin, "-o", self.path("null.npy"))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    @unittest.skipIf(os.geteuid() == 0, "root may write into read-only folders")
    def test_read_only_folder(self):
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), 0o500)
        self.fails(OUTPUT, "deform", self.skin, "-o", self.path("locked", "out.npy"))

    def test_no_partial_file_where_the_gltf_cannot_be_written(self):
        os.mkdir(self.path("out.gltf"))
        before = self.listing()
        self.fails(OUTPUT, "deform", self.skin, "-o", self.path("out.gltf"))
        self.assertEqual(self.listing(), before, "the buffer file must not stay behind")


if __name__ == "__main__":
    main()
