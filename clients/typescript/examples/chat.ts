/**
 * Prints a room and posts each line of the input. Survives kills of the server.
 *
 *     node chat.js <url> <user> <password> <room>
 */
import { createInterface } from "node:readline";
import { ApiError, connect, SendError, signIn } from "parley-client";
import WebSocket from "ws"; // Node before 22; browsers have one

const [url = "", username = "", password = "", roomName = "Lobby"] = process.argv.slice(2);
const account = await signIn({ url, username, password });
const client = connect({ url, getToken: account.getToken, webSocketFactory: (at, protocols) => new WebSocket(at, protocols) });
client.on("state", ({ name, code }) => console.error(name, code ?? ""));

const found = (await client.rooms()).find(({ id, name }) => id === roomName || name === roomName);
if (!found) {
	throw new Error(`${username} is in no room "${roomName}".`);
}
const room = client.room(found.id, { after: "newest" });
room.on("reset", ({ events }) => events.forEach((event) => event.type === "message.posted" && console.log(`${event.sender}: ${event.text}`)));
room.on("message.posted", ({ sender, text, position }) => {
	console.log(`${sender}: ${text}`);
	room.read(position);
});
room.on("message.edited", ({ target, text, superseded }) => superseded || console.log(`(${target} is now: ${text})`));

for await (const line of createInterface({ input: process.stdin })) {
	try {
		await room.send(line);
	}
	catch (error) {
		if (!(error instanceof SendError || error instanceof ApiError)) {
			throw error;
		}
		console.error(error.code, error.message);
	}
}
client.close();
await account.signOut();
