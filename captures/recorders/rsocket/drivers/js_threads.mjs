// Plays scenarios from threads with rsocket-js 1.0.0-alpha.3; prints what it counted as JSON.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import { WebSocket } from "ws";

const HOST = "broker", PORT = 7000;
const counted = {};
const count = (name, by = 1) => (counted[name] = (counted[name] ?? 0) + by);
const bytes = (text) => Buffer.from(text);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const connect = (setup = {}, options = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: HOST, port: PORT } }),
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
  ...options,
}).connect();

const ask = (client, data = "ping") => new Promise((done) => client.requestResponse({ data: bytes(data) }, {
  onNext() { count("answers"); done(); },
  onError() { count("errors"); done(); },
  onComplete() { done(); },
  onExtension() {},
}));

const session = (token) => ({ resume: { tokenGenerator: () => bytes(token), reconnectFunction: () => sleep(200) } });

async function resume_token_shared() {
  const first = await connect({}, session("1"));
  await ask(first);
  for (let at = 0; at < 2; at++) {
    try {
      const other = await connect({}, session("1"));
      await Promise.race([ask(other), sleep(1500)]);
    } catch (_error) { count("refused"); }
    await Promise.race([ask(first), sleep(1000)]);
  }
  await sleep(300);
}

async function two_sessions() {
  const both = [await connect({}, session("session-a")), await connect({}, session("session-b"))];
  for (let at = 0; at < 3; at++) await Promise.all(both.map((client) => ask(client)));
  for (const client of both) client.close();
  await sleep(300);
}

async function keepalive_in_seconds() {
  const client = await connect({ keepAlive: 60, lifetime: 180 });
  await ask(client);
  await sleep(2500);
  await ask(client);
  client.close();
  await sleep(200);
}

async function connections_left_open() {
  for (let page = 0; page < 8; page++) {
    const client = await connect({ keepAlive: 500, lifetime: 5000 });
    await ask(client, `page ${page}`);
    await sleep(400);
  }
  await sleep(1000);
}

async function quiet_stream() {
  const client = await connect({ keepAlive: 500, lifetime: 5000 });
  let got = 0;
  await new Promise((done) => {
    const stream = client.requestStream({ data: bytes("50 1500") }, 100, {
      onNext() { count("items"); if (++got === 4) { stream.cancel(); done(); } },
      onError() {}, onComplete() { done(); }, onExtension() {},
    });
  });
  await ask(client);
  client.close();
  await sleep(200);
}

/** A frame: the id of its stream, its type and flags, its body. */
function frame(stream, type, flags, ...body) {
  const head = Buffer.alloc(6);
  head.writeUInt32BE(stream, 0);
  head.writeUInt16BE(type << 10 | flags, 4);
  return Buffer.concat([head, ...body]);
}

async function websocket_text() {
  const socket = new WebSocket(`ws://${HOST}:${PORT}/rsocket`);
  await new Promise((done) => socket.once("open", done));
  socket.on("message", () => count("messages"));
  socket.on("close", () => count("closed"));
  const say = (each) => socket.readyState === 1 && socket.send(each.toString("latin1"));
  const mime = Buffer.concat([Buffer.from([10]), bytes("text/plain")]);
  const times = Buffer.from([0, 1, 0, 0, 0, 0, 0x4e, 0x20, 0, 1, 0, 0]);
  say(frame(0, 1, 0, times, mime, mime));
  for (const [stream, data] of [[1, "ping"], [3, `price 5 ${String.fromCharCode(0xa3)}`], [5, "ping"]]) {
    say(frame(stream, 4, 0, Buffer.from(data, "latin1")));
    await sleep(150);
  }
  await sleep(500);
  socket.close();
  await sleep(300);
}

process.on("uncaughtException", () => count("socket_errors"));
const plays = { resume_token_shared, two_sessions, keepalive_in_seconds, connections_left_open,
  quiet_stream, websocket_text };
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
