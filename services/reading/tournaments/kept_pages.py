"""Encoded answers about tournaments: after one event an answer is the same for every caller, but for changed names.

A cache: always allowed to be empty.
"""

from collections import OrderedDict

from msgspec import Struct

from domain.ids import StreamVersion, TournamentId

# The standings of four hundred are a hundred kilobytes: the newest pages of all tournaments with readers.
KEPT_SIZE_MAX = 32 * 1024 * 1024


class PageOf(Struct, frozen=True, kw_only=True):
    """Which page, just after which event, in which minute, so that a changed name is shown soon.

    `round` is named where the page is of one alone.
    """

    tournament: TournamentId
    version: StreamVersion
    name: str
    round: int | None = None
    minute: int = 0


class KeptPages:
    """Pages of one process, those used last."""

    def __init__(self, size_max: int = KEPT_SIZE_MAX) -> None:
        self._size_max = size_max
        self._size = 0
        self._pages: OrderedDict[PageOf, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, page: PageOf) -> bytes | None:
        found = self._pages.get(page)
        if found is not None:
            self._pages.move_to_end(page)
        return found

    def keep(self, page: PageOf, body: bytes) -> None:
        """Keep a page that fits, and let those go that were not used for longest until all of them do."""
        if len(body) > self._size_max:
            return
        self._size += len(body) - len(self._pages.pop(page, b""))
        self._pages[page] = body
        while self._size > self._size_max:
            self._size -= len(self._pages.popitem(last=False)[1])
