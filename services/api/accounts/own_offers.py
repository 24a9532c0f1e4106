"""Seats that are offered to an account by name: a list apart from its games, so that no number of offers hides a game.

Of an opener only the newest offer is listed, and none that the account declined.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct, UnsetType

from domain.game.evolve import settle
from domain.game.offers import OfferFrom, list_seats_for
from domain.ids import GameId, PlayerId, Seat, StreamVersion
from infra.projection_store import SoughtPlaces
from projections import players
from services.api.accounts.own_players import OwnPlayer, show_players
from services.api.http.parts import Parts

# More invitations than a person answers at one sitting.
OFFERS_MAX = 10
# Rows of one read, and reads until ten openers are found: more than the offers that two networks make to one player in
# the day after which they lapse.
ROWS_MAX, READS_MAX = 200, 5


class OwnOffer(Struct, frozen=True, kw_only=True):
    """A seat that is open to the account by name. `sender` opened the game, and may be declined for all its games."""

    game: GameId
    ruleset: str
    version: StreamVersion
    visibility: str
    seat: Seat
    seats: int
    sender: PlayerId
    sender_name: str | None
    players: tuple[OwnPlayer, ...]
    offered_at: str
    rematch_of: GameId | None


async def list_own_offers(parts: Parts, player: PlayerId, known: Mapping[GameId, OwnOffer]) -> list[OwnOffer]:
    """List an account's newest offers, one of each opener; one known at its newest version is not read again."""
    listed = await _list_newest(parts, player)
    versions = await parts.store.read_versions([item.game for item in listed])
    offers: list[OwnOffer] = []
    for row in listed:
        before = known.get(row.game)
        is_newest = before is not None and before.version == versions.get(row.game)
        offer = before if is_newest else await _show(parts, player, row)
        offers += [] if offer is None else [offer]
    return offers


async def _list_newest(parts: Parts, player: PlayerId) -> Sequence[players.SeatOffer]:
    newest: dict[str, players.SeatOffer] = {}
    before = None
    for _ in range(READS_MAX):
        sought = SoughtPlaces(after=players.BELOW_OFFERS, before=before, now_ms=None)
        rows = await parts.projections.list_places(players.NAME, player, sought, limit=ROWS_MAX)
        offers = [msgspec.json.decode(row.body, type=players.SeatOffer) for row in rows]
        declined = await parts.people.declines.find(
            player, [OfferFrom(game=offer.game, sender=PlayerId(offer.by)) for offer in offers]
        )
        for offer in offers:
            if offer.game not in declined:
                newest.setdefault(offer.by, offer)
        if len(newest) >= OFFERS_MAX or len(rows) < ROWS_MAX:
            break
        before = rows[-1].rank
    return list(newest.values())[:OFFERS_MAX]


async def _show(parts: Parts, player: PlayerId, row: players.SeatOffer) -> OwnOffer | None:
    """Show an offer; None where the list is behind and the offer has ended."""
    game = settle(await parts.games.histories.read_newest(row.game))
    seats = list_seats_for(game, player)
    if not seats:
        return None
    names = await parts.people.accounts.find_names({PlayerId(row.by)})
    rematch_of = game.opened.rematch_of
    return OwnOffer(
        game=game.id,
        ruleset=game.opened.ruleset.reference,
        version=game.version,
        visibility=game.opened.visibility,
        seat=seats[0],
        seats=len(game.seats),
        sender=PlayerId(row.by),
        sender_name=names.get(PlayerId(row.by)),
        players=await show_players(parts.people, game),
        offered_at=row.offered_at,
        rematch_of=None if isinstance(rematch_of, UnsetType) else rematch_of,
    )
