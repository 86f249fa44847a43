// A report that reads the whole stream each time it runs: `js_polls.mjs STREAM`.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const stream = process.argv[2]
const facts = { published: 40, consumed: [] }

const client = await connect(who)
await client.createStream({ stream, arguments: {} })
const publisher = await client.declarePublisher({ stream })
for (let n = 0; n < 40; n++) await publisher.send(Buffer.from(`message ${n}`))
await publisher.flush()
await sleep(500)
for (let round = 0; round < 6; round++) {
  let consumed = 0
  const reader = await connect({ ...who, connectionName: "report" })
  await reader.declareConsumer({ stream, offset: Offset.first(), consumerRef: "report" }, () => consumed++)
  for (let waited = 0; waited < 3000 && consumed < 40; waited += 20) await sleep(20)
  await reader.close()
  facts.consumed.push(consumed)
  await sleep(300)
}
await client.close()
console.log(JSON.stringify(facts))
process.exit(0)
