// A busy client by rsocket-js 1.0.0-alpha.3, for half a minute; prints what it counted as JSON.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";

const counted = {};
const count = (name, by = 1) => (counted[name] = (counted[name] ?? 0) + by);
const bytes = (text) => Buffer.from(text);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const end = Date.now() + 26000;
process.on("uncaughtException", () => count("socket_errors"));

const connector = () => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 1000, lifetime: 10000, dataMimeType: "text/plain", metadataMimeType: "text/plain" },
  fragmentation: { maxOutboundFragmentSize: 1024 },
});

const heard = (name, ask) => new Promise((done) => ask({
  onNext(_payload, last) { count(name); if (last) done(); },
  onError() { count("errors"); done(); },
  onComplete() { done(); },
  onExtension() {},
  request() {},
  cancel() {},
}));

/** A stream, eight items at a time; cancelled after `most`. */
const batches = (client, data, most) => new Promise((done) => {
  let got = 0;
  const stream = client.requestStream({ data: bytes(data) }, 8, {
    onNext(_payload, last) {
      count("items");
      got++;
      if (last) done();
      else if (got === most) { stream.cancel(); done(); }
      else if (got % 8 === 0) stream.request(8);
    },
    onError() { count("errors"); done(); },
    onComplete() { done(); },
    onExtension() {},
  });
});

async function work(client) {
  let closed = false;
  client.onClose(() => { closed = true; });
  const again = async (every, task) => {
    while (!closed && Date.now() < end) {
      await Promise.race([task(), sleep(4000)]);
      await sleep(every);
    }
  };
  const answer = (data) => heard("answers", (to) => client.requestResponse({ data: bytes(data) }, to));
  await Promise.all([
    again(120, () => answer("ping")),
    again(900, () => answer("error plain")),
    again(700, () => batches(client, "20")),
    again(1100, () => batches(client, "slow 100", 4)),
    again(1500, () => heard("ticks", (to) => client.requestStream({ data: bytes("slow 15") }, 100, to))),
    again(250, () => new Promise((done) => client.fireAndForget({ data: bytes("metric") },
      { onComplete: done, onError: done }))),
    again(3000, () => answer("0123456789".repeat(300))),
  ]);
  if (!closed) client.close();
}

let pause = 200;
while (Date.now() < end) {
  try {
    const client = await connector().connect();
    pause = 200;
    await work(client);
  } catch (_error) { count("attempts"); }
  await sleep(pause);
  pause = Math.min(1000, 2 * pause);
}
console.log(JSON.stringify(counted));
process.exit(0);
