"""The words about the socket are true of the messages that there are."""

import json
import re
from typing import get_args

import msgspec

from services.api.games.game_inputs import INPUTS
from services.api.http.description import MEANINGS, SOCKET_GUIDE
from services.live.messages import CLOSE_CODES, Answered, ClientIn, End, Heartbeat, Presence, Refused, SeatChanged
from tests.services.api.described import APP

EXAMPLES = [line for line in SOCKET_GUIDE.splitlines() if line.startswith("{")]
TOLD = Heartbeat | Presence | SeatChanged | Answered | Refused | End


def test_every_message_of_the_server_has_an_example_that_is_one() -> None:
    told = [msgspec.json.decode(example, type=TOLD) for example in EXAMPLES if example.startswith('{"type"')]

    assert {type(sentence) for sentence in told} == set(get_args(TOLD))
    assert [set(json.loads(example)) for example in EXAMPLES if '"line"' in example] == [{"version", "line", "board"}]


def test_the_example_of_a_client_is_read_by_the_server() -> None:
    (sent,) = [example for example in EXAMPLES if '"do"' in example]

    asked = msgspec.json.decode(sent, type=ClientIn)

    assert asked.do in INPUTS


def test_every_command_and_every_close_is_told() -> None:
    codes = dict(re.findall(r"\| (\d{4}) \| `([a-z-]+)` \| \w", SOCKET_GUIDE))

    assert {code: reason for reason, code in CLOSE_CODES.items()} == {int(code): codes[code] for code in codes}
    assert MEANINGS.keys() == CLOSE_CODES.keys()
    assert all(f"`{deed}`" in SOCKET_GUIDE for deed in (*INPUTS, "previews"))


def test_the_description_holds_the_guide() -> None:
    assert SOCKET_GUIDE in (APP.openapi_schema.info.description or "")
