# SPDX-License-Identifier: MIT
"""Golden pairs of glTF containers and their JSON text."""
import struct

from bases_gltf import glb_triangle, triangle
from golden import case


def json_end(data):
    """Returns the offset after the JSON chunk."""
    return 20 + struct.unpack_from("<I", data, 12)[0]


def put(data, at, value):
    struct.pack_into("<I", data, at, value)
    return bytes(data)


def with_chunk(data, kind, content, first=False):
    """The file with another chunk, its length corrected."""
    chunk = struct.pack("<I4s", len(content), kind) + content
    data = data[:12] + chunk + data[12:] if first else data + chunk
    return put(bytearray(data), 8, len(data))


def edited(edit):
    def apply(file):
        file.edit_bytes = edit

    return apply


def bytes_case(code, defect, at, also=(), base=glb_triangle):
    """Registers a pair whose bad file is an edit of the finished good file."""

    def register(edit):
        case(code, f"gltf/container/{defect}", at=at, base=base, also=also)(edited(edit))
        return edit

    return register


def sized_glb():
    """JSON of a length that makes offsets recognisable: 1000 bytes."""
    file = glb_triangle()
    file.edit_text = lambda text: text.ljust(1000)
    return file


def no_data():
    file = sized_glb()
    file.json = {"asset": {"version": "2.0"}}
    file.blob = bytearray()
    return file


@bytes_case("GLB_INVALID_MAGIC", "magic", at=0)
def _(data):
    return b"glTG" + data[4:]


@bytes_case("GLB_INVALID_VERSION", "version", at=4)
def _(data):
    return put(data, 4, 1)


@bytes_case("GLB_LENGTH_TOO_SMALL", "length_too_small", at=8)
def _(data):
    return put(data, 8, 12)[:12]


@bytes_case("GLB_LENGTH_MISMATCH", "length_mismatch", at=1072, base=sized_glb)
def _(data):
    return put(data, 8, len(data) + 4)


@bytes_case("GLB_UNEXPECTED_END_OF_HEADER", "end_in_header", at=8)
def _(data):
    return bytes(data[:8])


@bytes_case("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", "end_in_chunk_header", at=1024, base=sized_glb)
def _(data):
    return bytes(data[:1024])


@bytes_case("GLB_UNEXPECTED_END_OF_CHUNK_DATA", "end_in_chunk_data", at=1040, base=sized_glb)
def _(data):
    return bytes(data[:1040])


@bytes_case("GLB_CHUNK_LENGTH_UNALIGNED", "chunk_unaligned", at=1020, base=sized_glb, also=["BUFFER_BYTE_LENGTH_MISMATCH"])
def _(data):
    return put(bytearray(put(data, 1020, 43)[:-1]), 8, len(data) - 1)


@bytes_case("GLB_CHUNK_TOO_BIG", "chunk_too_big", at=1020, also=["GLB_LENGTH_MISMATCH"], base=sized_glb)
def _(data):
    return put(data, 8, len(data) - 4)


@bytes_case("GLB_EMPTY_CHUNK", "empty_json", at=12)
def _(data):
    return put(bytearray(put(data, 12, 0)[:20]), 8, 20)


@bytes_case("GLB_EMPTY_BIN_CHUNK", "empty_bin", at=1020, base=no_data)
def _(data):
    return with_chunk(data, b"BIN\0", b"")


@bytes_case("GLB_DUPLICATE_CHUNK", "second_bin", at=1072, base=sized_glb)
def _(data):
    return with_chunk(data, b"BIN\0", bytes(4))


@bytes_case("GLB_UNEXPECTED_FIRST_CHUNK", "bin_first", at=12)
def _(data):
    end = json_end(data)
    return bytes(data[:12] + data[end:] + data[12:end])


@bytes_case("GLB_UNEXPECTED_BIN_CHUNK", "bin_third", at=1032, base=sized_glb)
def _(data):
    chunk = struct.pack("<I4s", 4, b"NOTE") + bytes(4)
    return put(bytearray(data[:1020] + chunk + data[1020:]), 8, len(data) + 12)


@bytes_case("GLB_UNKNOWN_CHUNK_TYPE", "unknown_chunk", at=1072, base=sized_glb)
def _(data):
    return with_chunk(data, b"NOTE", bytes(4))


@bytes_case("GLB_EXTRA_DATA", "extra_data", at=1072, base=sized_glb)
def _(data):
    return bytes(data) + bytes(4)


@case("INVALID_JSON", "gltf/container/json_syntax", at="", base=triangle)
def _(file):
    file.edit_text = lambda text: text.replace('"scene": 0,', '"scene": 0')


@case("INVALID_JSON", "gltf/container/json_byte_order_mark", at="", base=triangle)
def _(file):
    file.edit_text = lambda text: "\ufeff" + text


@case("SINEW_JSON_DUPLICATE_KEY", "gltf/container/json_duplicate_key", at="/scene", base=triangle)
def _(file):
    file.edit_text = lambda text: text.replace('"scene": 0,', '"scene": 0, "scene": 0,')


@case("BUFFER_GLB_CHUNK_TOO_BIG", "gltf/container/bin_too_big", at="/buffers/0", base=glb_triangle)
def _(file):
    file.blob += bytes(4)


@case("BUFFER_MISSING_GLB_DATA", "gltf/container/bin_missing", at="/buffers/0", base=glb_triangle)
def _(file):
    file.blob = bytearray()


def external():
    file = glb_triangle()
    file.json["buffers"].append({"byteLength": 4})
    return file


@case("URI_GLB", "gltf/container/uri_in_glb", at="/buffers/1/uri", base=external, also=["IO_ERROR"])
def _(file):
    file.json["buffers"][1]["uri"] = "other.bin"


@case("DATA_URI_GLB", "gltf/container/data_uri_in_glb", at="/buffers/1/uri", base=external)
def _(file):
    file.json["buffers"][1]["uri"] = "data:application/octet-stream;base64,AAAAAA=="
