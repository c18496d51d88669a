# SPDX-License-Identifier: MIT
"""Load, pose, deform, draw, check and convert rigged meshes in any dimension. See docs/python.md for examples.

Units are metres, seconds and radians. Arrays are numpy arrays: float32 for vertices, float64 for transforms. Functions that work on
a whole file or mesh release Python's global lock. Failures raise sinew.Error or a subclass.
"""
from ._core import (Bounds, Clip, ClipBounds, ComparedInstance, ComparedPart, Comparison, Deformer, Edited, EveryPose, Finding,
                   FlexFinding, FlexReport, Instance, InstanceBounds, JointBounds, Material, Mesh, Model, Node, Player, Pose, Renderer, Report, Scene, Skeleton,
                   Skin, __version__, compare, convert, explain, flex, load, load_memory, merge, optimize, rebind, repair, retarget,
                   validate, validate_many)
from ._errors import CancelledError, DeadlineError, Error, InputError, LimitError, OutputError, UnsupportedError, UsageError
from ._info import info
from ._render import render

__all__ = [
    "Bounds", "CancelledError", "Clip", "ClipBounds", "ComparedInstance", "ComparedPart", "Comparison", "DeadlineError", "Deformer", "Edited", "Error", "EveryPose",
    "Finding", "FlexFinding", "FlexReport", "InputError", "Instance", "InstanceBounds", "JointBounds", "LimitError", "Material", "Mesh", "Model", "Node",
    "OutputError", "Player", "Pose", "Renderer", "Report", "Scene", "Skeleton", "Skin", "UnsupportedError", "UsageError", "__version__",
    "compare", "convert", "explain", "flex", "info", "load", "load_memory", "merge", "optimize", "rebind", "render", "repair",
    "retarget",
    "validate", "validate_many",
]
