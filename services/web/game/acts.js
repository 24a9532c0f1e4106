// The acts of chariots in the order of the race, and the race retold by them: each act once, when it is over.

import { inSeat, tellOrder } from "../parts/names.js";
import { tell } from "../parts/sentences.js";
import { capital, list, ordinal } from "../parts/words.js";

// Lines that belong to no act.
const TOLD = new Set([
  "seat_resigned",
  "seat_handed",
  "seat_reclaimed",
  "game_paused",
  "pause_ended",
  "game_stopped",
  "game_aborted",
  "seat_removed",
]);

// Of these turns, [{number, lines}]: [{turn, key, colour, name, seat, move}].
export function listActs(turns, chariots, { findMove }) {
  if (!findMove) return [];
  const acts = turns.flatMap(({ number, lines }) =>
    chariots.map(({ key, colour, name, seat }) => ({
      turn: number,
      key,
      colour,
      name,
      seat,
      move: findMove(key, lines),
    })),
  );
  return acts.filter(({ move }) => move).sort((one, other) => one.move.version - other.move.version);
}

export class Retelling {
  #ruleset;
  #told = new Set();
  #places = new Map();
  #leader = null;
  #status = null;

  constructor(ruleset) {
    this.#ruleset = ruleset;
  }

  // The sentences that are due at a moment; `turns` are the last two, `passed` the lines since the moment before, and
  // `isOn` states whether the race went on. After a jump the race is retold from there.
  follow(shown, { turns, passed, chariots, isOn }) {
    const { status, ranking = [], board } = shown;
    const acts = listActs(turns, chariots, this.#ruleset).filter((act, _, all) => isOver(act, all, turns, status));
    const news = acts.filter((act) => !this.#told.has(nameAct(act)));
    this.#told = new Set(isOn ? [...this.#told, ...news.map(nameAct)] : acts.map(nameAct));
    const places = new Map(ranking.map(({ seat, place }) => [seat, place]));
    const said = [
      ...news.map((act) => this.#tellAct(act, places)),
      ...passed.filter(({ type }) => TOLD.has(type)).map((line) => tell(line, this.#ruleset.words)),
      this.#tellLeader(ranking),
    ];
    this.#keepPlaces(places, isOn ? news : null);
    const isEnd = this.#status === "running" && status === "finished";
    this.#status = status;
    return [
      ...(isOn ? said.filter(Boolean) : []),
      ...(isEnd ? [`${tellOrder(ranking, chariots, board?.teams)}.`] : []),
    ];
  }

  #tellAct({ name, seat, move: { said, notes } }, places) {
    const [before, place] = [this.#places.get(seat), places.get(seat)];
    // Who leads has a sentence of its own.
    const isAhead = before !== undefined && place < before && place > 1;
    const told = [said, ...notes, isAhead ? `now ${ordinal(place)}` : null].filter(Boolean);
    return `${capital(name)}: ${list(told)}.`;
  }

  // A place that was lost is no news; one that was won is told with the next act of its driver.
  #keepPlaces(places, news) {
    for (const [seat, place] of places) {
      const isKept = news && place < (this.#places.get(seat) ?? 0) && !news.some((act) => act.seat === seat);
      if (!isKept) this.#places.set(seat, place);
    }
  }

  #tellLeader(ranking) {
    const first = ranking.filter(({ place }) => place === 1);
    if (first.length !== 1 || first[0].seat === this.#leader) return null;
    const isNew = this.#leader !== null;
    this.#leader = first[0].seat;
    return isNew ? `${capital(inSeat(this.#leader))} takes the lead.` : null;
  }
}

function nameAct({ turn, key }) {
  return `${turn}: ${key}`;
}

// Where drivers act one after the other, the next one ends an act; where all act at once, the end of the turn.
function isOver({ turn, move }, all, turns, status) {
  const isNext = (other) => other.turn === turn && other.move.begins > move.begins;
  return turn < turns.at(-1).number || status !== "running" || all.some(isNext);
}
