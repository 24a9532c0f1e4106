// The race that stands in this very page (`spina export --html`): its log as text, and packed beside it its boards, the
// other members of its bundle, and the names and words of its server.

import { answerBy } from "../parts/asking.js";
import { answersOf, json, readLog } from "./file_answers.js";
import { applyPatch } from "../parts/frames.js";
import { formatArchive, formatMember } from "../verify/archive.js";
import { fromText } from "../verify/bytes.js";

const { game, rulesets, names, patches, members } = JSON.parse(await globalThis.unpack("race"));
const bytes = fromText(document.getElementById("log")?.textContent ?? "");
const log = await readLog(bytes);
const boards = [];
for (const patch of patches) boards.push(applyPatch(boards.at(-1) ?? {}, patch));

// A line more or less than the page was written with has no board of its own.
const boardAt = (version) => ({ ...(boards[version - 1] ?? boards.at(-1)), version });
const readBoards = async (from, to) => Array.from({ length: to - from + 1 }, (_, place) => boardAt(from + place));
const ofGame = answersOf({ game, log, readBoards });
const ofPlayer = (address) => {
  const name = names[address.split("/").at(-1)];
  return name === undefined ? json({ detail: "no such name in this file" }, 404) : json({ name });
};

answerBy(
  async (address) => (await ofGame(address)) ?? (address === "/v1/rulesets" ? json(rulesets) : ofPlayer(address)),
);

// The bundle of the race, made again from this page.
export const bundle = new File(
  [
    formatArchive([
      formatMember(),
      { name: "log.ndjson", body: bytes },
      ...members.map(([name, text]) => ({ name, body: fromText(text) })),
    ]),
  ],
  `${game}.spina.zip`,
);
