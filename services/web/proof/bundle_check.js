// <spina-bundle>: a bundle, dropped anywhere on the page or chosen, is verified here, offline, beside the page. Of a
// tournament's bundle that is every game in it. A policy file may come with it, before it or after it. `linking` leads
// to moments of a replay on the same page; `kept` is for a page that has its bundle, and asks for none.

import { button, el } from "../parts/dom.js";
import "./draw_list.js";
import { KINDS, listFindings, mark, showVerdict, tellSeats, tellSeen } from "./report_view.js";
import { tellVerdict } from "../parts/ruleset_words.js";
import { findHindrance } from "../verify/digests.js";
import { openWorker } from "../verify/open_worker.js";
import { count } from "../parts/words.js";

// A policy is text of this size at most.
const POLICY_SIZE_MAX = 100_000;
const ARCHIVE_MARK = "PK";
const POLICY_LINE = /^[ \t]*(?:(?:log|witness|group|quorum)[ \t]|[^ \t]+\+[0-9a-f]{8}\+)/m;

class BundleCheck extends HTMLElement {
  /** @type {Worker | undefined} */
  #worker = undefined;
  /** @type {File | null} */
  #file = null;
  #id = 0;
  /** @type {any} */
  #shown = null;

  connectedCallback() {
    const hindrance = findHindrance();
    if (hindrance) {
      this.replaceChildren(el("p", { class: "hindrance" }, hindrance));
      return;
    }
    this.input = el("input", { type: "file", id: "bundle-file", accept: ".zip,.policy,.txt", multiple: true });
    this.keys = el("textarea", {
      id: "bundle-keys",
      rows: "4",
      spellcheck: "false",
      autocomplete: "off",
      "aria-describedby": "bundle-keys-note",
    });
    this.trusted = el(
      "details",
      { class: "trusted" },
      el("summary", {}, "Keys that you trust"),
      el(
        "p",
        {},
        el("label", { for: "bundle-keys" }, "Keys of ledgers and witnesses, one a line, or the text of a policy file"),
      ),
      this.keys,
      el(
        "p",
        { class: "note", id: "bundle-keys-note" },
        "Without one, no outsider vouches for the file. A policy file may be dropped on the page as well. Take it " +
          "from somewhere else than this server: a key looks like name+0123abcd+AZ…",
      ),
      button("Check again with these keys", () => this.#judge()),
    );
    this.progress = el("progress", { hidden: true, "aria-label": "Lines checked" });
    this.state = el("div", { class: "state", role: "status" });
    this.result = el("div", { class: "result" });
    const drop = el(
      "p",
      { class: "drop" },
      el("label", { for: "bundle-file" }, "Drop a bundle anywhere on this page, or choose one: "),
      this.input,
    );
    const given = this.hasAttribute("kept")
      ? [el("details", {}, el("summary", {}, "Give a key or a policy, or check another file"), drop, this.trusted)]
      : [drop, this.trusted];
    this.replaceChildren(...given, this.progress, this.state, this.result);
    this.input.addEventListener("change", () => this.check([...this.input.files]));
    // Now, so that files can be checked when the server is gone.
    this.#worker = openWorker({
      onMessage: (message) => this.#take(message),
      onFailure: (said) => this.#end(`Nothing can be checked: ${said}.`),
    });
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    document.addEventListener("named", () => this.#shown && this.#showVerdict(), { signal });
    document.addEventListener("dragover", (event) => this.#onDrag(event), { signal });
    document.addEventListener("dragleave", () => this.classList.remove("is-dropping"), { signal });
    document.addEventListener("drop", (event) => this.#onDrop(event), { signal });
  }

  disconnectedCallback() {
    this.leaving?.abort();
    this.#worker?.terminate();
  }

  // Takes files as they were given: bundles and policies.
  async check(files) {
    for (const file of files) {
      if (await isPolicy(file)) {
        this.keys.value = await file.text();
        this.trusted.open = true;
      } else {
        this.#file = file;
      }
    }
    this.#judge();
  }

  #onDrag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    this.classList.add("is-dropping");
  }

  #onDrop(event) {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    this.classList.remove("is-dropping");
    this.check(files);
    this.scrollIntoView({ block: "nearest" });
  }

  #judge() {
    const file = this.#file;
    if (!file) {
      this.state.textContent = "These keys are taken for the next bundle.";
      return;
    }
    // It may be closed or out of sight, and the viewer wants to see it now.
    this.dispatchEvent(new CustomEvent("bundle-given", { detail: file, bubbles: true }));
    this.#id += 1;
    this.#shown = null;
    this.draws = el("spina-draws", { linking: this.hasAttribute("linking") });
    this.result.replaceChildren();
    this.state.textContent = `Reading ${file.name} …`;
    this.progress.removeAttribute("value");
    this.progress.hidden = false;
    const keys = this.keys.value
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean);
    this.#worker?.postMessage({ kind: "bundle", id: this.#id, file, keys });
  }

  #take(message) {
    // Of a file given before this one.
    if (message.id !== this.#id) return;
    if (message.kind === "progress") {
      this.progress.max = Math.max(1, message.total);
      this.progress.value = message.done;
    } else if (message.kind === "draws") {
      this.result.append(this.draws);
      this.draws.add(message.draws);
    } else if (message.kind === "refused") {
      this.#end();
      this.state.replaceChildren(
        showVerdict({ kind: message.verdict }),
        el("p", {}, `${this.#file?.name}: expected ${message.expected}, found ${message.found}.`),
      );
    } else if (message.kind === "tournament") {
      this.#showGames(message.games);
    } else {
      this.#showReport(message.report);
    }
  }

  #showReport(report) {
    this.#end();
    this.#shown = report.verdict;
    this.#showVerdict();
    const named = report.record
      ? `operators' record ${report.record}`
      : report.game
        ? `${report.ruleset ?? "a game of unknown rules"}, ${report.status}, game ${report.game}`
        : "No game can be read in it";
    this.result.prepend(
      el("p", {}, `${this.#file?.name}: ${named}. ${tellSeen(report)}`),
      el("details", {}, el("summary", {}, "Every check, and its coverage"), listFindings(report, this.#linkTo)),
      el("p", { class: "note" }, tellSeats(report)),
    );
    this.dispatchEvent(new CustomEvent("bundle-checked", { detail: { file: this.#file, report }, bubbles: true }));
  }

  // Shown again once the drivers have names.
  #showVerdict() {
    this.state.replaceChildren(showVerdict(this.#shown, this.#linkTo));
  }

  get #linkTo() {
    return this.hasAttribute("linking") ? (version) => `#${version}` : null;
  }

  #showGames(games) {
    const { verdict, said } = summariseGames(games);
    this.#end();
    this.state.replaceChildren(mark(verdict), ` ${said}`);
    this.result.replaceChildren(tellUnchecked(this.#file?.name), listJudged(games));
  }

  #end(said = "") {
    this.progress.hidden = true;
    this.state.textContent = said;
  }
}

// By its content, whatever its name: a line of a policy, or a key. A bundle holds a policy too, and is an archive.
async function isPolicy(file) {
  if (file.size > POLICY_SIZE_MAX) return false;
  const text = await file.text();
  return !text.startsWith(ARCHIVE_MARK) && POLICY_LINE.test(text);
}

// The worst of all that was found, as one sentence.
function summariseGames(games) {
  const verdicts = games.map((each) => judge(each).verdict);
  const many = (wanted) => verdicts.filter((each) => each === wanted).length;
  const bad = many("did_not_hold");
  if (!games.length) return { verdict: "not_checkable_yet", said: "There is no game in it." };
  if (bad)
    return { verdict: "did_not_hold", said: `Something does not hold in ${bad} of ${count(games.length, "game")}.` };
  const open = many("not_checkable_yet");
  const rest = open ? `; in ${open} of them something cannot be checked yet` : "";
  return {
    verdict: open ? "not_checkable_yet" : "held",
    said: `All that can be checked so far holds in ${count(games.length, "game")}${rest}.`,
  };
}

function tellUnchecked(file) {
  return el(
    "p",
    {},
    el("bdi", {}, file),
    " is the bundle of a tournament. This page checks bundles of games, so it has checked every game in it. Not " +
      "checked here: entries, pairings, scores, standings and rulings, and that these are the games of its tables. " +
      "That needs ",
    el("code", {}, `spina verify ${file}`),
    " on a command line.",
  );
}

function listJudged(games) {
  return el(
    "ul",
    { class: "judged" },
    games.map((each) => {
      const { verdict, said } = judge(each);
      return el("li", { "data-verdict": verdict }, mark(verdict), el("span", {}, `Game ${each.game}: `, said));
    }),
  );
}

function judge({ report, refused }) {
  if (refused)
    return {
      verdict: "did_not_hold",
      said: `${tellVerdict(refused.verdict, {})} Expected ${refused.expected}, found ${refused.found}.`,
    };
  return { verdict: KINDS[report.verdict.kind].verdict, said: tellVerdict("first", report.verdict) };
}

customElements.define("spina-bundle", BundleCheck);
