#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rigged meshes with planted deformation defects, each with a clean twin.

    flex_planted.py OUT_FOLDER [--kinds tear,flip,...] [--seed N]

writes all files and manifest.json; cases(seed) yields the same as dictionaries. Models of three dimensions are .glb,
others G4MF (.g4b, .g4tf) with SINEW_animation. The unit is the radius of a limb until finished() applies the scale.
"""
import argparse, base64, copy, functools, itertools, json, math, pathlib, struct, zlib
import numpy as np

# ---------------------------------------------------------------- meshes
def model(D, points, cells, names, parents, heads, axes, reach, weights, body, **more):
    """A rigged mesh. cells: triangles in 2D and 3D, else simplexes of D points; weights: one column per joint;
    axes[j] = (axis, sign): where the bone of joint j points, reach[j]: its length; part: the primitive of each cell."""
    fields = {**{k: v for k, v in locals().items() if k != "more"}, **more, "heads": np.array(heads, float)}
    return argparse.Namespace(**fields, part=np.zeros(len(cells), int), shapes={}, clips=[], apart=0, extra_nodes=[])

def orient(points, cells, outward):
    """Swap two corners of the cells that face inwards. outward: a direction per cell (2D: None, counter-clockwise)."""
    m = points[cells[:, 1:]] - points[cells[:, :1]]
    bad = np.linalg.det(m if outward is None else np.concatenate([m, outward[:, None]], axis=1)) < 0
    cells[bad, -2:] = cells[bad, :-3:-1]
    return cells

def averager(count, cells):
    """A function that gives each point the average of its neighbours."""
    corners = range(cells.shape[1])
    pairs = np.unique(np.concatenate([cells[:, a] * count + cells[:, b] for a in corners for b in corners if a != b]))
    points, beside = np.divmod(pairs, count)
    starts, size = np.searchsorted(points, np.arange(count)), np.bincount(points)[:, None]
    return lambda values: np.add.reduceat(values[beside], starts, axis=0) / size

def tidy(weights, least=0.02):
    """At most four influences, no tiny ones, sum 1."""
    limit = np.sort(weights, axis=1)[:, -min(4, weights.shape[1]), None]
    w = np.where(weights < np.maximum(limit, least), 0, weights)
    return w / w.sum(1, keepdims=True)

def lattice(D, boxes, joints):
    """The surface of a union of boxes of unit cubes, in any dimension (2D: the filled area). boxes: (lo, hi, joint).
    Squares, cubes, ... are cut along the paths from their lowest to their highest corner, so that neighbours fit."""
    low = np.min([b[0] for b in boxes], 0) - 1
    shape = np.max([b[1] for b in boxes], 0) - low + 2
    label = np.full(shape, -1)
    for lo, hi, j in boxes:
        label[tuple(map(slice, lo - low, hi - low))] = j
    full, unit, cells = label >= 0, np.eye(D, dtype=int), []
    for a, side in itertools.product(range(D), (-1, 1)) if D > 2 else [(None, 0)]:
        corner = np.argwhere(full & ~np.roll(full, -side, a)) + max(0, side) * unit[a] if side else np.argwhere(full)
        for path in itertools.permutations([k for k in range(D) if k != a]):
            m = unit[list(path)]
            steps = np.concatenate([np.zeros((1, D), int), np.cumsum(m, 0)])
            if np.linalg.det(np.vstack([m, side * unit[a]]) if side else m) < 0:
                steps[-2:] = steps[:-3:-1]
            cells.append(np.ravel_multi_index(tuple(np.moveaxis(corner[:, None] + steps, 2, 0)), shape))
    used, cells = np.unique(np.concatenate(cells), return_inverse=True)
    grid, w = np.stack(np.unravel_index(used, shape), 1), np.zeros((len(used), joints))
    for d in itertools.product((0, 1), repeat=D):          # the cubes around a point vote for its joint
        j = label[tuple((grid - d).T)]
        w[np.flatnonzero(j >= 0), j[j >= 0]] += 1
    return (grid + low).astype(float), cells.reshape(-1, max(D, 3)), w / w.sum(1, keepdims=True)

def tube(D, axis, rings, radii, fine, closed):
    """The product of a line and a section (2D: an interval, 3D: a circle, 4D: a sphere). rings: places on the axis.
    Prisms are cut along ascending corners, so that neighbours fit. Closed tubes have a cone at each end."""
    n = round((2 if D == 2 else 2 * math.pi) / fine)
    if D == 2:
        base, s = np.linspace(-1, 1, n + 1)[:, None], np.array([[i, i + 1] for i in range(n)])
    elif D == 3:
        t, s = 2 * math.pi * np.arange(n) / n, np.array([[i, (i + 1) % n] for i in range(n)])
        base = np.stack([np.cos(t), np.sin(t)], 1)
    else:
        base, s, _ = lattice(3, [([0] * 3, [3] * 3, 0)], 1)
        base = (base - 1.5) / np.linalg.norm(base - 1.5, axis=1, keepdims=True)
    m, others, s = len(base), [k for k in range(D) if k != axis], np.sort(s, axis=1)
    points = np.zeros((len(rings) * m, D))
    points[:, axis], points[:, others] = np.repeat(rings, m), (radii[:, None, None] * base).reshape(-1, D - 1)
    layers = [np.concatenate([s[:, :k + 1], s[:, k:] + m], axis=1) for k in range(s.shape[1])]
    cells = np.concatenate([c + i * m for i in range(len(rings) - 1) for c in layers])
    closed = closed and D > 2
    if closed:
        tips = np.outer([rings[0] - 0.4 * radii[0], rings[-1] + 0.4 * radii[-1]], np.eye(D)[axis])
        ends = [np.column_stack([s + e * (len(points) - m), np.full(len(s), len(points) + e)]) for e in (0, 1)]
        points, cells = np.concatenate([points, tips]), np.concatenate([cells, *ends])
    out = points[cells].mean(1)
    out[:, axis] = 0
    if closed:
        out[-2 * len(s):-len(s), axis], out[-len(s):, axis] = -9, 9
    return points, orient(points, cells, out if D > 2 else None)

def chain_weights(along, places, width):
    """Smooth weights of a chain of joints at `places` on the axis."""
    x = np.clip((along[:, None] - places) / width + 0.5, 0, 1)
    s = np.column_stack([np.ones(len(x)), (x * x * (3 - 2 * x))[:, 1:], np.zeros(len(x))])
    return tidy(s[:, :-1] - s[:, 1:])

CHAINS = [["Shoulder", "UpperArm", "LowerArm", "Hand", "Finger"], [f"Tail{i}" for i in range(1, 11)],
          ["Pelvis", "Thigh", "Shin", "Foot", "Toes"]]

def tube_body(rng, D, fine=None, joints=None, width=None):
    """A straight arm, leg or tail."""
    fine = fine or {2: 0.28, 3: 0.32, 4: 0.6}[D]
    n = joints or int(rng.integers(3, 5 if D == 4 else 6))
    names = CHAINS[1 if n > 5 else rng.integers(3)][:n]
    axis, places = int(rng.integers(2)), np.concatenate([[0], np.cumsum(rng.uniform(4.6, 5.8, n))])
    rings = np.linspace(0, places[-1], round(places[-1] / fine) + 1)
    radius = lambda x, a=0.25 * rng.random() / places[-1], b=rng.uniform(0.5, 1): 1 - a * x + 0.05 * np.sin(x * b)
    points, cells = tube(D, axis, rings, radius(rings), fine, True)
    heads, width = np.outer(places[:n], np.eye(D)[axis]), width or rng.uniform(2.8, 3.6)
    w = chain_weights(points[:, axis], places[:n], width)
    return model(D, points, cells, names, [i - 1 for i in range(n)], heads, [(axis, 1)] * n, np.diff(places), w, "tube",
                 places=places[:n], width=width, radius=radius)

def lattice_body(rng, D, kind, extra=lambda boxes, rig: None, spread=1.0, finer=1):
    """A "Y" of three limbs, a bar, or a simple humanoid. extra(boxes, rig) may add boxes (for hooks and flaps)."""
    k = {2: 4, 3: 3, 4: 2, 5: 2}[D]                        # thickness of a limb, in cubes
    s = {2: 7, 3: 6, 4: 4, 5: 3}[D] + int(rng.integers(2 if D < 5 else 1))    # length of a bone
    boxes, rig = [], []                                    # rig: name, parent, head, (axis, sign), length
    def limb(name, parent, axis, sign, start, side, length=s, size=k, depth=k):
        """A box along x or y from `start`; `side` is its corner on the other of the two."""
        lo, hi = [-(depth // 2)] * D, [depth - depth // 2] * D
        lo[1 - axis], hi[1 - axis] = side, side + size
        lo[axis], hi[axis] = sorted((start, start + sign * length))
        head = [start if k == axis else (lo[k] + hi[k]) / 2 for k in range(D)]
        boxes.append((lo, hi, len(rig)))
        rig.append((name, parent, head, (axis, sign), length))
        return len(rig) - 1
    if kind == "bar":
        for i, name in enumerate(("Root", "Middle", "End")):
            limb(name, i - 1, 0, 1, i * (s + 1), 0, s + 1)
    elif kind == "Y":
        top = limb("Top", limb("Stem", limb("Root", -1, 1, 1, 0, 0), 1, 1, s, 0), 1, 1, 2 * s, 0, k)
        for sign, tag in ((-1, "R"), (1, "L")):
            q = top
            for i in range(2 if D > 3 else 3):
                q = limb(f"Branch{i + 1}_{tag}", q, 0, sign, (0 if sign < 0 else k) + i * sign * s, 2 * s)
    else:
        t, wide = s + 2 if D < 4 else s, 2 * k + 2         # height of hips and spine; the trunk is not that deep
        for name, y, height in (("Hips", 0, t // 2), ("Spine", t // 2, t - t // 2), ("Chest", t, k + 2)):
            limb(name, len(rig) - 1, 1, 1, y, -wide // 2, height, wide, k + 2 * (D < 4))
        limb("Head", 2, 1, 1, t + k + 2, -(k // 2), k + 1)
        for sign, tag in ((1, "L"), (-1, "R")):
            q = limb("UpperArm_" + tag, 2, 0, sign, sign * wide // 2, t + 1)
            q = limb("LowerArm_" + tag, q, 0, sign, sign * (wide // 2 + s), t + 1)
            if D < 4:
                limb("Hand_" + tag, q, 0, sign, sign * (wide // 2 + 2 * s), t + 1, k)
            x = 1 if sign > 0 else -1 - k
            limb("LowerLeg_" + tag, limb("UpperLeg_" + tag, 0, 1, -1, 0, x), 1, -1, -s, x)
    extra(boxes, rig)
    names, parents, heads, axes, reach = zip(*rig)
    points, cells, w = lattice(D, [(np.array(a) * finer, np.array(b) * finer, j) for a, b, j in boxes], len(rig))
    average = averager(len(points), cells)
    for _ in range(round({2: 12, 3: 9, 4: 5, 5: 4}[D] * spread * finer ** 2)):    # the weights flow over the surface
        w = 0.3 * w + 0.7 * average(w)
    for step in (0.5, -0.52) * 4 if D > 2 else ():         # rounds off without shrinking
        points = points + step * (average(points) - points)
    unit = k / 2
    points = (points + rng.normal(0, 0.02, points.shape)) / finer / unit
    return model(D, points, cells, list(names), list(parents), np.array(heads) / unit, list(axes),
                 np.array(reach) / unit, tidy(w), kind)

def body(rng, D, i):
    """The i-th body: tubes, branching bodies and humanoids take turns."""
    kind = ("bar", "Y")[i % 2] if D == 5 else ("tube", "Y", "human")[i % 3]
    return tube_body(rng, D) if kind == "tube" else lattice_body(rng, D, kind)

# ---------------------------------------------------------------- what changes a model
def limb_joints(m):
    """Joints whose turning bends a limb."""
    return [j for j, n in enumerate(m.names) if j and n not in ("Stem", "Top", "Spine", "Chest", "Head")]

def bend_plane(rng, m, j):
    """A plane that bends the limb of joint j, and a sign. Legs swing forwards or, in the plane, outwards."""
    a, leg = m.axes[j][0], m.body == "human" and m.axes[j][0] == 1
    if m.D == 2:
        return (0, 1), (1 if m.heads[j][0] > 0 else -1) if leg else int(rng.choice([-1, 1]))
    b = int(rng.choice([k for k in range(leg, m.D) if k != a]))
    return (min(a, b), max(a, b)), int(rng.choice([-1, 1]))

def turn(j, plane, degrees, back=0.2, keys=13):
    """A track: joint, plane, times and angles of a turn there, back, and a little beyond."""
    t = np.linspace(0, 1, keys)
    way = np.where(t <= 0.5, 0.5 - 0.5 * np.cos(2 * math.pi * t), np.interp(t, [0.5, 0.75, 1], [1, -back, 0]))
    return j, plane, 1.5 * t, math.radians(degrees) * way

def add_clip(rng, m, j, low, high, others=0.0, back=0.2, shape=False):
    """A clip that bends joint j by some degrees, others a little, and blends a shape in (joint None). Gives a plane."""
    tracks = []
    for k in [j] + [k for k in range(1, len(m.names)) if k != j and others and rng.random() < 0.6]:
        plane, sign = bend_plane(rng, m, k)
        tracks.append(turn(k, plane, sign * (rng.uniform(low, high) if k == j else rng.uniform(0.4, 1) * others), back))
    m.clips = [tracks + [turn(None, (), math.degrees(1), 0)] * shape]
    return tracks[0][1]

def split_parts(rng, m):
    """Two primitives, cut across the body."""
    c = m.points[m.cells].mean(1)[:, int(rng.integers(m.D))]
    m.part = (c > np.median(c) + 0.1 * rng.normal()).astype(int)

def cut_seam(m, side, region):
    """Duplicate the points that touch cells of both sides and lie in the region. Gives (originals, copies)."""
    both = np.intersect1d(m.cells[side == 0], m.cells[side == 1])
    old, new = both[region[both]], np.arange(len(m.points))
    new[old] = len(new) + np.arange(len(old))
    m.cells = np.where((side == 1)[:, None], new[m.cells], m.cells)
    m.points, m.weights = np.vstack([m.points, m.points[old]]), np.vstack([m.weights, m.weights[old]])
    return old, new[old]

def add_piece(m, points, cells, weights, part):
    """Append a separate piece. Gives the numbers of its points."""
    n = len(m.points)
    m.points, m.weights = np.vstack([m.points, points]), np.vstack([m.weights, weights])
    m.cells, m.part = np.vstack([m.cells, cells + n]), np.append(m.part, np.full(len(cells), part))
    return np.arange(n, n + len(points))

def shift(w, j, p, amount):
    """Move weight from joint p to joint j, or back if the amount is negative."""
    return w + np.clip(amount, -w[:, j], w[:, p])[:, None] * (np.eye(w.shape[1])[j] - np.eye(w.shape[1])[p])

# ---------------------------------------------------------------- kinds: each gives twin, defect, acceptable joints
def make_tear(rng, D, i, o):
    """A seam whose two copies disagree about their weights, or about a blend shape."""
    m = body(rng, D, i)
    j = int(rng.choice([k for k in limb_joints(m) if m.names[k][:5] != "Hand_"]))
    p, (a, s) = m.parents[j], m.axes[j]
    rel = m.points[m.cells].mean(1) - m.heads[j]
    if i % 2 and D > 2:                                   # lengthwise or across
        side = (rel[:, int(rng.choice([k for k in range(D) if k != a]))] > 0.15).astype(int)
    else:
        side = (rel[:, a] * s > rng.uniform(0.2, 0.8)).astype(int)
    if o["split"] and i % 4 < 2:
        m.part = side.copy()                              # the seam is the border of two materials
    old, new = cut_seam(m, side, np.linalg.norm(m.points - m.heads[j], axis=1) < rng.uniform(2.6, 3.2))
    shaped = i % 4 == 3 and D > 2
    if shaped:
        out = rng.normal(size=D)
        near = np.exp(-((m.points - m.heads[j] - 0.5 * s * np.eye(D)[a]) ** 2).sum(1) / 3)
        m.shapes["Puff"] = np.outer(np.where(near < 0.03, 0, near), out / np.linalg.norm(out) * rng.uniform(0.5, 0.9))
    add_clip(rng, m, j, *((25, 42) if D == 2 else (35, 60)), others=6 * (i % 2), shape=shaped)
    t = copy.deepcopy(m)
    if shaped:
        m.shapes["Puff"][new] *= rng.uniform(-0.2, 0.3)
        return t, m, ["", m.names[j]]
    changed = shift(m.weights, j, p, rng.uniform(0.4, 0.8) * (-1 if m.weights[old, j].mean() > 0.5 else 1))
    m.weights[new] = changed[new]
    if i % 3 == 1:                                        # the whole other side was painted again
        v = np.setdiff1d(m.cells[side == 1], new)
        q = np.exp(-((m.points[v, None] - m.points[new]) ** 2).sum(2).min(1) / 0.8)[:, None]
        m.weights[v] = tidy(q * changed[v] + (1 - q) * m.weights[v])
    return t, m, [m.names[j], m.names[p], ""]

def make_collapse(rng, D, i, o):
    """A limb twisted until its section is a straw. The twin twists a little, or spreads the twist over many joints."""
    many = i % 2 == 1
    if i % 6 == 4 and D == 3:
        m = lattice_body(rng, D, "Y", spread=1.5)
        j = m.names.index(("Branch2_L", "Branch3_R")[i % 4 // 2])
    else:
        n = int(rng.integers(7, 10)) if many else int(rng.integers(3, 6))
        m = tube_body(rng, D, joints=n, width=4.2, fine=0.8 if D == 4 else 0.45 if many else None)
        j = int(rng.integers(2, n - 2)) if many else int(rng.integers(1, n))
    plane = tuple(sorted(rng.choice([k for k in range(D) if k != m.axes[j][0]], 2, replace=False).tolist()))
    degrees, t = rng.choice([-1, 1]) * rng.uniform(150, 178), copy.deepcopy(m)
    m.clips = [[turn(j, plane, degrees, 0)]]
    spread = range(1, n) if many else [j]
    t.clips = [[turn(k, plane, degrees / max(6, len(spread)), 0) for k in spread]]
    return t, m, [m.names[j], m.names[m.parents[j]]]

def make_flip(rng, D, i, o):
    """Weights of both sides of a joint exchanged on half of the section, or taken at random: cells turn inside out."""
    if i % 3 < 2 or D == 4:
        m = tube_body(rng, D, {2: 0.22, 3: 0.24, 4: 0.45}[D], joints=3, width=rng.uniform(2.8, 3.4))
    else:
        m = lattice_body(rng, D, "Y", finer=2)
    j = int(rng.choice([1, 2])) if m.body == "tube" else m.names.index(str(rng.choice(["Branch2_L", "Branch2_R"])))
    p, (a, s), w = m.parents[j], m.axes[j], m.weights
    plane = add_clip(rng, m, j, 25, 45, others=5 * (i % 2), back=1)
    t = copy.deepcopy(m)
    rel, x = m.points - m.heads[j], np.abs(m.points - m.heads[j])[:, a]
    band = (x > 0.5) & (x < {2: 2.4, 3: 2.6, 4: 3.4}[D]) & (w[:, j] + w[:, p] > 0.9)
    if i % 2 == 0:
        sel = band & (rel[:, sum(plane) - a] > 0) & (x > 0.9)
        w[np.ix_(sel, [j, p])] = w[np.ix_(sel, [p, j])]
    else:
        sel = np.flatnonzero(band & (rng.random(len(x)) < 0.5))
        w[sel] = np.eye(len(m.names))[rng.choice([j, p], len(sel))]
    return t, m, [m.names[j], m.names[p]]

def make_penetration(rng, D, i, o):
    """Cloth over a limb whose weights are not those of the skin below it."""
    tubular = i % 3 < 2
    m = tube_body(rng, D) if tubular else lattice_body(rng, D, ("Y", "human")[i % 2], spread=1.3)
    limbs = limb_joints(m)
    j = int(rng.choice([k for k in limbs if m.reach[k] > 3.5 and (m.parents[k] in limbs or tubular)]))
    p, a, gap = m.parents[j], m.axes[j][0], rng.uniform(0.06, 0.12)
    if tubular:
        rings = m.heads[j][a] + np.arange(-rng.uniform(3, 4), rng.uniform(3, 4), 0.27)
        points, cells = tube(3, a, rings, m.radius(rings) * (1 + gap) + 0.02, 0.28, False)
        right = chain_weights(points[:, a], m.places, m.width)
        wrong = chain_weights(points[:, a] - rng.choice([-1, 1]) * rng.uniform(1.4, 2), m.places, m.width)
    else:                                                 # a copy of the skin, moved outwards
        inside = (m.weights[:, j] + m.weights[:, p] > 0.97) & (np.abs(m.points - m.heads[j])[:, a] < 3.5)
        used, cells = np.unique(m.cells[inside[m.cells].all(1)], return_inverse=True)
        out = (m.points[used] - m.heads[j]) * (np.arange(3) != a)
        points, cells, right = m.points[used] + (0.12 + gap) * out, cells.reshape(-1, 3), m.weights[used]
        wrong = shift(right, j, p, -0.6)
    if i % 2:                                             # the cloth hangs on one joint only
        wrong = np.eye(len(m.names))[[p] * len(right)]
    add_clip(rng, m, j, 40, 60)
    cloth, m.apart = add_piece(m, points, cells, right, int(o["split"])), o["split"] and i % 4 == 1
    t = copy.deepcopy(m)
    m.weights[cloth] = wrong
    return t, m, [m.names[j], m.names[p], ""]

def make_self(rng, D, i, o):
    """A hook or flap beside a limb that follows the limb's parent: they pass through each other, not at the crease."""
    seed, found = int(rng.integers(1 << 30)), {}
    def build(wrong):
        r = np.random.default_rng(seed)
        def extra(boxes, rig):
            ok = ("Branch2_", "Branch3_", "LowerArm", "LowerLeg", "UpperArm")
            j = int(r.choice([n for n, b in enumerate(rig) if b[0][:8] in ok]))
            (a, s), (lo, hi, _) = rig[j][3], copy.deepcopy(boxes[j])
            end = int(rig[j][2][a] + s * rig[j][4])
            lo[a], hi[a] = sorted((int(rig[j][2][a] + s * r.integers(2, 4)), end))
            front, thick = r.choice([-1, 1]), 1 + (i % 4 == 3)     # in front of the limb or behind it, one cube away
            z = (hi[2] + 1, hi[2] + 1 + thick) if front > 0 else (lo[2] - 1 - thick, lo[2] - 1)
            boxes.append((lo[:2] + [z[0]], hi[:2] + [z[1]], rig[j][1] if wrong else j))
            if i % 2 == 0:                                # a hook: joined to the limb at its end
                lo[a], hi[a] = sorted((end, end - s))
                boxes.insert(j + 1, (lo[:2] + [min(lo[2], z[0])], hi[:2] + [max(hi[2], z[1])], j))
            found.update(j=j, plane=(a, 2), sign=int(s * front))
        return lattice_body(r, D, ("Y", "human")[i // 2 % 2], extra)
    t, m, j = build(False), build(True), found["j"]
    t.clips = m.clips = [[turn(j, found["plane"], found["sign"] * rng.uniform(16, 25) * (1.4 if i % 2 == 0 else 1), 0)]]
    return t, m, [m.names[j], m.names[m.parents[j]]]

def make_island(rng, D, i, o, spike=False):
    """One to three points, far from all that a joint moves, get a clear weight of it; a spike follows it alone."""
    m, amount, count = body(rng, D, i), 1.0 if spike else rng.uniform(0.25, 0.65), 1 if spike else rng.integers(1, 4)
    ends = [len(m.names) - 1] if m.body == "tube" else limb_joints(m)     # of a chain only the end leaves enough room
    j = int(rng.choice(ends))
    plane, t = add_clip(rng, m, j, 35, 55, others=6 * (i % 2)), copy.deepcopy(m)
    main = m.points[m.weights[:, j] > 0.05]
    d = np.array([((main - p) ** 2).sum(1).min() for p in m.points]) ** 0.5
    ok = (d > 3) & (np.linalg.norm((m.points - m.heads[j])[:, plane], axis=1) > 3)
    v = int(rng.choice(np.flatnonzero(ok & (d >= np.quantile(d[ok], 0.3)))))
    around = np.setdiff1d(m.cells[(m.cells == v).any(1)], [v])
    chosen = [v] + [u for u in rng.permutation(around) if ok[u]][:count - 1]
    m.weights[chosen] = tidy((1 - amount) * m.weights[chosen] + amount * np.eye(len(m.names))[j], least=0.001)
    return t, m, [m.names[j]]

def make_inert(rng, D, i, o):
    """Clips that move nothing."""
    m, way = body(rng, D, i), i % 3
    n = len(m.names)
    j = int(rng.choice([k for k in limb_joints(m) if way < 2 or k not in m.parents]))
    add_clip(rng, m, j, 30, 55, others=8 if way < 2 else 0)
    turned = [k[0] for k in m.clips[0]]
    m.extra_nodes = ["Control_" + m.names[k] for k in turned] if way == 1 else []
    t, names = copy.deepcopy(m), [m.names[k] for k in turned]
    if way == 0:                                          # everything hangs on the root
        m.weights[:] = np.eye(n)[0]
    elif way == 1:                                        # the clip turns helpers, of which the skin knows nothing
        m.clips = [[(n + k, *track[1:]) for k, track in enumerate(m.clips[0])]]
        names = m.names + m.extra_nodes
    else:                                                 # the turned joint lost its weights
        m.weights = shift(m.weights, j, m.parents[j], -1)
    return t, m, [*names, ""]

def make_unbound(rng, D, i, o):
    """Points without weights, or a button on a limb that follows the root only."""
    m = body(rng, D, i // 2)
    j = int(rng.choice(limb_joints(m)))
    a, s = m.axes[j]
    add_clip(rng, m, j, 35, 55)
    place = m.heads[j] + s * np.eye(D)[a] * min(m.reach[j] * 0.7, 3.5)
    order = np.argsort(np.linalg.norm(m.points - place, axis=1) + (m.weights[:, j] < 0.5) * 9)
    v, t = order[rng.integers(5)], copy.deepcopy(m)
    if i % 2 == 0:
        m.weights[np.argsort(np.linalg.norm(m.points - m.points[v], axis=1))[:int(rng.integers(1, 12))]] = 0
        return t, m, [m.names[j], m.names[m.parents[j]], ""]
    out, size = (m.points[v] - place) * (np.arange(D) != a), rng.uniform(0.15, 0.25)
    out = out / np.linalg.norm(out) * size * 1.05 * D ** 0.5 if D > 2 else 0
    points, cells, _ = lattice(D, [([0] * D, [2] * D, 0)], 1)
    button = add_piece(m, (points - 1) * size + m.points[v] + out, cells, m.weights[[v] * len(points)], int(o["split"]))
    t = copy.deepcopy(m)
    m.weights[button] = np.eye(len(m.names))[0]
    return t, m, [m.names[j], m.names[0], ""]

# ---------------------------------------------------------------- files
def finished(m, o):
    """A copy of the model with its scale, mirror and quantised weights."""
    m, f = copy.deepcopy(m), np.full(m.D, float(o["scale"]))
    if o["mirrored"]:
        f[o["axis"]] *= -1
        m.cells[:, -2:] = m.cells[:, :-3:-1].copy()
        m.axes = [(a, s * int(np.sign(f[a]))) for a, s in m.axes]
        m.clips = [[(j, p, t, -a if o["axis"] in p else a) for j, p, t, a in c] for c in m.clips]
    m.points, m.heads, m.shapes = m.points * f, m.heads * f, {k: v * f for k, v in m.shapes.items()}
    if o["quantised"]:                                    # steps of 1/255, the largest takes what is missing
        q = np.round(m.weights * 255)
        q[np.arange(len(q)), q.argmax(1)] += np.where(q.sum(1) > 0, 255 - q.sum(1), 0)
        m.weights = q / 255
    return m

class Store:
    """Collects arrays as accessors, each at a multiple of 8 bytes."""
    def __init__(self):
        self.data, self.views, self.accessors = bytearray(), [], []
    def add(self, array, dtype, accessor):
        self.data += bytes(-len(self.data) % 8)
        raw = np.ascontiguousarray(array, "<" + dtype).tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)})
        self.data += raw
        self.accessors.append({"bufferView": len(self.views) - 1, **accessor})
        return len(self.accessors) - 1
    def gltf(self, array, kind, dtype="f4", target=None, **more):
        a = np.asarray(array).astype(dtype)
        if dtype == "f4" and kind in ("SCALAR", "VEC3"):  # times and positions need bounds
            more.update(min=np.atleast_1d(a.min(0)).tolist(), max=np.atleast_1d(a.max(0)).tolist())
        more.update(componentType={"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}[dtype], type=kind, count=len(a))
        self.add(a, dtype, more)
        self.views[-1].update({"target": target} if target else {})
        return len(self.views) - 1
    def g4mf(self, array, dtype="f4", size=1):
        return self.add(array, dtype, {"componentType": {"u4": "uint32", "f4": "float32"}[dtype], "vectorSize": size})

def qmul(a, b):
    return np.append(a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3])

def quat(axis, angle):
    return np.append(np.multiply(axis, math.sin(angle / 2)), math.cos(angle / 2))

CONJUGATE, SAME = np.array([-1, -1, -1, 1.0]), np.array([0, 0, 0, 1.0])
PLANE = {(0, 1): (0, 0, 1), (0, 2): (0, -1, 0), (1, 2): (1, 0, 0)}    # turns the first axis towards the second
BONE = {(1, 1): SAME, (1, -1): quat((1, 0, 0), math.pi), (0, 1): quat((0, 0, -1), math.pi / 2),
        (0, -1): quat((0, 0, 1), math.pi / 2)}            # turn +Y to where a bone points

def glb_nodes(m, o, store):
    """Nodes, root nodes and the skin. Some files have joint frames along the bones, or everything in a scaled node."""
    q, n, size, nodes = [BONE[x] if o["frames"] else SAME for x in m.axes], len(m.names), o["armature"], []
    back = [np.array([qmul(qmul(c * CONJUGATE, np.append(e, 0)), c)[:3] for e in np.eye(3)]).T for c in q]
    for j, name in enumerate(m.names):
        p = m.parents[j]
        r, at = (qmul(q[p] * CONJUGATE, q[j]), back[p] @ (m.heads[j] - m.heads[p])) if p >= 0 else (q[j], m.heads[j])
        nodes.append({"name": name, "translation": (at / size).tolist(), "rotation": r.tolist()})
        nodes[j].update({"children": [k for k in range(n) if m.parents[k] == j]} if j in m.parents else {})
    nodes += [{"name": e} for e in m.extra_nodes] + [{"name": "Armature", "scale": [size] * 3, "children": [0]}]
    bind = np.tile(np.eye(4), (n, 1, 1))
    bind[:, :3, :3] = np.array(back) / size
    bind[:, :3, 3] = -np.einsum("jab,jb->ja", bind[:, :3, :3], m.heads)
    skin = {"joints": list(range(n)), "inverseBindMatrices": store.gltf(bind.transpose(0, 2, 1), "MAT4")}
    return nodes, list(range(n, len(nodes))), skin, q

def glb_primitive(m, o, store, part):
    """One primitive with arrays of its own, so that the border to another one is a seam."""
    used, cells = np.unique(m.cells[m.part == part], return_inverse=True)
    w = np.pad(m.weights[used], ((0, 0), (0, max(0, 4 - len(m.names)))))
    order = np.argsort(-w, axis=1, kind="stable")[:, :4]
    rows = np.take_along_axis(w, order, 1)
    weights = store.gltf(np.round(rows * 255), "VEC4", "u1", 34962, normalized=True) if o["quantised"] else \
        store.gltf(rows, "VEC4", "f4", 34962)
    joints = store.gltf(np.where(rows > 0, order, 0), "VEC4", "u1", 34962)
    position = store.gltf(m.points[used], "VEC3", "f4", 34962)
    p = {"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
         "indices": store.gltf(cells.reshape(-1), "SCALAR", "u2" if len(used) < 65000 else "u4", 34963)}
    if m.shapes:
        p["targets"] = [{"POSITION": store.gltf(s[used], "VEC3", "f4", 34962)} for s in m.shapes.values()]
    return p

def write_glb(m, o, path):
    m, store = finished(m, o), Store()
    nodes, roots, skin, q = glb_nodes(m, o, store)
    parts, first = [glb_primitive(m, o, store, k) for k in np.unique(m.part)], len(nodes)
    more = {"weights": [0.0], "extras": {"targetNames": list(m.shapes)}} if m.shapes else {}
    groups = [[p] for p in parts] if m.apart else [parts]
    nodes += [{"name": f"Body{k}", "mesh": k, "skin": 0} for k in range(len(groups))]
    g = {"asset": {"version": "2.0", "generator": "flex_planted"}, "scene": 0, "skins": [skin], "nodes": nodes,
         "scenes": [{"nodes": roots + list(range(first, len(nodes)))}], "accessors": store.accessors,
         "meshes": [{"name": f"Mesh{k}", "primitives": p, **more} for k, p in enumerate(groups)]}
    for tracks in m.clips:
        a = {"name": "Clip", "samplers": [], "channels": []}
        for j, plane, times, values in tracks:
            what = {"node": first if j is None else j, "path": "weights" if j is None else "rotation"}
            if j is not None:
                values = [quat(PLANE[plane], x) for x in values]
                if j < len(q):                            # from the axes of the world to those of the parent
                    before = q[m.parents[j]] * CONJUGATE if m.parents[j] >= 0 else SAME
                    values = [qmul(before, qmul(v, q[j])) for v in values]
            a["channels"].append({"sampler": len(a["channels"]), "target": what})
            a["samplers"].append({"input": store.gltf(times, "SCALAR"),
                                  "output": store.gltf(values, "SCALAR" if j is None else "VEC4")})
        g["animations"] = [a]
    store.data += bytes(-len(store.data) % 4)
    g["bufferViews"], g["buffers"] = store.views, [{"byteLength": len(store.data)}]
    text = json.dumps(g).encode()
    text += b" " * (-len(text) % 4)
    text = struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(store.data), len(text), b"JSON") + text
    pathlib.Path(path).write_bytes(text + struct.pack("<I4s", len(store.data), b"BIN\0") + store.data)

def rotor(D, plane, angle):
    """[scalar, xy, xz, yz, xw, ...]"""
    return [math.cos(angle / 2)] + [math.sin(angle / 2) * ((a, b) == plane) for b in range(D) for a in range(b)]

def g4mf_mesh(m, store):
    """Mesh with skin and blend shapes; points without weights are not listed."""
    D, parts = m.D, np.unique(m.part)
    vertex, group = np.nonzero(m.weights > 0)
    weight = m.weights[vertex, group]
    order = np.lexsort((group, -weight, vertex))
    mesh = {"name": "Body", "vertices": store.g4mf(m.points, "f4", D),
            "surfaces": [{"simplexes": store.g4mf(m.cells[m.part == k], "u4", m.cells.shape[1])} for k in parts],
            "skin": {"groups": store.g4mf(group[order], "u4"), "vertices": store.g4mf(vertex[order], "u4"),
                     "weights": store.g4mf(weight[order])}}
    for name, offsets in m.shapes.items():
        used = np.flatnonzero(offsets.any(1))
        target = {"indices": store.g4mf(used, "u4"), "offsets": store.g4mf(offsets[used], "f4", D)}
        mesh.setdefault("blend", {"shapes": []})["shapes"].append({"name": name, "position": target})
    return mesh

def write_g4mf(m, o, path):
    """Revision 2026-01. Node 0 is the root, node 1 the skeleton, then come bones, helpers and the mesh."""
    m, store, n = finished(m, o), Store(), len(m.names)
    last = 2 + n + len(m.extra_nodes)
    nodes = [{"name": "Scene", "children": [1, *range(2 + n, last)]},
             {"name": "Rig", "skeleton": {"joints": list(range(2, 2 + n))}, "children": [2, last]}]
    for j, p in enumerate(m.parents):
        at, kids = m.heads[j] - (m.heads[p] if p >= 0 else 0), [2 + k for k in range(n) if m.parents[k] == j]
        nodes.append({"name": m.names[j], "bone": {}, "position": at.tolist(), **({"children": kids} if kids else {})})
    nodes += [{"name": e} for e in m.extra_nodes] + [{"name": "BodyNode", "meshInstance": {"mesh": 0}}]
    g = {"asset": {"dimension": m.D, "generator": "flex_planted"}, "accessors": store.accessors,
         "bufferViews": store.views, "nodes": nodes, "meshes": [g4mf_mesh(m, store)]}
    for clip in m.clips:
        tracks = []
        for j, plane, times, angles in clip:
            values = np.array([[x] if j is None else rotor(m.D, plane, x) for x in angles])
            what = {"node": last, "path": "blendAmounts"} if j is None else {"node": 2 + j, "path": "rotor"}
            tracks.append({**what, "times": store.g4mf(times), "values": store.g4mf(values, "f4", values.shape[1])})
        g["asset"]["extensionsUsed"] = ["SINEW_animation"]
        g["extensions"] = {"SINEW_animation": {"clips": [{"name": "Clip", "tracks": tracks}]}}
    g["buffers"] = [{"byteLength": len(store.data)}]
    if path.endswith(".g4tf"):
        g["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(store.data).decode()
    data = json.dumps(g).encode()
    if path.endswith(".g4b"):
        data += b" " * (-len(data) % 16)
        head = struct.pack("<4sIQ4s4xQ", b"G4MF", 0, 48 + len(data) + len(store.data), b"JSON", len(data))
        data = head + data + struct.pack("<4s4xQ", b"BLOB", len(store.data)) + store.data
    pathlib.Path(path).write_bytes(data)

# ---------------------------------------------------------------- cases
MAKERS = {"tear": (make_tear, {2: 6, 3: 8, 4: 8, 5: 4}), "collapse": (make_collapse, {3: 12, 4: 6}),
          "flip": (make_flip, {2: 6, 3: 9, 4: 5}), "penetration": (make_penetration, {3: 14}),
          "self": (make_self, {3: 14}), "island": (make_island, {2: 6, 3: 9, 4: 6}),
          "spike": (functools.partial(make_island, spike=True), {2: 6, 3: 9, 4: 6}),
          "inert": (make_inert, {2: 6, 3: 9, 4: 6}), "unbound": (make_unbound, {2: 6, 3: 12, 4: 8})}

def pair(seed, kind, D, i):
    """The i-th pair of a kind in D dimensions, as two dictionaries: defect and twin."""
    rng = np.random.default_rng([seed, zlib.crc32(kind.encode()), D, i])
    o = {"scale": (1, 100, 0.01)[(i + D) % 3], "mirrored": (i >> 1) % 2 == 1, "quantised": (i // 3 + D) % 2 == 1,
         "split": (i + D) % 2 == 0, "axis": int(rng.integers(D)), "frames": i % 5 in (1, 3),
         "armature": (0.01, 100)[i % 2] if i % 7 == 2 else 1}
    twin, bad, joints = MAKERS[kind][0](rng, D, i, o)
    for m in (bad, twin):
        if o["split"] and not m.part.any():
            split_parts(np.random.default_rng([seed, D, i]), m)
        if i % 4 == 2 and kind in ("tear", "flip", "island", "spike", "unbound"):
            m.hidden, m.clips = m.clips, []               # a model without clips
    glb = D == 3 and not (kind == "unbound" and i % 2 == 0)       # glTF has no valid vertices without weights
    ending, name = ".glb" if glb else ".g4tf" if i % 3 == 1 else ".g4b", f"{kind}_{D}d_{i:02}"
    for m, own, twin_name, k in ((bad, name, name + "_twin", kind), (twin, name + "_twin", name, "none")):
        yield {"name": own, "file": own + ending, "kind": k, "planted": kind, "joint": joints if k != "none" else [],
               "twin": twin_name, "dimension": D, **{x: o[x] for x in ("scale", "mirrored", "quantised", "split")},
               "body": m.body, "clips": len(m.clips), "vertices": len(m.points), "cells": len(m.cells),
               "write": functools.partial(write_glb if glb else write_g4mf, m, o), "model": m, "options": o}

def cases(seed=1, kinds=None, most=None):
    """All pairs, or at most some of a kind in a dimension."""
    for kind in kinds or MAKERS:
        for D, n in MAKERS[kind][1].items():
            for i in range(min(n, most or n)):
                yield from pair(seed, kind, D, i)

def main():
    a = argparse.ArgumentParser(description="Write rigged meshes with planted defects and manifest.json.")
    a.add_argument("folder", type=pathlib.Path)
    a.add_argument("--kinds", help="kinds, with commas: " + ",".join(MAKERS))
    a.add_argument("--seed", type=int, default=1)
    o, listed = a.parse_args(), []
    o.folder.mkdir(parents=True, exist_ok=True)
    for c in cases(o.seed, o.kinds and o.kinds.split(",")):
        c["write"](str(o.folder / c["file"]))
        listed.append({k: v for k, v in c.items() if k not in ("write", "model", "options")})
    (o.folder / "manifest.json").write_text(json.dumps({"seed": o.seed, "cases": listed}, indent=1))
    print(len(listed), "files")

if __name__ == "__main__":
    main()
