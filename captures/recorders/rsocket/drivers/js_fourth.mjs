// What rsocket-js is made to do in the fourth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import composite from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoute, WellKnownMimeType } = composite;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (text) => Buffer.from(text);
const hex = (text) => Buffer.from(text, "hex");
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const MIXED = "message/x.rsocket.composite-metadata.v0";
const ALL = 0x7fffffff;
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata) => new Promise((done) => {
  client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { count("answers"); done(); }, onError() { count("errors"); done(); },
    onComplete() { done(); }, onExtension() {} });
});

// A board of prices that connects again when its connection is lost.
async function board(careless) {
  const symbols = [];
  let client, over = false, wake;
  let connected = new Promise((done) => (wake = done));
  const open = (symbol) => {
    count("streams");
    client.requestStream({ data: bytes(`prices 120 ${symbol}`) }, ALL, {
      onNext() { count("items"); }, onComplete() {}, onExtension() {},
      onError() { if (careless && !over) connected.then(() => watch(symbol)); } });
  };
  const watch = (symbol) => { symbols.push(symbol); open(symbol); };
  const start = async () => {
    client = await connect({ payload: { data: bytes("price-board") } });
    client.onClose(() => {
      if (over) return;
      connected = new Promise((done) => (wake = done));
      setTimeout(start, 200);
    });
    for (const symbol of [...symbols]) open(symbol);
    wake();
  };
  await start();
  watch("ACME");
  watch("INIT");
  await sleep(6500);
  over = true;
  client.close();
  await sleep(200);
}
const subscribes_twice_after_reconnect = () => board(true);
const subscribes_once_after_reconnect = () => board(false);

const span = (trace, id, parent = "") => Buffer.concat([Buffer.from([parent ? 0xa4 : 0xa0]), hex(trace), hex(id), hex(parent)]);
const traced = (route, context) => encodeCompositeMetadata([
  [WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(route)],
  [WellKnownMimeType.MESSAGE_RSOCKET_TRACING_ZIPKIN, context],
]);
const users = ["alice", "bob", "carol", "dave", "erin", "frank"];

async function span_id_constant() {
  const client = await connect({ metadataMimeType: MIXED });
  const context = span("5f1e0c77a2b94d31", "5f1e0c77a2b94d31");
  for (let i = 0; i < 24; i++) {
    await ask(client, `basket of ${users[i % 6]} ${i}`, traced("basket.show", context));
    await sleep(100);
  }
  client.close();
  await sleep(200);
}

async function children_of_one_trace() {
  const client = await connect({ metadataMimeType: MIXED });
  for (let operation = 0; operation < 4; operation++) {
    const trace = (0x5f1e0c77 + operation * 0x01234567).toString(16) + "a2b94d31";
    for (let i = 0; i < 6; i++) {
      const id = (0x1b7e2a00 + operation * 977 + i * 31).toString(16).padStart(8, "0") + "c0ffee" + (10 + i);
      await ask(client, `basket of ${users[operation]} part ${i}`, traced("basket.part", span(trace, id, trace)));
    }
    await sleep(300);
  }
  client.close();
  await sleep(200);
}

async function cancel_crosses_items() {
  const client = await connect();
  for (let i = 0; i < 12; i++) {
    await new Promise((done) => {
      let got = 0;
      const open = client.requestStream({ data: bytes(`prices 1 S${i} 5000`) }, ALL, {
        onNext() { count("items"); if (++got === 20) { open.cancel(); done(); } },
        onError() { done(); }, onComplete() { done(); }, onExtension() {} });
    });
    await sleep(120);
  }
  client.close();
  await sleep(200);
}

const typed = (route, id) => encodeCompositeMetadata([
  [WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(route)],
  [WellKnownMimeType.MESSAGE_RSOCKET_MIMETYPE, Buffer.from([0x80 | id])],
]);

// Every second request states a data MIME type of its own.
async function typed_as(id, data) {
  const client = await connect({ metadataMimeType: MIXED, dataMimeType: "application/json" });
  for (let i = 0; i < 16; i++) {
    if (i % 2) await ask(client, JSON.stringify({ sensor: i, value: 20.5 + i }));
    else await ask(client, data(i), typed("readings.store", id));
    await sleep(90);
  }
  client.close();
  await sleep(200);
}
const stream_says_cbor_sends_json = () => typed_as(0x01, (i) => JSON.stringify({ sensor: i, value: 20.5 + i }));
const stream_says_text_sends_text = () => typed_as(0x21, (i) => `sensor ${i} shows ${20.5 + i}`);

const plays = {
  subscribes_twice_after_reconnect, subscribes_once_after_reconnect, span_id_constant, children_of_one_trace,
  cancel_crosses_items, stream_says_cbor_sends_json, stream_says_text_sends_text,
};
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
