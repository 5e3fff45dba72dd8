package io.parley.client

import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import java.util.Base64
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatIllegalArgumentException
import org.assertj.core.api.Assertions.assertThatIllegalStateException
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** What the test with a server that is killed does not reach. */
class ParleyTests {
    @Test
    fun `attempts are spread between zero and a limit that doubles up to 30 seconds`() {
        for ((failures, limit) in listOf(0 to 1, 1 to 2, 4 to 16, 5 to 30, 1_000_000 to 30)) {
            val waits = List(500) { fullJitter(failures) }
            assertThat(waits).allMatch { it >= Duration.ZERO && it <= limit.seconds }
            assertThat(waits).anyMatch { it < limit.seconds / 4 }.anyMatch { it > limit.seconds * 3 / 4 }
        }
    }

    @Test
    fun `a refused frame always waits and at least as long as the server asks for`() {
        assertThat(List(500) { pause(1, null) }).allMatch { it >= 0.5.seconds && it <= 1.seconds }
        assertThat(List(500) { pause(1, 40.seconds) }).allMatch { it >= 40.seconds && it <= 41.seconds }
        assertThat(List(500) { pause(1_000_000, null) }).allMatch { it >= 15.seconds && it <= 30.seconds }
    }

    @Test
    fun `missing events are fetched before the event that shows the gap whatever order the page has`() {
        val asked = mutableListOf<Long>()
        val pages = ArrayDeque(listOf(listOf(4L, 3L), listOf(), listOf(7L, 5L, 5L, 4L, 6L)))
        val feed = Feed(2) { after -> pages.removeFirst().map(::posted).also { asked += after } }
        assertThat(feed.passes(posted(2), posted(8, prev = 7), posted(6), posted(9, prev = 8))).containsExactly(3, 4, 5, 6, 7, 8, 9)
        assertThat(asked).containsExactly(2, 4, 4)
    }

    @Test
    fun `what is fetched may be refused for a while`() {
        var refusals = 1
        val feed = Feed(1) { if (refusals-- > 0) throw ParleyException("server-busy", "", 503) else listOf(posted(2)) }
        assertThat(feed.passes(event("gap", "head" to 2))).containsExactly(2)
        assertThatThrownBy { Feed(1) { throw ParleyException("not-a-member", "", 403) }.passes(event("gap", "head" to 2)) }
            .isInstanceOf(ParleyException::class.java)
    }

    @Test
    fun `an event that cannot be read for ever is passed over`() {
        val feed = Feed(1, shortest = Duration.ZERO) { listOf() }
        assertThat(feed.passes(event("gap", "head" to 2), posted(3, prev = 1))).containsExactly(3)
    }

    @Test
    fun `nothing follows a gap that was not closed before the end`() {
        val feed = Feed(1) { throw ParleyException("unreachable", "", 0) }
        listOf(posted(9, prev = 8), posted(10, prev = 9)).forEach { feed.take(it) }
        feed.end(null)
        assertThat(runBlocking { feed.events().toList() }).isEmpty()
        assertThat(feed.position).isEqualTo(1L)
    }

    @Test
    fun `a position of another log is forgotten`() {
        val saved = mutableListOf<Long>()
        val feed = Feed(1L shl 50, saved::add) { error("fetched") }
        assertThat(feed.passes(event("subscribed", "head" to 5, "recovered" to false), posted(6, prev = 5))).containsExactly(6)
        assertThat(saved).containsExactly(5)
    }

    @Test
    fun `a page may go beyond the head of the next subscription`() {
        val feed = Feed(0) { (1..9L).map { posted(it) } }
        val next = event("subscribed", "head" to 5, "recovered" to false)
        assertThat(feed.passes(event("gap", "head" to 3), next, posted(6), posted(10))).containsExactlyElementsOf(1..10L)
    }

    @Test
    fun `a slow reader fetches later what it could not take`() {
        val many = MOST_WAITING + 5L
        val feed = Feed(0) { after -> (after + 1..minOf(after + 100, many)).map { posted(it) } }
        val events = (1..many).map { posted(it) }.toTypedArray()
        assertThat(feed.passes(event("subscribed", "head" to 0, "recovered" to true), *events)).containsExactlyElementsOf(1..many)
    }

    @Test
    fun `a slow reader learns of another log`() {
        val many = MOST_WAITING + 5L
        val feed = Feed(1L shl 50) { after -> (after + 1..minOf(after + 100, many)).map { posted(it) } }
        val events = (3..many).map { posted(it) }.toTypedArray()
        assertThat(feed.passes(event("subscribed", "head" to 2, "recovered" to false), *events)).containsExactlyElementsOf(3..many)
    }

    @Test
    fun `a storage keeps what was set and forgets what was removed or cut off`(@TempDir folder: Path) {
        val path = folder.resolve("storage.log")
        FileStorage(path).use { storage ->
            storage.set("outbox/2", JsonPrimitive("zwei – 2\n"))
            storage.set("outbox/1", JsonPrimitive(1))
            storage.set("outbox/1", JsonPrimitive("one"))
            storage.set("position/1", JsonPrimitive(7))
            storage.set("gone", JsonPrimitive(8))
            storage.remove("gone")
            storage.remove("never")
            assertThatIllegalStateException().isThrownBy { FileStorage(path) }.withMessageContaining("in use")
        }
        Files.write(path, "[\"position/1\",\"ä".toByteArray().dropLast(1).toByteArray(), StandardOpenOption.APPEND)
        FileStorage(path).use { storage ->
            assertThat(storage.list("outbox/"))
                .containsExactly("outbox/1" to JsonPrimitive("one"), "outbox/2" to JsonPrimitive("zwei – 2\n"))
            assertThat(storage.get("position/1")).isEqualTo(JsonPrimitive(7))
            assertThat(storage.get("gone")).isNull()
        }
        Files.writeString(path, "damaged\n")
        assertThatThrownBy { FileStorage(path) }.isInstanceOf(IOException::class.java).hasMessageContaining("Line 1")
    }

    @Test
    fun `a storage does not grow with its history`(@TempDir folder: Path) {
        val path = folder.resolve("storage.log")
        val value = JsonPrimitive("x".repeat(100_000))
        FileStorage(path).use { storage ->
            repeat(20) { storage.set("key", value) }
            assertThat(Files.size(path)).isBetween(100_000, 1_600_000)
        }
        FileStorage(path).use { assertThat(it.get("key")).isEqualTo(value) }
    }

    @Test
    fun `the lifetime of a token does not depend on the clock of this computer`() {
        assertThat(lifetime(token(0, 600))).isEqualTo(10.minutes)
        val now = System.currentTimeMillis() / 1000
        assertThat(lifetime(token(now - 300, now + 300))).isBetween(4.minutes, 5.minutes)
        assertThatThrownBy { lifetime("opaque") }.hasMessageContaining("no JWT")
    }

    @Test
    fun `wrong arguments are refused at once`() = runBlocking<Unit> {
        for (url in listOf("", "chat.example.org", "ftp://chat.example.org", "http://", "http://chat example.org")) {
            assertThatIllegalArgumentException().isThrownBy { Client(url, { null }) }
        }
        val client = Client("http://127.0.0.1:1", { null })
        assertThatIllegalArgumentException().isThrownBy { client.room("a/b") }
        assertThatThrownBy { runBlocking { client.room("a").send("") } }.hasMessageContaining("not empty")
        client.close()
        assertThatThrownBy { runBlocking { client.room("a").send("text") } }.hasMessageContaining("closed")
        assertThat(client.state.value).isEqualTo(State(Phase.CLOSED, "closed"))
    }

    @Test
    fun `a cancelled message is forgotten and one of a closed client is kept`() = runBlocking<Unit> {
        val storage = MemoryStorage()
        val client = Client("http://127.0.0.1:1", { null }, storage)
        client.room("a").post("kept", clientId = "1")
        val sending = async(start = CoroutineStart.UNDISPATCHED) { client.room("a").send("cancelled", clientId = "2") }
        while (client.pending().size < 2) yield()
        sending.cancel()
        while (client.pending().size > 1) yield()
        client.close()
        assertThat(storage.list("outbox/").map { it.second.jsonObject["text"] }).containsExactly(JsonPrimitive("kept"))
        val next = Client("http://127.0.0.1:1", { null }, storage)
        assertThat(next.pending()).hasSize(1)
        next.close()
    }

    @Test
    fun `requests have a body only where there is one and refusals tell when to try again`() = runBlocking<Unit> {
        val requests = mutableListOf<String>()
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
        server.createContext("/") { exchange ->
            val body = exchange.requestBody.readAllBytes().decodeToString()
            val type = exchange.requestHeaders.getFirst("Content-Type")
            requests += "${exchange.requestMethod} ${exchange.requestURI} $type $body"
            val busy = exchange.requestURI.path == "/busy"
            if (busy) exchange.responseHeaders["Retry-After"] = "7"
            val answer = if (busy) "{\"code\":\"server-busy\"}" else "{\"accessToken\":\"a\",\"refreshToken\":\"r\",\"expiresIn\":600}"
            exchange.sendResponseHeaders(if (busy) 503 else 200, 0)
            exchange.responseBody.use { it.write(answer.toByteArray()) }
        }
        server.start()
        try {
            val url = "http://127.0.0.1:${server.address.port}"
            val account = Account.signIn(url, "alice", "demo", "test")
            account.signOut()
            Client(url, account).use { client ->
                client.request("DELETE", "/api/x")
                assertThatThrownBy { runBlocking { client.request("GET", "/busy") } }.isInstanceOfSatisfying(ParleyException::class.java) {
                    assertThat(it.code).isEqualTo("server-busy")
                    assertThat(it.retryAfter).isEqualTo(7.seconds)
                    assertThat(it.temporary).isTrue()
                }
            }
            assertThat(requests).containsExactly(
                "POST /api/auth/login application/json {\"username\":\"alice\",\"password\":\"demo\",\"deviceName\":\"test\"}",
                "POST /api/auth/logout null ",
                "DELETE /api/x null ",
                "GET /busy null ",
            )
        } finally {
            server.stop(0)
        }
        assertThatThrownBy { runBlocking { Account.signIn("http://127.0.0.1:1", "alice", "demo") } }.hasMessageContaining("cannot be reached")
    }

    private fun Feed.passes(vararg events: Event): List<Long> = runBlocking {
        val last = posted(Long.MAX_VALUE, prev = 0)
        (events.toList() + last).forEach { take(it) }
        events().takeWhile { it.position != last.position }.toList().map { it.position!! }
    }

    private fun posted(position: Long, prev: Long = position - 1) = event("message.posted", "position" to position, "prev" to prev)

    private fun event(type: String, vararg fields: Pair<String, Any>) =
        Event(Json.parseToJsonElement("{\"type\":\"$type\"${fields.joinToString("") { (name, value) -> ",\"$name\":$value" }}}").jsonObject)

    private fun token(issued: Long, expires: Long) =
        "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString("{\"iat\":$issued,\"exp\":$expires}".toByteArray()) + ".x"
}
