// A server of rsocket-js, which sends all readings at once however many were requested; prints what it counted.
import { RSocketServer } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";
const counted = { requests: 0, sent: 0 };
await new RSocketServer({ transport: new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } }),
  acceptor: { accept: async () => ({
    requestResponse(p, to) {
      counted.requests++;
      to.onNext({ data: Buffer.from("answer to " + p.data.toString()) }, true);
      return { cancel() {}, onExtension() {} };
    },
    requestStream(p, granted, to) {
      counted.requests++;
      const [what, pages, end] = p.data.toString().split(" ");
      let over = false, n = 0;
      if (what === "pages") {
        // Pages, the last of which completes the stream, or does not.
        const turning = setInterval(() => {
          counted.sent++;
          to.onNext({ data: Buffer.from(`page ${++n} of ${pages}`) }, end === "whole" && n === Number(pages));
          if (n === Number(pages)) clearInterval(turning);
        }, 120);
        return { cancel() { clearInterval(turning); }, request() {}, onExtension() {} };
      }
      const timer = setInterval(() => {
        for (let i = 0; i < 5 && !over; i++) { counted.sent++; to.onNext({ data: Buffer.from(`reading ${n}`) }, ++n === 40); over ||= n === 40; }
        if (over) clearInterval(timer);
      }, 200);
      return { cancel() { over = true; }, request() {}, onExtension() {} };
    } }) } }).bind();
console.log("ready");
process.stdin.resume(); process.stdin.on("end", () => { console.log(JSON.stringify(counted)); process.exit(0); });
