# SPDX-License-Identifier: MIT
"""Compressed models: streams of meshoptimizer and Draco (streams.py), decoded to the accessors of an ordinary rig."""
import base64
from functools import partial

import numpy as np

import streams
from registry import rule
from rig import INDEX, JOINTS, POINTS, TRIANGLES, TILTED, VERTEX, WEIGHTS, Rig, X, Y, Z, quat, skinned, slots, still
from streams import DRACO, packed

SIZE = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
NORMALS = np.array([[0.6 * (-1) ** i, 0.8 * np.cos(i), 0.8 * np.sin(i)] for i in range(8)])


def declare(rig, *names, required=True):
    for kind in ("extensionsUsed", "extensionsRequired")[: 1 + required]:
        rig.json[kind] = rig.json.get(kind, []) + list(names)


# Streams of meshoptimizer: EXT_meshopt_compression (version 0 of ATTRIBUTES) and KHR_meshopt_compression (version 1).


def meshopt(rig, extension, filters=(), indices="TRIANGLES", plain=(), fallback=False):
    """Compresses the views but those of `plain`. `filters`: view -> (name, bits, floats). A filled fallback has the decoded bytes."""
    content, rig.blob, decoded = bytes(rig.blob), bytearray(), bytearray()
    for index, view in enumerate(rig.json["bufferViews"]):
        accessors = [accessor for accessor in rig.json["accessors"] if accessor.get("bufferView") == index]
        stride = view.get("byteStride", SIZE[accessors[0]["componentType"]] * WIDTH[accessors[0]["type"]])
        data = content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        rig.blob += bytes(-len(rig.blob) % 4)
        if index in plain:
            view["byteOffset"] = len(rig.blob)
            rig.blob += data
            continue
        name, bits, floats = dict(filters).get(index, ("NONE", 0, None))
        layout = {"mode": indices if view.get("target") == INDEX else "ATTRIBUTES", "filter": name, "count": len(data) // stride}
        made = streams.STREAMS.of({"codec": "meshopt", **layout, "version": int(extension.startswith("KHR")), "stride": stride, "bits": bits,
                                   "data": packed(data if floats is None else np.asarray(floats, "<f4").tobytes())})
        stream, result = (base64.b64decode(made[key]) for key in ("stream", "decoded")) if made else (b"", data)
        if "min" in accessors[0]:
            values = np.frombuffer(result, {5123: "<u2", 5126: "<f4"}[accessors[0]["componentType"]]).reshape(len(data) // stride, -1)
            values = values[:, : WIDTH[accessors[0]["type"]]]
            accessors[0].update(min=values.min(0).tolist(), max=values.max(0).tolist())
        decoded += bytes(-len(decoded) % 4)
        view.update(buffer=1, byteOffset=len(decoded))
        view["extensions"] = {extension: {"buffer": 0, "byteOffset": len(rig.blob), "byteLength": len(stream), "byteStride": stride, **layout}}
        rig.blob += stream
        decoded += result
    filled = {"uri": "data:application/octet-stream;base64," + packed(decoded)} if fallback else {}
    rig.json["buffers"] = [{"byteLength": len(rig.blob)}, {"byteLength": len(decoded), **filled, "extensions": {extension: {"fallback": True}}}]
    declare(rig, extension, required=not fallback)
    return rig


def skinned_mesh(**options):
    return meshopt(skinned(), **options)


def lines(extension):
    rig = Rig()
    order = np.array([0, 2, 4, 6, 7, 5, 3, 1, 0, 6], "<u2")
    rig.mesh({"attributes": {"POSITION": rig.positions(), **rig.influences(*slots(WEIGHTS.astype(float), 1))}, "mode": 1,
              "indices": rig.accessor(order, target=INDEX)})
    rig.node(mesh=0, skin=0)
    chain = rig.chain(None, JOINTS)
    rig.skin(chain)
    return meshopt(rig.scene(0, chain[0]), extension, indices="INDICES")


def view_of(rig, accessor):
    return rig.json["accessors"][accessor]["bufferView"]


def octahedral(extension):
    rig = still(rotation=quat(TILTED, 80))
    declare(rig, "KHR_mesh_quantization")
    normals = rig.attribute(np.zeros((8, 3)), "i1", True)
    rig.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = normals
    return meshopt(rig, extension, {view_of(rig, normals): ("OCTAHEDRAL", 8, np.c_[NORMALS, np.ones(8)])})


def turns(extension):
    rig = skinned()
    keys = [quat(Z, 0), quat(TILTED, 80), quat(X, 170), quat(Y, -100)]
    rig.clip((2, "rotation", [0, 0.5, 1, 2], np.zeros((4, 4)), "LINEAR", "<i2"))
    output = rig.json["animations"][0]["samplers"][0]["output"]
    return meshopt(rig, extension, {view_of(rig, output): ("QUATERNION", 12, keys)})


def moves(extension):
    rig = skinned()
    keys = np.array([[0.1, 0, 0], [0.3, 1.7, -0.2], [-4.1, 0.01, 3], [0, 0, 0.001]])
    rig.clip((1, "translation", [0, 0.5, 1, 2], keys))
    output = rig.json["animations"][0]["samplers"][0]["output"]
    return meshopt(rig, extension, {view_of(rig, output): ("EXPONENTIAL", 12, keys)})


def exponential(extension):
    rig = skinned()
    positions = rig.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    return meshopt(rig, extension, {view_of(rig, positions): ("EXPONENTIAL", 10, POINTS)})


def targets(extension):
    rig = still(rotation=quat(Z, 30))
    rig.json["meshes"][0]["primitives"][0]["targets"] = rig.targets(POINTS * [0, 0, 2], POINTS[::-1])
    rig.json["meshes"][0]["weights"] = [0.5, 0.25]
    return meshopt(rig, extension)


def interleaved(extension):
    rig = Rig()
    position, normal = rig.interleaved([(POINTS, False, True), (NORMALS.astype("<f4") / np.float32(1.25), False, False)])
    rig.mesh({"POSITION": position, "NORMAL": normal})
    rig.node(mesh=0, translation=[0, 0, 1], rotation=quat(Z, 30))
    return meshopt(rig.scene(0), extension)


BETWEEN = [(0, 0.25), (0, 1.0), (0, 1.6)]
for short, extension in (("ext", streams.MESHOPT[0]), ("khr", streams.MESHOPT[1])):
    for name, text, build, more in (
            ("attributes", "All views of a skinned mesh are compressed, also indices and inverse bind matrices.", skinned_mesh, {}),
            ("some_views", "Some views are compressed, others are not.", partial(skinned_mesh, plain=(0, 2)), {}),
            ("fallback", "A fallback has the decoded bytes; readers may use either.", partial(skinned_mesh, fallback=True), {}),
            ("binary_file", "The streams are in the binary chunk.", skinned_mesh, {"file": "model.glb"}),
            ("lines", "Indices of lines have the mode INDICES.", lines, {}),
            ("interleaved", "Positions and normals alternate in a compressed view.", interleaved, {}),
            ("targets", "Morph targets are compressed.", targets, {}),
            ("exponential_positions", "Positions have the filter EXPONENTIAL.", exponential, {}),
            ("exponential_keys", "Keys of translations have the filter EXPONENTIAL.", moves, {"poses": BETWEEN}),
            ("quaternion_keys", "Keys of rotations have the filter QUATERNION.", turns, {"poses": [(0, 0.0), (0, 0.5), (0, 1.0)], "tolerance": 1e-4}),
            ("octahedral_normals", "Normals have the filter OCTAHEDRAL.", octahedral, {"attribute": "normal", "tolerance": 1e-2})):
        rule(f"compressed/{short}_{name}", text, f"meshopt_{short}", **more)(partial(build, extension=extension))


# Draco.


def draco(rig, method="SEQUENTIAL", primitive=0, bits=None, plain=(), fallback=False):
    """Compresses the attributes of a primitive but those of `plain`, and its triangles. `bits` (by attribute) quantises."""
    entry = rig.json["meshes"][0]["primitives"][primitive]
    attributes, accessors = [], {}
    for name, index in entry["attributes"].items():
        accessor = rig.json["accessors"][index]
        view = rig.json["bufferViews"][accessor["bufferView"]]
        if name not in plain:
            data = bytes(rig.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]])
            attributes.append({"name": name, "component": accessor["componentType"], "width": WIDTH[accessor["type"]], "bits": (bits or {}).get(name, 0),
                               "data": packed(data)})
            accessors[name] = accessor
    made = streams.STREAMS.of({"codec": "draco", "method": method, "indices": TRIANGLES.tolist(), "attributes": attributes})
    if made:
        for name, result in made["attributes"].items():
            values = np.frombuffer(base64.b64decode(result["data"]), {5121: "u1", 5123: "<u2", 5126: "<f4"}[accessors[name]["componentType"]])
            values = values.reshape(-1, WIDTH[accessors[name]["type"]])
            assert len(values) == accessors[name]["count"], "Draco has split or joined vertices"
            if name == "POSITION":
                accessors[name].update(min=values.min(0).tolist(), max=values.max(0).tolist())
        ids = {name: result["id"] for name, result in made["attributes"].items()}
        entry["extensions"] = {DRACO: {"bufferView": rig.view(base64.b64decode(made["stream"])), "attributes": ids}}
    if not fallback:
        for accessor in (*accessors.values(), rig.json["accessors"][entry["indices"]]):
            del accessor["bufferView"]
    declare(rig, DRACO, required=not fallback)
    return without_unused_views(rig)


def without_unused_views(rig):
    """Removes the views, and their bytes, that nothing names any more."""
    content, rig.blob, old = bytes(rig.blob), bytearray(), rig.json["bufferViews"]
    named = [*rig.json["accessors"], *(p["extensions"][DRACO] for m in rig.json["meshes"] for p in m["primitives"] if "extensions" in p)]
    rig.json["bufferViews"], places = [], {}
    for thing in named:
        if "bufferView" in thing:
            index = thing["bufferView"]
            if index not in places:
                view = old[index]
                places[index] = rig.view(content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]], view.get("byteStride"), view.get("target"))
            thing["bufferView"] = places[index]
    return rig


def shaded():
    rig = still(rotation=quat(TILTED, 80))
    rig.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = rig.attribute(NORMALS / 1.25)
    return rig


def across_sets(rig):
    """The influences of each vertex are in the last slot of the first set and the first slots of the second one."""
    return rig.influences(*(np.roll(array, 3, 1) for array in slots(WEIGHTS.astype(float), 2)))


def morphed():
    rig = skinned()
    rig.json["meshes"][0]["primitives"][0]["targets"] = rig.targets(POINTS * [0, 0, 2])
    rig.json["meshes"][0]["weights"] = [0.5]
    return rig


def two_primitives():
    rig = skinned()
    first = rig.json["meshes"][0]["primitives"][0]
    rig.json["meshes"][0]["primitives"].append({"attributes": {**first["attributes"], "POSITION": rig.positions(POINTS + np.float32(2))},
                                                "indices": rig.accessor(TRIANGLES, target=INDEX)})
    for name in ("JOINTS_0", "WEIGHTS_0"):  # the compressed one has accessors of its own
        first["attributes"][name] = rig.add("accessors", dict(rig.json["accessors"][first["attributes"][name]]))
    return draco(rig)


for name, text, build, more in (
        ("sequential", "A skinned mesh in the sequential method, which keeps the order of vertices.", lambda: draco(skinned()), {}),
        ("edgebreaker", "A skinned mesh in the method Edgebreaker, which changes the order of vertices.", lambda: draco(skinned(), "EDGEBREAKER"), {}),
        ("binary_file", "The stream is in the binary chunk.", lambda: draco(skinned()), {"file": "model.glb"}),
        ("quantised", "Positions have 11 bits.", lambda: draco(skinned(), bits={"POSITION": 11}), {}),
        ("byte_weights", "Weights are unsigned bytes.", lambda: draco(skinned(weight="u1")), {}),
        ("two_sets", "Two sets of joints and weights are compressed.", lambda: draco(skinned(attributes=across_sets)), {"status": "recommended"}),
        ("weights_beside", "Weights are not compressed, positions and joints are.", lambda: draco(skinned(), plain=("WEIGHTS_0",)), {}),
        ("targets", "Morph targets are not compressed; they have the order of the decoded vertices.", lambda: draco(morphed()), {}),
        ("one_of_two_primitives", "One of two primitives is compressed.", two_primitives, {}),
        ("fallback", "The extension is not required: the accessors have the same numbers.", lambda: draco(skinned(), fallback=True), {}),
        ("normals", "Normals have 10 bits.", lambda: draco(shaded(), bits={"NORMAL": 10}), {"attribute": "normal"})):
    rule(f"compressed/draco_{name}", text, "draco", **more)(build)
