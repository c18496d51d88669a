# SPDX-License-Identifier: MIT
"""A file compressed by EXT_meshopt_compression and its twin with KHR_meshopt_compression, whose streams include those of the former."""
import json
import os

import numpy as np

from program import SETTINGS, ProgramTest, main, sinew

EXT, KHR = b"EXT_meshopt_compression", b"KHR_meshopt_compression"
FOX = ("corpus", "d_fox_meshopt", "d_fox_meshopt.glb")


class Meshopt(ProgramTest):
    def setUp(self):
        super().setUp()
        fox = os.path.join(SETTINGS.shared or "", *FOX)
        if not os.path.exists(fox):
            self.skipTest(f"no {fox} (--shared FOLDER)")
        with open(fox, "rb") as file:
            self.content = file.read()
        self.assertGreater(self.content.count(EXT), 10)
        self.ext, self.khr = self.write("ext.glb", self.content), self.write("khr.glb", self.content.replace(EXT, KHR))

    def test_twins_deform_equal(self):
        for clip, time in [(None, 0), (0, 0.3), (1, 0.5), (2, 0.9)]:
            options = [] if clip is None else ["--animation", str(clip), "--time", str(time)]
            rows = [self.deform(file, *options) for file in (self.ext, self.khr)]
            self.assertGreater(len(rows[0]), 1000)
            np.testing.assert_array_equal(*rows)

    def test_twins_have_equal_reports(self):
        reports = [json.loads(sinew("validate", "--format", "json", file).out) for file in (self.ext, self.khr)]
        for report in reports:
            self.assertIn("UNSUPPORTED_EXTENSION", [message["code"] for message in report["issues"]["messages"]])
        for part in ("issues", "modelIssues"):
            ext, khr = (json.dumps(report[part]) for report in reports)
            self.assertEqual(ext.replace(EXT.decode(), KHR.decode()), khr)

    def test_a_broken_stream_is_an_error_with_its_place(self):
        length = int.from_bytes(self.content[12:16], "little")
        broken = bytearray(self.content.replace(EXT, KHR))
        views = json.loads(broken[20:20 + length])["bufferViews"]
        for view in views:
            broken[28 + length + view["extensions"][KHR.decode()].get("byteOffset", 0)] = 0x55
        model = self.write("broken.glb", bytes(broken))
        ran = self.fails(3, "deform", model, "-o", self.path("out.npy"), says=["/bufferViews/", "GLTF_MESHOPT_INVALID", "at byte 0"])
        self.assertIn(KHR.decode(), ran.err)
        report = json.loads(sinew("validate", "--format", "json", model).out)
        found = [message["pointer"] for message in report["modelIssues"]["messages"] if message["code"] == "GLTF_MESHOPT_INVALID"]
        self.assertEqual(len(set(found)), len(views))


if __name__ == "__main__":
    main()
