// What rsocket-js is made to do in the seventh round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import cm from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoutes, encodeRoute, WellKnownMimeType } = cm;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const MIXED = "message/x.rsocket.composite-metadata.v0";
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 4000, lifetime: 20000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata) => new Promise((done) => {
  client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(true); },
    onComplete() { done(true); }, onExtension() {} });
});
const listen = (done, next) => ({ onNext(p, last) { count("items"); next?.(); if (last) done(); }, onError() { count("errors"); done(); }, onComplete() { done(); }, onExtension() {} });

// The route stands in its entry as text, without the byte of its length; now and then a right one.
async function route_without_length() {
  const c = await connect({ metadataMimeType: MIXED, dataMimeType: "application/json" });
  for (let i = 0; i < 17; i++) {
    const tag = bytes(i % 2 ? "invoices.find.all" : "invoices.count");
    await ask(c, JSON.stringify({ page: i }), encodeCompositeMetadata([[WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, i % 6 === 5 ? encodeRoute(tag.toString()) : tag]]));
    await sleep(95 + 11 * (i % 5));
  }
  c.close();
  await sleep(200);
}

async function route_with_tags() {
  const c = await connect({ metadataMimeType: MIXED, dataMimeType: "application/json" });
  for (let i = 0; i < 17; i++) {
    await ask(c, JSON.stringify({ page: i }), encodeCompositeMetadata([
      ["application/vnd.tenant", bytes("tenant-7")],
      [WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, i % 4 ? encodeRoutes("invoices.find.all", "beta", "eu-west") : encodeRoute("invoices.count")]]));
    await sleep(95 + 11 * (i % 5));
  }
  c.close();
  await sleep(200);
}

// Asks for everything there is, and then for everything again after each page.
async function demand_overflows() {
  const c = await connect();
  const all = 0x7fffffff;
  const streams = ["ACME", "INIT", "ZORG"].map((s) => new Promise((done) => {
    let n = 0;
    const one = c.requestStream({ data: bytes(`rows 90 ${s}`) }, all, listen(done, () => { if (++n % 20 === 0) one.request(all); }));
  }));
  await Promise.all(streams);
  for (let i = 0; i < 5; i++) { await ask(c, `summary ${i}`); await sleep(90); }
  for (let r = 0; r < 4; r++) {
    await new Promise((done) => { let n = 0; const one = c.requestStream({ data: bytes(`ticks 40 T${r}`) }, all, listen(done, () => { n++; if (n === 6 || n === 12) one.request(all); if (n === 18) { one.cancel(); done(); } })); });
    await sleep(120);
  }
  c.close();
  await sleep(200);
}

async function demand_topped_up() {
  const c = await connect();
  const streams = ["ACME", "INIT", "ZORG"].map((s) => new Promise((done) => {
    let n = 0;
    const one = c.requestStream({ data: bytes(`rows 90 ${s}`) }, 32, listen(done, () => { if (++n % 16 === 0 && n < 80) one.request(16); }));
  }));
  await Promise.all(streams);
  for (let i = 0; i < 5; i++) { await ask(c, `summary ${i}`); await sleep(90); }
  await new Promise((done) => { let n = 0; const one = c.requestStream({ data: bytes("ticks 40 T") }, 0x7fffffff, listen(done, () => { if (++n === 30) { one.cancel(); done(); } })); });
  c.close();
  await sleep(200);
}

// Works for its own server by hand, which sends KEEPALIVE as well.
async function server_keeps_alive_too() {
  const c = await connect({ keepAlive: 400, lifetime: 2500 });
  for (let i = 0; i < 14; i++) { await ask(c, `meter ${i}`); await sleep(260); }
  c.close();
  await sleep(200);
}

// Short pauses, which are kept.
async function keepalive_often() {
  const c = await connect({ keepAlive: 100, lifetime: 4000 });
  for (let i = 0; i < 25; i++) { await ask(c, `meter ${i}`); await sleep(150); }
  c.close();
  await sleep(200);
}

// A refused SETUP: the program takes a new token.
async function new_token_after_rejection() {
  for (const token of ["token 2026-10", "token 2026-12"]) {
    const c = await connect({ payload: { data: bytes(token) } });
    let over = false;
    c.onClose(() => (over = true));
    await sleep(250);
    for (let i = 0; i < 8 && !over; i++) { await ask(c, `account ${i}`); await sleep(120); }
    if (!over) c.close();
    await sleep(200);
  }
}

const plays = { route_without_length, route_with_tags, demand_overflows, demand_topped_up, server_keeps_alive_too, keepalive_often, new_token_after_rejection };
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
