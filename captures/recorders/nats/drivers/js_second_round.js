// What nats.js is made to do in the second round of the blind test; prints what it counted.
const { connect, StringCodec } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, reconnect: false });

async function answered_twice() {
  const pods = [await conn("prices-1"), await conn("prices-2")];
  for (const nc of pods) {
    nc.subscribe("price.get", { callback: (_, m) => { m.respond(sc.encode("9.99")); count("answers"); } });
    await nc.flush();
  }
  const nc = await conn("shop");
  for (let i = 0; i < 15; i++) {
    await nc.request("price.get", sc.encode(`article ${i}`), { timeout: 1000 });
    count("requests");
    await sleep(10);
  }
  await sleep(200);
  for (const each of [...pods, nc]) await each.close();
}

async function services_pinged() {
  const pods = [];
  for (const n of [1, 2, 3]) {
    const nc = await conn(`calc-${n}`);
    pods.push(nc);
    const service = await nc.services.add({ name: "calc", version: "1.0.0", description: "adds" });
    service.addEndpoint("add", (_, m) => m.respond(sc.encode("4")));
  }
  const nc = await conn("dashboard");
  const client = nc.services.client({ maxWait: 500 });
  for (const what of ["ping", "info", "stats"]) {
    for await (const _ of await client[what]("calc")) count(what);
  }
  for (let i = 0; i < 6; i++) await nc.request("add", sc.encode("2+2"));
  for (const each of [...pods, nc]) await each.close();
}

async function object_replaced() {
  const nc = await conn("reports");
  const store = await nc.jetstream().views.os("files");
  for (let day = 0; day < 4; day++) {
    const options = { max_chunk_size: 500 };
    await store.putBlob({ name: "daily-report", options }, new Uint8Array(2000).fill(65 + day));
    count("put");
  }
  const got = await store.getBlob("daily-report");
  count("bytes", got.length);
  await nc.close();
}

({ answered_twice, services_pinged, object_replaced })[process.argv[3]]()
  .then(() => { console.log(JSON.stringify(counted)); process.exit(0); });
