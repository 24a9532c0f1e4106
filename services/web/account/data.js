// The data of the account: taken away as a file, left on this device, or deleted.

import { read } from "../parts/api.js";
import { button, el, form } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { forgetAccount, signOut } from "../seat/account.js";
import { buildMatter } from "./matter.js";

export function buildDataMatter(account, onGone) {
  const typed = el("input", { name: "name", required: true, autocomplete: "off" });
  const { root, attempt } = buildMatter(
    "Your data",
    el(
      "div",
      { class: "buttons" },
      button("Download all of it", () => attempt(() => save(account.id))),
      button("Sign out", () =>
        attempt(async () => {
          await signOut();
          onGone();
        }),
      ),
    ),
    el(
      "p",
      { class: "note" },
      "Signing out leaves the account to its other ways in. Without a recovery code or another device there is no " +
        "way back.",
    ),
    el(
      "details",
      {},
      el("summary", {}, "Delete the account …"),
      el(
        "p",
        {},
        "Your name and all that opens the account are deleted at once. Games under way lose their driver. The logs " +
          "of your games keep a number in your place, so that every result stays proven.",
      ),
      form(
        {},
        () =>
          attempt(async () => {
            await forgetAccount(typed.value);
            onGone();
          }),
        field("Your present name", typed),
        el("button", { type: "submit" }, "Delete for ever"),
      ),
    ),
  );
  return root;
}

async function save(id) {
  const { next, ...whole } = await read("/v1/account/export");
  for (let before = next; before !== null; ) {
    const page = await read(`/v1/account/export?before=${encodeURIComponent(before)}`);
    whole.games.push(...page.games);
    before = page.next;
  }
  const text = JSON.stringify(whole, null, 2);
  const link = el("a", {
    href: URL.createObjectURL(new Blob([text], { type: "application/json" })),
    download: `spina-account-${id}.json`,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}
