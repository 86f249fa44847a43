// What nats.js is made to do in scenarios from threads; prints what it counted as a line of JSON.
const { connect, StringCodec, AckPolicy } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const open = (name) => connect({ servers: "127.0.0.1:4222", name, reconnect: false });

async function three(nc) {
  const jsm = await nc.jetstreamManager();
  await jsm.streams.add({ name: "MAIL", subjects: ["mail.*"] });
  const js = nc.jetstream();
  for (const body of ["fine", "\u0000broken", "fine too"]) await js.publish("mail.in", sc.encode(body));
  await jsm.consumers.add("MAIL", { durable_name: "reader", ack_policy: AckPolicy.Explicit });
  return js.consumers.get("MAIL", "reader");
}

async function poison_message() {
  const nc = await open("mailer");
  const consumer = await three(nc);
  const messages = await consumer.consume({ max_messages: 10 });
  for await (const m of messages) {
    count("delivered");
    if (m.data[0] === 0) m.nak(); else m.ack();
    if (m.info.redeliveryCount >= 40) break;
  }
  await nc.close();
}

async function backoff_then_terminated() {
  const nc = await open("mailer");
  const consumer = await three(nc);
  const messages = await consumer.consume({ max_messages: 10 });
  for await (const m of messages) {
    count("delivered");
    if (m.data[0] !== 0) { m.ack(); continue; }
    if (m.info.redeliveryCount < 3) m.nak(200 * m.info.redeliveryCount);
    else { m.term("cannot be read"); count("terminated"); break; }
  }
  await sleep(500);
  await nc.drain();
}

async function late_reply() {
  const asker = await open("asker"), service = await open("reports");
  service.subscribe("reports.make", { queue: "reports", callback: async (_err, msg) => {
    await sleep(600);
    msg.respond(sc.encode("the report"));
    count("answered");
  } });
  await service.flush();
  for (let at = 0; at < 5; at++) {
    try { await asker.request("reports.make", sc.encode("q3"), { timeout: 300, noMux: true }); }
    catch (_err) { count("timeouts"); }
    await sleep(100);
  }
  await sleep(1000);
  await asker.close();
  await service.close();
}

const plays = { poison_message, backoff_then_terminated, late_reply };
plays[process.argv[3]]().then(() => console.log(JSON.stringify(counted)));
