// The drivers of Charioteer: their displays, their moves, and how far they have come.

import { cubes, display, facts, showMove, tellChoice } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { seatColour } from "../../board/factions.js";
import { fullName, inSeat, seat } from "../../parts/names.js";
import { capital, count, list, tellLap } from "../../parts/words.js";
import { drawIcon, showCard, showSymbol, showToken, tellToken, USES } from "./pieces.js";

const ATTACK_BOXES = 3;
// The rightmost card is in use this turn, the others are those of the next two.
const SLOTS = ["this turn", "next turn", "the turn after"];

// `turn` are the lines of the turn so far, `owed` the decisions that the game waits for.
/** @type {Picture.Ruleset<Api.Charioteer1RulesetBoard>["showDisplays"]} */
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
          wishes.map((colour) => el("span", { class: `symbol symbol-${colour}` }, drawIcon(colour))),
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
      [
        "Hand",
        own
          ? el(
              "span",
              {},
              own.hand.map((card) => showCard(card)),
            )
          : count(driver.hand.length, "card"),
        "hand",
      ],
      ["Tokens", own ? showTokens(own.tokens.map((each) => each.name)) : tellTokens(driver), "tokens"],
    ),
    el("ul", { class: "skills", "aria-label": "Skills" }, driver.skills.map(showSkill)),
    driver.played ? showPlayed(driver.played) : el("p", { class: "note choice" }, tellChoice(owed, driver.seat)),
    showMove(findMove(driver.seat, turn)),
  );
}

// The values of a driver, beside the hand: [name, value, tip].
/** @type {Picture.Ruleset<Api.Charioteer1RulesetBoard>["showOwn"]} */
export function showOwn(view) {
  const { damage, attack_boxes: boxes, skills } = view.drivers.find((each) => each.seat === view.own.seat);
  /** @type {[string, Content, string][]} */
  const values = [
    ["Damage", cubes(damage), "damage"],
    boxes ? ["Coming", cubes(boxes, ATTACK_BOXES), "attack_boxes"] : null,
    ["Skills", skills.map(({ colour, bonus }) => showSymbol(`${colour}-+${bonus}`)), "skill"],
    ["Tokens", view.own.tokens.length ? view.own.tokens.map(({ name }) => showToken(name)) : "none", "tokens"],
  ];
  return values.filter(Boolean);
}

// A driver's player tokens are public, the faces of fan tokens only where the table plays them so.
function tellTokens({ player_tokens: tokens, fan_tokens: fans, fan_names: names }) {
  if (names.length) return showTokens([...names, ...tokens]);
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
    el("b", {}, drawIcon(colour), el("span", { class: "unseen" }, `${USES[colour]} `)),
    el("span", {}, `${place}`),
    el("span", { class: "note" }, `+${bonus}`),
  );
}

function showTokens(names) {
  return el("span", { class: "tokens" }, names.map(showToken));
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
    played.cards.map((card) => showCard(card, played.symbol ?? null)),
  );
}

// `turn` are the lines of one turn, or of its beginning; null where the driver has not opened a choice in them.
/** @type {Picture.Ruleset<Api.Charioteer1RulesetBoard>["findMove"]} */
export function findMove(driver, turn) {
  const find = (type) => turn.find((line) => line.type === type && line.data.seat === driver);
  const revealed = find("move_revealed");
  const reckoned = find("distance_reckoned");
  const stood = find("reset_revealed") ?? find("move_forfeited");
  // Cards lie on the table before their sum is known.
  const first = reckoned ?? revealed ?? stood;
  if (!first) return null;
  return {
    version: first.version,
    title: "Distance",
    parts: reckoned ? listParts(reckoned.data) : [],
    total: reckoned ? reckoned.data.distance : null,
    said: reckoned ? tellDistance(reckoned.data.distance) : null,
    pieces: listPieces((revealed ?? stood).data),
    notes: [...tellWay(find), ...tellHits(driver, turn), ...tellGains(find)],
  };
}

/** @returns {[string, number][]} */
function listParts({ symbols, number, token, skill, damage, symbol }) {
  return [
    ["symbols", symbols],
    [symbol, number],
    ["token", token],
    ["skill", skill],
    ["damage", -damage],
  ];
}

// A forfeit opens no card.
function listPieces({ cards = [], symbol = null, changed = null, crowd_card: crowd, token }) {
  return [
    ...cards.map(({ card, draw }) => ({ card, counted: draw === changed ? null : symbol })),
    ...(crowd ? [{ card: crowd, counted: symbol, note: "the crowd's" }] : []),
    ...(token ? [{ token }] : []),
  ];
}

function tellWay(find) {
  const moved = find("chariot_moved")?.data;
  if (find("move_forfeited")) return ["stands still"];
  if (!moved) return find("reset_revealed") ? ["calms the horses"] : [];
  const paid = moved.passed.reduce((all, each) => all + each.price, 0);
  const whip = find("whip_used")?.data;
  const passed = [...new Set(moved.passed.map(({ rival }) => inSeat(rival)))];
  return [
    passed.length ? `passes ${list(passed)}${paid ? ` for ${paid}` : ""}` : null,
    whip?.entered.length ? `whips ${count(whip.entered.length, "space")} more` : null,
  ].filter(Boolean);
}

// The rivals that the move hit, and by how many cubes.
function tellHits(driver, turn) {
  const hits = turn.filter(({ type, data }) => type === "damage_taken" && data.attacker === driver && data.cubes);
  const amounts = [...new Set(hits.map(({ data }) => data.cubes))];
  return amounts.map((cubes) => {
    const hit = hits.filter(({ data }) => data.cubes === cubes).map(({ data }) => inSeat(data.seat));
    return `hits ${list(hit)} for ${cubes}`;
  });
}

function tellGains(find) {
  const [calmed, recovered, closed, fan, lap] = [
    "chariot_calmed",
    "damage_recovered",
    "boxes_closed",
    "fan_token_earned",
    "lap_completed",
  ].map((type) => find(type)?.data);
  return [
    closed?.reason === "shield" ? "raises a shield" : null,
    calmed?.removed ? `is rid of ${count(calmed.removed, "cube")}` : null,
    recovered?.removed ? `recovers ${count(recovered.removed, "cube")}` : null,
    fan && fan.fan_token !== null ? "earns a fan token" : null,
    lap ? `completes lap ${lap.lap}` : null,
  ].filter(Boolean);
}

/** @type {Picture.Ruleset<Api.Charioteer1RulesetBoard>["findPlaces"]} */
export function findPlaces({ type, data }) {
  if (type === "chariot_moved" || type === "whip_used") return [{ key: data.seat, progress: data.progress }];
  if (type === "chariot_withdrawn") return [{ key: data.seat, isOut: true }];
  return [];
}

/** @type {Picture.Ruleset<Api.Charioteer1RulesetBoard>["listChariots"]} */
export function listChariots(view) {
  return view.drivers.map((driver) => ({
    key: driver.seat,
    colour: seatColour(driver.seat),
    name: seat(driver.seat),
    seat: driver.seat,
    fate: driver.is_racing ? null : "resigned",
    progress: driver.is_racing ? driver.progress : null,
  }));
}

export function tellDistance(spaces) {
  return count(spaces, "space");
}
