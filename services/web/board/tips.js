// Explanations of marks, cards and numbers, shown beside them: under the pointer, at the focus, and at a touch, which
// on a button has to rest. `data-tip` names texts of the ruleset's `tips.js`, `data-head` is a line above them.

import { el } from "../parts/dom.js";

const COMMON = {
  clock:
    "The time left for this decision, the time bank of the whole game included. Then the rules answer, as the page " +
    "says beside the decision.",
  place: "The order of the race now, the leader first.",
  eggs: "An egg for each lap. One is taken down for each lap that the leader has run.",
  dolphins: "Seven dolphins count the turns: one more dives with each.",
  faction: "The colour and the mark of a chariot, the same on the board, in lists and in the chart.",
};
const SHOWN_AFTER_MS = 250;
// A pointer on its way to press is not asking.
const SHOWN_ON_CONTROLS_AFTER_MS = 800;
const HELD_MS = 450;
const GAP_PX = 8;
const PRESSED = "button, a, select, input, summary, [role=button]";

let texts = COMMON;

// A page shows one game.
export function setTips(own = {}) {
  texts = { ...COMMON, ...own };
}

export function listTips() {
  return Object.entries(texts);
}

class Tip {
  /** @type {HTMLElement | SVGElement | null} */
  #at = null;
  /** @type {number | undefined} */
  #timer = undefined;
  #isHeld = false;
  #pointer = "";

  constructor() {
    this.box = el("div", { id: "tip", class: "tip", role: "tooltip", popover: "manual" });
    const on = (type, act) => document.addEventListener(type, act, { capture: true, passive: type !== "click" });
    on("pointerover", (event) => event.pointerType === "mouse" && this.#onPointer(event));
    on("pointerdown", (event) => this.#onDown(event));
    for (const type of ["pointerup", "pointercancel"]) on(type, () => clearTimeout(this.#timer));
    on("click", (event) => this.#onClick(event));
    // A mark that was built anew keeps its tip.
    on(
      "focusin",
      ({ target }) => (target.matches(":focus-visible") || this.#at?.isConnected === false) && this.#show(find(target)),
    );
    on("focusout", ({ target }) => target === this.described && this.#hide());
    on("scroll", ({ target }) => this.#at && target.contains(this.#at) && this.#follow());
    on("keydown", ({ key }) => key === "Escape" && this.#hide());
  }

  // The pointer may go over to the text itself.
  #onPointer({ target, clientX, clientY }) {
    // The page that scrolls to the focus goes under a pointer that rests.
    const at = `${clientX} ${clientY}`;
    const isResting = at === this.#pointer;
    this.#pointer = at;
    if (isResting && this.#at && this.described === document.activeElement) return;
    clearTimeout(this.#timer);
    if (this.box.contains(target)) return;
    const found = find(target);
    if (found !== this.#at) this.#hide();
    // Meanwhile the part of the page may be built anew.
    const show = () => this.#show(found?.isConnected ? found : find(document.elementFromPoint(clientX, clientY)));
    if (found) this.#timer = setTimeout(show, found.closest(PRESSED) ? SHOWN_ON_CONTROLS_AFTER_MS : SHOWN_AFTER_MS);
  }

  #onDown({ target, pointerType }) {
    clearTimeout(this.#timer);
    this.#isHeld = false;
    const found = find(target);
    if (pointerType === "mouse" || !found) this.#hide();
    else if (!target.closest(PRESSED)) this.#show(found);
    else
      this.#timer = setTimeout(() => {
        this.#isHeld = true;
        this.#show(found);
      }, HELD_MS);
  }

  // A button that was held has been asked about, not pressed.
  #onClick(event) {
    clearTimeout(this.#timer);
    if (!this.#isHeld) return;
    this.#isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  }

  #show(element) {
    this.#hide();
    const said = element ? tell(element) : [];
    if (!said.length || !element.isConnected || !this.box.showPopover) return;
    this.#at = element;
    this.box.replaceChildren(...said);
    // Inside of a dialog only its own elements are shown above it; all that a page states stands in a landmark.
    (element.closest("dialog, main") ?? document.body).append(this.box);
    this.box.showPopover();
    this.#place(element.getBoundingClientRect());
    this.described = element.closest(PRESSED) ?? element;
    this.described.setAttribute("aria-describedby", this.box.id);
  }

  #hide() {
    clearTimeout(this.#timer);
    if (!this.#at) return;
    this.described.removeAttribute("aria-describedby");
    this.#at = null;
    this.box.hidePopover?.();
  }

  // The focus brings its mark into view, and so scrolls after the text is shown.
  #follow() {
    if (!this.#at) return;
    const place = this.#at.getBoundingClientRect();
    if (place.bottom > 0 && place.top < document.documentElement.clientHeight) this.#place(place);
    else this.#hide();
  }

  // Above the mark, as controls stand below; below it where there is no room above.
  #place({ left, right, top, bottom }) {
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const { clientWidth } = document.documentElement;
    const x = Math.min(Math.max((left + right - width) / 2, GAP_PX), clientWidth - width - GAP_PX);
    const above = top - GAP_PX - height;
    const y = above >= 0 ? above : bottom + GAP_PX;
    Object.assign(this.box.style, { left: `${x}px`, top: `${y}px` });
  }
}

// Of a button the tip of its picture, wherever it is touched.
function find(target) {
  if (!(target instanceof Element)) return null;
  return target.closest("[data-tip]") ?? target.closest("button")?.querySelector("[data-tip]") ?? null;
}

/** @param {HTMLElement | SVGElement} mark */
function tell({ dataset: { tip = "", head } }) {
  const found = tip
    .split(" ")
    .map((key) => texts[key])
    .filter(Boolean);
  return [head ? el("strong", {}, head) : null, ...found.map((each) => el("p", {}, each))].filter(Boolean);
}

// Marks that are no controls, in a part of the page that is built anew: one stop of the Tab key, arrow keys from mark
// to mark. With `oneOfEach` marks that have the same tip are one, as the spaces of a board.
export class TipStop {
  #at = 0;
  #marks = [];

  constructor(root, { oneOfEach = false } = {}) {
    this.root = root;
    this.oneOfEach = oneOfEach;
    root.addEventListener("focusin", ({ target }) => this.#goTo(Math.max(0, this.#marks.indexOf(target))));
    root.addEventListener("keydown", (event) => this.#onKey(event));
  }

  replace(children) {
    const hasFocus = this.hasFocus;
    this.root.replaceChildren(...children);
    this.find(hasFocus);
  }

  get hasFocus() {
    return this.#marks.includes(document.activeElement);
  }

  // After the marks were built anew.
  find(hasFocus) {
    const all = [...this.root.querySelectorAll("[data-tip]:not([aria-hidden])")];
    this.#marks = this.oneOfEach ? [...new Map(all.map((each) => [each.dataset.tip, each])).values()] : all;
    for (const each of this.#marks) {
      each.setAttribute("tabindex", "-1");
      if (each instanceof SVGElement) {
        for (const [name, value] of [
          ["role", "img"],
          ["aria-label", tell(each)[0]?.textContent ?? ""],
        ])
          each.setAttribute(name, value);
      }
    }
    this.#goTo(Math.min(this.#at, this.#marks.length - 1));
    if (hasFocus) this.#marks[this.#at]?.focus({ preventScroll: true, focusVisible: true });
  }

  #goTo(place) {
    this.#marks[this.#at]?.setAttribute("tabindex", "-1");
    this.#at = Math.max(0, place);
    this.#marks[this.#at]?.setAttribute("tabindex", "0");
  }

  #onKey(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !this.#marks.includes(event.target)) return;
    // The replay has the same keys.
    event.preventDefault();
    event.stopPropagation();
    this.#marks.at((this.#at + step) % this.#marks.length).focus();
  }
}

new Tip();
