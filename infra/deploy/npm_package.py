"""The JavaScript client as npm installs it: its own modules, and those of the pages that they import.

No module of the pages is copied by hand: the closure of the imports names them, and they land below `web`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from infra.deploy.distributions import EPOCH_MIN, FILE_MODE, pack_archive
from infra.version import VERSION

CLIENT = Path("clients", "js")
PAGES = Path("services", "web")
NAME = f"spina-client-{VERSION}.tgz"
TYPES_OF_ALL = "api.d.ts"
# From a module of the client to the pages: in the source tree, and in the package.
TO_PAGES = "../../services/web/", "./web/"
_IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)"', re.MULTILINE)


def find_modules(root: Path) -> tuple[Path, ...]:
    """Find the modules of the client and all that they import, below the root."""
    found = set[Path]()
    waiting = sorted((root / CLIENT).glob("*.js"))
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            text = module.read_text(encoding="utf-8")
            waiting += [(module.parent / path).resolve() for path in _IMPORTED.findall(text)]
    return tuple(sorted(module.relative_to(root) for module in found))


def read_package(root: Path) -> dict[str, bytes]:
    """Read the files of the package, without its types, by their paths in it."""
    texts = {_place(module): (root / module).read_text(encoding="utf-8") for module in find_modules(root)}
    others = {"LICENSE": root / "LICENSE", **{name: root / CLIENT / name for name in ("package.json", "README.md")}}
    texts = {name: text.replace(*TO_PAGES) if "/" not in name else text for name, text in texts.items()}
    return {name: text.encode() for name, text in texts.items()} | {
        name: path.read_bytes() for name, path in others.items()
    }


def build_package(files: Mapping[str, bytes], folder: Path, *, epoch: int = EPOCH_MIN) -> Path:
    """Pack the files as npm does, the same bytes each time."""
    path = folder / NAME
    path.write_bytes(pack_archive("package", {name: (FILE_MODE, text) for name, text in files.items()}, epoch=epoch))
    return path


def _place(module: Path) -> str:
    if module.is_relative_to(CLIENT):
        return module.name
    return Path("web", module.relative_to(PAGES)).as_posix()
