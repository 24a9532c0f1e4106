// All that opens the account now: browsers, programs and codes, each of which can be closed; and tokens for programs.

import { command, read } from "../parts/api.js";
import { ago, button, el, form, time } from "../parts/dom.js";
import { field, select } from "../parts/field.js";
import { buildMatter, showOnce } from "./matter.js";

const KINDS = { session: "Browser", token: "Program", code: "Code", passkey: "Passkey" };
const SCOPES = [
  ["read,play", "plays as you"],
  ["read", "only reads"],
  ["read,play,account", "does all, also here"],
];
const DAYS = [
  ["90", "in 90 days"],
  ["365", "in a year"],
  ["", "never"],
];

// {root, look}: the card, and how to read the list again.
export function buildDoors() {
  const list = el("ul", { class: "doors" });
  const made = el("div", { role: "status" });
  const look = () =>
    attempt(async () => {
      const { items } = await read("/v1/account/tokens");
      list.replaceChildren(...items.map((each) => buildDoor(each, () => revoke([each.id]))));
    });
  const revoke = (tokens) =>
    attempt(async () => {
      await command("/v1/account/revocations", { tokens });
      await look();
    });
  const { root, attempt } = buildMatter(
    "Signed in",
    list,
    el("p", { class: "note" }, "What is closed takes the ways of notice that were added there along."),
    button("Close all others", () => revoke(null)),
    el(
      "details",
      {},
      el("summary", {}, "A token for a program …"),
      buildTokenForm(async (fields) =>
        attempt(async () => {
          const { token } = await command("/v1/account/tokens", fields);
          made.replaceChildren(el("p", {}, "Shown this once:"), showOnce(token));
          await look();
        }),
      ),
      made,
    ),
  );
  root.classList.add("matter-wide");
  look();
  return { root, look };
}

function buildDoor({ kind, name, scopes, created_at: since, ends_at: until, is_this: isThis }, onRevoke) {
  const ends = until ? ["ends ", time(until)] : "has no end";
  return el(
    "li",
    {},
    el(
      "span",
      {},
      el("span", { class: "door-name" }, name),
      isThis ? el("span", { class: "tag" }, "this browser") : "",
      " ",
      el(
        "span",
        { class: "note" },
        `${[KINDS[kind], ...(kind === "token" ? scopes : [])].join(", ")}, made `,
        ago(since),
        ", ",
        ends,
      ),
    ),
    isThis ? "" : button("Close", onRevoke, { "aria-label": `Close ${name}` }),
  );
}

function buildTokenForm(onSubmit) {
  const made = form(
    {},
    () => {
      const { name, scopes, days } = made.elements;
      onSubmit({
        name: name.value.trim(),
        scopes: scopes.value.split(","),
        days: days.value ? Number(days.value) : null,
      });
    },
    field("Name of the program", el("input", { name: "name", required: true, maxlength: 80 })),
    field("The program", select("scopes", SCOPES)),
    field("Its token ends", select("days", DAYS)),
    el("button", { type: "submit" }, "Make a token"),
  );
  return made;
}
