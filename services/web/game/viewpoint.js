// <spina-viewpoint>: the seat whose view the page shows. While the game goes on there is only the public view;
// once the server has disclosed its secret, any seat's, with its knowledge of then. States "look" with a seat or null.

import { el } from "../parts/dom.js";
import { fullName } from "../parts/names.js";

class Viewpoint extends HTMLElement {
  connectedCallback() {
    this.select = el("select", {});
    this.select.addEventListener("change", () => {
      const { value } = this.select;
      this.dispatchEvent(new CustomEvent("look", { detail: value === "" ? null : Number(value) }));
    });
    this.hidden = true;
    this.replaceChildren(el("label", {}, el("span", { class: "note" }, "As seen by "), this.select));
  }

  // Those who sat in the game see it from their own seat; `own` is that, if there is one.
  offer(seats, own) {
    const held = seats.filter((each) => each.status === "held" && each.seat !== own);
    this.hidden = !held.length;
    const { value } = this.select;
    this.select.replaceChildren(
      el("option", { value: "" }, own === undefined ? "the public" : "you"),
      ...held.map((each) => el("option", { value: each.seat }, fullName(each.seat))),
    );
    this.select.value = value;
  }
}

customElements.define("spina-viewpoint", Viewpoint);
