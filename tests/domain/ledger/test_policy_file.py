"""Policy files: the accepted spellings, our own spelling, and the refusals."""

import pytest

from domain.ledger.note_key import COSIGNATURE, ED25519, NoteKey, format_note_key
from domain.ledger.policy import PolicyGroup, PolicyLog, PolicyWitness
from domain.ledger.policy_file import GROUPS_MAX, LOGS_MAX, POLICY_SIZE_MAX, WITNESSES_MAX, format_policy, parse_policy
from domain.ledger.spelling import Misspelt
from tests.domain.ledger.published import LOG_KEY, WITNESS_KEY
from tests.domain.ledger.signing import LOG, SECOND_WITNESS, THIRD_WITNESS, WITNESS

SECOND_KEY = format_note_key(SECOND_WITNESS.key)
THIRD_KEY = format_note_key(THIRD_WITNESS.key)
WRITTEN = f"""\
log {LOG_KEY} https://example.com/v1/ledger
witness club {WITNESS_KEY} https://witness.example
witness X {SECOND_KEY}
witness Y {THIRD_KEY}
group others any X Y
group both all club others
ruleset crowd@1 {"5a" * 32}
ruleset crowd@1 {"5b" * 32}
quorum both
"""
BY_HAND = f"""\
# the club's own log
  # and its witnesses
log\t{LOG_KEY}   https://example.com/v1/ledger

witness  club {WITNESS_KEY} https://witness.example\t
witness X {SECOND_KEY}
 \t
witness Y {THIRD_KEY}
group others 1 X Y
ruleset  crowd@1 {"5a" * 32}
  group both 2 club others
quorum both
	ruleset crowd@1	{"5b" * 32}
# the end: é
"""
WITNESS_LINES = f"witness a {WITNESS_KEY}\nwitness b {SECOND_KEY}\nwitness c {THIRD_KEY}\n"


def numbered_key(number: int, *, kind: int) -> str:
    return format_note_key(NoteKey(name=f"k{number}", kind=kind, public_key=number.to_bytes(32, "big")))


def test_a_policy_is_read_and_written_again() -> None:
    policy = parse_policy(WRITTEN.encode())

    assert policy.logs == (PolicyLog(key=LOG.key, url="https://example.com/v1/ledger"),)
    assert policy.witnesses == (
        PolicyWitness(name="club", key=WITNESS.key, url="https://witness.example"),
        PolicyWitness(name="X", key=SECOND_WITNESS.key),
        PolicyWitness(name="Y", key=THIRD_WITNESS.key),
    )
    assert policy.groups == (
        PolicyGroup(name="others", threshold=1, members=("X", "Y")),
        PolicyGroup(name="both", threshold=2, members=("club", "others")),
    )
    assert policy.quorum == "both"
    assert [ruleset.components[:2] for ruleset in policy.rulesets] == ["5a", "5b"]
    assert {ruleset.reference for ruleset in policy.rulesets} == {"crowd@1"}
    assert format_policy(policy) == WRITTEN.encode()


def test_comments_blanks_and_counts_are_how_people_write_the_same_policy() -> None:
    policy = parse_policy(BY_HAND.encode())

    assert policy == parse_policy(WRITTEN.encode())
    assert format_policy(policy) == WRITTEN.encode()


@pytest.mark.parametrize(("threshold", "written"), [("any", "any"), ("1", "any"), ("2", "2"), ("3", "all")])
def test_a_threshold_is_written_as_any_all_or_a_number_between(threshold: str, written: str) -> None:
    policy = parse_policy(f"{WITNESS_LINES}group g {threshold} a b c\nquorum g\n".encode())

    assert f"group g {written} a b c\n".encode() in format_policy(policy)


def test_a_policy_of_one_line_asks_for_nothing() -> None:
    policy = parse_policy(b"quorum none\n")

    assert (policy.logs, policy.witnesses, policy.quorum) == ((), (), "none")


def test_names_that_are_no_utf8_are_kept_as_they_are() -> None:
    raw = b"witness \xe2\x84\xaa " + WITNESS_KEY.encode() + b" \xff\nwitness K " + SECOND_KEY.encode() + b"\nquorum K\n"

    assert format_policy(parse_policy(raw)) == raw


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# nothing\n",
        "quorum none",
        "quorum none\nquorum none\n",
        "quorum\n",
        "quorum none none\n",
        "quorum a\n",
        "quorum b\n" + WITNESS_LINES,
        "Quorum none\n",
        "quorum none # a comment\n",
        "quorum none\r\n",
        "quorum none\0\n",
        "quorum none\x0b\n",
        "quorum none\x7f\n",
        "# a comment\r\nquorum none\n",
        "quorum none\n# \0\n",
        "quorum none\n#\x1f\x7f\n",
        "quorum\u00a0none\n",
        "trust none\nquorum none\n",
        "quorum none\nruleset crowd@1\n",
        f"quorum none\nruleset crowd {'5a' * 32}\n",
        f"quorum none\nruleset crowd@01 {'5a' * 32}\n",
        f"quorum none\nruleset crowd@1 {'5A' * 32}\n",
        f"quorum none\nruleset crowd@1 {'5a' * 31}\n",
        f"quorum none\nruleset crowd@1 {'5a' * 32} more\n",
        f"quorum none\nruleset crowd@1 {'5a' * 32}\nruleset crowd@1 {'5a' * 32}\n",
        "log\nquorum none\n",
        f"log {LOG_KEY} url more\nquorum none\n",
        f"log name {LOG_KEY}\nquorum none\n",
        f"log {WITNESS_KEY}\nquorum none\n",
        f"log {LOG_KEY[:-1]}\nquorum none\n",
        f"log {LOG_KEY}\nlog {LOG_KEY}\nquorum none\n",
        "witness\nquorum none\n",
        "witness a\nquorum none\n",
        f"witness {WITNESS_KEY}\nquorum none\n",
        f"witness a {WITNESS_KEY} url more\nquorum none\n",
        f"witness a {LOG_KEY}\nquorum none\n",
        f"witness none {WITNESS_KEY}\nquorum none\n",
        f"witness a {WITNESS_KEY}\nwitness a {SECOND_KEY}\nquorum a\n",
        f"witness a {WITNESS_KEY}\nwitness b {WITNESS_KEY}\nquorum a\n",
        WITNESS_LINES + "group\nquorum a\n",
        WITNESS_LINES + "group g\nquorum a\n",
        WITNESS_LINES + "group g any\nquorum a\n",
        WITNESS_LINES + "group g 0 a b\nquorum g\n",
        WITNESS_LINES + "group g 3 a b\nquorum g\n",
        WITNESS_LINES + "group g 01 a b\nquorum g\n",
        WITNESS_LINES + "group g -1 a b\nquorum g\n",
        WITNESS_LINES + "group g \u0661 a b\nquorum g\n",
        WITNESS_LINES + "group g most a b\nquorum g\n",
        WITNESS_LINES + "group g any a a\nquorum g\n",
        WITNESS_LINES + "group g any d\nquorum g\n",
        WITNESS_LINES + "group g any none\nquorum g\n",
        WITNESS_LINES + "group g any g\nquorum g\n",
        WITNESS_LINES + "group a any b\nquorum a\n",
        WITNESS_LINES + "group none any b\nquorum none\n",
        WITNESS_LINES + "group g any a\ngroup h any a\nquorum g\n",
        WITNESS_LINES + "group g any h\ngroup h any a\nquorum g\n",
        WITNESS_LINES + "quorum g\ngroup g any a\n",
    ],
)
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(Misspelt):
        parse_policy(text.encode())


def test_the_same_key_under_another_name_is_refused() -> None:
    twin = NoteKey(name="twin", kind=COSIGNATURE, public_key=WITNESS.key.public_key)

    with pytest.raises(Misspelt):
        parse_policy(f"{WITNESS_LINES}witness d {format_note_key(twin)}\nquorum a\n".encode())


def test_every_cut_is_refused() -> None:
    raw = WRITTEN.encode()

    for size in range(len(raw)):
        with pytest.raises(Misspelt):
            parse_policy(raw[:size])


def test_every_changed_byte_is_refused_or_another_policy() -> None:
    raw = WRITTEN.encode()
    policy = parse_policy(raw)

    for place in range(len(raw)):
        for change in (0x01, 0x20, 0x80):
            changed = raw[:place] + bytes([raw[place] ^ change]) + raw[place + 1 :]
            try:
                found = parse_policy(changed)
            except Misspelt:
                continue
            assert found != policy
            assert parse_policy(format_policy(found)) == found


def test_a_policy_has_limits_above_those_that_the_specification_asks_for() -> None:
    logs = [f"log {numbered_key(number, kind=ED25519)}\n" for number in range(LOGS_MAX + 1)]
    witnesses = [f"witness w{number} {numbered_key(number, kind=COSIGNATURE)}\n" for number in range(WITNESSES_MAX + 1)]
    groups = [f"group g{number} any w{number}\n" for number in range(GROUPS_MAX)]
    most = "".join((*logs[:-1], *witnesses[:-1], *groups))

    assert len(parse_policy((most + "quorum none\n").encode()).groups) == GROUPS_MAX
    for more in (logs[-1], witnesses[-1], "group more any g0\n", "#" * POLICY_SIZE_MAX + "\n"):
        with pytest.raises(Misspelt):
            parse_policy((most + more + "quorum none\n").encode())
