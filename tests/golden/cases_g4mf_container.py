# SPDX-License-Identifier: MIT
"""Golden pairs of G4MF containers, JSON text, buffers, buffer views and accessors."""
import json
import struct

from bases_g4mf import add, add_view, binary, both, bound, bound_binary, data, drop, empty, old, old_binary, pair, put, tetrahedron


def patch(at, new):
    def edit(file):
        file.edit_bytes = lambda whole: bytes(whole[:at]) + new + bytes(whole[at + len(new):])

    return edit


def chunks(change):
    """Changes the list of chunks: [type, compression, data, padding byte or None]."""

    def edit(file):
        def rewrite(whole):
            found, at = [], 16
            while at < len(whole):
                size = struct.unpack_from("<Q", whole, at + 8)[0]
                found.append([bytes(whole[at:at + 4]), bytes(whole[at + 4:at + 8]), bytes(whole[at + 16:at + 16 + size])])
                at = (at + 16 + size + 15) // 16 * 16
            found = change(found)
            body = b""
            for i, (kind, compression, content) in enumerate(found):
                body += kind + compression + struct.pack("<Q", len(content)) + content
                if i + 1 < len(found):
                    body += (b" " if kind == b"JSON" and compression == b"\0" * 4 else b"\0") * (-len(body) % 16)
            return b"G4MF" + struct.pack("<IQ", 0, 16 + len(body)) + body

        file.edit_bytes = rewrite

    return edit


def chunk_offset(base, edit, index):
    """Where a chunk's header is after an edit."""
    file = base()
    edit(file)
    whole, at = file.bytes(), 16
    for _ in range(index):
        at = (at + 16 + struct.unpack_from("<Q", whole, at + 8)[0] + 15) // 16 * 16
    return at


def small():
    """A binary file without buffers."""
    file = empty()
    file.container = "g4b"
    return file


def zstd(content):
    """A Zstandard frame of one raw block."""
    size = len(content)
    header = b"\x28\xB5\x2F\xFD" + (b"\x20" + bytes([size]) if size < 256 else b"\x60" + struct.pack("<H", size - 256))
    return header + struct.pack("<I", size << 3 | 1)[:3] + content


def compressed(text="g4tf", name="compression", base=tetrahedron):
    """A base whose buffer is compressed."""

    def make():
        file = base()
        raw = bytes(file.blob)
        file.json["buffers"][0] |= {"byteLength": len(raw), name: "Zstd"}
        file.blob = bytearray(zstd(raw))
        return file

    return make


def with_chunk(kind=None, compression=None, content=None, index=1):
    def change(found):
        chunk = found[index]
        if kind is not None:
            chunk[0] = kind
        if compression is not None:
            chunk[1] = compression
        if content is not None:
            chunk[2] = content(chunk[2]) if callable(content) else content
        return found

    return chunks(change)


def extra_chunk(kind, content=b"more", index=None, compression=b"\0" * 4):
    return chunks(lambda found: (found.insert(len(found) if index is None else index, [kind, compression, content]), found)[1])


def cut(count):
    def edit(file):
        file.edit_bytes = lambda whole: bytes(whole[:count])

    return edit


def size_of(base):
    return len(base().bytes())


BLOB = chunk_offset(binary, lambda file: None, 1)
PADDING = 32 + len(json.dumps(binary().json, indent=1, ensure_ascii=False).encode())
assert PADDING % 16, "the JSON chunk needs padding"

pair("BIN_TOO_SMALL", "container/too_small", 20, small, cut(20))
pair("BIN_NO_CHUNK", "container/no_chunk", 16, small, cut(16), also=("BIN_TOO_SMALL",))
pair("BIN_MAGIC", "container/magic", 0, small, patch(0, b"G4MX"))
pair("BIN_VERSION", "container/version", 4, small, patch(4, b"\x07"))
pair("BIN_SIZE_MISMATCH", "container/size_mismatch", 8, small, patch(8, struct.pack("<Q", size_of(small) + 4)))
pair("BIN_SIZE_TOP_BIT", "container/size_top_bit", 8, small, patch(8, struct.pack("<Q", 1 << 63)))
pair("BIN_CHUNK_SIZE_TOP_BIT", "container/chunk_size_top_bit", 16, small, patch(24, struct.pack("<Q", 1 << 63)))


def truncated_header(file):
    file.edit_bytes = lambda whole: bytes(whole[:8]) + struct.pack("<Q", BLOB + 8) + bytes(whole[16:BLOB + 8])


def trailing(file):
    file.edit_bytes = lambda whole: bytes(whole) + b"end"


def shifted(file):
    file.edit_bytes = lambda whole: (bytes(whole[:8]) + struct.pack("<Q", len(whole) - BLOB + PADDING) + bytes(whole[16:PADDING])
                                     + bytes(whole[BLOB:]))


pair("BIN_TRUNCATED_CHUNK_HEADER", "container/truncated_chunk_header", BLOB, binary, truncated_header, also=("BIN_BUFFER_CHUNK_MISSING",))
pair("BIN_CHUNK_TOO_LONG", "container/chunk_too_long", BLOB, binary,
     patch(BLOB + 8, struct.pack("<Q", len(binary().blob) + 100)))
pair("BIN_CHUNK_UNALIGNED", "container/chunk_unaligned", PADDING, binary, shifted)
pair("BIN_TRAILING_BYTES", "container/trailing_bytes", size_of(binary), binary, trailing, also=("BIN_SIZE_MISMATCH",))
pair("BIN_PADDING_NOT_SPACE", "container/padding_not_space", PADDING, binary, patch(PADDING, b"\0"))


def blob_padding(file):
    """A third chunk, so that the second one has padding."""
    extra_chunk(b"BLOB", b"more")(file)
    before, place = file.edit_bytes, BLOB + 16 + len(file.blob)
    file.edit_bytes = lambda whole: (lambda done: done[:place] + b"x" + done[place + 1:])(before(whole))


def odd_blob():
    file = binary()
    file.blob += b"\0"
    return file


assert len(odd_blob().blob) % 16 != 0
pair("BIN_PADDING_NOT_ZERO", "container/padding_not_zero", BLOB + 16 + len(odd_blob().blob), odd_blob, blob_padding)
pair("BIN_FIRST_CHUNK_NOT_JSON", "container/first_chunk_not_json", 16, small, extra_chunk(b"NOTE", b"hello", 0))
pair("BIN_NO_JSON_CHUNK", "container/no_json_chunk", 16, small, patch(16, b"JSOM"))
pair("BIN_UNKNOWN_CHUNK_TYPE", "container/unknown_chunk_type", chunk_offset(small, extra_chunk(b"NOTE"), 1), small, extra_chunk(b"NOTE"))
pair("BIN_CHUNK_TYPE_NOT_PRINTABLE", "container/chunk_type_not_printable", chunk_offset(small, extra_chunk(b"\1\2\3\4"), 1), small,
     extra_chunk(b"\1\2\3\4"), good=extra_chunk(b"NOTE"))
pair("BIN_COMPRESSION_RESERVED", "container/compression_reserved", chunk_offset(small, extra_chunk(b"NOTE"), 1), small,
     extra_chunk(b"NOTE", compression=b"\xFF" * 4))
pair("BIN_COMPRESSION_UNSUPPORTED", "container/compression_unsupported", chunk_offset(small, extra_chunk(b"NOTE"), 1), small,
     extra_chunk(b"NOTE", compression=b"Brot"))
pair("BIN_COMPRESSION_NOT_PRINTABLE", "container/compression_not_printable", chunk_offset(small, extra_chunk(b"NOTE"), 1), small,
     extra_chunk(b"NOTE", compression=b"\1\2\3\4"), also=("BIN_COMPRESSION_UNSUPPORTED",))
pair("BIN_ZSTD_NO_FRAME_MAGIC", "container/zstd_no_frame_magic", chunk_offset(small, extra_chunk(b"NOTE"), 1), small,
     extra_chunk(b"NOTE", b"plain", compression=b"Zstd"), good=extra_chunk(b"NOTE", zstd(b"plain"), compression=b"Zstd"))
pair("BIN_ZSTD_INVALID", "container/zstd_invalid", 16, small,
     with_chunk(compression=b"Zstd", content=lambda text: zstd(text)[:-3], index=0),
     good=with_chunk(compression=b"Zstd", content=zstd, index=0))
pair("BIN_JSON_CHUNK_COMPRESSED", "container/json_chunk_compressed", 16, small, with_chunk(compression=b"Zstd", content=zstd, index=0))
pair("BIN_BUFFER_CHUNK_MISSING", "container/buffer_chunk_missing", "/buffers/0", binary, chunks(lambda found: found[:1]))
pair("BIN_BUFFER_CHUNK_NOT_BLOB", "container/buffer_chunk_not_blob", "/buffers/0", binary, with_chunk(kind=b"DATA"))


def second_buffer(file):
    file.json["buffers"].append({"byteLength": 4})
    extra_chunk(b"BLOB", b"more")(file)


def uri_first(file):
    file.json["buffers"] = [{"byteLength": 3, "uri": "data:application/octet-stream;base64,AAAA"}, {"byteLength": 4}]
    extra_chunk(b"BLOB", b"more")(file)


def two_plain(file):
    file.json["buffers"] = [{"byteLength": 4}, {"byteLength": 3, "uri": "data:application/octet-stream;base64,AAAA"}]
    extra_chunk(b"BLOB", b"more")(file)


def uri_and_chunk(file):
    two_plain(file)
    file.json["buffers"][0]["uri"] = "data:application/octet-stream;base64,AAAAAA=="


pair("BIN_BUFFER_CHUNKS_NOT_CONTIGUOUS", "container/buffer_chunks_not_contiguous", "/buffers/1", small, uri_first, good=two_plain,
     also=("BIN_BUFFER_CHUNK_MISSING", "BUFFER_URI_WITH_CHUNK"))
pair("BIN_CUSTOM_CHUNK_BEFORE_BUFFERS", "container/custom_chunk_before_buffers", BLOB, binary, extra_chunk(b"NOTE", b"hello", 1),
     also=("BUFFER_TOO_SHORT", "BUFFER_VIEW_TOO_LONG"))
pair("BIN_BLOB_UNUSED", "container/blob_unused", chunk_offset(small, extra_chunk(b"BLOB"), 1), small, extra_chunk(b"BLOB"))
pair("BIN_COMPRESSION_MISMATCH", "container/compression_mismatch", "/buffers/0", binary, with_chunk(compression=b"Zstd", content=zstd),
     good=both(put("/buffers/0/compression", "Zstd"), with_chunk(compression=b"Zstd", content=zstd)))
pair("BIN_ENCODING_MISMATCH", "container/encoding_mismatch", "/buffers/0", bound_binary, with_chunk(compression=b"Zstd", content=zstd),
     good=both(put("/buffers/0/encoding", "Zstd"), with_chunk(compression=b"Zstd", content=zstd)))


def with_files(file):
    """Marks a file as one of 2026-07."""
    file.json["files"] = [{"uri": "volume.png", "mimeType": "image/png"}]
    return file


def node_with(**properties):
    file = empty()
    file.json["nodes"][0].update(properties)
    return file


def text(change):
    def edit(file):
        file.edit_text = change

    return edit


C1 = text(lambda words: words.replace('"Golden 1"', '"Golden\u0085 1"'))
pair("JSON_INVALID", "json/invalid", "", empty, text(lambda words: words.rstrip("}\n ") + "]"))
pair("JSON_BOM", "json/bom", "", empty, text(lambda words: "\ufeff" + words))
pair("JSON_NOT_UTF8", "json/not_utf8", "", empty, text(lambda words: words.encode().replace(b"Golden 1", b"Golden \xE9 1")))
pair("JSON_CONTROL_CHARACTER", "json/carriage_return", 1, empty, text(lambda words: words.replace("\n", "\r\n")))
pair("JSON_C1_CONTROL_CHARACTER", "json/c1_control_character", 54, lambda: with_files(empty("2026-07")), C1)
pair("JSON_C1_CONTROL_CHARACTER_OLD", "json/c1_control_character_old", 54, empty, C1)
pair("JSON_DUPLICATE_KEY", "json/duplicate_key", "/asset/dimension", empty,
     text(lambda words: words.replace('"dimension": 4,', '"dimension": 4, "dimension": 4,')))
pair("JSON_TYPE_MISMATCH", "json/type_mismatch", "/asset/generator", empty, put("/asset/generator", 5))
pair("JSON_UNKNOWN_PROPERTY", "json/unknown_property", "/nodes/0/colour", empty, put("/nodes/0/colour", "red"))
pair("JSON_OLD_PROPERTY", "json/old_property", "/accessors/0/primitiveType", tetrahedron,
     lambda file: file.json["accessors"][0].update(primitiveType=file.json["accessors"][0].pop("componentType")))
pair("JSON_MIXED_REVISIONS", "json/mixed_revisions", "", tetrahedron,
     lambda file: file.json["accessors"][0].update(primitiveType=file.json["accessors"][0].pop("componentType")))
pair("REQUIRED_PROPERTY_MISSING", "json/required_property_missing", "/nodes/0/light", lambda: node_with(light={"type": "point"}),
     drop("/nodes/0/light/type"))


pair("BUFFER_BYTE_LENGTH_MISSING", "buffer/byte_length_missing", "/buffers/1", tetrahedron,
     lambda file: file.json["buffers"].append({"uri": "data:application/octet-stream;base64,"}))
pair("BUFFER_BYTE_LENGTH_NEGATIVE", "buffer/byte_length_negative", "/buffers/1/byteLength", tetrahedron,
     lambda file: file.json["buffers"].append({"uri": "data:application/octet-stream;base64,", "byteLength": -1}))
pair("BUFFER_TOO_SHORT", "buffer/too_short", "/buffers/0", tetrahedron,
     lambda file: file.json["buffers"][0].update(byteLength=len(file.blob) + 8))
pair("BUFFER_TOO_LONG", "buffer/too_long", "/buffers/0", tetrahedron, lambda file: file.blob.extend(b"\0" * 20))
pair("BUFFER_NO_URI_TEXT", "buffer/no_uri_text", "/buffers/0", tetrahedron, drop("/buffers/0/uri"))
pair("BUFFER_URI_WITH_CHUNK", "buffer/uri_with_chunk", "/buffers/0/uri", small, uri_and_chunk, good=two_plain)
pair("BUFFER_CHUNK_AND_URI", "buffer/chunk_and_uri", "/buffers/0", bound_binary,
     lambda file: file.json["buffers"][0].update(uri="auto"))
pair("BUFFER_NO_SOURCE", "buffer/no_source", "/buffers/0", bound_binary, drop("/buffers/0/chunk"))
pair("BUFFER_CHUNK_IN_TEXT", "buffer/chunk_in_text", "/buffers/0/chunk", bound,
     lambda file: (file.json["buffers"][0].pop("uri"), file.json["buffers"][0].update(chunk=1)))
pair("BUFFER_CHUNK_RANGE", "buffer/chunk_range", "/buffers/0/chunk", bound_binary, put("/buffers/0/chunk", 2))
pair("BUFFER_DATA_URI_PREFIX", "buffer/data_uri_prefix", "/buffers/0/uri", tetrahedron,
     text(lambda words: words.replace("application/octet-stream", "application/gltf-buffer")))
pair("BUFFER_DATA_URI_BASE64", "buffer/data_uri_base64", "/buffers/0/uri", tetrahedron,
     text(lambda words: words.replace("base64,A", "base64,*")))
pair("BUFFER_DATA_URI_IN_BINARY", "buffer/data_uri_in_binary", "/buffers/1/uri", binary,
     lambda file: file.json["buffers"].append({"byteLength": 3, "uri": "data:application/octet-stream;base64,AAAA"}))
pair("BUFFER_URI_NOT_RELATIVE", "buffer/uri_not_relative", "/buffers/1/uri", old,
     lambda file: file.json["buffers"].append({"byteLength": 3, "uri": "https://example.com/data.bin"}), also=("BUFFER_URI_NOT_FOUND",))
pair("BUFFER_URI_NOT_FOUND", "buffer/uri_not_found", "/buffers/1/uri", tetrahedron,
     lambda file: file.json["buffers"].append({"byteLength": 3, "uri": "missing.bin"}))
pair("BUFFER_COMPRESSION_FORMAT", "buffer/compression_format", "/buffers/0/compression", compressed(), put("/buffers/0/compression", "Zst"))
pair("BUFFER_COMPRESSION_NOT_ESCAPED", "buffer/compression_not_escaped", "/buffers/0/compression", compressed(),
     put("/buffers/0/compression", "Zst\u00e9"), also=("BUFFER_COMPRESSION_UNSUPPORTED",))
pair("BUFFER_COMPRESSION_UNSUPPORTED", "buffer/compression_unsupported", "/buffers/0/compression", compressed(),
     put("/buffers/0/compression", "Brot"))
pair("BUFFER_COMPRESSION_FOR_UNCOMPRESSED", "buffer/compression_for_uncompressed", "/buffers/0/compression", tetrahedron,
     put("/buffers/0/compression", "\0\0\0\0"))
new = compressed(name="encoding", base=bound)
pair("BUFFER_ENCODING_FORMAT", "buffer/encoding_format", "/buffers/0/encoding", new, put("/buffers/0/encoding", "Zst"))
pair("BUFFER_ENCODING_UNSUPPORTED", "buffer/encoding_unsupported", "/buffers/0/encoding", new, put("/buffers/0/encoding", "Brot"))
pair("BUFFER_ENCODING_FOR_PLAIN", "buffer/encoding_for_plain", "/buffers/0/encoding", bound, put("/buffers/0/encoding", "\0\0\0\0"))
pair("BUFFER_ENCODING_NOT_ASCII", "buffer/encoding_not_ascii", "/buffers/0/encoding", new,
     both(put("/buffers/0/encoding", "Zst@"), text(lambda words: words.replace("Zst@", "Zst\\u00e9"))), also=("BUFFER_ENCODING_UNSUPPORTED",))
pair("BUFFER_UNUSED", "buffer/unused", "/buffers/1", tetrahedron,
     lambda file: file.json["buffers"].append({"byteLength": 3, "uri": "data:application/octet-stream;base64,AAAA"}))

pair("BUFFER_VIEW_BYTE_LENGTH_MISSING", "view/byte_length_missing", "/bufferViews/0", tetrahedron, drop("/bufferViews/0/byteLength"))
pair("BUFFER_VIEW_BYTE_LENGTH_NEGATIVE", "view/byte_length_negative", "/bufferViews/0/byteLength", tetrahedron,
     put("/bufferViews/0/byteLength", -4))
pair("BUFFER_VIEW_BYTE_OFFSET_NEGATIVE", "view/byte_offset_negative", "/bufferViews/0/byteOffset", tetrahedron,
     put("/bufferViews/0/byteOffset", -4))
pair("BUFFER_VIEW_BUFFER_MISSING", "view/buffer_missing", "/bufferViews/0", old, drop("/bufferViews/0/buffer"))
pair("BUFFER_VIEW_BUFFER_RANGE", "view/buffer_range", "/bufferViews/0/buffer", tetrahedron, put("/bufferViews/0/buffer", 1))
pair("BUFFER_VIEW_TOO_LONG", "view/too_long", "/bufferViews/0/byteLength", tetrahedron,
     lambda file: file.json["bufferViews"][0].update(byteLength=len(file.blob) + 16))
pair("BUFFER_VIEW_SHARED_KINDS", "view/shared_kinds", "/bufferViews/0", tetrahedron,
     lambda file: file.json["accessors"].append({"bufferView": 0, "componentType": "uint8"}))
pair("BUFFER_VIEW_UNUSED", "view/unused", "/bufferViews/%d" % len(tetrahedron().json["bufferViews"]), tetrahedron, lambda file: add_view(file, b"abcd"))

pair("ACCESSOR_BUFFER_VIEW_MISSING", "accessor/buffer_view_missing", "/accessors/0", tetrahedron, drop("/accessors/0/bufferView"))
pair("ACCESSOR_BUFFER_VIEW_RANGE", "accessor/buffer_view_range", "/accessors/0/bufferView", tetrahedron, put("/accessors/0/bufferView", 99))
pair("ACCESSOR_COMPONENT_TYPE_MISSING", "accessor/component_type_missing", "/accessors/0", tetrahedron, drop("/accessors/0/componentType"))
pair("ACCESSOR_PRIMITIVE_TYPE_MISSING", "accessor/primitive_type_missing", "/accessors/0", old, drop("/accessors/0/primitiveType"))
pair("ACCESSOR_COMPONENT_TYPE_UNKNOWN", "accessor/component_type_unknown", "/accessors/0/componentType", tetrahedron,
     put("/accessors/0/componentType", "float24"))
pair("ACCESSOR_COMPONENT_TYPE_NOT_NUMERIC", "accessor/component_type_not_numeric", "/accessors/0/componentType", tetrahedron,
     put("/accessors/0/componentType", "colour"))
pair("ACCESSOR_VECTOR_SIZE_NOT_POSITIVE", "accessor/vector_size_not_positive", "/accessors/0/vectorSize", tetrahedron,
     put("/accessors/0/vectorSize", 0))
pair("ACCESSOR_LENGTH_NOT_MULTIPLE", "accessor/length_not_multiple", "/accessors/0", tetrahedron, put("/accessors/0/vectorSize", 5))


def unaligned(file):
    offset = file.append(b"\0" + bytes(16), 16)
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": offset + 1, "byteLength": 16})
    file.json["accessors"].append({"bufferView": len(file.json["bufferViews"]) - 1, "componentType": "float32"})


def plain_bytes(file):
    """A model whose bytes an accessor describes too."""
    file.json["models"] = [{"bufferView": add_view(file, b"glTF"), "mimeType": "model/gltf-binary"}]


def described(file):
    plain_bytes(file)
    file.json["accessors"].append({"bufferView": file.json["models"][0]["bufferView"], "componentType": "uint8"})


pair("ACCESSOR_OFFSET_UNALIGNED", "accessor/offset_unaligned", "/accessors/%d" % len(tetrahedron().json["accessors"]), tetrahedron, unaligned)
pair("ACCESSOR_PLAIN_BYTES", "accessor/plain_bytes", "/accessors/%d" % len(tetrahedron().json["accessors"]), tetrahedron, described,
     good=plain_bytes)
pair("ACCESSOR_NOT_FINITE", "accessor/not_finite", "/accessors/%d" % len(tetrahedron().json["accessors"]), tetrahedron,
     data("/meshes/0/surfaces/0/textureMap", "float32", (float("inf"),) + (0,) * 11, 3))
pair("ACCESSOR_PRECISION_LOST", "accessor/precision_lost", "/accessors/%d" % len(tetrahedron().json["accessors"]), tetrahedron,
     lambda file: add(file, "uint64", (1, (1 << 53) + 1)), good=lambda file: add(file, "uint64", (1, 1 << 53)))
pair("ACCESSOR_UNUSED", "accessor/unused", "/accessors/%d" % len(tetrahedron().json["accessors"]), tetrahedron,
     lambda file: add(file, "uint8", (1, 2)))
