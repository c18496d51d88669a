# SPDX-License-Identifier: MIT
"""Pairs of rigs for `sinew compare`, from a seed: twins that store one model in two ways, and pairs that differ where it is hard to see.

    python3 compare_pairs.py SEED FOLDER      writes a.gltf/.glb and b.gltf/.glb, prints what was done and how far poses part them
"""
import copy
import sys
from dataclasses import dataclass, field

import numpy as np

import every_pose_judge as judge
from gltf_builder import Builder


@dataclass
class Node:
    key: str
    name: str
    parent: str = None
    at: np.ndarray = None
    turn: np.ndarray = None
    scale: np.ndarray = None
    matrix: bool = False

    def local(self):
        made = np.eye(4)
        made[:3, :3] = judge.turns(self.turn).astype(float) * self.scale
        made[:3, 3] = self.at
        return made


@dataclass
class Part:
    """What a node draws. `joints` and `weights`: per vertex as many influences; no joints: the part follows its node."""
    node: str
    group: str
    points: np.ndarray
    ids: np.ndarray
    triangles: np.ndarray
    shapes: dict = field(default_factory=dict)
    amounts: list = field(default_factory=list)
    slots: list = field(default_factory=list)  # keys of nodes
    binds: np.ndarray = None
    joints: np.ndarray = None
    weights: np.ndarray = None
    joint_type: str = "u1"
    weight_type: str = "f4"


class Model:
    def __init__(self):
        self.nodes, self.parts, self.extension = [], [], ".glb"

    def node(self, key):
        return next(node for node in self.nodes if node.key == key)

    def add(self, key, parent=None, at=(0, 0, 0), turn=(0, 0, 0, 1), scale=(1, 1, 1), name=None):
        node = Node(key, key if name is None else name, parent, np.array(at, float), np.array(turn, float), np.array(scale, float))
        self.nodes.append(node)
        return node

    def children(self, key):
        return [node for node in self.nodes if node.parent == key]

    def world(self, key):
        node = self.node(key)
        return node.local() if node.parent is None else self.world(node.parent) @ node.local()

    def save(self, path):
        builder, index = Builder(), {node.key: i for i, node in enumerate(self.nodes)}
        ids, group = {}, {}
        for node in self.nodes:
            made = {"name": node.name} if node.name else {}
            if node.matrix:
                made["matrix"] = node.local().T.reshape(-1).tolist()
            else:
                made.update({name: value.tolist() for name, value, neutral in
                             (("translation", node.at, (0, 0, 0)), ("rotation", node.turn, (0, 0, 0, 1)), ("scale", node.scale, (1, 1, 1)))
                             if tuple(value) != neutral})
            if below := [index[child.key] for child in self.children(node.key)]:
                made["children"] = below
            builder.add("nodes", made)
        for part in self.parts:
            at = index[part.node]
            ids[at, 0], group[at] = part.ids, part.group
            builder.json["nodes"][at]["mesh"] = self.mesh(builder, part)
            if part.slots:
                skin = {"joints": [index[key] for key in part.slots],
                        "inverseBindMatrices": builder.accessor(part.binds.transpose(0, 2, 1).reshape(-1, 16).astype("<f4"))}
                builder.json["nodes"][at]["skin"] = builder.add("skins", skin)
        builder.add("scenes", {"nodes": [index[node.key] for node in self.nodes if node.parent is None]})
        builder.save(path)
        return judge.Posed(path, index, ids, group)

    @staticmethod
    def mesh(builder, part):
        attributes = {"POSITION": builder.accessor(part.points.astype("<f4"), bounds=True, target=34962)}
        if part.slots:
            for n in range(part.joints.shape[1] // 4):
                four = slice(4 * n, 4 * n + 4)
                kind = part.weight_type
                stored = part.weights[:, four]
                stored = stored if kind == "f4" else np.rint(stored * {"u1": 255, "u2": 65535}[kind])
                attributes[f"JOINTS_{n}"] = builder.accessor(part.joints[:, four].astype("<" + part.joint_type), target=34962)
                attributes[f"WEIGHTS_{n}"] = builder.accessor(stored.astype("<" + kind), kind != "f4", target=34962)
        primitive = {"attributes": attributes, "indices": builder.accessor(part.triangles.reshape(-1).astype("<u2"), target=34963)}
        mesh = {"primitives": [primitive]}
        if part.shapes:
            primitive["targets"] = [{"POSITION": builder.accessor(offset.astype("<f4"), bounds=True, target=34962)} for offset in part.shapes.values()]
            mesh["extras"] = {"targetNames": list(part.shapes)}
            mesh["weights"] = part.amounts
        return builder.add("meshes", mesh)


def float32(values):
    return np.asarray(values, np.float32).astype(float)


def unit(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def drawn_size(rng):
    return 10 ** rng.uniform(-7, 0)


def model(rng):
    """A chain or tree of joints with a skinned body, props that follow nodes, and often something that is odd at rest."""
    made = Model()
    named = rng.random() < 0.75
    above = None
    for number in range(rng.integers(0, 4)):
        far = rng.choice([1, 1, 1, 1000])
        above = made.add(f"above{number}", above, float32(rng.uniform(-1, 1, 3) * far), unit(rng) if rng.random() < 0.5 else (0, 0, 0, 1)).key
        if far > 1:
            above = made.add(f"back{number}", above, -judge_back(made, above)).key
    joints = []
    for number in range(rng.integers(1, 7)):
        parent = joints[rng.integers(len(joints))] if joints else above
        scale = np.ones(3)
        if rng.random() < 0.25:
            scale = float32(rng.uniform(0.5, 1.5, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0.5, 1.5)))
        turn = unit(rng) if rng.random() < 0.6 else np.array([0, 0, 0, 1.0])
        node = made.add(f"joint{number}", parent, float32(rng.uniform(-1, 1, 3)), turn, scale, None if named else "")
        node.matrix = rng.random() < 0.1
        joints.append(node.key)
    if rng.random() < 0.85:
        made.parts.append(body(rng, made, joints))
    for number in range(rng.integers(0 if made.parts else 1, 4)):
        parent = rng.choice([*joints, *[node.key for node in made.nodes], None])
        key = made.add(f"prop{number}", parent, float32(rng.uniform(-0.5, 0.5, 3))).key
        made.parts.append(prop(rng, made, key, float(rng.choice([1, 1, 1, 1e-3, 30]))))
    for node in made.nodes:
        if rng.random() < 0.08 or (node.key.startswith("prop") and rng.random() < 0.15):
            node.scale = np.array([[0, 0, 0], [1e-3] * 3, [1e-9] * 3, [-1, 1, 1], [1, 0, 1], [-1, -1, 1]][rng.integers(6)], float)
    if rng.random() < 0.02:  # all in one point
        for part in made.parts:
            part.points[:] = part.points[0]
    made.extension = rng.choice([".glb", ".gltf"])
    return made


def judge_back(made, key):
    """What brings a node below a far one back."""
    world = made.world(key)
    return np.linalg.inv(world[:3, :3]) @ world[:3, 3] if abs(np.linalg.det(world[:3, :3])) > 1e-9 else np.zeros(3)


def surface(rng, count):
    more = rng.integers(0, count, (rng.integers(0, 4), 3))
    return np.concatenate([rng.permutation(count).reshape(-1, 3), more])


def give_shapes(rng, part):
    for number in range(rng.integers(0, 4) if rng.random() < 0.4 else 0):
        part.shapes[f"shape{number}"] = float32(rng.uniform(-0.3, 0.3, part.points.shape) * (rng.random((len(part.points), 1)) < 0.5))
    part.amounts = float32(np.where(rng.random(len(part.shapes)) < 0.5, 0, rng.random(len(part.shapes)))).tolist()


def numbered(made, count):
    first = sum(len(part.ids) for part in made.parts)
    return np.arange(first, first + count)


def body(rng, made, joints):
    made.add("Body", rng.choice([None, joints[0]]), float32(rng.uniform(-1, 1, 3)))
    count = 3 * int(rng.integers(2, 9))
    width = 4 * int(rng.integers(1, 3))
    shares = rng.integers(0, 2, (count, width)) * rng.integers(1, 100, (count, width))
    shares[:, 0] += 1
    used = min(len(joints), width)
    shares[:, used:] = 0
    stored = np.floor(255 * shares / shares.sum(1, keepdims=True)).astype(int)
    stored[:, 0] += 255 - stored.sum(1)
    slots = [str(key) for key in rng.permutation(joints)]
    chosen = np.stack([np.resize(rng.permutation(len(joints)), width) for _ in range(count)])
    chosen[stored == 0] = 0
    binds = np.stack([np.linalg.inv(made.world(key)) for key in slots])
    part = Part("Body", "Body", float32(rng.uniform(-1, 1, (count, 3))), numbered(made, count), surface(rng, count), slots=slots, binds=float32(binds),
                joints=chosen, weights=stored / 255)
    if rng.random() < 0.1:  # weights that are no shares
        part.weights = float32(part.weights * rng.uniform(0.5, 1.5, (count, 1)))
    elif rng.random() < 0.1 and width == 8:  # and those that cancel
        part.joints[0, 4:6] = part.joints[0, 0]
        part.weights[0, 4:6] += np.array([1, -1]) * 2.0 ** rng.integers(0, 12)
    give_shapes(rng, part)
    return part


def prop(rng, made, key, size):
    count = 3 * int(rng.integers(1, 5))
    part = Part(key, key, float32(rng.uniform(-1, 1, (count, 3)) * size), numbered(made, count), surface(rng, count))
    give_shapes(rng, part)
    return part


# -- twins: one model, stored in another way -----------------------------------------------------------------------------------------
def other_vertices(rng, b):
    for part in b.parts:
        order = rng.permutation(len(part.points))
        for name in ("points", "ids", "joints", "weights"):
            if (values := getattr(part, name)) is not None:
                setattr(part, name, values[order])
        part.shapes = {name: offset[order] for name, offset in part.shapes.items()}
        part.triangles = np.argsort(order)[part.triangles]


def other_slots(rng, b):
    for part in b.parts:
        order = rng.permutation(len(part.slots))
        if part.slots:
            part.slots, part.binds, part.joints = [part.slots[i] for i in order], part.binds[order], np.argsort(order)[part.joints]


def other_nodes(rng, b):
    b.nodes = [b.nodes[i] for i in rng.permutation(len(b.nodes))]
    b.parts = [b.parts[i] for i in rng.permutation(len(b.parts))]


def other_types(rng, b):
    for part in b.parts:
        if part.slots and (np.rint(part.weights * 255) == part.weights * 255).all() and part.weights.min() >= 0 and part.weights.max() <= 1:
            part.weight_type = rng.choice(["f4", "u1", "u2"])
        part.joint_type = rng.choice(["u1", "u2"])


def other_names(rng, b):
    """All joints have other names: their place tells which is which."""
    slots = [key for part in b.parts for key in part.slots]
    for node in b.nodes:
        if node.key in slots:
            node.name = f"mixamo:{node.key}" if node.name else ""


def other_sets(rng, b):
    for part in b.parts:
        if part.slots:
            order = rng.permutation(part.joints.shape[1])
            part.joints, part.weights = part.joints[:, order], part.weights[:, order]


def split(rng, b):
    part = next((part for part in b.parts if len(part.triangles) > 1), None)
    if part is None:
        return
    b.parts.remove(part)
    cut = int(rng.integers(1, len(part.triangles)))
    node = b.node(part.node)
    for number, triangles in enumerate((part.triangles[:cut], part.triangles[cut:])):
        rows, indices = np.unique(triangles, return_inverse=True)
        piece = copy.copy(part)
        piece.points, piece.ids, piece.triangles = part.points[rows], part.ids[rows], indices.reshape(-1, 3)
        piece.shapes = {name: offset[rows] for name, offset in part.shapes.items()}
        if part.slots:
            piece.joints, piece.weights = part.joints[rows], part.weights[rows]
        if number:
            where = (node.parent, float32(rng.uniform(-9, 9, 3))) if part.slots else (node.key, (0, 0, 0))
            piece.node = b.add(f"{part.node}_2", *where, name=f"{node.name}_2").key
        b.parts.append(piece)


TWINS = (other_vertices, other_slots, other_nodes, other_types, other_names, other_sets, split)


# -- attacks: each returns whether it found what it attacks ---------------------------------------------------------------------------
def some(rng, things):
    things = list(things)
    return things[rng.integers(len(things))] if things else None


def skinned(b):
    return [part for part in b.parts if part.slots]


def moved_piece(rng, b):
    names = {node.key for node in b.nodes}
    split(rng, b)
    for node in list(b.nodes):
        if node.key not in names:
            kind = rng.integers(4)
            if kind == 0:
                node.at = node.at + float32(rng.normal(size=3) * drawn_size(rng))
            elif kind == 1:
                node.turn = unit(rng)
            elif kind == 2:
                node.scale = np.array([[-1, 1, 1], [0, 0, 0], [1.001, 1, 1]][rng.integers(3)], float)
            else:
                b.add("between", node.parent, float32(rng.normal(size=3) * drawn_size(rng)))
                node.parent = "between"


def posable_piece(rng, b, a):
    """A has a node of the name of the piece that was split off: poses of both files move it."""
    names = {node.key for node in b.nodes}
    split(rng, b)
    for node in list(b.nodes):
        if node.key not in names:
            a.add(node.key, node.parent, node.at, node.turn, node.scale, node.name)


def piece_of_other_shapes(rng, b):
    names = {part.node for part in b.parts}
    split(rng, b)
    for part in b.parts:
        if part.node not in names and part.shapes:
            part.shapes = dict(reversed(part.shapes.items()))
            part.amounts = part.amounts[::-1]


def a_vertex(rng, b):
    part = some(rng, b.parts)
    part.points[rng.integers(len(part.points))] += rng.normal(size=3) * drawn_size(rng)


def an_offset(rng, b):
    if part := some(rng, [part for part in b.parts if part.shapes]):
        shape = some(rng, part.shapes)
        part.shapes[shape] = part.shapes[shape].copy()
        part.shapes[shape][rng.integers(len(part.points))] += rng.normal(size=3) * drawn_size(rng)


def amounts_at_rest(rng, b):
    if part := some(rng, [part for part in b.parts if part.shapes]):
        part.amounts = rng.random(len(part.amounts)).tolist()


def weights(rng, b):
    if part := some(rng, skinned(b)):
        vertex, by = rng.integers(len(part.points)), drawn_size(rng)
        part.weights, part.joints = part.weights.copy(), part.joints.copy()
        part.joints[vertex, 0] = rng.integers(len(part.slots))
        part.weights[vertex, 0] -= by
        part.weights[vertex, 1] += by
        part.joints[vertex, 1] = rng.integers(len(part.slots))


def a_bind(rng, b):
    if part := some(rng, skinned(b)):
        part.binds = part.binds.copy()
        part.binds[rng.integers(len(part.slots)), :3, 3] += rng.normal(size=3) * drawn_size(rng)


def binds_that_cancel(rng, b):
    """A joint stands or turns otherwise and its bind matrix undoes it at rest."""
    if part := some(rng, skinned(b)):
        slot = rng.integers(len(part.slots))
        node = b.node(part.slots[slot])
        before = b.world(node.key)
        if rng.random() < 0.5:
            node.at = node.at + rng.normal(size=3) * drawn_size(rng)
        else:
            node.turn = unit(rng)
        after = b.world(node.key)
        if abs(np.linalg.det(after[:3, :3])) > 1e-6:
            part.binds = part.binds.copy()
            part.binds[slot] = np.linalg.inv(after) @ before @ part.binds[slot]


def above_that_cancels(rng, b):
    """A node stands elsewhere and what lies below is moved back, at rest."""
    node = some(rng, [node for node in b.nodes if b.children(node.key)])
    if node is None:
        return
    by = rng.normal(size=3) * drawn_size(rng)
    back = np.linalg.pinv(node.local()[:3, :3]) @ by
    node.at = node.at + by
    for child in b.children(node.key):
        child.at = child.at - back


def a_chain_that_cancels(rng, b, a):
    """Many nodes above everything, each a little to the left or to the right in B."""
    count, by = int(rng.integers(2, 60)), float(10 ** rng.uniform(-6, -4))
    roots = [node.key for node in b.nodes if node.parent is None]
    for made, sign in ((a, 0), (b, 1)):
        last = None
        for number in range(count):
            last = made.add(f"chain{number}", last, (sign * by * (-1) ** number, 0, 0)).key
        for key in roots:
            made.node(key).parent = last


def far_above_that_cancels(rng, b, a):
    far, by = 10.0 ** rng.integers(1, 7), drawn_size(rng)
    roots = [node.key for node in b.nodes if node.parent is None]
    for made, more in ((a, 0), (b, by)):
        made.add("there", None, (far + more, 0, 0))
        made.add("back", "there", (-far - more, 0, 0))
        for key in roots:
            made.node(key).parent = "back"


def between(rng, b):
    """A node that only B has takes over the place, the size or nothing of the node below it."""
    node = some(rng, [node for node in b.nodes if node.parent is not None])
    if node is None:
        return
    new = b.add("new", node.parent)
    node.parent = "new"
    kind = rng.integers(4)
    if kind == 0:
        new.at, node.at = node.at.copy(), np.zeros(3)
    elif kind == 1:
        new.scale, node.scale = node.scale.copy(), np.ones(3)
    elif kind == 2:
        new.scale = np.full(3, 1 + drawn_size(rng))
    else:
        new.turn, node.turn = node.turn.copy(), np.array([0, 0, 0, 1.0])


def hidden(rng, b, a):
    """A node has scale 0 in both, and what is below differs."""
    node = some(rng, b.nodes)
    size = some(rng, [0.0, 0.0, 1e-12, 1e-3])
    for made in (a, b):
        made.node(node.key).scale = np.full(3, size)
    below = [part for part in b.parts if node.key in (part.node, *part.slots)]
    kind = rng.integers(5)
    if kind == 0 and below:
        some(rng, below).points *= 1 + drawn_size(rng)
    elif kind == 1:
        node.turn = unit(rng)
    elif kind == 2 and below:
        amounts_at_rest(rng, b)
    elif kind == 3:
        between(rng, b)
    elif b.children(node.key):
        some(rng, b.children(node.key)).at += rng.normal(size=3) * drawn_size(rng)


def scale_between(rng, b):
    """A node that only B has scales a node of no size."""
    node = some(rng, [node for node in b.nodes if node.parent is not None])
    if node is not None:
        node.parent = b.add("new", node.parent, scale=np.full(3, rng.uniform(0.2, 3))).key


def hidden_between(rng, b, a):
    node = some(rng, [node for node in b.nodes if node.parent is not None])
    if node is not None:
        for made in (a, b):
            made.node(node.key).scale = np.zeros(3)
            made.node(node.key).at = np.zeros(3)
        new = b.add("new", node.parent, scale=np.full(3, rng.uniform(0.2, 3)), turn=some(rng, [(0, 0, 0, 1), (0, 0, 1, 0)]))
        node.parent = new.key


def composed_otherwise(rng, b, a):
    node = some(rng, b.nodes)
    other = a.node(node.key)
    axis = rng.integers(3)
    other.turn = node.turn = np.array([0, 0, 0, 1.0])
    node.turn[axis] = 1
    node.turn[3] = 0
    if rng.random() < 0.3:  # A mirrors in the other two axes
        node.scale, other.scale = np.ones(3), np.where(np.arange(3) == axis, 1.0, -1.0)
    else:
        node.turn, node.scale, other.scale = np.array([0, 0, 0, 1.0]), np.array([-1, -1, 1.0]), np.array([-1, -1, 1.0])
        node.matrix, other.matrix = rng.random() < 0.5, rng.random() < 0.5


def another_joint(rng, b):
    """A joint is replaced by another one at the same place, below another node."""
    if part := some(rng, skinned(b)):
        slot = rng.integers(len(part.slots))
        old = b.node(part.slots[slot])
        if not old.name:  # without names, the other one is the counterpart
            return
        world = b.world(old.key)
        b.add("other", None, world[:3, 3], scale=(1, 1, 1), name=some(rng, ["other", old.name, ""]))
        part.slots = list(part.slots)
        part.slots[slot] = "other"
        if rng.random() < 0.5:
            b.node("other").parent, b.node("other").at = old.key, np.zeros(3)


def swapped_joints(rng, b):
    if part := some(rng, [part for part in skinned(b) if len(part.slots) > 1]):
        first, second = rng.permutation(len(part.slots))[:2]
        part.slots = list(part.slots)
        part.slots[first], part.slots[second] = part.slots[second], part.slots[first]


def another_parent(rng, b):
    node = some(rng, b.nodes)
    above = some(rng, [other for other in b.nodes if other.key != node.key and other.parent == node.parent])
    if above is not None:
        node.parent = above.key
        if rng.random() < 0.5:
            node.at = np.linalg.pinv(above.local()[:3, :3]) @ (node.at - above.at)


def one_sided(rng, b):
    if len(b.parts) > 1:
        b.parts.remove(some(rng, b.parts))


def unpaired(rng, b):
    """Fewer triangles: some vertices are in none."""
    part = some(rng, b.parts)
    part.points = np.concatenate([part.points, rng.uniform(-1, 1, (3, 3))])
    part.ids = np.concatenate([part.ids, part.ids[-1] + 10**6 + np.arange(3)])
    part.shapes = {name: np.concatenate([offset, np.zeros((3, 3))]) for name, offset in part.shapes.items()}
    if part.slots:
        part.joints, part.weights = np.concatenate([part.joints, part.joints[:3]]), np.concatenate([part.weights, part.weights[:3]])
    if rng.random() < 0.5:
        part.triangles = part.triangles + 3


def a_size(rng, b):
    node = some(rng, b.nodes)
    node.scale = node.scale * (1 + drawn_size(rng))


def a_turn(rng, b):
    node = some(rng, b.nodes)
    turned = node.turn + rng.normal(size=4) * drawn_size(rng)
    node.turn = turned / np.linalg.norm(turned)


ATTACKS = (moved_piece, posable_piece, piece_of_other_shapes, a_vertex, an_offset, amounts_at_rest, weights, a_bind, binds_that_cancel, above_that_cancels,
           a_chain_that_cancels, far_above_that_cancels, between, hidden, scale_between, hidden_between, composed_otherwise, another_joint, swapped_joints,
           another_parent, one_sided, unpaired, a_size, a_turn)


class Pair:
    """`attack`: what B does otherwise, or empty: B is a twin. `done`: how B stores it otherwise."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        a = model(rng)
        b = copy.deepcopy(a)
        self.attack, self.done = "", []
        if seed % 2:
            attack = ATTACKS[seed // 2 % len(ATTACKS)]
            self.attack = attack.__name__
            attack(rng, b, a) if attack.__code__.co_argcount == 3 else attack(rng, b)
        for change in TWINS:
            if rng.random() < (0.3 if self.attack else 0.5) and not (change is split and any("_2" in node.key for node in b.nodes)):
                change(rng, b)
                self.done.append(change.__name__)
        b.extension = rng.choice([".glb", ".gltf"])
        self.a, self.b, self.rng = (a, b, rng) if rng.random() < 0.8 else (b, a, rng)

    def save(self, folder):
        """Writes both files: their paths, and what judges them."""
        self.paths = [f"{folder}/{side}{made.extension}" for side, made in (("a", self.a), ("b", self.b))]
        self.files = [made.save(path) for made, path in zip((self.a, self.b), self.paths)]
        return self.paths

    def large(self):
        """Whether more is seen at rest than what rounding leaves of a point, and no part is a point."""
        return self.files[0].size() > 1e-4 and all(np.ptp(part.points, 0).max() > 0 for part in self.a.parts)

    def converts(self):
        """Whether G4MF stores B as it is: joints with names, no piece that was split off, no mirror and no scale of 0, nothing below a skinned mesh,
        weights that are shares."""
        skinned = {part.node for part in self.b.parts if part.slots}
        return (not {"other_names", "split"} & set(self.done) and not skinned & {node.parent for node in self.b.nodes}
                and all(node.name and node.scale.min() > 0 and not node.matrix for node in self.b.nodes)
                and all(np.allclose(part.weights.sum(1), 1, atol=1e-6) for part in self.b.parts if part.slots))

    def worst(self, most=64):
        return judge.worst(self.rng, *self.files, most)


def main():
    pair = Pair(int(sys.argv[1]))
    print(*pair.save(sys.argv[2]), pair.attack or "twins", *pair.done, f"{pair.worst():.4g} tolerances")


if __name__ == "__main__":
    main()
