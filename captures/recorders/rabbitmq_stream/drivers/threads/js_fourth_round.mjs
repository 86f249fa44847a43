// Plays the fourth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const counted = { published: 0, consumed: 0 }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const open = (connectionName) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName })
const close = (client) => Promise.race([client.close(), sleep(1200)])
const WEEK = { "max-age": "7D" }

async function publish(client, stream, from, n) {
  const publisher = await client.declarePublisher({ stream })
  for (let i = from; i < from + n; i++) {
    await publisher.send(Buffer.from(`booking ${i}`))
    counted.published++
    if (i % 5 === 4) { await publisher.flush(); await sleep(60) }
  }
  await publisher.flush()
  await sleep(250)
  return publisher
}

// Each start of a service makes its stream anew.
async function deletes_at_start(stream) {
  for (let run = 0; run < 5; run++) {
    const client = await open("booking-service")
    if (run) await client.deleteStream({ stream })
    await client.createStream({ stream, arguments: WEEK })
    await publish(client, stream, run * 20, 20)
    await close(client)
    await sleep(300)
  }
}

// Each job has a stream of its own, which it deletes.
async function temporary(prefix) {
  for (let run = 0; run < 5; run++) {
    const stream = `${prefix}-${run}`
    const client = await open("export-job")
    await client.createStream({ stream, arguments: { "max-age": "1h" } })
    const publisher = await publish(client, stream, run * 20, 20)
    let seen = 0
    const consumer = await client.declareConsumer({ stream, offset: Offset.first() }, () => { seen++; counted.consumed++ })
    for (let i = 0; i < 30 && seen < 20; i++) await sleep(50)
    await client.closeConsumer(consumer.extendedId ?? consumer.consumerId).catch(() => {})
    await sleep(100)
    await publisher.close(true).catch(() => {})
    await sleep(100)
    await client.deleteStream({ stream })
    await close(client)
    await sleep(200)
  }
}

async function annotated(stream) {
  const client = await open("parcel-scanner")
  await client.createStream({ stream, arguments: WEEK })
  const publisher = await client.declarePublisher({ stream })
  for (let n = 0; n < 30; n++) {
    const messageAnnotations = { "x-opt-depot": ["north", "south", "east"][n % 3], "x-opt-lane": n % 7 + 1 }
    await publisher.send(Buffer.from(`parcel ${n} scanned`), { messageAnnotations })
    counted.published++
    if (n % 5 === 4) { await publisher.flush(); await sleep(120) }
  }
  await client.declareConsumer({ stream, offset: Offset.first() }, () => counted.consumed++)
  await sleep(700)
  await close(client)
}

const kinds = ["created", "paid", "packed", "sent", "returned", "closed"]

// A subscription for each group of filter values.
async function filters(stream, groups) {
  const client = await open("order-events")
  await client.createStream({ stream, arguments: WEEK })
  const publisher = await client.declarePublisher({ stream }, (m) => m.applicationProperties.kind)
  for (let n = 0; n < 240; n++) {
    const kind = kinds[n % 6]
    await publisher.send(Buffer.from(`order ${n >> 2} is ${kind}`), { applicationProperties: { kind } })
    counted.published++
    if (n % 24 === 23) { await publisher.flush(); await sleep(60) }
  }
  await sleep(200)
  const reader = await open("order-views")
  for (const values of groups) {
    const filter = { values, postFilterFunc: (m) => values.includes(m.applicationProperties.kind), matchUnfiltered: false }
    await reader.declareConsumer({ stream, offset: Offset.first(), filter }, () => counted.consumed++)
  }
  await sleep(1500)
  await close(reader)
  await close(client)
}
const filters_apart = (stream) => filters(stream, kinds.map((kind) => [kind]))
const filters_together = (stream) => filters(stream, [kinds])

await { annotated, filters_apart, filters_together, deletes_at_start, temporary }[process.argv[2]](process.argv[3])
console.log(JSON.stringify(counted))
process.exit(0)
