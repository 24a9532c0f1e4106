"""The table of forgeries: the checks that catch each, at which line, and the forgeries missed with a check off."""

import pytest

from tests.domain.audit.audited_game import OFFLINE, audit, broken_in, bundle_of, specimen, unchecked_in
from tests.domain.audit.forgery_table import FORGERIES, Forgery, forged_bundle

# Forgeries that no bundle without the ledger can show. Each is a game that could have been played: an operator who
# rewrites its log before an outsider has seen a checkpoint is believed.
NOT_CAUGHT = {
    "the tail cut",
    "all keys and signatures replaced",
}
# With a check switched off, these are caught by no other. Everything else is seen twice: a line that is changed
# before a signed one is not the line which that signer had seen.
SLIPS_THROUGH = {
    "chain": {"a hash broken"},
    "components": {"other components"},
    "bases": {"a replaced seal removed", "a ruling unsigned with its key"},
    "redecision": {"a pause removed", "an end without consent"},
    "ending": {"the secret withheld"},
    "secret": {"another secret"},
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

    silent = {forgery.name for forgery in caught if not broken_in(audit(forged_bundle(forgery.forge()), without=name))}

    assert caught, "a check that catches no forgery is not shown to be needed"
    assert silent == SLIPS_THROUGH.get(name, set())


def test_a_check_does_not_lean_on_another_one() -> None:
    leaning = [
        forgery.name
        for forgery in FORGERIES
        for name in forgery.caught_by[1:]
        if set(broken_in(audit(forged_bundle(forgery.forge()), without=name))) != set(forgery.caught_by) - {name}
    ]

    assert leaning == []
