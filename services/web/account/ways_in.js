// Ways into the account: a code for another device, as a link and as a picture; the recovery code for paper; a passkey.

import { command } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { buildMatter, showOnce } from "./matter.js";
import { HAS_PASSKEYS, makePasskey } from "./passkey.js";
import { drawCode } from "../parts/picture_code.js";
import { count } from "../parts/words.js";
import { packSeats } from "../seat/hand_over.js";

const MINUTES = 10;

export function buildDeviceMatter(onChange) {
  const room = el("div", { role: "status" });
  const { root, attempt } = buildMatter(
    "Another device",
    el(
      "p",
      { class: "note" },
      "A link signs one browser in as you, and your games go on there. It brings the seats whose sealed actions only " +
        "you open as well, in a part that no server gets; make it where these are played.",
    ),
    button("Make a link", () =>
      attempt(async () => {
        const { code } = await command("/v1/account/codes", { minutes: MINUTES });
        const seats = await packSeats();
        const url = `${location.origin}/account#code=${code}${seats ? `&seats=${seats.text}` : ""}`;
        room.replaceChildren(
          el("p", {}, `Good once, for ${MINUTES} minutes. Open it there, or scan the picture:`),
          seats
            ? el(
                "p",
                { class: "note" },
                `With ${count(seats.count, "seat")} of this browser: go on there, and not here.`,
              )
            : "",
          showOnce(url),
          drawCode(url, "Picture code of the link") ??
            el("p", { class: "note" }, "It is too long for a picture: copy the link."),
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
