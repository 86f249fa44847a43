// A shop by nats.js, for half a minute; prints what it counted as a line of JSON.
const { connect, StringCodec, AckPolicy } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const end = Date.now() + 27000;
const open = (name) => connect({ servers: "127.0.0.1:4222", name, maxReconnectAttempts: -1, reconnectTimeWait: 500 });

async function insist(what) {
  for (let pause = 250; ; pause = Math.min(2 * pause, 2000)) {
    try { return await what(); } catch (_err) { count("tried_again"); await sleep(pause); }
  }
}

async function publisher() {
  const nc = await open("publisher"), js = nc.jetstream({ timeout: 3000 });
  for (let i = 0; Date.now() < end; i++) {
    await insist(() => js.publish(`orders.${i % 3}`, sc.encode(`order ${i}`), { msgID: `order-${i}` }));
    count("published");
    await sleep(80);
  }
  await nc.drain();
}

async function packer(name, after, until) {
  await sleep(after);
  const nc = await open(name), js = nc.jetstream({ timeout: 3000 });
  const consumer = await insist(() => js.consumers.get("ORDERS", "packing"));
  const messages = await consumer.consume({ max_messages: 20, expires: 5000 });
  setTimeout(() => messages.close(), Math.min(until, end + 1000 - Date.now()));
  for await (const m of messages) { m.ack(); count("packed"); }
  await nc.drain();
}

async function service() {
  const nc = await open("prices");
  for (let i = 0; i < 2; i++) {
    nc.subscribe("prices.ask", { queue: "prices", callback: (_err, m) => { count("asked"); m.respond(sc.encode("10")); } });
  }
  await sleep(end - Date.now());
  await nc.drain();
}

async function asker() {
  const nc = await open("asker");
  while (Date.now() < end - 500) {
    try { await nc.request("prices.ask", sc.encode("apples"), { timeout: 2000 }); count("answers"); }
    catch (_err) { count("unanswered"); }
    await sleep(300);
  }
  await nc.drain();
}

async function stock() {
  const nc = await open("stock"), js = nc.jetstream({ timeout: 3000 });
  const kv = await insist(() => js.views.kv("stock", { history: 3 }));
  const watch = await kv.watch();
  (async () => { for await (const _ of watch) count("watched"); })();
  for (let i = 0; Date.now() < end - 1000; i++) {
    await insist(() => kv.put(`item.${i % 4}`, sc.encode(String(i))));
    await sleep(400);
  }
  watch.stop();
  await nc.drain();
}

(async () => {
  const nc = await open("setup"), jsm = await nc.jetstreamManager();
  await jsm.streams.add({ name: "ORDERS", subjects: ["orders.*"] });
  await jsm.consumers.add("ORDERS", { durable_name: "packing", ack_policy: AckPolicy.Explicit });
  await nc.drain();
  await Promise.all([publisher(), service(), asker(), stock(),
    packer("packer-1", 0, 60000), packer("packer-2", 1000, 9000), packer("packer-3", 12000, 60000)]);
  await sleep(500);
  console.log(JSON.stringify(counted));
})();
