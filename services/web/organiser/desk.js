// The desk: calls of entrants that wait for an answer, and a word of the organiser to all or to a few.

import { button, el, form } from "../parts/dom.js";
import { field, select } from "../parts/field.js";
import { renew } from "../parts/keyed.js";
import { tellLine } from "../tournament/announcements.js";
import { nameOf } from "../tournament/words.js";

const TEXT_MAX = 500;
const ALL = "";

export class Desk {
  #send;
  #entrants = "";

  // `send` gets the name of a command and its fields.
  constructor(send) {
    this.#send = send;
    this.calls = el("ul", { class: "calls plain" });
    this.waiting = el("ul", { class: "calls plain" });
    this.none = el("p", { class: "note" }, "No call waits for an answer.");
    this.problem = el("p", { class: "problem", role: "alert" });
    this.to = select("to", [[ALL, "all"]]);
    this.text = buildText("word");
    this.said = form(
      { class: "saying", novalidate: true },
      () => this.#announce(),
      field("To", this.to),
      field("Your word", this.text, "A public line of the log, shown on the pages of those whom it is for."),
      el("div", { class: "buttons" }, el("button", { type: "submit" }, "Announce")),
      this.problem,
    );
    this.root = el(
      "section",
      { "aria-labelledby": "desk" },
      el("h2", { id: "desk" }, "Desk"),
      this.waiting,
      this.none,
      this.calls,
      el("details", {}, el("summary", {}, "Announce something"), this.said),
    );
  }

  show({ tournament, entrants }) {
    const isOver = tournament.status === "finished" || tournament.status === "aborted";
    const waiting = tournament.calls.filter(({ answer }) => answer === null);
    this.root.hidden = isOver;
    this.none.hidden = waiting.length > 0;
    renew(this.calls, waiting, { key: ({ line }) => line, build: (call) => this.#build(call) });
    renew(
      this.waiting,
      entrants.items.filter(({ left }) => left === "waiting"),
      {
        key: ({ entrant }) => entrant,
        build: (who) => this.#buildEntry(who, tournament.terms.door?.has_waiting_list === true),
      },
    );
    // A choice stays as it is while nobody comes or goes.
    const told = JSON.stringify(entrants.items.map((each) => [nameOf(each), each.left]));
    if (told === this.#entrants) return;
    this.#entrants = told;
    const chosen = this.to.value;
    // Also who has left: a word that was meant for one must not become one for all.
    const people = entrants.items.map((each) => [each.entrant, nameOf(each)]);
    this.to.replaceChildren(
      ...[[ALL, "all"], ...people].map(([value, name]) =>
        el("option", { value, selected: String(value) === chosen }, name),
      ),
    );
  }

  // An entry that waits for approval: the ruling is one like any other, and its reason names the desk.
  #buildEntry(who, isListed) {
    const problem = el("p", { class: "problem", role: "alert" });
    const rule = (ruling, reason) => () =>
      this.#send("rulings", { ruling, entrant: who.entrant, reason }).catch(
        (error) => (problem.textContent = error.message),
      );
    return el(
      "li",
      { class: "call" },
      el(
        "p",
        {},
        el("strong", {}, el("bdi", {}, nameOf(who))),
        isListed ? " is on the waiting list." : " waits to be admitted.",
      ),
      el(
        "div",
        { class: "buttons" },
        isListed ? "" : button("Admit", rule("entrant_admitted", "Admitted at the desk.")),
        button("Decline", rule("entrant_removed", "Not admitted.")),
      ),
      problem,
    );
  }

  #build(call) {
    const answer = el("input", { name: "answer", maxlength: TEXT_MAX, "aria-label": `Answer to ${nameOf(call)}` });
    const problem = el("p", { class: "problem", role: "alert" });
    const send = async (text) => {
      problem.textContent = text ? "" : "Say something, such as: I am on my way.";
      if (!text) return answer.focus();
      await this.#send("answers", { line: call.line, text }).catch((error) => (problem.textContent = error.message));
    };
    return el(
      "li",
      { class: "call" },
      el("p", {}, el("strong", {}, el("bdi", {}, nameOf(call))), ": ", el("bdi", {}, call.text)),
      el("p", { class: "note" }, tellLine(call)),
      form(
        { class: "answering", novalidate: true },
        () => send(answer.value.trim()),
        answer,
        el("button", { type: "submit" }, "Answer"),
        button("On my way", () => send("I am on my way.")),
      ),
      problem,
    );
  }

  async #announce() {
    const text = this.text.value.replace(/\s+/g, " ").trim();
    this.problem.textContent = text ? "" : "Say something first.";
    if (!text) return this.text.focus();
    const entrants = this.to.value === ALL ? [] : [Number(this.to.value)];
    try {
      await this.#send("announcements", { entrants, text });
      this.text.value = "";
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

export function buildText(name) {
  return el("textarea", { name, rows: 2, maxlength: TEXT_MAX, required: true });
}
