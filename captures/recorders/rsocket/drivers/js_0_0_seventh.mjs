// What rsocket-js 0.0 is made to do in the seventh round of the blind test; prints what it counted.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { answers: 0, errors: 0 };
const play = process.argv[2];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const ask = (socket, data, metadata) => new Promise((done) => socket.requestResponse({ data, metadata })
  .subscribe({ onComplete() { counted.answers++; done(); }, onError() { counted.errors++; done(); } }));
const open = (client) => new Promise((onComplete, onError) => client.connect().subscribe({ onComplete, onError }));
const tcp = (encoders) => new TcpClient({ host: "broker", port: 7000 }, encoders);

// Metadata is an object with a route, written as JSON, whatever MIME type SETUP gives.
async function json(metadataMimeType) {
  const client = new core.RSocketClient({
    serializers: { data: core.JsonSerializer, metadata: core.JsonSerializer },
    setup: { keepAlive: 4000, lifetime: 20000, dataMimeType: "application/json", metadataMimeType },
    transport: tcp(core.Utf8Encoders) });
  const socket = await open(client);
  for (let n = 0; n < 15; n++) {
    await ask(socket, { lat: 45.7 + n, lng: 4.9 }, { route: n % 3 ? "radars.find.nearest" : "radars.list" });
    await sleep(110 + 9 * (n % 4));
  }
  client.close();
  await sleep(200);
}

// The connection of the transport is kept alive by the program as well, beside the library.
async function keepalive_twice() {
  const transport = tcp(core.BufferEncoders);
  const connect = transport.connect.bind(transport);
  transport.connect = () => { const connection = connect(); transport.mine = connection; return connection; };
  const client = new core.RSocketClient({
    setup: { keepAlive: 450, lifetime: 3000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
    transport });
  const socket = await open(client);
  await sleep(30);
  const timer = setInterval(() => (transport.mine ?? transport).sendOne({ data: null, flags: 0x80, lastReceivedPosition: 0, streamId: 0, type: 3 }), 450);
  for (let n = 0; n < 6; n++) { await ask(socket, Buffer.from(`news ${n}`)); await sleep(800); }
  clearInterval(timer);
  client.close();
  await sleep(200);
}

// Requests and KEEPALIVE to a server that is stopped for a while.
async function keepalive_unanswered() {
  const client = new core.RSocketClient({
    setup: { keepAlive: 300, lifetime: 1100, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
    transport: tcp(core.BufferEncoders) });
  const socket = await open(client);
  for (let n = 0; n < 40; n++) {
    const one = ask(socket, Buffer.from(`position ${n}`));
    await Promise.race([one, sleep(200)]);
    await sleep(60);
  }
  client.close();
  await sleep(200);
}

await { json_as_composite: () => json("message/x.rsocket.composite-metadata.v0"), json_metadata: () => json("application/json"), keepalive_twice, keepalive_unanswered }[play]();
console.log(JSON.stringify(counted));
process.exit(0);
