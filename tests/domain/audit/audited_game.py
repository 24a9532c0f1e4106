"""One finished game with something of everything, from which forgeries are made, and bundles of logs."""

from functools import cache

from domain.audit.bundle import Bundle, build_howto
from domain.audit.check import always
from domain.audit.findings import Broken, Unchecked
from domain.audit.verify import CHECKS, Verified, verify
from domain.canonical import Json
from domain.log.actors import ByOrganiser, ByPlayer
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import Builders, Rebuilder
from tests.domain.game.fake_ruleset_mug import Mug
from tests.domain.game.game_harness import GAME, ORGA, PLAYERS, RULES, Table, public_hex, signing_key, with_clock
from tests.domain.rulesets.fake_ruleset_torches import Strike, Torches

# Seats 0 and 1 and the organiser sign; seat 2 does not, so that the operator can put words into its mouth.
KEYS = {seat: signing_key(seat + 1) for seat in (0, 1)}
ORGANISER_KEY = signing_key(9)
FORGERS_KEY = signing_key(13)
OPTIONS = {"lives": 2, "omens": 3, "rounds": 2}


def build_torches(components: Json) -> AnyRuleset:
    assert isinstance(components, dict)
    return Torches(components["cards"])


def build_mug(_: Json) -> AnyRuleset:
    return Mug()


BUILDERS: Builders = {("torches", 1): build_torches, ("mug", 1): build_mug}


@cache
def specimen() -> tuple[bytes, ...]:
    """Seat 0 keeps its seals itself, puts one twice and lets a clock run out; seat 1 and 2 entrust theirs."""
    table = Table(clock=with_clock(), options=OPTIONS, organisers={ORGA: public_hex(ORGANISER_KEY)})
    table.keys = {ByPlayer(player=PLAYERS[seat]): key for seat, key in KEYS.items()}
    table.keys[ByOrganiser(organiser=ORGA)] = ORGANISER_KEY
    for seat in range(3):
        table.now += 1_000
        table.take(seat, key=public_hex(KEYS[seat]) if seat in KEYS else None)
    for seat in range(3):
        table.now += 1_000
        table.ready(seat)
    table.extend(0, 2)
    (own,) = table.owed(0)
    table.seal(0, table.default(own), salt="44" * 32)
    table.now += 1_000
    table.seal(0, table.default(own))
    while table.game.status == "running":
        table.now += 1_000
        _answer_next(table)
    return tuple(table.raws)


@cache
def paused_specimen() -> tuple[bytes, ...]:
    """A game paused for ten minutes, and ended by consent after an answer."""
    table = Table(clock=with_clock(), options=OPTIONS).start()
    for seat in range(3):
        table.consent(seat, "pause")
    table.now += 600_000
    table.end_pause(0)
    table.answer_by_default(table.owed(0)[0])
    for seat in range(3):
        table.consent(seat, "end")
    return tuple(table.raws)


def _answer_next(table: Table) -> None:
    opening = next((decision for decision in table.owed(0) if decision.kind == "opening"), None)
    if opening is not None:
        table.reveal(0, table.default(opening), decision=opening.id)
        return
    # The left hand comes last: its clock runs out once a round, and takes no other decision with it.
    decision = table.waiting()[-1]
    if decision.kind == "sealed" and decision.seat == 0:
        table.seal(0, table.default(decision), decision=decision.id)
    elif "/left/" in decision.id:
        table.now += 600_000
        table.expire(decision.seat, decision.id)
    elif decision.kind == "plain" and "/shield/" not in decision.id:
        others = [seat for seat in range(3) if seat != decision.seat]
        table.play(decision.seat, decision.id, Strike(target=others[0]))
    else:
        table.answer_by_default(decision)


def bundle_of(raws: list[bytes] | tuple[bytes, ...], components: bytes = RULES.components) -> Bundle:
    return Bundle(log=b"".join(raw + b"\n" for raw in raws), components=components, howto=build_howto(GAME))


# These look at the ledger, which a bundle may be without.
OF_THE_LEDGER = {"inclusion", "checkpoint", "witnesses", "times"}
OFFLINE = tuple(check for check in CHECKS if check.name not in OF_THE_LEDGER and check.is_asked is always)


def audit(bundle: Bundle, *, without: str = "") -> Verified:
    """Run the checks without the ledger."""
    return verify(bundle, rebuilder=Rebuilder(BUILDERS), checks=[check for check in OFFLINE if check.name != without])


def broken_in(verified: Verified) -> dict[str, Broken]:
    """Return the names of the checks that did not hold."""
    return {finding.check: finding.result for finding in verified.report.broken if isinstance(finding.result, Broken)}


def unchecked_in(verified: Verified) -> dict[str, str]:
    return {
        finding.check: finding.result.reason
        for finding in verified.report.unchecked
        if isinstance(finding.result, Unchecked)
    }
