"""A read that came too often for its network comes again when the server allows; a command fails at once."""

from tests.services.web.node import run

ASK = """
let asked = 0;
globalThis.setTimeout = (resume) => queueMicrotask(resume);
globalThis.fetch = async () => {
  asked += 1;
  return new Response("{}", { status: asked < 3 ? 429 : 200, headers: { "retry-after": "7" } });
};
const { ask } = await import("./parts/asking.js");
const { status } = await ask("/v1/games", given);
console.log(JSON.stringify([status, asked]));
"""
ABORTED = """
globalThis.fetch = async () => new Response("{}", { status: 429, headers: { "retry-after": "7000" } });
const { ask } = await import("./parts/asking.js");
const leaving = new AbortController();
const answer = ask("/v1/games", { signal: leaving.signal }).catch(() => "gone");
setImmediate(() => leaving.abort());
console.log(JSON.stringify(await answer));
"""


def test_a_refused_read_comes_again_and_a_refused_command_does_not() -> None:
    assert [run(ASK, {}), run(ASK, {"method": "POST"})] == [[200, 3], [429, 1]]


def test_a_read_that_waits_ends_with_its_time() -> None:
    assert run(ABORTED) == "gone"
