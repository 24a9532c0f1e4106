"""A game that is over as one page, which plays and checks itself from a file, without a network.

Its log is in it as text, to be checked byte for byte; its boards are as this program makes them from that log.
"""

import gzip
import html
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.audit.bundle import FIRST_SEAT_PROOF, FORMAT, LOG, Bundle, list_members
from domain.audit.moments import NotReplayable, replay_moments
from domain.game.state import Game
from domain.ids import PlayerId
from domain.ruleset.catalogue import hash_components
from domain.rulesets.released import Rebuilder, find_kit
from infra.ruleset_files import load_ruleset, read_verdict_words, read_words
from services.live.steps import build_patch, drop_nulls
from services.reading.markup import escape
from services.reading.shown import GameShown, show_game
from services.web.inlining import FOLDER, inline

TEMPLATE = FOLDER / "race_file.html"
# Of a page for viewers alone.
SEAT = "game/seat_box.js"
STYLES = ("page.css", "board.css", "game.css", "check.css")


def build_race_file(bundle: Bundle, names: Mapping[PlayerId, str]) -> bytes:
    """Build the page of a bundle; `names` are of its players, as the server calls them.

    Raises NotReplayable for a game that goes on, or that these rules cannot replay.
    """
    patches: list[dict[str, Any]] = []
    shown: dict[str, Any] = {}
    game: Game | None = None
    for moment in replay_moments(bundle, Rebuilder(), None):
        game, before = moment.game, shown
        shown = _as_sent(show_game(game, None, is_complete=moment.is_complete))
        patches.append(build_patch(before, shown))
    if game is None or game.status not in {"finished", "aborted"}:
        raise NotReplayable(version=len(patches), reason="expected a game that is over, found one that goes on")
    kit = find_kit(shown["ruleset"])
    assert kit is not None, "its rules were built"
    words = read_words(kit)
    members = list_members(bundle, first_proof=FIRST_SEAT_PROOF)
    race = {
        "game": game.id,
        "rulesets": {
            "items": [
                {
                    "ruleset": shown["ruleset"],
                    "words": msgspec.to_builtins(words),
                    # A race on another box names it by its hash, as no server is there to know its name.
                    "components": hash_components(load_ruleset(kit)),
                    "boxes": [],
                }
            ],
            "tournament_words": {},
            "verdicts": msgspec.to_builtins(read_verdict_words()),
        },
        "names": names,
        "patches": patches,
        "members": [(member.name, member.body.decode()) for member in members if member.name not in {FORMAT, LOG}],
    }
    return _fill(
        {
            "title": escape(f"{words.title} · Spina"),
            "style": "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in STYLES),
            "game": escape(game.id),
            "log": html.escape(bundle.log.decode(), quote=False),
            "race": _pack(msgspec.json.encode(race)),
            "worker": _pack(inline("verify/worker.js").encode()),
            "scripts": _pack(inline("race_file.js", without=[SEAT]).encode()),
        }
    )


def _as_sent(shown: GameShown) -> dict[str, Any]:
    sent = drop_nulls(msgspec.to_builtins(shown))
    assert isinstance(sent, dict), "a struct is an object"
    return sent


def _fill(parts: Mapping[str, str]) -> bytes:
    """Fill the places of the page in one go, so that no text of a log is taken for one."""
    pieces = TEMPLATE.read_text(encoding="utf-8").split("<!-- ")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition(" -->")
        filled += [parts[name], rest]
    return "".join(filled).encode()


def _pack(text: bytes) -> str:
    return b64encode(gzip.compress(text, mtime=0)).decode()
