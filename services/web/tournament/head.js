// A tournament's name and progress, every term on which an entrant can rely, and the files to take away.

import { el, time } from "../parts/dom.js";
import { tellBox, tellOption, tellOptionValue, titleOf } from "../parts/ruleset_words.js";
import { capital, count, list } from "../parts/words.js";
import { tellClock, tellDuration } from "../parts/durations.js";
import { DEMANDS, TIE_BREAKS, countRounds, linkName, tellFormat, tellNumber, tellSeating, tellSizes } from "./words.js";

const PHASES = { check_in: "check-in is open", playing: "being played", closed: "closed" };
export const STATES = {
  live: "Updates by itself",
  lost: "Connection lost, trying again",
  over: "It is over: nothing here changes any more",
};

// `winners` are those who share the first place at the end.
export function showHead({ tournament, winners }) {
  const { terms, status } = tournament;
  return el(
    "div",
    {},
    el(
      "div",
      { class: "game-head" },
      el("h1", { class: "cup-name" }, el("bdi", {}, tournament.name)),
      el("span", { class: `status status-${status}` }, capital(status)),
      el("span", { class: "cup-round" }, tellRound(tournament)),
    ),
    el(
      "p",
      { class: "cup-terms" },
      [titleOf(tournament.ruleset), tellFormat(terms.format), tellSizes(terms.tables)].join(" · "),
    ),
    el(
      "p",
      { class: "note" },
      tellEntries(tournament),
      terms.demands.length ? [" Demands ", list(terms.demands.map((each) => DEMANDS[each]?.name ?? each)), "."] : "",
    ),
    showAbout(terms.about),
    winners.length
      ? el(
          "p",
          { class: "won" },
          winners.length > 1 ? "Shared by " : "Won by ",
          winners.flatMap((each, place) => [
            place ? (place === winners.length - 1 ? " and " : ", ") : "",
            linkName(each),
          ]),
        )
      : "",
  );
}

// The words of the organisers before the entry: they count nothing, and stand in the first line all the same.
function showAbout(about) {
  if (!about) return "";
  const { description, place, starts_at: start, contact } = about;
  const where = [start, place].filter(Boolean).join(" · ");
  return el(
    "div",
    { class: "about-cup" },
    where ? el("p", {}, el("strong", {}, el("bdi", {}, where))) : "",
    description ? el("p", {}, el("bdi", {}, description)) : "",
    contact ? el("p", { class: "note" }, "Contact: ", el("bdi", {}, contact)) : "",
  );
}

function tellDoor(door) {
  if (!door) return "anybody may enter";
  const who = door.codes.length
    ? door.is_shared
      ? "who has the code may enter"
      : `who has one of ${count(door.codes.length, "code")} may enter, once each`
    : "anybody may enter";
  const list = door.has_waiting_list ? "; where all places are taken, on a waiting list" : "";
  return door.has_approval ? `${who}, and an organiser admits each entry` : `${who}${list}`;
}

function tellRound({ status, terms, round, round_status: phase, paused_at: pausedAt }) {
  const all = countRounds(terms.format);
  if (!round) return status === "open" ? "before the first round" : "";
  const where = `round ${round}${all ? ` of ${all}` : ""}`;
  return status === "running"
    ? `${where}, ${pausedAt ? "paused" : PHASES[phase]}`
    : status === "finished"
      ? `after ${count(round, "round")}`
      : where;
}

function tellEntries({ entries, terms, takes_entries: isOpen, status }) {
  const many = count(entries, "entrant");
  if (status === "finished" || status === "aborted") return `${many}.`;
  return isOpen ? `${many}, up to ${terms.entries_max} may enter.` : `${many}, entries are closed.`;
}

export function showTerms({ tournament }) {
  const { terms } = tournament;
  const rows = [
    ["Ruleset", tournament.ruleset],
    ["Format", `${tellFormat(terms.format)}; ${tellSizes(terms.tables)}`],
    ["Clock", tellClock(terms.clock)],
    [
      "Viewer delay",
      terms.delay_s ? `games are shown ${tellDuration(terms.delay_s * 1000)} late until they are over` : "none",
    ],
    [
      "Demands",
      terms.demands.length
        ? el(
            "ul",
            { class: "plain" },
            terms.demands.map((each) =>
              el("li", {}, el("strong", {}, DEMANDS[each]?.name ?? each), `: ${DEMANDS[each]?.means ?? ""}`),
            ),
          )
        : "none",
    ],
    ["Opening witnessed", tournament.is_witnessed ? "yes" : "no"],
    [
      "Points",
      el(
        "ul",
        { class: "plain" },
        Object.entries(terms.points).map(([size, points]) =>
          el("li", {}, `table of ${size}: ${points.map(tellNumber).join(", ")}`),
        ),
        el("li", {}, `bye: ${terms.bye_points}`),
      ),
    ],
    [
      "Tie-breaks",
      terms.tie_breaks.length
        ? el(
            "ol",
            { class: "plain" },
            terms.tie_breaks.map((each) => el("li", {}, TIE_BREAKS[each]?.means ?? each)),
          )
        : "none",
    ],
    ["Entry", tellDoor(terms.door)],
    ...(terms.teams
      ? [
          [
            "Teams",
            `of up to ${terms.teams.members_max}, of whom the best ${terms.teams.counting} count; ` +
              tellSeating(terms.teams.seating) +
              (terms.teams.race_in_games ? ", and race as a team at one table" : ""),
          ],
        ]
      : []),
    ["Check-in", `${tellDuration(terms.check_in_ms)} from the call of a round`],
    ["Sitting down", `${tellDuration(terms.sit_down_ms)} from the draw; who is not there by then is drawn out`],
    [
      "Options",
      Object.entries(terms.options)
        .map(([name, value]) => `${tellOption(tournament.ruleset, name)}: ${tellOptionValue(value)}`)
        .join(", ") || "none",
    ],
    ["Box", tellBox(tournament.ruleset, terms.ruleset.components) ?? "as the release has it"],
    ["Components", el("code", {}, terms.ruleset.components)],
    ["Commitment", el("code", {}, terms.commit)],
    ["Opened by", tournament.opened_by],
    ["Last change", time(tournament.at)],
  ];
  return el(
    "details",
    { class: "terms" },
    el("summary", {}, "All the terms"),
    el(
      "dl",
      {},
      rows.map(([term, said]) => el("div", {}, el("dt", {}, term), el("dd", {}, said))),
    ),
  );
}

// Taking a tournament away: its bundle, to check it offline, and its numbers for other programs.
export function showTakeAway({ id, hasTeams }) {
  const path = `/v1/tournaments/${id}`;
  const link = (address, said, attributes = {}) => el("li", {}, el("a", { href: address, ...attributes }, said));
  return el(
    "section",
    { class: "take-away", "aria-labelledby": "check-all" },
    el("h2", { id: "check-all" }, "Check it yourself"),
    el(
      "p",
      {},
      "One file has the log of the tournament and every game of it. With it you can verify each game, draw each " +
        "round again and add up each point, without this server and without its word:",
    ),
    el(
      "pre",
      {},
      el(
        "code",
        {},
        `curl -sS ${location.origin}/v1/ledger/policy > trusted.policy\n` +
          `curl -sSOJ ${location.origin}${path}/bundle\n` +
          `spina verify ${id}.tournament.zip --policy trusted.policy`,
      ),
    ),
    el(
      "p",
      { class: "note" },
      "The last line proves as much as the policy: in earnest take the ledger's key from people, from print " +
        "or from a witness.",
    ),
    el(
      "ul",
      { class: "links" },
      link(`${path}/bundle`, "The bundle", { download: "" }),
      link(`${path}/events`, "The log"),
      link(`${path}/export?format=html`, "A page to print"),
      link(`${path}/export?format=excel&part=standings`, "Standings for a spreadsheet"),
      link(`${path}/export?format=excel&part=pairings`, "Pairings for a spreadsheet"),
      link(`${path}/export?format=excel&part=rulings`, "Rulings for a spreadsheet"),
      hasTeams ? link(`${path}/export?format=excel&part=teams`, "Teams for a spreadsheet") : "",
      link(`${path}/export?format=json`, "Everything as JSON"),
      link(`/tournaments/${id}/wall`, "For the wall of a hall"),
      link(`/tournaments/${id}/organise`, "Organise"),
    ),
  );
}
