# SPDX-License-Identifier: MIT
"""Golden pairs of glTF cameras."""
from bases_visual import filmed, filmed_flat
from golden import case


def shape(file, kind="perspective"):
    return file.json["cameras"][0][kind]


@case("ONE_OF_MISMATCH", "gltf/camera/two_projections", at="/cameras/0", base=filmed)
def _(file):
    file.json["cameras"][0]["orthographic"] = {"xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 10}


@case("CAMERA_XMAG_YMAG_NEGATIVE", "gltf/camera/negative_magnification", at="/cameras/0/orthographic/ymag", base=filmed_flat)
def _(file):
    shape(file, "orthographic")["ymag"] = -1


@case("CAMERA_XMAG_YMAG_ZERO", "gltf/camera/zero_magnification", at="/cameras/0/orthographic/xmag", base=filmed_flat)
def _(file):
    shape(file, "orthographic")["xmag"] = 0


@case("CAMERA_YFOV_GEQUAL_PI", "gltf/camera/half_turn", at="/cameras/0/perspective", base=filmed)
def _(file):
    shape(file)["yfov"] = 45


@case("CAMERA_ZFAR_LEQUAL_ZNEAR", "gltf/camera/far_before_near", at="/cameras/0/perspective", base=filmed)
def _(file):
    shape(file)["zfar"] = 0.05


@case("VALUE_NOT_IN_RANGE", "gltf/camera/zero_angle", at="/cameras/0/perspective/yfov", base=filmed)
def _(file):
    shape(file)["yfov"] = 0


@case("UNDEFINED_PROPERTY", "gltf/camera/no_projection", at="/cameras/0", base=filmed)
def _(file):
    del file.json["cameras"][0]["perspective"]
