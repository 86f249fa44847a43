// What rsocket-js is made to do in the eleventh round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (t) => Buffer.from(t);
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
process.on("uncaughtException", () => count("broken"));
const connect = (setup = {}, more = {}) => once(setup, more).catch(() => sleep(400).then(() => connect(setup, more)));
const once = (setup, more) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 2000, lifetime: 20000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup }, ...more,
}).connect();
// Resolves when the request is answered, has failed, or is given up and cancelled.
const ask = (client, data, patience = 4000) => new Promise((done) => {
  const late = setTimeout(() => { count("given_up"); one.cancel(); done(false); }, patience);
  const over = (name) => { clearTimeout(late); count(name); done(true); };
  const one = client.requestResponse({ data: bytes(data) }, {
    onNext(p) { over(p.data?.length ? "answers" : "empty"); }, onError() { over("errors"); }, onComplete() { over("without_data"); }, onExtension() {} });
});
const stream = (client, data, n = 0x7fffffff) => new Promise((done) => {
  client.requestStream({ data: bytes(data) }, n, { onNext(_p, last) { count("items"); if (last) done(); }, onError() { count("failed"); done(); }, onComplete() { done(); }, onExtension() {} });
});

// Reports of a month and of a year, as one answer or as a stream of parts; comes again when the server is gone.
async function reports(asStream) {
  for (let life = 0; life < (asStream ? 2 : 4); life++) {
    const c = await connect();
    let over = false;
    c.onClose(() => { over = true; count("closed"); });
    stream(c, `ticks ${life}`);
    for (const month of ["january", "february", "march"]) { if (!over) await ask(c, `report ${month} of ${2020 + life}`); await sleep(140); }
    await (asStream ? stream(c, "year in parts") : ask(c, "report year"));
    await sleep(250);
    if (!over) { await ask(c, "report may"); c.close(); }
    await sleep(700);
  }
}

// Nine questions at the same time, three times.
async function at_once() {
  const c = await connect();
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 9 }, (_, n) => sleep(7 * n).then(() => ask(c, `price ${round}.${n}`, 1500))));
    await sleep(400);
  }
  c.close();
}

// A session that is to be resumed, with a token that the server knows or does not know.
async function session(token) {
  for (let n = 0; n < 3; n++) {
    const c = await Promise.race([connect({ payload: { data: bytes(token) }, lifetime: 5000 }, {
      resume: { tokenGenerator: () => bytes(`session-${token}-${n}`), reconnectFunction: () => sleep(500), cacheSize: 4096 } }), sleep(3000)]);
    if (!c) { count("no_connection"); continue; }
    for (let i = 0; i < 4; i++) await ask(c, `account ${n}.${i}`, 900);
    c.close();
    await sleep(400);
  }
}

// Rounds of questions with a pause between them, on a connection with this interval of KEEPALIVE.
async function rounds(keepAlive) {
  const c = await connect({ keepAlive, lifetime: 999999 });
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 3; n++) await ask(c, `door ${round}.${n}`, 2500);
    await sleep(4200);
  }
  c.close();
}

// Questions of which the server by hand answers some without NEXT, or all with it.
async function questions() {
  const c = await connect();
  for (let n = 0; n < 12; n++) { await ask(c, `user ${n}`); await sleep(90); }
  c.close();
}

// A day in a workshop: reports that nobody answers, questions, streams, and a second start.
async function workshop() {
  for (let start = 0; start < 2; start++) {
    const c = await connect({ payload: { data: bytes(`bench-${start}`) } });
    for (let n = 0; n < 12; n++) {
      await new Promise((done) => { c.fireAndForget({ data: bytes(`used screw ${n}`) }, { onError() { count("errors"); done(); }, onComplete() { done(); } }); setTimeout(done, 60); });
      if (n % 3 === 0) await ask(c, `how many screws ${n}`);
      if (n % 5 === 2) await stream(c, `rows ${9 + n} orders-${n}`, 0x7fffffff);
      await sleep(70);
    }
    c.close();
    await sleep(400);
  }
}

await { one_answer: () => reports(false), parts: () => reports(true), at_once, refused: () => session("token-1"), accepted: () => session("token-2"),
  seldom: () => rounds(999999), often: () => rounds(900), questions, workshop }[process.argv[2]]();
await sleep(300);
console.log(JSON.stringify(counted));
process.exit(0);
