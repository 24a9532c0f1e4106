"""Receipts: every answer to an accepted command leaves with the server's signature over what was accepted.

A command sent again gets the same receipt again: what is signed is the same, and so is the signature.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Response
from msgspec.structs import replace

from infra.ledger_keys import ReceiptSigner
from services.arena import Answer


def build_receipting(signer: ReceiptSigner) -> Callable[[Response[Any]], Awaitable[Response[Any]]]:
    """Build what the app does to each response before it is encoded."""

    async def add_receipt(response: Response[Any]) -> Response[Any]:
        if isinstance(response.content, Answer):
            response.content = sign_answer(signer, response.content)
        return response

    return add_receipt


def sign_answer(signer: ReceiptSigner, answer: Answer) -> Answer:
    receipt = signer.sign(hash_=answer.head, stream=answer.game, version=answer.last_version)
    return replace(answer, receipt=receipt)
