"""Actions in the server's custody: sealed for the player when handed over, revealed for the player when all are in.

An opening is kept encrypted beside the log, never in it; whoever has it folds it into the game with `hold`.
"""

import msgspec

from domain.canonical import parse
from domain.game.admission import Input, admit
from domain.game.actions import parse_action
from domain.game.answering import check_action
from domain.game.commands import EntrustAction
from domain.game.enact import Decided, HeldAction, enact
from domain.game.events import ActionRevealed
from domain.game.rejections import DemandNotMet, LinkDoesNotFit, WrongAnswer
from domain.game.state import Game, Opening, Sealed, count_links_owed, find_owed, held_seat, list_unshown
from domain.links import build_links, is_link, link_follows, walk_back
from domain.rulesets.decision import Decision


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
    links = held_seat(game, command.seat).links
    # Where a seat owes several choices at once, each needs a link; from the furthest one the server walks back to the
    # one that is next when it reveals, whatever the seat discloses in between.
    count = count_links_owed(game, command.seat)
    if links is None or count == 0:
        fits = command.nonce is None
    elif command.nonce is None or not is_link(command.nonce):
        fits = False
    else:
        next_link = build_links(bytes.fromhex(command.nonce), count - 1)[0]
        fits = link_follows(previous=links.last, nonce=next_link)
    if not fits:
        raise LinkDoesNotFit(
            expected=f"link {count} of the next links of seat {command.seat} as nonce" if count else "no nonce",
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
        put = Input(
            event=_reveal(game, decision, choice),
            by="server",
            at_ms=game.at_ms,
            command=None,
            sig=None,
        )
        more = enact(game, put)
        decided = Decided(game=more.game, entries=decided.entries + more.entries, held=decided.held)


def _reveal(game: Game, decision: Decision, choice: Sealed) -> ActionRevealed:
    opening, seat = choice.opening, decision.seat
    assert opening is not None
    links = held_seat(game, seat).links
    nonce = None
    if links is not None and links.left > choice.links_floor:
        assert opening.nonce is not None, "a link is entrusted wherever one is needed"
        nonce = walk_back(opening.nonce, previous=links.last, steps_max=links.left - choice.links_floor - 1)
    return ActionRevealed(seat=seat, decision=decision.id, action=parse(opening.action), salt=opening.salt, nonce=nonce)


def hold(game: Game, held: HeldAction) -> Game:
    """Return the game with an opening in the server's custody, for whoever has it."""
    if game.resolution is not None:
        base = hold(game.resolution.base, held)
        game = msgspec.structs.replace(game, resolution=msgspec.structs.replace(game.resolution, base=base))
    for decision, choice in game.choices.items():
        if isinstance(choice, Sealed) and choice.version == held.version:
            kept = msgspec.structs.replace(choice, opening=held.opening)
            return msgspec.structs.replace(game, choices={**game.choices, decision: kept})
    return game
