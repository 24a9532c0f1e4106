"""The actor of a command: who sends it, as authenticated outside."""

from typing import assert_never

from msgspec import Struct

from domain.ids import OrganiserIdField, PlayerIdField


class ByPlayer(Struct, frozen=True, kw_only=True, tag="by_player"):
    player: PlayerIdField


class ByOrganiser(Struct, frozen=True, kw_only=True, tag="by_organiser"):
    organiser: OrganiserIdField


class ByOperator(Struct, frozen=True, kw_only=True, tag="by_operator"):
    """An operator's account; none where the server acts as its rules state, or at the command line."""

    account: OrganiserIdField | None = None


class ByClock(Struct, frozen=True, tag="by_clock"):
    pass


class ByServer(Struct, frozen=True, tag="by_server"):
    pass


# The stream decides whether the actor may.
Actor = ByPlayer | ByOrganiser | ByOperator | ByClock | ByServer


OPERATOR = "operator"


def find_author(by: str) -> str:
    """Return an author as lists of those who may have it: one operator may do the same as another."""
    return OPERATOR if by.startswith(f"{OPERATOR}:") else by


def name_actor(actor: Actor) -> str:
    """Write the actor as a line's `by` does; a player acts in a game as the seat it holds."""
    match actor:
        case ByPlayer(player=player):
            return f"player:{player}"
        case ByOrganiser(organiser=organiser):
            return f"organiser:{organiser}"
        case ByOperator(account=account):
            return OPERATOR if account is None else f"{OPERATOR}:{account}"
        case ByClock():
            return "clock"
        case ByServer():
            return "server"
        case _:
            assert_never(actor)
