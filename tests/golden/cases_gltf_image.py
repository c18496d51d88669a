# SPDX-License-Identifier: MIT
"""Golden pairs of glTF images and textures."""
import struct

from bases_visual import chunk, png, seen, uri, webp
from golden import case

IMAGE = "/images/0"


def image(file):
    return file.json["images"][0]


def in_view(data, **view):
    """Puts the data into a buffer view of the image."""

    def edit(file):
        file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(data), "byteLength": len(data), **view})
        file.json["images"][0] = {"bufferView": len(file.json["bufferViews"]) - 1, "mimeType": "image/png"}

    return edit


@case("ONE_OF_MISMATCH", "gltf/image/no_data", at=IMAGE, base=seen)
def _(file):
    del image(file)["uri"]


@case("UNSATISFIED_DEPENDENCY", "gltf/image/no_mime_type", at=IMAGE + "/bufferView", base=seen, good=in_view(png()))
def _(file):
    in_view(png())(file)
    del image(file)["mimeType"]


@case("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", "gltf/image/stride", at=IMAGE + "/bufferView", base=seen, good=in_view(png()))
def _(file):
    in_view(png(), byteStride=4)(file)


@case("IMAGE_DATA_INVALID", "gltf/image/invalid", at=IMAGE, base=seen)
def _(file):
    data = png().replace(struct.pack(">I", 13) + b"IHDR", struct.pack(">I", 12) + b"IHDR")
    image(file)["uri"] = uri(data)


@case("IMAGE_FEATURES_UNSUPPORTED", "gltf/image/colour_profile", at=IMAGE, base=seen)
def _(file):
    image(file)["uri"] = uri(png(extra=chunk(b"iCCP", b"profile")))


@case("IMAGE_MIME_TYPE_INVALID", "gltf/image/wrong_mime_type", at=IMAGE + "/uri", base=seen, also=["TEXTURE_INVALID_IMAGE_MIME_TYPE"])
def _(file):
    image(file)["mimeType"] = "image/jpeg"


@case("IMAGE_NON_ENABLED_MIME_TYPE", "gltf/image/not_enabled", at=IMAGE, base=seen, also=["TEXTURE_INVALID_IMAGE_MIME_TYPE"])
def _(file):
    image(file)["uri"] = uri(webp(), "image/webp")


@case("IMAGE_NPOT_DIMENSIONS", "gltf/image/no_power_of_two", at=IMAGE, base=seen)
def _(file):
    image(file)["uri"] = uri(png(3, 2))


@case("IMAGE_UNEXPECTED_EOS", "gltf/image/truncated", at=IMAGE, base=seen)
def _(file):
    image(file)["uri"] = uri(png()[:30])


@case("IMAGE_UNRECOGNIZED_FORMAT", "gltf/image/unknown_format", at=IMAGE, base=seen, good=in_view(png()))
def _(file):
    in_view(b"GIF89a" + b"\0" * 12)(file)


@case("INVALID_URI", "gltf/image/wrong_media_type", at=IMAGE + "/uri", base=seen)
def _(file):
    image(file)["uri"] = uri(png(), "image/jpeg")


def with_webp(file):
    file.json["extensionsUsed"] = ["EXT_texture_webp"]
    file.json["images"].append({"uri": uri(webp(), "image/webp")})
    file.json["textures"][0]["extensions"] = {"EXT_texture_webp": {"source": 1}}


@case("TEXTURE_INVALID_IMAGE_MIME_TYPE", "gltf/texture/source_type", at="/textures/0/source", base=seen, good=with_webp)
def _(file):
    with_webp(file)
    file.json["textures"][0]["source"] = 1


@case(
    "TEXTURE_INVALID_IMAGE_MIME_TYPE",
    "gltf/texture/webp_source_type",
    at="/textures/0/extensions/EXT_texture_webp/source",
    base=seen,
    good=with_webp,
)
def _(file):
    with_webp(file)
    file.json["textures"][0]["extensions"]["EXT_texture_webp"]["source"] = 0


@case("VALUE_NOT_IN_LIST", "gltf/sampler/unknown_filter", at="/samplers/0/magFilter", base=seen)
def _(file):
    file.json["samplers"] = [{"magFilter": 9984}]
    file.json["textures"][0]["sampler"] = 0
