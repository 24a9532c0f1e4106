// Options with a character for each seat, from the first again where seats are more: a row of picks, one for each seat.
// Must agree with domain/ruleset/by_seat.py.

import { el } from "./dom.js";
import { select } from "./field.js";
import { LETTERS } from "./teams.js";

// By the format that a schema gives its option. A seat that races alone is a team of its own; where all do, there are
// no teams.
const FORMATS = {
  "team-by-seat": {
    tell: (seat) => `Team of seat ${seat}`,
    choices: (seats) => [["", "alone"], ...[...LETTERS.slice(0, seats)].map((letter) => [letter, letter])],
    join: (picked) => {
      const free = [...LETTERS].filter((letter) => !picked.includes(letter));
      return picked.some(Boolean) ? picked.map((letter) => letter || free.shift()) : null;
    },
  },
  "points-by-seat": {
    tell: (seat) => `Points of seat ${seat}`,
    choices: () => [["", "0"], ...[..."123456789"].map((points) => [points, `+${points}`])],
    join: (picked) => (picked.some(Boolean) ? picked.map((points) => points || "0") : null),
  },
};

export function isBySeat(format) {
  return format in FORMATS;
}

export function buildSeatOptions(name, format, seats) {
  const { tell, choices, join } = FORMATS[format];
  let written = "";
  const picks = Array.from({ length: seats }, (_, seat) => {
    const pick = select(name, choices(seats));
    pick.setAttribute("aria-label", tell(seat));
    return pick;
  });
  const row = el("div", { class: "seat-picks" }, picks);
  return Object.assign(row, {
    read: () => {
      const picked = join(picks.filter(({ hidden }) => !hidden).map(({ value }) => value));
      // What was chosen for a larger table stays what it is.
      const isAsWritten = written && picked?.every((each, seat) => each === written[seat % written.length]);
      return isAsWritten ? written : picked ? shorten(picked) : undefined;
    },
    write: (value) => {
      written = value ?? "";
      for (const [seat, pick] of picks.entries()) {
        pick.value = value ? value[seat % value.length] : "";
        // A character that stands for nothing chosen.
        if (pick.selectedIndex < 0) pick.value = "";
      }
    },
    // Only these seats are at the table.
    setSeats: (count) => {
      for (const [seat, pick] of picks.entries()) pick.hidden = seat >= count;
    },
  });
}

// The shortest text that gives these characters when it is begun again and again, of two at least.
export function shorten(picked) {
  const isBegunAgain = (length) => picked.every((each, seat) => each === picked[seat % length]);
  const length = picked.findIndex((_, place) => place > 0 && isBegunAgain(place + 1)) + 1;
  return picked.slice(0, length || picked.length).join("");
}
