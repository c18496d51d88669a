# SPDX-License-Identifier: MIT
"""The pictures of docs/gallery equal those that scripts/gallery draws now, to the eye. Skipped without OpenGL."""
import base64
import ctypes
import ctypes.util
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from program import ROOT, SETTINGS, UNSUPPORTED, ProgramTest, main, sinew
from test_render import blurred, read_png

GALLERY = os.path.join(ROOT, "docs", "gallery")
SCRIPT = os.path.join(ROOT, "scripts", "gallery")
DEMUX_ABI = 0x0107


def setUpModule():
    with tempfile.TemporaryDirectory() as folder:
        ran = sinew("render", os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf"), "-o", os.path.join(folder, "out.png"), "--size", "8x8")
    if ran.status == UNSUPPORTED:
        print("SKIPPED: no OpenGL here", file=sys.stderr)
        raise unittest.SkipTest("no OpenGL here")


class Data(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("width", "height", "loops", "background", "frames", "p0", "p1", "p2", "p3")]


def read_webp(path):
    """The frames of a WebP: (frames, height, width, 4)."""
    demux = ctypes.CDLL(ctypes.util.find_library("webpdemux"))
    demux.WebPAnimDecoderNewInternal.restype = ctypes.c_void_p
    with open(path, "rb") as file:
        content = file.read()
    decoder = ctypes.c_void_p(demux.WebPAnimDecoderNewInternal(ctypes.byref(Data(content, len(content))), None, DEMUX_ABI))
    if not decoder:
        raise ValueError(f"{path} is no WebP")
    info, pixels, time, frames = Info(), ctypes.POINTER(ctypes.c_uint8)(), ctypes.c_int(), []
    demux.WebPAnimDecoderGetInfo(decoder, ctypes.byref(info))
    while demux.WebPAnimDecoderGetNext(decoder, ctypes.byref(pixels), ctypes.byref(time)):
        frames.append(np.ctypeslib.as_array(pixels, (info.height, info.width, 4)).copy())
    demux.WebPAnimDecoderDelete(decoder)
    if len(frames) != info.frames:
        raise ValueError(f"{path} is broken")
    return np.array(frames)


def read_svg(path):
    """The PNG pictures in an SVG."""
    with open(path, encoding="utf-8") as file:
        embedded = re.findall(r"data:image/png;base64,([^\"]+)", file.read())
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for i, data in enumerate(embedded):
            with open(os.path.join(folder, f"{i}.png"), "wb") as out:
                out.write(base64.b64decode(data))
            found.append(read_png(os.path.join(folder, f"{i}.png")))
        return np.array(found)


def pictures(path):
    return {".webp": read_webp, ".svg": read_svg}.get(os.path.splitext(path)[1], lambda png: read_png(png)[None])(path)


class Gallery(ProgramTest):
    def test_pictures_are_current(self):
        subprocess.run([sys.executable, SCRIPT, SETTINGS.sinew, self.folder, "--few"], check=True, timeout=300)
        script = runpy.run_path(SCRIPT)
        frames = {name: script["frames_of"](options) for name, _, options in script["PICTURES"]}
        clips = {name: count for name, count in frames.items() if count}
        self.assertGreaterEqual(len(clips), 3)
        drawn = sorted(os.listdir(self.folder))
        self.assertEqual(sorted(os.listdir(GALLERY)), drawn)
        self.assertGreaterEqual(len(drawn), 16)
        for name in drawn:
            with self.subTest(name):
                with open(self.path(name), "rb") as new, open(os.path.join(GALLERY, name), "rb") as kept:
                    if new.read() == kept.read():
                        continue
                now, then = pictures(self.path(name)), pictures(os.path.join(GALLERY, name))
                if name in clips:
                    self.assertEqual((len(now), len(then)), (script["FEW"], clips[name]))
                    then = then[::len(then) // script["FEW"]]
                self.assertEqual(now.shape, then.shape)
                for a, b in zip(now, then):
                    difference = np.abs(blurred(a) - blurred(b))
                    self.assertLess(difference.max(), 16)
                    self.assertLess(difference.mean(), 1.5)

    def test_every_picture_is_shown(self):
        shown = set()
        for page in ("README.md", "samples/README.md", "docs/avatars.md", "docs/lift.md", "docs/merge.md", "docs/render.md", "docs/tutorial.md"):
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                shown.update(re.findall(r"gallery/([\w.]+)", file.read()))
        self.assertEqual(shown, set(os.listdir(GALLERY)))


if __name__ == "__main__":
    main()
