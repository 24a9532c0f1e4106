// The helpers of a tournament: who they are, and invitations that wait.

import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { count } from "../parts/words.js";
import { ROLES } from "./ruling_fields.js";

export class HelperList {
  #onRule;

  // `onRule` gets the kind of a ruling that may be wanted and its subject.
  constructor(onRule) {
    this.#onRule = onRule;
    this.list = el("ul", { class: "plain helpers" });
    this.root = el(
      "section",
      { "aria-labelledby": "helpers" },
      el("h2", { id: "helpers" }, "Helpers"),
      el(
        "p",
        { class: "note" },
        "An arbiter rules, a helper at the desk seats and admits, a commentator looks inside the delay. Each comes " +
          "by a link of yours with a key of its own; the log names who did what.",
      ),
      this.list,
      el(
        "div",
        { class: "buttons" },
        button("Invite a helper…", () => onRule("helper_invited", {})),
      ),
    );
  }

  show({ tournament }) {
    this.root.hidden = tournament.status === "finished" || tournament.status === "aborted";
    const helpers = tournament.helpers.map((helper) => ({
      ...helper,
      looks: tournament.looks.filter(({ by }) => by === `helper:${helper.helper}`).length,
    }));
    renew(this.list, helpers, { key: ({ helper }) => helper, build: (helper) => this.#build(helper) });
  }

  #build({ helper, role, name, player, looks, is_dismissed: isDismissed }) {
    const who = player === null ? "an invitation that waits" : el("bdi", {}, name ?? `helper ${helper}`);
    return el(
      "li",
      {},
      who,
      `, ${ROLES[role]}`,
      looks ? `, ${count(looks, "look")} inside the delay` : "",
      isDismissed ? ", dismissed " : " ",
      isDismissed ? "" : button("Dismiss…", () => this.#onRule("helper_dismissed", { helper })),
    );
  }
}
