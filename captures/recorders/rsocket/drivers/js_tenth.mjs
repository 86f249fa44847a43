// What rsocket-js is made to do in the tenth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const connect = (data) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 4000, lifetime: 20000, dataMimeType: "text/plain", metadataMimeType: "text/plain", payload: { data: bytes(data) } },
}).connect();
const ask = (client, data) => new Promise((done) => {
  client.requestResponse({ data: bytes(data) }, {
    onNext() { count("answers"); done(true); }, onError() { count("errors"); done(false); },
    onComplete() { done(true); }, onExtension() {} });
});

// An instance of a service registers itself under an id, and tries again when it is refused.
async function instance(name, id, begin, end) {
  await sleep(begin);
  while (Date.now() < end) {
    const c = await connect(id);
    let over = false;
    c.onClose(() => { over = true; count(`closed_${name}`); });
    await sleep(40);
    for (let n = 0; !over && Date.now() < end; n++) { await ask(c, `${name} status ${n}`); await sleep(230); }
    if (!over) c.close();
    await sleep(600);
  }
}

const end = Date.now() + 8500;
const ids = process.argv[2] === "one_id" ? ["500", "500", "730"] : ["500", "501", "730"];
await Promise.all([instance("stock-a", ids[0], 0, end), instance("stock-b", ids[1], 700, end), instance("prices", ids[2], 300, end)]);
console.log(JSON.stringify(counted));
process.exit(0);
