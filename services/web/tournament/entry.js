// The entry of this browser's account in one tournament, with its links and its signatures.
// Must agree with clients/python/spina_client/tournament.py.

import { read } from "../parts/api.js";
import { findSecrets, keepLinks } from "../seat/kept_links.js";
import { hashCode } from "./entry_code.js";
import { buildSecrets, readSecrets } from "../seat/own_secrets.js";
import { sendSigned } from "../seat/signed_command.js";
import { sendCommand } from "../seat/sender.js";
import { find, keep } from "../seat/store.js";

const NOT_NEXT_ENTRANT = "urn:spina:problem:not-next-entrant";
// Another entry at the same moment takes the number.
const ATTEMPTS_MAX = 64;
const OPEN = "entries";
// The secret of the link for which this browser made the secrets of its entry, by tournament.
const LINK = "link";

// The ids of the tournaments that were entered here and are not over for this account, the newest first.
export async function listEntries() {
  return (await find("accounts", OPEN)) ?? [];
}

export class Entry {
  constructor({ tournament, account, secrets, onWait }) {
    this.tournament = tournament;
    this.account = account;
    this.secrets = secrets;
    this.onWait = onWait;
    this.path = `/v1/tournaments/${tournament}`;
  }

  // The entry made in this browser, or brought here from another device; null where there is none.
  static async read({ tournament, account, onWait }) {
    const secrets = await findSecrets(tournament, null);
    if (!secrets) return null;
    const entry = new Entry({ tournament, account, secrets, onWait });
    await entry.#list([tournament]);
    return entry;
  }

  // Enters, with secrets that are written down first; a second try after a crash goes on with the same ones.
  static async enter({ tournament, account, custody, code = null, team = null, onWait }) {
    const kept = await readSecrets(tournament);
    const secrets = kept?.custody === custody ? kept : await buildSecrets({ game: tournament, custody });
    await keepLinks(secrets);
    await new Entry({ tournament, account, secrets, onWait }).#enter(code, team);
  }

  // Goes on with an entry that an organiser handed on, with new secrets in place of those of the lost device. A second
  // try by the same link goes on with the same ones: the first may be on its way.
  static async goOn({ tournament, account, custody, entrant, invitation, onWait }) {
    const link = `${LINK}-${tournament}`;
    const kept = (await find("accounts", link)) === invitation ? await readSecrets(tournament) : null;
    const secrets = kept?.custody === custody ? kept : await buildSecrets({ game: tournament, custody });
    await keep("accounts", link, invitation);
    await keepLinks(secrets);
    await new Entry({ tournament, account, secrets, onWait }).#goOn(entrant, invitation);
  }

  async #goOn(entrant, invitation) {
    const { anchor, linksCount: links, publicKey: key } = this.secrets;
    const fields = { entrant, anchor, links, key };
    await this.#send("continuations", "entry_taken", { ...fields, player: this.account.id }, { ...fields, invitation });
  }

  // Lists it no more: nothing is to be done for it. Its secrets stay.
  forget() {
    return this.#list([]);
  }

  async #list(own) {
    await keep("accounts", OPEN, [...own, ...(await listEntries()).filter((each) => each !== this.tournament)]);
  }

  // Takes the next free number.
  async #enter(code, team) {
    const asked = { ...(code && { code: await hashCode(code) }), ...(team && { team: team.fields }) };
    const shown = { ...(code && { shown_code: code }), ...(team && { shown_team_code: team.code }) };
    const { anchor, linksCount: links, publicKey: key } = this.secrets;
    for (let attempt = 1; ; attempt += 1) {
      const fields = { entrant: (await read(this.path)).entries, anchor, links, key, ...asked };
      try {
        return await this.#send(
          "entries",
          "entrant_entered",
          { ...fields, player: this.account.id },
          { ...fields, ...shown },
        );
      } catch (error) {
        if (error.type !== NOT_NEXT_ENTRANT || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  // Checks in for the round of a next step, with the next link where the entry has any.
  checkIn({ entrant, round, last_link: last, links_left: left }) {
    return this.#send("check-ins", "entrant_checked_in", {
      entrant,
      round,
      nonce: this.secrets.findLink(last, Math.min(left, 1)),
    });
  }

  // Sits out a round that is not drawn yet.
  skip({ entrant, round }) {
    return this.#send("skips", "round_skipped", { entrant, round });
  }

  callOrganiser({ entrant, text }) {
    return this.#send("calls", "organiser_called", { entrant, text });
  }

  withdraw({ entrant }) {
    return this.#send("withdrawals", "entrant_withdrawn", { entrant });
  }

  #send(name, type, data, sent = data) {
    const { tournament, path, secrets, onWait } = this;
    return sendSigned({
      stream: tournament,
      path: `${path}/${name}`,
      type,
      data,
      sent,
      secrets,
      send: sendCommand,
      onWait,
      readHead: async () => (await read(path)).head,
    });
  }
}
