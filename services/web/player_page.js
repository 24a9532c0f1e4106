// <spina-player>: the games of a player: results by ruleset, and every public game, the newest first.

import { read, readPlayer } from "./parts/api.js";
import { ago, button, el, refusal, wideTable } from "./parts/dom.js";
import { titleOf } from "./parts/ruleset_words.js";
import { tellPlace } from "./tournament/table_card.js";
import { noted, shorten } from "./parts/names.js";
import { capital, count, list } from "./parts/words.js";

// Places beyond these are counted together: who looks wants wins and podiums.
const PLACES_SHOWN = 3;

class PlayerPage extends HTMLElement {
  id_ = "";

  #names = new Map();

  connectedCallback() {
    this.id_ = location.pathname.split("/")[2] ?? "";
    this.#read();
  }

  async #read() {
    try {
      const player = await readPlayer(this.id_);
      const games = await this.#readGames(null);
      this.#show(player, games);
    } catch (error) {
      const said = error.status === 404 ? "There is no player here." : `The player cannot be shown: ${error.message}`;
      this.replaceChildren(refusal(said, () => this.#read()));
    }
  }

  // A page of games, and the names of the rivals in them.
  async #readGames(before) {
    const page = await read(`/v1/players/${encodeURIComponent(this.id_)}/games${before ? `?before=${before}` : ""}`);
    const rivals = new Set(page.items.flatMap((game) => game.rivals.map(({ player }) => player)));
    const players = await Promise.all([...rivals].map((rival) => readPlayer(rival).catch(() => null)));
    for (const player of players.filter(Boolean)) this.#names.set(player.id, shorten(player.name));
    return page;
  }

  #showPlayed(game) {
    return showPlayed(game, this.#names);
  }

  #show(player, games) {
    document.title = `${player.name} · Spina`;
    const shown = el(
      "ul",
      { class: "games" },
      games.items.map((game) => this.#showPlayed(game)),
    );
    this.replaceChildren(
      el(
        "div",
        { class: "game-head" },
        el("h1", { class: "cup-name" }, el("bdi", {}, player.name)),
        player.is_bot ? el("span", { class: "note" }, "A program plays these games.") : "",
        el("span", { class: "note" }, `${count(player.games, "game")}, ${player.finished} of them finished`),
        player.opened.games ? el("span", { class: "note" }, tellOpened(player.opened)) : "",
      ),
      player.rulesets.length ? showResults(player.rulesets) : "",
      el(
        "section",
        { "aria-labelledby": "played" },
        el("h2", { id: "played" }, "Games"),
        games.items.length ? shown : el("p", { class: "state" }, "No public game yet."),
        this.#offerMore(shown, games.next),
      ),
    );
  }

  #offerMore(list, first) {
    let next = first;
    const more = button(
      "Earlier games",
      async () => {
        try {
          const page = await this.#readGames(next);
          list.append(...page.items.map((game) => this.#showPlayed(game)));
          ({ next } = page);
          more.hidden = next === null;
        } catch (error) {
          more.textContent = `Try again: ${error.message}`;
        }
      },
      { hidden: next === null },
    );
    return more;
  }
}

function tellOpened({ games, finished, aborted, organised, signed }) {
  const ended = `${count(games, "game")} opened: ${finished} finished, ${aborted} aborted or cancelled`;
  return organised ? `${ended}; organiser of ${organised}, with a key that signs rulings in ${signed}` : ended;
}

function showResults(rulesets) {
  const heads = [
    "Ruleset",
    "Games",
    "Finished",
    ...Array.from({ length: PLACES_SHOWN }, (_, place) => tellPlace(place + 1)),
    "Lower",
    "Under way",
    "Left or aborted",
  ];
  // The table's own region is the landmark.
  return el(
    "div",
    {},
    el("h2", { id: "results" }, "Results"),
    wideTable(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            heads.map((said, place) => el("th", { scope: "col", class: place ? "number" : null }, said)),
          ),
        ),
        el("tbody", {}, rulesets.map(showRuleset)),
      ),
      "results",
    ),
  );
}

function showRuleset({ ruleset, games, finished, places, open, running, aborted, left }) {
  const at = (place) => places.find((each) => each.place === place)?.count ?? 0;
  const lower = places.filter(({ place }) => place > PLACES_SHOWN).reduce((sum, each) => sum + each.count, 0);
  const numbers = [
    games,
    finished,
    ...Array.from({ length: PLACES_SHOWN }, (_, place) => at(place + 1)),
    lower,
    open + running,
    aborted + left,
  ];
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      titleOf(ruleset),
      el("span", { class: "note" }, ` ${ruleset.slice(ruleset.indexOf("@"))}`),
    ),
    numbers.map((number) => el("td", { class: "number" }, `${number}`)),
  );
}

// `names` are those of the rivals, by their ids.
function showPlayed(game, names) {
  const { result, place, departure, rivals, ended_at: ended } = game;
  const status = result === "left" ? "aborted" : result;
  const others = [...rivals]
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map((rival) =>
      noted(names.get(rival.player) ?? `seat ${rival.seat}`, rival.place ? [tellPlace(rival.place)] : []),
    );
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/games/${game.game}`, class: "game" },
      el("strong", {}, titleOf(game.ruleset)),
      el("span", { class: `status status-${status}` }, capital(result)),
      el(
        "span",
        { class: "drivers" },
        place === null ? "" : el("b", {}, `${tellPlace(place)} of ${rivals.length + 1}`),
        departure ? el("span", { class: "note" }, ` ${departure}`) : "",
        others.length ? ` against ${list(others)}` : "",
      ),
      el("span", { class: "note when" }, ended ? ["ended ", ago(ended)] : ["opened ", ago(game.opened_at)]),
    ),
  );
}

customElements.define("spina-player", PlayerPage);
