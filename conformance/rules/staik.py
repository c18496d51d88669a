# SPDX-License-Identifier: MIT
"""The extension STAIK_skeletons."""
import numpy as np

from registry import rule
from rig import BIND, TILTED, Z, columns, moved, quat, skinned

NAME = "STAIK_skeletons"


def staik(bind=None, **options):
    """The strip, its joints marked as one skeleton; a clip bends it, since the bind pose may be that of the scene."""
    rig = skinned(bind=bind, skin={"skeleton": 1, "extensions": {NAME: {"skeleton_owner": 0}}}, **options)
    for node in (1, 2, 3):
        rig.json["nodes"][node]["extensions"] = {NAME: {"skeleton": 0}}
    rig.json["extensions"] = {NAME: {"skeletons": [{"root": 1, "joints": [1, 2, 3]}]}}
    rig.json["extensionsUsed"] = [NAME]
    return rig.clip((2, "rotation", [0, 1], [quat(TILTED, 50), quat(Z, 90)]))


AT = [(None, 0.0), (0, 0.5), (0, 1.0)]


def default_bind(**options):
    rig = staik(**options)
    rig.json["extensions"][NAME]["skeletons"][0]["inverseBindMatrices"] = rig.accessor(np.array([columns(moved(0, 0, i)) for i in range(3)], "<f4"))
    return rig


rule("staik/own_matrices", "A skin with inverse bind matrices uses its own.", "staik", AT)(lambda: staik(BIND))
rule("staik/bound_by_the_scene", "A skin without inverse bind matrices is bound by the transforms of the nodes.", "staik", AT)(staik)
rule("staik/own_matrices_over_default", "Own inverse bind matrices win over those of the skeleton.", "staik", AT)(lambda: default_bind(bind=BIND))
rule("staik/default_is_no_bind", "The skeleton's default bind pose does not bind a skin.", "staik", AT)(default_bind)
rule("staik/parent_of_the_root", "The parent of the root moves the skin, and is no part of its bind pose.", "staik", AT)(
    lambda: staik().above(translation=[0, 0, 2], rotation=quat(Z, 40)))
rule("staik/parent_with_own_matrices", "The parent of the root moves a skin with own matrices as well.", "staik", AT)(
    lambda: staik(BIND).above(translation=[0, 0, 2], scale=[2, 2, 2]))
rule("staik/own_transform_ignored", "The transform of the skinned node is ignored.", "staik", AT)(lambda: staik(body={"translation": [3, 0, 0]}))


@rule("staik/other_order", "A skin has the joints of the skeleton in another order.", "staik", AT)
def other_order():
    rig = staik()
    rig.json["skins"][0]["joints"] = [3, 1, 2]
    return rig
