// What nats.js is made to do in the sixteenth round of the blind test; prints what it counted.
const folder = process.argv[2], { connect, StringCodec, AckPolicy, nanos } = require("module").createRequire(folder + "/")("nats");
const text = StringCodec(), sleep = (ms) => new Promise((done) => setTimeout(done, ms)), counted = {};
const count = (name) => { counted[name] = (counted[name] || 0) + 1; };
const conn = (name, pingInterval, port = 4222) => connect({ servers: `127.0.0.1:${port}`, name, maxReconnectAttempts: -1, reconnectTimeWait: 200, pingInterval, maxPingOut: 1 });

// Sensors report to two screens; the line loses all connections without ending them. The sensors and one screen ping each second, the other screen never does.
async function screens() {
  const sensors = await conn("sensors", 1000, 4223), hall = await conn("screen-hall", 1000, 4223), office = await conn("screen-office", 3600000, 4223);
  for (const each of [hall, office]) {
    const name = each === hall ? "hall" : "office", sub = each.subscribe("sensors.>");
    (async () => { for await (const _ of sub) count(name); })();
  }
  await office.flush();
  const over = Date.now() + 27000;
  for (let n = 0; Date.now() < over; n++) {
    sensors.publish(`sensors.room${n % 4}`, text.encode(`{"reading": ${n}, "celsius": ${19 + n % 5}}`));
    count("published");
    await sleep(300);
  }
  await hall.close(); await sensors.close();
  console.log(JSON.stringify(counted)); process.exit(0);
}

// A bakery: orders with an id each, three ovens that consume them, stock in a bucket that the counter watches, prices on request, over a restart, and all drained in the end.
async function bakery() {
  const counter = await conn("counter", 20000), kitchen = await conn("kitchen", 20000), shop = await conn("shop", 20000);
  const jsm = await counter.jetstreamManager(), js = counter.jetstream();
  await jsm.streams.add({ name: "ORDERS", subjects: ["orders.>"], storage: "file", duplicate_window: nanos(60000) });
  await jsm.consumers.add("ORDERS", { durable_name: "ovens", ack_policy: AckPolicy.Explicit, ack_wait: nanos(8000), max_ack_pending: 20 });
  const stock = await js.views.kv("stock", { history: 3, storage: "file" });
  const watch = await stock.watch();
  (async () => { for await (const _ of watch) count("seen"); })();
  const prices = shop.subscribe("price.*", { queue: "shops" });
  (async () => { for await (const m of prices) { m.respond(text.encode(`${m.subject.length} EUR`)); count("priced"); } })();
  const consumer = await kitchen.jetstream().consumers.get("ORDERS", "ovens"), ovens = [];
  for (let n = 0; n < 3; n++) {
    const messages = await consumer.consume({ max_messages: 6, expires: 4000 });
    ovens.push(messages);
    (async () => {
      for await (const m of messages) {
        const order = Number(text.decode(m.data).split(" ")[1]);
        if (order % 13 === 6 && m.info.redeliveryCount === 1) { m.nak(700); count("put_off"); continue; }
        if (order % 10 === 3) { m.working(); await sleep(900); }
        await sleep(60 + 30 * n);
        m.ack(); count("baked");
      }
    })();
  }
  for (let n = 0; n < 64; n++) {
    for (;;) {
      try { await js.publish(`orders.${["bread", "rolls", "cake"][n % 3]}`, text.encode(`order ${n} for table ${n % 8}`), { msgID: `order-${n}`, timeout: 1500 }); count("ordered"); break; } catch { count("again"); await sleep(400); }
    }
    if (n % 8 === 2) { try { await stock.put(`flour.${n % 3}`, text.encode(`${90 - n} kg`)); } catch { count("not_put"); } }
    if (n % 5 === 4) { try { await counter.request(`price.${n % 7}`, text.encode("?"), { timeout: 1000 }); } catch { count("no_price"); await sleep(300); } }
    await sleep(300);
  }
  await sleep(2500);
  watch.stop();
  for (const each of ovens) await each.close();
  await sleep(300);
  for (const each of [kitchen, shop, counter]) await each.drain();
  console.log(JSON.stringify(counted)); process.exit(0);
}
({ dead_line_unnoticed: screens, bakery_day: bakery })[process.argv[3]]();
