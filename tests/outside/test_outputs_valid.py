# SPDX-License-Identifier: MIT
"""The Khronos glTF-Validator finds no error in any `.glb` or `.gltf` that the program writes, on samples, random rigs and real files."""
import collections
import functools
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, ProgramTest, corpus_models, in_parallel, main, samples, sinew

import gltf_oracle as oracle
from test_format_table import everything

import node_tools
from g4mf_rigs import RandomRig as G4mfRig
from random_rigs import RandomRig

ERROR, WARNING = 0, 1


def setUpModule():
    node_tools.require()
    global shared
    shared = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(shared.cleanup)


@functools.cache
def rigs():
    return [(seed, RandomRig(seed).save(shared.name, f"rig{seed}")) for seed in range(100, 140)]


@functools.cache
def rigs_and_files():
    return samples() + rigs() + corpus_models()


@functools.cache
def issues_of_inputs():
    """The validator's findings in rigs_and_files, which several tests compare with."""
    return node_tools.issues(sorted({model for _, model in rigs_and_files()}))


def is_draco(path):
    with open(path, "rb") as file:
        return b"KHR_draco_mesh_compression" in file.read()


class OutputsAreValid(ProgramTest):
    def check(self, models):
        """Each model to `.glb` at its own state and to `.gltf` at a time of its first clip; then the validator over all outputs."""

        def run(case):
            number, (name, model) = case
            document = oracle.Document(model).json if model.endswith((".gltf", ".glb")) else {}
            runs = [(self.path(f"{number}.glb"), [])]
            os.mkdir(self.path(str(number)))
            clip = ["--animation", "0", "--time", "0.3"] if document.get("animations") else []
            runs.append((self.path(str(number), "posed.gltf"), clip))
            return [(name, out, sinew("deform", model, "-o", out, "-q", *options)) for out, options in runs]

        ran = [one for many in in_parallel(run, list(enumerate(models))) for one in many]
        for name, out, result in ran:
            with self.subTest(model=name, output=os.path.basename(out)):
                self.assertEqual(result.status, 0, str(result))
        written = {out: name for name, out, result in ran if result.status == 0}
        warnings = collections.Counter()
        for out, issues in node_tools.issues(sorted(written)).items():
            with self.subTest(model=written[out], output=os.path.basename(out)):
                self.assertEqual([issue for issue in issues if issue["severity"] == ERROR], [])
            warnings.update((issue["code"]) for issue in issues if issue["severity"] == WARNING)
        print(f"{self.id().rsplit('.', 1)[1]}: {len(written)} files, warnings {dict(warnings)}", file=sys.stderr)

    def check_edits(self, models, edits, least):
        """What each edit (name → arguments for a model and an output) writes has no error that its input had not. Refusals are none."""
        runs = [(model, self.path(f"{number}-{name}.glb"), edit) for number, (_, model) in enumerate(models) for name, edit in edits.items()]
        done = in_parallel(lambda run: sinew(*run[2](run[0], run[1]), "-q", timeout=300).status == 0, runs)
        inputs = {out: model for (model, out, _), fine in zip(runs, done) if fine}
        found = node_tools.issues(sorted(inputs))
        self.assertGreaterEqual(len(inputs), least)
        for out, model in inputs.items():
            with self.subTest(model=model, output=os.path.basename(out)):
                known = {issue["code"] for issue in issues_of_inputs()[model] if issue["severity"] == ERROR}
                self.assertEqual([i for i in found[out] if i["severity"] == ERROR and i["code"] not in known], [])

    def test_strict_skeletons(self):
        def convert(how):
            return lambda model, out: ("convert", model, out, "--skeletons", how)

        self.check_edits(rigs_and_files(), {how: convert(how) for how in ("strict", "plain")}, 60)

    def test_repaired(self):
        edits = {
            "all": lambda model, out: ("repair", model, "-o", out, "--names"),
            "cut": lambda model, out: ("repair", model, "-o", out, "--max-influences", "2", "--prune", "0.05"),
        }
        self.check_edits(rigs_and_files(), edits, 80)

    def test_rebound(self):
        def rebind(*options):
            return lambda model, out: ("rebind", model, "-o", out, "--tolerance", "10", *options)

        edits = {"rest": rebind("--to", "rest"), "identity": rebind("--to", "identity"), "unified": rebind("--unify"),
                 "still": rebind("--joint", "0=none", "--skin", "0"), "clip": rebind("--to", "clip:0@0.25")}
        # What is wrong in compressed primitives shows only once they are written without compression.
        self.check_edits([(name, model) for name, model in rigs_and_files() if not is_draco(model)], edits, 100)

    def test_samples(self):
        self.assertGreaterEqual(len(samples()), 3)
        self.check(samples())

    def test_random_rigs(self):
        self.check(rigs())

    def test_g4mf(self):
        """Models of three dimensions, with normals and texture maps by corner; mirrored ones among them."""
        rigs = [G4mfRig(seed) for seed in range(1, 144, 6)]
        self.assertEqual({rig.dimension for rig in rigs}, {3})
        self.assertTrue(set().union(*(rig.features for rig in rigs)) >= {"normals", "textureMap", "binding", "mirroring basis"})
        self.check([(f"g4mf {seed}", rig.save(self.folder, f"rig{seed}")) for seed, rig in enumerate(rigs)])

    def test_there_and_back(self):
        """glTF to G4MF and back: no finding that the input does not have, infos and hints included."""
        whole = everything().save(self.path("everything.gltf"))
        models = [("everything", whole)] + samples() + corpus_models()

        def run(case):
            number, (name, model) = case
            between, out = self.path(f"{number}.g4b"), self.path(f"{number}.glb")
            ran = sinew("convert", model, between, "-q")
            return name, str(model), out, sinew("convert", between, out, "-q") if ran.status == 0 else ran

        written = []
        for name, model, out, ran in in_parallel(run, list(enumerate(models))):
            with self.subTest(model=name):
                self.assertEqual(ran.status, 0, str(ran))
                written.append((name, model, out))
        found = {**issues_of_inputs(), **node_tools.issues(sorted({whole, *(out for _, _, out in written)}))}
        for name, model, out in written:
            with self.subTest(model=name):
                before = {issue["code"] for issue in found[model]}
                self.assertEqual([issue for issue in found[out] if issue["code"] not in before], [])

    def test_g4mf_as_gltf(self):
        """Whole rigs of three dimensions, converted."""
        rigs = [G4mfRig(seed).save(self.folder, f"rig{seed}") for seed in range(1, 144, 6)]
        folder = os.path.join(ROOT, "samples", "g4mf")
        rigs += [os.path.join(folder, f"{name}.g4tf") for name in ("component_types", "point_cloud", "scaled_bone", "shared_mesh", "stiff_tail")]

        def run(case):
            number, model = case
            out = self.path(f"{number}.glb")
            return model, out, sinew("convert", model, out, "-q")

        written = {}
        for model, out, result in in_parallel(run, list(enumerate(rigs))):
            with self.subTest(model=os.path.basename(model)):
                self.assertEqual(result.status, 0, str(result))
                written[out] = model
        for out, issues in node_tools.issues(sorted(written)).items():
            with self.subTest(model=os.path.basename(written[out])):
                self.assertEqual([issue for issue in issues if issue["severity"] == ERROR], [])

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.check(models)


if __name__ == "__main__":
    main()
