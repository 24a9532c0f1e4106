"""The table of forgeries: the checks that catch each, at which line, and the forgeries missed with a check off."""

import pytest

from tests.domain.audit.audited_game import OFFLINE, audit, broken_in, bundle_of, specimen, unchecked_in
from tests.domain.audit.forgery_table import FORGERIES, Forgery, forged_bundle

# Forgeries that no bundle without the ledger can show. Each is a game that could have been played: an operator who
# rewrites its log before an outsider has seen a checkpoint is believed.
NOT_CAUGHT = {
    "the tail cut",
    "a replaced seal removed",
    "a ruling unsigned with its key",
}
# With a check switched off, these are caught by no other. Everything else is seen twice: by a check that needs neither
# rules nor the secret, and by deciding again, which needs both.
SLIPS_THROUGH = {
    "form": set(),
    "chain": {"a hash broken"},
    "opening": {"an opening with a signature"},
    "fields": {"a field nobody reads"},
    "authors": set(),
    "commands": set(),
    "components": {"other components"},
    "demands": set(),
    "dice-links": set(),
    "dice-faces": set(),
    "shuffles": set(),
    "contributions": set(),
    "seals": set(),
    "signatures": {
        "a signature of another decision",
        "a signature of another stream",
        "a signature of another type",
        "a signature of another seat",
        "a ruling changed",
    },
    "clocks": set(),
    "ending": {"the secret withheld"},
    "secret": {"another secret"},
    "redecision": {
        "an outcome removed",
        "an outcome inserted",
        "two outcomes swapped",
        "a shuffle of fewer cards",
        "a hidden card changed",
        "a seal and its reveal changed",
        "an illegal move",
        "other components and their hash",
    },
    "ranking": set(),
}


def test_nothing_speaks_against_the_game_as_it_was() -> None:
    verified = audit(bundle_of(specimen()))

    assert broken_in(verified) == {}
    assert unchecked_in(verified) == {}


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name.replace(" ", "-"))
def test_a_forgery_is_told_by_what_it_forges(forgery: Forgery) -> None:
    forged = forgery.forge()

    verified = audit(forged_bundle(forged))

    found = broken_in(verified)
    assert set(found) == set(forgery.caught_by)
    assert set(unchecked_in(verified)) == set(forgery.unchecked)
    if forgery.caught_by:
        told = found[forgery.caught_by[0]]
        assert told.version == forged.at
        assert told.expected != told.found


def test_what_a_bundle_alone_cannot_show_is_listed() -> None:
    uncaught = {forgery.name for forgery in FORGERIES if not forgery.caught_by}

    assert uncaught == NOT_CAUGHT


@pytest.mark.parametrize("name", [check.name for check in OFFLINE if check.name != "opening-witness"])
def test_a_check_switched_off_lets_through_what_the_table_says(name: str) -> None:
    caught = [forgery for forgery in FORGERIES if name in forgery.caught_by]

    silent = {each.name for each in caught if not broken_in(audit(forged_bundle(each.forge()), without=name))}

    assert caught, "a check that catches no forgery is not shown to be needed"
    assert silent == SLIPS_THROUGH[name]


def test_a_check_does_not_lean_on_another_one() -> None:
    leaning = [
        forgery.name
        for forgery in FORGERIES
        for name in forgery.caught_by[1:]
        if set(broken_in(audit(forged_bundle(forgery.forge()), without=name))) != set(forgery.caught_by) - {name}
    ]

    assert leaning == []
