// A minute of a service with the JavaScript client: `js_long_run.mjs NAME`.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", heartbeat: 10 }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const soon = (promise, ms = 4000) => Promise.race([promise, sleep(ms)])
const name = process.argv[2]
const orders = `${name}-orders`, invoices = `${name}-invoices`
const facts = { sent: 0, handed: 0, handed_to_the_job: 0, handed_to_the_group: 0 }
process.on("uncaughtException", (error) => { facts.uncaught = String(error.message).slice(0, 80) })
process.on("unhandledRejection", (error) => { facts.rejected = String(error?.message).slice(0, 80) })

const client = await connect({ ...who, connectionName: "service" })
await client.createStream({ stream: orders, arguments: { "max-age": "7D" } })
await client.createSuperStream({ streamName: invoices }, undefined, 3)
await sleep(500)
const publisher = await client.declarePublisher({ stream: orders })
const key = (_content, options) => options.messageProperties.messageId
const spread = await client.declareSuperStreamPublisher({ superStream: invoices }, key)
await client.declareConsumer({ stream: orders, offset: Offset.first() }, () => facts.handed++)
const group = { superStream: invoices, offset: Offset.first(), consumerRef: "workers" }
await client.declareSuperStreamConsumer(group, () => facts.handed_to_the_group++)

for (let round = 0; round < 14; round++) {
  for (let n = 0; n < 15; n++, facts.sent++) {
    await publisher.send(Buffer.from(`order ${facts.sent}`), { applicationProperties: { round: round + 1 } })
  }
  await publisher.flush()
  for (let n = 0; n < 6; n++) {
    await spread.send(Buffer.from(`invoice ${n}`), { messageProperties: { messageId: `${round}-${n}` } })
  }
  await sleep(1500)
  if (round % 3 === 2) {
    const job = await connect({ ...who, connectionName: "nightly" })
    let last = -1n, offset = Offset.first()
    try {
      offset = Offset.offset((await job.queryOffset({ reference: "nightly", stream: orders })) + 1n)
    } catch { /* nothing is stored yet */ }
    const reader = await job.declareConsumer({ stream: orders, offset, consumerRef: "nightly" }, (message) => {
      last = message.offset
      facts.handed_to_the_job++
    })
    await sleep(1200)
    if (last >= 0n) await reader.storeOffset(last)
    await sleep(200)
    await soon(job.close())
  }
}
await soon(client.close())
console.log(JSON.stringify(facts))
process.exit(0)
