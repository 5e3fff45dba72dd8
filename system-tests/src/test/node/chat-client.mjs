/**
 * Two ChatClients of the page exchange messages while the server is killed and restarted. Prints READY when
 * the server may be killed, and finally the results of both as one line of JSON.
 *
 *     node chat-client.mjs <url> <password> <user> <other user> <room> <messages of each>
 */
import WebSocket from "ws";
import { ChatClient } from "./client/chat-client.js";
import { until } from "./rest.mjs";

const INTERVAL_MS = 50;

const [url, password, first, second, room, messages] = process.argv.slice(2);
const MESSAGES = Number(messages);

class Talker {

	texts = [];
	acknowledged = 0;
	failed = [];
	resets = 0;
	losses = 0;

	constructor(user) {
		this.user = user;
		this.chat = new ChatClient({ baseUrl: url, webSocketFactory: (at, protocols) => new WebSocket(at, protocols) });
		this.chat.on("state", ({ name }) => (this.losses += name === "waiting" ? 1 : 0));
	}

	async begin() {
		await this.chat.login(this.user, password);
		this.chat.connect();
		this.chat.follow(room, {
			onReset: () => this.resets++,
			onEvent: ({ text }) => this.texts.push(text),
		});
		await until("a connection", () => this.chat.state.name === "online" && this.resets === 1);
	}

	/** Does not wait for acknowledgements, so it continues to send while the server is unavailable. */
	async talk() {
		for (let i = 0; i < MESSAGES; i++) {
			this.chat.send(room, `${this.user} ${i}`)
				.then(() => this.acknowledged++, (error) => this.failed.push(error.message));
			if (i === 20 && this.user === first) {
				console.log("READY");
			}
			await new Promise((resume) => setTimeout(resume, INTERVAL_MS));
		}
	}

	get result() {
		const { user, texts, acknowledged, failed, resets, losses } = this;
		return { user, texts, acknowledged, failed, resets, losses, pending: this.chat.pending().length };
	}

}

const talkers = [new Talker(first), new Talker(second)];
await Promise.all(talkers.map((talker) => talker.begin()));
await Promise.all(talkers.map((talker) => talker.talk()));
await until("all acknowledgements and messages", () => talkers.every((talker) =>
	talker.acknowledged + talker.failed.length === MESSAGES && talker.texts.length >= 2 * MESSAGES), 240);
console.log(JSON.stringify(talkers.map((talker) => talker.result)));
talkers.forEach((talker) => talker.chat.disconnect());
process.exit(0);
