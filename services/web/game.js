// <spina-game>: one address for live and replay. It knows which version is shown and why; drawing is left to the others.

import { readGame } from "./api.js";
import { Boards } from "./boards.js";
import { el, time } from "./dom.js";
import { LAST, follow } from "./live.js";
import { Log } from "./log.js";
import { findRuleset } from "./rulesets.js";
import "./scrubber.js";
import { tell, weigh } from "./story.js";
import "./story_list.js";
import { capital, list } from "./words.js";

// What the page is doing, by how it is connected and whether it shows the present.
const STATES = {
  loading: ["Loading", "Loading"],
  live: ["Live", "Replay; the game goes on"],
  lost: ["Connection lost, trying again", "Connection lost, trying again"],
  over: ["The end", "Replay"],
};
// Shown boards are asked for once the hand rests, not for each version it passes.
const REST_MS = 60;
// How often the address follows a moving replay; browsers refuse more than some changes a second.
const ADDRESS_MS = 400;
// A whole turn is written at once; what is further away is a jump.
const PASSED_MAX = 64;
// A screen reader gets the newest sentence, and not a hundred of them when the replay runs fast.
const ANNOUNCE_MS = 1_500;

const KEYS = "Keys: space plays, ← and → go by event, with shift by turn, Home to the beginning, End to the present.";

class Game extends HTMLElement {
  #version = 0;
  #shown = null;
  #isAtPresent = true;
  #marks = [];
  #timers = {};

  async connectedCallback() {
    this.game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    this.boards = new Boards(this.game);
    this.log = new Log(this.game);
    try {
      const shown = await readGame(this.game);
      this.boards.keep(shown);
      this.#build(shown);
      this.#show(shown);
      await this.log.readAll((lines) => this.#take(lines));
      this.#goToAddress();
      this.#follow();
    } catch (error) {
      this.#complain(error);
    }
  }

  #build(shown) {
    this.ruleset = findRuleset(shown.ruleset);
    this.newest = shown.version;
    document.title = `${this.ruleset.title} · Spina`;
    this.state = el("span", { class: "live-state", role: "status" });
    this.connection = "loading";
    this.status = el("span", { class: "status" });
    this.moment = el("span", { class: "note" });
    this.banner = el("p", { class: "banner", hidden: true });
    this.board = this.ruleset.element ? new this.ruleset.element() : el("p", { class: "state" }, "This ruleset has no picture yet; its story is beside.");
    this.waiting = el("p", { class: "note owed" });
    this.displays = el("section", { class: "displays", "aria-label": "Displays" });
    this.scrubber = el("spina-scrubber");
    this.story = el("spina-story");
    this.announcer = el("p", { class: "unseen", "aria-live": "polite" });
    this.link = el("button", { type: "button" }, "Copy a link to this moment");
    this.replaceChildren(
      el("div", { class: "game-head" }, el("h1", {}, this.ruleset.title), this.status, this.state, this.moment),
      this.banner,
      el("div", { class: "stage" }, el("div", { class: "board-frame" }, this.board), this.scrubber, this.waiting),
      this.story,
      this.displays,
      el("div", { class: "foot note" }, this.link, el("span", {}, `Game ${shown.id}`), el("span", {}, KEYS)),
      this.announcer,
    );
    this.link.addEventListener("click", () => this.#copyLink());
    this.scrubber.addEventListener("seek", ({ detail }) => this.#leavePresent(detail));
    this.scrubber.addEventListener("live", () => this.#joinPresent());
    this.scrubber.addEventListener("play", () => this.#play());
    this.scrubber.addEventListener("pause", () => this.#pause());
    addEventListener("hashchange", () => this.#goToAddress());
  }

  #take(lines) {
    this.newest = Math.max(this.newest, this.log.newest);
    this.story.add(lines, this.ruleset);
    for (const line of lines) {
      const weight = weigh(line, this.ruleset.story);
      if (weight !== "quiet" && weight !== "plain") this.#marks.push([line.version, weight]);
    }
    this.scrubber.newest = this.newest;
    this.scrubber.mark(this.#marks);
    this.#tellPlace();
  }

  get #isOver() {
    return this.log.lines.at(-1)?.type === LAST;
  }

  #follow() {
    if (this.#isOver) {
      this.#tellConnection("over");
      return;
    }
    follow(this.game, this.log.newest, {
      onLine: (line) => {
        this.log.add(line);
        this.#take([line]);
        if (this.#isAtPresent) this.#goTo(this.newest);
      },
      onState: (state) => this.#tellConnection(state),
    });
  }

  #tellConnection(connection) {
    this.connection = connection;
    const said = STATES[connection][this.#isAtPresent ? 0 : 1];
    // A live region speaks at every change, so it changes only when something else is said.
    if (this.state.textContent !== said) this.state.textContent = said;
    this.state.className = `live-state live-${connection}`;
  }

  #goToAddress() {
    const asked = Number(location.hash.slice(1));
    if (Number.isInteger(asked) && asked >= 1) this.#leavePresent(Math.min(asked, this.newest));
    else this.#joinPresent();
  }

  #leavePresent(version) {
    this.#isAtPresent = false;
    this.#goTo(version);
    this.#keepAddress();
  }

  #joinPresent() {
    this.#pause();
    this.#isAtPresent = true;
    this.#goTo(this.newest);
    this.#keepAddress();
  }

  // The place is known at once; the board follows when it is there.
  #goTo(version) {
    this.#version = version;
    this.#tellPlace();
    const found = this.boards.find(version);
    clearTimeout(this.#timers.rest);
    if (found) this.#show(found);
    else this.#timers.rest = setTimeout(() => this.#readBoard(version), REST_MS);
  }

  async #readBoard(version) {
    try {
      const shown = await this.boards.read(version, this.newest);
      // Meanwhile the reader may have gone on.
      if (shown && this.#version === version) this.#show(shown);
    } catch (error) {
      this.waiting.textContent = `This moment cannot be shown: ${error.message}`;
    }
  }

  #show(shown) {
    const lines = this.#passedLines(shown.version);
    this.#shown = shown;
    this.#version = shown.version;
    if (shown.board && this.ruleset.element) this.board.show(shown, lines);
    this.displays.replaceChildren(...(shown.board ? this.ruleset.showDisplays(shown.board) : showSeats(shown)));
    this.status.textContent = capital(shown.status);
    this.status.className = `status status-${shown.status}`;
    this.moment.replaceChildren(time(shown.at));
    this.waiting.textContent = tellOwed(shown);
    this.banner.hidden = shown.status !== "finished";
    if (shown.ranking) this.banner.textContent = `Final order: ${list(shown.ranking.map((each) => `${each.place}. seat ${each.seat}`))}`;
    this.#announce();
  }

  // What happened between the shown moment and a later one, where that is near enough to be one movement.
  #passedLines(version) {
    const from = this.#shown?.version ?? version;
    return version > from && version - from <= PASSED_MAX ? this.log.lines.slice(from, version) : [];
  }

  #tellPlace() {
    const mark = this.#marks.filter(([version, kind]) => version <= this.#version && kind === "turn").length;
    const turn = mark ? `, ${this.ruleset.turnWord} ${mark}` : "";
    this.scrubber.show({
      version: this.#version,
      newest: this.newest,
      said: `Event ${this.#version} of ${this.newest}${turn}`,
      isAtPresent: this.#isAtPresent,
      isOver: this.#isOver,
    });
    this.story.mark(this.#version);
    this.#tellConnection(this.connection);
  }

  #play() {
    if (this.#version >= this.newest) this.#leavePresent(1);
    this.scrubber.showPlaying(true);
    this.#isAtPresent = false;
    const step = () => {
      if (this.#version >= this.newest) {
        this.#joinPresent();
        return;
      }
      // A board that is not there yet holds the replay up, not the other way round.
      if (this.#shown.version === this.#version) this.#leavePresent(this.#version + 1);
      this.boards.prefetch(this.#version + 16, this.newest);
      this.#timers.play = setTimeout(step, 1000 / this.scrubber.eventsPerSecond);
    };
    clearTimeout(this.#timers.play);
    step();
  }

  #pause() {
    clearTimeout(this.#timers.play);
    this.scrubber.showPlaying(false);
  }

  #keepAddress() {
    clearTimeout(this.#timers.address);
    this.#timers.address = setTimeout(() => {
      const place = this.#isAtPresent ? location.pathname : `#${this.#version}`;
      history.replaceState(null, "", place);
    }, ADDRESS_MS);
  }

  async #copyLink() {
    const address = `${location.origin}${location.pathname}#${this.#version}`;
    try {
      await navigator.clipboard.writeText(address);
      this.link.textContent = "Copied";
    } catch {
      // Browsers give no clipboard to plain http; the address bar has the same link.
      this.link.textContent = address;
      history.replaceState(null, "", `#${this.#version}`);
    }
  }

  #announce() {
    clearTimeout(this.#timers.announce);
    this.#timers.announce = setTimeout(() => {
      const line = this.log.find(this.#version);
      if (line) this.announcer.textContent = tell(line, this.ruleset.story);
    }, ANNOUNCE_MS);
  }

  #complain(error) {
    const detail = error.status === 404 ? "There is no such game, or it is not public." : error.message;
    const again = el("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => location.reload());
    const said = el("p", { class: "state", role: "alert" }, `The game cannot be shown: ${detail} `, again);
    if (this.#shown) this.prepend(said);
    else this.replaceChildren(said);
    if (error.status === undefined) console.error(error);
  }
}

function tellOwed(shown) {
  if (shown.status === "open") return `Waiting for players: ${shown.seats.filter((each) => each.status === "vacant").length} seats are free.`;
  const waited = shown.owed.filter((each) => each.is_waited_for).map((each) => `seat ${each.seat}`);
  return waited.length ? `Waiting for ${list(waited)}.` : "";
}

function showSeats(shown) {
  return shown.seats.map((each) =>
    el("article", { class: "display" }, el("h3", {}, `Seat ${each.seat}`), el("p", { class: "note" }, each.status === "held" ? (each.is_ready ? "taken, ready" : "taken") : each.status)));
}

customElements.define("spina-game", Game);
