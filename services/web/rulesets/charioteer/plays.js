// Every whole move of a hand, and which of them a selection can still become. Cards of one face are alike: the API
// offers them once, by the lowest draw, and a player may choose any of them.

export class Plays {
  #faces;

  // `legal` are the seat's legal actions, `hand` its cards.
  constructor(legal, hand) {
    this.#faces = new Map(hand.map(({ draw, card }) => [draw, card]));
    this.all = [
      ...legal.moves.flatMap((move) => this.#expand(move)),
      ...legal.wild_moves.flatMap((move) => this.#expandWild(move)),
    ];
  }

  // Plays that hold all that is selected, and perhaps more. Of `crowd`, `symbol` and `token` null means open.
  list({ cards, crowd = null, symbol = null, token = null }) {
    const chosen = this.#facesOf(cards);
    return this.all.filter(
      (play) =>
        (crowd === null || play.crowd === crowd) &&
        (symbol === null || play.symbol === symbol) &&
        (token === null || play.tokenKey === token) &&
        isWithin(chosen, play.faces),
    );
  }

  // The longest play that is exactly this; null where there is none.
  find(selected) {
    const size = selected.cards.length;
    const fitting = this.list(selected).filter(
      (play) => play.faces.length === size && (selected.token !== null || !play.token),
    );
    return fitting.sort((one, other) => other.distance - one.distance)[0] ?? null;
  }

  /**
   * The action of a play with these cards.
   * @returns {Api.Charioteer1Move}
   */
  buildAction({ crowd, symbol, token, changed }, cards, discard) {
    const changedCard = changed === null ? null : cards.find((card) => this.#faces.get(card) === changed);
    return { kind: "move", cards: ascending(cards), changed: changedCard, crowd, discard, symbol, token };
  }

  // Some cards of the hand that make the play.
  findCards({ faces }) {
    const left = [...this.#faces];
    return faces.map(
      (face) =>
        left.splice(
          left.findIndex(([, each]) => each === face),
          1,
        )[0][0],
    );
  }

  #expand({ cards, tokens, ...move }) {
    const base = { ...move, faces: this.#facesOf(cards), token: null, tokenKey: "none", changed: null };
    return [base, ...tokens.map(({ token, distance }) => ({ ...base, token, tokenKey: keyOf(token), distance }))];
  }

  #expandWild({ cards, changeable, token, ...move }) {
    return changeable.map((card) => {
      const changed = this.#faces.get(card);
      return { ...move, faces: [...this.#facesOf(cards), changed].sort(), token, tokenKey: keyOf(token), changed };
    });
  }

  #facesOf(cards) {
    return cards.map((card) => this.#faces.get(card)).sort();
  }
}

/** @param {Api.Charioteer1FanToken | Api.Charioteer1PlayerToken} token */
export function keyOf(token) {
  return `${token.kind}-${token.kind === "fan" ? token.draw : token.type}`;
}

export function ascending(cards) {
  return [...cards].sort((one, other) => one - other);
}

function isWithin(some, all) {
  const left = [...all];
  return some.every((each) => {
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}
