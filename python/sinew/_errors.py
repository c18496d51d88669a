# SPDX-License-Identifier: MIT
"""What the functions of sinew raise."""
from typing import Optional


class Error(Exception):
    """Why a call did not deliver: one failure, with its place.

    code: a name of the findings catalogue (docs/findings.md); message: one line, what was found and what was expected;
    file: as the caller named it, or None; pointer: a JSON pointer into the file's JSON, or None; offset: bytes from the start of the
    file, or None.
    """

    def __init__(self, message: str, code: str = "", file: Optional[str] = None, pointer: Optional[str] = None,
                 offset: Optional[int] = None) -> None:
        super().__init__(message, code, file, pointer, offset)
        self.message = message
        self.code = code
        self.file = file
        self.pointer = pointer
        self.offset = offset

    def __str__(self) -> str:
        place = self.pointer if self.offset is None else f"byte {self.offset}"
        parts = [part for part in (self.file, place, self.message) if part]
        return ": ".join(parts) + (f" [{self.code}]" if self.code else "")


class UsageError(Error, ValueError):
    """What was asked for makes no sense for this model: an unknown animation, an ambiguous name, an array of the wrong shape."""


class InputError(Error):
    """A file is missing, broken or refused."""


class LimitError(Error):
    """A limit or memory ran out; the message names the limit."""


class OutputError(Error):
    """The result could not be written; nothing was left behind."""


class UnsupportedError(Error):
    """The file is fine, sinew cannot do it: a required extension, a dimension that the format does not have."""
