// The end of a game by its own lines: who won, when, and by which ruling. It believes the log, which the checks do not.
// Must agree with domain/audit/outcome.py.

import { ENDS } from "./ending_checks.js";
import { shorten } from "./findings.js";

export class Outcome {
  /** @type {string | null} */
  #title = null;
  #teams = null;
  #isStarted = false;
  /** @type {LogLine | null} */
  #end = null;
  /** @type {LogLine | null} */
  #last = null;
  #holders = new Map();
  #rulings = [];
  #stoodIn = new Set();

  see({ line, event, opened }) {
    this.#title ??= opened?.ruleset.name
      .split("-")
      .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
      .join(" ");
    this.#teams ??= opened?.options.teams;
    this.#last = line;
    const { kind, type } = line;
    if (ENDS.has(`${kind} ${type}`)) this.#end ??= line;
    else if (type === "game_started" && kind === "outcome") this.#isStarted = true;
    else if (type === "seat_taken" && kind === "input") this.#holders.set(event.seat, event.player);
    else if ((type === "seat_left" || type === "seat_offered") && kind === "input") this.#holders.delete(event.seat);
    else if (type === "seat_handed" && kind === "outcome") this.#stoodIn.add(event.seat);
    else if (type === "seat_removed" && kind === "input") {
      this.#rulings.push({
        type,
        line: line.version,
        by: roleOf(line),
        seat: event.seat,
        reason: shorten(event.reason),
        leaders: [],
        passed_over: [],
      });
    }
  }

  // Null where not even the first line can be read.
  result() {
    if (this.#title === null || !this.#last) return null;
    const { at, version, data, type } = this.#end ?? this.#last;
    const seats = [...this.#holders].sort(([one], [other]) => one - other);
    const status = this.#end
      ? type === "game_finished"
        ? "finished"
        : "aborted"
      : this.#isStarted
        ? "running"
        : "open";
    const isAborted = this.#end && type === "game_aborted";
    const isStopped = this.#end && type === "game_stopped";
    const winners =
      status === "finished"
        ? data.ranking
            .filter(({ place }) => place === 1)
            .map(({ seat }) => seat)
            .sort((one, other) => one - other)
        : [];
    return {
      status,
      title: this.#title,
      line: version,
      date: at.slice(0, 10),
      time: at.slice(11, 16),
      winners,
      team: findTeam(this.#teams, winners),
      by: this.#end && isAborted ? roleOf(this.#end) : isStopped ? "players" : null,
      reason: isAborted ? shorten(data.reason) : isStopped ? "All who were asked agreed to end it." : null,
      left: this.#end && type === "game_cancelled" ? data.seat : null,
      holders: seats.map(([seat, player]) => ({ seat, player })),
      rulings: this.#rulings,
      stood_in: [...this.#stoodIn].sort((one, other) => one - other),
    };
  }
}

// The one team of these seats. The option may be anything.
function findTeam(option, seats) {
  if (typeof option !== "string" || !/^[A-L]{2,12}$/.test(option)) return null;
  const letters = new Set(seats.map((seat) => option[seat % option.length]));
  return letters.size === 1 ? [...letters][0] : null;
}

// An operator who rules has an id; without one it is the server, by its own rules.
function roleOf({ by }) {
  return by === "operator" ? "server" : by.split(":")[0];
}
