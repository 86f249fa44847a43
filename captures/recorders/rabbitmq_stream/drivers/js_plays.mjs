// What rabbitmq-stream-js-client is made to do: `js_plays.mjs PLAY STREAM`. The last line says
// what it counted.
import rabbit from "rabbitmq-stream-js-client"

const { connect, Offset } = rabbit
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest", vhost: "/" }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const soon = (promise, ms = 5000) => Promise.race([promise, sleep(ms).then(() => "late")])

async function until(ready, ms = 15000) {
  for (let waited = 0; waited < ms && !ready(); waited += 50) await sleep(50)
}

function counted(publisher, facts) {
  facts.confirmed = facts.confirmed ?? 0
  publisher.on("publish_confirm", (_error, ids) => (facts.confirmed += ids.length))
  return publisher
}

const plays = {
  async publish_and_consume(stream) {
    const facts = { published: 10, consumed: 0 }
    const client = await connect({ ...who, connectionName: "js-publish-and-consume" })
    await client.createStream({ stream, arguments: { "max-age": "6h" } })
    const publisher = counted(await client.declarePublisher({ stream }), facts)
    for (let n = 0; n < 10; n++) {
      await publisher.send(Buffer.from(`message ${n}`), {
        applicationProperties: { region: "emea", attempt: n + 1 },
      })
    }
    await publisher.flush()
    await until(() => facts.confirmed >= 10)
    await client.declareConsumer({ stream, offset: Offset.first() }, () => facts.consumed++)
    await until(() => facts.consumed >= 10)
    await client.close()
    return facts
  },

  async properties(stream) {
    const facts = { published: 3 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const publisher = counted(await client.declarePublisher({ stream }), facts)
    for (let n = 0; n < 3; n++) {
      await publisher.send(Buffer.from(`order ${n}`), {
        applicationProperties: { region: "emea", attempt: n },
        messageAnnotations: { "x-opt-shelf": "top" },
        messageProperties: {
          messageId: `${n}`,
          to: "orders",
          subject: "order",
          replyTo: "answers",
          correlationId: `c-${n}`,
          contentType: "text/plain",
          creationTime: new Date(1700000000000),
          groupId: "group",
          groupSequence: n,
        },
      })
    }
    await publisher.flush()
    await until(() => facts.confirmed >= 3)
    await client.close()
    return facts
  },

  async sub_batches(stream) {
    const facts = { published: 40, consumed: 0 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const publisher = counted(await client.declarePublisher({ stream }), facts)
    for (const kind of [0, 1]) {
      const batch = Array.from({ length: 20 }, (_, n) => ({
        content: Buffer.from(`the same words again and again, number ${n}`),
      }))
      await publisher.sendSubEntries(batch, kind)
      await sleep(500)
    }
    await client.declareConsumer({ stream, offset: Offset.first() }, () => facts.consumed++)
    await until(() => facts.consumed >= 40, 4000)
    await client.close()
    return facts
  },

  async named(stream) {
    const facts = { published: 10, consumed: 0 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const publisher = counted(await client.declarePublisher({ stream, publisherRef: "billing" }), facts)
    for (let n = 1; n <= 10; n++) {
      await publisher.send(Buffer.from(`message ${n}`), { publishingId: BigInt(n) })
    }
    await publisher.flush()
    await until(() => facts.confirmed >= 10)
    facts.sequence = Number(await publisher.getLastPublishingId())
    const consumer = await client.declareConsumer(
      { stream, offset: Offset.first(), consumerRef: "reader" },
      () => facts.consumed++,
    )
    await until(() => facts.consumed >= 10)
    await consumer.storeOffset(5n)
    await sleep(500)
    facts.stored = Number(await consumer.queryOffset())
    await client.close()
    return facts
  },

  async filters(stream) {
    const facts = { published: 12, consumed: 0 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const value = (message) => message.applicationProperties?.region?.toString()
    const publisher = counted(await client.declarePublisher({ stream }, value), facts)
    for (const region of ["emea", "amer"]) {
      for (let n = 0; n < 6; n++) {
        await publisher.send(Buffer.from(`${n}`), { applicationProperties: { region } })
      }
      await publisher.flush()
      await sleep(500)
    }
    const filter = {
      values: ["emea"],
      postFilterFunc: (message) => message.applicationProperties.region === "emea",
      matchUnfiltered: false,
    }
    const options = { stream, offset: Offset.first(), filter }
    await client.declareConsumer(options, () => facts.consumed++)
    await until(() => facts.consumed >= 6)
    facts.statistics = String(Object.keys(await client.streamStatsRequest(stream)).length)
    await client.close()
    return facts
  },

  async single_active(stream) {
    const facts = { published: 10, consumed: 0, consumed_later: 0 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const publisher = counted(await client.declarePublisher({ stream }), facts)
    for (let n = 0; n < 10; n++) await publisher.send(Buffer.from(`message ${n}`))
    await publisher.flush()
    const options = { stream, offset: Offset.first(), singleActive: true, consumerRef: "group" }
    const first = await client.declareConsumer(options, () => facts.consumed++)
    await until(() => facts.consumed >= 10)
    await first.storeOffset(4n)
    await sleep(300)
    const consumerUpdateListener = async (reference, name) =>
      Offset.offset(await client.queryOffset({ reference, stream: name }))
    const other = { ...options, consumerUpdateListener }
    await client.declareConsumer(other, () => facts.consumed_later++)
    await sleep(500)
    await client.closeConsumer(first.extendedId)
    await until(() => facts.consumed_later >= 6)
    await soon(client.close())
    return facts
  },

  async super_stream(stream) {
    const facts = { published: 9, consumed: 0 }
    const client = await connect(who)
    await client.createSuperStream({ streamName: stream }, undefined, 3)
    await sleep(500)
    const key = (_content, options) => options.messageProperties.messageId
    const publisher = await client.declareSuperStreamPublisher({ superStream: stream }, key)
    for (let n = 0; n < 9; n++) {
      const messageProperties = { messageId: `${n}` }
      await publisher.send(Buffer.from(`message ${n}`), { messageProperties })
    }
    await sleep(1000)
    const options = { superStream: stream, offset: Offset.first(), consumerRef: "group" }
    await client.declareSuperStreamConsumer(options, () => facts.consumed++)
    await until(() => facts.consumed >= 9, 5000)
    await soon(client.close())
    return facts
  },

  async missing(stream) {
    const facts = { errors: [] }
    const client = await connect(who)
    for (const attempt of [
      () => client.declarePublisher({ stream }),
      () => client.declareConsumer({ stream, offset: Offset.first() }, () => {}),
      () => client.deleteStream({ stream }),
    ]) {
      await soon(attempt()).catch((error) => facts.errors.push(error.message.slice(0, 80)))
    }
    await soon(client.close())
    return facts
  },

  async deleted(stream) {
    const facts = { published: 5, consumed: 0 }
    const client = await connect(who)
    await client.createStream({ stream, arguments: {} })
    const publisher = counted(await client.declarePublisher({ stream }), facts)
    for (let n = 0; n < 5; n++) await publisher.send(Buffer.from(`message ${n}`))
    await publisher.flush()
    await client.declareConsumer({ stream, offset: Offset.first() }, () => facts.consumed++)
    await until(() => facts.consumed >= 5)
    const other = await connect(who)
    await other.deleteStream({ stream })
    await sleep(2000)
    await soon(other.close())
    await soon(client.close())
    return facts
  },

  async idle(stream) {
    const client = await connect({ ...who, heartbeat: 2 })
    await client.createStream({ stream, arguments: {} })
    await sleep(7000)
    await client.close()
    return {}
  },

  async wrong_password() {
    const client = soon(connect({ ...who, password: "wrong" }), 8000)
    const error = await client.then(() => "none").catch((raised) => raised.message.slice(0, 80))
    return { error }
  },

  async amqp_port() {
    const client = soon(connect({ ...who, port: 5672 }), 12000)
    const error = await client.then((got) => String(got)).catch((raised) => String(raised.message).slice(0, 80))
    return { error }
  },
}

process.on("uncaughtException", (error) => {
  console.log(JSON.stringify({ uncaught: String(error.message).slice(0, 80) }))
  process.exit(0)
})
console.log(JSON.stringify(await plays[process.argv[2]](process.argv[3])))
process.exit(0)
