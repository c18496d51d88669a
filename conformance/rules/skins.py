# SPDX-License-Identifier: MIT
"""Joint matrices, and the places of skins among nodes."""
from functools import partial

import numpy as np

from registry import rule
from rig import BIND, JOINTS, POINTS, TILTED, WEIGHTS, X, Z, Rig, moved, quat, skinned, slots

MATRIX = [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 0.5, 0, 0.1, 0.6, 0.3, 1]  # a turn about Z with a scale, then a translation
SHEAR = [1, 0, 0, 0, 0.4, 1, 0, 0, 0, 0.2, 1, 0, 0.1, 0.6, 0, 1]


def linear(*rows):
    matrix = np.eye(4)
    matrix[:3, :3] = rows
    return matrix


# Inverse bind matrices.

rule("skins/no_inverse_bind_matrices", "Without inverse bind matrices each is the identity.", "bind")(partial(skinned, bind=None))
for name, shape in (("rotated", linear((0, -1, 0), (1, 0, 0), (0, 0, 1))), ("scaled", np.diag([2, 0.5, 1.5, 1])),
                    ("mirrored", np.diag([-1, 1, 1, 1])), ("sheared", linear((1, 0.5, 0), (0, 1, 0), (0.2, 0, 1)))):
    rule(f"skins/inverse_bind_{name}", f"Inverse bind matrices may be {name}: a bind shape is multiplied in.", "bind")(
        partial(skinned, bind=[matrix @ shape for matrix in BIND]))
rule("skins/inverse_bind_per_joint", "Each joint has an inverse bind matrix of its own, unrelated to the pose of the nodes.", "bind")(
    partial(skinned, bind=[BIND[0], moved(0.3, 0, 0) @ linear((0, -1, 0), (1, 0, 0), (0, 0, 1)), moved(0, 0, 0.5)]))
rule("skins/more_matrices_than_joints", "Further inverse bind matrices are not used.", "bind")(partial(skinned, bind=[*BIND, np.diag([3, 3, 3, 1])]))

# The skinned node's own transform.

for name, body in (("translated", {"translation": [1, 2, 3]}), ("rotated", {"rotation": quat(TILTED, 70)}), ("scaled", {"scale": [2, 0.5, 3]}),
                   ("mirrored", {"scale": [-1, 1, 1]}), ("matrix", {"matrix": MATRIX})):
    rule(f"skins/own_transform_{name}", f"The skinned node is {name}; its transform is ignored." if name != "matrix" else "The skinned node has a matrix, which is ignored.", "own")(partial(skinned, body=body))
rule("skins/own_scale_zero", "The skinned node has the scale 0; its transform is ignored.", "own")(partial(skinned, body={"scale": [0, 0, 0]}))


@rule("skins/own_parent_ignored", "The parents of the skinned node are ignored as well.", "own")
def own_parent():
    rig = skinned()
    rig.json["scenes"][0]["nodes"] = [1, rig.node(translation=[3, 0, 0], scale=[2, 2, 2], children=[0])]
    return rig


@rule("skins/node_below_a_joint", "The skinned node is a child of a joint and still is moved once.", "own")
def below_a_joint():
    rig = skinned()
    rig.json["nodes"][2]["children"].append(0)
    rig.json["scenes"][0]["nodes"] = [1]
    return rig


@rule("skins/node_is_a_joint", "The node that has the mesh is a joint of its skin.", "own")
def is_a_joint():
    rig = skinned()
    rig.json["nodes"][2].update(mesh=0, skin=0)
    rig.json["nodes"][0] = {"name": "Empty"}
    return rig


@rule("skins/own_animation_ignored", "Animating the skinned node does not move it.", "own", poses=[(0, 0.5)])
def own_animation():
    return skinned().clip((0, "translation", [0, 1], [[0, 0, 0], [4, 0, 0]]), (2, "rotation", [0, 1], [quat(X, 0), quat(X, 80)]))


# Parents of the joints.

for name, parent in (("translated", {"translation": [1, 0, -1]}), ("rotated", {"rotation": quat(TILTED, 100)}), ("scaled", {"scale": [3, 3, 3]}),
                     ("scaled_by_axis", {"scale": [0.5, 2, 1]}), ("mirrored", {"scale": [1, 1, -1]}), ("matrix", {"matrix": MATRIX})):
    rule(f"skins/parent_{name}", f"The parent of the joints is {name.replace('_', ' ')}, and moves the skin." if name != "matrix" else "The parent of the joints has a matrix.", "skin")(
        lambda parent=parent: skinned().above(**parent))

for name, change in (("scaled", {"scale": [2, 0.5, 1]}), ("mirrored", {"scale": [-1, 1, 1]}), ("flattened", {"scale": [1, 1, 0]})):
    rule(f"skins/joint_{name}", f"A joint in the middle is {name}; a turned joint below it is sheared.", "skin")(
        partial(skinned, [JOINTS[0], {**JOINTS[1], **change}, JOINTS[2]]))
rule("skins/joint_matrix", "A joint has a matrix.", "skin")(partial(skinned, [JOINTS[0], {"matrix": MATRIX}, JOINTS[2]]))
rule("skins/joint_matrix_with_shear", "The matrix of a joint has shear, and is used as it is.", "skin", status="reading")(
    partial(skinned, [JOINTS[0], {"matrix": SHEAR}, JOINTS[2]]))

# skin.skeleton and the order of joints.

rule("skins/skeleton_is_a_joint", "skin.skeleton names the first joint.", "skeleton")(partial(skinned, skin={"skeleton": 1}))


@rule("skins/skeleton_above", "skin.skeleton names a moved node above the joints; this changes nothing.", "skeleton")
def skeleton_above():
    rig = skinned(skin={"skeleton": 5}).above(translation=[0, 0, 1])
    return rig.above(translation=[0, 1, 0], rotation=quat(X, 30))


@rule("skins/skeleton_elsewhere", "skin.skeleton names a node that is no ancestor; it takes no part in the equation.", "skeleton", status="reading",
      errors=["SKIN_SKELETON_INVALID"])
def skeleton_elsewhere():
    rig = skinned(skin={"skeleton": 4})
    rig.json["scenes"][0]["nodes"].append(rig.node(translation=[5, 5, 5], scale=[2, 2, 2]))
    return rig


@rule("skins/joints_in_another_order", "The joints of a skin are in another order than the nodes.", "skin")
def another_order():
    rig = skinned()
    rig.json["skins"][0]["joints"] = [3, 1, 2]
    return rig


@rule("skins/gap_between_joints", "A node between two joints is no joint, and still moves those below.", "skin")
def gap():
    share = np.arange(8) / 8
    rig = skinned(bind=[BIND[0], BIND[2]], dense=np.stack([1 - share, share], 1))
    rig.json["skins"][0]["joints"] = [1, 3]
    return rig


@rule("skins/child_before_parent", "Nodes below have smaller indices than those above.", "hierarchy")
def child_before_parent():
    rig = Rig()
    rig.mesh({"POSITION": rig.positions(), **rig.influences(*slots(WEIGHTS.astype(float), 1))})
    for joint, children in zip(reversed(JOINTS), ([], [0], [1])):
        rig.node(**joint, **({"children": children} if children else {}))
    rig.node(mesh=0, skin=0)
    rig.skin([2, 1, 0])
    return rig.scene(2, 3)


@rule("skins/one_joint", "A skin has a single joint.", "skin")
def one_joint():
    return skinned(JOINTS[1:2], BIND[1:2], dense=np.ones((8, 1)))


@rule("skins/joints_outside_the_scene", "Joints move a skin although the scene does not reach them.", "skin", status="reading", errors=["NODE_SKIN_NO_SCENE"])
def outside():
    rig = skinned()
    rig.json["scenes"][0]["nodes"] = [0]
    return rig


# Several skins, several meshes.


def second_skin(rig, at=(2, 0, 0), turn=-70, suffix="B", parent=None):
    joints = [{**JOINTS[0], "translation": list(at)}, {**JOINTS[1], "rotation": quat(Z, turn)}, JOINTS[2]]
    nodes = rig.chain(parent, [{**joint, "name": joint["name"] + suffix} for joint in joints])
    return rig.skin(nodes), nodes


def second_mesh(rig):
    return rig.mesh({"POSITION": rig.positions(), **rig.influences(*slots(WEIGHTS.astype(float), 1))})


@rule("skins/two_skins_of_a_mesh", "Two nodes have the same mesh and different skins.", "instances")
def two_skins():
    rig = skinned()
    number, nodes = second_skin(rig)
    rig.json["scenes"][0]["nodes"] += [nodes[0], rig.node(mesh=0, skin=number)]
    return rig


@rule("skins/three_skins_of_a_mesh", "Three nodes have the same mesh, each with joints of its own.", "instances")
def three_skins():
    rig = two_skins()
    number, nodes = second_skin(rig, (-2, 0, 0), 20, "C")
    rig.json["scenes"][0]["nodes"] += [nodes[0], rig.node(mesh=0, skin=number)]
    return rig


@rule("skins/equal_names", "Joints of two skins have the same names; names select nothing.", "skin")
def equal_names():
    rig = skinned()
    number, nodes = second_skin(rig, suffix="")
    rig.json["scenes"][0]["nodes"] += [nodes[0], rig.node(mesh=second_mesh(rig), skin=number)]
    return rig


@rule("skins/no_names", "Neither nodes nor skins have names.", "skin")
def no_names():
    rig = equal_names()
    for node in rig.json["nodes"]:
        node.pop("name", None)
    return rig


@rule("skins/two_meshes_of_a_skin", "Two meshes share a skin.", "instances")
def two_meshes():
    rig = skinned()
    rig.mesh({"POSITION": rig.positions(np.flip(POINTS)), **rig.influences(*slots(WEIGHTS[::-1].astype(float), 1))})
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=1, skin=0, translation=[9, 0, 0]))
    return rig


@rule("skins/nested", "The joints of one skin are below the joints of another.", "skin")
def nested():
    rig = skinned()
    number, _ = second_skin(rig, (0, 0.3, 0), parent=3)
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=second_mesh(rig), skin=number))
    return rig


@rule("skins/nested_below_the_skinned_node", "The joints of one skin are below the node that another skin moves; its own transform does move them.", "skin")
def nested_below():
    rig = skinned(body={"translation": [1, 0, 0], "rotation": quat(Z, 30)})
    number, _ = second_skin(rig, (0, 0.3, 0), parent=0)
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=second_mesh(rig), skin=number))
    return rig


@rule("skins/shared_joints_other_binds", "Two skins share joints and have different inverse bind matrices.", "bind")
def shared_joints():
    rig = skinned()
    number = rig.skin([1, 2, 3], [matrix @ moved(0, 0, 1) for matrix in BIND])
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=second_mesh(rig), skin=number))
    return rig


@rule("skins/with_and_without", "Two nodes have one mesh: one is skinned, the other is not.", "instances")
def with_and_without():
    rig = skinned()
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=0, translation=[2, 0, 0], rotation=quat(Z, 90)))
    return rig


@rule("skins/children_of_the_skinned_node", "Children of a skinned node follow its transform, not the skin.", "hierarchy")
def children():
    rig = skinned(body={"translation": [0, 0, 2], "scale": [2, 2, 2]})
    rig.mesh({"POSITION": rig.positions()})
    rig.node(0, mesh=1, translation=[1, 0, 0])
    return rig


@rule("skins/mesh_below_a_joint", "A mesh without skin follows the joint above it.", "hierarchy")
def mesh_below():
    rig = skinned()
    rig.mesh({"POSITION": rig.positions()})
    rig.node(3, mesh=1, translation=[0, 0.2, 0])
    return rig
