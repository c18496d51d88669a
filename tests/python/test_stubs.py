# SPDX-License-Identifier: MIT
"""The typed stubs match the module exactly, and everything has a docstring."""
import ast
import inspect
import re
from pathlib import Path

import stub_docs

import sinew
from sinew import _core

STUB = ast.parse((Path(sinew.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
OBJECT = {"__init__", "__new__", "__repr__"}


def parameters(function):
    arguments = function.args
    return [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if a.arg != "self"]


def parameters_of(compiled):
    """Returns the parameter names in the first line of a docstring that pybind11 writes: f(self: X, a: int, *, b: bool = False) -> Y."""
    line = (compiled.__doc__ or "").splitlines()[0]
    inside, depth, current, names = line[line.index("(") + 1:line.rindex(")" + (" ->" if " ->" in line else ""))], 0, "", []
    for letter in inside + ",":
        depth += {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            names.append(current.split(":")[0].split("=")[0].strip())
            current = ""
        else:
            current += letter
    return [name for name in names if name not in ("self", "*", "")]


def classes():
    table = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    for node in table.values():
        if node.name.startswith("_"):
            continue
        body = list(node.body)
        for base in node.bases:
            body += table[base.id].body
        yield node.name, {item.name: item for item in body if isinstance(item, ast.FunctionDef)}


def test_functions():
    stubs = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
    there = {name for name in dir(_core) if not name.startswith("_") and not isinstance(getattr(_core, name), type)}
    assert set(stubs) == there and len(there) >= 9
    for name, stub in stubs.items():
        function = getattr(_core, name)
        assert parameters(stub) == [p if not p.startswith("arg") else p for p in parameters_of(function)], name
        assert len(function.__doc__.split("\n\n", 1)[1]) > 20, name


def test_classes():
    stubs = dict(classes())
    there = {name for name in dir(_core) if isinstance(getattr(_core, name), type)}
    assert set(stubs) == there and len(there) >= 15
    for name, members in stubs.items():
        compiled = getattr(_core, name)
        assert compiled.__doc__ and set(members) - OBJECT == {m for m in vars(compiled) if not re.fullmatch(r"__(?!copy__|deepcopy__)\w+__|_pybind.*", m)}, name
        for member, stub in members.items():
            found = getattr(compiled, member)
            if isinstance(found, property):
                assert stub.decorator_list and found.__doc__, f"{name}.{member}"
            elif member not in ("__copy__", "__deepcopy__"):
                assert parameters(stub) == parameters_of(found), f"{name}.{member}"
                assert len(found.__doc__.split("\n\n", 1)[1]) > 10, f"{name}.{member}"


def test_docstrings_are_those_of_the_module():
    text = stub_docs.STUB.read_text(encoding="utf-8")
    assert stub_docs.documented(text, _core) == text, "run tests/python/stub_docs.py --module build/release/python"
    assert ast.get_docstring(dict(classes())["Deformer"]["hit"]).startswith("Finds the nearest triangle")


def test_render_takes_what_a_renderer_takes():
    renderer = dict(classes())["Renderer"]["__init__"].args
    defaults = [eval(ast.unparse(value)) for value in renderer.kw_defaults]
    found = [p for p in inspect.signature(sinew.render).parameters.values() if p.kind == p.KEYWORD_ONLY]
    assert [(p.name, p.default) for p in found] == list(zip([a.arg for a in renderer.kwonlyargs], defaults))


def test_signatures_name_types_of_python():
    told = [getattr(_core, name).__doc__ for name in dir(_core)]
    told += [member.__doc__ or "" for name, _ in classes() for member in vars(getattr(_core, name)).values()]
    assert len(told) > 100 and [text for text in told if text and "::" in text] == []


def test_all_names_are_exported():
    assert {name for name in dir(_core) if not name.startswith("_")} <= set(sinew.__all__)
    assert all(hasattr(sinew, name) for name in sinew.__all__)
    assert (Path(sinew.__file__).parent / "py.typed").exists()
    assert re.fullmatch(r"\d+\.\d+\.\d+", sinew.__version__)
