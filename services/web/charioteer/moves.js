// How a move of Charioteer was reckoned, and its result.

import { count } from "../words.js";

// `turn` are the lines of one turn, or of its beginning; null where the driver has not moved in them.
export function findMove(seat, turn) {
  const find = (type) => turn.find((line) => line.type === type && line.data.seat === seat);
  const reckoned = find("distance_reckoned");
  if (!reckoned) return null;
  const { symbols, number, token, skill, damage, distance, symbol } = reckoned.data;
  const moved = find("chariot_moved")?.data;
  return {
    version: reckoned.version,
    title: "Distance",
    parts: [["symbols", symbols], [symbol, number], ["token", token], ["skill", skill], ["damage", -damage]],
    total: distance,
    note: moved ? tellWay(moved, find("whip_used")?.data) : "",
  };
}

function tellWay(moved, whip) {
  const paid = moved.passed.reduce((all, each) => all + each.price, 0);
  const way = [
    `Enters ${count(moved.entered.length, "space")}`,
    moved.passed.length ? `passes ${count(moved.passed.length, "rival")} for ${paid || "nothing"}` : null,
    whip ? `whips ${count(whip.entered.length, "space")} more` : null,
  ];
  return `${way.filter(Boolean).join(", ")}.`;
}
