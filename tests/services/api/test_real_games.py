"""Every ruleset of this release over HTTP to its end: each board of it can be read, and the log decides again."""

from typing import Any

import msgspec
import pytest

from domain.chance import Secret
from domain.game.evolve import settle
from domain.game.kind import GAMES
from domain.ids import StreamVersion
from domain.rulesets.released import KITS
from services.commands.catalogue import build_catalogue
from simulate.stores.event_store import MemoryEventStore
from tests.database import Database
from tests.domain.log.redeciding import redecide
from tests.services.api.player import GAME, Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.reading.test_shown import list_choosing

COMMANDS_MAX = 3_000
SHORT: dict[str, dict[str, Any]] = {
    "charioteer@1": {"laps": 1, "turns_max": 8},
    "chariot-race@1": {"rounds_max": 4},
    "chariotmaster@1": {"laps": 1, "turns_max": 5},
}


async def answer_by_default(api: Api, players: list[Player]) -> bool:
    """Act for one seat as its clock would; return whether a seat was waited for."""
    shown = await expect(players[0].get(), 200)
    waited_for = next((each for each in shown["owed"] if each["is_waited_for"]), None)
    if waited_for is None:
        return False
    game = settle(await api.parts.games.histories.read_newest(GAME, "secret"))
    owed = next(due.decision for due in game.owed if due.decision.id == waited_for["decision"])
    action = msgspec.to_builtins(game.ruleset.default_action(game.board, owed))
    player = players[waited_for["seat"]]
    asked = {"seat": owed.seat, "decision": owed.id, "action": action}
    await expect(player.post(f"/games/{GAME}/previews", asked), 200)
    answer = player.entrust if owed.kind == "sealed" else player.play
    await expect(answer(owed.id, action), 200)
    return True


async def read_boards(player: Player) -> list[dict[str, Any]]:
    boards: list[dict[str, Any]] = []
    start = 1
    while start:
        page = await expect(player.get("/boards", **{"from": start}), 200)
        boards += page["items"]
        start = page["next"]
    return boards


@pytest.mark.parametrize("ruleset", sorted(SHORT))
async def test_a_game_is_played_to_its_end_and_every_board_can_be_read(database: Database, ruleset: str) -> None:
    async with running_api(database, kits=KITS) as api:
        players = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob", "Cem"))]
        await expect(players[0].open(ruleset=ruleset, seats=3, options=SHORT[ruleset]), 201)
        for seat, player in enumerate(players):
            await expect(player.take(seat), 200)
        for player in players:
            await expect(player.ready(), 200)

        for _ in range(COMMANDS_MAX):
            if not await answer_by_default(api, players):
                break

        shown = await expect(players[0].get(), 200)
        boards, *seats = [await read_boards(player) for player in (Player(api, None), *players)]
        lines = (await api.parts.store.load_stream(GAME)).lines

    assert shown["status"] == "finished"
    assert [board["version"] for board in boards] == list(range(1, shown["version"] + 1))
    for item in (board for viewed in (boards, *seats) for board in viewed):
        assert item["choices"].keys() == set(list_choosing(item)), item["version"]
        assert all("kind" in choices for choices in item["choices"].values())
    assert not any(board["choices"] for board in boards)
    assert all(any(item["choices"] for item in viewed) for viewed in seats)
    game = redecide(GAMES, lines, await build_catalogue(MemoryEventStore()), Secret(bytes(range(32))))
    assert game.version == StreamVersion(len(lines))


def test_every_ruleset_of_this_release_is_played_here() -> None:
    assert len(SHORT) == len(KITS)
