// What rsocket-js 0.0.27 is made to do in the fifth round of the blind test; prints what it counted.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { answers: 0, errors: 0 };
const ENCODING = { json_in_utf16: "utf16le", json_of_many_scripts: "utf8" }[process.argv[2]];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const client = new core.RSocketClient({
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "application/json", metadataMimeType: "text/plain" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders) });
const socket = await new Promise((onComplete, onError) => client.connect().subscribe({ onComplete, onError }));
const names = ["Łódź", "Zürich", "München", "Malmö", "Αθήνα", "東京", "São Paulo", "Köln 🏛"];
for (let n = 0; n < 16; n++) {
  await new Promise((done) => socket.requestResponse({ data: Buffer.from(JSON.stringify({ city: names[n % 8], number: n }), ENCODING), metadata: Buffer.from("store city") })
    .subscribe({ onComplete() { counted.answers++; done(); }, onError() { counted.errors++; done(); } }));
  await sleep(120);
}
client.close();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
