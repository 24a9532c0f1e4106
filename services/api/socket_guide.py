"""The socket in words: the API's description can list requests over HTTP, and no messages of a socket.

Must agree with `services/live/messages.py`; a test reads every example here as a client or the server would.
"""

from typing import get_args

from services.live.messages import CLOSE_CODES, Deed

MEANINGS = {
    "over": "nothing more can happen in this game",
    "restarting": "come again in a moment, with the last version you have",
    "too-many": "come again later, or to another server",
    "failed": "our fault; come again",
    "refused": "the message is no command",
    "not-found": "no such game, or not for you any more",
    "slow": "too far behind; come again, and read on from the last version you have",
}

SOCKET_GUIDE = f"""\
## The socket

`/v1/games/{{game}}/socket` is a WebSocket over which a game is followed and played: text messages, one JSON object
each. `?after=57` goes on after a version. A token goes into the header as ever; a browser brings `?ticket=` instead,
once, from `POST /v1/tickets`. The server sends the frames of `…/live` (the first has the whole board, each further one
a merge patch), and beside them messages with a `type`:

```
{{"version":57,"line":{{"type":"lap_completed"}},"board":{{"board":{{"lap":2}}}}}}
{{"type":"heartbeat","version":57}}
{{"type":"presence","readers":12}}
{{"type":"seat_changed","seat":1}}
{{"type":"answer","request":1,"answer":{{"last_version":58}}}}
{{"type":"problem","request":2,"problem":{{"type":"urn:spina:problem:not-your-seat","status":403}}}}
{{"type":"end","reason":"over"}}
```

After `seat_changed` the next frame has the whole board. A client sends the body of a `POST` to
`/v1/games/{{game}}/{{do}}`, with a number that comes back with the answer; the next one is read when that one is
answered:

```
{{"request":1,"do":"resign","body":{{"command":"00000000-0000-4000-8000-000000000001","seat":0}}}}
```

`do` is one of {", ".join(f"`{deed}`" for deed in get_args(Deed))} or `previews`. A close says why:

| code | reason | |
|---|---|---|
{"".join(f"| {code} | `{reason}` | {MEANINGS[reason]} |{chr(10)}" for reason, code in CLOSE_CODES.items())}
A reader that is refused gets a `problem` and then 4000 plus its status, or 1013 where it may come again; 1009 is for a
message longer than any command.
"""
