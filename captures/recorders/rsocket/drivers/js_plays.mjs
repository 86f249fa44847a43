// Plays scenarios with a server and a client of rsocket-js 1.0.0-alpha.3; prints what it counted.
import net from "node:net";
import { RSocketConnector, RSocketServer } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import { TcpServerTransport } from "rsocket-tcp-server";
import {
  encodeCompositeMetadata,
  encodeRoute,
  encodeSimpleAuthMetadata,
  encodeBearerAuthMetadata,
  WellKnownMimeType,
} from "rsocket-composite-metadata";

const HOST = "broker", PORT = 7000, FORWARDED = 7001;
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

async function serve(options = {}) {
  return new RSocketServer({
    transport: new TcpServerTransport({ listenOptions: { host: HOST, port: PORT } }),
    acceptor: { accept: async () => responder },
    ...options,
  }).bind();
}

async function connect(options = {}, port = PORT) {
  const transport = new TcpClientTransport({ connectionOptions: { host: HOST, port } });
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

const plays = {
  interactions: async () => { await serve(); await interactions(); },
  composite: async () => { await serve(); await composite(); },
  fragments: async () => { await serve({ fragmentation: { maxOutboundFragmentSize: 64 } }); await fragments(); },
  resume: async () => { await serve({ resume: { sessionTimeout: 30000 } }); await resume(); },
};
await plays[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
