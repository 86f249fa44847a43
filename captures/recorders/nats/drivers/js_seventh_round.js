// What nats.js is made to do in the seventh round of the blind test; prints what it counted.
const { connect, StringCodec, consumerOpts, createInbox, KvWatchInclude, nanos } = require(process.argv[2] + "/node_modules/nats");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name, more) => connect({ servers: "127.0.0.1:4222", name, reconnect: false, ...more });

async function lastDelivery(terminates) { // some tasks can never be done
  const nc = await conn("task-worker"), shop = await conn("planner"); const jsm = await nc.jetstreamManager(); const js = nc.jetstream(); let done = 0, naks = 0, terms = 0;
  await jsm.streams.add({ name: "tasks", subjects: ["tasks.*"], storage: "memory", retention: "workqueue" });
  await jsm.consumers.add("tasks", { durable_name: "worker", ack_policy: "explicit", ack_wait: 5e9, max_deliver: 3, max_ack_pending: -1 });
  (async () => { for (let n = 0; n < 45; n++) { await shop.jetstream().publish("tasks.new", sc.encode(n % 11 == 4 ? `task ${n} without address` : `task ${n} for depot ${n % 4}`)); await sleep(110); } })();
  const messages = await (await js.consumers.get("tasks", "worker")).consume({ max_messages: 10, expires: 3000, idle_heartbeat: 900 });
  setTimeout(() => messages.stop(), 7800);
  for await (const m of messages) {
    await sleep(4);
    if (!sc.decode(m.data).includes("without")) { m.ack(); done++; } else if (terminates && m.info.redeliveryCount >= 3) { m.term(); terms++; } else { m.nak(500); naks++; }
  }
  const left = (await jsm.streams.info("tasks")).state.messages; await shop.close(); await nc.close();
  finish({ done, naks, terms, left });
}

async function group(policy) { // one member of a queue group refuses what it gets, the other acknowledges
  const nc = await conn("setup"), a = await conn("member-a"), b = await conn("member-b"); const jsm = await nc.jetstreamManager(); let acks = 0, naks = 0; const seen = new Set(), accepted = new Set();
  await jsm.streams.add({ name: "mails", subjects: ["mails.*"], storage: "memory" });
  await jsm.consumers.add("mails", { durable_name: "senders", ack_policy: policy, ack_wait: 30e9, deliver_subject: "deliver.senders", deliver_group: "senders" });
  const join = async (c, accepts) => {
    const o = consumerOpts(); o.bind("mails", "senders"); o.manualAck(); o.queue("senders"); o.deliverTo("deliver.senders");
    o.callback((e, m) => { if (!m) return; seen.add(m.seq); if (accepts) { acks++; accepted.add(m.seq); m.ack(); } else { naks++; m.nak(250); } });
    return c.jetstream().subscribe("mails.*", o);
  };
  await join(a, false); await join(b, true);
  for (let round = 0; round < 9; round++) { await Promise.all([0, 1, 2, 3].map((n) => nc.jetstream().publish("mails.out", sc.encode(`mail ${round}-${n}`)))); await sleep(420); }
  await sleep(1800);
  for (const c of [a, b, nc]) await c.close();
  finish({ published: 36, acks, naks, accepted: accepted.size });
}

async function deleted(makes) { // somebody deletes the consumer; its client pulls whenever heartbeats are missed
  const nc = await conn("shipper"), admin = await conn("cleaner"); const jsm = await admin.jetstreamManager(); let got = 0, gone = 0; const wanted = { durable_name: "shipper", ack_policy: "explicit", ack_wait: 4e9 };
  await jsm.streams.add({ name: "orders", subjects: ["orders.*"], storage: "memory" }); await jsm.consumers.add("orders", wanted);
  let publishing = true; (async () => { for (let n = 0; publishing; n++) { await admin.jetstream().publish("orders.new", sc.encode(`order ${n}`)); await sleep(170); } })();
  setTimeout(() => jsm.consumers.delete("orders", "shipper"), 2600);
  const inbox = createInbox(); let last = Date.now(), making = false; const pull = () => { last = Date.now(); nc.publish("$JS.API.CONSUMER.MSG.NEXT.orders.shipper", sc.encode(JSON.stringify({ batch: 5, expires: 2e9, idle_heartbeat: 3e8 })), { reply: inbox }); };
  let open = 0;
  nc.subscribe(inbox, { callback: async (e, m) => {
    last = Date.now(); const code = m.headers && m.headers.code;
    if (!code) { got++; m.respond(sc.encode("+ACK")); if (++open % 5 == 0) pull(); return; }
    if (code == 503 || code == 409) { gone++; if (makes && !making) { making = true; await (await nc.jetstreamManager()).consumers.add("orders", { ...wanted, deliver_policy: "by_start_sequence", opt_start_seq: got + 1 }); pull(); } }
    if (code == 408) { open = 0; pull(); }
  } });
  pull(); const timer = setInterval(() => { if (Date.now() - last > 650) pull(); }, 100);
  await sleep(9500); clearInterval(timer); publishing = false; await sleep(250); await nc.close(); await admin.close();
  finish({ got, gone });
}

async function watches(resumes) { // a program with a copy of a bucket is started again and again
  const owner = await conn("settings"); const kv = await owner.jetstream().views.kv("settings", { history: 12, storage: "memory" }); let read = 0, last = 0;
  for (let n = 0; n < 60; n++) await kv.put(`node${n % 9}.limit`, sc.encode(`limit ${n}`));
  let writing = true; (async () => { for (let n = 60; writing; n++) { await kv.put(`node${n % 9}.limit`, sc.encode(`limit ${n}`)); await sleep(140); } })();
  for (let run = 0; run < 6; run++) {
    const nc = await conn("edge-proxy"); const own = await nc.jetstream().views.kv("settings", { bindOnly: true });
    const watch = await own.watch(resumes && last ? { resumeFromRevision: last + 1 } : { include: KvWatchInclude.AllHistory });
    setTimeout(() => watch.stop(), 1100);
    for await (const e of watch) { read++; last = Math.max(last, e.revision); }
    await nc.close(); await sleep(250);
  }
  writing = false; await sleep(300); await owner.close();
  finish({ read, last });
}

async function violates(insists) { // the user may not subscribe to q
  const who = { user: "app", pass: "throwaway" }; const nc = await conn("backoffice", who), feed = await conn("feed", who); let seen = 0, refused = 0;
  (async () => { for await (const s of nc.status()) if (s.type == "error") refused++; })().catch(() => {});
  nc.subscribe("allowed.rates", { callback: (e, m) => { if (!e) seen++; } });
  const ask = () => nc.subscribe("q", { queue: "", callback: (e) => { if (e) refused++; } });
  ask(); const timer = insists ? setInterval(ask, 450) : undefined;
  for (let n = 0; n < 45; n++) { feed.publish("allowed.rates", sc.encode(`rate ${n}`)); await sleep(140); }
  clearInterval(timer); await nc.flush().catch(() => {}); await nc.close(); await feed.close();
  finish({ seen, refused });
}

async function waits(ack_wait) { // tickets are handled in 60 ms each
  const nc = await conn("tickets"), shop = await conn("counter"); const jsm = await nc.jetstreamManager(); let handled = 0; const different = new Set();
  await jsm.streams.add({ name: "TICKET", subjects: ["TICKET.>"], storage: "memory" });
  await jsm.consumers.add("TICKET", { durable_name: "q-ticket-services", ack_policy: "explicit", ack_wait, max_deliver: -1, max_ack_pending: 40, filter_subject: "TICKET.order.cancelled", deliver_subject: "delivery.order.cancelled", deliver_group: "ticket-services" });
  const o = consumerOpts(); o.bind("TICKET", "q-ticket-services"); o.manualAck(); o.queue("ticket-services"); o.deliverTo("delivery.order.cancelled");
  o.callback(async (e, m) => { if (!m) return; await sleep(60); handled++; different.add(m.seq); m.ack(); });
  await nc.jetstream().subscribe("TICKET.order.cancelled", o);
  for (let n = 0; n < 24; n++) { await shop.jetstream().publish(n % 4 == 3 ? "TICKET.order.paid" : "TICKET.order.cancelled", sc.encode(`ticket ${n}`)); await sleep(230); }
  await sleep(500); await shop.close(); await nc.close();
  finish({ handled, different: different.size });
}

({
  nak_of_the_last_delivery: () => lastDelivery(false), term_at_the_last_delivery: () => lastDelivery(true),
  queue_group_acks_all: () => group("all"), queue_group_acks_each: () => group("explicit"),
  pulls_of_a_deleted_consumer: () => deleted(false), deleted_consumer_made_again: () => deleted(true),
  watch_from_the_start: () => watches(false), watch_resumed: () => watches(true),
  denied_subject_again: () => violates(true), denied_subject_once: () => violates(false),
  ack_wait_in_milliseconds: () => waits(5000), ack_wait_in_nanoseconds: () => waits(nanos(5000)),
})[process.argv[3]]();
