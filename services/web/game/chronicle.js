// <spina-story>: the log in sentences, one a line; a line is a link to its moment. The present one is marked and kept
// in sight. A long race has a thousand lines: those around the present one are laid out, further ones by a button.

import { button, el } from "../parts/dom.js";
import { isNamed } from "../parts/names.js";
import { tell, weigh } from "../parts/sentences.js";

// Lines on either side of the present one; a button brings as many more.
const AROUND = 40;

class Story extends HTMLElement {
  // In order: {version, line, weight}.
  #told = [];
  // Those that are laid out, by version.
  #items = new Map();
  #signs = new Map();
  // The last line that is told at the shown moment.
  #current = null;
  #present = 0;
  #last = Infinity;
  #followed = null;
  #reach = { before: AROUND, after: AROUND };
  #frame = null;

  connectedCallback() {
    this.quiet = el("input", { type: "checkbox" });
    this.quiet.addEventListener("change", () => this.#layOut());
    this.list = el("ol", { class: "story", tabindex: "0", "aria-label": "The story, line by line" });
    this.earlier = el(
      "li",
      { class: "more-told" },
      button("Earlier lines", () => this.#reachOut("before")),
    );
    this.later = el(
      "li",
      { class: "more-told" },
      button("Later lines", () => this.#reachOut("after")),
    );
    const header = el(
      "div",
      { class: "story-head" },
      el("h2", {}, "The story"),
      el("label", { class: "note" }, this.quiet, " every detail"),
    );
    this.replaceChildren(header, this.list);
    new ResizeObserver(() => this.#keepInSight()).observe(this.list);
  }

  // Lines in order among themselves; they may be older than the list, or lie around it.
  add(lines, ruleset) {
    this.ruleset = ruleset;
    const last = this.#told.at(-1)?.version ?? 0;
    for (const line of lines) this.#told.push({ version: line.version, line, weight: weigh(line, ruleset.words) });
    if (lines[0]?.version <= last) this.#told.sort((one, other) => one.version - other.version);
    this.#layOut();
  }

  // Writes every sentence again.
  retell() {
    for (const { version, line } of this.#told)
      this.#items
        .get(version)
        ?.querySelector(".sentence")
        .replaceChildren(...drawSentence(line, this.ruleset));
    this.follow(this.#followed);
  }

  // Leaves out the lines that name other drivers alone; null is everybody.
  follow(seat) {
    this.#followed = seat;
    for (const each of this.#told) each.isAbout = undefined;
    this.#layOut();
  }

  #isAbout(each) {
    if (this.#followed === null || each.weight !== "plain") return true;
    each.isAbout ??= isNamed(tell(each.line, this.ruleset.words), this.#followed);
    return each.isAbout;
  }

  // A mark of another element behind the sentence of a line, in the place of the one before.
  sign(version, mark) {
    this.#signs.get(version)?.remove();
    this.#signs.set(version, mark);
    this.#items.get(version)?.append(mark);
  }

  // `isFollowing` while the race comes before the reader's eyes: no sentence runs ahead of the board.
  mark(version, { isFollowing = false } = {}) {
    const last = isFollowing ? version : Infinity;
    if (version === this.#present && last === this.#last) return;
    this.#last = last;
    this.#present = version;
    this.#layOut();
  }

  #reachOut(side) {
    this.#reach[side] += AROUND;
    const below = this.list.scrollHeight - this.list.scrollTop;
    this.#layOut();
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    if (side === "before") this.list.scrollTop = this.list.scrollHeight - below;
  }

  #layOut() {
    // A reader who goes to a line sees it; before the eyes of others small print does not come and go.
    const sought = this.#last === Infinity ? this.#present : null;
    const isTold = ({ version, weight }) => weight !== "quiet" || this.quiet.checked || version === sought;
    const told = this.#told.filter((each) => each.version <= this.#last && isTold(each) && this.#isAbout(each));
    const at = told.findLastIndex(({ version }) => version <= this.#present);
    const [from, to] = [Math.max(0, at - this.#reach.before), Math.max(0, at) + this.#reach.after + 1];
    const laid = told.slice(from, to);
    const wanted = new Map(laid.map((each) => [each.version, this.#items.get(each.version) ?? this.#build(each)]));
    for (const [version, item] of this.#items) if (!wanted.has(version)) item.remove();
    this.#items = wanted;
    const rows = [from > 0 ? this.earlier : null, ...wanted.values(), to < told.length ? this.later : null];
    for (const more of [this.earlier, this.later]) if (!rows.includes(more)) more.remove();
    let next = this.list.firstElementChild;
    for (const row of rows.filter(Boolean)) {
      if (row === next) next = next.nextElementSibling;
      else this.list.insertBefore(row, next);
    }
    this.#current?.removeAttribute("aria-current");
    this.#current = at < 0 ? null : wanted.get(told[at].version);
    this.#current?.setAttribute("aria-current", "step");
    this.#keepInSight();
  }

  #build({ version, line, weight }) {
    const item = el(
      "li",
      { class: `told told-${weight}`, "data-version": version },
      el(
        "a",
        { href: `#${version}`, tabindex: "-1" },
        el("span", { class: "version" }, `${version}`),
        el("span", { class: "sentence" }, drawSentence(line, this.ruleset)),
      ),
    );
    if (this.#signs.has(version)) item.append(this.#signs.get(version));
    return item;
  }

  // Only the list scrolls, never the page under the reader's hand. Reading a place lays out the page, so once a frame.
  #keepInSight() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      const current = this.#current;
      if (current) this.list.scrollTop = Math.max(0, current.offsetTop - this.list.clientHeight / 2);
    });
  }
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
