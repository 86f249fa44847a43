// What rsocket-js 0.0 does in the seventeenth round of the blind test; prints what it counted as JSON.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { items: 0, answers: 0, errors: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const play = process.argv[2];
const one = new core.RSocketClient({
  setup: { keepAlive: 2000, lifetime: 7000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const socket = await new Promise((onComplete, onError) => one.connect().subscribe({ onComplete, onError }));
const ask = (data) => socket.requestResponse({ data: Buffer.from(data) }).subscribe({ onComplete() { counted.answers++; }, onError() { counted.errors++; } });
const stream = (data, first, again) => {
  let own, seen = 0;
  socket.requestStream({ data: Buffer.from(data) }).subscribe({
    onSubscribe(s) { own = s; s.request(first); },
    onNext() { counted.items++; if (again && ++seen % again === 0) own.request(again); }, onComplete() {}, onError() { counted.errors++; } });
  return () => own.cancel();
};
if (play === "frozen") {
  // Ticks come until the server stands still; the client asks on.
  stream("every 400", 200);
  await sleep(1500);
  console.log("freeze");
  for (let n = 0; n < 6; n++) { ask(`price ${n}`); await sleep(3500); }
} else {
  // Ticks of which ten are requested, and ten again or never.
  const cancel = stream("every 300", 10, play === "renewed" ? 10 : 0);
  for (let n = 0; n < 8; n++) {
    ask(`price ${n}`);
    if (play === "enough" && n === 2) cancel();
    await sleep(2000);
  }
  if (play !== "enough") cancel();
  await sleep(100);
  one.close();
  await sleep(200);
}
console.log(JSON.stringify(counted));
process.exit(0);
