"""Rulesets of other people: an installed package with an entry point in `spina.rulesets` is one more ruleset.

Its code is read before it is imported, and a game names it: by the SHA-256 of each file, within its components.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import ModuleSpec, SourceFileLoader, all_suffixes
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import Json, encode
from domain.ruleset.bounds import find_violations
from domain.ruleset.kit import Build, Kit
from domain.ruleset.ruleset import AnyRuleset

# Example, of a package `crowd` with one module:
#
#     components.json with {"code":{"crowd":"e3b0…","crowd.rules":"07f4…"},"components":{"length":40}}
#
#     file       = {"code": code, "components": the data of the package's components.toml}
#     code       = for each module of the package its name, and the SHA-256 of its source in hex
#
# Words and rules for readers decide nothing, and are no part of it. The first line of a game has its SHA-256.

GROUP = "spina.rulesets"
CODE, COMPONENTS = "code", "components"
# The SHA-256 of the source of each module.
Code = Mapping[str, str]
# A package of more is no ruleset; every game would name them all.
MODULES_MAX = 200


class PackageRefused(ValueError):
    """A package that cannot be a ruleset; the message gives the expected and the found."""


class Refused(Struct, frozen=True, kw_only=True):
    """An installed package that is left out, and the reason."""

    package: str
    reason: str


class Packaged(Struct, frozen=True, kw_only=True):
    kits: tuple[Kit, ...]
    refused: tuple[Refused, ...]


def find_packaged(own: Iterable[Kit], points: Iterable[EntryPoint]) -> Packaged:
    """Load packages beside the rulesets of the release; one that is refused hinders no other."""
    taken = {name for kit in own for name in (kit.name, kit.reference)}
    refused: list[Refused] = []
    kits: dict[str, Kit] = {}
    for point in sorted(points, key=lambda point: (point.value, point.name)):
        try:
            kit = load_package(point)
            _check_name(kit, taken | kits.keys())
            kits[kit.reference] = kit
        except (Exception, SystemExit) as error:  # noqa: BLE001  importing runs the package's own code, which may raise anything
            refused.append(Refused(package=point.value, reason=f"{type(error).__name__}: {error}"))
    return Packaged(kits=tuple(kits.values()), refused=tuple(refused))


def load_package(point: EntryPoint) -> Kit:
    """Check the code of a package, import it, and return its kit; raise PackageRefused, or any error of the package."""
    package = point.module.partition(".")[0]
    sources = read_sources(package)
    violations = list_violations(package, sources)
    if violations:
        raise PackageRefused(f"expected code within the bounds of rulesets, found {'; '.join(violations)}")
    kit = point.load()
    if not isinstance(kit, Kit):
        raise PackageRefused(f"expected a Kit, found {type(kit).__name__}")
    return bind(kit, hash_sources(sources))


def _check_name(kit: Kit, taken: Collection[str]) -> None:
    if kit.name in taken or kit.reference in taken:
        raise PackageRefused(f"expected a name that no other ruleset has, found {kit.reference}")


def list_violations(package: str, sources: Mapping[str, bytes]) -> list[str]:
    return [
        violation
        for module, source in sources.items()
        for violation in find_violations(package, module, source.decode(errors="replace"))
    ]


def read_sources(package: str) -> dict[str, bytes]:
    """Read the source of every module of a package, which is not imported; raise PackageRefused."""
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise PackageRefused(f"expected a package {package}, found none")
    read = {name: (loader, loader.get_data(loader.path)) for name, loader in _list_loaders(package, spec)}
    if len(read) > MODULES_MAX:
        raise PackageRefused(f"expected at most {MODULES_MAX} modules, found {len(read)}")
    for path in sorted(_list_importable(read[package][0]) - {loader.path for loader, _ in read.values()}):
        raise PackageRefused(f"expected every file of code in a module of {package}, found {path} beside them")
    for name, (loader, source) in read.items():
        _check_compiled(name, loader, source)
    return {name: source for name, (_, source) in read.items()}


def hash_sources(sources: Mapping[str, bytes]) -> Code:
    return {module: sha256(source).hexdigest() for module, source in sorted(sources.items())}


def bind(kit: Kit, code: Code) -> Kit:
    """Return the kit with components that name its code: it builds from no components that name another one."""
    return msgspec.structs.replace(kit, build=_BoundBuild(kit, dict(code)))


class _BoundBuild:
    """Builds from the data of the package's own file, and from components as a game has them."""

    def __init__(self, kit: Kit, code: dict[str, str]) -> None:
        self._build: Build = kit.build
        self._code = code
        self._reference = kit.reference

    def __call__(self, data: Json) -> AnyRuleset:
        ruleset = self._build(self._unwrap(data) if isinstance(data, dict) and CODE in data else data)
        bound: Json = {CODE: dict(self._code), COMPONENTS: msgspec.json.decode(ruleset.components)}
        ruleset.components = encode(bound)  # type: ignore[misc]  # the contract reads an attribute
        return ruleset

    def _unwrap(self, data: dict[str, Any]) -> Json:
        if data.keys() != {CODE, COMPONENTS} or not isinstance(data[CODE], dict):
            raise PackageRefused(f"expected the code of {self._reference} and its components, found {sorted(data)}")
        named = data[CODE]
        differing = sorted(module for module in {*named, *self._code} if named.get(module) != self._code.get(module))
        if differing:
            raise PackageRefused(
                f"expected the code of {self._reference} that is installed, found another one: {', '.join(differing)}"
            )
        components: Json = data[COMPONENTS]
        return components


def _list_loaders(name: str, spec: ModuleSpec) -> Iterator[tuple[str, SourceFileLoader]]:
    if not isinstance(spec.loader, SourceFileLoader):
        raise PackageRefused(f"expected Python sources, found {name} of {spec.origin}")
    yield name, spec.loader
    for module in iter_modules(spec.submodule_search_locations or ()):
        inner = module.module_finder.find_spec(module.name, None)
        if inner is None:
            raise PackageRefused(f"expected Python sources, found none of {name}.{module.name}")
        yield from _list_loaders(f"{name}.{module.name}", inner)


def _list_importable(loader: SourceFileLoader) -> set[str]:
    """List the files that an import can reach, also in a folder that is no package; compiled code aside."""
    folder = loader.get_resource_reader(loader.name).files()
    files = (path for suffix in all_suffixes() for path in folder.rglob(f"*{suffix}"))
    return {str(path) for path in files if not (path.parent.name == "__pycache__" and "-" in path.name)}


def _check_compiled(name: str, loader: SourceFileLoader, source: bytes) -> None:
    """Check that the compiled code which an import prefers is the source's; what is no Python is refused elsewhere."""
    with suppress(SyntaxError):
        if loader.get_code(loader.name) != loader.source_to_code(source, loader.path):
            raise PackageRefused(f"expected compiled code of {name} that is its source's, found other code")
