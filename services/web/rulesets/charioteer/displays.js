// The drivers of Charioteer: their displays, their moves, and how far they have come.

import { cubes, display, facts, showMove, tellChoice } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { seatColour } from "../../board/factions.js";
import { fullName, seat } from "../../parts/names.js";
import { capital, count, tellLap } from "../../parts/words.js";

// Every colour has its letter, so that none stands alone.
const LETTERS = { green: "G", red: "R", yellow: "Y", black: "B" };
const USES = { green: "sprint", red: "attack", yellow: "recover", black: "corner" };
const ATTACK_BOXES = 3;
// The rightmost card is in use this turn, the others are those of the next two.
const SLOTS = ["this turn", "next turn", "the turn after"];

// `turn` are the lines of the turn so far, `owed` the decisions that the game waits for.
export function showDisplays(view, { turn, owed }) {
  const drivers = [...view.drivers].sort((one, other) => (one.place ?? 99) - (other.place ?? 99));
  return [showCrowd(view), ...drivers.map((driver) => showDriver(driver, view, { turn, owed }))];
}

function showCrowd(view) {
  const cards = view.crowd.map((card, slot) =>
    el("li", {}, showCard(card), el("span", { class: "note" }, SLOTS[slot] ?? "later")),
  );
  const wishes = view.emperor_wishes ?? [];
  return el(
    "section",
    { class: "crowd", "aria-label": "The crowd and the emperor" },
    el("h3", { "data-tip": "crowd" }, "The crowd"),
    cards.length ? el("ul", { class: "slots" }, cards) : el("p", { class: "note" }, "No cards yet."),
    view.emperor
      ? el(
          "p",
          { class: "emperor", "data-tip": "emperor" },
          el("b", {}, `Emperor: ${view.emperor} `),
          wishes.map((colour) => el("span", { class: `symbol symbol-${colour}` }, LETTERS[colour])),
        )
      : null,
    el(
      "p",
      { class: "note" },
      `${count(view.deck_left, "card")} left in the deck, ${count(view.bag_left, "token")} in the bag`,
    ),
  );
}

function showDriver(driver, view, { turn, owed }) {
  const own = view.own?.seat === driver.seat ? view.own : null;
  return display(
    {
      colour: seatColour(driver.seat),
      title: fullName(driver.seat),
      note: driver.is_racing
        ? `place ${driver.place}, ${tellLap(driver.laps_completed, view.laps)}`
        : "out of the race",
      isOut: !driver.is_racing,
    },
    facts(
      ["Damage", cubes(driver.damage), "damage"],
      [
        "Attack boxes",
        driver.takes_no_cubes ? "closed" : cubes(driver.attack_boxes, ATTACK_BOXES),
        driver.takes_no_cubes ? "closed" : "attack_boxes",
      ],
      ["Hand", own ? el("span", {}, own.hand.map(showCard)) : count(driver.hand.length, "card"), "hand"],
      ["Tokens", own ? showTokens(own.tokens.map((each) => each.name)) : tellTokens(driver), "tokens"],
    ),
    el("ul", { class: "skills", "aria-label": "Skills" }, driver.skills.map(showSkill)),
    driver.played ? showPlayed(driver.played) : el("p", { class: "note choice" }, tellChoice(owed, driver.seat)),
    showMove(findMove(driver.seat, turn)),
  );
}

// A driver's player tokens are public, the faces of fan tokens are not.
function tellTokens({ player_tokens: tokens, fan_tokens: fans }) {
  return el(
    "span",
    {},
    showTokens(tokens),
    fans.length ? el("span", { class: "fans" }, count(fans.length, "fan token")) : "",
    !tokens.length && !fans.length ? "none" : "",
  );
}

function showSkill({ colour, place, bonus }) {
  return el(
    "li",
    {
      class: `skill symbol-${colour}`,
      "data-tip": `skill ${colour}`,
      "data-head": `${capital(USES[colour])}: place ${place}, bonus ${bonus}`,
    },
    el("b", {}, LETTERS[colour], el("span", { class: "unseen" }, `, ${USES[colour]}`)),
    el("span", {}, `${place}`),
    el("span", { class: "note" }, `+${bonus}`),
  );
}

export function showSymbol(symbol) {
  const [colour, number] = symbol.split("-");
  return el("span", { class: `symbol symbol-${colour}` }, `${LETTERS[colour]}${number}`);
}

export function showCard(card) {
  if (!card.card) return el("span", { class: "card" }, "face down");
  const colours = new Set(card.symbols.map((each) => each.split("-")[0]));
  return el(
    "span",
    { class: "card", "data-tip": ["card", ...colours, card.icon ?? []].flat().join(" "), "data-head": card.card },
    card.symbols.map(showSymbol),
    card.icon ? el("span", { class: "symbol" }, card.icon) : null,
  );
}

// Of the tip that explains it.
export function kindOf(token) {
  return token.split("-")[0];
}

// "plus-5-green" as people say it.
export function tellToken(name) {
  const [kind, ...rest] = name.split("-");
  if (kind === "plus") return `+${rest[0]}${rest[1] ? ` ${rest[1]}` : ""}`;
  return [kind, ...rest].join(" ");
}

function showTokens(names) {
  return el(
    "span",
    { class: "tokens" },
    names.map((name) => el("span", { class: "token", "data-tip": kindOf(name) }, tellToken(name))),
  );
}

function showPlayed(played) {
  if (played.kind === "forfeit") return el("p", { class: "played" }, "Forfeits this turn.");
  const extra = [
    played.with_crowd_card ? "the crowd's card" : null,
    played.token ? `the token ${tellToken(played.token)}` : null,
    played.stack ? `${count(played.stack, "card")} thrown away` : null,
  ].filter(Boolean);
  return el(
    "div",
    { class: "played" },
    el(
      "p",
      {},
      played.kind === "reset" ? "Calms the horses" : ["Plays ", showSymbol(played.symbol)],
      extra.length ? ` with ${extra.join(", ")}` : "",
    ),
    played.cards.map(showCard),
  );
}

// `turn` are the lines of one turn, or of its beginning; null where the driver has not moved in them.
export function findMove(driver, turn) {
  const find = (type) => turn.find((line) => line.type === type && line.data.seat === driver);
  const reckoned = find("distance_reckoned");
  if (!reckoned) return null;
  const { symbols, number, token, skill, damage, distance, symbol } = reckoned.data;
  const moved = find("chariot_moved")?.data;
  return {
    version: reckoned.version,
    title: "Distance",
    parts: [
      ["symbols", symbols],
      [symbol, number],
      ["token", token],
      ["skill", skill],
      ["damage", -damage],
    ],
    total: distance,
    note: moved ? tellWay(moved, find("whip_used")?.data) : "",
  };
}

function tellWay(moved, whip) {
  const paid = moved.passed.reduce((all, each) => all + each.price, 0);
  const way = [
    `Enters ${count(moved.entered.length, "space")}`,
    moved.passed.length ? `passes ${count(moved.passed.length, "rival")} for ${paid || "nothing"}` : null,
    whip ? `whips ${count(whip.entered.length, "space")} more` : null,
  ];
  return `${way.filter(Boolean).join(", ")}.`;
}

export function findPlaces({ type, data }) {
  if (type === "chariot_moved" || type === "whip_used") return [{ key: data.seat, progress: data.progress }];
  if (type === "chariot_withdrawn") return [{ key: data.seat, isOut: true }];
  return [];
}

export function listChariots(view) {
  return view.drivers.map((driver) => ({
    key: driver.seat,
    colour: seatColour(driver.seat),
    name: seat(driver.seat),
    seat: driver.seat,
    fate: driver.is_racing ? null : "resigned",
  }));
}

export function tellDistance(spaces) {
  return count(spaces, "space");
}
