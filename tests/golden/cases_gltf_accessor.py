# SPDX-License-Identifier: MIT
"""Golden pairs of glTF accessors."""
from bases_gltf import triangle
from golden import case


@case("ACCESSOR_TOO_LONG", "gltf/accessor/too_long", at="/accessors/0", base=triangle)
def _(file):
    file.json["accessors"][0]["count"] = 4
