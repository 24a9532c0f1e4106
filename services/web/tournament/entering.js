// Entering a tournament from its page: a name, the custody for all of its games, and one button.

import { el } from "../parts/dom.js";
import { findDemanded, foldCustodyChoice } from "../seat/custody.js";
import { field } from "../parts/field.js";
import { Entry } from "./entry.js";
import { readCode, spaceCode } from "./entry_code.js";
import { buildJoining, buildSection } from "./join_form.js";
import { tellRefusal } from "./refusals.js";
import { buildTeamField, readTeam } from "./team.js";

// `teams` are the terms of teams and `teamLink` the team of the address, each null without one; `onEntered(account)` is
// called once the entry is stored.
export function buildEntering({ id, round, demands, isWitnessed, door, code, teams, teamLink, account, onEntered }) {
  const note = el("p", { class: "note" }, "Programs enter over the ", el("a", { href: "/v1/docs" }, "API"), ".");
  const hindrance = findHindrance(demands, isWitnessed);
  if (hindrance) return buildSection("enter", "Take part", el("p", {}, hindrance), note);
  return buildJoining({
    id: "enter",
    title: "Take part",
    go: "Enter",
    as: "You enter as",
    account,
    after: note,
    children: [
      el(
        "p",
        { class: "note" },
        round
          ? `Round ${round} has been called: you play from round ${round + 1} on.`
          : "You are called to each round on this page, and play your games in this browser.",
      ),
      door?.codes.length ? buildCodeField(code) : "",
      teams ? buildTeamField(teams, teamLink) : "",
      door?.has_waiting_list
        ? el("p", { class: "note" }, "Where all places are taken you wait in line, and come in when one is free.")
        : "",
      door?.has_approval ? el("p", { class: "note" }, "An organiser admits each entry before its first draw.") : "",
      foldCustodyChoice(findDemanded({ demands })),
    ],
    explain: tellRefusal,
    act: async (own, elements, tell) => {
      await Entry.enter({
        tournament: id,
        account: own,
        custody: elements.custody.value,
        code: elements.code ? readCode(elements.code.value) : null,
        team: elements.team ? await readTeam(id, elements.team.value, teamLink) : null,
        onWait: () => tell("No answer from the server; sending it again …"),
      });
      onEntered(own);
    },
  });
}

function buildCodeField(code) {
  const value = code ? spaceCode(code) : "";
  return field(
    "Code",
    el("input", { name: "code", value, required: true, autocomplete: "off", maxlength: 48 }),
    "The organisers of this tournament gave it to you.",
  );
}

// Why this browser cannot enter now, or null.
function findHindrance(demands, isWitnessed) {
  if (demands.length && !globalThis.crypto?.subtle)
    return "This tournament demands cryptography, which browsers give only to pages over https and from this machine.";
  return demands.includes("witnessed_opening") && !isWitnessed
    ? "Entries begin once a witness has signed for the opening."
    : null;
}
