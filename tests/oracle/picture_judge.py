# SPDX-License-Identifier: MIT
"""Errors of pictures, and smaller pictures, by their definitions: arrays of height × width × 4 bytes."""
import struct
import zlib

import numpy as np


def channels(a, b):
    return 3 if (a[..., 3] == 255).all() and (b[..., 3] == 255).all() else 4


def psnr(a, b):
    """The peak signal-to-noise ratio over all channels, and that of each; None: no pixel differs."""
    n = channels(a, b)
    squares = (a[..., :n].astype(float) - b[..., :n].astype(float)) ** 2
    decibels = lambda mean: None if mean == 0 else 10 * np.log10(255**2 / mean)
    return decibels(squares.mean()), [decibels(squares[..., c].mean()) for c in range(n)]


def ssim(a, b):
    """Wang et al. 2004 with windows of 8 × 8 pixels, every 4 pixels, all pixels alike, and population moments."""
    n, side = channels(a, b), 8
    h, w = min(side, a.shape[0]), min(side, a.shape[1])
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    down, right = (slice(0, side - size + 1, 4) for side, size in ((a.shape[0], h), (a.shape[1], w)))

    def mean(values):  # of each window: rows first, then columns
        rows = sum(values[i:][down] for i in range(h))
        return sum(rows[:, i:][:, right] for i in range(w)) / (h * w)

    p, q = a[..., :n].astype(float), b[..., :n].astype(float)
    mp, mq = mean(p), mean(q)
    covariance, variances = mean(p * q) - mp * mq, mean(p * p + q * q) - mp**2 - mq**2
    values = (2 * mp * mq + c1) * (2 * covariance + c2) / ((mp**2 + mq**2 + c1) * (variances + c2))
    return float(np.mean(values))


def coverage(old, new):
    """The part of each new pixel that each old one covers: a matrix of new × old, whose rows sum to 1."""
    edges, step = np.arange(old), old / new
    begin = np.arange(new)[:, None] * step
    return np.clip(np.minimum(begin + step, edges + 1) - np.maximum(begin, edges), 0, None) / step


def smaller(picture, most, content):
    """The area average with at most `most` pixels on a side. content: color, blended, normal or data."""
    larger = max(picture.shape[:2])
    height, width = (max(1, int(np.floor(side * most / larger + 0.5))) for side in picture.shape[:2])
    rows, columns = coverage(picture.shape[0], height), coverage(picture.shape[1], width)
    average = lambda values: np.einsum("yi,xj,ij...->yx...", rows, columns, values, optimize=True)
    values = picture / 255.0
    colors, alpha = values[..., :3], values[..., 3]
    if content in ("color", "blended"):
        colors = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    mean, opacity = average(colors), average(alpha)
    if content == "blended":
        weighted = average(colors * alpha[..., None])
        mean = np.where(opacity[..., None] > 0, weighted / np.maximum(opacity[..., None], 1e-12), mean)
    if content in ("color", "blended"):
        mean = np.where(mean <= 0.0031308, mean * 12.92, 1.055 * np.maximum(mean, 0) ** (1 / 2.4) - 0.055)
    if content == "normal":
        direction = 2 * mean - 1
        mean = (direction / np.linalg.norm(direction, axis=-1, keepdims=True) + 1) / 2
    return np.clip(np.concatenate([mean, opacity[..., None]], -1), 0, 1) * 255


def png(picture, before=b""):
    """A PNG of 8 bits, RGBA, without filters."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(picture))
    header = struct.pack(">IIBBBBB", picture.shape[1], picture.shape[0], 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def read_png(data):
    """The pixels of a PNG of any colour type with up to 8 bits, not interlaced; and its IHDR."""
    at, packed, palette, opacities = 8, b"", None, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, color, *_ = header = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"tRNS":
            opacities = body
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    step, size = max(1, samples * bits // 8), (width * samples * bits + 7) // 8
    raw, rows, above = zlib.decompress(packed), [], np.zeros(size, int)
    for y in range(height):
        kind, line = raw[y * (size + 1)], np.frombuffer(raw, np.uint8, size, y * (size + 1) + 1).astype(int)
        for i in range(size):
            left, corner = (line[i - step], above[i - step]) if i >= step else (0, 0)
            up = above[i]
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
        rows.append(line)
        above = line
    values = np.array(rows, np.uint8)
    if bits < 8:
        values = np.unpackbits(values, axis=1).reshape(height, -1, bits)[:, :width] @ (1 << np.arange(bits)[::-1])
        values = (values if color == 3 else values * (255 // (2**bits - 1))).astype(np.uint8)
    values = values.reshape(height, width, samples)
    full = np.full((height, width, 1), 255, np.uint8)
    if color == 3:
        alpha = np.full(len(palette), 255, np.uint8)
        alpha[: len(opacities)] = np.frombuffer(opacities, np.uint8)
        return np.concatenate([palette[values[..., 0]], alpha[values]], -1), header
    grey = values[..., :1] if color in (0, 4) else None
    parts = [grey, grey, grey] if grey is not None else [values[..., :3]]
    return np.concatenate(parts + [values[..., -1:] if color in (4, 6) else full], -1), header
