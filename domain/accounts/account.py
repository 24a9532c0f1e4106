"""Accounts: an id for ever, a role for ever, and a name. The scopes of a role are the most that its tokens may have."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Role = Literal["player", "organiser", "operator"]
Scope = Literal["read", "play", "organise", "account"]

# Must agree with `list_scopes` of the database, by which an account's first token is made.
SCOPES: Mapping[Role, frozenset[Scope]] = {
    "player": frozenset({"read", "play", "account"}),
    "organiser": frozenset({"read", "organise", "account"}),
    "operator": frozenset({"read", "organise", "account"}),
}


class Account(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    role: Role
