// How far a chariot of Chariotmaster went in a game turn, sub-move by sub-move.

const UM_PER_CM = 10_000;

// `turn` are the lines of one game turn, or of its beginning; null where the chariot was not drawn in them.
export function findMove(chariot, turn) {
  const began = turn.findLast((line) => line.type === "turn_began" && line.data.chariot === chariot);
  if (!began) return null;
  const { version, data } = began;
  const made = turn.filter((line) => line.type === "sub_move_made" && line.data.chariot === chariot).map((line) => line.data.travelled_um);
  return {
    version,
    title: `Distance by the token ${data.token}, in centimetres`,
    parts: made.map((travelled, index) => [index ? "more" : "at first", tellCm(travelled - (made[index - 1] ?? 0))]),
    total: made.length ? tellCm(made.at(-1)) : null,
    note: made.length ? "" : `May go ${tellCm(data.min_um)} to ${tellCm(data.max_um)} cm by the token ${data.token}.`,
  };
}

function tellCm(um) {
  return Math.round((um / UM_PER_CM) * 10) / 10;
}
