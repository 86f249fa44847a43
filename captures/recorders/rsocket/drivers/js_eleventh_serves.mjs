// The server of rsocket-js in the eleventh round of the blind test, started again whenever it dies.
import { fork } from "node:child_process";
import { RSocketServer } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";
const bytes = (t) => Buffer.from(t);
const handler = {
  requestResponse(payload, sink) {
    const asked = payload.data.toString();
    const size = asked === "report year" ? 17 * 1024 * 1024 : 300 + 40 * asked.length;
    const timer = setTimeout(() => sink.onNext({ data: Buffer.alloc(size, `line of ${asked}; `) }, true), 15);
    return { cancel() { clearTimeout(timer); }, onExtension() {} };
  },
  requestStream(payload, n, sink) {
    const asked = payload.data.toString();
    let sent = 0;
    const timer = setInterval(() => {
      const last = asked === "year in parts" && sent === 11;
      sink.onNext({ data: Buffer.alloc(asked.startsWith("ticks") ? 20 : 3000, `${asked} ${sent++}; `) }, last);
      if (last) clearInterval(timer);
    }, asked.startsWith("ticks") ? 110 : 30);
    return { request() {}, cancel() { clearInterval(timer); }, onExtension() {} };
  },
};

async function serve() {
  const transport = new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } });
  await new RSocketServer({ transport, fragmentation: { maxOutboundFragmentSize: 65536 }, acceptor: { accept: async () => handler } }).bind();
  process.on("disconnect", () => process.exit(0));
  process.send("ready");
}

function watch() {
  let deaths = 0, first = true, ending = false;
  const start = () => {
    const child = fork(process.argv[1], ["child"], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    child.on("message", () => { if (first) console.log("ready"); first = false; });
    child.on("exit", () => { if (ending) return; deaths++; setTimeout(start, 200); });
    return child;
  };
  start();
  process.stdin.on("data", () => {});
  process.stdin.on("end", () => { ending = true; console.log(JSON.stringify({ deaths })); process.exit(0); });
}

if (process.argv[2] === "child") await serve(); else watch();
