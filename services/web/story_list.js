// <spina-story>: the log in sentences, one a line; a line is a link to its moment. The present one is marked and kept in sight.

import { el } from "./dom.js";
import { tell, weigh } from "./story.js";

export class Story extends HTMLElement {
  #present = null;

  connectedCallback() {
    this.quiet = el("input", { type: "checkbox" });
    this.quiet.addEventListener("change", () => this.list.classList.toggle("with-quiet", this.quiet.checked));
    this.list = el("ol", { class: "story", tabindex: "0", "aria-label": "The story, line by line" });
    const header = el("div", { class: "story-head" }, el("h2", {}, "The story"),
      el("label", { class: "note" }, this.quiet, " every detail"));
    this.replaceChildren(header, this.list);
  }

  add(lines, ruleset) {
    this.list.append(
      ...lines.map((line) =>
        el("li", { class: `told told-${weigh(line, ruleset.story)}` },
          el("a", { href: `#${line.version}` }, el("span", { class: "version" }, `${line.version}`), tell(line, ruleset.story)))),
    );
  }

  mark(version) {
    this.#present?.removeAttribute("aria-current");
    this.#present = this.list.children[version - 1] ?? null;
    if (!this.#present) return;
    this.#present.setAttribute("aria-current", "step");
    // Only the list scrolls, never the page under the reader's hand.
    const middle = this.#present.offsetTop - this.list.clientHeight / 2;
    this.list.scrollTop = Math.max(0, middle);
  }
}

customElements.define("spina-story", Story);
