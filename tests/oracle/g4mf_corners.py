# SPDX-License-Identifier: MIT
"""Values of G4MF per corner (vertex instance) of surfaces: normals and texture maps of a posed model, evaluated by g4mf_oracle."""
import numpy as np

from g4mf_oracle import Document, Evaluator, first, perpendicular


def unit(rows):
    """Rows of length 1; those of length 0 stay."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(lengths == 0, 1.0, lengths)


def cofactor(matrix):
    """Entry i, j: the signed minor without row i and column j. Defined for every matrix."""
    n = len(matrix)
    minor = lambda i, j: np.linalg.det(np.delete(np.delete(matrix, i, 0), j, 1)) if n > 1 else 1.0
    return np.array([[(-1.0) ** (i + j) * minor(i, j) for j in range(n)] for i in range(n)])


class CornerEvaluator(Evaluator):
    """One array per surface and instance, instances in ascending order of nodes: a row per corner."""

    def mesh(self, node):
        return self.document.json["meshes"][self.mesh_of(node)[0]]

    def corners(self, mesh, surface):
        """The vertex of each corner: of simplexes, else edges, else all vertices."""
        elements = first(surface, "simplexes", "cells", "edges")
        if elements is None:
            return list(range(len(self.document.accessor(mesh["vertices"]))))
        return [int(i) for i in self.document.accessor(elements).ravel()]

    def cells(self, mesh, surface):
        """The corners of each simplex that has a normal."""
        n = self.dimension
        if n < 3 or first(surface, "simplexes", "cells") is None:
            return []
        count = len(self.corners(mesh, surface))
        return [range(i, i + n) for i in range(0, count, n)]

    def flat(self, mesh, surface, vertices):
        """The unit normal of the corners' simplexes; zeros where there is none."""
        corners = self.corners(mesh, surface)
        out = np.zeros((len(corners), self.dimension))
        cells = np.array(self.cells(mesh, surface), int)
        if len(cells):
            points = vertices[np.array(corners)[cells]]
            out[cells] = perpendicular(points[:, 1:] - points[:, :1])[:, None]
        return unit(out)

    def stored(self, mesh, surface, name):
        """(values, the row of values of each corner), or None: an accessor with a row per corner, or a binding."""
        value = surface.get(name)
        if value is None:
            return None
        count = len(self.corners(mesh, surface))
        if not isinstance(value, dict):
            return self.document.accessor(value).astype(float), list(range(count))
        index = None
        if "simplexes" in value:
            index = [int(i) for i in self.document.accessor(value["simplexes"]).ravel()]
        elif "perSimplex" in value:
            width = max(self.dimension, 3)
            index = [row for row in self.document.column(value["perSimplex"]) for _ in range(width)]
        for part in value.get("geometry", []):
            own = 1 if "edges" in surface else 0  # the dimension that makes corners where there are no simplexes
            if index is None and "simplexes" not in surface and part.get("geometryDimension") == own and part.get("decomposeDimension", 0) == 0:
                index = [int(i) for i in self.document.accessor(part["accessor"]).ravel()]
        return None if index is None else (self.document.accessor(value["values"]).astype(float), index)

    def offsets(self, mesh, number, name, width, amounts):
        """Σ amount·offset: {corner: …} of surface `number` and {row of its binding's values: …}."""
        bases = np.cumsum([0] + [len(self.corners(mesh, surface)) for surface in mesh["surfaces"]])
        by_corner, by_value = {}, {}
        target_name = {"normals": "normal", "textureMap": "textureMap"}[name]

        def add(into, target, amount, start, end):
            offsets = self.document.accessor(target["offsets"]).astype(float)
            for index, offset in zip(self.document.column(target["indices"]), offsets):
                if start <= index < end:
                    into[index - start] = into.get(index - start, np.zeros(width)) + amount * offset

        for shape, amount in zip(mesh.get("blend", {}).get("shapes", []), amounts):
            if target_name in shape:
                add(by_corner, shape[target_name], amount, bases[number], bases[number + 1])
            for entry in shape.get("surfaces", []):
                if entry["surface"] == number and target_name in entry:
                    add(by_value, entry[target_name], amount, 0, np.inf)
        return by_corner, by_value

    def normals(self, pose=None):
        out = []
        for node in self.drawn():
            mesh, amounts = self.mesh(node), self.amounts(node, pose)
            blended = self.blended(node, pose)
            maps = self.world_maps(node, len(blended), pose)
            world = np.einsum("vij,vj->vi", maps[:, :-1, :-1], blended) + maps[:, :-1, -1]
            for number, surface in enumerate(mesh["surfaces"]):
                corners, stored = self.corners(mesh, surface), self.stored(mesh, surface, "normals")
                by_corner, by_value = self.offsets(mesh, number, "normals", self.dimension, amounts)
                if stored is None and not by_corner:
                    out.append(self.flat(mesh, surface, world))
                    continue
                rows = self.flat(mesh, surface, blended) if stored is None else [stored[0][i] + by_value.get(i, 0.0) for i in stored[1]]
                rows = [row + by_corner.get(i, 0.0) for i, row in enumerate(rows)]
                out.append(unit(np.array([cofactor(maps[v, :-1, :-1]) @ row for v, row in zip(corners, rows)]).reshape(-1, self.dimension)))
        return out

    def texture_maps(self, pose=None):
        """None for surfaces without one."""
        out = []
        for node in self.drawn():
            mesh, amounts = self.mesh(node), self.amounts(node, pose)
            for number, surface in enumerate(mesh["surfaces"]):
                stored = self.stored(mesh, surface, "textureMap")
                if stored is None:
                    out.append(None)
                    continue
                width = stored[0].shape[1]
                by_corner, by_value = self.offsets(mesh, number, "textureMap", width, amounts)
                rows = [stored[0][row] + by_value.get(row, 0.0) + by_corner.get(i, 0.0) for i, row in enumerate(stored[1])]
                out.append(np.array(rows).reshape(-1, width))
        return out


def evaluate_normals(path, pose=None):
    """Corners of all surfaces of all instances × N."""
    evaluator = CornerEvaluator(Document(path))
    return np.concatenate([np.zeros((0, evaluator.dimension)), *evaluator.normals(pose)])


def evaluate_texture_maps(path, pose=None):
    """Corners × the widest map's width; NaN where there is none."""
    evaluator = CornerEvaluator(Document(path))
    maps = evaluator.texture_maps(pose)
    counts = [len(evaluator.corners(evaluator.mesh(node), surface)) for node in evaluator.drawn() for surface in evaluator.mesh(node)["surfaces"]]
    width = max([rows.shape[1] for rows in maps if rows is not None], default=0)
    out = [np.full((count, width), np.nan) for count in counts]
    for into, rows in zip(out, maps):
        if rows is not None:
            into[:, : rows.shape[1]] = rows
    return np.concatenate([np.zeros((0, width)), *out])
