// Plays the fifteenth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name, hostname = "broker") => connect({ hostname, port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1500)])
const counted = { published: 0, consumed: 0 }
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })
const out = () => { console.log(JSON.stringify(counted)); process.exit(0) }

// Logs in as guest at the broker's outer address, and waits for the client.
async function outside() {
  const trying = open("reports", "192.0.2.1").then(() => "open", () => "refused")
  counted.outcome = await Promise.race([trying, sleep(9000).then(() => "waits")])
}

// A reader that ends when a message cannot be decoded.
async function invoices(stream) {
  process.on("uncaughtException", (e) => { counted.died_of = String(e.message).slice(0, 60); out() })
  const client = await open("invoices")
  await client.declareConsumer({ stream, offset: Offset.first() }, () => { counted.consumed++ })
  await sleep(2500)
  await close(client)
}

// Two feeds with bursts and rests, a reader that is quick and one that is slow, and an orderly end.
async function feeds(stream) {
  const writer = await open("feeds"), quick = await open("quick"), slow = await open("slow")
  const names = [`${stream}-a`, `${stream}-b`]
  for (const name of names) await writer.createStream({ stream: name, arguments: { "max-age": "1D" } })
  const publishers = await Promise.all(names.map((name) => writer.declarePublisher({ stream: name })))
  const readers = []
  for (const name of names) readers.push(await quick.declareConsumer({ stream: name, offset: Offset.first() }, () => { counted.consumed++ }))
  let last = null
  const careful = await slow.declareConsumer({ stream: names[0], offset: Offset.first(), consumerRef: "careful" }, async (m) => {
    counted.consumed++
    counted.careful = (counted.careful ?? 0) + 1
    last = m.offset
    await sleep(35)
    if (counted.careful % 25 === 0) await careful.storeOffset(m.offset)
  })
  for (let burst = 0; burst < 7; burst++) {
    for (let i = 0; i < 6 + burst % 3 * 9; i++) {
      await publishers[i % 2].send(Buffer.from(`item ${counted.published} ${"x".repeat(30 + i * 4)}`))
      counted.published++
    }
    for (const p of publishers) await p.flush()
    await sleep(300 + burst % 4 * 500)
  }
  await sleep(2500)
  if (last !== null) await careful.storeOffset(last)
  await sleep(200)
  for (const p of publishers) await p.close(false).catch(() => {})
  for (const c of readers) await c.close(false).catch(() => {})
  await careful.close(false).catch(() => {})
  for (const c of [slow, quick, writer]) await close(c)
}

await { outside, invoices, feeds }[process.argv[2]](process.argv[3])
out()
