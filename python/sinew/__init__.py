# SPDX-License-Identifier: MIT
"""Rigged, deformable meshes in any dimension: load, pose, deform, draw, check, convert. docs/python.md begins with an example.

Units are metres, seconds and radians; arrays are numpy's, float32 for vertices, float64 for transforms. Everything that works on a
whole file or mesh releases Python's lock. Failures raise sinew.Error or one of its classes.
"""
from ._core import (Clip, ComparedInstance, ComparedPart, Comparison, Deformer, Edited, Finding, Instance, Material, Mesh, Model, Node,
                    Pose, Renderer, Report, Scene, Skeleton, Skin, __version__, compare, convert, explain, load, load_memory, merge, rebind, repair, validate,
                    validate_many)
from ._errors import Error, InputError, LimitError, OutputError, UnsupportedError, UsageError
from ._info import info
from ._render import render

__all__ = [
    "Clip", "ComparedInstance", "ComparedPart", "Comparison", "Deformer", "Edited", "Error", "Finding", "InputError", "Instance",
    "LimitError", "Material", "Mesh", "Model", "Node", "OutputError", "Pose", "Renderer", "Report", "Scene", "Skeleton", "Skin", "UnsupportedError",
    "UsageError", "__version__", "compare", "convert", "explain", "info", "load", "load_memory", "merge", "rebind", "render", "repair", "validate", "validate_many",
]
