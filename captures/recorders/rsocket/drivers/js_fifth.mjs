// What rsocket-js is made to do in the fifth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import cm from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoute, WellKnownMimeType } = cm;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const MIXED = "message/x.rsocket.composite-metadata.v0";
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata, started) => new Promise((done) => {
  const c = client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(true); },
    onComplete() { done(true); }, onExtension() {} });
  started?.(c);
});

async function ticks_nobody_requested() {
  const c = await connect();
  for (let round = 0; round < 9; round++) {
    await new Promise((done) => {
      let got = 0;
      const s = c.requestStream({ data: bytes("ticks 60 ACME") }, 4, {
        onNext() { if (++got % 4 === 0) setTimeout(() => s.request(4), 450); },  // works on four at a time
        onError() { count("errors"); done(); }, onComplete() { done(); }, onExtension() {} });
    });
    await sleep(300);
  }
  c.close();
  await sleep(200);
}

// Asks for bulletins; one that takes too long ends the whole connection.
async function timeout_ends_the_connection() {
  let client;
  const open = async () => {
    client = await connect();
    for (const s of ["ACME", "INIT", "ZORG"]) { count("streams"); client.requestStream({ data: bytes(`prices 70 ${s}`) }, 0x7fffffff, { onNext() {}, onError() {}, onComplete() {}, onExtension() {} }); }
  };
  await open();
  for (let i = 0; i < 24; i++) {
    const done = await Promise.race([ask(client, `slow ${i % 4 === 3 ? 900 : 40} bulletin ${i}`), sleep(300)]);
    if (done === undefined) { client.close(); await sleep(60); await open(); }
    await sleep(120);
  }
  client.close();
  await sleep(200);
}
const routed = (route) => encodeCompositeMetadata([[WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(route)]]);

async function route_with_placeholder() {
  const c = await connect({ metadataMimeType: MIXED, dataMimeType: "application/json" });
  for (let i = 0; i < 20; i++) {
    await ask(c, JSON.stringify({ id: 17 + (i % 2) }), routed(i % 3 === 2 ? "orders.list" : "orders.{id}"));
    await sleep(110);
  }
  c.close();
  await sleep(200);
}

async function route_with_number() {
  const c = await connect({ metadataMimeType: MIXED, dataMimeType: "application/json" });
  for (let i = 0; i < 20; i++) { await ask(c, JSON.stringify({ id: 17 + (i % 2) }), routed(i % 3 === 2 ? "orders.list" : `orders.${17 + (i % 2)}`)); await sleep(110); }
  c.close();
  await sleep(200);
}

// A handler that computes for long on the only thread, which sends KEEPALIVE as well.
async function handler_blocks_keepalive() {
  for (let life = 0; life < 4; life++) {
    const c = await connect({ keepAlive: 300, lifetime: 1000 });
    let ended; const end = new Promise((d) => (ended = d)); c.onClose(() => ended());
    let n = 0;
    c.requestStream({ data: bytes("rows 0 picture 40") }, 8, {
      onNext() { if (++n === 8) { const till = Date.now() + 1900; while (Date.now() < till); } },
      onError() { ended(); }, onComplete() { ended(); }, onExtension() {} });
    await Promise.race([end, sleep(5000)]);
    count("items", n);
    await sleep(250);
  }
  await sleep(200);
}

async function second_request_is_empty() {
  const c = await connect();
  for (let round = 0; round < 8; round++) {
    const data = bytes(`prices 30 S${round} 6`);
    const run = (d) => new Promise((done) => c.requestStream({ data: d }, 100, { onNext() { count("items"); }, onError() { count("errors"); done(); }, onComplete() { done(); }, onExtension() {} }));
    await run(data);
    await sleep(80);
    await run(data.subarray(data.length));
    await sleep(150);  // the buffer was read to its end by the first
  }
  c.close();
  await sleep(200);
}

async function searches_as_you_type() {
  const c = await connect();
  for (const word of ["umbrella", "bicycle", "lamp"]) {
    let last;
    for (let n = 1; n <= word.length; n++) {
      last?.cancel();
      const answer = ask(c, `slow 250 find ${word.slice(0, n)}`, undefined, (s) => (last = s));
      if (n === word.length) await answer; else await sleep(90 + 13 * n);
    }
    await sleep(400);
  }
  c.close();
  await sleep(200);
}

const plays = {
  ticks_nobody_requested, timeout_ends_the_connection, route_with_placeholder, route_with_number, handler_blocks_keepalive,
  second_request_is_empty, searches_as_you_type,
};
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
