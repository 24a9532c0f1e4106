"""Commands of a game, over HTTP and over sockets: one table of inputs, and the one function that carries them out."""

from collections.abc import Mapping
from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, RawBody
from msgspec import UNSET

from domain.canonical import encode
from domain.game import events
from domain.game.commands import GameCommand
from domain.game.custody import seal_opening
from domain.game.kind import GAMES
from domain.game.offers import list_named
from domain.game.state import Entrusted, FurtherLink, Game, Opening
from domain.house import HOUSE
from domain.ids import GameId, Hex32Field
from domain.log.actors import name_actor
from domain.log.enact import check_author
from services.api.games.house import HouseCall, require_house, wait_for_house
from services.api.http import examples
from services.api.http.authentication import require_actor
from services.api.http.bodies import Envelope
from services.api.http.documented import answers, takes
from services.api.http.inputs import Described, Input
from services.api.http.parts import Parts
from services.api.http.rates import OUTSIDERS
from services.api.http.versions import read_game_id
from services.commands.arena import Answer
from services.live.messages import Deed
from services.reading.access import Caller, require_game, with_invitation


class SeatEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`invitation` is the secret of a link, whose hash the seat's offer has."""

    invitation: Hex32Field | None = None


class AnswerEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With choices in the server's custody, `entrusted_link` is the link as many places after `nonce`, or the last."""

    entrusted_link: Hex32Field | None = None


class EntrustEnvelope(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The event is the reveal that the server will log for the seat; until then it logs a seal."""


INPUTS: Mapping[Deed, Input[events.InputEvent]] = {
    "offers": Input(
        events.SeatOffered,
        Described(
            operation_id="offer_seat",
            summary="Offer a seat",
            description="Before the start, by the opener or an organiser of the game: to a house bot of a strength, to "
            "the holder of a link, to one player, or with null to all. It sends away the player or house bot that "
            "sits there, until a seat is offered to it by name; a former link is worth nothing any more.",
            tag="seats",
            examples=(examples.CALL_EXAMPLE, examples.INVITE_EXAMPLE),
        ),
    ),
    "seats": Input(
        events.SeatTaken,
        Described(
            operation_id="take_seat",
            summary="Take a seat",
            description="With `anchor` and `links` the seat contributes to chance; with `key` all it does must be "
            "signed. `invitation` is the secret of the link, where the seat is offered to its holder.",
            tag="seats",
            examples=(examples.TAKE_EXAMPLE,),
        ),
        SeatEnvelope,
    ),
    "ready": Input(
        events.SeatReadied,
        Described(
            operation_id="ready_seat",
            summary="Be ready",
            description="A promise to play. The game starts with the last seat that is ready, in the same moment: "
            "a house bot gets ready after the players, so that the answer may come while the game is still open. Where "
            "only seats of house bots are vacant, the server waits some seconds for them. A seat that is left or "
            "removed after the first is ready ends the game.",
            tag="seats",
            examples=(examples.READY_EXAMPLE,),
        ),
    ),
    "leave": Input(
        events.SeatLeft,
        Described(
            operation_id="leave_seat",
            summary="Leave before being ready",
            description="The seat is vacant again; once another seat is ready, this ends the game, or is refused at "
            "the table of a tournament. A seat that is ready cannot leave, and one that plays resigns instead.",
            tag="seats",
            examples=(examples.LEAVE_EXAMPLE,),
        ),
    ),
    "resign": Input(
        events.SeatResigned,
        Described(
            operation_id="resign",
            summary="Resign",
            description="The seat is out of the game; the others play on.",
            tag="seats",
            examples=(examples.RESIGN_EXAMPLE,),
        ),
    ),
    "actions": Input(
        events.ActionPlayed,
        Described(
            operation_id="play_action",
            summary="Answer a plain decision",
            description="`choices` of the game, read with the seat's own token, has every legal one. A seat "
            "with links brings the next one as `nonce`; with choices that it sealed with the server and that are not "
            "opened, it also hands over `entrusted_link`: the link as many places further on, or its last. No log "
            "shows it.",
            tag="actions",
            examples=(examples.PLAY_EXAMPLE,),
        ),
        AnswerEnvelope,
    ),
    "seals": Input(
        events.ActionSealed,
        Described(
            operation_id="seal_action",
            summary="Seal an action in your own custody",
            description="Answers a sealed decision with the hash of an action in canonical form; action and salt go "
            "to `reveals` later.",
            tag="actions",
            examples=(examples.SEAL_EXAMPLE,),
        ),
    ),
    "entrustments": Input(
        events.ActionRevealed,
        Described(
            operation_id="entrust_action",
            summary="Have the server seal an action",
            description="Answers a sealed decision: the server seals the action with your salt, and reveals it when "
            "every seal is in. While the seat has links, `nonce` is the furthest that it needs for all its choices in "
            "custody. The board, read with the seat's own token, has every legal choice.",
            tag="actions",
            examples=(examples.ENTRUST_EXAMPLE,),
        ),
        EntrustEnvelope,
    ),
    "reveals": Input(
        events.ActionRevealed,
        Described(
            operation_id="reveal_action",
            summary="Reveal a sealed action",
            description="Once every seal is in. A seat that sealed and does not reveal in time forfeits. The seal must "
            "fit the action's canonical form, which a refusal shows.",
            tag="actions",
            examples=(examples.REVEAL_EXAMPLE,),
        ),
        AnswerEnvelope,
    ),
    "reclaim": Input(
        events.SeatReclaimed,
        Described(
            operation_id="reclaim_seat",
            summary="Take your seat back",
            description="From the house bot that plays for it since its clock ran out. All that the seat owes stays "
            "owed, and its clocks run on.",
            tag="seats",
            examples=(examples.RECLAIM_EXAMPLE,),
        ),
    ),
    "consents": Input(
        events.ConsentGiven,
        Described(
            operation_id="give_consent",
            summary="Agree to end or to pause the game",
            description="The game ends without a result, or its clocks stop, once all players who are asked agree: not "
            "house bots, seats that have left, and players who are absent. A player is absent 24 hours after a clock "
            "of the seat ran out, until it answers; in a game without a clock, after keeping it waiting for 24 hours. "
            "No table of a tournament is ended or paused so.",
            tag="seats",
            examples=(examples.CONSENT_EXAMPLE,),
        ),
    ),
    "withdrawals": Input(
        events.ConsentWithdrawn,
        Described(
            operation_id="withdraw_consent",
            summary="Withdraw your consent",
            description="Before all have agreed.",
            tag="seats",
            examples=(examples.WITHDRAW_CONSENT_EXAMPLE,),
        ),
    ),
    "end-pause": Input(
        events.PauseEnded,
        Described(
            operation_id="end_pause",
            summary="End a pause",
            description="By any seat that plays. A pause ends by itself after seven days; none of its time counts.",
            tag="seats",
            examples=(examples.END_PAUSE_EXAMPLE,),
        ),
    ),
    "rulings": Input(
        {events.INPUT_TAGS[each]: each for each in (events.ClockExtended, events.SeatRemoved)},
        Described(
            operation_id="rule",
            summary="Rule on a game",
            description="By an organiser whom the game named when it was opened. The reason stays in the log for ever.",
            tag="rulings",
            examples=(examples.EXTEND_EXAMPLE, examples.REMOVE_EXAMPLE),
        ),
    ),
    "abort": Input(
        events.GameAborted,
        Described(
            operation_id="abort_game",
            summary="Abort a game",
            description="By its organiser or the operator, before the start also by its opener. The game has no "
            "result, and its secret is disclosed all the same.",
            tag="rulings",
            examples=(examples.ABORT_EXAMPLE,),
        ),
    ),
}


async def command_game(
    input_: Input[events.InputEvent], game: str, body: bytes, caller: Caller, parts: Parts
) -> Answer:
    """Read and carry out a command. A game that the caller may not see is none before anything else of it is read."""
    asked = input_.read(body)
    at_ms, actor = parts.now_ms(), require_actor(caller)
    stream = read_game_id(game)
    invitation = asked.invitation if isinstance(asked, SeatEnvelope) else None
    aborted_by = asked.command if input_ is INPUTS["abort"] else None
    await require_game(parts.games.arena, stream, with_invitation(caller, invitation), aborted_by=aborted_by)
    has_role = await parts.games.arena.has_role(stream, actor)
    if not has_role:
        await parts.rates.spend(OUTSIDERS, f"{caller.network}:{stream}")
    event, entrusted = _separate(stream, asked, input_.build(asked, caller))
    opened = await parts.games.arena.recall(stream)
    if _is_counted(opened, caller, has_role=has_role):
        await parts.rates.spend_unstarted(caller.account, caller.network)
    if isinstance(event, events.SeatOffered):
        # The author of an offer follows from the opening alone, so that no remembered game is too old for it.
        check_author(GAMES, opened, event, name_actor(actor))
        await parts.rates.spend_offers(caller.account, caller.network, list_named([event.to]))
        call = HouseCall(game=stream, ruleset=opened.opened.ruleset.reference, opener=opened.opened_by)
        await require_house(parts, call, asked.command, [event.to], network=caller.network)
    if isinstance(event, events.SeatReadied):
        await wait_for_house(parts, stream, caller, event.seat)
        at_ms = parts.now_ms()
    return await parts.carry_out(
        GameCommand(
            id=asked.command,
            stream=stream,
            at_ms=at_ms,
            actor=actor,
            sig=asked.sig,
            base=asked.base,
            event=event,
            entrusted=entrusted,
            invitation=invitation,
        )
    )


def _is_counted(game: Game, caller: Caller, *, has_role: bool) -> bool:
    """Return whether a command counts as one in a game that has not started.

    The house answers players who were counted, and the entrants of a tournament are bounded there. To outsiders the
    count does not state whether a delayed game has started.
    """
    if game.opened.table is not UNSET or caller.player in HOUSE:
        return False
    return game.status == "open" or (game.opened.delay_s > 0 and not has_role)


def _separate(game: GameId, asked: Envelope, event: events.InputEvent) -> tuple[events.InputEvent, Entrusted | None]:
    """Return the event that is logged, and the part of the body that the server keeps in custody."""
    match asked, event:
        case EntrustEnvelope(), events.ActionRevealed(
            seat=seat, decision=decision, action=action, salt=salt, nonce=nonce
        ):
            opening = Opening(seat=seat, action=encode(action), salt=salt, link=nonce)
            return seal_opening(game, decision, opening), opening
        case AnswerEnvelope(entrusted_link=str(link)), events.ActionPlayed(seat=seat) | events.ActionRevealed(
            seat=seat
        ):
            return event, FurtherLink(seat=seat, link=link)
        case _:
            return event, None


def _build_route(do: str, input_: Input[Any]) -> HTTPRouteHandler:
    async def command(
        game: FromPath[str], body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
    ) -> Answer:
        return await command_game(input_, game, body, caller, parts)

    words = input_.described
    return post(
        f"/v1/games/{{game:str}}/{do}",
        operation_id=words.operation_id,
        summary=words.summary,
        description=words.description,
        tags=[words.tag],
        status_code=200,
        operation_class=takes(input_.body, *words.examples),
        responses=answers(Answer, examples.ANSWER_EXAMPLE),
    )(command)


GAME_COMMAND_ROUTES = tuple(_build_route(do, input_) for do, input_ in INPUTS.items())
