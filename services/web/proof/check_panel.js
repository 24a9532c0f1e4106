// <spina-check>: this browser checks the lines of a game itself, as they come, and shows its findings and their extent.
// Lines may come in any order, by addLines or by a "lines" event of the document; they are checked from the first on.
// `alone` leaves out the check of files, which the page has elsewhere.

import "./bundle_check.js";
import { el } from "../parts/dom.js";
import "./draw_list.js";
import { MARKS, listFindings, listNotShown, mark, summarise, tellHow, tellSeats, tellSeen } from "./report_view.js";
import { findHindrance } from "../verify/digests.js";
import { openWorker } from "../verify/open_worker.js";

// A long game comes in pages of a thousand; between these the page breathes and the counts move.
const CHUNK = 200;

class CheckPanel extends HTMLElement {
  #waiting = new Map();
  #next = 1;
  #isBusy = false;
  #report = null;
  #said = "";

  connectedCallback() {
    const hindrance = findHindrance();
    this.state = el("p", { class: "check-state", role: "status" }, hindrance ?? "Waiting for the first lines …");
    this.seen = el("p", { class: "note" });
    this.draws = el("spina-draws", { linking: true });
    this.findings = el("div");
    this.seats = el("p", { class: "note" });
    this.download = el("p");
    const heading = el("h2", {}, "Check it yourself");
    if (hindrance) {
      this.replaceChildren(heading, this.state, listNotShown());
      return;
    }
    this.details = el("details", {}, el("summary", {}, "Every check, and its coverage"), this.findings);
    this.details.addEventListener("toggle", () => this.#showFindings());
    this.replaceChildren(
      heading,
      this.state,
      this.seen,
      this.draws,
      this.details,
      this.seats,
      listNotShown(),
      this.hasAttribute("alone")
        ? ""
        : el(
            "details",
            { class: "files" },
            el("summary", {}, "Check a file of a game"),
            this.download,
            el("spina-bundle"),
          ),
    );
    this.addEventListener("bundle-given", () => this.querySelector(".files")?.setAttribute("open", ""));
    this.worker = openWorker({ onMessage: (message) => this.#take(message), onFailure: (said) => this.#fail(said) });
    this.leaving = new AbortController();
    document.addEventListener("lines", ({ detail }) => this.addLines(detail), { signal: this.leaving.signal });
    document.addEventListener("shown", ({ detail }) => this.draws.point(detail), { signal: this.leaving.signal });
    // Lines that came before this element could listen.
    this.addLines(document.querySelector("spina-game")?.log?.between(0, Number.MAX_SAFE_INTEGER) ?? []);
  }

  disconnectedCallback() {
    this.leaving?.abort();
    this.worker?.terminate();
  }

  addLines(lines) {
    if (!this.worker) return;
    for (const line of lines) if (line.version >= this.#next) this.#waiting.set(line.version, line);
    this.#send();
  }

  // One part at a time, so that the findings never lag behind the shown lines by more than one.
  #send() {
    if (this.#isBusy) return;
    const lines = [];
    while (lines.length < CHUNK && this.#waiting.has(this.#next)) {
      lines.push(this.#waiting.get(this.#next));
      this.#waiting.delete(this.#next);
      this.#next += 1;
    }
    if (lines.length === 0) return;
    this.#isBusy = true;
    this.worker?.postMessage({ kind: "lines", lines });
  }

  #take(message) {
    if (message.kind === "draws") {
      this.draws.add(message.draws);
      for (const draw of message.draws) this.#tell(draw);
    } else {
      this.#isBusy = false;
      this.#report = message.report;
      this.#tellState(summarise(message.report));
      this.seen.textContent = tellSeen(message.report);
      this.seats.textContent = tellSeats(message.report);
      if (!this.download.firstChild && message.report.game)
        this.download.append(
          el(
            "a",
            { href: `/v1/games/${message.report.game}/bundle`, download: true },
            "Save this game's bundle: all of it in one file, to check anywhere",
          ),
        );
      this.#showFindings();
      this.#send();
    }
  }

  // A live region speaks at every change, so it changes only when something else is stated.
  #tellState({ verdict, said }) {
    if (this.#said === said) return;
    this.#said = said;
    this.state.replaceChildren(mark(verdict), ` ${said}`);
  }

  // The story beside shows the mark at the roll's own line; other elements hear it too.
  #tell(draw) {
    const how = tellHow(draw);
    const { name, sign, word } = MARKS[draw.verdict];
    document
      .querySelector("spina-story")
      ?.sign?.(
        draw.version,
        el(
          "span",
          { class: `mark mark-${name}`, role: "img", "aria-label": `${word}: ${how}`, title: `${word}: ${how}` },
          sign,
        ),
      );
    this.dispatchEvent(
      new CustomEvent("roll-verified", {
        detail: { version: draw.version, verdict: draw.verdict, how },
        bubbles: true,
      }),
    );
  }

  #showFindings() {
    if (this.details.open && this.#report)
      this.findings.replaceChildren(listFindings(this.#report, (version) => `#${version}`));
  }

  #fail(said) {
    this.state.textContent = `Nothing can be checked: ${said}.`;
  }
}

customElements.define("spina-check", CheckPanel);
