// <spina-game>: one address for live and replay. With `watching` it has no account and no seat; with `game` it is the
// replay of the file that answers for this game. It brings together the data of a game and the parts that show it;
// every line that arrives reaches the document as a "lines" event, every version that is drawn as "shown", and new
// names of the drivers as "named", for other elements.

import { readGame, readPlayer, useInvitation } from "../parts/api.js";
import { RaceHistory } from "./race_history.js";
import { Boards } from "./boards.js";
import { dropNulls } from "../parts/frames.js";
import { GamePage } from "./game_page.js";
import { LAST, Live } from "../parts/live.js";
import { Log } from "./log.js";
import { awaitNames, setChariots, setNames } from "../parts/names.js";
import { takeInvitation } from "../seat/invitation.js";
import { beatOf, PACES, readPace } from "./pace.js";
import { Playhead } from "./playhead.js";
import { Retry } from "../parts/reaching.js";
import { findRuleset } from "../rulesets/pictures.js";
import { setOffset } from "../parts/countdown.js";
import { signIn } from "../seat/account.js";

// Shown boards are asked for once the hand rests, not for each version it passes.
const REST_MS = 60;
// A slow machine draws later than the time that a turn takes.
const DRAWN_MS = 4_000;
// The address of a race from its start.
const RACE = "#race";
// A replay at its own speed is a race in two minutes.
const RACE_MS = 120_000;
// A whole turn is written at once; a longer way is a jump.
const PASSED_MAX = 64;

class Game extends HTMLElement {
  #shown = null;
  #restTimer = null;
  #connection = "loading";
  #clockOffset_ms = 0;
  #players = "";
  #status = "open";
  #measured = { upTo: 0, ms: 1 };
  #readWhole = null;
  #wholeLog = new Promise((resolve) => {
    this.#readWhole = resolve;
  });

  async connectedCallback() {
    this.isFile = this.hasAttribute("game");
    this.isWatching = this.isFile || this.hasAttribute("watching");
    this.game = this.isFile ? this.getAttribute("game") : decodeURIComponent(location.pathname.split("/").at(-1));
    this.log = new Log(this.game);
    this.public = new Boards(this.game);
    this.boards = this.public;
    try {
      this.account = this.isWatching ? null : await signIn();
      this.invitation = this.isWatching ? null : takeInvitation(this.game);
      useInvitation(this.invitation?.secret);
      const { body, offset_ms } = await readGame(this.game);
      this.#keepOffset(offset_ms);
      await this.#begin(dropNulls(body));
    } catch (error) {
      this.#complain(error);
    }
  }

  disconnectedCallback() {
    this.live?.close();
  }

  async #begin(present) {
    this.ruleset = findRuleset(present.ruleset);
    this.race = new RaceHistory(this.ruleset);
    this.public.keep(present);
    this.#status = present.status;
    this.playhead = new Playhead(present.version, {
      onMove: () => this.#onMove(),
      isReady: (version) => this.#shown?.version === version,
      beat: (version) => beatOf(this.log.find(version), this.ruleset),
      catchUp: () => PACES[document.hidden ? "once" : readPace()],
      speed: () => this.page.speed / Math.min(1, RACE_MS / this.#measureRace()),
    });
    this.page = new GamePage(this, this.ruleset, {
      seek: (version) => this.playhead.seek(version),
      live: () => this.playhead.joinPresent(),
      play: () => this.playhead.play(),
      pause: () => this.playhead.pause(),
      watch: () => this.#watchRace(),
      again: (version) => this.playhead.again(version),
      look: (seat) => this.#look(seat),
    });
    if (!this.isWatching)
      this.page.seat.begin({
        game: this.game,
        ruleset: this.ruleset,
        board: this.page.board,
        account: this.account,
        invitation: this.invitation,
        caughtUp: (version) => this.#caughtUp(version),
        listSealed: (seat) => this.log.listSealed(seat),
      });
    awaitNames();
    this.#nameChariots(present);
    this.#show(present);
    this.#attend(present);
    this.#goToAddress();
    addEventListener("hashchange", () => this.#goToAddress());
    // A turn that is played out can be skipped, as every movement can.
    const skip = () => this.playhead.isBehind && this.playhead.joinPresent();
    this.page.board.addEventListener("pointerdown", skip);
    addEventListener("keydown", ({ key }) => key === "Escape" && skip());
    this.#readNames(present);
    // An invitation shows the terms alone; the page reads on once the seat is taken.
    if (this.invitation && present.your_seat === undefined) return;
    if (this.isFile || this.isOver) this.#tellConnection("over");
    else this.#follow(present.version);
    await this.#readLog(present.version);
    this.#readWhole();
  }

  // Lines before the present are worth waiting for; the present ones stay, and are not asked for again.
  async #readLog(version) {
    const retry = new Retry();
    while (!this.log.isWhole || !this.log.last) {
      try {
        await this.log.readBehind(version, (lines) => this.#take(lines));
      } catch (error) {
        if (error.status === undefined) throw error;
        this.page.complain(`The beginning of the story is not here yet: ${error.message}`);
        await retry.rest();
      }
    }
    this.dataset.log = "whole";
  }

  // Begins with the present; earlier lines come behind it.
  #follow(version) {
    this.live = new Live(this.game, version, {
      onFrames: (frames) => {
        for (const { shown } of frames) this.public.keep(shown);
        this.#nameChariots(frames.at(-1).shown);
        this.#take(this.log.add(frames.map(({ line }) => line)));
        const newest = frames.at(-1).shown;
        this.#status = newest.status;
        this.#readNames(newest);
        this.playhead.grow(newest.version);
        this.#attend(newest);
      },
      onState: (state) => {
        const isBack = this.#connection === "lost" && state === "live";
        this.#tellConnection(state);
        // A moment that could not be shown without a connection can be now.
        if (isBack && this.#shown?.version !== this.playhead.version) this.#onMove();
      },
      onOffset: (offset_ms) => this.#keepOffset(offset_ms),
      onReaders: (readers) => this.page.head.tellReaders(readers),
    });
    this.live.run();
  }

  #keepOffset(offset_ms) {
    this.#clockOffset_ms = offset_ms;
    setOffset(offset_ms);
  }

  #attend(shown) {
    if (!this.isWatching) this.page.seat.attend(shown);
  }

  #take(lines) {
    if (!lines.length) return;
    this.race.add(lines);
    this.page.take(lines, this.race, { newest: Math.max(this.playhead.newest, lines.at(-1).version), log: this.log });
    this.page.tellPlace(this.playhead, this.race, this.isDisclosed);
    if (this.#shown) this.#offerSeats(this.#shown.seats);
    // A chariot's way stands in lines that may come after its board.
    if (this.#shown) this.#draw(this.#shown, []);
    this.dispatchEvent(new CustomEvent("lines", { detail: lines, bubbles: true }));
  }

  // From the first turn on, once that is here: before it there is no race.
  async #watchRace() {
    this.playhead.seek(1);
    await this.#wholeLog;
    this.playhead.seek(this.race.turns[0]?.version ?? 1);
    this.playhead.play();
  }

  get isOver() {
    return this.#status === "finished" || this.#status === "aborted";
  }

  // How long a replay of all events would take at their own beats.
  #measureRace() {
    const { newest } = this.playhead;
    if (this.#measured.upTo !== newest || !this.log.isWhole) {
      const lines = this.log.between(0, newest);
      this.#measured = { upTo: newest, ms: lines.reduce((sum, line) => sum + beatOf(line, this.ruleset), 1) };
    }
    return this.#measured.ms;
  }

  // Returns when the present is drawn, which is at least this version, or after the time that a turn takes to be played
  // out.
  async #caughtUp(version) {
    const played_ms = PACES[readPace()].whole_ms + DRAWN_MS;
    const tooLate = new Promise((resolve) => setTimeout(resolve, played_ms, true));
    while (this.playhead.isAtPresent && (this.#shown?.version ?? 0) < Math.max(version, this.playhead.newest)) {
      const shown = new Promise((resolve) => this.addEventListener("shown", () => resolve(false), { once: true }));
      if (await Promise.race([shown, tooLate])) return;
    }
  }

  // Returns when a version is drawn that was gone to.
  async settled(version) {
    while (this.#shown?.version !== version) {
      await new Promise((resolve) => this.addEventListener("shown", resolve, { once: true }));
    }
  }

  // A seat's own view is the server's to show.
  #offerSeats(seats) {
    if (this.isDisclosed && !this.isWatching) this.page.offerSeats(seats, this.#shown?.your_seat);
  }

  get isDisclosed() {
    return this.log.last?.type === LAST;
  }

  #tellConnection(connection) {
    this.#connection = connection;
    this.page.head.tellConnection(connection, this.playhead.isAtPresent);
  }

  // A link to a moment, or to the race from its start, keeps to itself how it ended until the reader goes there.
  #goToAddress() {
    this.page.hideEnd(this.isOver && location.hash.length > 1);
    if (location.hash === RACE) {
      this.#watchRace();
      return;
    }
    const asked = Number(location.hash.slice(1));
    if (Number.isInteger(asked) && asked >= 1) this.playhead.seek(asked);
    else if (!this.playhead.isAtPresent) this.playhead.joinPresent();
  }

  // A viewer who leaves the present will want more of the past than one board.
  #readAll() {
    this.public.readAll(this.playhead.newest, (frames) => {
      this.#take(this.log.add(frames.map(({ line }) => line)));
      this.#onMove();
    });
  }

  #look(seat) {
    this.boards = seat === null ? this.public : new Boards(this.game, seat);
    this.#shown = null;
    this.#onMove();
  }

  // The place is known at once; the board follows when it is there.
  #onMove() {
    const { version } = this.playhead;
    this.page.tellPlace(this.playhead, this.race, this.isDisclosed);
    this.#tellConnection(this.#connection);
    if (this.playhead.isAtPresent) this.page.hideEnd(false);
    if (this.#shown?.version === version) {
      this.#tellWaiting();
      return;
    }
    if (!this.playhead.isAtPresent) this.#readAll();
    const found = this.boards.find(version);
    clearTimeout(this.#restTimer);
    if (found) this.#show(found);
    else this.#restTimer = setTimeout(() => this.#readBoard(version), REST_MS);
    if (this.playhead.isPlaying) this.boards.prefetch(version + 16, this.playhead.newest);
  }

  async #readBoard(version) {
    const { boards } = this;
    try {
      const shown = await boards.read(version, this.playhead.newest);
      // Meanwhile the reader may have gone on, or look through other eyes.
      if (shown && this.playhead.version === version && boards === this.boards) this.#show(shown);
    } catch (error) {
      this.page.complain(`This moment cannot be shown: ${error.message}`);
    }
  }

  #show(shown) {
    const from = this.#shown?.version ?? shown.version;
    const isStep = shown.version > from && shown.version - from <= PASSED_MAX;
    this.#shown = shown;
    const { isAtPresent, isPlaying } = this.playhead;
    const isOn = shown.version > from && (isAtPresent || isPlaying);
    this.#draw(shown, isStep ? this.log.between(from, shown.version) : [], isOn);
    this.page.tellPlace(this.playhead, this.race, this.isDisclosed);
    if (!isAtPresent && !isPlaying) this.page.narrator.tellLine(this.log.find(shown.version));
    this.dispatchEvent(new CustomEvent("shown", { detail: shown.version, bubbles: true }));
  }

  // `passed` are the lines from the board shown before to this one.
  #draw(shown, passed, isOn = false) {
    const turns = this.race.findTurns(shown.version, this.log);
    const turn = turns.at(-1)?.lines ?? this.log.between(0, shown.version);
    this.page.show(shown, { passed, turn, turns, isOn, status: this.#status });
    this.#tellWaiting();
  }

  #tellWaiting() {
    this.page.waiting.show(this.#shown, {
      isLive: this.playhead.isAtPresent && this.#shown.status === "running",
      offset_ms: this.#clockOffset_ms,
    });
  }

  // The log holds ids alone. A server without names leaves the seats their numbers.
  async #readNames({ seats, terms }) {
    const players = seats.map((each) => each.player ?? "");
    if (players.join() === this.#players) return;
    this.#players = players.join();
    const found = await Promise.all(players.map((player) => player && readPlayer(player).catch(() => null)));
    if (players.join() !== this.#players) return;
    this.dataset.names = "asked";
    const named = found.map((player, seat) => [seat, player?.name]).filter(([, name]) => name);
    if (!setNames(Object.fromEntries(named), terms.options)) return;
    if (this.#shown?.board) setChariots(this.ruleset.listChariots(this.#shown.board));
    this.page.retell(this.log, this.race);
    this.dispatchEvent(new CustomEvent("named", { bubbles: true }));
    this.#offerSeats(seats);
    if (this.#shown) this.#draw(this.#shown, []);
  }

  // Before the lines that name them are shown; lines shown before are shown again.
  #nameChariots({ board }) {
    if (board && setChariots(this.ruleset.listChariots(board))) this.page.retell(this.log, this.race);
  }

  #complain(error) {
    const detail = error.status === 404 ? "There is no such game, or it is not public." : error.message;
    if (error.status === undefined) console.error(error);
    if (this.#shown) this.page.complain(`Not all of the game can be shown: ${detail}`);
    else GamePage.refuse(this, `The game cannot be shown: ${detail}`);
  }
}

customElements.define("spina-game", Game);
