"""How prose is measured: words that stand in place of a noun or of a plainer verb, in a thousand of one kind of file.

Prose is the comments and docstrings of sources, and documents without their code.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from tests.architecture.sources import read_comments, read_source

# Its words count where they stand.
MADE_OF_DOCSTRINGS = "REFERENCE.md"
Kind = Literal["product", "pages", "tests", "documents"]

# One for each field of Voice.
_PATTERNS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"who(?:m)?ever|whatever|whichever|(?:no|some|any|every)body|(?:some|any)one",
        "what",
        "its?|they|them|theirs?|this|that|these|those",
        "ones?|others?|another",
        "tells?|told|telling|says?|said|saying",
    )
)
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
    it: float
    other: float
    tell: float


def vague_kinds(root: Path, paths: Iterable[Path], limits: Mapping[Kind, Voice]) -> list[str]:
    """Name each kind of file whose prose is over its limit, with the files that weigh most."""
    prose = [(path, kind, read_prose(path)) for path in paths if (kind := kind_of(path.relative_to(root)))]
    found = []
    for kind, limit in limits.items():
        texts = {path: text for path, each, text in prose if each == kind}
        voice = measure(texts.values())
        for place, row in enumerate(Voice._fields):
            if voice[place] > limit[place]:
                weights = {path: len(_PATTERNS[place].findall(text)) for path, text in texts.items()}
                worst = sorted(weights, key=lambda path: weights[path], reverse=True)[:WORST_MAX]
                found.append(
                    f"{kind}: {voice[place]:.2f} {row} in 1,000 words, more than {limit[place]}; "
                    f"most in {', '.join(str(path.relative_to(root)) for path in worst)}"
                )
    return found


def kind_of(path: Path) -> Kind | None:
    if path.name == MADE_OF_DOCSTRINGS:
        return None
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
        counts["words"] += len(_WORD.findall(text))
        for row, pattern in zip(Voice._fields, _PATTERNS, strict=True):
            counts[row] += len(pattern.findall(text))
    thousands = max(counts["words"], 1) / 1_000
    return Voice(*(counts[row] / thousands for row in Voice._fields))


def read_prose(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return _CODE.sub(" ", text)
    if path.suffix == ".py":
        return "\n".join([*read_source(path).docstrings, *read_comments(text)])
    return "\n".join(_BLOCK_COMMENT.findall(text) + _LINE_COMMENT[path.suffix].findall(text))


def loops_over_each(paths: Iterable[Path]) -> int:
    """Count the loops and comprehensions whose variable does not name its elements."""
    sources = (path.read_bytes() for path in paths if path.suffix == ".py")
    # To parse all that has none would take seconds.
    nodes = (node for source in sources if b"for each in" in source for node in ast.walk(ast.parse(source)))
    loops = (node for node in nodes if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension))
    return sum(isinstance(loop.target, ast.Name) and loop.target.id == "each" for loop in loops)
