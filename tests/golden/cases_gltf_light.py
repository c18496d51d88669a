# SPDX-License-Identifier: MIT
"""Golden pairs of KHR_lights_punctual."""
from bases_visual import lit
from golden import case

LIGHT = "/extensions/KHR_lights_punctual/lights/0"
SPOT = {"type": "spot", "spot": {"innerConeAngle": 0.25}}


def light(file):
    return file.json["extensions"]["KHR_lights_punctual"]["lights"][0]


@case("EXTRA_PROPERTY", "gltf/light/range_of_sun", at=LIGHT + "/range", base=lit({"type": "directional"}))
def _(file):
    light(file)["range"] = 10


@case("UNDEFINED_PROPERTY", "gltf/light/no_spot", at=LIGHT, base=lit(SPOT))
def _(file):
    del light(file)["spot"]


@case("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", "gltf/light/spot_angles", at=LIGHT + "/spot/outerConeAngle", base=lit(SPOT))
def _(file):
    light(file)["spot"] = {"innerConeAngle": 1}


@case(
    "UNSATISFIED_DEPENDENCY",
    "gltf/light/no_lights",
    at="/nodes/0/extensions/KHR_lights_punctual",
    base=lit(),
)
def _(file):
    del file.json["extensions"]
