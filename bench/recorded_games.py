"""Whole games with everything around the rules (links, seals, lines, hashes), then their logs folded.

Every seat plays its default action, in the server's custody, with links of its own.
"""

import time
from collections.abc import Mapping
from hashlib import sha256
from itertools import count

from msgspec import UNSET

from bench.figures import Figures, Row, build_rate, time_side_by_side
from domain.canonical import Json, encode
from domain.chance import Secret
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import seal_opening
from domain.game.decide import decide
from domain.game.events import ActionPlayed, InputEvent, SeatReadied, SeatTaken
from domain.game.kind import GAMES
from domain.game.opening import decide_opening
from domain.game.state import Entrusted, FurtherLink, Game, Held, Opening, list_in_custody
from domain.ids import CommandId, GameId, PlayerId, Seat, StreamId
from domain.links import build_links
from domain.log.actors import ByPlayer
from domain.log.entry import Entry, as_stored
from domain.log.record import line_hash, parse_line
from domain.log.replay import replay
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.decision import Decision
from domain.ruleset.ruleset import AnyRuleset

GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
SECRET = Secret(bytes(range(32)))
START_MS = 1_795_003_200_000
SEATS = 4
LINKS = 1_024
ROUNDS = 5


def measure_recorded_games(ruleset: AnyRuleset, *, games: int, options: Mapping[str, Json] | None = None) -> Figures:
    """Play games to their end, in time of this processor alone, then read the last one's log three ways."""
    raws: list[bytes] = []
    latencies_s = []
    for number in range(games):
        started = time.process_time()
        raws = play(ruleset, Secret(sha256(number.to_bytes(4, "big")).digest()), options=options)
        latencies_s.append(time.process_time() - started)
    secret = Secret(sha256((games - 1).to_bytes(4, "big")).digest())
    catalogue = Catalogue([ruleset])
    rows: dict[str, Row] = time_side_by_side(
        {
            "decode and hash alone": lambda: [(parse_line(raw), line_hash(raw)) for raw in raws],
            "fold without the secret": lambda: replay(GAMES, raws, catalogue),
            "fold with it": lambda: replay(GAMES, raws, catalogue, secret=secret),
        },
        rounds=ROUNDS,
    )
    rows["whole games, with record and hashes"] = build_rate(latencies_s)
    return Figures(title=f"{ruleset.name}@{ruleset.version}: a recorded game of {len(raws)} events", rows=rows)


def play(ruleset: AnyRuleset, secret: Secret, *, options: Mapping[str, Json] | None = None) -> list[bytes]:
    """Play one game, with options that are not the default, and return its log."""
    return play_opened(build_opening(ruleset, secret, dict(options or {})), ruleset)


def play_opened(opening: OpenGame, ruleset: AnyRuleset) -> list[bytes]:
    """Play a game of this opening to its end, by the players that its table names or by any."""
    return [entry.raw for entry in play_entries(opening, ruleset)]


def play_entries(opening: OpenGame, ruleset: AnyRuleset) -> list[Entry]:
    """Do the same, and return the lines as they were written."""
    links = [build_links(sha256(bytes([seat])).digest(), LINKS) for seat in range(opening.seats)]
    decided = decide_opening(opening, Catalogue([ruleset]))
    game, entries, numbers = decided.state, [*decided.entries], count(1)

    def do(command: GameCommand) -> Game:
        decided = decide(game, command)
        entries.extend(decided.entries)
        return decided.state

    for seat in range(opening.seats):
        taken = SeatTaken(seat=Seat(seat), player=_player(game, seat), anchor=links[seat][0], links=LINKS, key=None)
        game = do(_command(game, seat, numbers, taken))
    for seat in range(opening.seats):
        game = do(_command(game, seat, numbers, SeatReadied(seat=Seat(seat), nonce=links[seat][1])))
    while game.status == "running":
        owed = next(due.decision for due in game.owed if due.decision.id not in game.choices)
        game = do(_answer(game, owed, links[owed.seat], numbers))
    return entries


def build_opening(ruleset: AnyRuleset, secret: Secret, options: dict[str, Json]) -> OpenGame:
    return OpenGame(
        id=CommandId(GAME),
        stream=GAME,
        at_ms=START_MS,
        actor=ByPlayer(player=_default_player(0)),
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        components=hash_components(ruleset),
        seats=SEATS,
        options=options,
        clock=None,
        visibility="public",
        delay_s=0,
        demands=(),
        organisers={},
        ledger="localhost/spina",
        secret=secret,
        leaf_key=bytes(32).hex(),
    )


def _answer(game: Game, owed: Decision, links: tuple[str, ...], numbers: "count[int]") -> GameCommand:
    action = game.ruleset.default_action(game.board, owed)
    held = game.seats[owed.seat]
    assert isinstance(held, Held)
    assert held.links is not None
    left, kept = held.links.left, set(list_in_custody(game, owed.seat))
    if owed.kind == "sealed":
        choices = {due.decision.id for due in game.owed if due.decision.seat == owed.seat} | kept
        raw = encode(action)
        link = _link(links, left, steps=len(choices))
        opening = Opening(seat=owed.seat, action=raw, salt=sha256(raw).hexdigest(), link=link)
        return _command(game, owed.seat, numbers, seal_opening(game.id, owed.id, opening), opening)
    nonce = _link(links, left, steps=1)
    further = _link(links, left, steps=1 + len(kept)) if kept and left > 1 else None
    played = ActionPlayed(seat=owed.seat, decision=owed.id, action=as_stored(action), nonce=nonce)
    entrusted = None if further is None else FurtherLink(seat=owed.seat, link=further)
    return _command(game, owed.seat, numbers, played, entrusted)


def _link(links: tuple[str, ...], left: int, *, steps: int) -> str | None:
    """Return the link so many places on, or the last that the seat has."""
    return links[LINKS - left + min(steps, left)] if left else None


def _command(
    game: Game, seat: int, numbers: "count[int]", event: InputEvent, entrusted: Entrusted | None = None
) -> GameCommand:
    return GameCommand(
        id=CommandId(f"0199c0de-0000-7000-9000-{next(numbers):012d}"),
        stream=game.id,
        at_ms=game.at_ms + 1,
        actor=ByPlayer(player=_player(game, seat)),
        event=event,
        entrusted=entrusted,
    )


def _player(game: Game, seat: int) -> PlayerId:
    table = game.opened.table
    return _default_player(seat) if table is UNSET else table.seats[seat].player


def _default_player(seat: int) -> PlayerId:
    return PlayerId(f"0199c0de-0000-7000-a000-{seat:012d}")
