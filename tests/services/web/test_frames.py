"""A live stream in the pages: the same boards as the server made the patches from."""

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from domain.canonical import Json
from services.live.steps import build_patch, drop_nulls
from tests.services.web.node import run

APPLY = """
const { applyPatch, dropNulls } = await import("./parts/frames.js");
console.log(JSON.stringify(given.map(({ before, patch }) => applyPatch(dropNulls(before), patch))));
"""
SHARE = """
const { applyPatch } = await import("./parts/frames.js");
const before = { track: { spaces: [1, 2] }, turn: 1 };
const after = applyPatch(before, { turn: 2 });
console.log(JSON.stringify([after.track === before.track, before.turn, after.turn]));
"""
PARSE = """
const { parseEvent } = await import("./parts/frames.js");
console.log(JSON.stringify(given.map(parseEvent)));
"""
FRAMES = """
globalThis.fetch = async (address) => {
  asked.push(address);
  return new Response(new Blob(given).stream(), { headers: { "content-type": "text/event-stream" } });
};
const asked = [];
const { Caller } = await import("./parts/caller.js");
const { readFrames } = await import("./parts/frames.js");
const told = [];
for await (const each of readFrames(new Caller({ ask: fetch }), "g", 2, new AbortController().signal)) told.push(each);
console.log(JSON.stringify({ asked, told }));
"""
# Each run of the engine takes its time, so a run checks many pairs.
PAIRS = 60
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


# Each try starts the engine anew, which takes its time: a failure is not made smaller, and none is too slow.
@settings(max_examples=5, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(st.tuples(OBJECTS, OBJECTS), min_size=PAIRS, max_size=PAIRS))
def test_a_patch_makes_of_one_board_the_next(pairs: list[tuple[dict[str, Json], dict[str, Json]]]) -> None:
    asked = [{"before": before, "patch": build_patch(before, after)} for before, after in pairs]

    made = run(APPLY, asked)

    assert made == [drop_nulls(after) for _before, after in pairs]


def test_what_did_not_change_stays_the_same_object() -> None:
    shared = run(SHARE)

    assert shared == [True, 1, 2]


def test_events_are_read_with_their_names() -> None:
    told = run(PARSE, ["retry: 2000", 'id: 7\ndata: {"version":7}', 'event: presence\ndata: {"readers":2}'])

    assert told == [
        {"name": "message", "data": ""},
        {"name": "message", "data": '{"version":7}', "id": "7"},
        {"name": "presence", "data": '{"readers":2}'},
    ]


def test_frames_come_whole_however_the_network_cuts_them() -> None:
    text = (
        'retry: 500\n\nid: 3\ndata: {"version":3,"line":{"version":3},"board":{"turn":1,"track":{"lanes":3}}}\n\n'
        'event: presence\ndata: {"type":"presence","readers":4}\n\n'
        'id: 4\ndata: {"version":4,"line":{"version":4},"board":{"turn":2}}\n\n'
    )

    read = run(FRAMES, [text[:50], text[50:51], text[51:130], text[130:]])

    assert read["asked"] == ["/v1/games/g/live?after=2"]
    assert read["told"] == [
        {"isOpen": True, "offset_ms": 0},
        {"line": {"version": 3}, "shown": {"turn": 1, "track": {"lanes": 3}}},
        {"readers": 4},
        {"line": {"version": 4}, "shown": {"turn": 2, "track": {"lanes": 3}}},
    ]


def test_nothing_is_made_of_a_patch_whose_board_is_missing() -> None:
    frame = 'id: {0}\ndata: {{"version":{0},"line":{{"version":{0}}},"board":{{"turn":{0}}}}}\n\n'

    read = run(FRAMES, [frame.format(3), frame.format(5)])

    assert [each["line"]["version"] for each in read["told"] if "line" in each] == [3]
