// <spina-story>: the log in sentences, one a line; a line is a link to its moment. The present one is marked and kept
// in sight. Each line is a <li data-version="…">, found by `find`, so that other elements can mark it.

import { el } from "../parts/dom.js";
import { tell, weigh } from "../parts/sentences.js";

class Story extends HTMLElement {
  #present = null;
  #items = new Map();
  #frame = null;

  connectedCallback() {
    this.quiet = el("input", { type: "checkbox" });
    this.quiet.addEventListener("change", () => this.list.classList.toggle("with-quiet", this.quiet.checked));
    this.list = el("ol", { class: "story", tabindex: "0", "aria-label": "The story, line by line" });
    const header = el(
      "div",
      { class: "story-head" },
      el("h2", {}, "The story"),
      el("label", { class: "note" }, this.quiet, " every detail"),
    );
    this.replaceChildren(header, this.list);
    // Lines before the present one, longer names and marks move it; so does another size of the list.
    new ResizeObserver(() => this.#keepInSight()).observe(this.list);
    new MutationObserver(() => this.#keepInSight()).observe(this.list, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }

  find(version) {
    return this.#items.get(version) ?? null;
  }

  // Lines in order among themselves; they may be older than the list, or lie around it.
  add(lines, ruleset) {
    const items = lines.map((line) => tellItem(line, ruleset));
    for (const item of items) this.#items.set(Number(item.dataset.version), item);
    const last = Number(items.at(-1).dataset.version);
    // Lines at the end, or older than all, go in as one; a hole is filled line by line.
    const next = this.#findAfter(last);
    if (this.#findAfter(Number(items[0].dataset.version)) === next) {
      const fragment = document.createDocumentFragment();
      fragment.append(...items);
      this.list.insertBefore(fragment, next);
    } else {
      for (const item of items) this.list.insertBefore(item, this.#findAfter(Number(item.dataset.version)));
    }
  }

  // Writes every sentence again.
  retell(log, ruleset) {
    for (const [version, item] of this.#items) {
      const line = log.find(version);
      item.querySelector(".sentence").replaceChildren(...drawSentence(line, ruleset));
    }
  }

  mark(version) {
    const present = this.find(version);
    if (present === this.#present) return;
    this.#present?.removeAttribute("aria-current");
    this.#present = present;
    if (!present) return;
    present.setAttribute("aria-current", "step");
    this.#keepInSight();
  }

  // Only the list scrolls, never the page under the reader's hand. Reading a place lays out the page, so once a frame.
  #keepInSight() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (this.#present) this.list.scrollTop = Math.max(0, this.#present.offsetTop - this.list.clientHeight / 2);
    });
  }

  // The first line in the list that is later; most often there is none, so it is sought from the end.
  #findAfter(version) {
    let after = null;
    for (
      let item = this.list.lastElementChild;
      item && Number(item.dataset.version) > version;
      item = item.previousElementSibling
    )
      after = item;
    return after;
  }
}

function tellItem(line, ruleset) {
  return el(
    "li",
    { class: `told told-${weigh(line, ruleset.words)}`, "data-version": line.version },
    el(
      "a",
      { href: `#${line.version}`, tabindex: "-1" },
      el("span", { class: "version" }, `${line.version}`),
      el("span", { class: "sentence" }, drawSentence(line, ruleset)),
    ),
  );
}

// The sentence with the ruleset's pieces drawn where it names them by their codes.
function drawSentence(line, { words, codes }) {
  const sentence = tell(line, words);
  if (!codes) return [sentence];
  const drawn = [];
  let end = 0;
  for (const code of sentence.matchAll(codes.pattern)) {
    drawn.push(sentence.slice(end, code.index), codes.draw(code[0]));
    end = code.index + code[0].length;
  }
  return [...drawn, sentence.slice(end)];
}

customElements.define("spina-story", Story);
