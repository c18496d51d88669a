# SPDX-License-Identifier: MIT
"""Reads the non-inline names of include/sinew with clang: shared libraries must export them, and cmake/sinew.map lists them."""
import functools
import json
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "cmake" / "sinew.map"
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
TEMPLATES = {"FunctionTemplateDecl", "ClassTemplateDecl", "ClassTemplateSpecializationDecl", "ClassTemplatePartialSpecializationDecl"}
ELSEWHERE = {"isImplicit", "inline", "constexpr", "pure", "explicitlyDefaulted", "explicitlyDeleted"}  # no such function, or each user's own


def clang():
    return next((found for name in ("clang++-19", "clang++") if (found := shutil.which(name))), None)


def syntax_trees(headers, *options):
    """The declarations of these headers, one tree for each part of a namespace."""
    done = subprocess.run([clang(), *options, f"-I{ROOT / 'include'}", "-fsyntax-only", "-Xclang", "-ast-dump=json",
                           "-Xclang", "-ast-dump-filter=sinew", "-"], input="".join(f'#include "sinew/{name}"\n' for name in headers),
                          capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    at, decoder = 0, json.JSONDecoder()
    while found := re.compile(r"\S").search(done.stdout, at):
        tree, at = decoder.raw_decode(done.stdout, found.start())
        yield tree


@functools.cache
def cpp_trees():
    return list(syntax_trees(sorted(path.name for path in (ROOT / "include" / "sinew").glob("*.hpp")), "-x", "c++", "-std=c++20"))


def walk(node, place, found):
    """Adds mangled -> qualified name of everything under `node` that the library defines; `place` is where it stands."""
    kind, name = node.get("kind"), node.get("name", "")
    parts = node.get("inner", [])
    if kind in TEMPLATES:
        return
    if kind in FUNCTIONS:
        if not any(node.get(mark) for mark in ELSEWHERE) and not any(part.get("kind") == "CompoundStmt" for part in parts):
            found[node["mangledName"]] = f"{place}{name}"
        return
    if kind == "VarDecl":
        if node.get("storageClass") in ("static", "extern") and not any(node.get(mark) for mark in ELSEWHERE):
            found[node["mangledName"]] = f"{place}{name}"
        return
    if kind == "CXXRecordDecl" and node.get("definitionData", {}).get("isPolymorphic"):
        nested = "".join(f"{len(part)}{part}" for part in f"{place}{name}".split("::"))
        for code, what in (("I", "typeinfo"), ("S", "typeinfo name")):
            found[f"_ZT{code}N{nested}E"] = f"{what} for {place}{name}"
    if kind == "FriendDecl":  # a function beside the class
        place = place.rpartition("::")[0].rpartition("::")[0] + "::"
    for part in parts:
        walk(part, f"{place}{name}::" if kind in ("NamespaceDecl", "CXXRecordDecl") else place, found)


@functools.cache
def public_names():
    """mangled -> qualified name of all that the C++ headers promise, and the names of the C interface."""
    found = {}
    for tree in cpp_trees():
        # A tree begins at the outermost namespace, so that every place is complete.
        walk(tree, "", found)
    of_c = {}
    for tree in syntax_trees(["sinew.h"], "-x", "c", "-std=c99"):
        walk(tree, "", of_c)
    return found, set(of_c)


def may_fail(node, place, private, found):
    """Adds the names of public functions under `node` that the library defines and that are not noexcept."""
    kind, name, parts = node.get("kind"), node.get("name", ""), node.get("inner", [])
    if kind in TEMPLATES or private:
        return
    if kind in ("FunctionDecl", "CXXMethodDecl"):
        inline = any(node.get(mark) for mark in ELSEWHERE) or any(part.get("kind") == "CompoundStmt" for part in parts)
        if not inline and name != "operator=" and "noexcept" not in node["type"]["qualType"]:
            found.add(f"{place}{name}")
        return
    if kind == "FriendDecl":  # a function beside the class
        place = place.rpartition("::")[0].rpartition("::")[0] + "::"
    private = kind == "CXXRecordDecl" and node.get("tagUsed") == "class"
    for part in parts:
        if part.get("kind") == "AccessSpecDecl":
            private = part.get("access") == "private"
        may_fail(part, f"{place}{name}::" if kind in ("NamespaceDecl", "CXXRecordDecl") else place, private, found)


@functools.cache
def functions_that_may_fail():
    """The C++ functions that are not noexcept, without constructors, and all functions of the C interface."""
    found = set()
    for tree in cpp_trees():
        may_fail(tree, "", False, found)
    return found, public_names()[1]


def pattern(name):
    """One line of the map. The linker takes no brackets and blanks outside of quotation marks, and no wildcards within them."""
    if " for " in name:
        return f'"{name}";'
    return re.sub(r"[^\w:~]", "?", name).replace("~", "?") + "[!_a-z0-9]*;"


def map_text():
    found, of_c = public_names()
    lines = sorted({pattern(name) for name in found.values()}, key=lambda line: (line.startswith('"'), line))
    return (MAP_BEGIN + "".join(f"    {name};\n" for name in sorted(of_c)) + "    extern \"C++\" {\n" +
            "".join(f"      {line}\n" for line in lines) + MAP_END)


MAP_BEGIN = """\
/* SPDX-License-Identifier: MIT
   What the shared libraries show. SINEW_0.1: what the headers in include/sinew declare. SINEW_PRIVATE: what the libraries need of each other,
   with {fmt}, which is inside core; programs must not use it. The last pattern that fits decides, so the public names come last.
   Written by tests/structure/test_public_names.py --update. After a name comes its list of parameters, or a mark as in line[abi:cxx11](). */
SINEW_PRIVATE {
  global:
    _ZN5sinew*;
    _ZNK5sinew*;
    _ZT?N5sinew*;
    _ZN3fmt*;
    _ZNK3fmt*;
    _ZT?N3fmt*;
};
SINEW_0.1 {
  global:
"""
MAP_END = """\
    };
  local:
    *;
};
"""
