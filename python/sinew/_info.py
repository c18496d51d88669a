# SPDX-License-Identifier: MIT
import os
from typing import Any, Dict, Optional, Union

import numpy as np

from ._core import Model, load


def info(model: Union[Model, str, "os.PathLike[str]"], scene: Optional[int] = None) -> Dict[str, Any]:
    """Returns the contents of a model or file, as the dict that `sinew info --json` writes."""
    file = "" if isinstance(model, Model) else os.fspath(model)
    if not isinstance(model, Model):
        model = load(model)
    return {
        "file": file,
        "format": model.format,
        "revision": model.revision,
        "generator": model.generator,
        "dimension": model.dimension,
        "extensionsUsed": model.extensions_used,
        "extensionsRequired": model.extensions_required,
        "counts": {"nodes": len(model.nodes), "meshes": len(model.meshes), "skins": len(model.skins), "skeletons": len(model.skeletons),
                   "animations": len(model.clips), "materials": len(model.materials), "scenes": len(model.scenes)},
        "scene": model.default_scene if scene is None else scene,
        "instances": _instances(model, scene),
        "meshes": [{"name": mesh.name, "vertices": mesh.vertices, "surfaces": len(mesh.surfaces), "influences": mesh.influences,
                    "blendShapes": [{"name": name, "amount": amount} for name, amount in mesh.shapes]} for mesh in model.meshes],
        "skins": [{"name": skin.name, "joints": skin.joints, "bind": skin.bind} for skin in model.skins],
        "skeletons": [{"name": skeleton.name, "root": skeleton.root, "joints": skeleton.joints} for skeleton in model.skeletons],
        "boneLengths": _bone_lengths(model),
        "animations": [{"name": clip.name, "duration": clip.duration, "start": clip.start, "end": clip.duration,
                        "channels": clip.channels, "pointerChannels": clip.pointer_channels}
                       for clip in model.clips],
        "avatar": model.avatar,
        "defects": [{key: value for key, value in (("code", defect.code), ("message", defect.message), ("pointer", defect.pointer),
                                                   ("offset", defect.offset)) if value is not None} for defect in model.defects],
    }


def _instances(model: Model, scene: Optional[int]) -> "list[Dict[str, Any]]":
    rows, first = [], 0
    nodes, meshes, pose = model.nodes, model.meshes, model.pose()
    for instance in model.instances(scene):
        mesh = meshes[instance.mesh]
        surfaces, counted = [], None
        for surface in mesh.surfaces:
            surfaces.append({"vertices": 0 if surface["block"] == counted else surface["vertices"], "corners": surface["corners"]})
            counted = surface["block"]
        rows.append({"node": instance.node, "name": nodes[instance.node].name, "mesh": instance.mesh, "skin": instance.skin,
                     "copy": instance.copy, "visible": instance.visible, "amounts": pose.amounts(instance.node).tolist(), "first": first,
                     "vertices": mesh.vertices, "surfaces": surfaces})
        first += mesh.vertices
    return rows


def _bone_lengths(model: Model) -> "list[Dict[str, Any]]":
    """Returns the stored length of each bone and its length in the stored pose; a bone extends along the +Y axis of its node."""
    bones = [(node, node.bone_length) for node in model.nodes if node.bone_length is not None] if model.dimension >= 2 else []
    if not bones:
        return []
    world = model.world_transforms()
    return [{"node": bone.index, "name": bone.name, "length": length,
             "effectiveLength": length * float(np.linalg.norm(world[bone.index][:, 1]))} for bone, length in bones]
