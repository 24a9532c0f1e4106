// The ledger's proofs of a game, judged by the keys that the reader gave, never by those in the bundle.

import { broken, held, unchecked } from "./findings.js";
import { buildLeaf, checkInclusion, leafHash, parseProof } from "./ledger.js";
import { findSigners, isSameKey } from "./note.js";
import { hasQuorum } from "./policy.js";
import { Refused } from "./refused.js";
import { knowsEd25519 } from "./signature.js";

const NO_PROOF = unchecked("the bundle has no proof that the ledger has its last line");
const NO_KEY = unchecked("no key of a ledger was given to judge the checkpoint by");

// That the last line is where the proof states, which covers every line before, by any signer of the root.
export async function checkLastLine({ proof, last, opened, game }) {
  if (!proof) return NO_PROOF;
  if (!last) return unchecked("the log has no line");
  if (!opened) return unchecked("the line with the leaf key cannot be read");
  return judged(last.place, async () => {
    const found = parseProof(proof);
    const leaf = await leafHash(await buildLeaf(opened.leaf_key, game, last.place, last.hash));
    await checkInclusion(
      { index: found.index, treeSize: found.checkpoint.treeSize, path: found.path },
      leaf,
      found.checkpoint.root,
    );
    return held(`index ${found.index} of ${found.checkpoint.treeSize}`);
  });
}

// That a ledger of the policy, the one that the first line names, has signed the checkpoint over it, and as many
// witnesses have seen it as the policy asks for; beside the two results `vouching`, as verdict.js takes it.
export async function checkSigners({ proof, policy, opened }) {
  const unjudged = policy === null ? "key" : "proof";
  /** @type {(result: Verdict, missing?: string | null) => any} */
  const both = (result, missing = unjudged) => ({
    checkpoint: result,
    witnesses: result,
    vouching: { log: null, witnesses: [], missing },
  });
  if (!proof) return both(NO_PROOF);
  if (policy === null) return both(NO_KEY);
  // No party's word is missing: the browser cannot judge it.
  if (!(await knowsEd25519())) return both(unchecked("this browser does not know Ed25519"), null);
  let found;
  try {
    found = parseProof(proof);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return both(unchecked(`last.tlog-proof cannot be read: ${error.message}`));
  }
  // A log's key speaks for the log of its own name alone, also where it signed others.
  const logs = policy.logs.filter((key) => key.name === found.checkpoint.origin);
  try {
    const signers = await findSigners(found.note, [...logs, ...policy.witnesses.map(({ key }) => key)]);
    const log = signers.find(({ key }) => logs.some((each) => isSameKey(each, key)))?.key;
    const names = policy.witnesses
      .filter((each) => signers.some(({ key }) => isSameKey(each.key, key)))
      .map(({ name }) => name);
    const lacking = !log ? "ledger" : !hasQuorum(policy, names) ? "quorum" : names.length ? null : "witness";
    return {
      checkpoint: judgeLog(policy, log, opened),
      witnesses: judgeWitnesses(policy, names),
      vouching: { log: log?.name ?? null, witnesses: names, missing: lacking },
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return both(broken(null, error.expected, error.found));
  }
}

function judgeLog(policy, log, opened) {
  if (!log)
    return broken(
      null,
      `a checkpoint signed by ${policy.logs.map((key) => key.name).join(" or ") || "a ledger"}`,
      "none by a key of it",
    );
  if (opened && opened.ledger !== log.name)
    return broken(1, `a checkpoint of ${opened.ledger}, as the first line names its ledger`, log.name);
  return held(`${log.name}+${log.id}`);
}

function judgeWitnesses(policy, names) {
  const seen = names.join(", ") || "none";
  return hasQuorum(policy, names)
    ? held(`cosignatures: ${seen}`)
    : broken(null, `the quorum ${policy.quorum}`, `cosignatures of ${seen}`);
}

async function judged(place, check) {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return broken(place, error.expected, error.found);
  }
}
