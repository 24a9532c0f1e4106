"""The house: the players of the server's own bots, one for each seat number, the same on every server.

Their ids are derived, so that a log alone shows which seats were the house's.
"""

from domain.derived_ids import derive_house_player
from domain.ids import SEATS_MAX, PlayerId, Seat

# Famous drivers of Rome; the second part shows players that they race against a bot.
HOUSE_NAMES = tuple(
    f"{name} (house bot)"
    for name in (
        *("Scorpus", "Diocles", "Crescens", "Calpurnianus", "Musclosus", "Teres"),
        *("Felix", "Fuscus", "Epaphroditus", "Polydus", "Pompeius", "Eutyches"),
    )
)
HOUSE: tuple[PlayerId, ...] = tuple(derive_house_player(Seat(seat)) for seat in range(SEATS_MAX))
assert len(HOUSE) == len(HOUSE_NAMES), "every house player has a name"
NAMES_BY_PLAYER = dict(zip(HOUSE, HOUSE_NAMES, strict=True))


def is_house(player: PlayerId) -> bool:
    return player in NAMES_BY_PLAYER
