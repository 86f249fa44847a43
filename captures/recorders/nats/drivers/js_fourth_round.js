// What nats.js is made to do in the fourth round of the blind test; prints what it counted.
const { connect, StringCodec, AckPolicy, nanos } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const conn = (name, more) => connect({ servers: "127.0.0.1:4222", name, reconnect: false, ...more });

// Counts a key down 22 times, as another program does at the same time.
async function counts_down(revisions) {
  const nc = await conn("shop-phone");
  const kv = await nc.jetstream().views.kv("shop");
  for (let n = 0; n < 22; n++) {
    for (;;) {
      const entry = await kv.get("stock.bolts");
      const left = sc.encode(String(Number(sc.decode(entry.value)) - 1));
      await sleep(40 + Math.random() * 90);
      if (!revisions) { await kv.put("stock.bolts", left); break; }
      try { await kv.update("stock.bolts", left, entry.revision); break; } catch { count("conflicts"); }
    }
    await sleep(Math.random() * 80);
  }
  await nc.close();
}

// The timers of messages whose handling failed are never stopped.
async function progress_of_abandoned_messages() {
  const nc = await conn("forwarder");
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  await jsm.streams.add({ name: "edge", subjects: ["edge.*"], storage: "memory" });
  const wanted = { durable_name: "forwarder", ack_policy: AckPolicy.Explicit, ack_wait: nanos(1500), max_ack_pending: 100 };
  await jsm.consumers.add("edge", wanted);
  for (let i = 0; i < 20; i++) await js.publish("edge.in", sc.encode(`reading ${i}${i % 6 === 4 ? " without a unit" : ""}`));
  const consumer = await js.consumers.get("edge", "forwarder");
  const messages = await consumer.consume({ max_messages: 10, expires: 4000, idle_heartbeat: 1000 });
  setTimeout(() => messages.stop(), 9000);
  for await (const m of messages) {
    const timer = setInterval(() => m.working(), 400);
    await sleep(40);
    if (sc.decode(m.data).endsWith("unit")) { count("failed"); continue; }
    m.ack();
    clearInterval(timer);
    count("done");
  }
  count("ack_pending", (await consumer.info()).num_ack_pending);
  await nc.close();
}

// The program dies before it has marked messages as sent, and is started again.
async function retries_after_the_window() {
  const setup = await conn("installer");
  const jsm = await setup.jetstreamManager();
  await jsm.streams.add({ name: "orders", subjects: ["orders.*"], storage: "memory", duplicate_window: nanos(500) });
  await setup.close();
  for (let run = 0; run < 3; run++) {
    const nc = await conn("outbox");
    const js = nc.jetstream();
    for (let i = 0; i < 10; i++) {
      const order = 4000 + run * 4 + i;
      const ack = await js.publish("orders.new", sc.encode(`order ${order}`), { msgID: `order-${order}` });
      if (!ack.duplicate) count("stored");
      await sleep(40);
    }
    await nc.close();
    await sleep(1500);
  }
}

async function pulls_resumed_after_restart() {
  const nc = await conn("log-source", { reconnect: true, reconnectTimeWait: 300, maxReconnectAttempts: -1 });
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  await jsm.streams.add({ name: "logs", subjects: ["logs.>"], storage: "file" });
  await jsm.consumers.add("logs", { durable_name: "source", ack_policy: AckPolicy.Explicit });
  const consumer = await js.consumers.get("logs", "source");
  const messages = await consumer.consume({ max_messages: 10, expires: 5000, idle_heartbeat: 1000 });
  setTimeout(() => messages.stop(), 14000);
  for await (const m of messages) { m.ack(); count("seen"); }
  count("pending", (await consumer.info()).num_pending);
  await nc.close();
}

const plays = {
  progress_of_abandoned_messages, retries_after_the_window, pulls_resumed_after_restart,
  stock_put_without_revision: () => counts_down(false),
  stock_updated_by_revision: () => counts_down(true),
};
plays[process.argv[3]]().then(() => { console.log(JSON.stringify(counted)); process.exit(0); });
