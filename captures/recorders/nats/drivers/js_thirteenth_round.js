// What nats.js of the third generation and NestJS are made to do in the thirteenth round; prints what it counted.
const folder = process.argv[2], modules = require("module").createRequire(folder + "/");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms)); const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };

// A watcher of settings makes its consumer again after each reconnection, with the name of the old one or with a new name.
async function watcher(newName) {
  const { connect, nanos, createInbox } = modules("@nats-io/transport-node"); const { jetstream, jetstreamManager } = modules("@nats-io/jetstream");
  const conn = (name) => connect({ servers: "127.0.0.1:4222", name, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
  const admin = await conn("admin"), nc = await conn("watcher");
  const js = jetstream(admin), jsm = await jetstreamManager(admin), own = await jetstreamManager(nc);
  await jsm.streams.add({ name: "SETTINGS", subjects: ["settings.>"], storage: "file", max_msgs_per_subject: 1 });
  let last = 0, sub, times = 0, wanted = true;
  const watch = async () => {
    const deliver_subject = createInbox(); if (sub) sub.unsubscribe();
    sub = nc.subscribe(deliver_subject, { callback: (_e, m) => { if (m.reply) { last = Number(m.reply.split(".")[5]); count("seen"); } } });
    await own.consumers.add("SETTINGS", { name: newName ? `watch-${times++}` : "watch", deliver_subject, deliver_policy: "by_start_sequence", opt_start_seq: last + 1, ack_policy: "none", inactive_threshold: nanos(60000), idle_heartbeat: nanos(1500) });
    wanted = false;
  };
  (async () => { for await (const s of nc.status()) if (s.type === "reconnect") wanted = true; })();
  const trying = (async () => { for (let n = 0; n < 26; n++) { if (wanted) { try { await watch(); count("made"); } catch { count("refused"); } } await sleep(420); } })();
  for (let n = 0; n < 60; n++) { try { await js.publish(`settings.${["light", "heat", "door"][n % 3]}.r${n % 4}`, `value ${n}`, { timeout: 700 }); count("published"); } catch { count("failed"); } await sleep(170); }
  await trying; await nc.close(); await admin.close(); finish(counted);
}

// A service of NestJS that answers questions about accounts, and listens to events.
async function service() {
  modules("reflect-metadata");
  const { NestFactory } = modules("@nestjs/core"); const { Module, Controller } = modules("@nestjs/common");
  const { Transport, MessagePattern, EventPattern } = modules("@nestjs/microservices");
  class Accounts { balance(asked) { count("asked"); return { balance: 12.5 * asked.account, currency: asked.currency }; } owner(asked) { count("asked"); return `customer ${asked.account % 9}`; } seen() { count("events"); } }
  const of = (name) => Object.getOwnPropertyDescriptor(Accounts.prototype, name);
  MessagePattern("accounts.balance")(Accounts.prototype, "balance", of("balance")); MessagePattern("accounts.owner")(Accounts.prototype, "owner", of("owner")); EventPattern("audit")(Accounts.prototype, "seen", of("seen"));
  Controller()(Accounts); class App {} Module({ controllers: [Accounts] })(App);
  const app = await NestFactory.createMicroservice(App, { logger: false, transport: Transport.NATS, options: { servers: ["nats://127.0.0.1:4222"], queue: "accounts", name: "accounts" } }); await app.listen();
  await sleep(18500); await app.close(); finish(counted);
}

({ consumer_name_in_use: () => watcher(false), consumer_name_of_each_connection: () => watcher(true), service })[process.argv[3]]();
