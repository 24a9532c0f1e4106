// <spina-token>: the organiser of this browser, signed in once by a token. The token is not kept: the session is in a
// cookie that no script can read, beside that of a player.

import { command, ORGANISER, readAccount } from "../parts/api.js";
import { button, el, form } from "../parts/dom.js";
import { drop, find, keep } from "../seat/store.js";

// Among the accounts that this browser keeps: the organiser's name, while there is a session.
const KEPT = "organiser";
const UNKNOWN = 401;
// What a helper may do, by its role.
const DOES = {
  arbiter: "as an arbiter: you may rule",
  desk: "at the desk: you seat, admit and give time",
  commentator: "as a commentator: you may look inside the delay",
};

class TokenBox extends HTMLElement {
  #account = null;
  #organisers = null;
  #helper = null;

  async connectedCallback() {
    if (await find("accounts", KEPT).catch(() => null)) this.#look();
    else this.#showForm();
  }

  // The ids of the organisers of this tournament, once they are known.
  set organisers(ids) {
    this.#organisers = ids;
    if (this.#account) this.#showKept();
  }

  // The account of the organiser who is signed in, or null.
  get account() {
    return this.#account;
  }

  // How this browser's player helps, which needs no token; null where it does not.
  set helper(helper) {
    if (JSON.stringify(helper) === JSON.stringify(this.#helper)) return;
    this.#helper = helper;
    if (helper) this.#showHelper();
    else if (this.#account) this.#showKept();
    else this.#showForm();
  }

  // Asks whether the session of before is still good.
  async #look() {
    this.replaceChildren(el("p", { class: "token", role: "status" }, "Asking the server who is signed in…"));
    try {
      this.#account = await readAccount(ORGANISER);
      this.#showKept();
    } catch (error) {
      if (error.status === UNKNOWN) await drop("accounts", KEPT);
      this.#showForm(
        "",
        error.status === UNKNOWN
          ? "The session has ended: sign in again."
          : `Who is signed in cannot be asked: ${error.message}`,
      );
    }
  }

  // Only an organiser's token opens a session here: a player's would take the place of that player's session.
  async #signIn(token) {
    try {
      const account = await readAccount(`Bearer ${token}`);
      if (account.role !== "organiser")
        throw new Error(
          `It is the token of ${account.name ?? "the operator"}, ${account.role}. Only an organiser's token can do ` +
            "anything here.",
        );
      await command("/v1/sessions", { secret: token }, ORGANISER);
      await keep("accounts", KEPT, { id: account.id, name: account.name });
      this.#account = account;
      this.#showKept();
      this.querySelector("button").focus();
    } catch (error) {
      const isUnknown = error.status === UNKNOWN;
      this.#showForm(
        isUnknown ? "" : token,
        isUnknown ? "This server knows no such token: look whether all of it was copied." : error.message,
      );
      this.querySelector("input").focus();
    }
  }

  async #signOut() {
    await command("/v1/sessions/end", { role: "organiser" }, ORGANISER);
    await drop("accounts", KEPT);
    this.#account = null;
    this.#showForm();
    this.querySelector("input").focus();
  }

  #showForm(typed = "", problem = "") {
    if (this.#helper) return;
    const input = el("input", {
      type: "password",
      id: "token",
      autocomplete: "off",
      spellcheck: "false",
      required: true,
      value: typed,
      "aria-describedby": "token-problem token-note",
    });
    this.replaceChildren(
      form(
        { class: "token" },
        () => this.#signIn(input.value.trim()),
        el("label", { for: "token" }, "Organiser's token"),
        input,
        el("button", { type: "submit" }, "Sign in"),
        el("p", { class: "problem", id: "token-problem", role: "alert" }, problem),
        el(
          "p",
          { class: "note", id: "token-note" },
          "Without one nothing on this page can be done. It signs this browser in and is not kept. The operator of " +
            "the server makes one: ",
          el("code", {}, "spina account create --role organiser --name Ada"),
        ),
      ),
    );
    this.#tell(false);
  }

  #showKept() {
    if (this.#helper) return;
    const hindrance = this.#findHindrance();
    this.replaceChildren(
      el(
        "p",
        { class: "token" },
        el("span", {}, "Signed in as ", el("bdi", {}, this.#account.name), ", organiser."),
        button("Sign out", () => this.#signOut().catch((error) => this.#showForm("", error.message))),
        hindrance ? el("span", { class: "problem", role: "alert" }, hindrance) : "",
      ),
    );
    this.#tell(hindrance === null);
  }

  #showHelper() {
    const { name, role } = this.#helper;
    this.replaceChildren(
      el(
        "p",
        { class: "token" },
        el("span", {}, "You help here ", DOES[role], ", as ", el("bdi", {}, name ?? "yourself"), "."),
      ),
    );
    this.#tell(true, role);
  }

  // Why nothing here can be done by this organiser, or null.
  #findHindrance() {
    const isNamed = !this.#organisers || this.#organisers.includes(this.#account.id);
    return isNamed
      ? null
      : "This organiser is not among those whom the tournament named when it was opened, so nothing can be done here.";
  }

  #tell(mayAct, role = null) {
    this.dispatchEvent(new CustomEvent("token", { detail: { mayAct, role } }));
  }
}

customElements.define("spina-token", TokenBox);

// Buttons and fields that can do nothing until an organiser, or a helper whose role allows them, is there.
export class Controls {
  constructor(token) {
    this.sets = [];
    this.mayAct = false;
    this.role = null;
    token.addEventListener("token", ({ detail }) => {
      this.mayAct = detail.mayAct;
      this.role = detail.role;
      for (const [set, roles] of this.sets) {
        set.disabled = !this.#may(roles);
        set.hidden = this.role !== null && set.disabled;
      }
    });
  }

  // For organisers and the helpers of these roles.
  hold(roles, ...children) {
    const set = el("fieldset", { class: "controls", disabled: !this.#may(roles) }, children);
    this.sets.push([set, roles]);
    return set;
  }

  #may(roles) {
    return this.mayAct && (this.role === null || roles.includes(this.role));
  }
}
