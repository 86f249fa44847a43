// Plays the fourteenth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1200)])
const counted = { published: 0, consumed: 0 }
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })

// Two mailers of a group on a stream, started together; each begins where it found the stored offset at its start, or where it is when it becomes active.
async function mailers(stream, fresh) {
  const shop = await open("shop")
  await shop.createStream({ stream, arguments: { "max-age": "1D" } })
  const publisher = await shop.declarePublisher({ stream })
  let over = false
  const publishing = (async () => {
    for (let n = 0; !over; n++) {
      for (let i = 0; i < 3; i++) { await publisher.send(Buffer.from(`mail ${n}.${i} to customer ${n % 7}`)); counted.published++ }
      await publisher.flush()
      await sleep(140)
    }
  })()
  const handled = new Set()
  const mailer = async (number) => {
    const client = await open(`mailer-${number}`)
    let consumer, last
    const stored = async () => { try { return Offset.offset((await client.queryOffset({ reference: "mailer", stream })) + 1n) } catch { return Offset.first() } }
    const atStart = await stored()
    consumer = await client.declareConsumer(
      { stream, offset: atStart, singleActive: true, consumerRef: "mailer", consumerUpdateListener: fresh ? stored : async () => atStart },
      async (m) => {
        counted.consumed++
        const text = m.content.toString()
        last = m.offset
        if (handled.has(text)) counted.handled_again = (counted.handled_again ?? 0) + 1
        handled.add(text)
        if (counted.consumed % 9 === 0) await consumer.storeOffset(m.offset)
      })
    const stop = async () => { await consumer.storeOffset(last); await sleep(150); await close(client) }
    return { stop }
  }
  await sleep(300)
  const first = await mailer(0), second = await mailer(1)
  await sleep(4000)
  await first.stop()
  await sleep(2500)
  const third = await mailer(2)
  await sleep(1500)
  await second.stop()
  await sleep(2500)
  over = true
  await publishing
  await third.stop()
  await close(shop)
}

// Reads what another program publishes, in two sessions, the second after the stored offset.
async function follows(stream) {
  for (let session = 0; session < 2; session++) {
    const client = await open("chart")
    let offset = Offset.first()
    if (session) offset = Offset.offset((await client.queryOffset({ reference: "chart", stream })) + 1n)
    let last = null
    const consumer = await client.declareConsumer({ stream, offset, consumerRef: "chart" }, (m) => { counted.consumed++; last = m.offset })
    await sleep(3800)
    if (last !== null) await consumer.storeOffset(last)
    await sleep(200)
    await consumer.close()
    await close(client)
    await sleep(300)
  }
}

const stale = (s) => mailers(s, false), fresh = (s) => mailers(s, true)
await { stale, fresh, follows }[process.argv[2]](process.argv[3])
console.log(JSON.stringify(counted))
process.exit(0)
