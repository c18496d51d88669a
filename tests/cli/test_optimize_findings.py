# SPDX-License-Identifier: MIT
"""sinew optimize creates no finding, step by step, on random rigs."""
import json
import os

import numpy as np

from program import DONE, FINDINGS, UNSUPPORTED, ProgramTest, in_parallel, main, sinew

from gltf_builder import tutorial_skin
from random_rigs import RandomRig
from test_joint_budget import joints_of
from test_optimize import codes_in, codes_of, json_of
from test_optimize_weights import tail

STEPS = {
    "prune exactly": ("--max-error", "0", "--steps", "prune"),
    "prune": ("--max-error", "1e-3", "--steps", "prune"),
    "weights": ("--max-error", "0.02", "--steps", "weights"),
    "joints": ("--max-error", "0", "--steps", "joints"),
    "keys": ("--max-error", "0.02", "--steps", "keys"),
    "quantize": ("--max-error", "0.02", "--steps", "quantize"),
    "order": ("--max-error", "0", "--steps", "order"),
    "all exactly": ("--max-error", "0"),
    "all": ("--max-error", "1e-3"),
}


def codes_of_all(paths):
    """What codes_of says of each file, from one run of the program."""
    reports = [json.loads(line) for line in sinew("validate", *paths, "--jsonl", timeout=300).out.splitlines()]
    return {report["uri"]: codes_in(report["result"]) for report in reports}


class FindingsTest(ProgramTest):
    def new(self, source, out):
        """The codes that the output has more often, with both numbers."""
        before, after = codes_of(source), codes_of(out)
        return {code: (before.get(code, 0), count) for code, count in after.items() if count > before.get(code, 0)}

    def optimized(self, builder, *options):
        source, out = builder.save(self.path("in.glb")), self.path("out.glb")
        self.succeeds("optimize", source, "-o", out, "--max-error", 0, *options)
        self.assertEqual(self.new(source, out), {})
        return json_of(out)


class UnusedSkins(FindingsTest):
    def extra(self, animated=False, meshes=True, named=True):
        """The strip with a skin that no node uses. Its joint 3 is below the root, its joint 4 below a joint of the strip."""
        b = tutorial_skin()
        nodes = b.json["nodes"]
        nodes += [{"name": "Tip"}, {"name": "Socket"}] if named else [{"name": "Tip"}, {}]
        nodes[2]["children"] = [4]
        b.json["scenes"][0]["nodes"].append(3)
        b.add("skins", {"joints": [3, 4]})
        if animated:
            channels = b.json["animations"][0]["channels"]
            channels.append({"sampler": 0, "target": {"node": 3, "path": "rotation"}})
        if not meshes:
            del nodes[0]["mesh"], nodes[0]["skin"], b.json["meshes"]
        return b

    def test_joints_that_stay_keep_their_skin(self):
        document = self.optimized(self.extra(), "--steps", "prune")
        self.assertEqual([len(skin["joints"]) for skin in document["skins"]], [2, 2])
        document = self.optimized(self.extra(animated=True, named=False), "--steps", "prune")
        self.assertEqual(len(document["skins"]), 2)

    def test_joints_that_nothing_needs_go_with_their_skin(self):
        document = self.optimized(self.extra(named=False), "--steps", "prune")
        self.assertEqual([node["name"] for node in document["nodes"]], ["Body", "Lower", "Upper"])
        self.assertEqual(len(document["skins"]), 1)

    def test_a_strict_skeleton_keeps_a_skin(self):
        b = self.extra()
        b.json["extensionsUsed"] = ["STAIK_skeletons"]
        b.json["extensions"] = {"STAIK_skeletons": {"skeletons": [{"root": 3, "joints": [3]}]}}
        b.json["nodes"][3]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
        for _ in range(2):
            b.add("skins", {"joints": [3], "skeleton": 3, "extensions": {"STAIK_skeletons": {"skeleton_owner": 0}}})
        owned = [skin for skin in self.optimized(b, "--steps", "prune")["skins"] if "extensions" in skin]
        self.assertEqual(len(owned), 1)

    def test_a_file_without_meshes_is_a_skeleton(self):
        source = self.extra(meshes=False).save(self.path("in.glb"))
        out = self.path("out.glb")
        sinew("optimize", source, "-o", out, "--max-error", 0, "--steps", "prune")
        self.assertEqual([len(skin["joints"]) for skin in json_of(out)["skins"]], [2, 2])


class JointBudget(FindingsTest):
    def test_sockets_find_room(self):
        b = tail(influences=3)
        for place in range(4):
            b.add("nodes", {"name": f"Socket{place}"})
            b.json["skins"][0]["joints"].append(9 + place)
        b.json["nodes"][1].setdefault("children", []).extend(range(9, 13))
        bind = np.tile(np.eye(4, dtype="<f4"), (12, 1, 1))
        bind[:8, 3, 1] = -np.arange(8)
        b.json["skins"][0]["inverseBindMatrices"] = b.accessor(bind.reshape(12, 16))
        source, out = b.save(self.path("in.glb")), self.path("out.glb")
        self.succeeds("optimize", source, "-o", out, "--max-error", 0, "--steps", "joints", "--joint-budget", 6)
        self.assertEqual(set(codes_of(out)) - set(codes_of(source)), set())
        document = json_of(out)
        self.assertLessEqual(max(joints_of(out)), 6)
        self.assertEqual({joint for skin in document["skins"] for joint in skin["joints"]}, set(range(1, 13)))

    def test_random_rigs(self):
        # Each part repeats what was found once; weights that were sparse are checked now.
        repeated = {"ACCESSOR_WEIGHTS_NON_NORMALIZED", "NODE_SKINNED_MESH_WITHOUT_SKIN"}

        def check(seed):
            rig, budget = RandomRig(seed, (60, 130)), (24, 32, 64)[seed % 3]
            source, out = rig.save(self.folder, f"rig{seed}"), self.path(f"out{seed}.glb")
            done = sinew("optimize", source, "-o", out, "-q", "--max-error", 0, "--steps", "joints", "--joint-budget", budget)
            if done.status == UNSUPPORTED:
                self.assertRegex(done.err, "a triangle uses|no common root")
                return None
            self.assertEqual(done.status, DONE, f"{seed}: {done}")
            self.assertLessEqual(max(joints_of(out), default=0), budget)
            compared = json.loads(sinew("compare", source, out, "--json").out)
            self.assertEqual(compared["max"], 0, seed)
            return source, out, len(json_of(out)["meshes"]) > len(rig.json["meshes"])

        results = in_parallel(check, range(210))
        codes = codes_of_all([path for result in results if result for path in result[:2]])
        for seed, result in enumerate(results):
            if not result:
                continue
            before, after = (codes[path] for path in result[:2])
            for code in ("SKIN_NO_COMMON_ROOT", "SKIN_SKELETON_INVALID"):
                self.assertLessEqual(after.get(code, 0), before.get(code, 0), f"{seed}: {code}")
            severe = {code for code in set(after) - set(before) if not code.startswith("SINEW_") and code != "NODE_EMPTY"}
            self.assertLessEqual(severe, repeated | {"ACCESSOR_INDEX_TRIANGLE_DEGENERATE"}, seed)
        self.assertGreater(sum(result[2] for result in results if result), 20)
        self.assertLess(results.count(None), 60)


class RandomRigs(FindingsTest):
    def test_every_step(self):
        sources = {seed: RandomRig(seed).save(self.folder, f"rig{seed}") for seed in range(100)}
        before = codes_of_all(sources.values())

        def check(step):
            name, options = step
            folder, new = self.path(name), []
            ran = sinew("optimize", *sources.values(), "-o", folder, "-q", *options, timeout=300)
            self.assertIn(ran.status, (DONE, FINDINGS), f"{name}: {ran}")
            after = codes_of_all([os.path.join(folder, file) for file in os.listdir(folder) if file.endswith((".gltf", ".glb"))])
            for out, codes in after.items():
                source = os.path.join(self.folder, os.path.basename(out))
                new += [(name, source, code, before[source].get(code, 0), count) for code, count in codes.items() if count > before[source].get(code, 0)]
            return new, len(after)

        results = in_parallel(check, STEPS.items())
        self.assertEqual([one for new, _ in results for one in new], [])
        self.assertGreater(sum(done for _, done in results), 0.9 * len(sources) * len(STEPS))


if __name__ == "__main__":
    main()
