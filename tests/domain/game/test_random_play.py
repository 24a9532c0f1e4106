"""Random games with every kind of event: folding and deciding again agree with the original decision."""

from collections import Counter
from typing import Any

import pytest

from domain.canonical import encode
from domain.game.custody import hold
from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.game.evolve import evolve
from domain.game.kind import GAMES
from domain.game.state import Game, Held
from domain.log.replay import read_entry, replay
from tests.domain.game.game_harness import CATALOGUE, Table
from tests.domain.game.random_play import play_game
from tests.domain.log.redeciding import redecide

SEEDS = range(120)


def public_of(game: Game) -> bytes:
    return b"" if game.board is None else encode(game.ruleset.view(game.board, None))


@pytest.mark.parametrize("first", range(0, len(SEEDS), 20))
def test_folding_the_log_gives_the_decided_game_and_deciding_again_the_same_bytes(first: int) -> None:
    for seed in SEEDS[first : first + 20]:
        table = play_game(seed)
        secret = table.game.chance.secret
        assert secret is not None

        assert hold(replay(GAMES, table.raws, CATALOGUE, secret=secret), table.held) == table.game, seed
        again = redecide(GAMES, table.raws, CATALOGUE, secret)
        assert (again.board, again.seats, again.head) == (table.game.board, table.game.seats, table.game.head), seed


@pytest.mark.parametrize("first", range(0, len(SEEDS), 20))
def test_a_game_can_be_taken_up_from_its_log_after_any_command(first: int) -> None:
    for seed in SEEDS[first : first + 20 : 4]:
        table = play_game(seed)
        for version in list(table.games)[::3]:
            held = [action for action in table.held if action.version <= version]
            game = hold(replay(GAMES, table.raws[:version], CATALOGUE, secret=table.game.chance.secret), held)
            assert game == table.games[version], (seed, version)


@pytest.mark.parametrize("first", range(0, len(SEEDS), 20))
def test_every_reveal_and_play_of_a_player_brings_a_link_while_its_seat_has_any_left(first: int) -> None:
    for seed in SEEDS[first : first + 20]:
        table = play_game(seed)
        left: dict[int, int] = {}
        by_house: dict[str, bool] = {}
        for entry in table.entries:
            data: dict[str, Any] = entry.line.data
            type_ = entry.line.type
            if type_ == "seat_taken":
                left[data["seat"]] = data["links"]
            elif type_ == "action_sealed":
                by_house[data["decision"]] = entry.line.by == "house"
            elif entry.line.by == "house" or (type_ == "action_revealed" and by_house[data["decision"]]):
                assert data["nonce"] is None, (seed, entry.line.version)
            elif type_ in ("seat_readied", "action_revealed", "action_played"):
                assert (data["nonce"] is not None) == (left[data["seat"]] > 0), (seed, entry.line.version)
                left[data["seat"]] -= data["nonce"] is not None


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_whoever_has_no_secret_sees_the_same_public_board_at_every_version(seed: int) -> None:
    table = play_game(seed)
    knowing = replay(GAMES, table.raws[:1], CATALOGUE, secret=table.game.chance.secret)
    blind = replay(GAMES, table.raws[:1], CATALOGUE)

    for raw in table.raws[1:]:
        knowing = evolve(knowing, read_entry(GAMES, raw, knowing.ruleset))
        blind = evolve(blind, read_entry(GAMES, raw, blind.ruleset))

        assert public_of(blind) == public_of(knowing)
        assert blind.chance.pool == knowing.chance.pool

    assert (blind.seats, blind.status) == (knowing.seats, knowing.status)


def test_a_line_is_the_same_as_written_and_as_read() -> None:
    for seed in SEEDS[::6]:
        table = play_game(seed)
        for written in table.entries:
            read = read_entry(GAMES, written.raw, table.game.ruleset)
            # Two that are equal may still be distinguished: True is 1.
            assert (written, repr(written)) == (read, repr(read)), (seed, written.line.version)


def test_nothing_that_can_happen_to_a_game_is_missing_from_these_games() -> None:
    tables = [play_game(seed) for seed in SEEDS]

    seen = Counter(type_ for table in tables for type_ in table.types)

    # Only the games of tournaments are paused by a ruling.
    for type_ in {*INPUT_TYPES, *OUTCOME_TYPES} - {"table_paused"}:
        assert seen[type_] >= 2, type_
    statuses = Counter(table.game.status for table in tables)
    assert min(statuses["finished"], statuses["aborted"]) >= 5
    reasons = Counter(fields["reason"] for table in tables for fields in table.data("action_forfeited"))
    assert min(reasons["illegal"], reasons["unrevealed"]) >= 5
    held = [seat for table in tables for seat in table.game.seats if isinstance(seat, Held)]
    assert sum(action.links is not None and action.links.left == 0 for action in held) >= 5


def test_the_last_line_of_every_game_discloses_its_secret() -> None:
    for seed in SEEDS[::6]:
        table: Table = play_game(seed)

        assert table.types.index("secret_disclosed") == len(table.types) - 1
        assert table.data("secret_disclosed") == [{"secret": (table.game.chance.secret or b"").hex()}]
