# SPDX-License-Identifier: MIT
from typing import Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ._core import Model, Pose, Renderer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._core import _Cuts, _Name


def render(model: Model, pose: Optional[Pose] = None, *, size: Tuple[int, int] = (800, 600), camera: Optional[Tuple[float, float]] = None,
           background: Optional[Sequence[int]] = None, edges: bool = False, bones: bool = False, weights: "Optional[_Name]" = None,
           at: "Optional[_Cuts]" = None, orthographic: bool = False, scene: Optional[int] = None, threads: int = 0) -> npt.NDArray[np.uint8]:
    """Draws a model: uint8 (height, width, 4), rows from the top, channels red, green, blue and opacity, sRGB.

    pose: None uses the pose stored in the file. See Renderer for the other arguments; a Renderer is faster for several pictures.
    """
    return Renderer(model, size=size, camera=camera, background=background, edges=edges, bones=bones, weights=weights, at=at,
                    orthographic=orthographic, scene=scene, threads=threads).draw(pose)
