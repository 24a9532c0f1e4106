// <spina-follow>: the driver whom the reader follows: the board stays with the chariot, the story has the lines about
// that driver. States "follow" with a seat or null.

import { el } from "../parts/dom.js";
import { fullName } from "../parts/names.js";

const PARAMETER = "follow";

class Follow extends HTMLElement {
  connectedCallback() {
    this.select = el("select", {});
    this.select.addEventListener("change", () =>
      this.dispatchEvent(new CustomEvent("follow", { detail: readSeat(this.select.value) })),
    );
    this.hidden = true;
    this.replaceChildren(el("label", {}, el("span", { class: "note" }, "Follow "), this.select));
  }

  // Everybody, or one of those who hold a seat.
  offer(seats, followed) {
    const held = seats.filter(({ status }) => status === "held");
    this.hidden = held.length < 2;
    this.select.replaceChildren(
      el("option", { value: "" }, "everybody"),
      ...held.map(({ seat }) => el("option", { value: seat }, fullName(seat))),
    );
    this.select.value = followed ?? "";
  }
}

// The driver that the address names, or null.
export function readFollowed() {
  return readSeat(new URLSearchParams(location.search).get(PARAMETER) ?? "");
}

// The address of this page with some parameters, and with the driver.
export function buildAddress(parameters, followed) {
  const query = new URLSearchParams({ ...parameters, ...(followed === null ? {} : { [PARAMETER]: followed }) });
  return location.pathname + (query.size ? `?${query}` : "");
}

function readSeat(text) {
  return /^\d$/.test(text) ? Number(text) : null;
}

customElements.define("spina-follow", Follow);
