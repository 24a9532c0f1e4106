"""The chronicle: a game as a story, a sentence for each line of its log and a chapter for each turn.

It says no more than the lines do, which every reader of the game may see; players are ids, whose names others know.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from domain.ids import GameId, PlayerId, StreamVersion
from domain.log.record import Line
from projections.folding import Marks, Projection, Row
from projections.opening import read_opening
from projections.progress import find_turn
from projections.sentences.lines import tell_line
from projections.sentences.words import Weight

NAME = "chronicle"
FIRST_CHAPTER = "Before the start"
PLACE_SIZE = 8
_TURN_WORDS = {"charioteer": "Turn", "chariot-race": "Round", "chariotmaster": "Game turn"}

_replace = msgspec.structs.replace


class Sentence(Struct, frozen=True, kw_only=True):
    """What one line tells. `player` is who sat down, where somebody did."""

    version: StreamVersion
    at: str
    chapter: int
    title: str
    text: str
    weight: Weight
    player: PlayerId | None = None


class ChronicleGame(Struct, frozen=True, kw_only=True):
    """Where the story is. Chapter 0 is what came before the start."""

    id: GameId
    version: StreamVersion
    ruleset: str
    chapter: int = 0
    title: str = FIRST_CHAPTER


def evolve(game: ChronicleGame | None, line: Line) -> ChronicleGame | None:
    """Return where the story is after one more line."""
    if game is None:
        opening = read_opening(line)
        if opening is None:
            return None
        return ChronicleGame(id=GameId(line.stream), version=line.version, ruleset=opening.ruleset.name)
    turn = find_turn(game.ruleset, line)
    if turn is not None:
        word = _TURN_WORDS[game.ruleset]
        return _replace(game, version=line.version, chapter=game.chapter + 1, title=f"{word} {turn}")
    if line.type == "game_started":
        return _replace(game, version=line.version, chapter=game.chapter + 1, title="The start")
    return _replace(game, version=line.version)


def tell(game: ChronicleGame, line: Line) -> Iterable[Row]:
    told = tell_line(game.ruleset, line)
    player = line.data.get("player") if line.type == "seat_taken" else None
    sentence = Sentence(
        version=line.version,
        at=line.at,
        chapter=game.chapter,
        title=game.title,
        text=told.text,
        weight=told.weight,
        player=PlayerId(player) if isinstance(player, str) else None,
    )
    return (Row(owner=game.id, place=place_of(line.version), body=msgspec.json.encode(sentence)),)


def place_of(version: int) -> bytes:
    """Return where the sentence of a line stands: places are compared as bytes."""
    return version.to_bytes(PLACE_SIZE, "big")


def version_of(place: bytes) -> StreamVersion:
    return StreamVersion(int.from_bytes(place, "big"))


CHRONICLE = Projection(
    name=NAME, version=2, state_type=ChronicleGame, evolve=evolve, tell=tell, mark=lambda _game: Marks()
)
