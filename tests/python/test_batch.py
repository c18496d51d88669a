# SPDX-License-Identifier: MIT
"""Many poses as arrays: the same bits as single calls, the gradients of the independent evaluators, and clear errors."""
import signal
import threading

import numpy as np
import pytest
import sinew
from conftest import SAMPLES

import g4mf_oracle
import gltf_oracle

POSES = 5
ARM, CUBE, SKIN = (SAMPLES / name for name in ("g4mf/arm_4d.g4tf", "gltf/morph_cube.gltf", "gltf/simple_skin.gltf"))


def amounts_of(model):
    """(node, number of blend shapes) of every node with a mesh."""
    return [(node.index, len(model.meshes[node.mesh].shapes)) for node in model.nodes if node.mesh is not None]


def random_parts(model, random, poses=POSES):
    """Translations, rotors of unit length and scales near those of the file, and amounts."""
    n, nodes = model.dimension, len(model.nodes)
    rest = model.pose()
    translation = np.array([rest.translation(i) for i in range(nodes)]) + random.normal(0, 0.1, (poses, nodes, n))
    size = max(n * (n - 1) // 2, 0)
    rotor = np.zeros((poses, nodes, 1 if n == 0 else 2 ** (n - 1)))
    angle = random.normal(0, 0.4, (poses, nodes))
    rotor[..., 0] = np.cos(angle)
    if size:
        plane = random.integers(1, size + 1, (poses, nodes))
        np.put_along_axis(rotor, plane[..., None], np.sin(angle)[..., None], axis=2)
    scale = 1 + random.normal(0, 0.1, (poses, nodes, n))
    amounts = random.uniform(0, 1, (poses, sum(count for _, count in amounts_of(model))))
    return {"translation": translation, "rotor": rotor, "scale": scale, "amounts": amounts}


def local_of(model, pose):
    """(nodes, N+1, N+1)"""
    n = model.dimension
    out = np.zeros((len(model.nodes), n + 1, n + 1))
    out[:, n, n] = 1
    for node in range(len(model.nodes)):
        out[node, :n] = pose.matrix(node)
    return out


def world_of(model, pose):
    n = model.dimension
    out = np.zeros((len(model.nodes), n + 1, n + 1))
    out[:, n, n] = 1
    out[:, :n] = model.world_transforms(pose)
    return out


def set_amounts(model, pose, amounts):
    first = 0
    for node, count in amounts_of(model):
        if count:
            pose.set_amounts(node, amounts[first:first + count])
        first += count


def single_poses(model, parts):
    """The same poses, made call by call."""
    out = []
    for i in range(len(parts["amounts"])):
        pose = model.pose()
        for node in range(len(model.nodes)):
            pose.set(node, translation=parts["translation"][i, node], rotor=parts["rotor"][i, node], scale=parts["scale"][i, node])
        set_amounts(model, pose, parts["amounts"][i])
        out.append(pose)
    return out


def loaded(path):
    model = sinew.load(path)
    return model, sinew.Deformer(model)


def test_parts_give_the_bits_of_single_calls(sample):
    model, deformer = loaded(sample)
    parts = random_parts(model, np.random.default_rng(1))
    want = np.stack([deformer.positions(pose) for pose in single_poses(model, parts)])
    for threads in (0, 1, 7):
        assert deformer.positions(parts, threads=threads).tobytes() == want.tobytes()


def test_local_matrices_give_the_bits_of_single_calls(sample):
    model, deformer = loaded(sample)
    n = model.dimension
    parts = random_parts(model, np.random.default_rng(2))
    local = np.stack([local_of(model, pose) for pose in single_poses(model, parts)])
    want = []
    for i in range(POSES):
        pose = model.pose()
        for node in range(len(model.nodes)):
            pose.set(node, translation=local[i, node, :n, n], basis=local[i, node, :n, :n])
        set_amounts(model, pose, parts["amounts"][i])
        want.append(deformer.positions(pose))
    assert deformer.positions({"local": local, "amounts": parts["amounts"]}).tobytes() == np.stack(want).tobytes()


def test_world_matrices_are_where_the_joints_are(sample):
    model, deformer = loaded(sample)
    poses = single_poses(model, random_parts(model, np.random.default_rng(3)))
    arrays = {"world": np.stack([world_of(model, pose) for pose in poses]), "amounts": random_parts(model, np.random.default_rng(3))["amounts"]}
    want = np.stack([deformer.positions(pose) for pose in poses])
    got = deformer.positions(arrays)
    size = max(1.0, float(np.abs(want).max(initial=0)))
    assert np.abs(got - want).max(initial=0) <= 1e-6 * size
    ones = [deformer.positions({key: array[i:i + 1] for key, array in arrays.items()})[0] for i in range(POSES)]
    assert got.tobytes() == np.stack(ones).tobytes()


def test_what_is_left_out_stays_as_in_the_file(sample):
    model, deformer = loaded(sample)
    parts = random_parts(model, np.random.default_rng(4))
    want = deformer.positions(model.pose())
    got = deformer.positions({"amounts": np.stack([np.concatenate([model.pose().amounts(node) for node, _ in amounts_of(model)] or [[]])] * 2)})
    assert got.tobytes() == np.stack([want, want]).tobytes()
    for part in ("translation", "rotor", "scale"):
        poses = []
        for i in range(POSES):
            pose = model.pose()
            for node in range(len(model.nodes)):
                pose.set(node, **{part: parts[part][i, node]})
            poses.append(pose)
        assert deformer.positions({part: parts[part]}).tobytes() == deformer.frames(poses).tobytes(), part


def test_quaternions_are_rotations_of_gltf():
    model, deformer = loaded(SKIN)
    quaternions = np.random.default_rng(5).normal(0, 1, (POSES, len(model.nodes), 4))
    quaternions /= np.linalg.norm(quaternions, axis=2, keepdims=True)
    poses = [model.pose() for _ in range(POSES)]
    for pose, own in zip(poses, quaternions):
        for node, quaternion in enumerate(own):
            pose.set(node, rotation=quaternion)
    assert deformer.positions({"rotation": quaternions}).tobytes() == deformer.frames(poses).tobytes()


def test_a_clip_as_arrays(sample):
    model, deformer = loaded(sample)
    for clip in model.clips:
        arrays = model.sample(clip.index, fps=8)
        times = np.arange(len(arrays["local"])) / 8
        poses = [model.pose() for _ in times]
        for pose, time in zip(poses, times):
            pose.sample(clip.index, time)
        assert np.array_equal(arrays["local"], [local_of(model, pose) for pose in poses])
        assert deformer.positions(arrays).tobytes() == deformer.frames(poses).tobytes()
        world = model.sample(clip.index, times, space="world")
        assert np.array_equal(world["world"], [world_of(model, pose) for pose in poses])
        assert np.array_equal(world["amounts"], arrays["amounts"])


@pytest.mark.parametrize("normals", [True, "computed"])
def test_normals_and_tangents_likewise(normals):
    for path in (CUBE, SKIN, SAMPLES / "gltf/tube_8_influences.gltf"):
        model = sinew.load(path)
        deformer = sinew.Deformer(model, normals=normals, tangents=True)
        parts = random_parts(model, np.random.default_rng(6), 70)
        single = single_poses(model, parts)
        for channel in (deformer.normals, deformer.tangents):
            try:
                want = np.stack([channel(pose) for pose in single])
            except sinew.UsageError:
                continue
            assert channel(parts).tobytes() == want.tobytes()
    positions, found = np.zeros((70, deformer.vertices, 3), np.float32), np.zeros((70, deformer.vertices, 3), np.float32)
    deformer.run(parts, positions=positions, normals=found)
    assert positions.tobytes() == deformer.frames(single).tobytes() and found.tobytes() == deformer.normals(parts).tobytes()


def test_palettes_move_the_vertices():
    model, deformer = loaded(SKIN)
    parts = random_parts(model, np.random.default_rng(7))
    palettes = deformer.palettes(parts)
    joints = model.skins[0].joints
    assert palettes.shape == (POSES, len(joints) + 1, 4, 4)
    document = gltf_oracle.Evaluator(gltf_oracle.Document(SKIN))
    for i, pose in enumerate(single_poses(model, parts)):
        world = world_of(model, pose)
        assert np.allclose(palettes[i, :-1], document.joint_matrices(document.json["skins"][0], world, None), atol=1e-12)
        assert np.allclose(palettes[i, -1], world[deformer.instances[0].node], atol=1e-12)


# Gradients: of Σ weight · position by central differences of the independent evaluators, in double precision.


class Gltf(gltf_oracle.Evaluator):
    given = None

    def pose(self, animation=None, time=0.0):
        nodes, first = super().pose(), 0
        for node in nodes:
            if "weights" in node:
                node["weights"] = self.given["amounts"][first:first + len(node["weights"])]
                first += len(node["weights"])
        self.now, self.row = nodes, 0
        return nodes

    def globals(self, nodes):
        if nodes is not self.now:
            return super().globals(nodes)
        if "world" in self.given:
            return list(self.given["world"])
        return super().globals([{**node, "matrix": local.T.ravel()} for node, local in zip(nodes, self.given["local"])])

    def _morphed(self, primitive, semantic, width, amounts):
        rows = super()._morphed(primitive, semantic, width, amounts)
        self.row += len(rows)
        return rows + self.given["rest_positions"][self.row - len(rows):self.row]

    def positions(self):
        return np.concatenate([rows for _, _, rows in self.instances()])


class G4mf(g4mf_oracle.Evaluator):
    given = None

    def posed(self, pose):
        if "local" in self.given:
            locals_ = self.given["local"]
        else:
            worlds = self.given["world"]
            locals_ = [np.linalg.inv(worlds[self.parent[i]]) @ world if i in self.parent else world for i, world in enumerate(worlds)]
        return [{**node, "basis": local[:-1, :-1].T.ravel(), "position": local[:-1, -1]} for node, local in zip(self.nodes, locals_)]

    def amounts(self, node, pose):
        nodes = sorted(i for i in range(len(self.nodes)) if self.mesh_of(i)[0] is not None)
        counts = [len(super(G4mf, self).amounts(i, None)) for i in nodes]
        first = sum(counts[:nodes.index(node)])
        return self.given["amounts"][first:first + counts[nodes.index(node)]]

    def blended(self, node, pose):
        rows = super().blended(node, pose)
        self.row += len(rows)
        return rows + self.given["rest_positions"][self.row - len(rows):self.row]

    def positions(self):
        self.row = 0
        return np.concatenate([rows for _, rows in self.instances()])


def evaluator_of(path):
    return G4mf(g4mf_oracle.Document(path)) if path.suffix.startswith(".g4") else Gltf(gltf_oracle.Document(path))


def differences(evaluator, given, key, weight, step=1e-5):
    out = np.zeros_like(given[key])
    for place in np.ndindex(*(given[key].shape[:-2] + (given[key].shape[-2] - 1, given[key].shape[-1]) if key in ("local", "world") else given[key].shape)):
        sums = []
        for sign in (1, -1):
            changed = given[key].copy()
            changed[place] += sign * step
            evaluator.given = {**given, key: changed}
            sums.append(float((evaluator.positions() * weight).sum()))
        out[place] = (sums[0] - sums[1]) / (2 * step)
    return out


GRADIENTS = ["gltf/simple_skin.gltf", "gltf/morph_cube.gltf", "g4mf/arm_4d.g4tf", "g4mf/cube_chain.g4tf", "g4mf/rig_2d.g4tf",
             "g4mf/stiff_tail.g4tf", "g4mf/shared_mesh.g4tf", "g4mf/rig_5d.g4tf"]


@pytest.mark.parametrize("space", ["local", "world"])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_are_central_differences(name, space):
    path = SAMPLES / name
    model, deformer = loaded(path)
    random, count = np.random.default_rng(8), 2
    parts = random_parts(model, random, count)
    matrices = np.stack([(local_of if space == "local" else world_of)(model, pose) for pose in single_poses(model, parts)])
    poses = {space: matrices, "amounts": parts["amounts"]}
    weight = random.normal(0, 1, (count, deformer.vertices, model.dimension)).astype(np.float32)
    found = deformer.vjp(poses, weight)
    assert set(found) == {space, "amounts", "rest_positions"}
    evaluator, rest = evaluator_of(path), 0
    for i in range(count):
        given = {space: matrices[i], "amounts": poses["amounts"][i], "rest_positions": np.zeros((deformer.vertices, model.dimension))}
        evaluator.given = given
        positions = evaluator.positions()
        assert np.abs(positions - deformer.positions(poses)[i]).max() < 1e-5 * max(1, np.abs(positions).max())
        for key in (space, "amounts"):
            want = differences(evaluator, given, key, weight[i])
            assert np.abs(found[key][i] - want).max(initial=0) <= 1e-4 * max(1, np.abs(want).max(initial=0)), key
        rest = rest + differences(evaluator, given, "rest_positions", weight[i])
    assert np.abs(found["rest_positions"] - rest).max() <= 1e-4 * max(1, np.abs(rest).max())
    assert np.abs(found[space]).max() > 0.1 and np.abs(rest).max() > 0.1


def test_gradients_do_not_depend_on_threads_and_of_parts_are_of_matrices():
    for path in (SKIN, ARM):
        model, deformer = loaded(path)
        parts = random_parts(model, np.random.default_rng(9), 200)
        weight = np.random.default_rng(10).normal(0, 1, (200, deformer.vertices, model.dimension))
        one, many = (deformer.vjp(parts, weight, threads=threads) for threads in (1, 5))
        assert all(one[key].tobytes() == many[key].tobytes() for key in one)
        local = np.stack([local_of(model, pose) for pose in single_poses(model, parts)])
        same = deformer.vjp({"local": local, "amounts": parts["amounts"]}, weight, rest_positions=False)
        assert "rest_positions" not in same and np.allclose(one["local"], same["local"], atol=1e-9)
        assert np.allclose(one["amounts"], same["amounts"], atol=1e-9)


# Memory


class Lent:
    """What gives its numbers by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Tensor:
    """What shares its memory by __array__, like a tensor of torch."""

    def __init__(self, array, shares=True):
        self.array, self.shares = array, shares

    def __array__(self, *types, **options):
        return self.array if self.shares else self.array.copy()


def test_other_arrays_of_numbers():
    model, deformer = loaded(SKIN)
    parts = random_parts(model, np.random.default_rng(11))
    want = deformer.positions(parts)
    for convert in (Lent, Tensor, memoryview, np.ndarray.tolist, np.asfortranarray, lambda a: np.repeat(a, 2, axis=0)[::2]):
        assert np.array_equal(deformer.positions({key: convert(array) for key, array in parts.items() if array.size}), want), convert
    single = {key: array.astype(np.float32) for key, array in parts.items()}
    assert np.abs(deformer.positions(single) - want).max() < 1e-5


def test_the_callers_array():
    model, deformer = loaded(SKIN)
    parts = random_parts(model, np.random.default_rng(12))
    want = deformer.positions(parts)
    large = np.full((POSES, 12, 4), 7, np.float32)
    out = large[:, 1:11, :3]
    assert deformer.positions(parts, out=out) is out and np.array_equal(out, want)
    assert (large[:, 0] == 7).all() and (large[:, 11] == 7).all() and (large[..., 3] == 7).all()
    tensor = Tensor(np.zeros_like(want))
    assert deformer.positions(parts, out=tensor) is tensor and np.array_equal(tensor.array, want)
    view = memoryview(np.zeros_like(want))
    assert deformer.positions(parts, out=view) is view and np.array_equal(np.asarray(view), want)


def test_wrong_arrays_say_what_was_expected():
    model, deformer = loaded(SKIN)
    local = model.sample(0, [0, 1])["local"]
    nodes = len(model.nodes)

    def refused(poses, *words, kind=sinew.UsageError, **options):
        with pytest.raises(kind) as caught:
            deformer.positions(poses, **options)
        for word in words:
            assert word in str(caught.value)

    broken = local.copy()
    broken[1, 2, 0, 3] = np.nan
    refused({"local": broken}, "local", "pose 1", "node 2", "nan", "finite")
    refused({"local": local.transpose(0, 1, 3, 2).copy()}, "last row", "0 … 0 1")
    refused({"local": local[:, :2]}, f"local: expected the shape (poses, {nodes}, 4, 4), found (2, 2, 4, 4)")
    refused({"local": local[0]}, f"found ({nodes}, 4, 4)")
    refused({"local": local, "amounts": np.zeros((3, 0))}, "amounts: expected the shape (2, 0), found (3, 0)")
    refused({"local": local, "world": local}, "one of them")
    refused({"local": local, "scale": np.ones((2, nodes, 3))}, "one of them")
    refused({"rotation": np.zeros((2, nodes, 4))}, "rotor", "length of 0")
    refused({"rotation": np.ones((2, nodes, 4)), "rotor": np.ones((2, nodes, 4))}, "cannot be combined")
    refused({"scale": np.full((2, nodes, 3), np.inf)}, "scale: pose 0, node 0", "inf")
    refused({"locals": local}, '"locals"', "local, world")
    refused({}, "expected some of")
    refused({"local": local.astype(complex)}, "real numbers")
    refused({"local": np.full(local.shape, "x")}, "real numbers")
    refused(None, "Pose", kind=TypeError)
    refused([model.pose()], "dict", kind=TypeError)
    refused({1: local}, "names", kind=TypeError)
    refused({"local": local}, "float32", out=np.zeros((2, 10, 3)))
    refused({"local": local}, "expected the shape (2, 10, 3)", out=np.zeros((1, 10, 3), np.float32))
    fixed = np.zeros((2, 10, 3), np.float32)
    fixed.flags.writeable = False
    refused({"local": local}, "read-only", out=fixed)
    refused({"local": local}, "copy", out=Tensor(np.zeros((2, 10, 3), np.float32), shares=False))
    refused({"local": local}, "array", kind=TypeError, out=[[0.0]])
    arm, of_arm = loaded(ARM)
    with pytest.raises(sinew.UsageError, match="3 dimensions"):
        of_arm.positions({"rotation": np.ones((1, len(arm.nodes), 4))})
    for gradient, words in ((np.zeros((2, 9, 3)), "expected the shape"), (np.full((2, 10, 3), np.nan), "pose 0, vertex 0: found nan"), ("x", "real numbers")):
        with pytest.raises(sinew.UsageError, match=words):
            deformer.vjp({"local": local}, gradient)
    with pytest.raises(sinew.UsageError, match="space"):
        model.sample(0, [0], space="mesh")
    with pytest.raises(sinew.UsageError, match="one of times, fps and frames"):
        model.sample(0)


def test_no_poses():
    model, deformer = loaded(SKIN)
    none = {"local": np.zeros((0, len(model.nodes), 4, 4))}
    assert deformer.positions(none).shape == (0, 10, 3)
    found = deformer.vjp(none, np.zeros((0, 10, 3)))
    assert found["local"].shape == (0, len(model.nodes), 4, 4) and not found["rest_positions"].any()


def test_a_signal_stops_a_batch_and_other_threads_run_meanwhile():
    model, deformer = loaded(SKIN)
    poses = {"translation": np.zeros((1_000_000, len(model.nodes), 3))}
    out = np.zeros((1_000_000, 10, 3), np.float32)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        with pytest.raises(KeyboardInterrupt):
            deformer.positions(poses, out=out, threads=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not out[-1].any()  # it did not go on to the end
    ran = threading.Event()
    call = threading.Thread(target=deformer.positions, args=(poses,), kwargs={"out": out})
    call.start()
    threading.Thread(target=ran.set).start()
    assert ran.wait(10)
    call.join()
    assert out[-1].any()


def test_real_files(shared):
    clips = 0
    for path in sorted(p for p in (shared / "corpus").rglob("*") if p.suffix in (".gltf", ".glb", ".vrm", ".g4tf", ".g4b")):
        try:
            model = sinew.load(path)
            deformer = sinew.Deformer(model)
        except sinew.Error:
            continue
        for clip in model.clips[:1]:
            poses = [model.pose() for _ in range(3)]
            for pose, time in zip(poses, np.linspace(0, clip.duration, 3)):
                pose.sample(clip.index, time)
            want = deformer.frames(poses)
            assert deformer.positions(model.sample(clip.index, frames=3)).tobytes() == want.tobytes(), path
            got = deformer.positions(model.sample(clip.index, frames=3, space="world"))
            size = max(float(np.abs(want).max(initial=0)), 1e-30)
            assert np.abs(got - want).max(initial=0) <= 1e-5 * size, path
            clips += 1
    assert clips >= 10
