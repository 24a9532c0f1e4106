"""Rules that keep documents true: links that lead somewhere, paths that exist, short pages, words defined once.

Each function returns a sentence for each fault.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
# A file or folder of the repository, from its root; a pattern or a placeholder in capitals is none.
_PATH = re.compile(r"(?:[a-z_.][\w.-]*/)+(?:[\w-]+\.(?:py|js|cjs|sql|toml|json|md|yaml|txt|html|css))?")
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


def missing_paths(root: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Name each path in a page's code spans that starts in a folder of the repository and leads nowhere."""
    folders = {path.name for path in root.iterdir() if path.is_dir()}
    for page in pages:
        for span in _CODE_SPAN.findall(_FENCE.sub("", page.read_text())):
            if _PATH.fullmatch(span) and span.partition("/")[0] in folders and not (root / span).exists():
                yield f"{page.relative_to(root)} names {span}, which does not exist"


def long_pages(root: Path, words_max: Mapping[str, int]) -> Iterator[str]:
    """Name each page with more words than it may have, code blocks left out."""
    for name, limit in words_max.items():
        words = len(_FENCE.sub("", (root / name).read_text()).split())
        if words > limit:
            yield f"{name} has {words} words, more than {limit}"


def words_defined_twice(glossary: Path) -> Iterator[str]:
    words = Counter(word for line in glossary.read_text().splitlines() for word in _WORD_OF_TABLE.findall(line))
    return (f"{word} is defined {count} times" for word, count in words.items() if count > 1)
