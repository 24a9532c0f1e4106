"""Which package may import what, third parties included, and what the pure core may not touch at all.

Each function gives the sentences that say what is wrong; an empty list is a tidy tree.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

# Dependencies point inward.
OWN: dict[str, frozenset[str]] = {
    "domain": frozenset({"domain"}),
    "projections": frozenset({"domain", "projections"}),
    "infra": frozenset({"domain", "infra"}),
    "services": frozenset({"domain", "projections", "infra", "services"}),
}
_SERVERS = frozenset({"asyncpg", "cryptography", "msgspec", "redis", "structlog"})
THIRD_PARTY: dict[str, frozenset[str]] = {
    "domain": frozenset({"msgspec"}),
    # A projection is given its connection, and knows only the driver's type.
    "projections": frozenset({"asyncpg", "msgspec"}),
    "infra": _SERVERS,
    "services": _SERVERS | {"httptools", "httpx", "litestar", "rich", "typer", "uvicorn", "uvloop", "websockets"},
}
# Verifying a signature is a function of its arguments, and nobody should write it again.
THIRD_PARTY_OF_MODULE = {"domain/signature.py": frozenset({"cryptography"})}

# Clock, randomness, environment, files, network, threads and logging: the core gets what it needs as arguments.
# fmt: off
IMPURE_MODULES = frozenset({
    "asyncio", "concurrent", "glob", "http", "io", "locale", "logging", "multiprocessing", "os",
    "pathlib", "platform", "random", "secrets", "shutil", "signal", "socket", "ssl", "subprocess",
    "sys", "tempfile", "threading", "time", "urllib", "uuid",
})
# fmt: on
IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "hash", "id"})
# Of a date or datetime, imported under whatever name.
CLOCK_METHODS = frozenset({"now", "utcnow", "today"})


def wrong_imports(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}:{line} imports {name}"
        for package in OWN
        for path in sorted((root / package).rglob("*.py"))
        for line, name in imported(ast.parse(path.read_text()))
        if not is_allowed(path.relative_to(root), name)
    ]


def is_allowed(path: Path, name: str) -> bool:
    package, top = path.parts[0], name.partition(".")[0]
    if top in OWN:
        return top in OWN[package]
    if top in sys.stdlib_module_names:
        return package != "domain" or top not in IMPURE_MODULES
    return top in THIRD_PARTY[package] | THIRD_PARTY_OF_MODULE.get(path.as_posix(), frozenset())


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """List every import, those inside functions included. A relative one has no name here, and is refused."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def impurities(root: Path) -> list[str]:
    """What the core does that is not a function of its arguments."""
    return [
        f"{path.relative_to(root)}:{line} {what}"
        for path in sorted((root / "domain").rglob("*.py"))
        for line, what in impure_nodes(ast.parse(path.read_text()))
    ]


def impure_nodes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
                yield node.lineno, "is asynchronous"
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield node.lineno, f"calls {name}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_METHODS:
                yield node.lineno, f"reads the clock by {name}"
            case ast.Constant(value=float()):
                yield node.lineno, "has a float"
            case _:
                pass


def hidden_imports(root: Path) -> list[str]:
    """Find what is imported for the type checker alone: annotations are resolved when the program starts."""
    return [
        f"{path.relative_to(root)} imports under TYPE_CHECKING"
        for package in OWN
        for path in sorted((root / package).rglob("*.py"))
        if any(
            isinstance(node, ast.Name) and node.id == "TYPE_CHECKING" for node in ast.walk(ast.parse(path.read_text()))
        )
    ]
