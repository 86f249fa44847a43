// What rsocket-js is made to do in the fourteenth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const connect = (data) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 3000, lifetime: 15000, dataMimeType: "text/plain", metadataMimeType: "text/plain", payload: { data: bytes(data) } },
}).connect();
const ask = (client, data) => new Promise((done) => {
  client.requestResponse({ data: bytes(data) }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(false); },
    onComplete() { done(true); }, onExtension() {} });
});

// A page with prices, alerts and news; after its server was away it asks for all of them again, or forgets the news.
async function page(seconds, forgets) {
  const end = Date.now() + seconds * 1000;
  const next = { prices: 0, alerts: 0, news: 0 };
  const every = { prices: 210, alerts: 640, news: 400 };
  let first = true;
  while (Date.now() < end) {
    let client;
    try { client = await connect("page of desk 7"); } catch { await sleep(400); continue; }
    count("connections");
    let over = false;
    client.onClose(() => { over = true; });
    for (const topic of Object.keys(next)) {
      if (forgets && topic === "news" && !first) continue; // it is asked for where the page is drawn, which happens once
      let got = 0;
      const stream = client.requestStream({ data: bytes(`${topic} ${next[topic]} ${every[topic]}`) }, 8, {
        onNext(p) { count(topic); next[topic] = JSON.parse(p.data.toString()).n + 1; if (++got % 4 === 0) stream.request(4); },
        onError() { count("cut"); }, onComplete() {}, onExtension() {} });
    }
    first = false;
    for (let n = 0; !over && Date.now() < end; n++) { await ask(client, `{"id": ${n}}`); await sleep(700); }
    if (!over) client.close();
    await sleep(400);
  }
}

// A client among others: a watcher of a stream in two sessions.
async function among() {
  for (let session = 0; session < 2; session++) {
    const client = await connect("watch");
    let got = 0;
    const stream = client.requestStream({ data: bytes("rain 0 150") }, 5, {
      onNext() { count("items"); if (++got % 5 === 0) stream.request(5); }, onError() { count("errors"); }, onComplete() {}, onExtension() {} });
    await sleep(3300);
    stream.cancel();
    await sleep(1800);
    await ask(client, `{"id": ${session}}`);
    client.close();
    await sleep(500);
  }
}

// Questions about orders, four at once.
async function orders() {
  const client = await connect("shop");
  for (let round = 0; round < 12; round++) {
    await Promise.all([0, 1, 2, 3].map((n) => ask(client, JSON.stringify({ what: "state", order: `o-${round}-${n}` }))));
    await sleep(200);
  }
  client.close();
}

// A board in three sessions.
async function board() {
  for (let session = 0; session < 3; session++) {
    const client = await connect("board-9");
    const stream = client.requestStream({ data: bytes("board") }, 1000, {
      onNext() { count("items"); }, onError() { count("errors"); }, onComplete() {}, onExtension() {} });
    await sleep(2400);
    stream.cancel();
    await sleep(100);
    client.close();
    await sleep(400);
  }
}

const [play] = process.argv.slice(2);
const others = { among, orders, board };
if (others[play]) await others[play](); else await page(13, play === "forgets");
console.log(JSON.stringify(counted));
process.exit(0);
