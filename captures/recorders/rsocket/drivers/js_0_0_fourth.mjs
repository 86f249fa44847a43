// What rsocket-js 0.0.27 is made to do in the fourth round of the blind test; prints what it counted.
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const core = require("rsocket-core");
const TcpClient = require("rsocket-tcp-client").default;
const counted = { answers: 0, errors: 0 };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Requests whose metadata is the text of a route.
const client = new core.RSocketClient({
  setup: { keepAlive: 5000, lifetime: 30000, dataMimeType: "application/json", metadataMimeType: "application/json" },
  transport: new TcpClient({ host: "broker", port: 7000 }, core.BufferEncoders),
});
const socket = await new Promise((onComplete, onError) => client.connect().subscribe({ onComplete, onError }));
const routes = [
  "login", "profile.show", "cart.list", "login", "profile.show", "cart.add",
  "cart.list", "login", "order.place", "order.show", "login", "profile.edit",
];
for (const [attempt, route] of routes.entries()) {
  const data = Buffer.from(JSON.stringify({ username: "guest", attempt }));
  await new Promise((done) => socket.requestResponse({ data, metadata: Buffer.from(route) }).subscribe({
    onComplete() { counted.answers++; done(); }, onError() { counted.errors++; done(); } }));
  await sleep(120);
}
client.close();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
