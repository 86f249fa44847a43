// A worker by rsocket-js, which asks for its settings and waits for work; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
const counted = { answers: 0 };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const client = await new RSocketConnector({ transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }) }).connect();
await new Promise((done) => {
  client.requestResponse({ data: Buffer.from("settings") }, { onNext() { counted.answers++; done(); }, onError: done, onComplete() {}, onExtension() {} });
});
await sleep(9000);
client.close();
await sleep(300);
console.log(JSON.stringify(counted));
process.exit(0);
