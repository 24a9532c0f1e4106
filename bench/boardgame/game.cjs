// The smallest game there is: two players add one in turn. The padding makes an update as large as ours.
const PADDING = "x".repeat(600);

exports.tally = {
  name: "tally",
  setup: () => ({ total: 0, padding: PADDING }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    add: ({ G }) => {
      G.total += 1;
    },
  },
};

// Orders come as the first line of standard input.
exports.readOrders = () =>
  new Promise((resolve) => {
    let text = "";
    process.stdin.on("data", (chunk) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)));
    });
    process.stdin.on("end", () => process.exit(0));
  });
