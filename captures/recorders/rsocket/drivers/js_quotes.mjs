// A service of quotes over WebSocket, which is no RSocket server: it speaks JSON in text messages.
import { WebSocketServer } from "ws";
const server = new WebSocketServer({ host: "broker", port: 7000 });
server.on("listening", () => console.log("ready"));
server.on("connection", (socket) => {
  socket.send(JSON.stringify({ connectionID: 8628615390848610000n.toString(), event: "systemStatus", status: "online", version: "1.0.0" }));
  let n = 0;
  const timer = setInterval(() => socket.send(JSON.stringify({ event: "heartbeat", number: n++ })), 160);
  socket.on("message", () => socket.send(JSON.stringify({ errorMessage: "Malformed request", event: "error" })));
  socket.on("close", () => clearInterval(timer));
  socket.on("error", () => {});
});
process.stdin.on("end", () => { console.log("{}"); process.exit(0); }).resume();
