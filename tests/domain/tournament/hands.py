"""The hands of an organiser in a random tournament, from wishes before a draw to a phone that is lost after it."""

from hashlib import sha256
from random import Random
from typing import Any, get_args

from domain.log.actors import Actor, ByPlayer
from domain.rejection import Rejection
from domain.tournament import ruling_events as rulings
from domain.tournament.events import EntryTaken
from domain.tournament.role_events import HelperJoined, Role, TableFollowed
from domain.tournament.ruling_events import SeatedTable
from domain.tournament.state import Awaited, WalkedOver, list_present
from tests.domain.tournament.tournament_harness import ORGANISER, Club, own_links, player, ranking

WISHES = ("apart", "apart_if_possible", "together", "together_if_possible", "none")
# Players who have not entered.
STRANGERS = 20_000
MINUTE = 60_000


class Hands:
    """Acts by chance; an act that the state forbids is passed over, as its refusal is another test's matter."""

    def __init__(self, club: Club, chance: Random) -> None:
        self.club = club
        self.chance = chance
        self.acts = 0
        self._strangers = STRANGERS
        self._helpers: list[Actor] = []

    def before(self) -> None:
        """Act before a round is called."""
        count, coming = len(self.club.tournament.entries), len(self.club.tournament.rounds) + 1
        someone = self.chance.randrange(count)
        group = tuple(sorted(self.chance.sample(range(count), min(count, self.chance.choice((2, 2, 3))))))
        self._rule(rulings.PairingWished, entrants=group, wish=self.chance.choice(WISHES))
        self._rule(rulings.EntrantExcused, entrant=someone, round=coming, points=self.chance.choice((0, 30)))
        if self.chance.random() < 0.3:
            self._change_helpers()
        left = [number for number, entry in enumerate(self.club.tournament.entries) if entry.left is not None]
        if left:
            kind = self.chance.choice((rulings.EntrantReturned, rulings.EntrantAdmitted))
            self._rule(kind, entrant=self.chance.choice(left))
        if self.chance.random() < 0.5:
            self._rule(rulings.DrawHeld, round=coming)

    def after(self) -> None:
        """Act after a round was drawn."""
        if not self.club.round.tables or self.club.round.is_closed:
            return
        self._rule(rulings.TimeGiven, round=self.club.round.number, table=None, minutes=5)
        is_paused = self.chance.random() < 0.3 and self._rule(rulings.RoundPaused, round=self.club.round.number)
        table = self.chance.choice(self.club.round.tables)
        self._act(TableFollowed, round=self.club.round.number, table=table.number, attempt=table.attempt)
        if self.chance.random() < 0.7:
            self._seat()
        if self.chance.random() < 0.3 and not self.club.round.is_closed:
            self._hand()
        if self.club.tournament.held_round:
            self._rule(rulings.DrawReleased, round=self.club.tournament.held_round)
        if is_paused and self.chance.random() < 0.7:
            self.club.now += MINUTE
            self._rule(rulings.RoundResumed, round=self.club.round.number)

    def _change_helpers(self) -> None:
        """Invite a helper of any role, who joins, or dismiss one."""
        number = len(self.club.tournament.helpers)
        if number and self.chance.random() < 0.3:
            self._rule(rulings.HelperDismissed, helper=self.chance.randrange(number))
            return
        secret, link = self._draw_secret()
        if self._rule(rulings.HelperInvited, role=self.chance.choice(get_args(Role)), link=link):
            guest = ByPlayer(player=player(self._strangers))
            self._helpers.append(guest)
            self.club.do(HelperJoined, guest, helper=number, player=guest.player, key=None, invitation=secret)

    def _seat(self) -> None:
        """Deal the people of some tables anew, and perhaps who sits out or came late."""
        tables = [table for table in self.club.round.tables if isinstance(table.status, Awaited | WalkedOver)]
        chosen = self.chance.sample(tables, min(len(tables), 3))
        people = [entrant for table in chosen for entrant in list_present(table)]
        if self.chance.random() < 0.5:
            seated = {entrant for table in self.club.round.tables for entrant in list_present(table)}
            people += [entrant for entrant in range(len(self.club.tournament.entries)) if entrant not in seated][:2]
        self.chance.shuffle(people)
        named, most = [], self.club.tournament.opened.tables.max
        for table in sorted(chosen, key=lambda table: table.number):
            size = self.chance.choice((len(table.seats), most))
            named.append(SeatedTable(table=table.number, attempt=table.attempt, entrants=tuple(people[:size])))
            people = people[size:]
        self._rule(rulings.TablesSeated, round=self.club.round.number, tables=tuple(named))
        if chosen and self.chance.random() < 0.3 and not self.club.round.is_closed:
            table = self.club.table(chosen[0].number)
            about = {"round": self.club.round.number, "table": table.number, "attempt": table.attempt}
            if self.chance.random() < 0.5:
                self._rule(rulings.TableReplayed, **about)
            else:
                self._rule(rulings.ResultReplaced, **about, ranking=ranking(*range(1, len(table.seats) + 1)))

    def _hand(self) -> None:
        """Let somebody at a table go on from another device."""
        table = self.chance.choice(self.club.round.tables)
        entrant = self.chance.choice(table.entrants)
        secret, link = self._draw_secret()
        game = self.chance.choice(("again", "goes_on"))
        if not self._rule(rulings.EntryHanded, entrant=entrant, link=link, game=game):
            return
        taker = player(self._strangers)
        brought = {"anchor": own_links(self._strangers)[0], "links": 64, "key": None}
        self.club.takers[entrant] = self._strangers
        self.club.do(EntryTaken, ByPlayer(player=taker), entrant=entrant, player=taker, invitation=secret, **brought)

    def _draw_secret(self) -> tuple[str, str]:
        """Return the secret of the next stranger's link, and its hash."""
        self._strangers += 1
        secret = sha256(b"%d" % self._strangers).hexdigest()
        return secret, sha256(bytes.fromhex(secret)).hexdigest()

    def _rule(self, kind: type[Any], **fields: Any) -> bool:
        return self._act(kind, reason="as seen by all", **fields)

    def _act(self, kind: type[Any], **fields: Any) -> bool:
        """Act as a helper where one may, now and then, else as the organiser."""
        helping = [helper for helper in self._helpers if self.chance.random() < 0.5]
        for actor in (*helping, ORGANISER):
            try:
                self.club.do(kind, actor, **fields)
            except Rejection:
                continue
            self.acts += 1
            return True
        return False
