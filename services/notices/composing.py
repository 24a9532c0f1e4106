"""A notice in words and numbers, composed when it is sent: from the newest state, by the access rules of its reader.

It has ids, names of games, deadlines, links and public words of organisers; no action, no board, no name of a player.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from domain.accounts.notice import AtLine, Fact, Notice, OfRound, TurnOwed
from domain.game.clock import find_deadline_ms
from domain.game.evolve import settle
from domain.game.offers import OfferFrom, list_seats_for
from domain.game.stand_in import list_handed, list_waiting
from domain.game.state import Game, Owed
from domain.ids import GameId, PlayerId, Seat, StreamId
from domain.log.record import format_at
from domain.log.state import is_over
from domain.sentences.words import Words
from domain.tournament.contender import Entrant
from domain.tournament.state import Awaited, Ruled, Tournament, find_entrant, find_round, find_table, list_present
from domain.tournament.subjects import find_subject
from services.notices.content import Content, NoticeData
from services.reading.access import Caller, find_seat, may_see
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories

FindDeclined = Callable[[PlayerId, Sequence[OfferFrom]], Awaitable[set[GameId]]]


async def decline_nothing(_account: PlayerId, _offers: Sequence[OfferFrom]) -> set[GameId]:
    """Stand in for the store where no account declines anything."""
    return set()


GameKind = Literal["your_turn", "seat_offered", "seat_handed", "game_started", "game_over"]
TournamentKind = Literal["round_called", "table_drawn", "ruling", "announced", "organiser_called"]


class Composer:
    """Composes notices. `load` returns a game with the actions in custody; `words` are those of the rulesets.

    `find_declined` returns the games of those offers that an account declined.
    """

    def __init__(
        self,
        games: GameHistories,
        load: Callable[[StreamId], Awaitable[Game]],
        tournaments: TournamentHistories,
        words: Mapping[str, Words],
        find_declined: FindDeclined = decline_nothing,
    ) -> None:
        self._games = games
        self._load = load
        self._tournaments = tournaments
        self._words = words
        self._find_declined = find_declined

    async def compose(self, notice: Notice) -> Content | None:
        """Return a notice as its account may read it now; None where it holds no more, or may not be read."""
        player = PlayerId(notice.account)
        match notice.kind:
            case "test":
                return Content(title="Test", text="A test, as you asked for.", path="/account", data=NoticeData())
            case "more":
                said = "More has happened than can be told one by one: see your games."
                return Content(title="More", text=said, path="/", data=NoticeData())
            case "your_turn" | "seat_offered" | "seat_handed" | "game_started" | "game_over":
                game = settle(await self._games.read_newest(notice.stream))
                if notice.kind == "your_turn" and any(owed.decision.kind == "opening" for owed in list_waiting(game)):
                    # The public state does not describe which actions the server itself opens.
                    game = settle(await self._load(notice.stream))
                if notice.kind == "seat_offered" and await self._is_declined(game, player):
                    return None
                title = self._words[game.opened.ruleset.name].title
                content = compose_for_game(notice.kind, game, player, title, fact=notice.fact)
                return content if may_see(game, Caller(player=player)) else None
            case "round_called" | "table_drawn" | "ruling" | "announced" | "organiser_called":
                tournament = await self._tournaments.read_newest(notice.stream)
                return compose_for_tournament(notice.kind, tournament, player, fact=notice.fact)

    async def _is_declined(self, game: Game, player: PlayerId) -> bool:
        offer = OfferFrom(game=game.id, sender=PlayerId(game.opened_by.partition(":")[2]))
        return bool(await self._find_declined(player, [offer]))


def find_turn(owed: Owed) -> TurnOwed:
    return TurnOwed(decision=owed.decision.id, since_ms=owed.since_ms)


def compose_for_game(kind: GameKind, game: Game, player: PlayerId, title: str, *, fact: Fact | None) -> Content | None:
    seat, offered = find_seat(game, Caller(player=player)), list_seats_for(game, player)
    own = NoticeData(seat=seat)
    match kind:
        case "seat_offered" if offered:
            return _build(
                game, "Seat offered", f"A seat in a game of {title} is offered to you", NoticeData(seat=offered[0])
            )
        case "your_turn" if owed := [owed for owed in list_waiting(game) if find_turn(owed) == fact]:
            if owed[0].decision.seat != seat:
                return None
            until_ms = find_deadline_ms(game, owed[0])
            return _build(game, "Your turn", f"It is your turn in {title}", own, until_ms=until_ms)
        case "seat_handed" if seat is not None and seat in list_handed(game) and not is_over(game):
            return _build(game, "Seat handed over", f"A house bot plays your seat in {title}: take it back", own)
        case "game_started" if seat is not None and game.status == "running":
            return _build(game, "Game started", f"Your game of {title} has started", own)
        case "game_over" if seat is not None and is_over(game):
            said = "is over" if game.status == "finished" else "ended without a result"
            return _build(game, "Game over", f"Your game of {title} {said}", own)
        case _:
            return None


def list_current(tournament: Tournament, player: PlayerId) -> list[tuple[TournamentKind, Content]]:
    """List the content of every notice to a player that holds in a tournament now, rulings first."""
    newest = OfRound(number=len(tournament.rounds))
    facts: list[tuple[TournamentKind, Fact]] = [("ruling", AtLine(version=ruled.line)) for ruled in tournament.rulings]
    facts += [("announced", AtLine(version=said.line)) for said in tournament.announcements]
    for call in tournament.calls:
        facts.append(("organiser_called" if call.answer is None else "announced", AtLine(version=call.line)))
    facts += [("round_called", newest), ("table_drawn", newest)]
    found = [(kind, compose_for_tournament(kind, tournament, player, fact=fact)) for kind, fact in facts]
    return [(kind, content) for kind, content in found if content is not None]


def list_concerned(tournament: Tournament, ruled: Ruled) -> Sequence[Entrant]:
    """List the entrants whom a ruling is about."""
    about = find_subject(ruled.event)
    if about.entrant is not None:
        return (about.entrant,)
    if about.entrants or about.round is None or about.table is None:
        return about.entrants
    return find_table(tournament, about.round, about.table).entrants


def list_answering(tournament: Tournament) -> Sequence[PlayerId]:
    """List the accounts that may answer a call: organisers and helpers."""
    helpers = [helper.player for helper in tournament.helpers if helper.player is not None and not helper.is_dismissed]
    return (*map(PlayerId, tournament.opened.organisers), *helpers)


def _compose_word(tournament: Tournament, player: PlayerId, fact: Fact | None) -> Content | None:
    """Compose an announcement to an entrant, or the answer to its call; both are public lines."""
    entrant, name = find_entrant(tournament, player), tournament.opened.name
    for said in tournament.announcements:
        if AtLine(version=said.line) == fact and (entrant in said.entrants or not said.entrants):
            return _build(tournament, "From the organisers", f"{name}: {said.text}", NoticeData(line=said.line))
    for call in tournament.calls:
        if AtLine(version=call.line) == fact and call.entrant == entrant and call.answer is not None:
            said_to = f"{name}: {call.answer}"
            return _build(tournament, "Your call is answered", said_to, NoticeData(line=call.line))
    return None


def _compose_call(tournament: Tournament, player: PlayerId, fact: Fact | None) -> Content | None:
    """Compose the call of an entrant to an account that may answer, as long as no answer came."""
    open_ = [call for call in tournament.calls if AtLine(version=call.line) == fact and call.answer is None]
    if not open_ or is_over(tournament) or player not in list_answering(tournament):
        return None
    said = f"A call in {tournament.opened.name} waits for an answer"
    content = _build(tournament, "An organiser is called", said, NoticeData(line=open_[0].line))
    return replace(content, path=f"{content.path}/organise")


def compose_for_tournament(
    kind: TournamentKind, tournament: Tournament, player: PlayerId, *, fact: Fact | None
) -> Content | None:
    entrant, name, round_ = find_entrant(tournament, player), tournament.opened.name, find_round(tournament)
    if kind == "announced":
        return _compose_word(tournament, player, fact)
    if kind == "organiser_called":
        return _compose_call(tournament, player, fact)
    if kind == "ruling":
        ruled = next((ruling for ruling in tournament.rulings if AtLine(version=ruling.line) == fact), None)
        if ruled is None or entrant not in list_concerned(tournament, ruled):
            return None
        about = find_subject(ruled.event)
        where = NoticeData(round=about.round, table=about.table, line=ruled.line)
        return _build(tournament, "Ruling", f"A ruling in {name} is about you", where)
    if entrant is None or round_ is None or tournament.status != "running" or OfRound(number=round_.number) != fact:
        return None
    if kind == "round_called":
        if round_.is_check_in_over or entrant not in round_.waiting:
            return None
        said, until_ms = f"Round {round_.number} of {name} is called: check in", round_.until_ms
        return _build(tournament, "Round called", said, NoticeData(round=round_.number), until_ms=until_ms)
    table = next((table for table in round_.tables if entrant in list_present(table)), None)
    if table is None or not isinstance(table.status, Awaited):
        return None
    said = f"You are drawn at table {table.number} in round {round_.number} of {name}"
    seat = Seat(table.entrants.index(entrant))
    where = NoticeData(round=round_.number, table=table.number, seat=seat, game=table.game)
    return _build(tournament, "Table drawn", said, where)


def _build(of: Game | Tournament, title: str, said: str, where: NoticeData, *, until_ms: int | None = None) -> Content:
    """Complete the data of a notice, and its sentence with the deadline."""
    if isinstance(of, Game):
        where = replace(where, game=of.id)
    else:
        where = replace(where, tournament=of.id, name=of.opened.name)
    deadline = None if until_ms is None else format_at(until_ms)
    return Content(
        title=title,
        text=f"{said.rstrip('.')}." if deadline is None else f"{said}, until {deadline[:10]} {deadline[11:16]} UTC.",
        path=f"/tournaments/{where.tournament}" if where.game is None else f"/games/{where.game}",
        data=replace(where, ruleset=of.opened.ruleset.reference, deadline=deadline),
    )
