// What nats.js is made to do where a consumer's heartbeats do not come; prints what it counted.
const folder = process.argv[2], { connect, StringCodec } = require("module").createRequire(folder + "/")("nats");
const text = StringCodec(), sleep = (ms) => new Promise((done) => setTimeout(done, ms)), counted = {};
const count = (name) => { counted[name] = (counted[name] || 0) + 1; };
const conn = (user) => connect({ servers: "127.0.0.1:4222", name: user, user, pass: "throwaway" });

// A worker in an account to which the heartbeats of its consumer are not exported.
(async () => {
  const shop = await conn("shop"), worker = await conn("worker"), jsm = await shop.jetstreamManager();
  await jsm.streams.add({ name: "ORDERS", subjects: ["orders.*"], storage: "memory" });
  await jsm.consumers.add("ORDERS", { durable_name: "work", ack_policy: "explicit" });
  const consumer = await worker.jetstream({ domain: "shop", checkAPI: false }).consumers.get("ORDERS", "work");
  const orders = await consumer.consume({ max_messages: 50, expires: 6000, idle_heartbeat: 1500 });
  (async () => { for await (const s of await orders.status()) count(`status_${s.type}`); })();
  (async () => { for await (const m of orders) { count("worked"); m.ack(); } })();
  for (let n = 0; n < 6; n++) { shop.publish("orders.new", text.encode(`order ${n}`)); await sleep(2000); }
  orders.stop(); await sleep(200);
  await worker.close(); await shop.close();
  console.log(JSON.stringify(counted)); process.exit(0);
})();
