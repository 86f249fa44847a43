// What nats.js of the third generation is made to do in the fourteenth round; prints what it counted.
const folder = process.argv[2], modules = require("module").createRequire(folder + "/");
const { connect, nanos, nuid } = modules("@nats-io/transport-node"), { jetstream, jetstreamManager } = modules("@nats-io/jetstream");
const { Kvm } = modules("@nats-io/kv"), { Objm } = modules("@nats-io/obj"), { Svcm } = modules("@nats-io/services");
const crypto = require("crypto");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms)); const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, maxReconnectAttempts: -1, reconnectTimeWait: 200 });

// A scanner stores drawings in a bucket with room for a few of them; its own code writes the parts and the entry.
async function drawings(looks) {
  const scanner = await conn("scanner"), reader = await conn("viewer");
  const js = jetstream(scanner), store = await new Objm(js).create("drawings", { storage: "memory", max_bytes: 60000 });
  const jsm = await jetstreamManager(scanner); await jsm.streams.add({ name: "VISITS", subjects: ["visits.>"], storage: "memory" });
  const view = await new Objm(jetstream(reader)).open("drawings");
  for (let n = 0; n < 9; n++) {
    const name = `plan-${n}`, nuid_ = nuid.next(), hash = crypto.createHash("sha256"), acks = [];
    let size = 0;
    for (let part = 0; part < 4; part++) {
      const data = Buffer.alloc(3000, `part ${part} of ${name}, `); size += data.length; hash.update(data);
      acks.push(js.publish(`$O.drawings.C.${nuid_}`, data, { timeout: 1500 }).then(() => count("parts"), () => { count("parts_refused"); return "refused"; }));
    }
    const refused = (await Promise.all(acks)).includes("refused");
    if (looks && refused) { await jsm.streams.purge("OBJ_drawings", { filter: `$O.drawings.C.${nuid_}` }); count("not_stored"); await view.delete(`plan-${n - 4}`).catch(() => 0); continue; }
    const meta = { name, bucket: "drawings", nuid: nuid_, size, chunks: 4, mtime: new Date().toISOString(), digest: `SHA-256=${hash.digest("base64url")}=` };
    const { headers } = modules("@nats-io/transport-node"); const h = headers(); h.set("Nats-Rollup", "sub");
    try { await js.publish(`$O.drawings.M.${Buffer.from(name).toString("base64url").padEnd(Math.ceil(Buffer.from(name).toString("base64url").length / 4) * 4, "=")}`, JSON.stringify(meta), { headers: h }); count("stored"); } catch { count("entry_refused"); }
    await js.publish("visits.hall", `visitor ${n}`); await sleep(250);
    const got = await view.get(name).catch(() => null);
    if (got) { try { let length = 0; const stream = got.data.getReader(); for (;;) { const { done, value } = await Promise.race([stream.read(), sleep(2000).then(() => { throw new Error("late"); })]); if (done) break; length += value.length; } count("read"); got.error.then((e) => e && count("bad")); await sleep(20); } catch { count("not_read"); } }
    await sleep(300);
  }
  await scanner.close(); await reader.close(); finish(counted);
}

// A shop works with a bucket of keys, objects, a service and a work queue while the server restarts; it closes down by draining.
async function shop() {
  const nc = await conn("shop"), kitchen = await conn("kitchen"), till = await conn("till");
  const js = jetstream(nc), jsm = await jetstreamManager(nc);
  await jsm.streams.add({ name: "DISHES", subjects: ["dishes.>"], storage: "file", retention: "workqueue" });
  await jsm.consumers.add("DISHES", { durable_name: "kitchen", ack_policy: "explicit", ack_wait: nanos(8000) });
  const menu = await new Kvm(js).create("menu", { history: 4, storage: "file" }), pictures = await new Objm(js).create("pictures", { storage: "file" });
  const prices = await new Svcm(kitchen).add({ name: "prices", version: "1.0.0", description: "prices of dishes", queue: "prices" });
  prices.addEndpoint("of", { handler: (e, m) => { if (!e) { m.respond(`${5 + m.string().length} EUR`); count("asked"); } }, subject: "prices.of" });
  const consumer = await jetstream(kitchen).consumers.get("DISHES", "kitchen");
  const messages = await consumer.consume({ max_messages: 10, expires: 4000 });
  const cooking = (async () => { for await (const m of messages) { await sleep(90); m.ack(); count("cooked"); } })();
  const seen = await (await new Kvm(jetstream(till)).open("menu")).watch(); (async () => { for await (const _ of seen) count("seen"); })();
  for (let n = 0; n < 56; n++) {
    for (let attempt = 0; attempt < 8; attempt++) { try { await js.publish(`dishes.table${n % 5}`, `soup for guest ${n}`, { msgID: `dish-${n}`, timeout: 1000 }); count("ordered"); break; } catch { count("tried_again"); await sleep(400); } }
    if (n % 8 === 0) { try { await menu.put(["soup", "fish", "bread"][n % 3], `day ${n}`); count("put"); } catch { count("not_put"); } }
    if (n % 14 === 3) { try { await pictures.putBlob({ name: `soup-${n}` }, Buffer.alloc(9000 + n, "soup ")); count("pictures"); } catch { count("no_picture"); } }
    if (n % 6 === 0) { try { await till.request("prices.of", "soup", { timeout: 900 }); count("answered"); } catch { count("not_answered"); } }
    await sleep(n === 40 ? 2500 : 160);
  }
  await sleep(900); messages.stop(); await cooking; seen.stop(); await prices.stop(); await kitchen.drain(); await till.drain(); await nc.drain(); finish(counted);
}

({ entry_of_refused_parts: () => drawings(false), refused_parts_taken_back: () => drawings(true), shop_day: shop })[process.argv[3]]();
