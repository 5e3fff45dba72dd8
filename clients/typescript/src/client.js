// @ts-check
/** @import { Client, ConnectOptions, State } from "../index.d.ts" */
import { ChatClient } from "./chat-client.js";
import { Listeners } from "./listeners.js";
import { SendError } from "./outbox.js";
import { RoomHandle } from "./room-handle.js";
import { Saved } from "./saved.js";
import { memoryStorage } from "./storage.js";
import { askForToken, NO_TOKEN } from "./tokens.js";

/** Events of the user that are passed on. */
const USER_EVENTS = ["accepted", "room.added", "room.removed", "role.changed", "unread.changed", "thread.changed", "draft.changed",
	"scheduled.changed"];
const ROOM = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Connects, and reconnects until `close()`.
 * @param {ConnectOptions} options
 * @returns {Client}
 */
export function connect(options) {
	if (!/^https?:\/\//.test(options?.url)) {
		throw new TypeError("connect() needs the url of the server, such as \"https://chat.example.org\".");
	}
	if (typeof options.getToken !== "function") {
		throw new TypeError("connect() needs getToken, a function that returns an access token or a promise of one.");
	}
	return new ConnectedClient(options);
}

/** @implements {Client} */
class ConnectedClient {

	/** @type {State} */
	state = { name: "connecting" };
	/** @type {string | undefined} */
	username;
	#listeners = new Listeners();
	/** @type {Map<string, RoomHandle>} */
	#rooms = new Map();
	#chat;
	#saved;

	/** @param {ConnectOptions} options */
	constructor({ url, getToken, storage = memoryStorage(), signal, webSocketFactory, fetch, heartbeatStrategy }) {
		const chat = this.#chat = new ChatClient(/** @type {any} */ ({
			baseUrl: url.replace(/\/+$/, ""), tokens: { ...NO_TOKEN }, webSocketFactory, fetch, heartbeatStrategy,
			renew: (/** @type {any} */ { accessToken }) => askForToken(getToken, accessToken),
			accepts: (/** @type {string} */ user) => this.#accepts(user),
		}));
		this.#saved = new Saved(storage, chat, (problem) => this.#listeners.emit("error", problem));
		chat.on("state", (/** @type {any} */ state) => this.#became(state));
		chat.on("signed-out", () => this.#end("signed-out", "The sign-in has ended. Sign in again."));
		chat.on("error", (/** @type {any} */ error) => error.code === "stomp-error" || this.#listeners.emit("error", error));
		USER_EVENTS.forEach((type) => chat.on(type, (/** @type {any} */ event) => this.#listeners.emit(type, event)));
		signal?.addEventListener("abort", () => this.close(), { once: true });
		this.#saved.ready.then(() => signal?.aborted ? this.close() : this.#open && chat.connect());
	}

	get #open() {
		return this.state.name !== "closed";
	}

	/** @type {Client["on"]} */
	on(/** @type {string} */ name, /** @type {Function} */ listener, /** @type {object | undefined} */ options) {
		return this.#listeners.add(name, listener, options);
	}

	/** @type {Client["room"]} */
	room(id, options = {}) {
		if (!ROOM.test(id)) {
			throw new TypeError("room() needs the id of a room: 1 to 64 characters of A-Z, a-z, 0-9, _ and -.");
		}
		const known = this.#rooms.get(id);
		if (known) {
			return known;
		}
		const room = new RoomHandle(id, { chat: this.#chat, saved: this.#saved, options, onClose: () => this.#rooms.delete(id) });
		this.#rooms.set(id, room);
		return room;
	}

	/** @type {Client["rooms"]} */
	rooms(options) {
		return this.request("GET", "/api/rooms", undefined, options);
	}

	/** @type {Client["request"]} */
	request(method, path, body, options) {
		return this.#chat.request(method, path, body, options);
	}

	/** @type {Client["pending"]} */
	pending() {
		return this.#saved.pending();
	}

	/** @type {Client["retryNow"]} */
	retryNow() {
		this.#chat.retryNow();
	}

	/** @type {Client["close"]} */
	close() {
		this.#end("closed", "The client was closed before the message was accepted.");
	}

	#accepts(/** @type {string} */ user) {
		if (this.#saved.belongsTo(user)) {
			this.username = user;
			return true;
		}
		this.#end("other-user", `The storage belongs to ${this.#saved.user}, not to ${user}: use one storage for each user.`);
		return false;
	}

	#became(/** @type {any} */ { name, ...more }) {
		if (this.#open && name !== "offline") {
			this.#become({ name: name === "waiting" ? "offline" : name, ...more });
		}
	}

	/** Nothing follows: the state is final. */
	#end(/** @type {string} */ code, /** @type {string} */ message) {
		if (this.#open) {
			this.#become({ name: "closed", code, message });
			this.#chat.disconnect();
			this.#saved.close(code, message);
			const error = code === "closed" ? undefined : new SendError(code, message);
			[...this.#rooms.values()].forEach((room) => room.end(error));
		}
	}

	#become(/** @type {State} */ state) {
		this.state = state;
		this.#listeners.emit("state", state);
	}

}
