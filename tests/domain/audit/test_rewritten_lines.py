"""Lines rewritten by a party with write access, which repairs the chain after each change: the audit finds them all."""

import re
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from domain.log.actors import ByPlayer
from domain.log.record import line_hash
from tests.domain.audit.audited_game import audit, broken_in, bundle_of
from tests.domain.game.game_harness import (
    ORGA,
    ORGANISER,
    PLAYERS,
    Table,
    public_hex,
    signing_key,
    with_clock,
)
from tests.domain.rulesets.fake_ruleset_torches import Bid, Shield, Strike

PREV = re.compile(rb'"prev":"[0-9a-f]{64}"')
COMMAND = re.compile(rb'"command":"[^"]*"')
TYPE = re.compile(rb'"type":"([a-z_]+)"')
AT = re.compile(rb'"at":"[^"]*"')


@cache
def signed_log() -> tuple[bytes, ...]:
    """Return a whole short game in which all seats sign, with both custodies, a defence, a default and a forfeit."""
    keys = [signing_key(number) for number in range(1, 4)]
    table = Table(
        seats=2, clock=with_clock(), organisers={ORGA: public_hex(keys[2])}, options={"rounds": 2, "lives": 9}
    )
    table.keys = {ByPlayer(player=player): key for player, key in zip(PLAYERS, keys[:2], strict=False)}
    table.keys[ORGANISER] = keys[2]
    table.witness()
    for seat in (0, 1):
        table.take(seat, key=public_hex(keys[seat]))
    for seat in (0, 1):
        table.ready(seat)
    table.extend(0, 1)
    table.entrust(0, Bid(card=0, drop=1))
    table.seal(1, Bid(card=3, drop=None))
    table.reveal(1, Bid(card=3, drop=None))
    left, right = table.owed()
    table.play(left.seat, left.id, Strike(target=1 - left.seat))
    (shield,) = table.owed()
    table.play(shield.seat, shield.id, Shield(is_raised=True))
    table.now += 500_000
    while table.game.owed and table.owed()[0].kind == "plain":
        table.expire(table.owed()[0].seat, table.owed()[0].id)
    table.seal(0, {})
    table.entrust(1, table.default(table.owed(1)[0]))
    table.reveal(0, {})
    table.finish()
    assert right.seat == left.seat
    return tuple(table.raws)


def chained(raws: list[bytes], start: int = 0) -> list[bytes]:
    """Make the chain right again from `start` on."""
    for place in range(max(1, start), len(raws)):
        raws[place] = PREV.sub(b'"prev":"%s"' % line_hash(raws[place - 1]).encode(), raws[place], count=1)
    return raws


def numbered(raws: list[bytes]) -> list[bytes]:
    """Make versions and chain right again."""
    fresh = [re.sub(rb'"version":\d+}$', b'"version":%d}' % (place + 1), raw) for place, raw in enumerate(raws)]
    return chained(fresh)


def refused_at(raws: Sequence[bytes]) -> int:
    """Return the first line at which a check of the audit did not hold."""
    broken = broken_in(audit(bundle_of(list(raws)))).values()
    assert broken
    return min(result.version or 0 for result in broken)


def another(byte: int) -> bytes:
    """Return a byte that often leaves the line readable: digit for digit, letter for letter."""
    text = chr(byte)
    if text.isdigit():
        return b"%d" % ((int(text) + 1) % 10)
    if text in "abcdef":
        return chr(ord("a") + (ord(text) - ord("a") + 1) % 6).encode()
    return text.swapcase().encode() if text.isalpha() else b"x"


def is_free(raw: bytes, place: int) -> bool:
    """Return whether a byte is the server's word: an input's time, the id of an unsigned input, a proof, the terms."""
    if b'"type":"game_opened"' in raw or b'"type":"opening_witnessed"' in raw:
        return True
    words = [AT] if b'"sig":"' in raw else [AT, COMMAND]
    found = [pattern.search(raw) for pattern in words if b'"kind":"input"' in raw]
    return any(finding is not None and finding.start() <= place < finding.end() for finding in found)


def test_the_log_that_is_attacked_here_is_accepted() -> None:
    raws = signed_log()

    assert broken_in(audit(bundle_of(raws))) == {}
    text = b"".join(raws)
    for kind in (b"clock_expired", b"action_defaulted", b"action_forfeited", b"decision_asked", b"deck_shuffled"):
        assert kind in text


def test_any_byte_of_any_line_that_is_not_the_servers_word_is_noticed() -> None:
    raws = signed_log()
    tried = 0

    # Every thirty-first byte, beginning elsewhere in each line: all bytes take ten times as long and find no more.
    for place, raw in enumerate(raws):
        for byte in range(place % 31, len(raw), 31):
            if is_free(raw, byte) or PREV.search(raw[max(0, byte - 72) : byte + 72]):
                continue
            damaged = raw[:byte] + another(raw[byte]) + raw[byte + 1 :]
            refused_at(chained([*raws[:place], damaged, *raws[place + 1 :]], place + 1))
            tried += 1

    assert tried > 330


@pytest.mark.parametrize(
    "field",
    [b'"anchors":\\["', b'"commit":"', b'"name":"', b'"version":', b'"seats":', b'"omens":', b'"prev":"', b'"kind":"'],
)
def test_what_the_first_line_commits_to_is_noticed(field: bytes) -> None:
    raws = list(signed_log())
    found = re.search(field, raws[0])
    assert found is not None

    raws[0] = raws[0][: found.end()] + another(raws[0][found.end()]) + raws[0][found.end() + 1 :]

    refused_at(chained(raws))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"by":"player:0199c0de-0000-7000-8000-00000000001a"', b'"by":"operator"'),
        (b'"by":"player:0199c0de-0000-7000-8000-00000000001a"', b'"by":"seat:0"'),
        (b'"sig":null', b'"sig":"' + b"ab" * 64 + b'"'),
        (b'"version":1}', b'"version":2}'),
        (b'"demands":[]', b'"demands":["signed","links"]'),
        (b'"visibility":"public"', b'"visibility":"public","zzz_note":"anything"'),
        (b'"version":1},"seats"', b'"version":1,"zzz":1},"seats"'),
        (b'"per_decision_ms":60000', b'"per_decision_ms":60000,"zzz":[1]'),
    ],
)
def test_the_first_line_must_be_one_that_opens_a_game(before: bytes, after: bytes) -> None:
    raws = list(signed_log())
    assert before in raws[0]

    raws[0] = raws[0].replace(before, after)

    assert refused_at(chained(raws)) == 1


def test_a_first_line_cut_from_another_chain_is_noticed() -> None:
    raws = list(signed_log())
    raws[0] = PREV.sub(b'"prev":"%s"' % (b"1" * 64), raws[0])

    assert refused_at(chained(raws)) == 1


def test_each_line_is_missed_when_it_is_removed() -> None:
    raws = list(signed_log())

    for place in range(len(raws) - 1):
        refused_at(numbered(raws[:place] + raws[place + 1 :]))


def test_two_neighbours_that_are_swapped_are_noticed() -> None:
    raws = list(signed_log())

    for place in range(1, len(raws) - 1):
        swapped = numbered([*raws[:place], raws[place + 1], raws[place], *raws[place + 2 :]])
        if swapped != raws:
            refused_at(swapped)


def test_each_line_is_noticed_when_it_is_there_twice() -> None:
    raws = list(signed_log())

    for place, raw in enumerate(raws):
        refused_at(numbered([*raws[: place + 1], raw, *raws[place + 1 :]]))


def test_an_outcome_nothing_gave_rise_to_is_noticed() -> None:
    raws = list(signed_log())
    outcomes = {TYPE.findall(raw)[0]: raw for raw in raws if b'"kind":"outcome"' in raw}

    for place in range(6, len(raws), 5):
        at = AT.findall(raws[place - 1])[0]
        for outcome in outcomes.values():
            added = numbered([*raws[:place], AT.sub(at, outcome), *raws[place:]])
            if added[place] != raws[place]:
                refused_at(added)


def test_nothing_follows_the_disclosed_secret() -> None:
    raws = list(signed_log())
    late = next(raw for raw in raws if b"clock_extended" in raw)

    assert refused_at(numbered([*raws, AT.sub(AT.findall(raws[-1])[0], late)])) == len(raws) + 1


DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda raw: raw.replace(b'"command":"', b'"command":null,"x":"', 1),
    lambda raw: re.sub(rb'"command":"[^"]*"', b'"command":null', raw),
    lambda raw: re.sub(rb'"sig":"[^"]*"', b'"sig":null', raw),
    lambda raw: re.sub(rb'"by":"[^"]*"', b'"by":"operator"', raw),
    lambda raw: raw.replace(b'"kind":"input"', b'"kind":"outcome"'),
    lambda raw: re.sub(rb'"type":"[^"]*"', b'"type":"seat_dreamed"', raw),
    lambda raw: re.sub(rb'"data":{', b'"data":{"also":1,', raw),
    lambda raw: b" " + raw,
    lambda raw: raw + b"\n",
    lambda _: b"",
    lambda _: b"{}",
    lambda _: b"\xff",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_is_done_to_an_input_is_refused_at_its_line(damage: Callable[[bytes], bytes]) -> None:
    raws = list(signed_log())
    inputs = [place for place, raw in enumerate(raws) if place and b'"sig":"' in raw]

    for place in inputs[::3]:
        attacked = chained([*raws[:place], damage(raws[place]), *raws[place + 1 :]], place + 1)
        assert refused_at(attacked) in (place + 1, place + 2)
