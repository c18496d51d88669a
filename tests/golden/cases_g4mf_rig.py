# SPDX-License-Identifier: MIT
"""Golden pairs of G4MF blend shapes, skins, bones and skeletons."""
from bases_g4mf import UP, add, both, bound, data, drop, old, pair, put, tetrahedron



def repeat(file):
    """The same surface twice."""
    surfaces = file.json["meshes"][0]["blend"]["shapes"][0]["surfaces"]
    surfaces.append(dict(surfaces[0]))


def second(file):
    """Another surface."""
    file.json["meshes"][0]["surfaces"].append({"edges": file.json["meshes"][0]["surfaces"][0]["edges"]})


def skinned(groups=(0, 1, 0, 1, 1), vertices=(0, 0, 1, 2, 3), weights=(0.75, 0.25, 1, 1, 1)):
    """Another skin for the tetrahedron."""

    def edit(file):
        file.json["meshes"][0]["skin"] = {"groups": add(file, "uint8", groups), "vertices": add(file, "uint8", vertices),
                                          "weights": add(file, "float32", weights)}

    return edit


def named(*names):
    return put("/meshes/0/skin/groupNames", list(names))


def two_meshes(first, other):
    """A second skinned mesh below the same skeleton."""

    def edit(file):
        mesh = file.json["meshes"][0]
        file.json["meshes"].append({key: mesh[key] for key in ("vertices", "surfaces", "skin")})
        file.json["meshes"][1]["skin"] = dict(mesh["skin"], groupNames=list(other))
        mesh["skin"]["groupNames"] = list(first)
        file.json["nodes"].append({"name": "Coat", "meshInstance": {"mesh": 1}})
        file.json["nodes"][1]["children"].append(5)

    return edit


B = "/meshes/0/blend"
P = B + "/shapes/0/position"
H = B + "/shapes/0"
pair("BLEND_SHAPES_MISSING", "blend/shapes_missing", B, tetrahedron, both(drop(B + "/shapes"), drop("/nodes/4/meshInstance/blendAmounts")))
pair("BLEND_SHAPES_EMPTY", "blend/shapes_empty", B + "/shapes", tetrahedron,
     both(put(B, {"shapes": []}), drop("/nodes/4/meshInstance/blendAmounts")))
pair("BLEND_AMOUNTS_LENGTH", "blend/amounts_length", B + "/amounts", tetrahedron, put(B + "/amounts", [0, 0]))
pair("BLEND_AMOUNT_RANGE", "blend/amount_range", B + "/amounts/0", tetrahedron, put(B + "/amounts", [2]))
pair("BLEND_SHAPE_NO_NAME", "blend/shape_no_name", H, tetrahedron, drop(H + "/name"))
pair("BLEND_SHAPE_EMPTY", "blend/shape_empty", H, tetrahedron, put(H, {"name": "Still"}))
pair("BLEND_INDICES_MISSING", "blend/indices_missing", P, tetrahedron, drop(P + "/indices"))
pair("BLEND_INDICES_RANGE", "blend/indices_range", P + "/indices", tetrahedron, put(P + "/indices", 99))
pair("BLEND_INDICES_NOT_UNSIGNED", "blend/indices_not_unsigned", P + "/indices", tetrahedron, data(P + "/indices", "int8", (2, 3)))
pair("BLEND_INDICES_VECTOR_SIZE", "blend/indices_vector_size", P + "/indices", tetrahedron, data(P + "/indices", "uint8", (2, 3, 0, 1), 2))
pair("BLEND_INDEX_OUT_OF_RANGE", "blend/index_out_of_range", P + "/indices", tetrahedron, data(P + "/indices", "uint8", (2, 4)))
pair("BLEND_INDEX_DUPLICATE", "blend/index_duplicate", P + "/indices", tetrahedron, data(P + "/indices", "uint8", (2, 2)))
pair("BLEND_INDICES_NOT_ASCENDING", "blend/indices_not_ascending", P + "/indices", tetrahedron, data(P + "/indices", "uint8", (3, 2)))
pair("BLEND_OFFSETS_MISSING", "blend/offsets_missing", P, tetrahedron, drop(P + "/offsets"))
pair("BLEND_OFFSETS_RANGE", "blend/offsets_range", P + "/offsets", tetrahedron, put(P + "/offsets", 99))
pair("BLEND_OFFSETS_VECTOR_SIZE", "blend/offsets_vector_size", P + "/offsets", tetrahedron, data(P + "/offsets", "float32", (1,) * 6, 3))
pair("BLEND_OFFSETS_NOT_FLOAT", "blend/offsets_not_float", P + "/offsets", tetrahedron, data(P + "/offsets", "int16", (1,) * 8, 4))
pair("BLEND_OFFSETS_COUNT", "blend/offsets_count", P, tetrahedron, data(P + "/offsets", "float32", (1,) * 4, 4))
pair("BLEND_NORMAL_WITHOUT_NORMALS", "blend/normal_without_normals", H + "/normal", tetrahedron, drop("/meshes/0/surfaces/0/normals"))
pair("BLEND_TEXTURE_MAP_WITHOUT_MAP", "blend/texture_map_without_map", H + "/textureMap", tetrahedron, drop("/meshes/0/surfaces/0/textureMap"))
pair("BLEND_TEXTURE_MAP_MIXED_DIMENSIONS", "blend/texture_map_mixed_dimensions", H + "/textureMap", tetrahedron,
     data(H + "/textureMap/offsets", "float32", (1,) * 4, 2))
pair("BLEND_TOPOLOGY_WITHOUT_TOPOLOGY", "blend/topology_without_topology", H + "/topologyNormal", tetrahedron,
     both(drop("/meshes/0/surfaces/0/topology"), drop(H + "/topologyTextureMap"), data(H + "/topologyNormal/indices", "uint8", ()),
          data(H + "/topologyNormal/offsets", "float32", (), 4)))
pair("BLEND_NORMAL_CANCELS", "blend/normal_cancels", B, tetrahedron,
     data(H + "/normal/offsets", "float32", tuple(-x for x in UP) + (1, 0, 0, 0), 4))
F = H + "/surfaces"
pair("BLEND_SURFACES_EMPTY", "blend/surfaces_empty", F, bound, put(F, []))
pair("BLEND_SURFACES_TOO_MANY", "blend/surfaces_too_many", F, bound, repeat, also=("BLEND_SURFACE_INDEX_DUPLICATE",))
pair("BLEND_SURFACE_INDEX_MISSING", "blend/surface_index_missing", F + "/0", bound, drop(F + "/0/surface"))
pair("BLEND_SURFACE_INDEX_RANGE", "blend/surface_index_range", F + "/0/surface", bound, put(F + "/0/surface", 1))
pair("BLEND_SURFACE_INDEX_DUPLICATE", "blend/surface_index_duplicate", F + "/1/surface", bound, lambda file: (repeat(file), second(file)))
pair("BLEND_SURFACE_ENTRY_EMPTY", "blend/surface_entry_empty", F + "/0", bound, put(F + "/0", {"surface": 0}))

K = "/meshes/0/skin"
for name in ("groups", "vertices", "weights"):
    code, noun, at = f"SKIN_{name.upper()}", f"skin/{name}", f"{K}/{name}"
    pair(code + "_MISSING", noun + "_missing", K, tetrahedron, drop(at))
    pair(code + "_RANGE", noun + "_range", at, tetrahedron, put(at, 99))
    pair(code + "_VECTOR_SIZE", noun + "_vector_size", at, tetrahedron, data(at, "float32" if name == "weights" else "uint8", (0,) * 10, 2))
    if name == "weights":
        pair(code + "_NOT_FLOAT", noun + "_not_float", at, tetrahedron, data(at, "uint8", (1,) * 5))
    else:
        pair(code + "_NOT_UNSIGNED", noun + "_not_unsigned", at, tetrahedron, data(at, "int8", (0, 1, 0, 1, 1)))
pair("SKIN_COUNT_MISMATCH", "skin/count_mismatch", K, tetrahedron, data(K + "/weights", "float32", (1,) * 4))
pair("SKIN_VERTEX_OUT_OF_RANGE", "skin/vertex_out_of_range", K + "/vertices", tetrahedron, skinned(vertices=(0, 0, 1, 2, 4)))
pair("SKIN_VERTICES_NOT_ASCENDING", "skin/vertices_not_ascending", K + "/vertices", tetrahedron, skinned(vertices=(0, 0, 2, 1, 3)))
pair("SKIN_WEIGHTS_NOT_DESCENDING", "skin/weights_not_descending", K + "/weights", tetrahedron, skinned(weights=(0.25, 0.75, 1, 1, 1)))
pair("SKIN_WEIGHT_NOT_FINITE", "skin/weight_not_finite", K + "/weights", tetrahedron, skinned(weights=(0.75, 0.25, float("nan"), 1, 1)))
pair("SKIN_WEIGHT_NEGATIVE", "skin/weight_negative", K + "/weights", tetrahedron, skinned(weights=(1.25, -0.25, 1, 1, 1)))
pair("SKIN_WEIGHT_ZERO", "skin/weight_zero", K + "/weights", tetrahedron, skinned(weights=(1, 0, 1, 1, 1)))
pair("SKIN_WEIGHTS_SUM", "skin/weights_sum", K + "/weights", tetrahedron, skinned(weights=(0.75, 0.75, 1, 1, 1)))
pair("SKIN_WEIGHTS_SUM_ZERO", "skin/weights_sum_zero", K + "/weights", tetrahedron, skinned(weights=(0.75, 0.25, 0, 1, 1)))
pair("SKIN_GROUP_DUPLICATE", "skin/group_duplicate", K + "/groups", tetrahedron, skinned(groups=(0, 0, 0, 1, 1)))
pair("SKIN_GROUP_NOT_BOUND", "skin/group_not_bound", K + "/groups", tetrahedron, skinned(groups=(0, 1, 0, 1, 2)))
pair("SKIN_GROUP_NOT_NAMED", "skin/group_not_named", K + "/groups", tetrahedron, named("Upper"), good=named("Upper", "Lower"))
pair("SKIN_GROUP_NAME_EMPTY", "skin/group_name_empty", K + "/groupNames/1", tetrahedron, named("Upper", ""))
pair("SKIN_GROUP_NAME_DUPLICATE", "skin/group_name_duplicate", K + "/groupNames/1", tetrahedron, named("Upper", "Upper"))
pair("SKIN_GROUP_NAMES_MISMATCH", "skin/group_names_mismatch", "/meshes/1/skin/groupNames", tetrahedron,
     two_meshes(("Upper", "Lower"), ("Upper", "Under")), good=two_meshes(("Upper", "Lower"), ("Upper", "Lower")))
pair("SKIN_GROUP_NAMES_LENGTH", "skin/group_names_length", "/meshes/1/skin/groupNames", tetrahedron,
     two_meshes(("Upper", "Lower"), ("Upper", "Lower", "Tail")), good=two_meshes(("Upper", "Lower"), ("Upper", "Lower")))
pair("SKIN_GROUP_NAME_BONE_MISMATCH", "skin/group_name_bone_mismatch", K + "/groupNames", tetrahedron, named("Upper", "Under"),
     good=named("Upper", "Lower"))
pair("SKIN_GROUP_NAMES_REDUNDANT", "skin/group_names_redundant", K + "/groupNames", tetrahedron, named("Upper", "Lower"))
pair("SKIN_GROUP_NAMES_UNDETERMINED", "skin/group_names_undetermined", K, tetrahedron, drop("/nodes/3/name"))
pair("SKIN_WITHOUT_SKELETON", "skin/without_skeleton", "/nodes/4", tetrahedron,
     both(put("/nodes/1/children", [2]), put("/nodes/0/children", [1, 4])))
pair("SKIN_EMPTY", "skin/empty", K, tetrahedron, skinned((), (), ()))
pair("SKIN_VERTEX_NOT_SKINNED", "skin/vertex_not_skinned", K + "/vertices", tetrahedron,
     skinned((0, 1, 0, 1), (0, 0, 1, 2), (0.75, 0.25, 1, 1)))

pair("BONE_LENGTH_NEGATIVE", "bone/length_negative_2025_08", "/nodes/3/boneLength", old, put("/nodes/3/boneLength", -2),
     also=("SKELETON_JOINT_NOT_BONE_2025_08", "SKELETON_JOINT_CHAIN_BROKEN"))
pair("BONE_LENGTH_DEFAULT_WRITTEN", "bone/length_default_written", "/nodes/4/boneLength", old, put("/nodes/4/boneLength", -1),
     also=("NODE_COMPONENTS_EXCLUSIVE_2025_08",))
pair("BONE_OBJECT_LENGTH_NEGATIVE", "bone/length_negative", "/nodes/3/bone/length", tetrahedron, put("/nodes/3/bone/length", -1))
pair("BONE_MASS_NEGATIVE", "bone/mass_negative", "/nodes/3/bone/mass", tetrahedron, put("/nodes/3/bone/mass", -1))


def heavy(total):
    """Bones of two kilograms in a body."""

    def edit(file):
        nodes = file.json["nodes"]
        nodes.append({"name": "Figure", "physics": {"motion": {"type": "dynamic", "mass": total}}, "children": [1]})
        nodes[0]["children"] = [5]
        nodes[2]["bone"]["mass"] = nodes[3]["bone"]["mass"] = 1

    return edit


pair("BONE_MASS_TOTAL", "bone/mass_total", "/nodes/2/bone/mass", tetrahedron, heavy(5), good=heavy(2))
pair("BONE_SHAPE_RANGE", "bone/shape_range", "/nodes/3/bone/shape", tetrahedron, put("/nodes/3/bone/shape", 0),
     good=both(put("/nodes/3/bone/shape", 0), put("/shapes", [{"size": [1]}])))
pair("BONE_SHAPE_WITHOUT_LENGTH", "bone/shape_without_length", "/nodes/3/bone", tetrahedron,
     both(put("/nodes/3/bone", {"shape": 0}), put("/shapes", [{"size": [1]}])))


def aside(parent):
    """A third bone below a node that is not a bone."""

    def edit(file):
        nodes = file.json["nodes"]
        nodes += [{"name": "Socket", "children": [6]}, {"name": "Loose", "boneLength" if "boneLength" in nodes[2] else "bone": parent[1]}]
        nodes[parent[0]].setdefault("children", []).append(5)

    return edit


pair("BONE_PARENT", "bone/parent", "/nodes/6/bone", tetrahedron, aside((3, {"length": 1})))
pair("BONE_NO_SKELETON", "bone/no_skeleton", "/nodes/6/bone", tetrahedron, aside((0, {"length": 1})), also=("BONE_PARENT",))
pair("BONE_CHAIN_BROKEN", "bone/chain_broken", "/nodes/6/boneLength", old, aside((3, 1)))
FLAT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
pair("BONE_SINGULAR", "bone/singular", "/nodes/3", tetrahedron, put("/nodes/3/basis", FLAT))

def empty_skeleton(file):
    file.json["nodes"].append({"name": "Bare", "skeleton": {}})
    file.json["nodes"][0]["children"].append(5)


J = "/nodes/1/skeleton/joints"
pair("SKELETON_NOT_OBJECT", "skeleton/not_object", "/nodes/1/skeleton", tetrahedron, put("/nodes/1/skeleton", 1),
     also=("BONE_PARENT", "BONE_NO_SKELETON"))
pair("SKELETON_IS_BONE", "skeleton/is_bone", "/nodes/1/skeleton", tetrahedron, put("/nodes/1/bone", {}), also=("NODE_COMPONENTS_EXCLUSIVE",))
pair("SKELETON_NO_BONES", "skeleton/no_bones", "/nodes/5/skeleton", tetrahedron, empty_skeleton)
pair("SKELETON_NO_JOINTS", "skeleton/no_joints", "/nodes/1/skeleton", tetrahedron, put("/nodes/1/skeleton", {}))
pair("SKELETON_JOINT_RANGE", "skeleton/joint_range", J + "/1", tetrahedron, put(J, [2, 99]))
pair("SKELETON_JOINT_BELOW_MINUS_ONE", "skeleton/joint_below_minus_one", J + "/1", tetrahedron, put(J, [2, -2]))
pair("SKELETON_JOINT_NOT_BONE", "skeleton/joint_not_bone", J + "/1", tetrahedron, drop("/nodes/3/bone"), also=("SKELETON_JOINT_CHAIN_BROKEN",))
pair("SKELETON_JOINT_NOT_BONE_2025_08", "skeleton/joint_not_bone_2025_08", J + "/1", old, drop("/nodes/3/boneLength"),
     also=("SKELETON_JOINT_CHAIN_BROKEN",))
pair("SKELETON_JOINT_NOT_DESCENDANT", "skeleton/joint_not_descendant", J + "/1", tetrahedron, put(J, [2, 0]),
     also=("SKELETON_JOINT_NOT_BONE", "SKELETON_JOINTS_NOT_INCREASING", "SKELETON_ROOT_BONE_NOT_FIRST_JOINT"))


def socket(file):
    """A joint after a node that is not a bone."""
    aside((3, {"length": 1}))(file)
    file.json["nodes"][1]["skeleton"]["joints"] = [2, 3, 6]


def reversed_bones(file):
    """Node 3 is the parent of node 2."""
    nodes = file.json["nodes"]
    nodes[2], nodes[3] = nodes[3], nodes[2]
    nodes[3]["children"] = [2]
    nodes[1]["children"] = [3, 4]


pair("SKELETON_JOINT_CHAIN_BROKEN", "skeleton/joint_chain_broken", J + "/2", tetrahedron, socket, also=("BONE_PARENT",))
pair("SKELETON_JOINTS_NOT_INCREASING", "skeleton/joints_not_increasing", J, tetrahedron, put(J, [3, 2]),
     also=("SKELETON_JOINT_PARENT_AFTER_CHILD", "SKELETON_ROOT_BONE_NOT_FIRST_JOINT"))
pair("SKELETON_JOINT_PARENT_AFTER_CHILD", "skeleton/joint_parent_after_child", J, tetrahedron, reversed_bones,
     also=("SKELETON_ROOT_BONE_NOT_FIRST_JOINT",))
pair("SKELETON_JOINT_REPEATED", "skeleton/joint_repeated", J, tetrahedron, put(J, [2, 2, 3]))
pair("SKELETON_JOINT_PLACEHOLDER", "skeleton/joint_placeholder", J, tetrahedron, put(J, [2, -1, 3]))
pair("SKELETON_ROOT_BONE_NOT_FIRST_CHILD", "skeleton/root_bone_not_first_child", "/nodes/1/skeleton", tetrahedron,
     put("/nodes/1/children", [4, 2]))
pair("SKELETON_ROOT_BONE_NOT_FIRST_JOINT", "skeleton/root_bone_not_first_joint", J, tetrahedron, reversed_bones,
     also=("SKELETON_JOINT_PARENT_AFTER_CHILD",))
pair("SKELETON_JOINT_UNUSED", "skeleton/joint_unused", J + "/1", tetrahedron, skinned(groups=(0, 2, 0, 0, 0)))
