// The ledger's proofs of a game, judged by the keys that the reader gave, never by those in the bundle.

import { broken, held, unchecked } from "./findings.js";
import { buildLeaf, checkInclusion, leafHash, parseProof } from "./ledger.js";
import { COSIGNATURE, ED25519, findSigners, isSameKey } from "./note.js";
import { Refused } from "./refused.js";
import { knowsEd25519 } from "./signature.js";

const NO_PROOF = unchecked("the bundle has no proof that the ledger has its last line");
const NO_KEY = unchecked("no key of a ledger was given to judge the checkpoint by");

// That the last line is where the proof says, which covers every line before; who signed the root is another question.
export async function checkLastLine({ proof, last, opened, game }) {
  if (!proof) return NO_PROOF;
  if (!opened) return unchecked("the line with the leaf key cannot be read");
  return judged(last.place, async () => {
    const found = parseProof(proof);
    const leaf = await leafHash(await buildLeaf(opened.leaf_key, game, last.place, last.hash));
    await checkInclusion({ index: found.index, treeSize: found.checkpoint.treeSize, path: found.path }, leaf, found.checkpoint.root);
    return held(`index ${found.index} of ${found.checkpoint.treeSize}`);
  });
}

// That a ledger whose key was given has signed the checkpoint over it, and every witness whose key was given has seen it.
export async function checkSigners({ proof, keys }) {
  const both = (result) => ({ checkpoint: result, witnesses: result });
  if (!proof) return both(NO_PROOF);
  if (keys.length === 0) return both(NO_KEY);
  if (!(await knowsEd25519())) return both(unchecked("this browser does not know Ed25519"));
  let found;
  try {
    found = parseProof(proof);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return both(unchecked(`last.tlog-proof cannot be read: ${error.message}`));
  }
  // A log's key speaks for the log of its own name alone, also where it signed others.
  const logs = keys.filter((key) => key.kind === ED25519 && key.name === found.checkpoint.origin);
  const witnesses = keys.filter((key) => key.kind === COSIGNATURE);
  try {
    const signers = await findSigners(found.note, [...logs, ...witnesses]);
    return { checkpoint: judgeLog(keys, logs, signers), witnesses: judgeWitnesses(witnesses, signers) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return both(broken(null, error.expected, error.found));
  }
}

function judgeLog(keys, logs, signers) {
  const log = signers.find(({ key }) => logs.some((each) => isSameKey(each, key)))?.key;
  if (log) return held(`${log.name}+${log.id}`);
  const names = keys.filter((key) => key.kind === ED25519).map((key) => key.name).join(" or ");
  return broken(null, `a checkpoint signed by ${names || "a ledger"}`, "none by a key of it");
}

function judgeWitnesses(witnesses, signers) {
  if (witnesses.length === 0) return held("you asked for none");
  const missing = witnesses.filter((each) => !signers.some(({ key }) => isSameKey(each, key)));
  const named = (keys) => keys.map((each) => each.name).join(", ");
  if (missing.length) return broken(null, `cosignatures of ${named(witnesses)}`, `none of ${named(missing)}`);
  return held(`cosignatures: ${named(witnesses)}`);
}

async function judged(place, check) {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return broken(place, error.expected, error.found);
  }
}
