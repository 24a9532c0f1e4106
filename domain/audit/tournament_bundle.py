"""A tournament's bundle: its log and the bundles of all its games in one file. The same tournament, the same bytes.

Nothing in it is believed because it is in it. Each game is a bundle by itself, which can be taken out and verified.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, overload

import msgspec
from msgspec import Struct

from domain.audit.archive import BadArchive, Member, Place, Slot, Source, find_members, format_archive
from domain.audit.bundle import (
    ANY_LOG_SIZE_MAX,
    BUNDLE_SIZE_MAX,
    BundleOf,
    LogT,
    bundle_name,
    find_log,
    is_opened_by,
    list_members,
    list_slots,
    load_log,
    read_members,
)
from domain.audit.findings import shorten
from domain.audit.reading import iter_lines
from domain.canonical import encode
from domain.ids import GameId, PlayerId, TournamentId, is_uuid

# Example: `0199c0de-0000-7000-8000-00000000c0b0.tournament.zip`, as `unzip -l` lists it
#
#     format                   the edition of docs/proof.md that the file follows
#     log.ndjson               the tournament's lines as they are stored, a newline after each (record.py)
#     components.json          decks, tracks and tables of its games: the bytes whose SHA-256 the first line names
#     last.tlog-proof          that the ledger has the last line, with its signed checkpoint
#     first-entry.tlog-proof   the same for the line of the first entrant
#     since.tlog-growth        that the ledger only grew since another checkpoint of the reader's, who asked for it
#     policy                   which keys the operator states are the ledger's and its witnesses'
#     names.json               the server's names of entrants and organisers, by their ids: unproven
#     HOWTO.txt                a few sentences for a reader who opens the file and knows nothing
#     games/<id>.spina.zip     the bundle of each game, in the order in which their tables were drawn (bundle.py)
#
# The container is archive.py's. The log states which games there may be: those of its `table_drawn`. One that was never
# opened or is not over may be missing. Refused: other members, another order, and sizes beyond the limits.

FIRST_ENTRY_PROOF = "first-entry.tlog-proof"
# Lines of two thousand entrants in ten rounds, with room for long names of lots: some thousand bytes each at most.
# Two thousand games of a quarter of a megabyte, of which a reader holds one in memory.
TOURNAMENT_SIZE_MAX = 512 * 1024 * 1024
# A tournament of the largest field has seven hundred tables a round; more than this is no tournament of ours.
GAMES_MAX = 16_384
# Two thousand names of 80 characters with their ids.
NAMES_SIZE_MAX = 1024 * 1024
NAMES = "names.json"

_HEAD_SLOTS = list_slots(
    log_size_max=ANY_LOG_SIZE_MAX,
    first_proof=FIRST_ENTRY_PROOF,
    more=[Slot(name=NAMES, size_max=NAMES_SIZE_MAX, is_required=False)],
)
_FOLDER = "games/"

_HOWTO = """\
This file proves one tournament played on Spina, the one with the id
{tournament}

Check all of it, offline: every game, every pairing, every standing, and what each ruling changed:

    spina verify {tournament}.tournament.zip --policy FILE

FILE names the keys you trust. The one in this archive is the operator's own word; take yours from somewhere else.

Each file in games/ proves one game by itself, and is verified in the same way. The form of everything here, from which
anyone can write a verifier of their own, is docs/proof.md of the project.
"""


class GameMember(Struct, frozen=True, kw_only=True):
    """The bundle of one game, as bytes: the verifier parses it, perhaps in another process."""

    game: GameId
    raw: bytes


class StoredGames(Sequence[GameMember]):
    """The games of an archive, each read when it is asked for."""

    def __init__(self, source: Source, places: Sequence[tuple[GameId, Place]]) -> None:
        self._source = source
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> GameMember: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[GameMember]: ...

    def __getitem__(self, at: int | slice) -> GameMember | Sequence[GameMember]:
        if isinstance(at, slice):
            return StoredGames(self._source, self._places[at])
        game, place = self._places[at]
        return GameMember(game=game, raw=place.read(self._source).body)


class TournamentBundleOf(BundleOf[LogT], frozen=True, kw_only=True):
    games: Sequence[GameMember]
    names: bytes | None = None


TournamentBundle: TypeAlias = TournamentBundleOf[bytes]


def format_names(names: Mapping[PlayerId, str]) -> bytes:
    """Write the names: the same names, the same bytes."""
    return encode(dict(names))


def read_names(bundle: TournamentBundleOf[Any]) -> dict[PlayerId, str]:
    """Read the names, fit to be shown; raises BadArchive where that is no object of texts."""
    if bundle.names is None:
        return {}
    try:
        found = msgspec.json.decode(bundle.names, type=dict[PlayerId, str])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadArchive(expected=f"names by ids in {NAMES}", found=str(error)) from error
    return {player: shorten(name) for player, name in found.items()}


def build_howto(tournament: TournamentId) -> bytes:
    return _HOWTO.format(tournament=tournament).encode()


def tournament_bundle_name(tournament: TournamentId) -> str:
    return f"{tournament}.tournament.zip"


def format_tournament_bundle(bundle: TournamentBundle) -> bytes:
    """Write the one file."""
    return format_archive([*list_own_members(bundle), *map(file_game, bundle.games)])


def list_own_members(bundle: TournamentBundle) -> list[Member]:
    """List the members before the games."""
    names = [] if bundle.names is None else [Member(name=NAMES, body=bundle.names)]
    return list_members(bundle, first_proof=FIRST_ENTRY_PROOF, more=names)


def file_game(member: GameMember) -> Member:
    return Member(name=_FOLDER + bundle_name(member.game), body=member.raw)


def parse_tournament_bundle(raw: bytes) -> TournamentBundle:
    """Read a bundle from its one accepted spelling, or raise BadArchive."""
    opened = read_tournament_bundle(raw)
    return TournamentBundle(**load_log(opened) | {"games": tuple(opened.games)})


def read_tournament_bundle(source: Source) -> TournamentBundleOf[Source]:
    """Read a bundle but for its log and its games, which are read later from the same source. Raises BadArchive."""
    games = list_games(find_log(source))
    slots = [Slot(name=_FOLDER + bundle_name(game), size_max=BUNDLE_SIZE_MAX, is_required=False) for game in games]
    places = {place.name: place for place in find_members(source, [*_HEAD_SLOTS, *slots])}
    names = places[NAMES].read(source).body if NAMES in places else None
    stored = [(game, places[_FOLDER + bundle_name(game)]) for game in games if _FOLDER + bundle_name(game) in places]
    members = StoredGames(source, stored)
    own = read_members(source, places.values(), first_proof=FIRST_ENTRY_PROOF)
    return TournamentBundleOf(**own, games=members, names=names)


def is_tournament_log(log: Source) -> bool:
    """Return whether a bundle's log is a tournament's."""
    return is_opened_by("tournament_opened", log)


def list_games(log: Source) -> Sequence[GameId]:
    """List the games of the tables in a log, unread otherwise; raises BadArchive for too many."""
    games: dict[GameId, None] = {}
    for raw in iter_lines(log):
        # Most lines are of other types, and need not be read to know it.
        data = _read_data(raw, "table_drawn") if b'"type":"table_drawn"' in raw else None
        if data is not None and isinstance(data.game, str) and is_uuid(data.game):
            games[data.game] = None
    if len(games) > GAMES_MAX:
        raise BadArchive(expected=f"a log of at most {GAMES_MAX} games", found=f"{len(games)}")
    return list(games)


class _Data(Struct):
    game: GameId | None = None


class _Named(Struct):
    type: str
    data: _Data


_DECODER = msgspec.json.Decoder(_Named)


def _read_data(raw: bytes, type_: str) -> _Data | None:
    try:
        named = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return named.data if named.type == type_ else None
