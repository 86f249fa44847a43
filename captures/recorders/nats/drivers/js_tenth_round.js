// What nats.js is made to do in the tenth round of the blind test; prints what it counted.
const { connect, StringCodec } = require(process.argv[2] + "/node_modules/nats");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name, more) => connect({ servers: "127.0.0.1:4222", name, reconnect: false, ...more });

async function entities(keeps) { // an entity ends by an empty message, and its subject is purged: all of it, or all but that message
  const backend = await conn("backend"), front = await conn("front"); const jsm = await backend.jetstreamManager(); const js = backend.jetstream();
  await jsm.streams.add({ name: "entities", subjects: ["entities.*"], storage: "memory" });
  await jsm.consumers.add("entities", { durable_name: "index", ack_policy: "explicit", ack_wait: 5e9 });
  const c = await front.jetstream().consumers.get("entities", "index"); let made = 0, ended = 0, published = 0, over = false;
  const reading = (async () => { while (!over) { await sleep(700); for await (const m of await c.fetch({ max_messages: 60, expires: 1000 })) { m.data.length ? made++ : ended++; m.ack(); } } })();
  for (let n = 0; n < 36; n++) {
    await js.publish(`entities.${n}`, sc.encode(`entity ${n} of ${n % 5}`)); published++;
    if (n % 3 == 2) { const gone = n - 2; await js.publish(`entities.${gone}`); published++; await jsm.streams.purge("entities", { filter: `entities.${gone}`, ...(keeps ? { keep: 1 } : {}) }); }
    await sleep(190);
  }
  await sleep(1500); over = true; await reading; await front.close(); await backend.close();
  finish({ published, made, ended });
}

async function readings(bySequence) { // a job empties a stream every two seconds while its consumer is at work: all of it, or what is acknowledged
  const source = await conn("meters"), job = await conn("cleaner"), nc = await conn("biller"); const jsm = await job.jetstreamManager(); let published = 0, billed = 0, purged = 0;
  await jsm.streams.add({ name: "readings", subjects: ["readings.>"], storage: "memory" });
  await jsm.consumers.add("readings", { durable_name: "biller", ack_policy: "explicit", ack_wait: 6e9 });
  const messages = await (await nc.jetstream().consumers.get("readings", "biller")).consume({ max_messages: 5, expires: 2000, idle_heartbeat: 700 });
  const billing = (async () => { for await (const m of messages) { await sleep(170); m.ack(); billed++; } })();
  const cleaning = (async () => { for (let n = 0; n < 4; n++) { await sleep(2000);
    const floor = (await jsm.consumers.info("readings", "biller")).ack_floor.stream_seq;
    purged += (await jsm.streams.purge("readings", bySequence ? { seq: floor + 1 } : undefined)).purged; } })();
  for (let n = 0; n < 95; n++) { await source.jetstream().publish(`readings.house${n % 4}`, sc.encode(`${n} kWh`)); published++; await sleep(85); }
  await cleaning; await sleep(1500); await messages.close(); await billing; await nc.close(); await job.close(); await source.close();
  finish({ published, billed, purged });
}

({
  purged_with_its_end: () => entities(false), purged_but_its_end: () => entities(true),
  purged_under_its_consumer: () => readings(false), purged_up_to_the_floor: () => readings(true),
})[process.argv[3]]();
