"""Commands of a tournament: one table of inputs. Its log alone decides who may; every ruling stays in it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, RawBody

from domain.ids import Hex32Field
from domain.tournament import events
from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.door import Code
from domain.tournament.fields import VersionField
from domain.tournament.role_events import HelperJoined, TableFollowed
from domain.tournament.ruling_events import RULING_TYPES
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled
from services.api.http.authentication import require_actor
from services.api.http.bodies import Envelope
from services.api.http.documented import answers, takes
from services.api.http.inputs import Described, Input
from services.api.http.parts import Parts
from services.api.http.rates import OUTSIDERS
from services.api.tournaments import tournament_examples
from services.api.tournaments.tournament_finding import read_tournament_id
from services.commands.tournaments import TournamentAnswer
from services.reading.access import Caller

_RULINGS: Mapping[str, type[events.Ruling]] = {**RULING_TYPES, "no_show_told": events.NoShowTold}


class EnterEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`shown_code` is the code itself, of which `code` is the hash; it is not logged. `shown_team_code` is a team's."""

    shown_code: Code | None = None
    shown_team_code: Code | None = None


class RulingEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`seen` is the newest line that the sender had seen: refused where another has ruled on the same since."""

    seen: VersionField | None = None


class EntryEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`invitation` is the secret of the link that an organiser gave; its hash stands in the ruling."""

    invitation: Hex32Field


def _describe(operation_id: str, summary: str, description: str, *examples: dict[str, Any]) -> Described:
    return Described(
        operation_id=operation_id, summary=summary, description=description, tag="tournaments", examples=examples
    )


INPUTS: Mapping[str, Input[events.InputEvent]] = {
    "entries": Input(
        events.EntrantEntered,
        _describe(
            "enter_tournament",
            "Enter a tournament",
            "By a player. `entrant` is the count of those who have entered; where another was quicker it is one more "
            "now. Where the terms ask for a code, `shown_code` is the code and `code` the SHA-256 of "
            "`spina/entry-code/v1`, a zero byte and the code. Where they have teams, the first entrant to name one "
            "founds it, and its mates bring the same `team`, with its `code` in `shown_team_code`: the SHA-256 is of "
            "`spina/team-code/v1`, a zero byte and the code.",
            tournament_examples.ENTER_EXAMPLE,
        ),
        EnterEnvelope,
    ),
    "withdrawals": Input(
        events.EntrantWithdrawn,
        _describe(
            "withdraw",
            "Withdraw from a tournament",
            "By the entrant. A table it sits at is played on, or drawn again without it.",
            tournament_examples.WITHDRAW_EXAMPLE,
        ),
    ),
    "continuations": Input(
        events.EntryTaken,
        _describe(
            "continue_entry",
            "Go on with an entry from another device",
            "By the holder of the link that an organiser gave in an `entry_handed`. The entry keeps its number and its "
            "points, and goes on with this account, links and key; the former ones count no more.",
            tournament_examples.CONTINUE_EXAMPLE,
        ),
        EntryEnvelope,
    ),
    "helpers": Input(
        HelperJoined,
        _describe(
            "join_as_helper",
            "Join as a helper",
            "By the holder of the link that an organiser gave in a `helper_invited`. From then on this account does "
            "what its role may, signed by this key where it has one; lines name it `helper:N`.",
            tournament_examples.JOIN_EXAMPLE,
        ),
        EntryEnvelope,
    ),
    "looks": Input(
        TableFollowed,
        _describe(
            "follow_table",
            "Follow a table without its delay",
            "By a commentator or an organiser, while the table waits for its result. From then on reads and streams of "
            "its game show this account each line at once, as they show it to spectators later; no hand is in them.",
            tournament_examples.LOOK_EXAMPLE,
        ),
    ),
    "skips": Input(
        events.RoundSkipped,
        _describe(
            "skip_round",
            "Sit out a round",
            "By the entrant, before the round is drawn. It plays again in the round after it.",
            tournament_examples.SKIP_EXAMPLE,
        ),
    ),
    "calls": Input(
        OrganiserCalled,
        _describe(
            "call_organiser",
            "Call an organiser",
            "By an entrant: a dispute, or anything that needs a hand. The call and its answer are public lines.",
            tournament_examples.CALL_ORGANISER_EXAMPLE,
        ),
    ),
    "answers": Input(
        CallAnswered,
        _describe("answer_call", "Answer a call", "By an organiser, once.", tournament_examples.ANSWER_CALL_EXAMPLE),
    ),
    "announcements": Input(
        Announced,
        _describe(
            "announce",
            "Announce something",
            "By an organiser, to the entrants it names, or to all. Each is a public line.",
            tournament_examples.ANNOUNCE_EXAMPLE,
        ),
    ),
    "check-ins": Input(
        events.EntrantCheckedIn,
        _describe(
            "check_in",
            "Check in for a round",
            "By the entrant, with its next link while it has any. The round is drawn when the last one expected has "
            "checked in, or when time is up.",
            tournament_examples.CHECK_IN_EXAMPLE,
        ),
    ),
    "close-entries": Input(
        events.EntriesClosed,
        _describe("close_entries", "Close the entries", "By an organiser.", tournament_examples.CLOSE_ENTRIES_EXAMPLE),
    ),
    "rounds": Input(
        events.RoundCalled,
        _describe(
            "call_round",
            "Call the next round",
            "By an organiser. Opens the check-in.",
            tournament_examples.CALL_EXAMPLE,
        ),
    ),
    "rulings": Input(
        _RULINGS,
        _describe(
            "rule_on_tournament",
            "Rule on a tournament",
            "By an organiser, or a helper whose role allows it, with a reason. Nothing that was is edited; "
            "the ruling and its reason stay in the log for ever.",
            *tournament_examples.RULING_EXAMPLES,
        ),
        RulingEnvelope,
    ),
    "close": Input(
        events.TournamentClosed,
        _describe(
            "close_tournament",
            "Close a tournament",
            "By an organiser, between rounds. Its standings are final then; rounds that are left ask for a reason.",
            tournament_examples.CLOSE_EXAMPLE,
        ),
    ),
    "abort": Input(
        events.TournamentAborted,
        _describe(
            "abort_tournament",
            "Abort a tournament",
            "By an organiser or the operator. Its secret is disclosed all the same.",
            tournament_examples.ABORT_EXAMPLE,
        ),
    ),
}


async def carry_out(parts: Parts, command: TournamentCommand | OpenTournament) -> TournamentAnswer:
    """Handle a command; the answer has the server's receipt."""
    written = await parts.tournaments.write_path.handle(command)
    receipt = parts.sign_receipt(command.stream, written)
    return TournamentAnswer(tournament=command.stream, receipt=receipt, **msgspec.structs.asdict(written))


def read_command(
    input_: Input[events.InputEvent], tournament: str, body: bytes, caller: Caller, parts: Parts
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
        invitation=asked.invitation if isinstance(asked, EntryEnvelope) else None,
        seen=asked.seen if isinstance(asked, RulingEnvelope) else None,
        code=asked.shown_code if isinstance(asked, EnterEnvelope) else None,
        team_code=asked.shown_team_code if isinstance(asked, EnterEnvelope) else None,
    )


def _build_route(do: str, input_: Input[events.InputEvent]) -> HTTPRouteHandler:
    async def command(
        tournament: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
    ) -> TournamentAnswer:
        asked = read_command(input_, tournament, body, caller, parts)
        if not await parts.tournaments.write_path.has_role(asked.stream, asked.actor):
            await parts.rates.spend(OUTSIDERS, f"{caller.network}:{asked.stream}")
        return await carry_out(parts, asked)

    words = input_.described
    return post(
        f"/v1/tournaments/{{tournament:str}}/{do}",
        operation_id=words.operation_id,
        summary=words.summary,
        description=words.description,
        tags=[words.tag],
        status_code=200,
        operation_class=takes(input_.body, *words.examples),
        responses=answers(TournamentAnswer, tournament_examples.ANSWER_EXAMPLE),
    )(command)


TOURNAMENT_COMMAND_ROUTES = tuple(_build_route(do, input_) for do, input_ in INPUTS.items())
