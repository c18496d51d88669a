# SPDX-License-Identifier: MIT
"""Golden pairs: for every finding a file that has it and one that has not.

The modules cases_*.py of this folder describe the pairs; make.py writes them to <format>/<noun>/<defect>.bad.<ext> and .good.<ext>,
and test_golden.py holds the program against them.

    @case("ACCESSOR_TOO_LONG", "gltf/accessor/too_long", at="/accessors/0", base=triangle)
    def _(file):
        file.json["accessors"][0]["count"] = 99

`file` is a fresh copy of the base, which is also the good file unless `good` names a function that edits another copy. `at` is the JSON
pointer of the finding, or a byte offset (an int). `also` lists codes that the defect brings with it.
"""
import base64
import copy
import json
import struct
from dataclasses import dataclass, field
from typing import Callable, Optional, Union

AUTO = "auto"  # the URI of a buffer that the blob's data URI replaces


@dataclass
class File:
    """A model under construction: JSON, the bytes of its first buffer, and the container of the file."""

    json: dict
    blob: bytearray = field(default_factory=bytearray)
    container: str = "gltf"  # gltf, glb, g4tf, g4b: also the extension
    edit_text: Optional[Callable[[str], Union[str, bytes]]] = None  # applied to the JSON text
    edit_bytes: Optional[Callable[[bytearray], bytes]] = None  # applied to the finished file

    def copy(self):
        return copy.deepcopy(self)

    def append(self, data, alignment=4):
        """Adds bytes to the blob and returns their offset; the first buffer's byteLength follows."""
        self.blob += b"\0" * (-len(self.blob) % alignment)
        offset = len(self.blob)
        self.blob += data
        self.json["buffers"][0]["byteLength"] = len(self.blob)
        return offset

    def bytes(self):
        document = copy.deepcopy(self.json)
        for buffer in document.get("buffers", []) if isinstance(document, dict) else []:
            if isinstance(buffer, dict) and buffer.get("uri") == AUTO:
                buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(bytes(self.blob)).decode()
        text = json.dumps(document, indent=1, ensure_ascii=False)
        if self.edit_text:
            text = self.edit_text(text)
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        if self.container == "glb":
            data = self.glb(data)
        elif self.container == "g4b":
            data = self.g4b(data)
        elif not data.endswith(b"\n"):
            data += b"\n"
        return self.edit_bytes(bytearray(data)) if self.edit_bytes else bytes(data)

    def glb(self, text):
        text += b" " * (-len(text) % 4)
        blob = bytes(self.blob) + b"\0" * (-len(self.blob) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if blob:
            chunks += struct.pack("<I4s", len(blob), b"BIN\0") + blob
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def g4b(self, text):
        body = b""
        parts = [(b"JSON", text, b" ")] + ([(b"BLOB", bytes(self.blob), b"\0")] if self.blob else [])
        for i, (kind, data, padding) in enumerate(parts):
            body += kind + b"\0\0\0\0" + struct.pack("<Q", len(data)) + data
            if i + 1 < len(parts):
                body += padding * (-len(body) % 16)
        return b"G4MF" + struct.pack("<IQ", 0, 16 + len(body)) + body


@dataclass
class Case:
    code: str
    path: str
    at: Union[str, int]
    bad: File
    good: File
    also: tuple
    options: tuple  # for the program, in addition to the file


CASES = []


def case(code, path, at, base, good=None, also=(), options=()):
    """Registers the pair that the decorated function makes from `base` (a function without arguments that returns a File)."""

    def register(edit):
        bad, right = base().copy(), base().copy()
        edit(bad)
        if good:
            good(right)
        CASES.append(Case(code, path, at, bad, right, tuple(also), tuple(options)))
        return edit

    return register
