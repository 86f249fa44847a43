// What nats.js is made to do in the twelfth round of the blind test; prints what it counted.
const modules = require("module").createRequire(process.argv[2] + "/");
const { connect, nanos } = modules("@nats-io/transport-node"); const { jetstream, jetstreamManager, AckPolicy } = modules("@nats-io/jetstream");
const sleep = (ms) => new Promise((d) => setTimeout(d, ms)); const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const conn = (name) => connect({ servers: "127.0.0.1:4222", name });

async function controller(filters) { // a controller gives a consumer the filters of its resource, and tries again each time it looks
  const nc = await conn("controller"), source = await conn("gateway"), worker = await conn("worker-1"); const jsm = await jetstreamManager(nc);
  await jsm.streams.add({ name: "work", subjects: ["work.>"], storage: "memory" });
  await jsm.consumers.add("work", { durable_name: "crew", ack_policy: AckPolicy.Explicit, ack_wait: nanos(5000), filter_subject: "work.cut" });
  const messages = await (await jetstream(worker).consumers.get("work", "crew")).consume({ max_messages: 20, expires: 3000 });
  (async () => { for await (const m of messages) { count("handled"); m.ack(); } })();
  const publishing = (async () => { for (let n = 0; n < 60; n++) { await jetstream(source).publish(["work.cut", "work.weld.steel", "work.weld.brass"][n % 3], `piece ${n} of order ${n % 7}`); count("published"); await sleep(130); } })();
  for (let look = 0, done = false; look < 14; look++) {
    await sleep(550);
    const have = (await jsm.consumers.info("work", "crew")).config; count("looked");
    if (done || JSON.stringify(have.filter_subjects) === JSON.stringify(filters)) { done = true; continue; }
    try { await jsm.consumers.update("work", "crew", { filter_subject: undefined, filter_subjects: filters }); count("updated"); } catch (e) { count("refused"); }
  }
  await publishing; await sleep(500); await messages.close(); await worker.close(); await source.close(); await nc.close();
  console.log(JSON.stringify(counted)); process.exit(0);
}

({ filters_that_overlap: () => controller(["work.cut", "work.weld.>", "work.weld.brass"]), filters_that_do_not_overlap: () => controller(["work.cut", "work.weld.>"]) })[process.argv[3]]();
