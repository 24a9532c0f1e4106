// Helping the organisers, by the link that one of them gave: its secret stands behind the #, which no browser sends.

import { read } from "../parts/api.js";
import { el, form } from "../parts/dom.js";
import { signUp } from "../seat/account.js";
import { buildNameField } from "../seat/name_field.js";
import { sendCommand } from "../seat/sender.js";
import { sendSigned } from "../seat/signed_command.js";
import { fromHex } from "../verify/bytes.js";
import { hashSecret } from "./ruling_fields.js";
import { SigningKey } from "./signing_key.js";

const LINK = /^#help=([0-9a-f]{64})$/;

// The secret of the address, or null.
export function readHelping() {
  return LINK.exec(location.hash)?.[1] ?? null;
}

export function buildHelping({ tournament, helpers, invitation, account }) {
  const problem = el("p", { class: "problem", role: "alert" });
  const go = el("button", { type: "submit", class: "go-button" }, "Help here");
  const made = form(
    { class: "joining" },
    async () => {
      go.disabled = true;
      problem.textContent = "";
      try {
        await join({ tournament, helpers, invitation, account, name: made.elements.name?.value.trim() });
        // The page is that of a helper from here on.
        history.replaceState(null, "", location.pathname);
        location.reload();
      } catch (error) {
        go.disabled = false;
        problem.textContent = error.message;
      }
    },
    account ? el("p", {}, "You help as ", el("bdi", {}, account.name), ".") : buildNameField(),
    el(
      "p",
      { class: "note" },
      "This browser makes a key for you and signs each of your acts with it. What you do stands in the log under " +
        "your name.",
    ),
    problem,
    el("div", { class: "buttons" }, go),
  );
  return el(
    "section",
    { class: "seat", "aria-labelledby": "help" },
    el("h2", { id: "help" }, "Help at this tournament"),
    made,
  );
}

async function join({ tournament, helpers, invitation, account, name }) {
  const link = await hashSecret(fromHex(invitation));
  const invited = helpers.find((each) => each.link === link);
  if (!invited || invited.player || invited.is_dismissed)
    throw new Error("This link is not good any more: it was used, or taken back. Ask the organiser for a new one.");
  const own = account ?? (await signUp(name));
  const { helper } = invited;
  const key = await SigningKey.require(`${tournament}/${helper}`);
  const path = `/v1/tournaments/${tournament}`;
  const fields = { helper, key: key?.publicKey ?? null };
  await sendSigned({
    stream: tournament,
    path: `${path}/helpers`,
    type: "helper_joined",
    data: { ...fields, player: own.id },
    sent: { ...fields, invitation },
    secrets: key ?? { publicKey: null },
    readHead: async () => (await read(path)).head,
    send: sendCommand,
    onWait: () => null,
  });
}
