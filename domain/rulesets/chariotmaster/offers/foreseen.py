"""Previews of an action: all its certain effects, and for the rest how many dice on which table."""

from msgspec import Struct

from domain.rulesets.chariotmaster.box.building import Fitting
from domain.rulesets.chariotmaster.offers.choices import End, GrabOdds, MetPart, Odds, TokenOffer
from domain.rulesets.chariotmaster.race.board import AttackMeans, GraspAim
from domain.rulesets.chariotmaster.race.outcomes import DefenceMeans, SpeedChange
from domain.rulesets.chariotmaster.table.shapes import Pose


class Price(Struct, frozen=True, kw_only=True):
    """Stamina to pay. Each point that is not there is a roll on the stamina table, which comes first."""

    stamina: int
    table_rolls: int
    table_modifier: int


class Dice(Struct, frozen=True, kw_only=True):
    """The dice of both sides: each die that shows one of so many of six faces takes a point from the other side."""

    own: int
    theirs: int
    hit_faces: int


class Clash(Struct, frozen=True, kw_only=True):
    """The first part in the way, and the dice of the collision."""

    met: MetPart
    dice: Dice


class Way(Struct, frozen=True, kw_only=True):
    """A straight way, up to its first contact, if any."""

    before: Pose
    after: Pose
    distance_um: int
    clash: Clash | None


class SpeedForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="change_speed"):
    """The token's distances with the lowest and with the highest face of the die."""

    change: SpeedChange
    price: Price
    min_um: tuple[int, int]
    max_um: tuple[int, int]


class AnnounceForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="announce"):
    """The odds of the test, and the skid after a failure without brakes."""

    odds: Odds
    skid: Way


class SubMoveForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="make_sub_move"):
    """The way, and where the chariot rests after the pivot. A small piece may hold or move it: no end then."""

    price: Price
    way: Way
    end: End | None
    left_um: int


class UTurnForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="make_u_turn"):
    end: End


class GoOnForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="go_on"):
    way: Way


class StopForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="stop"):
    travelled_um: int


class AttackForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="attack"):
    """Rams and bites roll `dice`. Of 36 throws of two dice a duel of drivers is won and drawn in so many."""

    means: AttackMeans
    price: Price
    may_be_defended: bool
    dice: Dice | None
    duel_won: int | None
    duel_drawn: int | None


class TokenForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="put_token"):
    chariot: int
    offer: TokenOffer


class LuckForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="luck"):
    faces: tuple[int, ...]
    modifies_left: int


class DefenceForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="defence"):
    """Without odds it needs no roll."""

    means: DefenceMeans | None
    price: Price
    odds: Odds | None


class BuildForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="build_chariot"):
    points: int
    fitting: Fitting


class WalkForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="walk"):
    """Where each leg ends. A driver who touches the edge of the track in the end leaves it."""

    poses: tuple[Pose, ...]
    distance_um: int
    leaves_track: bool


class CutLooseForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="cut_loose"):
    odds: Odds


class ClimbForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="climb"):
    """No hand holds the reins until he is back. He grabs at the end of the next turn, by the token of that turn."""

    aim: GraspAim
    odds: tuple[GrabOdds, ...]


class StayForeseen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="stay"):
    """A driver who hangs on is dragged on, for so much health at the start of his next turn."""

    health_min: int
    health_max: int


MoveForeseen = (
    SpeedForeseen | AnnounceForeseen | SubMoveForeseen | UTurnForeseen | GoOnForeseen | StopForeseen | AttackForeseen
)
AftermathForeseen = WalkForeseen | CutLooseForeseen | ClimbForeseen | StayForeseen
Foreseen = MoveForeseen | TokenForeseen | LuckForeseen | DefenceForeseen | BuildForeseen | AftermathForeseen
