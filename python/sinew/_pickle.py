# SPDX-License-Identifier: MIT
"""What makes the objects of pickles."""
import os
from typing import Any, Dict, List, Literal, Optional, Union

from ._core import Deformer, FlexFinding, FlexReport, Model, Player, Pose, _known_model, _plain, _pose, _remember_model, load_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._core import _Revision


def model(key: str, data: bytes, name: "os.PathLike[str]", force: bool, revision: "Optional[_Revision]", allow_outside: bool,
          max_memory: int) -> Model:
    """Returns the pickled model itself if it exists in this process; otherwise reads the bytes of its file."""
    known = _known_model(key)
    if known is not None:
        return known
    made = load_memory(data, name=name, force=force, revision=revision, allow_outside=allow_outside, max_memory=max_memory)
    _remember_model(made, key)
    return made


def pose(of: Model, lengths: Any, numbers: Any) -> Pose:
    return _pose(of, lengths, numbers)


def deformer(of: Model, scene: Optional[int], normals: Union[bool, Literal["computed"]], tangents: bool, max_influences: int,
             kernel: str) -> Deformer:
    return Deformer(of, scene=scene, normals=normals, tangents=tangents, max_influences=max_influences, kernel=kernel)


def player(of: Model, clips: List[Dict[str, Any]], root: Optional[int]) -> Player:
    return Player(of, clips, root=root)


def entity(of: Model, kind: str, index: int) -> Any:
    """Returns a node, a mesh and so on."""
    return getattr(of, kind)[index]


def plain(kind: type, state: Any) -> Any:
    """Makes a result: a report, a comparison and so on."""
    return _plain(kind, state)


def flex_finding(of: FlexReport, index: int) -> FlexFinding:
    return of.findings[index]
