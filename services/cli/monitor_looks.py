"""The words of `spina monitor`: each look whose result is another one than before, and at the end the games."""

from services.ledger.monitoring import Look, Monitor
from services.terminal.printing import say, say_json

# Lines of the table; `--json` has all.
OPENERS_MAX = 20
# A line of progress for so many entries: about a second's worth.
PROGRESS_ENTRIES = 10 * 1_024
CONTRADICTED_EXIT_CODE = 1
UNREACHED_EXIT_CODE = 3


class Looks:
    """Prints each look whose result is another one than before."""

    def __init__(self, *, as_json: bool) -> None:
        self.monitor: Monitor | None = None
        self._as_json = as_json
        self._last: Look | None = None
        self._contradictions: dict[str, None] = {}
        self._read = 0

    def on_read(self, entries: int) -> None:
        if entries // PROGRESS_ENTRIES > self._read // PROGRESS_ENTRIES:
            say(f"{entries:,} entries read", err=True)
        self._read = max(self._read, entries)

    def on_look(self, found: Look) -> None:
        for contradiction in found.contradictions:
            if contradiction not in self._contradictions:
                self._contradictions[contradiction] = None
                say(f"contradiction: {contradiction}", err=True)
        if self._last is None or found.unreached != self._last.unreached:
            for name in found.unreached:
                say(f"no answer: {name}", err=True)
        if not self._as_json and (self._last is None or found.tree_size != self._last.tree_size):
            assert self.monitor is not None, "it looks"
            streams = sum(each.opened for each in self.monitor.games.sum_up())
            say(f"{found.tree_size:,} entries, {streams:,} games and tournaments shown to all")
        self._last = found

    @property
    def exit_code(self) -> int:
        if self._contradictions:
            return CONTRADICTED_EXIT_CODE
        return UNREACHED_EXIT_CODE if self._last is None or self._last.unreached else 0

    def tell_games(self) -> None:
        if self.monitor is None or self._last is None:
            return
        sums, hidden = self.monitor.games.sum_up(), self.monitor.games.count_hidden()
        if self._as_json:
            say_json(
                {
                    "exit_code": self.exit_code,
                    "entries": self._last.tree_size,
                    "contradictions": list(self._contradictions),
                    "unreached": self._last.unreached,
                    "openers": sums,
                    "not_shown": hidden,
                }
            )
            return
        columns = ("opened", "finished", "aborted", "cancelled", "stopped", "going_on")
        if sums:
            say("".join(f"{name.replace('_', ' '):>10}" for name in columns) + "  by")
        for sum_ in sums[:OPENERS_MAX]:
            numbers = "".join(f"{getattr(sum_, name):>10,}" for name in columns)
            say(f"{numbers}  {sum_.opener}{'' if sum_.kind == 'games' else ' (tournaments)'}")
        if len(sums) > OPENERS_MAX:
            say(f"and {len(sums) - OPENERS_MAX:,} others: see --json")
        say(f"{hidden:,} games and tournaments are not shown to all")
