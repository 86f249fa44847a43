// What rsocket-js 0.0 is made to do with stream ids and METADATA_PUSH; prints what it counted as JSON.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { answers: 0, errors: 0, pushed: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
process.on("uncaughtException", (e) => { counted.thrown = String(e.message).slice(0, 80); });
const one = new core.RSocketClient({
  setup: { keepAlive: 1000, lifetime: 3000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const open = () => new Promise((onComplete, onError) => one.connect().subscribe({ onComplete, onError }));
const ask = (socket, data) => Promise.race([sleep(1500), new Promise((done) => socket.requestResponse({ data: Buffer.from(data) })
  .subscribe({ onComplete() { counted.answers++; done(); }, onError() { counted.errors++; done(); } }))]);

// A client that has sent two thousand million requests before.
async function last_id(first) {
  const socket = await open();
  socket._machine._nextStreamId = first;
  for (let n = 0; n < 6; n++) { await ask(socket, `price of article ${n}`); await sleep(50); }
}

// Pushes, some at once.
async function pushes(number, at_once) {
  const socket = await open();
  for (let n = 0; n < number; n++) {
    socket.metadataPush({ metadata: Buffer.from(`level ${n}`) }).subscribe({ onComplete() { counted.pushed++; } });
    if (n % at_once === at_once - 1) await sleep(40);
  }
  await ask(socket, "price of article 1");
}

// Asks over one connection, which is given up while the server hangs.
async function stays() {
  const socket = await open();
  for (let n = 0; n < 45; n++) { await ask(socket, `price of article ${n}`); await sleep(350); }
}

await { last_id: () => last_id(0x7ffffff9), ids: () => last_id(0x7ffffff0), pushes: () => pushes(400, 50), pushes_slowly: () => pushes(400, 10), stays }[process.argv[2]]();
await sleep(300);
console.log(JSON.stringify(counted));
process.exit(0);
