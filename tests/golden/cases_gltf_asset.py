# SPDX-License-Identifier: MIT
"""Golden pairs of the asset object."""
from bases_gltf import triangle
from golden import case


@case("UNKNOWN_ASSET_MAJOR_VERSION", "gltf/asset/major_version", at="/asset/version", base=triangle)
def _(file):
    file.json["asset"]["version"] = "3.0"


@case("UNKNOWN_ASSET_MINOR_VERSION", "gltf/asset/minor_version", at="/asset/version", base=triangle)
def _(file):
    file.json["asset"]["version"] = "2.1"


@case("ASSET_MIN_VERSION_GREATER_THAN_VERSION", "gltf/asset/min_version", at="/asset/minVersion", base=triangle)
def _(file):
    file.json["asset"]["minVersion"] = "2.1"


@case("PATTERN_MISMATCH", "gltf/asset/version_form", at="/asset/version", base=triangle)
def _(file):
    file.json["asset"]["version"] = "2"


@case("UNDEFINED_PROPERTY", "gltf/asset/no_version", at="/asset", base=triangle)
def _(file):
    del file.json["asset"]["version"]


@case("GLTF_VERSION_FORM", "gltf/asset/version_zeros", at="/asset/version", base=triangle)
def _(file):
    file.json["asset"]["version"] = "2.00"
