// What rsocket-kotlin is made to do in the fourteenth round of the blind test; prints what it counted.
import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.websocket.WebSockets
import io.rsocket.kotlin.RSocket
import io.rsocket.kotlin.core.RSocketConnector
import io.rsocket.kotlin.keepalive.KeepAlive
import io.rsocket.kotlin.ktor.client.RSocketSupport
import io.rsocket.kotlin.ktor.client.rSocket
import io.rsocket.kotlin.payload.Payload
import io.rsocket.kotlin.payload.PayloadMimeType
import io.rsocket.kotlin.payload.buildPayload
import io.rsocket.kotlin.payload.data
import java.util.concurrent.atomic.AtomicInteger
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull

val answers = AtomicInteger()
val errors = AtomicInteger()
val items = AtomicInteger()

fun text(value: String): Payload = buildPayload { data(value) }

suspend fun connect(name: String): RSocket {
    val how = RSocketConnector {
        connectionConfig {
            payloadMimeType = PayloadMimeType("application/json", "text/plain")
            keepAlive = KeepAlive(2.seconds, 12.seconds)
            setupPayload { text(name) }
        }
    }
    val client = HttpClient(CIO) {
        install(WebSockets)
        install(RSocketSupport) { connector = how }
    }
    return client.rSocket("ws://broker:7000/")
}

suspend fun ask(client: RSocket, asked: String) {
    try {
        client.requestResponse(text(asked)).data.readText()
        answers.incrementAndGet()
    } catch (refused: Throwable) {
        errors.incrementAndGet()
    }
}

// A board of departures, which connects again now and then.
suspend fun board() {
    for (session in 0 until 4) {
        val client = connect("board-3")
        withTimeoutOrNull(2600) {
            client.requestStream(text("board")).buffer(64).collect { it.close(); items.incrementAndGet() }
        }
        ask(client, "{\"id\": $session}")
        client.cancel()
        delay(400)
    }
}

// Questions, three at once.
suspend fun accounts() {
    val client = connect("branch-12")
    for (round in 0 until 16) {
        coroutineScope {
            (0 until 3).map { n -> async { ask(client, "{\"id\": ${3 * round + n}, \"account\": \"A-$n\"}") } }.awaitAll()
        }
        delay(220)
    }
    client.cancel()
}

// A bit of everything, and a rest.
suspend fun busy() {
    val client = connect("desk-5")
    for (round in 0 until 10) {
        ask(client, "{\"id\": $round}")
        if (round % 4 == 3) ask(client, "{\"account\": \"unknown\"}")
        client.fireAndForget(text("{\"seen\": $round}"))
        client.requestStream(text("rows ${4 + round % 5} page-$round")).buffer(3).collect { it.close(); items.incrementAndGet() }
        if (round % 3 == 1) client.requestStream(text("rain 0 40")).buffer(4).take(6).collect { it.close(); items.incrementAndGet() }
        if (round % 5 == 2) {
            val orders = flow { for (n in 0 until 6) { emit(text("order $round.$n")); delay(30) } }
            client.requestChannel(text("order $round"), orders).buffer(8).collect { it.close(); items.incrementAndGet() }
        }
        delay(if (round == 6) 5000 else 180)
    }
    client.cancel()
}

fun main(arguments: Array<String>) = runBlocking<Unit> {
    when (arguments[0]) {
        "board" -> board()
        "accounts" -> accounts()
        else -> busy()
    }
    delay(300)
    println("{\"answers\": $answers, \"errors\": $errors, \"items\": $items}")
    exitProcess(0)
}
