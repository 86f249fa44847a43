// What nats.js is made to do in the eleventh round of the blind test; prints what it counted.
const { connect, consumerOpts, StringCodec } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, reconnectTimeWait: 500, maxReconnectAttempts: -1 });

async function invoices(again) { // a printer pulls a batch, and the next one when it is printed; after a reconnection it pulls too, or does not
  const source = await conn("accounting"), nc = await conn("printer"); const jsm = await source.jetstreamManager();
  await jsm.streams.add({ name: "invoices", subjects: ["invoices.>"], storage: "file" });
  const opts = consumerOpts(); opts.durable("printer"); opts.manualAck(); opts.ackExplicit(); opts.deliverAll(); opts.ackWait(20000);
  const sub = await nc.jetstream().pullSubscribe("invoices.>", opts); let published = 0, printed = 0, lost = 0, open = 0, over = false;
  const pull = () => { open = 12; sub.pull({ batch: 12 }); };
  const reading = (async () => { for await (const m of sub) { m.ack(); printed++; if (--open === 0) pull(); } })();
  if (again) (async () => { for await (const s of nc.status()) if (s.type === "reconnect") pull(); })();
  const beats = (async () => { while (!over) { nc.publish("printer.alive", sc.encode(`${printed}`)); await sleep(700); } })();
  pull();
  for (const end = Date.now() + 22000; Date.now() < end; ) {
    try { await source.jetstream().publish(`invoices.${published % 5}`, sc.encode(`invoice ${published}`), { timeout: 1200 }); published++; } catch (e) { lost++; }
    await sleep(210);
  }
  await sleep(1500); over = true; await beats; await nc.close(); await source.close(); await reading.catch(() => {});
  console.log(JSON.stringify({ published, printed, lost })); process.exit(0);
}

({ pulls_end_with_the_connection: () => invoices(false), pulls_after_the_reconnection: () => invoices(true) })[process.argv[3]]();
