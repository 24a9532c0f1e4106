"""How prose is measured: pronouns that stand for no noun, and "what", in a thousand words of one kind of file.

Prose is the comments and docstrings of sources, and documents without their code.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from tests.architecture.sources import read_comments, read_source

Kind = Literal["product", "pages", "tests", "documents"]

_PRONOUN = re.compile(
    r"\b(?:who(?:m)?ever|whatever|whichever|(?:no|some|any|every)body|(?:some|any)one)\b", re.IGNORECASE
)
_WHAT = re.compile(r"\bwhat\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_BLOCK_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_LINE_COMMENT = {".js": re.compile(r"^\s*//(.*)$", re.MULTILINE), ".sql": re.compile(r"^\s*--(.*)$", re.MULTILINE)}
# The files that push a kind over its limit the furthest are named, so that there is a place to begin.
WORST_MAX = 3


class Voice(NamedTuple):
    """Words in a thousand. A limit is the largest figure that passes."""

    pronouns: float
    what: float


def vague_kinds(root: Path, paths: Iterable[Path], limits: Mapping[Kind, Voice]) -> list[str]:
    """Name each kind of file whose prose is over its limit, with the files that weigh most."""
    prose = [(path, kind, read_prose(path)) for path in paths if (kind := kind_of(path.relative_to(root)))]
    found = []
    for kind, limit in limits.items():
        texts = {path: text for path, each, text in prose if each == kind}
        voice = measure(texts.values())
        if voice.pronouns > limit.pronouns or voice.what > limit.what:
            worst = sorted(texts, key=lambda path: _weight(texts[path]), reverse=True)[:WORST_MAX]
            found.append(
                f"{kind}: {voice.pronouns:.2f} pronouns and {voice.what:.2f} what in 1,000 words, more than "
                f"{limit.pronouns} and {limit.what}; most in {', '.join(str(path.relative_to(root)) for path in worst)}"
            )
    return found


def kind_of(path: Path) -> Kind | None:
    if path.suffix == ".md":
        return "documents"
    if path.suffix not in {".py", ".js", ".sql"}:
        return None
    if path.parts[0] == "tests":
        return "tests"
    return "pages" if path.suffix == ".js" else "product"


def measure(texts: Iterable[str]) -> Voice:
    counts: Counter[str] = Counter()
    for text in texts:
        counts += Counter(words=len(_WORD.findall(text)), pronouns=_pronouns(text), what=_whats(text))
    thousands = max(counts["words"], 1) / 1_000
    return Voice(counts["pronouns"] / thousands, counts["what"] / thousands)


def read_prose(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return _CODE.sub(" ", text)
    if path.suffix == ".py":
        return "\n".join([*read_source(path).docstrings, *read_comments(text)])
    return "\n".join(_BLOCK_COMMENT.findall(text) + _LINE_COMMENT[path.suffix].findall(text))


def _pronouns(text: str) -> int:
    return len(_PRONOUN.findall(text))


def _whats(text: str) -> int:
    return len(_WHAT.findall(text))


def _weight(text: str) -> int:
    return 2 * _pronouns(text) + _whats(text)
