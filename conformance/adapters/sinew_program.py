# SPDX-License-Identifier: MIT
"""Adapter of the program `sinew`; SINEW names it (default: sinew on the PATH)."""
import os
import subprocess
import sys

for model, clip, time, attribute, output in zip(*[iter(sys.argv[1:])] * 5):
    options = [] if clip == "-" else ["--animation", clip, "--time", time]
    command = [os.environ.get("SINEW", "sinew"), "deform", model, "-o", output, "--attribute", attribute, "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        with open(output + ".txt", "w", encoding="utf-8") as file:
            file.write("failed: " + done.stderr.strip().splitlines()[0])
