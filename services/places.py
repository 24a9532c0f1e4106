"""Where a process finds its servers. The URLs carry passwords, so the value prints none of them."""

from msgspec import Struct


class Places(Struct, frozen=True, kw_only=True):
    database_url: str
    owner_url: str
    redis_url: str | None

    def __repr__(self) -> str:
        return "Places(…)"
