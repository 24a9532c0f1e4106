"""Allowed imports of each package, third parties included, and the modules that the pure core may not touch.

Each function returns the violations as sentences; an empty list is a tidy tree.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from domain.ruleset.bounds import FLOAT, impure_nodes
from tests.architecture.sources import read_source

# The packages of the project, each with the folder it stands in. A package imports itself and those before it.
PACKAGES: dict[str, str] = {
    "domain": "domain",
    "projections": "projections",
    "infra": "infra",
    "spina_client": "clients/python/spina_client",
    "spina_players": "clients/spina_players",
    "services": "services",
    "simulate": "simulate",
    "bench": "bench",
}
# Exceptions to the order of packages.
OWN: dict[str, frozenset[str]] = {
    "domain": frozenset({"domain"}),
    "projections": frozenset({"domain", "projections"}),
    "infra": frozenset({"domain", "infra"}),
    "spina_client": frozenset({"spina_client"}),
    "spina_players": frozenset({"domain", "infra", "spina_client", "spina_players"}),
    "services": frozenset(PACKAGES) - {"simulate", "bench"},
    "simulate": frozenset(PACKAGES) - {"bench"},
    "bench": frozenset(PACKAGES),
}
# The rooms of the server, each of which may import those before it.
ROOMS = (
    "commands", "ledger", "reading", "live", "audits", "notices", "workers", "web", "api", "node", "practice",
    "terminal", "doctor", "cli",
)  # fmt: skip
_SERVERS = frozenset({"asyncpg", "cryptography", "msgspec", "redis", "structlog"})
_PROGRAMS = _SERVERS | {
    "httpcore2",
    "httptools",
    "httpx2",
    "litestar",
    "rich",
    "typer",
    "uvicorn",
    "uvloop",
    "websockets",
}
THIRD_PARTY: dict[str, frozenset[str]] = {
    "domain": frozenset({"msgspec"}),
    # A projection is given its connection, and knows only the driver's type.
    "projections": frozenset({"asyncpg", "msgspec"}),
    "infra": _SERVERS,
    "spina_client": frozenset({"cryptography", "httpx2", "msgspec"}),
    "spina_players": _SERVERS | {"httpx2"},
    "services": _PROGRAMS | {"webauthn"},
    "simulate": _PROGRAMS,
    "bench": _PROGRAMS | {"playwright"},
}
# Signature verification is a function of its arguments, and is not to be implemented again.
THIRD_PARTY_OF_MODULE = {"domain/signature.py": frozenset({"cryptography"})}

# Clock, randomness, environment, files, network, threads and logging: the core receives these as arguments.
# fmt: off
IMPURE_MODULES = frozenset({
    "asyncio", "concurrent", "glob", "http", "io", "locale", "logging", "multiprocessing", "os",
    "pathlib", "platform", "random", "secrets", "shutil", "signal", "socket", "ssl", "subprocess",
    "sys", "tempfile", "threading", "time", "urllib", "uuid",
})
# fmt: on


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    """List the modules of the project by their dotted names."""
    for package, folder in PACKAGES.items():
        for path in sorted((root / folder).rglob("*.py")):
            name = ".".join((package, *path.relative_to(root / folder).with_suffix("").parts))
            yield name.removesuffix(".__init__"), path


def wrong_imports(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}:{import_.line} imports {imported_name}"
        for module, path in modules(root)
        for import_ in read_source(path).imports
        for imported_name in import_.modules()
        if not is_allowed(module, path.relative_to(root), imported_name)
    ]


def is_allowed(module: str, path: Path, name: str) -> bool:
    package, top = module.partition(".")[0], name.partition(".")[0]
    if top in OWN:
        return top in OWN[package] and is_room_allowed(module, name)
    if top in sys.stdlib_module_names:
        return package != "domain" or top not in IMPURE_MODULES
    return top in THIRD_PARTY[package] | THIRD_PARTY_OF_MODULE.get(path.as_posix(), frozenset())


def is_room_allowed(module: str, name: str) -> bool:
    """Return whether a room of the server imports only rooms before it in their order."""
    (package, *own), (other_package, *other) = module.split("."), name.split(".")
    if (package, other_package) != ("services", "services"):
        return True
    return bool(own and other) and {own[0], other[0]} <= set(ROOMS) and ROOMS.index(other[0]) <= ROOMS.index(own[0])


def folder_rings(root: Path) -> list[list[str]]:
    """List the folders that import each other in a circle, be it over others."""
    known = {module for module, path in modules(root) if path.name != "__init__.py"}
    graph: dict[str, set[str]] = {}
    for module, path in modules(root):
        found = {name for name in imported_modules(path, known) if name in known}
        folder = module.rpartition(".")[0]
        graph.setdefault(folder, set()).update({finding.rpartition(".")[0] for finding in found} - {folder})
    reached = {folder: reachable(graph, folder) for folder in graph}
    rings = {tuple(sorted({one} | {two for two in reached[one] if one in reached[two]})) for one in graph}
    return sorted(list(ring) for ring in rings if len(ring) > 1)


def closure(root: Path, module: str) -> set[str]:
    """Return a module and all that it imports, directly or over others."""
    known = {name: path for name, path in modules(root) if path.name != "__init__.py"}
    graph = {
        name: {name for name in imported_modules(path, set(known)) if name in known} for name, path in known.items()
    }
    return reachable(graph, module) | {module}


def imported_modules(path: Path, known: set[str]) -> Iterator[str]:
    for import_ in read_source(path).imports:
        if import_.module is None or import_.module in known:
            yield from import_.modules()
        else:
            yield from (f"{import_.module}.{name}" for name in import_.names)


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return every folder imported from one, directly or over others."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        new = graph.get(ahead.pop(), set()) - found
        found |= new
        ahead.extend(new)
    return found


def impurities(root: Path) -> list[str]:
    """List the impure calls of the core."""
    return [
        f"{path.relative_to(root)}:{line} {what}"
        for path in sorted((root / "domain").rglob("*.py"))
        for line, what in impure_nodes(ast.parse(path.read_text()))
        if what != FLOAT or not is_bot(path.relative_to(root))
    ]


def is_bot(path: Path) -> bool:
    """Return whether a module is a ruleset's bot: its choice is an input of a game, so it may weigh in floats."""
    return path.parts[:2] == ("domain", "rulesets") and path.parent.name == "bots"


def hidden_imports(root: Path) -> list[str]:
    """List imports for the type checker alone: annotations are resolved when the program starts."""
    return [
        f"{path.relative_to(root)} imports under TYPE_CHECKING"
        for _, path in modules(root)
        if "TYPE_CHECKING" in (text := path.read_text())
        and any(isinstance(node, ast.Name) and node.id == "TYPE_CHECKING" for node in ast.walk(ast.parse(text)))
    ]
