/**
 * Follows a room by stompjs alone, without the rules for clients: subscribes anew after each lost connection. Writes what it receives
 * to a file for the judge of the load kit, until the process is ended. Prints READY after the first subscription.
 *
 *     node plain.mjs <url> <user> <password> <room> <file>
 */
import { appendFileSync } from "node:fs";
import { Client } from "@stomp/stompjs";
import WebSocket from "ws";
import { Rest } from "./rest.mjs";

const [url, user, password, room, file] = process.argv.slice(2);
const rest = new Rest(url);
await rest.login(user, password);

const client = new Client({
	webSocketFactory: () => new WebSocket(`${url.replace(/^http/, "ws")}/ws`, ["v12.stomp"]),
	connectHeaders: { Authorization: `Bearer ${rest.token}` },
	reconnectDelay: 50,
	onConnect: () => client.subscribe(`/topic/rooms.${room}`, ({ body }) => receive(JSON.parse(body))),
});

function receive({ type, position, sender, clientId, text }) {
	if (type === "subscribed") {
		console.log("READY");
	}
	else if (type === "message.posted") {
		appendFileSync(file, `${JSON.stringify({ position, sender, clientId, text })}\n`);
	}
}

client.activate();
