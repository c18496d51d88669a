# SPDX-License-Identifier: MIT
"""How numbers are stored: sparse, strided, quantised, in buffers of every kind."""
import base64
from functools import partial

import numpy as np

from registry import rule
from rig import BIND, POINTS, VERTEX, WEIGHTS, Rig, Z, columns, quat, skinned, slots, still

NODE = {"translation": [0, 0, 1], "rotation": quat(Z, 30)}


def stored(position, **properties):
    """The strip, its positions stored by `position` (rig) -> accessor."""
    rig = Rig()
    rig.json.update(properties)
    rig.mesh({"POSITION": position(rig)})
    rig.node(mesh=0, **NODE)
    return rig.scene(0)


# Sparse.

EVEN = (POINTS * (np.arange(8) % 2 == 0)[:, None]).astype("<f4")
rule("accessors/sparse_positions", "Sparse positions replace those of a view.", "sparse")(
    partial(stored, lambda rig: rig.sparse(POINTS, EVEN, bounds=True, target=VERTEX)))
rule("accessors/sparse_positions_without_view", "Sparse positions without a view replace zeros.", "sparse")(
    partial(stored, lambda rig: rig.sparse(EVEN, bounds=True)))
rule("accessors/no_view", "An accessor without a view is zeros.", "accessors")(
    partial(stored, lambda rig: rig.add("accessors", {"componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]})))


def sparse_indices(kind):
    def position(rig):
        accessor = rig.sparse(POINTS, EVEN, bounds=True, target=VERTEX)
        entry = rig.json["accessors"][accessor]["sparse"]
        rows = np.flatnonzero((POINTS != EVEN).any(1)).astype(kind)
        entry["indices"] = {"bufferView": rig.view(rows.tobytes()), "componentType": {"<u2": 5123, "<u4": 5125}[kind]}
        return accessor

    return position


for kind in ("<u2", "<u4"):
    rule(f"accessors/sparse_indices_{kind[1:]}", f"Indices of sparse values are stored as {kind[1:]}.", "sparse")(partial(stored, sparse_indices(kind)))


def sparse_influences(which):
    def attributes(rig):
        joints, weights = slots(WEIGHTS.astype(float), 1)
        arrays = {"JOINTS_0": joints.astype("u1"), "WEIGHTS_0": weights.astype("<f4")}
        first = {"JOINTS_0": 0 * arrays["JOINTS_0"], "WEIGHTS_0": np.tile([1, 0, 0, 0], (8, 1)).astype("<f4")}
        return {name: rig.sparse(array, first[name], target=VERTEX) if name in which else rig.attribute(array, array.dtype) for name, array in arrays.items()}

    return attributes


rule("accessors/sparse_weights", "Weights are sparse.", "sparse")(partial(skinned, attributes=sparse_influences(["WEIGHTS_0"])))
rule("accessors/sparse_joints", "Joints are sparse.", "sparse")(partial(skinned, attributes=sparse_influences(["JOINTS_0"])))


@rule("accessors/sparse_inverse_bind_matrices", "Inverse bind matrices are sparse.", "sparse")
def sparse_bind():
    rig = skinned()
    matrices = np.array([columns(matrix) for matrix in BIND], "<f4")
    rig.json["skins"][0]["inverseBindMatrices"] = rig.sparse(matrices, np.tile(np.eye(4).ravel(), (3, 1)).astype("<f4"))
    return rig


@rule("accessors/sparse_keys", "The values of a clip are sparse.", "sparse", poses=[(0, 0.5), (0, 1.5)])
def sparse_keys():
    rig = still().clip((0, "translation", [0, 1, 2], [[0, 0, 0], [1, 0, 0], [0, 2, 0]]))
    values = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]], "<f4")
    rig.json["animations"][0]["samplers"][0]["output"] = rig.sparse(values, (values * [[1], [1], [0]]).astype("<f4"))
    return rig


# Layout.


@rule("accessors/stride", "A stride leaves gaps between positions.", "accessors")
def stride():
    def position(rig):
        rows = np.full((8, 5), 9, "<f4")
        rows[:, :3] = POINTS
        return rig.add("accessors", {"bufferView": rig.view(rows.tobytes(), 20, VERTEX), "componentType": 5126, "count": 8, "type": "VEC3",
                                     "min": POINTS.min(0).tolist(), "max": POINTS.max(0).tolist()})

    return stored(position)


@rule("accessors/offset", "The offset of an accessor is added to that of its view.", "accessors")
def offset():
    def position(rig):
        rows = np.concatenate([np.full((2, 3), 9, "<f4"), POINTS])
        return rig.add("accessors", {"bufferView": rig.view(rows.tobytes(), None, VERTEX), "byteOffset": 24, "componentType": 5126, "count": 8, "type": "VEC3",
                                     "min": POINTS.min(0).tolist(), "max": POINTS.max(0).tolist()})

    return stored(position)


@rule("accessors/interleaved_with_normals", "Positions and normals alternate in a view.", "accessors")
def interleaved():
    rig = Rig()
    normal, position = rig.interleaved([(np.tile([0, 0, 1], (8, 1)).astype("<f4"), False, False), (POINTS, False, True)])
    rig.mesh({"POSITION": position, "NORMAL": normal})
    rig.node(mesh=0, **NODE)
    return rig.scene(0)


# Quantised (KHR_mesh_quantization).

EXTENSION = {"extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"]}
for kind in ("i1", "u1", "i2", "u2"):
    top = np.iinfo(kind).max
    unit = (POINTS - POINTS.min(0)) / np.ptp(POINTS, 0).max()
    spread = unit * 2 - 1 if kind[0] == "i" else unit
    whole = np.round(spread * top).astype(f"<{kind}")
    for normalised in (False, True):
        name = f"accessors/positions_{kind}{'_normalised' if normalised else ''}"
        text = f"Positions are stored as {'normalised ' if normalised else ''}{kind}."
        rule(name, text, "quantised")(partial(stored, partial(Rig.attribute, array=whole, kind=f"<{kind}", normalized=normalised, bounds=True), **EXTENSION))


@rule("accessors/positions_at_minus_one", "The lowest value of a normalised byte is -1, as the one above it.", "normalised")
def lowest():
    corners = np.array([[-128, 0, 127], [-127, 0, 127], [-128, 64, 0], [127, 127, 127], [0, 0, 0], [0, 0, -128], [1, -128, 0], [0, 1, -127]])
    return stored(partial(Rig.attribute, array=corners, kind="i1", normalized=True, bounds=True), **EXTENSION)


@rule("accessors/quantised_and_skinned", "Positions stored as shorts are scaled by the inverse bind matrices.", "quantised", tolerance=1e-4)
def quantised_skin():
    rig = skinned(bind=[matrix @ np.diag([1 / 1000, 1 / 1000, 1 / 1000, 1]) for matrix in BIND])
    rig.json.update(EXTENSION)
    rig.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = rig.attribute(np.round(POINTS * 1000), "<i2", bounds=True)
    return rig


@rule("accessors/quantised_targets", "Morph targets are stored as bytes.", "quantised")
def quantised_targets():
    rig = stored(Rig.positions, **EXTENSION)
    delta = np.round(POINTS * 50)
    rig.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": rig.attribute(delta, "i1", bounds=True)}]
    rig.json["meshes"][0]["weights"] = [0.01]
    return rig


# Buffers.

rule("accessors/binary_file", "The buffer is the binary chunk of a GLB file.", "buffers", file="model.glb")(skinned)
rule("accessors/buffer_beside", "The buffer is a file beside the model, with a space in its name.", "buffers", embedded=False)(skinned)


@rule("accessors/two_buffers", "Positions are in one buffer, indices in another.", "buffers")
def two_buffers():
    rig = still(**NODE)
    data = (POINTS * np.float32(2)).astype("<f4").tobytes()
    rig.json["buffers"] = [{"byteLength": len(rig.blob)},
                           {"byteLength": len(data), "uri": "data:application/gltf-buffer;base64," + base64.b64encode(data).decode()}]
    view = rig.add("bufferViews", {"buffer": 1, "byteLength": len(data), "target": VERTEX})
    accessor = rig.json["accessors"][rig.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    accessor.update(bufferView=view, min=(POINTS.min(0) * 2).tolist(), max=(POINTS.max(0) * 2).tolist())
    return rig


@rule("accessors/longer_chunk", "The binary chunk is up to three bytes longer than its buffer.", "buffers", file="model.glb")
def longer():
    rig = still(**NODE)
    rig.blob += bytes(1 + -len(rig.blob) % 4)
    return rig
