// <spina-wall>: a tournament for the wall of a hall. It needs no account, turns its pages by itself, and stops while a
// key or a finger asks for another page.

import { now, setOffset } from "../parts/countdown.js";
import { button, el } from "../parts/dom.js";
import { drawCode } from "../parts/picture_code.js";
import { setTitle } from "../parts/title.js";
import { Feed } from "./feed.js";
import { findWord, listSlides, tellMoment } from "./wall_slides.js";

const TURN_MS = 10_000;
// Lines of a slide on the height of a screen, below the head.
const LINES = 14;
const FEW = 9;
const LARGEST = 1.6;
const NARROW = "(max-aspect-ratio: 1)";
const KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

class Wall extends HTMLElement {
  #read = null;
  #place = 0;
  #timer = null;
  #isHeld = false;
  #told = "";

  connectedCallback() {
    this.id_ = location.pathname.split("/")[2];
    this.feed = new Feed(this.id_, {
      onRead: (read) => this.#show(read),
      onState: (state, error) => this.#tellState(state, error),
    });
    addEventListener("keydown", (event) => this.#press(event));
    matchMedia(NARROW).addEventListener("change", () => this.#draw());
    this.feed.look();
  }

  #build() {
    const address = `${location.origin}/tournaments/${this.id_}`;
    this.title_ = el("h1");
    this.moment = el("div", { class: "wall-clock" });
    this.word = el("p", { class: "wall-word", role: "status", hidden: true });
    this.slide = el("section", { class: "wall-slide", "aria-live": "off" });
    this.dots = el("span", { class: "wall-dots", "aria-hidden": "true" });
    this.state = el("span", { role: "status" });
    this.hold = button("Stop here", () => this.#setHeld(!this.#isHeld));
    this.replaceChildren(
      el(
        "div",
        { class: "wall-head" },
        el("div", {}, this.title_, el("p", {}, address.replace(/^https?:\/\//, ""))),
        this.moment,
        el("div", { class: "wall-code" }, drawCode(address, "Picture code of the tournament's page") ?? ""),
      ),
      this.word,
      this.slide,
      el("div", { class: "wall-foot" }, this.state, this.dots, this.hold),
    );
  }

  #show(read) {
    setOffset(read.offset_ms);
    if (!this.#read) {
      this.#build();
      this.#turnLater();
    }
    this.#read = read;
    this.title_.replaceChildren(el("bdi", {}, read.tournament.name));
    setTitle(`${read.tournament.name} · Wall · Spina`);
    this.#draw();
  }

  #draw() {
    if (!this.#read) return;
    const { said, until, asks = "" } = tellMoment(this.#read);
    const isDue = until !== null && Date.parse(until) > now();
    const word = findWord(this.#read.tournament, now());
    const isWide = !matchMedia(NARROW).matches;
    const slides = listSlides(this.#read, { rows: isWide ? LINES - (word ? 3 : 0) : Infinity, isWide });
    this.#place = (this.#place + slides.length) % slides.length;
    const slide = slides[this.#place];
    // What is the same stays: a countdown goes on by itself.
    const told = JSON.stringify([said, isDue && until, word, slide, slides.length, this.#place]);
    if (told === this.#told) return;
    this.#told = told;
    this.moment.replaceChildren(
      ...(isDue ? [el("spina-countdown", { until })] : []),
      el("p", {}, isDue ? `${said}: ${asks}` : said),
    );
    this.word.hidden = !word;
    this.word.replaceChildren(el("bdi", {}, word ?? ""));
    this.slide.replaceChildren(...layOut(slide));
    this.dots.replaceChildren(
      ...slides.map((_, place) => el("span", { class: place === this.#place ? "wall-now" : "" })),
    );
    this.hold.hidden = slides.length < 2;
  }

  #turnLater() {
    clearTimeout(this.#timer);
    if (!this.#isHeld) this.#timer = setTimeout(() => this.#turn(1), TURN_MS);
  }

  #turn(by) {
    this.#place += by;
    this.#draw();
    this.#turnLater();
  }

  #setHeld(isHeld) {
    this.#isHeld = isHeld;
    this.hold.textContent = isHeld ? "Go on" : "Stop here";
    this.#turnLater();
  }

  #press(event) {
    if (!this.#read || !(event.key in KEYS)) return;
    event.preventDefault();
    this.#turn(KEYS[event.key]);
  }

  #tellState(state, error) {
    if (this.state) {
      this.state.className = state === "lost" ? "wall-lost" : "";
      this.state.textContent = state === "lost" ? "Not up to date: the server does not answer." : "Updates by itself";
    } else if (error) {
      const said = error.status === 404 ? "There is no tournament here." : `The wall cannot be shown: ${error.message}`;
      this.replaceChildren(el("p", { class: "state", role: "alert" }, said));
    }
  }
}

function layOut({ title, lines, columns }) {
  const rows = el(
    "ol",
    { class: "wall-rows" },
    lines.map(({ first, who, last }) =>
      el(
        "li",
        {},
        first === "" ? "" : el("span", { class: "wall-first" }, `${first}`),
        el("span", { class: "wall-who" }, el("bdi", {}, who)),
        last ? el("span", { class: "wall-last" }, el("bdi", {}, last)) : "",
      ),
    ),
  );
  const high = Math.max(1, Math.ceil(lines.length / columns));
  rows.style.gridTemplateRows = `repeat(${high}, auto)`;
  // Few lines are larger, for those who stand further away.
  rows.style.fontSize = `${Math.min(LARGEST, Math.max(1, FEW / high))}em`;
  return [el("h2", {}, title), rows];
}

customElements.define("spina-wall", Wall);
