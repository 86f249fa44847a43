// What rsocket-js 0.0 is made to do with METADATA_PUSH; prints what it counted as JSON.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { pushed: 0, answers: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const client = new core.RSocketClient({
  setup: { keepAlive: 1000, lifetime: 9000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const socket = await new Promise((onComplete, onError) => client.connect().subscribe({ onComplete, onError }));
for (let n = 0; n < 400; n++) {
  socket.metadataPush({ metadata: Buffer.from(`level ${n}`) }).subscribe({ onComplete() { counted.pushed++; } });
  if (n % 50 === 49) await sleep(40);
}
await new Promise((onComplete, onError) => socket.requestResponse({ data: Buffer.from("price of article 1") }).subscribe({ onComplete, onError }));
counted.answers++;
client.close();
await sleep(300);
console.log(JSON.stringify(counted));
process.exit(0);
