// A server of rsocket-js: "wait MS" is answered late, stream "fail N" is N items and an error.
import { RSocketServer } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";
const bytes = (t) => Buffer.from(t);
const responder = {
  requestResponse(p, to) {
    const [what, ms] = p.data.toString().split(" ");
    const t = setTimeout(() => to.onNext({ data: bytes("report of " + ms) }, true), what === "wait" ? Number(ms) : 1);
    return { cancel() { clearTimeout(t); }, onExtension() {} };
  },
  requestStream(p, granted, to) {
    const number = Number(p.data.toString().split(" ")[1]);
    let sent = 0;
    const t = setInterval(() => {
      if (sent === number) { clearInterval(t); to.onError(new Error("row " + sent + " cannot be read")); return; }
      sent++; to.onNext({ data: bytes("row " + sent) }, false);
    }, 5);
    return { cancel() { clearInterval(t); }, request() {}, onExtension() {} };
  },
};
await new RSocketServer({ transport: new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } }),
  acceptor: { accept: async () => responder } }).bind();
console.log("ready");
process.stdin.resume(); process.stdin.on("end", () => process.exit(0));
