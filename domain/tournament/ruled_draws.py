"""Rulings on draws: wishes about who meets, a draw that waits to be looked at, and seats by hand."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.kind import Growth
from domain.log.rejections import UnfitEvent
from domain.tournament import rejections
from domain.tournament.contender import WISHED_PAIRS_MAX, Entrant, Wish
from domain.tournament.draw_events import DrawnSeat, SeatedByHand
from domain.tournament.entering import require_entrant
from domain.tournament.events import ByeGiven
from domain.tournament.excuses import is_excused
from domain.tournament.fields import ATTEMPTS_MAX
from domain.tournament.folding import with_round
from domain.tournament.formats import is_for_all
from domain.tournament.redrawing import draw_again, give_walkover
from domain.tournament.ruling_events import (
    DrawHeld,
    DrawReleased,
    PairingWished,
    SeatedTable,
    TablesSeated,
)
from domain.tournament.scores import count_byes, count_lateness
from domain.tournament.settling import require_attempt
from domain.tournament.state import Awaited, Counted, Round, Tournament, find_round, is_held, list_present


def admit_wish(tournament: Tournament, wished: PairingWished) -> None:
    """Check that a group is named once, and that the wish changes something."""
    group = list(wished.entrants)
    for entrant in group:
        require_entrant(tournament, entrant)
    if group != sorted(set(group)):
        raise UnfitEvent(expected="entrants, ascending, none twice", found=str(group))
    now = next((wish.kind for wish in tournament.wishes if wish.entrants == wished.entrants), "none")
    if now == wished.wish:
        raise UnfitEvent(expected=f"another wish for this group than {now}", found=wished.wish)
    pairs = sum(_count_pairs(wish.entrants) for wish in tournament.wishes if wish.entrants != wished.entrants)
    if pairs + _count_pairs(wished.entrants) > WISHED_PAIRS_MAX:
        expected = f"wishes about at most {WISHED_PAIRS_MAX} pairs, as each draw weighs all of them"
        raise rejections.RulingsExhausted(expected=expected, found=f"{pairs + _count_pairs(wished.entrants)}")


def _count_pairs(group: tuple[Entrant, ...]) -> int:
    return len(group) * (len(group) - 1) // 2


def keep_wish(tournament: Tournament, wished: PairingWished, line: StreamVersion) -> Tournament:
    """Keep the wish in place of an earlier one for the same group."""
    others = tuple(wish for wish in tournament.wishes if wish.entrants != wished.entrants)
    wish = Wish(entrants=wished.entrants, kind=wished.wish, line=line)
    return replace(tournament, wishes=others if wished.wish == "none" else (*others, wish))


def admit_hold(tournament: Tournament, held: DrawHeld) -> None:
    """Check that the round is the next to be drawn, and not held yet."""
    round_ = find_round(tournament)
    coming = len(tournament.rounds) if round_ is not None and not round_.is_drawn else len(tournament.rounds) + 1
    if held.round != coming:
        raise rejections.NotNextRound(expected=f"round {coming}, the next to be drawn", found=f"round {held.round}")
    going_on = find_round(tournament)
    if going_on is not None and is_held(tournament, going_on):
        expected = "a draw that is released before another is held"
        raise rejections.RoundGoesOn(expected=expected, found=f"round {going_on.number}, held")
    if tournament.held_round == held.round:
        raise UnfitEvent(expected="a draw that is not held yet", found=f"round {held.round}")


def hold(tournament: Tournament, held: DrawHeld, _line: StreamVersion) -> Tournament:
    return replace(tournament, held_round=held.round)


def admit_release(tournament: Tournament, released: DrawReleased) -> None:
    """Check that just this round is held."""
    if tournament.held_round != released.round:
        found = f"round {released.round}, which is not"
        raise rejections.NotNextRound(expected="a round whose draw is held", found=found)


def release(tournament: Tournament, released: DrawReleased, _line: StreamVersion) -> Tournament:
    """Release the tables of the round: from now on their entrants have the time to sit down."""
    tournament = replace(tournament, held_round=0)
    if released.round > len(tournament.rounds):
        return tournament
    round_ = tournament.rounds[released.round - 1]
    return with_round(tournament, replace(round_, released_ms=tournament.at_ms))


def admit_seating(tournament: Tournament, seated: TablesSeated) -> None:
    """Check that the round is being played, that no result of these tables is known, and that they can be played."""
    round_ = find_round(tournament)
    if round_ is None or round_.number != seated.round or not round_.is_drawn:
        raise rejections.RoundPast(expected="a round that was drawn and goes on", found=f"round {seated.round}")
    numbers = [named.table for named in seated.tables]
    if numbers != sorted(set(numbers)):
        raise UnfitEvent(expected="tables, ascending, none twice", found=", ".join(map(str, numbers)))
    for named in seated.tables:
        _check_table(tournament, seated.round, named)
    _check_seated(tournament, round_, seated)
    if not any(_list_changed(round_, seated)):
        raise UnfitEvent(expected="seats that differ from those of the draw", found="the same")


def clear_byes(tournament: Tournament, seated: TablesSeated, _line: StreamVersion) -> Tournament:
    """Take the byes of those who sit now."""
    round_ = tournament.rounds[seated.round - 1]
    here = {entrant for named in seated.tables for entrant in named.entrants}
    byes = tuple(bye for bye in round_.byes if bye.entrant not in here)
    return with_round(tournament, replace(round_, byes=byes))


def follow_seating(growth: Growth[Tournament], seated: TablesSeated) -> None:
    """Draw each table that changes again; who sat at one of them and sits nowhere now is given a bye."""
    tournament = growth.state
    round_ = tournament.rounds[seated.round - 1]
    why = SeatedByHand(line=tournament.version)
    lateness = count_lateness(tournament, before=seated.round)
    for named in _list_changed(round_, seated):
        if named.entrants:
            seats = [_build_seat(round_, entrant, lateness[entrant]) for entrant in named.entrants]
            draw_again(growth, seated.round, named.table, seats, why)
        else:
            give_walkover(growth, seated.round, round_.tables[named.table - 1], absent=(), entrants=())
    here = {entrant for named in seated.tables for entrant in named.entrants}
    sat = {entrant for named in seated.tables for entrant in list_present(round_.tables[named.table - 1])}
    byes = count_byes(tournament)
    for entrant in sorted(sat - here):
        if tournament.entries[entrant].left is None:
            growth.add(
                ByeGiven(
                    round=seated.round,
                    entrant=entrant,
                    points=tournament.opened.bye_points,
                    byes=byes[entrant],
                    score=_find_points(round_, entrant),
                    lot=round_.lots.get(entrant, 0),
                )
            )


def _check_table(tournament: Tournament, round_: int, named: SeatedTable) -> None:
    table = require_attempt(tournament, round_, named.table, named.attempt)
    if isinstance(table.status, Counted):
        raise rejections.TableSettled(expected="a table without a result", found=f"table {named.table}, which counts")
    if table.attempt >= ATTEMPTS_MAX:
        raise rejections.AttemptOver(
            expected=f"a table drawn fewer than {ATTEMPTS_MAX} times", found=f"{table.attempt}"
        )
    sizes, count = tournament.opened.tables, len(named.entrants)
    if count and not sizes.min <= count <= sizes.max:
        expected = f"no entrant, or {sizes.min} to {sizes.max}"
        raise UnfitEvent(expected=expected, found=f"{count} at table {named.table}")


def _check_seated(tournament: Tournament, round_: Round, seated: TablesSeated) -> None:
    """Check that each entrant is still there and sits at one table of the round."""
    named = {table.table for table in seated.tables}
    elsewhere = {entrant for table in round_.tables if table.number not in named for entrant in list_present(table)}
    is_all_in = is_for_all(tournament.opened.format, seated.round)
    for entrant in (entrant for table in seated.tables for entrant in table.entrants):
        if require_entrant(tournament, entrant).left is not None:
            raise rejections.EntrantLeft(expected="an entrant who has not left", found=f"entrant {entrant}")
        if not (is_all_in or entrant in round_.expected):
            expected = "entrants who play this round: not all go on to it"
            raise UnfitEvent(expected=expected, found=f"entrant {entrant}")
        if is_excused(tournament, entrant, seated.round):
            raise UnfitEvent(expected="entrants who do not sit out the round", found=f"entrant {entrant}")
        if entrant in elsewhere:
            raise UnfitEvent(expected="entrants who sit at one table of the round", found=f"entrant {entrant} at two")
        elsewhere.add(entrant)


def _list_changed(round_: Round, seated: TablesSeated) -> Iterator[SeatedTable]:
    for named in seated.tables:
        table = round_.tables[named.table - 1]
        if table.entrants != named.entrants or not isinstance(table.status, Awaited):
            yield named


def _build_seat(round_: Round, entrant: Entrant, lateness: int) -> DrawnSeat:
    """Build a seat; who came after the draw has no lot, and the points of the call, none before the entry."""
    return DrawnSeat(
        entrant=entrant,
        points=_find_points(round_, entrant),
        lot=round_.lots.get(entrant, 0),
        lateness=lateness,
    )


def _find_points(round_: Round, entrant: Entrant) -> int:
    return round_.points[entrant] if entrant < len(round_.points) else 0
