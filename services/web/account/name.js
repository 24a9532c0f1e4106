// The name of the account, which all viewers see.

import { el, form } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { rename } from "../seat/account.js";
import { buildMatter } from "./matter.js";

export function buildNameMatter(account) {
  const input = el("input", {
    name: "name",
    required: true,
    maxlength: 80,
    value: account.name,
    autocomplete: "nickname",
  });
  const done = el("p", { class: "note", role: "status" });
  const { root, attempt } = buildMatter(
    "Name",
    form(
      {},
      () =>
        attempt(async () => {
          input.value = await rename(input.value.trim());
          done.textContent = `You are shown as ${input.value} from now on, in games of the past too.`;
        }),
      field("Your name", input, "All viewers see it. A name that looks like another player’s gets a number."),
      el("button", { type: "submit" }, "Rename"),
    ),
    done,
    el("p", { class: "note" }, el("a", { href: `/players/${account.id}` }, "Your public record")),
  );
  return root;
}
