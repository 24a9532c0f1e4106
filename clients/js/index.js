// spina-client: plays, follows and verifies games of Spina.

export { Unanswered } from "../../services/web/parts/caller.js";
export { GameStandsStill, play } from "./bot.js";
export { verifyBundle } from "./bundle.js";
export { challenge, friend, house, RivalAway, waitForRivals } from "./challenge.js";
export { Client, codeOf, register, signIn } from "./client.js";
export { followAccount, followGame } from "./following.js";
export { buildSeat, Seat } from "./seat.js";
export { serveChallenges } from "./serving.js";
