// The fields of a ruleset's options, made from the schema that the API gives for them: a new option has its field by
// itself.

import { el } from "./dom.js";
import { field, select } from "./field.js";
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
export function buildOptions({ ruleset, options }) {
  const schema = findSchema(options);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    buildOption(ruleset, name, property, schema.required?.includes(name)),
  );
}

function buildOption(ruleset, name, property, isRequired = false) {
  const label = capital(tellOption(ruleset, name));
  const input = buildInput(`option-${name}`, property, isRequired && !mayBeNull(property));
  const read = () => readInput(input, property, isRequired);
  const write = (value) => {
    input.value = value ?? property.default ?? "";
  };
  return Object.assign(field(label, input, findNote(ruleset, name)), { option: { name, read, write } });
}

const mayBeNull = ({ anyOf }) => Boolean(anyOf?.some(({ type }) => type === "null"));

function buildInput(name, property, isRequired) {
  if (property.enum)
    return select(
      name,
      property.enum.map((each) => [each, tellOptionValue(each)]),
      property.default,
    );
  if (property.type === "boolean")
    return select(
      name,
      [
        ["false", "no"],
        ["true", "yes"],
      ],
      String(property.default),
    );
  const { type, minimum, maximum, maxLength } = property.anyOf?.find((each) => each.type !== "null") ?? property;
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
