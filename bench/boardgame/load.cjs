// Plays matches of the smallest game at once; a move is sent when the mover of the last one has seen its update. The
// server tells of a move before it stores it, and has the next one of the same match wait until it is stored.
const { io } = require("socket.io-client");
const { readOrders } = require("./game.cjs");

const WARM_UP_MOVES = 100;
// A seat whose player is still being stored as connected loses the next one who joins.
const JOIN_PAUSE_MS = 50;
// What it refuses it does not answer.
const MOVE_TIMEOUT_MS = 5_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`);
  return answer.json();
}

function connect(url, match, player, credentials) {
  return new Promise((resolve) => {
    const socket = io(`${url}/tally`, { transports: ["websocket"], forceNew: true });
    const seat = { socket, player, credentials, awaited: 0, reached: null };
    socket.on("connect", () => socket.emit("sync", match, player, credentials, 2));
    socket.on("sync", () => resolve(seat));
    // The update of the other seat's last move may come only now, over this seat's own line: no answer to this one.
    socket.on("update", (_, state) => {
      if (state._stateID >= seat.awaited) seat.reached?.();
    });
  });
}

async function openMatch(url) {
  const { matchID } = await post(`${url}/games/tally/create`, { numPlayers: 2 });
  const seats = [];
  for (const player of ["0", "1"]) {
    const joined = await post(`${url}/games/tally/${matchID}/join`, { playerID: player, playerName: `p${player}` });
    seats.push([player, joined.playerCredentials]);
    await pause(JOIN_PAUSE_MS);
  }
  const connected = [];
  for (const [player, credentials] of seats) {
    connected.push(await connect(url, matchID, player, credentials));
    await pause(JOIN_PAUSE_MS);
  }
  return { matchID, seats: connected };
}

function giveUp() {
  process.stdout.write(JSON.stringify({ elapsed_s: 0, latencies_s: [] }) + "\n", () => process.exit(0));
}

async function play({ matchID, seats }, moves, first = 0) {
  const latencies = [];
  for (let number = first; number < first + moves; number += 1) {
    const mover = seats[number % 2];
    const before = process.hrtime.bigint();
    await new Promise((resolve) => {
      const late = setTimeout(giveUp, MOVE_TIMEOUT_MS);
      mover.awaited = number + 1;
      mover.reached = () => {
        clearTimeout(late);
        resolve();
      };
      const payload = { type: "add", args: [], playerID: mover.player, credentials: mover.credentials };
      mover.socket.emit("update", { type: "MAKE_MOVE", payload }, number, matchID, mover.player);
    });
    latencies.push(Number(process.hrtime.bigint() - before) / 1e9);
  }
  return latencies;
}

(async () => {
  const { port, games, commands } = await readOrders();
  const url = `http://localhost:${port}`;
  await play(await openMatch(url), WARM_UP_MOVES);
  const matches = [];
  for (let number = 0; number < games; number += 1) matches.push(await openMatch(url));
  const started = process.hrtime.bigint();
  const latencies_s = await Promise.all(matches.map((match) => play(match, commands)));
  const elapsed_s = Number(process.hrtime.bigint() - started) / 1e9;
  process.stdout.write(JSON.stringify({ elapsed_s, latencies_s }) + "\n", () => process.exit(0));
})();
