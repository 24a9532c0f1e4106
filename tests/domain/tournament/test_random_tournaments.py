"""Random tournaments: under any play no entrant sits twice, and standings follow from the log alone."""

import io
import zipfile
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any, get_args

import msgspec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from domain.log.replay import replay
from domain.rejection import Rejection
from domain.tournament.door import Door
from domain.tournament.events import find_ruling
from domain.tournament.formats import Format, HeatsAndFinal, Knockout, RoundRobin, ScoreRounds, fits_sizes
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.scores import build_book, count_byes, count_meetings, is_complete, list_standings
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import Standing
from domain.tournament.state import Awaited, Round, Table, Tournament, list_present
from domain.tournament.team_events import Seating, TeamChosen, TeamTerms
from domain.tournament.teams import hash_code
from tests.domain.log.redeciding import redecide
from tests.domain.tournament.hands import Hands
from tests.domain.tournament.tournament_harness import CATALOGUE, HOUR, ORGANISER, SECRET, Club
from tests.recount import Recount
from tests.recount_teams import recount_teams

FORMATS = st.one_of(
    st.builds(ScoreRounds, rounds=st.integers(1, 4)),
    st.builds(RoundRobin, rounds=st.integers(1, 4)),
    st.builds(HeatsAndFinal, heats=st.integers(1, 3), finalists=st.integers(2, 4)),
    st.builds(Knockout, survivors=st.integers(1, 2)),
)
WAITING = Door(codes=(), is_shared=False, has_approval=False, has_waiting_list=True)
# Of rounds in which an organiser has a hand.
HANDS_SHARE = 1 / 3
TIE_BREAKS = ("wins", "opponents", "last_round", "head_to_head", "lot")
SIZES = st.sampled_from(
    [
        TableSizes(min=2, max=4, preferred=3),
        TableSizes(min=3, max=4, preferred=4),
        TableSizes(min=3, max=3, preferred=3),
        TableSizes(min=2, max=3, preferred=2),
        TableSizes(min=2, max=4, preferred=4),
    ]
)
PAIRS = TableSizes(min=2, max=2, preferred=2)
Terms = tuple[Format, TableSizes]
TERMS = st.tuples(FORMATS, st.one_of(SIZES, st.just(PAIRS))).filter(lambda terms: fits_sizes(*terms))
# A whole tournament costs some hundred times an example of other properties; `make simulate` takes a longer profile.
EXAMPLES = settings(
    max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def choose_teams(seed: int) -> TeamTerms:
    """Choose teams of two or three, and how their mates sit, in turn."""
    seatings: tuple[Seating, ...] = get_args(Seating)
    return TeamTerms(members_max=3, counting=1 + seed % 3, seating=seatings[seed // 2 % len(seatings)])


class Chaos:
    """Plays a tournament by chance: late entries, withdrawals, absences, no-shows, aborted games and rulings."""

    def __init__(self, kind: Format, sizes: TableSizes, *, count: int, seed: int) -> None:
        self.chance = Random(seed)  # noqa: S311  a test that can be repeated
        # In a third of all there is a waiting list behind fewer places.
        waiting = {"door": WAITING, "entries_max": max(sizes.min, count * 3 // 4)} if seed % 3 == 0 else {}
        teams = {"teams": choose_teams(seed)} if seed % 2 else {}
        self.club = Club(format=kind, tables=sizes, tie_breaks=TIE_BREAKS, delay_s=60, **waiting, **teams)
        for number in range(count):
            self._enter(number)
        self.hands = Hands(self.club, self.chance)
        self.unlike: list[str] = []

    def run(self) -> None:
        while not is_complete(self.club.tournament):
            has_hands = self.chance.random() < HANDS_SHARE
            if has_hands:
                self.hands.before()
            try:
                self.club.call()
            except Rejection:
                # Too few are left for a table.
                self.club.close("nobody is left")
                return
            self._check_in()
            if has_hands:
                self.hands.after()
            self._play()
        self._rule()
        # A ruling may have decided who goes on once more.
        self.club.close(None if is_complete(self.club.tournament) else "enough is enough")

    def _check_in(self) -> None:
        for entrant in self.club.round.expected:
            if self.club.round.is_drawn:
                return
            choice = self.chance.random()
            if choice < 0.9:
                self.club.check_in(entrant)
            elif choice < 0.93:
                self.club.withdraw(entrant)
            if self.chance.random() < 0.03:
                self._try_to_enter()
        if not self.club.round.is_drawn:
            self.club.now += HOUR + 1
            self.club.close_check_in()

    def _play(self) -> None:
        for _ in range(1_000):
            waiting = [table for table in self.club.round.tables if isinstance(table.status, Awaited)]
            if not waiting:
                break
            table = self.chance.choice(waiting)
            choice = self.chance.random()
            if choice < 0.8:
                self.club.take(table.number, *self._places(len(table.seats)))
            elif choice < 0.9:
                absent = self.chance.choice(table.entrants)
                self.club.tell_no_show(table.number, absent, actor=ORGANISER, reason="not there")
            elif choice < 0.95:
                self.club.take(table.number)
                self.club.replace(table.number, *self._places(len(table.seats)))
            else:
                self._rule()
        for table in self.club.round.tables:
            if not self.club.round.is_closed and not isinstance(table.status, Awaited):
                self.club.void(table.number)

    def _rule(self) -> None:
        """Rule something, and note where it changed another thing than it should."""
        club, before = self.club, list_standings(self.club.tournament)
        drawn = [round_ for round_ in club.tournament.rounds if round_.is_drawn and round_.tables]
        if not drawn:
            return
        round_ = self.chance.choice(drawn)
        table = self.chance.choice(round_.tables)
        touched: set[int] = set(table.entrants)
        # Where people were seated elsewhere by hand, their former table is ruled on no more.
        match 9 if self._is_moved(round_, table) else self.chance.randrange(6):
            case 0:
                places = self._places(len(table.seats))
                club.replace(table.number, *places, round_=round_.number)
            case 1:
                club.void(table.number, round_=round_.number)
            case 2:
                entrant = self.chance.choice(table.entrants)
                touched = {entrant}
                club.rule(entrant, self.chance.choice((-20, 15)), round_=round_.number)
            case 3:
                left = [entrant for entrant in table.entrants if club.tournament.entries[entrant].left is None]
                if not left:
                    return
                touched = set()
                club.remove(self.chance.choice(left))
            case 4 if round_ is club.tournament.rounds[-1]:
                club.replay(table.number)
                if club.round.is_closed or not isinstance(club.table(table.number).status, Awaited):
                    return
                club.take(table.number, *self._places(len(club.table(table.number).seats)))
            case _:
                return
        self.unlike += list_unlike(club.tournament, before, touched)

    def _is_moved(self, round_: Round, table: Table) -> bool:
        elsewhere = {entrant for other in round_.tables if other is not table for entrant in list_present(other)}
        return bool({*elsewhere, *(bye.entrant for bye in round_.byes)} & set(table.entrants))

    def _enter(self, number: int) -> None:
        """Enter one more, for a team of two or three or for itself."""
        code = f"RUSSATA{number // 3 % 8 + 2}22226666"
        chosen = TeamChosen(name=f"Team {number // 3}", code=hash_code(code))
        team: dict[str, Any] = (
            {"team": chosen, "shown_team_code": code} if self.club.tournament.opened.teams and number % 5 else {}
        )
        self.club.enter(**team)

    def _try_to_enter(self) -> None:
        try:
            self._enter(len(self.club.tournament.entries))
        except Rejection:
            return

    def _places(self, count: int) -> tuple[int, ...]:
        """Return places as games give them: sometimes shared, sometimes without a winner."""
        places = list(range(1, count + 1))
        self.chance.shuffle(places)
        return tuple(max(2, place) if self.chance.random() < 0.1 else place for place in places)


def list_unlike(tournament: Tournament, before: Sequence[Standing], touched: set[int]) -> list[str]:
    """List whose numbers a ruling has changed that it should not: all but those it is about keep their own.

    The points of opponents follow from theirs, and so do head-to-head and places, which compare.
    """
    met = {entrant for pair in count_meetings(tournament) if touched & set(pair) for entrant in pair}
    # A table that was walked over and given a result later: its entrants stand in one score, and never sat there.
    for played in build_book(tournament).played:
        scored = {score.entrant for score in played.scored}
        met |= scored if scored & touched else set()
    own = [TIE_BREAKS.index(each) for each in ("wins", "last_round", "lot")]
    unlike = []
    after = {standing.entrant: standing for standing in list_standings(tournament)}
    for one in before:
        other = after[one.entrant]
        kept = [
            (standing.progress, standing.points, standing.rounds, *(standing.tie_breaks[at] for at in own))
            for standing in (one, other)
        ]
        if one.entrant not in touched and kept[0] != kept[1]:
            unlike.append(f"entrant {one.entrant}: {kept}, though only {touched} are ruled on")
        if one.entrant not in met | touched and one.tie_breaks[1] != other.tie_breaks[1]:
            unlike.append(f"entrant {one.entrant} met none of {touched}: {one.tie_breaks}, {other.tie_breaks}")
    return unlike


def played(kind: Format, sizes: TableSizes, *, count: int, seed: int) -> Chaos:
    chaos = Chaos(kind, sizes, count=count, seed=seed)
    chaos.run()
    return chaos


def seated(round_: Round) -> list[int]:
    """List who sits; of a walkover, who came."""
    return [entrant for table in round_.tables for entrant in list_present(table)]


@EXAMPLES
@given(terms=TERMS, count=st.integers(2, 40), seed=st.integers(0, 2**32))
@example(terms=(ScoreRounds(rounds=3), TableSizes(min=3, max=4, preferred=4)), count=200, seed=1)
@example(terms=(Knockout(survivors=1), TableSizes(min=2, max=4, preferred=4)), count=200, seed=2)
@example(terms=(RoundRobin(rounds=4), PAIRS), count=101, seed=3)
def test_nobody_sits_twice_in_a_round_and_who_is_there_sits_or_has_a_bye(terms: Terms, count: int, seed: int) -> None:
    club = played(*terms, count=count, seed=seed).club

    for round_ in club.tournament.rounds:
        at_tables, byes = seated(round_), [bye.entrant for bye in round_.byes]
        by_lot = {entrant for entrant in at_tables + byes if entrant in round_.lots}
        assert max(Counter(at_tables + byes).values(), default=1) == 1
        assert by_lot <= set(round_.field) <= set(round_.expected)
        assert all(len(table.seats) <= terms[1].max for table in round_.tables)


@EXAMPLES
@given(terms=TERMS, count=st.integers(2, 40), seed=st.integers(0, 2**32))
@example(terms=(HeatsAndFinal(heats=3, finalists=3), TableSizes(min=2, max=4, preferred=3)), count=150, seed=4)
def test_deciding_again_gives_the_same_bytes_and_folding_the_same_standings(
    terms: Terms, count: int, seed: int
) -> None:
    club = played(*terms, count=count, seed=seed).club

    again, folded = redecide(TOURNAMENTS, club.raws, CATALOGUE, SECRET), replay(TOURNAMENTS, club.raws)

    assert msgspec.structs.replace(again, chance=club.tournament.chance) == club.tournament
    assert list_standings(folded) == list_standings(club.tournament) == club.told()
    assert msgspec.structs.replace(folded, chance=again.chance) == again


@EXAMPLES
@given(terms=TERMS, count=st.integers(4, 30), seed=st.integers(0, 2**32))
def test_a_ruling_changes_exactly_those_it_is_about_and_says_so(terms: Terms, count: int, seed: int) -> None:
    chaos = played(*terms, count=count, seed=seed)
    tournament = chaos.club.tournament

    assert chaos.unlike == []
    lines = [entry.line.version for entry in chaos.club.entries if find_ruling(entry.event) is not None]
    assert [ruled.line for ruled in tournament.rulings] == lines
    for ruled in tournament.rulings:
        assert all(change.points_before != change.points_after for change in ruled.changes)


@EXAMPLES
@given(count=st.integers(2, 25), rounds=st.integers(1, 6), seed=st.integers(0, 1_000))
def test_byes_go_round(count: int, rounds: int, seed: int) -> None:
    club = Club(format=ScoreRounds(rounds=rounds), tables=PAIRS)
    club.enter(count)
    for number in range(rounds):
        club.draw()
        club.play(seed + number)

    byes = count_byes(club.tournament)

    assert max(byes) - min(byes) <= 1
    assert sum(byes) == (rounds if count % 2 else 0)


@EXAMPLES
@given(count=st.integers(4, 12), seed=st.integers(0, 1_000))
def test_a_second_round_of_pairs_repeats_no_meeting_unless_every_pairing_does(count: int, seed: int) -> None:
    club = Club(format=ScoreRounds(rounds=4), tables=PAIRS)
    club.enter(count)
    met: set[frozenset[int]] = set()
    for number in range(3):
        club.draw()
        tables = [frozenset(table.entrants) for table in club.round.tables]
        if met & set(tables):
            assert not _pairs_without_repeat(set(seated(club.round)), met)
        met |= set(tables)
        club.play(seed + number)


@EXAMPLES
@given(
    terms=TERMS,
    count=st.integers(2, 60),
    seed=st.integers(0, 2**32),
)
@example(terms=(ScoreRounds(rounds=4), TableSizes(min=2, max=4, preferred=4)), count=200, seed=5)
def test_who_counts_again_by_the_specification_alone_comes_to_the_same(terms: Terms, count: int, seed: int) -> None:
    club = played(*terms, count=count, seed=seed).club
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w") as archive:
        archive.writestr("log.ndjson", b"\n".join(club.raws))

    counted = Recount(bundle.getvalue()).run()

    assert all(said == follows for said, follows in recount_teams(club.raws))
    # Every draw, bye, score and standing on the way was compared as well.
    assert counted == msgspec.json.decode(msgspec.json.encode(list_standings(club.tournament)))


def _pairs_without_repeat(left: set[int], met: set[frozenset[int]]) -> bool:
    if not left:
        return True
    first = min(left)
    pairs = (frozenset(pair) for pair in combinations(sorted(left), 2) if first in pair)
    return any(pair not in met and _pairs_without_repeat(left - pair, met) for pair in pairs)
