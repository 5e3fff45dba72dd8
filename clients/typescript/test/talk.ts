/**
 * Sends messages to a room and writes what it sends and receives to files for the judge of the load kit, while the server is killed,
 * and while it is killed itself: started again in the same folder, it continues. Prints READY after some messages, and at the end
 * what it sent.
 *
 *     node talk.js <url> <user> <password> <room> <messages> <messages of all> <folder>
 *
 * Environment: TALK_INTERVAL_MS between two messages (30), TALK_RECONNECT_MS as the longest wait for a connection (30000).
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect, signIn, type RoomEvent, type Storage } from "parley-client";
import WebSocket from "ws";

const [url, username, password, id, messages, all, folder] = process.argv.slice(2) as [string, string, string, string, string, string, string];
const RECEIVED = `${folder}/received.jsonl`;
const SENT = `${folder}/sent.jsonl`;
const NEXT = "test/next";
const INTERVAL_MS = Number(process.env["TALK_INTERVAL_MS"] ?? 30);
const RECONNECT_MS = Number(process.env["TALK_RECONNECT_MS"] ?? 30_000);
const MOST_PENDING = 100;
const READY_AFTER = 5;

/** A file that is replaced as a whole. */
function fileStorage(path: string): Storage {
	const values = new Map<string, unknown>(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []);
	const save = () => {
		writeFileSync(`${path}.new`, JSON.stringify([...values]));
		renameSync(`${path}.new`, path);
	};
	return {
		get: (key) => values.get(key),
		set: (key, value) => (values.set(key, value), save()),
		remove: (key) => (values.delete(key), save()),
		list: (prefix) => [...values].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1)),
	};
}

function write(path: string, line: object) {
	appendFileSync(path, `${JSON.stringify(line)}\n`);
}

function seen(): Set<number> {
	const lines = existsSync(RECEIVED) ? readFileSync(RECEIVED, "utf8").trim().split("\n") : [];
	return new Set(lines.map((line) => JSON.parse(line).position).filter((position) => position !== undefined));
}

const pause = () => new Promise((resume) => setTimeout(resume, INTERVAL_MS));

const storage = fileStorage(`${folder}/storage.json`);
const account = await signIn({ url, username, password });
const client = connect({ url, getToken: account.getToken, storage, webSocketFactory: (at, protocols) => new WebSocket(at, protocols) });
const result = { losses: 0, refused: [] as string[], errors: [] as string[], accepted: 0, left: 0, resets: 0, positions: true };
client.on("state", ({ name, retryAt = 0 }) => {
	if (name === "offline") {
		result.losses++;
		if (retryAt - Date.now() > RECONNECT_MS) {
			setTimeout(() => client.retryNow(), Math.random() * RECONNECT_MS);
		}
	}
});
client.on("error", ({ code }) => result.errors.push(code));
const room = client.room(id, { catchUp: Infinity });

const positions = seen();
write(RECEIVED, { started: true });
const receive = (event: RoomEvent) => {
	if (event.type === "reset") {
		result.resets++;
		write(RECEIVED, { reset: true });
		event.events.forEach(receive);
	}
	else if (event.type === "message.posted") {
		const { position, sender, clientId, text } = event;
		write(RECEIVED, { position, sender, clientId, text });
		positions.add(position);
	}
};
const receiving = (async () => {
	for await (const event of room) {
		receive(event);
		if (positions.size >= Number(all) && client.pending().length === 0) {
			break;
		}
	}
})();

const first = Number(await storage.get(NEXT) ?? 0);
await new Promise((resume) => setTimeout(resume));
result.left = client.pending().length;
const sent: Promise<void>[] = [];
for (let i = first; i < Number(messages); i++) {
	const message = { sender: username, clientId: `${username}-${i}`, text: `${username} ${i}` };
	write(SENT, message);
	sent.push(room.send(message.text, { clientId: message.clientId }).then(({ position }) => {
		write(SENT, { sender: username, clientId: message.clientId, accepted: true });
		if (++result.accepted === READY_AFTER) {
			console.log("READY");
		}
		result.positions &&= Number.isSafeInteger(position);
	}, ({ code }) => void result.refused.push(code)));
	await storage.set(NEXT, i + 1);
	await pause();
	while (client.pending().length > MOST_PENDING) {
		await pause();
	}
}
await Promise.all(sent);
await receiving;
console.log(JSON.stringify({ ...result, first, pending: client.pending().length }));
client.close();
process.exit(0);
