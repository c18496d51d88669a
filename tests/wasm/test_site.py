# SPDX-License-Identifier: MIT
"""The page of `make site` in Chromium, offline after it is loaded: a user drops files, works on them and saves; what comes out is what the
program makes.

    python test_site.py --sinew PROGRAM [--shared FOLDER]        the parts: build/wasm/package, build/release/web, build/docs/site
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("cli", "outside")]
import node_tools
from program import DONE, FINDINGS, INPUT, PATIENCE, ROOT, SETTINGS, ProgramTest, main, sinew

BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
SAMPLES = os.path.join(ROOT, "samples", "gltf")
PICTURES = all(os.path.exists(os.path.join(ROOT, "build", "release", "web", *path)) for path in (("view", "dist", "page.html"), ("module", "page.wasm")))
SITE = None


def setUpModule():
    global SITE
    if not BROWSER:
        raise unittest.SkipTest("no Chromium")
    node_tools.require()
    SITE = os.path.join(tempfile.mkdtemp(prefix="sinew-site-"), "site")
    subprocess.run([os.path.join(ROOT, "scripts", "site"), SITE], check=True, capture_output=True)


def tearDownModule():
    if SITE:
        shutil.rmtree(os.path.dirname(SITE))


class Site(ProgramTest):
    def use(self, *steps):
        """What each step of site_page.mjs gave, by its position. Pictures are left out where the site has none."""
        plan = [["open"], *map(list, steps)]
        plan = [step if PICTURES or step[0] not in ("drawn", "filled") else ["idle"] for step in plan]
        with open(self.path("steps.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        done = subprocess.run(["node", os.path.join(ROOT, "tests", "outside", "site_page.mjs"), BROWSER, SITE, file.name, self.path("answers.json")],
                              capture_output=True, text=True, timeout=300 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("answers.json"), encoding="utf-8") as file:
            answers = json.load(file)
        self.assertIsNone(answers["failed"])
        # The site's own files, none of them sent anything, and what is inside of the page.
        own = {f"GET {name}" for name in [*os.listdir(SITE), "view.html", "view.wasm"]} | {"GET ", "GET blob:"}
        asked = [request.split("/", 3) for request in answers["asked"]]
        self.assertEqual({f"{parts[0].split()[0]} {parts[3]}" if len(parts) > 3 else parts[0] for parts in asked} - own, set())
        self.assertEqual(len({parts[2] for parts in asked if len(parts) > 3}), 1)  # one server
        self.assertEqual(len(answers["complaints"]), 0 if PICTURES else 2, answers["complaints"])  # the viewer's two files
        return [result for result, _ in answers["results"][1:]]

    def beside(self, *paths):
        """Copies files to the folder of this test, as the page has them all in one, and returns their new paths."""
        return [shutil.copy(path, self.folder) for path in paths]

    def native(self, *arguments, status=DONE):
        ran = sinew(*arguments, cwd=self.folder)
        self.assertEqual(ran.status, status, str(ran))
        return ran

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def as_the_program(self, shown, status=DONE):
        """The page shows what the program says to the command that the page shows."""
        self.assertEqual(shown["failure"], "")
        words = shown["command"].split()[1:]
        self.assertEqual(shown["text"].split(), self.native(*words, status=status).out.split())

    def test_an_avatar_is_dressed_moved_and_made_smaller(self):
        real = os.path.join(SETTINGS.shared, "real") if SETTINGS.shared else ""
        if not os.path.isdir(real):
            self.skipTest("no real avatars (--shared)")
        outfits = [os.path.join(real, "quaternius_outfits", name) for name in ("Male_Peasant_Feet.gltf", "Male_Peasant_Feet.bin",
                                                                              "Superhero_Male_FullBody.gltf", "Superhero_Male_FullBody.bin")]
        avatar, motion, *outfits = self.beside(os.path.join(real, "vrm0_polygonal_mind", "crimsom.vrm"), os.path.join(real, "vrma", "idle_loop.vrma"), *outfits)
        site = lambda name: self.path(f"site-{name}")
        made = [f"crimsom{name}.vrm" for name in ("-dressed", "-dressed-moving", "-dressed-moving-small")]
        found, looked, described, boxes, cancelled, dressed, _, moved, small, listed, compared, looks, worn = self.of_interest(
            ["drop", [avatar]], ["drawn", "crimsom.vrm"], ("texts", "#status"), ("filled",),
            ["choose", "Describe"], ("run",), ["choose", "Boxes"], ("run",),
            ["drop", outfits, PICTURES], ["idle"], ["choose", "Dress"], ["set", "Male_Peasant_Feet.gltf", True], ["set", "Made for", "=Superhero_Male_FullBody.gltf"],
            ("cancel",), ("run",), ["drawn", made[0]], ["save", made[0], site(made[0])],
            ["drop", [motion]], ("texts", "#motions input:checked + *"), ["choose", "Move"], ("run",), ["drawn", made[1]], ["save", made[1], site(made[1])],
            ["choose", "Shrink"], ("run",), ["drawn", made[2]], ("listed",), ["save", made[2], site(made[2])],
            ["choose", "Compare"], ["set", "Other file", made[1]], ["set", "Pair vertices by their position, not their order", True], ("run",), ("filled",),
            ["look", "Superhero_Male_FullBody.gltf"], ["drawn", "Superhero_Male_FullBody.gltf"], ["choose", "Dress"],
            ["set", "crimsom.vrm", False], ["set", "Made for", ""], ["set", "Match bones that have other names", False],
            ("run",), ["save", "Superhero_Male_FullBody-dressed.glb", site("worn.glb")])
        self.assertEqual(found, ["2 warnings, 2 infos, 1 hint"])
        self.as_the_program(described)
        self.as_the_program(boxes)
        self.assertEqual(cancelled, "Cancelled.")
        for shown, name in ((dressed, made[0]), (moved, made[1]), (small, made[2]), (worn, "Superhero_Male_FullBody-dressed.glb")):
            with self.subTest(made=name):
                self.assertEqual(shown["failure"], "")
                self.assertTrue(shown["status"].startswith(f"{name}: "), shown["status"])
                self.native(*shown["command"].split()[1:])
                self.assertEqual(self.bytes_of("site-worn.glb" if shown is worn else f"site-{name}"), self.bytes_of(name))
        self.assertTrue(listed)
        self.assertEqual(compared["failure"], "")
        self.assertIn("different: largest distance", compared["text"])
        if PICTURES:
            self.assertGreater(looked, 0.02)
            self.assertGreater(looks, 0.02)

    def of_interest(self, *steps):
        """What the steps gave that are tuples."""
        return [result for step, result in zip(steps, self.use(*steps)) if isinstance(step, tuple)]

    def test_findings_and_failures(self):
        skin, tube = self.beside(os.path.join(SAMPLES, "simple_skin.gltf"), os.path.join(SAMPLES, "tube_8_influences.gltf"))
        broken, empty = self.write("broken.glb", b"glTF is not here"), self.write("note.txt", "no model")
        none, said, why, failed, listed, equal, differs, lacking, output, twice, kept = self.of_interest(
            ["drop", [empty]], ("texts", "#failure"), ["drop", [broken]], ["idle"], ("texts", ".findings li"),
            ("texts", "#status"), ["choose", "Boxes"], ("run",),
            ["drop", [skin, tube]], ["look", "simple_skin.gltf"], ["drawn", "simple_skin.gltf"], ("texts", "#files li label"),
            ["choose", "Compare"], ["set", "Other file", "tube_8_influences.gltf"], ("run",), ["set", "Other file", "broken.glb"], ("run",),
            ["choose", "Move"], ("run",), ["choose", "Shrink"], ("run",), ["look", "simple_skin.gltf"], ["drawn", "simple_skin.gltf"], ("run",),
            ["save", "simple_skin-small.glb", self.path("site.glb")], ["press", "Remove broken.glb"], ("texts", "#files li label"))
        self.assertEqual(none, ["None of these files is a model: .vrm, .glb, .gltf, .vrma, .g4b or .g4tf."])
        report = json.loads(self.native("validate", "broken.glb", "--format", "json", status=FINDINGS).out)["issues"]["messages"]
        self.assertEqual(len(said), len(report))
        for shown, finding in zip(said, report):
            self.assertIn(finding["code"], shown)
            self.assertIn(finding["message"], shown)
        self.assertIn("error", why[0])
        self.assertEqual(failed["failure"], self.native("bounds", "broken.glb", status=INPUT).err.strip())
        self.assertEqual([name.strip() for name in listed], ["broken.glb", "simple_skin.gltf", "tube_8_influences.gltf"])
        self.as_the_program(equal, FINDINGS)
        self.assertEqual(differs["failure"], self.native("compare", "simple_skin.gltf", "broken.glb", status=INPUT).err.strip())
        self.assertIn("Drop a file with animations", lacking["failure"])
        self.native(*output["command"].split()[1:])
        self.assertEqual(self.bytes_of("site.glb"), self.bytes_of("simple_skin-small.glb"))
        self.assertIn("-o simple_skin-small-2.glb", twice["command"])
        self.assertNotIn("broken.glb", " ".join(kept))

    def test_missing_files_are_named(self):
        source = self.write("folder.gltf", {"asset": {"version": "2.0"}, "buffers": [{"uri": "a%20b.bin", "byteLength": 4}, {"uri": "data:,abcd", "byteLength": 4}]})
        before, after, found = self.of_interest(["drop", [source]], ["idle"], ("texts", "#missing"), ["drop", [self.write("a b.bin", b"abcd")]], ["idle"],
                                                ("texts", "#missing"), ("texts", ".findings li"))
        self.assertEqual(before, ["Drop these, too, which folder.gltf names: a b.bin"])
        self.assertEqual(after, [""])
        self.assertNotIn("IO_ERROR", " ".join(found))

    def test_keyboard_names_and_looks(self):
        skin = os.path.join(SAMPLES, "simple_skin.gltf")
        reached = ["A manual", "INPUT choose"] if os.path.isdir(os.path.join(SITE, "manual")) else ["INPUT choose"]
        before, tabs, shown, nameless, *looks = self.of_interest(
            ("tabs", len(reached)), ["drop", [skin]], ["drawn", "simple_skin.gltf"], ["keys", "Tab"], ("tabs", 2), ["keys", "ArrowRight", "ArrowRight", "Tab", "Enter"], ["idle"],
            ("texts", "#output-text"), ("nameless",), ["scheme", "light"], ("looks",), ["scheme", "dark"], ("looks",), ["scheme", "dark", 360, 700], ("looks",))
        self.assertEqual(before, reached)
        self.assertEqual(tabs[-1], "INPUT validate")
        self.assertIn("simple_skin.gltf", shown[0])
        self.assertIn("rest", shown[0])  # the boxes
        self.assertEqual(nameless, [])
        light, dark, narrow = looks
        self.assertNotEqual(light[0], dark[0])
        self.assertEqual([each[1] for each in looks], [0, 0, 0])  # nothing is wider than the window


if __name__ == "__main__":
    if not os.path.exists(os.path.join(ROOT, "build", "wasm", "package", "program.wasm")):
        sys.exit(print("skipped: the npm package was not built (make wasm)") or 77)
    main()
