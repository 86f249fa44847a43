// What the requesters for routes and RxJS of rsocket-js do in the eighth round of the blind test.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import messaging from "rsocket-messaging";
import adapter from "rsocket-adapter-rxjs";
import { lastValueFrom, from, take, tap, catchError, of, interval, map, toArray } from "rxjs";
const { RSocketRequester } = messaging;
const { RxRequestersFactory } = adapter;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
class Json { mimeType = "application/json"; encode(e) { return Buffer.from(JSON.stringify(e)); } decode(b) { return JSON.parse(b.toString()); } }
const json = new Json();
const connection = await new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 2000, lifetime: 12000, dataMimeType: "application/json", metadataMimeType: "message/x.rsocket.composite-metadata.v0" },
}).connect();
const shop = RSocketRequester.wrap(connection);
const failed = catchError(() => { count("refused"); return of(null); });
for (let n = 0; n < 16; n++) {
  const found = await lastValueFrom(shop.route(`orders.${n}`).request(RxRequestersFactory.requestResponse({}, json, json)).pipe(failed), { defaultValue: null });
  if (found) count("answers");
  if (n % 3 === 0) await lastValueFrom(shop.route("orders.place").request(RxRequestersFactory.fireAndForget({ id: n, item: "lamp" }, json)), { defaultValue: null });
  if (n % 5 === 1) await lastValueFrom(shop.route("prices").request(RxRequestersFactory.requestStream("rug", json, json, 6)).pipe(take(14), tap(() => count("items")), failed), { defaultValue: null });
  if (n % 7 === 3) await lastValueFrom(shop.route("prices.ask").request(RxRequestersFactory.requestChannel(from(["bed", "sofa", "desk"]), json, json, 4)).pipe(tap(() => count("items")), failed), { defaultValue: null });
  await sleep(140);
}
connection.close();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
