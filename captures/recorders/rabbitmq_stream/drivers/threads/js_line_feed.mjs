// A password that was read from a file with the line feed at its end: `js_line_feed.mjs STREAM`.
import rabbit from "rabbitmq-stream-js-client"

const { connect } = rabbit
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const who = { hostname: "broker", port: 5552, username: "guest", password: "guest\n", vhost: "/" }
const facts = { errors: [] }
process.on("uncaughtException", (error) => facts.errors.push(String(error.message).slice(0, 60)))
for (let round = 0; round < 5; round++) {
  const late = sleep(4000).then(() => { throw new Error("late") })
  await Promise.race([connect(who), late]).catch((error) => facts.errors.push(String(error.message).slice(0, 60)))
  await sleep(300)
}
console.log(JSON.stringify(facts))
process.exit(0)
