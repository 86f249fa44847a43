// What rsocket-js is made to do in the third round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import composite from "rsocket-composite-metadata";
const { encodeCompositeMetadata, encodeRoute, encodeCustomAuthMetadata, WellKnownMimeType } = composite;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const bytes = (text) => Buffer.from(text);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const connect = (setup = {}) => new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "text/plain", metadataMimeType: "text/plain", ...setup },
}).connect();
const ask = (client, data, metadata) => new Promise((done) => {
  client.requestResponse({ data: bytes(data), metadata }, {
    onNext() { count("answers"); done(); }, onError() { count("errors"); done(); },
    onComplete() { done(); }, onExtension() {} });
});

const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = { sub: "throwaway", aud: "orders", iss: "example.org", roles: ["reader", "writer"], iat: 1700000000, exp: 1700003600 };
const JWT = [part({ alg: "HS256", typ: "JWT" }), part(claims), Buffer.alloc(32, 7).toString("base64url")].join(".");
const ROUTES = ["find", "list", "cancel", "find", "list", "audit", "find", "list"];

// Requests whose metadata has a route and an entry for authentication.
async function secured(authentication) {
  const client = await connect({ metadataMimeType: "message/x.rsocket.composite-metadata.v0" });
  for (const route of ROUTES) {
    const metadata = encodeCompositeMetadata([
      [WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, encodeRoute(`orders.${route}`)],
      [WellKnownMimeType.MESSAGE_RSOCKET_AUTHENTICATION, authentication],
    ]);
    await ask(client, "order 17", metadata);
    await sleep(120);
  }
  client.close();
  await sleep(200);
}
const jwt_without_auth_type = () => secured(bytes(JWT));
const auth_type_by_name = () => secured(encodeCustomAuthMetadata("x-api-key", bytes("throwaway-key")));

// Cancels each of five streams after four items.
async function cancel_ignored_by_server() {
  const client = await connect();
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => {
      let got = 0;
      const open = client.requestStream({ data: bytes("quotes " + i) }, 64, {
        onNext() { count("items"); if (++got === 4) { open.cancel(); done(); } },
        onError() { done(); }, onComplete() { done(); }, onExtension() {} });
    });
    await sleep(300);
  }
  await sleep(1200);
  client.close();
  await sleep(200);
}

// Channels of six items, each 40 ms after the last, that stop when the responder cancels.
async function channel_stops_at_cancel() {
  const client = await connect();
  for (let batch = 0; batch < 3; batch++) {
    await new Promise((done) => {
      let left = 0, sent = 1, over = false;
      const timer = setInterval(() => {
        if (over) return clearInterval(timer);
        if (left > 0) {
          left--;
          sent++;
          channel.onNext({ data: bytes(`batch ${batch} measurement ${sent}`) }, sent === 6);
          if (sent === 6) over = true;
        }
      }, 40);
      const channel = client.requestChannel({ data: bytes(`batch ${batch} measurement 1`) }, 20, false, {
        request(n) { left += n; }, cancel() { over = true; count("cancelled"); }, onExtension() {},
        onNext(_payload, last) { count("items"); if (last) done(); }, onComplete() { done(); }, onError() { done(); } });
    });
    await ask(client, "batch done");
  }
  client.close();
  await sleep(200);
}

await { channel_stops_at_cancel, jwt_without_auth_type, auth_type_by_name, cancel_ignored_by_server }[process.argv[2]]();
console.log(JSON.stringify(counted));
process.exit(0);
