// Plays programs of the sixteenth round by rabbitmq-stream-js-client: `PLAY STREAM`. The last line
// says what it counted.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const facts = { published: 0, consumed: 0, failures: 0 }

const plays = {
  // Reads a log from its first message, over the relay; the heartbeat is 2 s.
  async reads(stream, seconds) {
    const writer = await connect(who)
    await writer.createStream({ stream, arguments: {} })
    const publisher = await writer.declarePublisher({ stream })
    for (let n = 0; n < 8; n++) {
      for (let m = 0; m < 10; m++) await publisher.send(Buffer.from(`line ${n * 10 + m}`))
      await publisher.flush()
      facts.published += 10
      await sleep(60)
    }
    await writer.close()
    const addressResolver = { enabled: true, endpoint: { host: "broker", port: 5553 } }
    const relayed = { ...who, port: 5553, heartbeat: 2, addressResolver }
    const reader = await connect({ ...relayed, connectionName: "search" })
    await reader.declareConsumer({ stream, offset: Offset.first() }, () => facts.consumed++)
    await sleep(Number(seconds) * 1000)
    await Promise.race([reader.close(), sleep(3000)])
  },

  // Makes a publisher anew as long as the first message cannot be sent.
  async looks(stream) {
    for (let n = 0; n < 4; n++) {
      const client = await connect({ ...who, connectionName: "counter" })
      try {
        const publisher = await Promise.race([
          client.declarePublisher({ stream }),
          sleep(4000).then(() => Promise.reject(new Error("late"))),
        ])
        await publisher.send(Buffer.from("visit 1"))
        facts.published++
      } catch {
        facts.failures++
      }
      await sleep(1000)
      await Promise.race([client.close(), sleep(3000)])
      await sleep(1000)
    }
  },
}

process.on("uncaughtException", () => facts.failures++)
process.on("unhandledRejection", () => facts.failures++)
const [play, ...rest] = process.argv.slice(2)
await plays[play](...rest)
console.log(JSON.stringify(facts))
process.exit(0)
