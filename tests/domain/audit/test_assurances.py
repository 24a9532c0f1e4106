"""Assurances: what a reader should know of a start, of the people and of the organisers, and no check refuses."""

from domain.audit.findings import Assurance
from tests.domain.audit.audited_game import audit, bundle_of
from tests.domain.game.game_harness import ADA, BOB, ORGA, Table


def find(table: Table, name: str) -> Assurance:
    report = audit(bundle_of(tuple(table.raws))).report
    return next(assurance for assurance in report.assurances if assurance.name == name)


def test_a_seat_that_was_left_once_another_was_ready_is_told() -> None:
    table = Table(seats=2)
    for seat in range(2):
        table.take(seat)
    table.leave(1)
    table.take(1)
    harmless = find(table, "undisturbed_start")
    table.ready(0)
    table.leave(1)

    told = find(table, "undisturbed_start")

    assert (harmless.is_kept, told.is_kept) == (True, False)
    assert told.told == "seats left or removed once another was ready: 1"


def test_a_seat_that_is_removed_after_the_start_disturbs_no_start() -> None:
    table = Table(seats=3).start()
    table.remove(2)

    assert find(table, "undisturbed_start").is_kept


def test_organisers_without_a_key_are_told() -> None:
    keyed = find(Table(organisers={ORGA: "aa" * 32}), "organiser_keys")
    mixed = find(Table(organisers={ORGA: None, ADA: "aa" * 32}), "organiser_keys")
    alone = find(Table(organisers={}), "organiser_keys")

    assert [assurance.is_kept for assurance in (keyed, mixed, alone)] == [True, False, True]
    assert mixed.told == "1 of 2 organisers have a key that signs their rulings"


def test_all_who_ever_sat_are_the_people_of_a_game() -> None:
    table = Table(seats=2)
    table.take(0)
    table.take(1)
    table.leave(1)

    assert audit(bundle_of(tuple(table.raws))).report.people == tuple(sorted((ADA, BOB)))
