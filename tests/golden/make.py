# SPDX-License-Identifier: MIT
"""Rewrites the golden pairs of this folder: python make.py. Removes files of pairs that no longer exist."""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import golden  # noqa: E402

FORMATS = ("gltf", "staik", "g4mf", "model", "vrm")


def cases():
    for name in sorted(os.listdir(HERE)):
        if name.startswith("cases_") and name.endswith(".py"):
            importlib.import_module(name.removesuffix(".py"))
    return golden.CASES


def expected():
    """Relative path -> bytes, for all pairs."""
    files = {}
    for case in cases():
        for kind, file in (("bad", case.bad), ("good", case.good)):
            path = f"{case.path}.{kind}.{file.container}"
            assert path not in files, f"two pairs are called {case.path}"
            files[path] = file.bytes()
    return files


def existing():
    found = set()
    for form in FORMATS:
        for folder, _, names in os.walk(os.path.join(HERE, form)):
            found |= {os.path.relpath(os.path.join(folder, name), HERE) for name in names}
    return found


def main():
    files = expected()
    for path in sorted(existing() - set(files)):
        os.remove(os.path.join(HERE, path))
    for path, data in files.items():
        target = os.path.join(HERE, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(data)
    print(f"{len(files) // 2} pairs")


if __name__ == "__main__":
    main()
