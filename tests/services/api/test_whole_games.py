"""A whole game of Torches over HTTP: both custodies, links and signatures, and a log for outsiders to decide again."""

from typing import Any

import pytest

from domain.chance import Secret
from domain.game.kind import GAMES
from domain.ruleset.catalogue import Catalogue
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Torches
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api

TURNS_MAX = 400


def choose(shown: dict[str, Any], owed: dict[str, Any]) -> dict[str, Any]:
    """Choose an action as a simple player would, from the seat's own view."""
    if "/bid/" in owed["decision"]:
        hand = [number for number, _face in shown["board"]["places"][owed["seat"]]["hand"]]
        return {"card": hand[0], "drop": hand[1] if len(hand) > 1 else None, "kind": "bid"}
    if "/shield/" in owed["decision"]:
        return {"is_raised": False, "kind": "shield"}
    return {"kind": "strike", "target": 1 - owed["seat"]}


async def act(player: Player, *, is_own_custody: bool, sealed: dict[str, dict[str, Any]]) -> bool:
    """Do one thing that the seat owes; state whether there was any."""
    shown = await expect(player.get(), 200)
    mine = [each for each in shown["owed"] if each["seat"] == player.seat and each["is_waited_for"]]
    for owed in mine:
        decision = owed["decision"]
        if owed["kind"] == "plain":
            await expect(player.play(decision, choose(shown, owed)), 200)
        elif owed["kind"] == "opening":
            await expect(player.reveal(decision, sealed[decision]), 200)
        else:
            sealed[decision] = choose(shown, owed)
            answer = player.seal if is_own_custody else player.entrust
            await expect(answer(decision, sealed[decision]), 200)
        return True
    return False


async def play_to_the_end(players: list[Player], own: tuple[bool, ...]) -> dict[str, Any]:
    sealed: dict[str, dict[str, Any]] = {}
    for _ in range(TURNS_MAX):
        shown: dict[str, Any] = await expect(players[0].get(), 200)
        if shown["status"] != "running":
            return shown
        done = [
            await act(each, is_own_custody=is_own, sealed=sealed) for each, is_own in zip(players, own, strict=True)
        ]
        assert any(done), shown["owed"]
    raise AssertionError("the game goes on for ever")


@pytest.mark.parametrize("own", [(True, True), (False, False), (True, False)], ids=["own", "server", "mixed"])
@pytest.mark.parametrize("is_signing", [True, False], ids=["signed", "unsigned"])
async def test_a_whole_game_is_played_and_decides_again_byte_for_byte(
    api: Api, own: tuple[bool, ...], *, is_signing: bool
) -> None:
    players = [
        await register(api, name, number=number, links=200, is_signing=is_signing)
        for number, name in enumerate(("Ada", "Bob"))
    ]
    await expect(players[0].open(options={"rounds": 2}, demands=["signed"] if is_signing else []), 201)
    for seat, player in enumerate(players):
        await expect(player.take(seat), 200)
    for player in players:
        await expect(player.ready(), 200)

    shown = await play_to_the_end(players, own)

    log = await players[0].get("/events", headers={"accept": "application/x-ndjson"})
    lines = log.content.splitlines()
    assert shown["status"] == "finished"
    assert shown["ranking"]
    game = redecide(GAMES, lines, Catalogue([Torches()]), Secret(bytes(range(32))))
    assert game.version == len(lines) == shown["version"]
    assert sum(b'"sig":"' in line for line in lines) == (
        0 if not is_signing else sum(b'"by":"seat:' in x for x in lines)
    )
