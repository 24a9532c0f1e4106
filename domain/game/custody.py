"""Actions in the server's custody: sealed for the player when handed over, revealed for the player when all are in.

What is entrusted is kept encrypted beside the log, never in it; whoever has it folds it into the game with `hold`.
"""

from collections.abc import Iterable

import msgspec

from domain.canonical import parse
from domain.game.actions import parse_action
from domain.game.admission import Input, admit
from domain.game.answering import check_action
from domain.game.commands import EntrustAction, PlayAction, RevealAction
from domain.game.enact import Decided, HeldAction, enact
from domain.game.events import ActionRevealed
from domain.game.rejections import WrongAnswer
from domain.game.state import (
    Choice,
    Entrusted,
    FurtherLink,
    Game,
    Opening,
    Sealed,
    find_owed,
    held_seat,
    list_in_custody,
    list_unshown,
)
from domain.ids import Seat
from domain.links import build_links, link_follows, walk_back
from domain.log.own_links import OwnLinks
from domain.log.rejections import DemandNotMet, LinkDoesNotFit
from domain.ruleset.decision import Decision


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
    links = held_seat(game, command.seat).links
    _check_entrusted(links, command.nonce, count=_count_secret_choices(game, command.seat), seat=command.seat)
    opening = Opening(seat=command.seat, action=command.action, salt=command.salt, link=command.nonce)
    return _keep(enact(game, put), opening)


def answer(game: Game, command: PlayAction | RevealAction, put: Input) -> Decided:
    """Carry out an answer in the open, which may overtake the links of what its seat has in the server's custody."""
    decided = enact(game, put)
    links = held_seat(game, command.seat).links
    # As it is after this link: one fewer, and the next ones follow from it.
    after = OwnLinks(last=command.nonce, left=links.left - 1) if links is not None and command.nonce else links
    count = len(list_in_custody(game, command.seat))
    _check_entrusted(after, command.entrusted_link, count=count, seat=command.seat)
    if command.entrusted_link is None:
        return decided
    return _keep(decided, FurtherLink(seat=command.seat, link=command.entrusted_link))


def _count_secret_choices(game: Game, seat: Seat) -> int:
    # From the furthest link the server walks back to the one that is next when it reveals, whichever choice that is.
    owed = {each.decision.id for each in game.owed if each.decision.seat == seat and each.decision.kind == "sealed"}
    return len(owed.union(list_in_custody(game, seat)))


def _check_entrusted(links: OwnLinks | None, found: str | None, *, count: int, seat: Seat) -> None:
    """Check that what is entrusted is the link `count` places on, or the last that the seat has."""
    needed = min(count, links.left) if links is not None else 0
    if links is None or needed == 0:
        fits = found is None
    elif found is None:
        fits = False
    else:
        next_link = build_links(bytes.fromhex(found), needed - 1)[0]
        fits = link_follows(previous=links.last, nonce=next_link)
    if not fits:
        raise LinkDoesNotFit(
            expected=f"link {needed} of the next links of seat {seat} in custody" if needed else "no link in custody",
            found="another value" if found is not None else "none",
        )


def _keep(decided: Decided, entrusted: Entrusted) -> Decided:
    held = HeldAction(version=decided.entries[0].line.version, entrusted=entrusted)
    return msgspec.structs.replace(decided, game=hold(decided.game, (held,)), held=(held,))


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
    if links is not None and links.left:
        assert opening.link is not None, "a link is entrusted wherever one is needed"
        nonce = walk_back(opening.link, previous=links.last, steps_max=links.left - 1)
    return ActionRevealed(seat=seat, decision=decision.id, action=parse(opening.action), salt=opening.salt, nonce=nonce)


def hold(game: Game, held: Iterable[HeldAction]) -> Game:
    """Return the game with what is in the server's custody; what was opened since is passed over."""
    for each in sorted(held, key=lambda each: each.version):
        game = _hold_one(game, each)
    return game


def _hold_one(game: Game, held: HeldAction) -> Game:
    if game.resolution is not None and held.version <= game.resolution.base.version:
        base = _hold_one(game.resolution.base, held)
        game = msgspec.structs.replace(game, resolution=msgspec.structs.replace(game.resolution, base=base))
    choices = {decision: _choice_with(choice, held) for decision, choice in game.choices.items()}
    return msgspec.structs.replace(game, choices=choices)


def _choice_with(choice: Choice, held: HeldAction) -> Choice:
    """Return a choice with its own opening, or with a later link of its seat."""
    entrusted = held.entrusted
    if not isinstance(choice, Sealed):
        return choice
    if isinstance(entrusted, Opening) and choice.version == held.version:
        return msgspec.structs.replace(choice, opening=entrusted)
    opening = choice.opening
    if opening is None or choice.version > held.version or opening.seat != entrusted.seat or entrusted.link is None:
        return choice
    further = msgspec.structs.replace(opening, link=entrusted.link)
    return msgspec.structs.replace(choice, opening=further)
