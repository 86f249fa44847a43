// Plays programs by rabbitmq-stream-js-client: `PLAY STREAM`. The last line says what it counted.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const facts = { published: 0, consumed: 0, failures: 0 }

const plays = {
  // Publishes until its stream is deleted, and fails in the listener for that.
  async fails(stream) {
    const listeners = { metadata_update: (update) => { console.log(JSON.stringify({ failed: 1 })); process.exit(update.stream ? 1 : 2) } }
    const client = await connect({ ...who, connectionName: "till", listeners })
    const publisher = await client.declarePublisher({ stream })
    for (let n = 0; n < 30; n++) {
      await publisher.send(Buffer.from(`receipt ${n}`))
      await publisher.flush()
      facts.published++
      await sleep(200)
    }
    await client.close()
  },

  // Two runs of a report that stores its offset, and asks for it when it starts.
  async keeps(stream, user) {
    const writer = await connect(who)
    await writer.createStream({ stream, arguments: {} })
    const publisher = await writer.declarePublisher({ stream })
    for (let n = 0; n < 6; n++) {
      for (let m = 0; m < 10; m++) await publisher.send(Buffer.from(`line ${n * 10 + m}`))
      await publisher.flush()
      facts.published += 10
      await sleep(60)
    }
    await writer.close()
    for (let run = 0; run < 2; run++) {
      const client = await connect({ ...who, username: user, password: user, connectionName: "report" })
      let offset = Offset.first()
      try {
        offset = Offset.offset((await client.queryOffset({ stream, reference: "report" })) + 1n)
      } catch {
        facts.failures++
      }
      const consumer = await client.declareConsumer({ stream, offset, consumerRef: "report" }, async (message) => {
        facts.consumed++
        if (message.offset % 10n === 9n) await consumer.storeOffset(message.offset)
      })
      await sleep(4000)
      await client.close()
    }
  },
}

const [play, ...rest] = process.argv.slice(2)
await plays[play](...rest)
console.log(JSON.stringify(facts))
process.exit(0)
