// The parts of a bundle that stay the operator's word although every check holds: the first line names them.
// Must agree with domain/audit/reserved.py. This page knows the components of no release, and reads no ledger.

const BY_ORGANISER = "organiser:";

export class Reserved {
  #holders = new Map();
  #isStarted = false;
  #isRuledUnsigned = false;

  see({ line, event, opened }) {
    const { kind, type, by } = line;
    if (type === "game_started" && kind === "outcome") this.#isStarted = true;
    else if (type === "seat_taken" && kind === "input") this.#holders.set(event.seat, event);
    else if ((type === "seat_left" || type === "seat_offered") && kind === "input") this.#holders.delete(event.seat);
    const organiser = by.startsWith(BY_ORGANISER) ? by.slice(BY_ORGANISER.length) : null;
    if (organiser !== null && line.version > 1 && opened?.organisers[organiser] === null) this.#isRuledUnsigned = true;
  }

  result() {
    const unsigned = [...this.#holders].filter(([, { key }]) => key === null).map(([seat]) => seat);
    const seats = unsigned.sort((one, other) => one - other);
    const isForeseen = ![...this.#holders.values()].some(({ key, links }) => key !== null && links > 0);
    return [
      ...(this.#isStarted && seats.length ? [{ about: "moves", seats, games: 0 }] : []),
      ...(this.#isStarted && isForeseen ? [{ about: "dice", seats: [], games: 0 }] : []),
      ...(this.#isRuledUnsigned ? [{ about: "rulings", seats: [], games: 0 }] : []),
      { about: "history", seats: [], games: 0 },
    ];
  }
}
