// Going on with an entry from another device, by the link that an organiser gave: its secret stands behind the #, which
// no browser sends.

import { el } from "../parts/dom.js";
import { findDemanded, foldCustodyChoice } from "../seat/custody.js";
import { Entry } from "./entry.js";
import { buildJoining, buildSection } from "./join_form.js";
import { tellRefusal } from "./refusals.js";
import { nameOf } from "./words.js";

const LINK = /^#entry=(\d{1,5})\.([0-9a-f]{64})$/;
const TITLE = "Go on with an entry";

// The entry and the secret of the address, or null.
export function readHanded() {
  const [, entrant, invitation] = LINK.exec(location.hash) ?? [];
  return invitation ? { entrant: Number(entrant), invitation } : null;
}

// `onTaken(account)` is called once the entry goes on here.
export function buildGoingOn({ id, handed, who, demands, account, onTaken }) {
  if (!who?.is_handed)
    return buildSection(
      "go-on",
      TITLE,
      el(
        "p",
        {},
        "This link is not good any more: it was used, or another took its place. Ask the organiser for a new one.",
      ),
    );
  return buildJoining({
    id: "go-on",
    title: TITLE,
    go: "Go on here",
    as: "You go on as",
    account,
    before: el(
      "p",
      {},
      "An organiser lets you go on with the entry of ",
      el("bdi", {}, nameOf(who)),
      " on this device.",
    ),
    children: [
      el(
        "p",
        { class: "note" },
        "Number and points stay. From here on this device speaks for the entry: the lost one can do nothing more for " +
          "it, but in a game that goes on without you. The log shows the line from which that is so.",
      ),
      foldCustodyChoice(findDemanded({ demands })),
    ],
    explain: tellRefusal,
    act: async (own, { custody }, tell) => {
      await Entry.goOn({
        tournament: id,
        account: own,
        custody: custody.value,
        ...handed,
        onWait: () => tell("No answer from the server; sending it again …"),
      });
      history.replaceState(null, "", location.pathname);
      onTaken(own);
    },
  });
}
