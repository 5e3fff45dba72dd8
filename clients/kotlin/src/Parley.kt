/**
 * A client of a Parley chat server, in one file, for the JVM from version 21.
 *
 *     val client = Client("https://chat.example.org", { Token(tokenOfMyApplication()) }).connect()
 *     val room = client.room("i3l4NkYsRLTCHWPx")
 *     val position = room.send("Hello").position            // durable now, also after reconnects
 *     room.events().collect { println(it.type + it.text) }   // each event once, in order, without gaps
 *
 * `docs/clients.md` says how a client behaves, and why. Needs kotlinx-coroutines, kotlinx-serialization-json, OkHttp, and of Krossbow
 * `krossbow-stomp-core`. All functions may be called from any thread.
 */
package io.parley.client

import java.io.IOException
import java.net.URLEncoder
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.nio.file.StandardOpenOption
import java.util.Base64
import java.util.TreeMap
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resumeWithException
import kotlin.math.min
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.trySendBlocking
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.SharedFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asSharedFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.filterNotNull
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.receiveAsFlow
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.onTimeout
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.io.bytestring.ByteString
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.longOrNull
import kotlinx.serialization.json.put
import okhttp3.Call
import okhttp3.Callback
import okhttp3.ConnectionPool
import okhttp3.Dispatcher
import okhttp3.HttpUrl.Companion.toHttpUrlOrNull
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import org.hildan.krossbow.stomp.LostReceiptException
import org.hildan.krossbow.stomp.StompErrorFrameReceived
import org.hildan.krossbow.stomp.StompSession
import org.hildan.krossbow.stomp.WebSocketClosedUnexpectedly
import org.hildan.krossbow.stomp.config.HeartBeat
import org.hildan.krossbow.stomp.config.HeartBeatTolerance
import org.hildan.krossbow.stomp.config.StompConfig
import org.hildan.krossbow.stomp.frame.FrameBody
import org.hildan.krossbow.stomp.frame.StompFrame
import org.hildan.krossbow.stomp.headers.StompSendHeaders
import org.hildan.krossbow.stomp.headers.StompSubscribeHeaders
import org.hildan.krossbow.stomp.instrumentation.KrossbowInstrumentation
import org.hildan.krossbow.stomp.stomp
import org.hildan.krossbow.websocket.WebSocketConnection
import org.hildan.krossbow.websocket.WebSocketException
import org.hildan.krossbow.websocket.WebSocketFrame

private val HEART_BEAT = 10.seconds
private val SILENCE = 20.seconds
private val TIMEOUT = 10.seconds
private val STABLE = 10.seconds
private val BASE = 1.seconds

/** The longest wait before the next attempt. Tests set a shorter one. */
internal var longestWait = 30.seconds
private const val PAGE = 100
private const val MOST_FRUITLESS = 6

/** More events than this wait for nobody: they are dropped, and fetched when the reader has caught up. */
internal const val MOST_WAITING = 1_000
private const val REMEMBERED = 1_000
private const val REFRESH_AFTER = 0.8
private const val USER_EVENTS = "/user/queue/events"
private val TEMPORARY = setOf(
    "rate-limited", "server-busy", "log-unavailable", "append-unknown", "store-unavailable", "check-unavailable", "issuer-unavailable",
)
private val TOKEN_REFUSED = setOf("unauthorized", "token-expired")
private val CLOSED = mapOf(
    1001 to "server-stopping", 1013 to "broker-away", 4401 to "token-expired", 4403 to "signed-out", 4408 to "no-heart-beat",
    4413 to "fell-behind",
)
private val ROOM = Regex("[A-Za-z0-9_-]{1,64}")

/** A message, a request or a room was refused. [code] is for programs; [status] is 0 if the server was not reached, and null for frames. */
class ParleyException(
    val code: String,
    message: String,
    val status: Int? = null,
    val retryAfter: Duration? = null,
    cause: Throwable? = null,
) : Exception(message, cause) {
    /** Whether the same request may succeed later. */
    val temporary: Boolean get() = status != null && (status == 0 || status == 429 || status >= 500)
}

/** An event of a room or of the user, of any type, with all its fields. */
class Event(val json: JsonObject) {
    val type: String get() = string("type") ?: ""
    val room: String? get() = string("room")

    /** The place in the room; null for what is not stored. */
    val position: Long? get() = long("position")
    val prev: Long? get() = long("prev")
    val sender: String? get() = string("sender")
    val clientId: String? get() = string("clientId")

    /** Of a message, or its new text if the type is `message.edited`; null after a later change. */
    val text: String? get() = string("text")

    /** The position of the message that this event edits, deletes, pins or reacts to. */
    val target: Long? get() = long("target")

    /** The reason why a frame was refused, if the type is `error`. */
    val code: String? get() = string("code")

    operator fun get(name: String): JsonElement? = json[name]

    internal fun string(name: String) = (json[name] as? JsonPrimitive)?.contentOrNull

    internal fun long(name: String) = (json[name] as? JsonPrimitive)?.longOrNull

    override fun toString() = json.toString()
}

/** A message is durable, at this position of its room. */
data class Accepted(val clientId: String, val position: Long, val id: String?)

/** Events, ascending, and the newest position of the room. */
data class Page(val events: List<Event>, val head: Long)

/** What a client does. */
enum class Phase { CONNECTING, ONLINE, OFFLINE, CLOSED }

/**
 * What a client does, and why: `OFFLINE` has the reason in [code] and the time to the next attempt; `CLOSED`, which is final, has
 * `closed`, `signed-out` or `other-user`.
 */
data class State(val phase: Phase, val code: String? = null, val retryIn: Duration? = null)

/** An access token. Its [lifetime] is that of the token itself if it is a JWT. */
class Token(val value: String, val lifetime: Duration? = null)

/** Where a client gets its access tokens: not [refused][token], and null when the user has signed out. */
fun interface TokenSource {
    suspend fun token(refused: String?): Token?
}

/**
 * Where a client keeps positions and unsent messages of one user. What [set] has returned survives the program. Calls come from one
 * thread at a time, and may block. What they throw reaches the caller of `send` or the collector of events.
 */
interface Storage {
    fun get(key: String): JsonElement?

    fun set(key: String, value: JsonElement)

    fun remove(key: String)

    /** Returns all entries whose keys begin with a prefix, by key. */
    fun list(prefix: String): List<Pair<String, JsonElement>>
}

/** Ends with the program. */
class MemoryStorage : Storage {
    private val values = TreeMap<String, JsonElement>()

    @Synchronized
    override fun get(key: String) = values[key]

    @Synchronized
    override fun set(key: String, value: JsonElement) {
        values[key] = value
    }

    @Synchronized
    override fun remove(key: String) {
        values.remove(key)
    }

    @Synchronized
    override fun list(prefix: String) = values.withPrefix(prefix)
}

/**
 * Keeps everything in one file, to which each change is appended and synced; it is written anew when it is mostly history. Beside it
 * is an empty file with the suffix `.lock`: one program at a time may use the storage. Throws [IOException] if the file cannot be
 * read or written, and [IllegalStateException] if another client uses it.
 */
class FileStorage(private val path: Path) : Storage, AutoCloseable {
    private val values = TreeMap<String, JsonElement>()
    private val lock = FileChannel.open(path.resolveSibling("${path.fileName}.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
    private var live = 0L
    private var journal = try {
        check(takesLock()) { "$path is in use by another client: use one storage for each program." }
        if (Files.exists(path)) {
            load()
        }
        rewrite()
    } catch (failure: Exception) {
        lock.close()
        throw failure
    }

    @Synchronized
    override fun get(key: String) = values[key]

    @Synchronized
    override fun set(key: String, value: JsonElement) {
        append(line(key, value))
        values.put(key, value)?.let { live -= line(key, it).size }
        live += line(key, value).size
    }

    @Synchronized
    override fun remove(key: String) {
        val value = values[key] ?: return
        append(line(key, null))
        values.remove(key)
        live -= line(key, value).size
    }

    @Synchronized
    override fun list(prefix: String) = values.withPrefix(prefix)

    /** Lets another client use the file. */
    @Synchronized
    override fun close() {
        journal.close()
        lock.close()
    }

    private fun takesLock() = try {
        lock.tryLock() != null
    } catch (_: OverlappingFileLockException) {
        false
    }

    /** Reads the changes; one that a crash has cut off was never confirmed. */
    private fun load() {
        val text = Files.readAllBytes(path).decodeToString()
        text.take(text.lastIndexOf('\n') + 1).lineSequence().filter { it.isNotEmpty() }.forEachIndexed { number, line ->
            try {
                val change = Json.parseToJsonElement(line).jsonArray
                val key = change[0].jsonPrimitive.content
                if (change.size > 1) values.put(key, change[1]) else values.remove(key)
            } catch (failure: RuntimeException) {
                throw IOException("Line ${number + 1} of $path is damaged: restore the file, or remove it and lose what it keeps.", failure)
            }
        }
    }

    private fun rewrite(): FileChannel {
        val next = path.resolveSibling("${path.fileName}.next")
        FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING).use { channel ->
            values.forEach { (key, value) -> channel.writeAll(line(key, value)) }
            channel.force(true)
        }
        Files.move(next, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE)
        live = values.entries.sumOf { (key, value) -> line(key, value).size.toLong() }
        return FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND)
    }

    private fun append(line: ByteArray) {
        if (journal.size() > 1_000_000 + 4 * live) {
            journal.close()
            journal = rewrite()
        }
        val end = journal.size()
        try {
            journal.writeAll(line)
            journal.force(false)
        } catch (failure: IOException) {
            journal.truncate(end)
            throw failure
        }
    }

    private fun line(key: String, value: JsonElement?) = "${JsonArray(listOfNotNull(JsonPrimitive(key), value))}\n".encodeToByteArray()

    private fun FileChannel.writeAll(bytes: ByteArray) {
        val buffer = ByteBuffer.wrap(bytes)
        while (buffer.hasRemaining()) {
            write(buffer)
        }
    }
}

private fun TreeMap<String, JsonElement>.withPrefix(prefix: String) =
    tailMap(prefix).entries.takeWhile { it.key.startsWith(prefix) }.map { it.key to it.value }

private fun backOff(failures: Int) = minOf(longestWait, BASE * (1 shl min(failures, 10)))

/** Random between 0 and a limit that doubles, so that the clients of a restarted server do not come at the same moment. */
internal fun fullJitter(failures: Int): Duration = backOff(failures) * Random.nextDouble()

/** How long to wait before a refused frame is sent again: always some time, and at least what the server asks for. */
internal fun pause(attempts: Int, retryAfter: Duration?): Duration {
    val half = backOff(maxOf(0, attempts - 1)) / 2
    return maxOf(half, retryAfter ?: Duration.ZERO) + half * Random.nextDouble()
}

/**
 * Of all clients of a program. Its threads do not keep the program alive. It gives up an idle connection before a server does, and
 * never repeats a request on its own, because that may have been carried out.
 */
private val http = OkHttpClient.Builder()
    .dispatcher(Dispatcher(Executors.newCachedThreadPool { Thread(it, "parley-client").apply { isDaemon = true } }))
    .connectionPool(ConnectionPool(5, 10, TimeUnit.SECONDS))
    .callTimeout(TIMEOUT.toJavaDuration())
    .retryOnConnectionFailure(false)
    .followRedirects(false)
    .build()

private val JSON = "application/json".toMediaType()
private val NOTHING = ByteArray(0).toRequestBody()

/** The HTTP interface of a server. */
private class Api(private val url: String) {
    private class Answer(val status: Int, val retryAfter: String?, val text: String)

    suspend fun call(method: String, path: String, body: JsonElement?, token: String?): JsonElement? {
        val request = Request.Builder()
            .url(url + path)
            .header("Accept", "application/json, application/problem+json")
            .method(method, body?.toString()?.toByteArray()?.toRequestBody(JSON) ?: NOTHING.takeUnless { method in WITHOUT_BODY })
        token?.let { request.header("Authorization", "Bearer $it") }
        val answer = try {
            answer(http.newCall(request.build()))
        } catch (failure: IOException) {
            throw ParleyException("unreachable", "The server cannot be reached: $failure", 0, cause = failure)
        }
        val json = try {
            answer.text.ifEmpty { null }?.let { Json.parseToJsonElement(it) }
        } catch (_: SerializationException) {
            null
        }
        if (answer.status < 400) {
            return json
        }
        val problem = Event(json as? JsonObject ?: JsonObject(emptyMap()))
        throw ParleyException(
            problem.code ?: "http-${answer.status}",
            problem.string("detail") ?: "The server answered ${answer.status}.",
            answer.status,
            answer.retryAfter?.toIntOrNull()?.seconds,
        )
    }

    private suspend fun answer(call: Call): Answer = suspendCancellableCoroutine { waiting ->
        waiting.invokeOnCancellation { call.cancel() }
        call.enqueue(object : Callback {
            override fun onFailure(call: Call, e: IOException) = waiting.resumeWithException(e)

            override fun onResponse(call: Call, response: Response) = waiting.resumeWith(
                runCatching { response.use { Answer(it.code, it.header("Retry-After"), it.body.string()) } },
            )
        })
    }

    private companion object {
        val WITHOUT_BODY = setOf("GET", "HEAD", "DELETE")
    }
}

/** A sign-in with a password, made by [signIn]: the [TokenSource] of a client. */
class Account private constructor(private val api: Api, val username: String, answer: JsonObject) : TokenSource {
    private val lock = Mutex()
    private lateinit var access: String
    private lateinit var refresh: String
    private var lifetime = Duration.ZERO
    private lateinit var expires: TimeMark

    init {
        keep(answer)
    }

    private fun keep(answer: JsonObject) {
        access = answer.getValue("accessToken").jsonPrimitive.content
        refresh = answer.getValue("refreshToken").jsonPrimitive.content
        lifetime = answer.getValue("expiresIn").jsonPrimitive.long.seconds
        expires = TimeSource.Monotonic.markNow() + lifetime
    }

    override suspend fun token(refused: String?): Token = lock.withLock { // a refresh token is valid once
        if (access == refused || -expires.elapsedNow() < minOf(10.seconds, lifetime / 2)) {
            keep(api.call("POST", "/api/auth/refresh", buildJsonObject { put("refreshToken", refresh) }, null)!!.jsonObject)
        }
        Token(access, -expires.elapsedNow())
    }

    suspend fun signOut() {
        api.call("POST", "/api/auth/logout", null, access)
    }

    companion object {
        /** Signs in with the password of an account of the server. Throws [ParleyException]. */
        suspend fun signIn(url: String, username: String, password: String, deviceName: String = "Parley.kt"): Account {
            val api = Api(url.trimEnd('/'))
            val body = buildJsonObject {
                put("username", username)
                put("password", password)
                put("deviceName", deviceName)
            }
            return Account(api, username, api.call("POST", "/api/auth/login", body, null)!!.jsonObject)
        }
    }
}

/**
 * Connects, and reconnects until it is [closed][close]. A [storage] belongs to one user and one client. Its entries are read when the
 * client is made.
 */
class Client(url: String, private val tokens: TokenSource, internal val storage: Storage = MemoryStorage()) {
    init {
        require(url.toHttpUrlOrNull() != null) { "Client() needs the url of the server, such as \"https://chat.example.org\"." }
    }

    /** All fields of the client, its outbox and its rooms are used by one thread at a time. */
    internal val dispatcher = Dispatchers.IO.limitedParallelism(1)
    internal val scope = CoroutineScope(SupervisorJob() + dispatcher)
    internal val online = MutableStateFlow<Connection?>(null)
    private val url = url.trimEnd('/')
    private val api = Api(this.url)
    private val rooms = ConcurrentHashMap<String, Room>()
    private val states = MutableStateFlow(State(Phase.CONNECTING))
    private val told = MutableSharedFlow<Event>(extraBufferCapacity = 1_000, onBufferOverflow = BufferOverflow.DROP_OLDEST)
    private val tokenLock = Mutex()
    private var token: String? = null
    private var tokenUntil: TimeMark = TimeSource.Monotonic.markNow()
    private var refused: String? = null
    private var running: Job? = null

    /** Uses the fields above at once. */
    internal val outbox = Outbox(this)

    /** What the client does now. */
    val state: StateFlow<State> = states.asStateFlow()

    /** The events of the user, and errors that belong to no call. A collector that is 1,000 events behind misses the oldest ones. */
    val userEvents: SharedFlow<Event> = told.asSharedFlow()

    /** The name of the user, after the first connection. */
    @Volatile
    var username: String? = null
        private set

    internal val closed get() = states.value.phase == Phase.CLOSED

    /** Begins to connect. Returns at once. */
    fun connect(): Client {
        scope.launch {
            if (running == null && !closed) {
                running = scope.launch { run() }
            }
        }
        return this
    }

    /** Ends the client. Messages that were not accepted stay in the storage; their calls throw `closed`, and loops end. */
    suspend fun close() = withContext(NonCancellable) {
        confined { end("closed", "The client was closed.") }
        running?.cancelAndJoin()
        scope.cancel()
    }

    /** Returns the handle of a room, always the same one. */
    fun room(id: String): Room {
        require(ROOM.matches(id)) { "room() needs the id of a room: 1 to 64 characters of A-Z, a-z, 0-9, _ and -." }
        return rooms.computeIfAbsent(id) { Room(this, id) }
    }

    /** Returns the messages that were not accepted yet, oldest first. */
    suspend fun pending(): List<JsonObject> = confined { outbox.pending() }

    /** Calls any path of the HTTP interface as this user. Throws [ParleyException]. */
    suspend fun request(method: String, path: String, body: JsonElement? = null): JsonElement? {
        val token = validToken()
        try {
            return api.call(method, path, body, token)
        } catch (refusal: ParleyException) {
            if (refusal.status != 401) {
                throw refusal
            }
        }
        return api.call(method, path, body, validToken(refused = token))
    }

    internal suspend fun <T> confined(action: () -> T): T = withContext(dispatcher) { action() }

    private suspend fun validToken(refused: String? = null): String = tokenLock.withLock {
        val known = token
        if (known != null && known != refused && -tokenUntil.elapsedNow() >= 10.seconds) {
            return known
        }
        val given = try {
            tokens.token(refused)
        } catch (failure: CancellationException) {
            throw failure
        } catch (failure: ParleyException) {
            throw failure
        } catch (failure: Exception) {
            throw ParleyException("token-unavailable", "The source of tokens failed: $failure", 0, cause = failure)
        } ?: throw ParleyException("signed-out", "The source of tokens returned none: the user has signed out.", 401)
        tokenUntil = TimeSource.Monotonic.markNow() + (given.lifetime ?: lifetime(given.value))
        token = given.value
        given.value
    }

    private suspend fun run() {
        var failures = 0
        while (!closed) {
            become(State(Phase.CONNECTING))
            val ended = attempt()
            if (ended.code == "signed-out") {
                end("signed-out", "The sign-in has ended. Sign in again.")
            }
            if (ended.lasted > STABLE) {
                failures = 0
            }
            val wait = fullJitter(failures++)
            become(State(Phase.OFFLINE, ended.code, wait))
            if (!closed) {
                delay(wait)
            }
        }
    }

    private class Ended(val code: String, val lasted: Duration = Duration.ZERO)

    /** Connects and uses the connection until it ends. */
    private suspend fun attempt(): Ended {
        val token = try {
            validToken(refused)
        } catch (refusal: ParleyException) {
            return Ended(if (refusal.temporary) refusal.code else "signed-out")
        }
        val ownJob = Job()
        val socket = Socket(url + "/ws")
        var since: TimeMark? = null
        try {
            val greeting = Greeting()
            val session = withTimeout(TIMEOUT) {
                socket.open().stomp(
                    StompConfig().apply {
                        heartBeat = HeartBeat(HEART_BEAT, HEART_BEAT)
                        heartBeatTolerance = HeartBeatTolerance(incomingMargin = SILENCE - HEART_BEAT)
                        receiptTimeout = TIMEOUT
                        instrumentation = greeting
                    },
                    customHeaders = mapOf("Authorization" to "Bearer $token"),
                    sessionCoroutineContext = ownJob,
                )
            }
            if (!accepts(greeting.username ?: "")) {
                return Ended("other-user")
            }
            refused = null
            since = TimeSource.Monotonic.markNow()
            serve(session, socket)
            return Ended("connection-lost", since.elapsedNow())
        } catch (failure: Exception) {
            // The session is cancelled too when it ends.
            currentCoroutineContext().ensureActive()
            val code = reason(failure)
            if (code in TOKEN_REFUSED) {
                refused = token
            }
            return Ended(code ?: if (since == null) "unreachable" else "connection-lost", since?.elapsedNow() ?: Duration.ZERO)
        } finally {
            socket.breakOff()
            ownJob.cancel()
        }
    }

    /** Uses a session until it ends, by an exception. */
    private suspend fun serve(session: StompSession, socket: Socket) = coroutineScope {
        val connection = Connection(session, this)
        try {
            val events = session.subscribe(StompSubscribeHeaders(USER_EVENTS) { id = "me" })
            become(State(Phase.ONLINE))
            rooms.values.forEach { it.resume(connection) }
            online.value = connection
            launch { refresh(connection) }
            events.collect { received(Event(it.json())) }
        } finally {
            online.value = null
            if (closed) {
                withContext(NonCancellable) { withTimeoutOrNull(1.seconds) { session.disconnect() } }
            }
            socket.breakOff()
            coroutineContext.cancelChildren()
        }
    }

    /** Gets a new token before the old one expires, and sends it on the live connection until it is taken. */
    private suspend fun refresh(connection: Connection) {
        while (true) {
            delay(maxOf(1.seconds, -tokenUntil.elapsedNow() * REFRESH_AFTER))
            try {
                val body = JsonObject(mapOf("accessToken" to JsonPrimitive(validToken(refused = token))))
                for (attempts in 1..5) {
                    connection.tokenRefusal = CompletableDeferred()
                    val sending = connection.send("/app/token", body, "token-$attempts")
                    val refusal = select<Event?> {
                        sending.onJoin { null } // it is taken, or was lost
                        connection.tokenRefusal.onAwait { it }
                    } ?: break
                    delay(pause(attempts, refusal.retryAfter()))
                }
            } catch (refusal: ParleyException) {
                if (!refusal.temporary) {
                    return end("signed-out", refusal.message!!)
                }
            }
        }
    }

    private fun accepts(username: String): Boolean {
        val owner = storage.get("user")?.jsonPrimitive?.content
        if (owner == null) {
            storage.set("user", JsonPrimitive(username))
        } else if (owner != username) {
            end("other-user", "The storage belongs to $owner, not to $username: use one storage for each user.")
            return false
        }
        this.username = username
        return true
    }

    private fun received(event: Event) {
        when (event.type) {
            "accepted" -> outbox.accept(event).also { tell(event) }
            "error" -> if (!refuse(event)) tell(event)
            else -> tell(event)
        }
    }

    private fun refuse(error: Event): Boolean {
        val destination = error.string("destination") ?: ""
        val room = rooms[destination.removePrefix("/topic/rooms.")]
        return when {
            // One that is told late is that of a subscription which was given up.
            room != null -> room.refuse(error) || error.isTemporary(1)
            destination == "/app/token" && error.isTemporary(1) -> online.value?.tokenRefusal?.complete(error) == true
            else -> outbox.refuse(error)
        }
    }

    internal fun tell(event: Event) {
        told.tryEmit(event)
    }

    private fun become(state: State) {
        if (!closed) {
            states.value = state
        }
    }

    private fun end(code: String, message: String) {
        if (closed) {
            return
        }
        become(State(Phase.CLOSED, code))
        val error = ParleyException(code, message)
        outbox.fail(error)
        rooms.values.forEach { it.end(error) }
        online.value?.scope?.cancel()
    }
}

/** Uses a client, and closes it. */
suspend inline fun <T> Client.use(action: (Client) -> T): T {
    try {
        return action(this)
    } finally {
        close()
    }
}

/** Reads the name of the user, which Krossbow does not show otherwise. */
private class Greeting : KrossbowInstrumentation {
    var username: String? = null

    override suspend fun onFrameDecoded(originalFrame: WebSocketFrame, decodedFrame: StompFrame) {
        if (decodedFrame is StompFrame.Connected) {
            username = decodedFrame.headers["user-name"]
        }
    }
}

/** The WebSocket of a connection. Begins to connect at once. */
private class Socket(override val url: String) : WebSocketListener(), WebSocketConnection {
    private val opened = CompletableDeferred<Unit>()
    private val ended = CompletableDeferred<Unit>()
    private val frames = Channel<WebSocketFrame>(Channel.BUFFERED)
    private val socket = http.newWebSocket(Request.Builder().url(url).header("Sec-WebSocket-Protocol", "v12.stomp").build(), this)

    override val protocol = "v12.stomp"
    override val canSend get() = !ended.isCompleted
    override val incomingFrames = frames.receiveAsFlow()

    suspend fun open(): Socket = apply { opened.await() }

    /** Ends the connection without waiting for the server. */
    fun breakOff() {
        socket.cancel()
        frames.cancel()
    }

    override suspend fun sendText(frameText: String) {
        if (!socket.send(frameText)) {
            throw WebSocketException("The connection is closed.")
        }
    }

    override suspend fun sendBinary(frameData: ByteString) = throw UnsupportedOperationException("The server takes text only.")

    override suspend fun close(code: Int, reason: String?) {
        socket.close(code, reason)
        withTimeoutOrNull(1.seconds) { ended.await() }
    }

    override fun onOpen(webSocket: WebSocket, response: Response) {
        opened.complete(Unit)
    }

    /** Reads no further while nobody takes the frames. */
    override fun onMessage(webSocket: WebSocket, text: String) {
        frames.trySendBlocking(WebSocketFrame.Text(text))
    }

    override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
        frames.trySendBlocking(WebSocketFrame.Close(code, reason))
        frames.close()
    }

    override fun onClosed(webSocket: WebSocket, code: Int, reason: String) {
        ended.complete(Unit)
    }

    override fun onFailure(webSocket: WebSocket, t: Throwable, response: Response?) {
        val failure = WebSocketException("The connection failed: $t", t)
        opened.completeExceptionally(failure)
        ended.complete(Unit)
        frames.close(failure)
    }
}

/** A session, as long as it lives. */
internal class Connection(val session: StompSession, val scope: CoroutineScope) {
    var tokenRefusal = CompletableDeferred<Event>()

    /** Sends a frame. The job ends with its RECEIPT, or without one after a while. */
    fun send(destination: String, body: JsonObject, receipt: String): Job = scope.launch {
        val headers = StompSendHeaders(destination) {
            contentType = "application/json"
            this.receipt = receipt
        }
        try {
            session.send(headers, FrameBody.Text(body.toString()))
        } catch (_: LostReceiptException) {
            // whoever waits sends again
        }
    }
}

private fun Event.retryAfter() = long("retryAfter")?.seconds

private fun Event.isTemporary(attempts: Int) = code in TEMPORARY || (code == "internal" && attempts < 5)

private fun Event.exception() =
    ParleyException(code ?: "internal", string("message") ?: "The server refused a frame.", retryAfter = retryAfter())

private fun StompFrame.Message.json() = Json.parseToJsonElement(bodyAsText).jsonObject

/** Why a connection ended, as far as the server said. */
private fun reason(failure: Throwable): String? = generateSequence(failure) { it.cause }.take(10).firstNotNullOfOrNull {
    when (it) {
        is StompErrorFrameReceived -> it.frame.headers.message
        is WebSocketClosedUnexpectedly -> CLOSED[it.code]
        else -> null
    }
}

/** The lifetime of a JWT, by this computer's clock unless that contradicts the token. */
internal fun lifetime(token: String): Duration {
    val claims = try {
        Json.parseToJsonElement(String(Base64.getUrlDecoder().decode(token.split('.')[1]))).jsonObject
    } catch (failure: RuntimeException) {
        val advice = "The token is no JWT: give its lifetime, as in Token(value, 15.minutes)."
        throw ParleyException("token-unavailable", advice, 0, cause = failure)
    }
    val expires = claims["exp"]?.jsonPrimitive?.longOrNull ?: return 5.minutes
    val left = expires.seconds - System.currentTimeMillis().milliseconds
    val whole = expires.seconds - (claims["iat"]?.jsonPrimitive?.longOrNull ?: return left).seconds
    return if (left > Duration.ZERO && left <= whole) left else whole
}

/** A message until it is accepted. */
internal class Entry(val key: String, val room: String, val message: JsonObject, val awaited: Boolean) {
    val clientId = message.getValue("clientId").jsonPrimitive.content
    val result = CompletableDeferred<Accepted>()
    val refusals = Channel<Event>(Channel.CONFLATED)
    var attempts = 0
}

/** Messages until they are accepted: of each room one is under way, so that they keep their order even when sent again. */
@OptIn(ExperimentalCoroutinesApi::class)
internal class Outbox(private val client: Client) {
    private val queues = HashMap<String, ArrayDeque<Entry>>()
    private var number = 0L

    init {
        client.storage.list("outbox/").forEach { (key, message) ->
            number = key.removePrefix("outbox/").toLong()
            val room = message.jsonObject.getValue("room").jsonPrimitive.content
            queues.getOrPut(room) { ArrayDeque() }.add(Entry(key, room, message.jsonObject, awaited = false))
        }
        client.scope.launch { queues.forEach { (room, queue) -> begin(room, queue) } }
    }

    /** Returns when the message is saved. */
    fun add(room: String, message: JsonObject): Entry {
        if (client.closed) {
            throw ParleyException("closed", "The client is closed. Connect again.")
        }
        val entry = Entry("outbox/%012d".format(++number), room, message, awaited = true)
        client.storage.set(entry.key, message)
        entry.result.invokeOnCompletion { cause ->
            if (cause is CancellationException) {
                client.scope.launch { remove(entry) }
            }
        }
        queues.getOrPut(room) { ArrayDeque<Entry>().also { begin(room, it) } }.add(entry)
        return entry
    }

    private fun begin(room: String, queue: ArrayDeque<Entry>) = client.scope.launch {
        while (!client.closed) {
            val entry = queue.firstOrNull()
            if (entry == null) {
                queues.remove(room)
                break
            }
            if (entry.result.isCompleted) {
                remove(entry)
                continue
            }
            val refusal = attempt(client.online.filterNotNull().first(), entry) ?: continue
            withTimeoutOrNull(pause(entry.attempts, refusal.retryAfter())) { entry.result.join() }
        }
    }

    /** Sends a message and waits for what comes of it. Returns the refusal if it shall be sent again later. */
    private suspend fun attempt(connection: Connection, entry: Entry): Event? {
        entry.attempts++
        entry.refusals.tryReceive()
        val sending = connection.send("/app/rooms.${entry.room}.send", JsonObject(entry.message - "room"), "send-${entry.clientId}")
        val refusal = select<Event?> {
            entry.result.onJoin { null }
            entry.refusals.onReceive { it }
            connection.scope.coroutineContext.job.onJoin { null }
            onTimeout(TIMEOUT) { null }
        }
        sending.cancel()
        return refusal
    }

    fun accept(event: Event) {
        val entry = find(event.room, event.clientId) ?: return
        val position = event.position ?: return
        remove(entry)
        entry.result.complete(Accepted(entry.clientId, position, event.string("id")))
    }

    /** Sends the message again later, or refuses it. Returns whether that settles the error. */
    fun refuse(error: Event): Boolean {
        val room = error.string("destination")?.removePrefix("/app/rooms.")?.removeSuffix(".send")
        val entry = find(room, error.clientId ?: error.string("receipt")?.removePrefix("send-")) ?: return false
        if (error.isTemporary(entry.attempts)) {
            entry.refusals.trySend(error)
            return true
        }
        remove(entry)
        entry.result.completeExceptionally(error.exception())
        return entry.awaited
    }

    /** Leaves the messages in the storage, for the next client. */
    fun fail(error: ParleyException) = queues.values.flatten().forEach { it.result.completeExceptionally(error) }

    fun pending() = queues.values.flatten().sortedBy { it.key }.map { it.message }

    private fun find(room: String?, clientId: String?) = queues[room]?.firstOrNull { it.clientId == clientId }

    private fun remove(entry: Entry) {
        if (queues[entry.room]?.remove(entry) == true) {
            client.storage.remove(entry.key)
        }
    }
}

/** Of what arrives of a room it makes each event once, in order, without gaps. For one thread at a time. */
internal class Feed(
    position: Long?,
    private val began: (Long) -> Unit = {},
    private val shortest: Duration = 150.milliseconds,
    private val pageAfter: suspend (Long) -> List<Event>,
) {
    /** The last event that was passed on. */
    var position = position
        private set

    /** The position that the subscription begins after. */
    private var begun = position
    private val inbox = ArrayDeque<Event>()
    private val arrived = Channel<Unit>(Channel.CONFLATED)
    private val ended = CompletableDeferred<ParleyException?>()

    fun take(event: Event) {
        inbox.add(event)
        if (inbox.size > MOST_WAITING) {
            // What the last event and the subscription tell is enough to know what must be fetched.
            val kept = inbox.lastOrNull { it.type == "subscribed" }
            inbox.clear()
            inbox.addAll(listOfNotNull(kept, event).distinct())
        }
        arrived.trySend(Unit)
    }

    /** Begins anew, after [position]: what has arrived comes again. */
    fun restart() = inbox.clear()

    /** Returns the position that a new subscription begins after, and remembers it. */
    fun begin(): Long? = position.also { begun = it }

    /** Ends the flow when all that has arrived was passed on; by the error if there is one. */
    fun end(error: ParleyException?) {
        ended.complete(error)
        arrived.trySend(Unit)
    }

    fun events(): Flow<Event> = flow {
        while (true) {
            val event = inbox.removeFirstOrNull()
            if (event != null) {
                pass(event)
            } else if (ended.isCompleted) {
                break
            } else {
                arrived.receive()
            }
        }
        ended.await()?.let { throw it }
    }

    private suspend fun FlowCollector<Event>.pass(event: Event) {
        val known = position
        val head = event.long("head")
        val target = when (event.type) {
            "subscribed" -> {
                val recovered = event["recovered"]?.jsonPrimitive?.boolean == true
                // Nothing can follow a position of another log. Pages that were fetched meanwhile may have gone beyond the head.
                if (head != null && (known == null || (!recovered && (begun ?: 0) > head))) {
                    position = head
                    began(head)
                }
                head.takeIf { !recovered }
            }
            "gap" -> head
            else -> event.prev
        }
        if (target == null || known == null || fetch(target)) {
            hand(event)
        }
    }

    private suspend fun FlowCollector<Event>.hand(event: Event) {
        val next = event.position ?: return
        if (next > (position ?: -1)) {
            position = next
            emit(event)
        }
    }

    /**
     * Fetches what is missing up to a position; a page may be incomplete for a moment, or for ever where nothing can be read. Returns
     * false if the flow ends before: then nothing may follow, because the position would be saved beyond the gap.
     */
    private suspend fun FlowCollector<Event>.fetch(target: Long): Boolean {
        var failures = 0
        var fruitless = 0
        while (position!! < target && fruitless < MOST_FRUITLESS) {
            if (ended.isCompleted) {
                return false
            }
            val before = position!!
            val page = try {
                pageAfter(before)
            } catch (refusal: ParleyException) {
                if (!refusal.temporary) {
                    throw refusal
                }
                pauseUnlessEnded(pause(++failures, refusal.retryAfter))
                continue
            }
            page.sortedBy { it.position }.forEach { hand(it) }
            if (position == before) {
                pauseUnlessEnded(shortest * (1 shl fruitless++))
            }
        }
        return true
    }

    private suspend fun pauseUnlessEnded(time: Duration) {
        withTimeoutOrNull(time) { ended.join() }
    }
}

/** A room. Made by [Client.room]. */
class Room internal constructor(private val client: Client, val id: String) {
    private val path = "/api/rooms/$id"
    private var feed: Feed? = null
    private var subscription: Job? = null
    private var refusal = CompletableDeferred<Event>()
    private val seen = object : LinkedHashMap<Pair<String?, String>, Long>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<Pair<String?, String>, Long>) = size > REMEMBERED
    }

    /**
     * Follows the room: each event once, in order, without gaps, over reconnects.
     *
     * Begins after the saved position, or else after [after], or else with what comes next. An event is handled when the collector
     * has returned; then its position is saved. After a crash the event that was not handled comes again, and so does the one at
     * which `first` or `take` end the flow. Ends when the client is closed; fails with [ParleyException] if the room is refused, or
     * the client ends for another reason. A new collector ends the one before.
     */
    fun events(after: Long? = null): Flow<Event> = flow {
        val own = client.confined { begin(after) }
        try {
            own.events().map { it to isNew(it) }.buffer(Channel.RENDEZVOUS).flowOn(client.dispatcher).collect { (event, new) ->
                if (new) {
                    emit(event)
                }
                client.confined { handled(own, event.position!!) }
            }
        } finally {
            withContext(NonCancellable) { client.confined { leave(own) } }
        }
    }

    /**
     * Sends a message, after those of earlier calls, and again until it is accepted. Throws [ParleyException] if the server refuses
     * it. If the call is cancelled, the attempts end; a message that is under way then may be accepted nevertheless.
     */
    suspend fun send(
        text: String,
        clientId: String = UUID.randomUUID().toString(),
        replyTo: Long? = null,
        thread: Long? = null,
        fields: Map<String, JsonElement> = emptyMap(),
    ): Accepted {
        val accepted = post(text, clientId, replyTo, thread, fields)
        try {
            return accepted.await()
        } catch (cancellation: CancellationException) {
            accepted.cancel()
            throw cancellation
        }
    }

    /** Like [send], but returns when the message is saved. Cancelling the result ends the attempts. [fields] may have `mentions`. */
    suspend fun post(
        text: String,
        clientId: String = UUID.randomUUID().toString(),
        replyTo: Long? = null,
        thread: Long? = null,
        fields: Map<String, JsonElement> = emptyMap(),
    ): Deferred<Accepted> {
        require(text.isNotEmpty()) { "A message needs a text that is not empty." }
        require(clientId.length in 1..64) { "A clientId has 1 to 64 characters." }
        val message = buildJsonObject {
            put("room", id)
            put("clientId", clientId)
            put("text", text)
            replyTo?.let { put("replyTo", it) }
            thread?.let { put("thread", it) }
            fields.forEach { (name, value) -> put(name, value) }
        }
        var entry: Entry? = null
        try {
            client.confined { entry = client.outbox.add(id, message) }
        } catch (cancellation: CancellationException) {
            entry?.result?.cancel()
            throw cancellation
        }
        return entry!!.result
    }

    /** Sends a reply in the thread of a message. */
    suspend fun reply(root: Long, text: String, fields: Map<String, JsonElement> = emptyMap()): Accepted =
        send(text, thread = root, fields = fields)

    suspend fun edit(position: Long, text: String, fields: Map<String, JsonElement> = emptyMap()): JsonElement? {
        val body = buildJsonObject {
            put("clientId", UUID.randomUUID().toString())
            put("text", text)
            fields.forEach { (name, value) -> put(name, value) }
        }
        return client.request("PATCH", "$path/messages/$position", body)
    }

    suspend fun delete(position: Long, reason: String? = null): JsonElement? =
        client.request("DELETE", "$path/messages/$position", reason?.let { buildJsonObject { put("reason", it) } })

    /** Gives a reaction, or takes it back. */
    suspend fun react(position: Long, key: String, on: Boolean = true): JsonElement? {
        val encoded = URLEncoder.encode(key, Charsets.UTF_8).replace("+", "%20")
        return client.request(if (on) "PUT" else "DELETE", "$path/messages/$position/reactions/$encoded")
    }

    /** Moves the read marker forward. */
    suspend fun read(position: Long) {
        client.request("PUT", "$path/read", buildJsonObject { put("position", position) })
    }

    /** Returns a page of events, the newest one without [before] and [after]. */
    suspend fun history(before: Long? = null, after: Long? = null, limit: Int = PAGE): Page {
        val query = listOfNotNull(before?.let { "before=$it" }, after?.let { "after=$it" }, "limit=$limit").joinToString("&")
        val page = client.request("GET", "$path/messages?$query")!!.jsonObject
        return Page(page.getValue("events").jsonArray.map { Event(it.jsonObject) }, page.getValue("head").jsonPrimitive.long)
    }

    private fun begin(after: Long?): Feed {
        if (client.closed) {
            throw ParleyException("closed", "The client is closed. Connect again.")
        }
        feed?.apply { restart() }?.end(null)
        val saved = client.storage.get("position/$id")?.jsonPrimitive?.long
        return Feed(saved ?: after, ::save) { history(after = it).events }.also { next ->
            feed = next
            client.online.value?.let { resume(it) }
        }
    }

    private fun leave(own: Feed) {
        if (feed === own) {
            feed = null
            subscription?.cancel()
        }
    }

    private fun save(position: Long) = client.storage.set("position/$id", JsonPrimitive(position))

    private fun handled(own: Feed, position: Long) {
        if (feed === own) {
            save(position)
        }
    }

    /** A message that was sent again, to a server that had forgotten it, is delivered twice and stored once. */
    private fun isNew(event: Event): Boolean {
        val clientId = event.clientId ?: return true
        if (event.sender == client.username) {
            client.outbox.accept(event)
        }
        if (event.type != "message.posted" && event.type != "thread.posted") {
            return true
        }
        // The same position comes again after a loop that has ended before it was handled.
        return seen.getOrPut(event.sender to clientId) { event.position!! } == event.position
    }

    /** Subscribes on a connection, after the last position. */
    internal fun resume(connection: Connection) {
        val own = feed ?: return
        val before = subscription
        subscription = connection.scope.launch {
            before?.cancelAndJoin()
            own.restart()
            var attempts = 0
            do {
                val error = follow(connection, own)
                val again = error.isTemporary(++attempts)
                if (again) delay(pause(attempts, error.retryAfter())) else own.end(error.exception())
            } while (again)
        }
    }

    /** Takes what arrives until the subscription is refused. */
    private suspend fun follow(connection: Connection, own: Feed): Event = coroutineScope {
        refusal = CompletableDeferred()
        val headers = StompSubscribeHeaders("/topic/rooms.${this@Room.id}") {
            own.begin()?.let { this["after"] = it.toString() }
        }
        launch {
            // Krossbow stops reading for all subscriptions while nobody takes what has arrived for one.
            val frames = withContext(NonCancellable) { connection.session.subscribe(headers) }
            frames.collect { own.take(Event(it.json())) }
        }
        refusal.await().also { coroutineContext.cancelChildren() }
    }

    /** Returns whether somebody waits for this. */
    internal fun refuse(error: Event) = refusal.complete(error)

    internal fun end(error: ParleyException) {
        feed?.end(error.takeIf { it.code != "closed" })
    }
}
