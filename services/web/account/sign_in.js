// The way in: a code of the account, from another device or from paper. A link's code is used by a click alone, so that
// no link of a stranger signs anyone in unseen.

import { button, el, form } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { signInBy } from "../seat/account.js";
import { unpackSeats } from "../seat/hand_over.js";
import { buildMatter } from "./matter.js";
import { HAS_PASSKEYS, usePasskey } from "./passkey.js";

// `seats` are those that the link brings.
export function buildSignIn({ account, code, seats, onDone }) {
  const input = el("input", {
    name: "code",
    required: true,
    maxlength: 100,
    autocomplete: "one-time-code",
    spellcheck: "false",
    value: code ?? "",
  });
  const leaves = account
    ? el(
        "p",
        {},
        "This browser is signed in as ",
        el("bdi", {}, account.name),
        ". To go on, it leaves that account; make a recovery code there first if you want to come back.",
      )
    : "";
  const { root, attempt } = buildMatter(
    "Sign in",
    leaves,
    form(
      {},
      () =>
        attempt(async () => {
          await signInBy(input.value.trim());
          if (seats) await unpackSeats(seats);
          onDone();
        }),
      field(
        "Code",
        input,
        "From “Another device” on this page there, or your recovery code. Each is good for one sign-in.",
      ),
      el("button", { type: "submit", class: "go-button" }, "Sign in"),
    ),
    HAS_PASSKEYS && !code
      ? button("Sign in with a passkey", () =>
          attempt(async () => {
            await usePasskey();
            onDone();
          }),
        )
      : "",
    account
      ? el("p", {}, el("a", { href: "/account" }, "Stay as you are"))
      : el(
          "p",
          { class: "note" },
          "New here? A name is enough: ",
          el("a", { href: "/" }, "choose a game"),
          ", and an account begins.",
        ),
  );
  return root;
}
