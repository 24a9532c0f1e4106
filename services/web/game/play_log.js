// A finished race as BG Stats takes it: a link of theirs with one play in it. Nothing is sent before it is followed.

import { fullName } from "../parts/names.js";
import { teamOf } from "../parts/teams.js";

const IMPORT = "https://app.bgstatsapp.com/createPlay.html";
const MINUTE_MS = 60_000;

// `shown` is the last moment of the game; `begun` is when its first line was stored, where that is here.
export function linkPlayLog(shown, { title, begun, host }) {
  const { id, at, ruleset, seats, ranking, terms } = shown;
  const play = {
    sourceName: host,
    sourcePlayId: id,
    // In UTC, to the second, and without its letters.
    playDate: at.slice(0, 19).replace("T", " "),
    ...(begun ? { durationMin: Math.max(1, Math.round((Date.parse(at) - Date.parse(begun)) / MINUTE_MS)) } : {}),
    game: { name: title, sourceGameId: ruleset, highestWins: true, noPoints: true },
    location: host,
    players: ranking.map(({ place, seat }) => {
      const team = teamOf(terms.options, seat);
      return {
        name: fullName(seat),
        sourcePlayerId: seats[seat].player ?? `seat ${seat}`,
        rank: place,
        winner: place === 1,
        startPlayer: false,
        ...(team ? { team } : {}),
      };
    }),
  };
  return `${IMPORT}?data=${encodeURIComponent(JSON.stringify(play))}`;
}
