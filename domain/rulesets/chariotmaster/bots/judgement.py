"""How a driver weighs the offers of its view: ground won now against the road that follows, points against place."""

from msgspec import Struct

from domain.ruleset.bot import Numbers
from domain.rulesets.chariotmaster.bots.road import Road, build_road, driven, is_on_track, look, place_of
from domain.rulesets.chariotmaster.bots.sight import is_beside_axle, is_rival
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.offers import choices as offers
from domain.rulesets.chariotmaster.offers.chariot_view import ChariotView
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import AttackMeans, owner_of, team_piece
from domain.rulesets.chariotmaster.race.outcomes import SpeedChange
from domain.rulesets.chariotmaster.table.shapes import Pose

_UM_PER_MM = 1_000
_LEAST_UM, _NOSE_UM = 10_000, 20_000
# Further off the shortest way than this a driver first turns round, with the slowest token.
_ASTRAY_DEGREES = 70
# Less free way than this ahead is no place to stop at.
_CLEAR_UM = 50_000
# As much free way counts as a free straight.
_FREE_UM, _ALONG_DEGREES = 100_000, 20
# A rival so near beside the chariot is worth a sweep.
_NEAR_UM = 60_000
# No driver risks a skid for less than this.
_WORTH_A_TEST_UM = 20_000


class Temper(Struct, frozen=True, kw_only=True):
    """Costs are in millimetres of way.

    `test_faces`: for a test passed on fewer faces nothing is risked. `stamina_kept`: down to this it is spent on
    sweeps, attacks and defences, down to `spur_kept` on spurs and whips. `means`: attacks, the one a driver likes best
    first.
    """

    turn_cost_mm: int  # for each degree away from the shortest way
    blocked_share: int  # the cost of a millimetre that is not free ahead, in hundredths
    again_share: int  # the worth of a millimetre that could be driven in another sub-move, in hundredths
    sweep_cost_mm: int
    test_faces: int
    stamina_kept: int
    spur_kept: int
    means: tuple[AttackMeans, ...]
    defence_faces: int
    build: tuple[str, ...]


def choose(view: RaceView, choices: offers.Choices, numbers: Numbers, *, temper: Temper) -> actions.Action:
    """Answer a decision; `numbers` only choose among equally good answers."""
    match choices:
        case offers.BuildChoices():
            return max(choices.candidates, key=lambda build: len(set(build.equipment) & set(temper.build)))
        case offers.TokenChoices():
            return actions.PutToken(token=_token(view, choices, temper))
        case offers.LuckChoices():
            return actions.LeaveRoll()
        case offers.DefenceChoices():
            return _defend(view, choices, temper)
        case offers.MoveChoices():
            return _move(view, choices, numbers, temper)
        case offers.WalkChoices():
            return choices.candidates[0]
        case offers.CutLooseChoices():
            return actions.CutLoose() if view.chariots[choices.chariot].health.left <= 1 else actions.HangOn()
        case offers.ClimbChoices():
            return actions.Climb(aim=choices.aims[0])


def _token(view: RaceView, choices: offers.TokenChoices, temper: Temper) -> TokenName:
    """Take the token that leads furthest along the shortest way, driven straight and turned as far as it allows."""
    outlook = choices.outlook
    if outlook is None:
        return choices.tokens[0].token
    road, pose = build_road(view.course), _pose_of(view, choices.chariot)
    if abs(look(road, pose).turn_degrees) > _ASTRAY_DEGREES:
        return choices.tokens[0].token
    worths = {offer.token: _promise(road, pose, offer, outlook.free_um, temper) for offer in choices.tokens}
    return max(worths, key=lambda token: worths[token])


def _promise(road: Road, pose: Pose, offer: offers.TokenOffer, free_um: int, temper: Temper) -> float:
    """Weigh a token by the best of its sub-moves, and half of one more where that is likely to be passed."""
    best = -float(_UM_PER_MM**3)
    after_um = place_of(road, (pose.x_um, pose.y_um))
    for distance_um in range(max(offer.min_um, _LEAST_UM), offer.max_um + 1, _LEAST_UM):
        if distance_um > free_um:
            break
        there = _turned(road, pose, distance_um, offer.pivot_degrees)
        worth = _worth_of(road, there, temper, after_um=after_um)
        rest_um = offer.max_um - distance_um
        if temper.again_share and rest_um >= _WORTH_A_TEST_UM and is_on_track(road, there, ahead_um=rest_um + _NOSE_UM):
            further = _turned(road, there, rest_um, offer.pivot_degrees)
            worth += max(_worth_of(road, further, temper, after_um=after_um) - worth, 0) / 2
        best = max(best, worth)
    return best


def _turned(road: Road, pose: Pose, distance_um: int, pivot_degrees: int) -> Pose:
    there = driven(pose, distance_um=distance_um, turn_degrees=0)
    wanted = look(road, there).turn_degrees
    return driven(there, distance_um=0, turn_degrees=max(-pivot_degrees, min(pivot_degrees, wanted)))


def _defend(view: RaceView, choices: offers.DefenceChoices, temper: Temper) -> actions.Action:
    """Evade where that is free of charge or likely; otherwise let the attack come."""
    if view.chariots[choices.chariot].stamina.left <= temper.stamina_kept:
        return actions.Endure()
    if choices.evade is None or choices.evade.passing_faces >= temper.defence_faces:
        return actions.Defend(means="evade")
    return actions.Endure()


def _move(view: RaceView, choices: offers.MoveChoices, numbers: Numbers, temper: Temper) -> actions.Action:
    """Attack, go, go on, stop: the first that applies, in this order."""
    stamina = view.chariots[choices.chariot].stamina.left
    attack = _attack(view, choices, temper)
    if attack is not None:
        return attack
    boost = _boost(view, choices, temper)
    if boost is not None:
        return actions.ChangeSpeed(change=boost)
    closing = _close_in(view, choices, temper)
    if closing is not None:
        return closing
    way = _best_way(view, choices, numbers, temper)
    if way is not None:
        return way
    if choices.test is not None and _dares(choices, choices.test, temper):
        return actions.AnnounceSubMove()
    return _last_resort(choices, stamina)


def _attack(view: RaceView, choices: offers.MoveChoices, temper: Temper) -> actions.Action | None:
    """Attack a rival by the means the driver likes best, if it is worth its price."""
    mine = view.chariots[choices.chariot]
    chances = [
        offer
        for offer in choices.attacks
        if offer.means in temper.means
        and is_rival(view, choices.chariot, owner_of(offer.target))
        and (not offer.stamina or mine.stamina.left > temper.stamina_kept + offer.stamina)
        and _is_strong_enough(mine, offer)
    ]
    if not chances:
        return None
    best = min(chances, key=lambda offer: (temper.means.index(offer.means), offer.stamina))
    return actions.Attack(target=best.target, part=best.part, means=best.means)


def _close_in(view: RaceView, choices: offers.MoveChoices, temper: Temper) -> actions.Action | None:
    """Sweep up against a rival that is near beside, to attack it from there; the rest of the way comes afterwards."""
    mine, turn = view.chariots[choices.chariot], view.turn
    is_late = view.game_turn > 1 and turn is not None and not turn.attacked
    if not is_late or not temper.means or mine.stamina.left <= temper.stamina_kept:
        return None
    for way in choices.ways:
        is_near = way.way != "ahead" and way.contact_um is not None and way.contact_um <= _NEAR_UM
        if is_near and way.may_touch and any(is_beside_axle(view, choices.chariot, met) for met in way.contacts):
            return actions.MakeSubMove(way=way.way, distance_mm=None, pivot=None)
    return None


def _is_strong_enough(mine: ChariotView, offer: offers.AttackOffer) -> bool:
    """Refuse to ram with a body that is about to break."""
    return offer.means != "ram" or mine.structure.left > 1


def _boost(view: RaceView, choices: offers.MoveChoices, temper: Temper) -> SpeedChange | None:
    """Spur and whip on a free straight, before the first sub-move, while there is stamina to spare."""
    turn, stamina = view.turn, view.chariots[choices.chariot].stamina.left
    if turn is None or turn.sub_moves or stamina <= temper.spur_kept:
        return None
    ends = [candidate.end for candidate in choices.candidates if candidate.end is not None]
    furthest = max((end.gain_um for end in ends if _is_free_ahead(view, end)), default=0)
    boosts: tuple[SpeedChange, ...] = ("spur", "whip")
    return next((boost for boost in boosts if boost in choices.speeds and furthest >= turn.max_um * 9 // 10), None)


def _is_free_ahead(view: RaceView, end: offers.End) -> bool:
    """Return whether from there as much way again is free, and the shortest way leads there."""
    return end.free_um >= _FREE_UM and abs(look(build_road(view.course), end.pose).turn_degrees) <= _ALONG_DEGREES


def _best_way(view: RaceView, choices: offers.MoveChoices, numbers: Numbers, temper: Temper) -> actions.Action | None:
    """Choose the sub-move or the U-turn that is worth most, if any is worth more than to stay."""
    road, pose = build_road(view.course), _pose_of(view, choices.chariot)
    after_um = place_of(road, (pose.x_um, pose.y_um))
    stamina = view.chariots[choices.chariot].stamina.left
    worths = [
        (round(_worth(road, choices, candidate.end, candidate.action, temper, after_um)), candidate.action)
        for candidate in choices.candidates
        if candidate.end is not None
    ]
    least = _worth_of(road, pose, temper, after_um=after_um) if choices.may_stop else None
    if least is not None and view.turn is not None and not view.turn.travelled_um:
        # To stand where it stood is worth no more than a place without any way ahead.
        least -= _CLEAR_UM * temper.blocked_share // 100
    thrifty = [worth for worth in worths if not _is_sweep(worth[1])]
    # A driver who spares the horses sweeps where nothing else leads on.
    for offered in (worths if stamina > temper.stamina_kept else thrifty, worths if stamina else thrifty):
        best = max((worth for worth, _ in offered), default=None)
        if best is not None and (least is None or best > least):
            return numbers.choice([action for worth, action in offered if worth == best])
    return None


def _worth(
    road: Road, choices: offers.MoveChoices, end: offers.End, action: actions.Action, temper: Temper, after_um: int
) -> float:
    """Weigh a way, in micrometres: the rest of the way from its end, its free way ahead, and the rest of the move."""
    worth = _worth_of(road, end.pose, temper, after_um=after_um)
    worth -= max(_CLEAR_UM - end.free_um, 0) * temper.blocked_share // 100
    if isinstance(action, actions.MakeSubMove) and action.distance_mm is not None:
        left_um = choices.left_um - action.distance_mm * _UM_PER_MM
        if left_um >= _WORTH_A_TEST_UM:
            worth += min(left_um, end.free_um) * temper.again_share // 100
    return worth - temper.sweep_cost_mm * _UM_PER_MM * _is_sweep(action)


def _worth_of(road: Road, pose: Pose, temper: Temper, *, after_um: int) -> float:
    sight = look(road, pose, after_um=after_um)
    return -sight.to_go_um - abs(sight.turn_degrees) * temper.turn_cost_mm * _UM_PER_MM


def _pose_of(view: RaceView, chariot: int) -> Pose:
    return next(piece.pose for piece in view.pieces if piece.piece == team_piece(chariot))


def _is_sweep(action: actions.Action) -> bool:
    return isinstance(action, actions.MakeSubMove) and action.way != "ahead"


def _dares(choices: offers.MoveChoices, test: offers.Odds, temper: Temper) -> bool:
    """Take the test if the rest is worth it and a failure hurts no chariot, or is unlikely."""
    if not choices.may_stop:
        return choices.skid is None or not choices.skid.contacts
    is_worth_it = choices.left_um >= _WORTH_A_TEST_UM and test.passing_faces >= temper.test_faces
    return is_worth_it and choices.skid is not None and not choices.skid.contacts


def _last_resort(choices: offers.MoveChoices, stamina: int) -> actions.Action:
    """Stop if the rules let the driver; brake while that costs no more than stamina; then hope."""
    if choices.may_stop:
        return actions.Stop()
    is_skid_safe = choices.skid is not None and not choices.skid.contacts
    if choices.may_go_on and (is_skid_safe or not stamina):
        return actions.GoOn()
    if "brake" in choices.speeds and (stamina or choices.test is None):
        return actions.ChangeSpeed(change="brake")
    return actions.AnnounceSubMove() if choices.test is not None else choices.candidates[0].action
