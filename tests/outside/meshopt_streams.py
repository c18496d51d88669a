# SPDX-License-Identifier: MIT
"""The decoder of KHR_meshopt_compression agrees with meshoptimizer to the bit, on streams of random data and on broken ones; a model that
meshoptimizer compresses again deforms equal."""
import argparse
import os
import struct
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import SETTINGS, ProgramTest, main

import node_tools

TEST = None  # the unit tests of the decoder


def setUpModule():
    node_tools.require()


def kinds_of(path):
    """The number of streams by kind: good, broken but decoded all the same, refused."""
    with open(path, "rb") as file:
        data = file.read()
    counts, at = [0, 0, 0], 0
    while at < len(data):
        kind, _, _, count, stride, length = struct.unpack_from("<6I", data, at)
        at += 24 + length + (count * stride if kind < 2 else 0)
        counts[kind] += 1
    return counts


class Streams(ProgramTest):
    def test_streams_of_random_data(self):
        for seed in (1, 2, 3):
            streams = self.path(f"{seed}.bin")
            node_tools.run("meshopt_streams.mjs", streams, str(seed), "60", "1200")
            self.assertGreater(kinds_of(streams)[2], 400)  # each must be an error of this decoder, too
            done = subprocess.run([TEST, "--gtest_filter=MeshoptStreams.EqualMeshoptimizers"], capture_output=True, text=True,
                                  env={**os.environ, "SINEW_MESHOPT_STREAMS": streams})
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("[  PASSED  ] 1 test.", done.stdout)

    def test_a_model_compressed_again_deforms_equal(self):
        fox, twin = os.path.join(SETTINGS.shared or "", "corpus", "d_fox_meshopt", "d_fox_meshopt.glb"), self.path("twin.glb")
        if not os.path.exists(fox):
            self.skipTest(f"no {fox} (--shared FOLDER)")
        streams = int(node_tools.run("meshopt_twin.mjs", fox, twin))
        self.assertGreaterEqual(streams, 8)
        for options in ([], ["--animation", "1", "--time", "0.4"], ["--animation", "2", "--time", "0.7"]):
            np.testing.assert_array_equal(self.deform(twin, *options), self.deform(fox, *options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--test", required=True)
    own, rest = parser.parse_known_args()
    TEST, sys.argv[1:] = own.test, rest
    main()
