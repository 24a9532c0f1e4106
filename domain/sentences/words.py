"""The words of a ruleset, kept as one file of data: its title, its turns and options, and a sentence for each event.

A translation is one more such file. Pages get the same words as the server, and build the same sentences of them.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.log.record import Line
from domain.ruleset.kit import Kit
from domain.sentences.templates import Names, NoSentence, Table, spaced, tell

# How much a sentence matters: "quiet" ones are for the curious; a chapter or a mark begins with the others but "plain".
Weight = Literal["plain", "quiet", "turn", "lap", "end"]


class Preset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options that go together, under a name. `about` states how the race differs; a page begins with the first."""

    name: str
    about: str
    options: Mapping[str, Json] = {}


class Words(Table, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All words. `about` presents the game in a sentence or two, `hint` names an answer that is always legal.

    `options` name the options of a table, and `option_notes` describe in a sentence the effect of each.

    `picture` is a template too, of SVG: its data is the view of a board. The games of the release have none.

    `quiet` are events that the next one describes better, `marks` those of interest in the whole race.
    """

    title: str = ""
    about: str = ""
    hint: str = ""
    picture: str = ""
    turn: str = "turn"
    turn_field: str | None = None
    options: Mapping[str, str] = {}
    option_notes: Mapping[str, str] = {}
    presets: tuple[Preset, ...] = ()
    sentences: Mapping[str, str] = {}
    quiet: tuple[str, ...] = ()
    marks: Mapping[str, Weight] = {}


class Told(Struct, frozen=True, kw_only=True):
    text: str
    weight: Weight


def parse_words(data: Json) -> Words:
    """Read words from a file's data; raises a ValueError for another shape."""
    return msgspec.convert(data, Words)


def complete_words(kit: Kit, own: Words, game: Words) -> Words:
    """Return a ruleset's words with those of every game, and with the marks that its kit names."""
    marks: dict[str, Weight] = {**own.marks}
    if kit.turn is not None:
        marks[kit.turn.event] = "turn"
    if kit.lap is not None:
        marks[kit.lap.event] = "lap"
    return msgspec.structs.replace(
        own,
        title=own.title or " ".join(word.capitalize() for word in kit.name.split("-")),
        turn_field=None if kit.turn is None else kit.turn.field,
        sentences={**game.sentences, **own.sentences},
        parts={**game.parts, **own.parts},
        tables={**game.tables, **own.tables},
        quiet=(*game.quiet, *own.quiet),
        marks=marks,
    )


def tell_line(words: Words, line: Line, names: Names | None = None) -> Told:
    """Describe a line. An event that has no sentence, or that a later release has changed, is named by its tag."""
    quiet: Weight = "quiet" if line.type in words.quiet else "plain"
    template = words.sentences.get(line.type)
    if template is not None:
        try:
            text = tell(template, line.data, words, names or {})
        except (NoSentence, TypeError, ValueError, KeyError):
            pass
        else:
            return Told(text=text, weight=words.marks.get(line.type, quiet))
    tag = spaced(line.type)
    return Told(text=f"{tag[:1].upper()}{tag[1:]}.", weight=words.marks.get(line.type, quiet))
