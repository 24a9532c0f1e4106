// The seats of awaited tables, as their games have them: entrants to look for while there is time.

import { readTagged } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { list } from "../parts/words.js";
import { nameOf } from "../tournament/words.js";

const LOOK_MS = 8_000;
// So many games are asked for at once by one page; for more tables there is the list of games.
const TABLES_MAX = 24;

export class TableWatch {
  #timer = null;
  #shown = null;

  // The games that are known to have begun: no entrant is absent from one of them.
  begun = new Set();

  // `onRule` gets a kind of ruling and a table for which it may be wanted; `onBegun` is called after a start.
  constructor(onRule, onBegun) {
    this.onRule = onRule;
    this.onBegun = onBegun;
    this.list = el("ul", { class: "watched" });
    this.note = el("p", { class: "note" });
    this.root = el(
      "section",
      { "aria-labelledby": "waited" },
      el("h2", { id: "waited" }, "Waited for"),
      this.note,
      this.list,
    );
  }

  show(shown) {
    this.#shown = shown;
    clearTimeout(this.#timer);
    this.#look();
  }

  async #look() {
    const { pairings, tournament } = this.#shown;
    const round = pairings?.items.find((each) => each.round === tournament.round && each.status === "playing");
    const open = round?.tables.filter(({ status }) => status === "awaited" || status === "halted") ?? [];
    // The games of a draw that is held are not opened.
    this.root.hidden = !open.length || round.is_held;
    if (round?.is_held) return;
    this.note.textContent =
      open.length > TABLES_MAX ? `The first ${TABLES_MAX} of ${open.length} tables that are waited for:` : "";
    const shown = this.#shown;
    const watched = await Promise.all(open.slice(0, TABLES_MAX).map((table) => findSeats(table)));
    if (shown !== this.#shown) return;
    const begun = watched.filter(({ phase, game }) => phase === "begun" && !this.begun.has(game));
    for (const { game } of begun) this.begun.add(game);
    if (begun.length) this.onBegun();
    renew(
      this.list,
      watched.map((each) => ({ ...each, round: round.round })),
      { key: ({ table }) => table, build: (each) => this.#build(each) },
    );
    if (watched.length) this.#lookLater();
  }

  // A page that is not looked at asks nothing.
  #lookLater() {
    this.#timer = setTimeout(() => (document.hidden ? this.#lookLater() : this.#look()), LOOK_MS);
  }

  #build({ round, table, game, status, phase, absent, unready, sit_down_by: until }) {
    const act = (said, kind) => button(said, () => this.onRule(kind, { round, table }));
    const halted = () => [
      "its game was aborted and waits for your ruling ",
      act("Play it again", "table_replayed"),
      act("Replace its result", "result_replaced"),
    ];
    const open = () => [
      absent.length
        ? ["not seated: ", el("bdi", {}, list(absent))]
        : unready.length
          ? ["seated, not ready: ", el("bdi", {}, list(unready))]
          : "is about to begin",
      " ",
      until ? el("spina-countdown", { until }) : "paused",
      absent.length ? act("Tell a no-show", "no_show_told") : "",
    ];
    return el(
      "li",
      { class: `watched-${status}` },
      el("strong", {}, el("a", { href: `/games/${game}` }, `Table ${table}`)),
      " ",
      status === "halted" ? halted() : phase === "open" ? open() : el("span", { class: "note" }, PHASES[phase]),
    );
  }
}

const PHASES = {
  begun: "is being played",
  unopened: "its game is about to be opened",
  unknown: "its seats cannot be read now",
};

// The seats of a table as its game has them. A game that cannot be read states nothing of its seats.
async function findSeats(table) {
  const { table: number, game, status, seats, sit_down_by: until } = table;
  const read = await readTagged(`/v1/games/${game}`).then(
    ({ body }) => ({ seats: body.seats, phase: body.status === "open" ? "open" : "begun" }),
    (error) => ({ seats: [], phase: error.status === 404 ? "unopened" : "unknown" }),
  );
  const of = (isSo) => seats.filter((_, place) => read.seats[place] && isSo(read.seats[place])).map(nameOf);
  return {
    table: number,
    game,
    status,
    sit_down_by: until,
    phase: read.phase,
    absent: of((seat) => seat.status === "vacant"),
    unready: of((seat) => seat.status === "held" && !seat.is_ready),
  };
}
