"""The subject of a check: a ruleset by its name, or the folder of a project that is not installed yet."""

import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

from domain.rulesets.packaged import GROUP, bind, hash_sources, read_sources
from domain.rulesets.released import OWN, find_kit
from services.practice.checks.check import Subject


class SubjectRefused(Exception):
    """Nothing that can be checked; the message gives the expected and the found."""


def find_subject(named: str) -> Subject:
    """Find a ruleset of this installation, or load that of a project's folder. Raises SubjectRefused."""
    kit = find_kit(named)
    if kit is None:
        return _load_project(Path(named))
    module = kit.ruleset.__module__
    if kit in OWN:
        return Subject(kit=kit, package="domain", sources=read_sources(module.rpartition(".")[0]))
    package = module.partition(".")[0]
    return Subject(kit=kit, package=package, sources=read_sources(package))


def _load_project(folder: Path) -> Subject:
    """Load the package of a project whatever its bounds: a check lists all the faults at once."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        (point,) = (
            EntryPoint(name=name, value=value, group=GROUP)
            for name, value in project["project"]["entry-points"][GROUP].items()
        )
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, AttributeError, ValueError) as error:
        expected = f"a ruleset, or a folder whose pyproject.toml has one entry point in {GROUP}"
        raise SubjectRefused(f"expected {expected}, found {folder}: {type(error).__name__}") from error
    sys.path.insert(0, str(folder))
    package = point.module.partition(".")[0]
    try:
        sources = read_sources(package)
        return Subject(kit=bind(point.load(), hash_sources(sources)), package=package, sources=sources)
    except Exception as error:
        # Importing runs the package's own code, which may raise anything.
        raise SubjectRefused(f"expected a kit at {point.value}, found {type(error).__name__}: {error}") from error
