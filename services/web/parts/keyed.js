// Lists rendered again and again: an unchanged item keeps its element, so that a viewer who reads, scrolls,
// has opened it or focused it with the keyboard does not lose the place.

import { button } from "./dom.js";

/** @typedef {{ key: (item: any) => any, build: (item: any) => HTMLElement }} Handlers */

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

// Makes the children of `parent` those of `items`; `key` names an item for ever, `build` makes its element. An element
// is built again only where its item reads otherwise than before.
export function renew(parent, items, { key, build }) {
  const before = new Map([...parent.children].map((each) => [each.dataset.key, each]));
  const wanted = items.map((item) => {
    const name = String(key(item));
    const told = JSON.stringify(item);
    const old = before.get(name);
    if (old && old.told === told) return old;
    const built = Object.assign(build(item), { told });
    built.dataset.key = name;
    if (old) replace(old, built);
    return built;
  });
  const kept = new Set(wanted);
  for (const each of [...parent.children]) if (!kept.has(each)) each.remove();
  // Only a displaced element is moved: an element that is moved loses the focus.
  wanted.forEach(
    (each, place) => parent.children[place] === each || parent.insertBefore(each, parent.children[place] ?? null),
  );
}

// Puts new content where other content was, unless it reads the same.
export function renewOne(parent, item, build) {
  renew(parent, item === null ? [] : [item], { key: () => "one", build });
}

// A list of its first items, and of those for which `isKept` holds, with a button that shows all.
export class CutList {
  #isWhole = false;
  /** @type {(item: any) => boolean} */
  #isKept = () => false;

  /**
   * `noun` stands behind the number on the button.
   * @param {Element} parent
   * @param {Handlers & { max: number, noun?: string, isKept?: (item: any) => boolean }} options
   */
  constructor(parent, { max, noun = "", isKept = () => false, ...handlers }) {
    this.parent = parent;
    this.max = max;
    this.noun = noun;
    this.handlers = handlers;
    this.#isKept = isKept;
    this.more = button(
      "",
      () => {
        this.#isWhole = true;
        this.show(this.items);
      },
      { hidden: true },
    );
  }

  show(items) {
    this.items = items;
    const listed = this.#isWhole ? items : items.filter((each, place) => place < this.max || this.#isKept(each));
    renew(this.parent, listed, this.handlers);
    this.more.hidden = listed.length === items.length;
    this.more.textContent = `Show all ${items.length}${this.noun}`;
  }
}

function replace(old, built) {
  const place = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  const opened = [...old.querySelectorAll("details")].map((each) => each.open);
  [...built.querySelectorAll("details")].forEach((each, index) => {
    if (opened[index]) each.open = true;
  });
  old.replaceWith(built);
  if (place >= 0) [...built.querySelectorAll(FOCUSABLE)][place]?.focus({ preventScroll: true });
}
