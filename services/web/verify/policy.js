// Trust policies (C2SP tlog-policy): which ledgers and witnesses count. Must agree with domain/ledger/policy_file.py
// and policy.py.

import { toHex } from "./bytes.js";
import { COSIGNATURE, ED25519, parseNoteKey } from "./note.js";
import { Refused, quote } from "./refused.js";
import { splitLines } from "./spelling.js";

const POLICY_SIZE_MAX = 100_000;
const COUNT_MAX = 100;
const NONE = "none";
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
const REFERENCE = /^[a-z0-9-]{1,40}@[1-9][0-9]{0,5}$/;
const HASH = /^[0-9a-f]{64}$/;
const WORD = /^[ \t]*(?:log|witness|group|quorum|ruleset)[ \t]/m;

// What a reader gives: the text of a policy, or keys alone, one a line, of which every witness is asked for.
export async function parseTrust(text) {
  if (WORD.test(text)) return parsePolicy(text.endsWith("\n") ? text : `${text}\n`);
  const keys = [];
  for (const line of text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean))
    keys.push(await parseNoteKey(line));
  const witnesses = keys.filter(({ kind }) => kind === COSIGNATURE).map((key) => ({ name: key.name, key }));
  const members = witnesses.map(({ name }) => name);
  const groups = members.length ? [{ name: "all of them", threshold: members.length, members }] : [];
  return {
    logs: keys.filter(({ kind }) => kind === ED25519),
    witnesses,
    groups,
    quorum: groups[0]?.name ?? NONE,
    rulesets: [],
  };
}

export async function parsePolicy(text) {
  if (text.length > POLICY_SIZE_MAX) throw new Refused(`at most ${POLICY_SIZE_MAX} bytes`, `${text.length}`);
  const control = CONTROL.exec(text);
  if (control) throw new Refused("no control characters but tab and newline", quote(control[0]));
  const policy = { logs: [], witnesses: [], groups: [], quorum: null, rulesets: [] };
  for (const line of splitLines(text)) {
    const items = line.replace(/^[ \t]+|[ \t]+$/g, "").split(/[ \t]+/);
    if (items[0] !== "" && !items[0].startsWith("#")) await readLine(policy, items);
  }
  if (policy.quorum === null) throw new Refused("a quorum line", "none");
  return policy;
}

// Whether these witnesses, by their names in the policy, are as many and the ones that it asks for.
export function hasQuorum({ groups, quorum }, names) {
  const seen = new Set([NONE, ...names]);
  for (const { name, threshold, members } of groups) {
    if (members.filter((each) => seen.has(each)).length >= threshold) seen.add(name);
  }
  return seen.has(quorum);
}

/** @param {string[]} words */
async function readLine(policy, words) {
  const [word, ...items] = words;
  if (word === "log") policy.logs.push(await readKey(items, ED25519, policy.logs));
  else if (word === "witness") {
    const name = define(policy, items[0] ?? "");
    policy.witnesses.push({
      name,
      key: await readKey(
        items.slice(1),
        COSIGNATURE,
        policy.witnesses.map(({ key }) => key),
      ),
    });
  } else if (word === "group") policy.groups.push(readGroup(policy, items));
  else if (word === "quorum") policy.quorum = readQuorum(policy, items);
  else if (word === "ruleset") policy.rulesets.push(readRuleset(policy, items));
  else throw new Refused("log, witness, group, quorum or ruleset", quote(word));
}

async function readKey(items, kind, known) {
  if (items.length < 1 || items.length > 2) throw new Refused("a key and perhaps a URL", quote(items.join(" ")));
  const key = await parseNoteKey(items[0]);
  if (key.kind !== kind) throw new Refused(`a key of kind ${kind}`, `kind ${key.kind}`);
  const isKnown = known.some((each) => toHex(each.publicKey) === toHex(key.publicKey));
  if (isKnown || known.length === COUNT_MAX)
    throw new Refused(`a public key not yet in the policy, of ${COUNT_MAX} at most`, quote(items[0]));
  return key;
}

/** @param {string[]} items */
function readGroup(policy, items) {
  const [name, threshold, ...members] = items;
  if (!members.length || policy.groups.length === COUNT_MAX)
    throw new Refused("a group with a name, a count and members", quote(name ?? ""));
  const [names, taken] = [listNames(policy), new Set(policy.groups.flatMap((group) => group.members))];
  for (const member of members) {
    if (!names.has(member) || taken.has(member))
      throw new Refused("a name defined above and not yet a member", quote(member));
    taken.add(member);
  }
  const count = { any: "1", all: `${members.length}` }[threshold] ?? threshold;
  if (!/^[1-9][0-9]{0,2}$/.test(count) || Number(count) > members.length)
    throw new Refused(`any, all, or 1 to ${members.length}`, quote(threshold));
  return { name: define(policy, name), threshold: Number(count), members };
}

function readQuorum(policy, items) {
  const isKnown = items[0] === NONE || listNames(policy).has(items[0]);
  if (items.length !== 1 || policy.quorum !== null || !isKnown)
    throw new Refused("quorum, once, with a name defined above or none", quote(items.join(" ")));
  return items[0];
}

function readRuleset({ rulesets }, items) {
  const [reference, components] = items;
  const isSpelt = items.length === 2 && REFERENCE.test(reference) && HASH.test(components);
  const isKnown = rulesets.some((each) => each.reference === reference && each.components === components);
  if (!isSpelt || isKnown || rulesets.length === COUNT_MAX)
    throw new Refused(`ruleset <name>@<version> <SHA-256>, once, ${COUNT_MAX} at most`, quote(items.join(" ")));
  return { reference, components };
}

function define(policy, name) {
  if (name === "" || name === NONE || listNames(policy).has(name))
    throw new Refused("a name not yet defined", quote(name));
  return name;
}

function listNames({ witnesses, groups }) {
  return new Set([...witnesses, ...groups].map(({ name }) => name));
}
