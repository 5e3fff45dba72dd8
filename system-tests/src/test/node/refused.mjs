/**
 * A ChatClient follows a room, sends and reads while the database of the server is unavailable. Prints READY when the
 * database may be stopped, REFUSED when the server has refused all of that, and finally the result as one line of JSON.
 *
 *     node refused.mjs <url> <user> <password> <room> <position to read> <room to leave alone>
 */
import WebSocket from "ws";
import { ChatClient } from "./client/chat-client.js";
import { until } from "./rest.mjs";

const [url, user, password, room, position, left] = process.argv.slice(2);
const result = { texts: [], errors: [], failed: [], acknowledged: false, losses: 0 };
const sent = [];
const refused = [];

const chat = new ChatClient({ baseUrl: url, webSocketFactory: observed });
chat.on("state", ({ name }) => (result.losses += name === "waiting" ? 1 : 0));
chat.on("error", ({ code, receipt }) => result.errors.push({ code, receipt }));

/** Keeps what is sent and refused. */
function observed(at, protocols) {
	const socket = new WebSocket(at, protocols);
	const send = socket.send;
	socket.send = (frame, ...rest) => {
		sent.push(String(frame));
		return send.call(socket, frame, ...rest);
	};
	socket.on("message", (frame) => {
		const [, body] = /\n\n([^]*)\0/.exec(String(frame)) ?? [];
		const event = body?.startsWith("{") ? JSON.parse(body) : {};
		event.code === "store-unavailable" && refused.push(event.destination);
	});
	return socket;
}

function subscribes(id) {
	return sent.filter((frame) => frame.startsWith("SUBSCRIBE") && frame.includes(`/topic/rooms.${id}\n`)).length;
}

function databaseIsAway() {
	return chat.signIns().then(() => false, ({ code }) => code === "store-unavailable");
}

await chat.login(user, password);
chat.connect();
await until("a connection", () => chat.state.name === "online");
console.log("READY");
while (!await databaseIsAway()) {
	await new Promise((resume) => setTimeout(resume, 50));
}
chat.follow(left, { onEvent: () => {} });
chat.follow(room, { onEvent: ({ text }) => text && result.texts.push(text) }, { after: 0 });
chat.send(room, "sent meanwhile").then(() => (result.acknowledged = true), ({ code }) => result.failed.push(code));
chat.read(room, Number(position));
await until("refusals", () => [`/topic/rooms.${left}`, `/topic/rooms.${room}`, `/topic/rooms.${room}.signals`,
	`/app/rooms.${room}.send`, `/app/rooms.${room}.read`].every((destination) => refused.includes(destination)));
chat.unfollow(left);
const before = subscribes(left);
console.log("REFUSED");
await until("the messages", () => result.acknowledged && result.texts.includes("posted afterwards"), 120);
await until("the read marker", async () => (await chat.rooms()).find(({ id }) => id === room).read >= Number(position), 120);
result.subscribedAgain = subscribes(left) - before;
console.log(JSON.stringify(result));
process.exit(0);
