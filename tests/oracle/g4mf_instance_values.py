# SPDX-License-Identifier: MIT
"""Values of the corners of G4MF surfaces in any revision: arrays along the instances, or bindings."""
import numpy as np

from g4mf_oracle import Document, first


class InstanceDocument(Document):
    def numbers(self, index):
        """An accessor of whole numbers."""
        return np.array(self.column(index), int)


def boundary(dimension):
    """Returns the dimension of the mesh's boundary."""
    return 2 if dimension < 4 else dimension - 1


def topology_counts(document, surface):
    """How many vertices each boundary item has, all of them different."""
    tiers = surface.get("topology", {}).get("geometry") or surface.get("geometry") or []
    edges = document.accessor(surface["edges"]).astype(int)
    below = [list(edge) for edge in edges]
    for tier in tiers[: boundary(document.json["asset"]["dimension"]) - 1]:
        words, items, at = document.numbers(tier), [], 0
        while at < len(words):
            parts = words[at + 1 : at + 1 + words[at]]
            items.append(list(dict.fromkeys(v for part in parts for v in below[part])))
            at += 1 + words[at]
        below = items
    return [len(item) for item in below]


def corner_count(document, mesh, surface):
    elements = first(surface, "simplexes", "cells", "edges")
    return len(document.accessor(mesh["vertices"])) if elements is None else document.accessor(elements).size


def rows_of(document, surface, binding, instances):
    """Returns the rows of a binding's values by corner, or by topology vertex instance; None if there are none."""
    if instances:
        wanted = boundary(document.json["asset"]["dimension"])
        for entry in binding.get("geometry", []):
            if entry["geometryDimension"] == wanted and entry.get("decomposeDimension", 0) == 0 and "geometry" in surface:
                words, rows, at = document.numbers(entry["accessor"]), [], 0
                while at < len(words):
                    rows += list(words[at + 1 : at + 1 + words[at]])
                    at += 1 + words[at]
                return np.array(rows, int)
        return None
    if "simplexes" in binding:
        return document.accessor(binding["simplexes"]).astype(int).ravel()
    if "perSimplex" in binding:
        width = document.accessor(surface["simplexes"]).shape[1]
        return np.repeat(document.numbers(binding["perSimplex"]), width)
    wanted = 1 if "edges" in surface else 0
    for entry in binding.get("geometry", []):
        if "simplexes" not in surface and entry["geometryDimension"] == wanted and entry.get("decomposeDimension", 0) == 0:
            return document.accessor(entry["accessor"]).astype(int).ravel()
    return None


def values(document, mesh, number, name, instances=False, amounts=()):
    """`normals` or `textureMap` of a surface's corners (or topology instances), blended but not normalised; None where there are none."""
    surface = mesh["surfaces"][number]
    holder = surface.get("topology", {}) if instances and not isinstance(surface.get(name), dict) else surface
    stored = holder.get(name)
    if stored is None:
        return None
    targets = {"normals": "normal", "textureMap": "textureMap"}[name]
    if isinstance(stored, dict):
        rows = rows_of(document, surface, stored, instances)
        if rows is None:
            return None
        base = document.accessor(stored["values"]).astype(float).copy()
        for amount, shape in zip(amounts, mesh["blend"]["shapes"]):
            for part in shape.get("surfaces", []):
                if part["surface"] == number and targets in part:
                    target = part[targets]
                    np.add.at(base, document.numbers(target["indices"]), amount * document.accessor(target["offsets"]))
        return base[rows]
    counts = [
        (sum(topology_counts(document, other)) if "topology" in other else 0) if instances else corner_count(document, mesh, other)
        for other in mesh["surfaces"]
    ]
    begin = sum(counts[:number])
    base = document.accessor(stored).astype(float)[: counts[number]].copy()
    if instances:
        targets = "topology" + targets[0].upper() + targets[1:]
    for amount, shape in zip(amounts, mesh.get("blend", {}).get("shapes", [])):
        if targets not in shape:
            continue
        offsets = document.accessor(shape[targets]["offsets"])
        for index, offset in zip(document.numbers(shape[targets]["indices"]), offsets):
            if begin <= index < begin + counts[number]:
                base[index - begin] += amount * offset
    return base
