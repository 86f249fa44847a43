// Vectors from the request classes of rabbitmq-stream-js-client 1.0.0: Publish in all forms, and what the others lack.
"use strict"

const path = require("node:path")

const PACKAGE = "rabbitmq-stream-js-client"
const root = path.dirname(require.resolve(PACKAGE + "/package.json"))
const { version } = require(PACKAGE + "/package.json")
const load = (name) => require(path.join(root, "dist", name))
const { PublishRequest } = load("requests/publish_request")
const { PublishRequestV2 } = load("requests/publish_request_v2")
const { SubEntryBatchPublishRequest } = load("requests/sub_entry_batch_publish_request")
const { SubscribeRequest, Offset } = load("requests/subscribe_request")
const { ConsumerUpdateResponse } = load("requests/consumer_update_response")
const { ExchangeCommandVersionsRequest } = load("requests/exchange_command_versions_request")
const { CreateSuperStreamRequest } = load("requests/create_super_stream_request")
const { NoneCompression, GzipCompression } = load("compression")

function emit(file, name, className, data, expect, facts = {}) {
  const source = `${PACKAGE} ${version}, ${className}.toBuffer`
  const command = file.replace("_response", "")
  console.log(JSON.stringify({ file: "rabbitmq_stream/" + file, name: "js_" + name, command, hex: data.toString("hex"), source, expect, ...facts }))
}

// One data section and nothing else is what the client makes of a body without properties.
const amqp = (text) => {
  const body = Buffer.from(text)
  const head = body.length < 256 ? Buffer.from([0, 0x53, 0x75, 0xa0, body.length]) : Buffer.from([0, 0x53, 0x75, 0xb0, 0, 0, body.length >> 8, body.length & 255])
  return Buffer.concat([head, body]).toString("hex")
}
const message = (publishingId, text, more = {}) => ({ publishingId: BigInt(publishingId), message: { content: Buffer.from(text) }, ...more })

for (const [name, texts] of Object.entries({ one: ["hello"], none: [], empty_body: [""], three: ["a", "", "c".repeat(300)] })) {
  const messages = texts.map((text, i) => message(i + 1, text))
  emit("publish", name, "PublishRequest", new PublishRequest({ publisherId: 5, messages }).toBuffer(), {
    publisher_id: 5,
    messages: texts.map((text, i) => ({ publishing_id: i + 1, body: amqp(text) })),
  }, { version: 1 })
}
const filtered = [message(1, "a", { filterValue: "invoices" }), message(2, "b"), message(3, "c", { filterValue: "x" })]
emit("publish", "filter_values", "PublishRequestV2", new PublishRequestV2({ publisherId: 1, messages: filtered }).toBuffer(), {
  publisher_id: 1,
  messages: filtered.map((each, i) => ({ publishing_id: i + 1, filter_value: each.filterValue ?? null, body: amqp("abc"[i]) })),
}, { version: 2 })
for (const [name, compression, type] of [["uncompressed", NoneCompression.create(), 0], ["gzip", GzipCompression.create(), 1]]) {
  const texts = ["a", "bc", ""]
  const messages = texts.map((text) => ({ content: Buffer.from(text) }))
  const request = new SubEntryBatchPublishRequest({ publisherId: 7, publishingId: 42n, messages, compression, maxFrameSize: 1048576 })
  emit("publish", "sub_batch_" + name, "SubEntryBatchPublishRequest", request.toBuffer(), {
    publisher_id: 7,
    messages: [{
      publishing_id: 42,
      compression: type,
      record_count: 3,
      uncompressed_data_size: texts.reduce((sum, text) => sum + 4 + amqp(text).length / 2, 0),
      records: texts.map((text) => ({ body: amqp(text) })),
    }],
  }, { version: 1, note: "compressed data is given by what it unpacks to" })
}
for (const [name, offset, expect] of [
  ["next", Offset.next(), { offset_type: 3 }],
  ["offset", Offset.offset(45n), { offset_type: 4, offset: 45 }],
  ["timestamp", Offset.timestamp(new Date(1700000000000)), { offset_type: 5, timestamp: 1700000000000 }],
]) {
  const specification = { offset_specification: expect }
  emit("subscribe", name, "SubscribeRequest",
    new SubscribeRequest({ subscriptionId: 3, stream: "st", credit: 10, offset, properties: { name: "app" } }).toBuffer({}, 12),
    { correlation_id: 12, subscription_id: 3, stream: "st", ...specification, credit: 10, properties: [{ key: "name", value: "app" }] }, { version: 1 })
  emit("consumer_update_response", name, "ConsumerUpdateResponse",
    new ConsumerUpdateResponse({ correlationId: 0, responseCode: 1, offset }).toBuffer(), { correlation_id: 0, response_code: 1, ...specification }, { version: 1, kind: "response" })
}
const versions = [{ key: 2, minVersion: 1, maxVersion: 2 }, { key: 8, minVersion: 1, maxVersion: 2 }]
emit("exchange_command_versions", "two", "ExchangeCommandVersionsRequest", new ExchangeCommandVersionsRequest(versions).toBuffer({}, 5), {
  correlation_id: 5,
  commands: versions.map((each) => ({ key: each.key, min_version: each.minVersion, max_version: each.maxVersion })),
}, { version: 1 })
emit("exchange_command_versions", "none", "ExchangeCommandVersionsRequest", new ExchangeCommandVersionsRequest([]).toBuffer({}, 5), { correlation_id: 5, commands: [] }, { version: 1 })
emit("create_super_stream", "parallel_lists", "CreateSuperStreamRequest",
  new CreateSuperStreamRequest({ streamName: "ss", partitions: ["ss-0", "ss-1"], bindingKeys: ["0", "1"], arguments: { "max-age": "1h" } }).toBuffer({}, 2),
  { correlation_id: 2, name: "ss", partitions: ["ss-0", "ss-1"], binding_keys: ["0", "1"], arguments: [{ key: "max-age", value: "1h" }] }, { version: 1 })
emit("create_super_stream", "empty_lists", "CreateSuperStreamRequest",
  new CreateSuperStreamRequest({ streamName: "ss", partitions: [], bindingKeys: [] }).toBuffer({}, 2),
  { correlation_id: 2, name: "ss", partitions: [], binding_keys: [], arguments: [] }, { version: 1 })
