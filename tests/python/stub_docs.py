# SPDX-License-Identifier: MIT
"""The docstrings of the stubs are those of the module: stub_docs.py --module FOLDER writes them into python/sinew/_core.pyi."""
import ast
import sys
import textwrap
from pathlib import Path

STUB = Path(__file__).resolve().parents[2] / "python" / "sinew" / "_core.pyi"


def doc_of(compiled):
    """Of functions without the signature that pybind11 puts before it."""
    text = (getattr(compiled, "__doc__", None) or "").strip()
    if isinstance(compiled, (type, property)):
        return text
    return text.partition("\n\n")[2].strip()


def quoted(doc, indent):
    quote = "'''" if doc.startswith('"') or doc.endswith('"') else '"""'
    return textwrap.indent(f"{quote}{doc}{quote}", indent) + "\n"


def documented(text, module):
    """Returns the stubs with the docstrings of the module. Classes and functions have one line of their own, or several for arguments."""
    lines, changes = text.splitlines(True), []

    def put(node, doc, indent):
        """Writes the docstring before the first member, and instead of the one that is there."""
        first = node.body[0]
        is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        is_empty = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...
        start = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1
        if is_empty and doc:
            head = lines[start].encode()[:first.col_offset].decode().rstrip() + "\n"
            changes.append((start, start + 1, head + quoted(doc, indent)))
        elif not is_empty:
            changes.append((start, first.end_lineno if is_doc else start, quoted(doc, indent) if doc else ""))

    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            put(node, doc_of(getattr(module, node.name)), "    ")
        elif isinstance(node, ast.ClassDef) and (node.name == "_Entity" or not node.name.startswith("_")):
            compiled = getattr(module, "Node" if node.name == "_Entity" else node.name)
            if node.name != "_Entity":
                put(node, doc_of(compiled), "    ")
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    put(item, "" if item.name in ("__copy__", "__deepcopy__") else doc_of(getattr(compiled, item.name)), "        ")
    for start, end, new in sorted(changes, reverse=True):
        lines[start:end] = [new] if new else lines[start:end]
    return "".join(lines)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[sys.argv.index("--module") + 1])
    from sinew import _core
    STUB.write_text(documented(STUB.read_text(encoding="utf-8"), _core), encoding="utf-8")
