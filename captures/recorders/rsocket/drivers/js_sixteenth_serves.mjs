// A server of rsocket-js, which closes each connection after six requests; prints what it counted.
import { RSocketServer } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";
const counted = { requests: 0, errors: 0 };
process.on("uncaughtException", () => counted.errors++);
process.on("unhandledRejection", () => counted.errors++);
await new RSocketServer({ transport: new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } }),
  acceptor: { accept: async (setup, remote) => {
    let asked = 0;
    return { requestResponse(p, to) {
      counted.requests++;
      to.onNext({ data: Buffer.from("answer to " + p.data.toString()) }, true);
      if (++asked === 6) setTimeout(() => remote.close(), 30);
      return { cancel() {}, onExtension() {} };
    } };
  } } }).bind();
console.log("ready");
process.stdin.resume(); process.stdin.on("end", () => { console.log(JSON.stringify(counted)); process.exit(0); });
