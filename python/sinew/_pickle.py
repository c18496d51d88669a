# SPDX-License-Identifier: MIT
import os
from typing import Optional

from ._core import Model, load_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._core import _Revision


def restore(data: bytes, name: "os.PathLike[str]", force: bool, revision: "Optional[_Revision]", allow_outside: bool,
            max_memory: int) -> Model:
    """Makes a pickled model of the bytes of its file."""
    return load_memory(data, name=name, force=force, revision=revision, allow_outside=allow_outside, max_memory=max_memory)
