# SPDX-License-Identifier: MIT
"""Poses a character at random a thousand times and shows how fast its vertices move: random_poses.py MODEL PICTURE.png [POSES]"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import sinew

# %% The character, and a deformer that packs its meshes once
model = sinew.load(sys.argv[1])
deformer = sinew.Deformer(model)
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
fps = 30.0

# %% A random walk of every joint: unit quaternions near no rotation, each moment a little on from the last
random = np.random.default_rng(1)
joints = sorted({joint for skin in model.skins for joint in skin.joints if joint is not None})
steps = random.normal(0, 0.03, (count, len(joints), 3))
angles = np.zeros_like(steps)
for frame in range(1, count):
    angles[frame] = 0.98 * angles[frame - 1] + steps[frame]
half = angles / 2
quaternions = np.concatenate([half, np.ones((count, len(joints), 1))], axis=2)  # (x, y, z, w)
quaternions /= np.linalg.norm(quaternions, axis=2, keepdims=True)

# %% All poses into one array: (poses, vertices, 3)
rotations = np.zeros((count, len(model.nodes), 4))
rotations[..., 3] = 1  # nodes that are no joints do not turn
rotations[:, joints] = quaternions
positions = deformer.positions({"rotation": rotations})
print(f"{positions.shape[0]} poses of {positions.shape[1]} vertices: {positions.nbytes / 1e6:.0f} MB")

# %% Speed of the vertices, in metres per second
speed = np.linalg.norm(np.diff(positions, axis=0), axis=2) * fps
print(f"median {np.median(speed):.2f} m/s, fastest {speed.max():.2f} m/s")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
rest = deformer.positions(model.pose())
shown = left.scatter(rest[:, 0], rest[:, 1], c=speed.mean(axis=0), s=3, cmap="viridis")
left.set(aspect="equal", xlabel="x in metres", ylabel="y in metres", title="mean speed of each vertex, at rest")
figure.colorbar(shown, ax=left, label="metres per second")
seconds = np.arange(len(speed)) / fps
for percent in (50, 90, 99):
    right.plot(seconds, np.percentile(speed, percent, axis=1), linewidth=0.8, label=f"{percent} % are slower")
right.set(xlabel="seconds", ylabel="metres per second", title="over time")
right.legend()
plt.savefig(sys.argv[2], dpi=80)
