// The options of a ruleset as fields, made from the schema that the API gives for each.

import { field, select } from "./field.js";
import { el } from "../dom.js";
import { tellOption, tellOptionValue } from "../ruleset_words.js";
import { capital } from "../words.js";

export function buildOptions({ ruleset, options }) {
  const schema = options.$ref ? options.$defs[options.$ref.split("/").at(-1)] : options;
  return Object.entries(schema.properties ?? {}).map(([name, property]) => buildOption(ruleset, name, property));
}

function buildOption(ruleset, name, property) {
  const label = capital(tellOption(ruleset, name));
  const input = buildInput(`option-${name}`, property);
  return Object.assign(field(label, input), { option: { name, read: () => readInput(input, property) } });
}

function buildInput(name, property) {
  if (property.enum) return select(name, property.enum.map((each) => [each, tellOptionValue(each)]), property.default);
  if (property.type === "boolean") return select(name, [["false", "no"], ["true", "yes"]], String(property.default));
  const numeric = property.anyOf?.find(({ type }) => type === "integer") ?? property;
  const mayBeNull = Boolean(property.anyOf);
  return el("input", { type: "number", name, min: numeric.minimum, max: numeric.maximum, value: property.default, required: !mayBeNull, placeholder: mayBeNull ? "as the components say" : null, inputmode: "numeric" });
}

function readInput(input, property) {
  if (property.type === "boolean") return input.value === "true";
  if (property.enum) return input.value;
  return input.value === "" ? null : Number(input.value);
}
