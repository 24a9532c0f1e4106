// Ways into the account: a code for another device, as a link and as a picture; the recovery code for paper; a passkey.

import { command } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { buildMatter, showOnce } from "./matter.js";
import { HAS_PASSKEYS, makePasskey } from "./passkey.js";
import { drawCode } from "../parts/picture_code.js";

const MINUTES = 10;

export function buildDeviceMatter(onChange) {
  const room = el("div", { role: "status" });
  const { root, attempt } = buildMatter(
    "Another device",
    el(
      "p",
      { class: "note" },
      "A link signs one browser in as you, and your games go on there. A seat whose sealed actions only you open " +
        "goes by its file as well: “Your seat”, “To another device …” in the game.",
    ),
    button("Make a link", () =>
      attempt(async () => {
        const { code } = await command("/v1/account/codes", { minutes: MINUTES });
        const url = `${location.origin}/account#code=${code}`;
        room.replaceChildren(
          el("p", {}, `Good once, for ${MINUTES} minutes. Open it there, or scan the picture:`),
          showOnce(url),
          drawCode(url, "Picture code of the link") ?? "",
        );
        onChange();
      }),
    ),
    room,
  );
  return root;
}

export function buildRecoveryMatter(onChange) {
  const room = el("div", { role: "status" });
  const { root, attempt } = buildMatter(
    "Recovery code",
    el(
      "p",
      { class: "note" },
      "If this browser is lost, the code brings you back to your games, once. A new one takes the place of the one " +
        "before. The server keeps its hash alone: write it down.",
    ),
    button("Make a recovery code", () =>
      attempt(async () => {
        const { code } = await command("/v1/account/codes", { minutes: null });
        room.replaceChildren(el("p", {}, "Shown this once:"), showOnce(code));
        onChange();
      }),
    ),
    room,
  );
  return root;
}

// Nothing where the browser has no passkeys.
export function buildPasskeyMatter(onChange) {
  if (!HAS_PASSKEYS) return "";
  const made = el("p", { class: "note", role: "status" });
  const { root, attempt } = buildMatter(
    "Passkey",
    el(
      "p",
      { class: "note" },
      "A finger, a face or the PIN of this device signs you in, here and wherever your passkeys are.",
    ),
    button("Make a passkey", () =>
      attempt(async () => {
        made.textContent = `Made: ${await makePasskey()}.`;
        onChange();
      }),
    ),
    made,
  );
  return root;
}
