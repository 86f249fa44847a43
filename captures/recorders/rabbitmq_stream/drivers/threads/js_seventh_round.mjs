// Plays the seventh round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name, more = {}) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name, ...more })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1200)])
const counted = {}
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })
const add = (what, n = 1) => { counted[what] = (counted[what] ?? 0) + n }

async function fill(p, from, count, text) {
  for (let n = from; n < from + count; n++) { await p.send(Buffer.from(`${text} ${n}`)); add("published") }
  await p.flush()
}

// Six runs of a report. The stored offset is asked of a consumer, which is there for that alone, or of the client.
async function report(stream, byConsumer) {
  const source = await open("till")
  await source.createStream({ stream, arguments: { "max-age": "7D" } })
  const p = await source.declarePublisher({ stream })
  await fill(p, 0, 90, "receipt")
  for (let run = 0; run < 6; run++) {
    await fill(p, 90 + 25 * run, 25, "receipt")
    const c = await open("day-report")
    let stored = -1n
    if (byConsumer) {
      const asks = await c.declareConsumer({ stream, offset: Offset.first(), consumerRef: "day-report" }, () => add("thrown_away"))
      stored = await asks.queryOffset().catch(() => -1n)
      await c.closeConsumer(asks.extendedId)
    } else stored = await c.queryOffset({ stream, reference: "day-report" }).catch(() => -1n)
    let last = stored
    const reads = await c.declareConsumer({ stream, offset: stored < 0n ? Offset.first() : Offset.offset(BigInt(stored) + 1n), consumerRef: "day-report" }, (m) => { last = BigInt(m.offset); add("consumed") })
    await sleep(350 + 40 * run)
    await reads.storeOffset(last)
    await sleep(60)
    await c.closeConsumer(reads.extendedId).catch(() => {})
    await close(c)
  }
  await close(source)
}

// A publisher for each session, opened, used once and deleted, on the connection of one that stays.
async function sessions(stream, count) {
  const c = await open("gateway")
  await c.createStream({ stream, arguments: { "max-age": "1h" } })
  const events = await c.declarePublisher({ stream })
  for (let n = 0; n < count; n++) {
    if (n % 20 === 0) await fill(events, n, 1, "event")
    try {
      const p = await Promise.race([c.declarePublisher({ stream }), sleep(400).then(() => { throw new Error("no answer") })])
      await p.send(Buffer.from(`session ${n}`)); await p.flush(); add("published")
      await c.deletePublisher(p.extendedId)
    } catch { add("failed") }
  }
  await sleep(300)
  await close(c)
}

async function streams(stream, prefix) {
  const c = await open("provisioning")
  for (let n = 0; n < 5; n++) {
    const names = prefix ? ["x-max-age", "x-max-length-bytes", "x-stream-max-segment-size-bytes"] : ["max-age", "max-length-bytes", "stream-max-segment-size-bytes"]
    await c.createStream({ stream: `${stream}-${n}`, arguments: { [names[0]]: "1D", [names[1]]: 20_000_000 * (n + 1), [names[2]]: 1_000_000 } })
    const p = await c.declarePublisher({ stream: `${stream}-${n}` })
    await fill(p, 0, 10, "line")
    await c.deletePublisher(p.extendedId)
    await sleep(90)
  }
  await close(c)
}

// A consumer that is to rest from time to time. Its connection is opened again at once, or after the rest.
async function rests(stream, reopens) {
  const source = await open("ticker")
  await source.createStream({ stream, arguments: { "max-age": "1h" } })
  const p = await source.declarePublisher({ stream })
  let last = -1n, current
  const start = async () => {
    const c = await open("chart")
    current = c
    await c.declareConsumer({ stream, offset: last < 0n ? Offset.first() : Offset.offset(last + 1n) }, (m) => { last = BigInt(m.offset); add("consumed") })
  }
  await start()
  for (let round = 0; round < 5; round++) {
    await fill(p, 30 * round, 15, "tick"); await sleep(400)
    await close(current)                       // rests
    if (reopens) setTimeout(start, 250) // what watches over the consumer takes that for a loss
    await fill(p, 30 * round + 15, 15, "tick"); await sleep(800 + 90 * round)
    if (!reopens) await start()
  }
  await sleep(300)
  await close(current); await close(source)
}

const [, , play, stream] = process.argv
await {
  asks_by_consumer: () => report(stream, true), asks_first: () => report(stream, false),
  sessions_300: () => sessions(stream, 268), sessions_40: () => sessions(stream, 40),
  arguments_with_prefix: () => streams(stream, true), arguments_plain: () => streams(stream, false),
  opens_again: () => rests(stream, true), rests: () => rests(stream, false),
}[play]()
console.log(JSON.stringify(counted))
process.exit(0)
