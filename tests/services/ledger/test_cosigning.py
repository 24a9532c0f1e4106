"""The pace at which witnesses are asked: their public list's, and slower while they refuse."""

import pytest
from httpx2 import Request, Response

from domain.ledger.policy import PolicyWitness
from services.ledger.cosigning import Cosigning, Patience, WitnessRefused, ask
from services.ledger.proofs import LedgerProofs
from tests.domain.ledger.signing import LOG, WITNESS, publish
from tests.services.ledger.ledger_harness import Rig
from tests.services.ledger.operators_log import client_over

KNOWN = PolicyWitness(name="w1", key=WITNESS.key, url="http://witness.test")


def test_a_witness_that_refuses_is_asked_less_and_less_until_it_cosigns() -> None:
    patience = Patience(every_s=1.0)

    refused = [patience.after_refusal(0.0) for _ in range(7)]
    cosigned = patience.after_answer()
    refused_again = patience.after_refusal(0.0)

    assert refused == [15.0, 30.0, 60.0, 120.0, 240.0, 300.0, 300.0]
    assert (cosigned, refused_again) == (1.0, 15.0)


def test_the_rate_of_a_list_and_the_pause_that_a_witness_asks_for_are_kept() -> None:
    patience = Patience(every_s=3_600.0)

    assert patience.after_answer() == 3_600.0
    assert patience.after_refusal(0.0) == 3_600.0
    assert patience.after_refusal(7_200.0) == 7_200.0


@pytest.mark.parametrize(
    ("header", "retry_after_s"),
    [("120", 120.0), ("999999999", 86_400.0), ("Thu, 19 Nov 2026", 1.0), ("٣", 1.0), ("0", 1.0)],
)
async def test_a_busy_witness_says_when_to_ask_again(rig: Rig, header: str, retry_after_s: float) -> None:
    def answer(_: Request) -> Response:
        return Response(429, headers=[(b"retry-after", header.encode())])

    async with client_over(answer) as client:
        cosigning = Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=client, log_key=LOG.key)
        with pytest.raises(WitnessRefused) as refused:
            await ask(cosigning, KNOWN, publish(0, bytes(32)), old_size=0)

    assert refused.value.retry_after_s == retry_after_s
