// What nats.js is made to do in the fifth round of the blind test; prints what it counted.
const { connect, StringCodec, headers } = require(process.argv[2] + "/node_modules/nats");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, reconnect: false });

async function pinned(clears) { // a consumer that one client at a time gets (server 2.11)
  const setup = await conn("installer"); const api = async (s, b) => JSON.parse(sc.decode((await setup.request("$JS.API." + s, sc.encode(JSON.stringify(b)))).data));
  await api("STREAM.CREATE.jobs", { name: "jobs", subjects: ["jobs.*"], storage: "memory" });
  const made = await api("CONSUMER.CREATE.jobs.runner", { stream_name: "jobs", config: { name: "runner", durable_name: "runner", ack_policy: "explicit", ack_wait: 3e9, priority_policy: "pinned_client", priority_groups: ["main"], priority_timeout: 1e9 } });
  if (made.error) throw new Error(made.error.description);
  let publishing = true; (async () => { for (let n = 0; publishing; n++) { await setup.request("jobs.new", sc.encode(`job ${n}`)); await sleep(120); } })();
  const done = {}; let mismatches = 0; const start = Date.now(); const at = () => Date.now() - start;
  async function runner(name, from, to, pause) {
    await sleep(from); const nc = await conn(name); let pin; done[name] = 0;
    const inbox = `_INBOX.${name}`; const queue = []; let wake; nc.subscribe(inbox, { callback: (e, m) => { queue.push(m); if (wake) wake(); } });
    while (at() < to) {
      if (pause && at() > pause[0] && at() < pause[1]) await sleep(pause[1] - at()); // the machine sleeps
      nc.publish("$JS.API.CONSUMER.MSG.NEXT.jobs.runner", sc.encode(JSON.stringify({ batch: 1, expires: 800000000, group: "main", ...(pin ? { id: pin } : {}) })), { reply: inbox });
      if (!queue.length) await new Promise((d) => { wake = d; setTimeout(d, 1200); });
      while (queue.length) {
        const m = queue.shift(); const code = m.headers && m.headers.code;
        if (code) { if (code == 423) { mismatches++; if (clears) pin = undefined; await sleep(250); } continue; }
        if (m.headers && m.headers.get("Nats-Pin-Id")) pin = m.headers.get("Nats-Pin-Id");
        await sleep(30); m.respond(sc.encode("+ACK")); done[name]++;
      }
    }
    await nc.close();
  }
  await Promise.all([runner("runner-a", 200, 15000, [2500, 5200]), runner("runner-b", 900, 8200)]);
  publishing = false; await sleep(300);
  const info = JSON.parse(sc.decode((await setup.request("$JS.API.CONSUMER.INFO.jobs.runner")).data));
  await setup.close();
  finish({ done: done["runner-a"] + done["runner-b"], mismatches, pending: info.num_pending });
}

async function perMessage() { // a handler of web requests connects for each of them
  for (let n = 0; n < 40; n++) {
    const nc = await conn("web-handler"); nc.publish("audit.login", sc.encode(`user ${n % 5} has logged in`)); await nc.flush(); await nc.close(); await sleep(110);
  }
  finish({ published: 40 });
}

async function star() {
  const shop = await conn("shop"), stats = await conn("statistics"), mail = await conn("mailer"); const seen = [0, 0];
  stats.subscribe("orders.eu-*", { callback: () => { seen[0]++; } }); mail.subscribe("orders.*", { callback: () => { seen[1]++; } }); await stats.flush(); await mail.flush();
  for (let n = 0; n < 40; n++) { shop.publish(`orders.${["eu-west", "eu-north", "us-east"][n % 3]}`, sc.encode(`order ${n}`)); await sleep(150); }
  for (const nc of [shop, stats, mail]) await nc.close();
  finish({ published: 40, statistics: seen[0], mailer: seen[1] });
}

async function burns(delay) { // the database is away for a second now and then
  const nc = await conn("inbox-worker"); const jsm = await nc.jetstreamManager(); const js = nc.jetstream();
  await jsm.streams.add({ name: "inbox", subjects: ["inbox.*"], storage: "memory" });
  await jsm.consumers.add("inbox", { durable_name: "worker", ack_policy: "explicit", ack_wait: 5e9, max_deliver: 5 });
  let publishing = true; const shop = await conn("gateway"); (async () => { for (let n = 0; publishing; n++) { await shop.jetstream().publish("inbox.new", sc.encode(`letter ${n}`)); await sleep(130); } })();
  const c = await js.consumers.get("inbox", "worker"); const messages = await c.consume({ max_messages: 20, expires: 4000, idle_heartbeat: 1000 });
  const start = Date.now(); let done = 0, naks = 0; setTimeout(() => { publishing = false; }, 8000); setTimeout(() => messages.stop(), 11500);
  const away = () => { const t = Date.now() - start; return (t > 2000 && t < 3200) || (t > 5500 && t < 6500); };
  for await (const m of messages) { await sleep(3); if (away()) { naks++; delay ? m.nak(delay) : m.nak(); } else { m.ack(); done++; } }
  const info = await c.info(); const s = await jsm.streams.info("inbox"); await shop.close(); await nc.close();
  finish({ stored: s.state.messages, done, naks, ack_pending: info.num_ack_pending });
}

async function objects(pads) { // one program puts objects, another looks for them by their names
  const camera = await conn("camera"), gallery = await conn("gallery"); const os = await camera.jetstream().views.os("photos", { storage: "memory" }); let found = 0, missing = 0;
  const look = async (name) => {
    let key = Buffer.from(name).toString("base64url"); if (pads) key += "=".repeat((4 - key.length % 4) % 4);
    const r = JSON.parse(sc.decode((await gallery.request("$JS.API.STREAM.MSG.GET.OBJ_photos", sc.encode(JSON.stringify({ last_by_subj: `$O.photos.M.${key}` })), { timeout: 2000 })).data));
    r.error ? missing++ : found++; return !r.error;
  };
  for (let n = 3; n < 17; n++) {
    const name = `photo-${n}.jpg`; await os.putBlob({ name }, sc.encode(`picture ${n} `.repeat(60))); await sleep(150);
    for (let t = 0; t < 3 && !(await look(name)); t++) await sleep(120); // perhaps it is not there yet
  }
  await camera.close(); await gallery.close();
  finish({ found, missing });
}

({
  object_name_without_padding: () => objects(false), object_name_padded: () => objects(true),
  naks_at_once: () => burns(0), naks_with_pause: () => burns(700),
  star_inside_a_token: star, stale_pin: () => pinned(false), pin_cleared: () => pinned(true),
  connection_per_message: perMessage,
})[process.argv[3]]();
