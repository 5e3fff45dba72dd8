/**
 * What a client does besides talking: loops that end and continue, a reader that is too slow, positions far behind and of another
 * log, cancellation, refusals, a storage that fails. Prints what it saw as one line of JSON.
 *
 *     node rules.js <url> <user> <password> <room>
 */
import { ApiError, connect, memoryStorage, SendError, signIn, type RoomOptions, type Storage } from "parley-client";
import WebSocket from "ws";

const [url, username, password, id] = process.argv.slice(2) as [string, string, string, string];
/** More than a room keeps for a slow loop, and more than the server replays. */
const MANY = 1_200;
const account = await signIn({ url, username, password });
const webSocketFactory = (at: string, protocols: string[]) => new WebSocket(at, protocols);
const open = (storage?: Storage) => connect({ url, getToken: account.getToken, storage, webSocketFactory });
const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const result: Record<string, unknown> = {};

const client = open();
const read = async (options: RoomOptions, count: number, texts: string[], slow = Promise.resolve()) => {
	const room = client.room(id, options);
	for await (const event of room) {
		if (event.type === "message.posted" && texts.push(event.text) === count) {
			break;
		}
		await slow;
	}
	return room;
};

// A loop that ends at a message gets it again, because it was not handled.
const first = client.room(id, { after: 0, catchUp: Infinity });
for (let i = 0; i < 3; i++) {
	await first.send(`m${i}`);
}
const twice: string[] = [];
await read({}, 2, twice);
await read({}, 4, twice);
result.loops = twice;
first.close();

// A loop that waits pauses its room, and goes on without a hole.
let release = () => {};
const slow: string[] = [];
const reading = read({ after: 0, catchUp: Infinity }, MANY + 3, slow, new Promise((resume) => (release = resume)));
const sender = open();
await Promise.all(Array.from({ length: MANY }, (_, i) => sender.room(id).send(`m${i + 3}`)));
await wait(500);
const paused = client.room(id).position!;
release();
const room = await reading;
result.paused = paused < room.position!;
result.slow = slow.length === MANY + 3 && slow.every((text, i) => text === `m${i}`);
room.close();

// A view that is far behind, and one with the position of another log, begin anew.
for (const [name, after] of [["far", 1], ["otherLog", 2 ** 50]] as const) {
	const view = client.room(id, { after });
	result[name] = await new Promise((resume) => view.on("reset", ({ events }) => resume(events.length)));
	view.close();
}

const cancelled = new AbortController();
const sending = client.room(id).send("cancelled", { signal: cancelled.signal });
cancelled.abort();
const outcome = (promise: Promise<unknown>) => promise.then(() => "accepted", (error) =>
	error instanceof SendError || error instanceof ApiError ? error.code : error.name);
result.cancelled = await outcome(sending);
result.tooLarge = await outcome(client.room(id).send("x".repeat(20_000)));
result.notMine = await outcome(client.room(id).edit(1, "text"));
result.abortedPage = await outcome(client.room(id).history({ signal: AbortSignal.abort() }));
result.empty = await outcome(client.room(id).send(""));
result.strange = await outcome((async () => {
	for await (const _ of client.room("nothere")) {
		break;
	}
})());
result.pending = client.pending().length;

// A storage that fails is told, and stops nothing.
const problems = new Set<string>();
const broken = { ...memoryStorage(), set: () => Promise.reject(new Error("full")), list: () => Promise.reject(new Error("gone")) };
const forgetful = open(broken);
forgetful.on("error", ({ code }) => problems.add(code));
result.withBrokenStorage = await outcome(forgetful.room(id).send("kept in memory"));
result.problems = [...problems];

// A storage has one user; no token ends the client, a failure does not.
const others = memoryStorage();
await others.set("user", "somebody else");
const closed = (made: ReturnType<typeof open>) => new Promise((resume) => made.on("state", ({ name, code }) => name === "closed" && resume(code)));
result.otherUser = await closed(open(others));
result.signedOut = await closed(connect({ url, getToken: () => null, webSocketFactory }));
const failing = connect({ url, getToken: () => Promise.reject(new Error("no")), webSocketFactory });
result.failing = await new Promise((resume) => failing.on("state", ({ name, code }) => name === "offline" && resume(code)));
const unsent = failing.room(id).send("never");
failing.close();
result.closed = await outcome(unsent);
console.log(JSON.stringify(result));
process.exit(0);
