# SPDX-License-Identifier: MIT
"""Adapter of Sinew's Python module."""
import sys

import numpy as np
import sinew

for model_path, clip, time, attribute, output in zip(*[iter(sys.argv[1:])] * 5):
    try:
        model = sinew.load(model_path)
        pose = model.pose()
        if clip != "-":
            pose.sample(int(clip), float(time))
        deformer = sinew.Deformer(model, normals=attribute == "normal", tangents=attribute == "tangent")
        np.save(output, getattr(deformer, attribute + "s")(pose))
    except sinew.Error as error:
        with open(output + ".txt", "w", encoding="utf-8") as file:
            file.write(f"failed: {error}")
