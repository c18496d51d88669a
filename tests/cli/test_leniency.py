# SPDX-License-Identifier: MIT
"""Defects of real files that are no reason to reject them: each file deforms with exit 0 to the rows of its defined reading."""
import numpy as np

from program import ProgramTest, main, sinew

import gltf_oracle as oracle
from gltf_builder import TUTORIAL_POSITIONS, glb_bytes, morphed_quad, tutorial_skin

BENT = [0, 0, float(np.sqrt(0.5)), float(np.sqrt(0.5))]
PRIMITIVE = ("meshes", 0, "primitives", 0)


class Leniency(ProgramTest):
    def reads(self, builder, want, *options, found=True, file="model.glb"):
        """Deforms to `want`; with `found`, -v names a finding more than for the file without the oddity."""
        path = builder if isinstance(builder, str) else builder.save(self.path(file))
        np.testing.assert_allclose(self.deform(path, *options), want, atol=1e-5)
        if found:
            talk = sinew("deform", path, "-o", self.path("out.npy"), "-v", *options).err
            self.assertRegex(talk, r"(?m)^\S*\s*.*\b(warning|error|info\w*|hint)\b", "no finding is told\n" + talk)

    def bent(self):
        """The tutorial's strip, bent by 90°: builder and expected rows."""
        builder = tutorial_skin(rotation=BENT)
        return builder, oracle.evaluate(builder.save(self.path("plain.glb")))

    def quad(self):
        builder = morphed_quad()
        return builder, oracle.evaluate(builder.save(self.path("plain.glb")))

    def primitive(self, builder):
        return builder.json["meshes"][0]["primitives"][0]

    # -- skins -------------------------------------------------------------------------------------------------------------------
    def test_joints_without_a_skin(self):
        builder, _ = self.bent()
        builder.json["nodes"][0] = {"mesh": 0, "translation": [1, 2, 3]}
        self.reads(builder, TUTORIAL_POSITIONS + [1, 2, 3])

    def test_a_skin_without_joints(self):
        builder, _ = self.bent()
        builder.json["nodes"][0]["translation"] = [1, 2, 3]
        for name in ("JOINTS_0", "WEIGHTS_0"):
            del self.primitive(builder)["attributes"][name]
        self.reads(builder, TUTORIAL_POSITIONS + [1, 2, 3])

    def test_scale_zero(self):
        builder, _ = self.bent()
        builder.json["nodes"][2]["scale"] = [0, 0, 0]
        self.reads(builder, oracle.evaluate(builder.save(self.path("zero.glb"))), found=False)

    def test_weights_that_sum_to_zero(self):
        builder, want = self.bent()
        weights = np.zeros((10, 4), "<f4")
        weights[:5] = [0.5, 0.5, 0, 0]
        self.primitive(builder)["attributes"]["WEIGHTS_0"] = builder.accessor(weights, target=34962)
        want = oracle.evaluate(builder.save(self.path("zero.glb")))
        self.assertTrue((want[5:] == 0).all())
        self.reads(builder, want, found=False)

    def test_last_row_of_a_bind_matrix(self):
        builder, want = self.bent()
        matrices = oracle.Document(self.path("plain.glb")).values(4).astype("<f4")
        matrices[:, [3, 7, 11, 15]] = [0.5, 0.25, -1, 3]
        builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(matrices)
        self.reads(builder, want)

    def test_joints_without_common_root(self):
        builder = tutorial_skin(rotation=BENT)
        del builder.json["nodes"][1]["children"]
        builder.json["scenes"][0]["nodes"].append(2)
        self.reads(builder, oracle.evaluate(builder.save(self.path("roots.glb"))), found=False)

    def test_joints_outside_the_scene(self):
        builder, want = self.bent()
        builder.json["scenes"][0]["nodes"] = [0]
        self.reads(builder, want, found=False)

    def test_a_wrong_skeleton(self):
        for skeleton in (0, 2, 99, -1, "x"):
            with self.subTest(skeleton=skeleton):
                builder, want = self.bent()
                builder.json["skins"][0]["skeleton"] = skeleton
                self.reads(builder, want, found=skeleton not in (0, 2))

    def test_strided_bind_matrices(self):
        builder, want = self.bent()
        matrices = oracle.Document(self.path("plain.glb")).values(4).astype("<f4")
        spread = np.zeros((2, 20), "<f4")
        spread[:, :16] = matrices
        view = builder.view(spread.tobytes(), 80)
        builder.json["skins"][0]["inverseBindMatrices"] = builder.add(
            "accessors", {"bufferView": view, "componentType": 5126, "count": 2, "type": "MAT4"}
        )
        self.reads(builder, want)

    def test_the_same_joint_twice_at_a_vertex(self):
        builder, _ = self.bent()
        attributes = self.primitive(builder)["attributes"]
        attributes["JOINTS_0"] = builder.accessor(np.tile(np.array([1, 1, 0, 0], "u1"), (10, 1)), target=34962)
        attributes["WEIGHTS_0"] = builder.accessor(np.tile(np.array([0.5, 0.25, 0.25, 0], "<f4"), (10, 1)), target=34962)
        self.reads(builder, oracle.evaluate(builder.save(self.path("twice.glb"))), found=False)

    # -- meshes ------------------------------------------------------------------------------------------------------------------
    def test_a_primitive_without_positions(self):
        builder, want = self.quad()
        normals = self.primitive(builder)["attributes"]["NORMAL"]
        builder.json["meshes"][0]["primitives"].append({"attributes": {"NORMAL": normals}})
        builder.json["meshes"][0]["primitives"].append({"attributes": {}})
        self.reads(builder, want)

    def test_weights_shorter_and_longer_than_the_targets(self):
        for weights in ([0.25], [], [0.25, 0, 7, 8]):
            with self.subTest(weights=weights):
                builder = morphed_quad()
                builder.json["meshes"][0]["weights"] = weights
                self.reads(builder, oracle.evaluate(builder.save(self.path("w.glb"))), found=False)
                if weights:
                    builder = morphed_quad()
                    builder.json["nodes"][0]["weights"] = weights
                    self.reads(builder, oracle.evaluate(builder.save(self.path("w.glb"))), found=False)

    def test_positions_without_bounds(self):
        builder, want = self.quad()
        for name in ("min", "max"):
            del builder.json["accessors"][0][name]
        self.reads(builder, want)

    def test_wrong_bounds(self):
        builder, want = self.quad()
        builder.json["accessors"][0]["min"] = [5, 5, 5]
        self.reads(builder, want, found=False)

    def test_a_strided_index_view(self):
        builder, want = self.quad()
        spread = np.zeros((6, 2), "<u2")
        spread[:, 0] = [0, 1, 2, 0, 2, 3]
        view = builder.view(spread.tobytes(), 4)
        accessor = {"bufferView": view, "componentType": 5123, "count": 6, "type": "SCALAR"}
        self.primitive(builder)["indices"] = builder.add("accessors", accessor)
        self.reads(builder, want, found=False)

    def test_an_offset_without_a_view(self):
        builder = morphed_quad()
        target = self.primitive(builder)["targets"][0]
        target["POSITION"] = builder.add("accessors", {"byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC3"})
        builder.json["accessors"][target["POSITION"]].update({"min": [0, 0, 0], "max": [0, 0, 0]})
        corners = oracle.evaluate(builder.save(self.path("plain.glb")))
        self.reads(builder, corners)

    def test_names_of_targets_of_the_wrong_kind(self):
        builder, want = self.quad()
        for names in ("Up", [1, 2], ["Up"], None):
            builder.json["meshes"][0]["extras"] = {"targetNames": names}
            self.reads(builder, want, found=False)

    # -- animations --------------------------------------------------------------------------------------------------------------
    CLIP = ("--animation", "0", "--time", "0.75")

    def clip(self, builder):
        return builder.json["animations"][0]

    def test_interpolations_of_the_wrong_kind_are_linear(self):
        for value in (0, "linear", "BEZIER", None, []):
            with self.subTest(value=value):
                builder = tutorial_skin()
                want = oracle.evaluate(builder.save(self.path("plain.glb")), animation=0, time=0.75)
                self.clip(builder)["samplers"][0]["interpolation"] = value
                self.reads(builder, want, *self.CLIP)

    def test_the_last_of_two_channels_for_one_target_wins(self):
        builder = tutorial_skin()
        still = builder.accessor(np.tile(np.array(BENT, "<f4"), (3, 1)))
        clip = self.clip(builder)
        clip["samplers"].append({"input": clip["samplers"][0]["input"], "output": still})
        clip["channels"].append({"sampler": 1, "target": {"node": 2, "path": "rotation"}})
        self.reads(builder, self.bent()[1], *self.CLIP)

    def test_strided_samplers(self):
        builder = tutorial_skin()
        want = oracle.evaluate(builder.save(self.path("plain.glb")), animation=0, time=0.75)
        spread = np.zeros((3, 5), "<f4")
        spread[:, 0] = [0, 1, 2]
        spread[:, 1:] = [[0, 0, 0, 1], BENT, [0, 0, 0, 1]]
        view = builder.view(spread.tobytes(), 20)
        common = {"bufferView": view, "componentType": 5126, "count": 3}
        self.clip(builder)["samplers"][0] = {
            "input": builder.add("accessors", {**common, "type": "SCALAR", "min": [0], "max": [2]}),
            "output": builder.add("accessors", {**common, "byteOffset": 4, "type": "VEC4"}),
        }
        self.reads(builder, want, *self.CLIP)

    def test_keys_without_bounds_and_before_zero(self):
        builder = tutorial_skin()
        keys = builder.accessor(np.array([-1, 1, 2], "<f4"))
        self.clip(builder)["samplers"][0]["input"] = keys
        self.reads(builder, oracle.evaluate(builder.save(self.path("k.glb")), animation=0, time=0.75), *self.CLIP, found=False)

    def test_rotations_that_are_not_of_unit_length(self):
        builder = tutorial_skin(rotation=[0, 0, 1.3, 0.9])
        self.reads(builder, oracle.evaluate(builder.save(self.path("r.glb"))), found=False)

    # -- optional properties of the wrong kind -----------------------------------------------------------------------------------
    def test_optional_values_of_the_wrong_kind_count_as_their_default(self):
        changes = [
            (("nodes", 2, "scale"), "big"),
            (("nodes", 2, "scale"), [2, 2]),
            (("nodes", 0, "name"), 5),
            ((*PRIMITIVE, "mode"), "triangles"),
            ((*PRIMITIVE, "mode"), 77),
            ((*PRIMITIVE, "material"), "paint"),
            ((*PRIMITIVE, "targets"), "none"),
            (("accessors", 0, "normalized"), 1),
            (("accessors", 0, "byteOffset"), "0"),
            (("bufferViews", 0, "byteStride"), "12"),
            (("bufferViews", 0, "target"), 5),
            (("meshes", 0, "weights"), {}),
            (("nodes", 1, "extras"), [[]]),
            (("asset", "generator"), 3),
            (("asset", "copyright"), None),
            (("nodes", 1, "camera"), "x"),
            (("animations", 0, "name"), []),
            (("extensionsUsed",), "KHR_x"),
            (("scenes", 0, "name"), 1),
            (("unknownThing",), {"a": 1}),
        ]
        for path, value in changes:
            with self.subTest(path=path, value=value):
                builder, want = self.bent()
                place = builder.json
                for step in path[:-1]:
                    place = place[step]
                place[path[-1]] = value
                self.reads(builder, want, found=False)

    # -- containers and text -----------------------------------------------------------------------------------------------------
    def text(self, builder):
        path = builder.save(self.path("text.gltf"))
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_byte_order_mark(self):
        builder, want = self.bent()
        self.reads(self.write("bom.gltf", b"\xef\xbb\xbf" + self.text(builder).encode()), want)

    def test_the_last_of_two_equal_keys_counts(self):
        builder, want = self.bent()
        text = self.text(builder)
        self.reads(self.write("twice.gltf", text.replace('"nodes": [{"name"', '"nodes": [{"mesh": 77, "name"', 1)), want)

    def test_numbers_and_escapes_that_nothing_needs(self):
        builder, want = self.bent()
        text = self.text(builder)
        self.reads(self.write("number.gltf", text.replace('"asset"', '"extras": {"n": 1e999, "m": ' + "9" * 400 + '}, "asset"', 1)), want)
        self.reads(self.write("escape.gltf", text.replace('"Strip"', '"\\ud800"', 1)), want)

    def glb(self):
        builder, want = self.bent()
        document = {**builder.json, "buffers": [{"byteLength": len(builder.blob)}]}
        return document, bytes(builder.blob), want

    def test_chunks_and_bytes_that_nobody_asked_for(self):
        document, blob, want = self.glb()
        whole = glb_bytes(document, blob)
        extra = b"\x04\0\0\0ABCDdata"
        longer = whole[:8] + (len(whole) + len(extra)).to_bytes(4, "little") + whole[12:] + extra
        self.reads(self.write("chunk.glb", longer), want)
        self.reads(self.write("after.glb", whole + b"more"), want)
        self.reads(self.write("long.glb", glb_bytes(document, blob + bytes(64))), want, found=False)

    def test_the_extension_does_not_matter_where_the_magic_says_glb(self):
        document, blob, want = self.glb()
        for name in ("model.vrm", "model.gltf", "model.bin"):
            self.reads(self.write(name, glb_bytes(document, blob)), want, found=False)

    def test_buffer_files(self):
        builder, want = self.bent()
        document = {**builder.json, "buffers": [{"byteLength": len(builder.blob), "uri": "a%20b%C3%A9.bin"}]}
        self.write("a bé.bin", bytes(builder.blob) + b"surplus")
        self.reads(self.write("model.gltf", document), want, found=False)

    def test_unused_and_empty_things(self):
        builder, want = self.bent()
        builder.json["nodes"][0]["children"] = []
        builder.json["images"] = [{"uri": "absent.png"}]
        builder.json["materials"] = [{}]
        builder.add("accessors", {"componentType": 5126, "count": 3, "type": "VEC3"})
        builder.view(b"\0\0\0\0")
        self.reads(builder, want, found=False)

    # -- extensions --------------------------------------------------------------------------------------------------------------
    def test_required_extensions_without_effect_on_geometry(self):
        for name in ("KHR_materials_unlit", "KHR_materials_clearcoat", "KHR_texture_transform", "KHR_texture_basisu", "EXT_texture_webp",
                     "KHR_lights_punctual", "KHR_materials_variants", "KHR_xmp_json_ld", "VRM", "VRMC_vrm", "STAIK_skeletons",
                     "KHR_mesh_quantization", "KHR_meshopt_compression", "MSFT_lod"):
            with self.subTest(extension=name):
                builder, want = self.bent()
                builder.json["extensionsUsed"] = builder.json["extensionsRequired"] = [name]
                self.reads(builder, want, found=False)

    def test_used_extensions_that_are_not_applied_are_a_warning(self):
        for name in ("MSFT_audio_emitter", "EXT_lights_ies"):
            with self.subTest(extension=name):
                builder, want = self.bent()
                builder.json["extensionsUsed"] = [name]
                self.reads(builder, want, found=False)
                ran = sinew("deform", self.path("model.glb"), "-o", self.path("out.npy"))
                self.assertIn(name, ran.err)
                self.assertEqual(ran.error_lines(), [])


if __name__ == "__main__":
    main()
