// What rsocket-js 0.0 does in the sixteenth round of the blind test; prints what it counted as JSON.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { items: 0, errors: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const work = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const one = new core.RSocketClient({
  setup: { keepAlive: 2000, lifetime: 60000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const socket = await new Promise((onComplete, onError) => one.connect().subscribe({ onComplete, onError }));
// All of a stream without end is requested; each sample takes 16 ms to draw.
let stream;
const end = Date.now() + 14000;
socket.requestStream({ data: Buffer.from("pump") }).subscribe({
  onSubscribe(s) { stream = s; s.request(0x7fffffff); },
  onNext() { if (Date.now() < end) { counted.items++; work(16); } }, onComplete() {}, onError() { counted.errors++; } });
while (Date.now() < end) await sleep(50);
stream.cancel();
await sleep(100);
one.close();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
