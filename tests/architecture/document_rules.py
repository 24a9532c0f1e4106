"""Rules that keep documents true: links that lead somewhere, paths that exist, short pages, words defined once.

Each function returns a sentence for each fault.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.architecture.sources import read_comments, read_source

_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
# A file or folder of the repository, from its root; a pattern or a placeholder in capitals is none.
_PATH = re.compile(r"(?:[a-z_.][\w.-]*/)+(?:[\w-]+\.(?:py|js|cjs|sql|toml|json|md|yaml|txt|html|css))?")
# A file of code as prose names it, with or without its folder; `MODULE.py` and `*.py` are placeholders.
_MODULE = re.compile(r"(?<![\w*./-])(?:[a-z_][\w-]*/)*[a-z_][a-z0-9_]*\.(?:py|js)\b")
_SLASH_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_WORD = re.compile(r"(?:`[^`]*`|\S)+")
WIDTH = 120
_WORD_OF_TABLE = re.compile(r"\*\*([^*]+)\*\*")


def broken_links(root: Path, pages: Iterable[Path]) -> Iterator[str]:
    for page in pages:
        for target, anchor in _LINK.findall(_FENCE.sub("", page.read_text())):
            path = page.parent / target if target else page
            if not path.exists():
                yield f"{page.relative_to(root)} links to {target}, which does not exist"
            elif anchor and anchor not in anchors(path):
                yield f"{page.relative_to(root)} links to {target}#{anchor}, a heading that does not exist"


def anchors(page: Path) -> set[str]:
    """Return the names by which a page's headings are linked to, as forges make them."""
    headings = _HEADING.findall(_FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def wide_lines(root: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Name each line of prose that could be broken within the width of a line of code. Code spans stay whole."""
    for page in pages:
        text = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), page.read_text())
        for number, line in enumerate(text.split("\n"), start=1):
            words = _WORD.findall(line)
            # A word that takes the width by itself cannot be broken, beside the mark of a list or alone.
            is_prose = not line.lstrip().startswith(("|", "#")) and all(len(word) < WIDTH for word in words)
            if is_prose and len(line) > WIDTH:
                yield f"{page.relative_to(root)}:{number} has {len(line)} columns, more than {WIDTH}"


def missing_paths(root: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Name each path in a page's code spans that starts in a folder of the repository and leads nowhere."""
    folders = {path.name for path in root.iterdir() if path.is_dir()}
    for page in pages:
        for span in _CODE_SPAN.findall(_FENCE.sub("", page.read_text())):
            if _PATH.fullmatch(span) and span.partition("/")[0] in folders and not (root / span).exists():
                yield f"{page.relative_to(root)} names {span}, which does not exist"


def missing_modules(root: Path, modules: Iterable[Path]) -> Iterator[str]:
    """Name each file of code that a comment or docstring speaks of and that the repository lacks."""
    kept = [path.relative_to(root).as_posix() for path in modules]
    for path in modules:
        for name in sorted(set(_MODULE.findall("\n".join(prose_of(path))))):
            if not any(f"/{place}".endswith(f"/{name}") for place in kept):
                yield f"{path.relative_to(root)} names {name}, which does not exist"


def prose_of(path: Path) -> Iterator[str]:
    """List the comments of a module that names a file, and the docstrings of a Python one."""
    text = path.read_text()
    if not _MODULE.search(text):
        return
    if path.suffix != ".py":
        yield from _SLASH_COMMENT.findall(text)
        return
    yield from (*read_comments(text), *read_source(path).docstrings)


def list_pictured_rooms(page: str) -> list[set[str]]:
    """List the rooms of `services/` in the picture of a page, from the top down, those of one row together."""
    picture = page[page.index(" services/ ") : page.index(" infra/ ")]
    rows = [line[15:].split("   ")[0] for line in picture.splitlines() if not line.startswith(" ─")]
    return [set(row.split(" · ")) for row in rows]


def long_pages(root: Path, words_max: Mapping[str, int]) -> Iterator[str]:
    """Name each page with more words than it may have, code blocks left out."""
    for name, limit in words_max.items():
        words = len(_FENCE.sub("", (root / name).read_text()).split())
        if words > limit:
            yield f"{name} has {words} words, more than {limit}"


def words_defined_twice(glossary: Path) -> Iterator[str]:
    words = Counter(word for line in glossary.read_text().splitlines() for word in _WORD_OF_TABLE.findall(line))
    return (f"{word} is defined {count} times" for word, count in words.items() if count > 1)
