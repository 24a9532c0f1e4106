"""A race retold from its live region alone: every act, overtaking, crash and the winner, once and in their order."""

import json
from functools import cache
from typing import Any

import msgspec
import pytest

from domain.audit.moments import replay_moments
from domain.rulesets.released import Rebuilder, find_kit
from infra.ruleset_files import load_ruleset, read_words
from services.live.steps import drop_nulls
from services.reading.shown import show_game
from tests.domain.audit.audited_game import bundle_of
from tests.services.web.game_server import BOXES, CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, GOLDEN
from tests.services.web.node import run

# By the golden game: the folder of the ruleset's page, the event of a crash and the words for it.
RACES = {
    CHARIOTEER: ("charioteer", "chariot_withdrawn", "withdraws"),
    CHARIOT_RACE: ("chariot_race", "chariot_wrecked", "is wrecked"),
    CHARIOTMASTER: ("chariotmaster", "chariot_crashed", "crashes"),
}
RETELL = """
const { Retelling, listActs } = await import("./game/acts.js");
const { RaceHistory } = await import("./game/race_history.js");
const { setChariots, setNames } = await import("./parts/names.js");
const { findMove, findPlaces, listChariots } = await import(`./rulesets/${given.folder}/displays.js`);
const { words, lines, moments } = given;
const history = new RaceHistory({ words, findPlaces, turnField: words.turn_field });
history.add(lines);
const log = { between: (after, upTo) => lines.slice(after, upTo) };
setNames(Object.fromEntries(moments[0].seats.map(({ seat }) => [seat, `Driver ${seat}`])));
const retelling = new Retelling({ words, findMove });
const said = [];
let before = 0;
for (const shown of moments) {
  const chariots = shown.board ? listChariots(shown.board) : [];
  setChariots(chariots);
  const passed = log.between(before, shown.version);
  before = shown.version;
  said.push(...retelling.follow(shown, { turns: history.findTurns(before, log), passed, chariots, isOn: true }));
}
const acts = listActs(history.listTurns(log), listChariots(moments.at(-1).board), { findMove });
console.log(JSON.stringify({ said, acts: acts.map(({ name }) => name) }));
"""


@cache
def retell(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    """Return the lines of a golden game, its moments after each command, and its retelling."""
    raws = tuple(GOLDEN[name].read_bytes().splitlines())
    lines = [json.loads(raw) for raw in raws]
    named = lines[0]["data"]["ruleset"]
    kit = find_kit(f"{named['name']}@{named['version']}")
    assert kit is not None
    components = BOXES.get(named["components"], load_ruleset(kit).components)
    moments: list[Any] = [
        drop_nulls(msgspec.to_builtins(show_game(moment.game, None, is_complete=True)))
        for moment in replay_moments(bundle_of(raws, components), Rebuilder(), None)
        if moment.is_complete
    ]
    given = {
        "folder": RACES[name][0],
        "words": msgspec.to_builtins(read_words(kit)),
        "lines": lines,
        "moments": moments,
    }
    retold: dict[str, Any] = run(RETELL, given)
    return lines, moments, retold


def find_leaders(moments: list[dict[str, Any]]) -> list[int]:
    """Find each driver who is first alone where another was before."""
    leaders: list[int] = []
    for moment in moments:
        first = [placing["seat"] for placing in moment.get("ranking") or () if placing["place"] == 1]
        if len(first) == 1 and first != leaders[-1:]:
            leaders += first
    return leaders[1:]


@pytest.mark.parametrize("name", RACES)
def test_every_act_is_said_once_and_in_its_order(name: str) -> None:
    _, _, retold = retell(name)

    told = [said.partition(":")[0] for said in retold["said"] if said.startswith("Driver ") and ": " in said]

    assert told == retold["acts"]
    assert len(told) > 10


@pytest.mark.parametrize("name", RACES)
def test_every_new_leader_and_every_crash_is_said_once(name: str) -> None:
    lines, moments, retold = retell(name)
    _, crash, word = RACES[name]

    leads = [said for said in retold["said"] if said.endswith(" takes the lead.")]
    crashes = sum(said.count(word) for said in retold["said"])

    assert leads == [f"Driver {seat} takes the lead." for seat in find_leaders(moments)]
    assert crashes == sum(line["type"] == crash for line in lines)


@pytest.mark.parametrize("name", RACES)
def test_the_order_at_the_end_is_said_once_and_last(name: str) -> None:
    _, moments, retold = retell(name)
    first = next(placing["seat"] for placing in moments[-1]["ranking"] if placing["place"] == 1)

    orders = [said for said in retold["said"] if said.startswith("Final order")]

    assert orders == retold["said"][-1:]
    assert orders[0].startswith(f"Final order: 1. Driver {first}")
