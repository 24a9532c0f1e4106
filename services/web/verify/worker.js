// Verifies beside the page, so that the page stays quick: the lines of a game as they come, or a bundle. One thing at a
// time.
//
// in    { kind: "lines", lines }                      the next lines of one game, as objects
//       { kind: "bundle", id, file, keys }            a whole file, and the keys that the reader trusts; drops the one
// before out   { kind: "draws", draws }                      reports on rolls and shuffles
//       { kind: "report", report }                    how every check stands
//       { kind: "progress", done, total }             how many lines of a bundle are checked
//       { kind: "refused", verdict, expected, found } no bundle, too dear or of another format, or a key is none
//       { kind: "tournament", games }                 the file is a tournament's: its games, each with a report or a
// refusal
//
// A message about a bundle has its id, so that it is not taken for that of another.

import { UnknownFormat } from "./archive.js";
import { Audit } from "./audit.js";
import { verifyBundle } from "./bundle.js";
import { fromText } from "./bytes.js";
import { spell } from "./canonical.js";
import { Refused } from "./refused.js";
import { TooDear } from "./time_limit.js";
import { listGames } from "./tournament_file.js";

class Unwanted extends Error {}

const audit = new Audit();
let last = Promise.resolve();
let newest = null;

addEventListener("message", ({ data }) => {
  if (data.kind === "bundle") newest = data.id;
  last = last.then(() => (data.kind === "lines" ? follow(data) : judge(data)));
});

async function follow({ lines }) {
  const draws = [];
  for (const line of lines) draws.push(...(await audit.add(bytesOf(line))));
  tellDraws({}, draws);
  postMessage({ kind: "report", report: await audit.report() });
}

async function judge({ id, file, keys }) {
  const onProgress = async (done, total) => {
    postMessage({ kind: "progress", id, done, total });
    // Lets in the message that asks for another bundle.
    await new Promise((resolve) => setTimeout(resolve));
    if (id !== newest) throw new Unwanted();
  };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const games = listGames(bytes);
    if (games !== null) {
      postMessage({ kind: "tournament", id, games: await judgeGames(games, { keys, onProgress }) });
      return;
    }
    const report = await verifyBundle(bytes, { keys, onDraws: (draws) => tellDraws({ id }, draws), onProgress });
    postMessage({ kind: "report", id, report });
  } catch (error) {
    if (error instanceof Refused) postMessage({ kind: "refused", id, ...tellRefused(error) });
    else if (!(error instanceof Unwanted)) throw error;
  }
}

// One refused game states nothing of the others.
async function judgeGames(games, { keys, onProgress }) {
  const judged = [];
  for (const { game, body } of games) {
    await onProgress(judged.length, games.length);
    judged.push({
      game,
      ...(await judgeGame(body, { keys, onProgress: () => onProgress(judged.length, games.length) })),
    });
  }
  return judged;
}

async function judgeGame(body, { keys, onProgress }) {
  try {
    return { report: await verifyBundle(body, { keys, onDraws: () => {}, onProgress }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: tellRefused(error) };
  }
}

function tellRefused(error) {
  return {
    verdict: error instanceof TooDear ? "exhausting" : error instanceof UnknownFormat ? "newer" : "unreadable",
    expected: error.expected,
    found: error.found,
  };
}

// A line has one spelling, so the page shows the hashed value; a value without one is refused as it stands.
function bytesOf(line) {
  try {
    return fromText(spell(line));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return fromText(JSON.stringify(line));
  }
}

function tellDraws(of, draws) {
  if (draws.length) postMessage({ kind: "draws", ...of, draws });
}
