// <spina-play>: a game in two clicks. The first chooses it, the second sits down; all else has an answer already.

import { button, el, form } from "../parts/dom.js";
import { field, group, select, tick } from "../parts/field.js";
import { listRulesets, readCourse } from "../parts/api.js";
import { findRuleset } from "../rulesets/pictures.js";
import { openSavedSeat } from "../seat/carry.js";
import { buildCustodyChoice } from "../seat/custody.js";
import { buildNameField } from "../seat/name_field.js";
import { signIn, signUp } from "../seat/account.js";
import { spaced } from "../parts/words.js";
import { openGame, PACES } from "../seat/opening.js";
import { TableChoice } from "../parts/table_choice.js";

const SEATS_DEFAULT = 4;
// A ruleset names its bots from the weakest on.
const STRENGTHS = ["Easy", "Middle", "Hard"];
const COMPANIES = [
  ["bots", "House bots, at once"],
  ["friends", "Friends: a link for each seat"],
  ["open", "Players from the lobby"],
];

class PlayBox extends HTMLElement {
  async connectedCallback() {
    try {
      const [{ items }, account] = await Promise.all([listRulesets(), signIn()]);
      this.account = account;
      this.replaceChildren(
        el("h2", {}, "Play"),
        el(
          "ul",
          { class: "play-games" },
          items.map((each) => this.#buildCard(each)),
        ),
        globalThis.crypto?.subtle ? button("Go on from another device …", openSavedSeat) : "",
      );
      await this.#openShared(items);
    } catch (error) {
      this.replaceChildren(el("p", { class: "state", role: "alert" }, `The games cannot be read: ${error.message}`));
    }
  }

  // A link to a course leads to a table on it.
  async #openShared(items) {
    const hash = new URLSearchParams(location.search).get("course");
    if (!hash) return;
    const shared = await readCourse(hash).catch((error) => ({ problem: error.message }));
    const ruleset = items.find((each) => each.ruleset === shared.ruleset);
    if (ruleset) this.#ask(ruleset, shared);
    else this.append(el("p", { class: "state", role: "alert" }, `The course cannot be read: ${shared.problem}`));
  }

  #buildCard(ruleset) {
    const { words, seats_min: min, seats_max: max } = ruleset;
    const { rules, showEmblem, editor } = findRuleset(ruleset.ruleset);
    const emblem = showEmblem?.() ?? "";
    if (emblem) emblem.setAttribute("aria-hidden", "true");
    return el(
      "li",
      { class: "play-game" },
      emblem,
      el(
        "h3",
        {},
        words.title,
        rules ? el("a", { href: rules }, "Rules", el("span", { class: "unseen" }, ` of ${words.title}`)) : "",
      ),
      el("p", {}, words.about, ` ${min} to ${max} players. `, editor ? el("a", { href: editor }, "Draw a course") : ""),
      button(["Play", el("span", { class: "unseen" }, ` ${words.title}`)], () => this.#ask(ruleset), {
        class: "go-button",
      }),
    );
  }

  /** @param {any} [shared] */
  #ask(ruleset, shared = null) {
    const { words, seats_min: min, seats_max: max, bots = [] } = ruleset;
    const table = new TableChoice(ruleset);
    if (shared) table.choose("course", shared.course);
    const heading = el("h2", { id: "play-heading" }, words.title);
    const numbers = Array.from({ length: max - min + 1 }, (_, place) => min + place);
    const company = group(
      "Against",
      COMPANIES.filter(([kind]) => kind !== "bots" || bots.length).map(([kind, said], place) =>
        el(
          "label",
          { class: "tick" },
          el("input", { type: "radio", name: "company", value: kind, checked: place === 0 }),
          el("span", {}, said),
        ),
      ),
    );
    const seats = select(
      "seats",
      numbers.map((each) => [each, each]),
      Math.min(max, SEATS_DEFAULT),
    );
    seats.addEventListener("change", () => table.setSeats(Number(seats.value)));
    table.setSeats(Number(seats.value));
    const strength = bots.length
      ? field(
          "Strength of the bots",
          select(
            "bot",
            bots.map((bot, place) => [bot, `${STRENGTHS[place] ?? "Hard"}: ${spaced(bot)}`]),
            bots[Math.min(1, bots.length - 1)],
          ),
        )
      : "";
    const problem = el("p", { class: "seat-problem", role: "alert" });
    const go = el("button", { type: "submit", class: "go-button" }, "To the start");
    const dialog = el("dialog", { class: "play-dialog", "aria-labelledby": heading.id });
    const made = form(
      { class: "joining" },
      async () => {
        go.disabled = true;
        problem.textContent = "";
        await this.#go(ruleset, made.elements, table).catch((error) => {
          problem.textContent = error.message;
          go.disabled = false;
        });
      },
      heading,
      this.account ? el("p", {}, "You play as ", el("bdi", {}, this.account.name), ".") : buildNameField(),
      company,
      table.element,
      shared ? el("p", {}, "On the course ", el("strong", {}, shared.name), ".") : "",
      el(
        "details",
        {},
        el("summary", {}, "More choices"),
        el(
          "div",
          { class: "joining" },
          field("Seats", seats),
          strength,
          field(
            "Pace",
            select(
              "pace",
              Object.entries(PACES).map(([pace, { said }]) => [pace, said]),
            ),
          ),
          bots.length
            ? tick(
                "stand-in",
                "on",
                "A house bot drives for a player whose time runs out twice in a row, until the player is back.",
                { isTicked: true },
              )
            : "",
          buildCustodyChoice(null),
          table.more,
        ),
      ),
      problem,
      el(
        "div",
        { class: "buttons" },
        button("Back", () => dialog.close()),
        go,
      ),
    );
    dialog.append(made);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    go.focus();
  }

  async #go({ ruleset }, { name, seats, company, bot, pace, custody, "stand-in": standIn }, table) {
    this.account ??= await signUp(name.value.trim());
    const game = await openGame({
      account: this.account,
      ruleset,
      seats: Number(seats.value),
      company: company.value,
      bot: bot?.value,
      pace: pace.value,
      custody: custody.value,
      options: table.options,
      components: table.components,
      standIn: standIn?.checked ? bot.value : null,
    });
    location.assign(`/games/${game}`);
  }
}

customElements.define("spina-play", PlayBox);
