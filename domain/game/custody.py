"""Actions in the server's custody: sealed for the player when handed over, revealed for the player when all are in.

Entrusted actions are kept encrypted beside the log, never in it; their holder folds them into the game with `hold`.
"""

from collections.abc import Iterable

import msgspec

from domain.canonical import parse
from domain.game.answering import check_action
from domain.game.events import ActionPlayed, ActionRevealed, ActionSealed
from domain.game.kind import GAMES
from domain.game.rejections import WrongAnswer
from domain.game.stand_in import BY_HOUSE
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
from domain.ids import DecisionId, GameId, Seat
from domain.links import build_links, link_follows, walk_back
from domain.log.enact import Decided, HeldAction, admit, enact
from domain.log.entry import Input
from domain.log.fields import check_fields
from domain.log.own_links import OwnLinks
from domain.log.rejections import DemandNotMet, LinkDoesNotFit
from domain.ruleset.decision import Decision
from domain.seal import seal_action


def seal_opening(game: GameId, decision: DecisionId, opening: Opening) -> ActionSealed:
    """Seal for its player an action that the server takes into custody."""
    seal = seal_action(game=game, seat=opening.seat, decision=decision, salt=opening.salt, action=opening.action)
    return ActionSealed(seat=opening.seat, decision=decision, seal=seal)


def entrust(game: Game, put: Input, sealed: ActionSealed, opening: Opening) -> Decided[Game]:
    """Take an opening into custody with its seal. An illegal action is refused at once, since here it can be judged."""
    check_fields(opening)
    assert sealed == seal_opening(game.id, sealed.decision, opening), "sealed by the server itself"
    if "own_custody" in game.opened.demands:
        raise DemandNotMet(expected="a seal made by the player, as this game demands own custody", found="an action")
    owed = find_owed(game, sealed.seat, sealed.decision)
    if owed is None or owed.decision.kind != "sealed":
        admit(GAMES, game, put)
        raise WrongAnswer(expected=f"a choice of {sealed.decision} that is still open", found="an entrusted action")
    check_action(game, owed, parse(opening.action))
    links = None if put.by == BY_HOUSE else held_seat(game, sealed.seat).links
    _check_entrusted(links, opening.link, count=_count_secret_choices(game, sealed.seat), seat=sealed.seat)
    return _keep(enact(GAMES, game, put), opening)


def answer(
    game: Game, put: Input, answered: ActionPlayed | ActionRevealed, further: FurtherLink | None
) -> Decided[Game]:
    """Carry out an answer in the open, which may overtake the links of the seat's entrusted actions."""
    decided = enact(GAMES, game, put)
    links = None if put.by == BY_HOUSE else held_seat(game, answered.seat).links
    # As it is after this link: one fewer, and the next ones follow from it.
    after = OwnLinks(last=answered.nonce, left=links.left - 1) if links is not None and answered.nonce else links
    count = len(list_in_custody(game, answered.seat))
    if further is not None:
        check_fields(further)
    _check_entrusted(after, None if further is None else further.link, count=count, seat=answered.seat)
    return decided if further is None else _keep(decided, further)


def _count_secret_choices(game: Game, seat: Seat) -> int:
    # From the furthest link the server walks back to the one that is next when it reveals, for any of the choices.
    owed = {due.decision.id for due in game.owed if due.decision.seat == seat and due.decision.kind == "sealed"}
    return len(owed.union(list_in_custody(game, seat)))


def _check_entrusted(links: OwnLinks | None, found: str | None, *, count: int, seat: Seat) -> None:
    """Check that the entrusted link is `count` places on, or the last that the seat has."""
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


def _keep(decided: Decided[Game], entrusted: Entrusted) -> Decided[Game]:
    held = HeldAction(version=decided.entries[0].line.version, entrusted=entrusted)
    return msgspec.structs.replace(decided, state=hold(decided.state, (held,)), held=(held,))


def reveal_for_seats(decided: Decided[Game]) -> Decided[Game]:
    """Reveal the actions in the server's custody, in seat order, once it alone is waited for."""
    while True:
        game = decided.state
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
        more = enact(GAMES, game, put)
        decided = Decided(state=more.state, entries=decided.entries + more.entries, held=decided.held)


def _reveal(game: Game, decision: Decision, choice: Sealed) -> ActionRevealed:
    opening, seat = choice.opening, decision.seat
    assert opening is not None
    links = None if choice.by_house else held_seat(game, seat).links
    nonce = None
    if links is not None and links.left:
        assert opening.link is not None, "a link is entrusted wherever one is needed"
        nonce = walk_back(opening.link, previous=links.last, steps_max=links.left - 1)
    return ActionRevealed(seat=seat, decision=decision.id, action=parse(opening.action), salt=opening.salt, nonce=nonce)


def hold(game: Game, held: Iterable[HeldAction]) -> Game:
    """Return the game with the server's custody; entries opened since are passed over."""
    for each in sorted(held, key=lambda action: action.version):
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
    assert isinstance(entrusted, Opening | FurtherLink), f"{type(entrusted).__name__} is no secret of a game"
    if isinstance(entrusted, Opening) and choice.version == held.version:
        return msgspec.structs.replace(choice, opening=entrusted)
    opening = choice.opening
    if opening is None or choice.version > held.version or opening.seat != entrusted.seat or entrusted.link is None:
        return choice
    further = msgspec.structs.replace(opening, link=entrusted.link)
    return msgspec.structs.replace(choice, opening=further)
