// One game in the lobby: its ruleset, drivers, progress and time.

import { ago, el } from "./dom.js";
import { tellProgress } from "./progress.js";
import { titleOf } from "./ruleset_words.js";
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
      el("span", { class: "drivers" }, tellDrivers(game), tellWinners(game)),
      el("span", { class: "note" }, tellProgress(game)),
      el("span", { class: "note when" }, tellTime(game)),
    ),
  );
}

function tellDrivers({ seats, taken = [] }) {
  const names = taken.map((each) => each.name ?? `Seat ${each.seat}`);
  if (!names.length) return count(seats, "seat");
  const free = seats - names.length;
  return `${joinNames(names)}${free > 0 ? `; ${count(free, "seat is", "seats are")} free` : ""}`;
}

// A race without a winner has no first place.
function tellWinners({ status, winners, taken }) {
  if (status !== "finished") return "";
  const names = taken.filter(({ seat }) => winners.includes(seat)).map((each) => each.name ?? `Seat ${each.seat}`);
  const said = winners.length ? `${winners.length > 1 ? "Shared by" : "Won by"} ${joinNames(names)}` : "Nobody won";
  return el("span", { class: "won-by" }, said);
}

// A bracket that stands behind every name is told once: "Teres (house bot)" and the others are "Teres, Diocles (house bots)".
function joinNames(names) {
  const [, kind] = names[0].match(/ \(([^)]*)\)$/) ?? [];
  const ending = ` (${kind})`;
  if (names.length < 2 || !kind || !names.every((name) => name.endsWith(ending))) return names.join(", ");
  return `${names.map((name) => name.slice(0, -ending.length)).join(", ")} (${kind}s)`;
}

function tellTime({ status, opened_at: opened, started_at: started, ended_at: ended }) {
  if (status === "finished" || status === "aborted") return ended ? ["ended ", ago(ended)] : ["opened ", ago(opened)];
  return status === "running" && started ? ["began ", ago(started)] : ["opened ", ago(opened)];
}
