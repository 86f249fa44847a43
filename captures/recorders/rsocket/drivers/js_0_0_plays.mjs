// Plays scenarios with rsocket-js 0.0.27; prints as JSON what it counted.
//
//     js_0_0_plays.mjs PLAY tcp|websocket
//
// The server is another program, but for the play `own_server`.
import net from "node:net";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const { Flowable, Single } = require("rsocket-flowable");
const TcpClient = require("rsocket-tcp-client").default;
const TcpServer = require("rsocket-tcp-server").default;
const WebSocketClient = require("rsocket-websocket-client").default;
const WebSocketServer = require("rsocket-websocket-server").default;
const WebSocket = require("ws");

const HOST = "broker", PORT = 7000, FORWARDED = 7001, ALL = 0x7fffffff;
const [play, carrier] = process.argv.slice(2);
const counted = {};
const count = (name, by = 1) => (counted[name] = (counted[name] ?? 0) + by);
const bytes = (text) => Buffer.from(text);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const items = (number) => new Flowable((to) => {
  let sent = 0, ended = false;
  to.onSubscribe({
    cancel: () => { ended = true; },
    request: (n) => {
      while (n-- > 0 && !ended) {
        to.onNext({ data: bytes(`item ${sent}`) });
        if (++sent === number) { ended = true; to.onComplete(); }
      }
    },
  });
});

const responder = {
  requestResponse(payload) {
    count("served_request_response");
    if (payload.data.toString().startsWith("error")) return Single.error(new Error("boom"));
    return Single.of({ data: bytes("pong"), metadata: bytes("served") });
  },
  fireAndForget() { count("served_fire_and_forget"); },
  requestStream(payload) {
    count("served_request_stream");
    const asked = payload.data.toString();
    return asked.startsWith("error") ? Flowable.error(new Error("boom")) : items(Number(asked));
  },
  requestChannel(payloads) {
    count("served_request_channel");
    return payloads.map((each) => ({ data: bytes(`echo ${each.data}`) }));
  },
  metadataPush() { count("served_metadata_push"); return Single.of(); },
};

const transport = (port = PORT) => carrier === "tcp"
  ? new TcpClient({ host: HOST, port }, core.BufferEncoders)
  : new WebSocketClient(
    { url: `ws://${HOST}:${port}/rsocket`, wsCreator: (url) => new WebSocket(url),
      lengthPrefixedFrames: play === "bug_length_prefix" },
    core.BufferEncoders);

function connect(setup = {}, options = {}) {
  const client = new core.RSocketClient({
    setup: { keepAlive: 2000, lifetime: 20000, dataMimeType: "text/plain",
      metadataMimeType: "text/plain", ...setup },
    responder, transport: transport(), errorHandler: () => count("connection_errors"), ...options,
  });
  return new Promise((onComplete, onError) => client.connect().subscribe({ onComplete, onError }));
}

const one = (name, single) => new Promise((done) => single.subscribe({
  onComplete: () => { count(name); done(); },
  onError: () => { count("errors"); done(); },
}));

/** Takes a stream, so many at a time, and cancels after so many. */
const many = (name, flowable, { by = ALL, most = ALL } = {}) => new Promise((done) => {
  let subscription, got = 0;
  flowable.subscribe({
    onSubscribe(given) { subscription = given; given.request(by); },
    onNext() {
      count(name);
      if (++got === most) { subscription.cancel(); done(); } else if (got % by === 0) subscription.request(by);
    },
    onComplete: done,
    onError() { count("errors"); done(); },
  });
});

async function leave(client) {
  client.close();
  await sleep(300);
}

async function interactions() {
  const client = await connect();
  for (const data of ["ping", "longer ping"]) {
    await one("answers", client.requestResponse({ data: bytes(data), metadata: bytes("meta") }));
  }
  client.fireAndForget({ data: bytes("fire") });
  await many("items", client.requestStream({ data: bytes("5") }));
  await many("items_of_3", client.requestStream({ data: bytes("10") }), { by: 3 });
  await many("echoes", client.requestChannel(items(5)), { by: 4 });
  await one("pushed", client.metadataPush({ metadata: bytes("pushed") }));
  await sleep(300);
  await leave(client);
}

async function errors() {
  const client = await connect();
  for (const code of ["plain", "rejected", "invalid", "custom"]) {
    await one("answers", client.requestResponse({ data: bytes(`error ${code}`) }));
    await many("items", client.requestStream({ data: bytes(`error ${code}`) }));
  }
  await leave(client);
}

async function cancels() {
  const client = await connect();
  await many("items", client.requestStream({ data: bytes("slow 100") }), { most: 3 });
  let cancel;
  client.requestResponse({ data: bytes("never") }).subscribe({ onSubscribe: (given) => { cancel = given; } });
  await sleep(200);
  cancel();
  await sleep(200);
  await leave(client);
}

async function composite() {
  const metadataMimeType = core.MESSAGE_RSOCKET_COMPOSITE_METADATA.string;
  const client = await connect({ metadataMimeType, dataMimeType: "application/json" });
  const route = core.MESSAGE_RSOCKET_ROUTING, auth = core.MESSAGE_RSOCKET_AUTHENTICATION;
  for (const entries of [
    [[route, core.encodeRoute("users.find")]],
    [[route, core.encodeRoutes("users.find", "shard-7")], [auth, core.encodeSimpleAuthMetadata("user", "throwaway")]],
    [["x/custom", bytes("custom")], [auth, core.encodeBearerAuthMetadata("throwaway.token")]],
  ]) {
    const metadata = core.encodeCompositeMetadata(entries);
    await one("answers", client.requestResponse({ data: bytes('{"id": 1}'), metadata }));
  }
  await leave(client);
}

/** It sends no fragments, and joins those of the server. */
async function fragments() {
  const client = await connect();
  const large = bytes("0123456789".repeat(20));
  await many("echoes", client.requestChannel(Flowable.just({ data: large }, { data: large })));
  await leave(client);
}

async function keepalive() {
  const client = await connect({ keepAlive: 400 });
  await sleep(1500);
  await one("answers", client.requestResponse({ data: bytes("ping") }));
  await leave(client);
}

/** Of a server that does not answer. */
async function keepaliveTimeout() {
  const client = await connect({ keepAlive: 300, lifetime: 1200 });
  await sleep(2500);
  await leave(client);
}

async function answersServer() {
  const client = await connect();
  await one("answers", client.requestResponse({ data: bytes("ping") }));
  await sleep(1500);
  await leave(client);
}

/** The client's own lease, at once or when the server's is there. */
async function lease(early) {
  const own = new core.Lease(5000, 3, bytes("of the client"));
  const later = new Flowable((to) => {
    to.onSubscribe({ cancel() {}, request: () => setTimeout(() => to.onNext(own), 50) });
  });
  const leases = () => new core.Leases()
    .receiver((received) => received.subscribe({
      onSubscribe: (given) => given.request(ALL), onNext: () => count("leases"), onComplete() {} }))
    .sender(() => early ? Flowable.just(own) : later);
  const client = await connect({}, { leases });
  for (let round = 0; round < 3; round++) {
    await sleep(round ? 450 : 100);
    for (let at = 0; at < 3; at++) await one("answers", client.requestResponse({ data: bytes("ping") }));
  }
  await leave(client);
}

/** A forwarder between client and server, whose connections can be cut. */
function forwarder() {
  let open = [];
  const server = net.createServer((from) => {
    const to = net.connect(PORT, HOST);
    open.push(from, to);
    from.pipe(to);
    to.pipe(from);
    for (const each of [from, to]) each.on("error", () => {});
  }).listen(FORWARDED, HOST);
  return { cut() { count("cuts"); for (const each of open.splice(0)) each.destroy(); }, server };
}

async function resume(pause) {
  const between = forwarder();
  const resumable = new core.RSocketResumableTransport(() => transport(FORWARDED),
    { bufferSize: 65536, resumeToken: bytes("throwaway-token"), sessionDurationSeconds: 10 },
    core.BufferEncoders);
  let connected = false;
  resumable.connectionStatus().subscribe({
    onSubscribe: (given) => given.request(ALL),
    onNext(status) {
      if (status.kind === "CONNECTED") connected = true;
      if (status.kind === "NOT_CONNECTED" && connected) setTimeout(() => resumable.connect(), pause);
      if (status.kind === "ERROR") count("not_resumed");
    },
  });
  const client = await connect({}, { transport: resumable });
  setTimeout(() => between.cut(), 400);
  const stream = many("items", client.requestStream({ data: bytes("slow 20") }));
  await Promise.race([stream, sleep(4000)]);
  if (!counted.not_resumed) await one("answers", client.requestResponse({ data: bytes("ping") }));
  await leave(client);
  between.server.close();
}

async function refused() {
  const client = await connect();
  await Promise.race([one("answers", client.requestResponse({ data: bytes("ping") })), sleep(1000)]);
  await leave(client);
}

async function ownServer() {
  const server = new core.RSocketServer({
    getRequestHandler: () => responder,
    transport: carrier === "tcp"
      ? new TcpServer({ host: HOST, port: PORT }, core.BufferEncoders)
      : new WebSocketServer({ host: HOST, port: PORT }, core.BufferEncoders),
  });
  server.start();
  await sleep(200);
  await interactions();
  const client = await connect();
  await one("answers", client.requestResponse({ data: bytes("error") }));
  await many("items", client.requestStream({ data: bytes("error") }));
  await leave(client);
  server.stop();
}

const plays = {
  interactions, errors, cancels, composite_metadata: composite, fragments, keepalive,
  requests_from_server: answersServer, lease: () => lease(false), bug_lease_before_setup: () => lease(true),
  resume: () => resume(300),
  resume_refused: () => resume(1500), setup_refused: refused, bug_length_prefix: refused,
  own_server: ownServer, keepalive_timeout: keepaliveTimeout,
};
await plays[play]();
console.log(JSON.stringify(counted));
process.exit(0);
