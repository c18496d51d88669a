#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew merge --fit`: boots stand on the ground that the feet of the body stand on, and clothes lie below hair."""
import numpy as np

from program import ProgramTest, main
from test_dress_surface import NAMES, rig, skinned, tube

SIDES = (("left", 0.09), ("right", -0.09))


def bones(ankle):
    """Two legs with feet; `ankle`: the height of the ankles, 0.13 behind the balls of the feet."""
    out = [("hips", None, [0, 1, 0])]
    for side, x in SIDES:
        first = len(out)
        out += [(f"{side}UpperLeg", 0, [x, 0.9, 0]), (f"{side}LowerLeg", first, [x, 0.5, 0]), (f"{side}Foot", first + 1, [x, ankle, 0]),
                (f"{side}Toes", first + 2, [x, 0.02, 0.13])]
    return out


def foot(x, height, length, width, rings=12, around=24):
    """A dome with a flat sole at y = 0."""
    points, faces = [[x, 0, 0.06]], []
    for ring in range(1, 2 * rings):
        flat, up = min(1, ring / rings), max(0, ring - rings) / rings * np.pi / 2
        for t in 2 * np.pi * np.arange(around) / around:
            out = flat * np.cos(up)
            points.append([x + width * out * np.cos(t), height * np.sin(up), 0.06 + length * out * np.sin(t)])
    points.append([x, height, 0.06])
    row = lambda ring, k: 1 + ring * around + k % around
    for k in range(around):
        faces.append([0, row(0, k), row(0, k + 1)])
        for ring in range(2 * rings - 2):
            faces += [[row(ring, k), row(ring + 1, k), row(ring, k + 1)], [row(ring, k + 1), row(ring + 1, k), row(ring + 1, k + 1)]]
        faces.append([row(2 * rings - 2, k), len(points) - 1, row(2 * rings - 2, k + 1)])
    return np.array(points), np.array(faces)


def figure(ankle, shin, size, name, legs=None):
    """Legs and feet with toes. `size`: height, half a length and half a width of the feet; `legs`: the heights where they begin and end."""
    pieces = []
    for _, x in SIDES:
        points, faces = tube(shin, shin, *(legs or (ankle, 0.9)))
        pieces += [(points + [x, 0, 0], faces), foot(x, *size)]
    count = np.cumsum([len(p) for p, _ in pieces])

    def influences(points):
        joints, weights = np.zeros((len(points), 4)), np.zeros((len(points), 4))
        weights[:, 0] = 1
        for piece, last in enumerate(count):
            rows = np.arange(count[piece - 1] if piece else 0, last)
            leg = 1 + 4 * (piece // 2)
            joints[rows, 0] = np.where(points[rows, 1] > 0.5, leg, leg + 1) if piece % 2 == 0 else np.where(points[rows, 2] > 0.13, leg + 3, leg + 2)
        return joints, weights
    return skinned(pieces, bones(ankle), influences, name)


class Feet(ProgramTest):
    def lowest(self, ankle, *options):
        """Returns the heights of the lowest points of the heels and of the tips of boots, on a body with this height of the ankles."""
        figure(ankle, 0.05, (0.1, 0.14, 0.055), "Body").save(self.path("body.glb"))
        figure(0.07, 0.04, (0.08, 0.12, 0.045), "Wearer").save(self.path("wearer.glb"))
        figure(0.07, 0.05, (0.09, 0.13, 0.05), "Boots", (0.12, 0.35)).save(self.path("boots.glb"))
        self.succeeds("merge", self.path("body.glb"), self.path("boots.glb"), "-o", self.path("o.glb"), *options)
        moved = self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))) :].astype(float)
        low = moved[moved[:, 1] < 0.09]
        along = (low[:, 2] - low[:, 2].min()) / np.ptp(low[:, 2])
        return low[along < 0.3, 1].min(), low[along > 0.7, 1].min()

    def test_boots_stand_on_the_ground(self):
        """The higher ankles of the body turn the feet of the figure by 10 degrees; the soles stay level all the same. They are a millimetre or two below
        those of the body, which would show in the same plane."""
        for options in (["--fit", "auto"], ["--made-for", self.path("wearer.glb")]):
            for height in self.lowest(0.1, *options):
                self.assertLess(height, -0.0005, options)
                self.assertGreater(height, -0.005, options)


class Hair(ProgramTest):
    def test_clothes_lie_below_hair(self):
        """Hair hangs 6 cm behind the back. Clothes are lifted over any other mesh there."""
        for name, over in (("Mantle", True), ("h_wig", False), ("HairBack", False), ("Chair", True)):
            body = rig(tube(0.15, 0.1, 0, 1.5))
            hair = rig((tube(0.08, 0.02, 0.9, 1.45, z=-0.125)), name=name)
            body.save(self.path("bare.glb"))
            hair.save(self.path("hair.glb"))
            self.succeeds("merge", self.path("bare.glb"), self.path("hair.glb"), "-o", self.path("body.glb"), "--weights", "keep")
            rig(tube(0.155, 0.105, 0.6, 1.4), name="Shirt").save(self.path("shirt.glb"))
            self.succeeds("merge", self.path("body.glb"), self.path("shirt.glb"), "-o", self.path("o.glb"), "--fit", "surface")
            shirt = self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))) :].astype(float)
            self.assertEqual(shirt[:, 2].min() < -0.13, over, (name, shirt[:, 2].min()))


if __name__ == "__main__":
    main()
