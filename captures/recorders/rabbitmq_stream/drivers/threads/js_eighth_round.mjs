// Plays the eighth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const where = process.argv[2] === "tls" ? { port: 5551, ssl: { rejectUnauthorized: false } } : { port: 5552 }
const open = (name, more = {}) => connect({ hostname: "broker", username: "guest", password: "guest", vhost: "/", connectionName: name, ...where, ...more })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1200)])
const counted = {}
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })
const add = (what, n = 1) => { counted[what] = (counted[what] ?? 0) + n }

// Three instances of one service read a super stream; each begins some time after the other.
async function instances(stream, consumerRef) {
  const source = await open("shop")
  await source.createSuperStream({ streamName: stream, arguments: { "max-age": "1h" } }, undefined, 3)
  const p = await source.declareSuperStreamPublisher({ superStream: stream }, (content) => content.toString().slice(0, 9))
  const fill = async (from, count) => { for (let n = from; n < from + count; n++) { await p.send(Buffer.from(`basket ${n % 9}, line ${n}`), {}); add("published"); if (n % 10 === 0) await sleep(40) } }
  await fill(0, 60)
  await sleep(300)
  const all = []
  for (let n = 0; n < 3; n++) {
    const c = await open(`biller-${n}`)
    await c.declareSuperStreamConsumer({ superStream: stream, offset: Offset.first(), ...(consumerRef ? { consumerRef } : {}) }, () => add("consumed"))
    all.push(c)
    await fill(60 + 30 * n, 30)
    await sleep(700)
  }
  for (const c of all) await close(c)
  await close(source)
}

// A nightly job over TLS: publishes a batch, reads it back, stores where it was, and comes again twice.
async function tls(stream) {
  const source = await open("export")
  await source.createStream({ stream, arguments: { "max-age": "1h" } })
  let last = -1n
  for (let night = 0; night < 3; night++) {
    const p = await source.declarePublisher({ stream, publisherRef: "export" })
    for (let n = 0; n < 60; n++) { await p.send(Buffer.from(`night ${night}, row ${n} ${"x".repeat(40)}`)); add("published") }
    await p.flush()
    await sleep(250)
    const c = await open("import")
    const stored = await c.queryOffset({ stream, reference: "import" }).catch(() => -1n)
    const reads = await c.declareConsumer({ stream, offset: stored < 0n ? Offset.first() : Offset.offset(BigInt(stored) + 1n), consumerRef: "import" }, (m) => { last = BigInt(m.offset); add("consumed") })
    await sleep(700)
    await reads.storeOffset(last)
    await sleep(80)
    await c.closeConsumer(reads.extendedId).catch(() => {})
    await close(c)
    await source.deletePublisher(p.extendedId)
    await sleep(200)
  }
  await close(source)
}

const [, , play, stream] = process.argv
await { instances_of_random_names: () => instances(stream), instances_of_one_name: () => instances(stream, "billing"), tls: () => tls(stream) }[play]()
console.log(JSON.stringify(counted))
process.exit(0)
