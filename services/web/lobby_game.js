// One game in the lobby: what it is, who drives, how far it has come, and when.

import { ago, el } from "./dom.js";
import { titleOf } from "./rulesets.js";
import { capital, count } from "./words.js";

export function showGame(game) {
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/games/${game.id}`, class: "game" },
      el("strong", {}, titleOf(game.ruleset)),
      el("span", { class: `status status-${game.status}` }, capital(game.status)),
      el("span", { class: "drivers" }, tellDrivers(game)),
      el("span", { class: "note" }, tellProgress(game)),
      el("span", { class: "note when" }, tellTime(game)),
    ),
  );
}

function tellDrivers({ seats, taken = [] }) {
  const names = taken.map((each) => each.name ?? `Seat ${each.seat}`);
  const free = seats - taken.length;
  if (!names.length) return count(seats, "seat");
  return free > 0 ? `${names.join(", ")}, ${count(free, "seat is", "seats are")} free` : names.join(", ");
}

function tellProgress({ version, turn, laps, delay_s: delay }) {
  return [turn ? `turn ${turn}` : null, laps ? `lap ${laps + 1}` : null, turn ? null : count(version, "event"), delay ? "shown late" : null]
    .filter(Boolean)
    .join(", ");
}

function tellTime({ status, opened_at: opened, started_at: started, ended_at: ended }) {
  if (status === "finished" || status === "aborted") return ended ? ["ended ", ago(ended)] : ["opened ", ago(opened)];
  return status === "running" && started ? ["began ", ago(started)] : ["opened ", ago(opened)];
}
