// Verifies beside the page, so that the page stays quick: the lines of a game as they come, or a bundle. One thing at a time.
//
// in    { kind: "lines", lines }                      the next lines of one game, as objects
//       { kind: "bundle", file, keys }                a whole file, and the keys that the reader trusts
// out   { kind: "draws", draws }                      what is to be told of rolls and shuffles
//       { kind: "report", report }                    how every check stands
//       { kind: "progress", done, total }             how many lines of a bundle are checked
//       { kind: "refused", expected, found }          the file is no bundle, or a key is none

import { Audit } from "./audit.js";
import { verifyBundle } from "./bundle.js";
import { fromText } from "./bytes.js";
import { spell } from "./canonical.js";
import { Refused } from "./refused.js";

const audit = new Audit();
let last = Promise.resolve();

addEventListener("message", ({ data }) => {
  last = last.then(() => (data.kind === "lines" ? follow(data) : judge(data)));
});

async function follow({ lines }) {
  for (const line of lines) tellDraws(await audit.add(bytesOf(line)));
  postMessage({ kind: "report", report: await audit.report() });
}

async function judge({ file, keys }) {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const onProgress = (done, total) => postMessage({ kind: "progress", done, total });
    postMessage({ kind: "report", report: await verifyBundle(bytes, { keys, onDraws: tellDraws, onProgress }) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    postMessage({ kind: "refused", expected: error.expected, found: error.found });
  }
}

// A line has one spelling, so what the page shows and what is hashed are the same; a value without one is refused as it stands.
function bytesOf(line) {
  try {
    return fromText(spell(line));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return fromText(JSON.stringify(line));
  }
}

function tellDraws(draws) {
  if (draws.length) postMessage({ kind: "draws", draws });
}
