"""Counts a tournament again from its bundle, by docs/proof.md section 14 and the standard library alone.

A second implementation: nothing of the project may be imported here. The finalists, and the survivors of a
knockout's round, are taken from the log. `python tests/recount.py FILE` prints its findings.
"""

import io
import json
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any

NO_LOT = 1_000_001
# Beyond this, trying every way of seating a field takes too long.
FIELD_TRIED_MAX = 12
MEETING, ALWAYS = 10**7, 10**14


class Disagreement(Exception):
    """The log contradicts its own lines."""


class Recount:
    """One tournament, line by line; the claims of a line are compared with the consequences of the lines before."""

    def __init__(self, bundle: bytes) -> None:
        self.archive = zipfile.ZipFile(io.BytesIO(bundle))
        self.lines = self.archive.read("log.ndjson").splitlines()
        self.terms, self.tournament = map(json.loads(self.lines[0]).get, ("data", "stream"))
        self.entrants = self.games_missing = 0
        self.seats: dict[tuple[int, int], list[dict[str, Any]]] = {}  # of each table, as it was drawn last
        self.attempts: dict[tuple[int, int], int] = {}
        self.counts: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}  # entrant: place and points
        self.walked_over: set[tuple[int, int]] = set()
        self.granted, self.excused = list[tuple[int, int, int]](), list[tuple[int, int, int]]()  # round, who, how much
        self.walkovers: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        self.byes, self.expected = dict[int, list[int]](), dict[int, list[int]]()  # who could check in, of each round
        self.left, self.waiting, self.closed = set[int](), set[int](), set[int]()  # who waits has left so far
        self.wishes: dict[tuple[int, ...], str] = {}
        self.wished: list[tuple[tuple[int, ...], str]] = []  # at the last draw, with those for mates
        self.mates: dict[str, list[int]] = defaultdict(list)  # by team, and under no name those without one
        self.named: dict[tuple[int, int], list[int]] = {}  # tables of the last seating by hand, and who sits there
        self.byes_by_hand: list[int] | None = None  # that follow from it, in order; none before one
        self.drawn: list[tuple[list[int], Any]] = []  # who sits together this round, and the repeats logged
        self.sitting_out, self.checked_in = list[int](), list[int]()
        self.lots: dict[int, dict[int, int]] = {}  # of each round
        self.kinds: set[str] = set()  # why the tables of this round are as they are
        self.total, self.at_call = dict[int, int](), dict[int, int]()  # the points of all, now and at the last call
        self.standings: list[dict[str, Any]] = []

    def run(self) -> list[dict[str, Any]]:
        """Return the last standings, or raise Disagreement."""
        head = "0" * 64
        told: list[dict[str, Any]] = []
        for number, raw in enumerate(self.lines, start=1):
            line = json.loads(raw)
            self._agree((line["version"], line["prev"]), (number, head), f"line {number} in its chain")
            head = sha256(raw).hexdigest()
            if line["type"] == "standings_told":
                told += line["data"]["standings"]
            elif told:
                self._agree(told, self.count_standings(), f"the standings before line {number}")
                self.standings, told = told, []
            # A line without a reader of its own counts nothing.
            getattr(self, f"on_{line['type']}", dict)(line["data"])
        return self.standings

    def on_entrant_entered(self, data: dict[str, Any]) -> None:
        self._agree(data["entrant"], self.entrants, "the number of an entrant")
        door, is_full = self.terms.get("door", {}), not self._has_place()
        self.entrants += 1
        self.mates[data.get("team", {}).get("name", "")].append(data["entrant"])
        if door.get("has_approval") or (door.get("has_waiting_list") and is_full):
            self.waiting.add(data["entrant"])
            self.left.add(data["entrant"])

    def on_place_given(self, data: dict[str, Any]) -> None:
        self._agree((data["entrant"], True), (min(self.waiting), self._has_place()), "who is let in")
        self.on_entrant_returned(data)

    def on_check_in_opened(self, data: dict[str, Any]) -> None:
        self.at_call, self.checked_in, self.expected[data["round"]] = self.count_points(), [], data["entrants"]
        self._agree(self.left & set(data["entrants"]), set(), "who is called, and left or waits")

    def on_entrant_checked_in(self, data: dict[str, Any]) -> None:
        self.checked_in.append(data["entrant"])

    def on_round_drawn(self, data: dict[str, Any]) -> None:
        self._agree(data["entrants"], sorted(self.checked_in), "who is drawn")
        excused = {entrant for round_, entrant, _ in self.excused if round_ == data["round"]}
        self._agree(excused & set(data["entrants"]), set(), "who is drawn and sits out")
        seating = self.terms.get("teams", {}).get("seating", "none")
        teams = ((tuple(mates), seating) for name, mates in self.mates.items() if name)
        self.wished, self.byes_by_hand, self.byes[data["round"]] = [*self.wishes.items(), *teams], None, []
        self.lots[data["round"]] = {}
        self.drawn, self.sitting_out, self.kinds = [], [], set()

    def on_dice_rolled(self, data: dict[str, Any]) -> None:
        self.lots[max(self.lots)] = dict(zip(sorted(self.checked_in), data["faces"], strict=True))

    def on_table_drawn(self, data: dict[str, Any]) -> None:
        place, seats = (data["round"], data["table"]), data["seats"]
        self._agree(data["game"], self.name_game(*place, data["attempt"]), f"the game of table {place}")
        if data["attempt"] == 1:
            self._check_seats(data["round"], seats)
            self.kinds.add(data["why"]["kind"])
            self.drawn.append(([seat["entrant"] for seat in seats], data["why"]["repeats"]))
            order = sorted(seats, key=lambda seat: (-seat["lateness"], seat["lot"], seat["entrant"]))
            self._agree(seats, order, f"the seat order of table {place}")
        elif data["why"]["kind"] == "seated":
            self._agree([seat["entrant"] for seat in seats], self.named[place], f"table {place} by hand")
            self._check_seats(data["round"], seats)
        else:
            absent = data["why"].get("absent", [])
            kept = [seat for seat in self.seats[place] if seat["entrant"] not in absent]
            self._agree(seats, kept, f"table {place} drawn again")
        self._agree(data["attempt"], self.attempts.get(place, 0) + 1, f"the attempt of table {place}")
        self.seats[place], self.attempts[place] = seats, data["attempt"]
        self.walked_over.discard(place)
        self.counts.pop(place, None)
        self.walkovers.pop(place, None)

    def on_bye_given(self, data: dict[str, Any]) -> None:
        entrant, round_ = data["entrant"], data["round"]
        byes = self._count_byes(entrant, before=round_ + (self.byes_by_hand is not None))
        numbers = (byes, self.at_call.get(entrant, 0), self.lots[round_].get(entrant, 0), self.terms["bye_points"])
        self._agree(tuple(data[name] for name in ("byes", "score", "lot", "points")), numbers, "a bye")
        if self.byes_by_hand is None:
            self.sitting_out.append(entrant)
        else:
            self._agree(entrant, self.byes_by_hand.pop(0), "who sits out by hand")
        self.byes[round_].append(entrant)

    def on_tables_seated(self, data: dict[str, Any]) -> None:
        self.named = {(data["round"], table["table"]): table["entrants"] for table in data["tables"]}
        here, came = set(chain(*self.named.values())), set(chain(*map(self._list_present, self.named)))
        self.byes[data["round"]] = [entrant for entrant in self.byes[data["round"]] if entrant not in here]
        self.byes_by_hand = sorted(came - here - self.left)

    def on_pairing_wished(self, data: dict[str, Any]) -> None:
        self.wishes[tuple(data["entrants"])] = data["wish"]

    def on_entrant_excused(self, data: dict[str, Any]) -> None:
        self.excused.append((data["round"], data["entrant"], data.get("points", 0)))

    def on_entrant_withdrawn(self, data: dict[str, Any]) -> None:
        self.left.add(data["entrant"])
        self.waiting.discard(data["entrant"])

    on_round_skipped, on_entrant_removed = on_entrant_excused, on_entrant_withdrawn

    def on_entrant_returned(self, data: dict[str, Any]) -> None:
        self.left.remove(data["entrant"])
        self.waiting.discard(data["entrant"])

    on_entrant_admitted = on_entrant_returned

    def on_result_taken(self, data: dict[str, Any]) -> None:
        place, ranking = (data["round"], data["table"]), data["ranking"]
        game = self._read_game(self.name_game(*place, data["attempt"]))
        if game:
            endings = (each["data"]["ranking"] for each in map(json.loads, game) if each["type"] == "game_finished")
            found = (len(game), sha256(game[-1]).hexdigest(), next(endings, None))
            self._agree((data["version"], data["hash"], ranking), found, f"the result of table {place}")
        if ranking is not None:
            self._count(place, ranking)

    def on_result_replaced(self, data: dict[str, Any]) -> None:
        self._count((data["round"], data["table"]), data.get("ranking", []))

    on_game_voided = on_result_replaced

    def on_table_scored(self, data: dict[str, Any]) -> None:
        said = {each["entrant"]: (each["place"], each["points"]) for each in data["scored"]}
        self._agree(said, self.counts[data["round"], data["table"]], f"the scores of table {data['table']}")

    def on_walkover_given(self, data: dict[str, Any]) -> None:
        place = (data["round"], data["table"])
        here = [seat["entrant"] for seat in self.seats[place] if seat["entrant"] not in data["absent"]]
        if not data["absent"]:
            self._agree(self.named[place], [], f"who sits at table {place} by hand")
            here = []
        points = _share(self.terms["points"][str(len(self.seats[place]))], 1, len(here)) if here else 0
        self._agree((data["entrants"], data["points"]), (here, points), f"the walkover of table {place}")
        self.walkovers[place] = [(data["round"], item, points) for item in here]
        self.walked_over.add(place)

    def on_points_ruled(self, data: dict[str, Any]) -> None:
        self.granted.append((data["round"], data["entrant"], data["points"]))

    def on_round_closed(self, data: dict[str, Any]) -> None:
        """Check the draw, now that all of it is known; a round that a ruling opened again is closed twice."""
        if data["round"] in self.closed:
            return
        self.closed.add(data["round"])
        field, tables = set(self.lots[data["round"]]), [table for table, _ in self.drawn]
        seated = [entrant for table in tables for entrant in table]
        self._agree(sorted(seated + self.sitting_out), sorted(field), "who sits or has a bye")
        meetings = self._count_meetings(before=data["round"])
        for table, said in self.drawn:
            met = [(pair, meetings[pair]) for pair in combinations(sorted(table), 2) if meetings[pair]]
            self._agree([(tuple(item["entrants"]), item["times"]) for item in said], met, "who meets again")
        if self.kinds <= {"score", "meetings"}:
            self._check_byes(data["round"], field)
            self._check_sizes(len(field), [len(table) for table in tables])
            self._check_meetings(sorted(seated, key=self._by_score), tables, _Penalty(meetings, self.wished))

    def name_game(self, *numbers: int) -> str:
        """Return the id of a table's game: a UUID of version 8."""
        named = [b"spina/table/v1", self.tournament.encode(), *(b"%d" % number for number in numbers)]
        digits = sha256(b"\0".join(named)).hexdigest()
        variant = "89ab"[int(digits[16], 16) & 3]
        return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"

    def count_points(self) -> dict[int, int]:
        earned = [*self._earned()]
        return {number: sum(points for _, each, points in earned if each == number) for number in range(self.entrants)}

    def count_standings(self) -> list[dict[str, Any]]:
        """Rank all entrants by points, then by the tie-breaks in their order; equal ones share a place."""
        self.total, rounds = self.count_points(), {index: [0] * len(self.lots) for index in range(self.entrants)}
        for round_, entrant, points in self._earned():
            rounds[entrant][max(round_, 1) - 1] += points
        progress = {each: self._measure_progress(each) for each in self.total}
        keys = {each: (*progress[each], self.total[each]) for each in self.total}
        for name in self.terms["tie_breaks"]:
            keys = {key: (*keys[key], self._break_tie(name, key, keys)) for key in keys}
        order = sorted(keys, key=lambda key: (*(-number for number in keys[key]), key))
        return [
            {
                "place": 1 + sum(keys[other] > keys[entrant] for other in order),
                "entrant": entrant,
                "progress": progress[entrant],
                "points": self.total[entrant],
                "tie_breaks": list(keys[entrant][len(progress[entrant]) + 1 :]),
                "rounds": rounds[entrant],
            }
            for entrant in order
        ]

    def _measure_progress(self, entrant: int) -> list[int]:
        """Count the rounds of a knockout, or the final, that it was expected in, and its points in the last of them."""
        kind = self.terms["format"]
        if kind["kind"] not in {"heats", "knockout"}:
            return []
        deciding = [lot for lot in self.lots if kind["kind"] == "knockout" or lot > kind["heats"]]
        came = [each for each in deciding if entrant in self.expected[each]]
        last = came[-1] if came else None
        return [len(came), sum(points for at, each, points in self._earned() if (at, each) == (last, entrant))]

    def _break_tie(self, name: str, entrant: int, keys: dict[int, tuple[int, ...]]) -> int:
        at = [table for table in self.counts.values() if entrant in table]
        equal = {key for key in keys if keys[key] == keys[entrant] and key != entrant}
        last = max(self.lots, default=0)
        match name:
            case "wins":
                return sum(table[entrant][0] == 1 for table in at)
            case "opponents":
                return sum(self.total[other] for table in at for other in table if other != entrant)
            case "last_round":
                return sum(points for at, each, points in self._earned() if (max(at, 1), each) == (last, entrant))
            case "head_to_head":
                return sum(table[entrant][1] for table in at if equal & set(table))
            case _:
                return -self.lots.get(last, {}).get(entrant, NO_LOT)

    def _earned(self) -> Iterator[tuple[int, int, int]]:
        for (round_, _), table in self.counts.items():
            yield from ((round_, entrant, points) for entrant, (_, points) in table.items())
        for given in self.walkovers.values():
            yield from given
        yield from self.granted
        yield from (excused for excused in self.excused if excused[0] in self.lots)
        for round_, entrants in self.byes.items():
            yield from ((round_, entrant, self.terms["bye_points"]) for entrant in entrants)

    def _count(self, place: tuple[int, int], ranking: list[dict[str, int]]) -> None:
        """Score a table: those who share a place share the points of the places they cover."""
        seats, earned = self.seats[place], self.terms["points"][str(len(self.seats[place]))]
        self.walkovers.pop(place, None)
        shared = [seat["place"] for seat in ranking]
        points = {each: _share(earned, each, shared.count(each)) for each in shared}
        self.counts[place] = {seats[one["seat"]]["entrant"]: (one["place"], points[one["place"]]) for one in ranking}

    def _check_seats(self, round_: int, seats: list[dict[str, Any]]) -> None:
        """Compare the numbers of a table with the points at the call, the lots and where each sat before."""
        for seat in seats:
            entrant = seat["entrant"]
            before = (self.seats[place] for place in self.seats if place[0] < round_ and place not in self.walked_over)
            late = sum(at for table in before for at, each in enumerate(table) if each["entrant"] == entrant)
            follows = (self.at_call.get(entrant, 0), self.lots[round_].get(entrant, 0), late)
            self._agree((seat["points"], seat["lot"], seat["lateness"]), follows, f"entrant {entrant}'s numbers")

    def _check_byes(self, round_: int, field: set[int]) -> None:
        """Check the order of byes: the fewest byes first, then the fewest points, then the highest lot."""
        score = {each: tuple(-number for number in self._by_score(each)[:2]) for each in field}
        order = {each: (self._count_byes(each, before=round_), *score[each], each) for each in field}
        first = sorted(field, key=order.__getitem__)[: len(self.sitting_out)]
        self._agree(sorted(self.sitting_out), sorted(first), "who has a bye")

    def _check_sizes(self, count: int, sizes: list[int]) -> None:
        """Check that as many as possible sit, at tables that are allowed and differ by one at most."""
        least, most = self.terms["tables"]["min"], self.terms["tables"]["max"]
        possible = (n for n in range(count, -1, -1) if any(t * least <= n <= t * most for t in range(n // least + 1)))
        self._agree(sum(sizes), next(possible), "how many sit")
        unfit = [size for size in sizes if not least <= size <= most or size > min(sizes) + 1]
        self._agree(unfit, [], "sizes that are not allowed, or differ by more than one")

    def _check_meetings(self, order: list[int], tables: list[list[int]], penalty: "_Penalty") -> None:
        """Check that tables are cut from the order of scores, or cost no more than they must."""
        sizes, rest = [len(table) for table in tables], iter(penalty.gather(order))
        cut = [sorted(islice(rest, size)) for size in sizes]
        if not any(map(penalty.of, cut)):
            self._agree([sorted(table) for table in tables], cut, "tables of equals")
        elif len(order) <= FIELD_TRIED_MAX:
            self._agree(sum(map(penalty.of, tables)), _least(order, sizes, penalty), "what the tables cost")

    def _has_place(self) -> bool:
        return self.entrants - len(self.left) < int(self.terms["entries_max"])

    def _count_byes(self, entrant: int, *, before: int) -> int:
        return sum(entrants.count(entrant) for round_, entrants in self.byes.items() if round_ < before)

    def _list_present(self, place: tuple[int, int]) -> list[int]:
        came = [entrant for _, entrant, _ in self.walkovers.get(place, [])]
        return came if place in self.walkovers else [seat["entrant"] for seat in self.seats[place]]

    def _count_meetings(self, *, before: int) -> dict[tuple[int, int], int]:
        tables = [seats for at, seats in self.seats.items() if at[0] < before and at not in self.walked_over]
        people = (sorted(seat["entrant"] for seat in seats) for seats in tables)
        return Counter(pair for table in people for pair in combinations(table, 2))

    def _by_score(self, entrant: int) -> tuple[int, int, int]:
        points = self.at_call[entrant] if self.terms["format"]["kind"] == "score" else 0
        return -points, self.lots[max(self.lots)][entrant], entrant

    def _read_game(self, game: str) -> list[bytes]:
        name = f"games/{game}.spina.zip"
        if name not in self.archive.namelist():
            self.games_missing += 1
            return []
        return zipfile.ZipFile(io.BytesIO(self.archive.read(name))).read("log.ndjson").splitlines()

    def _agree(self, said: object, follows: object, about: str) -> None:
        if said != follows:
            raise Disagreement(f"{about}: the log says {said}, and it follows {follows}")


class _Penalty:
    """What a table costs but for its points: meetings of its pairs, and wishes that it does not keep."""

    def __init__(self, meetings: dict[tuple[int, int], int], wishes: list[tuple[tuple[int, ...], str]]) -> None:
        kept = [(group, wish) for group, wish in wishes if wish != "none" and len(group) > 1]
        self.apart = {pair: times * (MEETING if kept else 1) for pair, times in meetings.items()}
        self.together: dict[tuple[int, int], int] = defaultdict(int)
        for group, wish in kept:
            weights = self.apart if wish.startswith("apart") else self.together
            for pair in combinations(group, 2):
                weights[pair] = weights.get(pair, 0) + (1 if wish.endswith("if_possible") else ALWAYS)

    def gather(self, order: list[int]) -> list[int]:
        gathered: dict[int, None] = {}
        for first in order:
            group = [first]
            for entrant in group:
                if entrant not in gathered:
                    gathered[entrant] = None
                    pairs = ((other, tuple(sorted((entrant, other)))) for other in order)
                    group += [other for other, pair in pairs if pair in self.together]
        return list(gathered)

    def of(self, table: list[int] | tuple[int, ...]) -> int:
        split = (weight for pair, weight in self.together.items() if len(set(pair) & set(table)) == 1)
        return sum(split) + sum(self.apart.get(pair, 0) for pair in combinations(sorted(table), 2))


def _least(order: list[int], sizes: list[int], penalty: _Penalty) -> int:
    found = [] if order else [0]
    for size in set(sizes):
        at = sizes.index(size)
        for others in combinations(order[1:], size - 1):
            left = [entrant for entrant in order[1:] if entrant not in others]
            found.append(penalty.of((order[0], *others)) + _least(left, sizes[:at] + sizes[at + 1 :], penalty))
    return min(found)


def _share(earned: list[int], place: int, count: int) -> int:
    return sum(earned[place - 1 : place - 1 + count]) // count


if __name__ == "__main__":
    for item in Recount(Path(sys.argv[1]).read_bytes()).run():
        print(*(item[name] for name in ("place", "entrant", "points", "tie_breaks", "rounds")))  # noqa: T201  a program
