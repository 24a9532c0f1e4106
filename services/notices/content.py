"""The content of a notice as it is sent, to people as a sentence and to programs as data."""

import msgspec
from msgspec import Struct

from domain.accounts.notice import Notice, NoticeKind
from domain.ids import GameId, Seat, StreamVersion, TournamentId
from domain.log.record import format_at


class NoticeData(Struct, frozen=True, kw_only=True):
    """`game` is the one to play; `deadline` ends a decision or a check-in, `line` has a ruling."""

    game: GameId | None = None
    tournament: TournamentId | None = None
    ruleset: str | None = None
    name: str | None = None
    round: int | None = None
    table: int | None = None
    seat: Seat | None = None
    deadline: str | None = None
    line: StreamVersion | None = None


class Content(Struct, frozen=True, kw_only=True):
    """A notice as it is sent: a sentence, the address of its page below the server's URL, and data for programs."""

    title: str
    text: str
    path: str
    data: NoticeData


class Message(Struct, frozen=True, kw_only=True):
    """The body of a webhook, as Standard Webhooks recommends it."""

    type: NoticeKind
    timestamp: str
    id: str
    account: str
    text: str
    url: str
    data: NoticeData


def encode_message(notice: Notice, content: Content, base: str) -> bytes:
    message = Message(
        type=notice.kind,
        timestamp=format_at(notice.at_ms),
        id=notice.id,
        account=notice.account,
        text=content.text,
        url=base + content.path,
        data=content.data,
    )
    return msgspec.json.encode(message)
