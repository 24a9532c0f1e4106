"""The package of the JavaScript client: `python -m tests.clients.js.package FOLDER`, as `make dist` builds it.

The types are made from the JSDoc of its modules by the compiler that checks the pages.
"""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from infra.deploy.npm_package import build_package, read_package
from tests.services.web.api_types import describe_types
from tests.services.web.npm_programs import ROOT, run_program
from tests.services.web.type_check import TYPESCRIPT

# Of all modules, beside those that the compiler makes.
GLOBAL = {"api.d.ts": describe_types, "verify.d.ts": (ROOT / "services" / "web" / "types" / "verify.d.ts").read_text}
REFERENCES = "".join(f'/// <reference path="./{name}" />\n' for name in GLOBAL)
OPTIONS = {
    "allowJs": True,
    "checkJs": False,
    "declaration": True,
    "emitDeclarationOnly": True,
    "strict": True,
    "target": "es2024",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2024", "webworker", "webworker.asynciterable"],
    "types": [],
}


class NotDeclared(Exception):
    """The compiler made no declarations."""


def make_types(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make the declarations of a package's modules. Raises NotDeclared, PackageUnavailable."""
    with TemporaryDirectory() as place:
        root = Path(place)
        texts = {**files, **{name: make().encode() for name, make in GLOBAL.items()}}
        texts["node.d.ts"] = (ROOT / "clients" / "js" / "node.d.ts").read_bytes()
        texts["tsconfig.json"] = msgspec.json.encode({"compilerOptions": OPTIONS, "include": ["**/*.js", "*.d.ts"]})
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text)
        ended = run_program(TYPESCRIPT, ["-p", "tsconfig.json", "--pretty", "false"], root)
        if ended.returncode:
            raise NotDeclared(ended.stdout)
        (root / "node.d.ts").unlink()
        types = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.d.ts")}
    return types | {"index.d.ts": REFERENCES.encode() + types["index.d.ts"]}


def make_package(folder: Path, **dated: int) -> Path:
    files = read_package(ROOT)
    return build_package(files | make_types(files), folder, **dated)


if __name__ == "__main__":
    committed = subprocess.run(["git", "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True)  # noqa: S607  the developer's git
    sys.stdout.write(f"{make_package(Path(sys.argv[1]), epoch=int(committed.stdout))}\n")
