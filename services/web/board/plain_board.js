// <plain-board>: any board as the picture of the words, if these have one, and as tables. Its members stand under
// their names.

import { el, wideTable } from "../parts/dom.js";
import { inSeat } from "../parts/names.js";
import { wordsOf } from "../parts/ruleset_words.js";
import { capital, spaced } from "../parts/words.js";
import { drawTemplate } from "./template_picture.js";

export class PlainBoard extends HTMLElement {
  show({ board, ruleset }) {
    const words = wordsOf(ruleset);
    const members = Object.entries(board).filter(([, value]) => value !== null && value?.length !== 0);
    const facts = members.filter(([, value]) => !isTable(value));
    this.replaceChildren(
      words.picture ? (drawTemplate(words, board) ?? "") : "",
      el(
        "dl",
        {},
        facts.map(([name, value]) =>
          el("div", {}, el("dt", {}, capital(spaced(name))), el("dd", {}, tellValue(name, value))),
        ),
      ),
      ...members.filter(([, value]) => isTable(value)).map(([name, rows]) => showTable(name, rows)),
    );
  }
}

function isTable(value) {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => each !== null && typeof each === "object" && !Array.isArray(each))
  );
}

function showTable(name, rows) {
  const heads = [...new Set(rows.flatMap(Object.keys))];
  return wideTable(
    el(
      "table",
      {},
      el("caption", { id: name }, capital(spaced(name))),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head) => el("th", { scope: "col" }, capital(spaced(head)))),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            heads.map((head) => el("td", {}, tellValue(head, row[head]))),
          ),
        ),
      ),
    ),
    name,
  );
}

function tellValue(name, value) {
  if (value === null || value === undefined) return "–";
  if (name === "seat" && typeof value === "number") return inSeat(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((each) => tellValue(name, each)).join(", ") || "none";
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, each]) => `${spaced(key)} ${tellValue(key, each)}`)
      .join(", ");
  return `${value}`;
}

customElements.define("plain-board", PlainBoard);
