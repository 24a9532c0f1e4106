// <spina-scrubber>: where in the game the page is. It knows versions and marks, and no boards.
// States "seek" with a version, "live" to go to the present, "play" or "pause", and "fullscreen".

import { button, el, svg } from "../parts/dom.js";

// Drawn in a box of 16 by 16, as not every font has signs for them.
const SIGNS = {
  first: "M3,3 V13 M13,3 L6,8 L13,13 Z",
  turnBack: "M8,3 L3,8 L8,13 M13,3 L8,8 L13,13",
  back: "M10,3 L5,8 L10,13",
  play: "M4,2.5 L13,8 L4,13.5 Z",
  pause: "M5,3 V13 M11,3 V13",
  on: "M6,3 L11,8 L6,13",
  turnOn: "M3,3 L8,8 L3,13 M8,3 L13,8 L8,13",
  full: "M2,6 V2 H6 M10,2 H14 V6 M14,10 V14 H10 M6,14 H2 V10",
};
// Turns are numbered along the track as long as the numbers can be distinguished on a phone.
const WIDTH = 1000;
const NUMBERS_MAX = 12;
const NUMBERS_EVERY = [1, 2, 5, 10, 20, 50, 100];
// 1× is a race in about two minutes.
const SPEEDS = [
  ["½×", 0.5],
  ["1×", 1],
  ["2×", 2],
  ["4×", 4],
  ["16×", 16],
];

class Scrubber extends HTMLElement {
  version = 1;
  newest = 1;
  isPlaying = false;
  #turns = [];

  connectedCallback() {
    this.range = el("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Event" });
    this.range.addEventListener("input", () => this.#seek(Number(this.range.value)));
    this.marks = svg("svg", {
      class: "marks",
      preserveAspectRatio: "none",
      viewBox: `0 0 ${WIDTH} 10`,
      "aria-hidden": "true",
    });
    this.numbers = el("div", { class: "turn-numbers", "aria-hidden": "true" });
    const press = (title, sign, onPress) => {
      const made = button("", onPress, { "aria-label": title, title });
      made.append(drawSign(sign));
      return made;
    };
    this.playing = press("Play", "play", () => this.#say(this.isPlaying ? "pause" : "play"));
    this.speed = el(
      "select",
      { "aria-label": "Speed" },
      SPEEDS.map(([title, rate]) => el("option", { value: rate }, title)),
    );
    this.speed.value = "1";
    this.live = button("Live", () => this.#say("live"), { class: "live" });
    // The slider states the same on request; spoken at each event it would drown the story.
    this.where = el("output", { class: "where", "aria-live": "off" }, "");
    this.replaceChildren(
      el("div", { class: "track" }, this.range, this.marks, this.numbers),
      el(
        "div",
        { class: "controls", role: "group", "aria-label": "Replay" },
        press("To the beginning", "first", () => this.#seek(1)),
        press("A turn back", "turnBack", () => this.#seek(this.markBefore())),
        press("An event back", "back", () => this.#seek(this.version - 1)),
        this.playing,
        press("An event on", "on", () => this.#seek(this.version + 1)),
        press("A turn on", "turnOn", () => this.#seek(this.markAfter())),
        this.speed,
        this.live,
        press("Full screen", "full", () => this.#say("fullscreen")),
        this.where,
      ),
    );
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  // How much faster than a race in two minutes.
  get factor() {
    return Number(this.speed.value);
  }

  show({ version, newest, said, isAtPresent, isOver, isPlaying }) {
    this.version = version;
    this.newest = newest;
    this.isPlaying = isPlaying;
    this.playing.setAttribute("aria-pressed", `${isPlaying}`);
    this.playing.replaceChildren(drawSign(isPlaying ? "pause" : "play"));
    this.playing.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.range.max = newest;
    this.range.value = version;
    this.range.setAttribute("aria-valuetext", said);
    this.where.textContent = said;
    this.live.textContent = isOver ? "End" : "Live";
    this.live.setAttribute("aria-pressed", `${isAtPresent}`);
  }

  // `marks` are {version, kind, number} in order; kinds are turn, lap and end.
  mark(marks, newest, turnWord) {
    this.#turns = marks.filter(({ kind }) => kind !== "lap").map(({ version }) => version);
    const span = Math.max(newest - 1, 1);
    const place = ({ version }) => ((version - 1) / span) * WIDTH;
    this.marks.replaceChildren(
      ...marks.map((mark) =>
        svg(
          "path",
          { class: `mark-${mark.kind}`, d: `M${place(mark).toFixed(1)},${mark.kind === "turn" ? 5 : 0} V10` },
          svg("title", {}, mark.number === null ? mark.kind : `${turnWord} ${mark.number}`),
        ),
      ),
    );
    const turns = marks.filter(({ kind }) => kind === "turn");
    const every = NUMBERS_EVERY.find((each) => turns.length / each <= NUMBERS_MAX) ?? turns.length;
    this.numbers.replaceChildren(
      ...turns
        .filter(({ number }) => number % every === 0)
        .map((turn) => {
          const number = el(
            "a",
            { href: `#${turn.version}`, tabindex: "-1", title: `${turnWord} ${turn.number}` },
            `${turn.number}`,
          );
          // The only style that is set here: the policy lets scripts set styles, pages not.
          number.style.insetInlineStart = `${place(turn) / (WIDTH / 100)}%`;
          return number;
        }),
    );
  }

  markBefore() {
    return this.#turns.filter((version) => version < this.version).at(-1) ?? 1;
  }

  markAfter() {
    return this.#turns.find((version) => version > this.version) ?? this.newest;
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
      f: () => this.#say("fullscreen"),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

function drawSign(name) {
  return svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

customElements.define("spina-scrubber", Scrubber);
