// What frameworks on top of nats.js are made to do; prints what it counted.
const modules = process.argv[2] + "/node_modules/";
const finish = (counted) => { console.log(JSON.stringify(counted)); process.exit(0); };
const sleep = (ms) => new Promise((d) => setTimeout(d, ms));

async function nest() { // two instances of a microservice of NestJS, and its client
  require(modules + "reflect-metadata");
  const { NestFactory } = require(modules + "@nestjs/core"); const { Module } = require(modules + "@nestjs/common");
  const { Transport, ClientProxyFactory, MessagePattern, EventPattern, RpcException } = require(modules + "@nestjs/microservices");
  const { Controller } = require(modules + "@nestjs/common"); const { firstValueFrom } = require(modules + "rxjs");
  const counted = { answered: 0, failed: 0, events: 0 };
  class Sums { add(numbers) { return numbers.reduce((a, b) => a + b, 0); } divide([a, b]) { if (!b) throw new RpcException("division by zero"); return a / b; } seen() { counted.events++; } }
  const of = (name) => Object.getOwnPropertyDescriptor(Sums.prototype, name);
  MessagePattern({ cmd: "add" })(Sums.prototype, "add", of("add")); MessagePattern("math.divide")(Sums.prototype, "divide", of("divide")); EventPattern("math.used")(Sums.prototype, "seen", of("seen"));
  Controller()(Sums); class App {} Module({ controllers: [Sums] })(App);
  const apps = [];
  for (const name of ["math-1", "math-2"]) { const app = await NestFactory.createMicroservice(App, { logger: false, transport: Transport.NATS, options: { servers: ["nats://127.0.0.1:4222"], queue: "math", name } }); await app.listen(); apps.push(app); }
  const client = ClientProxyFactory.create({ transport: Transport.NATS, options: { servers: ["nats://127.0.0.1:4222"], name: "web" } }); await client.connect();
  for (let n = 0; n < 24; n++) {
    const calls = [client.send({ cmd: "add" }, [n, 2 * n, 7]), client.send("math.divide", [n, n % 6])];
    for (const each of calls) { try { await firstValueFrom(each); counted.answered++; } catch { counted.failed++; } }
    await firstValueFrom(client.emit("math.used", { page: n }), { defaultValue: 0 }); await sleep(110);
  }
  await client.close(); for (const app of apps) await app.close(); await sleep(200);
  finish(counted);
}

async function moleculer() { // three nodes of Moleculer: discovery, heartbeats, calls and events
  const { ServiceBroker } = require(modules + "moleculer"); const counted = { requests: 0, events: 0 };
  const node = (nodeID) => new ServiceBroker({ nodeID, logger: false, transporter: "nats://127.0.0.1:4222", heartbeatInterval: 2, heartbeatTimeout: 6, requestTimeout: 2000 });
  const web = node("web-1"), users = [node("users-1"), node("users-2")];
  for (const each of users) each.createService({ name: "users", actions: { get: (c) => ({ id: c.params.id, name: `user ${c.params.id}` }) }, events: { "order.created": { group: "mail", handler: () => { counted.events++; } } } });
  for (const each of [...users, web]) await each.start();
  await web.waitForServices("users");
  for (let n = 0; n < 40; n++) {
    await web.call("users.get", { id: n }); counted.requests++; if (n % 3 == 0) web.emit("order.created", { order: n }); await sleep(130);
    if (n == 22) await users[1].stop();
  }
  await web.stop(); await users[0].stop(); await sleep(200);
  finish(counted);
}

({ nest, moleculer })[process.argv[3]]();
