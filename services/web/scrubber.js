// <spina-scrubber>: where in the game the page is. It knows versions and marks; what is shown there is not its business.
// Says "seek" with a version, "live" to go to the present, and "play" or "pause".

import { el, svg } from "./dom.js";

// Plain characters that no device turns into coloured pictures.
const PLAY = "▶\ufe0e";
const PAUSE = "❚❚";
// Events a second; 1× is as fast as a reader follows the story.
const SPEEDS = [["½×", 0.75], ["1×", 1.5], ["2×", 3], ["4×", 6], ["16×", 24]];

export class Scrubber extends HTMLElement {
  version = 1;
  newest = 1;
  #marks = [];

  connectedCallback() {
    this.range = el("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Event" });
    this.range.addEventListener("input", () => this.#seek(Number(this.range.value)));
    this.marks = svg("svg", { class: "marks", preserveAspectRatio: "none", viewBox: "0 0 1000 10", "aria-hidden": "true" });
    this.playing = button("Play", PLAY, () => this.#say(this.isPlaying ? "pause" : "play"));
    this.speed = el("select", { "aria-label": "Speed" }, SPEEDS.map(([title, rate]) => el("option", { value: rate }, title)));
    this.speed.value = "1.5";
    this.live = el("button", { type: "button", class: "live" }, "Live");
    this.live.addEventListener("click", () => this.#say("live"));
    this.where = el("output", { class: "where" }, "");
    this.replaceChildren(
      el("div", { class: "track" }, this.range, this.marks),
      el("div", { class: "controls", role: "group", "aria-label": "Replay" },
        button("To the beginning", "⇤", () => this.#seek(1)),
        button("A turn back", "«", () => this.#seek(this.markBefore())),
        button("An event back", "‹", () => this.#seek(this.version - 1)),
        this.playing,
        button("An event on", "›", () => this.#seek(this.version + 1)),
        button("A turn on", "»", () => this.#seek(this.markAfter())),
        this.speed, this.live, this.where),
    );
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get isPlaying() {
    return this.playing.getAttribute("aria-pressed") === "true";
  }

  get eventsPerSecond() {
    return Number(this.speed.value);
  }

  showPlaying(isPlaying) {
    this.playing.setAttribute("aria-pressed", `${isPlaying}`);
    this.playing.textContent = isPlaying ? PAUSE : PLAY;
    this.playing.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }

  show({ version, newest, said, isAtPresent, isOver }) {
    Object.assign(this, { version, newest });
    this.range.max = newest;
    this.range.value = version;
    this.range.setAttribute("aria-valuetext", said);
    this.where.textContent = said;
    this.live.textContent = isOver ? "End" : "Live";
    this.live.setAttribute("aria-pressed", `${isAtPresent}`);
  }

  // `marks` are [version, kind, title] in order; kinds are turn, lap and end.
  mark(marks) {
    this.#marks = marks;
    const span = Math.max(this.newest - 1, 1);
    this.marks.replaceChildren(
      ...marks.map(([version, kind]) => {
        const x = ((version - 1) / span) * 1000;
        const top = kind === "turn" ? 5 : 0;
        return svg("path", { class: `mark-${kind}`, d: `M${x.toFixed(1)},${top} V10` });
      }),
    );
  }

  markBefore() {
    return this.#turns().filter((version) => version < this.version).at(-1) ?? 1;
  }

  markAfter() {
    return this.#turns().find((version) => version > this.version) ?? this.newest;
  }

  #turns() {
    return this.#marks.filter(([, kind]) => kind !== "lap").map(([version]) => version);
  }

  #seek(version) {
    this.#say("seek", Math.min(Math.max(version, 1), this.newest));
  }

  #say(what, detail = null) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  #onKey(event) {
    const isTyping = event.target.closest("input, select, textarea");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    // A button keeps its own keys: space and enter press it.
    if (event.key === " " && event.target.closest("button, a")) return;
    const actions = {
      " ": () => this.#say(this.isPlaying ? "pause" : "play"),
      ArrowLeft: () => this.#seek(event.shiftKey ? this.markBefore() : this.version - 1),
      ArrowRight: () => this.#seek(event.shiftKey ? this.markAfter() : this.version + 1),
      Home: () => this.#seek(1),
      End: () => this.#say("live"),
      l: () => this.#say("live"),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

function button(title, sign, onPress) {
  const made = el("button", { type: "button", "aria-label": title, title }, sign);
  made.addEventListener("click", onPress);
  return made;
}

customElements.define("spina-scrubber", Scrubber);
