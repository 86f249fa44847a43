// A server of rsocket-js, which closes each connection after six questions; prints what it counted.
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
    },
    // Items that are collected until as many are there as were requested.
    requestStream(p, granted, to) {
      counted.requests++;
      const pause = Number(p.data.toString().split(" ")[2]);
      let demand = granted, kept = [];
      const timer = setInterval(() => {
        kept.push(Buffer.from(`level ${counted.items = (counted.items ?? 0) + 1}`));
        if (kept.length < demand) return;
        demand = 0;
        for (const data of kept.splice(0)) to.onNext({ data }, false);
      }, pause);
      return { cancel() { clearInterval(timer); }, request(more) { demand += more; }, onExtension() {} };
    } };
  } } }).bind();
console.log("ready");
process.stdin.resume(); process.stdin.on("end", () => { console.log(JSON.stringify(counted)); process.exit(0); });
