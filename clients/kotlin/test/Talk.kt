/**
 * Sends messages to a room and writes what it sends and receives to files for the judge of the load kit, while the server is
 * killed, and while it is killed itself: started again in the same folder, it continues. Prints READY after some messages, and at
 * the end what it sent.
 *
 *     TalkKt <url> <user> <password> <room> <messages> <messages of all> <folder>
 *
 * Environment: TALK_INTERVAL_MS between two messages (30), TALK_RECONNECT_MS as the longest wait for a connection (30000).
 */
import io.parley.client.Account
import io.parley.client.Client
import io.parley.client.FileStorage
import io.parley.client.ParleyException
import io.parley.client.Phase
import io.parley.client.longestWait
import io.parley.client.use
import java.io.File
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

private const val MOST_PENDING = 100

private fun milliseconds(name: String, otherwise: Int) = (System.getenv(name)?.toInt() ?: otherwise).milliseconds

/** Appends an object in a line of its own. */
private fun File.write(fields: JsonObjectBuilder.() -> Unit) = appendText("${buildJsonObject(fields)}\n")

fun main(arguments: Array<String>) = runBlocking {
    longestWait = milliseconds("TALK_RECONNECT_MS", 30_000)
    val interval = milliseconds("TALK_INTERVAL_MS", 30)
    val (url, username, password, roomId, messages) = arguments
    val everything = arguments[5].toInt()
    val folder = Path.of(arguments[6])
    val received = folder.resolve("received.jsonl").toFile()
    val sent = folder.resolve("sent.jsonl").toFile()
    val seen = if (received.exists()) {
        received.readLines().mapNotNull { Json.parseToJsonElement(it).jsonObject["position"]?.jsonPrimitive?.long }.toMutableSet()
    } else {
        mutableSetOf()
    }
    val storage = FileStorage(folder.resolve("storage.log"))
    val refused = mutableListOf<String>()
    val errors = mutableListOf<String>()
    var losses = 0
    var accepted = 0
    var positions = true
    val first = storage.get("test/next")?.jsonPrimitive?.int ?: 0
    val client = Client(url, Account.signIn(url, username, password), storage)
    val left = client.pending().size
    client.use {
        val watching = listOf(
            launch(start = CoroutineStart.UNDISPATCHED) { client.state.collect { if (it.phase == Phase.OFFLINE) losses++ } },
            launch(start = CoroutineStart.UNDISPATCHED) { client.userEvents.collect { if (it.type == "error") errors += it.code!! } },
        )
        val room = client.connect().room(roomId)
        val receiving = launch {
            received.write { put("started", true) }
            room.events(after = 0)
                .filter { it.type == "message.posted" }
                .onEach {
                    received.write {
                        put("position", it.position)
                        put("sender", it.sender)
                        put("clientId", it.clientId)
                        put("text", it.text)
                    }
                    seen += it.position!!
                }
                .first { seen.size >= everything && client.pending().isEmpty() }
        }
        coroutineScope {
            for (number in first until messages.toInt()) {
                val clientId = "$username-$number"
                sent.write {
                    put("sender", username)
                    put("clientId", clientId)
                    put("text", "$username $number")
                }
                val sending = room.post("$username $number", clientId = clientId)
                storage.set("test/next", JsonPrimitive(number + 1))
                launch {
                    try {
                        positions = sending.await().position > 0 && positions
                        sent.write {
                            put("sender", username)
                            put("clientId", clientId)
                            put("accepted", true)
                        }
                        if (++accepted == 5) println("READY")
                    } catch (refusal: ParleyException) {
                        refused += refusal.code
                    }
                }
                do delay(interval) while (client.pending().size > MOST_PENDING)
            }
        }
        receiving.join()
        watching.forEach { it.cancel() }
        println(
            buildJsonObject {
                put("losses", losses)
                putJsonArray("refused") { refused.forEach { add(it) } }
                putJsonArray("errors") { errors.forEach { add(it) } }
                put("accepted", accepted)
                put("positions", positions)
                put("left", left)
                put("first", first)
                put("pending", client.pending().size)
            },
        )
    }
}
