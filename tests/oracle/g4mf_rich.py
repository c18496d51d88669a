# SPDX-License-Identifier: MIT
"""A G4MF model with everything up to 2026-01 that later revisions store differently."""
import numpy as np

from g4mf_builder import Builder

EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
FACES = [3, 0, 1, 2, 3, 0, 4, 3, 3, 1, 5, 4, 3, 2, 3, 5]
UNIT = np.eye(4)


def rich(revision="2026-01"):
    built = Builder(4, revision)
    add = built.accessor
    random = np.random.default_rng(4)
    vertices = add("float32", [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1)])
    solid = {
        "simplexes": add("uint8", [(0, 1, 2, 3), (4, 1, 2, 3)]), "edges": add("int16", EDGES), "material": 0,
        "normals": add("float32", UNIT[[3] * 4 + [0] * 4]),
        "textureMap": add("float32", random.random((9, 3))),  # one more than there are corners
        "topology": {"geometry": [add("int32", FACES), add("uint8", [4, 0, 1, 2, 3])], "seams": add("uint8", [1, 2]),
                     "normals": add("float64", UNIT[:4]), "textureMap": add("float32", random.random((4, 3)))},
    }
    lines = {"edges": add("uint8", EDGES[:2]), "textureMap": add("float32", random.random((4, 2))), "material": 1}
    points = {"normals": add("float32", UNIT[[0, 1, 2, 3, 0]])}
    shape = {"name": "Bend", "position": built.target([4], [(0, 0, 0, 1)]),
             "normal": built.target([1, 3, 12, 16], random.random((4, 4))),  # the last two on points
             "textureMap": built.target([0, 7], random.random((2, 3))),
             "topologyNormal": built.target([2], random.random((1, 4)), kind="float64"),
             "topologyTextureMap": built.target([3], random.random((1, 3)))}
    mesh = built.mesh(vertices, [solid, lines, points], name="Body", blend={"shapes": [shape], "amounts": [0.5]})
    built.json["materials"] = [
        {"name": "Wood", "baseColor": {"factor": [1, 0, 0], "perSimplex": add("float32", random.random((2, 3)))},
         "emissive": {"texture": 0, "textureMap": add("float32", random.random((8, 2))),
                      "topologyTextureMap": add("float32", random.random((4, 2)))},
         "orm": {"perEdge": add("float32", random.random((6, 3)))}},
        {"normal": {"perVertex": add("float32", random.random((4, 3)))}},
    ]
    wood = {"uri": "https://example.org/wood.png", "mimeType": "image/png"}
    built.json["textures"] = [{"size": [2, 2], "placeholder": [1], "images": [wood]}, {"size": [2], "placeholder": [0], "images": [wood]}]
    built.json["models"] = [{"uri": "https://example.org/tree.g4b", "mimeType": "model/g4mf-binary"}]
    built.node(name="Root")
    built.node(0, name="Body0", mesh=mesh)
    lamp = {"type": "point", "range": 3}
    if revision == "2025-08":
        built.json["lights"] = [lamp]
        lamp = 0
    built.node(0, name="Lamp", light=lamp)
    built.node(0, name="Lamp2", light=lamp)
    built.node(0, name="Tree", **({"model": 0} if revision == "2025-08" else {"modelInstance": {"model": 0}}))
    return built
