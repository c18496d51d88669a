# SPDX-License-Identifier: MIT
"""sinew.Player: clips together give the weighted sums of what each gives alone."""
import math

import numpy as np
import pytest

import sinew

from conftest import SAMPLES


@pytest.fixture
def figure():
    return sinew.load(SAMPLES / "show" / "figure.gltf")


def sampled(model, clip, seconds):
    pose = model.pose()
    pose.sample(clip, seconds)
    return pose


def test_one_clip_is_sample(figure):
    player = sinew.Player(figure, ["Walk"])
    player.advance(0.3)
    wanted = sampled(figure, "Walk", 0.3)
    for node in range(len(figure.nodes)):
        np.testing.assert_array_equal(player.pose.matrix(node), wanted.matrix(node))
    deformer = sinew.Deformer(figure)
    np.testing.assert_array_equal(deformer.positions(player.pose), deformer.positions(wanted))


def test_rotations_are_the_normalised_sum(figure):
    player = sinew.Player(figure, [{"clip": "Walk", "weight": 3, "seconds": 0.2}, {"clip": 0, "weight": 1, "seconds": 0.7, "speed": 2}])
    for name in ("Thigh.L", "Shin.R", "Arm.L"):
        a, b = (np.asarray(sampled(figure, 0, t).rotor(name)) for t in (0.2, 0.7))
        wanted = 3 * a + math.copysign(1, a @ b) * b
        np.testing.assert_allclose(player.pose.rotor(name), wanted / np.linalg.norm(wanted), atol=1e-12)
    player.advance(0.1)
    assert [round(clip["seconds"], 9) for clip in player.clips] == [0.3, 0.9]


def test_the_rest_of_the_weight_and_masks(figure):
    mask = [float(node.name.endswith(".L")) for node in figure.nodes]
    player = sinew.Player(figure, [{"clip": "Walk", "seconds": 0.4, "mask": mask}])
    rest, walk = figure.pose(), sampled(figure, "Walk", 0.4)
    np.testing.assert_array_equal(player.pose.rotor("Thigh.L"), walk.rotor("Thigh.L"))
    np.testing.assert_allclose(player.pose.rotor("Thigh.R"), rest.rotor("Thigh.R"))
    player.set_weight(0, 0)
    player.advance(0)
    np.testing.assert_allclose(player.pose.matrix("Thigh.L"), rest.matrix("Thigh.L"))


def test_world_and_root_motion(figure):
    player = sinew.Player(figure, ["Walk"], root="Hips")
    player.seek(0, 0.25)
    player.advance(0.25)
    first, second = (sampled(figure, "Walk", t).translation("Hips") for t in (0.25, 0.5))
    np.testing.assert_allclose(player.root_motion, second - first, atol=1e-12)
    np.testing.assert_array_equal(player.pose.translation("Hips"), figure.pose().translation("Hips"))
    whole = np.eye(4)
    node = next(i for i, n in enumerate(figure.nodes) if n.name == "Head")
    while node is not None:
        whole = np.vstack([player.pose.matrix(node), [0, 0, 0, 1]]) @ whole
        node = figure.nodes[node].parent
    np.testing.assert_allclose(player.world("Head"), whole[:3], atol=1e-12)


def test_hit_against_every_triangle(figure):
    """A ray to a point of a triangle meets that triangle or a nearer one, as numpy finds it."""
    deformer = sinew.Deformer(figure)
    positions, simplexes = deformer.positions(sampled(figure, "Walk", 0.4)), deformer.simplexes()
    a, b, c = (positions[simplexes[:, k]].astype(float) for k in range(3))
    rng = np.random.default_rng(3)
    origin = np.array([0.3, 1.1, 4])
    met = 0
    for _ in range(200):
        direction = np.array([rng.uniform(-0.6, 0.3), rng.uniform(-1.1, 0.7), -4])
        p = np.cross(direction, c - a)
        det = (p * (b - a)).sum(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = (p * (origin - a)).sum(1) / det
            q = np.cross(origin - a, b - a)
            v, t = q @ direction / det, (q * (c - a)).sum(1) / det
        inside = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        found = deformer.hit(positions, origin, direction)
        assert (found is not None) == inside.any()
        if found is not None:
            met += 1
            assert found["distance"] == pytest.approx(t[inside].min(), abs=1e-9)
            point = found["barycentric"] @ positions[simplexes[found["triangle"]]].astype(float)
            np.testing.assert_allclose(point, origin + found["distance"] * direction, atol=1e-5)
    assert 20 < met < 180
    for wrong in ((positions[1:], origin, direction), (positions, origin, [0, 0, 0]), (positions, [0, 0], direction)):
        with pytest.raises(sinew.UsageError):
            deformer.hit(*wrong)


@pytest.mark.parametrize("clips", [["Run"], [{"clip": 0, "weight": -1}], [{"clip": 0, "speed": math.inf}], [{"clip": 0, "mask": [1]}],
                                   [{"clip": 0, "wait": 1}], [{"weight": 1}]])
def test_mistakes(figure, clips):
    with pytest.raises(sinew.UsageError):
        sinew.Player(figure, clips)


def test_mistakes_of_calls(figure):
    player = sinew.Player(figure, [0])
    for call in (lambda: player.set_weight(1, 1), lambda: player.set_weight(0, math.nan), lambda: player.advance(math.inf),
                 lambda: player.seek(-1, 0), lambda: player.set_speed(0, math.nan)):
        with pytest.raises(sinew.UsageError):
            call()
