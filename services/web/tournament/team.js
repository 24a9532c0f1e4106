// The team of an entrant: its field at entry, and the link by which mates join. The code of a team stands behind the
// #, which no browser sends; the log has its hash.

import { el } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { find, keep } from "../seat/store.js";
import { hashCode, makeCode } from "./entry_code.js";
import { tellSeating } from "./words.js";

// Must agree with domain/tournament/teams.py.
const LABEL = "spina/team-code/v1\0";
const LINK = /^#team=(.+)\.([A-HJ-NP-Z2-9]{16,32})$/;
const NAME_MAX = 40;
// The team that this browser's entry is of, by tournament.
const KEPT = "team";

// The name and the code of the address, or null.
export function readTeamLink() {
  const [, name, code] = LINK.exec(location.hash) ?? [];
  return code ? { name: decodeURIComponent(name), code } : null;
}

// `teams` are the terms; a mate's team is that of the link, and any other one is founded here.
export function buildTeamField(teams, link) {
  const input = el("input", {
    name: "team",
    value: link?.name ?? "",
    readonly: Boolean(link),
    maxlength: NAME_MAX,
    autocomplete: "off",
  });
  const help = link
    ? `You join this team by the link of a mate; ${tellSeating(teams.seating)}.`
    : `Up to ${teams.members_max} members, the best ${teams.counting} count; ${tellSeating(teams.seating)}. ` +
      "Found one by a new name, and you get a link for your mates; leave the field empty to play for yourself.";
  return field("Team", input, help);
}

// What an entry brings for its team: the fields of the line, and the code itself; null without one. The code is kept
// before it is sent, so that a second try founds the same team.
export async function readTeam(tournament, typed, link) {
  const name = typed.trim().replace(/\s+/g, " ");
  if (!name) return null;
  const kept = await find("accounts", `${KEPT}-${tournament}`);
  const code = link?.code ?? (kept?.name === name ? kept.code : makeCode());
  await keep("accounts", `${KEPT}-${tournament}`, { name, code });
  return { fields: { name, code: await hashCode(code, LABEL) }, code };
}

export async function findTeam(tournament) {
  return (await find("accounts", `${KEPT}-${tournament}`)) ?? null;
}

export function showMates({ id, name, code }) {
  const address = `${location.origin}/tournaments/${id}#team=${encodeURIComponent(name)}.${code}`;
  return el(
    "section",
    { class: "seat", "aria-labelledby": "mates" },
    el("h2", { id: "mates" }, "Team ", el("bdi", {}, name)),
    el("p", {}, "Your mates enter by this link; give it to them alone:"),
    el("p", {}, el("a", { class: "team-link", href: address }, address)),
  );
}
