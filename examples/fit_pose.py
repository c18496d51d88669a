# SPDX-License-Identifier: MIT
"""Finds the pose that moves a model's vertices to given places, by gradients: fit_pose.py MODEL [STEPS]

With PyTorch, `Positions` is a function that autograd can differentiate, and its L-BFGS finds the pose. Without it, NumPy does the same. The
target is a random pose of the model, of which only the vertices are used.
"""
import importlib
import sys
from typing import Any

import numpy as np

import sinew

torch: Any
try:
    torch = importlib.import_module("torch")
except ImportError:
    torch = None


def rotations(vectors):
    """Rotation matrices (J, 3, 3) of rotation vectors (J, 3), and their derivatives (J, 3, 3, 3) by each number of the vector."""
    cross = np.zeros((3, 3, 3))
    cross[0, 2, 1] = cross[1, 0, 2] = cross[2, 1, 0] = 1
    cross[0, 1, 2] = cross[1, 2, 0] = cross[2, 0, 1] = -1
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    safe = np.where(angle > 1e-6, angle, 1)
    a = np.where(angle > 1e-6, np.sin(angle) / safe, 1 - angle**2 / 6)
    b = np.where(angle > 1e-6, (1 - np.cos(angle)) / safe**2, 0.5 - angle**2 / 24)
    k = np.einsum("ja,aik->jik", vectors, cross)
    # d sin(t)/t = (cos t - sin(t)/t)/t dt, and dt = v/t dv
    da = np.where(angle > 1e-6, (np.cos(angle) - a) / safe**2, -1 / 3)
    db = np.where(angle > 1e-6, (a - 2 * b) / safe**2, -1 / 12)
    turned = np.eye(3) + a * k + b * (k @ k)
    slope = da[:, None] * vectors[..., None, None] * k[:, None] + a[:, None] * cross
    slope += db[:, None] * vectors[..., None, None] * (k @ k)[:, None] + b[:, None] * (cross @ k[:, None] + k[:, None] @ cross)
    return turned, slope


class Character:
    """The joints of a model as rotation vectors on top of the file's own pose."""

    def __init__(self, path):
        self.model = sinew.load(path)
        self.deformer = sinew.Deformer(self.model)
        self.joints = sorted({joint for skin in self.model.skins for joint in skin.joints if joint is not None})
        pose = self.model.pose()
        self.rest = np.zeros((len(self.model.nodes), 4, 4))
        self.rest[:, 3, 3] = 1
        for node in range(len(self.rest)):
            self.rest[node, :3] = pose.matrix(node)

    def local(self, vectors):
        """Local matrices (nodes, 4, 4), and the derivatives of the joints' rotations."""
        turned, slope = rotations(vectors)
        local = self.rest.copy()
        local[self.joints, :3, :3] = self.rest[self.joints, :3, :3] @ turned
        return local, slope

    def gradient(self, of_local, slope):
        """From local matrices back to rotation vectors."""
        of_turned = self.rest[self.joints, :3, :3].transpose(0, 2, 1) @ of_local[self.joints, :3, :3]
        return np.einsum("jik,jaik->ja", of_turned, slope)


def minimize(function, x, steps, memory=20):
    """Descends with L-BFGS: the last changes of the gradient estimate the curvature. `function` returns a value and its gradient."""
    value, gradient = function(x)
    pairs = []
    for _ in range(steps):
        direction, scales = -gradient, []
        for moved, change in reversed(pairs):
            scales.append((moved @ direction) / (moved @ change))
            direction = direction - scales[-1] * change
        direction *= pairs[-1][0] @ pairs[-1][1] / (pairs[-1][1] @ pairs[-1][1]) if pairs else 0.1 / np.linalg.norm(gradient)
        for (moved, change), scale in zip(pairs, reversed(scales)):
            direction = direction + (scale - (change @ direction) / (moved @ change)) * moved
        step, slope = 1.0, gradient @ direction
        while step > 1e-8:
            next_value, next_gradient = function(x + step * direction)
            if next_value <= value + 1e-4 * step * slope:
                break
            step /= 2
        else:
            return x
        moved, change = step * direction, next_gradient - gradient
        x, value, gradient = x + moved, next_value, next_gradient
        if moved @ change > 0:
            pairs = [*pairs, (moved, change)][-memory:]
    return x


def fit_with_numpy(character, target, steps):
    def loss(numbers):
        local, slope = character.local(numbers.reshape(-1, 3))
        poses = {"local": local[None]}
        difference = character.deformer.positions(poses).astype(float) - target
        of_local = character.deformer.vjp(poses, 2 * difference, rest_positions=False)["local"][0]
        return (difference**2).sum(), character.gradient(of_local, slope).ravel()

    found = minimize(loss, np.zeros(len(character.joints) * 3), steps)
    return character.deformer.positions({"local": character.local(found.reshape(-1, 3))[0][None]})[0]


if torch is not None:

    class Positions(torch.autograd.Function):
        """positions = Positions.apply(deformer, local): local (B, nodes, N+1, N+1) on the CPU, positions (B, vertices, N)."""

        @staticmethod
        def forward(context, deformer, local):
            context.deformer = deformer
            context.save_for_backward(local)
            return torch.from_numpy(deformer.positions({"local": local.detach()}))

        @staticmethod
        def backward(context, of_positions):
            (local,) = context.saved_tensors
            found = context.deformer.vjp({"local": local.detach()}, of_positions, rest_positions=False)
            return None, torch.from_numpy(found["local"]).to(local.dtype)

    def fit_with_torch(character, target, steps):
        vectors = torch.zeros(len(character.joints), 3, dtype=torch.float64, requires_grad=True)
        rest, target = torch.from_numpy(character.rest), torch.from_numpy(target)
        optimizer = torch.optim.LBFGS([vectors], max_iter=steps, history_size=20, tolerance_change=1e-12, line_search_fn="strong_wolfe")
        zero = torch.zeros(len(character.joints), dtype=torch.float64)

        def local():
            x, y, z = vectors.unbind(1)
            cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], 1).reshape(-1, 3, 3)
            matrices = rest.clone()
            matrices[character.joints, :3, :3] = rest[character.joints, :3, :3] @ torch.matrix_exp(cross)
            return matrices[None]

        def loss():
            optimizer.zero_grad()
            value = ((Positions.apply(character.deformer, local()) - target) ** 2).sum()
            value.backward()
            return value

        optimizer.step(loss)
        return character.deformer.positions({"local": local().detach()})[0]


def main():
    character = Character(sys.argv[1])
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    random = np.random.default_rng(1)
    wanted = random.normal(0, 0.3, (len(character.joints), 3))
    target = character.deformer.positions({"local": character.local(wanted)[0][None]})[0]
    rest = character.deformer.positions(character.model.pose())
    size = float(np.linalg.norm(rest.max(0) - rest.min(0)))
    fit = fit_with_numpy if torch is None else fit_with_torch
    found = fit(character, target, steps)

    def distance(positions):
        return float(np.sqrt(((positions - target) ** 2).sum(1).mean())) / size

    print(f"{len(target)} vertices, {len(character.joints)} joints, {steps} steps with {'NumPy' if torch is None else 'PyTorch'}")
    print(f"RMS distance from the target, relative to the diagonal: {distance(rest):.2e} before, {distance(found):.2e} after")


if __name__ == "__main__":
    main()
