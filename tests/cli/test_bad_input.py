# SPDX-License-Identifier: MIT
"""Files with one defect each: the correct exit status within two seconds, one line with a place, no output, never a crash.

Every file is the tutorial's skin (accessors: 0 positions, 1 joints, 2 weights, 3 indices, 4 bind matrices, 5 keys, 6 rotations; nodes: 0
the mesh, 1 and 2 the joints) or the morphed quad, with one change.
"""
import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np

from program import DONE, INPUT, PATIENCE, ROOT, UNSUPPORTED, ProgramTest, in_parallel, main, patiently, sinew

from gltf_builder import glb_bytes, morphed_quad, tutorial_skin

SECONDS = 2.0 * PATIENCE
PLACE = re.compile(r"(: /|\"/|'/|\(/|\bat /|/[a-z]\w*/\d|\bbyte|\boffset|\bline \d)")


class Case:
    """`name`, the bytes of files to write, the model's file name, options, the allowed statuses, texts that the line must contain, whether
    it must contain a place, and the number of rows if the file is read."""

    def __init__(self, name, files, main_file, options=(), statuses=(INPUT,), says=(), placed=True, rows=None):
        self.name, self.files, self.main_file = name, files, main_file
        self.options, self.statuses, self.says, self.placed, self.rows = list(options), statuses, says, placed, rows


CASES = []
CLIP = ("--animation", "0", "--time", "0.5")


def case(name, content, *, as_file="model.gltf", options=(), statuses=(INPUT,), says=(), others=None, placed=True, rows=None):
    says = [says] if isinstance(says, str) else says
    CASES.append(Case(name, {as_file: content, **(others or {})}, as_file, options, statuses, says, placed, rows))


def edited(name, edit, *, make=tutorial_skin, container="glb", **expectation):
    """A case made by `edit(builder)`; the container is `.glb`, or `.gltf` with a data URI."""
    builder = make()
    edit(builder)
    if container == "glb":
        document = dict(builder.json)
        document.setdefault("buffers", [{"byteLength": len(builder.blob)}])
        content = glb_bytes(document, bytes(builder.blob))
    else:
        content = embedded(builder)
    case(name, content, as_file="model." + container, **expectation)


def embedded(builder, uri=None, length=None):
    document = dict(builder.json)
    data = "data:application/octet-stream;base64," + base64.b64encode(bytes(builder.blob)).decode()
    document["buffers"] = [{"byteLength": len(builder.blob) if length is None else length, "uri": data if uri is None else uri}]
    return json.dumps(document).encode()


def at(builder, *path):
    value = builder.json
    for step in path:
        value = value[step]
    return value


def setting(value, *path):
    """Returns an edit that stores `value` at the end of `path`."""

    def edit(builder):
        at(builder, *path[:-1])[path[-1]] = value

    return edit


def removing(*path):
    def edit(builder):
        del at(builder, *path[:-1])[path[-1]]

    return edit


def poking(accessor, element, value, kind="<f4"):
    """Returns an edit of the stored bytes: component number `element` of an accessor with its own packed view."""

    def edit(builder):
        view = builder.json["bufferViews"][builder.json["accessors"][accessor]["bufferView"]]
        start = view["byteOffset"] + element * np.dtype(kind).itemsize
        builder.blob[start : start + np.dtype(kind).itemsize] = np.array(value, kind).tobytes()

    return edit


def both(*edits):
    def edit(builder):
        for one in edits:
            one(builder)

    return edit


POSITION, JOINTS, WEIGHTS, INDICES, BIND, KEYS, TURNS = range(7)
ATTRIBUTES = ("meshes", 0, "primitives", 0, "attributes")


def text_cases():
    whole = embedded(tutorial_skin())
    case("empty.gltf", b"", placed=False, says="the file is empty")
    case("empty.glb", b"", as_file="model.glb", placed=False, says="the file is empty")
    case("blank.gltf", b"  \n ", placed=False)
    case("not json", b"hello, world\n")
    case("an image", b"\x89PNG\r\n\x1a\n" + bytes(64))
    case("an image named glb", b"\x89PNG\r\n\x1a\n" + bytes(64), as_file="model.glb")
    case("zeros", bytes(1000))
    case("json cut short", whole[: len(whole) // 2])
    case("json cut before the last brace", whole[:-1])
    case("text after the end", whole + b"x")
    case("a second value", whole + b"{}")
    case("trailing comma", whole[:-1] + b",}")
    case("bad utf-8", whole.replace(b"Strip", b"Str\xff\xfe"))
    case("root is an array", b"[]", placed=False)
    case("root is null", b"null", placed=False)
    case("root is a number", b"5", placed=False)
    case("deep arrays", b"[" * 200_000)
    case("deep closed arrays", b'{"asset":{"version":"2.0"},"extras":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    case("deep objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000)
    case("utf-16", whole.decode().encode("utf-16"))


def buffer_cases():
    builder = tutorial_skin()
    size = len(builder.blob)
    data = bytes(builder.blob)
    case("buffer file missing", embedded(builder, "absent.bin"), says=["/buffers/0", "absent.bin"])
    case("buffer file short", embedded(builder, "short.bin"), others={"short.bin": data[:-200]}, says="/")
    case("buffer file empty", embedded(builder, "empty.bin"), others={"empty.bin": b""}, says="/")
    # If everything that the result needs exists, both answers are allowed: using what is usable, or rejecting the wrong buffer size.
    case("buffer file short by what nothing needs", embedded(builder, "short.bin"), others={"short.bin": data[:-1]}, statuses=(INPUT, DONE))
    case("buffer file a folder", embedded(builder, "."), says="/buffers/0")
    case("data uri short", embedded(builder, "data:application/octet-stream;base64,AAAA"), says="/")
    case("data uri short by what nothing needs", embedded(builder, length=size + 4), statuses=(INPUT, DONE))
    case("data uri of a million wrong letters", embedded(builder, "data:application/octet-stream;base64," + "!" * 10**6), says="/buffers/0")
    case("uri of a million letters", embedded(builder, "x" * 10**6), says="/buffers/0")
    case("data uri cut inside base64", embedded(builder).replace(b'=="', b'"').replace(b'AA"', b'A"'), statuses=(INPUT, DONE))
    case("data uri not base64", embedded(builder, "data:application/octet-stream;base64,!!!?"), says="/buffers/0")
    case("data uri without comma", embedded(builder, "data:application/octet-stream;base64"), says="/buffers/0")
    case("uri leaving the folder", embedded(builder, "../outside.bin"), others={"../outside.bin": data}, says="/buffers/0")
    case("uri leaving the folder encoded", embedded(builder, "%2e%2e/outside.bin"), others={"../outside.bin": data}, says="/buffers/0")
    case("uri leaving and coming back", embedded(builder, "a/../../outside.bin"), others={"../outside.bin": data}, says="/buffers/0")
    case("http uri", embedded(builder, "http://localhost/a.bin"), says="/buffers/0")
    case("file uri", embedded(builder, "file:///etc/hostname"), says="/buffers/0")
    case("absolute path", embedded(builder, "/etc/hostname"), says="/buffers/0")
    case("uri with zero byte", embedded(builder, "a%00b.bin"), says="/buffers/0")
    case("uri of four thousand letters", embedded(builder, "x" * 4000), says="/buffers/0")
    for length in (-1, 0.5, 2**31, 2**53, 2**63, 2**64, 10**30):
        statuses = (INPUT, DONE) if length in (2**31, 2**53) else (INPUT,)  # whole numbers, and all that the result needs is there
        case(f"buffer byteLength {length}", embedded(builder, length=length), statuses=statuses)
    case("buffer without uri in a gltf", json.dumps({**builder.json, "buffers": [{"byteLength": size}]}).encode(), says="/buffers/0")
    # A hundred megabytes of text cost time only in proportion: 24 MB of base64 must still be refused or read at once.
    big = b"A" * 24_000_000
    case("huge base64 for nothing", embedded(builder).replace(b"base64,", b"base64," + big), statuses=(DONE, INPUT))


def index_cases():
    def out_of_range(path, name, pointer, options=(), **more):
        for value in (99, 2**31, 2**53, -1):
            edited(f"{name} = {value}", setting(value, *path), options=options, says=pointer, **more)

    out_of_range((*ATTRIBUTES, "POSITION"), "POSITION accessor", "/meshes/0/primitives/0")
    out_of_range((*ATTRIBUTES, "JOINTS_0"), "JOINTS_0 accessor", "/meshes/0/primitives/0")
    out_of_range((*ATTRIBUTES, "WEIGHTS_0"), "WEIGHTS_0 accessor", "/meshes/0/primitives/0")
    out_of_range(("meshes", 0, "primitives", 0, "indices"), "indices accessor", "/meshes/0/primitives/0")
    out_of_range(("accessors", POSITION, "bufferView"), "bufferView of positions", "/accessors/0")
    out_of_range(("bufferViews", 0, "buffer"), "buffer of a view", "/bufferViews/0")
    out_of_range(("nodes", 0, "mesh"), "mesh of a node", "/nodes/0")
    out_of_range(("nodes", 0, "skin"), "skin of a node", "/nodes/0")
    out_of_range(("nodes", 1, "children", 0), "child of a node", "/nodes/1")
    out_of_range(("scenes", 0, "nodes", 0), "root of a scene", "/scenes/0")
    out_of_range(("skins", 0, "joints", 1), "joint of a skin", "/skins/0")
    out_of_range(("skins", 0, "inverseBindMatrices"), "matrices of a skin", "/skins/0")
    out_of_range(("animations", 0, "channels", 0, "sampler"), "sampler of a channel", "/animations/0", CLIP)
    out_of_range(("animations", 0, "channels", 0, "target", "node"), "node of a channel", "/animations/0", CLIP)
    out_of_range(("animations", 0, "samplers", 0, "input"), "input of a sampler", "/animations/0", CLIP)
    out_of_range(("animations", 0, "samplers", 0, "output"), "output of a sampler", "/animations/0", CLIP)
    edited("default scene = 9", setting(9, "scene"), says="/scene")
    edited("target accessor = 99", setting(99, "meshes", 0, "primitives", 0, "targets", 0, "POSITION"), make=morphed_quad, says="/meshes/0")


def count_cases():
    for count in (-1, 11, 2**31 - 1, 2**31, 2**32, 2**53, 2**61, 2**63, 2**64 - 1, 10**30, 1.5):
        edited(f"positions count {count}", setting(count, "accessors", POSITION, "count"), says="/accessors/0")
    for count in (2**31, 2**61, 2**63):
        edited(f"indices count {count}", setting(count, "accessors", INDICES, "count"), says="/accessors/3")
        edited(f"matrices count {count}", setting(count, "accessors", BIND, "count"), says="/accessors/4")
        edited(f"keys count {count}", setting(count, "accessors", KEYS, "count"), options=CLIP, says="/accessors/5")
        # Without a view the accessor is zeros, so only the memory limit bounds the count.
        edited(f"zeros count {count}", both(removing("accessors", POSITION, "bufferView"), setting(count, "accessors", POSITION, "count")))
    for offset in (-4, 4, 2**31, 2**53, 2**63 - 8, 2**64):
        edited(f"accessor byteOffset {offset}", setting(offset, "accessors", POSITION, "byteOffset"), says="/accessors/0",
               statuses=(INPUT, DONE) if offset in (-4, 2**64) else (INPUT,))
        edited(f"view byteOffset {offset}", setting(offset if offset != 4 else 10**6, "bufferViews", 0, "byteOffset"), says=["/"],
               statuses=(INPUT, DONE) if offset in (-4, 2**64) else (INPUT,))
        edited(f"view byteLength {offset}", setting(offset, "bufferViews", 0, "byteLength"), says="/")
    for stride in (16, 252, 2**31, 2**53, 2**63):
        edited(f"stride {stride}", setting(stride, "bufferViews", 0, "byteStride"), statuses=(INPUT,) if stride <= 252 else (INPUT, DONE))
    edited("stride too small", setting(4, "bufferViews", 0, "byteStride"), statuses=(INPUT, DONE))
    edited("weights fewer than positions", setting(9, "accessors", WEIGHTS, "count"), says="/")
    edited("joints fewer than positions", setting(5, "accessors", JOINTS, "count"), says="/")
    edited("fewer matrices than joints", setting(1, "accessors", BIND, "count"), says="/")
    edited("outputs fewer than keys", setting(2, "accessors", TURNS, "count"), options=CLIP, says="/animations/0")
    cubic = setting("CUBICSPLINE", "animations", 0, "samplers", 0, "interpolation")
    edited("outputs not three per key", cubic, options=CLIP, says="/animations/0")
    edited("target rows fewer than positions", setting(3, "accessors", 5, "count"), make=morphed_quad, says="/meshes/0")
    edited("amounts not one per target", setting(3, "accessors", 8, "count"), make=morphed_quad, options=CLIP, says="/animations/0")
    edited("no joints", setting([], "skins", 0, "joints"), says="/skins/0")


def type_cases():
    edited("positions VEC2", setting("VEC2", "accessors", POSITION, "type"), says="/")
    edited("positions of unknown type", setting("VEC5", "accessors", POSITION, "type"), says="/accessors/0")
    edited("positions of unknown component type", setting(5124, "accessors", POSITION, "componentType"), says="/accessors/0")
    edited("positions without type", removing("accessors", POSITION, "type"), says="/accessors/0")
    edited("positions without count", removing("accessors", POSITION, "count"), says="/accessors/0")
    edited("positions without component type", removing("accessors", POSITION, "componentType"), says="/accessors/0")
    edited("joints of floats", setting(0, *ATTRIBUTES, "JOINTS_0"), says="/meshes/0/primitives/0")
    edited("joints VEC2", setting("VEC2", "accessors", JOINTS, "type"), says="/")
    edited("weights SCALAR", setting("SCALAR", "accessors", WEIGHTS, "type"), says="/")
    edited("indices of floats", setting(5, "meshes", 0, "primitives", 0, "indices"), says="/")
    edited("matrices VEC4", setting("VEC4", "accessors", BIND, "type"), says="/")
    edited("matrices of bytes", setting(5121, "accessors", BIND, "componentType"), says="/")
    edited("keys VEC2", setting("VEC2", "accessors", KEYS, "type"), options=CLIP, says="/")
    edited("rotations VEC3", setting("VEC3", "accessors", TURNS, "type"), options=CLIP, says="/")
    edited("accessor a number", setting(7, "accessors", POSITION), says="/")
    edited("accessors a string", setting("x", "accessors"), says="/")
    edited("views an object", setting({}, "bufferViews"), says="/")
    edited("meshes null", setting(None, "meshes"), says="/")
    edited("node a string", setting("x", "nodes", 0), says="/nodes/0")
    edited("attributes an array", setting([], "meshes", 0, "primitives", 0, "attributes"), statuses=(INPUT, DONE))
    edited("primitive a number", setting(1, "meshes", 0, "primitives", 0), statuses=(INPUT, DONE))
    edited("primitives missing", removing("meshes", 0, "primitives"), statuses=(INPUT, DONE))
    edited("children of strings", setting(["a"], "nodes", 1, "children"), statuses=(INPUT, DONE))
    edited("fractional child", setting([1.5], "nodes", 1, "children"), statuses=(INPUT, DONE))
    edited("joints a string", setting("x", "skins", 0, "joints"), says="/skins/0")
    edited("buffer uri a number", both(setting([{"byteLength": 8, "uri": 5}], "buffers")), container="glb", says="/")


def tree_cases():
    edited("node its own child", setting([1], "nodes", 1, "children"), says="/nodes/1")
    edited("two nodes in a circle", setting([1], "nodes", 2, "children"), says="/nodes/")

    def circle_apart(builder):
        builder.json["nodes"] += [{"children": [4]}, {"children": [5]}, {"children": [3]}]
        builder.json["skins"][0]["joints"][1] = 4

    edited("joints in a circle outside the scene", circle_apart, says="/nodes/")

    def long_chain(builder):
        first = len(builder.json["nodes"])
        builder.json["nodes"] += [{"children": [first + k + 1]} for k in range(50_000)] + [{"mesh": 0}]
        builder.json["scenes"][0]["nodes"].append(first)

    # Nested beyond a limit is refused; within it, the mesh at the bottom counts. It must not be left out.
    edited("fifty thousand nodes deep", long_chain, statuses=(INPUT, DONE), rows=20)

    def two_parents(builder):
        builder.json["nodes"][0]["children"] = [2]

    edited("two parents", two_parents, says="/nodes/")


def value_cases():
    for name, number in (("nan", np.nan), ("inf", np.inf), ("-inf", -np.inf)):
        edited(f"position {name}", poking(POSITION, 3 * 7 + 1, number), says=["/", "7"])
        edited(f"weight {name}", poking(WEIGHTS, 4 * 6 + 1, number), says=["/", "6"])
        edited(f"bind matrix {name}", poking(BIND, 16 + 5, number), says=["/", "1"])
        edited(f"key {name}", poking(KEYS, 1, number), options=CLIP, says=["/", "1"])
        edited(f"rotation {name}", poking(TURNS, 4 + 2, number), options=CLIP, says=["/", "1"])
        edited(f"morph offset {name}", poking(5, 3 * 2, number), make=morphed_quad, says="/")
    edited("joint out of range", poking(JOINTS, 4 * 9 + 1, 2, "<u2"), says=["/", "9"])
    edited("joint far out of range", poking(JOINTS, 4 * 9 + 1, 65535, "<u2"), says="/")
    edited("index out of range", poking(INDICES, 5, 10, "<u2"), says=["/", "5"])
    edited("index far out of range", poking(INDICES, 5, 60000, "<u2"), says="/")
    edited("keys decreasing", poking(KEYS, 2, 0.5), options=CLIP, says="/")
    whole = embedded(tutorial_skin())
    overflowing = b"1e999, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1"
    matrix = whole.replace(b'"name": "Lower"', b'"name": "Lower", "matrix": [' + overflowing + b"]")
    case("matrix number too large", matrix, says="/nodes/1")
    case("translation number too large", whole.replace(b'"translation": [0, 1, 0]', b'"translation": [0, 1e999, 0]'), says="/nodes/2")
    edited("position overflows float32", setting([1e39, 1, 1], "nodes", 2, "scale"), placed=False)


def sparse_cases():
    unsorted = {"rows": [5, 2]}  # forbidden, and yet usable: both answers are defensible

    def sparse(**changes):
        def edit(builder):
            wanted = {"count": 2, "indices": {"componentType": 5121}, "values": {}}
            wanted["indices"]["bufferView"] = builder.view(bytes(changes.get("rows", [2, 5])))
            wanted["values"]["bufferView"] = builder.view(np.zeros((2, 3), "<f4").tobytes())
            wanted.update(changes.get("sparse", {}))
            wanted["indices"].update(changes.get("indices", {}))
            wanted["values"].update(changes.get("values", {}))
            builder.json["accessors"][POSITION]["sparse"] = wanted

        return edit

    edited("sparse rows unsorted", sparse(**unsorted), statuses=(INPUT, DONE))
    for name, changes in {
        "row out of range": {"rows": [2, 10]},
        "row far out of range": {"rows": [2, 255]},
        "more rows than stored": {"sparse": {"count": 9}},
        "more rows than elements": {"sparse": {"count": 11}},
        "count 2^31": {"sparse": {"count": 2**31}},
        "count 2^63": {"sparse": {"count": 2**63}},
        "count -1": {"sparse": {"count": -1}},
        "rows of floats": {"indices": {"componentType": 5126}},
        "rows of signed bytes": {"indices": {"componentType": 5120}},
        "row view out of range": {"indices": {"bufferView": 99}},
        "value view out of range": {"values": {"bufferView": 99}},
        "row offset out of range": {"indices": {"byteOffset": 100}},
        "value offset out of range": {"values": {"byteOffset": 8}},
        "value offset 2^63": {"values": {"byteOffset": 2**63}},
    }.items():
        statuses = (INPUT, DONE) if "2^63" in name and "offset" in name else (INPUT,)  # as a wrong-typed optional value: the default, 0
        edited("sparse " + name, sparse(**changes), says="/", statuses=statuses)


def glb_cases():
    builder = tutorial_skin()
    document = {**builder.json, "buffers": [{"byteLength": len(builder.blob)}]}
    whole = glb_bytes(document, bytes(builder.blob))
    text_length = struct.unpack_from("<I", whole, 12)[0]

    def glb(name, data, **expectation):
        case("glb " + name, data, as_file="model.glb", **expectation)

    def patched(offset, value):
        return whole[:offset] + struct.pack("<I", value) + whole[offset + 4 :]

    text_end = 20 + text_length
    cuts = {1, 3, 4, 8, 11, 12, 16, 19, 20, 21, text_end - 1, text_end, text_end + 4, text_end + 8, len(whole) - 1, len(whole) - 4}
    cuts |= set(range(24, len(whole), len(whole) // 24))
    sampler = document["animations"][0]["samplers"][0]
    keys = [document["bufferViews"][document["accessors"][sampler[name]]["bufferView"]]["byteOffset"] for name in ("input", "output")]
    for cut in sorted(cuts):  # without the clip's bytes, the stored pose is still there
        glb(f"cut at {cut}", whole[:cut], placed=cut > 12, statuses=(DONE,) if cut >= text_end + 8 + min(keys) else (INPUT,))
    # Shorter, and saying so: the container is sound, what it holds is not all there.
    for cut in (20 + text_length, 28 + text_length, len(whole) - 64):
        glb(f"cut at {cut} with the length", whole[:8] + struct.pack("<I", cut) + whole[12:cut])
    glb("bad magic", b"gLTF" + whole[4:], placed=False)
    glb("version 1", patched(4, 1), statuses=(INPUT, UNSUPPORTED))
    glb("version 3", patched(4, 3), statuses=(INPUT, UNSUPPORTED))
    for length in (0, 12, 19, len(whole) + 4, 2**31, 2**32 - 1):
        glb(f"length {length}", patched(8, length))
    for length in (0, 4, text_length + 1, text_length + 2**16, 2**31, 2**32 - 1):
        glb(f"json chunk length {length}", patched(12, length))
    for length in (2**31, 2**32 - 1, 2**32 - 8):
        glb(f"bin chunk length {length}", patched(20 + text_length, length))
    glb("bin chunk length zero", patched(20 + text_length, 0))
    glb("first chunk is bin", patched(16, 0x004E4942))
    glb("first chunk is unknown", patched(16, 0x12345678))
    glb("no bin chunk", glb_bytes(document, b""), says="/buffers/0")
    glb("bin chunk short", glb_bytes(document, bytes(builder.blob)[:-64]), says="/")
    glb("json chunk is not json", glb_bytes({}, b"")[:20] + b"hello!! " + b"", statuses=(INPUT,))


def extension_cases():
    for name in ("EXT_lights_ies", "ACME_made_up", "MSFT_audio_emitter"):
        edited(f"requires {name}", both(setting([name], "extensionsUsed"), setting([name], "extensionsRequired")),
               statuses=(UNSUPPORTED,), says=name, placed=False)
    long_name = setting(["X" * 10**6], "extensionsRequired")
    edited("requires a name of a million letters", long_name, statuses=(UNSUPPORTED,), says="XXX", placed=False)


def outside_cases():
    """Defects in data that the result does not need: exit 0 and one warning each."""

    def extra(collection, item):
        return lambda builder: builder.add(collection, item)

    broken_accessor = {"componentType": 5126, "count": 2**40, "type": "VEC3", "bufferView": 0}
    edited("unused accessor", extra("accessors", broken_accessor), statuses=(DONE,), says=["warning?"])
    edited("unused mesh", extra("meshes", {"primitives": [{"attributes": {"POSITION": 99}}]}), statuses=(DONE,), says=["warning"])
    edited("unused skin", extra("skins", {"joints": [99]}), statuses=(DONE,), says=["warning"])
    edited("unused view", extra("bufferViews", {"buffer": 9, "byteLength": 4}), statuses=(DONE,), says=["warning?"])
    edited("unused buffer", both(setting([{"byteLength": len(tutorial_skin().blob)}, {"byteLength": 9, "uri": "absent.bin"}], "buffers")),
           statuses=(DONE,), says=["warning?"])
    edited("other scene", extra("scenes", {"nodes": [99]}), statuses=(DONE,), says=["warning"])
    edited("missing image", both(extra("images", {"uri": "absent.png"}), extra("textures", {"source": 0})), statuses=(DONE,))
    edited("node outside the scene", extra("nodes", {"mesh": 99}), statuses=(DONE,), says=["warning"])

    def circle(builder):
        builder.json["nodes"] += [{"children": [4]}, {"children": [3]}]

    edited("circle outside the scene", circle, statuses=(DONE,), says=["warning"])
    edited("clip not asked for", setting(99, "animations", 0, "samplers", 0, "input"), statuses=(DONE,), says=["warning"])
    edited("keys of a clip not asked for", poking(KEYS, 1, np.nan), statuses=(DONE,), says=["warning"])

    def other_clip(builder):
        clip = json.loads(json.dumps(builder.json["animations"][0]))
        clip["samplers"][0]["output"] = 99
        builder.json["animations"].append(clip)

    edited("other clip than the one asked for", other_clip, options=CLIP, statuses=(DONE,), says=["warning"])


for make_cases in (text_cases, buffer_cases, index_cases, count_cases, type_cases, tree_cases, value_cases, sparse_cases, glb_cases,
                   extension_cases, outside_cases):
    make_cases()


class BadInput(ProgramTest):
    def run_case(self, number, one):
        """What `check` takes."""
        return patiently(lambda: self.run_once(tempfile.mkdtemp(prefix=f"case{number}_", dir=self.folder), one),
                         lambda found: found[0] is not None and found[1] < SECONDS)

    def run_once(self, folder, one):
        folder = os.path.join(folder, "in")
        os.makedirs(folder)
        for name, content in one.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        out = os.path.join(folder, "out.npy")
        before = sorted(os.listdir(folder))
        started = time.monotonic()
        try:
            ran = sinew("deform", os.path.join(folder, one.main_file), "-o", out, *one.options, timeout=30)
        except subprocess.TimeoutExpired:
            return None, 30.0, [], None
        rows = len(np.load(out)) if ran.status == DONE else None
        return ran, time.monotonic() - started, [name for name in sorted(os.listdir(folder)) if name not in before], rows

    def check(self, one, ran, seconds, appeared, rows):
        self.assertIsNotNone(ran, "no answer")
        self.assertIn(ran.status, one.statuses, str(ran))
        self.assertLess(seconds, SECONDS, str(ran))
        errors = ran.error_lines()
        if ran.status == DONE:
            self.assertEqual(appeared, ["out.npy"], str(ran))
            self.assertEqual(errors, [], str(ran))
            if one.rows is not None:
                self.assertEqual(rows, one.rows, str(ran))
            if "warning" in one.says:
                self.assertIn("warning", ran.err, str(ran))
            return
        self.assertEqual(appeared, [], str(ran))
        self.assertEqual(len(errors), 1, str(ran))
        line = errors[0]
        self.assertIn(one.main_file, line, str(ran))
        self.assertLess(len(line), 1000, str(ran)[:3000])
        for text in one.says:
            self.assertIn(text, line, str(ran))
        if one.placed:
            self.assertRegex(line.split(one.main_file, 1)[1], PLACE, str(ran))

    def test_every_defect(self):
        names = [one.name for one in CASES]
        self.assertEqual(len(set(names)), len(names), "two cases have the same name")
        self.assertGreater(len(names), 200)
        results = in_parallel(lambda pair: self.run_case(*pair), list(enumerate(CASES)))
        for one, result in zip(CASES, results):
            with self.subTest(one.name):
                self.check(one, *result)
        slowest, name = max((seconds, one.name) for one, (_, seconds, _, _) in zip(CASES, results))
        print(f"{len(CASES)} defects, slowest {slowest:.2f} s ({name})", file=sys.stderr)

    def test_files_that_are_only_written(self):
        """Files that the program writes but cannot read get their own message, by name or first bytes, not one about broken JSON."""
        source = os.path.join(ROOT, "samples", "gltf", "simple_skin.gltf")
        for extension, name in (("off", "OFF"), ("ply", "PLY"), ("obj", "OBJ"), ("npy", "NumPy")):
            path = self.path(f"a.{extension}")
            self.succeeds("deform", source, "-o", path)
            says = [f"Sinew writes {name} but does not read it", ".gltf", ".g4tf", "SINEW_UNKNOWN_FORMAT"]
            self.fails(INPUT, "info", path, says=says)
            self.assertEqual(json.loads(sinew("validate", path, "--format", "json").out)["modelIssues"]["messages"][0]["code"], "SINEW_UNKNOWN_FORMAT")
            if extension != "obj":  # OBJ files can begin with anything
                shutil.copy(path, self.path("named.gltf"))
                self.fails(INPUT, "info", self.path("named.gltf"), says=says)
        self.fails(INPUT, "info", self.write("a.fbx", b"Kaydara FBX Binary  \0"), says=["neither glTF nor G4MF", ".glb"])
        self.fails(INPUT, "info", self.write("a.gltf", "Kaydara"), says=["INVALID_JSON"])

    def test_info_survives_every_defect(self):
        """`info` reports what it can: never a crash, and one error line otherwise."""

        def run(pair):
            number, one = pair
            folder = self.path(f"info{number}", "in")
            os.makedirs(folder)
            for name, content in one.files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(content)
            return sinew("info", os.path.join(folder, one.main_file), "--json", timeout=30)

        results = in_parallel(run, list(enumerate(CASES)))
        for one, ran in zip(CASES, results):
            with self.subTest(one.name):
                self.assertIn(ran.status, (DONE, INPUT, UNSUPPORTED), str(ran))
                self.assertEqual(len(ran.error_lines()), 0 if ran.status == DONE else 1, str(ran))
                if ran.status == DONE:
                    self.assertIn("instances", json.loads(ran.out))


if __name__ == "__main__":
    main()
