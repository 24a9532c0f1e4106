// Sentences from templates: the language and the limits are those of `domain/sentences/templates.py`, by one vectors
// file.

import { spaced } from "./words.js";

const parsed = new Map();

export class NoSentence extends Error {}

// The sentence of one line's data; `names` are {short, full} by seat. Throws NoSentence where the data does not fit.
export function tellTemplate(template, data, table, names = new Map()) {
  return write(parse(template), data, { table, names });
}

function parse(text) {
  if (!parsed.has(text)) parsed.set(text, [...parseNodes(text)]);
  return parsed.get(text);
}

function* parseNodes(text) {
  let at = 0;
  for (let begin = text.indexOf("{"); begin >= 0; begin = text.indexOf("{", at)) {
    const end = findOutside(text, "}", begin + 1);
    if (end < 0) throw new NoSentence(text);
    yield text.slice(at, begin);
    yield parseBraces(text.slice(begin + 1, end));
    at = end + 1;
  }
  yield text.slice(at);
}

// Where a sign stands outside of inner braces; -1 where it does not.
function findOutside(text, sign, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === sign && depth === 0) return at;
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
  }
  return -1;
}

function parseBraces(text) {
  const question = text.indexOf("?");
  if (question < 0) return parseValue(text);
  const [, value, operator, operand] = text.slice(0, question).match(/^([^=<>]*)(?:([=<>])(.*))?$/s);
  const end = findOutside(text, "|", question + 1);
  const [whereTrue, other] =
    end < 0 ? [text.slice(question + 1), ""] : [text.slice(question + 1, end), text.slice(end + 1)];
  return { value: parseValue(value), operator, operand, whereTrue: parse(whereTrue), other: parse(other) };
}

function parseValue(text) {
  const [path, ...filters] = text.split("|");
  return { path, filters: filters.map((each) => [each.split(" ", 1)[0], each.slice(each.indexOf(" ") + 1)]) };
}

function write(nodes, data, words) {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if (node.whereTrue) return write(holds(node, data, words) ? node.whereTrue : node.other, data, words);
      return writeValue(read(node, data, words), words);
    })
    .join("");
}

function writeValue(value, words) {
  if (Array.isArray(value)) {
    const texts = value.map((each) => writeValue(each, words));
    return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")}${words.table.last}${texts.at(-1)}`;
  }
  if (typeof value !== "string" && typeof value !== "number") throw new NoSentence(`${value}`);
  return `${value}`;
}

function holds({ value, operator, operand }, data, words) {
  const found = read(value, data, words);
  if (!operator) return Array.isArray(found) ? found.length > 0 : Boolean(found);
  if (operator === "=")
    return operand === "null"
      ? found === null
      : found !== null && `${found}` === `${operand.startsWith(".") ? find(data, operand) : operand}`;
  return operator === "<" ? Number(found) < Number(operand) : Number(found) > Number(operand);
}

function read({ path, filters }, data, words) {
  const found = path.startsWith("@") ? writePart(path.slice(1), data, words) : find(data, path);
  return filters.reduce((value, [name, argument]) => filter(name, argument, value, data, words), found);
}

function writePart(name, data, words) {
  const part = words.table.parts[name];
  if (typeof part === "string") return write(parse(part), data, words);
  return part
    .map((each) => write(parse(each), data, words))
    .filter(Boolean)
    .join(", ");
}

function filter(name, argument, value, data, words) {
  if (name in WHOLE) return WHOLE[name](value, argument);
  if (name === "commas")
    return listOf(value)
      .map((each) => writeValue(each, words))
      .join(", ");
  if (name === "cap") {
    const text = writeValue(value, words);
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  }
  if (Array.isArray(value)) return value.map((each) => filter(name, argument, each, data, words));
  if (name.startsWith("@")) return writePart(name.slice(1), value, words);
  if (value === null) throw new NoSentence(name);
  if (name === "seat" || name === "Seat") return words.names.get(value)?.short ?? writePart(name, value, words);
  if (name === "chariot" || name === "Chariot")
    return words.names.get(`chariot ${value}`)?.short ?? writePart(name, value, words);
  if (name === "name") return words.names.get(value)?.full ?? null;
  if (name === "of") return words.table.tables[argument][value] ?? spaced(writeValue(value, words));
  if (name === "turned") return modulo(numberOf(value) - numberOf(find(data, argument)) + 540, 360) - 180;
  return EACH[name](value, argument);
}

// Follows a path; a name that is missing is null.
function find(data, path) {
  const steps = path.split(".").filter(Boolean);
  return (
    steps.reduce((found, step) => {
      if (Array.isArray(found))
        return /^\d+$/.test(step) ? (found[Number(step)] ?? null) : found.map((each) => find(each, step));
      return found?.[step] ?? null;
    }, data) ?? null
  );
}

function listOf(value) {
  if (!Array.isArray(value)) throw new NoSentence(`${value}`);
  return value;
}

function numberOf(value) {
  if (typeof value !== "number") throw new NoSentence(`${value}`);
  return value;
}

function modulo(value, by) {
  return ((value % by) + by) % by;
}

const WHOLE = {
  count: (value, nouns) => {
    const number = Array.isArray(value) ? value.length : numberOf(value);
    const [one, many = `${one}s`] = nouns.split("/");
    return `${number} ${number === 1 ? one : many}`;
  },
  len: (value) => listOf(value).length,
  sum: (value) => listOf(value).reduce((sum, each) => sum + numberOf(each), 0),
  rest: (value) => listOf(value).slice(1),
  end: (value) => {
    if (listOf(value).length === 0) throw new NoSentence("end");
    return value.at(-1);
  },
  has: (value, element) => listOf(value).some((each) => `${each}` === element),
  once: (value) => [...new Set(listOf(value))],
};

const EACH = {
  spaced: (value) => spaced(`${value}`),
  plus: (value, number) => numberOf(value) + Number(number),
  mod: (value, number) => modulo(numberOf(value), Number(number)),
  abs: (value) => Math.abs(Number(value)),
  signed: (value) => `${value < 0 ? "−" : "+"} ${Math.abs(value)}`,
  cm: (value) => Math.floor((numberOf(value) + 500) / 1_000) / 10,
};
