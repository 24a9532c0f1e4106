// The tables of a round, and the entrants who sit out; any round can be chosen, and the one called last is shown first.

import { button, el } from "../parts/dom.js";
import { CutList, renew } from "../parts/keyed.js";
import { count, list } from "../parts/words.js";
import { showTable, tellVerdict } from "./table_card.js";
import { linkName, nameOf } from "./words.js";

// Some screens; the five hundred of a large field are shown on request.
const TABLES_MAX = 48;

export class RoundView {
  // `onChoose` gets the number of a round.
  constructor(onChoose) {
    this.title = el("h2", { id: "pairings" }, "Pairings");
    this.choices = el("div", { class: "rounds", role: "group", "aria-label": "Round" });
    this.note = el("p", { class: "note" });
    this.tables = el("div", { class: "tables" });
    this.cut = new CutList(this.tables, {
      max: TABLES_MAX,
      noun: " tables",
      isKept: ({ seats, mine }) => seats.some(({ entrant }) => entrant === mine),
      // A table drawn again has other people and another game.
      key: ({ round, table }) => `${round}-${table}`,
      build: showTable,
    });
    this.byes = el("ul", { class: "byes" });
    this.checkAll = button("Check all games of this round", () => this.#check(), { hidden: true });
    this.checked = el("p", { class: "check-state", role: "status" });
    this.root = el(
      "section",
      { "aria-labelledby": "pairings" },
      el("div", { class: "section-head" }, this.title, this.choices),
      this.note,
      this.tables,
      this.cut.more,
      this.byes,
      el("div", { class: "check-all" }, this.checkAll, this.checked),
    );
    this.choices.addEventListener(
      "click",
      ({ target }) => target.dataset.round && onChoose(Number(target.dataset.round)),
    );
  }

  // A table that is waited for states until when; of an awaited one that is not, the game goes on.
  show({ tournament, pairings, round, mine, deadlines, now_ms: now }) {
    const found = pairings?.items[0] ?? null;
    this.root.hidden = !found;
    if (!found) return;
    this.title.textContent = `Round ${found.round}`;
    this.#showChoices(tournament.round, round);
    this.note.textContent = tellNote(found);
    this.cut.show(
      found.tables.map((each) => ({
        ...each,
        round: found.round,
        mine,
        isHeld: found.is_held,
        isPaused: Boolean(tournament.paused_at) && found.round === tournament.round,
        due: findDue(deadlines, each, now),
      })),
    );
    const excused = found.excused.map((each) => ({ ...each, points: null }));
    renew(
      this.byes,
      [...found.byes, ...excused].map((each) => ({ ...each, isMine: each.entrant === mine })),
      { key: ({ entrant }) => `${found.round}-${entrant}`, build: showBye },
    );
    this.games = found.tables.filter((each) => each.game_version !== null).map((each) => each.game);
    this.checkAll.hidden = this.games.length === 0;
    if (this.round !== found.round) this.checked.replaceChildren();
    this.round = found.round;
  }

  #showChoices(rounds, chosen) {
    this.choices.hidden = rounds < 2;
    renew(
      this.choices,
      Array.from({ length: rounds }, (_, index) => ({ number: index + 1, isChosen: index + 1 === chosen })),
      {
        key: ({ number }) => number,
        build: ({ number, isChosen }) =>
          el(
            "button",
            { type: "button", "data-round": number, "aria-pressed": String(isChosen), "aria-label": `Round ${number}` },
            `${number}`,
          ),
      },
    );
  }

  // One after the other: the server audits one game at a time.
  async #check() {
    const { games, round } = this;
    this.checkAll.disabled = true;
    const codes = [];
    const each = el("span");
    for (const game of games) {
      if (this.round !== round) break;
      this.checked.textContent = `The server has audited ${codes.length} of ${games.length} games…`;
      codes.push(await tellVerdict(game, each));
    }
    this.checkAll.disabled = false;
    if (this.round === round) this.checked.textContent = tellCodes(codes);
  }
}

function findDue({ items }, { game }, now) {
  const due = items.find((each) => each.game === game);
  return due ? { what: due.what, until: Date.parse(due.until) > now ? due.until : null } : null;
}

function tellCodes(codes) {
  const [held, broken, open] = [0, 1, 3].map(
    (code) => codes.filter((each) => each === code || (code === 1 && each === 2)).length,
  );
  const unread = codes.length - held - broken - open;
  return `The server's own audit of ${count(codes.length, "game")}: ${list(
    [
      `everything holds in ${held}`,
      broken ? `something does not hold in ${broken}` : null,
      open ? `something cannot be checked yet in ${open}` : null,
      unread ? `${unread} could not be read` : null,
    ].filter(Boolean),
  )}. The bundle below lets you check them all yourself.`;
}

function tellNote({ status, tables, waiting, is_held: isHeld }) {
  if (status === "check_in")
    return (
      "The tables are drawn when all entrants have checked in, or when the time is up. " +
      `${waiting.length ? `Not here yet: ${list(waiting.map(nameOf))}.` : ""}`
    );
  const awaited = tables.filter((each) => each.status === "awaited").length;
  const many = count(tables.length, "table");
  if (status === "closed") return `${many}, and the round is closed.`;
  if (isHeld) return `${many}. An organiser looks at the draw first; it may change until the games are opened.`;
  return `${many}, ${awaited ? `${awaited} still to be played` : "waiting for a ruling"}.`;
}

function showBye(bye) {
  return el(
    "li",
    { class: bye.isMine ? "mine" : null },
    linkName(bye),
    bye.isMine ? " (you)" : "",
    bye.points === null ? " sits out, as agreed. " : ` sits out and has ${bye.points} points. `,
    el("span", { class: "note" }, bye.why ?? ""),
  );
}
