// <spina-my-cups>: the next step in each tournament that was entered in this browser and goes on.

import { el } from "../parts/dom.js";
import { listEntries } from "./entry.js";
import "./own_step.js";

// Each waits for its tournament with a request of its own.
const SHOWN_MAX = 4;

class MyCups extends HTMLElement {
  async connectedCallback() {
    const entries = await listEntries().catch(() => []);
    this.replaceChildren(
      ...entries.slice(0, SHOWN_MAX).map((tournament) => el("spina-own-step", { tournament, named: true })),
    );
  }
}

customElements.define("spina-my-cups", MyCups);
