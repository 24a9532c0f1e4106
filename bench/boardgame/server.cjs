// boardgame.io with its Postgres store, set up as its documentation says; it ends with its standard input.
process.env.NODE_ENV = "production";
const { Server, Origins } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { tally, readOrders } = require("./game.cjs");

// Its own messages would be taken for answers.
console.log = console.error;

(async () => {
  const { database_url } = await readOrders();
  // Its store says every statement aloud unless told not to.
  const db = new PostgresStore(database_url, { logging: false });
  const running = await Server({ games: [tally], db, origins: [Origins.LOCALHOST] }).run({ port: 0 });
  process.stdout.write(JSON.stringify({ port: running.appServer.address().port }) + "\n");
})();
