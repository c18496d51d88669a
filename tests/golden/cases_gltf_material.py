# SPDX-License-Identifier: MIT
"""Golden pairs of glTF materials, their extensions, and the primitives that have them."""
from bases_visual import extended, extension, material, primitive, seen
from golden import case

MATERIAL = "/materials/0"
PRIMITIVE = "/meshes/0/primitives/0"


def place(name, below=""):
    return f"{MATERIAL}/extensions/KHR_materials_{name}{below}"


def extended_by(name, value=None):
    return extended("KHR_materials_" + name, value)


@case("MATERIAL_ALPHA_CUTOFF_INVALID_MODE", "gltf/material/cutoff_without_mask", at=MATERIAL + "/alphaCutoff", base=seen)
def _(file):
    material(file)["alphaCutoff"] = 0.25


@case("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", "gltf/material/too_few_texcoords", at=PRIMITIVE + "/material", base=seen)
def _(file):
    material(file)["normalTexture"]["texCoord"] = 1


def transformed(texture_coordinates):
    def edit(file):
        file.json["extensionsUsed"] = ["KHR_texture_transform"]
        transform = {"scale": [2, 2], "texCoord": texture_coordinates}
        material(file)["normalTexture"]["extensions"] = {"KHR_texture_transform": transform}

    return edit


@case("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", "gltf/material/transform_texcoord", at=PRIMITIVE + "/material", base=seen, good=transformed(0))
def _(file):
    transformed(1)(file)


@case(
    "MESH_PRIMITIVE_NO_TANGENT_SPACE",
    "gltf/material/no_tangent_space",
    at=PRIMITIVE + "/material",
    base=extended_by("anisotropy", {"anisotropyTexture": {"index": 0}}),
)
def _(file):
    del material(file)["normalTexture"]
    del primitive(file)["attributes"]["TANGENT"]


@case("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", "gltf/material/generated_tangent_space", at=PRIMITIVE + "/material", base=seen)
def _(file):
    del primitive(file)["attributes"]["TANGENT"]


@case("UNUSED_MESH_TANGENT", "gltf/material/unused_tangents", at=PRIMITIVE + "/attributes/TANGENT", base=seen)
def _(file):
    material(file)["occlusionTexture"] = material(file).pop("normalTexture")


@case("UNUSED_OBJECT", "gltf/material/unused_texcoords", at=PRIMITIVE + "/attributes/TEXCOORD_0", base=seen)
def _(file):
    del primitive(file)["material"], file.json["materials"], file.json["textures"], file.json["images"]


@case("MULTIPLE_EXTENSIONS", "gltf/material/unlit_and_more", at=place("unlit"), base=extended_by("unlit"))
def _(file):
    file.json["extensionsUsed"].append("KHR_materials_ior")
    material(file)["extensions"]["KHR_materials_ior"] = {}


@case(
    "KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD",
    "gltf/material/anisotropy_texcoord",
    at=place("anisotropy", "/anisotropyTexture"),
    base=extended_by("anisotropy", {"anisotropyTexture": {"index": 0}}),
    also=["MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"],
)
def _(file):
    extension(file)["anisotropyTexture"] = {"index": 0, "texCoord": 1}


@case(
    "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD",
    "gltf/material/clearcoat_texcoord",
    at=place("clearcoat", "/clearcoatNormalTexture"),
    base=extended_by("clearcoat", {"clearcoatNormalTexture": {"index": 0}}),
    also=["MESH_PRIMITIVE_TOO_FEW_TEXCOORDS"],
)
def _(file):
    extension(file)["clearcoatNormalTexture"] = {"index": 0, "texCoord": 1}


def volume(file):
    file.json["extensionsUsed"] += ["KHR_materials_volume", "KHR_materials_transmission"]
    material(file)["extensions"] |= {"KHR_materials_volume": {"thicknessFactor": 1}, "KHR_materials_transmission": {}}


@case(
    "KHR_MATERIALS_DISPERSION_NO_VOLUME",
    "gltf/material/dispersion_without_volume",
    at=place("dispersion"),
    base=extended_by("dispersion", {"dispersion": 0.1}),
    good=volume,
)
def _(file):
    pass


@case(
    "KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR",
    "gltf/material/strength_of_nothing",
    at=place("emissive_strength"),
    base=extended_by("emissive_strength"),
)
def _(file):
    extension(file)["emissiveStrength"] = 2


@case(
    "KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE",
    "gltf/material/iridescence_minimum",
    at=place("iridescence", "/iridescenceThicknessMinimum"),
    base=extended_by("iridescence"),
)
def _(file):
    extension(file)["iridescenceThicknessMinimum"] = 200


@case(
    "KHR_MATERIALS_IRIDESCENCE_THICKNESS_TEXTURE_UNUSED",
    "gltf/material/iridescence_texture",
    at=place("iridescence", "/iridescenceThicknessTexture"),
    base=extended_by("iridescence", {"iridescenceThicknessTexture": {"index": 0}}),
)
def _(file):
    extension(file)["iridescenceThicknessMinimum"] = 400


@case("VALUE_NOT_IN_RANGE", "gltf/material/ior", at=place("ior", "/ior"), base=extended_by("ior", {"ior": 0}))
def _(file):
    extension(file)["ior"] = 0.5


def transmitting(file):
    file.json["extensionsUsed"].append("KHR_materials_transmission")
    material(file)["extensions"]["KHR_materials_transmission"] = {}


@case(
    "KHR_MATERIALS_VOLUME_NO_TRANSMISSION",
    "gltf/material/volume_without_light",
    at=place("volume"),
    base=extended_by("volume", {"thicknessFactor": 1}),
    good=transmitting,
)
def _(file):
    pass


@case(
    "KHR_MATERIALS_VOLUME_DOUBLE_SIDED",
    "gltf/material/double_sided_volume",
    at=place("volume"),
    base=extended_by("volume", {"thicknessFactor": 1}),
    good=transmitting,
)
def _(file):
    transmitting(file)
    material(file)["doubleSided"] = True


def variants(*mappings):
    def edit(file):
        file.json["extensionsUsed"] = ["KHR_materials_variants"]
        file.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": "new"}, {"name": "worn"}]}}
        mapped = [{"material": 0, "variants": list(numbers)} for numbers in mappings]
        primitive(file)["extensions"] = {"KHR_materials_variants": {"mappings": mapped}}

    return edit


@case(
    "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT",
    "gltf/material/variant_twice",
    at=PRIMITIVE + "/extensions/KHR_materials_variants/mappings/1/variants/1",
    base=seen,
    good=variants([0], [1]),
)
def _(file):
    variants([0], [1, 0])(file)
