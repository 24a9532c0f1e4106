"""Pages notice a receipt whose line is later than the clock of the device: then clocks may run out early."""

import pytest

from tests.services.web.node import run

SEND = """
const told = [];
globalThis.document = new EventTarget();
document.addEventListener("receipt-ahead", ({ detail }) => told.push(detail));
const at = new Date(Date.now() + given).toISOString();
globalThis.fetch = async () => new Response(JSON.stringify({ receipt: { at } }), { status: 201 });
const { command } = await import("./parts/api.js");
await command("/v1/games", {});
console.log(JSON.stringify(told));
"""


@pytest.mark.parametrize(("ahead_ms", "told"), [(-600_000, []), (0, []), (4_000, []), (60_000, [60])])
def test_a_command_whose_line_is_ahead_is_told_in_seconds(ahead_ms: int, told: list[int]) -> None:
    assert run(SEND, ahead_ms) == told
