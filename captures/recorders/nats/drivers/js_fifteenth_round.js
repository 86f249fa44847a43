// What nats.js is made to do in the fifteenth round of the blind test; prints what it counted.
const folder = process.argv[2], { connect, StringCodec } = require("module").createRequire(folder + "/")("nats");
const text = StringCodec(), sleep = (ms) => new Promise((done) => setTimeout(done, ms)), counted = {};
const count = (name) => { counted[name] = (counted[name] || 0) + 1; };
const conn = (name) => connect({ servers: "127.0.0.1:4222", name, maxReconnectAttempts: -1, reconnectTimeWait: 200 });

// A worker makes thumbnails on request. Its memory is full after 14 of them: from then on it takes requests and answers none. A worker in good order takes longer for large ones, and says why it cannot make one.
async function thumbnails(full) {
  const web = await conn("web"), worker = await conn("worker"), jobs = worker.subscribe("thumbnail.make", { queue: "workers" });
  const held = [];
  (async () => {
    for await (const m of jobs) {
      count("taken");
      const picture = text.decode(m.data);
      if (full && held.length >= 14) { held.push(picture); continue; }
      held.push(picture);
      setTimeout(() => m.respond(text.encode(picture.endsWith("7") ? `error: ${picture} is no picture` : `thumbnail of ${picture}`)), 40 + 90 * (held.length % 8));
    }
  })();
  const watch = web.subscribe("album.*"); (async () => { for await (const _ of watch) count("seen"); })();
  for (let n = 0; n < 26; n++) {
    try { await web.request("thumbnail.make", text.encode(`picture-${n}`), { timeout: 900 }); count("answered"); } catch { count("timed_out"); }
    if (n % 3 === 0) worker.publish("album.new", text.encode(`picture-${n}`));
    await sleep(120);
  }
  await worker.drain(); await web.drain();
  console.log(JSON.stringify(counted)); process.exit(0);
}
({ requests_not_answered: () => thumbnails(true), requests_answered_late: () => thumbnails(false) })[process.argv[3]]();
