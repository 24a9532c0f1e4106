"""Boxes of a server's own: components under a name, one file each, in a folder for each ruleset.

`boxes/charioteer@1/Printed 2024.toml` is a box of `charioteer@1`. Its form is that of the release's components.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from domain.names import NameRefused, read_name
from domain.ruleset.catalogue import hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from infra.ruleset_files import ComponentsRefused, load_ruleset, read_components

SUFFIX = ".toml"
# Each is a ruleset in memory for as long as the server runs.
BOXES_MAX = 32
# They part the folders of a path.
_IN_FOLDERS = frozenset("/\\")


class BoxRefused(Exception):
    """A file is no box of its ruleset; the message states which file, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path.name}: {reason}")


class Box(Struct, frozen=True, kw_only=True):
    """A ruleset built from components that are not the release's."""

    name: str
    ruleset: AnyRuleset

    @property
    def components(self) -> str:
        """The hash by which a game names the box."""
        return hash_components(self.ruleset)


def list_box_files(folder: Path, kits: Sequence[Kit]) -> Iterator[tuple[Kit | None, Path]]:
    """Yield the files of the folder, in the order of their names, with None where the folder is of no ruleset."""
    known = {kit.reference: kit for kit in kits}
    for path in sorted(folder.glob(f"*/*{SUFFIX}")):
        yield known.get(path.parent.name), path


def read_box(kit: Kit | None, path: Path) -> Box:
    """Build the ruleset of one file. Raises BoxRefused."""
    if kit is None:
        raise BoxRefused(path, f"expected a folder of a ruleset that is installed, found {path.parent.name}")
    try:
        name, ruleset = read_name(path.stem), kit.build(read_components(path))
    except (ComponentsRefused, NameRefused) as error:
        raise BoxRefused(path, str(error).removeprefix(f"{path.name}: ")) from error
    except ValueError as error:
        raise BoxRefused(path, f"expected components of {kit.reference}, found otherwise: {error}") from error
    if ruleset.components == load_ruleset(kit).components:
        raise BoxRefused(path, "expected other components than those of the release, found the same")
    return Box(name=name, ruleset=ruleset)


def find_box_path(folder: Path, kit: Kit, name: str) -> Path:
    """Return where a box of this name is kept. Raises NameRefused."""
    kept = read_name(name)
    if kept.startswith(".") or not _IN_FOLDERS.isdisjoint(kept):
        raise NameRefused(f"expected a name without / and \\ that begins with no dot, as a file has it, found {kept}")
    return folder / kit.reference / f"{kept}{SUFFIX}"
