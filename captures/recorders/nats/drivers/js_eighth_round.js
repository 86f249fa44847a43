// What nats.js is made to do in the eighth round of the blind test; prints what it counted.
const { connect, StringCodec } = require(process.argv[2] + "/node_modules/nats");
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sc = StringCodec(); const sleep = (ms) => new Promise((d) => setTimeout(d, ms));
const conn = (name, more) => connect({ servers: "127.0.0.1:4222", name, reconnect: false, ...more });

async function inboxes(inboxPrefix) { // a browser has an inbox for requests and a subscription for its events
  const server = await conn("room-service"), client = await conn("chat-web", { inboxPrefix }); let answers = 0, events = 0;
  server.subscribe("chat.rooms", { queue: "rooms", callback: (e, m) => m.respond(sc.encode(`rooms of ${sc.decode(m.data)}: ` + "lobby, garden; ".repeat(6))) });
  client.subscribe("chat.user.anna.>", { callback: () => events++ }); await server.flush(); await client.flush();
  for (let n = 0; n < 26; n++) {
    await client.request("chat.rooms", sc.encode(`anna, page ${n}`), { timeout: 1000 }); answers++;
    if (n % 4 == 1) server.publish("chat.user.anna.message", sc.encode(`message ${n}`));
    await sleep(90);
  }
  await sleep(150); await client.close(); await server.close();
  finish({ answers, events });
}

async function regions(fallback) { // the region of an order goes into its subject, and some orders have none
  const shop = await conn("shop"), desk = await conn("dispatch"); let sent = 0, seen = 0;
  desk.subscribe("orders.*.created", { callback: () => seen++ }); await desk.flush();
  const of = ["north", "south", "", "west"];
  for (let n = 0; n < 44; n++) { shop.publish(`orders.${of[n % 4] || fallback}.created`, sc.encode(`order ${n}`)); sent++; await sleep(80); }
  await shop.flush(); await sleep(200); await desk.close(); await shop.close();
  finish({ sent, seen });
}

({
  inbox_under_the_events: () => inboxes("chat.user.anna"), inbox_beside_the_events: () => inboxes("_INBOX_anna"),
  region_left_empty: () => regions(""), region_unknown: () => regions("unknown"),
})[process.argv[3]]();
