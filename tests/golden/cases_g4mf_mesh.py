# SPDX-License-Identifier: MIT
"""Golden pairs of G4MF meshes, surfaces, bindings and topology."""
import itertools

from bases_g4mf import EDGES, FACES, MAP, TETRAHEDRON, UP, add, both, bound, data, drop, pair, put, start, tetrahedron

S = "/meshes/0/surfaces/0"
T = S + "/topology"

pair("MESH_VERTICES_MISSING", "mesh/vertices_missing", "/meshes/0", tetrahedron, drop("/meshes/0/vertices"))
pair("MESH_VERTICES_RANGE", "mesh/vertices_range", "/meshes/0/vertices", tetrahedron, put("/meshes/0/vertices", 99))


def points(kind="float32", width=4):
    """A point cloud."""

    def make():
        file = start(4, "2026-01")
        file.json["meshes"] = [{"vertices": add(file, kind, (1,) * 2 * width, width), "surfaces": [{}]}]
        file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Cloud", "meshInstance": {"mesh": 0}}]
        return file

    return make


cloud = points()
pair("MESH_VERTICES_NOT_FLOAT", "mesh/vertices_not_float", "/meshes/0/vertices", cloud, data("/meshes/0/vertices", "int16", (1,) * 8, 4))
pair("MESH_VERTICES_VECTOR_SIZE", "mesh/vertices_vector_size", "/meshes/0/vertices", cloud, data("/meshes/0/vertices", "float32", (1,) * 6, 3))
pair("MESH_SURFACES_MISSING", "mesh/surfaces_missing", "/meshes/0", cloud, drop("/meshes/0/surfaces"))
pair("MESH_SURFACES_EMPTY", "mesh/surfaces_empty", "/meshes/0/surfaces", cloud, put("/meshes/0/surfaces", []))
pair("MESH_SURFACES_EQUAL", "mesh/surfaces_equal", "/meshes/0/surfaces", cloud, put("/meshes/0/surfaces", [{}, {}]))
pair("MESH_UNUSED", "mesh/unused", "/meshes/0", cloud, drop("/nodes/1/meshInstance"))


def plain():
    """The tetrahedron with simplexes and edges alone."""
    file = start(4, "2026-01")
    vertices, simplexes = add(file, "float32", TETRAHEDRON, 4), add(file, "uint8", (0, 1, 2, 3), 4)
    file.json["meshes"] = [{"vertices": vertices, "surfaces": [{"simplexes": simplexes, "edges": add(file, "uint8", EDGES, 2)}]}]
    file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Body", "meshInstance": {"mesh": 0}}]
    return file


def line():
    """One dimension: two points and an edge."""
    file = start(1, "2026-01")
    vertices = add(file, "float32", (0, 1))
    file.json["meshes"] = [{"vertices": vertices, "surfaces": [{"edges": add(file, "uint8", (0, 1), 2)}]}]
    file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Line", "meshInstance": {"mesh": 0}}]
    return file


def polytope(second):
    """Two tetrahedra around vertex 0, one beside the other."""

    def edit(file):
        vertices = TETRAHEDRON + (-1, 0, 0, 0)
        file.json["meshes"][0]["vertices"] = add(file, "float32", vertices, 4)
        surface = file.json["meshes"][0]["surfaces"][0]
        surface.update(simplexes=add(file, "uint8", (0, 1, 2, 3) + second, 4), polytopeSimplexes=True)

    return edit


pair("SURFACE_SIMPLEXES_RANGE", "surface/simplexes_range", S + "/simplexes", plain, put(S + "/simplexes", 99))
pair("SURFACE_SIMPLEXES_NOT_INTEGER", "surface/simplexes_not_integer", S + "/simplexes", plain,
     data(S + "/simplexes", "float32", (0, 1, 2, 3), 4))
pair("SURFACE_SIMPLEXES_VECTOR_SIZE", "surface/simplexes_vector_size", S + "/simplexes", plain, data(S + "/simplexes", "uint8", (0, 1, 2), 3))
pair("SURFACE_SIMPLEXES_INDEX_RANGE", "surface/simplexes_index_range", S + "/simplexes", plain,
     data(S + "/simplexes", "uint8", (0, 1, 2, 4), 4))
pair("SURFACE_SIMPLEXES_DIMENSION", "surface/simplexes_dimension", S + "/simplexes", line, data(S + "/simplexes", "uint8", (0, 1), 2))
pair("SURFACE_SIMPLEX_DEGENERATE", "surface/simplex_degenerate", S + "/simplexes", plain, data(S + "/simplexes", "uint8", (0, 1, 2, 2), 4))
pair("SURFACE_EDGES_RANGE", "surface/edges_range", S + "/edges", plain, put(S + "/edges", 99))
pair("SURFACE_EDGES_NOT_INTEGER", "surface/edges_not_integer", S + "/edges", plain, data(S + "/edges", "float32", (0, 1), 2))
pair("SURFACE_EDGES_VECTOR_SIZE", "surface/edges_vector_size", S + "/edges", plain, data(S + "/edges", "uint8", (0, 1, 2), 3))
pair("SURFACE_EDGES_INDEX_RANGE", "surface/edges_index_range", S + "/edges", plain, data(S + "/edges", "int8", (0, -1), 2))
pair("SURFACE_EDGE_DEGENERATE", "surface/edge_degenerate", S + "/edges", plain, data(S + "/edges", "uint8", (0, 1, 2, 2), 2))
pair("SURFACE_MATERIAL_RANGE", "surface/material_range", S + "/material", tetrahedron, put(S + "/material", 1))
pair("SURFACE_NORMALS_RANGE", "surface/normals_range", S + "/normals", tetrahedron, put(S + "/normals", 99))
pair("SURFACE_NORMALS_NOT_FLOAT", "surface/normals_not_float", S + "/normals", tetrahedron, data(S + "/normals", "uint8", UP * 4, 4))
pair("SURFACE_NORMALS_VECTOR_SIZE", "surface/normals_vector_size", S + "/normals", tetrahedron, data(S + "/normals", "float32", (0, 0, 1) * 4, 3))
pair("SURFACE_NORMALS_COUNT", "surface/normals_count", S + "/normals", tetrahedron, data(S + "/normals", "float32", UP * 5, 4))
pair("SURFACE_NORMALS_NOT_UNIT", "surface/normals_not_unit", S + "/normals", tetrahedron,
     data(S + "/normals", "float32", UP * 3 + (0, 0, 0, 2), 4))
pair("SURFACE_TEXTURE_MAP_RANGE", "surface/texture_map_range", S + "/textureMap", tetrahedron, put(S + "/textureMap", 99))
pair("SURFACE_TEXTURE_MAP_NOT_FLOAT", "surface/texture_map_not_float", S + "/textureMap", tetrahedron, data(S + "/textureMap", "uint8", MAP, 3))
pair("SURFACE_TEXTURE_MAP_VECTOR_SIZE", "surface/texture_map_vector_size", S + "/textureMap", tetrahedron,
     both(data(S + "/textureMap", "float32", MAP[:8], 2), drop("/meshes/0/blend/shapes/0/textureMap")))
pair("SURFACE_TEXTURE_MAP_COUNT", "surface/texture_map_count", S + "/textureMap", tetrahedron, data(S + "/textureMap", "float32", MAP[:9], 3))
pair("SURFACE_TEXTURE_MAP_DIMENSION", "surface/texture_map_dimension", S + "/textureMap", plain, data(S + "/textureMap", "float32", MAP[:8], 2),
     good=data(S + "/textureMap", "float32", MAP, 3))
pair("SURFACE_TEXTURE_TRANSFORM", "surface/texture_transform", S + "/textureMap", tetrahedron,
     both(put("/asset/extensionsUsed", ["EXAMPLE_texture_transform"]), put(S + "/extensions", {"EXAMPLE_texture_transform": {}})))
pair("SURFACE_POLYTOPE_WITHOUT_SIMPLEXES", "surface/polytope_without_simplexes", S + "/polytopeSimplexes", plain,
     both(drop(S + "/simplexes"), put(S + "/polytopeSimplexes", True)))
pair("SURFACE_POLYTOPE_ORIENTATION", "surface/polytope_orientation", S + "/polytopeSimplexes", plain, polytope((0, 2, 3, 4)),
     good=polytope((0, 2, 4, 3)))
N = S + "/normals"
M = S + "/textureMap"
pair("SURFACE_NORMALS_BINDING", "surface/normals_binding", N + "/values", bound,
     both(data(N + "/values", "float32", (0, 0, 1), 3), drop("/meshes/0/blend")))
pair("SURFACE_NORMALS_BINDING_NOT_UNIT", "surface/normals_binding_not_unit", N + "/values", bound,
     data(N + "/values", "float32", (0, 0, 0, 2), 4))
pair("SURFACE_TEXTURE_MAP_BINDING", "surface/texture_map_binding", M + "/values", bound, data(M + "/values", "float32", (0, 0), 2))

pair("BINDING_VALUES_MISSING", "binding/values_missing", N, bound, drop(N + "/values"))
pair("BINDING_SIMPLEXES_ACCESSOR", "binding/simplexes_accessor", N + "/simplexes", bound, data(N + "/simplexes", "uint8", (0,) * 8, 4))
pair("BINDING_PER_SIMPLEX_ACCESSOR", "binding/per_simplex_accessor", M + "/perSimplex", bound, data(M + "/perSimplex", "uint8", (0, 0)))
pair("BINDING_INDEX_RANGE", "binding/index_range", N + "/simplexes", bound, data(N + "/simplexes", "uint8", (0, 0, 0, 1), 4))
pair("BINDING_SIMPLEXES_MISSING", "binding/simplexes_missing", M, bound,
     both(drop(S + "/simplexes"), drop(N + "/simplexes"), put("/meshes/0/surfaces/0/name", "Cell")))
pair("BINDING_EMPTY", "binding/empty", M, bound, drop(M + "/perSimplex"))
pair("BINDING_GEOMETRY_DIMENSION", "binding/geometry_dimension", N + "/geometry/0/geometryDimension", bound,
     put(N + "/geometry/0/geometryDimension", 4))
pair("BINDING_DECOMPOSE_DIMENSION", "binding/decompose_dimension", N + "/geometry/0/decomposeDimension", bound,
     put(N + "/geometry/0/decomposeDimension", 4))
pair("BINDING_GEOMETRY_STREAM", "binding/geometry_stream", N + "/geometry/0/accessor", bound,
     data(N + "/geometry/0/accessor", "uint8", (3, 0, 0, 0)))

pair("TOPOLOGY_GEOMETRY_MISSING", "topology/geometry_missing", T, tetrahedron,
     both(put(T, {}), drop("/meshes/0/blend/shapes/0/topologyNormal"), drop("/meshes/0/blend/shapes/0/topologyTextureMap")))
pair("TOPOLOGY_GEOMETRY_EMPTY", "topology/geometry_empty", T + "/geometry", tetrahedron,
     both(put(T, {"geometry": []}), drop("/meshes/0/blend/shapes/0/topologyNormal"), drop("/meshes/0/blend/shapes/0/topologyTextureMap")))
pair("TOPOLOGY_GEOMETRY_RANGE", "topology/geometry_range", T + "/geometry/0", tetrahedron, put(T + "/geometry/0", 99))
pair("TOPOLOGY_WITHOUT_EDGES", "topology/without_edges", S + "/geometry", bound, drop(S + "/edges"),
     also=("TOPOLOGY_GEOMETRY_INDEX_RANGE", "SURFACE_SEAMS_WITHOUT_EDGES"))
pair("TOPOLOGY_GEOMETRY_NOT_INTEGER", "topology/geometry_not_integer", T + "/geometry/0", tetrahedron,
     data(T + "/geometry/0", "float32", FACES))
pair("TOPOLOGY_GEOMETRY_NOT_UNSIGNED", "topology/geometry_not_unsigned", S + "/geometry/0", bound, data(S + "/geometry/0", "int8", FACES))


def solid(faces, cell=(4, 0, 1, 2, 3), vertices=TETRAHEDRON, edges=EDGES):
    """Replaces the topology of the plain tetrahedron."""

    def edit(file):
        file.json["meshes"][0]["vertices"] = add(file, "float32", vertices, 4)
        surface = file.json["meshes"][0]["surfaces"][0]
        surface["edges"] = add(file, "uint8", edges, 2)
        surface["topology"] = {"geometry": [add(file, "uint8", faces), add(file, "uint8", cell)]}

    return edit


def repeat(file):
    tiers = file.json["meshes"][0]["surfaces"][0]["topology"]["geometry"]
    tiers[1] = tiers[0]


def prism(w):
    """A prism over a triangle, whose last two corners lie in another hyperplane if w is not 0: every face stays flat."""
    vertices = (0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, w)
    edges = (0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 0, 3, 1, 4, 2, 5)
    faces = [(0, 1, 2), (0, 7, 3, 6), (3, 4, 5), (1, 8, 4, 7), (2, 6, 5, 8)]
    if w:  # the two faces that would bend are cut along a diagonal
        edges += (1, 5, 0, 5)
        faces[3:] = [(1, 8, 9), (9, 4, 7), (2, 10, 8), (10, 5, 6)]
    stream = tuple(number for face in faces for number in (len(face), *face))
    return solid(stream, (len(faces), *range(len(faces))), vertices, edges)


TIERS = T + "/geometry"
good = solid(FACES)
pair("TOPOLOGY_GEOMETRY_DUPLICATE", "topology/geometry_duplicate", TIERS, plain, both(good, repeat), good,
     also=("TOPOLOGY_GEOMETRY_INDEX_RANGE",))


pair("TOPOLOGY_GEOMETRY_COUNT", "topology/geometry_count", TIERS, plain, both(good, drop(TIERS + "/1")), good)
pair("TOPOLOGY_GEOMETRY_TRUNCATED", "topology/geometry_truncated", TIERS + "/0", plain, solid(FACES[:-1]), good)
pair("TOPOLOGY_GEOMETRY_INDEX_RANGE", "topology/geometry_index_range", TIERS + "/0", plain, solid(FACES[:-1] + (6,)), good)
pair("TOPOLOGY_ITEM_TOO_SMALL", "topology/item_too_small", TIERS + "/1", plain, solid(FACES, (3, 0, 1, 2)), good,
     also=("TOPOLOGY_CELL_NOT_CLOSED",))
# Edges 0-1, 1-2, 2-0, 0-3, 1-3, 2-3; a fifth vertex stands above the base.
SQUARE = (0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)
SQUARE_EDGES = (0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 1, 4, 2, 4, 3, 4)
PYRAMID = (4, 0, 1, 2, 3, 3, 0, 5, 4, 3, 1, 6, 5, 3, 2, 7, 6, 3, 3, 4, 7)
pyramid = solid(PYRAMID, (5, 0, 1, 2, 3, 4), SQUARE, SQUARE_EDGES)
pair("TOPOLOGY_FACE_FIRST_EDGES", "topology/face_first_edges", TIERS + "/0", plain,
     solid((4, 0, 2, 1, 3) + PYRAMID[5:], (5, 0, 1, 2, 3, 4), SQUARE, SQUARE_EDGES), pyramid)
pair("TOPOLOGY_FACE_NOT_LOOP", "topology/face_not_loop", TIERS + "/0", plain,
     solid((4, 0, 1, 3, 2) + PYRAMID[5:], (5, 0, 1, 2, 3, 4), SQUARE, SQUARE_EDGES), pyramid)
pair("TOPOLOGY_FACE_NOT_PLANAR", "topology/face_not_planar", TIERS + "/0", plain,
     solid(PYRAMID, (5, 0, 1, 2, 3, 4), SQUARE[:12] + (0, 1, 0.25, 0) + SQUARE[16:], SQUARE_EDGES), pyramid)
pair("TOPOLOGY_CELL_FIRST_FACES", "topology/cell_first_faces", TIERS + "/1", plain,
     solid(PYRAMID, (5, 1, 3, 0, 2, 4), SQUARE, SQUARE_EDGES), pyramid)
pair("TOPOLOGY_CELL_NOT_FLAT", "topology/cell_not_flat", TIERS + "/1", plain,
     prism(1), good=prism(0))
pair("TOPOLOGY_CELL_NOT_CLOSED", "topology/cell_not_closed", TIERS + "/1", plain, solid(FACES, (4, 0, 1, 2, 0)), good)


def five(cells):
    """5D: a simplex of four dimensions, whose boundary is five tetrahedra."""
    def make():
        file = start(5, "2026-01")
        points = [0] * 5 + [1 if c == i else 0 for i in range(4) for c in range(5)]
        edges = list(itertools.combinations(range(5), 2))
        faces = list(itertools.combinations(range(5), 3))
        solids = list(itertools.combinations(range(5), 4))

        def face_edges(a, b, c):
            return [edges.index((a, b)), edges.index((b, c)), edges.index((a, c))]

        tiers = [
            [n for face in faces for n in (3, *face_edges(*face))],
            [n for solid in solids for n in (4, *(faces.index(face) for face in itertools.combinations(solid, 3)))],
            [len(cells), *cells],
        ]
        vertices = add(file, "float32", points, 5)
        surface = {"edges": add(file, "uint8", [n for edge in edges for n in edge], 2)}
        surface["topology"] = {"geometry": [add(file, "uint8", tier) for tier in tiers]}
        file.json["meshes"] = [{"vertices": vertices, "surfaces": [surface]}]
        file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Body", "meshInstance": {"mesh": 0}}]
        return file

    return make


def take(other):
    """Takes over all of another base."""

    def edit(file):
        file.json, file.blob = other().json, other().blob

    return edit


whole = five([0, 1, 2, 3, 4])
pair("TOPOLOGY_HIGHER_NOT_CLOSED", "topology/higher_not_closed", TIERS + "/2", whole, take(five([0, 1, 2, 3, 3])))


def apart(file):
    """Adds a sixth tetrahedron that shares nothing with the first one, and lists it second."""
    surface = file.json["meshes"][0]["surfaces"][0]
    far = [c + 9 for c in (0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0)]
    points = [0] * 5 + [1 if c == i else 0 for i in range(4) for c in range(5)]
    file.json["meshes"][0]["vertices"] = add(file, "float32", points + far, 5)
    take_edges = [n for a in range(5) for b in range(a + 1, 5) for n in (a, b)]
    surface["edges"] = add(file, "uint8", take_edges + [n + 5 for n in EDGES], 2)
    stream = file.json["bufferViews"][file.json["accessors"][surface["topology"]["geometry"][0]]["bufferView"]]
    old_faces = list(file.blob[stream["byteOffset"]:stream["byteOffset"] + stream["byteLength"]])
    new_faces = [n for i in range(0, 16, 4) for n in (3, *(e + 10 for e in FACES[i + 1:i + 4]))]
    stream = file.json["bufferViews"][file.json["accessors"][surface["topology"]["geometry"][1]]["bufferView"]]
    old_cells = list(file.blob[stream["byteOffset"]:stream["byteOffset"] + stream["byteLength"]])
    surface["topology"]["geometry"] = [add(file, "uint8", old_faces + new_faces), add(file, "uint8", old_cells + [4, 10, 11, 12, 13]),
                                       add(file, "uint8", [6, 0, 5, 1, 2, 3, 4])]


pair("TOPOLOGY_HIGHER_FIRST_ITEMS", "topology/higher_first_items", TIERS + "/2", whole, apart, also=("TOPOLOGY_HIGHER_NOT_CLOSED",))


def triangle(edges):
    """3D: a triangle as a face of three edges."""

    def make():
        file = start(3, "2026-01")
        vertices = add(file, "float32", (0, 0, 0, 1, 0, 0, 0, 1, 0), 3)
        surface = {"edges": add(file, "uint8", edges, 2), "topology": {"geometry": [add(file, "uint8", (3, 0, 1, 2))]}}
        file.json["meshes"] = [{"vertices": vertices, "surfaces": [surface]}]
        file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Body", "meshInstance": {"mesh": 0}}]
        return file

    return make


pair("TOPOLOGY_INSTANCE_ORDER_AMBIGUOUS", "topology/instance_order_ambiguous", TIERS + "/0", triangle((0, 1, 1, 2, 2, 0)),
     take(triangle((1, 0, 1, 2, 2, 0))))
pair("TOPOLOGY_NORMALS_RANGE", "topology/normals_range", T + "/normals", tetrahedron, put(T + "/normals", 99))
pair("TOPOLOGY_NORMALS_NOT_FLOAT", "topology/normals_not_float", T + "/normals", tetrahedron, data(T + "/normals", "uint8", UP * 4, 4))
pair("TOPOLOGY_NORMALS_VECTOR_SIZE", "topology/normals_vector_size", T + "/normals", tetrahedron, data(T + "/normals", "float32", (0, 0, 1) * 4, 3))
pair("TOPOLOGY_NORMALS_COUNT", "topology/normals_count", T + "/normals", tetrahedron, data(T + "/normals", "float32", UP * 3, 4))
pair("TOPOLOGY_TEXTURE_MAP_RANGE", "topology/texture_map_range", T + "/textureMap", tetrahedron, put(T + "/textureMap", 99))
pair("TOPOLOGY_TEXTURE_MAP_NOT_FLOAT", "topology/texture_map_not_float", T + "/textureMap", tetrahedron, data(T + "/textureMap", "uint8", MAP, 3))
pair("TOPOLOGY_TEXTURE_MAP_VECTOR_SIZE", "topology/texture_map_vector_size", T + "/textureMap", tetrahedron,
     both(data(T + "/textureMap", "float32", MAP[:8], 2), drop("/meshes/0/blend/shapes/0/topologyTextureMap")))
pair("TOPOLOGY_TEXTURE_MAP_COUNT", "topology/texture_map_count", T + "/textureMap", tetrahedron, data(T + "/textureMap", "float32", MAP[:9], 3))
pair("TOPOLOGY_SEAMS_RANGE", "topology/seams_range", T + "/seams", tetrahedron, put(T + "/seams", 99))
pair("TOPOLOGY_SEAMS_NOT_UNSIGNED", "topology/seams_not_unsigned", T + "/seams", tetrahedron, data(T + "/seams", "int8", (0, 2)))
pair("TOPOLOGY_SEAMS_VECTOR_SIZE", "topology/seams_vector_size", T + "/seams", tetrahedron, data(T + "/seams", "uint8", (0, 2), 2))
pair("TOPOLOGY_SEAMS_INDEX_RANGE", "topology/seams_index_range", T + "/seams", tetrahedron, data(T + "/seams", "uint8", (0, 4)))
pair("TOPOLOGY_SEAMS_NOT_ASCENDING", "topology/seams_not_ascending", T + "/seams", tetrahedron, data(T + "/seams", "uint8", (2, 0)))


def seamed(file):
    """A point cloud of 2026-07 whose seams have no edges to be among."""
    file.json["asset"]["version"] = "2026-07"
    file.json["meshes"][0]["surfaces"][0]["seams"] = add(file, "uint8", ())


pair("SURFACE_SEAMS_WITHOUT_EDGES", "topology/seams_without_edges", S + "/seams", cloud, seamed)
