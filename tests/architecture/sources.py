"""A Python file as the rules read it: imports, functions and prose. Each file is parsed once in a process.

Only statements are walked, as no rule asks for the insides of an expression.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

Function = ast.FunctionDef | ast.AsyncFunctionDef
# The fields in which a statement holds others.
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# A string, or a comment: a `#` within a string begins none. The tokenizer of the library takes ten times as long.
_STRING_OR_COMMENT = re.compile(
    r'"""(?:\\.|.)*?"""|'
    r"'''(?:\\.|.)*?'''|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'(?:\\.|[^'\\\n])*'|"
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)


class Import(Struct, frozen=True):
    """`module` is None for `import a, b`, and has its dots where it is relative."""

    line: int
    module: str | None
    names: tuple[str, ...]

    def modules(self) -> tuple[str, ...]:
        return self.names if self.module is None else (self.module,)


class Source(Struct, frozen=True, kw_only=True):
    """`functions` has the name of each with the count of its lines."""

    opening: str | None
    imports: tuple[Import, ...]
    functions: tuple[tuple[str, int], ...]
    docstrings: tuple[str, ...]


@cache
def read_source(path: Path) -> Source:
    tree = ast.parse(path.read_text())
    statements = tuple(walk_statements(tree))
    return Source(
        opening=ast.get_docstring(tree),
        imports=tuple(
            read_import(statement) for statement in statements if isinstance(statement, ast.Import | ast.ImportFrom)
        ),
        functions=tuple(
            (statement.name, count_lines(statement)) for statement in statements if isinstance(statement, Function)
        ),
        docstrings=tuple(
            ast.get_docstring(statement) or ""
            for statement in statements
            if isinstance(statement, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ),
    )


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """List a node and the statements within it, in the order of their lines."""
    yield node
    for block in BLOCKS:
        for child in getattr(node, block, ()):
            yield from walk_statements(child)


def read_import(node: ast.Import | ast.ImportFrom) -> Import:
    names = tuple(alias.name for alias in node.names)
    module = None if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
    return Import(node.lineno, module, names)


def count_lines(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def read_comments(text: str) -> Iterator[str]:
    return (match["comment"] for match in _STRING_OR_COMMENT.finditer(text) if match["comment"])
