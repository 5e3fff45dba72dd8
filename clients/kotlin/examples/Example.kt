// Prints a room and posts each line of the input. Survives kills of the server.
//
//     mvn -Pall -pl clients/kotlin package
//     cd clients/kotlin/target && java -cp 'classes:lib/*' ExampleKt http://localhost:8080 bob demo Lobby

import io.parley.client.Account
import io.parley.client.Client
import io.parley.client.ParleyException
import io.parley.client.use
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

fun main(arguments: Array<String>) = runBlocking {
    val (url, username, password) = arguments
    val name = arguments.getOrElse(3) { "Lobby" }
    val account = Account.signIn(url, username, password)
    Client(url, account).connect().use { client ->
        val rooms = client.request("GET", "/api/rooms")!!.jsonArray.map { it.jsonObject }
        val room = client.room(rooms.first { it["name"]?.jsonPrimitive?.content == name }.getValue("id").jsonPrimitive.content)
        coroutineScope {
            val states = launch { client.state.collect { System.err.println(it) } }
            val showing = launch {
                room.events().collect { event ->
                    if (event.type == "message.posted") {
                        println("${event.sender}: ${event.text}")
                        room.read(event.position!!)
                    }
                }
            }
            while (true) {
                val line = withContext(Dispatchers.IO) { readlnOrNull() }?.ifBlank { null } ?: break
                try {
                    room.send(line)
                } catch (refusal: ParleyException) {
                    System.err.println("${refusal.code}: ${refusal.message}")
                }
            }
            showing.cancel()
            states.cancel()
        }
    }
    account.signOut()
}
