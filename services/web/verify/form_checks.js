// The form of a log: each line in its one spelling, each tied to the one before, the first one opening the game.

import { broken, held, unchecked } from "./findings.js";
import { checkFirst, checkNext } from "./line.js";
import { Refused } from "./refused.js";

export class Form {
  /** @type {Verdict | null} */
  #misfit = null;
  #seen = 0;

  see({ place, line, refusal }) {
    this.#seen = place;
    if (line === null) this.#misfit ??= broken(place, refusal.expected, refusal.found);
  }

  result({ ending }) {
    if (this.#misfit) return this.#misfit;
    return ending ? broken(Math.max(1, this.#seen), ending.expected, ending.found) : held(`${this.#seen} lines`);
  }
}

export class Chain {
  /** @type {Verdict | null} */
  #misfit = null;
  /** @type {ReadEntry | null} */
  #before = null;

  see(found) {
    this.#misfit ??= this.#find(found);
    this.#before = found;
  }

  result() {
    return this.#misfit ?? held(`${this.#before?.place ?? 0} lines`);
  }

  #find({ place, line }) {
    const before = this.#before;
    if (line === null) return null;
    try {
      if (before === null) checkFirst(line);
      else if (before.line !== null) checkNext(line, before.line, before.hash);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return broken(place, error.expected, error.found);
    }
    // A line that cannot be read still has its hash.
    return before !== null && line.prev !== before.hash
      ? broken(place, `prev ${before.hash}`, `prev ${line.prev}`)
      : null;
  }
}

export class Opening {
  /** @type {Verdict} */
  #result = unchecked("the first line cannot be read");
  /** @type {Verdict | null} */
  #again = null;

  see({ place, line, opened }) {
    if (place === 1 && line !== null) this.#result = judgeOpening(line, opened);
    else if (place > 1 && line?.type === "game_opened")
      this.#again ??= broken(place, "no second opening", "game_opened");
  }

  result() {
    return this.#result.verdict === "held" ? (this.#again ?? this.#result) : this.#result;
  }
}

export class Fields {
  /** @type {Verdict | null} */
  #misfit = null;
  #told = 0;
  #passed = 0;

  see({ place, line, fields, opened }) {
    if (line === null) return;
    if (fields === "known" && opened) this.#misfit ??= judgeSeats(line, opened.seats);
    if (fields === "unreadable" || fields === "surplus") {
      this.#misfit ??= broken(
        place,
        `the fields of ${line.type}, all of them and no others`,
        Object.keys(line.data).sort().join(", "),
      );
    }
    if (fields === "of the rules") this.#passed += 1;
    else this.#told += 1;
  }

  result() {
    return this.#misfit ?? held(`${this.#told} lines; ${this.#passed} others are the ruleset's own`);
  }
}

// Every line of a type that all games share names seats that the game has.
function judgeSeats({ type, version, data }, count) {
  if (type === "game_opened") return null;
  const ranked = (data.ranking ?? []).map(({ seat }) => seat);
  const seats = [...ranked, ...(data.seats ?? []), ...(data.absent ?? []), data.seat ?? 0];
  const isForeign = seats.some((seat) => seat >= count);
  return isForeign ? broken(version, `seats below ${count}, as the game has`, seats.join(", ")) : null;
}

function judgeOpening(line, opened) {
  if (line.type !== "game_opened") return broken(1, "a log that begins with game_opened", line.type);
  if (opened === null) return unchecked("the first line cannot be read");
  if (line.sig !== null) return broken(1, "an opening without a signature, as nobody can sign the anchors", "one");
  const ascending = [...new Set(opened.demands)].sort();
  if (ascending.join() !== opened.demands.join())
    return broken(1, "demands in ascending order, none twice", opened.demands.join(", "));
  if (opened.rematch_of === line.stream) return broken(1, "a rematch of another game", "the game itself");
  return judgeStandIn(opened) ?? held("the first line");
}

// It contributes no links and signs nothing.
function judgeStandIn({ stand_in: terms, clock, table, demands }) {
  if (!terms) return null;
  if (!clock || table) return broken(1, "a stand-in in a game with a clock and of no tournament", "another game");
  const demanded = ["links", "own_custody", "signed"].filter((each) => demands.includes(each));
  return demanded.length
    ? broken(1, "no stand-in, as only players can meet the demands of this game", `one beside ${demanded.join(", ")}`)
    : null;
}
