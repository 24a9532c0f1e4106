"""The opening of a game: terms on which players can rely before they sit down."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from domain.canonical import encode
from domain.chance import Secret, SecretDoesNotFit, commit, derive_anchors
from domain.game.events import ClockTerms
from domain.game.kind import GAMES
from domain.game.opening import decide_opening
from domain.game.rejections import UnfitTerms, WrongSeatCount
from domain.ids import CommandId, GameId, OrganiserId, PlayerId, StreamId
from domain.log.actors import ByOrganiser, ByPlayer
from domain.log.events import PROOF_CHARS_MAX
from domain.log.record import AT_MAX_MS
from domain.log.rejections import (
    AlreadyWitnessed,
    DemandNotMet,
    NotAllowed,
    SignatureUnwanted,
    UnfitEvent,
    UnfitOptions,
    UnfitProof,
)
from domain.log.replay import replay
from domain.rejection import IllegalAction, Rejection
from domain.ruleset.catalogue import UnknownRuleset, hash_components
from tests.domain.game.game_harness import (
    ADA,
    CATALOGUE,
    CLOCK,
    GAME,
    OPERATOR,
    ORGA,
    ORGANISER,
    RULES,
    SECRET,
    SERVER,
    Table,
    opening,
    prove_opening,
    public_hex,
    signing_key,
    with_clock,
)
from tests.domain.log.redeciding import LineDoesNotFollow, redecide

OTHERS = [OrganiserId(f"0199c0de-0000-7000-8000-0000000001{place:02d}") for place in range(17)]


def opened(**terms: Any) -> dict[str, Any]:
    (entry,) = decide_opening(opening(**terms), CATALOGUE).entries
    return entry.line.data


def test_the_first_line_binds_the_operator_to_one_secret() -> None:
    data = opened()

    assert data["commit"] == sha256(b"spina/commit/v1\0" + GAME.encode() + b"\0" + SECRET).hexdigest()
    assert data["anchors"] == list(derive_anchors(SECRET, RULES.link_chains))
    assert data["commit"] == commit(GAME, SECRET)
    assert SECRET.hex() not in str(data)


def test_the_first_line_names_the_rules_to_the_byte_of_their_components() -> None:
    assert opened()["ruleset"] == {"components": hash_components(RULES), "name": "torches", "version": 1}


def test_options_are_written_out_with_their_defaults() -> None:
    assert opened(options={"rounds": 5})["options"] == {"rounds": 5, "lives": 3, "omens": 0}


def test_demands_are_written_in_ascending_order() -> None:
    assert opened(demands=("signed", "links", "own_custody"))["demands"] == ["links", "own_custody", "signed"]


def test_organisers_are_published_with_their_keys() -> None:
    key = public_hex(signing_key(9))

    assert opened(organisers={ORGA: key, OTHERS[0]: None})["organisers"] == {ORGA: key, OTHERS[0]: None}


@pytest.mark.parametrize(("actor", "by"), [(ByPlayer(player=ADA), f"player:{ADA}"), (ORGANISER, f"organiser:{ORGA}")])
def test_a_player_or_an_organiser_opens_a_game(actor: ByPlayer | ByOrganiser, by: str) -> None:
    (entry,) = decide_opening(opening(actor=actor), CATALOGUE).entries

    assert entry.line.by == by
    assert (entry.line.stream, str(entry.line.command)) == (GAME, GAME)
    assert entry.line.version == 1


REFUSED: list[tuple[dict[str, Any], type[Rejection]]] = [
    ({"actor": OPERATOR}, NotAllowed),
    ({"actor": CLOCK}, NotAllowed),
    ({"actor": SERVER}, NotAllowed),
    ({"ruleset": "torch"}, UnknownRuleset),
    ({"ruleset_version": 2}, UnknownRuleset),
    ({"components": "00" * 32}, UnknownRuleset),
    ({"seats": 1}, WrongSeatCount),
    ({"seats": 5}, WrongSeatCount),
    ({"seats": 0}, UnfitEvent),
    ({"seats": 13}, UnfitEvent),
    ({"options": {"round": 3}}, UnfitOptions),
    ({"options": {"rounds": 0}}, UnfitOptions),
    ({"options": {"rounds": 1.0}}, UnfitOptions),
    ({"options": {"rounds": "3"}}, UnfitOptions),
    ({"options": {"rounds": 20, "omens": 2000}}, IllegalAction),
    ({"clock": ClockTerms(per_decision_ms=0, bank_ms=0)}, UnfitEvent),
    ({"clock": ClockTerms(per_decision_ms=1, bank_ms=-1)}, UnfitEvent),
    ({"clock": ClockTerms(per_decision_ms=10**12, bank_ms=0)}, UnfitEvent),
    ({"visibility": "secret"}, UnfitEvent),
    ({"delay_s": -1}, UnfitEvent),
    ({"delay_s": 86_401}, UnfitEvent),
    ({"demands": ("links", "links")}, UnfitTerms),
    ({"demands": ("silence",)}, UnfitEvent),
    ({"organisers": dict.fromkeys(OTHERS)}, UnfitTerms),
    ({"organisers": {OrganiserId("orga"): None}}, UnfitEvent),
    ({"organisers": {ORGA: "AB" * 32}}, UnfitEvent),
    ({"leaf_key": "55" * 31}, UnfitEvent),
    ({"sig": "ab" * 64}, SignatureUnwanted),
    ({"id": CommandId("x"), "stream": GameId(StreamId("x"))}, UnfitEvent),
    ({"actor": ByPlayer(player=PlayerId("ada"))}, UnfitEvent),
    ({"at_ms": -5}, UnfitEvent),
    ({"at_ms": AT_MAX_MS + 1}, UnfitEvent),
    ({"seats": True}, UnfitEvent),
    ({"ruleset": "\ud800"}, UnfitEvent),
    ({"options": []}, UnfitOptions),
    ({"options": {"rounds": "\ud800"}}, UnfitOptions),
    ({"options": {"rounds": 2**70}}, UnfitOptions),
]


@pytest.mark.parametrize(("terms", "rejection"), REFUSED, ids=[str(terms)[:50] for terms, _ in REFUSED])
def test_terms_that_do_not_fit_are_refused(terms: dict[str, Any], rejection: type[Rejection]) -> None:
    with pytest.raises(rejection) as refused:
        decide_opening(opening(**terms), CATALOGUE)

    assert refused.value.expected
    assert refused.value.found


def test_a_secret_that_does_not_fit_the_anchors_is_noticed_when_folding() -> None:
    table = Table()

    with pytest.raises(SecretDoesNotFit):
        replay(GAMES, table.raws, CATALOGUE, secret=type(SECRET)(bytes(32)))


def test_a_witnessed_opening_is_demanded_before_the_first_seat() -> None:
    table = Table(demands=("witnessed_opening",))

    with pytest.raises(DemandNotMet):
        table.take(0)
    table.witness()
    table.take(0)

    assert table.types == ["game_opened", "opening_witnessed", "seat_taken"]


def test_an_opening_is_witnessed_once_and_only_before_the_first_seat() -> None:
    table = Table()
    table.witness()
    seated = Table()
    seated.take(0)

    for late in (table, seated):
        with pytest.raises(AlreadyWitnessed):
            late.witness()


BAD_PROOFS: dict[str, Callable[[str], str]] = {
    "no proof": lambda _: "proof",
    "a proof that nobody signed": lambda _: "c2sp.org/tlog-proof@v1\nnobody signed this\n",
    "a proof that is cut": lambda proof: proof[:-1],
    "a proof behind a space": lambda proof: f" {proof}",
    "a proof with something after it": lambda proof: f"{proof}\u00e9\n",
    "a proof with a zero byte": lambda proof: proof.replace("example", "exam\0ple", 1),
    "nothing but an end": lambda _: "\n",
    "a proof at another index": lambda proof: proof.replace("index 0", "index 1"),
    "a proof under another root": lambda proof: proof.replace("\n1\n", "\n2\n"),
    "a proof of another game": lambda _: prove_opening(Table(secret=Secret(bytes(32))).raws[0]),
    "a proof by another leaf key": lambda _: prove_opening(Table().raws[0], leaf_key="66" * 32),
}


@pytest.mark.parametrize("spoil", BAD_PROOFS.values(), ids=list(BAD_PROOFS))
def test_what_does_not_prove_this_first_line_is_refused(spoil: Callable[[str], str]) -> None:
    table = Table()

    with pytest.raises(UnfitProof) as refused:
        table.witness(spoil(prove_opening(table.raws[0])))

    assert refused.value.expected.startswith("a proof that the ledger has line 1")


def test_a_proof_that_does_not_fit_is_noticed_in_a_log() -> None:
    table = Table()
    proof = prove_opening(table.raws[0])
    table.witness(proof)
    other = proof.replace("index 0", "index 1")

    with pytest.raises(LineDoesNotFollow):
        redecide(GAMES, [table.raws[0], table.raws[1].replace(encode(proof), encode(other))], CATALOGUE, SECRET)


@pytest.mark.parametrize("proof", ["", "x" * 16_385])
def test_a_proof_of_no_size_or_of_too_much_is_refused(proof: str) -> None:
    with pytest.raises(UnfitEvent):
        Table().witness(proof)


@pytest.mark.parametrize("character", ["\\", "\u00e9"])
def test_a_long_proof_fits_a_line_whatever_it_is_written_in(character: str) -> None:
    table = Table(clock=with_clock())
    origin = character * (9_800 // len(character.encode()))

    assert table.witness(prove_opening(table.raws[0], origin=origin)).entries


def test_a_proof_that_would_not_fit_a_line_is_refused() -> None:
    table = Table()
    proof = prove_opening(table.raws[0])

    with pytest.raises(UnfitProof):
        table.witness(proof + "\N{EM DASH}" * (PROOF_CHARS_MAX - len(proof)))
