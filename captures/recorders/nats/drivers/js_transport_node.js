// What nats.js of the third generation is made to do; prints what it counted.
const modules = require("module").createRequire(process.argv[2] + "/"); const fs = require("fs");
const { connect, nanos } = modules("@nats-io/transport-node"); const { jetstream, jetstreamManager, AckPolicy } = modules("@nats-io/jetstream");
const { Kvm } = modules("@nats-io/kv"); const { Objm } = modules("@nats-io/obj"); const { Svcm } = modules("@nats-io/services");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms)); const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, ...(fs.existsSync("ca.pem") ? { tls: { ca: fs.readFileSync("ca.pem") } } : {}) });

async function parts() { // a service with statistics, a stream with two consumers, a bucket with a watch and an object store
  const nc = await conn("backend"), client = await conn("frontend"); const js = jetstream(nc), jsm = await jetstreamManager(nc);
  const service = await new Svcm(nc).add({ name: "quotes", version: "1.0.2", description: "prices", queue: "q" });
  service.addGroup("quotes").addEndpoint("get", { handler: (e, m) => { m.string().length ? m.respond(`price ${m.string().length}`) : m.respondError(400, "no symbol"); } });
  await nc.flush(); for (let n = 0; n < 18; n++) { const m = await client.request("quotes.get", n % 6 == 5 ? "" : `symbol-${n}`, { timeout: 1000 }); count(m.headers && m.headers.has("Nats-Service-Error-Code") ? "refused" : "answered"); }
  const seen = new Svcm(client).client(); for await (const s of await seen.stats("quotes")) count("services"); for await (const s of await seen.ping()) count("pings");
  await jsm.streams.add({ name: "events", subjects: ["events.>"], storage: "memory", max_age: nanos(60000) });
  await jsm.consumers.add("events", { durable_name: "mailer", ack_policy: AckPolicy.Explicit, ack_wait: nanos(4000), filter_subjects: ["events.user.>", "events.bill.>"] });
  const kv = await new Kvm(js).create("settings", { history: 3, storage: "memory" }); const watch = await kv.watch(); (async () => { for await (const e of watch) count("changes"); })();
  const messages = await (await js.consumers.get("events", "mailer")).consume({ max_messages: 8, expires: 4000, idle_heartbeat: 1000 });
  (async () => { for await (const m of messages) { count("mailed"); if (m.seq % 9 == 4 && m.info.deliveryCount == 1) m.nak(400); else if (m.seq % 5 == 0) await m.ackAck(); else m.ack(); } })();
  const ordered = await (await js.consumers.get("events", { filter_subjects: "events.>" })).consume(); (async () => { for await (const m of ordered) count("audited"); })();
  for (let n = 0; n < 45; n++) { await js.publish(`events.${["user", "bill", "log"][n % 3]}.n${n % 5}`, `event ${n}`, { msgID: `e-${n}` }); if (n % 4 == 0) await kv.put(`node.${n % 3}`, `limit ${n}`); await sleep(90); }
  const r = await kv.get("node.0"); await kv.update("node.0", "limit", r.revision); await kv.delete("node.1");
  const store = await new Objm(js).create("pictures", { storage: "memory" }); await store.putBlob({ name: "cat" }, new Uint8Array(9000).fill(7)); count("bytes", (await store.getBlob("cat")).length); await store.delete("cat");
  await sleep(700); await messages.close(); await ordered.close(); watch.stop(); await service.stop(); await client.drain(); await nc.drain();
  finish(counted);
}

({ parts })[process.argv[3]]();
