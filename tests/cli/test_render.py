# SPDX-License-Identifier: MIT
"""sinew render: the size and shape of pictures, and errors. Skipped without OpenGL."""
import base64
import json
import os
import struct
import tempfile
import unittest
import zlib

import numpy as np

from program import ROOT, UNSUPPORTED, USAGE, ProgramTest, main, sinew  # also makes tests/oracle importable
from g4mf_builder import Builder
from gltf_builder import Builder as Gltf
from test_slice import painted, tesseract, volume_texture
from vertex_caches import unfiltered

SKIN = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
FIGURE = os.path.join(ROOT, "samples", "show", "figure.gltf")
BACKGROUND = (240, 241, 244)


def read_png(path):
    """The pixels of an 8-bit PNG: (height, width, channels)."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    assert depth == 8
    channels = {2: 3, 6: 4}[color]
    return unfiltered(zlib.decompress(packed), width * channels, height, channels).reshape(height, width, channels)


def drawn(picture, background=BACKGROUND):
    """Returns where the picture differs from the background."""
    return (picture[..., :3] != np.array(background, np.uint8)).any(axis=2)


class Drawing(ProgramTest):
    """Tests that need OpenGL."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            ran = sinew("render", SKIN, "-o", os.path.join(folder, "out.png"), "--size", "8x8")
        if ran.status == UNSUPPORTED:
            raise unittest.SkipTest(ran.err.strip())

    def picture(self, *arguments):
        out = self.path("out.png")
        self.succeeds("render", *arguments, "-o", out, "-q")
        return read_png(out)


class Render(Drawing):
    def test_shape_of_the_tutorials_rectangle(self):
        """Twice as high as wide, in the middle, its height filling the picture but for a margin."""
        picture = self.picture(SKIN, "--size", "200x160")
        self.assertEqual(picture.shape, (160, 200, 3))
        rows, columns = np.nonzero(drawn(picture))
        height, width = rows.max() - rows.min() + 1, columns.max() - columns.min() + 1
        self.assertAlmostEqual(height, 160 * 0.92, delta=2)
        self.assertAlmostEqual(width, height / 2, delta=2)
        self.assertAlmostEqual((columns.max() + columns.min()) / 2, 99.5, delta=1)
        self.assertTrue(drawn(picture)[rows.min() + 2:rows.max() - 1, columns.min() + 2:columns.max() - 1].all())

    def test_the_background_is_exactly_one_colour(self):
        picture = self.picture(SKIN, "--size", "64x64", "--background", "#102030")
        self.assertEqual(tuple(picture[0, 0]), (0x10, 0x20, 0x30))
        self.assertFalse(drawn(picture, (0x10, 0x20, 0x30))[:, :4].any())
        clear = self.picture(SKIN, "--size", "64x64", "--background", "transparent")
        self.assertEqual(clear.shape[2], 4)
        self.assertEqual((clear[0, 0, 3], clear[32, 32, 3]), (0, 255))

    def test_a_pose_moves_the_picture(self):
        """At 1.375 s the upper half lies to the left of the lower one."""
        picture = self.picture(SKIN, "--size", "200x160", "--animation", "Swing", "--time", "1.375")
        rows, columns = np.nonzero(drawn(picture))
        top = columns[rows < (rows.min() * 3 + rows.max()) / 4]
        bottom = columns[rows > (rows.min() + rows.max() * 3) / 4]
        self.assertLess(top.mean() + 15, bottom.mean())

    def test_views_and_angles_agree(self):
        side = self.picture(FIGURE, "--size", "80x80", "--camera", "side")
        np.testing.assert_array_equal(side, self.picture(FIGURE, "--size", "80x80", "--camera", "90,0"))
        self.assertTrue((side != self.picture(FIGURE, "--size", "80x80", "--camera", "top")).any())

    def test_edges_weights_and_stage_are_seen(self):
        plain = self.picture(SKIN, "--size", "80x80")
        edges = self.picture(SKIN, "--size", "80x80", "--edges")
        self.assertLess(edges[drawn(edges)].mean(), plain[drawn(plain)].mean() - 3)
        weights = self.picture(SKIN, "--size", "80x80", "--weights", "Upper").astype(int)
        self.assertGreater(weights[8, 40, 0], weights[70, 40, 0] + 60)  # yellow above, violet below
        moved = self.picture(SKIN, "--size", "80x80", "--debug-joint", "1", "--stage", "joint", "--pose",
                             self.write("pose.json", {"nodes": {"Upper": {"rotation": [0, 0, 0.3826834, 0.9238795]}}}))
        self.assertTrue((drawn(moved) != drawn(plain)).any())

    def test_every_dimension_has_a_picture(self):
        for name in ("rig_2d", "point_cloud", "arm_4d", "cell_24", "rig_5d"):
            with self.subTest(name):
                picture = self.picture(os.path.join(ROOT, "samples", "g4mf", f"{name}.g4tf"), "--size", "96x96")
                self.assertGreater(drawn(picture).sum(), 30)

    def test_textures_of_g4mf(self):
        """A picture of one pixel, in a view of a buffer."""
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress(b"\0\0\0\xff")) + chunk(b"IEND", b""))
        model = Builder(3)
        model.node()
        view = model.accessors[model.packed("uint8", 1, png)]["bufferView"]
        model.json["materials"] = [{"baseColor": {"texture": 0}}]
        model.json["textures"] = [{"size": [1, 1], "placeholder": [1, 1, 1], "images": [{"mimeType": "image/png", "bufferView": view}]}]
        corners, numbers = model.accessor("float32", [[0, 0, 0], [1, 0, 0], [0, 1, 0]]), model.accessor("uint8", [[0, 1, 2]])
        surface = {"simplexes": numbers, "material": 0, "textureMap": model.accessor("float32", [[0, 0], [1, 0], [0, 1]])}
        model.node(0, mesh=model.mesh(corners, [surface]))
        for extension in ("g4tf", "g4b"):
            picture = self.picture(model.save(self.path(f"blue.{extension}")), "--size", "64x64")
            red, green, blue = picture[drawn(picture)].astype(int).mean(axis=0)
            self.assertGreater(blue, max(red, green) + 60)

    def test_a_texture_map_of_the_channels_own(self):
        """It counts in place of the surface's."""
        model = Builder(3)
        model.node()
        picture = np.array([[255, 0, 0], [0, 0, 255]], np.uint8).reshape(1, 1, 2, 3)
        model.json["textures"] = [{**volume_texture(picture, 1, sampler={"magFilter": "nearest", "wrap": ["clamp"]}), "size": [2, 1]}]
        own = model.accessor("float32", [[0.9, 0.5]] * 3)
        model.json["materials"] = [{"baseColor": {"texture": 0, "textureMap": own}}]
        surface = {"simplexes": model.accessor("uint8", [[0, 1, 2]]), "material": 0, "textureMap": model.accessor("float32", [[0.1, 0.5]] * 3)}
        model.node(0, mesh=model.mesh(model.accessor("float32", [[0, 0, 0], [1, 0, 0], [0, 1, 0]]), [surface]))
        picture = self.picture(model.save(self.path("own.g4b")), "--size", "64x64")
        red, _, blue = picture[drawn(picture)].astype(int).mean(axis=0)
        self.assertGreater(blue, red + 60)

    def test_volumes_on_slices(self):
        """Stripes between vertices: the volume is asked for every pixel."""
        positions, cells = tesseract()
        stripes = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]], np.uint8).reshape(1, 1, 3, 3)
        texture = volume_texture(stripes, 1, sampler={"magFilter": "nearest", "wrap": ["clamp"]})
        coordinates = (positions[np.ravel(cells)][:, [0, 1, 3]] + 1) / 2
        path = painted(texture, coordinates).save(self.path("body.g4b"))
        picture = self.picture(path, "--size", "90x90", "--slice", "w=0.3", "--camera", "front")
        [row] = np.nonzero(drawn(picture)[45])
        for part, channel in ((1 / 6, 0), (0.5, 1), (5 / 6, 2)):
            pixel = picture[45, int(row[0] + part * (row[-1] - row[0]))].astype(int)
            self.assertEqual(pixel[:3].argmax(), channel)
            self.assertGreater(pixel[channel], np.delete(pixel[:3], channel).max() + 100)
        stripes_in_depth = volume_texture(stripes.reshape(3, 1, 1, 3), 2, sampler={"magFilter": "nearest", "wrap": ["clamp"]})
        path = painted(stripes_in_depth, coordinates).save(self.path("deep.g4b"))
        for offset, channel in ((-0.9, 0), (0.1, 1), (0.9, 2)):
            pixels = self.picture(path, "--size", "40x40", "--slice", f"w={offset}")
            self.assertEqual(pixels[drawn(pixels)].astype(int).mean(axis=0)[:3].argmax(), channel)

    def test_volumes_in_three_dimensions(self):
        """Half of a quad in each layer; an image that is not there is told once, and its placeholder is seen."""
        model = Builder(3)
        model.node()
        layers = np.array([[255, 0, 0], [0, 0, 255]], np.uint8).reshape(2, 1, 1, 3)
        model.json["textures"] = [volume_texture(layers, 2, sampler={"magFilter": "nearest", "wrap": ["clamp"]})]
        model.json["materials"] = [{"baseColor": {"texture": 0}}]
        quad = {"simplexes": model.accessor("uint8", [[0, 1, 2], [0, 2, 3]]), "material": 0,
                "textureMap": model.accessor("float32", [[0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0]])}
        model.node(0, mesh=model.mesh(model.accessor("float32", [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), [quad]))
        picture = self.picture(model.save(self.path("quad.g4b")), "--size", "80x80").astype(int)
        self.assertGreater(picture[40, 25, 0], picture[40, 25, 1:3].max() + 60)
        self.assertGreater(picture[40, 55, 2], picture[40, 55, :2].max() + 60)
        model.json["textures"][0].update(placeholder=[0, 1, 0], images=[{"mimeType": "image/png", "uri": "none.png"}])
        said = self.succeeds("render", model.save(self.path("none.g4tf")), "-o", self.path("p.png"), "--size", "80x80").err
        self.assertEqual(said.count("none.png"), 1)
        pixel = read_png(self.path("p.png"))[40, 40].astype(int)
        self.assertGreater(pixel[1], max(pixel[0], pixel[2]) + 60)

    def test_volumes_whose_image_has_too_few_tiles(self):
        _, cells = tesseract()
        texture = {**volume_texture(np.full((2, 2, 2, 3), 255, np.uint8), 1), "size": [2, 2, 5], "placeholder": [0, 1, 0]}
        path = painted(texture, np.full((4 * len(cells), 3), 0.5)).save(self.path("body.g4b"))
        said = self.succeeds("render", path, "-o", self.path("p.png"), "--size", "40x40", "--slice", "w=0.3").err
        self.assertEqual(said.count("the image has 2 tiles, expected 5"), 1)
        picture = read_png(self.path("p.png"))
        red, green, blue = picture[drawn(picture)].astype(int).mean(axis=0)[:3]
        self.assertGreater(green, max(red, blue) + 60)

    def test_frames_become_files_or_an_animation(self):
        self.succeeds("render", SKIN, "-o", self.path("f%04d.png"), "--animation", "0", "--frames", "3", "--size", "40x40")
        self.assertEqual(sorted(os.listdir(self.folder)), ["f0000.png", "f0001.png", "f0002.png"])
        self.succeeds("render", SKIN, "-o", self.path("f.webp"), "--animation", "0", "--frames", "5", "--size", "40x40")
        with open(self.path("f.webp"), "rb") as file:
            data = file.read()
        self.assertEqual((data[:4], data[8:12], data.count(b"ANMF")), (b"RIFF", b"WEBP", 5))
        self.assertEqual(struct.unpack("<I", data[4:8])[0], len(data) - 8)

    def test_frames_of_days_do_not_fit_into_an_animation(self):
        """A frame of a .webp lasts at most 2**24 ms, and its time ends with 2**31 ms."""
        with open(SKIN, encoding="utf-8") as file:
            document = json.load(file)
        prefix, content = document["buffers"][0]["uri"].split(",")
        content = bytearray(base64.b64decode(content))
        times = document["animations"][0]["samplers"][0]["input"]
        at = document["bufferViews"][document["accessors"][times]["bufferView"]]["byteOffset"]
        content[at + 16:at + 20] = struct.pack("<f", 1e9)
        document["buffers"][0]["uri"] = prefix + "," + base64.b64encode(content).decode()
        document["accessors"][times]["max"] = [1e9]
        with open(self.path("slow.gltf"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        options = ("--animation", "0", "--size", "40x40")
        self.fails(USAGE, "render", self.path("slow.gltf"), "-o", self.path("f.webp"), *options, "--frames", "5", says=["f.webp", "2e+08 s", "--fps", "%04d"])
        self.assertEqual(os.listdir(self.folder), ["slow.gltf"])
        self.succeeds("render", self.path("slow.gltf"), "-o", self.path("f%d.png"), *options, "--frames", "2")
        self.fails(USAGE, "render", SKIN, "-o", self.path("f.webp"), *options, "--fps", "3000", says=["f.webp", "0.000333333 s", "0.001 to 16777 s"])

    def durations(self, *arguments):
        """Of the frames of an animation, in milliseconds."""
        self.succeeds("render", SKIN, "-o", self.path("d.webp"), "--animation", "Swing", "--size", "40x40", *arguments)
        with open(self.path("d.webp"), "rb") as file:
            parts = file.read().split(b"ANMF")[1:]
        return [int.from_bytes(part[4 + 12:4 + 15], "little") for part in parts]

    def test_a_loop_lasts_as_long_as_its_clip(self):
        """5.5 s; the moment at its end, which is the one at its beginning, is drawn once. Numbered pictures are deform's frames."""
        self.assertEqual(self.durations("--frames", "11"), [500] * 11)
        self.assertIn("a .webp leaves out the end", " ".join(sinew("render", "--help").out.split()))
        self.assertEqual(self.durations("--fps", "2"), [500] * 12)
        self.assertEqual(self.durations("--fps", "1"), [1000] * 6)
        self.succeeds("render", SKIN, "-o", self.path("f%d.png"), "--animation", "Swing", "--size", "40x40", "--frames", "4")
        for i in range(4):
            still = self.picture(SKIN, "--size", "40x40", "--animation", "Swing", "--time", f"{5.5 * i / 3}")
            # The camera looks at what is drawn, so that a still is a little nearer or farther.
            np.testing.assert_allclose(read_png(self.path(f"f{i}.png")).astype(int), still.astype(int), atol=40)

    def test_slices_and_projections(self):
        arm = os.path.join(ROOT, "samples", "show", "arm_4d.g4tf")
        thin, thick = (drawn(self.picture(arm, "--size", "96x96", "--slice", f"w={w}")).sum() for w in (0.3, 0))
        self.assertLess(thin, thick)
        five = os.path.join(ROOT, "samples", "show", "arm_5d.g4tf")
        self.assertGreater(drawn(self.picture(five, "--size", "96x96", "--slice", "w=0.05", "--slice", "v=0.05")).sum(), 500)
        bent, flat = self.picture(arm, "--size", "96x96", "--project"), self.picture(arm, "--size", "96x96", "--orthographic")
        self.assertTrue((bent != flat).any())
        self.assertEqual(tuple(bent[0, 0]), (24, 27, 34))
        self.fails(USAGE, "render", arm, "-o", self.path("o.png"), "--slice", "w=a", says=["w=a"])
        self.fails(USAGE, "render", arm, "-o", self.path("o.png"), "--slice", "w=0", "--bones", says=["bones"])

    def test_what_is_huge_tiny_or_far_away_fills_the_picture_too(self):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")

        def share(name, points):
            model = Gltf()
            primitive = {"attributes": {"POSITION": model.accessor(points.astype("<f4"), bounds=True)}}
            model.json.update(meshes=[{"primitives": [primitive]}], nodes=[{"mesh": 0}], scenes=[{"nodes": [0]}], scene=0)
            return drawn(self.picture(model.save(self.path(name)), "--size", "100x80")).mean()

        plain = share("plain.gltf", corners)
        self.assertGreater(plain, 0.2)
        for name, points in (("huge.gltf", corners * 1e30), ("tiny.gltf", corners * 1e-30), ("far.gltf", corners + 1e6)):
            self.assertAlmostEqual(share(name, points), plain, delta=0.01, msg=name)

    def test_says_that_there_is_nothing_to_see(self):
        model = Gltf()
        model.json.update(nodes=[{"name": "Alone"}], scenes=[{"nodes": [0]}], scene=0)
        self.assertIn("the scene has no visible vertex", self.succeeds("render", model.save(self.path("empty.gltf")), "-o", self.path("o.png")).err)
        far = self.succeeds("render", os.path.join(ROOT, "samples", "g4mf", "tesseract.g4tf"), "-o", self.path("o.png"), "--slice", "w=2")
        self.assertIn("the cut does not meet the model", far.err)
        side = self.succeeds("render", SKIN, "-o", self.path("o.png"), "--camera", "side")
        self.assertIn("one-sided model is invisible", side.err)
        self.assertNotIn("the picture is empty", self.succeeds("render", SKIN, "-o", self.path("o.png"), "--camera", "80,0").err)

    def test_colours_of_parts_of_surfaces(self):
        """G4MF: by corner, by simplex and by edge, of two revisions."""
        corners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
        red, blue = (0.8, 0, 0.02), (0, 0.02, 0.8)

        def quad(kind, revision="2026-01", **channel):
            model = Builder(3, revision)
            model.node()
            color = {key: model.accessor("float32", rows) for key, rows in channel.items()}
            if revision == "2026-07":
                color = {"elementMap": {**color, "perSimplex": model.accessor("uint8", [0, 1])}}
            model.json["materials"] = [{"baseColor": color}]
            surface = {"material": 0}
            if kind == "simplexes":
                surface["simplexes"] = model.accessor("uint8", [[0, 1, 2], [0, 2, 3]])
            else:
                surface["edges"] = model.accessor("uint8", [[0, 1], [2, 3]])
            model.node(0, mesh=model.mesh(model.accessor("float32", corners), [surface]))
            picture = self.picture(model.save(self.path("quad.g4b")), "--size", "80x80").astype(int)
            rows, columns = np.nonzero(drawn(picture))
            places = ((columns.max() - 14, rows.max() - 10), (columns.min() + 14, rows.min() + 10))
            return [picture[y - 12:y + 13, x - 4:x + 5].reshape(-1, 3) for x, y in places]

        for kind, channel in (("simplexes", {"perVertex": [red] * 3 + [blue] * 3}), ("simplexes", {"perSimplex": [red, blue]}),
                              ("edges", {"perEdge": [red, blue]}), ("edges", {"perVertex": [red] * 2 + [blue] * 2}),
                              ("simplexes", {"values": [red, blue], "revision": "2026-07"})):
            with self.subTest(kind=kind, channel=list(channel)):
                lower, upper = quad(kind, **channel)
                for pixels, strong, weak in ((lower, 0, 2), (upper, 2, 0)):
                    self.assertGreater((pixels[:, strong] - pixels[:, weak]).max(), 60)
                    self.assertLess((pixels[:, weak] - pixels[:, strong]).max(), 30)

    def test_refuses_options_that_change_nothing(self):
        out = self.path("o.png")
        arm, arm_5d = (os.path.join(ROOT, "samples", "show", f"{name}.g4tf") for name in ("arm_4d", "arm_5d"))
        for option in ("--project", "--orthographic"):
            self.fails(USAGE, "render", SKIN, "-o", out, option, says=[option, "3 dimensions"])
            self.fails(USAGE, "render", arm, "-o", out, "--slice", "w=0", option, says=[option, "3 dimensions"])
            self.succeeds("render", arm_5d, "-o", out, "--slice", "v=0", option, "--size", "40x40")
        self.fails(USAGE, "render", arm, "-o", out, "--edges", says=["--edges"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--revision", "2026-07", says=["--revision", "glTF"])
        globe = os.path.join(ROOT, "samples", "show", "globe.gltf")
        self.assertIn("no joints", self.succeeds("render", globe, "-o", out, "--bones", "--size", "40x40").err)

    def test_refuses_what_makes_no_sense(self):
        out = self.path("o.png")
        self.fails(USAGE, "render", SKIN, "-o", self.path("o.gif"), says=[".png or .webp"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--size", "0x10", says=["800x600"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--camera", "frnt", says=["did you mean front?"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--background", "whit", says=["did you mean white?"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--edge", says=["did you mean --edges?"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--weights", "Uper", says=["Upper"])
        self.fails(USAGE, "render", FIGURE, "-o", out, "--weights", "Figure", says=["not a joint of a visible skin"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--animation", "Swing", "--frames", "3", says=["%04d"])
        self.fails(USAGE, "render", SKIN, "-o", self.path("%d%d.png"), says=["only one pattern"])
        arm = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        self.fails(USAGE, "render", arm, "-o", out, "--weights", "0", says=["three"])
        self.fails(USAGE, "render", SKIN, "-o", out, "--size", "8192x8192", says=["8192x8192", "33554432"])
        self.fails(USAGE, "render", SKIN, "-o", out, "-o", out, says=["--output occurs 2 times, expected once"])
        self.fails(USAGE, "render", SKIN, "-o", says=["--output needs a value, OUT"])
        self.assertEqual(os.listdir(self.folder), [])


# Small pictures that a person has looked at, of samples: name, sample, options. SINEW_UPDATE=1 writes them anew.
PICTURES = os.path.join(ROOT, "tests", "cli", "pictures")
GOLDEN = [
    ("figure", "show/figure.gltf", ["--animation", "Walk", "--time", "0.33"]),
    ("bones", "show/figure.gltf", ["--animation", "Walk", "--time", "0.33", "--bones"]),
    ("weights", "show/figure.gltf", ["--weights", "Forearm.L"]),
    ("face", "show/face.gltf", ["--blend", "Smile=1"]),
    ("ball", "show/globe.gltf", []),
    ("tube", "gltf/tube_8_influences.gltf", ["--animation", "Curl", "--time", "1.2", "--edges"]),
    ("mirrored", "gltf/mirrored_pair.gltf", []),
    ("tesseract", "g4mf/tesseract.g4tf", []),
    ("arm_4d_slice", "show/arm_4d.g4tf", ["--pose", os.path.join(ROOT, "samples", "show", "arm_4d.pose.json"), "--slice", "w=0.1"]),
]


def blurred(picture, size=8):
    """Means of blocks: what is left when edges are drawn a little otherwise, as by another driver."""
    height, width = (side // size * size for side in picture.shape[:2])
    return picture[:height, :width].astype(float).reshape(height // size, size, width // size, size, -1).mean(axis=(1, 3))


class Golden(Drawing):
    def test_pictures_look_as_they_did(self):
        for name, sample, options in GOLDEN:
            with self.subTest(name):
                picture = self.picture(os.path.join(ROOT, "samples", sample), "--size", "96x96", *options)
                kept = os.path.join(PICTURES, f"{name}.png")
                if os.environ.get("SINEW_UPDATE"):
                    os.makedirs(PICTURES, exist_ok=True)
                    os.replace(self.path("out.png"), kept)
                    continue
                difference = np.abs(blurred(picture) - blurred(read_png(kept)))
                self.assertLess(difference.max(), 16)
                self.assertLess(difference.mean(), 1.5)

    def test_shader_and_library_draw_the_same(self):
        """A stage that does nothing makes the library deform: joint 0 of the rectangle does not move."""
        plain = self.picture(SKIN, "--size", "96x96")
        still = self.picture(SKIN, "--size", "96x96", "--debug-joint", "0", "--stage", "joint")
        self.assertLess(np.abs(plain.astype(int) - still).max(), 3)


class WithoutOpenGl(ProgramTest):
    def test_says_what_to_install(self):
        self.fails(UNSUPPORTED, "render", SKIN, "-o", self.path("o.png"), says=["apt-get install", "libgl1-mesa-dri", "[SINEW_NO_OPENGL]"],
                   env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"})
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
