"""Outcomes of draws: places on the grid and tokens from the mug. Stored for ever."""

from collections.abc import Mapping

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.board import Slip
from domain.rulesets.chariotmaster.table.shapes import Pose


class ChariotPlaced(Struct, frozen=True, kw_only=True):
    """A chariot was drawn for the start, and stands on the grid: rows from the front, places from the inside."""

    chariot: int
    row: int
    place: int
    pose: Pose
    extra_stamina: int


class MugFilled(Struct, frozen=True, kw_only=True):
    """A game turn began: all chariots on the table are in the mug, each with the tokens it may choose from."""

    game_turn: int
    slips: tuple[Slip, ...]


class MugClosed(Struct, frozen=True, kw_only=True):
    """Every token that could be chosen is in the mug."""

    game_turn: int


class ChariotDrawn(Struct, frozen=True, kw_only=True):
    """A chariot's token was drawn from the mug; the others stay in."""

    chariot: int


class TokenShown(Struct, frozen=True, kw_only=True):
    """A drawn token lies open. `token` is the one that counts, if the one put in has been lost meanwhile."""

    chariot: int
    put_in: TokenName
    token: TokenName


class TokenLapsed(Struct, frozen=True, kw_only=True):
    """A chariot lost control while its token was in the mug: that stays unseen, and it runs by this one."""

    chariot: int
    token: TokenName


class TokenForfeited(Struct, frozen=True, kw_only=True):
    """A token was not shown, or was none that the chariot could put in: it is halted the dear way."""

    chariot: int
    token: TokenName


DrawnOutcome = ChariotPlaced | MugFilled | MugClosed | ChariotDrawn | TokenShown | TokenLapsed | TokenForfeited

DRAWN_OUTCOME_TYPES: Mapping[str, type[DrawnOutcome]] = {
    "chariot_placed": ChariotPlaced,
    "mug_filled": MugFilled,
    "mug_closed": MugClosed,
    "chariot_drawn": ChariotDrawn,
    "token_shown": TokenShown,
    "token_lapsed": TokenLapsed,
    "token_forfeited": TokenForfeited,
}
