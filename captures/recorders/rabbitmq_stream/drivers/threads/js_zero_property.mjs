// Properties that are 0: `js_zero_property.mjs STREAM`.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const stream = process.argv[2]
const facts = { published: 60, handed: 0, errors: [] }
process.on("uncaughtException", (error) => facts.errors.push(String(error.message).slice(0, 60)))

const client = await connect(who)
await client.createStream({ stream, arguments: {} })
const publisher = await client.declarePublisher({ stream })
const reader = await connect({ ...who, connectionName: "reader" })
await reader.declareConsumer({ stream, offset: Offset.first() }, () => facts.handed++)
for (let n = 0; n < 60; n++) {
  await publisher.send(Buffer.from(`order ${n}`), { applicationProperties: { attempt: n % 4 } })
  if (n % 4 === 3) {
    await publisher.flush()
    await sleep(100)
  }
}
await sleep(4000)
console.log(JSON.stringify(facts))
process.exit(0)
