// Plays the twelfth round of the blind test by the JavaScript client; prints what it counted as JSON.
import rabbit from "rabbitmq-stream-js-client"
const { connect, Offset } = rabbit
const sleep = (ms) => new Promise((d) => setTimeout(d, ms))
const open = (name, more = {}) => connect({ hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/", connectionName: name, ...more })
const close = (c) => Promise.race([c.close().catch(() => {}), sleep(1200)])
const counted = { published: 0, consumed: 0, given_up: 0 }
process.on("unhandledRejection", () => { counted.errors = (counted.errors ?? 0) + 1 })

// Three consumers that connect again when they are cut; the recovery of one may take too long, once.
async function gates(stream, impatient) {
  const names = [0, 1, 2].map((n) => `${stream}-${n}`)
  const source = await open("turnstiles")
  const publishers = []
  for (const name of names) {
    await source.createStream({ stream: name, arguments: { "max-age": "1D" } })
    publishers.push(await source.declarePublisher({ stream: name }))
  }
  let over = false
  const current = {}, last = {}
  const follow = async (name, first) => {
    const c = await open(`counter of ${name}`, { username: "reader", password: "reader", listeners: { connection_closed: () => { if (!over && current[name] === c) { current[name] = null; setTimeout(() => follow(name, false), 400) } } } })
    const offset = first ? Offset.first() : Offset.offset((last[name] ?? -1n) + 1n)
    const began = c.declareConsumer({ stream: name, offset }, (m) => { counted.consumed++; last[name] = BigInt(m.offset) })
    const patience = impatient && !first && name === names[1] ? 0 : 5000
    const late = await Promise.race([began.then(() => false), sleep(patience).then(() => true)])
    if (late) { counted.given_up++; await close(c) } else current[name] = c
  }
  for (const name of names) await follow(name, true)
  const more = async (rounds) => {
    for (let r = 0; r < rounds; r++) {
      for (const [at, p] of publishers.entries()) { for (let n = 0; n <= at; n++) { await p.send(Buffer.from(`person ${r}.${n} through gate ${at}`)); counted.published++ } await p.flush() }
      await sleep(150)
    }
  }
  await more(10)
  for (let turn = 0; turn < 2; turn++) { console.log("cut"); await more(26) }
  over = true
  for (const c of [...Object.values(current).filter(Boolean), source]) await close(c)
}

const given_up = (s) => gates(s, true), recovered = (s) => gates(s, false)
await { given_up, recovered }[process.argv[2]](process.argv[3])
console.log(JSON.stringify(counted))
process.exit(0)
