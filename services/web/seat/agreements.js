// The agreements of a table: a player asks to end or to pause the game, and the others agree. Below the seat's
// decision.

import { button, el } from "../parts/dom.js";
import { confirm } from "../parts/field.js";
import { inSeat, seat as nameOf } from "../parts/names.js";
import { capital, list } from "../parts/words.js";

const AIMS = {
  pause: {
    act: "pause the clocks",
    lines: [
      "The clocks stop once all players have agreed; any of them ends the pause, and after seven days it ends by " +
        "itself. Your consent stands until you next answer.",
    ],
  },
  end: {
    act: "end the game",
    lines: [
      "The game ends without a result once all players have agreed. House bots and players who stay away are not " +
        "asked.",
    ],
  },
};

export class Agreements {
  // `send(make)` carries out a command of the seat and shows a refusal.
  constructor(send) {
    this.send = send;
    this.element = el("div", { class: "agreements" });
    this.buttons = el("div", { class: "buttons" });
  }

  show({ seats, your_seat: own, terms, status, paused_until: pausedUntil = null }) {
    const isFree = status === "running" && !terms.table && !seats[own].has_departed && !seats[own].is_handed;
    const aims = isFree ? Object.keys(AIMS).filter((aim) => aim === "end" || (terms.clock && !pausedUntil)) : [];
    const known = JSON.stringify([aims, seats.map((each) => each.consents)]);
    if (this.known === known) return;
    this.known = known;
    const agreed = (aim) => seats.filter((each) => each.consents?.includes(aim)).map((each) => each.seat);
    this.element.replaceChildren(
      ...aims.filter((aim) => agreed(aim).length).map((aim) => this.#tell(aim, agreed(aim), own)),
    );
    this.buttons.replaceChildren(
      ...aims
        .filter((aim) => !agreed(aim).length)
        .map((aim) => button(`${capital(AIMS[aim].act)} …`, () => this.#ask(aim))),
    );
  }

  #tell(aim, agreed, own) {
    const isOwn = agreed.includes(own);
    const others = agreed
      .filter((each) => each !== own)
      .map((each, place) => (place || isOwn ? inSeat(each) : nameOf(each)));
    const who = capital(list([isOwn ? "you" : "", ...others].filter(Boolean)));
    return el(
      "p",
      {},
      `${who} ${agreed.length === 1 && !isOwn ? "wants" : "want"} to ${AIMS[aim].act}. `,
      isOwn
        ? button("Withdraw", () => this.send((at) => at.withdraw(aim)))
        : button("Agree", () => this.send((at) => at.consent(aim))),
    );
  }

  async #ask(aim) {
    const { act, lines } = AIMS[aim];
    if (await confirm({ title: `${capital(act)}?`, lines, act: capital(act) }))
      await this.send((at) => at.consent(aim));
  }
}
