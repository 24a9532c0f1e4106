"""Previews of actions and rulings: their effect as far as it is certain. No chance is used, nothing is stored."""

from typing import Any

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.game.actions import parse_action, read_action
from domain.game.answering import check_action
from domain.game.evolve import settle
from domain.game.rejections import DecisionNotOwed, NotYourSeat
from domain.game.state import find_owed
from domain.ids import StreamVersion, TournamentId
from domain.log.actors import name_actor
from domain.log.enact import Decided, preview
from domain.log.entry import Entry, Input
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.state import Tournament
from services.api.authentication import require_player
from services.api.bodies import BodyReader, PreviewBody
from services.api.documented import answers, takes
from services.api.examples import PREVIEW_EXAMPLE, PREVIEWED_EXAMPLE
from services.api.parts import Parts
from services.api.tournament_examples import RULING_EXAMPLES, RULING_PREVIEW_EXAMPLE
from services.api.tournament_finding import find_names
from services.api.tournament_inputs import INPUTS, read_command
from services.api.versions import read_game_id
from services.reading.access import Caller, find_seat, find_visible_version
from services.reading.tournaments.sentences import Names, tell_outcome
from services.reading.tournaments.shown import RulingShown, show_ruling


class OutcomeShown(Struct, frozen=True, kw_only=True):
    """A line that would follow from the ruling by the terms: its type, its data, and both in a sentence."""

    type: str
    data: dict[str, Any]
    told: str


class RulingPreview(Struct, frozen=True, kw_only=True):
    """`version` is where the tournament stands; `ruling.line` is the version that the ruling would have.

    A draw of lots has no preview: after `round_drawn` with entrants in it, the lots and the tables are missing.
    """

    tournament: TournamentId
    version: StreamVersion
    ruling: RulingShown
    outcomes: tuple[OutcomeShown, ...]


def show_ruling_preview(decided: Decided[Tournament], names: Names) -> RulingPreview:
    ruling, *outcomes = decided.entries
    return RulingPreview(
        tournament=decided.state.id,
        version=StreamVersion(ruling.line.version - 1),
        ruling=show_ruling(decided.state, decided.state.rulings[-1], names),
        outcomes=tuple(_show_outcome(decided.state, entry, names) for entry in outcomes),
    )


def _show_outcome(tournament: Tournament, entry: Entry, names: Names) -> OutcomeShown:
    told = tell_outcome(tournament, entry.line.type, entry.event, names)
    return OutcomeShown(type=entry.line.type, data=msgspec.to_builtins(entry.event), told=told)


_PREVIEW = BodyReader[PreviewBody](PreviewBody)
_RULINGS = INPUTS["rulings"]


class Previewed(Struct, frozen=True, kw_only=True):
    """`effect` is the ruleset's; `version` is where the game stood."""

    version: int
    effect: Any


@post(
    "/v1/games/{game:str}/previews",
    operation_id="preview_action",
    summary="Preview an action",
    description="By the seat that owes the decision. An action the rules do not allow is refused with their reason.",
    tags=["actions"],
    status_code=200,
    operation_class=takes(PreviewBody, PREVIEW_EXAMPLE),
    responses=answers(Previewed, PREVIEWED_EXAMPLE, said="The effect"),
)
async def preview_action(
    game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Previewed]:
    shown = await preview_of(game, body, caller, parts)
    return Response(shown, headers={"cache-control": "no-store"})


async def preview_of(game: str, body: bytes, caller: Caller, parts: Parts) -> Previewed:
    """Return the effect of an action on the board as it stands."""
    asked = _PREVIEW.read(body)
    player = require_player(caller)
    newest, _ = await find_visible_version(parts.histories, read_game_id(game), caller, now_ms=parts.now_ms())
    if find_seat(newest, caller) != asked.seat:
        raise NotYourSeat(expected=f"the player of seat {asked.seat}", found=f"player:{player}")
    known = settle(await parts.histories.read_newest(newest.id, "secret"))
    owed = find_owed(known, asked.seat, asked.decision)
    if owed is None:
        raise DecisionNotOwed(expected=f"a decision that seat {asked.seat} owes", found=asked.decision)
    action = parse_action(bytes(asked.action))
    check_action(known, owed, action)
    effect = known.ruleset.preview(known.board, owed.decision, read_action(known.ruleset, action))
    return Previewed(version=known.version, effect=msgspec.to_builtins(effect))


@post(
    "/v1/tournaments/{tournament:str}/rulings/previews",
    operation_id="preview_ruling",
    summary="Ask what a ruling would do",
    description="By an organiser, with the body of the ruling; a ruling that would be refused is refused here alike. "
    "`sig` is not looked at: leave it out, as a signed ruling is one that stands.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(_RULINGS.body, *RULING_EXAMPLES),
    responses=answers(RulingPreview, RULING_PREVIEW_EXAMPLE, said="The lines it would add to the log"),
)
async def preview_ruling(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[RulingPreview]:
    command = read_command(_RULINGS, tournament, body, caller, parts)
    found = await parts.tournament_histories.read_newest(command.stream)
    by = name_actor(command.actor)
    put = Input(event=command.event, by=by, at_ms=command.at_ms, command=command.id, sig=None)
    decided = preview(TOURNAMENTS, found, put)
    shown = show_ruling_preview(decided, await find_names(parts, found))
    return Response(shown, headers={"cache-control": "no-store"})
