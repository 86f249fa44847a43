// What nats.js is made to do in the blind test; prints what it counted as a line of JSON.
const { connect, StringCodec, AckPolicy } = require(process.argv[2] + "/node_modules/nats");
const sc = StringCodec();
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };

async function fetch_one_by_one() {
  const nc = await connect({ servers: "127.0.0.1:4222", name: "importer", reconnect: false });
  const jsm = await nc.jetstreamManager();
  await jsm.streams.add({ name: "ROWS", subjects: ["rows.*"] });
  const js = nc.jetstream();
  for (let i = 0; i < 80; i++) nc.publish("rows.new", sc.encode(`row ${i}`));
  await nc.flush();
  await jsm.consumers.add("ROWS", { durable_name: "importer", ack_policy: AckPolicy.Explicit });
  const consumer = await js.consumers.get("ROWS", "importer");
  for (let i = 0; i < 80; i++) {
    const m = await consumer.next({ expires: 1000 });
    m.ack();
    count("rows");
  }
  await nc.drain();
}

({ fetch_one_by_one })[process.argv[3]]().then(() => console.log(JSON.stringify(counted)));
