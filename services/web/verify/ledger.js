// That a line is in a ledger: its leaf, the path to the root, and the checkpoint in a proof file (C2SP tlog-proof).
// Must agree with domain/ledger/leaf.py, inclusion.py, checkpoint.py and proof.py. A proof is not believed by itself.

import { areSame, fromBase64, fromHex, fromText, joined, toBase64, toHex } from "./bytes.js";
import { hmac, sha256 } from "./digests.js";
import { NOTE_SIZE_MAX, parseNote } from "./note.js";
import { Refused, quote } from "./refused.js";
import { HASH_SIZE, decodeText, parseHash, parseNumber, splitLines } from "./spelling.js";

const PROOF_SIZE_MAX = NOTE_SIZE_MAX + 100_000;
const CHECKPOINT_SIZE_MAX = 10_000;
const PATH_LENGTH_MAX = 63;
const FIRST_LINE = "c2sp.org/tlog-proof@v1";
const EMPTY_ROOT = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

// The text by which the ledger knows a line; only who has the leaf key can describe which.
export async function buildLeaf(leafKey, stream, version, hash) {
  return fromText(`${stream} ${version} ${toHex(await hmac(fromHex(leafKey), fromHex(hash)))}\n`);
}

export async function leafHash(entry) {
  return sha256(joined(Uint8Array.of(0), entry));
}

export function parseCheckpoint(text) {
  decodeText(fromText(text), CHECKPOINT_SIZE_MAX);
  const lines = splitLines(text);
  if (lines.length < 3 || lines.includes(""))
    throw new Refused("origin, tree size, root, and no empty line", quote(text));
  const checkpoint = { origin: lines[0], treeSize: parseNumber(lines[1]), root: parseHash(lines[2]) };
  if (checkpoint.treeSize === 0n && lines[2] !== EMPTY_ROOT)
    throw new Refused(`${EMPTY_ROOT}, the root of the empty tree`, lines[2]);
  return checkpoint;
}

export function parseProof(bytes) {
  const text = decodeText(bytes, PROOF_SIZE_MAX);
  const place = text.indexOf("\n\n");
  const [first, ...lines] = (place < 0 ? text : text.slice(0, place)).split("\n");
  if (first !== FIRST_LINE) throw new Refused(FIRST_LINE, quote(first));
  // Further bytes by its author, which are not signed.
  if (lines[0]?.startsWith("extra ")) fromBase64((lines.shift() ?? "").slice("extra ".length));
  if (!lines[0]?.startsWith("index ")) throw new Refused("a line that begins with index", quote(lines[0] ?? ""));
  const index = parseNumber((lines.shift() ?? "").slice("index ".length));
  if (lines.length > PATH_LENGTH_MAX) throw new Refused(`at most ${PATH_LENGTH_MAX} hashes`, String(lines.length));
  const path = lines.map(parseHash);
  const note = parseNote(fromText(place < 0 ? "" : text.slice(place + 2)));
  return { index, path, note, checkpoint: parseCheckpoint(note.text) };
}

// Whether the leaf with this hash stands at the index of the tree with this root, or throws Refused.
export async function checkInclusion({ index, treeSize, path }, leaf, root) {
  const odd = [leaf, root, ...path].find((each) => each.length !== HASH_SIZE);
  if (odd) throw new Refused(`hashes of ${HASH_SIZE} bytes`, `one of ${odd.length}`);
  if (index < 0n || index >= treeSize)
    throw new Refused(`an index from 0 up to ${treeSize}, without it`, String(index));
  const found = await climb({ index, treeSize, path }, leaf);
  if (!areSame(found, root)) throw new Refused(`root ${toBase64(root)}`, toBase64(found));
}

async function climb({ index, treeSize, path }, leaf) {
  // The place of the node at its level, and that of the last node there.
  let [place, last, found] = [index, treeSize - 1n, leaf];
  for (const sibling of path) {
    if (last === 0n) throw new Refused("the end of the path at the root", "a further hash");
    if (place & 1n || place === last) {
      found = await nodeHash(sibling, found);
      // A last node without a neighbour moves up unchanged until it is a right child.
      while (!(place & 1n) && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else {
      found = await nodeHash(found, sibling);
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (last !== 0n) throw new Refused("a path up to the root", `one of ${path.length} hashes`);
  return found;
}

function nodeHash(left, right) {
  return sha256(joined(Uint8Array.of(1), left, right));
}
