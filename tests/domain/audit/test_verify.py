"""Verdicts on genuine games: finished, unfinished, aborted, of other rules, alone and side by side."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit.cross_checks import AuditedLog, compare_bundles
from domain.audit.findings import Broken
from domain.audit.reading import LINES_MAX, split_log
from domain.audit.verify import Verified, verify
from domain.chance import Secret
from domain.ids import GameId, StreamId
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import OF_THE_LEDGER, audit, broken_in, bundle_of, specimen, unchecked_in
from tests.domain.audit.forgery_tools import chained, lines, places
from tests.domain.game.game_harness import GAME, MUG, Table, mug_terms
from tests.domain.rulesets.chariot_race import golden as chariot_race
from tests.domain.rulesets.charioteer import golden as charioteer
from tests.domain.rulesets.charioteer.boards import RULES as CHARIOTEER

# The file of a log, and the components it was played with.
GOLDEN = [
    *((path, chariot_race.COMPONENTS.read_bytes()) for path in sorted(chariot_race.FOLDER.glob("*.ndjson"))),
    *((path, CHARIOTEER.components) for path in sorted(charioteer.FOLDER.glob("*.ndjson"))),
]


def log_of(name: str, verified: Verified) -> AuditedLog:
    assert verified.report.game is not None
    assert verified.fingerprint is not None
    return AuditedLog(name=name, stream=verified.report.game, fingerprint=verified.fingerprint)


@pytest.mark.parametrize(("path", "components"), GOLDEN, ids=[path.stem for path, _ in GOLDEN])
def test_a_golden_game_holds_in_all(path: Path, components: bytes) -> None:
    bundle = msgspec.structs.replace(bundle_of((), components), log=path.read_bytes())

    verified = verify(bundle, rebuilder=Rebuilder())

    assert broken_in(verified) == {}
    assert set(unchecked_in(verified)) == OF_THE_LEDGER


def test_a_game_that_goes_on_is_checked_as_far_as_it_can_be() -> None:
    verified = audit(bundle_of(specimen()[:60]))

    assert verified.report.status == "running"
    assert broken_in(verified) == {}
    assert set(unchecked_in(verified)) == {"ending", "secret", "redecision", "ranking"}


def test_dice_seals_and_clocks_of_a_game_that_goes_on_are_checked() -> None:
    log = lines()[:60]
    log[places("dice_rolled")[0] - 1]["data"]["faces"] = [6]

    verified = audit(bundle_of(chained(log)))

    assert set(broken_in(verified)) == {"dice-faces", "bases"}


def test_an_aborted_game_holds() -> None:
    table = Table().start()
    table.abort()

    verified = audit(bundle_of(tuple(table.raws)))

    assert verified.report.status == "aborted"
    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})


def test_a_game_of_seals_opened_late_holds() -> None:
    table = Table(**mug_terms(rounds=2)).start().finish()

    verified = audit(bundle_of(tuple(table.raws), MUG.components))

    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})


def test_rules_that_this_release_does_not_know_are_no_fault_of_the_log() -> None:
    verified = verify(bundle_of(specimen()), rebuilder=Rebuilder())

    assert broken_in(verified) == {}
    assert (
        unchecked_in(verified)["redecision"]
        == "neither this release nor an installed package has the rules of torches@1"
    )


def test_each_assurance_is_told_whether_or_not_it_was_demanded() -> None:
    kept = {
        assurance.name: (assurance.is_demanded, assurance.is_kept)
        for assurance in audit(bundle_of(specimen())).report.assurances
    }

    assert kept == {
        "own_custody": (False, False),
        "signed": (False, False),
        "links": (False, True),
        "witnessed_opening": (False, False),
        "undisturbed_start": (False, True),
        "organiser_keys": (False, True),
    }


def test_each_seat_is_told_what_it_contributed() -> None:
    contributions = audit(bundle_of(specimen())).report.contributions

    assert [(contribution.seat, contribution.is_signed) for contribution in contributions] == [
        (0, True),
        (1, True),
        (2, False),
    ]
    assert all(contribution.nonces for contribution in contributions)


def test_a_seat_without_links_is_told_to_have_contributed_nothing() -> None:
    table = Table(links=0).start().finish()

    contributions = audit(bundle_of(tuple(table.raws))).report.contributions

    assert [contribution.nonces for contribution in contributions] == [0, 0, 0]


def test_a_demand_for_links_that_was_not_met_is_told() -> None:
    log = [msgspec.json.decode(raw) for raw in Table(links=100).start().raws]
    log[0]["data"]["demands"] = ["links"]

    found = broken_in(audit(bundle_of(chained(log))))

    assert found["demands"].version == 2


def test_a_seat_that_changes_its_mind_without_end_is_told() -> None:
    log = lines()
    version = places("action_sealed")[2]
    seal = log[version - 1]
    log[version:version] = [seal | {"command": f"0199c0de-0000-7000-9000-00000000ff{n:02}"} for n in range(9)]

    found = broken_in(audit(bundle_of(chained(log))))

    assert found["seals"].version == found["redecision"].version == version + 9


def test_draws_under_too_many_names_are_not_followed() -> None:
    log = lines()
    shuffle = log[places("deck_shuffled")[0] - 1]
    log[12:12] = [shuffle | {"data": {"deck": f"d{n}", "label": f"d{n}:1", "size": 1}} for n in range(70)]

    found = broken_in(audit(bundle_of(chained(log))))

    assert "names" in found["dice-links"].expected


def test_a_log_of_too_many_lines_is_read_no_further() -> None:
    raws, refusal = split_log(b"{}\n" * (LINES_MAX + 1))

    assert len(raws) == LINES_MAX
    assert refusal is not None
    assert str(LINES_MAX) in refusal.expected


def test_one_game_exported_twice_is_no_fork() -> None:
    early, late = audit(bundle_of(specimen()[:40])), audit(bundle_of(specimen()))

    found = compare_bundles([log_of("early", early), log_of("late", late), log_of("again", early)])

    assert found == ()


def test_two_histories_of_one_game_are_told_at_the_line_where_they_part() -> None:
    log = lines()[:30]
    log[24]["data"]["seal"] = "ab" * 32
    one, other = audit(bundle_of(specimen())), audit(bundle_of(chained(log)))

    (found,) = compare_bundles([log_of("one", one), log_of("other", other)])

    assert found.names == ("one", "other")
    assert found.finding.check == "history"
    assert isinstance(found.finding.result, Broken)
    assert found.finding.result.version == 25


def test_two_games_that_draw_from_one_secret_are_told() -> None:
    other = GAME[:-1] + "2"
    log = lines()[:1]
    log[0] |= {"stream": other, "command": other}
    one, two = audit(bundle_of(specimen())), audit(bundle_of(chained(log)))

    (found,) = compare_bundles([log_of("one", one), log_of("two", two)])

    assert found.finding.check == "secret-shared"


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ({"anchors": ("ab" * 32,), "secret": None}, "a commitment"),
        ({"commit": "ab" * 32, "secret": None}, "an anchor"),
        ({"commit": "ab" * 32, "anchors": ()}, "a secret"),
    ],
)
def test_a_commitment_an_anchor_or_a_secret_seen_twice_is_each_told(own: dict[str, Any], told: str) -> None:
    one = log_of("one", audit(bundle_of(specimen())))
    fingerprint = msgspec.structs.replace(one.fingerprint, **own)
    other = AuditedLog(name="other", stream=GameId(StreamId(GAME[:-1] + "2")), fingerprint=fingerprint)

    (found,) = compare_bundles([one, other])

    assert isinstance(found.finding.result, Broken)
    assert found.finding.result.expected == f"{told} of this game alone"


def test_games_with_secrets_of_their_own_share_nothing() -> None:
    one = audit(bundle_of(specimen()))
    two = audit(bundle_of(tuple(Table(secret=Secret(bytes([7]) * 32)).raws)))
    apart = msgspec.structs.replace(log_of("two", two), stream="0199c0de-0000-7000-8000-000000000002")

    assert compare_bundles([log_of("one", one), apart]) == ()
