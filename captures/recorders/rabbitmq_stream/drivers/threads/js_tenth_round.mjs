// Plays the tenth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name, more = {}) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name, ...more })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1200)])
const counted = {}
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })
const add = (what, n = 1) => { counted[what] = (counted[what] ?? 0) + n }
const KINDS = ["job.created", "job.started", "job.ended"]

// Jobs, published with a filter value for each message or without one, and a consumer that wants one kind of them.
async function jobs(stream, withValues) {
  const source = await open("scheduler"), reader = await open("notifier"), audit = await open("audit")
  await source.createStream({ stream, arguments: { "max-age": "7D" } })
  const p = await source.declarePublisher({ stream }, withValues ? (m) => m.applicationProperties?.subject : undefined)
  const wanted = (m) => m.applicationProperties?.subject === "job.created"
  await reader.declareConsumer({ stream, offset: Offset.first(), consumerRef: "notifier", filter: { values: ["job.created"], postFilterFunc: wanted, matchUnfiltered: false } }, () => add("notified"))
  await audit.declareConsumer({ stream, offset: Offset.first(), consumerRef: "audit" }, () => add("audited"))
  for (let n = 0; n < 54; n++) {
    await p.send(Buffer.from(`job ${Math.floor(n / 3)} of queue ${n % 4}`), { applicationProperties: { subject: KINDS[n % 3] } })
    await p.flush(); add("published")
    await sleep(90)
  }
  await sleep(900)
  for (const c of [reader, audit, source]) await close(c)
}

// A meter whose program starts four times, and numbers its readings from nought each time, or goes on.
async function meter(stream, goesOn) {
  const reader = await open("billing")
  await reader.createStream({ stream, arguments: { "max-age": "7D" } })
  await reader.declareConsumer({ stream, offset: Offset.first(), consumerRef: "billing" }, () => add("billed"))
  for (let start = 0; start < 4; start++) {
    const c = await open("meter-7")
    const p = await c.declarePublisher({ stream, publisherRef: "meter-7" })
    let id = goesOn ? (await p.getLastPublishingId()) + 1n : 0n
    if (goesOn && start === 0) id = 0n
    p.on("publish_confirm", (_e, ids) => add("confirmed", ids.length))
    for (let n = 0; n < 22 + 3 * start; n++) { await p.basicSend(id++, Buffer.from(`start ${start}, reading ${n}: ${1000 + n * 3} Wh`)); await p.flush(); add("published"); await sleep(35) }
    await sleep(300)
    await close(c)
    await sleep(250)
  }
  await sleep(300)
  await close(reader)
}

// Orders of eight countries, whose consumer wants those of one: in turn and at once, or those of a country together.
async function orders(stream, together) {
  const source = await open("shop"), reader = await open("billing-fr")
  await source.createStream({ stream, arguments: { "max-age": "7D" } })
  const p = await source.declarePublisher({ stream }, (m) => m.applicationProperties?.country)
  const LANDS = ["at", "be", "ch", "de", "es", "fr", "it", "nl"]
  for (let batch = 0; batch < 12; batch++) {
    for (let n = 0; n < 40; n++) { await p.send(Buffer.from(`order ${batch}.${n} ${"item ".repeat(6)}`), { applicationProperties: { country: LANDS[(together ? batch : n) % 8] } }); add("published") }
    await p.flush()
    await sleep(200)
  }
  await reader.declareConsumer({ stream, offset: Offset.first(), consumerRef: "fr", filter: { values: ["fr"], postFilterFunc: (m) => m.applicationProperties?.country === "fr", matchUnfiltered: false } }, () => add("wanted"))
  await sleep(2500)
  for (const c of [reader, source]) await close(c)
}

const [, , play, stream] = process.argv
await { no_filter_values: () => jobs(stream, false), filter_values: () => jobs(stream, true), from_nought: () => meter(stream, false), goes_on: () => meter(stream, true), in_turn: () => orders(stream, false), by_country: () => orders(stream, true) }[play]()
console.log(JSON.stringify(counted))
process.exit(0)
