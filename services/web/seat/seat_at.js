// One seat of one game at the server: taken, played, left, with its links, seals and signatures.
// Must agree with clients/python/spina_client/seat.py.

import { sealAction } from "../verify/seal.js";
import { untilAnswered } from "../parts/reaching.js";
import { buildSalt } from "./seat_secrets.js";
import { sendSigned } from "./signed_command.js";

/** @import { SeatSecrets } from "./seat_secrets.js" */
/** @import { Send } from "./signed_command.js" */

export class SeatAt {
  /**
   * `readGame` and `send` reach the server. `onWait` is called with the error whenever a command has to be sent again;
   * `listSealed()` are the decisions that the seat's player sealed on any device.
   * @param {{ id: string, name?: string }} account
   * @param {SeatSecrets} secrets
   * @param {{ readGame: (game: string) => Promise<{ body: Api.GameShown }>,
   *   send: Send, onWait?: (error: any) => void, listSealed?: () => string[] }} options
   */
  constructor(account, secrets, { readGame, send, onWait = undefined, listSealed = () => [] }) {
    this.account = account;
    this.secrets = secrets;
    this.readGame = readGame;
    this.send = send;
    this.onWait = onWait;
    this.listSealed = listSealed;
  }

  // The game as it is now; a server that is away is waited for.
  async read() {
    return (await untilAnswered(() => this.readGame(this.secrets.game), this.onWait)).body;
  }

  // Takes the seat with the anchor and the public key of its secrets; a private game asks for its invitation.
  /** @param {string | null} [invitation] */
  take(invitation = null) {
    const { anchor, linksCount: links, publicKey: key } = this.secrets;
    const fields = { anchor, links, key };
    return this.#send(
      "seats",
      "seat_taken",
      { ...fields, player: this.account.id },
      { ...fields, ...(invitation ? { invitation } : {}) },
    );
  }

  ready(shown) {
    return this.#send("ready", "seat_readied", { nonce: this.#nextLink(shown) });
  }

  leave() {
    return this.#send("leave", "seat_left", {});
  }

  resign() {
    return this.#send("resign", "seat_resigned", {});
  }

  // Takes the seat back from the house bot that plays for it.
  reclaim() {
    return this.#send("reclaim", "seat_reclaimed", {});
  }

  // Agrees to "end" or "pause" the game, or no longer.
  consent(to) {
    return this.#send("consents", "consent_given", { to });
  }

  withdraw(to) {
    return this.#send("withdrawals", "consent_withdrawn", { to });
  }

  // Ends a pause.
  endPause() {
    return this.#send("end-pause", "pause_ended", {});
  }

  // The decisions that wait for this player. The server opens those that it keeps by itself, after the others.
  listDue({ owed, your_seat: seat }) {
    const entrusted = this.#listEntrusted(owed.map((each) => each.decision));
    return owed.filter(
      (each) =>
        each.seat === seat && each.is_waited_for && !(each.kind === "opening" && entrusted.includes(each.decision)),
    );
  }

  // Answers a decision that the seat owes, as its kind and the custody ask for.
  answer(shown, { decision, kind }, action) {
    if (kind === "plain") return this.#play(shown, decision, action);
    return this.secrets.custody === "own" ? this.#seal(decision, action) : this.#entrust(shown, decision, action);
  }

  // Opens the action sealed here for this decision.
  async reveal(shown, decision) {
    const sealed = this.secrets.findSealed(decision);
    if (!sealed) throw new Error("The action that was sealed is not in this browser.");
    const data = { decision, ...sealed, nonce: this.#nextLink(shown) };
    return this.#send("reveals", "action_revealed", data, { ...data, ...this.#furtherLink(shown) });
  }

  #play(shown, decision, action) {
    const data = { decision, action, nonce: this.#nextLink(shown) };
    return this.#send("actions", "action_played", data, { ...data, ...this.#furtherLink(shown) });
  }

  // The server gets the hash alone. Action and salt are on the disk before.
  async #seal(decision, action) {
    const salt = buildSalt();
    const data = { decision, seal: await this.#hash(decision, action, salt) };
    await this.secrets.keepSealed(decision, { action, salt });
    return this.#send("seals", "action_sealed", data);
  }

  // The server seals now, and opens when all seals are in. Each choice in its custody needs a link: it gets the
  // furthest.
  async #entrust(shown, decision, action) {
    const own = shown.seats[shown.your_seat];
    const owed = shown.owed
      .filter((each) => each.seat === shown.your_seat && each.kind === "sealed")
      .map((each) => each.decision);
    const choices = new Set([...owed, ...this.#listEntrusted(shown.sealed)]).size;
    const nonce = this.secrets.findLink(own.last_link, Math.min(choices, own.links_left));
    const salt = buildSalt();
    await this.secrets.keepEntrusted(decision);
    // Only a signature needs the hash here: the server makes the seal itself.
    const data = this.secrets.publicKey ? { decision, seal: await this.#hash(decision, action, salt) } : {};
    return this.#send("entrustments", "action_sealed", data, { decision, action, salt, nonce });
  }

  // Those of the decisions whose action the server keeps, from any device.
  #listEntrusted(decisions) {
    if (this.secrets.custody === "own") return [];
    const sealed = new Set([...this.listSealed(), ...this.secrets.listEntrusted(decisions)]);
    return decisions.filter((each) => sealed.has(each));
  }

  #hash(decision, action, salt) {
    const { game, seat } = this.secrets;
    return sealAction({ game, seat, decision, salt, action });
  }

  #nextLink(shown) {
    const own = shown.seats[this.secrets.seat];
    return this.secrets.findLink(own.last_link, Math.min(own.links_left, 1));
  }

  // The link to hand over with the next one, so that the server can still open the actions that it keeps.
  #furtherLink(shown) {
    const own = shown.seats[this.secrets.seat];
    const count = this.#listEntrusted(shown.sealed).length;
    if (!count || own.links_left <= 1) return {};
    return { entrusted_link: this.secrets.findLink(own.last_link, Math.min(1 + count, own.links_left)) };
  }

  // `data` are the fields of the event that is logged, and signed where the seat has a key; `sent` those of the body.
  #send(name, type, data, sent = data) {
    const { game, seat } = this.secrets;
    return sendSigned({
      stream: game,
      path: `/v1/games/${game}/${name}`,
      type,
      data: { seat, ...data },
      sent: { seat, ...sent },
      secrets: this.secrets,
      send: this.send,
      onWait: this.onWait,
      readHead: async () => (await this.read()).head,
    });
  }
}
