// Helping the organisers, by the link that one of them gave: its secret stands behind the #, which no browser sends.

import { read } from "../parts/api.js";
import { el } from "../parts/dom.js";
import { sendCommand } from "../seat/sender.js";
import { sendSigned } from "../seat/signed_command.js";
import { buildJoining } from "../tournament/join_form.js";
import { fromHex } from "../verify/bytes.js";
import { hashSecret } from "./ruling_fields.js";
import { SigningKey } from "./signing_key.js";

const LINK = /^#help=([0-9a-f]{64})$/;

// The secret of the address, or null.
export function readHelping() {
  return LINK.exec(location.hash)?.[1] ?? null;
}

export function buildHelping({ tournament, helpers, invitation, account }) {
  let helper = null;
  return buildJoining({
    id: "help",
    title: "Help at this tournament",
    go: "Help here",
    as: "You help as",
    account,
    children: el(
      "p",
      { class: "note" },
      "This browser makes a key for you and signs each of your acts with it. What you do stands in the log under " +
        "your name.",
    ),
    prepare: async () => (helper = await findInvited(helpers, invitation)),
    act: async (own) => {
      await join({ tournament, helper, invitation, own });
      // The page is that of a helper from here on.
      history.replaceState(null, "", location.pathname);
      location.reload();
    },
  });
}

async function findInvited(helpers, invitation) {
  const link = await hashSecret(fromHex(invitation));
  const invited = helpers.find((each) => each.link === link);
  if (!invited || invited.player || invited.is_dismissed)
    throw new Error("This link is not good any more: it was used, or taken back. Ask the organiser for a new one.");
  return invited.helper;
}

async function join({ tournament, helper, invitation, own }) {
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
