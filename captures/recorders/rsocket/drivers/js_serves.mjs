// Serves with rsocket-js until its input ends; prints what it counted as JSON.
// A stream is asked for as `<items> <milliseconds between them>`.
import { RSocketServer } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";

const counted = {};
const count = (name) => (counted[name] = (counted[name] ?? 0) + 1);
const bytes = (text) => Buffer.from(text);

const responder = {
  requestResponse(payload, to) {
    count("served_request_response");
    to.onNext({ data: bytes(`pong ${payload.data?.length ?? 0}`) }, true);
    return { cancel() {}, onExtension() {} };
  },
  requestStream(payload, granted, to) {
    count("served_request_stream");
    const [number, pause] = payload.data.toString().split(" ").map(Number);
    let sent = 0, left = granted;
    const timer = setInterval(() => {
      if (left === 0) return;
      left--;
      const last = ++sent === number;
      if (last) clearInterval(timer);
      to.onNext({ data: bytes(`item ${sent}`) }, last);
    }, pause);
    return {
      cancel() { count("cancelled"); clearInterval(timer); },
      request(more) { left += more; },
      onExtension() {},
    };
  },
};

await new RSocketServer({
  transport: new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } }),
  acceptor: { accept: async () => responder },
}).bind();
console.log("ready");
process.stdin.resume();
process.stdin.on("end", () => { console.log(JSON.stringify(counted)); process.exit(0); });
