// The terms of a tournament out of the form that opens one, as the API takes them, and the fields of a ruleset's options.
// The API names its refusals itself.

import { el } from "../parts/dom.js";
import { tellOption, tellOptionValue } from "../parts/ruleset_words.js";
import { capital } from "../parts/words.js";
import { field, select } from "../parts/field.js";

const FULL_POINTS = 60;

// The first has all, the last nothing, and the others are evenly between.
export function defaultPoints(size) {
  return Array.from({ length: size }, (_, place) => Math.floor((FULL_POINTS * (size - place - 1)) / (size - 1)));
}

export function readTerms(form, options) {
  const { elements } = form;
  const text = (name) => elements[name].value.trim();
  const whole = (name) => Number(text(name));
  const checked = (name) => [...form.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => value);
  const sizes = { min: whole("tables-min"), max: whole("tables-max"), preferred: whole("tables-preferred") };
  return {
    name: text("name").replace(/\s+/g, " "),
    ruleset: text("ruleset"),
    options: Object.fromEntries(options.map(({ name, read }) => [name, read()])),
    format: readFormat(text("format"), whole),
    tables: sizes,
    clock: elements.clock.checked
      ? { per_decision_ms: whole("clock-decision") * 1000, bank_ms: whole("clock-bank") * 60_000 }
      : null,
    delay_s: whole("delay"),
    demands: checked("demand"),
    organisers: Object.fromEntries(
      text("organisers")
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((id) => [id.toLowerCase(), null]),
    ),
    points: Object.fromEntries(
      listSizes(sizes).map((size) => [
        size,
        text(`points-${size}`)
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(Number),
      ]),
    ),
    bye_points: whole("bye"),
    tie_breaks: [1, 2, 3, 4, 5].map((place) => text(`tie-break-${place}`)).filter(Boolean),
    entries_max: whole("entries"),
    check_in_ms: whole("check-in") * 60_000,
    sit_down_ms: whole("sit-down") * 60_000,
  };
}

export function listSizes({ min, max }) {
  return Array.from({ length: Math.max(0, max - min + 1) }, (_, place) => min + place);
}

function readFormat(kind, whole) {
  switch (kind) {
    case "heats":
      return { kind, heats: whole("heats"), finalists: whole("finalists") };
    case "knockout":
      return { kind, survivors: whole("survivors") };
    default:
      return { kind, rounds: whole("rounds") };
  }
}

// One field for each option, made from the schema that the API gives for it. An empty field is left out.
export function buildOptions({ ruleset, options }) {
  const schema = options.$ref ? options.$defs[options.$ref.split("/").at(-1)] : options;
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    buildOption(ruleset, name, property, schema.required?.includes(name)),
  );
}

function buildOption(ruleset, name, property, isRequired = false) {
  const label = capital(tellOption(ruleset, name));
  const input = buildInput(`option-${name}`, property, isRequired && !mayBeNull(property));
  return Object.assign(field(label, input), { option: { name, read: () => readInput(input, property, isRequired) } });
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
