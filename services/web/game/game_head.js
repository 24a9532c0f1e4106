// <spina-game-head>: the game's title, whether the page shows its present, the number of readers, and the delay.

import { el, time } from "../parts/dom.js";
import { tellOrder } from "../parts/names.js";
import { readDefaults } from "../parts/options.js";
import { findOffered, tellBox, tellOption, tellOptionValue } from "../parts/ruleset_words.js";
import { capital, count, list } from "../parts/words.js";

// The state of the page, by how it is connected and whether it shows the present.
const STATES = {
  loading: ["Loading", "Loading"],
  live: ["Live", "Replay; the game goes on"],
  lost: ["Connection lost, trying again", "Connection lost, trying again"],
  over: ["The end", "Replay"],
};

class GameHead extends HTMLElement {
  connectedCallback() {
    this.title_ = el("h1", {}, "");
    this.status = el("span", { class: "status" });
    this.state = el("span", { class: "live-state", role: "status" });
    this.readers = el("span", { class: "note readers" });
    this.moment = el("span", { class: "note moment" });
    this.table = el("p", { class: "note", hidden: true });
    this.delay = el("p", { class: "note delay", hidden: true });
    this.banner = el("p", { class: "banner", hidden: true });
    this.rules = el("a", { hidden: true }, "Rules");
    this.variant = el("span", { class: "note variant" });
    this.replaceChildren(
      el(
        "div",
        { class: "game-head" },
        this.title_,
        this.variant,
        this.rules,
        this.status,
        this.state,
        this.readers,
        this.moment,
      ),
      this.table,
      this.delay,
      this.banner,
    );
  }

  // `status` is that of the present, also while an earlier moment is shown; `isAgreed` states whether the players ended
  // it.
  show(shown, { title, rules, words, listChariots }, status, isAgreed) {
    this.title_.textContent = title;
    this.variant.textContent = [
      tellVariant(shown.ruleset, shown.terms.options, words),
      tellBox(shown.ruleset, shown.terms.ruleset.components),
    ]
      .filter(Boolean)
      .join("; ");
    // A table of many rules of its own is told in one line, lest it move the panel out of the window.
    this.variant.title = this.variant.textContent;
    // A race in a file has no server for them.
    this.rules.hidden = !rules || location.protocol === "file:";
    if (rules) this.rules.href = rules;
    this.status.textContent =
      status === "aborted" ? "No result" : status === "running" && shown.paused_until ? "Paused" : capital(status);
    this.status.className = `status status-${status}`;
    this.moment.replaceChildren(time(shown.at));
    this.#tellTable(shown.terms.table);
    const isHeldBack = shown.terms.delay_s > 0 && (status === "open" || status === "running");
    this.delay.hidden = !isHeldBack;
    const delay = tellDelay(shown.terms.delay_s);
    this.delay.textContent = `Shown ${delay} after it happens, so that no spectator can help a driver.`;
    this.banner.hidden = shown.status !== "finished" && shown.status !== "aborted";
    this.banner.textContent =
      shown.status === "aborted"
        ? isAgreed
          ? "The players agreed to end this game without a result."
          : "This game ended without a result."
        : tellOrder(shown.ranking ?? [], shown.board ? listChariots(shown.board) : [], shown.board?.teams);
  }

  // Once: a game stays at its table.
  #tellTable(table) {
    if (!table || !this.table.hidden) return;
    this.table.hidden = false;
    this.table.append(
      el(
        "a",
        { href: `/tournaments/${table.tournament}` },
        `Round ${table.round}, table ${table.table} of a tournament`,
      ),
    );
  }

  tellConnection(connection, isAtPresent) {
    const said = STATES[connection][isAtPresent ? 0 : 1];
    // A live region speaks at every change, so it changes only when something else is stated.
    if (this.state.textContent !== said) this.state.textContent = said;
    this.state.className = `live-state live-${connection}`;
  }

  tellReaders(readers) {
    this.readers.textContent = readers ? `${readers} watching` : "";
  }
}

// The preset by its name; else the options that differ from those of the first preset's game.
function tellVariant(ruleset, options, { presets = [] }) {
  const defaults = readDefaults(findOffered(ruleset)?.options);
  const isSame = (name, value) => JSON.stringify(options[name] ?? null) === JSON.stringify(value ?? null);
  const preset = presets.find((each) =>
    Object.keys(options).every((name) => isSame(name, each.options?.[name] ?? defaults[name])),
  );
  if (preset) return preset.name;
  const changed = Object.keys(options).filter((name) => !isSame(name, defaults[name]));
  return changed.map((name) => `${tellOption(ruleset, name)}: ${tellOptionValue(options[name])}`).join("; ");
}

function tellDelay(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return list([minutes ? count(minutes, "minute") : null, rest ? count(rest, "second") : null].filter(Boolean));
}

customElements.define("spina-game-head", GameHead);
