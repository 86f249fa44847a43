// Plays scenarios with a server and a client of rsocket-js 1.0.0-alpha.3; prints what it counted.
// After the play comes what carries it: nothing (TCP), or `websocket` and how it is bent.
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { RSocketConnector, RSocketServer } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import { TcpServerTransport } from "rsocket-tcp-server";
import { WebsocketClientTransport } from "rsocket-websocket-client";
import { WebsocketServerTransport } from "rsocket-websocket-server";
import { WebSocket, WebSocketServer } from "ws";
import {
  encodeCompositeMetadata,
  encodeRoute,
  encodeSimpleAuthMetadata,
  encodeBearerAuthMetadata,
  WellKnownMimeType,
} from "rsocket-composite-metadata";

const HOST = "broker", PORT = 7000, FORWARDED = 7001, TLS = 7443;
const counted = {};
const count = (name, by = 1) => (counted[name] = (counted[name] ?? 0) + by);
const bytes = (text) => Buffer.from(text);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const responder = {
  requestResponse(payload, to) {
    count("served_request_response");
    const data = payload.data?.toString() ?? "";
    if (data.startsWith("error")) to.onError(new Error("boom"));
    else to.onNext({ data: bytes(`pong ${data.length}`) }, true);
    return { cancel() {}, onExtension() {} };
  },
  fireAndForget(_payload, to) {
    count("served_fire_and_forget");
    to.onComplete();
    return { cancel() {} };
  },
  requestStream(payload, granted, to) {
    count("served_request_stream");
    const [number, delay] = payload.data.toString().split(" ").map(Number);
    let sent = 0, left = granted, ended = false;
    const go = async () => {
      while (left > 0 && !ended) {
        if (delay) await sleep(delay);
        if (ended) return;
        left--;
        ended = ++sent === number;
        to.onNext({ data: bytes(`item ${sent}`) }, ended);
      }
    };
    go();
    return {
      cancel() { ended = true; },
      request(more) { const idle = left === 0; left += more; if (idle) go(); },
      onExtension() { count("extensions"); },
    };
  },
  requestChannel(payload, granted, completed, to) {
    count("served_request_channel");
    to.onNext({ data: bytes(`echo ${payload.data}`) }, completed);
    if (!completed) to.request(10);
    return {
      onNext(each, last) { to.onNext({ data: bytes(`echo ${each.data}`) }, last); },
      onComplete() { to.onComplete(); },
      onError() {}, onExtension() {}, request() {}, cancel() {},
    };
  },
};

const [play, carrier, bent] = process.argv.slice(2);

/** What both sides ask for of permessage-deflate. */
const deflate = {
  deflate: { threshold: 0 },
  deflate_alone: { threshold: 0, serverNoContextTakeover: true, clientNoContextTakeover: true,
    clientMaxWindowBits: 10, serverMaxWindowBits: 9 },
}[bent] ?? false;

/** A client's socket that sends messages in three frames, or with the length of TCP before them. */
class Bent extends WebSocket {
  send(data, ...rest) {
    const message = Buffer.from(data);
    if (bent === "fragments") {
      const third = Math.ceil(message.length / 3);
      super.send(message.subarray(0, third), { binary: true, fin: false });
      super.ping(bytes("between"));
      super.send(message.subarray(third, 2 * third), { binary: true, fin: false });
      super.send(message.subarray(2 * third), { binary: true, fin: true });
    } else if (bent === "length") {
      const length = Buffer.alloc(3);
      length.writeUIntBE(message.length, 0, 3);
      super.send(Buffer.concat([length, message]), ...rest);
    } else {
      super.send(data, ...rest);
    }
  }
}

let socket = null;

async function serve(options = {}) {
  const transport = carrier === "websocket"
    ? new WebsocketServerTransport({ host: HOST, port: PORT, wsCreator: (at) => secured(at)
        ?? new WebSocketServer({ ...at, perMessageDeflate: deflate }) })
    : new TcpServerTransport({ listenOptions: { host: HOST, port: PORT } });
  return new RSocketServer({
    transport,
    acceptor: { accept: async () => responder },
    ...options,
  }).bind();
}

/** A WebSocket server behind TLS; its secrets go into a file. */
function secured(at) {
  if (bent !== "tls") return null;
  const server = https.createServer({ key: fs.readFileSync("key.pem"), cert: fs.readFileSync("cert.pem") });
  server.on("keylog", (line) => fs.appendFileSync("secrets.txt", line));
  const sockets = new WebSocketServer({ server });
  server.listen(TLS, at.host);
  return sockets;
}

async function connect(options = {}, port = PORT) {
  const transport = carrier === "websocket"
    ? new WebsocketClientTransport({
        url: bent === "tls" ? `wss://${HOST}:${TLS}/rsocket` : `ws://${HOST}:${port}/rsocket`,
        wsCreator: (url) => (socket = new Bent(url,
          { perMessageDeflate: deflate, rejectUnauthorized: false })) })
    : new TcpClientTransport({ connectionOptions: { host: HOST, port } });
  const setup = { dataMimeType: "text/plain", metadataMimeType: "text/plain",
    keepAlive: 400, lifetime: 10000, ...options.setup };
  return new RSocketConnector({ transport, ...options, setup }).connect();
}

const heard = (name, start) => new Promise((done) => {
  const to = {
    onNext(_payload, last) { count(name); if (last) done(); },
    onComplete() { done(); },
    onError() { count("errors"); done(); },
    onExtension() { count("extensions"); },
    request() {}, cancel() {},
  };
  start(to, done);
});

async function interactions() {
  const client = await connect();
  await heard("answers", (to) => client.requestResponse({ data: bytes("ping"), metadata: bytes("m") }, to));
  await heard("answers", (to) => client.requestResponse({ data: bytes("error") }, to));
  await heard("fired", (to) => client.fireAndForget({ data: bytes("fire") }, to));
  await heard("items", (to) => {
    const stream = client.requestStream({ data: bytes("6") }, 3, to);
    setTimeout(() => stream.request(3), 200);
  });
  await heard("items", (to, done) => {
    const stream = client.requestStream({ data: bytes("100 30") }, 100, to);
    setTimeout(() => { stream.cancel(); done(); }, 150);
  });
  await heard("echoes", (to) => client.requestChannel({ data: bytes("alone") }, 1, true, to));
  await heard("echoes", (to) => {
    const channel = client.requestChannel({ data: bytes("one") }, 10, false, to);
    setTimeout(() => { channel.onNext({ data: bytes("two") }, false); channel.onComplete(); }, 100);
  });
  await sleep(1000);
  client.close();
  await sleep(200);
}

async function composite() {
  const metadataMimeType = WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.string;
  const client = await connect({ setup: { metadataMimeType, dataMimeType: "application/json" } });
  const route = WellKnownMimeType.MESSAGE_RSOCKET_ROUTING;
  const auth = WellKnownMimeType.MESSAGE_RSOCKET_AUTHENTICATION;
  for (const entries of [
    [[route, encodeRoute("users.find")]],
    [[route, encodeRoute("users.find")], [auth, encodeSimpleAuthMetadata("user", "throwaway")]],
    [["x/custom", bytes("custom")], [auth, encodeBearerAuthMetadata("throwaway.token")]],
  ]) {
    const metadata = encodeCompositeMetadata(entries);
    await heard("answers", (to) => client.requestResponse({ data: bytes('{"id": 1}'), metadata }, to));
  }
  client.close();
  await sleep(200);
}

async function fragments() {
  const client = await connect({ fragmentation: { maxOutboundFragmentSize: 64 } });
  const large = (size) => bytes("0123456789".repeat(size / 10));
  await heard("answers", (to) => client.requestResponse({ data: large(200), metadata: large(100) }, to));
  await heard("fired", (to) => client.fireAndForget({ data: large(150) }, to));
  await heard("items", (to) => client.requestStream({ data: bytes("2"), metadata: large(100) }, 5, to));
  client.close();
  await sleep(200);
}

async function resume() {
  let open = [];
  const forwarder = net.createServer((from) => {
    const to = net.connect(PORT, HOST);
    open.push(from, to);
    from.pipe(to);
    to.pipe(from);
    for (const each of [from, to]) each.on("error", () => {});
  }).listen(FORWARDED, HOST);
  const client = await connect({ resume: {
    tokenGenerator: () => bytes("throwaway-token"),
    reconnectFunction: () => sleep(300),
  } }, FORWARDED);
  setTimeout(() => {
    count("cuts");
    for (const each of open.splice(0)) each.destroy();
  }, 400);
  await heard("items", (to) => client.requestStream({ data: bytes("20 50") }, 100, to));
  await heard("answers", (to) => client.requestResponse({ data: bytes("ping") }, to));
  client.close();
  await sleep(200);
  forwarder.close();
}

/** Pings, a message of some 70 kB, and a close with a code and a reason. */
async function pings() {
  const client = await connect();
  await heard("answers", (to) => client.requestResponse({ data: bytes("ping") }, to));
  for (const each of ["tick", ""]) {
    const answered = new Promise((done) => socket.once("pong", done));
    socket.ping(bytes(each));
    await answered;
    count("pongs");
  }
  await heard("answers", (to) => client.requestResponse({ data: bytes("0123456789".repeat(7000)) }, to));
  const closed = new Promise((done) => socket.once("close", done));
  socket.close(4001, "the user has left");
  await closed;
  await sleep(200);
}

/** Several requests alike, which share a window where messages are compressed. */
async function asks() {
  const client = await connect();
  for (const number of [1, 2, 3]) {
    const data = bytes(`${number}. `.repeat(40));
    await heard("answers", (to) => client.requestResponse({ data, metadata: bytes("m") }, to));
  }
  await heard("items", (to) => client.requestStream({ data: bytes("6") }, 10, to));
  client.close();
  await sleep(200);
}

/** A server of HTTP that knows of no WebSocket. */
async function refused() {
  const server = http.createServer();
  server.on("upgrade", (_asked, to) => to.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
  await new Promise((done) => server.listen(PORT, HOST, done));
  await connect().catch(() => count("refused"));
  await sleep(200);
}

/** A client that is not understood by a server that runs elsewhere. */
async function misunderstood() {
  const client = await connect();
  const to = { onNext() {}, onError() {}, onComplete() {}, onExtension() {}, request() {}, cancel() {} };
  client.requestResponse({ data: bytes("ping") }, to);
  await sleep(1000);
  socket.close();
  await sleep(200);
}

async function errors() {
  const client = await connect();
  for (const code of ["plain", "rejected", "invalid", "custom"]) {
    const asked = { data: bytes(`error ${code}`) };
    await heard("answers", (to) => client.requestResponse(asked, to));
    await heard("items", (to) => client.requestStream(asked, 10, to));
  }
  client.close();
  await sleep(200);
}

async function cancels() {
  const client = await connect();
  await heard("items", (to, done) => {
    const stream = client.requestStream({ data: bytes("slow 100") }, 100, to);
    setTimeout(() => { stream.cancel(); done(); }, 400);
  });
  await heard("answers", (to, done) => {
    const asked = client.requestResponse({ data: bytes("never") }, to);
    setTimeout(() => { asked.cancel(); done(); }, 200);
  });
  await sleep(200);
  client.close();
  await sleep(200);
}

/** Waits, with so many milliseconds between keepalives, for what the server asks. */
async function idles(options = {}) {
  const client = await connect(options);
  await sleep(1500);
  await heard("answers", (to) => client.requestResponse({ data: bytes("ping") }, to));
  client.close();
  await sleep(200);
}

async function lease() {
  const client = await connect({ lease: { maxPendingRequests: 1 } });
  for (let round = 0; round < 3; round++) {
    await sleep(450);
    for (let at = 0; at < 3; at++) {
      const answer = heard("answers", (to) => client.requestResponse({ data: bytes("ping") }, to));
      await Promise.race([answer, sleep(100)]);
    }
  }
  client.close();
  await sleep(200);
}

async function turnedAway() {
  const client = await connect();
  const answer = heard("answers", (to) => client.requestResponse({ data: bytes("ping") }, to));
  await Promise.race([answer, sleep(1000)]);
  client.close();
  await sleep(200);
}

/** A stream of which nothing is requested at first, and everything later. */
async function zero() {
  const client = await connect();
  const stream = heard("items", (to) => {
    const asked = client.requestStream({ data: bytes("3") }, 0, to);
    setTimeout(() => asked.request(5), 300);
  });
  await Promise.race([stream, sleep(1500)]);
  client.close();
  await sleep(200);
}

// what is not served here is served by another program
const plays = {
  errors, cancels, lease, setup_refused: turnedAway, bug_initial_request_n_zero: zero,
  keepalive: () => idles(),
  requests_from_server: () => idles({ responder }),
  pings: async () => { await serve(); await pings(); },
  asks: async () => { await serve(); await asks(); },
  misunderstood,
  refused,
  interactions: async () => { await serve(); await interactions(); },
  composite: async () => { await serve(); await composite(); },
  fragments: async () => { await serve({ fragmentation: { maxOutboundFragmentSize: 64 } }); await fragments(); },
  resume: async () => { await serve({ resume: { sessionTimeout: 30000 } }); await resume(); },
};
await plays[play]();
console.log(JSON.stringify(counted));
process.exit(0);
