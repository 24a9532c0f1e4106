// A race against the house by the client that @hey-api/openapi-ts generates.

import { entrustAction, openGame, playAction, readGame, readySeat, registerPlayer, takeSeat } from "./generated";
import type { GameShown, PlayActionBody } from "./generated";
import { createClient, createConfig } from "./generated/client";

declare const process: { argv: string[] };

const SALT = "5a".repeat(32);
const [, , baseUrl] = process.argv;

type Candidate = PlayActionBody["action"] | { action: PlayActionBody["action"] };

async function play(): Promise<void> {
  const anyone = createClient(createConfig({ baseUrl }));
  const { data: account } = await registerPlayer({ client: anyone, body: { name: "Ada" }, throwOnError: true });
  const client = createClient(createConfig({ baseUrl, auth: account.token, throwOnError: true }));
  const terms = {
    ruleset: "chariotmaster@1",
    seats: 2,
    options: { laps: 1, equipment: "none" as const, turns_max: 2 },
    offers: [null, { kind: "house" as const, bot: "steady", at_once: true }],
  };
  const { data: opened } = await openGame<true>({ client, body: { command: crypto.randomUUID(), ...terms } });
  const path = { game: opened.game };
  await takeSeat<true>({ client, path, body: { command: crypto.randomUUID(), seat: 0 } });
  await readySeat<true>({ client, path, body: { command: crypto.randomUUID(), seat: 0 } });
  let { data: shown }: { data: GameShown } = await readGame<true>({ client, path });
  while (shown.status === "open" || shown.status === "running") {
    for (const { decision, kind, seat } of shown.owed) {
      const choices = shown.choices[decision];
      if (seat !== 0 || !choices || !("candidates" in choices)) continue;
      const [first] = choices.candidates as Candidate[];
      const action = "action" in first ? first.action : first;
      const body = { command: crypto.randomUUID(), seat: 0, decision, action };
      if (kind === "sealed") await entrustAction<true>({ client, path, body: { ...body, salt: SALT } });
      else await playAction<true>({ client, path, body });
    }
    const query = { min_version: shown.version + 1 };
    const { data: later } = await readGame({ client, path, query, throwOnError: false });
    shown = later ?? shown;
  }
  console.log(shown.status, shown.ranking?.length);
}

play();
