// The options of the rulesets in words; one that is not here is told by its name in the API.

import { spaced } from "./words.js";

const OPTIONS = {
  several_whips: "several whips in one move give their steps",
  first_turn: "on turn 1 a chariot that ends on a taken space stands",
  disrupt: "cubes of a disrupt for 2, 3 and 4 players",
  laps: "laps",
  turns_max: "turns at most",
  chariots: "chariots",
  first_half: "side of the first half of the track",
  second_half: "side of the second half of the track",
  no_damage_after_line: "no damage once past the line",
  rounds_max: "rounds at most",
  chariots_each: "chariots for each player",
  equipment: "equipment is chosen",
  equipment_points: "points for equipment",
  second_row_bonus: "more stamina in the second row",
};

export function tellOption(name) {
  return OPTIONS[name] ?? spaced(name);
}

export function tellOptionValue(value) {
  if (value === null) return "as the components say";
  return typeof value === "boolean" ? (value ? "yes" : "no") : spaced(`${value}`);
}
