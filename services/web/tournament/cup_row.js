// One tournament in a list: its terms, its progress, its leader or winner.

import { ago, el } from "../dom.js";
import { titleOf } from "../ruleset_words.js";
import { capital, count } from "../words.js";
import { FORMATS } from "./words.js";

const MOST_NAMES = 3;

export function showCup(cup) {
  return el("li", {}, el("a", { href: `/tournaments/${cup.id}`, class: "cup-row" },
    el("strong", {}, el("bdi", {}, cup.name)),
    el("span", { class: `status status-${cup.status}` }, capital(cup.status)),
    el("span", { class: "led" }, tellCup(cup)),
    el("span", { class: "note when" }, tellWhen(cup)),
    el("span", { class: "note" }, `${titleOf(cup.ruleset)}, ${FORMATS[cup.format] ?? cup.format}`)));
}

function tellCup({ status, entries, entries_max: max, round, leaders }) {
  if (status === "open") return `${count(entries, "entrant")} of at most ${max}`;
  const many = `${count(entries, "entrant")}, round ${round}`;
  if (!leaders.length || status === "aborted") return many;
  const said = status === "finished" ? "won by " : "led by ";
  return [status === "finished" ? "" : `${many}, `, said, tellNames(leaders), status === "finished" ? el("span", { class: "note" }, `, ${count(entries, "entrant")}`) : ""];
}

function tellNames(leaders) {
  const names = leaders.slice(0, MOST_NAMES).flatMap((each, place) => [place ? ", " : "", el("bdi", {}, each.name ?? "unnamed")]);
  return leaders.length > MOST_NAMES ? [...names, ` and ${leaders.length - MOST_NAMES} more`] : names;
}

function tellWhen({ status, opened_at: opened, last_at: last }) {
  if (status === "finished" || status === "aborted") return ["ended ", ago(last)];
  return status === "running" ? ["last change ", ago(last)] : ["opened ", ago(opened)];
}
