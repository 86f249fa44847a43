// What rsocket-js is made to do in the second round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import cm from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoute, WellKnownMimeType } = cm;
const counted = {};
const count = (name) => { counted[name] = (counted[name] || 0) + 1; return name; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata, patience) => new Promise((done) => {
  let t;
  const sub = client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { clearTimeout(t); done("answer"); }, onError(e) { clearTimeout(t); done("error"); },
    onComplete() { clearTimeout(t); done("complete"); }, onExtension() {} });
  if (patience) t = setTimeout(() => { sub.cancel(); done("late"); }, patience);
});

async function times_out_and_asks_again() {
  const c = await connect();
  await ask(c, "now");
  for (let i = 0; i < 18; i++) count(await ask(c, "wait 400", undefined, 150));
  c.close();
  await sleep(200);
}

async function patience_grows() {
  const c = await connect();
  for (let job = 0; job < 2; job++) {
    let patience = 200;
    while (count(await ask(c, "wait 400", undefined, patience)) === "late") {
      await sleep(patience);
      patience *= 1.6;
    }
  }
  c.close();
  await sleep(200);
}

async function composite_under_routing() {
  const c = await connect({ metadataMimeType: "message/x.rsocket.routing.v0" });
  for (const route of ["orders.find", "orders.find", "orders.cancel", "orders.list"]) {
    const md = encodeCompositeMetadata([[WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(route)]]);
    count(await ask(c, "order 17", md));
    await sleep(100);
  }
  c.close();
  await sleep(200);
}

await { times_out_and_asks_again, patience_grows, composite_under_routing }[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
