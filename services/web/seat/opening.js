// A game opened by a person: its terms, the seats for house bots and for friends, and the own seat, taken at once.

import { readGame } from "../parts/api.js";
import { readSecrets } from "./own_secrets.js";
import { toHex } from "../verify/bytes.js";
import { sha256 } from "../verify/digests.js";
import { buildId } from "../parts/command_ids.js";
import { sendCommand } from "./sender.js";
import { sitDown } from "./sitting.js";
import { find, keep } from "./store.js";

const SECRET_BYTES = 32;
// Time for one decision, and a bank for the whole game.
export const PACES = {
  relaxed: { said: "Relaxed: five minutes a decision", clock: { per_decision_ms: 300_000, bank_ms: 600_000 } },
  lively: {
    said: "Lively: half a minute a decision, and each answer adds ten seconds",
    clock: { per_decision_ms: 30_000, bank_ms: 60_000, increment_ms: 10_000 },
  },
  quick: { said: "Quick: a minute a decision", clock: { per_decision_ms: 60_000, bank_ms: 180_000 } },
  post: { said: "By post: two days a decision", clock: { per_decision_ms: 2 * 86_400_000, bank_ms: 0 } },
  none: { said: "Without a clock", clock: null },
};
// The house bot drives after so many turns in a row in which a clock ran out.
const STAND_IN_AFTER = 2;

// `standIn` is the bot that drives for a player who stays away, in a game with a clock.
// `company` is "bots" of a strength, "friends" with a link for each, or "open" to all. Resolves to the game's id.
// `components` are those of a box beside the release's.
export async function openGame({
  account,
  ruleset,
  seats,
  company,
  bot,
  pace,
  custody,
  standIn = null,
  options = {},
  components = null,
}) {
  const game = buildId();
  const invitations = company === "friends" ? await buildInvitations(seats) : [];
  if (invitations.length)
    await keep(
      "seats",
      linksOf(game),
      invitations.map(({ seat, secret }) => ({ seat, secret })),
    );
  const offers = Array.from({ length: seats }, (_, seat) => {
    if (seat === 0 || company === "open") return null;
    return company === "bots" ? { kind: "house", bot } : { kind: "link", hash: invitations[seat - 1].hash };
  });
  const fields = {
    ruleset,
    seats,
    options,
    ...(components ? { components } : {}),
    ...(company !== "open" && { offers }),
    clock: PACES[pace].clock,
    ...(standIn && PACES[pace].clock ? { stand_in: { bot: standIn, after: STAND_IN_AFTER } } : {}),
    visibility: company === "friends" ? "private" : "public",
  };
  await sendCommand({ stream: game, path: "/v1/games", fields, id: game });
  await sitDown({ game, seat: 0, custody, account });
  return game;
}

// Opens a game with the same terms and rotated seats, or finds the one that a rival has opened, and sits down on the
// own seat.
export async function openRematch(former, account) {
  const { game } = await sendCommand({ stream: former, path: `/v1/games/${former}/rematch`, fields: {} });
  const { body } = await readGame(game);
  const offered = body.seats.find((each) => each.offer?.player === account.id);
  const kept = await readSecrets(former);
  if (offered) await sitDown({ game, seat: offered.seat, custody: kept?.custody ?? "server", account });
  return game;
}

// The links to the seats of friends, which only the opener's browser has: [{seat, url}].
export async function listLinks(game) {
  const kept = (await find("seats", linksOf(game))) ?? [];
  return kept.map(({ seat, secret }) => ({
    seat,
    url: `${location.origin}/games/${game}#seat=${seat}&invitation=${secret}`,
  }));
}

function linksOf(game) {
  return `links of ${game}`;
}

function buildInvitations(seats) {
  return Promise.all(
    Array.from({ length: seats - 1 }, async (_, place) => {
      const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
      return { seat: place + 1, secret: toHex(secret), hash: toHex(await sha256(secret)) };
    }),
  );
}
