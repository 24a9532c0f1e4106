// The actions open to an organiser, and their effects: entries, rounds, and the end.

import { button, el, form, time } from "../parts/dom.js";
import { renewOne } from "../parts/keyed.js";
import { tellDuration } from "../parts/durations.js";
import { nameOf } from "../tournament/words.js";
import { count, list } from "../parts/words.js";
import { confirm, readReason, reasonField } from "../parts/field.js";

// As many as an organiser reads through; the list of entrants has them all.
const ABSENT_MAX = 12;

export class Steps {
  #send;
  #coming = 1;
  #onRule;

  // `send` gets the name of a command and its fields, `onRule` the kind of a ruling that may be wanted and its subject.
  constructor({ send, onRule }) {
    this.#send = send;
    this.#onRule = onRule;
    this.now = el("div", { class: "now" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.ending = el("div");
    this.root = el("section", { "aria-labelledby": "now" }, el("h2", { id: "now" }, "Now"), this.now, this.problem);
    this.end = el("section", { "aria-labelledby": "ending" }, el("h2", { id: "ending" }, "End it"), this.ending);
  }

  show({ tournament, pairings, entrants, role = null }) {
    this.#coming = tournament.round_status === "check_in" ? tournament.round : tournament.round + 1;
    const round = pairings?.items.find((each) => each.round === tournament.round) ?? null;
    const told = {
      tournament,
      active: entrants.items.filter((each) => !each.left).length,
      waiting: round?.waiting ?? [],
      until: round?.until ?? null,
      warnings: round?.warnings ?? [],
      absent: findAbsent(tournament, entrants),
    };
    renewOne(this.now, told, () =>
      el(
        "div",
        { class: "step" },
        tournament.paused_at ? this.#buildPause(tournament) : "",
        this.#buildStep(told),
        tournament.paused_at ? "" : this.#buildPause(tournament),
        told.absent.length ? this.#suggest(told.absent) : "",
      ),
    );
    const isOver = tournament.status === "finished" || tournament.status === "aborted";
    this.end.hidden = isOver;
    // The form is not built again while a reason is being written.
    if (!isOver && !this.ending.children.length)
      this.ending.append(
        this.#buildEnding("Close it before its last round", "close"),
        this.#buildEnding("Abort it", "abort"),
      );
    // Rounds that are left ask for a reason; where none is left there is nothing to close before.
    if (!isOver) this.ending.firstChild.hidden = tournament.is_complete;
    // An abort is the organisers' own.
    if (!isOver) this.ending.lastChild.hidden = role !== null;
  }

  // A round that is paused says so before all else; one that goes on can be paused.
  #buildPause({ status, round, round_status: phase, paused_at: pausedAt }) {
    if (status !== "running" || phase === "closed") return "";
    if (!pausedAt) return button("Pause the round…", () => this.#onRule("round_paused", { round }));
    return el(
      "div",
      { class: "paused" },
      el("p", {}, el("strong", {}, `Round ${round} is paused`), " since ", time(pausedAt), ": no time of it counts."),
      button("Let it go on…", () => this.#onRule("round_resumed", { round }), { class: "go-button" }),
    );
  }

  // A round waits until the time is up for entrants absent from the last one, unless they are removed.
  #suggest(absent) {
    return el(
      "div",
      {},
      el(
        "p",
        {},
        "The next check-in waits its full time for these, who did not come to the last round. Remove those who will " +
          "not come again, or let them sit out a round:",
      ),
      el(
        "ul",
        { class: "plain" },
        absent.map((each) =>
          el(
            "li",
            {},
            el("bdi", {}, nameOf(each)),
            " ",
            button("Remove…", () => this.#onRule("entrant_removed", { entrant: each.entrant })),
            " ",
            button("Let sit out…", () =>
              this.#onRule("entrant_excused", { entrant: each.entrant, round: this.#coming, points: 0 }),
            ),
          ),
        ),
      ),
    );
  }

  #buildStep({ tournament, active, waiting, until, warnings }) {
    const {
      status,
      round,
      round_status: phase,
      terms,
      held_round: held,
      takes_entries: isOpen,
      is_complete: isComplete,
    } = tournament;
    if (status === "finished") return el("p", {}, "It is finished, and its standings are published as the last word.");
    if (status === "aborted") return el("p", {}, "It was aborted.");
    if (phase === "check_in") {
      return el(
        "div",
        {},
        el(
          "p",
          {},
          `Check-in for round ${round} is open`,
          ...(tournament.paused_at ? [] : [" for ", el("spina-countdown", { until })]),
          ". The round is drawn by itself as soon as all entrants are here, or when the time is up.",
        ),
        waiting.length
          ? el("p", {}, `Not here yet (${waiting.length}): `, el("bdi", {}, list(waiting.map(nameOf))))
          : el("p", {}, "All entrants are here."),
      );
    }
    if (phase === "playing" && held === round)
      return el(
        "div",
        {},
        el("p", {}, `Round ${round} is drawn and held: no game is opened until you release it.`),
        warnings.length
          ? listWarnings(warnings)
          : el("p", {}, "No one meets again, sits out twice, or sits against a wish."),
        el(
          "div",
          { class: "buttons" },
          button("Change the seats…", () => this.#onRule("tables_seated", { round })),
          button("Release the draw…", () => this.#onRule("draw_released", { round }), { class: "go-button" }),
        ),
      );
    if (phase === "playing")
      return el(
        "div",
        {},
        el("p", {}, `Round ${round} is being played. It closes by itself when every table counts.`),
        warnings.length ? el("details", {}, el("summary", {}, "About this draw"), listWarnings(warnings)) : "",
      );
    return el(
      "div",
      { class: "buttons" },
      isComplete
        ? ""
        : this.#offer(`Call round ${round + 1}`, "rounds", { round: round + 1 }, [
            `Check-in opens for ${count(active, "entrant")} and ends after ${tellDuration(terms.check_in_ms)}, or ` +
              "when the last one has checked in; then the tables are drawn with public lots.",
            "From the call on, points decide the pairings: a later ruling counts from the next round on.",
          ]),
      isComplete || held
        ? held
          ? el("p", { class: "note" }, `The draw of round ${held} will be held.`)
          : ""
        : button("Look at the draw first…", () => this.#onRule("draw_held", { round: round + 1 })),
      !isOpen || isComplete
        ? ""
        : this.#offer("Close the entries", "close-entries", {}, ["No further entrant can enter."]),
      isComplete
        ? this.#offer("Publish the final standings", "close", { reason: null }, [
            "The tournament is closed: its standings are final, its secret is disclosed, and nothing can be ruled " +
              "any more.",
          ])
        : "",
    );
  }

  #offer(said, name, fields, lines) {
    return button(`${said}…`, async () => {
      if (await confirm({ title: said, lines, act: said })) await this.#do(this.problem, name, fields);
    });
  }

  async #do(problem, name, fields) {
    problem.textContent = "";
    await this.#send(name, fields).catch((error) => (problem.textContent = error.message));
  }

  #buildEnding(said, name) {
    const effect =
      name === "close"
        ? "Rounds are left: the standings as they are become final, and the reason stays in the log."
        : "It has no result. Its secret is disclosed all the same, and the reason is public.";
    const problem = el("p", { class: "problem", role: "alert" });
    const ending = form(
      { class: "ending", id: `end-${name}`, novalidate: true },
      async () => {
        const reason = readReason(ending);
        problem.textContent = reason ? "" : "Say why: it needs a reason.";
        if (
          !reason ||
          !(await confirm({
            title: said,
            lines: [effect, el("p", { class: "reason" }, "“", el("bdi", {}, reason), "”")],
            act: said,
          }))
        )
          return;
        await this.#do(problem, name, { reason });
      },
      el("p", { class: "note" }, effect),
      reasonField(),
      el("div", { class: "buttons" }, el("button", { type: "submit" }, `${said}…`)),
      problem,
    );
    return el("details", {}, el("summary", {}, said), ending);
  }
}

// Entrants still in the tournament who did not check in for the round drawn last, or did not sit down in it.
function findAbsent({ round, round_status: phase, is_complete: isComplete, status }, { items }) {
  if (phase === "playing" || isComplete || status !== "running") return [];
  const last = phase === "check_in" ? round - 1 : round;
  return items
    .filter((each) => !each.left && !each.is_checked_in && [...each.missed, ...each.no_shows].includes(last))
    .slice(0, ABSENT_MAX);
}

function listWarnings(warnings) {
  return el(
    "ul",
    { class: "plain warnings" },
    warnings.map(({ level, table, told }) =>
      el("li", { class: `warned-${level}` }, table ? `Table ${table}: ` : "", el("bdi", {}, told)),
    ),
  );
}
