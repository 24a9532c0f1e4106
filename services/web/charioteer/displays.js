// What lies before each driver of Charioteer, and the crowd's cards between them.

import { display, facts } from "../displays.js";
import { el } from "../dom.js";
import { seatColour } from "../marks.js";
import { count } from "../words.js";

// The colours of symbols, each with its letter, so that no colour stands alone.
const LETTERS = { green: "G", red: "R", yellow: "Y", black: "B" };
const USES = { green: "sprint", red: "attack", yellow: "recover", black: "corner" };

export function showDrivers(view) {
  const drivers = [...view.drivers].sort((one, other) => (one.place ?? 99) - (other.place ?? 99));
  const crowd = el(
    "section",
    { class: "crowd", "aria-label": "The crowd's cards" },
    el("h3", {}, "The crowd"),
    view.crowd.length ? view.crowd.map(showCard) : el("p", { class: "note" }, "No cards yet."),
    el("p", { class: "note" }, `${count(view.deck_left, "card")} left in the deck, ${count(view.bag_left, "token")} in the bag`),
  );
  return [crowd, ...drivers.map(showDriver)];
}

function showDriver(driver) {
  return display(
    {
      colour: seatColour(driver.seat),
      text: `${driver.seat}`,
      title: `Seat ${driver.seat}`,
      note: driver.is_racing ? `place ${driver.place}, lap ${driver.laps_completed + 1}` : "out of the race",
      isOut: !driver.is_racing,
    },
    facts(
      ["Damage", `${driver.damage}`],
      ["Attack boxes", driver.takes_no_cubes ? `${driver.attack_boxes}, closed` : `${driver.attack_boxes}`],
      ["Hand", count(driver.hand.length, "card")],
      ["Tokens", count(driver.fan_tokens.length + driver.player_tokens.length, "token")],
    ),
    el("ul", { class: "skills", "aria-label": "Skills" }, driver.skills.map(showSkill)),
    driver.played ? showPlayed(driver.played) : null,
  );
}

function showSkill({ colour, place, bonus }) {
  return el(
    "li",
    { class: `skill symbol-${colour}` },
    el("abbr", { title: `${USES[colour]} (${colour})` }, LETTERS[colour]),
    el("span", {}, `${place}`),
    el("span", { class: "note" }, bonus ? `+${bonus}` : "+0"),
  );
}

function showPlayed(played) {
  if (played.kind === "forfeit") return el("p", { class: "played" }, "Forfeits this turn.");
  const title = played.kind === "reset" ? "Calms the horses" : `Plays ${played.symbol}`;
  const extra = [
    played.with_crowd_card ? "crowd card" : null,
    played.token,
    played.stack ? `${count(played.stack, "card")} face down` : null,
  ].filter(Boolean);
  return el("div", { class: "played" }, el("p", {}, extra.length ? `${title} with ${extra.join(", ")}` : title),
    played.cards.map(showCard));
}

function showCard(card) {
  if (!card.card) return el("span", { class: "card" }, "face down");
  return el(
    "span",
    { class: "card", title: card.card },
    card.symbols.map((symbol) => {
      const [colour, number] = symbol.split("-");
      return el("span", { class: `symbol symbol-${colour}` }, `${LETTERS[colour]}${number}`);
    }),
    card.icon ? el("span", { class: "symbol" }, card.icon) : null,
  );
}
