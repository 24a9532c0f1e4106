// What a ruleset is called: `chariot-race@1` is Chariot Race.

export function titleOf(reference) {
  const name = reference.split("@")[0];
  return name.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");
}
