"""CM-102: rolling dice for chariots, and the luck that may change them: offered after the roll to seats with some left.

A modified die is its new face for everything. A seat that passes is asked again only if the other side modified a die.
"""

from collections.abc import Sequence

from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.race.actions import LuckAction, ModifyRoll
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.race.outcomes import RollLeft, RollModified, RollOffered
from domain.rulesets.chariotmaster.table.travel import Contact

DIE_SIDES = 6

Faces = tuple[int, ...]


class NoSuchDie(IllegalAction):
    """The roll on offer has no die at that place."""

    code = "no-such-die"


def roll_for(cascade: Cascade, name: str, chariot: int | None, *, dice: int = 1) -> Faces:
    """Roll dice for a chariot (or for none: walls and wrecks) and let luck change them."""
    return roll_together(cascade, name, ((chariot, dice),))[0]


def roll_together(cascade: Cascade, name: str, rolls: Sequence[tuple[int | None, int]]) -> tuple[Faces, ...]:
    """CM-102: roll for several chariots at once; when all dice lie, luck changes them, the active chariot's first.

    Dice rolled for one chariot in two places are one roll to its owner.
    """
    faces = [cascade.script.roll(name, dice=dice, sides=DIE_SIDES) if dice else () for _, dice in rolls]
    owners = [chariot for chariot, _ in rolls]
    parties = sorted(
        {chariot for chariot in owners if chariot is not None}, key=lambda chariot: _order(cascade, chariot)
    )
    pools = {party: _pool(owners, faces, party) for party in parties}
    _let_luck_change(cascade, parties, pools)
    changed = dict(pools)
    result = []
    for owner, rolled in zip(owners, faces, strict=True):
        if owner is None:
            result.append(rolled)
            continue
        result.append(changed[owner][: len(rolled)])
        changed[owner] = changed[owner][len(rolled) :]
    return tuple(result)


def choose_contact(cascade: Cascade, contacts: Sequence[Contact]) -> Contact:
    """CM-41: of parts met at the same micrometre a die takes one; the stretches of a wall are one wall."""
    distinct: dict[tuple[int, int, int], Contact] = {}
    for contact in contacts:
        piece, place = contact.obstacle
        distinct.setdefault((contact.part, piece, -1 if piece < 0 else place), contact)
    met = list(distinct.values())
    if len(met) == 1:
        return met[0]
    (face,) = cascade.script.roll("contact", dice=1, sides=len(met))
    return met[face - 1]


def check_luck(board: Board, action: LuckAction) -> None:
    """CM-102: raise NoSuchDie unless the action fits the roll on offer."""
    assert board.offered is not None, "no roll is on offer"
    count = len(board.offered.faces)
    if isinstance(action, ModifyRoll) and action.die >= count:
        raise NoSuchDie(expected=f"a die from 0 to {count - 1}", found=str(action.die))


def _let_luck_change(cascade: Cascade, parties: list[int], pools: dict[int, Faces]) -> None:
    """CM-135: alternate until all who have luck left pass in a row."""
    passed: set[int] = set()
    turn = 0
    while True:
        willing = [party for party in parties if pools[party] and cascade.board.chariots[party].modifies]
        if not willing or passed.issuperset(willing):
            return
        party = willing[turn % len(willing)]
        turn += 1
        if _ask(cascade, party, pools):
            passed = set()
        else:
            passed.add(party)


def _ask(cascade: Cascade, party: int, pools: dict[int, Faces]) -> bool:
    """Offer a roll to its owner; state whether it was changed."""
    question = cascade.next_question("luck")
    cascade.script.emit(RollOffered(chariot=party, faces=pools[party], decision=question))
    seat = cascade.board.chariots[party].seat
    action = cascade.script.ask(Decision(id=question, seat=seat, kind="plain"))
    if not isinstance(action, ModifyRoll):
        cascade.script.emit(RollLeft(chariot=party))
        return False
    faces = list(pools[party])
    faces[action.die] = min(max(faces[action.die] + action.change, 1), DIE_SIDES)
    cascade.script.emit(RollModified(chariot=party, die=action.die, face=faces[action.die]))
    pools[party] = tuple(faces)
    return True


def _pool(owners: Sequence[int | None], faces: Sequence[Faces], party: int) -> Faces:
    return tuple(face for owner, rolled in zip(owners, faces, strict=True) if owner == party for face in rolled)


def _order(cascade: Cascade, chariot: int) -> tuple[bool, int]:
    return chariot != cascade.board.active, chariot
