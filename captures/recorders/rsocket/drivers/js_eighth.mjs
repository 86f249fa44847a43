// What rsocket-js is made to do in the eighth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import cm from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoute, WellKnownMimeType } = cm;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 3000, lifetime: 15000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata) => new Promise((done) => {
  client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(true); },
    onComplete() { done(true); }, onExtension() {} });
});

// The pause between two KEEPALIVE is longer than the lifetime: the connection ends in between, and is opened again.
async function alive(keepAlive, lifetime, seconds) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const c = await connect({ keepAlive, lifetime });
    let over = false;
    c.onClose(() => { over = true; count("closed"); });
    const one = c.requestStream({ data: bytes("400 50") }, 0x7fffffff, { onNext() { count("items"); }, onError() { count("errors"); }, onComplete() {}, onExtension() {} });
    while (!over && Date.now() < end) await sleep(60);
    if (!over) { one.cancel(); c.close(); }
    await sleep(350);
  }
}

// Requests whose metadata is there and has no bytes, or has a route.
async function routed(empty) {
  const c = await connect({ metadataMimeType: "message/x.rsocket.composite-metadata.v0", dataMimeType: "application/json" });
  for (let i = 0; i < 14; i++) {
    const route = i % 3 ? "subscribe.user" : "find.user";
    const metadata = empty && i % 7 !== 6 ? Buffer.alloc(0) : encodeCompositeMetadata([[WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(route)]]);
    if (i % 3 === 0) await ask(c, `rows 3 ${i}`, metadata);
    else await new Promise((done) => c.requestStream({ data: bytes(`rows 6 user-${i}`), metadata }, 32, { onNext(p, last) { count("items"); if (last) done(); }, onError() { count("errors"); done(); }, onComplete() { done(); }, onExtension() {} }));
    await sleep(130 + 17 * (i % 4));
  }
  c.close();
  await sleep(200);
}

// Channels of samples, as many at a time as the server asks for; the last sample ends its side.
async function channels_of_samples() {
  const c = await connect();
  for (let run = 0; run < 6; run++) {
    await new Promise((done) => {
      let sent = 0, left = 0, received = 0;
      const total = 5 + run;
      const feed = () => { while (left > 0 && sent < total) { left--; sent++; setTimeout((n) => channel.onNext({ data: bytes(`sample ${n} of run ${run}`) }, n === total), 15, sent); } };
      const channel = c.requestChannel({ data: bytes(`sample 0 of run ${run}`) }, 64, false, {
        onNext(p, last) { count("items"); received++; if (last) done(); }, onError() { count("errors"); done(); }, onComplete() { done(); }, onExtension() {},
        request(n) { left += n; feed(); }, cancel() { done(); } });
    });
    await ask(c, `total of run ${run}`);
    await sleep(150);
  }
  c.close();
  await sleep(200);
}

const plays = { channels_of_samples, keepalive_after_lifetime: () => alive(4000, 1300, 9), keepalive_within_lifetime: () => alive(600, 1500, 7), empty_metadata: () => routed(true), route_in_metadata: () => routed(false) };
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
