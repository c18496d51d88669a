# SPDX-License-Identifier: MIT
"""Signals, shortened files, odd standard streams, forbidden file references, and limits: one line, a fixed exit status, no leftovers."""
import json
import os
import resource
import signal
import subprocess
import time

from program import DONE, INPUT, OUTPUT, PATIENCE, ROOT, SETTINGS, USAGE, ProgramTest, main, sinew

from g4mf_builder import chunk, g4b_bytes
from gltf_builder import tutorial_skin


def large_skin(rows=200_000):
    """A skin of more than 256 KiB, so that its file is mapped."""
    builder = tutorial_skin()
    attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
    for name in attributes:
        accessor = builder.json["accessors"][attributes[name]]
        view = builder.json["bufferViews"][accessor["bufferView"]]
        row = view["byteLength"] // accessor["count"]
        data = bytes(builder.blob[view["byteOffset"] : view["byteOffset"] + row])
        accessor.update(bufferView=builder.view(data * rows), count=rows)
    return builder


def wait_for(condition, seconds=20):
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            raise AssertionError("waited in vain")
        time.sleep(0.001)


class Signals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))
        os.mkdir(self.path("out"))

    def interrupted(self, number, out="out/out.npy"):
        """The state of the folder `out` after a signal amid writing, and how the program ended."""
        arguments = ["deform", self.skin, "-o", self.path(out), "--animation", "0", "--frames", "1000000"]
        running = subprocess.Popen([SETTINGS.sinew, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_for(lambda: any(".sinew-" in name for name in os.listdir(self.path("out"))))
        running.send_signal(number)
        _, talk = running.communicate(timeout=20)
        return running.returncode, sorted(os.listdir(self.path("out"))), talk

    def test_an_interrupted_program_leaves_the_old_file_alone_and_nothing_else(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number), open(self.path("out", "out.npy"), "w", encoding="utf-8") as old:
                old.write("precious")
                old.close()
                status, names, talk = self.interrupted(number)
                self.assertEqual((status, names), (-number, ["out.npy"]), talk)
                with open(self.path("out", "out.npy"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "precious")

    def test_what_nobody_can_catch_leaves_the_old_file_alone(self):
        self.write("out/out.npy", "precious")
        status, names, _ = self.interrupted(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertIn("out.npy", names)
        with open(self.path("out", "out.npy"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_hangups_that_are_ignored_stay_ignored(self):
        out = self.path("out", "out.npy")
        command = f"trap '' HUP; exec '{SETTINGS.sinew}' deform '{self.skin}' -o '{out}' --animation 0 --frames 300000"
        running = subprocess.Popen(["sh", "-c", command], stderr=subprocess.DEVNULL)
        wait_for(lambda: any(".sinew-" in name for name in os.listdir(self.path("out"))))
        running.send_signal(signal.SIGHUP)
        self.assertEqual(running.wait(timeout=60 * PATIENCE), DONE)
        self.assertEqual(os.listdir(self.path("out")), ["out.npy"])

    def test_a_mapped_file_that_shrinks_is_one_line(self):
        model = large_skin().save(self.path("large\x1b.glb"))
        pipe = self.path("pose.json")
        os.mkfifo(pipe)
        out = self.path("out", "out.npy")
        running = subprocess.Popen([SETTINGS.sinew, "deform", model, "-o", out, "--pose", pipe], stderr=subprocess.PIPE)
        with open(pipe, "w", encoding="utf-8") as file:  # opens when the program does: behind the model
            os.truncate(model, 4096)
            file.write("{}")
        _, talk = running.communicate(timeout=20)
        self.assertEqual(running.returncode, INPUT, talk)
        lines = talk.decode().splitlines()
        self.assertEqual(len(lines), 1, talk)
        self.assertIn("large?.glb: the file became shorter", lines[0])
        self.assertEqual(os.listdir(self.path("out")), [])


class Streams(ProgramTest):
    def setUp(self):
        super().setUp()
        self.skin = tutorial_skin().save(self.path("skin.glb"))

    def shell(self, line):
        done = subprocess.run(["bash", "-c", line.replace("sinew", f"'{SETTINGS.sinew}'", 1)], cwd=self.folder, capture_output=True, timeout=60)
        return done.returncode, done.stderr.decode()

    def test_results_that_cannot_be_printed(self):
        commands = ("info skin.glb", "info skin.glb --json", "validate skin.glb", "compare skin.glb skin.glb", "explain --all", "explain --limits",
                    "deform skin.glb -o -", "--help", "info --help", "--version")
        for command in commands:
            for stream in (">&-", ">/dev/full"):
                with self.subTest(command=command, stream=stream):
                    status, talk = self.shell(f"sinew {command} {stream}")
                    self.assertEqual(status, OUTPUT, talk)
                    self.assertEqual(len(talk.splitlines()), 1, talk)

    def test_closed_standard_streams_do_not_get_into_the_output(self):
        self.succeeds("deform", "skin.glb", "-o", "right.npy", cwd=self.folder)
        with open(self.path("right.npy"), "rb") as file:
            right = file.read()
        for streams in ("2>&-", ">&-", "<&-", "<&- >&- 2>&-", ">&- 2>&-"):
            with self.subTest(streams):
                self.assertEqual(self.shell(f"sinew deform skin.glb -o out.npy -v {streams}")[0], DONE)
                with open(self.path("out.npy"), "rb") as file:
                    self.assertEqual(file.read(), right)

    def test_a_full_quota_is_an_output_error(self):
        os.mkdir(self.path("out"))
        script = "ulimit -f 1; exec sinew deform skin.glb -o out/out.npy --animation 0 --frames 1000"
        done = subprocess.run(["bash", "-c", script.replace("sinew", f"'{SETTINGS.sinew}'")], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, OUTPUT, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(os.listdir(self.path("out")), [])


class NamedFiles(ProgramTest):
    """What `uri` of a buffer may name."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("in", "deep"))
        builder = tutorial_skin()
        self.data = bytes(builder.blob)
        self.json = builder.json
        self.write("outside.bin", self.data)
        self.write("in/inside.bin", self.data)
        self.write("in/deep/down.bin", self.data)
        self.write("in/a b%.bin", self.data)
        os.symlink("inside.bin", self.path("in", "link_inside"))
        os.symlink("../outside.bin", self.path("in", "link_outside"))
        os.symlink(self.folder, self.path("in", "link_folder"))
        os.symlink("/dev/zero", self.path("in", "link_zero"))
        os.symlink("loop", self.path("in", "loop"))
        os.mkfifo(self.path("in", "pipe"))

    def model(self, uri):
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        return self.write("in/model.gltf", self.json)

    def test_files_in_the_folder_are_read(self):
        for uri in ("inside.bin", "./inside.bin", "deep/down.bin", "deep/../inside.bin", "link_inside", "a%20b%25.bin", "%69nside.bin"):
            with self.subTest(uri):
                self.assertEqual(self.deform(self.model(uri)).shape, (10, 3))

    def test_everything_else_is_refused(self):
        for uri in ("../outside.bin", "%2e%2e/outside.bin", "deep/../../outside.bin", "link_outside", "link_folder/outside.bin", "link_zero",
                    self.path("in", "inside.bin"), "file:inside.bin", "file:///etc/hostname", "http://localhost/inside.bin",
                    "https://localhost/inside.bin", "//localhost/inside.bin", "ftp:inside.bin", "deep%5C..%5Cinside.bin"):
            with self.subTest(uri):
                self.fails(INPUT, "deform", self.model(uri), "-o", self.path("out.npy"), says=["/buffers/0/uri", "SINEW_URI_REFUSED"])
        for uri in ("pipe", "loop", "deep", "deep/", "inside.bin/", "absent.bin"):
            with self.subTest(uri):
                self.fails(INPUT, "deform", self.model(uri), "-o", self.path("out.npy"), says="/buffers/0/uri", timeout=10)

    def test_ways_out_are_taken_where_the_user_allows_them(self):
        for uri in ("../outside.bin", "link_outside", "link_folder/outside.bin"):
            with self.subTest(uri):
                self.assertEqual(self.deform(self.model(uri), "--allow-outside").shape, (10, 3))
        for uri in ("link_zero", "../../../../../../../../../../dev/zero", "pipe", "http://localhost/inside.bin"):
            with self.subTest(uri):
                self.fails(INPUT, "deform", self.model(uri), "-o", self.path("out.npy"), "--allow-outside", timeout=10)

    def test_standard_input_has_no_folder(self):
        with open(self.model("inside.bin"), "rb") as file:
            text = file.read()
        self.fails(INPUT, "deform", "-", "-o", self.path("out.npy"), stdin=text, cwd=self.path("in"), says="SINEW_URI_NO_FOLDER")


class Limits(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.path("out.npy")

    def limited(self, model, code, *options, raised, **how):
        """Refused with that code and the option's name; read where the option says so."""
        ran = self.fails(INPUT, "deform", model, "-o", self.out, *options, says=[code, "--limit" if "--limit" in raised[0] else raised[0]], **how)
        self.succeeds("deform", model, "-o", self.out, *raised)
        return ran

    def test_json(self):
        builder = tutorial_skin()
        builder.json["extras"] = json.loads("[" * 600 + "]" * 600)
        deep = builder.save(self.path("deep.glb"))
        self.limited(deep, "SINEW_JSON_LIMIT", raised=["--limit", "json_depth=700"])
        self.limited(deep, "SINEW_JSON_LIMIT", "--limit", "json_depth=700", "--limit", "json_size=1000", raised=["--limit", "json_depth=700"])

    def test_nodes(self):
        builder = tutorial_skin()
        builder.json["nodes"] += [{"children": [4 + k]} for k in range(5000)] + [{"mesh": 0}]
        builder.json["scenes"][0]["nodes"].append(3)
        self.limited(builder.save(self.path("chain.glb")), "SINEW_NODE_DEPTH_LIMIT", raised=["--limit", "node_depth=6000"])

    def test_memory(self):
        builder = tutorial_skin()
        del builder.json["accessors"][1]["bufferView"]  # zeros take memory
        model = builder.save(self.path("zeros.glb"))
        self.limited(model, "SINEW_MEMORY_LIMIT", "--limit", "memory=4K", raised=["--max-memory", "1M"])

    def test_the_same_small_file_many_times(self):
        builder = tutorial_skin()
        self.write("data.bin", bytes(builder.blob) + bytes(50_000))
        builder.json["buffers"] = [{"byteLength": len(builder.blob), "uri": "data.bin"}] * 100
        model = self.write("model.gltf", builder.json)
        self.succeeds("deform", model, "-o", self.out, "--max-memory", "6M")
        ran = sinew("info", model, "--max-memory", "4M", "-v")
        self.assertIn("SINEW_MEMORY_LIMIT", ran.err + ran.out)

    def test_a_mesh_that_many_nodes_show(self):
        builder = large_skin(20_000)
        builder.json["nodes"] += [{"mesh": 0}] * 99
        builder.json["scenes"][0]["nodes"] += range(3, 102)
        model = builder.save(self.path("instances.glb"))
        self.limited(model, "SINEW_MEMORY_LIMIT", "--max-memory", "16M", raised=["--max-memory", "128M"])
        self.fails(INPUT, "compare", model, model, "--max-memory", "16M", says=["2000000 vertices", "--max-memory"])

    def test_joints_listed_many_times(self):
        builder = tutorial_skin()
        builder.json["skins"][0] = {"joints": [1, 2] * 50_000}
        self.limited(builder.save(self.path("joints.glb")), "SINEW_MEMORY_LIMIT", "--max-memory", "16M", raised=["--max-memory", "128M"])

    def test_decompression_bombs(self):
        # A frame of run-length blocks: 128 KiB of zeros for every 4 bytes.
        blocks = 4096
        block = (0x00 | 1 << 1 | (128 << 10) << 3).to_bytes(3, "little") + b"\0"
        last = (0x01 | 1 << 1 | (128 << 10) << 3).to_bytes(3, "little") + b"\0"
        frame = b"\x28\xb5\x2f\xfd\x00\x38" + block * (blocks - 1) + last  # a window of 128 KiB, unknown content size
        size = blocks * (128 << 10)
        count = size // 12
        document = {
            "asset": {"dimension": 3},
            "buffers": [{"byteLength": size, "compression": "Zstd"}],
            "bufferViews": [{"byteLength": size}],
            "accessors": [{"bufferView": 0, "componentType": "float32", "vectorSize": 3}],
            "meshes": [{"vertices": 0, "surfaces": [{}]}],
            "nodes": [{"mesh": 0}],
            "scene": 0,
        }
        text = json.dumps(document).encode()
        model = self.write("bomb.g4b", g4b_bytes([chunk(b"JSON", text), chunk(b"BLOB", frame, b"Zstd")]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        ran = sinew("deform", model, "-o", self.out)
        self.assertEqual(ran.status, INPUT, str(ran))
        self.assertIn("SINEW_EXPANSION_LIMIT", ran.err)
        self.assertIn("--limit expansion=N", ran.err)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(before, 200 << 10), f"{count} vertices")

    def test_limits_that_make_no_sense(self):
        model = tutorial_skin().save(self.path("skin.glb"))
        for text, says in (("nodedepth=5", "did you mean node_depth"), ("node_depth", "node_depth=N"), ("node_depth=", "node_depth=N"),
                           ("node_depth=0", "from 1"), ("node_depth=1e3", "node_depth=N"), ("dimension=17", "from 1 to 16"), ("memory=x", "size"), ("=1", "unknown limit")):
            with self.subTest(text):
                self.fails(USAGE, "deform", model, "-o", self.out, "--limit", text, says=says)

    def test_the_table_names_every_option(self):
        rows = json.loads(self.succeeds("explain", "--limits", "--format", "json").out)
        self.assertEqual([row["name"] for row in rows], ["memory", "json_size", "json_depth", "node_depth", "dimension", "expansion", "work", "findings", "seconds"])
        known = {row["code"] for row in json.loads(self.succeeds("explain", "--all", "--format", "json").out)}
        for row in rows:
            self.assertIn(row["code"], known)
            self.assertIn(f"| `{row['option']}` | `{row['code']}` |", self.succeeds("explain", "--limits", "--format", "markdown").out)


class Threads(ProgramTest):
    def test_their_number_changes_no_byte_of_any_output(self):
        skin = large_skin(30_000).save(self.path("skin.glb"))
        cell = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        commands = [["info", skin, "--json"], ["validate", skin, cell, "--format", "json"], ["compare", skin, skin, "--json"]]
        commands += [["deform", skin, "-o", "out" + end, "--animation", "0", "--time", "0.7"] for end in (".npy", ".glb", ".ply", ".obj", ".off", ".gltf", ".g4b")]
        commands += [["deform", skin, "-o", "out.npy", "--animation", "0", "--frames", "5"], ["deform", cell, "-o", "out.g4b"], ["deform", cell, "-o", "out.npy"]]
        commands += [["convert", skin, "out.g4b"], ["convert", cell, "out.g4b"], ["convert", skin, "out.gltf", "--skeletons", "strict"]]
        commands += [["repair", skin, "-o", "out.glb"], ["repair", skin, "-o", "out.glb", "--max-influences", "1"], ["merge", skin, skin, "-o", "out.glb"],
                     ["rebind", skin, "-o", "out.glb", "--to", "rest"]]
        for command in commands:
            with self.subTest(command):
                results = []
                for threads in ("1", "2", "7"):
                    folder = self.path("threads" + threads)
                    os.makedirs(folder, exist_ok=True)
                    ran = sinew(*command, "--threads", threads, "-q", cwd=folder)
                    self.assertIn(ran.status, (DONE, 1), str(ran))
                    content = {}
                    for name in sorted(os.listdir(folder)):
                        with open(os.path.join(folder, name), "rb") as file:
                            content[name] = file.read()
                        os.remove(os.path.join(folder, name))
                    results.append((ran.data, content))
                self.assertTrue(results[0][0] or results[0][1])
                self.assertTrue(results[0] == results[1] == results[2])


if __name__ == "__main__":
    main()
