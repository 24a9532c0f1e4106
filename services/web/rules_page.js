// <spina-rules>: what the page of a game's rules has beyond their text: pictures beside the items that they show, and
// the marks of the game's page, each with its explanation.

import { el } from "./parts/dom.js";
import { findRuleset } from "./rulesets/pictures.js";
import { listTips, setTips } from "./board/tips.js";
import { capital, spaced } from "./parts/words.js";

class Rules extends HTMLElement {
  async connectedCallback() {
    const { name, rules, tips } = findRuleset(this.dataset.ruleset);
    if (!rules) return;
    setTips(tips);
    this.parentElement?.append(
      el("h2", { id: "marks" }, "The marks on the page"),
      el(
        "dl",
        { class: "mark-list" },
        listTips().map(([name, said]) => [el("dt", {}, capital(spaced(name))), el("dd", {}, said)]),
      ),
    );
    const { figures } = await import(`./rulesets/${name.replaceAll("-", "_")}/figures.js`);
    for (const [item, [caption, ...drawn]] of Object.entries(figures)) {
      document.getElementById(item)?.append(el("figure", {}, drawn, el("figcaption", {}, caption)));
    }
  }
}

customElements.define("spina-rules", Rules);
