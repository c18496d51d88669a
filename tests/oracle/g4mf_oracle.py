# SPDX-License-Identifier: MIT
"""An evaluator of G4MF models in any dimension, double precision throughout, written straight from the specification.

It reads `.g4tf` and `.g4b` files under the names of 2025-08, 2026-01 and 2026-07, and gives the vertices of all mesh instances that
node 0 reaches, in world space: blend shapes first, then the skin, then the transform of the mesh's node. It expects valid files.
Zstandard data need the command `zstd`; without it `Unreadable` is raised.
"""
import base64
import functools
import json
import os
import shutil
import struct
import subprocess

import numpy as np


class Unreadable(Exception):
    """The file needs a feature that this machine lacks."""


# ---- geometric algebra: blades are bit masks of their axes ----


@functools.lru_cache(maxsize=None)  # there are few pairs, and rigs ask for each a million times
def blade_sign(a, b):
    """Sign of the product of two blades: one swap for every pair of axes i of a, j of b with i > j."""
    swaps, a = 0, a >> 1
    while a:
        swaps += bin(a & b).count("1")
        a >>= 1
    return -1.0 if swaps & 1 else 1.0


def product(a, b):
    """Geometric product of multivectors {mask: number}."""
    out = {}
    for mask_a, x in a.items():
        for mask_b, y in b.items():
            out[mask_a ^ mask_b] = out.get(mask_a ^ mask_b, 0.0) + blade_sign(mask_a, mask_b) * x * y
    return out


def reverse(a):
    grades = {mask: bin(mask).count("1") for mask in a}
    return {mask: x * (-1.0) ** (grades[mask] * (grades[mask] - 1) // 2) for mask, x in a.items()}


def even_blades(dimension):
    """The even blades as rotors list them: by grade, then by mask."""
    return sorted((m for m in range(1 << dimension) if bin(m).count("1") % 2 == 0), key=lambda m: (bin(m).count("1"), m))


@functools.lru_cache(maxsize=None)
def sandwich(dimension, even):
    """For A e_j B with even A and B: by i, j and the position of a blade of A, that of the blade of B which makes e_i of it, and the sign."""
    axes = [1 << i for i in range(dimension)]
    position = {mask: k for k, mask in enumerate(even)}
    partners = [[[position[a ^ j ^ i] for a in even] for j in axes] for i in axes]
    signs = [[[blade_sign(a, j) * blade_sign(a ^ j, a ^ j ^ i) for a in even] for j in axes] for i in axes]
    return np.array(partners, int), np.array(signs), np.array([reverse({mask: 1.0})[mask] for mask in even])


def rotor_matrix(dimension, numbers):
    """Column j is the vector part of reverse(R) e_j R, for R of any length but 0; numbers that are not there are 0."""
    partners, signs, reversed_signs = sandwich(dimension, tuple(even_blades(dimension)))
    rotor = np.zeros(len(reversed_signs))
    rotor[: len(numbers)] = np.asarray(numbers, float)[: len(rotor)] / np.linalg.norm(numbers)
    return (signs * (reversed_signs * rotor) * rotor[partners]).sum(-1)


def perpendicular(rows):
    """The vector at a right angle to N−1 vectors of N numbers: n_i = (−1)^(i+N−1) det(rows without column i). Or those of many such rows."""
    rows = np.asarray(rows, float)
    n = rows.shape[-1]
    minors = [np.linalg.det(np.delete(rows, i, axis=-1)) if n > 1 else np.ones(rows.shape[:-2]) for i in range(n)]
    return np.stack([(-1.0) ** (i + n - 1) * minor for i, minor in enumerate(minors)], axis=-1)


# ---- component types ----

SIZES = {f"{kind}{bits}": bits // 8 for kind in ("float", "int", "uint") for bits in (8, 16, 32, 64, 128)}


def float8(byte):
    sign = -1.0 if byte & 0x80 else 1.0
    exponent, mantissa = byte >> 3 & 15, byte & 7
    if exponent == 0:
        return sign * mantissa * 2.0**-9
    if exponent == 15:
        return float("nan") if mantissa else sign * float("inf")
    return sign * (1 + mantissa / 8) * 2.0 ** (exponent - 7)


def float128(data):
    bits = int.from_bytes(data, "little")
    sign = -1.0 if bits >> 127 else 1.0
    exponent, mantissa = bits >> 112 & 0x7FFF, bits & ((1 << 112) - 1)
    if exponent == 0:
        return sign * 0.0
    if exponent == 0x7FFF:
        return float("nan") if mantissa else sign * float("inf")
    significand = (1 << 112) | mantissa  # an integer times 2^(exponent − 16383 − 112)
    shift = exponent - 16383 - 112
    try:
        return sign * (significand / (1 << -shift) if shift < 0 else float(significand << shift))  # Python rounds half to even
    except OverflowError:
        return sign * float("inf")


def decode(kind, data):
    """The numbers of packed components: float64, or Python integers where 64 bits may not be enough."""
    size = SIZES[kind]
    if kind.startswith("float") and 1 < size < 16:
        return np.frombuffer(data, f"<f{size}").astype(float)
    if not kind.startswith("float") and size < 16:
        return np.frombuffer(data, f"<{kind[0]}{size}").astype(object)
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    if kind == "float8":
        return np.array([float8(part[0]) for part in parts])
    if kind == "float128":
        return np.array([float128(part) for part in parts])
    return np.array([int.from_bytes(part, "little", signed=kind.startswith("int")) for part in parts], object)


# ---- containers ----


def unzstd(data):
    command = shutil.which("zstd")
    if not command:
        raise Unreadable("the command zstd is needed")
    return subprocess.run([command, "-d", "-c", "-q"], input=data, capture_output=True, check=True).stdout


class Document:
    """JSON, and the bytes of buffers and accessors."""

    def __init__(self, path):
        self.folder = os.path.dirname(os.path.abspath(path))
        with open(path, "rb") as file:
            data = file.read()
        self.chunks = []
        if data[:4] == b"G4MF":
            self.chunks = list(self._read_chunks(data))
            text = next(self._chunk(i) for i, (kind, _, _) in enumerate(self.chunks) if kind == b"JSON")
        else:
            text = data
        self.json = json.loads(text)
        self.dimension = self.json["asset"]["dimension"]

    @functools.cached_property
    def buffers(self):
        return [self._buffer(i, buffer) for i, buffer in enumerate(self.json.get("buffers", []))]

    @staticmethod
    def _read_chunks(data):
        at = 16
        while at + 16 <= len(data):
            kind, compression, size = struct.unpack_from("<4s4sQ", data, at)
            content = data[at + 16 : at + 16 + size]
            yield kind, compression, content
            at += 16 + size + -size % 16

    def _chunk(self, index):
        _, compression, content = self.chunks[index]
        return unzstd(content) if compression == b"Zstd" else content

    def _buffer(self, index, buffer):
        uri = buffer.get("uri")
        if uri is None:
            data = self._chunk(buffer.get("chunk", index + 1))
        else:
            if uri.startswith("data:"):
                data = base64.b64decode(uri.split(",", 1)[1])
            else:
                with open(os.path.join(self.folder, uri), "rb") as file:
                    data = file.read()
            if buffer.get("encoding", buffer.get("compression")) == "Zstd":
                data = unzstd(data)
        return data[: buffer["byteLength"]]

    def accessor(self, index):
        """Rows of numbers."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0)
        data = self.buffers[view.get("buffer", 0)][start : start + view["byteLength"]]
        kind = accessor["componentType"] if "componentType" in accessor else accessor["primitiveType"]
        return decode(kind, data).reshape(-1, accessor.get("vectorSize", 1))

    def column(self, index):
        return [int(row[0]) for row in self.accessor(index)]


# ---- evaluation ----


def first(item, *names):
    return next((item[name] for name in names if name in item), None)


class Evaluator:
    """`pose` is the content of a pose file: {"nodes": {name: changes}, "blendAmounts": {node: {shape: amount} or list}}."""

    def __init__(self, document):
        self.document, self.dimension = document, document.dimension
        self.nodes = document.json.get("nodes", [])
        self.parent = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}

    # nodes

    def named_node(self, key):
        return next((i for i, node in enumerate(self.nodes) if node.get("name") == key), None) if not key.isdigit() else int(key)

    def posed(self, pose):
        changes = {self.named_node(key): change for key, change in (pose or {}).get("nodes", {}).items()}
        return [{**{k: v for k, v in node.items() if "basis" not in changes.get(i, {}) or k not in ("rotor", "scale")}, **changes.get(i, {})}
                for i, node in enumerate(self.nodes)]

    def local(self, node):
        n, out = self.dimension, np.eye(self.dimension + 1)
        if "basis" in node:
            out[:n, :n] = np.array(node["basis"], float).reshape(n, n).T
        else:
            if "rotor" in node:
                out[:n, :n] = rotor_matrix(n, node["rotor"])
            out[:n, :n] *= np.broadcast_to(np.array(node.get("scale", [1.0]), float), (n,))
        out[:n, n] = node.get("position", [0.0] * n)
        return out

    def below(self, locals_, node, top):
        """Product of the local transforms from below `top` down to `node`; `top` None: from the root on, it included."""
        out = np.eye(self.dimension + 1)
        while node is not None and node != top:
            out = locals_[node] @ out
            node = self.parent.get(node)
        return out

    def reached(self):
        seen, todo = set(), [0] if self.nodes else []
        while todo:
            node = todo.pop()
            seen.add(node)
            todo += self.nodes[node].get("children", [])
        return sorted(seen)

    # meshes

    def mesh_of(self, node):
        instance = self.nodes[node].get("meshInstance")
        return (instance["mesh"], instance.get("blendAmounts")) if instance else (self.nodes[node].get("mesh"), None)

    def amounts(self, node, pose):
        mesh, given = self.mesh_of(node)
        blend = self.document.json["meshes"][mesh].get("blend")
        if not blend:
            return []
        amounts = list(first({"a": given} if given else {}, "a") or blend.get("amounts") or [0.0] * len(blend["shapes"]))
        for key, change in (pose or {}).get("blendAmounts", {}).items():
            if self.named_node(key) != node:
                continue
            if isinstance(change, list):
                amounts = list(change)
            else:
                names = [shape.get("name") for shape in blend["shapes"]]
                for shape, amount in change.items():
                    amounts[int(shape) if shape.isdigit() else names.index(shape)] = amount
        return amounts

    def blended(self, node, pose):
        mesh = self.document.json["meshes"][self.mesh_of(node)[0]]
        stored = self.document.accessor(mesh["vertices"]).astype(float)
        vertices = np.zeros((len(stored), self.dimension))
        width = min(self.dimension, stored.shape[1])
        vertices[:, :width] = stored[:, :width]
        for shape, amount in zip(mesh.get("blend", {}).get("shapes", []), self.amounts(node, pose)):
            if "position" in shape:
                offsets = self.document.accessor(shape["position"]["offsets"]).astype(float)
                for vertex, offset in zip(self.document.column(shape["position"]["indices"]), offsets):
                    vertices[vertex] += amount * offset
        return vertices

    def joint_maps(self, node, stored, current):
        """Per joint its map D = L⁻¹ G G°⁻¹ L of mesh space, L as stored; none where no skeleton deforms the mesh."""
        mesh = self.document.json["meshes"][self.mesh_of(node)[0]]
        parent = self.parent.get(node)
        if "skin" not in mesh or parent is None or "skeleton" not in self.nodes[parent]:
            return []
        outer, inner = stored[node], np.linalg.inv(stored[node])
        joints = []
        for joint in self.nodes[parent]["skeleton"].get("joints", []):
            if joint == -1:
                joints.append(np.eye(self.dimension + 1))
            else:
                moved = self.below(current, joint, parent) @ np.linalg.inv(self.below(stored, joint, parent))
                joints.append(inner @ moved @ outer)
        return joints

    def maps(self, node, count, stored, current):
        """One affine map of mesh space per vertex: Σ w·D / Σ w; the identity where no weight counts."""
        out = np.tile(np.eye(self.dimension + 1), (count, 1, 1))
        joints = self.joint_maps(node, stored, current)
        if not joints:
            return out
        sums, weights = np.zeros_like(out), np.zeros(count)
        skin = self.document.json["meshes"][self.mesh_of(node)[0]]["skin"]
        rows = zip(*(self.document.accessor(skin[name])[:, 0] for name in ("vertices", "groups", "weights")))
        for vertex, group, weight in rows:
            if group < len(joints):
                sums[vertex] += float(weight) * joints[group]
                weights[vertex] += float(weight)
        bound = weights != 0
        out[bound] = sums[bound] / weights[bound, None, None]
        return out

    @functools.cached_property
    def stored_locals(self):
        """The local transforms of all nodes."""
        return [self.local(node) for node in self.nodes]

    def states(self, pose):
        """The local transforms of all nodes: as stored, and now."""
        known = zip(self.stored_locals, self.nodes, self.posed(pose))
        return self.stored_locals, [local if now == node else self.local(now) for local, node, now in known]

    def world_maps(self, node, count, pose):
        """The same followed by the transform of the mesh's node: from mesh space to the world."""
        stored, current = self.states(pose)
        return self.below(current, node, None) @ self.maps(node, count, stored, current)

    def palette(self, node, pose):
        """Per joint the matrix from mesh space to the world."""
        stored, current = self.states(pose)
        return [self.below(current, node, None) @ joint for joint in self.joint_maps(node, stored, current)]

    def drawn(self):
        """Nodes with a mesh that node 0 reaches, ascending."""
        return [node for node in self.reached() if self.mesh_of(node)[0] is not None]

    def instances(self, pose=None):
        """[(node, world-space vertices)], in ascending order of nodes."""
        out = []
        for node in self.drawn():
            vertices = self.blended(node, pose)
            maps = self.world_maps(node, len(vertices), pose)
            out.append((node, np.einsum("vij,vj->vi", maps[:, :-1, :-1], vertices) + maps[:, :-1, -1]))
        return out


def evaluate(path, pose=None):
    """The vertices of all instances, one after another: an array of V × N numbers."""
    evaluator = Evaluator(Document(path))
    rows = [vertices for _, vertices in evaluator.instances(pose)]
    return np.concatenate(rows) if rows else np.zeros((0, evaluator.dimension))


def largest_error(got, want):
    """Largest distance of two vertices, by the diagonal of the wanted ones' box (1 where they have no extent)."""
    got, want = np.asarray(got, float), np.asarray(want, float)
    if not len(want):
        return 0.0
    diagonal = float(np.linalg.norm(want.max(axis=0) - want.min(axis=0))) or 1.0
    return float(np.linalg.norm(got - want, axis=1).max()) / diagonal
