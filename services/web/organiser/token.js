// <spina-token>: the organiser's token. It stays in this tab, goes to this server in a header, and is never part of an
// address; whoever closes the tab or says so has it forgotten.

import { el } from "../dom.js";

const PLACE = "spina-token";

export function findToken() {
  return sessionStorage.getItem(PLACE) ?? "";
}

class TokenBox extends HTMLElement {
  connectedCallback() {
    this.#show();
  }

  #show() {
    const isKept = findToken() !== "";
    this.replaceChildren(isKept ? this.#showKept() : this.#showForm());
  }

  #showForm() {
    const input = el("input", { type: "password", id: "token", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-note" });
    const form = el("form", { class: "token" }, el("label", { for: "token" }, "Organiser's token"), input, el("button", { type: "submit" }, "Use it"),
      el("p", { class: "note", id: "token-note" }, "It is kept in this tab alone until you close it, and sent only to this server, in a header. Whoever runs the server makes one: ",
        el("code", {}, "spina account create --scope organiser --name Ada")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(PLACE, input.value.trim());
      this.#change();
      this.querySelector("button").focus();
    });
    return form;
  }

  #showKept() {
    const forget = el("button", { type: "button" }, "Forget it");
    forget.addEventListener("click", () => {
      sessionStorage.removeItem(PLACE);
      this.#change();
      this.querySelector("input").focus();
    });
    return el("p", { class: "token" }, el("span", {}, "A token is kept in this tab."), forget);
  }

  #change() {
    this.#show();
    this.dispatchEvent(new CustomEvent("token"));
  }
}

customElements.define("spina-token", TokenBox);
