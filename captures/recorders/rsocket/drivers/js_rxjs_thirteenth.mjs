// What the requesters of rsocket-js for RxJS do in the thirteenth round of the blind test; prints what it counted.
import { RSocketConnector } from "rsocket-core";
import { TcpClientTransport } from "rsocket-tcp-client";
import messaging from "rsocket-messaging";
import adapter from "rsocket-adapter-rxjs";
import { lastValueFrom, take, tap, catchError, of } from "rxjs";
const { RSocketRequester } = messaging;
const { RxRequestersFactory } = adapter;
const counted = {};
const count = (name, n = 1) => { counted[name] = (counted[name] || 0) + n; };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
class Json { mimeType = "application/json"; encode(e) { return Buffer.from(JSON.stringify(e)); } decode(b) { return JSON.parse(b.toString()); } }
const json = new Json();
const connection = await new RSocketConnector({
  transport: new TcpClientTransport({ connectionOptions: { host: "broker", port: 7000 } }),
  setup: { keepAlive: 2500, lifetime: 15000, dataMimeType: "application/json", metadataMimeType: "message/x.rsocket.composite-metadata.v0" },
}).connect();
const garage = RSocketRequester.wrap(connection);
const failed = catchError(() => { count("refused"); return of(null); });
// A page shows the first places of cars of an area, and asks for a car now and then.
for (let n = 0; n < 7; n++) {
  await lastValueFrom(garage.route("cars.places").request(RxRequestersFactory.requestStream({ area: n }, json, json, 400)).pipe(take(5), tap(() => count("places")), failed), { defaultValue: null });
  for (let m = 0; m < 3; m++) {
    await lastValueFrom(garage.route(`cars.${n}.${m}`).request(RxRequestersFactory.requestResponse({}, json, json)).pipe(tap(() => count("cars")), failed), { defaultValue: null });
    await sleep(260);
  }
}
connection.close();
await sleep(200);
console.log(JSON.stringify(counted));
process.exit(0);
