# SPDX-License-Identifier: MIT
"""Adapter of Blender: its glTF importer, and the evaluated meshes.

    blender --background --factory-startup --python blender.py -- MODEL CLIP TIME ATTRIBUTE OUTPUT…
"""
import json
import os
import shutil
import struct
import sys
import tempfile

import bpy
import numpy as np

np.bool = bool  # Blender 3.4 needs the name, which NumPy 1.24 of the same Debian has dropped


def load(model, clip, folder):
    """Imports the model with numbered nodes and meshes, and with one clip or none: Blender names objects after them and plays the first clip."""
    with open(model, "rb") as file:
        data = file.read()
    rest = b""
    if data[:4] == b"glTF":
        size = struct.unpack_from("<I", data, 12)[0]
        data, rest = data[20 : 20 + size], data[20 + size :]
    document = json.loads(data)
    for kind in ("node", "mesh"):
        for index, item in enumerate(document[kind + ("es" if kind == "mesh" else "s")]):
            item["name"] = f"{kind}{index}"
    clips = document.pop("animations", [])
    if clip != "-":
        document["animations"] = [clips[int(clip)]]
    text = json.dumps(document).encode()
    path = os.path.join(folder, os.path.basename(model))
    if rest:
        text += b" " * (-len(text) % 4)
        text = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest
    with open(path, "wb") as file:
        file.write(text)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    return document


def evaluate(model, clip, time):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.dirname(model), folder, dirs_exist_ok=True)
        document = load(model, clip, folder)
    scene = bpy.context.scene
    frame = float(time) * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    # An object has the name of its node; the importer moves some skinned meshes into an object that has the name of the mesh.
    objects = {item.name: item for item in scene.objects if item.type == "MESH"}
    rows = []
    for index, node in enumerate(document["nodes"]):
        names = [name for name in objects if name == f"node{index}" or name.split(".")[0] == f"mesh{node.get('mesh')}"]
        if "mesh" in node and names:
            seen = objects.pop(min(names, key=lambda name: (name != f"node{index}", name))).evaluated_get(graph)
            rows += [seen.matrix_world @ vertex.co for vertex in seen.to_mesh().vertices]
    return np.array([(x, z, -y) for x, y, z in rows])  # Blender's up is Z


arguments = sys.argv[sys.argv.index("--") + 1 :]
for model, clip, time, attribute, output in zip(*[iter(arguments)] * 5):
    try:
        if not model.endswith((".gltf", ".glb")) or attribute != "position" or b"STAIK_skeletons" in open(model, "rb").read():
            raise NotImplementedError("this format or attribute")
        np.save(output, evaluate(model, clip, time))
    except Exception as error:  # the importer raises errors of any kind
        lines = [line for line in str(error).splitlines() if "Error: " in line and "Traceback" not in line] or [str(error)]
        # Debian's package has no library of Draco.
        covered = not isinstance(error, NotImplementedError) and "is not available on this addon" not in lines[-1] and "libextern_draco" not in lines[-1]
        with open(output + ".txt", "w", encoding="utf-8") as file:
            file.write(f"{'failed' if covered else 'unsupported'}: {lines[-1]}")
