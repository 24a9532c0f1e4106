// Small pieces of sentences that every story needs.

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
