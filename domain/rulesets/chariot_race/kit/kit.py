"""The kit of Chariot Race."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.bot import Numbers
from domain.ruleset.figures import Figures
from domain.ruleset.kit import Kit, Marker
from domain.rulesets.chariot_race.answers import list_answers
from domain.rulesets.chariot_race.board import Board, Chariot, front_of, racing, space_of
from domain.rulesets.chariot_race.bots.roster import BOTS
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.movement import Place, Toll, survey
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import ChariotWrecked
from domain.rulesets.chariot_race.paths import find_paths
from domain.rulesets.chariot_race.ranking import rank
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset, build_ruleset

# Some 150 paths of 12 spaces.
SPEED = 12
STEERS = 2
# Half of the supply.
CALTROPS = 10
SEATS = tuple(Seat(seat) for seat in range(6))


def search_paths(rules: ChariotRaceRuleset, numbers: Numbers) -> Callable[[], object]:
    board = crowd(rules, numbers)
    chariot = board.chariots[0]

    def search() -> object:
        ground = survey(board, chariot, SPEED)
        return find_paths(ground, Place(chariot.lane, chariot.step), Toll(chariot.damage_left, ()), steers=STEERS)

    return search


def crowd(rules: ChariotRaceRuleset, numbers: Numbers) -> Board:
    """Put six chariots and many caltrops anywhere on side A."""
    board = rules.initial_board(SEATS, RaceOptions())
    spaces = numbers.sample(range(len(board.track.names)), len(board.chariots) + CALTROPS)
    chariots = tuple(
        replace(
            chariot,
            status="racing",
            lane=board.track.lane(space),
            step=space - board.track.bases[board.track.lane(space)],
        )
        for chariot, space in zip(board.chariots, spaces, strict=False)
    )
    return replace(board, chariots=chariots, caltrops=tuple(sorted(spaces[len(chariots) :])))


def measure(board: Board, written: Sequence[Struct]) -> Figures:
    causes = tuple(event.cause for event in written if isinstance(event, ChariotWrecked))
    return {
        "rounds": board.round,
        "wrecks": len(causes),
        "ended by": (board.ended or "",),
        "wrecked by": causes,
        "won with": _won_with(board),
    }


def _won_with(board: Board) -> tuple[Colour, ...]:
    """List the chariots that took first place; of two of one seat the one further ahead."""
    best = {
        chariot.seat: chariot.colour for chariot in sorted(racing(board), key=lambda chariot: front_of(board, chariot))
    }
    return tuple(best[placing.seat] for placing in rank(board) if placing.place == 1 and placing.seat in best)


def find_unsound(_rules: ChariotRaceRuleset, board: Board) -> tuple[str, ...]:
    """List the faults of a board between two decisions; a sound board has none."""
    found = [
        f"{chariot.colour} is off its tracks: {chariot}" for chariot in board.chariots if not _is_within_tracks(chariot)
    ]
    standing = [space_of(board, chariot) for chariot in racing(board)]
    if len(set(standing)) < len(standing):
        found.append(f"two chariots at rest on one space: {sorted(standing)}")
    if any(board.track.heaps[space] for space in standing):
        found.append("a chariot at rest on a stone heap")
    if len(set(board.caltrops)) < len(board.caltrops) or board.caltrops_left < 0:
        found.append(f"caltrops that are not there: {board.caltrops}")
    return tuple(found)


def _is_within_tracks(chariot: Chariot) -> bool:
    table = chariot.table
    return (
        0 <= chariot.damage_left <= table.damage_max
        and 0 <= chariot.speed <= table.speed_max
        and 0 <= chariot.fate <= table.fate_max
        and (chariot.damage_left == 0) == (chariot.status == "wrecked")
    )


KIT = Kit(
    ruleset=ChariotRaceRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="round_began", field="round"),
    lap=Marker(event="lap_completed", field="laps"),
    bots=BOTS,
    favourites=("careful", "fast"),
    # A turn is some four answers of one driver.
    think_ms=4_000,
    measure=measure,
    find_unsound=find_unsound,
    list_answers=list_answers,
    offers_all_answers=True,
    workloads={"paths at speed 12 with two steers": search_paths},
)
