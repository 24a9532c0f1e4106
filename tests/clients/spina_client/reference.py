"""The reference of the client, from its docstrings: `python -m tests.clients.spina_client.reference` writes it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tests.architecture.kept_files import ROOT

SOURCE = ROOT / "clients" / "python" / "spina_client"
PATH = ROOT / "clients" / "python" / "REFERENCE.md"
HEAD = """# Reference of spina_client

Made from the docstrings of the package, module by module. [README.md](README.md) begins with programs.
"""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Documented: TypeAlias = Function | ast.ClassDef


def build_reference() -> str:
    """Return the whole document."""
    return "\n".join([HEAD, *map(_show_module, sorted(SOURCE.glob("[a-z]*.py")))])


def list_undocumented() -> list[str]:
    """List the public classes and functions of the package that have no words."""
    return [
        f"{path.name}: {found.name}"
        for path in SOURCE.glob("[a-z]*.py")
        for found in _list_public(ast.parse(path.read_text()))
        if not ast.get_docstring(found)
    ]


def _show_module(path: Path) -> str:
    module = ast.parse(path.read_text())
    lines = [f"## `{path.stem}`", "", ast.get_docstring(module) or "", ""]
    for found in _list_public(module):
        lines += [f"### `{_show_call(found)}`", "", ast.get_docstring(found) or "", ""]
        if isinstance(found, ast.ClassDef):
            members = [*_list_fields(found), *map(_show_method, _list_public(found))]
            lines += [*members, ""] if members else []
    return "\n".join(lines)


def _list_public(parent: ast.Module | ast.ClassDef) -> Iterator[Documented]:
    for found in parent.body:
        if isinstance(found, Documented) and not found.name.startswith("_"):
            yield found


def _list_fields(found: ast.ClassDef) -> Iterator[str]:
    for member in found.body:
        if isinstance(member, ast.AnnAssign):
            yield f"- `{ast.unparse(member)}`"


def _show_method(found: Documented) -> str:
    words = " ".join((ast.get_docstring(found) or "").split())
    return f"- `{_show_call(found)}`" + (f": {words}" if words else "")


def _show_call(found: Documented) -> str:
    if isinstance(found, ast.ClassDef):
        return found.name
    if any(ast.unparse(decorator) == "property" for decorator in found.decorator_list):
        return f"{found.name} -> {ast.unparse(found.returns or ast.Constant(None))}"
    arguments = ast.unparse(found.args).removeprefix("self, ").removeprefix("self").removeprefix("cls, ")
    awaited = "await " if isinstance(found, ast.AsyncFunctionDef) and not _yields(found) else ""
    return f"{awaited}{found.name}({arguments}) -> {ast.unparse(found.returns or ast.Constant(None))}"


def _yields(found: Function) -> bool:
    return any(isinstance(node, ast.Yield) for node in ast.walk(found))


if __name__ == "__main__":
    PATH.write_text(build_reference())
