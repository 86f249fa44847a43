// A monitor beside a program, by rabbitmq-stream-js-client: `STREAM`; prints what it counted.
import rabbit from "rabbitmq-stream-js-client"

const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const [stream] = process.argv.slice(2), facts = {}
const count = (name, n = 1) => { facts[name] = (facts[name] || 0) + n }

// A monitor connects each second, looks and leaves, while a program works.
async function monitor() {
  const work = await rabbit.connect({ ...who, connectionName: "work" })
  await work.createStream({ stream, arguments: {} })
  const publisher = await work.declarePublisher({ stream, publisherRef: "work" })
  publisher.on("publish_confirm", (_error, ids) => count("confirmed", ids.length))
  await work.declareConsumer({ stream, offset: rabbit.Offset.first() }, () => { count("read") })
  for (let n = 0; n < 9; n++) {
    for (let k = 0; k < 12; k++) { await publisher.send(Buffer.from(`job ${n} ${k}`)); count("sent") }
    const look = await rabbit.connect({ ...who, connectionName: "monitor" })
    await look.queryMetadata({ streams: [stream, `${stream}-other`] })
    const stats = await look.streamStatsRequest(stream)
    count("looks", stats ? 1 : 0)
    await look.close()
    await sleep(900)
  }
  await work.close()
}

await monitor()
console.log(JSON.stringify(facts))
process.exit(0)
