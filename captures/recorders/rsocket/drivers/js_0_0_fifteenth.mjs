// What rsocket-js 0.0 does in the fifteenth round of the blind test; prints what it counted as JSON.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { answers: 0, errors: 0, broken: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
process.on("uncaughtException", (e) => { counted.thrown = String(e.message).slice(0, 80); });
const client = (metadataMimeType, keepAlive, lifetime) => new core.RSocketClient({
  setup: { keepAlive, lifetime, dataMimeType: "application/json", metadataMimeType },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const open = (one) => new Promise((onComplete, onError) => one.connect().subscribe({ onComplete, onError }));
const ask = (socket, data, metadata) => Promise.race([sleep(1500), new Promise((done) => socket.requestResponse({ data: Buffer.from(data), metadata })
  .subscribe({ onComplete(p) { counted.answers++; done(p.data); }, onError() { counted.errors++; done(); } }))]);

// Requests whose metadata is the name of a route as text, though SETUP says that it is routing metadata.
async function route() {
  const one = client("message/x.rsocket.routing.v0", 10000, 60000);
  const socket = await open(one);
  for (let n = 0; n < 8; n++) { await ask(socket, JSON.stringify(n), Buffer.from(`find.account.${n}.of.customer`)); await sleep(250); }
  one.close();
}

// Pages of 15 kB, which come in fragments, and short ones.
async function pages() {
  const one = client("text/plain", 800, 8000);
  const socket = await open(one);
  for (let n = 0; n < 9; n++) {
    const text = await ask(socket, n % 3 === 2 ? `page ${n} short` : `page ${n}`);
    try { JSON.parse(text.toString()); } catch { counted.broken++; }
    await sleep(200);
  }
  one.close();
}

// A stream of words that stops, and that is given up after eight seconds.
async function words() {
  const one = client("text/plain", 1000, 10000);
  const socket = await open(one);
  let stream;
  socket.requestStream({ data: Buffer.from("words") }).subscribe({
    onSubscribe(s) { stream = s; s.request(100); }, onNext() { counted.answers++; }, onComplete() {}, onError() { counted.errors++; } });
  await sleep(8000);
  stream.cancel();
  await ask(socket, "meaning of words");
  one.close();
}

await { route, pages, words }[process.argv[2]]();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
