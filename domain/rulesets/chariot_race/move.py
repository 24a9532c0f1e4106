"""Phase 5, the move: the sum of the speed changes, the path, and the outcomes along it (CR-27 to CR-33)."""

from collections import Counter
from itertools import pairwise

from domain.rulesets.chariot_race.actions import Action, Move
from domain.rulesets.chariot_race.board import (
    Board,
    Chariot,
    chariot_of,
    current_chariot,
    current_turn,
    front_of,
    space_of,
)
from domain.rulesets.chariot_race.choices import Incident, MoveChoices, MoveOffer, SpeedOffer
from domain.rulesets.chariot_race.movement import Place, Toll, Walk, enter, rest, steps_from, survey
from domain.rulesets.chariot_race.movement_outcomes import tell_laps, tell_walk
from domain.rulesets.chariot_race.outcomes import MoveEnded, SpeedSet
from domain.rulesets.chariot_race.paths import find_paths
from domain.rulesets.chariot_race.rejections import IllegalPath, TooManyMinuses
from domain.rulesets.chariot_race.track import LANE_LETTERS
from domain.rulesets.chariot_race.wreck import RaceScript, wreck

# CR-65: an absent seat drives at the speed nearest to this one.
DEFAULT_SPEED = 6


def choices(board: Board) -> MoveChoices:
    chariot = current_chariot(board)
    faces = Counter(current_turn(board).dice)
    start, toll = Place(chariot.lane, chariot.step), _sprint(board, chariot, faces["sprint"])
    speeds: dict[int, list[int]] = {}
    for minuses in range(faces["plus_minus"] + 1):
        speeds.setdefault(speed_with(board, minuses), []).append(minuses)
    offers = (
        SpeedOffer(
            minuses=tuple(minuses),
            speed=speed,
            moves=find_paths(survey(board, chariot, speed), start, toll, steers=faces["steer"]),
        )
        for speed, minuses in speeds.items()
    )
    return MoveChoices(speeds=tuple(offers))


def sole_answer(board: Board) -> Action | None:
    """Find the only move there is, without looking for paths: no choice of speed, and none of a path."""
    faces = Counter(current_turn(board).dice)
    chariot = current_chariot(board)
    fastest, slowest = speed_with(board, 0), speed_with(board, faces["plus_minus"])
    is_wrecked = not _sprint(board, chariot, faces["sprint"]).damage_left
    if fastest != slowest or (faces["steer"] and fastest and not is_wrecked):
        return None
    [offer] = choices(board).speeds[0].moves
    return Move(minuses=0, path=offer.path)


def check(board: Board, action: Move) -> None:
    most = current_turn(board).dice.count("plus_minus")
    if action.minuses > most:
        raise TooManyMinuses(expected=f"at most {most} minuses, one for each ± die", found=str(action.minuses))
    walk(board, action)


def offer(board: Board, action: Move) -> MoveOffer:
    """Foresee one legal move."""
    chariot = current_chariot(board)
    walked = walk(board, action)
    track, stands = board.track, walked.stands
    return MoveOffer(
        action.path,
        track.names[track.space(lane=stands.lane, step=stands.step)],
        track.front(lane=stands.lane, step=stands.step),
        chariot.damage_left - walked.toll.damage_left,
        walked.toll.damage_left,
        walked.toll.incidents,
    )


def walk(board: Board, action: Move) -> Walk:
    """Follow a path to its end, or raise IllegalPath at the first letter that leads nowhere."""
    chariot = current_chariot(board)
    dice = current_turn(board).dice
    speed = speed_with(board, action.minuses)
    ground = survey(board, chariot, speed)
    toll = _sprint(board, chariot, dice.count("sprint"))
    place, steers = Place(chariot.lane, chariot.step), dice.count("steer")
    places: list[Place] = []
    for letter in action.path:
        reached = dict(steps_from(board.track, place, steers))
        if letter not in reached or not toll.damage_left or len(places) == speed:
            raise IllegalPath(
                expected=_expected(reached, toll=toll, steps_left=speed - len(places)),
                found=f'{letter} after "{action.path[: len(places)]}"',
            )
        steers -= reached[letter].lane != place.lane
        place = reached[letter]
        places.append(place)
        toll = enter(ground, toll, board.track.space(lane=place.lane, step=place.step), at=len(places))
    if len(places) < speed and toll.damage_left:
        raise IllegalPath(expected=f"a path of {speed} spaces", found=f"one of {len(places)}")
    stands, toll = rest(ground, toll, place, at=len(places))
    return Walk(places=tuple(places), toll=toll, stands=stands)


def play(script: RaceScript, action: Move) -> None:
    walked = walk(script.board, action)
    chariot = current_chariot(script.board)
    laps_before = script.board.track.laps(front_of(script.board, chariot))
    _tell_speed(script, action)
    tell_walk(script, chariot.colour, walked)
    moved = chariot_of(script.board, chariot.colour)
    if moved.status == "racing":
        tell_laps(script, moved, laps_before)
        space = script.board.track.names[space_of(script.board, moved)]
        attacks = current_turn(script.board).dice.count("attack")
        script.emit(MoveEnded(chariot=chariot.colour, space=space, attacks=attacks))


def default(board: Board) -> Action:
    """CR-65: least damage, fewest rams, speed nearest 6, furthest, fewest lane changes, inner lane."""
    lane = LANE_LETTERS[current_chariot(board).lane]
    ranked = [
        (_default_rank(offered.speed, move), offered.minuses[0], move.path)
        for offered in choices(board).speeds
        for move in offered.moves
    ]
    best = min(rank for rank, _, _ in ranked)
    # The lanes decide only among the few that are equal in everything else.
    level = ((_lane_rank(lane + path), minuses, path) for rank, minuses, path in ranked if rank == best)
    _, minuses, path = min(level)
    return Move(minuses=minuses, path=path)


def _default_rank(speed: int, move: MoveOffer) -> tuple[int, ...]:
    # A wreck costs all the damage that is left, and so more than any other move.
    rams = sum(incident.kind == "ram" for incident in move.incidents) if move.incidents else 0
    return (move.damage, rams, abs(speed - DEFAULT_SPEED), -speed, -move.front)


def _lane_rank(lanes: str) -> tuple[int, int, str]:
    """Rank the lanes of a path from the one it starts in; then by the alphabet."""
    changes = sum(before != after for before, after in pairwise(lanes))
    return (changes, LANE_LETTERS.index(lanes[-1]), lanes)


def _expected(reached: dict[str, Place], *, toll: Toll, steps_left: int) -> str:
    if not toll.damage_left:
        return "the path to end where the chariot is wrecked"
    return f"one of {', '.join(reached)}" if steps_left else "the path to end with the speed"


def speed_with(board: Board, minuses: int) -> int:
    """Sum all changes first; the track's ends are the limits (CR-27)."""
    chariot = current_chariot(board)
    dice = current_turn(board).dice
    pluses = dice.count("plus_minus") - minuses
    speed = chariot.speed + pluses - minuses + board.components.numbers.sprint_speed * dice.count("sprint")
    return min(max(speed, 0), chariot.table.speed_max)


def _sprint(board: Board, chariot: Chariot, sprints: int) -> Toll:
    if not sprints:
        return Toll(chariot.damage_left, ())
    damage = min(chariot.damage_left, sprints * board.components.numbers.sprint_damage)
    left = chariot.damage_left - damage
    return Toll(left, (Incident("sprint", 0, board.track.names[space_of(board, chariot)], damage, left),))


def _tell_speed(script: RaceScript, action: Move) -> None:
    chariot = current_chariot(script.board)
    dice = current_turn(script.board).dice
    sprint = _sprint(script.board, chariot, dice.count("sprint"))
    script.emit(
        SpeedSet(
            chariot=chariot.colour,
            speed_before=chariot.speed,
            pluses=dice.count("plus_minus") - action.minuses,
            minuses=action.minuses,
            sprints=dice.count("sprint"),
            speed=speed_with(script.board, action.minuses),
            damage=chariot.damage_left - sprint.damage_left,
            damage_left=sprint.damage_left,
        )
    )
    if not sprint.damage_left:
        wreck(script, chariot.colour, "sprint", script.board.track.names[space_of(script.board, chariot)])
