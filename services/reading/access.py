"""Who may see which part of a game: one answer for boards, events, live streams and exports, which cannot disagree."""

from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from domain.accounts.account import Scope
from domain.game.offers import find_linked_seat, hash_invitation, list_seats_for
from domain.game.rejections import NoSuchSeat, NotYourSeat
from domain.game.stand_in import find_driven
from domain.game.state import Game
from domain.ids import CommandId, GameId, OrganiserId, PlayerId, Seat, StreamVersion
from domain.log.state import is_over
from infra.networks import UNKNOWN, Network
from services.commands.arena import Arena, NoSuchGame
from services.reading.histories import GameHistories


class Caller(Struct, frozen=True, kw_only=True):
    """The caller, as identified by its token; anonymous without one.

    `token` is the token's id, null for those of the house; it may do what `scopes` states. `link` is the hash of an
    invitation it showed. The network decides nothing but limits.
    """

    player: PlayerId | None = None
    organiser: OrganiserId | None = None
    operator: OrganiserId | None = None
    token: str | None = None
    scopes: frozenset[Scope] = frozenset({"read", "play", "organise"})
    link: str | None = None
    network: Network = UNKNOWN

    @property
    def account(self) -> str | None:
        return self.player or self.organiser or self.operator

    @property
    def is_operator(self) -> bool:
        return self.operator is not None

    @property
    def may_read(self) -> bool:
        """Whether it sees as its account: a token that plays or rules reads too, one that manages alone does not."""
        return not self.scopes.isdisjoint({"read", "play", "organise"})

    @property
    def is_anyone(self) -> bool:
        """Whether it sees no more than the public."""
        return self.account is None and self.link is None


ANYONE = Caller()
# Whether a look of the caller at a game, inside its delay, is on record in its tournament.
Looks = Callable[[Game, Caller], Awaitable[bool]]


def with_invitation(caller: Caller, invitation: str | None) -> Caller:
    """Return the caller with the hash of an invitation; text that is none is passed by."""
    try:
        return caller if invitation is None else replace(caller, link=hash_invitation(invitation))
    except ValueError:
        return caller


def as_reader(caller: Caller) -> Caller:
    """Return the caller as it reads: as the public where its scopes let it read no more."""
    return caller if caller.may_read else Caller(link=caller.link, network=caller.network)


def find_seat(game: Game, caller: Caller) -> Seat | None:
    """Return the seat the caller holds in a game, or drives as the stand-in of its player."""
    player = as_reader(caller).player
    return None if player is None else find_driven(game, player)


def find_viewpoint(game: Game, caller: Caller, asked: int | None) -> Seat | None:
    """Return the seat from which the caller sees a game as it is now: the one asked for, or else their own.

    Another's is shown once the secret is disclosed, as every reader can then compute it; NotYourSeat before that.
    """
    own = find_seat(game, caller)
    if asked is None or asked == own:
        return own
    if not 0 <= asked < len(game.seats):
        raise NoSuchSeat(expected=f"a seat from 0 to {len(game.seats) - 1}", found=f"{asked}")
    if not game.is_disclosed:
        raise NotYourSeat(expected="your own seat, or any once the secret is disclosed", found=f"seat {asked}")
    return Seat(asked)


def is_expected(game: Game, caller: Caller) -> bool:
    """Return whether a seat waits for the caller: by name, by a link, or as a tournament drew it."""
    if game.status != "open":
        return False
    caller = as_reader(caller)
    if caller.link is not None and find_linked_seat(game, caller.link) is not None:
        return True
    return caller.player is not None and bool(list_seats_for(game, caller.player))


def belongs_to(game: Game, caller: Caller) -> bool:
    """Return whether the caller sits at the game, shall sit there, or may rule on it."""
    caller = as_reader(caller)
    is_organiser = caller.organiser is not None and caller.organiser in game.opened.organisers
    return is_organiser or find_seat(game, caller) is not None or is_expected(game, caller)


def may_see(game: Game, caller: Caller) -> bool:
    """Return whether the game exists for the caller at all. Operators see a private one by command, on record."""
    caller = as_reader(caller)
    if game.opened.visibility == "public" or find_seat(game, caller) is not None:
        return True
    if is_expected(game, caller):
        return True
    is_opener = game.opened_by in (f"player:{caller.player}", f"organiser:{caller.organiser}")
    return is_opener or (caller.organiser is not None and caller.organiser in game.opened.organisers)


def may_see_record(player: PlayerId, caller: Caller) -> bool:
    """Return whether private and delayed games count in a player's record for the caller, as they happen.

    Others who sit in a private game see it as itself, and not in the records of those they play with.
    """
    return as_reader(caller).player == player


async def find_visible_version(
    histories: GameHistories, game: GameId, caller: Caller, *, now_ms: int, looks: Looks | None = None
) -> tuple[Game, StreamVersion]:
    """Return the newest game and the last version of it that the caller may see now, or raise NoSuchGame.

    With `looks`, those on record end the delay: for reads of the one game, not for lists, which are folded for all.
    """
    newest = await histories.read_newest(game)
    # A delay would keep an expected player from finding the table.
    if is_expected(newest, caller) or (looks is not None and await looks(newest, caller)):
        version = newest.version
    else:
        version = await find_shown_version(histories, newest, find_seat(newest, caller), now_ms=now_ms)
    if version == 0 or not may_see(newest, caller):
        raise NoSuchGame(expected="the id of a game", found=game)
    return newest, version


async def find_shown_version(
    histories: GameHistories, newest: Game, seat: Seat | None, *, now_ms: int
) -> StreamVersion:
    """Return the last version shown now to a seat, or to those who have none; 0 before the first is."""
    if not newest.opened.delay_s or is_over(newest) or seat is not None:
        return newest.version
    version = await histories.find_version(newest.id, until_ms=now_ms - newest.opened.delay_s * 1000)
    # Later lines than `newest` are not asked about: a player may have sat down by them.
    return min(version, newest.version)


async def require_game(arena: Arena, game: GameId, caller: Caller, *, aborted_by: CommandId | None = None) -> None:
    """Return if the game exists for the sender of a command; else raise NoSuchGame.

    A private game exists for an operator in one command alone: the abort that ends it, as a line of its log.
    """
    if caller.is_operator and aborted_by is not None:
        newest = await arena.read_newest(game)
        if not is_over(newest) or aborted_by in newest.commands:
            return
    # The cached state may be from before the caller was invited or sat down through another process.
    if not may_see(await arena.recall(game), caller) and not may_see(await arena.peek(game), caller):
        raise NoSuchGame(expected="the id of a game", found=game)
