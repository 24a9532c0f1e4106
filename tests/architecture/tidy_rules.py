"""Rules of form that no linter knows. Each function returns the violations as sentences."""

import re
from collections.abc import Iterable
from pathlib import Path

from tests.architecture.sources import Source, read_source

MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
OPENING_LINES_MAX = 4
# If the best name is one of these, the code belongs in the file of its caller.
BANNED_WORDS = frozenset({"base", "common", "helper", "helpers", "lib", "manager", "managers", "misc", "util", "utils"})
# A reason is a few words; this is the shortest that states anything.
REASON_CHARACTERS_MIN = 8

# One letter of each pattern stands in brackets, so that this file does not match itself.
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b")
REGISTRIES = re.compile(r"py[p]i\.org|python[h]osted\.|npm[j]s\.|docker\.[i]o|ghcr\.[i]o|quay\.[i]o")
MACHINE_PATHS = re.compile(r"(?<![\w.$}/])/(?:h[o]me|r[o]ot|U[s]ers|w[o]rk|t[m]p/\w)/?\b")
SUPPRESSION = re.compile(r"#\s*(?:no[q]a|type:\s*i[g]nore|ruff:)")
NOQA = re.compile(r"#\s*no[q]a:\s*[A-Z]+[0-9]+(?:,\s*[A-Z]+[0-9]+)*(?P<reason>.*)$")
TYPE_IGNORE = re.compile(r"#\s*type:\s*i[g]nore\[[a-z-]+(?:,\s*[a-z-]+)*\](?P<reason>.*)$")


def untidy_modules(root: Path, paths: Iterable[Path]) -> list[str]:
    """Apply the rules for one Python file at a time."""
    return [
        f"{path.relative_to(root)}: {what}"
        for path in paths
        for what in (*wrong_names(path.relative_to(root)), *wrong_form(path, path.read_text()))
    ]


def wrong_names(path: Path) -> list[str]:
    words = {word for part in path.with_suffix("").parts for word in part.split("_")}
    return [f"is named {word}, which says nothing" for word in sorted(words & BANNED_WORDS)]


def wrong_form(path: Path, text: str) -> list[str]:
    if path.name == "__init__.py":
        return ["is not empty"] if text else []
    source, lines = read_source(path), text.count("\n")
    found = [f"has {lines} lines, more than {MODULE_LINES_MAX}"] if lines > MODULE_LINES_MAX else []
    return found + wrong_opening(source) + long_functions(source) + unreasoned_suppressions(text)


def wrong_opening(source: Source) -> list[str]:
    if source.opening is None:
        return ["does not open with what it is"]
    lines = len([line for line in source.opening.splitlines() if line.strip()])
    return [f"opens with {lines} lines, more than {OPENING_LINES_MAX}"] if lines > OPENING_LINES_MAX else []


def long_functions(source: Source) -> list[str]:
    return [
        f"{name} has {lines} lines, more than {FUNCTION_LINES_MAX}"
        for name, lines in source.functions
        if lines > FUNCTION_LINES_MAX
    ]


def unreasoned_suppressions(text: str) -> list[str]:
    return [
        f"line {number} silences a check without its code and a reason"
        for number, line in enumerate(text.splitlines(), 1)
        if SUPPRESSION.search(line) and not has_code_and_reason(line)
    ]


def has_code_and_reason(line: str) -> bool:
    found = NOQA.search(line) or TYPE_IGNORE.search(line)
    return found is not None and len(found["reason"].strip(" #-:")) >= REASON_CHARACTERS_MIN


def untidy_texts(root: Path, paths: Iterable[Path]) -> list[str]:
    """Apply the rules for any text that is kept: nothing unfinished, no registry's host, no path of one machine."""
    rules = {"is unfinished": UNFINISHED, "names a registry": REGISTRIES, "names a path of one machine": MACHINE_PATHS}
    return [
        f"{path.relative_to(root)}:{number} {what}: {line.strip()[:80]}"
        for path in paths
        for number, line in enumerate(read_text(path).splitlines(), 1)
        for what, pattern in rules.items()
        if pattern.search(line)
    ]


def read_text(path: Path) -> str:
    """Read a text; a binary file counts as empty."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
