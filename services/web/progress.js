// How far a race is, in a few words: true of the leader, in the middle of the race and when others still run home.

import { count } from "./words.js";

// Of a driver in a race over so many laps; the lap that follows the last one is none.
export function tellLap(completed, laps) {
  return completed < laps ? `lap ${completed + 1}` : "every lap run";
}

// Of a game in a list, which does not know how many laps there are to run.
export function tellProgress({ status, version, turn, laps, delay_s: delay }) {
  const isOver = status === "finished" || status === "aborted";
  const come = !turn ? count(version, "event") : isOver ? count(turn, "turn") : laps ? `turn ${turn}, ${count(laps, "lap")} run` : `turn ${turn}`;
  return delay && !isOver ? `${come}, shown late` : come;
}
