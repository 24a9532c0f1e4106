"""The bounds of a ruleset's code, by its source: allowed imports, and calls that the pure core never makes.

No sandbox: code within them can still loop for ever, or be wrong. `spina rules check` measures, and plays.
"""

import ast
from collections.abc import Iterator

# Clock, randomness, environment, files, network, threads and logging are no part of rules; these modules have none.
STDLIB = frozenset({
    "abc", "bisect", "collections", "copy", "dataclasses", "enum", "fractions", "functools", "heapq", "itertools",
    "math", "operator", "re", "string", "types", "typing",
})  # fmt: skip
# The contract, and the values that rules and game exchange.
CONTRACT = ("domain.canonical", "domain.chance", "domain.ids", "domain.rejection", "domain.ruleset")
IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "hash", "id"})
# Plain ways around the static check, also under another name.
HIDDEN_NAMES = frozenset({
    "__builtins__", "__import__", "__loader__", "__path__", "__spec__", "compile", "delattr", "globals", "locals",
    "setattr", "vars",
})  # fmt: skip
# What allowed modules have imported for themselves, under these names or with a line before: `collections._sys`.
FOREIGN = frozenset({
    "bltns", "builtins", "codecs", "importlib", "inspect", "io", "linecache", "os", "sys", "thread", "threading",
    "time", "warnings",
})  # fmt: skip
SPECIAL_MIN = len("____")
SPECIAL = frozenset({"__init__", "__name__", "__struct_config__", "__struct_fields__"})
FLOAT = "has a float"
# Methods of date or datetime, imported under any name.
CLOCK_METHODS = frozenset({"now", "utcnow", "today"})


def impure_nodes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """List the lines that await, read a clock, use a float, or call a function with effects."""
    for node in ast.walk(tree):
        match node:
            case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
                yield node.lineno, "is asynchronous"
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield node.lineno, f"calls {name}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_METHODS:
                yield node.lineno, f"reads the clock by {name}"
            case ast.Constant(value=float()):
                yield node.lineno, FLOAT
            case _:
                pass


def find_violations(package: str, module: str, source: str) -> list[str]:
    """List the violations of one module of a package, each with its line; a module `bots` may have floats."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return [f"{module}:{error.lineno} is no Python: {error.msg}"]
    is_bot = "bots" in module.split(".")
    impure = (found for found in impure_nodes(tree) if not is_bot or found[1] != FLOAT)
    return [
        f"{module}:{line} {what}" for line, what in sorted((*impure, *_hidden(tree), *_wrong_imports(package, tree)))
    ]


def _wrong_imports(package: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                named = [alias.name for alias in node.names]
            case ast.ImportFrom(level=0, module="domain"):
                named = [f"domain.{alias.name}" for alias in node.names]
            case ast.ImportFrom(level=0, module=str(name)):
                named = [name, *(alias.name for alias in node.names if _is_foreign(alias.name))]
            case ast.ImportFrom():
                # A relative import leads into the package.
                continue
            case _:
                continue
        yield from ((node.lineno, f"imports {name}") for name in named if not _is_allowed(package, name))


def _is_allowed(package: str, name: str) -> bool:
    top = name.partition(".")[0]
    return top in STDLIB or top in {"msgspec", package} or any(f"{name}.".startswith(f"{room}.") for room in CONTRACT)


def _hidden(tree: ast.Module) -> Iterator[tuple[int, str]]:
    imports = [
        alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    ]
    imported = {alias.asname or alias.name for alias in imports}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in HIDDEN_NAMES:
                yield node.lineno, f"reads {name}"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in imported and _is_foreign(name):
                yield node.lineno, f"reads {module}.{name}"
            case ast.Attribute(attr=name) if _is_special(name) and name not in SPECIAL:
                yield node.lineno, f"reads {name}"
            case _:
                pass


def _is_foreign(name: str) -> bool:
    return name.lstrip("_") in FOREIGN


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > SPECIAL_MIN
