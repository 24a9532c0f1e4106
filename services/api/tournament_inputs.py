"""Commands of a tournament: one table of inputs. Its log alone decides who may; every ruling stays in it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, RawBody

from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.events import (
    TAGS,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantRemoved,
    EntrantWithdrawn,
    EntriesClosed,
    GameVoided,
    InputEvent,
    NoShowTold,
    PointsRuled,
    ResultReplaced,
    RoundCalled,
    TableReplayed,
    TournamentAborted,
    TournamentClosed,
)
from services.api.authentication import require_actor
from services.api.documented import answers, takes
from services.api.inputs import Described, Input
from services.api.parts import Parts
from services.api.tournament_examples import (
    ABORT_EXAMPLE,
    ANSWER_EXAMPLE,
    CALL_EXAMPLE,
    CHECK_IN_EXAMPLE,
    CLOSE_ENTRIES_EXAMPLE,
    CLOSE_EXAMPLE,
    ENTER_EXAMPLE,
    RULING_EXAMPLES,
    WITHDRAW_EXAMPLE,
)
from services.api.tournament_finding import read_tournament_id
from services.commands.tournaments import TournamentAnswer
from services.reading.access import Caller

_RULINGS = (ResultReplaced, GameVoided, TableReplayed, NoShowTold, PointsRuled, EntrantRemoved)


def _describe(operation_id: str, summary: str, description: str, *examples: dict[str, Any]) -> Described:
    return Described(
        operation_id=operation_id, summary=summary, description=description, tag="tournaments", examples=examples
    )


INPUTS: Mapping[str, Input[InputEvent]] = {
    "entries": Input(
        EntrantEntered,
        _describe(
            "enter_tournament",
            "Enter a tournament",
            "By a player. `entrant` is the count of those who have entered; where another was quicker it is one more "
            "now.",
            ENTER_EXAMPLE,
        ),
    ),
    "withdrawals": Input(
        EntrantWithdrawn,
        _describe(
            "withdraw",
            "Withdraw from a tournament",
            "By the entrant. A table it sits at is played on, or drawn again without it.",
            WITHDRAW_EXAMPLE,
        ),
    ),
    "check-ins": Input(
        EntrantCheckedIn,
        _describe(
            "check_in",
            "Check in for a round",
            "By the entrant, with its next link while it has any. The round is drawn when the last one expected has "
            "checked in, or when time is up.",
            CHECK_IN_EXAMPLE,
        ),
    ),
    "close-entries": Input(
        EntriesClosed, _describe("close_entries", "Close the entries", "By an organiser.", CLOSE_ENTRIES_EXAMPLE)
    ),
    "rounds": Input(
        RoundCalled,
        _describe("call_round", "Call the next round", "By an organiser. Opens the check-in.", CALL_EXAMPLE),
    ),
    "rulings": Input(
        {TAGS[each]: each for each in _RULINGS},
        _describe(
            "rule_on_tournament",
            "Rule on a tournament",
            "By an organiser whom the tournament named when it was opened, with a reason. Nothing that was is edited; "
            "the ruling and its reason stay in the log for ever.",
            *RULING_EXAMPLES,
        ),
    ),
    "close": Input(
        TournamentClosed,
        _describe(
            "close_tournament",
            "Close a tournament",
            "By an organiser, between rounds. Its standings are final then; rounds that are left ask for a reason.",
            CLOSE_EXAMPLE,
        ),
    ),
    "abort": Input(
        TournamentAborted,
        _describe(
            "abort_tournament",
            "Abort a tournament",
            "By an organiser or the operator. Its secret is disclosed all the same.",
            ABORT_EXAMPLE,
        ),
    ),
}


async def carry_out(parts: Parts, command: TournamentCommand | OpenTournament) -> TournamentAnswer:
    """Handle a command; the answer has the server's receipt."""
    written = await parts.tournaments.handle(command)
    receipt = parts.sign_receipt(command.stream, written)
    return TournamentAnswer(tournament=command.stream, receipt=receipt, **msgspec.structs.asdict(written))


def read_command(
    input_: Input[InputEvent], tournament: str, body: bytes, caller: Caller, parts: Parts
) -> TournamentCommand:
    """Read a command of a tournament from its body."""
    asked = input_.read(body)
    return TournamentCommand(
        id=asked.command,
        stream=read_tournament_id(tournament),
        at_ms=parts.now_ms(),
        actor=require_actor(caller),
        sig=asked.sig,
        base=asked.base,
        event=input_.build(asked, caller),
    )


def _build_route(do: str, input_: Input[InputEvent]) -> HTTPRouteHandler:
    async def command(
        tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
    ) -> TournamentAnswer:
        return await carry_out(parts, read_command(input_, tournament, body, caller, parts))

    words = input_.described
    return post(
        f"/v1/tournaments/{{tournament:str}}/{do}",
        operation_id=words.operation_id,
        summary=words.summary,
        description=words.description,
        tags=[words.tag],
        status_code=200,
        operation_class=takes(input_.body, *words.examples),
        responses=answers(TournamentAnswer, ANSWER_EXAMPLE),
    )(command)


TOURNAMENT_COMMAND_ROUTES = tuple(_build_route(do, input_) for do, input_ in INPUTS.items())
