// What nats.js is made to do; prints what it counted as one line of JSON.
const { connect, StringCodec, headers, AckPolicy } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };

async function interactions(nc) {
  const seen = (err, msg) => { count("delivered"); if (msg.reply) msg.respond(sc.encode("answer")); };
  nc.subscribe("orders.*", { callback: seen });
  nc.subscribe("jobs", { queue: "workers", callback: seen });
  await nc.flush();
  for (let i = 0; i < 4; i++) { nc.publish("orders.new", sc.encode(`order ${i}\r\nPING\r\n`)); count("published"); }
  const h = headers();
  h.append("Trace", "1"); h.append("Trace", "2");
  nc.publish("orders.headed", sc.encode("with headers"), { headers: h });
  nc.publish("orders.empty");
  nc.publish("jobs", sc.encode("a job"));
  count("published", 3);
  await nc.flush();
  for (let i = 0; i < 2; i++) { await nc.request("orders.ask", sc.encode("?"), { timeout: 2000 }); count("answers"); }
  await nc.request("orders.ask", sc.encode("?"), { timeout: 2000, noMux: true }); count("answers");
  try { await nc.request("nobody.answers", sc.encode("?"), { timeout: 1000 }); }
  catch (err) { count("no_responders"); }
  const limited = nc.subscribe("limited", { max: 2 });
  for (let i = 0; i < 4; i++) nc.publish("limited", sc.encode(`limited ${i}`));
  for await (const _ of limited) count("limited");
  await nc.drain();
}

async function jetstream(nc) {
  const jsm = await nc.jetstreamManager();
  await jsm.streams.add({ name: "EVENTS", subjects: ["js.events.*"] });
  const js = nc.jetstream();
  for (let i = 0; i < 6; i++) { await js.publish("js.events.a", sc.encode(`event ${i}`), { msgID: `id-${i}` }); count("stored"); }
  await jsm.consumers.add("EVENTS", { durable_name: "reader", ack_policy: AckPolicy.Explicit });
  const consumer = await js.consumers.get("EVENTS", "reader");
  const messages = await consumer.fetch({ max_messages: 6, expires: 2000 });
  let n = 0;
  for await (const m of messages) { n++; if (n === 2) m.nak(); else m.ack(); count("pulled"); }
  const next = await consumer.next({ expires: 1000 });
  if (next) { next.ack(); count("pulled"); }
  const none = await consumer.next({ expires: 1000 });
  if (!none) count("empty_pulls");
  const kv = await js.views.kv("settings");
  await kv.put("colour", sc.encode("blue"));
  await kv.get("colour");
  await jsm.streams.delete("EVENTS");
  await nc.drain();
}

(async () => {
  const nc = await connect({ servers: "127.0.0.1:4222", name: "plays", reconnect: false });
  await { interactions, jetstream }[process.argv[3]](nc);
  console.log(JSON.stringify(counted));
})();
