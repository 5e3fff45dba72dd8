/**
 * Uses stompjs like an application: subscribe, send with receipts, lose the socket, resume with `after`,
 * disconnect with a receipt. Prints the result as one line of JSON.
 *
 *     node stompjs.mjs <url> <user> <password> <room>
 */
import { Client } from "@stomp/stompjs";
import WebSocket from "ws";
import { Rest, until } from "./rest.mjs";

const [url, user, password, room] = process.argv.slice(2);
const result = { userName: null, texts: [], receipts: [], recovered: [], duplicates: 0, errors: [] };
let last;
let socket;
let connections = 0;

const rest = new Rest(url);
await rest.login(user, password);

const client = new Client({
	webSocketFactory: () => (socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, ["v12.stomp"])),
	connectHeaders: { Authorization: `Bearer ${rest.token}` },
	reconnectDelay: 1000,
	onConnect(frame) {
		result.userName = frame.headers["user-name"];
		connections++;
		subscribe();
	},
	onStompError: (frame) => result.errors.push(frame.headers.message),
});

function subscribe() {
	const headers = { receipt: `subscribed-${connections}` };
	if (last !== undefined) {
		headers.after = String(last);
	}
	client.watchForReceipt(headers.receipt, () => result.receipts.push(headers.receipt));
	client.subscribe(`/topic/rooms.${room}`, receive, headers);
}

function receive(message) {
	const event = JSON.parse(message.body);
	if (event.type === "subscribed") {
		result.recovered.push(event.recovered);
		last ??= event.head;
	}
	else if (event.position > last) {
		last = event.position;
		result.texts.push(event.text);
	}
	else {
		result.duplicates++;
	}
}

function send(text) {
	const receipt = `receipt-${text}`;
	client.watchForReceipt(receipt, () => result.receipts.push(receipt));
	const body = JSON.stringify({ clientId: `js-${text}`, text });
	client.publish({ destination: `/app/rooms.${room}.send`, body, headers: { receipt } });
}

client.activate();
await until("the subscription", () => result.receipts.includes("subscribed-1"));
["one", "two", "three"].forEach(send);
await until("receipts and messages", () => result.receipts.length === 4 && result.texts.length === 3);

socket.terminate();
for (const text of ["four", "five"]) {
	await rest.post(room, `js-${text}`, text);
}
await until("the missed messages", () => result.texts.length === 5);
await until("the second subscription", () => result.receipts.includes("subscribed-2"));
send("six – ü 😀");
await until("the last message", () => result.texts.length === 6 && result.receipts.length === 6);

client.onDisconnect = () => (result.disconnected = true);
await client.deactivate();
console.log(JSON.stringify(result));
process.exit(0);
