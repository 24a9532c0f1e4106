// The parts of a game's page, and the data for each. The shown version is decided elsewhere; here it is laid out.

import { button, el, refusal } from "../parts/dom.js";
import "./chart.js";
import "./drivers.js";
import { buildAddress, readFollowed } from "./follow.js";
import "./game_head.js";
import "./last_turn.js";
import "./move_list.js";
import { beatOf } from "./pace.js";
import { Narrator } from "./narrator.js";
import { linkPlayLog } from "./play_log.js";
import "./podium.js";
import { fullName, inSeat } from "../parts/names.js";
import "./scrubber.js";
import "./seat_box.js";
import { tell, weigh } from "../parts/sentences.js";
import { setTips, TipStop } from "../board/tips.js";
import { setTitle } from "../parts/title.js";
import { list } from "../parts/words.js";
import "./chronicle.js";
import "./viewpoint.js";
import "../parts/waiting.js";

// How often the address follows a moving replay; browsers refuse more than some changes a second.
const ADDRESS_MS = 400;
// The whole race is drawn and described anew when the lines rest.
const RACE_MS = 200;
// An event looked at for so long is a chapter of its race.
const CHAPTER_MS = 900;

const KEYS =
  "Keys: space plays, the left and right arrows go by event, with shift by turn, Home to the beginning, End to the " +
  "present, F fills the screen.";

export class GamePage {
  #timers = {};

  // `handlers` are called by the names of the events of the scrubber and of the viewpoint.
  constructor(root, ruleset, handlers) {
    this.root = root;
    this.ruleset = ruleset;
    this.head = el("spina-game-head");
    this.board = new ruleset.element();
    this.bare = el("p", { class: "state bare" });
    this.drivers = el("spina-drivers", { linked: true });
    this.waiting = el("spina-waiting");
    this.displays = el("section", { class: "displays", "aria-label": "Displays" });
    this.displayTips = new TipStop(this.displays);
    this.boardTips = new TipStop(this.board, { oneOfEach: true });
    setTips(ruleset.tips);
    this.scrubber = el("spina-scrubber");
    this.viewpoint = el("spina-viewpoint");
    this.follow = el("spina-follow");
    this.seat = el("spina-seat");
    this.lastTurn = el("spina-last-turn");
    this.podium = el("spina-podium");
    this.story = el("spina-story");
    this.chart = el("spina-chart");
    this.moves = el("spina-moves");
    this.problem = el("p", { class: "problem", role: "alert" });
    this.narrator = new Narrator(ruleset);
    this.link = button("Copy a link to this moment", () => this.#copyLink(this.link, this.version, this.version));
    this.raceLink = button("Copy a link to the race, spoiling nothing", () =>
      this.#copyLink(this.raceLink, this.told?.race.turns[0]?.version ?? 1, "race"),
    );
    this.chapters = el("select", { "aria-label": "Chapters", class: "chapters-list", hidden: true });
    this.chapters.addEventListener("change", () => handlers.seek(Number(this.chapters.value)));
    const stage = el(
      "div",
      { class: "stage" },
      el("div", { class: "board-frame" }, this.board, this.bare, this.drivers),
      this.lastTurn,
      this.scrubber,
      el("div", { class: "under" }, this.waiting, this.chapters, this.follow, this.viewpoint),
      this.problem,
    );
    root.replaceChildren(
      this.head,
      stage,
      el("div", { class: "side" }, el("div", { class: "now" }, this.podium, this.seat), this.story),
      this.displays,
      this.chart,
      this.moves,
      el("div", { class: "foot note" }, this.link, this.raceLink, el("span", { class: "keys" }, KEYS)),
      this.narrator.element,
    );
    for (const name of ["seek", "live", "play", "pause"])
      this.scrubber.addEventListener(name, ({ detail }) => handlers[name](detail));
    // A browser may refuse, on a phone most do; then the page stays as it is.
    this.scrubber.addEventListener("fullscreen", () =>
      document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen?.().catch(() => null),
    );
    this.podium.addEventListener("watch", () => handlers.watch());
    this.lastTurn.addEventListener("again", ({ detail }) => handlers.again(detail));
    this.viewpoint.addEventListener("look", ({ detail }) => handlers.look(detail));
    this.follow.addEventListener("follow", ({ detail }) => this.#followDriver(detail));
    this.#followDriver(readFollowed());
  }

  // Instead of the page, where there is nothing to show at all.
  static refuse(root, said) {
    // No line to check would ever come.
    document.querySelector("spina-check")?.remove();
    root.replaceChildren(refusal(said, () => location.reload()));
  }

  get speed() {
    return this.scrubber.factor;
  }

  // Lines arrived, in order among themselves.
  take(lines, race, { newest, log }) {
    this.told = { race, log };
    this.story.add(lines, this.ruleset);
    this.scrubber.mark(race.marks, newest, this.ruleset.turnWord);
    this.#tellRaceSoon(log, race);
  }

  // The drivers have other names now.
  retell(log, race) {
    this.story.retell();
    this.#tellRaceSoon(log, race);
  }

  // `passed` are the lines of the movement, `turn` those of the turn so far, `turns` the last two; `status` is that of
  // the present. `isOn` states whether the race went on before the reader's eyes.
  show(shown, { passed, turn, turns, status, isOn }) {
    this.problem.textContent = "";
    this.view = shown.board ?? null;
    const isAgreed = turn.some(({ type }) => type === "game_stopped");
    this.head.show(shown, this.ruleset, status, isAgreed);
    this.board.hidden = !shown.board;
    this.bare.textContent = shown.board ? "" : tellBare(shown);
    if (shown.board) this.#showBoard(shown, { passed, turn });
    setTitle(`${tellNames(shown.seats) || "A table"} · ${this.ruleset.title} · Spina`);
    this.displayTips.replace(
      shown.board
        ? this.ruleset.showDisplays(shown.board, { turn, owed: shown.paused_until ? [] : shown.owed })
        : showSeats(shown),
    );
    const chariots = shown.board ? this.ruleset.listChariots(shown.board) : [];
    this.shown = shown;
    this.drivers.show(shown, chariots, this.ruleset);
    this.#offerToFollow(shown);
    this.podium.hidden = shown.status !== "finished" || !chariots.length;
    if (!this.podium.hidden) this.#tellFinish(shown, chariots);
    this.lastTurn.show(turns, chariots, this.ruleset, shown.your_seat);
    this.narrator.follow(shown, { turns, passed, chariots, isOn });
    this.chart.show(shown.version);
  }

  // From now on; the address keeps it.
  #followDriver(seat) {
    this.followed = seat;
    this.board.followed = seat;
    this.story.follow(seat);
    if (!this.shown) return;
    if (this.shown.board) this.board.show(this.shown, { passed: [], turn: this.turn });
    this.#keepAddress(buildAddress({}, seat) + location.hash);
  }

  // Names of drivers may be known later.
  #offerToFollow({ seats, board }) {
    const offered = board ? seats.map((each) => [each.status, fullName(each.seat)]).join() : "";
    if (!board || offered === this.offered) return;
    this.offered = offered;
    this.follow.offer(seats, this.followed);
  }

  #showBoard(shown, lines) {
    this.turn = lines.turn;
    const { hasFocus } = this.boardTips;
    this.board.show(shown, lines);
    // A picture would hide its marks from screen readers.
    this.board.picture?.setAttribute("role", "group");
    this.boardTips.find(hasFocus);
  }

  tellPlace(playhead, race, isOver) {
    const { version, newest, isAtPresent, isPlaying } = playhead;
    const turn = race.findTurn(version);
    const said = `Event ${version} of ${newest}${turn ? `, ${this.ruleset.turnWord} ${turn.number}` : ""}`;
    this.scrubber.show({ version, newest, said, isAtPresent, isOver, isPlaying });
    this.story.mark(version, { isFollowing: isAtPresent });
    this.#keepAddress(buildAddress({}, this.followed) + (isAtPresent ? "" : `#${version}`));
    this.version = version;
  }

  // Lines, chart and chapters behind the shown moment describe how a race ended.
  hideEnd(isHidden) {
    this.root.classList.toggle("without-end", isHidden);
  }

  // `own` is the viewer's seat, if there is one.
  offerSeats(seats, own) {
    this.viewpoint.offer(seats, own);
  }

  complain(said) {
    this.problem.textContent = said;
  }

  #tellRaceSoon(log, race) {
    clearTimeout(this.#timers.race);
    this.#timers.race = setTimeout(() => {
      if (!this.view) return;
      const chariots = this.ruleset.listChariots(this.view);
      this.chart.draw(race.readStandings(this.view), chariots, this.ruleset);
      this.chart.show(this.version);
      const turns = race.listTurns(log);
      this.#tellChapters(turns);
      this.moves.tell(turns, chariots, this.ruleset);
      if (!this.podium.hidden) this.#tellFinish(this.finish, chariots);
    }, RACE_MS);
  }

  // The lines of the race may be here before its end is shown, and come after it.
  #tellFinish(shown, chariots) {
    this.finish = shown;
    const { race, log } = this.told ?? {};
    if (!race) return;
    this.podium.show(shown, {
      standings: race.readStandings(shown.board),
      turns: race.listTurns(log),
      chariots,
      ruleset: this.ruleset,
      playLog: linkPlayLog(shown, {
        title: this.ruleset.title,
        begun: log.find(1)?.at,
        host: location.host || "Spina",
      }),
    });
  }

  // Laps, wrecks and finishes by their sentences; a choice goes there.
  #tellChapters(turns) {
    const lines = turns.flatMap(({ lines: all }) => all).filter((line) => this.#isChapter(line));
    this.chapters.hidden = !lines.length;
    this.chapters.replaceChildren(
      el("option", { value: "" }, "Chapters …"),
      ...lines.map((line) => el("option", { value: line.version }, tell(line, this.ruleset.words))),
    );
  }

  #isChapter(line) {
    const weight = weigh(line, this.ruleset.words);
    return weight === "lap" || weight === "end" || beatOf(line, this.ruleset) >= CHAPTER_MS;
  }

  #keepAddress(address) {
    clearTimeout(this.#timers.address);
    this.#timers.address = setTimeout(() => history.replaceState(null, "", address), ADDRESS_MS);
  }

  // A server sees no fragment of an address: `at` names the moment whose picture stands in the link's card.
  async #copyLink(made, at, place) {
    const address = `${buildAddress({ at }, this.followed)}#${place}`;
    try {
      await navigator.clipboard.writeText(new URL(address, location.href).href);
      made.textContent = "Copied";
    } catch {
      // Browsers give no clipboard to plain http; the address bar has the same link.
      made.textContent = new URL(address, location.href).href;
      history.replaceState(null, "", address);
    }
  }
}

// Where the board will be, before there is one.
function tellBare({ status, is_bare: isBare }) {
  if (isBare)
    return (
      "There is no picture of this moment: this server does not have this line. The story beside it is the " + "file's."
    );
  return status === "aborted"
    ? "This game ended before the race was laid out."
    : "The race is laid out once all seats are ready.";
}

function tellNames(seats) {
  return list(seats.filter(({ status }) => status === "held").map(({ seat }) => inSeat(seat)));
}

function showSeats(shown) {
  const tellSeat = (each) => (each.status === "held" ? (each.is_ready ? "taken, ready" : "taken") : each.status);
  return shown.seats.map((each) =>
    el(
      "article",
      { class: "display" },
      el("h3", {}, each.status === "held" ? inSeat(each.seat) : "A free seat"),
      el("p", { class: "note" }, tellSeat(each)),
    ),
  );
}
