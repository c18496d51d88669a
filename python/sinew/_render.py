# SPDX-License-Identifier: MIT
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._core import Model, Pose, Renderer


def render(model: Model, pose: Optional[Pose] = None, **options: Any) -> npt.NDArray[np.uint8]:
    """A picture of a model: uint8 (height, width, 4), rows from the top; red, green, blue, opacity; sRGB.

    pose None: the file's own. options: size, camera, background, edges, bones, weights, at, orthographic, scene, threads, as Renderer
    has them, which is faster for more than one picture.
    """
    return Renderer(model, **options).draw(pose)
