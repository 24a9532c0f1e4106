"""What players and organisers may do in a tournament. Who may is decided by its log alone; every ruling stays in it."""

from typing import Any, assert_never

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, RawBody

from domain.chance import Secret
from domain.ids import OrganiserId, StreamId, TournamentId
from domain.ruleset.catalogue import hash_components
from domain.tournament.commands import (
    AbortTournament,
    CallRound,
    CheckIn,
    CloseEntries,
    CloseTournament,
    Enter,
    OpenTournament,
    RemoveEntrant,
    ReplaceResult,
    ReplayTable,
    RulePoints,
    TellNoShow,
    TournamentCommand,
    VoidGame,
    Withdraw,
)
from domain.tournament.scoring import default_points
from services.api.authentication import require_actor
from services.api.bodies import AbortBody, Body, BodyReader, require_shown_at
from services.api.documented import answers, takes
from services.api.games import SECRET_BYTES
from services.api.organisers import require_organisers
from services.api.parts import Parts
from services.api.tournament_bodies import (
    CheckInBody,
    CloseBody,
    EmptyBody,
    EnterBody,
    NoShowBody,
    OpenTournamentBody,
    PointsBody,
    RemoveEntrantBody,
    ReplaceBody,
    ReplayBody,
    RoundBody,
    TournamentRulingBody,
    VoidBody,
    WithdrawBody,
)
from services.api.tournament_examples import (
    ABORT_EXAMPLE,
    ANSWER_EXAMPLE,
    CALL_EXAMPLE,
    CHECK_IN_EXAMPLE,
    CLOSE_ENTRIES_EXAMPLE,
    CLOSE_EXAMPLE,
    ENTER_EXAMPLE,
    OPEN_EXAMPLE,
    RULING_EXAMPLES,
    WITHDRAW_EXAMPLE,
)
from services.api.tournament_finding import read_tournament_id
from services.commands.tournaments import Command, TournamentAnswer
from services.reading.access import Caller

_OPEN = BodyReader[OpenTournamentBody](OpenTournamentBody)
_ENTER = BodyReader[EnterBody](EnterBody)
_WITHDRAW = BodyReader[WithdrawBody](WithdrawBody)
_ROUND = BodyReader[RoundBody](RoundBody)
_CHECK_IN = BodyReader[CheckInBody](CheckInBody)
_RULING = BodyReader[TournamentRulingBody](TournamentRulingBody)
_EMPTY = BodyReader[EmptyBody](EmptyBody)
_CLOSE = BodyReader[CloseBody](CloseBody)
_ABORT = BodyReader[AbortBody](AbortBody)
_ANSWERS = answers(TournamentAnswer, ANSWER_EXAMPLE)


async def carry_out(parts: Parts, command: Command) -> TournamentAnswer:
    """Handle a command; the answer has the server's receipt."""
    answer = await parts.tournaments.handle(command)
    stream = answer.tournament
    receipt = parts.receipts.sign(hash_=answer.head, stream=stream, version=answer.last_version)
    return msgspec.structs.replace(answer, receipt=receipt)


def build_envelope(asked: Body, tournament: str, caller: Caller, parts: Parts) -> dict[str, Any]:
    """Return the fields that every command of a tournament has, for its constructor."""
    at_ms, actor = parts.now_ms(), require_actor(caller)
    found = read_tournament_id(tournament)
    return {"id": asked.command, "tournament": found, "at_ms": at_ms, "actor": actor, "sig": asked.sig}


@post(
    "/v1/tournaments",
    operation_id="open_tournament",
    summary="Open a tournament",
    description="By an organiser. The id of the command becomes the id of the tournament. Every game of it is opened "
    "on these terms, by the server, and its seats are kept for those who were drawn there.",
    tags=["tournaments"],
    operation_class=takes(OpenTournamentBody, OPEN_EXAMPLE),
    responses=answers(TournamentAnswer, ANSWER_EXAMPLE, status=201, said="Opened"),
)
async def open_tournament(
    body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _OPEN.read(body)
    actor = require_actor(caller)
    require_shown_at("$.name", asked.name)
    await require_organisers(parts.accounts, asked.organisers)
    return await carry_out(
        parts,
        OpenTournament(
            id=asked.command,
            tournament=TournamentId(StreamId(asked.command)),
            at_ms=parts.now_ms(),
            actor=actor,
            sig=asked.sig,
            **_build_terms(asked, caller, parts),
            secret=Secret(parts.random_bytes(SECRET_BYTES)),
            leaf_key=parts.random_bytes(SECRET_BYTES).hex(),
        ),
    )


def _build_terms(asked: OpenTournamentBody, caller: Caller, parts: Parts) -> dict[str, Any]:
    name, _, number = asked.ruleset.partition("@")
    version = int(number)
    components = asked.components or hash_components(parts.catalogue.find_current(name=name, version=version))
    own: dict[OrganiserId, str | None] = {} if caller.organiser is None else {caller.organiser: None}
    sizes = range(asked.tables.min, asked.tables.max + 1)
    return {
        "name": asked.name,
        "ruleset": name,
        "ruleset_version": version,
        "components": components,
        "options": asked.options,
        "clock": asked.clock,
        "delay_s": asked.delay_s,
        "demands": asked.demands,
        "organisers": {**own, **asked.organisers},
        "format": asked.format,
        "tables": asked.tables,
        "points": asked.points or {str(size): default_points(size) for size in sizes},
        "bye_points": asked.bye_points,
        "tie_breaks": asked.tie_breaks,
        "entries_max": asked.entries_max,
        "check_in_ms": asked.check_in_ms,
        "sit_down_ms": asked.sit_down_ms,
    }


@post(
    "/v1/tournaments/{tournament:str}/entries",
    operation_id="enter_tournament",
    summary="Enter a tournament",
    description="By a player. `entrant` is the count of those who have entered; where somebody else was quicker it is "
    "one more now.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(EnterBody, ENTER_EXAMPLE),
    responses=_ANSWERS,
)
async def enter_tournament(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _ENTER.read(body)
    envelope = build_envelope(asked, tournament, caller, parts)
    brought = {"entrant": asked.entrant, "anchor": asked.anchor, "links": asked.links, "key": asked.key}
    return await carry_out(parts, Enter(**brought, **envelope))  # type: ignore[arg-type]  # fields by name


@post(
    "/v1/tournaments/{tournament:str}/withdrawals",
    operation_id="withdraw",
    summary="Withdraw from a tournament",
    description="By the entrant. A table it sits at is played on, or drawn again without it.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(WithdrawBody, WITHDRAW_EXAMPLE),
    responses=_ANSWERS,
)
async def withdraw(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _WITHDRAW.read(body)
    return await carry_out(parts, Withdraw(entrant=asked.entrant, **build_envelope(asked, tournament, caller, parts)))


@post(
    "/v1/tournaments/{tournament:str}/check-ins",
    operation_id="check_in",
    summary="Check in for a round",
    description="By the entrant. The round is drawn when the last one expected has checked in, or when time is up.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(CheckInBody, CHECK_IN_EXAMPLE),
    responses=_ANSWERS,
)
async def check_in(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _CHECK_IN.read(body)
    envelope = build_envelope(asked, tournament, caller, parts)
    return await carry_out(parts, CheckIn(entrant=asked.entrant, round=asked.round, nonce=asked.nonce, **envelope))


@post(
    "/v1/tournaments/{tournament:str}/close-entries",
    operation_id="close_entries",
    summary="Close the entries",
    description="By an organiser.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(EmptyBody, CLOSE_ENTRIES_EXAMPLE),
    responses=_ANSWERS,
)
async def close_entries(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _EMPTY.read(body)
    return await carry_out(parts, CloseEntries(**build_envelope(asked, tournament, caller, parts)))


@post(
    "/v1/tournaments/{tournament:str}/rounds",
    operation_id="call_round",
    summary="Call the next round",
    description="By an organiser. Opens the check-in.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(RoundBody, CALL_EXAMPLE),
    responses=_ANSWERS,
)
async def call_round(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _ROUND.read(body)
    return await carry_out(parts, CallRound(round=asked.round, **build_envelope(asked, tournament, caller, parts)))


@post(
    "/v1/tournaments/{tournament:str}/rulings",
    operation_id="rule_on_tournament",
    summary="Rule on a tournament",
    description="By an organiser whom the tournament named when it was opened. Nothing that was is edited; the ruling "
    "and its reason stay in the log for ever.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(TournamentRulingBody, *RULING_EXAMPLES),
    responses=_ANSWERS,
)
async def rule_on_tournament(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _RULING.read(body)
    return await carry_out(parts, build_ruling(asked, build_envelope(asked, tournament, caller, parts)))


def build_ruling(asked: TournamentRulingBody, envelope: dict[str, Any]) -> TournamentCommand:
    envelope["reason"] = asked.reason
    match asked:
        case PointsBody(entrant=entrant, round=round_, points=points):
            return RulePoints(entrant=entrant, round=round_, points=points, **envelope)
        case RemoveEntrantBody(entrant=entrant):
            return RemoveEntrant(entrant=entrant, **envelope)
        case ReplaceBody() | VoidBody() | ReplayBody() | NoShowBody():
            envelope |= {"round": asked.round, "table": asked.table, "attempt": asked.attempt}
    match asked:
        case ReplaceBody(ranking=ranking):
            return ReplaceResult(ranking=ranking, **envelope)
        case VoidBody():
            return VoidGame(**envelope)
        case ReplayBody():
            return ReplayTable(**envelope)
        case NoShowBody(entrants=entrants):
            return TellNoShow(entrants=entrants, **envelope)
        case _:
            assert_never(asked)


@post(
    "/v1/tournaments/{tournament:str}/close",
    operation_id="close_tournament",
    summary="Close a tournament",
    description="By an organiser, between rounds. Its standings are final then; rounds that are left ask for a reason.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(CloseBody, CLOSE_EXAMPLE),
    responses=_ANSWERS,
)
async def close_tournament(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _CLOSE.read(body)
    envelope = build_envelope(asked, tournament, caller, parts)
    return await carry_out(parts, CloseTournament(reason=asked.reason, **envelope))


@post(
    "/v1/tournaments/{tournament:str}/abort",
    operation_id="abort_tournament",
    summary="Abort a tournament",
    description="By an organiser or the operator. Its secret is disclosed all the same.",
    tags=["tournaments"],
    status_code=200,
    operation_class=takes(AbortBody, ABORT_EXAMPLE),
    responses=_ANSWERS,
)
async def abort_tournament(
    tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> TournamentAnswer:
    asked = _ABORT.read(body)
    envelope = build_envelope(asked, tournament, caller, parts)
    return await carry_out(parts, AbortTournament(reason=asked.reason, **envelope))


COMMAND_ROUTES: tuple[HTTPRouteHandler, ...] = (
    enter_tournament,
    withdraw,
    check_in,
    close_entries,
    call_round,
    rule_on_tournament,
    close_tournament,
    abort_tournament,
)
