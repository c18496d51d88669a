# SPDX-License-Identifier: MIT
"""Commands that draw do so in a child process: where the driver of OpenGL ends it, the program says so, and signals reach it."""
import os
import resource
import signal
import subprocess
import time

from program import DONE, INPUT, PATIENCE, ROOT, SETTINGS, UNSUPPORTED, ProgramTest, main, sinew

SKIN = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")


class DrawingProcess(ProgramTest):
    def setUp(self):
        super().setUp()
        if sinew("render", SKIN, "-o", self.path("first.png"), "--size", "16x12").status == UNSUPPORTED:
            self.skipTest("no OpenGL on this machine")

    def test_the_end_of_memory_in_the_driver_is_a_message(self):
        if PATIENCE > 1:
            self.skipTest("a sanitizer needs more address space than these limits allow")
        for kilobytes in range(340_000, 440_000, 8_000):
            out = self.path("o.png")
            ran = subprocess.run([SETTINGS.sinew, "render", SKIN, "-o", out, "--size", "64x48"], capture_output=True, text=True, check=False,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes << 10, kilobytes << 10)))
            with self.subTest(kilobytes=kilobytes):
                self.assertIn(ran.returncode, (DONE, INPUT, UNSUPPORTED), ran.stderr)
                self.assertEqual(os.path.exists(out), ran.returncode == DONE)
                lines = [line for line in ran.stderr.splitlines() if line.startswith("sinew: ") and not line.startswith("sinew: warning")]
                self.assertEqual(len(lines), ran.returncode != DONE, ran.stderr)
            if os.path.exists(out):
                os.remove(out)

    def test_a_signal_ends_the_child_first_and_leaves_no_frame(self):
        before = self.listing()
        process = subprocess.Popen([SETTINGS.sinew, "render", SKIN, "-o", self.path("f%05d.png"), "--animation", "0", "--frames", "50000", "-q"])
        deadline = time.monotonic() + 30 * PATIENCE
        while time.monotonic() < deadline and len(self.listing()) == len(before):
            time.sleep(0.05)
        self.assertGreater(len(self.listing()), len(before))
        children = self.children(process.pid)
        self.assertEqual(len(children), 1)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), -signal.SIGTERM)
        while time.monotonic() < deadline and self.listing() != before:
            time.sleep(0.05)
        self.assertEqual(self.listing(), before)
        self.assertFalse(os.path.exists(f"/proc/{children[0]}"))

    def listing(self):
        return sorted(os.listdir(self.path("")))

    @staticmethod
    def children(pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()


if __name__ == "__main__":
    main()
