# SPDX-License-Identifier: MIT
"""Some bombs of bombs.py in some commands: each run keeps the limits of memory and time that docs/robustness.md promises. The whole
sweep is bomb_sweep.py."""
import numpy as np

from program import INPUT, PATIENCE, SETTINGS, ProgramTest, main

import bomb_products
import bomb_sweep
import bombs
import bombs_shared  # adds its bombs to those of bombs.py
from gltf_builder import Builder

RUNS = {
    "targets_over_one_accessor": ("info --json", "validate", "compare"), "long_name_in_many_instances": ("deform to glb", "slice", "view --export"),
    "one_skin_of_many_joints_in_many_nodes": ("convert", "slice"), "repeated_key": ("validate",), "repeated_key_g4mf": ("optimize",),
    "channels_over_one_view": ("compare", "extract"), "nodes_times_primitives": ("info --json", "convert", "optimize"),
    "large_jpeg": ("render",), "jpeg_of_500_scans": ("render",), "png_with_large_text": ("render",),
    "one_picture_in_many_images": ("render",), "compressed_json_chunk": ("info",),
    "surfaces_over_one_accessor": ("deform to glb", "render", "convert", "validate", "repair"),
    "primitives_over_one_accessor": ("convert",), "wrong_values_in_many_primitives": ("validate",),
    "triangles_across_the_picture": ("render", "optimize"), "lines_across_the_picture": ("render",), "many_textures": ("render",),
    "instances_of_one_mesh": ("bounds",), "moving_instances_of_one_mesh": ("bounds",), "joints_above_each_other": ("convert",),
    "skinned_nodes_times_scenes": ("convert to bones",), "meshes_of_one_primitive": ("optimize",), "skins_of_two_joints": ("rebind",),
    "named_joints": ("convert",), "meshes_with_group_names": ("validate",), "set_of_a_large_number": ("compare --attributes",),
    "many_texture_sets": ("optimize",), "image_per_material": ("render", "view --export"), "picture_in_a_text_file": ("render",),
    "meshes_over_one_accessor": ("convert", "convert --project"), "offsets_in_many_meshes": ("repair", "lift", "convert"),
    "influences_in_many_meshes": ("repair",), "normals_in_many_surfaces": ("validate",), "tangents_in_many_primitives": ("repair",),
}
# Of the pairs of lists in one small file (bomb_products.py), some that took long or much memory.
PRODUCTS = {"old avatar: vertices x meshes/0/primitives/0/targets": ("convert", "lift"), "g4mf rig: vertices x nodes": ("repair",),
            "rig: picture x materials (spread)": ("view --export",), "rig: copies x skins/0/joints (spread)": ("info --json",),
            "avatar: materials x extensions/VRMC_vrm/expressions/custom (spread)": ("validate", "convert"),
            "rig: keys x animations (spread)": ("repair",)}
# Of the lists of 40,000 elements: those that took a time that grows with the square.
LISTS = {"glTF:skins": ("convert",), "glTF:scenes": ("optimize",), "glTF:meshes/0/primitives": ("slice", "repair"),
         "glTF:meshes/1/primitives": ("compare --match",)}


class Bombs(ProgramTest):
    def test_limits_hold(self):
        if PATIENCE > 1:
            self.skipTest("the limit of the process is not set in builds with a sanitizer")
        for name, commands in (RUNS | LISTS).items():
            models = bombs.named(only=[name]) if name in RUNS else bombs.repeated(only=[name])
            found = bomb_sweep.sweep(SETTINGS.sinew, models, ["256M" if name in RUNS else "2G"], commands)
            for command, (seconds, memory, status, why, said) in found[name].items():
                with self.subTest(bomb=name, command=command):
                    self.assertIsNone(why, f"{seconds} s, {memory} MiB, exit status {status}: {said}")

    def test_products_of_two_lists(self):
        if PATIENCE > 1:
            self.skipTest("the limit of the process is not set in builds with a sanitizer")
        models = list(bomb_products.products(only=PRODUCTS))
        self.assertEqual({name for name, _, _ in models}, set(PRODUCTS))
        for name, suffix, data in models:
            self.assertLess(len(data), 110_000, name)
            for command, (seconds, memory, status, why, said) in bomb_sweep.sweep(SETTINGS.sinew, [(name, suffix, data)], ["256M"], PRODUCTS[name])[name].items():
                with self.subTest(product=name, command=command):
                    self.assertIsNone(why, f"{seconds} s, {memory} MiB, exit status {status}: {said}")

    def test_an_array_of_many_objects_is_read_once_or_counted(self):
        self.assertGreaterEqual(bombs_shared.LARGE, 1_000_000)
        for name, out, says in (("offsets_in_many_meshes", "o.g4b", None), ("meshes_over_one_accessor", "o.glb", "which may share arrays")):
            model = self.write(name + ".g4b", bombs.NAMED[name](0.02)[1])
            self.succeeds("convert", model, self.path(out))
            if says:
                self.fails(INPUT, "convert", model, self.path(out), "--limit", "work=100000", says=(says, "--limit work=N", "SINEW_WORK_LIMIT"))

    def test_many_instances_of_a_detailed_mesh_are_no_bomb(self):
        """A real file has 1,899 teapots of 12,090 corners."""
        b, side, count = Builder(), 46, 1900
        x, y = (part.reshape(-1) for part in np.meshgrid(np.arange(side), np.arange(side)))
        corner = np.arange(side * side).reshape(side, side)
        a, c, d, e = (corner[i:i + side - 1, j:j + side - 1].reshape(-1) for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)))
        triangles = np.stack([a, c, d, c, e, d], 1).reshape(-1)
        attributes = {"POSITION": b.accessor(np.stack([x, y, 0 * x], 1).astype("<f4"), bounds=True)}
        b.add("meshes", {"primitives": [{"attributes": attributes, "indices": b.accessor(triangles.astype("<u2"))}]})
        places = np.stack([50 * np.arange(count), 0 * np.arange(count), 0 * np.arange(count)], 1)
        copies = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": b.accessor(places.astype("<f4"))}}}
        b.json.update(nodes=[{"mesh": 0, "extensions": copies}], scenes=[{"nodes": [0]}], scene=0, extensionsUsed=list(copies), extensionsRequired=list(copies))
        model = self.path("instances.glb")
        b.save(model)
        self.assertGreater(len(triangles) * count, 20_000_000)
        for line in (["flex", model], ["bounds", model], ["compare", model, model], ["deform", model, "-o", self.path("o.npy")],
                     ["extract", model, "-o", self.path("o.npz")]):
            with self.subTest(command=line[0]):
                self.succeeds(*line)

    def test_the_limit_of_work_has_an_option(self):
        channels, surfaces = (self.write(f"{name}.glb", bombs.NAMED[f"{name}_over_one_{what}"](scale)[1])
                              for name, what, scale in (("channels", "view", 0.02), ("primitives", "accessor", 0.01)))
        keys = self.write("keys.glb", bombs.NAMED["clips_over_many_keys"](0.004)[1])
        for what, *line in (("moments", "bounds", keys), ("moments", "compare", channels, channels),
                            ("surfaces", "convert", surfaces, self.path("o.g4b")),
                            ("arrays", "extract", channels, "-o", self.path("o.npz")),
                            ("vertices", "deform", surfaces, "-o", self.path("o.npy"))):
            with self.subTest(command=line[0]):
                self.succeeds(*line)
                self.fails(INPUT, *line, "--limit", "work=1000", says=(what, "--limit work=N", "SINEW_WORK_LIMIT"))
        triangles = self.write("triangles.glb", bombs.NAMED["triangles_across_the_picture"](0.001)[1])
        draw = ("render", triangles, "-o", self.path("o.png"), "--size", "80x60", "--limit")
        self.succeeds(*draw, "work=20000000")
        self.fails(INPUT, *draw, "work=10000000", says=("pixels", "--limit work=N", "SINEW_WORK_LIMIT"))


if __name__ == "__main__":
    main()
