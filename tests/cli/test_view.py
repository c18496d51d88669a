# SPDX-License-Identifier: MIT
"""sinew view: permitted requests and their answers, over HTTP. The page itself is tested in a browser (tests/outside/test_view_page.py)."""
import base64
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest
import zlib

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import INPUT, OUTPUT, ROOT, SETTINGS, UNSUPPORTED, USAGE, ProgramTest, corpus_models, main, sinew

import vrm_builder
from gltf_builder import Builder, tutorial_skin

SKIN = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
CUBE = os.path.join(ROOT, "samples", "gltf", "morph_cube.gltf")
ARM = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
RIG_5D = os.path.join(ROOT, "samples", "g4mf", "rig_5d.g4tf")
RIG_2D = os.path.join(ROOT, "samples", "g4mf", "rig_2d.g4tf")
TESSERACT = os.path.join(ROOT, "samples", "g4mf", "tesseract.g4tf")


def setUpModule():
    """A build without npm has no page: then there is nothing to test but the way in which it says so."""
    ran = sinew("view", os.path.join(ROOT, "does-not-exist"), "--no-open")
    if ran.status == UNSUPPORTED and "npm" in ran.err and len(ran.error_lines()) == 1:
        print("SKIPPED: this build has no page", file=sys.stderr)
        raise unittest.SkipTest("this build has no page")


def read_packet(body):
    """(arrays by name, what is said about them) of the binary form of answers."""
    length = struct.unpack_from("<I", body)[0]
    header = json.loads(body[4:4 + length])
    arrays = {}
    for key, array in header["arrays"].items():
        kind = {"float32": "<f4", "uint32": "<u4", "uint8": "<u1"}[array["type"]]
        values = np.frombuffer(body, kind, array["rows"] * array["width"], 4 + length + array["offset"])
        arrays[key] = values.reshape(array["rows"], array["width"])
    return arrays, header["about"]


class View:
    """A running `sinew view`."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([SETTINGS.sinew, "view", *map(str, arguments), "--no-open"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.url)
        if not found:
            raise AssertionError(f"no address: {self.url!r} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def ask(self, name, state=None, path=None, method=None, **headers):
        """(status, body) of a request for a name below the token, or for a path of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        body = None if state is None else state if isinstance(state, (str, bytes)) else json.dumps(state)
        connection.request(method or ("GET" if state is None else "POST"), f"/{self.token}/{name}" if path is None else path, body, headers)
        answer = connection.getresponse()
        self.headers = answer.headers
        content = answer.read()
        connection.close()
        return answer.status, content

    def packet(self, name, state=None):
        status, body = self.ask(name, state)
        if status != 200:
            raise AssertionError(f"{name}: {status} {body!r}")
        return read_packet(body)[0]

    def model(self):
        return json.loads(self.ask("model")[1])


def blinking(path):
    """Two squares beside each other: a clip hides the left one from 0.5 s to 1 s, and shows the right one from 0.5 s on."""
    b = Builder()
    corners = b.accessor(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "<f4"), bounds=True)
    b.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": corners}, "indices": b.accessor(np.array([0, 1, 2, 0, 2, 3], "<u2"))}]}]
    visible = lambda shown: {"KHR_node_visibility": {"visible": shown}}
    b.json["nodes"] = [{"name": "Sign", "mesh": 0, "extensions": visible(True)}, {"name": "Ghost", "mesh": 0, "translation": [1.5, 0, 0], "extensions": visible(False)},
                       {"name": "Never", "mesh": 0, "extensions": visible(False)}]
    b.json["scenes"], b.json["scene"] = [{"nodes": [0, 1, 2]}], 0
    b.json["extensionsUsed"] = ["KHR_node_visibility", "KHR_animation_pointer"]
    times = b.accessor(np.array([0, 0.5, 1], "<f4"), bounds=True)
    channels, samplers = [], []
    for node, keys in ((0, [1, 0, 1]), (1, [0, 1, 1])):
        pointer = {"pointer": f"/nodes/{node}/extensions/KHR_node_visibility/visible"}
        channels.append({"sampler": node, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}}})
        samplers.append({"input": times, "output": b.accessor(np.array(keys, "u1")), "interpolation": "STEP"})
    b.json["animations"] = [{"name": "Blink", "channels": channels, "samplers": samplers}]
    return b.save(path)


class WhoIsAnswered(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.view = View(SKIN)

    @classmethod
    def tearDownClass(cls):
        cls.view.__exit__()

    def test_the_page_and_its_policy(self):
        status, body = self.view.ask("")
        self.assertEqual(status, 200)
        self.assertIn(b"<canvas", body)
        self.assertIn(b"MIT License", body)  # three.js's
        self.assertNotIn(b"SINEW_NONCE", body)
        self.assertNotRegex(body, rb"<(script|link|img)[^>]+(src|href)=\"(?!data:)")
        self.assertIn("default-src 'none'", self.view.headers["Content-Security-Policy"])
        self.assertEqual(self.view.headers["Cache-Control"], "no-store")

    def test_nothing_without_the_token(self):
        wrong = "0" * 32
        for path in ("/", "/favicon.ico", "/model", f"/{wrong}/", f"/{wrong}/model", f"/{self.view.token[:-1]}/", f"/{self.view.token}",
                     f"/{self.view.token}x/", "//", "/%00", "*", f"/{self.view.token.upper()}x/model"):
            self.assertEqual(self.view.ask("", path=path)[0], 404, path)

    def test_no_file_is_served(self):
        for name in ("../../etc/passwd", "%2e%2e/etc/passwd", "simple_skin.gltf", "/etc/passwd", "model/..", "page.html"):
            self.assertEqual(self.view.ask(name)[0], 404, name)

    def test_other_hosts_are_refused(self):
        """DNS rebinding: a stranger's page that has this address looked up under its own name."""
        for host in ("evil.example", f"evil.example:{self.view.port}", "127.0.0.1", f"127.0.0.1:{self.view.port + 1}", ""):
            self.assertEqual(self.view.ask("model", Host=host)[0], 403, host)
        self.assertEqual(self.view.ask("model", Host=f"localhost:{self.view.port}")[0], 200)

    def test_other_origins_are_refused(self):
        self.assertEqual(self.view.ask("frame", {}, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.view.ask("frame", {}, Origin="null")[0], 403)
        self.assertEqual(self.view.ask("frame", {}, Origin=f"http://127.0.0.1:{self.view.port}")[0], 200)

    def test_only_this_machine(self):
        other = next((a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET) if not a[4][0].startswith("127.")), None)
        if other is None:
            self.skipTest("this machine has no other address")
        with self.assertRaises(OSError):
            socket.create_connection((other, self.view.port), timeout=2).close()

    def test_methods(self):
        self.assertEqual(self.view.ask("frame")[0], 405)
        self.assertEqual(self.view.ask("model", {})[0], 405)
        for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
            self.assertEqual(self.view.ask("model", method=method)[0], 405, method)
        self.assertEqual(self.view.ask("nothing", {})[0], 404)

    def test_states_that_make_no_sense(self):
        for state in ("", "{", "[]", "null", '"x"', "\xff\xfe".encode("latin-1"), {"clip": 1}, {"clip": -1}, {"clip": "Swing"}, {"time": "now"},
                      {"time": None}, '{"time": 1e999}', {"turns": []}, {"turns": {"9": [0, 0, 0]}}, {"turns": {"1": [0, 0]}},
                      {"turns": {"1": [0, 0, "x"]}}, {"turns": {"Upper": [0, 0, 0]}}, {"amounts": {"0": {"0": 1}}}, {"amounts": {"1": {}}},
                      {"look": {"kind": "sideways"}}, {"look": {"offsets": [1]}}, {"look": 3}, {"box": 1}, {"expressions": []}, {"expressions": {"0": 1}}, "[" * 1000):
            status, body = self.view.ask("frame", state)
            self.assertEqual(status, 400, (str(state)[:80], body))
            self.assertEqual(body.count(b"\n"), 1)
            self.assertEqual(self.view.ask("pose", state)[0], 400)
        for node in ("9", "-1", "x", "", "99999999999"):
            self.assertIn(self.view.ask(f"weights/{node}")[0], (400, 404), node)

    def test_requests_that_are_too_long(self):
        self.assertEqual(self.view.ask("frame", b" " * (2 << 20))[0], 413)
        self.assertEqual(self.view.ask("frame", {}, X="x" * 20000)[0], 431)
        self.assertEqual(self.view.ask("alive", b"x" * 65)[0], 400)

    def test_what_is_not_http(self):
        for garbage in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n", b"\r\n" * 10, b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.view.port), timeout=20) as connection:
                connection.sendall(garbage)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass
        self.assertEqual(self.view.ask("model")[0], 200)

    def test_connections_that_ask_for_nothing_do_not_keep_others_out(self):
        """As many as are allowed, some silent and some with a wrong address."""
        with View(SKIN) as view:
            idle = [socket.create_connection(("127.0.0.1", view.port), timeout=20) for _ in range(80)]
            for connection in idle[::2]:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % view.port)
            until = time.monotonic() + 20
            status = None
            while status != 200 and time.monotonic() < until:
                try:
                    status = view.ask("model")[0]
                except OSError:
                    time.sleep(0.2)
            for connection in idle:
                connection.close()
            self.assertEqual(status, 200)

    def test_many_at_once(self):
        states = [{"clip": 0, "time": k / 10} for k in range(48)]
        alone = [self.view.ask("frame", state)[1] for state in states]
        together = [None] * len(states)

        def ask(k):
            together[k] = self.view.__class__.ask(self.view, "frame", states[k])[1]

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(len(states))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone)


class WhatIsAnswered(ProgramTest):
    def deformed(self, model, *options):
        out = self.path("out.npy")
        self.succeeds("deform", model, "-o", out, *options, "-q")
        return np.load(out)

    def saved(self, view, state):
        status, body = view.ask("pose", state)
        self.assertEqual(status, 200, body)
        return self.write("saved.pose.json", body)

    def test_positions_are_those_of_deform(self):
        with View(SKIN) as view:
            frame = view.packet("frame", {"clip": 0, "time": 1.375})
            np.testing.assert_array_equal(frame["positions"], self.deformed(SKIN, "--animation", "0", "--time", "1.375"))
            np.testing.assert_array_equal(view.packet("frame", {})["positions"], self.deformed(SKIN))

    def test_what_a_clip_shows_and_hides(self):
        """Pieces of instances that are always hidden are left out. Nodes: "Sign" blinks, "Ghost" appears, "Never" is hidden."""
        with View(blinking(self.path("blinking.glb"))) as view:
            self.assertEqual([piece["instance"] for piece in view.model()["pieces"]], [0, 1])
            for state, shown in (({}, [1, 0]), ({"clip": 0, "time": 0}, [1, 0]), ({"clip": 0, "time": 0.75}, [0, 1]), ({"clip": 0, "time": 2}, [1, 1])):
                frame = view.packet("frame", state)
                if all(shown):
                    self.assertNotIn("shown", frame)
                else:
                    np.testing.assert_array_equal(frame["shown"].ravel(), shown, str(state))
        with View(SKIN) as view:
            self.assertNotIn("shown", view.packet("frame", {}))

    def test_a_saved_pose_gives_the_same_vertices(self):
        cases = [
            (SKIN, {"clip": 0, "time": 0.7, "turns": {"2": [25, -40, 10]}}),
            (CUBE, {"amounts": {"0": {"0": 0.25, "1": 0.7}}, "turns": {"0": [0, 30, 0]}}),
            (RIG_2D, {"turns": {"1": [33]}}),
        ]
        for model, state in cases:
            with self.subTest(model), View(model) as view:
                seen = view.packet("frame", state)["positions"]
                made = self.deformed(model, "--pose", self.saved(view, state))
                self.assertGreater(np.abs(made - self.deformed(model)).max(), 0.01)
                np.testing.assert_allclose(seen[:, :made.shape[1]], made, atol=1e-6)

    def test_a_saved_pose_of_more_dimensions(self):
        """Orthographic pictures are the first three coordinates."""
        for model, planes in ((ARM, 6), (RIG_5D, 10)):
            with self.subTest(model), View(model) as view:
                joint = next(n for n, node in enumerate(view.model()["nodes"]) if node["joint"] and node["parent"] is not None)
                state = {"turns": {str(joint): [10.0 * (p + 1) for p in range(planes)]}, "look": {"kind": "orthographic"}}
                seen = view.packet("frame", state)["positions"]
                made = self.deformed(model, "--pose", self.saved(view, state))
                self.assertGreater(np.abs(made - self.deformed(model)).max(), 0.01)
                np.testing.assert_allclose(seen, made[:, :3], atol=2e-6)

    def test_the_options_that_pose(self):
        with View(CUBE, "--blend", "0=0.5") as view:
            np.testing.assert_allclose(view.packet("frame", {})["positions"], self.deformed(CUBE, "--blend", "0=0.5"), atol=1e-7)
            self.assertEqual(view.model()["instances"][0]["shapes"][0]["amount"], 0.5)
        with View(SKIN, "--animation", "Swing") as view:
            self.assertEqual(view.model()["clip"], 0)

    def test_expressions(self):
        """They have names and start where the options say; together they move what `deform` moves, with what they turn down."""
        bind = lambda shape: {"node": len(vrm_builder.BONES), "index": shape, "weight": 1}
        expressions = {"preset": {"happy": {"morphTargetBinds": [bind(0)], "overrideBlink": "blend"}, "blink": {"morphTargetBinds": [bind(1)]}, "neutral": {}},
                       "custom": {"Wink": {"morphTargetBinds": [bind(2)]}}}
        model = vrm_builder.vrm1(vrm_builder.figure(), expressions).save(self.path("figure.glb"))
        with View(model, "--expression", "Wink=0.25") as view:
            told = view.model()
            self.assertEqual([(e["index"], e["name"], e["amount"]) for e in told["expressions"]], [(0, "happy", 0), (1, "blink", 0), (3, "Wink", 0.25)])
            self.assertEqual(told["nodes"][4].get("bone"), "head")
            self.assertNotIn("bone", told["nodes"][-1])
            np.testing.assert_array_equal(view.packet("frame", {})["positions"], self.deformed(model, "--expression", "Wink=0.25"))
            np.testing.assert_allclose(view.packet("frame", {"expressions": {"0": 0.5, "1": 1}})["positions"],
                                       self.deformed(model, "--expression", "happy=0.5", "--expression", "blink=1"), atol=1e-7)
            self.assertEqual(view.ask("frame", {"expressions": {"4": 1}})[0], 400)

    def test_a_dropped_motion(self):
        """A file that is sent to the page moves its model as `sinew retarget` would; what cannot be used changes nothing."""
        avatar, figure = os.path.join(ROOT, "samples", "show", "avatar.vrm"), os.path.join(ROOT, "samples", "show", "figure.gltf")
        self.succeeds("retarget", avatar, figure, "-o", self.path("moved.vrm"))
        def read(path):
            with open(path, "rb") as file:
                return file.read()
        motion = read(figure)
        with View(avatar, "--flex") as view:
            self.assertEqual(view.ask("motion"), (200, b"[]"))
            for bytes_, status, says in ((b"{}", 400, "the dropped file"), (b"", 400, "the dropped file"), (read(CUBE), 400, "RETARGET_NO_MATCH"),
                                         (read(avatar), 400, "RETARGET_NO_ANIMATION"), (b"x" * (2 << 20), 400, "the dropped file")):
                answer = view.ask("motion", bytes_)
                self.assertEqual(answer[0], status, answer)
                self.assertIn(says, answer[1].decode())
            self.assertEqual(view.model()["clips"], [])
            before = view.packet("frame", {})["positions"]
            self.assertEqual(view.ask("motion", motion), (204, b""))
            self.assertIn("turned by 180 degrees", view.ask("motion")[1].decode())
            model = view.model()
            self.assertEqual(([clip["name"] for clip in model["clips"]], model["clip"]), (["Walk"], 0))
            np.testing.assert_allclose(view.packet("frame", {"clip": 0, "time": 0.4})["positions"],
                                       self.deformed(self.path("moved.vrm"), "--animation", "Walk", "--time", "0.4"), atol=1e-6)
            np.testing.assert_array_equal(view.packet("frame", {})["positions"], before)
            self.assertEqual(view.ask("motion", motion)[0], 204)  # once more: under another name
            self.assertEqual([clip["name"] for clip in view.model()["clips"]], ["Walk", "Walk_2"])
            view.packet("frame", {"bound": True})  # for the findings of --flex
            self.assertEqual(view.ask("frame", b"x" * (2 << 20))[0], 413)

    def test_weights_of_a_joint(self):
        """Those of all joints add up to one."""
        with View(SKIN) as view:
            model = view.model()
            rows = [view.packet(f"weights/{n}")["weights"][:, 0] for n, node in enumerate(model["nodes"]) if node["joint"]]
            np.testing.assert_allclose(np.sum(rows, axis=0), 1, atol=1e-6)
            self.assertGreater(np.ptp(rows[0]), 0.5)

    def test_the_box_of_a_clip(self):
        """All of the clip is inside, and the corners are those of `sinew bounds`."""
        report = json.loads(self.succeeds("bounds", SKIN, "--json").out)
        with View(SKIN) as view:
            self.assertTrue(view.model()["boxes"])
            for state, box in (({"clip": 0, "time": 1.375}, report["clips"][0]["box"]), ({}, report["rest"])):
                frame = view.packet("frame", {**state, "box": True})
                np.testing.assert_array_equal(frame["sides"], np.array([box["min"], box["max"]], "<f4"))
                np.testing.assert_array_equal(np.array([frame["box"].min(0), frame["box"].max(0)]), frame["sides"])
                self.assertEqual(len(np.unique(frame["box"], axis=0)), 8 if np.all(frame["sides"][0] < frame["sides"][1]) else 4)
                self.assertTrue((frame["sides"][0] <= frame["positions"]).all() and (frame["positions"] <= frame["sides"][1]).all())
            self.assertNotIn("box", view.packet("frame", {"clip": 0}))

    def test_the_box_of_more_dimensions(self):
        with View(ARM) as view:
            frame = view.packet("frame", {"box": True, "look": {"kind": "orthographic"}})
            self.assertEqual((frame["box"].shape, frame["sides"].shape), ((16, 3), (2, 4)))
            self.assertTrue((frame["box"].min(0) <= frame["positions"].min(0)).all())

    def test_no_box_for_a_pose_that_is_not_the_clip(self):
        with View(CUBE, "--blend", "0=0.5") as view:
            self.assertFalse(view.model()["boxes"])

    def test_a_comparison(self):
        """The same report as that of `sinew compare`; distances of each vertex as parts of the largest one."""
        moved = self.path("moved.gltf")
        with open(SKIN, encoding="utf-8") as file:
            document = json.load(file)
        document["nodes"][2]["translation"] = [0, 1.25, 0]
        with open(moved, "w", encoding="utf-8") as file:
            json.dump(document, file)
        with View(SKIN, "--compare", moved) as view:
            report = json.loads(view.ask("comparison")[1])
            self.assertEqual(report, json.loads(sinew("compare", SKIN, moved, "--json").out))
            self.assertEqual(report["verdict"], "different")
            heat = view.packet("distances")["distances"][:, 0]
            self.assertEqual((len(heat), round(float(heat.max()), 5), heat[:2].tolist()), (view.model()["rows"], 1, [0, 0]))
        with View(SKIN) as view:
            self.assertEqual(view.ask("comparison"), (200, b"null"))
            self.assertEqual(view.packet("distances")["distances"].max(), 0)
        for wrong in (("view", SKIN, "--compare", moved, "--export", self.path("x.html")), ("view", "-", "--compare", moved)):
            self.fails(USAGE, *wrong)
        self.fails(INPUT, "view", SKIN, "--compare", self.path("nothing.glb"))

    def test_slices(self):
        """A tesseract is cut into a cube: closed, of the right volume."""
        with View(TESSERACT) as view:
            model = view.model()
            self.assertEqual(model["dimension"], 4)
            frame = view.packet("frame", {"look": {"kind": "slice", "offsets": [model["center"][3]]}})
            corners = frame["positions"][frame["cut0"]].astype(float)
            volume = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
            sides = np.ptp(frame["positions"], axis=0)
            self.assertAlmostEqual(volume, sides.prod(), places=5)
            far = view.packet("frame", {"look": {"kind": "slice", "offsets": [model["center"][3] + 2 * model["radius"]]}})
            self.assertEqual(len(far["positions"]), 0)

    def test_a_turned_slice(self):
        """Half way from w to x the cut of a tesseract is longer than its side by the square root of two."""
        with View(TESSERACT) as view:
            offset = view.model()["center"][3]
            straight = view.packet("frame", {"look": {"kind": "slice", "offsets": [offset]}})["positions"]
            turned = view.packet("frame", {"look": {"kind": "slice", "offsets": [offset], "turns": [0, 0, 0, 45, 0, 0]}})["positions"]
            self.assertAlmostEqual(np.ptp(turned[:, 0]) / np.ptp(straight[:, 0]), 2**0.5, places=4)
            self.assertAlmostEqual(np.ptp(turned[:, 1]) / np.ptp(straight[:, 1]), 1, places=4)

    def test_slices_of_five_dimensions(self):
        with View(RIG_5D) as view:
            model = view.model()
            frame = view.packet("frame", {"look": {"kind": "slice", "offsets": model["center"][3:]}})
            for name in [name for name in frame if name.startswith("cut")]:
                self.assertEqual(frame[name].shape[1], 3)

    def test_projection(self):
        with View(TESSERACT) as view:
            frame = view.packet("frame", {})
            self.assertEqual(frame["positions"].shape, (len(frame["hidden"]), 3))
            self.assertLessEqual(np.abs(frame["hidden"]).max(), 1)
            self.assertEqual(len(view.packet("geometry")["piece0"]), 32)  # the edges of a tesseract

    def test_findings_and_places(self):
        with View(SKIN) as view:
            report = json.loads(view.ask("findings")[1])
            self.assertEqual(report, json.loads(self.succeeds("validate", SKIN, "--format", "json").out))
            self.assertEqual(view.model()["nodes"][1]["pointer"], "/nodes/1")

    def test_standard_input(self):
        process = subprocess.Popen([SETTINGS.sinew, "view", "-", "--no-open"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        with open(SKIN, encoding="utf-8") as file:
            process.stdin.write(file.read())
        process.stdin.close()
        self.assertRegex(process.stdout.readline(), "^http://127.0.0.1:")
        process.stdin = None


def stored(text):
    """Bytes as a page stores them."""
    entry = json.loads(text)
    data = base64.b64decode(entry["base64"])
    return zlib.decompress(data) if entry["deflate"] else data


class ExportedPage(ProgramTest):
    """What the page holds; what it does with it is tested in a browser (tests/outside/test_view_page.py)."""

    def exported(self, model, *options):
        """The arrays in the page of a model: its files, and what the program adds."""
        path = self.path("page.html")
        self.said = self.succeeds("view", model, "--export", path, *options).err
        with open(path, encoding="utf-8") as file:
            self.page = file.read()
        scripts = dict(re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', self.page, re.S))
        self.module = scripts.get("module")
        return read_packet(stored(scripts["carried"]))[0]

    def carried(self, *arguments):
        """The same, in a page that computes; skips if this build has no module."""
        found = self.exported(*arguments)
        if self.module is None:
            self.skipTest("this build has no WebAssembly module")
        return found

    def file(self, found, name):
        """A file of the page, stored beside this test's others."""
        return self.write(name, found[name].tobytes())

    def deformed(self, model, *options):
        out = self.path("out.npy")
        self.succeeds("deform", model, "-o", out, *options, "-q")
        return np.load(out)

    def test_it_needs_nothing_else(self):
        found = self.exported(SKIN)
        for marker in ("SINEW_NONCE", "SINEW_MODEL", "THREE_LICENCE"):
            self.assertNotIn(marker, self.page)
        for data in (self.page.encode(), *(array.tobytes() for array in found.values())):
            self.assertNotIn(os.path.dirname(SKIN).encode(), data)
        self.assertNotRegex(self.page, r"<(script|link|img|iframe)[^>]+(src|href)=\"(?!data:)")
        self.assertIn("MIT License", self.page)
        self.assertRegex(self.said, r"page\.html: \d\.\d MB")

    def test_a_build_without_the_module_says_so(self):
        self.exported(SKIN)
        self.assertEqual("lacks the WebAssembly module" in self.said, self.module is None)

    def test_the_module_is_one(self):
        self.carried(SKIN)
        self.assertEqual(stored(self.module)[:8], b"\0asm\1\0\0\0")

    def test_the_stored_pose(self):
        """For browsers without WebAssembly: as the served page shows it, as precise as a picture needs."""
        for model in (SKIN, CUBE, ARM, RIG_5D, RIG_2D, TESSERACT):
            with self.subTest(model), View(model) as view:
                found = self.exported(model)
                frame, served = read_packet(found["/stored"].tobytes())[0], view.packet("frame", {})
                np.testing.assert_allclose(frame["positions"], served["positions"], rtol=2**-12, atol=0)
                np.testing.assert_array_equal(frame["piece0"], view.packet("geometry")["piece0"])
                self.assertEqual(json.loads(found["/model"].tobytes())["pieces"], view.model()["pieces"])

    def test_options_and_findings(self):
        pose = self.write("bent.pose.json", {"nodes": {"Upper": {"rotation": [0, 0, 0.6, 0.8]}}})
        found = self.carried(SKIN, "--animation", "Swing", "--pose", pose)
        self.assertEqual(json.loads(found["/choices"].tobytes()),
                         {"name": "simple_skin.gltf", "force": False, "revision": "", "scene": None, "clip": 0, "expressions": []})
        upper = next(n for n, node in enumerate(json.loads(found["/model"].tobytes())["nodes"]) if node["name"] == "Upper")
        np.testing.assert_allclose(json.loads(found["/edit"].tobytes())["nodes"][str(upper)]["rotor"][0], 0.8)
        report, own = json.loads(found["/findings"].tobytes()), json.loads(self.succeeds("validate", SKIN, "--format", "json").out)
        self.assertEqual(report["uri"], "simple_skin.gltf")
        self.assertEqual({**report, "uri": own["uri"]}, own)
        found = self.carried(CUBE, "--blend", "1=0.25")
        self.assertIn(0.25, [amount for shapes in json.loads(found["/edit"].tobytes())["blendAmounts"].values() for amount in shapes.values()])

    def test_files_are_decompressed(self):
        """What the module has no decoder for: Zstandard, and Draco. The model stays the same."""
        zstd = os.path.join(ROOT, "samples", "g4mf", "arm_4d_zstd.g4b")
        path = self.file(self.carried(zstd), "arm_4d_zstd.g4b")
        with open(path, "rb") as file:
            self.assertNotIn(b"Zstd", file.read())
        np.testing.assert_array_equal(self.deformed(path), self.deformed(zstd))
        models = [path for name, path in corpus_models() if "draco" in name]
        if not models:
            self.skipTest("the corpus is not there")
        for model in models:
            path = self.file(self.carried(model), os.path.basename(model))
            with open(path, "rb") as file:
                self.assertNotIn(b"draco", file.read())
            self.assertTrue(json.loads(self.succeeds("compare", model, path, "--json").out)["equal"])
            for attribute in ("position", "texcoord"):
                clip = ("--animation", 0, "--time", 0.3, "--attribute", attribute)
                np.testing.assert_array_equal(self.deformed(path, *clip), self.deformed(model, *clip))

    def test_files_beside_it(self):
        """Buffers and pictures of a text file, by the names that it has for them; absent ones are left out."""
        builder = tutorial_skin()
        builder.json["images"] = [{"uri": "pictures/one%20two.png"}, {"uri": "gone.png"}]
        model = builder.save(self.path("skin.gltf"), embedded=False)
        os.mkdir(self.path("pictures"))
        self.write("pictures/one two.png", b"a picture")
        found = self.carried(model)
        self.assertEqual(found["pictures/one two.png"].tobytes(), b"a picture")
        self.assertNotIn("gone.png", found)
        with open(self.path("skin data.bin"), "rb") as file:
            self.assertEqual(found["skin data.bin"].tobytes(), file.read())
        g4mf = self.write("painted.g4tf", {"asset": {"dimension": 3}, "nodes": [{}], "textures": [
            {"size": [2, 2], "images": [{"mimeType": "image/png", "uri": "pictures/one%20two.png"}]}]})
        self.assertIn("pictures/one two.png", self.exported(g4mf))

    def test_the_size_of_a_character(self):
        """34,000 vertices whose numbers hardly compress, with an animation: at most 1.5 MB beside the file."""
        rng = np.random.default_rng(1)
        count = 34_159
        builder = tutorial_skin(clip=False)
        attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
        positions, normals = rng.normal(size=(2, count, 3)).astype("<f4")
        weights = rng.random((count, 4)).astype("<f4") * np.array([1, 1, 0, 0], "<f4")
        weights /= weights.sum(1, keepdims=True)
        attributes.update(POSITION=builder.accessor(positions, bounds=True), JOINTS_0=builder.accessor(rng.integers(0, 2, (count, 4)).astype("<u2")),
                          NORMAL=builder.accessor((normals / np.linalg.norm(normals, axis=1)[:, None]).astype("<f4")),
                          WEIGHTS_0=builder.accessor(weights.astype("<f4")))
        first = np.arange(61_666) // 2
        builder.json["meshes"][0]["primitives"][0]["indices"] = builder.accessor(np.stack([first, first + 1, first + 185], 1).astype("<u4").ravel())
        times = builder.accessor(np.arange(40_000, dtype="<f4") / 30, bounds=True)
        turns = rng.normal(size=(40_000, 4)).astype("<f4")
        output = builder.accessor((turns / np.linalg.norm(turns, axis=1)[:, None]).astype("<f4"))
        builder.json["animations"] = [{"samplers": [{"input": times, "output": output}],
                                       "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}]
        model = builder.save(self.path("character.glb"))
        self.carried(model)
        print(f"{os.path.getsize(model)} → {len(self.page)} bytes", file=sys.stderr)
        self.assertLess(len(self.page) - os.path.getsize(model), 1.5e6)

    def test_what_is_refused(self):
        page = self.path("page.html")
        self.fails(USAGE, "view", SKIN, "--export", self.path("page.png"), says=[".html"])
        self.fails(USAGE, "view", SKIN, "--export", "", says=["--export"])
        self.fails(USAGE, "view", SKIN, "--export", page, "--port", "8080", says=["--port"])
        self.fails(USAGE, "view", SKIN, "--export", page, "--no-open", says=["--no-open"])
        self.fails(USAGE, "view", SKIN, "--exprot", page, says=["--export"])
        self.fails(3, "view", self.path("missing.glb"), "--export", page)
        self.assertFalse(os.path.exists(page))
        self.fails(OUTPUT, "view", SKIN, "--export", self.path("nowhere/page.html"))


class Beginning(ProgramTest):
    def test_ports(self):
        with View(SKIN) as view:
            self.fails(USAGE, "view", SKIN, "--port", view.port, "--no-open", says=[str(view.port)])
            port = view.port
        with View(SKIN, "--port", port) as view:
            self.assertEqual(view.port, port)
        self.fails(USAGE, "view", SKIN, "--port", "65536")
        self.fails(USAGE, "view", SKIN, "--prot", "1", says=["--port"])

    def test_files_that_cannot_be_shown(self):
        self.fails(3, "view", self.path("missing.glb"), "--no-open")
        self.fails(3, "view", self.write("broken.gltf", "{"), "--no-open")
        self.fails(USAGE, "view", SKIN, "--animation", "Swim", "--no-open", says=["Swing"])

    def test_quiet(self):
        with View(SKIN, "-q") as view:
            view.process.send_signal(signal.SIGINT)
            self.assertEqual(view.process.communicate(timeout=20), ("", ""))


class Ending(ProgramTest):
    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with View(SKIN) as view:
                view.ask("model")
                view.process.send_signal(number)
                self.assertEqual(view.process.wait(timeout=20), 0)

    def test_when_the_last_page_is_closed(self):
        with View(SKIN) as view:
            for page in ("a", "b"):
                self.assertEqual(view.ask("alive", page)[0], 204)
            view.ask("closed", "a")
            view.ask("closed", "b")
            self.assertEqual(view.ask("alive", "c")[0], 204)  # reloaded in time
            time.sleep(5.5)
            self.assertIsNone(view.process.poll())
            view.ask("closed", "c")
            self.assertEqual(view.process.wait(timeout=20), 0)


if __name__ == "__main__":
    main()
