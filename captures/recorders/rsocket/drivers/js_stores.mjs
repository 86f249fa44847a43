// Serves channels of samples with rsocket-js until its input ends; a broken sample ends its channel with ERROR.
import { RSocketServer, RSocketError, ErrorCodes } from "rsocket-core";
import { TcpServerTransport } from "rsocket-tcp-server";

const bytes = (text) => Buffer.from(text);
let stored = 0;
const responder = {
  requestResponse(payload, to) {
    to.onNext({ data: bytes(`answer to ${payload.data}`) }, true);
    return { cancel() {}, onExtension() {} };
  },
  requestChannel(first, granted, completed, to) {
    let over = false;
    const take = (payload) => {
      const text = payload.data.toString();
      if (over) return;
      if (text.startsWith("broken")) { over = true; to.onError(new RSocketError(ErrorCodes.APPLICATION_ERROR, `checksum of '${text}' is wrong`)); return; }
      stored++;
      to.onNext({ data: bytes(`stored ${text}`) }, false);
    };
    to.request(100);
    take(first);
    return {
      onNext(payload, complete) { take(payload); if (complete && !over) to.onComplete(); },
      onComplete() { if (!over) to.onComplete(); },
      onError() {}, cancel() {}, request() {}, onExtension() {},
    };
  },
};
await new RSocketServer({
  transport: new TcpServerTransport({ listenOptions: { host: "broker", port: 7000 } }),
  acceptor: { accept: async () => responder },
}).bind();
console.log("ready");
process.stdin.on("end", () => { console.log(JSON.stringify({ served: stored })); process.exit(0); }).resume();
