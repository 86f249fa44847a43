// Three processes consume a super stream, each under a name of its own: `js_groups.mjs STREAM`.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const superStream = process.argv[2]
const facts = { sent: 12, handed: [0, 0, 0] }

const client = await connect(who)
await client.createSuperStream({ streamName: superStream }, undefined, 2)
await sleep(500)
const workers = []
for (let n = 0; n < 3; n++) {
  const worker = await connect({ ...who, connectionName: `worker-${n}` })
  await worker.declareSuperStreamConsumer({ superStream, offset: Offset.next() }, () => facts.handed[n]++)
  workers.push(worker)
}
await sleep(500)
const key = (_content, options) => options.messageProperties.messageId
const publisher = await client.declareSuperStreamPublisher({ superStream }, key)
for (let n = 0; n < 12; n++) {
  await publisher.send(Buffer.from(`order ${n}`), { messageProperties: { messageId: `${n}` } })
  await sleep(30)
}
await sleep(2500)
console.log(JSON.stringify(facts))
process.exit(0)
