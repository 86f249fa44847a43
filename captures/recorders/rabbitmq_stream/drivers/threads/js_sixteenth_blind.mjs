// Plays the sixteenth round of the blind test by the JavaScript client: `PLAY STREAM`; prints what it counted as JSON.
import { spawnSync } from "node:child_process"
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const counted = { published: 0, consumed: 0, failures: 0 }
const close = (client) => Promise.race([client.close().catch(() => {}), sleep(1500)])
process.on("uncaughtException", () => counted.failures++)
process.on("unhandledRejection", () => counted.failures++)

const plays = {
  // A consumer of a super stream that was not created, which is started again and again.
  async group(stream) {
    const writer = await connect({ ...who, connectionName: "orders" })
    await writer.createStream({ stream, arguments: {} })
    const publisher = await writer.declarePublisher({ stream })
    for (let n = 0; n < 20; n++) {
      await publisher.send(Buffer.from(`order ${n}`))
      await publisher.flush()
      counted.published++
    }
    for (const name of [stream, `${stream}-by-region`, stream]) {
      const reader = await connect({ ...who, connectionName: "packing" })
      try {
        await reader.declareSuperStreamConsumer({ superStream: name, consumerRef: "packing", offset: Offset.first() }, () => counted.consumed++)
      } catch {
        counted.failures++
      }
      await sleep(3000)
      await close(reader)
    }
    await close(writer)
  },

  // A worker that dies when no offset is stored for it, started four times while tasks are published.
  async starts(stream) {
    const writer = await connect({ ...who, connectionName: "tasks" })
    await writer.createStream({ stream, arguments: {} })
    const publisher = await writer.declarePublisher({ stream })
    for (let run = 0; run < 4; run++) {
      for (let n = 0; n < 6; n++) await publisher.send(Buffer.from(`task ${run}.${n}`))
      await publisher.flush()
      counted.published += 6
      const { status } = spawnSync(process.argv[0], [process.argv[1], "worker", stream])
      if (status) counted.failures++
      await sleep(800)
    }
    await close(writer)
  },
  async worker(stream) {
    const client = await connect({ ...who, connectionName: "worker" })
    try {
      await client.queryOffset({ stream, reference: "worker" })
    } catch {
      process.exit(1)
    }
  },

  // Three programs of a shop with a super stream: tills, a ledger that starts anew, and a chart.
  async shop(stream) {
    const tills = await connect({ ...who, connectionName: "tills" })
    await tills.createSuperStream({ streamName: stream, arguments: {} }, undefined, 2)
    const publisher = await tills.declareSuperStreamPublisher({ superStream: stream }, (content, options) => options.messageProperties.messageId)
    const ledgers = []
    const open = async (name, rest) => {
      const client = await connect({ ...who, connectionName: name })
      await client.declareSuperStreamConsumer({ superStream: stream, consumerRef: name, offset: Offset.first() }, async () => {
        counted.consumed++
        await sleep(rest)
      })
      ledgers.push(client)
    }
    await open("ledger", 0)
    await open("chart", 15)
    for (let n = 0; n < 160; n++) {
      await publisher.send(Buffer.from(`receipt ${n} ${"-".repeat(n % 17)}`), { messageProperties: { messageId: `till ${n % 5}` } })
      counted.published++
      await sleep(n % 40 === 39 ? 900 : 30)
      if (n === 60) await open("ledger", 0)
      if (n === 110) await close(ledgers.shift())
    }
    await sleep(2500)
    await publisher.close()
    for (const client of ledgers) await close(client)
    await close(tills)
  },
}

const [play, ...rest] = process.argv.slice(2)
await plays[play](...rest)
console.log(JSON.stringify(counted))
process.exit(0)
