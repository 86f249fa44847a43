// Plays the seventeenth round of the blind test by the JavaScript client: `PLAY STREAM`; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"

import policies from "rabbitmq-stream-js-client/dist/consumer_credit_policy.js"
const { connect, Offset } = rabbit
const { creditsOnChunkReceived } = policies
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const counted = { published: 0, consumed: 0, failures: 0 }
const close = (client) => Promise.race([client.close().catch(() => {}), sleep(1500)])
process.on("uncaughtException", () => counted.failures++)
process.on("unhandledRejection", () => counted.failures++)
const [play, stream] = process.argv.slice(2)

async function publish(writer, from, to) {
  const publisher = await writer.declarePublisher({ stream })
  for (let n = from; n < to; n++) {
    await publisher.send(Buffer.from(`entry ${n}`))
    counted.published++
    if (n % 10 === 9) {
      await publisher.flush()
      await sleep(20)
    }
  }
  await publisher.close(true)
}

// A ledger that is started three times; the library knows its consumer before it subscribes, or 150 ms after the answer.
const writer = await connect({ ...who, connectionName: "entries" })
await writer.createStream({ stream, arguments: {} })
await publish(writer, 0, 30)
let next = 30
for (let run = 0; run < 3; run++) {
  const client = await connect({ ...who, connectionName: "ledger" })
  if (play === "late") {
    const set = client.consumers.set.bind(client.consumers)
    client.consumers.set = (id, entry) => {
      setTimeout(() => set(id, entry), 150)
      return client.consumers
    }
  }
  let from = Offset.first()
  try {
    from = Offset.offset((await client.queryOffset({ reference: "ledger", stream })) + 1n)
  } catch {
    counted.first = 1
  }
  let seen = 0
  const consumer = await client.declareConsumer({ stream, offset: from, consumerRef: "ledger", creditPolicy: creditsOnChunkReceived(10, 1) }, (message) => {
    counted.consumed++
    if (++seen % 10 === 0) consumer?.storeOffset(message.offset)
  })
  await sleep(800)
  await publish(writer, next, next + 40)
  await sleep(2200)
  await close(client)
  await publish(writer, next + 40, next + 60)
  next += 60
}
await close(writer)
console.log(JSON.stringify(counted))
process.exit(0)
