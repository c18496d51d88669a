# SPDX-License-Identifier: MIT
"""The page of `sinew view` in Debian's Chromium: models are visible and move to the right places. Skipped without a browser."""
import base64
import functools
import json
import os
import re
import select
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import INPUT, ROOT, UNSUPPORTED, ProgramTest, corpus_models, main, sinew
from test_slice import painted, tesseract, volume_texture
from test_view import View, blinking

import node_tools
from g4mf_builder import Builder as G4mf
from gltf_builder import Builder
from test_vrm_to_1 import rich

GLTF = os.path.join(ROOT, "samples", "gltf")
SHOW = os.path.join(ROOT, "samples", "show")
G4MF = os.path.join(ROOT, "samples", "g4mf")
WIDTH, HEIGHT = 160, 120  # of the pictures that view_page.mjs gives
SMALL = {"viewport": {"width": 400, "height": 300}}  # of those who look at no picture: a browser that draws in software takes its time by the pixel
BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)


def setUpModule():
    reason = None if BROWSER else "chromium is needed"
    if sinew("view", os.path.join(ROOT, "does-not-exist"), "--no-open").status == UNSUPPORTED:
        reason = "this build has no page"
    if reason:
        print(f"SKIPPED: {reason}", file=sys.stderr)
        raise unittest.SkipTest(reason)
    node_tools.require()
    global browser
    browser = subprocess.Popen(["node", os.path.join(HERE, "view_page.mjs"), BROWSER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    unittest.addModuleCleanup(browser.communicate)  # ends its input
    if not browser.stdout.readline():
        raise RuntimeError(f"{BROWSER} does not start")


class Page(ProgramTest):
    def seen(self, *jobs):
        """jobs: (url, steps) or (url, steps, user) → what the steps of each gave. The browser must have nothing to complain about."""
        told = [dict(zip(("url", "steps", "user"), job)) for job in jobs]
        print(json.dumps(told), file=browser.stdin, flush=True)
        self.assertTrue(select.select([browser.stdout], [], [], 300)[0], "the browser does not answer")
        result = json.loads(browser.stdout.readline())
        self.assertNotIn("failed", result)
        self.assertEqual(result["complaints"], [])
        return result["answers"]

    def assert_drawn(self, picture, least=0.01):
        self.assertGreater(np.mean(np.array(picture) > 0), least, "the picture is empty")

    def assert_changed(self, before, after, least=0.003):
        self.assertGreater(changed(before, after), least)

    def assert_same(self, before, after):
        self.assertLess(changed(before, after), 0.002)


def png(rows):
    """A picture of red, green and blue from 0 to 255."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def drawn_by(view):
    """What a running program has the page draw: positions, elements, dimensions of the model."""
    model, geometry = view.model(), view.packet("geometry")
    pieces = [geometry[f"piece{p}"] for p in range(len(model["pieces"]))]
    return view.packet("frame", {})["positions"].astype(float), pieces, model["dimension"]


def projection(positions, pieces, dimension, aspect):
    """Where the page's camera should see them, surfaces first, lines (those around surfaces too) and points second: pictures of true and
    false."""
    used = positions[np.concatenate([piece.ravel() for piece in pieces])]
    center, radius = (used.max(0) + used.min(0)) / 2, np.linalg.norm(np.ptp(used, axis=0)) / 2
    back = np.array([0, 0, 1.0] if dimension < 3 else [0.45, 0.28, 1])
    back /= np.linalg.norm(back)
    right = np.cross([0, 1, 0], back)
    right /= np.linalg.norm(right)
    half = np.radians(35) / 2
    eye = center + back * 1.04 * radius / np.sin(min(half, half * aspect))
    seen = (positions - eye) @ np.stack([right, np.cross(back, right), back]).T
    scale = 1 / (np.tan(half) * -seen[:, 2])
    x, y = (seen[:, 0] * scale / aspect + 1) / 2 * WIDTH, (1 - seen[:, 1] * scale) / 2 * HEIGHT
    filled, thin = np.zeros((2, HEIGHT, WIDTH), bool)
    for piece in pieces:
        for corners in np.stack([x[piece], y[piece]], axis=-1):
            if len(corners) == 3:
                fill(filled, corners)
            for start, end in zip(corners, np.roll(corners, -1, axis=0)):
                along = start + np.linspace(0, 1, 2 * WIDTH)[:, None] * (end - start)
                thin[np.clip(along[:, 1].astype(int), 0, HEIGHT - 1), np.clip(along[:, 0].astype(int), 0, WIDTH - 1)] = True
    return filled, thin


def fill(picture, corners):
    """The pixels whose middle is in a triangle."""
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int), (WIDTH, HEIGHT))
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    sides = []
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0)):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    inside = (np.min(sides, axis=0) >= 0) | (np.max(sides, axis=0) <= 0)
    picture[low[1]:high[1], low[0]:high[0]] |= inside


def within(part, whole):
    """How much of one picture lies in the other, or two pixels beside it."""
    grown = np.zeros(np.array(whole.shape) + 4, bool)
    for dy in range(5):
        for dx in range(5):
            grown[dy:dy + whole.shape[0], dx:dx + whole.shape[1]] |= whole
    return (part & grown[2:-2, 2:-2]).sum() / max(part.sum(), 1)


def changed(before, after):
    """The part of the picture that differs clearly."""
    return np.mean(np.abs(np.array(before, int) - np.array(after, int)) > 12)


def vrm0_rich(path):
    """An avatar whose shapes move far enough to be seen."""
    built = rich()
    for group in built.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"]:
        for bind in group["binds"]:
            bind["weight"] = 100
    nodes, head = built.json["nodes"], next(n for n, node in enumerate(built.json["nodes"]) if node["name"] == "bone head")
    nodes[head]["children"].append(built.add("nodes", {"name": "eye", "mesh": 0, "scale": [0.5, 0.5, 0.5], "translation": [0, 0.3, 0]}))  # large, to be seen
    built.json["extensions"]["VRM"]["humanoid"]["humanBones"].append({"bone": "leftEye", "node": len(nodes) - 1})
    return built.save(path)


class Samples(Page):
    def test_every_sample_is_drawn_where_it_should_be(self):
        files = [os.path.join(folder, name) for folder in (GLTF, G4MF) for name in sorted(os.listdir(folder))
                 if name.endswith((".gltf", ".g4tf")) and "_202" not in name and "zstd" not in name]
        self.assertGreaterEqual(len(files), 12)
        views = [View(file) for file in files]
        try:
            told = [drawn_by(view) for view in views]
            seen = self.seen(*((view.url, [["bare"], ["picture"], ["aspect"], ["nameless"]]) for view in views))
        finally:
            for view in views:
                view.__exit__()
        for file, (_, picture, aspect, nameless), geometry in zip(files, seen, told):
            with self.subTest(file):
                filled, thin = projection(*geometry, aspect)
                drawn = np.array(picture).reshape(HEIGHT, WIDTH) > 0
                self.assertTrue(drawn.any(), "the picture is empty")
                self.assertGreater(within(drawn, filled | thin), 0.97, "something is drawn where nothing is")
                self.assertGreater(within(filled | thin, drawn), 0.85, "something is missing in the picture")  # needles have gaps
                self.assertEqual(nameless, [])


class Moving(Page):
    def test_a_bone_and_a_saved_pose(self):
        model, pose = os.path.join(GLTF, "simple_skin.gltf"), self.path("saved.pose.json")
        with View(model) as view:
            [seen] = self.seen((view.url, [["picture"], ["node", "Upper"], ["picture"], ["set", "x → y, degrees", 60], ["picture"], ["save", pose],
                                           ["press", "Reset"], ["picture"]]))
        before, chosen, bent, name, after = seen[0], seen[2], seen[4], seen[5], seen[7]
        self.assert_drawn(before)
        self.assert_changed(chosen, bent, 0.02)
        self.assert_same(chosen, after)
        self.assertEqual(name, "simple_skin.pose.json")
        self.succeeds("deform", model, "-o", self.path("posed.npy"), "--pose", pose)
        self.succeeds("deform", model, "-o", self.path("rest.npy"))
        moved = np.abs(np.load(self.path("posed.npy")) - np.load(self.path("rest.npy"))).max()
        self.assertGreater(moved, 0.5)

    def test_a_clip(self):
        with View(os.path.join(GLTF, "simple_skin.gltf"), "--animation", "Swing") as view:
            [seen] = self.seen((view.url, [["picture"], ["set", "Time, seconds", 1.375], ["picture"], ["play", 0.3], ["picture"], ["choose", "Clip", ""],
                                           ["picture"]]))
        self.assert_changed(seen[0], seen[2], 0.02)
        self.assertGreater(abs(seen[3] - 1.375), 0.29)
        self.assert_changed(seen[2], seen[4])
        self.assert_same(seen[0], seen[6])

    def test_what_a_clip_shows_and_hides(self):
        """The left square is hidden from 0.5 s to 1 s, the right one before 0.5 s; then both are there."""
        with View(blinking(self.path("blinking.glb")), "--animation", "Blink") as view:
            told = [["picture"], ["set", "Time, seconds", 0.75], ["picture"], ["check", "Wireframe", True], ["picture"], ["check", "Wireframe", False],
                    ["set", "Time, seconds", 1], ["picture"]]
            [seen] = self.seen((view.url, told))
        sides = lambda picture: [bool((np.array(picture).reshape(HEIGHT, WIDTH)[:, side] > 0).any()) for side in (slice(0, WIDTH // 2 - 12), slice(WIDTH // 2 + 12, None))]
        self.assertEqual([sides(seen[k]) for k in (0, 2, 4, 7)], [[True, False], [False, True], [False, True], [True, True]])

    def test_a_blend_shape_and_the_looks(self):
        with View(os.path.join(GLTF, "morph_cube.gltf")) as view:
            [seen] = self.seen((view.url, [["picture"], ["set", "Stretch, amount", 1], ["picture"], ["check", "Wireframe", True], ["picture"],
                                           ["check", "Surface", False], ["picture"], ["press", "Reset"]]))
        self.assert_changed(seen[0], seen[2], 0.02)
        self.assert_changed(seen[2], seen[4])
        self.assert_changed(seen[4], seen[6], 0.02)

    def test_an_avatar(self):
        """Expressions have their own names and turn each other down; the tree knows the bones."""
        model, saved = vrm0_rich(self.path("old.glb")), self.path("saved.pose.json")
        with View(model) as view:
            [seen] = self.seen((view.url, [["labels"], ["texts", ".tree .bone"], ["picture"], ["set", "happy (Joy), expression", 1], ["set", "Wink hard, expression", 0.5],
                                           ["picture"], ["save", saved], ["node", "head"], ["text", ".chosen"], ["press", "Reset"], ["picture"], ["set", "To its left, degrees", 90], ["picture"]]))
        self.assert_changed(seen[10], seen[12], 0.001)
        for label in ("To its left, degrees", "Down, degrees", "happy (Joy), expression", "aa (A), expression", "blinkLeft (Blink_L), expression", "Surprised, expression"):
            self.assertIn(label, seen[0])
        self.assertIn("leftUpperArm", seen[1])
        self.assertIn("leftThumbMetacarpal", seen[1])
        self.assertIn("bone head", seen[8][0])
        self.assert_changed(seen[2], seen[5])
        self.assert_same(seen[2], seen[10])
        np.testing.assert_allclose(self.deform(model, "--pose", saved), self.deform(model, "--expression", "happy=1", "--expression", "Wink hard=0.5"), atol=1e-6)

    def test_a_dropped_motion(self):
        """The walk of a figure is dropped on an avatar: the page shows it, and says what it did to it."""
        with open(os.path.join(SHOW, "figure.gltf"), "rb") as file:
            walk = base64.b64encode(file.read()).decode()
        with View(os.path.join(SHOW, "avatar.vrm")) as view:
            [seen] = self.seen((view.url, [["bare"], ["picture"], ["drop", "walk.gltf", walk], ["text", ".dropped"], ["bare"], ["picture"],
                                           ["set", "Time, seconds", 0.3], ["picture"], ["choose", "Clip", ""], ["picture"]]))
        _, rest, _, note, _, _, _, walking, _, again = seen
        self.assertIn("turned by 180 degrees", note[0])
        self.assert_changed(rest, walking)
        self.assert_changed(walking, again)

    def test_weights(self):
        with View(os.path.join(GLTF, "tube_8_influences.gltf")) as view:
            name = next(node["name"] for node in view.model()["nodes"] if node["joint"])
            [seen] = self.seen((view.url, [["check", "Bones", False], ["node", name], ["picture"], ["check", "Weights of the selected bone", True],
                                           ["picture"], ["check", "Weights of the selected bone", False], ["picture"]]))
        self.assert_changed(seen[2], seen[4], 0.02)
        self.assert_same(seen[2], seen[6])

    def test_the_box_of_a_clip(self):
        box = "Box of the whole clip"
        for model in (os.path.join(GLTF, "simple_skin.gltf"), os.path.join(G4MF, "tesseract.g4tf")):
            with self.subTest(model), View(model) as view:
                [seen] = self.seen((view.url, [["picture"], ["check", box, True], ["picture"], ["text", "p.hint:has-text('leave the box')"],
                                               ["check", box, False], ["picture"]]))
                self.assert_changed(seen[0], seen[2])
                self.assertRegex(seen[3][0], r"^x -?\d.* … \d.*, y ")
                self.assert_same(seen[0], seen[5])

    def test_a_comparison(self):
        model, moved = os.path.join(GLTF, "simple_skin.gltf"), self.path("moved.gltf")
        with open(model, encoding="utf-8") as file:
            document = json.load(file)
        document["nodes"][2]["translation"] = [0, 1.25, 0]
        with open(moved, "w", encoding="utf-8") as file:
            json.dump(document, file)
        distances = "Distances from dark (none) to bright"
        with View(model, "--compare", moved) as view:
            [seen] = self.seen((view.url, [["check", "Bones", False], ["picture"], ["check", distances, True], ["picture"],
                                           ["text", "details:has(summary:text-is('Compared with moved.gltf'))"], ["press", "clip Swing 0.25, 0.112 of the diagonal"],
                                           ["check", distances, False], ["check", "Weights of the selected bone", True], ["text", "#note"]]))
        self.assert_changed(seen[1], seen[3], 0.02)
        for said in ("different", "While joints only turn: at most 0.25", "all joints turned in xy"):
            self.assertIn(said, seen[4][0])
        self.assertEqual(seen[8], [""])

    def test_four_dimensions(self):
        with View(os.path.join(G4MF, "tesseract.g4tf")) as view:
            model = view.model()
            high = model["center"][3] + 0.9 * model["radius"]
            [seen] = self.seen((view.url, [["picture"], ["choose", "Show", "orthographic"], ["picture"], ["choose", "Show", "slice"], ["picture"],
                                           ["set", "x → w, degrees, whole model", 30], ["picture"], ["set", "Cut at w, position", high], ["picture"],
                                           ["press", "Reset rotation"], ["picture"]]))
        for picture in (seen[0], seen[2], seen[4], seen[6]):
            self.assert_drawn(picture)
        self.assert_changed(seen[0], seen[2])
        self.assert_changed(seen[2], seen[4], 0.02)
        self.assert_changed(seen[4], seen[6])
        self.assert_changed(seen[6], seen[8], 0.02)
        self.assert_same(seen[4], seen[10])


class FarAway(Page):
    def test_a_million_units_away_all_looks_as_at_the_origin(self):
        away = [1e6, -2e6, 3e6]
        with open(os.path.join(GLTF, "simple_skin.gltf"), encoding="utf-8") as file:
            skin = json.load(file)
        skin["nodes"].append({"children": skin["scenes"][0]["nodes"], "translation": away})
        skin["scenes"][0]["nodes"] = [len(skin["nodes"]) - 1]
        with open(os.path.join(G4MF, "tesseract.g4tf"), encoding="utf-8") as file:
            tesseract = json.load(file)
        tesseract["nodes"][1]["position"] = [*away, -1e6]
        far_skin, far_tesseract = self.write("skin.gltf", skin), self.write("tesseract.g4tf", tesseract)
        steps = [["choose", "Clip", ""], ["picture"], ["check", "Wireframe", True], ["picture"]]  # as stored: a pose has float32's steps there, as deform has
        slices = [["picture"], ["choose", "Show", "slice"], ["picture"]]
        with View(os.path.join(GLTF, "simple_skin.gltf")) as a, View(far_skin) as b, View(os.path.join(G4MF, "tesseract.g4tf")) as c, View(far_tesseract) as d:
            page = ExportedPage.moving(self, far_skin)
            near, far, baked, flat, far_flat = self.seen((a.url, steps), (b.url, steps), (page, steps), (c.url, slices), (d.url, slices))
        self.assert_drawn(near[1])
        for one, other in ((near, far), (near, baked)):
            self.assert_same(one[1], other[1])
            self.assert_same(one[3], other[3])
        for picture in (0, 2):
            self.assert_drawn(flat[picture])
            self.assert_same(flat[picture], far_flat[picture])


class Materials(Page):
    """Quads of known colours, seen from the front: what lights them leaves the strongest channel the strongest."""

    def quad(self, name, material, colors=None, reverse=False):
        model = Builder()
        attributes = {"POSITION": model.accessor(np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], "<f4"), bounds=True),
                      "TEXCOORD_0": model.accessor(np.array([[0, 1], [1, 1], [1, 0], [0, 0]], "<f4"))}
        if colors is not None:
            attributes["COLOR_0"] = model.accessor(np.array(colors, "<f4"))
        indices = model.accessor(np.array([0, 2, 1, 0, 3, 2] if reverse else [0, 1, 2, 0, 2, 3], "<u2"))
        primitive = {"attributes": attributes, "indices": indices, "material": 0}
        model.json.update(meshes=[{"primitives": [primitive]}], nodes=[{"mesh": 0}], scenes=[{"nodes": [0]}], scene=0, materials=[material],
                          images=[{"mimeType": "image/png", "bufferView": model.view(png([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]]))}],
                          samplers=[{"magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33071}],
                          textures=[{"source": 0, "sampler": 0}], extensionsUsed=["KHR_materials_unlit", "KHR_texture_transform"])
        return model.save(self.path(name))

    def pixels(self, *files):
        """The colours of each quad's upper left, upper right, lower left and lower right."""
        places = [["pixel", x, y] for y in (0.42, 0.58) for x in (0.45, 0.55)]
        views = [View(file) for file in files]
        try:
            return self.seen(*((view.url, places) for view in views))
        finally:
            for view in views:
                view.__exit__()

    def test_colours(self):
        unlit = {"KHR_materials_unlit": {}}
        texture, half = {"index": 0}, {"KHR_texture_transform": {"scale": [0.5, 1]}}
        orange = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0.2, 0, 1]}}
        front, back, both, plain, turned, product, painted = self.pixels(
            self.quad("front.gltf", orange), self.quad("back.gltf", orange, reverse=True),
            self.quad("both.gltf", {**orange, "doubleSided": True}, reverse=True),
            self.quad("plain.glb", {"extensions": unlit, "pbrMetallicRoughness": {"baseColorTexture": texture}}),
            self.quad("turned.glb", {"extensions": unlit, "pbrMetallicRoughness": {"baseColorTexture": {**texture, "extensions": half}}}),
            self.quad("product.glb", {"extensions": unlit, "pbrMetallicRoughness": {"baseColorFactor": [0, 1, 1, 1], "baseColorTexture": texture}}),
            self.quad("painted.gltf", {"extensions": unlit}, colors=[[0, 0, 1]] * 4))
        for quad in (front, both):
            red, green, blue = quad[0]
            self.assertGreater(red, green + 40)
            self.assertGreater(green, blue + 20)
        self.assertEqual(len({*map(tuple, back)}), 1, "the back is seen")
        self.assertNotEqual(back[0], front[0])
        self.assertEqual(plain, [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]])
        self.assertEqual(turned, [[255, 0, 0], [255, 0, 0], [0, 0, 255], [0, 0, 255]])
        self.assertEqual(product, [[0, 0, 0], [0, 255, 0], [0, 0, 255], [0, 255, 0]])
        self.assertEqual(painted, [[0, 0, 255]] * 4)

    def test_textures_of_g4mf(self):
        """Maps by corner: each gets vertices of its own."""
        model = G4mf(3)
        model.node()
        picture = png([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]])
        model.json["textures"] = [{"size": [2, 2], "placeholder": [1, 1, 1], "sampler": {"magFilter": "nearest", "minFilter": "nearest", "wrap": ["clamp"]},
                                   "images": [{"mimeType": "image/png", "uri": "data:image/png;base64," + base64.b64encode(picture).decode()}]}]
        model.json["materials"] = [{"baseColor": {"texture": 0}}]
        quad = {"simplexes": model.accessor("uint8", [[0, 1, 2], [0, 2, 3]]), "material": 0,
                "textureMap": model.accessor("float32", [[0, 1], [1, 1], [1, 0], [0, 1], [1, 0], [0, 0]])}
        model.node(0, mesh=model.mesh(model.accessor("float32", [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), [quad]))
        [seen] = self.pixels(model.save(self.path("textured.g4tf")))
        for pixel, channels in zip(seen, ([0], [1], [2], [0, 1])):
            light, dark = [pixel[c] for c in channels], [pixel[c] for c in range(3) if c not in channels]
            self.assertGreater(min(light), max(dark) + 60, seen)

    def test_a_slice_has_the_colour_of_its_material(self):
        with open(os.path.join(G4MF, "tesseract.g4tf"), encoding="utf-8") as file:
            model = json.load(file)
        model["materials"] = [{"baseColor": {"factor": [0, 0.6, 0.05]}}]
        for surface in model["meshes"][0]["surfaces"]:
            surface["material"] = 0
        with View(self.write("green.g4tf", model)) as view:
            [seen] = self.seen((view.url, [["choose", "Show", "slice"], ["pixel", 0.5, 0.5]]))
        self.assertGreater(seen[1][1], max(seen[1][0], seen[1][2]) + 40)

    def test_a_slice_has_the_colours_of_a_volume(self):
        """From red at the left to blue at the right, by what the volume has at the corners of the slice."""
        positions, cells = tesseract()
        layers = np.array([[255, 0, 0], [0, 0, 255]], np.uint8).reshape(1, 1, 2, 3)
        texture = volume_texture(layers, 1, sampler={"magFilter": "linear", "wrap": ["clamp"]})
        model = painted(texture, (positions[np.ravel(cells)][:, [0, 1, 3]] + 1) / 2)
        path, steps = model.save(self.path("body.g4b")), [["choose", "Show", "slice"], ["pixel", 0.42, 0.5], ["pixel", 0.55, 0.55]]
        with View(path) as view:
            [live] = self.seen((view.url, steps))
        left, right = (pixel[0] - pixel[2] for pixel in live[1:])
        self.assertGreater(left, right + 60, live)
        [exported] = self.seen((ExportedPage.moving(self, path), steps))
        self.assertEqual(exported, live)

    def test_colours_of_g4mf(self):
        model = G4mf(3)
        model.node()
        model.json["materials"] = [{"baseColor": {"factor": [0, 0.5, 0.02]}}, {"baseColor": {"factor": [0.6, 0, 0.02]}}]
        quad = {"simplexes": model.accessor("uint8", [[0, 1, 2], [0, 2, 3]]), "material": 0}
        mesh = model.mesh(model.accessor("float32", [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), [quad])
        model.node(0, name="Own", mesh=mesh)
        first = model.save(self.path("own.g4tf"))
        model.json["nodes"][1]["meshInstance"]["materials"] = [1]
        green, red = self.pixels(first, model.save(self.path("instead.g4tf")))
        self.assertGreater(green[0][1], max(green[0][0], green[0][2]) + 40)
        self.assertGreater(red[0][0], max(red[0][1], red[0][2]) + 40)


@functools.cache  # `doctor` looks for OpenGL too
def kernel():
    """The native one that is most like the module's (tests/wasm)."""
    return "sse4" if "sse4" in sinew("doctor").out else "plain"


def with_clip(path, node):
    """A G4MF file of the samples with a clip of two seconds that turns and moves a node."""
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    n = model["asset"]["dimension"]
    turns = np.zeros((3, 2 ** (n - 1)), "<f4")
    turns[:, 0], turns[1, 0], turns[1, n - 1] = 1, 0.8, -0.6  # the plane of x and the last axis
    times, moves = np.array([0, 1, 2], "<f4"), np.zeros((3, n), "<f4")
    moves[:, 1], moves[1, -1] = 1, 0.5
    data = b""
    for rows in (times[:, None], turns, moves):
        model["accessors"].append({"bufferView": len(model["bufferViews"]), "componentType": "float32"})
        if rows.shape[1] > 1:
            model["accessors"][-1]["vectorSize"] = rows.shape[1]
        model["bufferViews"].append({"buffer": 1, "byteOffset": len(data), "byteLength": rows.nbytes})
        data += rows.tobytes()
    model["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
    first = len(model["accessors"]) - 3
    tracks = [{"node": node, "path": name, "interpolation": "LINEAR", "times": first, "values": first + i} for i, name in ((1, "rotor"), (2, "position"))]
    model.setdefault("extensions", {})["SINEW_animation"] = {"clips": [{"name": "Sway", "tracks": tracks}]}
    model["asset"]["extensionsUsed"] = ["SINEW_animation"]
    return model


def distinct(rows):
    return np.unique(np.ascontiguousarray(rows, "<f4").view("<u4"), axis=0)


class ExportedPage(Page):
    """Opened as a file: no program runs, and the browser asks for nothing."""

    def exported(self, model, *options):
        path = self.path(os.path.basename(model) + ".html")
        self.succeeds("view", model, "--export", path, *options)
        return "file://" + path

    def moving(self, *arguments):
        """The address of an exported page that computes; skips if this build has no module."""
        address = ExportedPage.exported(self, *arguments)
        with open(address[len("file://"):], encoding="utf-8") as file:
            if '<script type="application/json" id="module">' not in file.read():
                self.skipTest("this build has no WebAssembly module")
        return address

    def array(self, command, *arguments):
        out = self.path("out.npy")
        self.succeeds(command, *arguments, "-o", out, "-q")
        return np.load(out)

    def assert_uploaded(self, uploaded, vertices):
        """WebGL has these vertices, bit for bit, in one of its arrays, and nothing else there; lines lack vertices inside of a body."""
        wanted = set(map(bytes, distinct(vertices)))
        self.assertGreater(len(wanted), 3)
        arrays = [np.frombuffer(base64.b64decode(text), "<f4") for text in uploaded]
        found = [set(map(bytes, distinct(numbers.reshape(-1, 3)))) for numbers in arrays if len(numbers) % 3 == 0]
        shares = [len(each) / len(wanted) for each in found if each <= wanted]
        self.assertGreater(max(shares, default=0), 0.9, f"no array has these {len(wanted)} vertices")

    def test_vertices_are_those_of_deform(self):
        """Bit for bit, live and exported, with three to five dimensions."""
        self.moving(os.path.join(GLTF, "simple_skin.gltf"))
        models = [os.path.join(GLTF, "simple_skin.gltf")] + [
            self.write(f"moving_{name}", with_clip(os.path.join(SHOW, name), 3)) for name in ("arm_4d.g4tf", "arm_5d.g4tf")]
        times = [0, 0.375, 1.25]
        for model in models:
            flat = [["choose", "Show", "orthographic"]] if model.endswith(".g4tf") else []
            shown = [step for time in times for step in (["set", "Time, seconds", time], ["uploaded"])]
            steps = [["choose", "Clip", "0"], *flat, *shown]
            with View(model) as view:
                live, page = self.seen((view.url, steps, SMALL), (self.exported(model), steps, SMALL))
            for seen, options in ((live, []), (page, ["--kernel", kernel()])):
                told = [answer for step, answer in zip(steps, seen) if step[0] == "uploaded"]
                for time, uploaded in zip(times, told):
                    with self.subTest(model, options=options, time=time):
                        self.assert_uploaded(uploaded, self.array("deform", model, "--animation", 0, "--time", time, *options)[:, :3])

    def test_slices_are_those_of_slice(self):
        page = self.moving(os.path.join(G4MF, "tesseract.g4tf"))
        models = [(os.path.join(G4MF, "tesseract.g4tf"), {"w": 0.25}),
                  (self.write("moving.g4tf", with_clip(os.path.join(SHOW, "arm_4d.g4tf"), 3)), {"w": 0.0625}),
                  (os.path.join(SHOW, "arm_5d.g4tf"), {"w": 0.125, "v": 0.0625})]
        for model, cuts in models:
            clip = ["--animation", 0, "--time", 0.375] if "moving" in model else []
            steps = [["choose", "Show", "slice"], *(["set", f"Cut at {axis}, position", at] for axis, at in cuts.items())]
            if clip:
                steps += [["choose", "Clip", "0"], ["set", "Time, seconds", 0.375]]
            with View(model) as view:
                seen = self.seen(*((address, [*steps, ["uploaded"]], SMALL) for address in (view.url, self.exported(model))))
            planes = [part for axis, at in reversed(cuts.items()) for part in ("--at", f"{axis}={at}")]
            posed = self.path("posed.g4b")  # by the module's kind of kernel, which slice has no option for
            self.succeeds("deform", model, *clip, "-o", posed, "-q", "--kernel", kernel())
            for answers, wanted in zip(seen, (self.array("slice", model, *planes, *clip), self.array("slice", posed, *planes))):
                with self.subTest(model):
                    self.assert_uploaded(answers[-1], wanted)

    def test_it_does_what_the_program_does(self):
        """The same pictures: of a bone that is turned, a blend shape, weights, a box, a slice and a turned whole; and the same pose file."""
        skin, cube, tesseract = (os.path.join(folder, name) for folder, name in ((GLTF, "simple_skin.gltf"), (GLTF, "morph_cube.gltf"), (G4MF, "tesseract.g4tf")))
        poses = [self.path("live.pose.json"), self.path("exported.pose.json")]
        turn = ["node", "Upper"], ["set", "x → y, degrees", 60]
        cases = [(skin, [["picture"], *turn, ["picture"], ["check", "Weights of the selected bone", True], ["picture"], ["check", "Box of the whole clip", True],
                         ["picture"], ["choose", "Clip", "0"], ["set", "Time, seconds", 1.4], ["picture"]]),
                 (cube, [["set", "Stretch, amount", 1], ["picture"]]),
                 (tesseract, [["picture"], ["choose", "Show", "slice"], ["set", "x → w, degrees, whole model", 30], ["picture"]])]
        for model, steps in cases:
            page = self.moving(model)
            with View(model) as view:
                live, exported = self.seen(*((address, [*steps, ["save", pose], ["nameless"], ["labels"], ["text", "#note"]])
                                             for address, pose in zip((view.url, page), poses)))
            with self.subTest(model):
                pictures = [k for k, step in enumerate(steps) if step[0] == "picture"]
                for before, k in zip([None, *pictures], pictures):
                    self.assert_drawn(live[k])
                    self.assert_same(live[k], exported[k])
                    if before is not None:
                        self.assert_changed(live[before], live[k])
                self.assertEqual(live[-2][-1], "A file with animations")  # only the program reads them
                self.assertEqual([exported[-3], exported[-2], exported[-1]], [live[-3], live[-2][:-1], live[-1]])
                self.assertEqual([exported[-3], exported[-1]], [[], [""]])
                with open(poses[0], encoding="utf-8") as one, open(poses[1], encoding="utf-8") as other:
                    self.assertEqual(one.read(), other.read())

    def test_options(self):
        """What the user chose is in the page: a clip, a pose, an amount."""
        skin, cube = os.path.join(GLTF, "simple_skin.gltf"), os.path.join(GLTF, "morph_cube.gltf")
        pose = self.write("bent.pose.json", {"nodes": {"Upper": {"rotation": [0, 0, 0.6, 0.8]}}})
        page = self.moving(skin, "--animation", "Swing", "--pose", pose)
        blended = self.exported(cube, "--blend", "0=0.5")
        (_, skinned), (morphed,) = self.seen((page, [["set", "Time, seconds", 0.5], ["uploaded"]]), (blended, [["uploaded"]]))
        self.assert_uploaded(skinned, self.array("deform", skin, "--animation", "Swing", "--time", 0.5, "--pose", pose, "--kernel", kernel()))
        self.assert_uploaded(morphed, self.array("deform", cube, "--blend", "0=0.5", "--kernel", kernel()))

    def test_limits(self):
        """What the program was allowed to read, the page reads."""
        with open(os.path.join(GLTF, "simple_skin.gltf"), encoding="utf-8") as file:
            model = json.load(file)
        first, deep = len(model["nodes"]), 5000
        model["nodes"] += [{"children": [first + k + 1]} for k in range(deep)] + [{"children": model["scenes"][0]["nodes"], "translation": [1, 0, 0]}]
        model["scenes"][0]["nodes"] = [first]
        deeper = ("--limit", "node_depth=6000")
        path = self.write("deep.gltf", model)
        self.fails(INPUT, "view", path, "--export", self.path("deep.html"), says=["SINEW_NODE_DEPTH_LIMIT"])
        [[uploaded]] = self.seen((self.moving(path, *deeper), [["uploaded"]]))
        self.assert_uploaded(uploaded, self.array("deform", path, *deeper, "--kernel", kernel()))

    def test_every_clip_of_the_corpus(self):
        """Each clip is in the page and plays as `sinew deform` computes it, at two times; with compressed files too."""
        models = [path for _, path in corpus_models()]
        if not models:
            self.skipTest("the corpus is not there")
        jobs = []
        for model in models:
            clips = json.loads(self.succeeds("info", model, "--json").out)["animations"]
            steps = [*([["choose", "Clip", ""]] if clips else []), ["uploaded"]]
            for c, clip in enumerate(clips):
                steps += [["choose", "Clip", str(c)], ["set", "Time, seconds", 0.37 * clip["duration"]], ["uploaded"]]
            jobs.append((self.moving(model), steps, [None, *((c, 0.37 * clip["duration"]) for c, clip in enumerate(clips))]))
        compared = 0
        for model, (_, steps, poses), seen in zip(models, jobs, self.seen(*((*job[:2], SMALL) for job in jobs))):
            told = [answer for step, answer in zip(steps, seen) if step[0] == "uploaded"]
            self.assertEqual(len(told), len(poses))
            for pose, uploaded in zip(poses, told):
                with self.subTest(model, pose=pose):
                    clip = ["--animation", pose[0], "--time", repr(pose[1])] if pose else []
                    wanted = self.array("deform", model, *clip, "--kernel", kernel())
                    scale = max(1.0, float(np.abs(wanted).max(initial=0)))
                    arrays = [np.frombuffer(base64.b64decode(text), "<f4") for text in uploaded]
                    errors = [float(np.abs(numbers.reshape(-1, 3) - wanted).max()) for numbers in arrays if len(numbers) == wanted.size]
                    self.assertLessEqual(min(errors, default=np.inf) / scale, 1e-6)
                    compared += 1
        self.assertGreater(compared, 60)

    def test_without_webassembly(self):
        """The page says so and shows the stored pose."""
        address = self.moving(os.path.join(GLTF, "simple_skin.gltf"))
        with open(address[len("file://"):], encoding="utf-8") as file:
            text = file.read()
        policy = '<meta http-equiv="Content-Security-Policy" content="script-src \'unsafe-inline\'">'  # without 'wasm-unsafe-eval'
        refused = "file://" + self.write("refused.html", text.replace('<meta charset="utf-8">', '<meta charset="utf-8">' + policy))
        lacking = "file://" + self.write("lacking.html", re.sub('<script type="application/json" id="module">.*?</script>', "", text, flags=re.S))
        steps = [["picture"], ["text", "#note"], ["labels"]]
        whole, *others = self.seen((address, steps), (refused, steps), (lacking, steps))
        self.assertEqual(whole[1], [""])
        for seen, reason in zip(others, ("does not allow WebAssembly", "had no WebAssembly module")):
            self.assertIn(reason, seen[1][0])
            self.assertIn("shows only the stored pose", seen[1][0])
            self.assert_same(whole[0], seen[0])
            self.assertNotIn("Box of the whole clip", seen[2])

    def test_textures_are_in_it(self):
        model = Materials.quad(self, "quad.glb", {"extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
        beside = Materials.quad(self, "beside.gltf", {"extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
        with open(beside, encoding="utf-8") as file:
            document = json.load(file)
        document["images"] = [{"uri": "my%20picture.png"}]
        with open(self.path("my picture.png"), "wb") as file:
            file.write(png([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]]))
        pages = [self.moving(model), self.exported(self.write("beside.gltf", document))]
        for seen in self.seen(*((page, [["pixel", 0.45, 0.42], ["pixel", 0.55, 0.58]]) for page in pages)):
            self.assertEqual(seen, [[255, 0, 0], [255, 255, 0]])


class Names(Page):
    """Names that a browser could obey are shown as text."""

    shown = {"</script><script>alert(1)</script><!--": "</script><script>alert(1)</script><!--", "<img src=x onerror=alert(2)>": "<img src=x onerror=alert(2)>",
             "a\u202eb\u2066": "a\\u202eb\\u2066", "bell\u0007 \u009b31m": "bell\\u0007 \\u009b31m"}

    def setUp(self):
        super().setUp()
        names = list(self.shown)
        with open(os.path.join(GLTF, "simple_skin.gltf"), encoding="utf-8") as file:
            skin = json.load(file)
        skin["nodes"][1]["name"], skin["nodes"][2]["name"], skin["animations"][0]["name"] = names[0], names[2], names[1]
        with open(os.path.join(GLTF, "morph_cube.gltf"), encoding="utf-8") as file:
            cube = json.load(file)
        cube["meshes"][0].setdefault("extras", {})["targetNames"] = [names[3], names[1]]
        self.models = self.write("skin.gltf", skin), self.write("cube.gltf", cube)

    def check_names(self, *addresses):
        markup, image, direction, control = self.shown.values()
        skin, cube = self.seen(*((address, [["texts", "[role=treeitem] > span"], ["texts", "select option"], ["labels"]]) for address in addresses))
        self.assertIn(markup, skin[0])
        self.assertIn(direction, skin[0])
        self.assertTrue(any(option.startswith(image) for option in skin[1]), skin[1])
        for name in (control, image):
            self.assertIn(f"{name}, amount", cube[2])

    def test_live(self):
        with View(self.models[0]) as skin, View(self.models[1]) as cube:
            self.check_names(skin.url, cube.url)

    def test_exported(self):
        self.check_names(*(ExportedPage.moving(self, model) for model in self.models))


class Reach(Page):
    def test_by_keyboard(self):
        with View(os.path.join(GLTF, "simple_skin.gltf")) as view:
            [seen] = self.seen((view.url, [["stops"], ["reachable"], ["picture"], ["focus", "#canvas"], ["keys", "ArrowLeft", "ArrowLeft"], ["picture"],
                                           ["keys", "f"], ["picture"], ["focus", "[role=treeitem][tabindex='0']"],
                                           ["keys", "ArrowDown", "Enter"], ["text", ".chosen"]]))
        stops, reachable = seen[0], seen[1]
        self.assertEqual([stop["place"] for stop in stops], sorted(stop["place"] for stop in stops))
        self.assertEqual(stops[0]["tag"], "CANVAS")
        self.assertEqual(sum(stop["role"] == "treeitem" for stop in stops), 1)
        self.assertEqual(len(stops), reachable + 1)  # the tree is one stop
        self.assert_changed(seen[2], seen[5])
        self.assert_same(seen[2], seen[7])
        self.assertEqual(len(seen[10]), 1)

    def test_findings_choose_what_they_are_about(self):
        with open(os.path.join(GLTF, "simple_skin.gltf"), encoding="utf-8") as file:
            model = json.load(file)
        model["nodes"][1]["skin"] = 0  # no mesh: NODE_SKIN_WITHOUT_MESH or the like
        path = self.write("broken.gltf", model)
        with View(path) as view:
            report = json.loads(view.ask("findings")[1])
            code = next(m["code"] for m in report["issues"]["messages"] if m.get("pointer", "").startswith("/nodes/1"))
            [seen] = self.seen((view.url, [["finding", code], ["text", ".chosen"], ["text", ".finding strong"]]))
        self.assertEqual(seen[1], [model["nodes"][1].get("name", "node 1")])
        self.assertTrue(any(code in text for text in seen[2]))


if __name__ == "__main__":
    main()
