// The fields of the events of every game, as far as a reader without the rules can know them, and of operators' acts.
// Must agree with domain/game/events.py and domain/operators/events.py.
// A ruleset's own outcomes are passed over: to read them takes the rules.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX32 = /^[0-9a-f]{64}$/;
const RULESET = /^[a-z][a-z0-9-]{1,39}$/;
const DECISION = /^[!-~]{1,80}$/;
const BOT = /^[a-z][a-z0-9_-]{0,39}$/;
const REASON = /^[^\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+$/u;
const REASON_CHARS_MAX = 500;
const WORD_CHARS_MAX = 80;
const KEY_ID = /^[0-9a-f]{16}$/;
const LEDGER = /^[!-*,-~]+$/;
const LEDGER_CHARS_MAX = 255;
const CLOCK_MS_MAX = 31 * 24 * 3600 * 1000;
const EXPIRIES_MAX = 16;
const DELAY_S_MAX = 24 * 3600;
const PROOF_CHARS_MAX = 16_384;
const LINKS_MAX = 65_536;
const SEATS_MAX = 12;

// A kind of field gives a boolean: whether a value is one.
const text = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const integer =
  (min = -Infinity, max = Infinity) =>
  (value) =>
    Number.isInteger(value) && value >= min && value <= max;
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
const optional = (kind) => (value) => value === null || kind(value);
const listOf = (kind) => Object.assign((value) => Array.isArray(value) && value.every(kind), { each: kind });
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const sized = (max) => (value) => typeof value === "string" && value.length > 0 && [...value].length <= max;
const both = (one, other) => (value) => one(value) && other(value);
const json = () => true;
const map = (key, kind) => (value) =>
  isObject(value) && Object.entries(value).every(([name, each]) => key.test(name) && kind(each));
// An object of these members, of which some may be absent; that there are no others is asked apart, by hasSurplus.
const object = (members, absent = {}) => {
  const hasAll = (value) =>
    Object.entries(members).every(([name, kind]) => Object.hasOwn(value, name) && kind(value[name]));
  const mayHave = (value) =>
    Object.entries(absent).every(([name, kind]) => !Object.hasOwn(value, name) || kind(value[name]));
  return Object.assign((value) => isObject(value) && hasAll(value) && mayHave(value), {
    members: { ...members, ...absent },
  });
};

const seat = integer(0, SEATS_MAX - 1);
const aim = oneOf("end", "pause");
const hex32 = text(HEX32);
const decision = text(DECISION);
const nonce = optional(hex32);
const reason = both(sized(REASON_CHARS_MAX), text(REASON));

const table = object({
  tournament: text(UUID),
  round: integer(1),
  table: integer(1),
  attempt: integer(1),
  seats: listOf(object({ player: text(UUID), key: nonce })),
});

const OFFERS = {
  house: object({ kind: json, bot: text(BOT) }, { at_once: oneOf(true, false) }),
  link: object({ kind: json, hash: hex32 }),
  player: object({ kind: json, player: text(UUID) }),
};
// Its members follow from its kind.
const offer = optional(
  (value) =>
    isObject(value) &&
    Object.hasOwn(OFFERS, value.kind) &&
    OFFERS[value.kind](value) &&
    !hasSurplus(value, OFFERS[value.kind]),
);

const INPUTS = {
  game_opened: object(
    {
      ruleset: object({ components: hex32, name: text(RULESET), version: integer(1) }),
      seats: integer(1, SEATS_MAX),
      options: isObject,
      clock: Object.assign(
        optional(
          object(
            { per_decision_ms: integer(1, CLOCK_MS_MAX), bank_ms: integer(0, CLOCK_MS_MAX) },
            { increment_ms: integer(1, CLOCK_MS_MAX) },
          ),
        ),
        { members: { per_decision_ms: json, bank_ms: json, increment_ms: json } },
      ),
      visibility: oneOf("public", "private"),
      delay_s: integer(0, DELAY_S_MAX),
      demands: listOf(oneOf("links", "own_custody", "signed", "witnessed_opening")),
      organisers: map(UUID, nonce),
      ledger: both(sized(LEDGER_CHARS_MAX), text(LEDGER)),
      commit: hex32,
      anchors: listOf(hex32),
      leaf_key: hex32,
    },
    {
      table,
      offers: listOf(offer),
      rematch_of: text(UUID),
      stand_in: object({ bot: text(BOT), after: integer(1, EXPIRIES_MAX) }),
    },
  ),
  opening_witnessed: object({ proof: sized(PROOF_CHARS_MAX) }),
  seat_offered: object({ seat, to: offer }),
  seat_taken: object({ seat, player: text(UUID), anchor: nonce, links: integer(0, LINKS_MAX), key: nonce }),
  seat_left: object({ seat }),
  seat_readied: object({ seat, nonce }),
  action_sealed: object({ seat, decision, seal: hex32 }),
  action_revealed: object({ seat, decision, action: json, salt: hex32, nonce }),
  action_played: object({ seat, decision, action: json, nonce }),
  clock_expired: object({ seat, decision }),
  clock_extended: object({ seats: listOf(seat), ms: integer(1, CLOCK_MS_MAX), reason }),
  seat_removed: object({ seat, reason }),
  seat_resigned: object({ seat }),
  seat_reclaimed: object({ seat }),
  consent_given: object({ seat, to: aim }),
  consent_withdrawn: object({ seat, to: aim }),
  pause_ended: object({ seat: optional(seat) }),
  table_paused: object({ line: integer(1) }),
  game_aborted: object({ reason }),
};
const OUTCOMES = {
  game_started: object({ seats: listOf(seat) }),
  dice_rolled: object({
    label: text(/^/),
    chain: integer(),
    index: integer(),
    link: text(/^/),
    sides: integer(),
    faces: listOf(integer()),
  }),
  deck_shuffled: object({ label: text(/^/), deck: text(/^/), size: integer() }),
  decision_asked: object({ seat, decision }),
  action_defaulted: object({ seat, decision, action: json }),
  action_forfeited: object({ seat, decision, reason: oneOf("illegal", "unrevealed") }),
  game_finished: object({ ranking: listOf(object({ place: integer(), seat })) }),
  seat_handed: object({ seat }),
  game_paused: object({ seats: listOf(seat) }),
  game_stopped: object({ seats: listOf(seat), absent: listOf(seat) }),
  game_cancelled: object({ seat }),
  secret_disclosed: object({ secret: hex32 }),
};

const act = {
  operator: both(sized(WORD_CHARS_MAX), text(REASON)),
  reason: optional(both(sized(WORD_CHARS_MAX), text(REASON))),
};
const onAccount = object({ ...act, account: text(UUID) });
const ledger = both(sized(LEDGER_CHARS_MAX), text(LEDGER));
const ACTS = {
  record_opened: object({ ledger, leaf_key: hex32 }),
  account_made: object({ ...act, account: text(UUID), role: oneOf("player", "organiser", "operator") }),
  tokens_renewed: onAccount,
  tokens_revoked: onAccount,
  account_renamed: onAccount,
  account_muted: onAccount,
  account_unmuted: onAccount,
  account_closed: onAccount,
  key_turned: object({ ...act, former: text(KEY_ID), new: text(KEY_ID) }),
  ledger_begun: object({ ...act, former: ledger }),
  game_exported: object({ ...act, game: text(UUID), lines: integer(1) }),
  streams_audited: object({ ...act, after: text(UUID) }),
  streams_archived: object(act),
  dump_made: object({ ...act, games: integer(0), sums: hex32 }),
};

// Which types there are, and whether other outcomes are those of rules that the reader does not have.
export const GAME_KINDS = { input: INPUTS, outcome: OUTCOMES, hasRules: true };
export const RECORD_KINDS = { input: ACTS, outcome: {}, hasRules: false };

// "known", "of the rules" (an outcome that only they can read), "surplus" (fields that no rule reads), or "unreadable".
export function readFields(line, known) {
  const kinds = known[line.kind];
  if (!Object.hasOwn(kinds, line.type)) {
    const mayBeOfRules = line.kind === "outcome" && known.hasRules && !Object.hasOwn(known.input, line.type);
    return mayBeOfRules ? "of the rules" : "unreadable";
  }
  const kind = kinds[line.type];
  if (!kind(line.data)) return "unreadable";
  return hasSurplus(line.data, kind) ? "surplus" : "known";
}

function hasSurplus(value, kind) {
  if (kind.each) return value.some((each) => hasSurplus(each, kind.each));
  if (!kind.members || value === null) return false;
  return Object.keys(value).some(
    (name) => !Object.hasOwn(kind.members, name) || hasSurplus(value[name], kind.members[name]),
  );
}
