// Plays the fifth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name, more = {}) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name, ...more })
const close = (c) => Promise.race([c.close(), sleep(1200)])
const counted = {}
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })

// A reader of one kind of event that connects again when its connection is lost.
async function reader(stream, keeps) {
  const c = await open("event-source")
  await c.createStream({ stream, arguments: { "max-age": "7D" } })
  const p = await c.declarePublisher({ stream }, (m) => m.applicationProperties.kind)
  const kinds = ["created", "paid", "sent", "returned"]
  let seen = 0, others = 0, last = -1n, over = false, lives = 0, current
  const subscribe = async () => {
    const first = lives++ === 0
    const who = await open("paid-orders", { username: "reader", password: "reader", listeners: { connection_closed: () => { if (!over) setTimeout(subscribe, 300) } } })
    current = who
    const filter = { values: ["paid"], postFilterFunc: (m) => m.applicationProperties.kind === "paid", matchUnfiltered: false }
    await who.declareConsumer({ stream, offset: first ? Offset.first() : Offset.offset(last + 1n), ...(first || keeps ? { filter } : {}) },
      (m) => { m.applicationProperties.kind === "paid" ? seen++ : others++; last = BigInt(m.offset) })
  }
  let n = 0
  const more = async (rounds) => { for (let r = 0; r < rounds; r++) { const kind = kinds[r % 4]; for (let i = 0; i < 12; i++) await p.send(Buffer.from(`order ${n++} ${kind}`), { applicationProperties: { kind } }); await p.flush(); await sleep(70) } }
  await more(12)
  await subscribe()
  await more(12)
  for (let cut = 0; cut < 3; cut++) { console.log("cut"); await sleep(2200); await more(14) }
  await sleep(500); over = true
  Object.assign(counted, { published: n, consumed: seen, others })
  await close(current); await close(c)
}

// A request over a stream, and a stream of its own for each answer.
async function stream_per_answer(stream) {
  const c = await open("quote-service")
  await c.createStream({ stream, arguments: { "max-age": "1h" } })
  const requests = await c.declarePublisher({ stream })
  for (let n = 0; n < 16; n++) {
    const own = `${stream}-answer-${(0x51f3a7 * (n + 3)).toString(16)}`
    await c.createStream({ stream: own, arguments: {} })
    let done; const answered = new Promise((d) => (done = d))
    const consumer = await c.declareConsumer({ stream: own, offset: Offset.first() }, () => done())
    await requests.send(Buffer.from(`quote ${n}`), { applicationProperties: { answer: own } }); await requests.flush()
    const p = await c.declarePublisher({ stream: own }); await p.send(Buffer.from(`quote ${n} is ${100 + n}`)); await p.flush()
    await Promise.race([answered, sleep(1000)])
    await c.closeConsumer(consumer.extendedId).catch(() => {})
    await c.deletePublisher(p.extendedId).catch(() => {})
    counted.answers = n + 1
    await sleep(60)
  }
  await close(c)
}

const filter_lost = (s) => reader(s, false), filter_kept = (s) => reader(s, true)
await { filter_lost, filter_kept, stream_per_answer }[process.argv[2]](process.argv[3])
console.log(JSON.stringify(counted))
process.exit(0)
