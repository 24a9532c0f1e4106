// How fast a chariot of Chariot Race goes in a round, and how far that brought it.

import { count } from "../words.js";

// A sprint is worth so much speed.
const SPRINT = 2;

// `turn` are the lines of one round, or of its beginning; null where the chariot has no speed yet.
export function findMove(chariot, turn) {
  const set = turn.find((line) => line.type === "speed_set" && line.data.chariot === chariot);
  if (!set) return null;
  const { speed_before: before, pluses, minuses, sprints, speed } = set.data;
  const reckoned = before + pluses - minuses + sprints * SPRINT;
  const entered = turn
    .filter((line) => line.type === "chariot_moved" && line.data.chariot === chariot)
    .reduce((all, line) => all + line.data.path.length, 0);
  return {
    version: set.version,
    title: "Speed",
    parts: [["speed before", before], ["±", pluses], ["±", -minuses], ["sprint", sprints * SPRINT], ["at the limit", speed - reckoned]],
    total: speed,
    note: entered ? `Enters ${count(entered, "space")}.` : "",
  };
}
