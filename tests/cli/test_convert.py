# SPDX-License-Identifier: MIT
"""sinew convert between G4MF's containers: the content stays, and only the storage of buffers changes."""
import base64
import json
import os
import struct
import unittest

import numpy as np

from program import INPUT, OUTPUT, UNSUPPORTED, USAGE, ProgramTest, main

from g4mf_builder import Builder, chunk, g4b_bytes
from gltf_builder import glb_bytes, tutorial_skin

URI = "data:application/octet-stream;base64,"
REVISIONS = ["2025-08", "2026-01", "2026-07"]


def chunks_of(data):
    """Returns (type, compression, bytes) of a G4B file's chunks; checks every size and place."""
    magic, version, size = struct.unpack_from("<4sIQ", data)
    assert (magic, version, size) == (b"G4MF", 0, len(data)), (magic, version, size)
    found, at = [], 16
    while at < len(data):
        kind, compression, length = struct.unpack_from("<4s4sQ", data, at)
        found.append((kind, compression, data[at + 16:at + 16 + length]))
        at = -(-(at + 16 + length) // 16) * 16
    return found


def tetrahedra(revision):
    """Vertices of 4 dimensions with one tetrahedron, a bone and unknown properties."""
    built = Builder(4, revision)
    built.json["asset"]["extras"] = {"big": 2 ** 70, "ratio": 1.50}
    if revision == "2026-07":  # a name that distinguishes it from 2026-01
        built.json["files"] = [{"uri": "https://example.org/wood.png", "mimeType": "image/png"}]
    vertices = built.accessor("float32", [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.5]])
    simplexes = built.accessor("uint8", [[0, 1, 2, 3]])
    mesh = built.mesh(vertices, [{"simplexes": simplexes}], name="Cell")
    built.node(name="Root", mesh=mesh)
    return built


class Convert(ProgramTest):
    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def text_of(self, path):
        return json.loads(self.read(path))

    def convert(self, source, target, *options):
        ran = self.succeeds("convert", source, self.path(target), *options)
        return ran, self.path(target)

    def test_text_to_binary_keeps_the_buffer_and_all_other_json(self):
        for revision in REVISIONS:
            with self.subTest(revision):
                built = tetrahedra(revision)
                source = built.save(self.path("cell.g4tf"))
                _, binary = self.convert(source, "cell.g4b")
                (kind, compression, text), (blob, stored, data) = chunks_of(self.read(binary))
                self.assertEqual((kind, compression, blob, stored), (b"JSON", bytes(4), b"BLOB", bytes(4)))
                self.assertEqual(data, bytes(built.data))
                new = json.loads(text)
                self.assertEqual(new.pop("buffers"), [{"byteLength": len(built.data), **({"chunk": 1} if revision == "2026-07" else {})}])
                old = self.text_of(source)
                old.pop("buffers")
                self.assertEqual(new, old)

    def test_there_and_back_gives_the_same_file(self):
        for revision in REVISIONS:
            with self.subTest(revision):
                source = tetrahedra(revision).save(self.path("cell.g4tf"))
                _, binary = self.convert(source, "cell.g4b", "--compress", "zstd")
                _, back = self.convert(binary, "back.g4tf", "--compress", "none")
                self.assertEqual(self.text_of(back), self.text_of(source))
                np.testing.assert_array_equal(self.deform(back), self.deform(source))

    def test_white_space_and_numbers_survive(self):
        data = base64.b64encode(bytes(range(8))).decode()
        text = ('{ "asset": {"dimension": 4, "extras": {"x": 1.500e+0,  "y": 123456789012345678901234567890}},\n'
                '\t"buffers": [ {"uri": "%s", "byteLength": 8} ]\n}\n')
        source = self.write("odd.g4tf", text % (URI + data))
        _, binary = self.convert(source, "odd.g4b")
        self.assertIn(b'"extras": {"x": 1.500e+0,  "y": 123456789012345678901234567890}},\n\t"buffers": [ {', chunks_of(self.read(binary))[0][2])

    def test_compression_is_named_as_the_revision_does(self):
        for revision, name in zip(REVISIONS, ["compression", "compression", "encoding"]):
            with self.subTest(revision):
                built = tetrahedra(revision)
                _, binary = self.convert(built.save(self.path("cell.g4tf")), "cell.g4b", "--compress", "zstd")
                (_, _, text), (_, stored, data) = chunks_of(self.read(binary))
                self.assertEqual(json.loads(text)["buffers"][0][name], "Zstd")
                self.assertEqual((stored, data[:4]), (b"Zstd", b"\x28\xb5\x2f\xfd"))

    def test_compressed_buffers_stay_as_they_are(self):
        built = tetrahedra("2026-01")
        source = built.save(self.path("cell.g4b"), zstd=True)
        frame = chunks_of(self.read(source))[1][2]
        _, text = self.convert(source, "cell.g4tf")
        (buffer,) = self.text_of(text)["buffers"]
        self.assertEqual(buffer["compression"], "Zstd")
        self.assertEqual(buffer["uri"], URI + base64.b64encode(frame).decode())

    def test_chunks_of_others_follow(self):
        document = {"asset": {"dimension": 4}, "buffers": [{"byteLength": 2}]}
        source = self.write("custom.g4b", g4b_bytes([chunk(b"JSON", json.dumps(document).encode()), chunk(b"BLOB", b"ab"),
                                                     chunk(b"PICT", b"image"), chunk(b"BLOB", b"blob")]))
        _, binary = self.convert(source, "new.g4b")
        self.assertEqual([(kind, data) for kind, _, data in chunks_of(self.read(binary))[1:]],
                         [(b"BLOB", b"ab"), (b"PICT", b"image"), (b"BLOB", b"blob")])

    def test_what_a_text_cannot_hold_is_listed(self):
        document = {"asset": {"dimension": 4}, "buffers": [{"byteLength": 2}]}
        source = self.write("custom.g4b", g4b_bytes([chunk(b"JSON", json.dumps(document).encode()), chunk(b"BLOB", b"ab"),
                                                     chunk(b"PICT", b"image")]))
        ran, _ = self.convert(source, "new.g4tf", "--loss", self.path("loss.json"))
        (loss,) = self.text_of(self.path("loss.json"))
        self.assertEqual(loss["pointer"], "")
        self.assertIn("chunk 2", loss["what"])
        self.assertIn("SINEW_CONVERT_CHUNK_LOST", ran.err)

    def test_without_losses_the_list_is_empty(self):
        self.convert(tetrahedra("2026-01").save(self.path("cell.g4tf")), "cell.g4b", "--loss", self.path("loss.json"))
        self.assertEqual(self.text_of(self.path("loss.json")), [])

    def test_buffers_at_one_chunk_still_share_it(self):
        document = {"asset": {"dimension": 4}, "buffers": [{"byteLength": 2, "chunk": 2}, {"byteLength": 2, "chunk": 2}],
                    "bufferViews": [{"byteLength": 2}]}
        source = self.write("shared.g4b", g4b_bytes([chunk(b"JSON", json.dumps(document).encode()), chunk(b"BLOB", b"other"),
                                                     chunk(b"BLOB", b"ab")]))
        _, binary = self.convert(source, "new.g4b")
        text, *rest = chunks_of(self.read(binary))
        self.assertEqual([data for _, _, data in rest], [b"ab", b"other"])
        self.assertEqual([buffer["chunk"] for buffer in json.loads(text[2])["buffers"]], [1, 1])

    def test_files_beside_it_come_in(self):
        self.write("cell.bin", b"abcd")
        source = self.write("cell.g4tf", {"asset": {"dimension": 4}, "buffers": [{"byteLength": 4, "uri": "cell.bin"}]})
        _, binary = self.convert(source, "cell.g4b")
        text, blob = chunks_of(self.read(binary))
        self.assertEqual(json.loads(text[2])["buffers"], [{"byteLength": 4}])
        self.assertEqual(blob[2], b"abcd")

    def test_buffers_of_the_web_stay_there_and_in_order(self):
        web = {"byteLength": 4, "uri": "https://example.org/a.bin"}
        own = {"byteLength": 2, "uri": URI + base64.b64encode(b"ab").decode()}
        source = self.write("web.g4tf", {"asset": {"dimension": 4}, "buffers": [own, web, own]})
        _, binary = self.convert(source, "web.g4b")
        text, *blobs = chunks_of(self.read(binary))
        self.assertEqual(json.loads(text[2])["buffers"], [{"byteLength": 2}, web, own])
        self.assertEqual([data for _, _, data in blobs], [b"ab"])

    def test_images_left_in_the_old_folder_are_told(self):
        document = {"asset": {"dimension": 4}, "textures": [{"images": [{"uri": "wood.png", "mimeType": "image/png"}]}]}
        source = self.write("cell.g4tf", document)
        os.mkdir(self.path("new"))
        self.convert(source, "new/cell.g4tf", "--loss", self.path("loss.json"))
        (loss,) = self.text_of(self.path("loss.json"))
        self.assertEqual(loss["pointer"], "/textures/0/images/0/uri")
        self.convert(source, "beside.g4tf", "--loss", self.path("loss.json"))
        self.assertEqual(self.text_of(self.path("loss.json")), [])

    def test_other_formats_are_refused(self):
        cell = tetrahedra("2026-01").save(self.path("cell.g4tf"))
        self.fails(UNSUPPORTED, "convert", cell, self.path("cell.glb"), says="three dimensions")
        self.fails(USAGE, "convert", cell, self.path("cell.stl"), says=[".stl", ".g4tf"])

    def glb_of(self, path):
        """(document, binary chunk)"""
        read = self.read(path)
        size = struct.unpack_from("<I", read, 12)[0]
        return json.loads(read[20 : 20 + size]), read[28 + size :]

    def test_gltf_between_its_containers(self):
        binary = tutorial_skin().save(self.path("skin.glb"))
        ran, text = self.convert(binary, "new skin.gltf")
        (bin_name,) = (name for name in os.listdir(self.folder) if name.endswith(".bin"))
        self.assertRegex(bin_name, r"^new skin\.[0-9a-f]{16}\.bin$")
        self.assertEqual(self.text_of(text)["buffers"][0]["uri"], bin_name.replace(" ", "%20"))
        self.assertEqual(ran.err, f"{text}: glTF 2.0, {os.path.getsize(text)} bytes, no losses\n")
        _, back = self.convert(text, "back.glb")
        self.assertEqual(self.read(back)[12:], self.read(binary)[12:])
        for path in (text, back):
            np.testing.assert_array_equal(self.deform(path), self.deform(binary))

    def test_gltf_in_the_same_container_stays_as_it_is(self):
        _, text = self.convert(tutorial_skin().save(self.path("skin.glb")), "skin.gltf")
        _, same = self.convert(text, "same.gltf")
        self.assertEqual(self.read(same), self.read(text))
        _, binary = self.convert(text, "skin2.glb")
        _, same = self.convert(binary, "same.glb")
        self.assertEqual(self.read(same), self.read(binary))

    def test_bytes_that_are_too_few_are_moved_as_they_are(self):
        builder = tutorial_skin()
        binary = builder.save(self.path("whole.glb"))
        document, content = self.glb_of(binary)
        for length in (len(content) + 4, "many", None):
            with self.subTest(length=length):
                document["buffers"][0].pop("byteLength", None)
                if length is not None:
                    document["buffers"][0]["byteLength"] = length
                with open(self.path("short.glb"), "wb") as file:
                    file.write(glb_bytes(document, content))
                ran, text = self.convert(self.path("short.glb"), "short.gltf")
                self.assertIn("no losses", ran.err)
                self.assertEqual(self.read(self.path(self.text_of(text)["buffers"][0]["uri"])), content)
                _, back = self.convert(text, "back.glb")
                self.assertEqual(self.glb_of(back), (document, content))

    def test_further_buffers_of_gltf_move_into_the_chunk(self):
        data = "data:application/octet-stream;base64," + base64.b64encode(b"abcde").decode()
        document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": data}, {"byteLength": 5, "uri": data}]}
        os.mkdir(self.path("other"))
        _, binary = self.convert(self.write("two.gltf", document), os.path.join("other", "two.glb"))
        read, content = self.glb_of(binary)
        self.assertEqual(read["buffers"], [{"byteLength": 9}])
        self.assertEqual(content, b"abcdabcde" + bytes(3))  # and padding

    def test_what_is_g4mfs_alone_is_refused_for_gltf(self):
        skin = tutorial_skin().save(self.path("skin.glb"))
        for option in (["--revision", "2026-01"], ["--compress", "zstd"], ["--group-names", "drop"]):
            self.fails(USAGE, "convert", skin, self.path("skin.gltf"), *option, says="G4MF")

    def test_nothing_is_written_where_a_buffer_is_missing(self):
        source = self.write("cell.g4tf", {"asset": {"dimension": 4}, "buffers": [{"byteLength": 4, "uri": "gone.bin"}]})
        self.fails(INPUT, "convert", source, self.path("cell.g4b"), says=["/buffers/0/uri"])
        self.assertFalse(os.path.exists(self.path("cell.g4b")))

    def test_content_beyond_the_memory_limit_is_refused_whole(self):
        built = tetrahedra("2026-01")
        built.accessor("float32", [[0.0] * 4] * 1000)
        _, small = self.convert(built.save(self.path("cell.g4b")), "small.g4b", "--compress", "zstd")
        self.assertLess(os.path.getsize(small), 2000)
        self.fails(INPUT, "convert", small, self.path("new.g4tf"), "--compress", "none", "--max-memory", "10K", says=["/buffers/0", "--max-memory"])
        self.assertFalse(os.path.exists(self.path("new.g4tf")))

    def test_a_loss_file_that_cannot_be_written_is_an_output_error(self):
        cell = tetrahedra("2026-01").save(self.path("cell.g4tf"))
        self.fails(OUTPUT, "convert", cell, self.path("cell.g4b"), "--loss", self.path("no", "folder.json"))

    def test_a_clip_that_gets_shorter_is_a_loss(self):
        """In G4MF a skinned mesh follows its node, so channels of that node are left out. Here their last key is the end of the clip."""
        b = tutorial_skin()
        animation = b.json["animations"][0]
        keys = b.accessor(np.array([0, 5], "<f4"), bounds=True)
        animation["samplers"].append({"input": keys, "output": b.accessor(np.array([[0, 0, 0], [9, 0, 0]], "<f4"))})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": 0, "path": "translation"}})
        ran = self.succeeds("convert", b.save(self.path("in.glb")), self.path("out.g4tf"))
        self.assertRegex(ran.err, "/animations/0: it ends after .* s instead of 5: .*SINEW_EDIT_LOST")


if __name__ == "__main__":
    main()
