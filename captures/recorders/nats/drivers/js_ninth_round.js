// What nats.js is made to do in the ninth round of the blind test; prints what it counted.
const { connect, StringCodec } = require(process.argv[2] + "/node_modules/nats");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name, more) => connect({ servers: "127.0.0.1:4222", name, reconnect: false, ...more });
const feeds = async (nc, number, pause, subject, what) => { for (let n = 0; n < number; n++) { try { await nc.jetstream().publish(subject(n), sc.encode(`${what} ${n}`)); } catch (e) { feeds.refused = (feeds.refused || 0) + 1; } await sleep(pause); } };

async function renders(shared) { // two workers of a work queue, each with a consumer of its own name, or one of both
  const shop = await conn("studio"); const jsm = await shop.jetstreamManager(); let refused = 0; const done = {};
  await jsm.streams.add({ name: "renders", subjects: ["renders.*"], storage: "memory", retention: "workqueue" });
  const feeding = feeds(shop, 60, 130, (n) => `renders.scene${n % 5}`, "scene");
  const end = Date.now() + 9000;
  const worker = async (name) => {
    const nc = await conn(name); const own = await nc.jetstreamManager(); const durable_name = shared ? "renderers" : name; let made = false; done[name] = 0;
    while (Date.now() < end) {
      try { if (!made) await own.consumers.add("renders", { durable_name, ack_policy: "explicit", ack_wait: 5e9 }); made = true; }
      catch (e) { refused++; await sleep(900); continue; }
      const c = await nc.jetstream().consumers.get("renders", durable_name);
      for await (const m of await c.fetch({ max_messages: 2, expires: 1000 })) { await sleep(120); m.ack(); done[name]++; }
    }
    await nc.close();
  };
  await Promise.all([worker("render-a"), sleep(700).then(() => worker("render-b"))]); await feeding; await shop.close();
  finish({ refused, ...done });
}

async function dead(terminates) { // mails that can never be sent stay in a stream that ends with what is acknowledged
  const shop = await conn("crm"), nc = await conn("mailer"); const jsm = await shop.jetstreamManager(); let sent = 0, naks = 0, terms = 0;
  await jsm.streams.add({ name: "mails", subjects: ["mails.*"], storage: "memory", retention: "interest", max_msgs: 12, discard: "new" });
  await jsm.consumers.add("mails", { durable_name: "mailer", ack_policy: "explicit", ack_wait: 4e9, max_deliver: 3 });
  const feeding = feeds(shop, 75, 110, (n) => `mails.${n % 4 == 1 ? "invalid" : "customer"}`, "mail");
  const messages = await (await nc.jetstream().consumers.get("mails", "mailer")).consume({ max_messages: 6, expires: 3000, idle_heartbeat: 900 });
  setTimeout(() => messages.stop(), 9300);
  for await (const m of messages) {
    await sleep(5);
    if (m.subject != "mails.invalid") { m.ack(); sent++; } else if (terminates && m.info.redeliveryCount >= 3) { m.term(); terms++; } else { m.nak(60); naks++; }
  }
  await feeding; const left = (await jsm.streams.info("mails")).state.messages; await nc.close(); await shop.close();
  finish({ sent, naks, terms, left, refused: feeds.refused || 0 });
}

async function deployments(cleans) { // each deployment has a consumer of its own name, which outlives it or not
  const shop = await conn("cms"); const jsm = await shop.jetstreamManager(); let indexed = 0;
  await jsm.streams.add({ name: "pages", subjects: ["pages.*"], storage: "memory", retention: "interest" });
  const held = [];
  for (const build of ["5f1c2", "a90be", "c77d1", "e0314"]) {
    const nc = await conn(`indexer-${build}`); const own = await nc.jetstreamManager(); const name = `indexer-${build}`;
    await own.consumers.add("pages", { durable_name: name, ack_policy: "explicit", deliver_policy: "new" });
    const feeding = feeds(shop, 18, 90, (n) => `pages.${n % 3 ? "edited" : "made"}`, "page");
    const messages = await (await nc.jetstream().consumers.get("pages", name)).consume({ max_messages: 10, expires: 2000, idle_heartbeat: 600 });
    setTimeout(() => messages.stop(), 2100);
    for await (const m of messages) { m.ack(); indexed++; }
    await feeding;
    if (cleans) await own.consumers.delete("pages", name);
    held.push((await jsm.streams.info("pages")).state.messages); await nc.close(); await sleep(250);
  }
  await shop.close();
  finish({ indexed, held });
}

({
  worker_of_its_own_name: () => renders(false), workers_of_one_name: () => renders(true),
  dead_mails_kept: () => dead(false), dead_mails_ended: () => dead(true),
  consumer_of_each_deployment: () => deployments(false), consumer_ends_with_deployment: () => deployments(true),
})[process.argv[3]]();
