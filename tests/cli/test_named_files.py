# SPDX-License-Identifier: MIT
"""Nothing is written that the user did not name: an output never replaces an input or another output, and a name that Sinew makes up is
never followed as a link."""
import json
import os
import shutil
import stat

from program import DONE, USAGE, ProgramTest, main, sinew

from gltf_builder import tutorial_skin

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)

# Each command that writes: the arguments before the output, and the extension that it accepts (None: any). IN is the model.
WRITERS = [
    (["deform", "IN", "-o"], "glb"),
    (["deform", "IN", "-o"], "npy"),
    (["deform", "IN", "--animation", "Bend", "--frames", "2", "--as-morphs", "-o"], "glb"),
    (["deform", "IN", "--animation", "Bend", "--frames", "2", "-o"], "pc2"),
    (["slice", "IN", "--at", "y=0.5", "-o"], "ply"),
    (["render", "IN", "--size", "8x8", "-o"], "png"),
    (["convert", "IN"], "glb"),
    (["convert", "IN", "-o"], "g4b"),
    (["convert", "IN", "other.glb", "--loss"], None),
    (["repair", "IN", "-o"], "gltf"),
    (["repair", "IN", "--dry-run", "--jsonl", "-o"], None),
    (["rebind", "IN", "--to", "rest", "-o"], "gltf"),
    (["optimize", "IN", "--max-error", "1e-3", "-o"], "gltf"),
    (["merge", "IN", "clothes.glb", "-o"], "glb"),
    (["merge", "clothes.glb", "IN", "-o"], "glb"),
    (["extract", "IN", "-o"], "npz"),
    (["view", "IN", "--export"], "html"),
    (["compare", "IN", "clothes.glb", "--heat"], "png"),
    (["compare", "clothes.glb", "IN", "--heat"], "png"),
    (["validate", "IN", "-o"], None),
    (["validate", "IN", "--jsonl", "-o"], None),
    (["validate", "clothes.glb", "IN", "-o"], None),
    (["info", "clothes.glb", "IN", "--jsonl", "-o"], None),
    (["info", "IN", "--jsonl", "-o"], None),
]


class NamedFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.home = self.path("home")
        os.mkdir(self.home)
        model = tutorial_skin()
        model.save(os.path.join(self.home, "clothes.glb"))
        model.json["images"] = [{"uri": "picture.png"}]
        model.json["textures"] = [{"source": 0}]
        model.save(os.path.join(self.home, "in.gltf"), embedded=False)
        self.buffer = "in data.bin"
        with open(os.path.join(self.home, "picture.png"), "wb") as file:
            file.write(PNG)

    def contents(self):
        found = {}
        for folder, _, files in os.walk(self.folder):
            for name in files:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    found[path] = os.readlink(path)
                elif stat.S_ISREG(os.stat(path).st_mode):
                    with open(path, "rb") as file:
                        found[path] = file.read()
        return found

    def refuses(self, arguments, output, says="replace"):
        before = self.contents()
        self.fails(USAGE, *arguments, output, says=says, cwd=self.home)
        self.assertEqual(self.contents(), before, f"{arguments} {output}")

    def test_an_output_that_is_a_file_of_the_input(self):
        """The model, its buffer and its image, also by another path, a link and a hard link; every command that writes."""
        for arguments, extension in WRITERS:
            for target in ("in.gltf", self.buffer, "picture.png"):
                for way in ("name", "path", "link", "hard"):
                    wanted = os.path.splitext(target)[1][1:]
                    name = target
                    if way in ("name", "path"):
                        if extension not in (None, wanted):
                            continue
                        name = target if way == "name" else "../home/./" + target
                    else:
                        name = "alias." + (extension or "txt")
                        (os.symlink if way == "link" else os.link)(os.path.join(self.home, target), os.path.join(self.home, name))
                    with self.subTest(arguments=arguments, target=target, way=way):
                        self.refuses(["in.gltf" if word == "IN" else word for word in arguments], name)
                    if way in ("link", "hard"):
                        os.remove(os.path.join(self.home, name))

    def test_an_output_that_is_a_pose_or_a_list_of_names(self):
        with open(os.path.join(self.home, "pose.npy"), "w", encoding="utf-8") as file:
            file.write("{}")
        self.refuses(["deform", "in.gltf", "--pose", "pose.npy", "-o"], "pose.npy")
        with open(os.path.join(self.home, "names.glb"), "w", encoding="utf-8") as file:
            file.write("a b\n")
        self.refuses(["merge", "in.gltf", "clothes.glb", "--names", "names.glb", "-o"], "names.glb")
        self.refuses(["render", "clothes.glb", "--pose", "picture.png", "-o"], "picture.png")

    def test_two_outputs_of_one_name(self):
        self.refuses(["convert", "in.gltf", "y.glb", "--loss"], "y.glb")
        self.refuses(["convert", "in.gltf", "y.glb", "--loss"], "../home/y.glb")
        os.symlink("y.glb", os.path.join(self.home, "z.json"))
        self.refuses(["convert", "in.gltf", "y.glb", "--loss"], "z.json")
        with open(os.path.join(self.home, "y.glb"), "wb") as file:
            file.write(b"old")
        self.refuses(["convert", "in.gltf", "-o", "y.glb", "--loss"], "z.json")

    def test_frames_over_an_input(self):
        shutil.copy(os.path.join(self.home, "clothes.glb"), os.path.join(self.home, "f0001.glb"))
        self.refuses(["deform", "f0001.glb", "--animation", "Bend", "--frames", "3", "-o"], "f%04d.glb")
        os.rename(os.path.join(self.home, "picture.png"), os.path.join(self.home, "p01.png"))
        path = os.path.join(self.home, "in.gltf")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("picture.png", "p01.png"))
        self.refuses(["render", "in.gltf", "--size", "8x8", "--animation", "Bend", "--frames", "2", "-o"], "p%02d.png")

    def test_a_report_in_the_folder_that_it_is_about(self):
        for command in ("validate", "info"):
            self.refuses([command, ".", "--jsonl", "-o"], "in.gltf")
            self.refuses([command, ".", "--jsonl", "-o"], "picture.png")

    def test_files_in_a_folder_over_inputs(self):
        os.mkdir(os.path.join(self.home, "sub"))
        shutil.copy(os.path.join(self.home, "clothes.glb"), os.path.join(self.home, "sub", "in.glb"))
        before = self.contents()
        self.fails(USAGE, "convert", "in.gltf", "sub/in.glb", "--to", "glb", "-o", ".", says="written twice", cwd=self.home)
        os.rename(os.path.join(self.home, "sub", "in.glb"), os.path.join(self.home, "sub", "x.glb"))
        before = self.contents()
        ran = sinew("convert", "in.gltf", "sub/x.glb", "--to", "glb", "-o", "sub", cwd=self.home)
        self.assertEqual(ran.status, USAGE, str(ran))
        self.assertEqual(self.contents(), before)
        for name in ("in_vat.png", "in_vnrm.png", "in-remap_info.json"):
            path = os.path.join(self.home, "in.gltf")
            os.link(os.path.join(self.home, "picture.png"), os.path.join(self.home, name))
            self.refuses(["bake", "in.gltf", "-o"], ".")
            os.remove(os.path.join(self.home, name))
            self.assertTrue(os.path.exists(path))

    def test_files_in_a_folder_over_a_file_that_another_input_refers_to(self):
        os.mkdir(os.path.join(self.home, "data"))
        commands = [(["convert", "--to", "glb"], "clothes.glb"), (["convert", "--to", "g4b"], "clothes.g4b"), (["repair"], "clothes.glb"),
                    (["optimize", "--max-error", "1e-3"], "clothes.glb"), (["extract"], "clothes.npz"),
                    (["bake"], "clothes_vat.png"), (["bake"], "clothes.glb")]
        path = os.path.join(self.home, "in.gltf")
        with open(path, encoding="utf-8") as file:
            stored = json.load(file)
        for (command, *more), name in commands:
            for kind, target in (("buffers", self.buffer), ("images", "picture.png")):
                with self.subTest(command=command, name=name, target=target):
                    shutil.copy(os.path.join(self.home, target), os.path.join(self.home, "data", name))
                    model = json.loads(json.dumps(stored))
                    model[kind][0]["uri"] = f"data/{name}"
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump(model, file)
                    for inputs in (["clothes.glb", "in.gltf"], ["in.gltf", "clothes.glb"]):
                        self.refuses([command, *inputs, *more, "-o"], "data", says=f"data/{name} in in.gltf")
                    os.remove(os.path.join(self.home, "data", name))

    def test_rewriting_an_output_and_devices(self):
        """What is no input may be replaced, and a device may be named twice."""
        for _ in range(2):
            self.succeeds("convert", "in.gltf", "y.glb", "--loss", "loss.json", cwd=self.home)
            self.succeeds("validate", "in.gltf", "--jsonl", "--if-changed", "-o", "results.jsonl", cwd=self.home)
        self.succeeds("convert", "in.gltf", "y.glb", "--loss", "/dev/null", cwd=self.home)
        self.succeeds("convert", "clothes.glb", "z.gltf", cwd=self.home)
        self.succeeds("repair", "z.gltf", "-o", "w.gltf", cwd=self.home)


class LinksOfOthers(ProgramTest):
    """Names that Sinew makes up, where somebody has put a link, a pipe or a folder."""

    def setUp(self):
        super().setUp()
        self.archive = self.path("archive")
        os.mkdir(self.archive)
        self.precious = self.write("precious", "precious")
        self.model = tutorial_skin().save(self.path("in.glb"))

    def plant(self, name, kind):
        path = os.path.join(self.archive, name)
        if os.path.lexists(path):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        if kind == "link":
            os.symlink(self.precious, path)
        elif kind == "dangling":
            os.symlink(self.path("new"), path)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "loop":
            os.symlink(name, path)
        return path

    def made_by(self, arguments, folder):
        """Returns the files that the command makes in the folder, besides those that its arguments name."""
        os.makedirs(folder, exist_ok=True)
        ran = sinew(*[a.replace("DIR", folder) for a in arguments], timeout=20)
        self.assertEqual(ran.status, DONE, str(ran))
        found = []
        for place, _, files in os.walk(folder):
            found += [os.path.relpath(os.path.join(place, name), folder) for name in files]
        return sorted(set(found) - {os.path.basename(a) for a in arguments if a.startswith("DIR/")})

    def test_every_made_name(self):
        textured = tutorial_skin()
        textured.json["images"] = [{"uri": "textures/a.png"}, {"uri": "b.png"}]
        textured.json["textures"] = [{"source": 0}, {"source": 1}]
        textured.save(self.path("textured.gltf"))
        os.mkdir(self.path("textures"))
        for name in ("textures/a.png", "b.png"):
            with open(self.path(name), "wb") as file:
                file.write(PNG)
        many = self.path("many")
        os.mkdir(many)
        shutil.copy(self.model, os.path.join(many, "one.glb"))
        commands = [
            ["convert", self.model, "DIR/z.gltf"],
            ["convert", self.path("textured.gltf"), "DIR/z.gltf"],
            ["convert", many, "--to", "gltf", "--if-changed", "-o", "DIR"],
            ["convert", many, "--to", "g4tf", "-o", "DIR"],
            ["repair", self.model, "-o", "DIR/y.glb", "--if-changed"],
            ["repair", many, "-o", "DIR"],
            ["optimize", many, "--max-error", "1e-3", "-o", "DIR"],
            ["deform", self.model, "-o", "DIR/d.gltf"],
            ["deform", self.model, "--animation", "Bend", "--frames", "2", "-o", "DIR/f%02d.ply"],
            ["deform", self.model, "--animation", "Bend", "--frames", "2", "-o", "DIR/f%02d.gltf"],
            ["slice", self.model, "--at", "y=0.5", "--animation", "Bend", "--frames", "2", "-o", "DIR/s%02d.off"],
            ["render", self.model, "--size", "8x8", "--animation", "Bend", "--frames", "2", "-o", "DIR/r%02d.png"],
            ["extract", many, "-o", "DIR", "--if-changed"],
            ["bake", self.model, "-o", "DIR"],
            ["convert", self.model, "DIR/p.gltf", "--project"],
            ["manual", "-o", "DIR"],
        ]
        for number, arguments in enumerate(commands):
            names = self.made_by(arguments, self.path(f"clean{number}"))
            self.assertTrue(names, arguments)
            for name in names if len(names) < 8 else names[:3]:
                for kind in ("link", "dangling", "pipe", "loop"):
                    with self.subTest(arguments=arguments, name=name, kind=kind):
                        shutil.rmtree(self.archive)
                        os.makedirs(os.path.dirname(os.path.join(self.archive, name)), exist_ok=True)
                        path = self.plant(name, kind)
                        ran = sinew(*[a.replace("DIR", self.archive) for a in arguments], timeout=20)
                        self.assertEqual(ran.status, DONE, str(ran))
                        with open(self.precious, encoding="utf-8") as file:
                            self.assertEqual(file.read(), "precious")
                        self.assertFalse(os.path.exists(self.path("new")), "a link was followed")
                        image = name.endswith(".png") and arguments[0] == "convert"  # may get another name
                        if not image:
                            self.assertTrue(stat.S_ISREG(os.lstat(path).st_mode), "the file takes the place of the link")

    def test_a_record_that_is_no_file(self):
        """A folder in place of the record: the output is written, and the record is reported as not written."""
        for kind in ("link", "pipe"):
            self.plant(".y.glb.sinew", kind)
            for _ in range(2):
                self.succeeds("repair", self.model, "-o", os.path.join(self.archive, "y.glb"), "--if-changed", timeout=20)
            self.assertIn("up to date", sinew("repair", self.model, "-o", os.path.join(self.archive, "y.glb"), "--if-changed").err)

    def test_a_record_that_names_a_pipe(self):
        """Reading a record, and the files that it names, never waits."""
        out = os.path.join(self.archive, "baked")
        arguments = ["bake", self.model, "-o", out, "--if-changed"]
        self.succeeds(*arguments)
        os.remove(os.path.join(out, "in_vat.png"))
        os.mkfifo(os.path.join(out, "in_vat.png"))
        self.succeeds(*arguments, timeout=20)
        self.assertTrue(stat.S_ISREG(os.lstat(os.path.join(out, "in_vat.png")).st_mode))
        os.remove(os.path.join(out, "in.glb"))
        os.mkfifo(os.path.join(out, "in.glb"))
        self.succeeds(*arguments, timeout=20)

    def test_a_huge_record(self):
        path = os.path.join(self.archive, ".y.glb.sinew")
        with open(path, "wb") as file:
            file.truncate(3 << 30)
        self.succeeds("repair", self.model, "-o", os.path.join(self.archive, "y.glb"), "--if-changed", timeout=20)
        self.assertLess(os.path.getsize(path), 1 << 20)

    def test_a_linked_folder_of_images(self):
        """A folder that an image's URI names may be a link in the folder of the output."""
        textured = tutorial_skin()
        textured.json["images"] = [{"uri": "textures/a.png"}]
        textured.json["textures"] = [{"source": 0}]
        textured.save(self.path("textured.gltf"))
        os.mkdir(self.path("textures"))
        with open(self.path("textures", "a.png"), "wb") as file:
            file.write(PNG)
        os.mkdir(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), os.path.join(self.archive, "textures"))
        self.succeeds("convert", self.path("textured.gltf"), os.path.join(self.archive, "z.gltf"))
        self.assertEqual(os.listdir(self.path("elsewhere")), [])
        with open(os.path.join(self.archive, "z.gltf"), encoding="utf-8") as file:
            uri = json.load(file)["images"][0]["uri"]
        with open(os.path.join(self.archive, uri), "rb") as file:
            self.assertEqual(file.read(), PNG)


if __name__ == "__main__":
    main()
