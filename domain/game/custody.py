"""Actions in the server's custody: sealed for the player when handed over, revealed for the player when all are in.

An opening is kept encrypted beside the log, never in it; whoever has it folds it into the game with `hold`.
"""

import msgspec

from domain.canonical import parse
from domain.game.admission import Input, admit
from domain.game.answering import check_action, parse_action
from domain.game.commands import EntrustAction
from domain.game.enact import Decided, HeldAction, enact
from domain.game.events import ActionRevealed
from domain.game.rejections import DemandNotMet, LinkDoesNotFit, WrongAnswer
from domain.game.state import Game, Opening, Sealed, find_owed, held_seat, list_unshown
from domain.ids import DecisionId, Seat
from domain.links import link_follows, walk_back


def entrust(game: Game, command: EntrustAction, put: Input) -> Decided:
    """Seal an action for its player; told at once if it is illegal, since here it can be judged."""
    if "own_custody" in game.opened.demands:
        raise DemandNotMet(expected="a seal made by the player, as this game demands own custody", found="an action")
    action = parse_action(command.action)
    owed = find_owed(game, command.seat, command.decision)
    if owed is None or owed.decision.kind != "sealed":
        admit(game, put)
        raise WrongAnswer(expected=f"a choice of {command.decision} that is still open", found="an entrusted action")
    check_action(game, owed, action)
    opening = Opening(action=command.action, salt=command.salt, nonce=command.nonce)
    _check_entrusted_nonce(game, command)
    decided = enact(game, put)
    held = HeldAction(version=decided.entries[0].line.version, opening=opening)
    return msgspec.structs.replace(decided, game=hold(decided.game, held), held=(held,))


def _check_entrusted_nonce(game: Game, command: EntrustAction) -> None:
    held = held_seat(game, command.seat)
    # Where a seat owes several choices at once, each has a link of its own; they are disclosed in the order of reveals.
    choices = sum(each.decision.seat == command.seat and each.decision.kind == "sealed" for each in game.owed)
    if held.links is None or held.links.left == 0:
        fits = command.nonce is None
    else:
        fits = command.nonce is not None and (
            walk_back(command.nonce, previous=held.links.last, steps_max=choices - 1) is not None
        )
    if not fits:
        raise LinkDoesNotFit(
            expected=f"one of the next {choices} links of seat {command.seat} as nonce, or none if it has none left",
            found="another value" if command.nonce is not None else "none",
        )


def reveal_for_seats(decided: Decided) -> Decided:
    """Reveal what the server has in custody, in seat order, once it alone is waited for."""
    while True:
        game = decided.game
        unshown = list_unshown(game)
        if not unshown or any(choice.opening is None for _, choice in unshown):
            return decided
        decision, choice = unshown[0]
        assert choice.opening is not None
        put = Input(
            event=_reveal(game, decision.seat, decision.id, choice.opening),
            by="server",
            at_ms=game.at_ms,
            command=None,
            sig=None,
        )
        more = enact(game, put)
        decided = Decided(game=more.game, entries=decided.entries + more.entries, held=decided.held)


def _reveal(game: Game, seat: Seat, decision: DecisionId, opening: Opening) -> ActionRevealed:
    links = held_seat(game, seat).links
    nonce = opening.nonce if links is not None and links.left > 0 else None
    if nonce is not None and links is not None and not link_follows(previous=links.last, nonce=nonce):
        # Another choice of this seat lapsed or was revealed in another order: the next link follows from a later one.
        nonce = walk_back(nonce, previous=links.last, steps_max=links.left)
    return ActionRevealed(seat=seat, decision=decision, action=parse(opening.action), salt=opening.salt, nonce=nonce)


def hold(game: Game, held: HeldAction) -> Game:
    """Return the game with an opening in the server's custody, for whoever has it."""
    for decision, choice in game.choices.items():
        if isinstance(choice, Sealed) and choice.version == held.version:
            kept = msgspec.structs.replace(choice, opening=held.opening)
            return msgspec.structs.replace(game, choices={**game.choices, decision: kept})
    return game
