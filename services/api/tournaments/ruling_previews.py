"""Previews of rulings: the lines that each would add, as far as they are certain. Nothing is stored."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.ids import StreamVersion, TournamentId
from domain.log.enact import Decided, preview
from domain.log.entry import Entry, Input
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.roles import name_author
from domain.tournament.state import Tournament
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.documented import Tagged, answers, takes
from services.api.http.parts import Parts
from services.api.tournaments.tournament_examples import (
    PREVIEWED_EXAMPLES,
    RULING_FORMS_EXAMPLE,
    RULING_PREVIEW_EXAMPLE,
)
from services.api.tournaments.tournament_finding import find_names
from services.api.tournaments.tournament_inputs import INPUTS, read_command
from services.reading.access import Caller
from services.reading.tournaments.ruling_forms import RulingForms, list_ruling_forms
from services.reading.tournaments.sentences import Names, tell_outcome
from services.reading.tournaments.shown import RulingShown, show_ruling
from services.reading.tournaments.warnings import Warned, list_warnings


class OutcomeShown(Struct, frozen=True, kw_only=True):
    """A line that would follow from the ruling by the terms: its type, its data, and both in a sentence."""

    type: str
    data: dict[str, Any]
    told: str


class RulingPreview(Struct, frozen=True, kw_only=True):
    """`version` is where the tournament stands; `ruling.line` is the version that the ruling would have.

    A draw of lots has no preview: after `round_drawn` with entrants in it, the lots and the tables are missing.
    `warnings` are those of the round as it would stand then, of which an organiser should know before ruling.
    """

    tournament: TournamentId
    version: StreamVersion
    ruling: RulingShown
    outcomes: tuple[OutcomeShown, ...]
    warnings: tuple[Warned, ...]


def show_ruling_preview(decided: Decided[Tournament], names: Names) -> RulingPreview:
    ruling, *outcomes = decided.entries
    return RulingPreview(
        tournament=decided.state.id,
        version=StreamVersion(ruling.line.version - 1),
        ruling=show_ruling(decided.state, decided.state.rulings[-1], names),
        outcomes=tuple(_show_outcome(decided.state, entry, names) for entry in outcomes),
        warnings=list_warnings(decided.state, decided.state.rounds[-1], names) if decided.state.rounds else (),
    )


def _show_outcome(tournament: Tournament, entry: Entry, names: Names) -> OutcomeShown:
    told = tell_outcome(tournament, entry.line.type, entry.event, names)
    return OutcomeShown(type=entry.line.type, data=msgspec.to_builtins(entry.event), told=told)


_RULINGS = INPUTS["rulings"]


@post(
    "/v1/tournaments/{tournament:str}/rulings/previews",
    operation_id="preview_ruling",
    summary="Ask what a ruling would do",
    description="By an organiser, with the body of the ruling; a ruling that would be refused is refused here alike. "
    "`sig` is not looked at: leave it out, as a signed ruling is one that stands.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(_RULINGS.body, *PREVIEWED_EXAMPLES),
    responses=answers(RulingPreview, RULING_PREVIEW_EXAMPLE, said="The lines it would add to the log"),
)
async def preview_ruling(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[RulingPreview]:
    command = read_command(_RULINGS, tournament, body, caller, parts)
    found = await parts.tournaments.histories.read_newest(command.stream)
    by = name_author(found, command.actor, command.event)
    put = Input(event=command.event, by=by, at_ms=command.at_ms, command=command.id, sig=None)
    decided = preview(TOURNAMENTS, found, put)
    await parts.tournaments.write_path.check_game(command.stream, command.event)
    shown = show_ruling_preview(decided, await find_names(parts.people, found))
    return Response(shown, headers={"cache-control": "no-store"})


@get(
    "/v1/rulings",
    operation_id="list_ruling_forms",
    operation_class=Tagged,
    summary="List the kinds of rulings on tournaments",
    description="Every kind with its name, its effect and its fields in words, so that a form needs to know none.",
    tags=["tournaments"],
    responses=answers(RulingForms, RULING_FORMS_EXAMPLE, refusals=(), said="The kinds, in the order of a form"),
)
async def read_ruling_forms(request: AnyRequest, caller: NamedDependency[Caller]) -> Response[Any]:
    return answer_tagged(request, caller, list_ruling_forms())
