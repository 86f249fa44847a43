// What rsocket-kotlin is made to do in healthy programs; prints what it counted.
import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.websocket.WebSockets
import io.rsocket.kotlin.RSocket
import io.rsocket.kotlin.ktor.client.RSocketSupport
import io.rsocket.kotlin.ktor.client.rSocket
import io.rsocket.kotlin.payload.Payload
import io.rsocket.kotlin.payload.buildPayload
import io.rsocket.kotlin.payload.data
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlin.system.exitProcess
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull

val counts = ConcurrentHashMap<String, AtomicInteger>()

fun counted(name: String) { counts.computeIfAbsent(name) { AtomicInteger() }.incrementAndGet() }

fun text(value: String): Payload = buildPayload { data(value) }

// A request that is tried again once when it takes more than a second.
suspend fun ask(client: RSocket, what: String) {
    for (attempt in 0 until 2) {
        val answer = withTimeoutOrNull(1000) { client.requestResponse(text(what)).data.readText() }
        if (answer != null) { counted("answers"); return }
        counted("again")
        delay(700)
    }
}

fun main(): Unit = runBlocking {
    val http = HttpClient(CIO) { install(WebSockets); install(RSocketSupport) }
    val client = http.rSocket("ws://broker:7000/")
    val prices = launch { client.requestStream(text("prices 100000")).collect { it.close(); counted("prices"); delay(10) } }
    for (round in 0 until 6) {
        coroutineScope { (0 until 4).map { n -> async { ask(client, "question ${4 * round + n}") } }.awaitAll() }
        ask(client, "report $round")
        client.requestStream(text("rows 40")).collect { it.close(); counted("rows") }
        client.requestStream(text("prices 500")).take(5).collect { it.close(); counted("taken") }
        client.requestChannel(text("first"), flow { for (n in 0 until 49) { emit(text("part $n")); delay(3) } }).collect { it.close(); counted("stored") }
        try { client.requestResponse(text("missing")).close() } catch (refused: Throwable) { counted("refused") }
        client.fireAndForget(text("metric $round"))
        delay(600)
    }
    prices.cancel()
    delay(300)
    client.cancel()
    delay(300)
    println(counts.entries.joinToString(prefix = "{", postfix = "}") { "\"${it.key}\": ${it.value}" })
    exitProcess(0)
}
