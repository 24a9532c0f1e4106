// Small pieces of sentences that every story needs.

const ORDINALS = { 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth" };

export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

export function list(items, last = "and") {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}

export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

export function spaced(name) {
  return name.replaceAll("_", " ");
}

// Of a driver in a race over so many laps; the lap that follows the last one is none.
export function tellLap(completed, laps) {
  return completed < laps ? `lap ${completed + 1}` : "every lap run";
}

// Of a game in a list, which does not know how many laps there are to run.
export function tellProgress({ status, version, turn, laps, delay_s: delay }, word = "turn") {
  const isOver = status === "finished" || status === "aborted";
  const come = !turn
    ? count(version, "event")
    : isOver
      ? count(turn, word)
      : laps
        ? `${word} ${turn}, ${count(laps, "lap")} run`
        : `${word} ${turn}`;
  return delay && !isOver ? `${come}, shown late` : come;
}

export function ordinal(number) {
  return ORDINALS[number] ?? `number ${number}`;
}
