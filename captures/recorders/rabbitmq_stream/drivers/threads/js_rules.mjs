// Plays a till by rabbitmq-stream-js-client: `STREAM`. The last line says what it counted.
import rabbit from "rabbitmq-stream-js-client"

const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const facts = { published: 0 }

// It publishes until its stream is deleted, and fails in the listener for that.
const fails = () => {
  console.log(JSON.stringify(facts))
  process.exit(1)
}
const client = await rabbit.connect({ ...who, connectionName: "till", listeners: { metadata_update: fails } })
const publisher = await client.declarePublisher({ stream: process.argv[2] })
for (;;) {
  await publisher.send(Buffer.from(`receipt ${facts.published}`))
  await publisher.flush()
  facts.published++
  await sleep(200)
}
