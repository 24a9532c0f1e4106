"""Every projection of this release. Boards are not among them: they are folded when they are asked for, and cached."""

from collections.abc import Sequence
from typing import Any

from projections.folding import Projection
from projections.lobby import LOBBY
from projections.players import PLAYERS
from projections.tournaments import TOURNAMENTS

# A projection whose states the caller does not look into.
AnyProjection = Projection[Any]

# Projections of games; they ignore other streams.
OF_GAMES: Sequence[AnyProjection] = (LOBBY, PLAYERS)
PROJECTIONS: Sequence[AnyProjection] = (*OF_GAMES, TOURNAMENTS)
