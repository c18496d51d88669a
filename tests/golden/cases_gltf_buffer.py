# SPDX-License-Identifier: MIT
"""Golden pairs of glTF buffers and buffer views."""
from bases_gltf import triangle
from golden import case


def second_buffer(uri="data:application/octet-stream;base64,AAAAAA=="):
    def base():
        file = triangle()
        file.json["buffers"].append({"byteLength": 4, "uri": uri})
        return file

    return base


def strided():
    """The positions, 16 bytes apart."""
    file = triangle()
    positions = b"".join(bytes(file.blob[12 * i : 12 * i + 12]) + bytes(4) for i in range(3))
    file.json["bufferViews"][0] = {"buffer": 0, "byteOffset": file.append(positions), "byteLength": 48, "byteStride": 16, "target": 34962}
    return file


def spare_view(stride):
    file = strided()
    file.json["bufferViews"].append({"buffer": 0, "byteLength": 4, "byteStride": stride})
    return file


@case("BUFFER_BYTE_LENGTH_MISMATCH", "gltf/buffer/byte_length", at="/buffers/0", base=triangle)
def _(file):
    file.json["buffers"][0]["byteLength"] = 45


@case("BUFFER_DATA_URI_MIME_TYPE_INVALID", "gltf/buffer/media_type", at="/buffers/1/uri", base=second_buffer())
def _(file):
    file.json["buffers"][1]["uri"] = "data:text/plain;base64,AAAAAA=="


@case("INVALID_URI", "gltf/buffer/base64", at="/buffers/1/uri", base=second_buffer())
def _(file):
    file.json["buffers"][1]["uri"] = "data:application/octet-stream;base64,AAA*AA=="


@case("NON_RELATIVE_URI", "gltf/buffer/non_relative_uri", at="/buffers/1/uri", base=second_buffer())
def _(file):
    file.json["buffers"][1]["uri"] = "https://example.com/data.bin"


@case("IO_ERROR", "gltf/buffer/missing_file", at="/buffers/1/uri", base=second_buffer())
def _(file):
    file.json["buffers"][1]["uri"] = "missing.bin"


@case("SINEW_URI_REFUSED", "gltf/buffer/outside", at="/buffers/1/uri", base=second_buffer())
def _(file):
    file.json["buffers"][1]["uri"] = "../outside.bin"


@case("GLTF_BUFFER_WITHOUT_DATA", "gltf/buffer/no_data", at="/buffers/1", base=second_buffer())
def _(file):
    del file.json["buffers"][1]["uri"]


@case("BUFFER_VIEW_TOO_LONG", "gltf/buffer/view_too_long", at="/bufferViews/1/byteLength", base=triangle)
def _(file):
    file.json["bufferViews"][1]["byteLength"] = 9


@case("BUFFER_VIEW_TOO_LONG", "gltf/buffer/view_behind_the_end", at="/bufferViews/1/byteOffset", base=triangle)
def _(file):
    file.json["bufferViews"][1]["byteOffset"] = 44


@case("BUFFER_VIEW_TOO_LONG", "gltf/buffer/view_at_the_end", at="/bufferViews/2/byteOffset", base=lambda: spare_view(4), also=("VALUE_NOT_IN_RANGE",))
def _(file):
    file.json["bufferViews"][2] = {"buffer": 0, "byteLength": 0, "byteOffset": file.json["buffers"][0]["byteLength"]}


@case("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", "gltf/buffer/stride_too_big", at="/bufferViews/2/byteStride", base=lambda: spare_view(4))
def _(file):
    file.json["bufferViews"][2]["byteStride"] = 8


@case("BUFFER_VIEW_INVALID_BYTE_STRIDE", "gltf/buffer/stride_of_indices", at="/bufferViews/2/byteStride", base=lambda: spare_view(4))
def _(file):
    file.json["bufferViews"][2]["target"] = 34963


@case("VALUE_MULTIPLE_OF", "gltf/buffer/stride_multiple", at="/bufferViews/2/byteStride", base=lambda: spare_view(4))
def _(file):
    file.json["bufferViews"][2].update(byteStride=6, byteLength=8)


@case("VALUE_NOT_IN_RANGE", "gltf/buffer/empty", at="/buffers/1/byteLength", base=second_buffer())
def _(file):
    file.json["buffers"][1]["byteLength"] = 0


@case("VALUE_NOT_IN_LIST", "gltf/buffer/target", at="/bufferViews/0/target", base=triangle)
def _(file):
    file.json["bufferViews"][0]["target"] = 34961


@case("BUFFER_VIEW_TARGET_MISSING", "gltf/buffer/target_missing", at="/meshes/0/primitives/0/indices", base=triangle)
def _(file):
    del file.json["bufferViews"][1]["target"]


@case("BUFFER_VIEW_TARGET_OVERRIDE", "gltf/buffer/target_override", at="/meshes/0/primitives/0/indices", base=triangle)
def _(file):
    file.json["bufferViews"][1]["target"] = 34962
