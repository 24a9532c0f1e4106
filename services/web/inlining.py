"""The modules of a page as one script: one request in the place of a hundred, or a page that has no server.

Each module becomes a function called once, in the order in which modules are evaluated, and gives its exports.
"""

import re
from collections.abc import Collection
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

# As the pages write them, each at the begin of a line; the names in braces may stand on lines of their own:
#
#     import { count, list as enumerate } from "./words.js";      import * as picture from "./picture.js";
#     import "./drivers.js";                                       export * from "./displays.js";
#     export { Board as element } from "./board.js";              export class, const, function, async function
_IMPORT = re.compile(r'^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"(?P<path>\.[^"]+)";$', re.MULTILINE)
_PASSED_ON = re.compile(r'^export (?P<names>\{[^}]*\}|\*) from "(?P<path>\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?P<rest>(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*$|\bimport\(", re.MULTILINE)


class NotInlined(Exception):
    """A module imports in a way that is not known here, or in a ring."""


def list_imports(text: str) -> list[str]:
    """List the paths from which a module imports, as they stand in it."""
    return [found["path"] for pattern in (_IMPORT, _PASSED_ON) for found in pattern.finditer(text)]


def inline(*entries: str, without: Collection[str] = ()) -> str:
    """Return one script with some modules and all that they import; `without` are elements that its page does not use.

    Raises NotInlined.
    """
    inlined: dict[Path, str] = {FOLDER / name: "" for name in without}
    for entry in entries:
        _add(FOLDER / entry, inlined, ())
    return "\n".join(("(async () => {", *inlined.values(), "})();", ""))


def _add(path: Path, inlined: dict[Path, str], above: tuple[Path, ...]) -> str:
    """Add a module behind those that it imports; return the name of its exports."""
    name = "$" + re.sub(r"\W", "_", path.relative_to(FOLDER).as_posix())
    if path in inlined:
        return name
    if path in above:
        raise NotInlined(f"expected no ring of imports, found one over {path.name}")
    text = path.read_text(encoding="utf-8")
    exports = [found["name"] for found in _EXPORT.finditer(text)]

    def imported(found: re.Match[str]) -> str:
        name = _add((path.parent / found["path"]).resolve(), inlined, (*above, path))
        names = found["names"]
        if names is None:
            return ""
        taken = names.removeprefix("* as ") if names.startswith("*") else names.replace(" as ", ": ")
        return f"const {taken} = {name};"

    def passed_on(found: re.Match[str]) -> str:
        name = _add((path.parent / found["path"]).resolve(), inlined, (*above, path))
        if found["names"] == "*":
            exports.append(f"...{name}")
        else:
            names = (name.strip() for name in found["names"].strip("{}").split(","))
            pairs = (name.split(" as ") for name in names if name)
            exports.extend(f"{pair[-1]}: {name}.{pair[0]}" for pair in pairs)
        return ""

    body = _EXPORT.sub(lambda found: found["rest"], _PASSED_ON.sub(passed_on, _IMPORT.sub(imported, text)))
    left = _LEFT.search(body)
    if left is not None:
        raise NotInlined(f"expected an import or export of a known form in {path.name}, found {left[0]}")
    inlined[path] = f"const {name} = await (async () => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();\n"
    return name
