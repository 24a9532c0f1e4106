// The fields of a ruleset's options, made from the schema that the API gives for them: a new option has its field by
// itself.

import { el } from "./dom.js";
import { field, select } from "./field.js";
import { buildCourses } from "./courses.js";
import { buildSeatOptions, isBySeat } from "./seat_options.js";
import { tellOption, tellOptionValue, wordsOf } from "./ruleset_words.js";
import { capital } from "./words.js";

function findSchema(options) {
  return options.$ref ? options.$defs[options.$ref.split("/").at(-1)] : options;
}

// The value of each option that nobody has chosen; none where the server was away.
export function readDefaults(options) {
  const properties = options ? (findSchema(options).properties ?? {}) : {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default]));
}

// One field for each option. An empty field is left out.
export function buildOptions({ ruleset, options, seats_max: seats }) {
  const schema = findSchema(options);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    buildOption(ruleset, name, property, { isRequired: schema.required?.includes(name), seats }),
  );
}

function buildOption(ruleset, name, property, { isRequired = false, seats }) {
  const label = capital(tellOption(ruleset, name));
  const { format } = findType(property);
  if (isBySeat(format)) {
    const row = buildSeatOptions(`option-${name}`, format, seats);
    const { read, write, setSeats } = row;
    return Object.assign(field(label, row, findNote(ruleset, name)), { option: { name, read, write, setSeats } });
  }
  if (isCourse(property)) {
    const list = buildCourses(`option-${name}`, ruleset);
    return Object.assign(field(label, list.element, findNote(ruleset, name)), {
      option: { name, read: list.read, write: list.write },
    });
  }
  const input = buildInput(`option-${name}`, property, isRequired && !mayBeNull(property));
  const read = () => readInput(input, property, isRequired);
  const write = (value) => {
    input.value = value ?? property.default ?? "";
  };
  return Object.assign(field(label, input, findNote(ruleset, name)), { option: { name, read, write } });
}

const findType = (property) => property.anyOf?.find((each) => each.type !== "null") ?? property;

// A name, or an object of the ruleset's own.
const isCourse = ({ anyOf }) => Boolean(anyOf?.some(({ $ref }) => $ref) && anyOf.some(({ type }) => type === "string"));

const mayBeNull = ({ anyOf }) => Boolean(anyOf?.some(({ type }) => type === "null"));

function buildInput(name, property, isRequired) {
  if (property.enum) {
    // An option that a game may be without.
    const without = property.default === undefined && !isRequired ? [["", "as the rulebook has it"]] : [];
    return select(
      name,
      [...without, ...property.enum.map((each) => [each, tellOptionValue(each)])],
      property.default ?? "",
    );
  }
  if (property.type === "boolean")
    return select(
      name,
      [
        ["false", "no"],
        ["true", "yes"],
      ],
      String(property.default),
    );
  const { type, minimum, maximum, maxLength } = findType(property);
  const placeholder = mayBeNull(property) ? "as the components say" : property.default;
  const shared = { name, value: property.default, required: isRequired, placeholder };
  if (type === "string") return el("input", { ...shared, maxlength: maxLength, autocomplete: "off" });
  return el("input", { ...shared, type: "number", min: minimum, max: maximum, inputmode: "numeric" });
}

function readInput(input, property, isRequired) {
  if (property.type === "boolean") return input.value === "true";
  if (input.value === "") return isRequired ? null : undefined;
  return input.type === "number" ? Number(input.value) : input.value;
}

function findNote(ruleset, name) {
  return wordsOf(ruleset).option_notes?.[name] ?? null;
}
