// What nats.js is made to do in the third round of the blind test; prints what it counted.
const { connect, StringCodec, AckPolicy, DeliverPolicy } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, reconnect: false });

async function info_after_each_message() {
  const nc = await conn("product-sheets");
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  await jsm.streams.add({ name: "products", subjects: ["product.*.*"], storage: "memory", max_msgs_per_subject: 1 });
  for (const sku of [101, 102, 103]) {
    for (const source of ["price", "stock", "photo", "text", "weight", "brand", "tax", "ean"]) {
      await js.publish(`product.${sku}.${source}`, sc.encode(`${source} of ${sku}`));
    }
  }
  for (const sku of [101, 102, 103]) {
    const wanted = { filter_subject: `product.${sku}.*`, ack_policy: AckPolicy.None, deliver_policy: DeliverPolicy.All };
    const made = await jsm.consumers.add("products", wanted);
    const consumer = await js.consumers.get("products", made.name);
    while ((await consumer.next({ expires: 2000 })) !== null) {
      count("messages");
      if ((await consumer.info()).num_pending === 0) break;
    }
    await consumer.delete();
  }
  await nc.close();
}

async function all_pages_asked() {
  const nc = await conn("janitor");
  const jsm = await nc.jetstreamManager();
  const list = jsm.consumers.list("jobs");
  for (let page = await list.next(); page.length; page = await list.next()) { count("consumers", page.length); await sleep(50); }
  for (let i = 295; i < 300; i++) await jsm.consumers.delete("jobs", `job-${i}`);
  await nc.close();
}

async function duplicate_answer_ignored() {
  const nc = await conn("agent-a");
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  await jsm.streams.add({ name: "murmur", subjects: ["agents.*"], storage: "memory" });
  const other = await conn("agent-b");
  const wanted = { durable_name: "agent-b", filter_subject: "agents.b", ack_policy: AckPolicy.Explicit };
  await (await other.jetstreamManager()).consumers.add("murmur", wanted);
  const consumer = await other.jetstream().consumers.get("murmur", "agent-b");
  const messages = await consumer.consume({ max_messages: 10, expires: 5000 });
  (async () => {
    for await (const m of messages) {
      const id = m.headers.get("Nats-Msg-Id");
      if (!["env-2", "env-5", "env-6"].includes(id)) other.publish(`accepted.${id}`, sc.encode("ok"));
      m.ack();
    }
  })();
  const accepted = new Set();
  nc.subscribe("accepted.*", { callback: (_e, m) => accepted.add(m.subject.split(".")[1]) });
  for (let i = 0; i < 8; i++) {
    const id = `env-${i}`;
    for (let tries = 0; !accepted.has(id) && tries < 5; tries++) {
      const ack = await js.publish("agents.b", sc.encode(`task ${i} for b`), { msgID: id });
      if (ack.duplicate) count("duplicates");
      for (let t = 0; t < 8 && !accepted.has(id); t++) await sleep(50);
    }
    if (!accepted.has(id)) count("given_up");
  }
  messages.stop();
  await sleep(100);
  await other.close();
  await nc.close();
}

async function filled(n) {
  const nc = await conn("meter");
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  await jsm.streams.add({ name: "readings", subjects: ["readings"], storage: "memory" });
  for (let i = 0; i < n; i++) await js.publish("readings", sc.encode(`reading ${i}`));
  return [nc, jsm];
}

// Hands each message of a durable consumer to `handle`, until that says that it was the last one.
async function charted(n, config, handle) {
  const [nc, jsm] = await filled(n);
  const reader = await conn("chart");
  await jsm.consumers.add("readings", { durable_name: "chart", ...config });
  const consumer = await reader.jetstream().consumers.get("readings", "chart");
  const messages = await consumer.consume({ max_messages: 50, expires: 5000 });
  for await (const m of messages) if (handle(m)) break;
  await sleep(200);
  await reader.close();
  await nc.close();
}

const acks_without_policy = () => charted(30, { ack_policy: AckPolicy.None }, (m) => {
  m.ack();
  count("acks");
  return counted.acks === 30;
});

const naks_with_delay = () => charted(10, { ack_policy: AckPolicy.Explicit, ack_wait: 5e9 }, (m) => {
  if (m.seq % 3 === 0 && m.info.redeliveryCount < 3) { m.nak(400); count("naks"); return false; }
  m.ack();
  count("acks");
  return counted.acks === 10;
});

async function requests_in_flight_together() {
  const service = await conn("thermostat");
  for (const subject of ["room.get", "meter.get"]) {
    service.subscribe(subject, { queue: "thermostats", callback: (_e, m) => m.respond(sc.encode("21.5")) });
  }
  await service.flush();
  const nc = await conn("panel-2");
  for (let i = 0; i < 6; i++) {
    const asked = [..."abcdef"].map((c) => nc.request(c < "d" ? "room.get" : "meter.get", sc.encode(c)));
    count("answers", (await Promise.all(asked)).length);
    await sleep(150);
  }
  await nc.close();
  await service.close();
}

const plays = {
  acks_without_policy, naks_with_delay, requests_in_flight_together, info_after_each_message, all_pages_asked,
  duplicate_answer_ignored,
};
plays[process.argv[3]]().then(() => { console.log(JSON.stringify(counted)); process.exit(0); });
