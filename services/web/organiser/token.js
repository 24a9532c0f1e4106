// <spina-token>: the organiser's token. It stays in this tab, goes to this server in a header, and is never part of an
// address; closing the tab forgets it, and so does its button. It is taken only once the server has named its account.

import { command, readAccount } from "../api.js";
import { buildId } from "../command_ids.js";
import { button, el, form } from "../dom.js";

const PLACE = "spina-token";
const UNKNOWN = 401;

export function findToken() {
  return sessionStorage.getItem(PLACE) ?? "";
}

class TokenBox extends HTMLElement {
  #account = null;
  #organisers = null;

  connectedCallback() {
    if (findToken()) this.#ask(findToken(), { isKept: true });
    else this.#showForm();
  }

  // The ids of the organisers of this tournament, once they are known.
  set organisers(ids) {
    this.#organisers = ids;
    if (this.#account) this.#showKept();
  }

  async #ask(token, { isKept }) {
    if (isKept) this.replaceChildren(el("p", { class: "token", role: "status" }, "Asking the server whose token is kept in this tab…"));
    try {
      this.#account = await readAccount(token);
      sessionStorage.setItem(PLACE, token);
      this.#showKept();
      if (!isKept) this.querySelector("button").focus();
    } catch (error) {
      this.#account = null;
      const isUnknown = error.status === UNKNOWN;
      if (isKept && isUnknown) sessionStorage.removeItem(PLACE);
      const said = isUnknown ? "This server knows no such token: look whether all of it was copied." : `Whose token it is cannot be asked: ${error.message}`;
      this.#showForm(isUnknown ? "" : token, said);
      if (!isKept) this.querySelector("input").focus();
    }
  }

  #showForm(typed = "", problem = "") {
    const input = el("input", { type: "password", id: "token", autocomplete: "off", spellcheck: "false", required: true, value: typed, "aria-describedby": "token-problem token-note" });
    this.replaceChildren(form({ class: "token" }, () => this.#ask(input.value.trim(), { isKept: false }), el("label", { for: "token" }, "Organiser's token"), input, el("button", { type: "submit" }, "Use it"),
      el("p", { class: "problem", id: "token-problem", role: "alert" }, problem),
      el("p", { class: "note", id: "token-note" }, "Without one nothing on this page can be done. It is kept in this tab alone until you close it, and sent only to this server, in a header. The operator of the server makes one: ",
        el("code", {}, "spina account create --role organiser --name Ada"))));
    this.#tell(false);
  }

  #showKept() {
    const forget = button("Forget it", () => {
      sessionStorage.removeItem(PLACE);
      this.#account = null;
      this.#showForm();
      this.querySelector("input").focus();
    });
    const hindrance = this.#findHindrance();
    const { name, role } = this.#account;
    this.replaceChildren(el("p", { class: "token" }, el("span", {}, "Kept in this tab: the token of ", el("bdi", {}, name ?? "the operator"), name ? `, ${role}.` : "."), forget,
      hindrance ? el("span", { class: "problem", role: "alert" }, hindrance) : ""));
    this.#tell(hindrance === null);
  }

  // Why nothing here can be done with it, or null.
  #findHindrance() {
    const { role, id } = this.#account;
    if (role !== "organiser") return "Only an organiser's token can do anything here.";
    if (this.#organisers && !this.#organisers.includes(id)) return "This organiser is not among those whom the tournament named when it was opened, so nothing can be done here.";
    return null;
  }

  #tell(mayAct) {
    this.dispatchEvent(new CustomEvent("token", { detail: { mayAct } }));
  }
}

customElements.define("spina-token", TokenBox);

// Buttons and fields that can do nothing until a token that may use them is there.
export class Controls {
  constructor(token) {
    this.sets = [];
    this.mayAct = false;
    token.addEventListener("token", ({ detail }) => {
      this.mayAct = detail.mayAct;
      for (const set of this.sets) set.disabled = !this.mayAct;
    });
  }

  hold(...children) {
    const set = el("fieldset", { class: "controls", disabled: !this.mayAct }, children);
    this.sets.push(set);
    return set;
  }
}

// Commands of an organiser. A command that is sent again, because no answer came, has the same id and is done once.
export class Commander {
  #path;
  #kept = { content: null, id: null };

  // `path` is where all commands of one tournament go to.
  constructor(path) {
    this.#path = path;
  }

  // Raises the refusal of the API, or a sentence about the token where there is none.
  async send(name, fields) {
    const answer = await this.#post(`${this.#path}${name ? `/${name}` : ""}`, name, fields);
    this.#kept = { content: null, id: null };
    return answer;
  }

  // Asks for the preview of a command, under the id that it would be sent with.
  preview(name, fields) {
    return this.#post(`${this.#path}/${name}/previews`, name, fields);
  }

  async #post(path, name, fields) {
    const token = findToken();
    if (!token) throw new Error("Your organiser's token is needed first.");
    const content = JSON.stringify([name, fields]);
    if (this.#kept.content !== content) this.#kept = { content, id: buildId() };
    return command(path, { command: this.#kept.id, ...fields }, token);
  }
}
