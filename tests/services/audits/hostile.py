"""Files that their authors made to keep a verifier at work, or to fill its memory: a row each."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from domain.audit.bundle import Bundle, build_howto, format_bundle
from domain.audit.record_bundle import format_record_bundle
from domain.audit.tournament_bundle import GameMember, format_tournament_bundle
from domain.audit.tournament_case import AUDITED_LINES_MAX
from domain.canonical import Json, encode
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.kit import Kit
from domain.rulesets.released import find_kit
from tests.domain.audit import audited_record, audited_tournament
from tests.domain.audit.forgery_tools import Fields, chained
from tests.domain.game.game_harness import GAME, with_clock
from tests.domain.rulesets.chariot_race import boards as chariot_race
from tests.domain.rulesets.chariot_race.golden import RaceTable
from tests.domain.rulesets.charioteer import boards as charioteer
from tests.domain.rulesets.chariotmaster import own_components as chariotmaster
from tests.services.audits.files import RACE, race

LINE_BYTES = 60_000
# Of the texts of a tournament and a record: with them a line is as long as the largest log has room for, on average.
TEXT_LENGTH = 500
# As few as a line may have: a member of a line that is no more than its envelope.
LINES_MAX = 50_000
AWAY_MS = 700_000


class Hostile(Struct, frozen=True, kw_only=True):
    """`make` writes the file of so many bytes of log, or with so many inputs in its game.

    `some` are in the tests, where the verdict is of the kind `gives`; the long run has `many`.
    """

    name: str
    make: Callable[[int], bytes]
    some: int
    many: int
    gives: str = "changed"


def fill(before: bytes, line: bytes, size: int) -> bytes:
    """Repeat a line after the first, as often as the size and the reader's limit allow."""
    count = min(LINES_MAX - 1, (size - len(before) - 1) // (len(line) + 1))
    return b"\n".join([before, *[line] * count, b""])


def hold(item: Json) -> Json:
    """Return data of one long list."""
    return {"a": [item] * (LINE_BYTES // (len(encode(item)) + 1))}


def of_game(data: Json) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        first, second = RACE.read_bytes().splitlines()[:2]
        line = encode(msgspec.json.decode(second) | {"data": data})
        return format_bundle(msgspec.structs.replace(race(), log=fill(first, line, size)))

    return make


def of_inputs(size: int) -> bytes:
    """A game of answers that are chained as they should be, and all are the same."""
    log: list[Fields] = [msgspec.json.decode(raw) for raw in RACE.read_bytes().splitlines()]
    answer = next(line for line in log if line["type"] == "action_played") | {"at": log[-1]["at"]}
    return format_bundle(msgspec.structs.replace(race(), log=chain_again(log[0], answer, size // 460)))


def chain_again(first: Fields, line: Fields, count: int) -> bytes:
    """Return a log of one line again and again, each at its place and by a command of its own."""
    commands = ({"command": f"0199c0de-0000-7000-8000-{number:012x}"} for number in range(count))
    return b"".join(raw + b"\n" for raw in chained([first, *(line | command for command in commands)]))


def of_acts(count: int) -> bytes:
    """A record of acts that are all possible, with a long reason."""
    bundle = audited_record.bundle_of(audited_record.specimen())
    lines: list[Fields] = [msgspec.json.decode(raw) for raw in bundle.log.splitlines()]
    act = next(line for line in lines if line["type"] == "account_muted")
    said = {"data": act["data"] | {"reason": "x" * TEXT_LENGTH}}
    return format_record_bundle(msgspec.structs.replace(bundle, log=chain_again(lines[0], act | said, count)))


def of_words(count: int) -> bytes:
    """A tournament whose organisers announce and announce."""
    bundle = audited_tournament.bundle(audited_tournament.cup())
    opened: Fields = msgspec.json.decode(bundle.log.splitlines()[0])
    organiser = next(iter(opened["data"]["organisers"]))
    word = {"base": None, "by": f"organiser:{organiser}", "sig": None, "type": "announced"}
    line = opened | word | {"data": {"entrants": [], "text": "x" * TEXT_LENGTH}}
    log = chain_again(opened, line, count)
    return format_tournament_bundle(msgspec.structs.replace(bundle, games=(), log=log))


def of_record(size: int) -> bytes:
    bundle = audited_record.bundle_of(audited_record.specimen())
    first, second = bundle.log.splitlines()[:2]
    line = encode(msgspec.json.decode(second) | {"data": hold([[]])})
    return format_record_bundle(msgspec.structs.replace(bundle, log=fill(first, line, size)))


def of_tournament(size: int) -> bytes:
    bundle = audited_tournament.bundle(audited_tournament.cup())
    first, second = bundle.log.splitlines()[:2]
    line = encode(msgspec.json.decode(second) | {"data": hold([[]])})
    return format_tournament_bundle(msgspec.structs.replace(bundle, games=(), log=fill(first, line, size)))


def of_dear_games(inputs: int) -> bytes:
    """A tournament each of whose games is dear."""
    bundle = audited_tournament.bundle(audited_tournament.cup())
    dear = of_speeds(inputs)
    games = tuple(GameMember(game=member.game, raw=dear) for member in bundle.games)
    return format_tournament_bundle(msgspec.structs.replace(bundle, games=games))


def of_hands(inputs: int) -> bytes:
    """Hands as large as a box may give, of cards that go together, for clocks that run out."""
    data: Any = copy.deepcopy(charioteer.DATA)
    data["numbers"]["hand_size"]["value"] = 16
    data["numbers"]["hand_cards_max"]["value"] = 5
    data["numbers"]["matching_cards_min"]["value"] = 1
    data["cards"] = [{"source": "inferred", "faces": ["green-2 green-2 green-2"] * 400}]
    return play("charioteer", data, inputs)


def of_speeds(inputs: int) -> bytes:
    """Chariots of the highest speed that a box may give, and dice that all steer."""
    data: Any = copy.deepcopy(chariot_race.DATA)
    data["numbers"] |= {"sprint_speed": 24, "laps": 1_000, "caltrops": 1_000}
    data["basic"] |= {
        "speed_by_damage": [24] * 24, "dice_up_to": [24], "speed": 24, "fate": 1_000, "fate_max": 1_000
    }  # fmt: skip
    data["die"]["faces"] = ["steer"] * 20
    return play("chariot-race", data, inputs)


def of_pieces(inputs: int) -> bytes:
    """A course of as many pieces as a box may give, and as many collisions after one."""
    data: Any = copy.deepcopy(chariotmaster.DATA)
    first, arc, long, _, last = data["courses"][0]["pieces"]
    half = {**arc, "degrees": arc["degrees"] // 2}
    shorter = [{**piece, "length_mm": piece["length_mm"] // 20} for piece in (first, long) for _ in range(20)]
    data["courses"][0]["pieces"] = [*shorter[:20], half, half, *shorter[20:], half, half, last]
    data["numbers"]["default"] |= {"cascade_collisions_max": 100}
    return play("chariotmaster", data, inputs)


def play(name: str, data: Json, inputs: int) -> bytes:
    """Play with a box of one's own: every clock runs out, and the rules look at all that could have been done."""
    rules = _find_kit(name).build(data)
    table = RaceTable(
        catalogue=Catalogue([rules]),
        ruleset=name,
        components=hash_components(rules),
        seats=6,
        clock=with_clock(),
    )
    table.start()
    for _ in range(inputs):
        if table.game.status != "running":
            break
        decision = table.waiting()[0]
        table.now += AWAY_MS
        table.expire(decision.seat, decision.id)
    if table.game.status == "running":
        # With its secret every line of it is decided again.
        table.abort()
    log = b"".join(raw + b"\n" for raw in table.raws)
    return format_bundle(Bundle(log=log, components=rules.components, howto=build_howto(GAME)))


@cache
def _find_kit(name: str) -> Kit:
    kit = find_kit(name)
    assert kit is not None, name
    return kit


LOG, TOURNAMENT_LOG = 16 * 1024 * 1024, 64 * 1024 * 1024
HOSTILE = (
    Hostile(name="lists in lists", make=of_game(hold([[[[]]]])), some=130_000, many=LOG),
    Hostile(name="lists beside letters", make=of_game(hold([["é"]])), some=130_000, many=LOG),
    Hostile(name="empty objects", make=of_game(hold({})), some=130_000, many=LOG),
    Hostile(name="short texts", make=of_game(hold("ab")), some=130_000, many=LOG),
    Hostile(name="many keys", make=of_game({f"{key:x}": 0 for key in range(6_500)}), some=130_000, many=LOG),
    Hostile(name="lines of nothing", make=of_game({}), some=130_000, many=LOG),
    Hostile(name="one answer again and again", make=of_inputs, some=40_000, many=LOG - 500_000),
    Hostile(name="charioteer: hands of 16 cards", make=of_hands, some=2, many=120, gives="unvouched"),
    Hostile(name="chariot race: speeds of 24", make=of_speeds, some=1, many=40, gives="unvouched"),
    Hostile(name="chariotmaster: 64 pieces", make=of_pieces, some=2, many=200, gives="unvouched"),
    Hostile(name="an operators' record of lists", make=of_record, some=130_000, many=TOURNAMENT_LOG),
    Hostile(name="an operators' record of acts", make=of_acts, some=50, many=LINES_MAX - 1),
    Hostile(name="a tournament of lists", make=of_tournament, some=130_000, many=TOURNAMENT_LOG),
    Hostile(name="a tournament of announcements", make=of_words, some=50, many=AUDITED_LINES_MAX - 1),
    Hostile(name="a tournament of dear games", make=of_dear_games, some=1, many=12),
)
