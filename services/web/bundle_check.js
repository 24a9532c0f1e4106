// <spina-bundle>: a bundle, dropped anywhere on the page or chosen, is verified here, offline, beside the page. Of a
// tournament's bundle that is every game in it.

import { button, el } from "./dom.js";
import "./draw_list.js";
import { listFindings, mark, summarise, tellSeats, tellSeen } from "./report_view.js";
import { findHindrance } from "./verify/digests.js";
import { openWorker } from "./verify/open_worker.js";
import { count } from "./words.js";

class BundleCheck extends HTMLElement {
  #worker = null;
  #file = null;
  #id = 0;

  connectedCallback() {
    const hindrance = findHindrance();
    if (hindrance) {
      this.replaceChildren(el("p", { class: "hindrance" }, hindrance));
      return;
    }
    this.input = el("input", { type: "file", id: "bundle-file", accept: ".zip" });
    this.keys = el("textarea", { id: "bundle-keys", rows: "4", spellcheck: "false", autocomplete: "off", "aria-describedby": "bundle-keys-note" });
    this.again = button("Check again with these keys", () => this.#check(this.#file), { hidden: true });
    this.progress = el("progress", { hidden: true, "aria-label": "Lines checked" });
    this.state = el("p", { class: "state", role: "status" });
    this.result = el("div", { class: "result" });
    this.replaceChildren(
      el("p", { class: "drop" }, el("label", { for: "bundle-file" }, "Drop a bundle anywhere on this page, or choose one: "), this.input),
      el("details", { class: "keys" }, el("summary", {}, "Keys that you trust"),
        el("p", {}, el("label", { for: "bundle-keys" }, "Keys of ledgers and witnesses, one a line, or the text of a policy file")), this.keys,
        el("p", { class: "note", id: "bundle-keys-note" }, "Without one, nothing speaks for the time at which the log was made. Take it from somewhere else than this server: it looks like name+0123abcd+AZ…"), this.again),
      this.progress, this.state, this.result,
    );
    this.input.addEventListener("change", () => this.#check(this.input.files[0]));
    // Now, so that files can be checked when the server is gone.
    this.#worker = openWorker({ onMessage: (message) => this.#take(message), onFailure: (said) => this.#end(`Nothing can be checked: ${said}.`) });
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    document.addEventListener("dragover", (event) => this.#onDrag(event), { signal });
    document.addEventListener("dragleave", () => this.classList.remove("is-dropping"), { signal });
    document.addEventListener("drop", (event) => this.#onDrop(event), { signal });
  }

  disconnectedCallback() {
    this.leaving?.abort();
    this.#worker?.terminate();
  }

  #onDrag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    this.classList.add("is-dropping");
  }

  #onDrop(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.classList.remove("is-dropping");
    this.#check(file);
    this.scrollIntoView({ block: "nearest" });
  }

  #check(file) {
    if (!file) return;
    // It may be closed or out of sight, and the viewer wants to see it now.
    this.dispatchEvent(new CustomEvent("bundle-given", { bubbles: true }));
    this.#file = file;
    this.#id += 1;
    this.draws = el("spina-draws");
    this.result.replaceChildren();
    this.state.textContent = `Reading ${file.name} …`;
    this.progress.removeAttribute("value");
    this.progress.hidden = false;
    this.again.hidden = false;
    const keys = this.keys.value.split("\n").map((each) => each.trim()).filter(Boolean);
    this.#worker.postMessage({ kind: "bundle", id: this.#id, file, keys });
  }

  #take(message) {
    // Of a file that was given before this one.
    if (message.id !== this.#id) return;
    if (message.kind === "progress") {
      this.progress.max = Math.max(1, message.total);
      this.progress.value = message.done;
    } else if (message.kind === "draws") {
      this.result.append(this.draws);
      this.draws.add(message.draws);
    } else if (message.kind === "refused") {
      this.#end(`${this.#file.name} cannot be read as a bundle: expected ${message.expected}, found ${message.found}.`);
    } else if (message.kind === "tournament") {
      this.#showGames(message.games);
    } else {
      this.#showReport(message.report);
    }
  }

  #showReport(report) {
    const { verdict, said } = summarise(report);
    this.#end("");
    this.state.replaceChildren(mark(verdict), ` ${said}`);
    const named = report.game ? `${report.ruleset ?? "a game of unknown rules"}, ${report.status}, game ${report.game}` : "No game can be read in it";
    this.result.prepend(el("p", {}, `${this.#file.name}: ${named}. ${tellSeen(report)}`), listFindings(report), el("p", { class: "note" }, tellSeats(report)));
  }

  #showGames(games) {
    const { verdict, said } = summariseGames(games);
    this.#end("");
    this.state.replaceChildren(mark(verdict), ` ${said}`);
    this.result.replaceChildren(tellUnchecked(this.#file.name), listJudged(games));
  }

  #end(said) {
    this.progress.hidden = true;
    this.state.textContent = said;
  }
}

// The worst of all that was found, as one sentence.
function summariseGames(games) {
  const verdicts = games.map((each) => judge(each).verdict);
  const many = (wanted) => verdicts.filter((each) => each === wanted).length;
  const bad = many("did_not_hold");
  if (!games.length) return { verdict: "not_checkable_yet", said: "There is no game in it." };
  if (bad) return { verdict: "did_not_hold", said: `Something does not hold in ${bad} of ${count(games.length, "game")}.` };
  const open = many("not_checkable_yet");
  const rest = open ? `; in ${open} of them something cannot be checked yet` : "";
  return { verdict: open ? "not_checkable_yet" : "held", said: `All that can be checked so far holds in ${count(games.length, "game")}${rest}.` };
}

function tellUnchecked(file) {
  return el("p", {}, el("bdi", {}, file), " is the bundle of a tournament. This page checks bundles of games, so it has checked every game in it. Not checked here: entries, pairings, scores, standings and rulings, and that these are the games of its tables. That needs ",
    el("code", {}, `spina verify ${file}`), " on a command line.");
}

function listJudged(games) {
  return el("ul", { class: "judged" }, games.map((each) => {
    const { verdict, said } = judge(each);
    return el("li", { "data-verdict": verdict }, mark(verdict), el("span", {}, `Game ${each.game}: ${said}`));
  }));
}

function judge({ report, refused }) {
  if (refused) return { verdict: "did_not_hold", said: `cannot be read as a bundle: expected ${refused.expected}, found ${refused.found}.` };
  return summarise(report);
}

customElements.define("spina-bundle", BundleCheck);
