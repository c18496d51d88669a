# SPDX-License-Identifier: MIT
"""Golden pairs of G4MF items, the asset, file references, nodes, mesh instances, materials, textures and model instances."""
from bases_g4mf import add, add_view, both, bound, data, drop, empty, old, pair, put, tetrahedron
from bases_visual import png, uri

FILE = {"uri": "house.g4tf", "mimeType": "model/g4mf+json"}


def new():
    """A file of 2026-07 with little in it."""
    file = empty("2026-07")
    file.json["files"] = [dict(FILE)]
    return file


def two_nodes():
    file = empty()
    file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Other"}]
    return file


def old_nodes():
    file = empty("2025-08")
    file.json["nodes"] = [{"name": "Root", "children": [1]}, {"name": "Other", "boneLength": -1}]
    file.json["nodes"][1] = {"name": "Other", "children": [2], "skeleton": {}}
    file.json["nodes"].append({"name": "Bone", "boneLength": 1})
    return file


def extended():
    file = empty()
    file.json["asset"]["extensionsUsed"] = ["EXAMPLE_glow"]
    file.json["nodes"][0]["extensions"] = {"EXAMPLE_glow": {}}
    return file


def modelled():
    file = two_nodes()
    file.json["models"] = [dict(FILE)]
    file.json["nodes"][1]["modelInstance"] = {"model": 0}
    return file


def instanced():
    file = new()
    file.json["nodes"][0]["modelInstance"] = {"file": 0}
    return file


def renamed(name):
    return put("/nodes/1/name", name)


pair("DUPLICATE_ARRAY_ITEMS", "item/duplicate_array_items", "/models/1", modelled, lambda file: file.json["models"].append(dict(FILE)))
pair("NAME_NOT_UNIQUE", "item/name_not_unique", "/nodes/1/name", two_nodes, renamed("Root"))
pair("NAME_FORBIDDEN_CHARACTER", "item/name_forbidden_character", "/nodes/1/name", two_nodes, renamed("Left.Arm"))
pair("NAME_FORBIDDEN_CHARACTER_2026_07", "item/name_forbidden_character_2026_07", "/nodes/0/name", new, put("/nodes/0/name", "Root#1"))
pair("NAME_CONTROL_CHARACTER", "item/name_control_character", "/nodes/1/name", two_nodes, renamed("Left\tArm"))
pair("NAME_PUNCTUATION", "item/name_punctuation", "/nodes/1/name", two_nodes, renamed("Arm!"))
pair("NODE_NAME_NOT_PASCAL_CASE", "node/name_not_pascal_case", "/nodes/1/name", two_nodes, renamed("leftArm"))
pair("EXTENSION_NAME_FORMAT", "item/extension_name_format", "/nodes/0/extensions", extended,
     both(put("/nodes/0/extensions", {"glow": {}}), put("/asset/extensionsUsed", ["glow"])))
pair("EXTENSION_VALUE_NOT_OBJECT", "item/extension_value_not_object", "/nodes/0/extensions/EXAMPLE_glow", extended,
     put("/nodes/0/extensions/EXAMPLE_glow", 1))
pair("EXTRAS_NOT_OBJECT", "item/extras_not_object", "/nodes/0/extras", empty, put("/nodes/0/extras", [1]), good=put("/nodes/0/extras", {}))
pair("ID_NOT_INTEGER", "item/id_not_integer", "/nodes/0/children/0", two_nodes, put("/nodes/0/children/0", 1.5))
pair("ID_NEGATIVE", "item/id_negative", "/meshes/0/vertices", tetrahedron, put("/meshes/0/vertices", -1))
pair("ID_OUT_OF_RANGE", "item/id_out_of_range", "/shapes/0/heights", tetrahedron,
     put("/shapes", [{"type": "heightmap", "heights": 99}]), good=put("/shapes", [{"type": "heightmap", "heights": 0}]))
pair("ID_PLACEHOLDER_NOT_ALLOWED", "item/id_placeholder_not_allowed", "/nodes/0/children/0", two_nodes, put("/nodes/0/children/0", -1))

pair("FILE_REF_NO_MIME_TYPE", "file/no_mime_type", "/models/0", modelled, drop("/models/0/mimeType"))
pair("FILE_REF_NO_SOURCE", "file/no_source", "/models/0", modelled, drop("/models/0/uri"))
pair("FILE_REF_TWO_SOURCES", "file/two_sources", "/models/0", tetrahedron,
     lambda file: file.json.update(models=[{**FILE, "bufferView": add_view(file, b"{}")}]),
     good=lambda file: file.json.update(models=[{"mimeType": "model/g4mf+json", "bufferView": add_view(file, b"{}")}]))
pair("FILE_REF_BUFFER_VIEW", "file/buffer_view", "/models/0/bufferView", modelled,
     put("/models/0", {"mimeType": "model/g4mf+json", "bufferView": 3}))
pair("FILE_REF_FILE_NAME_CASE", "file/file_name_case", "/models/0/uri", modelled, put("/models/0/uri", "My House.g4tf"))
pair("FILE_REF_ITEM_NAME", "file/item_name", "/models/0/name", modelled, put("/models/0/name", "castle"), good=put("/models/0/name", "house"))

pair("ASSET_MISSING", "asset/missing", "/", empty, drop("/asset"))
pair("ASSET_DIMENSION_MISSING", "asset/dimension_missing", "/asset", empty, drop("/asset/dimension"))
pair("ASSET_DIMENSION_NOT_INTEGER", "asset/dimension_not_integer", "/asset/dimension", empty, put("/asset/dimension", 3.5))
pair("ASSET_DIMENSION_NEGATIVE", "asset/dimension_negative", "/asset/dimension", empty, put("/asset/dimension", -3))
pair("ASSET_DIMENSION_UNSUPPORTED", "asset/dimension_unsupported", "/asset/dimension", empty, put("/asset/dimension", 1000))
pair("ASSET_EXTENSION_REQUIRED_UNSUPPORTED", "asset/extension_required_unsupported", "/asset/extensionsRequired/0", extended,
     put("/asset/extensionsRequired", ["EXAMPLE_glow"]))
pair("ASSET_EXTENSION_REQUIRED_NOT_USED", "asset/extension_required_not_used", "/asset/extensionsRequired/0", extended,
     put("/asset/extensionsRequired", ["EXAMPLE_shine"]), also=("ASSET_EXTENSION_REQUIRED_UNSUPPORTED",))
pair("ASSET_EXTENSION_NOT_DECLARED", "asset/extension_not_declared", "/nodes/0/extensions/EXAMPLE_glow", extended, drop("/asset/extensionsUsed"))
pair("ASSET_EXTENSION_DECLARED_NOT_FOUND", "asset/extension_declared_not_found", "/asset/extensionsUsed/0", extended,
     drop("/nodes/0/extensions"))
pair("ASSET_EXTENSION_DEPENDENCY_NOT_USED", "asset/extension_dependency_not_used", "/asset/extensionDependencies/EXAMPLE_shine", extended,
     put("/asset/extensionDependencies", {"EXAMPLE_shine": ["EXAMPLE_glow"]}),
     good=put("/asset/extensionDependencies", {"EXAMPLE_glow": ["EXAMPLE_shine"]}))
pair("ASSET_EXTENSION_DEPENDENCY_UNSUPPORTED", "asset/extension_dependency_unsupported", "/asset/extensionDependencies/EXAMPLE_glow",
     extended, put("/asset/extensionDependencies", {"EXAMPLE_glow": ["EXAMPLE_shine"]}))
pair("ASSET_GENERATOR_MISSING", "asset/generator_missing", "/asset", empty, drop("/asset/generator"))
pair("ASSET_GENERATOR_WITHOUT_VERSION", "asset/generator_without_version", "/asset/generator", empty, put("/asset/generator", "Golden"))
pair("ASSET_VERSION_MISSING", "asset/version_missing", "/asset", empty, drop("/asset/version"))
THUMBNAIL = put("/asset/thumbnail", 0)
pair("ASSET_THUMBNAIL_RANGE", "asset/thumbnail_range", "/asset/thumbnail", bound, put("/asset/thumbnail", 7))
pair("ASSET_THUMBNAIL_NOT_2D", "asset/thumbnail_not_2d", "/asset/thumbnail", bound, THUMBNAIL,
     good=both(put("/asset/thumbnail", 1),
               lambda file: file.json["textures"].append({"size": [64, 64], "placeholder": [0, 0, 0], "files": [0]})))


def three_nodes():
    file = two_nodes()
    file.json["nodes"] += [{"name": "Third"}]
    file.json["nodes"][0]["children"] = [1, 2]
    return file


ROTOR = [1, 0, 0, 0, 0, 0, 0, 0]
pair("NODE_ROOT_TRANSFORM", "node/root_transform", "/nodes/0", two_nodes, put("/nodes/0/position", [0, 0, 0, 1]))
pair("NODE_ROOT_IS_CHILD", "node/root_is_child", "/nodes/1/children/0", two_nodes, put("/nodes/1/children", [0]))
pair("NODE_CHILD_RANGE", "node/child_range", "/nodes/0/children/0", two_nodes, put("/nodes/0/children/0", 2))
pair("NODE_CHILD_DUPLICATE", "node/child_duplicate", "/nodes/0/children/1", two_nodes, put("/nodes/0/children", [1, 1]))
pair("NODE_TWO_PARENTS", "node/two_parents", "/nodes/1/children/0", three_nodes, put("/nodes/1/children", [2]))
pair("NODE_CYCLE", "node/cycle", "/nodes/1", three_nodes,
     both(put("/nodes/0/children", []), put("/nodes/1/children", [2]), put("/nodes/2/children", [1])))
pair("NODE_CHILDREN_EMPTY", "node/children_empty", "/nodes/1/children", two_nodes, put("/nodes/1/children", []))
pair("NODE_UNREACHABLE", "node/unreachable", "/nodes/1", two_nodes, drop("/nodes/0/children"))
pair("NODE_POSITION_LENGTH", "node/position_length", "/nodes/1/position", two_nodes, put("/nodes/1/position", [0, 0, 1]))
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
pair("NODE_BASIS_LENGTH", "node/basis_length", "/nodes/1/basis", two_nodes, put("/nodes/1/basis", IDENTITY[:9]))
pair("NODE_BASIS_SINGULAR", "node/basis_singular", "/nodes/1/basis", two_nodes, put("/nodes/1/basis", IDENTITY[:15] + [0]),
     good=put("/nodes/1/basis", IDENTITY))
pair("NODE_BASIS_WITH_ROTOR", "node/basis_with_rotor", "/nodes/1", two_nodes,
     both(put("/nodes/1/basis", IDENTITY), put("/nodes/1/rotor", ROTOR)))
pair("NODE_BASIS_WITH_SCALE", "node/basis_with_scale", "/nodes/1", two_nodes,
     both(put("/nodes/1/basis", IDENTITY), put("/nodes/1/scale", [2])))
pair("NODE_ROTOR_LENGTH", "node/rotor_length", "/nodes/1/rotor", two_nodes, put("/nodes/1/rotor", [1, 0, 0, 0]),
     good=put("/nodes/1/rotor", ROTOR))
pair("NODE_ROTOR_RANGE", "node/rotor_range", "/nodes/1/rotor/0", two_nodes, put("/nodes/1/rotor", [2] + ROTOR[1:]))
pair("NODE_ROTOR_NOT_UNIT", "node/rotor_not_unit", "/nodes/1/rotor", two_nodes, put("/nodes/1/rotor", [0.5] + ROTOR[1:]))
pair("NODE_ROTOR_ZERO", "node/rotor_zero", "/nodes/1/rotor", two_nodes, put("/nodes/1/rotor", [0] * 8))
pair("NODE_ROTOR_NOT_ROTATION", "node/rotor_not_rotation", "/nodes/1/rotor", two_nodes,
     put("/nodes/1/rotor", [0.8, 0.6, 0, 0, 0, 0, 0, 0.6]), also=())


def seven(rotor):
    def edit(file):
        file.json["asset"]["dimension"] = 7
        file.json["nodes"][1]["rotor"] = rotor

    return edit


pair("NODE_ROTOR_PREFER_BASIS", "node/rotor_prefer_basis", "/nodes/1/rotor", two_nodes, seven([0, 0.6, 0.8] + [0] * 19),
     good=seven([0.6, 0.8] + [0] * 20))
pair("NODE_SCALE_LENGTH", "node/scale_length", "/nodes/1/scale", two_nodes, put("/nodes/1/scale", [1, 2]))
pair("NODE_SCALE_NOT_POSITIVE", "node/scale_not_positive", "/nodes/1/scale/0", two_nodes, put("/nodes/1/scale", [-1]))
CAMERA = {"type": "perspective"}
pair("NODE_COMPONENTS_EXCLUSIVE", "node/components_exclusive", "/nodes/1", two_nodes,
     lambda file: file.json["nodes"][1].update(camera=CAMERA, light={"type": "point"}), good=put("/nodes/1/camera", CAMERA))
pair("NODE_COMPONENTS_EXCLUSIVE_2025_08", "node/components_exclusive_2025_08", "/nodes/2", old_nodes, put("/nodes/2/camera", CAMERA))
pair("NODE_COMPONENT_NOT_OBJECT", "node/component_not_object", "/nodes/1/camera", two_nodes, put("/nodes/1/camera", 0))
pair("NODE_LIGHT_INDEX", "node/light_index", "/nodes/1/light", modelled,
     both(drop("/nodes/1/modelInstance"), put("/nodes/0/modelInstance", {"model": 0}), put("/nodes/1/light", 0),
          put("/lights", [{"type": "point"}])))
pair("NODE_LIGHT_RANGE", "node/light_range", "/nodes/1/light", two_nodes, both(put("/nodes/1/light", 1), put("/lights", [{"type": "point"}])),
     good=both(put("/nodes/1/light", 0), put("/lights", [{"type": "point"}])))


def on_top(file):
    file.json["nodes"] += [{"name": "Body2", "meshInstance": {"mesh": 0}, "children": [6]}, {"name": "Hat"}]
    file.json["nodes"][0]["children"] = [1, 5]


pair("NODE_MESH_ON_TOP", "node/mesh_on_top", "/nodes/5", tetrahedron, on_top)
pair("NODE_VISIBLE_NOT_BOOLEAN", "node/visible_not_boolean", "/nodes/1/visible", two_nodes, put("/nodes/1/visible", 0))

BODY = "/nodes/4/meshInstance"
pair("MESH_INSTANCE_MESH_MISSING", "instance/mesh_missing", BODY, tetrahedron, drop(BODY + "/mesh"))
pair("MESH_INSTANCE_MESH_RANGE", "instance/mesh_range", BODY + "/mesh", tetrahedron, put(BODY + "/mesh", 1))
pair("NODE_MESH_RANGE", "instance/mesh_range_2025_08", "/nodes/4/mesh", old, put("/nodes/4/mesh", 1))
pair("MESH_INSTANCE_BLEND_AMOUNTS_LENGTH", "instance/blend_amounts_length", BODY + "/blendAmounts", tetrahedron,
     put(BODY + "/blendAmounts", [0, 0]))
pair("MESH_INSTANCE_BLEND_AMOUNTS_NO_BLEND", "instance/blend_amounts_no_blend", BODY + "/blendAmounts", tetrahedron, drop("/meshes/0/blend"),
     good=both(drop("/meshes/0/blend"), drop(BODY + "/blendAmounts")))
pair("MESH_INSTANCE_BLEND_AMOUNT_RANGE", "instance/blend_amount_range", BODY + "/blendAmounts/0", tetrahedron, put(BODY + "/blendAmounts", [2]))
pair("MESH_INSTANCE_MATERIALS_EMPTY", "instance/materials_empty", BODY + "/materials", tetrahedron, put(BODY + "/materials", []))
pair("MESH_INSTANCE_MATERIALS_LENGTH", "instance/materials_length", BODY + "/materials", tetrahedron, put(BODY + "/materials", [0, 0]))
pair("MESH_INSTANCE_MATERIAL_RANGE", "instance/material_range", BODY + "/materials/0", tetrahedron, put(BODY + "/materials", [1]))

COLOR = "/materials/0/baseColor"
for name, values in (("perSimplex", 1), ("perEdge", 6), ("perVertex", 4)):
    code = {"perSimplex": "PER_SIMPLEX", "perEdge": "PER_EDGE", "perVertex": "PER_VERTEX"}[name]
    good = data(f"{COLOR}/{name}", "float32", (1, 1, 1) * values, 3)
    noun = f"material/{code.lower()}"
    pair(f"CHANNEL_{code}_RANGE", noun + "_range", f"{COLOR}/{name}", tetrahedron, put(f"{COLOR}/{name}", 99), good)
    pair(f"CHANNEL_{code}_NOT_FLOAT", noun + "_not_float", f"{COLOR}/{name}", tetrahedron,
         data(f"{COLOR}/{name}", "uint8", (1, 1, 1) * values, 3), good)
    pair(f"CHANNEL_{code}_COUNT", noun + "_count", f"{COLOR}/{name}", tetrahedron,
         data(f"{COLOR}/{name}", "float32", (1, 1, 1) * (values - 1), 3), good)
pair("CHANNEL_TEXTURE_RANGE", "material/texture_range", COLOR + "/texture", tetrahedron, put(COLOR + "/texture", 1))
good = data(COLOR + "/textureMap", "float32", (0, 0, 1) * 4, 3)
pair("CHANNEL_TEXTURE_MAP_RANGE", "material/texture_map_range", COLOR + "/textureMap", tetrahedron, put(COLOR + "/textureMap", 99), good)
pair("CHANNEL_TEXTURE_MAP_NOT_FLOAT", "material/texture_map_not_float", COLOR + "/textureMap", tetrahedron,
     data(COLOR + "/textureMap", "uint8", (0, 0, 1) * 4, 3), good)
pair("CHANNEL_TEXTURE_MAP_VECTOR_SIZE", "material/texture_map_vector_size", COLOR + "/textureMap", tetrahedron,
     data(COLOR + "/textureMap", "float32", (0, 1) * 4, 2), good)
pair("CHANNEL_TEXTURE_MAP_COUNT", "material/texture_map_count", COLOR + "/textureMap", tetrahedron,
     data(COLOR + "/textureMap", "float32", (0, 0, 1) * 3, 3), good)
pair("CHANNEL_TOPOLOGY_TEXTURE_MAP", "material/topology_texture_map", COLOR + "/topologyTextureMap", tetrahedron,
     data(COLOR + "/topologyTextureMap", "float32", (0, 0, 1) * 3, 3), good=data(COLOR + "/topologyTextureMap", "float32", (0, 0, 1) * 4, 3))
pair("CHANNEL_ELEMENT_MAP", "material/element_map", COLOR + "/elementMap/values", bound, put(COLOR + "/elementMap/values", 99))
pair("CHANNEL_FACTOR_RANGE", "material/factor_range", COLOR + "/factor/0", tetrahedron, put(COLOR + "/factor/0", 2))
pair("MATERIAL_UNUSED", "material/unused", "/materials/1", tetrahedron, lambda file: file.json["materials"].append({"name": "Other"}))

pair("TEXTURE_SIZE", "texture/size", "/textures/0/size", tetrahedron, put("/textures/0/size", [2, 0, 2]))
pair("TEXTURE_SIZE_POWER_OF_TWO", "texture/size_power_of_two", "/textures/0/size", tetrahedron, put("/textures/0/size", [3, 3, 3]))
pair("TEXTURE_PLACEHOLDER", "texture/placeholder", "/textures/0/placeholder", tetrahedron, put("/textures/0/placeholder", []))
pair("TEXTURE_PLACEHOLDER_RANGE", "texture/placeholder_range", "/textures/0/placeholder/0", tetrahedron,
     put("/textures/0/placeholder/0", 255))
IMAGE = [{"uri": "volume.png", "mimeType": "image/png"}]
pair("TEXTURE_FILE_NAME", "texture/file_name", "/textures/0/name", tetrahedron,
     lambda file: file.json["textures"][0].update(images=IMAGE, name="other"),
     good=lambda file: file.json["textures"][0].update(images=IMAGE, name="volume"))


def images(*sizes):
    """A texture of 2 by 2 by 2 whose images have these widths and heights."""
    return lambda file: file.json["textures"][0].update(
        images=[{"uri": uri(png(width, height)), "mimeType": "image/png"} for width, height in sizes])


pair("TEXTURE_IMAGES_INSUFFICIENT", "texture/images_insufficient", "/textures/0", tetrahedron, images((2, 2)), good=images((2, 2), (2, 2)))
pair("TEXTURE_IMAGE_NOT_MULTIPLE", "texture/image_not_multiple", "/textures/0", tetrahedron, images((4, 3)), good=images((2, 4)))
pair("TEXTURE_WRAP_LENGTH", "texture/wrap_length", "/textures/0/sampler/wrap", tetrahedron,
     put("/textures/0/sampler/wrap", ["clamp", "clamp"]))
pair("TEXTURE_SAMPLER_VALUE", "texture/sampler_value", "/textures/0/sampler", tetrahedron, put("/textures/0/sampler/minFilter", "cubic"))
pair("TEXTURE_FILES_RANGE", "texture/files_range", "/textures/0/files/0", bound, put("/textures/0/files", [1]))

pair("MODEL_INSTANCE_MODEL_RANGE", "model/model_range", "/nodes/1/modelInstance/model", modelled, put("/nodes/1/modelInstance/model", 1))
pair("MODEL_INSTANCE_FILE_RANGE", "model/file_range", "/nodes/0/modelInstance/file", instanced,
     put("/nodes/0/modelInstance/file", 1))
pair("NODE_MODEL_RANGE", "model/model_range_2025_08", "/nodes/1/model", two_nodes,
     both(put("/nodes/1/model", 1), put("/models", [dict(FILE)])), good=both(put("/nodes/1/model", 0), put("/models", [dict(FILE)])))

