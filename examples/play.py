# SPDX-License-Identifier: MIT
"""Fades from one animation to another, holds a sword, moves by its steps, and is picked: play.py FIGURE"""
import sys

import numpy as np

import sinew

model = sinew.load(sys.argv[1])

# Cross-fade: in 15 frames the walk turns into a slow one. The hips stay; their movement is the root motion.
player = sinew.Player(model, ["Walk", {"clip": "Walk", "weight": 0, "speed": 0.5}], root="Hips")
moved = np.zeros(3)
for frame in range(1, 16):
    player.set_weight(0, 1 - frame / 15)
    player.set_weight(1, frame / 15)
    player.advance(1 / 60)
    moved += player.root_motion
print("times: {:.3f} and {:.3f} s".format(*(clip["seconds"] for clip in player.clips)))
print(f"root motion: {moved[1]:.3f} m up")

# A sword in the hand: draw its model with this matrix; its points go to points @ hand[:, :3].T + hand[:, 3].
hand = player.world("Hand.R")
print("right hand: {:.3f} {:.3f} {:.3f}".format(*hand[:, 3]))

# Pick: the material of the triangle, and the bone that moves its nearest corner most.
deformer = sinew.Deformer(model)
positions = deformer.positions(player.pose)
hit = deformer.hit(positions, [0, 1.3, 5], [0, 0, -1])
if hit is not None:
    triangle = hit["triangle"]
    surface = next(r for r in deformer.triangle_ranges() if triangle < r["first"] + r["count"])
    row = deformer.simplexes()[triangle][np.argmax(hit["barycentric"])]
    influences = deformer.influences()
    entries = slice(influences["first"][row], influences["first"][row + 1])
    bone = influences["nodes"][entries][np.argmax(influences["weights"][entries])]
    material = "no material" if surface["material"] is None else model.materials[surface["material"]].name
    print(f"picked: {material} of {model.nodes[bone].name}, {hit['distance']:.3f} m away")
