// The browser's reading of each vector, one function a kind. Python's are in python_reader.py.
// An expression: a function of where the modules are and the vectors, so that a page and a plain engine can both call it.

async (modules, vectors) => {
  const load = (name) => import(`${modules}/${name}.js`);
  const { fromBase64, fromHex, fromText, toBase64, toHex } = await load("bytes");
  const { parse } = await load("canonical");
  const { sha256 } = await load("digests");
  const { lineHash, parseLine, checkFirst, checkNext } = await load("line");
  const { Chance, LINKS_PER_CHAIN, commit, deckOrder, deriveAnchor, firstPool, mix } = await load("chance");
  const { hmac, keyed } = await load("digests");
  const { walkDown } = await load("links");
  const { Words, faces, shuffleOrder } = await load("numbers");
  const { Refused } = await load("refused");
  const { sealAction } = await load("seal");
  const { encodeSigned, isSignedBy, signedInput } = await load("signature");
  const { buildLeaf, checkInclusion, leafHash, parseCheckpoint, parseProof } = await load("ledger");
  const { findSigners, parseNote, parseNoteKey } = await load("note");
  const { hasQuorum, parsePolicy } = await load("policy");
  const { parseBundle } = await load("archive");
  const { toText } = await load("bytes");
  const { deriveRecord } = await load("record");

  const plain = (text) => (text === "" ? new Uint8Array() : Uint8Array.from(atob(text), (each) => each.charCodeAt(0)));

  async function open({ game, anchors, contributions }) {
    const chance = await Chance.open(game, anchors);
    for (const { seat, nonce } of contributions) chance.contribute(seat, nonce);
    return chance;
  }

  const KINDS = {
    canonical: (given) => parse(fromHex(given.bytes)),
    line: async (given) => {
      const raw = fromText(given.text);
      const { type, version } = parseLine(raw);
      return { hash: await lineHash(raw), type, version };
    },
    chain: async ({ lines }) => {
      let [before, head] = [null, null];
      for (const raw of lines.map(fromText)) {
        const line = parseLine(raw);
        if (before === null) checkFirst(line);
        else checkNext(line, before, head);
        [before, head] = [line, await lineHash(raw)];
      }
      return head;
    },
    commitment: async ({ game, secret, chains }) => {
      const anchors = [];
      for (let chain = 1; chain <= chains; chain += 1) anchors.push(await deriveAnchor(fromHex(secret), chain));
      return { commit: await commit(game, fromHex(secret)), anchors };
    },
    link: async ({ secret, chain, index }) =>
      walkDown(await hmac(fromHex(secret), fromText(`spina/links/v1/${chain}`)), LINKS_PER_CHAIN - index),
    pool: async ({ game, contributions }) => toHex(await mix(await firstPool(game), contributions)),
    roll: async (given) => {
      await (await open(given)).roll(given.rolled);
      return "fits";
    },
    shuffle: async (given) => {
      const { pool, label, size } = await (await open(given)).shuffle(given.shuffled);
      return deckOrder(fromHex(given.secret), pool, label, size);
    },
    faces: ({ key, dice, sides }) => faces(fromHex(key), dice, sides),
    order: ({ key, size }) => shuffleOrder(fromHex(key), size),
    numbers: async ({ key, below, count }) => {
      const words = new Words(await keyed(fromHex(key)));
      const found = [];
      while (found.length < count) found.push(await words.below(below));
      return toHex(await sha256(fromText(found.join(","))));
    },
    seal: ({ action, ...parts }) => sealAction({ ...parts, action: parse(fromHex(action)) }),
    signature: ({ payload_type, body, key, sig }) => isSignedBy(encodeSigned(payload_type, fromText(body)), key, sig),
    "signed-input": (given) => toText(signedInput(given)),
    leaf: async ({ leaf_key, stream, version, hash }) => toText(await buildLeaf(leaf_key, stream, version, hash)),
    "record-id": ({ ledger }) => deriveRecord(ledger),
    "note-key": async (given) => {
      const { name, kind, id, publicKey } = await parseNoteKey(given.key);
      return { name, kind, id, public: toHex(publicKey) };
    },
    policy: async ({ policy, seen }) => {
      const { logs, witnesses, groups, quorum } = await parsePolicy(policy);
      return { logs: logs.map(({ name }) => name), witnesses: witnesses.map(({ name }) => name), quorum, is_met: hasQuorum({ groups, quorum }, seen) };
    },
    signers: async ({ note, keys }) => {
      const parsed = parseNote(fromText(note));
      const signers = await findSigners(parsed, await Promise.all(keys.map(parseNoteKey)));
      return signers.map(({ key }) => `${key.name}+${key.id}`);
    },
    checkpoint: ({ text }) => {
      const { origin, treeSize, root } = parseCheckpoint(text);
      return { origin, tree_size: String(treeSize), root: toBase64(root) };
    },
    inclusion: async ({ index, tree_size, path, leaf, root }) => {
      await checkInclusion({ index: BigInt(index), treeSize: BigInt(tree_size), path: path.map(plain) }, plain(leaf), plain(root));
      return "included";
    },
    proof: async ({ proof, entry }) => {
      const { index, path, checkpoint } = parseProof(fromText(proof));
      await checkInclusion({ index, treeSize: checkpoint.treeSize, path }, await leafHash(fromHex(entry)), checkpoint.root);
      return { index: String(index), tree_size: String(checkpoint.treeSize) };
    },
    bundle: ({ bundle }) => {
      const members = parseBundle(fromBase64(bundle));
      return { log: toText(members.get("log.ndjson")), has_proof: members.has("last.tlog-proof") };
    },
  };

  const said = [];
  for (const { kind, given } of vectors) {
    try {
      said.push(await KINDS[kind](given));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.push("refused");
    }
  }
  return said;
}
