// Carrying a seat to another device: a dialog that saves its file, and one that opens it there.

import { command } from "../parts/api.js";
import { button, el, form } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { signIn, signInBy } from "./account.js";
import { closeSeat, openSeat } from "./seat_file.js";
import { unpackSecrets } from "./own_secrets.js";

const PASSPHRASE_MIN = 10;
const CODE_MINUTES = 24 * 60;

export function saveSeat({ account, secrets }) {
  ask(
    "Carry this seat to another device",
    "Save the file",
    [
      el(
        "p",
        {},
        "The file holds the secrets of this seat, and a code that signs one device in as you within a day, closed " +
          "with a passphrase of your own. Then close this tab: one device plays at a time.",
      ),
    ],
    async (passphrase) => {
      const { code } = await command("/v1/account/codes", { minutes: CODE_MINUTES });
      const text = await closeSeat({ account: { id: account.id, code }, secrets }, passphrase);
      const link = el("a", {
        href: URL.createObjectURL(new Blob([text], { type: "application/json" })),
        download: `${secrets.game}.spina-seat.json`,
      });
      link.click();
      URL.revokeObjectURL(link.href);
    },
  );
}

export function openSavedSeat() {
  const file = el("input", { type: "file", name: "file", accept: ".json", required: true });
  ask("Go on from another device", "Open the seat", [field("File of the seat", file)], async (passphrase) => {
    const { account, secrets } = await openSeat(await file.files[0].text(), passphrase);
    if ((await signIn())?.id !== account.id) await signInBy(account.code);
    await unpackSecrets(secrets);
    location.assign(`/${secrets.seat === null ? "tournaments" : "games"}/${secrets.game}`);
  });
}

function ask(title, act, content, onPassphrase) {
  const heading = el("h2", { id: "carry-heading" }, title);
  const passphrase = el("input", {
    type: "password",
    name: "passphrase",
    required: true,
    minlength: PASSPHRASE_MIN,
    autocomplete: "off",
  });
  const problem = el("p", { class: "seat-problem", role: "alert" });
  const dialog = el(
    "dialog",
    { class: "play-dialog", "aria-labelledby": heading.id },
    form(
      { class: "joining" },
      async () => {
        problem.textContent = "";
        await onPassphrase(passphrase.value).then(
          () => dialog.close(),
          (error) => (problem.textContent = error.message),
        );
      },
      heading,
      content,
      field("Passphrase", passphrase, `${PASSPHRASE_MIN} characters at least; without it the file is of no use.`),
      problem,
      el(
        "div",
        { class: "buttons" },
        button("Back", () => dialog.close()),
        el("button", { type: "submit", class: "go-button" }, act),
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
