# SPDX-License-Identifier: MIT
"""sinew optimize on G4MF: skeletons lose joints that move nothing, and in poses of the oracle every vertex stays where it was."""
import collections
import json
import os

import numpy as np

from program import DONE, INPUT, ProgramTest, in_parallel, main, sinew

import g4mf_oracle as oracle
from g4mf_builder import Builder
from g4mf_rigs import RandomRig
from test_optimize import codes_of

TOLERANCE = 1e-6


class SparseRig(RandomRig):
    """Its meshes use three of eight groups."""

    def skin(self, count):
        kept = self.random.permutation(8)[:3]
        influences = [[(int(group), float(self.random.uniform(0.1, 1))) for group in kept[: self.below(4)]] for _ in range(count)]
        return self.model.skin(influences, self.pick("uint8", "uint16", "uint32"), "uint16", self.pick("float32", "float64"))


def joints_of(path):
    """The joints of each skeleton."""
    return [node["skeleton"].get("joints", []) for node in oracle.Document(path).json["nodes"] if "skeleton" in node]


class Joints(ProgramTest):
    def reduced(self, builder, *options, error=0, verdict="equal in every pose"):
        source, out = builder.save(self.path("in.g4tf")), self.path("out.g4tf")
        self.succeeds("optimize", source, "-o", out, "--max-error", error, "--steps", "joints", *options)
        compared = json.loads(self.succeeds("compare", source, out, "--json").out)
        self.assertEqual(compared["verdict"], verdict)
        self.assertLessEqual(compared["max"], error)
        before, after = codes_of(source), codes_of(out)
        self.assertEqual({code for code, count in after.items() if count > before.get(code, 0)}, set())
        random = np.random.default_rng(5)
        for _ in range(3):
            bones = {f"Bone{i}": {"position": random.normal(size=builder.json["asset"]["dimension"]).tolist()} for i in range(6)}
            bones.update(Bone1={"rotor": [0.8, 0.6]}, Bone4={"rotor": [0.6, -0.8]})
            np.testing.assert_allclose(oracle.evaluate(out, {"nodes": bones}), oracle.evaluate(source, {"nodes": bones}), rtol=0, atol=TOLERANCE)
        return out

    def chain(self, dimension, joints=range(6), groups=(0, 2, 5), **skin):
        """Twelve vertices on a chain of six bones (nodes 2 to 7); they follow three groups."""
        b = Builder(dimension)
        b.node(b.node(name="Root"), name="Rig", skeleton={"joints": [2 + i if i >= 0 else -1 for i in joints]})
        for i in range(6):
            b.node(1 + i, name=f"Bone{i}", bone={}, position=[1.0 if i else 0.0] + [0.0] * (dimension - 1))
        points = np.random.default_rng(dimension).normal(size=(12, dimension))
        influences = [sorted(zip(groups, (0.5, 0.25, 1.0)), key=lambda entry: -entry[1])[: 1 + v % 3] for v in range(12)]
        b.node(1, name="Body", mesh=b.mesh(b.accessor("float32", points), [{}], skin=b.skin(influences, **skin)))
        return b

    def test_joints_that_move_nothing_go(self):
        for dimension in (2, 3, 4, 5, 6):
            out = self.reduced(self.chain(dimension))
            self.assertEqual(joints_of(out), [[2, 4, 7]])
            document = oracle.Document(out)
            self.assertEqual(set(document.column(document.json["meshes"][0]["skin"]["groups"])), {0, 1, 2})
            self.assertEqual(len([node for node in document.json["nodes"] if "bone" in node]), 6)

    def test_names_of_groups_follow(self):
        out = self.reduced(self.chain(4, groupNames=["a", "b", "c", "d", "e", "f", "more"]))
        self.assertEqual(oracle.Document(out).json["meshes"][0]["skin"]["groupNames"], ["a", "c", "f", "more"])

    def test_slots_without_a_bone(self):
        self.assertEqual(joints_of(self.reduced(self.chain(3, (0, -1, -1, 3, 4, 5), (0, 2, 5)))), [[2, -1, 7]])

    def test_groups_beyond_the_joints_still_do_nothing(self):
        self.assertEqual(joints_of(self.reduced(self.chain(3, range(5), (0, 2, 5)))), [[2, 4]])

    def test_slots_of_one_bone_become_one(self):
        self.assertEqual(joints_of(self.reduced(self.chain(4, (0, 1, 1, 2, 3, 4), (0, 1, 2)), error=1e-4)), [[2, 3]])
        names = ["a", "b", "c", "d", "e", "f"]  # named apart
        self.assertEqual(joints_of(self.reduced(self.chain(4, (0, 1, 1, 2, 3, 4), (0, 1, 2), groupNames=names), error=1e-4)), [[2, 3, 3]])

    def test_kept_names(self):
        self.assertEqual(joints_of(self.reduced(self.chain(3), "--keep", "Bone3")), [[2, 4, 5, 7]])

    def test_extensions_keep_the_numbers(self):
        b = self.chain(3, extensions={"EXAMPLE_groups": {"strong": 3}})
        self.assertEqual(joints_of(self.reduced(b, verdict="equal where sampled")), [[2, 3, 4, 5, 6, 7]])

    def test_random_rigs(self):
        def check(seed):
            rig = SparseRig(seed)
            source = rig.save(self.folder, f"rig{seed}")
            out = self.path("out" + os.path.basename(source))
            done = sinew("optimize", source, "-o", out, "-q", "--max-error", 0, "--steps", "joints")
            self.assertIn(done.status, (DONE, INPUT), f"{seed}: {done}")
            if done.status == INPUT:
                self.assertIn("not finite", done.err)
                return None
            if "zstd" in rig.features and not oracle.shutil.which("zstd"):
                return None
            pose = rig.pose()
            for case in (None, pose):
                want, got = oracle.evaluate(source, case), oracle.evaluate(out, case)
                np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
                self.assertLessEqual(oracle.largest_error(np.nan_to_num(got), np.nan_to_num(want)), TOLERANCE, seed)
            before, after = codes_of(source), codes_of(out)
            self.assertEqual({code for code, count in after.items() if count > before.get(code, 0)}, set(), seed)
            fewer = sum(map(len, joints_of(out))) < sum(map(len, joints_of(source)))
            return (rig.dimension, fewer)

        results = collections.Counter(in_parallel(check, range(48)))
        for dimension in (2, 3, 4, 5):
            self.assertGreater(results[(dimension, True)], 1, results)
        self.assertLess(results[None], 20)


if __name__ == "__main__":
    main()
