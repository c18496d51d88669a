# SPDX-License-Identifier: MIT
"""Exceptions of sinew."""
from typing import Optional


class Error(Exception):
    """A failed call: what went wrong, and where.

    code: the code of the finding (docs/findings.md). message: one line with what was found and what was expected. file: the path as the
    caller passed it, or None. pointer: a JSON pointer into the file, or None. offset: bytes from the start of the file, or None.
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
    """An argument does not fit the model: an unknown animation, an ambiguous name, an array of the wrong shape."""


class InputError(Error):
    """A file is missing, broken or not allowed."""


class LimitError(Error):
    """A limit was exceeded, or memory ran out; the message names the limit."""


class DeadlineError(LimitError):
    """The time of the call is over."""


class CancelledError(LimitError):
    """Something asked the call to stop."""


class OutputError(Error):
    """The result could not be written; no partial file remains."""


class UnsupportedError(Error):
    """The file is valid but needs an unsupported feature: a required extension, or a dimension that the output format lacks."""
