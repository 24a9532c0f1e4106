"""The browser's verifier ends with a verdict of its own where a file asks for more time than any game."""

import base64

from domain.audit.bundle import format_bundle
from tests.domain.audit.audited_game import bundle_of, specimen
from tests.services.web.node import run

# A clock that leaps by a second at every look.
VERIFY = """
const { verifyBundle } = await import("./verify/bundle.js");
const { fromBase64 } = await import("./verify/bytes.js");
const { TooDear, limitTime } = await import("./verify/time_limit.js");
let seconds = 0;
const keepTime = limitTime(1_000_000, () => 1000 * seconds++);
try {
  await verifyBundle(fromBase64(given), { keys: [], onDraws: () => {}, onProgress: () => {}, keepTime });
} catch (error) {
  console.log(JSON.stringify([error instanceof TooDear, error.message, seconds]));
}
"""


def test_a_check_that_takes_too_long_is_ended() -> None:
    bundle = base64.b64encode(format_bundle(bundle_of(specimen()))).decode()

    is_too_dear, message, seconds = run(VERIFY, bundle)

    assert is_too_dear
    assert message == "expected a file that is checked within 15 s, found one that asks for more than any game"
    assert seconds == 17
