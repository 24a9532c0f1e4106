"""The rules of a game as HTML, rendered from the document in its folder.

The documents use a part of Markdown: headings; paragraphs; lists, whose items may hold further paragraphs and tables;
tables; strong and emphasised words, code, and links to each other.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import domain.rulesets
from domain.rulesets.released import KITS
from infra.ruleset_files import read_words

FILE_NAME = "rules.md"
FOR_ALL = Path(domain.rulesets.__path__[0]) / "all-games.md"
# An item with a number can be linked to by it; other items by the words that they begin with.
ITEM = re.compile(r"^- \*\*(?P<name>[^*]+)\*\*", re.MULTILINE)
NUMBER = re.compile(r"[A-Z]+-?[0-9]+\Z")
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|\[(?P<said>[^]]+)]\((?P<target>[^)]+)\)"
    r"|\[(?P<mark>settled|option|default)]|(?P<rule>\b[A-Z]{1,2}-?[0-9]+\b)"
)
# From the number of a rule to its address; None for other capitals and digits.
FindRule = Callable[[str], str | None]


def list_rules() -> dict[str, tuple[str, Path]]:
    """List the documents, each with its title, by the last part of their addresses."""
    found = {kit.name: (read_words(kit).title, Path(kit.folder) / FILE_NAME) for kit in KITS}
    return {name: each for name, each in found.items() if each[1].exists()} | {"all-games": ("All games", FOR_ALL)}


def render_rules(name: str) -> str:
    """Render the document with links to the others, and to its own parts."""
    documents = list_rules()
    title, path = documents[name]
    text = path.read_text(encoding="utf-8")
    numbers, for_all = set(ITEM.findall(text)), set(ITEM.findall(FOR_ALL.read_text(encoding="utf-8")))

    def find(rule: str) -> str | None:
        return f"#{rule}" if rule in numbers else f"/rules/all-games#{rule}" if rule in for_all else None

    chapters = re.findall(r"^## (.+)$", text, re.MULTILINE)
    others = [(f"/rules/{each}", said) for each, (said, _) in documents.items()]
    head, _, rest = "\n".join(_blocks(text.splitlines(), find)).partition("</h1>")
    return "\n".join(
        (
            _nav("Rules", others, current=f"/rules/{name}"),
            f'{head}</h1><spina-rules data-ruleset="{name}"></spina-rules>',
            _nav(f"Chapters of {title}", [(f"#{_slug(chapter)}", chapter) for chapter in chapters]),
            rest,
        )
    )


def _nav(label: str, links: list[tuple[str, str]], *, current: str = "") -> str:
    items = (f'<a href="{at}"{" aria-current=page" if at == current else ""}>{escape(said)}</a>' for at, said in links)
    return f'<nav class="chapters" aria-label="{escape(label)}">{" ".join(items)}</nav>'


def _blocks(lines: list[str], find: FindRule) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if line.startswith("- "):
            while end < len(lines) and (not lines[end] or lines[end].startswith(("- ", "  "))):
                end += 1
            yield f"<ul>{''.join(_item(item, find) for item in _split_items(lines[at:end]))}</ul>"
        elif line.startswith("#"):
            level, _, said = line.partition(" ")
            yield f'<h{len(level)} id="{_slug(said)}">{_inline(said, find)}</h{len(level)}>'
        elif line:
            while end < len(lines) and lines[end] and not lines[end].startswith("- "):
                end += 1
            yield (
                _table(lines[at:end], find)
                if line.startswith("|")
                else f"<p>{_inline(' '.join(lines[at:end]), find)}</p>"
            )
        at = end


def _split_items(lines: list[str]) -> Iterator[list[str]]:
    begins = [place for place, line in enumerate(lines) if line.startswith("- ")]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield lines[begin:end]


def _item(lines: list[str], find: FindRule) -> str:
    named = ITEM.match(lines[0])
    if named is None:
        return f"<li>{_join([line[2:] for line in lines], find)}</li>"
    name = named["name"]
    if not NUMBER.match(name):
        return f'<li id="{_slug(name)}">{_join([line[2:] for line in lines], find)}</li>'
    rest = [lines[0][named.end() :].lstrip(), *(line[2:] for line in lines[1:])]
    return f'<li id="{name}"><a class="number" href="#{name}">{name}</a> {_join(rest, find)}</li>'


def _join(lines: list[str], find: FindRule) -> str:
    return "".join(_blocks(lines, find))


def _table(lines: list[str], find: FindRule) -> str:
    head, _, *rows = ([_inline(cell.strip(), find) for cell in line.strip().strip("|").split("|")] for line in lines)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    return f'<div class="scroll"><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>'


def _inline(text: str, find: FindRule) -> str:
    return INLINE.sub(lambda found: _word(found, find), escape(text, quote=False))


def _word(found: re.Match[str], find: FindRule) -> str:
    match found.lastgroup:
        case "code":
            return f"<code>{found['code']}</code>"
        case "strong":
            return f"<strong>{INLINE.sub(lambda each: _word(each, find), found['strong'])}</strong>"
        case "em":
            return f"<em>{found['em']}</em>"
        case "target":
            document = Path(found["target"])
            name = document.parent.name.replace("_", "-") if document.name == FILE_NAME else document.stem
            return f'<a href="/rules/{name}">{found["said"]}</a>'
        case "mark":
            return f'<span class="reading">{found["mark"]}</span>'
        case _:
            address = find(found["rule"])
            return f'<a href="{address}">{found["rule"]}</a>' if address else found["rule"]


def _slug(said: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")
