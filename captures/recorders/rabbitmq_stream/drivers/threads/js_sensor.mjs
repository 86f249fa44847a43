// A sensor that sends a reading now and then: `js_sensor.mjs STREAM`.
import rabbit from "rabbitmq-stream-js-client"

const { connect } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const stream = process.argv[2]
const facts = { published: 20, confirmed: 0 }

const client = await connect(who)
await client.createStream({ stream, arguments: {} })
const publisher = await client.declarePublisher({ stream })
publisher.on("publish_confirm", (_error, ids) => (facts.confirmed += ids.length))
for (let n = 0; n < 20; n++) {
  await publisher.send(Buffer.from(`reading ${n}`))
  await publisher.flush()
  await sleep(350)
}
await sleep(300)
await client.close()
console.log(JSON.stringify(facts))
process.exit(0)
