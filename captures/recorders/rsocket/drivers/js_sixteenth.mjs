// What rsocket-js is made to do in the sixteenth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import { WebsocketClientTransport } from "rsocket-websocket-client";
import { WebSocket } from "ws";
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const setup = (keepAlive, lifetime) => ({ keepAlive, lifetime, dataMimeType: "text/plain", metadataMimeType: "text/plain" });
const tcp = (keepAlive = 1000, lifetime = 9000) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }), setup: setup(keepAlive, lifetime) }).connect();
const web = () => new RSocketConnector({
  transport: new WebsocketClientTransport({ url: "ws://broker:7000/rsocket", wsCreator: (url) => new WebSocket(url) }), setup: setup(3000, 20000) }).connect();
const ask = (client, data) => new Promise((done) => {
  client.requestResponse({ data: bytes(data) }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(false); }, onComplete() { done(true); }, onExtension() {} });
});
// A stream of which `batch` items are requested at once, again when they are there.
const read = (client, data, batch) => new Promise((done) => {
  let got = 0;
  const stream = client.requestStream({ data: bytes(data) }, batch, {
    onNext(p, last) { count("items"); if (++got % batch === 0 && !last) stream.request(batch); if (last) done("complete"); },
    onError(e) { count("refused"); done(e.message); }, onComplete() { done("complete"); }, onExtension() {} });
});

const plays = {
  // Sensors, whose values are collected by the server until as many are there as were requested.
  async groups() { const c = await tcp(4000, 20000); await Promise.race([read(c, "groups 24 120", 24), sleep(20000)]); await ask(c, "last"); c.close(); },
  // Values that come one by one, and reports that come a few at once.
  async slowly() {
    const c = await tcp(4000, 20000);
    const reports = read(c, "bursts", 100);
    read(c, "every 350", 60);
    await Promise.race([reports, sleep(16000)]);
    await ask(c, "last");
    c.close();
  },
  // A console that asks now and then.
  async console() { const c = await tcp(1000, 9000); for (let n = 0; n < 18; n++) { await ask(c, `state ${n}`); await sleep(1000); } c.close(); },
  // Changes of a document; the token is expired at first. A connection that failed is left open, or closed.
  async changes(leaves) {
    for (let n = 0; n < (leaves ? 10 : 4); n++) {
      const client = await web();
      count("connections");
      const said = await read(client, n === (leaves ? 9 : 3) ? "token fresh" : "token expired", 50);
      if (!leaves || said === "complete") client.close();
      await sleep(leaves ? 1100 : 500 * 2 ** n);
    }
  },
};
const [play] = process.argv.slice(2);
await { ...plays, leaves: () => plays.changes(true), renews: () => plays.changes(false) }[play]();
await sleep(300);
console.log(JSON.stringify(counted));
process.exit(0);
